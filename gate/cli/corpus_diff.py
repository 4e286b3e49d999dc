"""`gate corpus diff`: what became of a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gate.cli.options import Format, FormatOption
from gate.console import finish, judging, put
from gate.exit_codes import ExitCode


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A corpus.jsonl.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Another one.")],
    format: FormatOption = Format.TEXT,  # noqa: A002 - the option's name
) -> None:
    """Say which cases vanished, came, changed or were renamed between two corpus files, and what is no longer exercised.

    Ends in 0 where every case of OLD is in NEW with the same steps, in 1 where one vanished or changed, in 2 where a file cannot be read.
    """
    import msgspec

    from gate.corpus.aside import FILE, read_aside
    from gate.corpus.changes import corpus_changes
    from gate.corpus.changes_text import changes_lines
    from gate.corpus.format import ascii_line, read_corpus

    with judging():
        changes = corpus_changes(read_corpus(old), read_corpus(new))
        aside = {row.case.id: row for row in read_aside(new.with_name(FILE))}
        reasons = {
            case.id: aside[case.id].reason
            for case in changes.vanished
            if case.id in aside and aside[case.id].case.steps == case.steps
        }
    if format is Format.JSON:
        put(ascii_line(msgspec.json.encode(changes)).decode("ascii"))
    else:
        put("\n".join(changes_lines(changes, reasons=reasons)))
    raise finish(ExitCode.STOP if changes.smaller else ExitCode.CLEAN)
