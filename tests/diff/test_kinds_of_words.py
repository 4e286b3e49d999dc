"""Kinds that take reading: a crash, another class of error, other words."""

import pytest
from diff_cases import literal

from gate.diff.findings import Canonical
from gate.diff.kinds import SEVERITY, classify, gravest

TRACEBACK = 'Traceback (most recent call last):\n  File "kv.py", line 1\nKeyError: 1\n'


def kind(old: str, new: str, field: str = "stderr") -> str:
    return classify(field, literal(old.encode()), literal(new.encode()))


@pytest.mark.parametrize(
    "ending", ["signal SIGSEGV", "timeout", "overflow", "cannot start: no such file", "cannot start", "-11"]
)
def test_a_step_that_ends_by_force_is_a_crash_or_hang(ending):
    assert [kind("0", ending, "status"), kind(ending, "0", "status")] == ["crash or hang", "exit code"]


@pytest.mark.parametrize(
    "trace",
    [
        TRACEBACK,
        "  + Exception Group Traceback (most recent call last):\n",
        "thread 'main' panicked at src/main.rs:2:5:\nboom\n",
        "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n",
        'Exception in thread "main" java.lang.Error\n',
        "TypeError: x\n    at main (/app/index.js:3:9)\n",
        "Segmentation fault (core dumped)\n",
    ],
)
def test_a_traceback_that_was_not_there_is_a_crash(trace):
    assert [kind("bad key\n", trace), kind("", trace, "stdout")] == ["crash or hang"] * 2
    assert kind(trace, "bad key\n") == "value"
    assert kind(trace, trace + "more\n") == "value"
    assert classify("stderr", None, literal(trace.encode())) == "crash or hang"


def test_a_traceback_in_a_file_is_no_crash_of_the_step():
    assert kind("", TRACEBACK, "files:log") == "value"


def test_a_stream_that_was_stopped_at_the_limit_is_a_hang():
    stopped = Canonical(tokens=(b"a",), size=9, sha256="ab", overflow=True)
    assert [classify("stdout", literal(b"a"), stopped), classify("stdout", stopped, literal(b"a"))] == [
        "crash or hang",
        "value",
    ]


@pytest.mark.parametrize(
    ("old", "new", "field", "expected"),
    [
        ("ValueError: bad key 'a'\n", "KeyError: bad key 'a'\n", "stderr", "error class"),
        ("x\nkv.errors.NotFoundError: a\n", "x\nKeyError: a\n", "stderr", "error class"),
        ("a.py:1: DeprecationWarning: x\n", "a.py:1: FutureWarning: x\n", "stderr", "error class"),
        ("ValueError: a\n", "KeyError: b\n", "stderr", "value"),
        ("ValueError: a\n", "KeyError: a\nmore\n", "stderr", "value"),
        ("missing", "denied", "error", "error class"),
        ("missing", "none", "error", "value"),
        ("missing", "no such key", "error", "value"),
        ("missing", "denied", "warn", "value"),
    ],
)
def test_another_class_of_error(old, new, field, expected):
    assert [kind(old, new, field), kind(new, old, field)] == [expected] * 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("the key must have a value", "the key should have a value"),
        ("kv: please give a name for the store 'a'\n", "kv: please choose a name for the store 'a'\n"),
        ("usage\nPrints the list of keys.\n3\n", "usage\nShows the list of keys.\n3\n"),
    ],
)
def test_prose_in_other_words_is_wording(old, new):
    assert [kind(old, new), kind(new, old)] == ["wording"] * 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("the key is in the store", "the key is not in the store"),
        ("the file is readable by you", "the file is unreadable by you"),
        ("wrote 3 lines to the file", "wrote 4 lines to the file"),
        ("wrote lines to the file a.txt", "wrote lines to the file b.txt"),
        ("the value of the key is 'red'", "the value of the key is 'blue'"),
        ("the two files are in place", "the three files are in place"),
        ("the test of the store failed", "the test of the store passed"),
        ("use the option --fast for it", "use the option --slow for it"),
        ("alice  is  active in the list", "alice  is  idle in the list"),
        ("red green blue white", "red green blue black"),
        ("the light is red", "some words that are of another thing entirely"),
        ("  the key must have a value", "the key should have a value"),
        ("hit=false", "hit=true"),
        ("active", "idle"),
        ("the key must have a value", "the key should have a value\n\nmore"),
        ("the key must have a value " + "x" * 1000, "the key should have a value " + "x" * 1000),
    ],
)
def test_words_that_may_mean_something_else_are_a_value(old, new):
    assert [kind(old, new), kind(new, old)] == ["value"] * 2


def test_prose_in_a_file_is_what_the_program_wrote():
    assert kind("the key must have a value", "the key should have a value", "files:a") == "value"


def test_hostile_texts_take_no_time(no_hang):
    for text in ("<" * 200_000, "a." * 100_000, "'" * 200_000, " at :1" * 50_000):
        assert kind(text, text + "b") in {"value", "crash or hang"}


def test_kinds_are_in_the_order_of_the_report():
    assert SEVERITY == (
        "exit code", "crash or hang", "step missing", "step added", "file effect", "stream moved", "error class", "field missing",
        "field added", "value", "order", "line endings", "invisible characters", "whitespace", "wording",
    )  # fmt: skip
    assert gravest(["wording", "value", "order"]) == "value"
