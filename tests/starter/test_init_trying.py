"""Which of several ways counts, by how the program ends in each."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from gate.config.model import Program
from gate.errors import BuildError
from gate.starter import trying
from gate.starter.trying import Started, try_ways
from gate.starter.ways import Way

CRASH = b"Traceback (most recent call last):\n  ...\nValueError: empty\n"
NO_MODULE = b"Traceback (most recent call last):\n  ...\nModuleNotFoundError: No module named 'x'\n"


@pytest.fixture
def tried(monkeypatch):
    """Takes what each way comes to (a standard error of `--help` in status 1, or an error), gives the way that is taken."""

    def run(**ends):
        def start(way, *_, crash, **__):
            end = ends[way.program.argv[0]]
            if isinstance(end, Exception):
                raise end
            status, end = end if isinstance(end, tuple) else ("1", end)
            trying._require_started(way, Started(status=status, stdout=b"", stderr=end), crash=crash)
            return way.program.argv[0], crash

        monkeypatch.setattr(trying, "_try", start)
        monkeypatch.setattr(trying, "_copy", nullcontext)
        monkeypatch.setattr(trying, "claim_slot", nullcontext)
        monkeypatch.setattr(trying, "read_source", lambda *_: None)
        monkeypatch.setattr(trying, "_walls", lambda *_: None)
        ways = [Way(why=(), program=Program(argv=(name,))) for name in ends]
        return try_ways("tree", ways, root="root", sandbox=SimpleNamespace(), read=None, say=lambda _: None)

    return run


def test_a_program_that_refuses_help_is_taken_at_once(tried):
    assert tried(first=b"no such option\n", second=b"") == ("first", False)


def test_a_crash_gives_way_to_another_way_and_counts_where_there_is_none(tried):
    assert tried(first=CRASH, second=b"") == ("second", False)
    assert tried(first=CRASH, second=CRASH) == ("second", True)
    assert tried(first=CRASH, second=BuildError("no network", next_step="")) == ("first", True)


def test_what_did_not_load_never_counts(tried):
    for text in (NO_MODULE, b"  File x\nIndentationError: unexpected indent\n", b"SyntaxError: invalid syntax\n"):
        with pytest.raises(BuildError):
            tried(first=text)
    with pytest.raises(BuildError) as caught:
        tried(first=NO_MODULE)
    assert caught.value.next_step.startswith("If that is a package of others, state it in pyproject.toml")


def test_a_program_that_does_not_end_is_told_to_answer_help(tried):
    with pytest.raises(BuildError) as caught:
        tried(first=("timeout", b""))
    assert caught.value.what == "first --help: expected the program to start, got timeout after 20 s"
    assert caught.value.next_step == "Let it print its help and end; or write gate.toml by hand (docs/config.md)."
