from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from gate.domain import Case, Record, Step, Value
from gate.errors import ReplayError
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe

Replay = Callable[..., list[dict[str, bytes]]]
PYTHON = os.fsencode(sys.executable)


def python(code: str, stdin: bytes | None = None) -> Step:
    return Step(argv=(PYTHON, b"-S", b"-c", code.encode()), stdin=stdin)


@pytest.fixture
def records(recipe: Callable[..., Recipe], case: Callable[..., Case]) -> Callable[..., tuple[Record, ...]]:
    def run(*steps: str | Step, **settings: Any) -> tuple[Record, ...]:
        return LocalEngine(workers=1).replay(recipe(**settings), [case(*steps)], on_case=lambda: None)[0]

    return run


@pytest.mark.parametrize("streams", [("stdout",), ("stderr",), ("stdout", "stderr")], ids="+".join)
def test_output_larger_than_a_pipe_does_not_deadlock(replay: Replay, streams: tuple[str, ...]) -> None:
    """Reported fault 4."""
    code = "import sys\n" + "".join(f"print('x' * 70000, file=sys.{stream})\n" for stream in streams)
    (step,) = replay(python(code))
    assert step["status"] == b"0"
    assert {name: len(step[name]) for name in streams} == dict.fromkeys(streams, 70001)


def test_large_input_is_fed_while_output_is_drained(replay: Replay) -> None:
    """Reported fault 5."""
    code = "import sys; sys.stdout.write('x' * 500_000); sys.stdout.flush(); print(len(sys.stdin.read()))"
    (step,) = replay(python(code, stdin=b"y" * 1_000_000))
    assert step == {"status": b"0", "stdout": b"x" * 500_000 + b"1000000\n", "stderr": b"", "files": b""}


def test_a_program_may_leave_its_input_unread(replay: Replay) -> None:
    """Reported fault 5: EPIPE is no error."""
    assert replay(Step(argv=(b"true",), stdin=b"y" * 1_000_000))[0]["status"] == b"0"


def test_a_step_of_no_words_starts_what_the_program_is(records: Callable[..., tuple[Record, ...]]) -> None:
    (record,) = records(Step(argv=(), stdin=b"a page\n"), argv=("cat",))
    assert (record.command, record.fields["stdout"].data) == ("(no words)", b"a page\n")


def test_a_step_of_no_words_without_a_program_is_refused(records: Callable[..., tuple[Record, ...]]) -> None:
    with pytest.raises(ReplayError, match="step 1: expected a word, got none, and program.argv of gate.toml has none"):
        records(Step(argv=()))


def test_no_input_and_empty_input_both_read_as_nothing(replay: Replay) -> None:
    steps = replay(Step(argv=(b"cat",)), Step(argv=(b"cat",), stdin=b""), Step(argv=(b"cat",), stdin=b"\xff\n"))
    assert [step["stdout"] for step in steps] == [b"", b"", b"\xff\n"]


@pytest.mark.slow
def test_endless_output_is_stopped_at_the_limit_in_bounded_memory(records: Callable[..., tuple[Record, ...]]) -> None:
    """Reported fault 7."""
    limit = 64 << 20
    peak = "while read -r name size unit; do [ $name = VmHWM: ] && echo $size; done < /proc/$PPID/status; true"
    endless, memory = records("yes", peak, limit_bytes=limit, keep_bytes=1 << 16)
    stdout = endless.fields["stdout"]
    assert endless.fields["status"].data == b"overflow"
    assert stdout == Value(
        data=b"y\n" * (1 << 15),
        size=limit,
        sha256=hashlib.sha256(b"y\n" * (limit // 2)).hexdigest(),
        overflow=True,
    )
    if sys.platform.startswith("linux"):
        assert int(memory.fields["stdout"].data) < 50_000  # KiB


@pytest.mark.parametrize(("size", "status"), [(1000, b"0"), (1001, b"overflow")])
def test_exactly_the_limit_is_no_overflow(records: Callable[..., tuple[Record, ...]], size: int, status: bytes) -> None:
    (record,) = records(f"head -c {size} /dev/zero", limit_bytes=1000, keep_bytes=2000)
    assert record.fields["status"].data == status
    assert record.fields["stdout"] == Value(data=bytes(1000), size=1000, overflow=size > 1000)


def test_a_file_cannot_grow_beyond_the_limit(records: Callable[..., tuple[Record, ...]]) -> None:
    """Reported fault 7, for files: the disk is as finite as memory."""
    (record,) = records(Step(argv=(b"dd", b"if=/dev/zero", b"of=big", b"bs=64K", b"count=64")), limit_bytes=1 << 20)
    assert record.fields["status"].data == b"signal SIGXFSZ"
    assert record.fields["files:big"].size == 1 << 20


def test_outputs_that_differ_behind_the_cut_differ(records: Callable[..., tuple[Record, ...]]) -> None:
    """Reported fault 8."""
    old, new = (records(f"head -c 2000000 /dev/zero; echo {word}")[0].fields["stdout"] for word in ("FINE", "FAIL"))
    assert old.data == new.data
    assert (old.size, old.cut, new.size, new.cut) == (2000005, True, 2000005, True)
    assert old != new


def test_a_character_split_between_reads_is_kept(replay: Replay) -> None:
    """Reported fault 9."""
    code = "import sys; sys.stdout.buffer.write(b'a' * 65535 + 'é'.encode())"
    steps = replay(*[python(code)] * 20)
    assert {step["stdout"] for step in steps} == {b"a" * 65535 + "é".encode()}


@pytest.mark.parametrize(
    ("line", "stdout"),
    [
        (r"printf 'ok \377\376\n'", b"ok \xff\xfe\n"),  # reported fault 10
        (r"printf '\377'", b"\xff"),  # reported fault 11: differs from the next
        (r"printf '\376'", b"\xfe"),
        (r"printf 'a\r\nb\r\n'", b"a\r\nb\r\n"),  # reported fault 12: no folding of line ends
        (r"printf 'a\0b'", b"a\0b"),
    ],
)
def test_streams_are_bytes_from_end_to_end(replay: Replay, line: str, stdout: bytes) -> None:
    """Reported faults 10, 11, 12."""
    assert replay(line) == [{"status": b"0", "stdout": stdout, "stderr": b"", "files": b""}]


def test_the_two_streams_are_never_merged(replay: Replay) -> None:
    """Reported fault 29."""
    steps = replay(*["echo 1; echo 2 >&2; echo 3"] * 50)
    assert {(step["stdout"], step["stderr"]) for step in steps} == {(b"1\n3\n", b"2\n")}
