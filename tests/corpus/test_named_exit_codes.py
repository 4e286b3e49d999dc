"""Exit codes that a source names."""

import pytest

from gate.corpus.exit_codes import NamedCode, named_codes

SOURCE = b"""\
import os, sys, typer
def main(ctx, code):
    sys.exit(3)
    raise SystemExit(4)
    ctx.exit(5)
    os._exit(6)
    raise typer.Exit(code=7)
    parser.exit(status=8, message="x")
    exit(-1)
    sys.exit(3)
    sys.exit(code)
    sys.exit("nine")
    sys.exit(True)
    sys.exit()
    raise typer.Exit
    leave(10)
"""


def test_constants_count_and_nothing_else():
    assert named_codes(SOURCE, file="a.py") == tuple(
        NamedCode(code=code, file="a.py", line=line)
        for code, line in [(3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8), (255, 9)]
    )


@pytest.mark.parametrize("source", [b"print 'two'", b"a = \0", b"(" * 5000, b"# coding: nope\n", b"'\xff'"])
def test_what_is_no_python_is_refused(source):
    with pytest.raises(ValueError, match="expected Python"):
        named_codes(source, file="a.py")
