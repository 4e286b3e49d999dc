from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.domain import CaseId, Step, Value
from gate.replay.capture import Capture
from gate.replay.place import case_folder
from gate.replay.redact import WORDS, Redactor, Vocabulary
from gate.replay.slot import claim_slot

Replay = Callable[..., list[dict[str, bytes]]]

ROOT, REAL, CASE, OTHER = (
    b"/tmp/gate-1/0123456789ab/s0",
    b"/private/tmp/gate-1/0123456789ab/s0",
    b"c0123456789",
    b"cabcdef0123",
)
REDACTOR = Redactor(Vocabulary((ROOT, REAL)), CASE)
PATHS = {
    ROOT + b"/" + CASE + b"/work": b"<WORK>",
    ROOT + b"/" + CASE + b"/home": b"<HOME>",
    ROOT + b"/" + CASE + b"/tmp": b"<TMP>",
    ROOT + b"/build": b"<BUILD>",
    ROOT: b"<SANDBOX>",
    ROOT[:-3]: b"<SLOTS>",
    ROOT[:-16]: b"<GATE>",
}

texts = st.lists(
    st.sampled_from(
        [
            *PATHS,
            REAL,
            *WORDS,
            b"\\",
            b"\\\\",
            b"/",
            b".",
            b"2",
            b" ",
            b"x",
            b"<",
            b"/work",
            b"/build",
            ROOT[:9],
            b"\xc3\xa9\n",
        ]
    )
    | st.binary(max_size=3),
    max_size=12,
).map(b"".join)


@pytest.mark.parametrize(
    ("raw", "redacted"),
    [
        *PATHS.items(),
        (b"/".join((REAL, CASE, b"work", b"a")), b"<WORK>/a"),
        (b"'" + ROOT + b"/" + CASE + b"/work'", b"'<WORK>'"),
        (b"PATH=" + ROOT + b"/build/bin:/usr/bin", b"PATH=<BUILD>/bin:/usr/bin"),
        (ROOT + b"/" + CASE + b"/work2/f", b"<SANDBOX>/" + CASE + b"/work2/f"),
        (ROOT + b"/" + CASE + b"/work.old", b"<SANDBOX>/" + CASE + b"/work.old"),
        (b"in " + ROOT + b"/" + CASE + b"/work.", b"in <WORK>."),
        (b"in " + ROOT + b"/" + CASE + b"/work.\n", b"in <WORK>.\n"),
        (b"/".join((ROOT, OTHER, b"work", b"f")), b"/".join((b"<SANDBOX>", OTHER, b"work", b"f"))),
        (ROOT + b"0/build", b"<SANDBOX>0/build"),
        (ROOT[:-1] + b"1/build", b"<SLOTS>/s1/build"),
        (ROOT[:-16] + b"0", ROOT[:-16] + b"0"),
        (b"<WORK>", b"\\<WORK>"),
        (b"\\<WORK>", b"\\\\\\<WORK>"),
        (b"\\" + ROOT + b"/build", b"\\\\<BUILD>"),
        (b"\\n <work>", b"\\n <work>"),
        (b"", b""),
    ],
)
def test_a_path_is_replaced_where_it_ends(raw: bytes, redacted: bytes) -> None:
    """Reported fault 23."""
    assert REDACTOR.whole(raw) == redacted


@given(texts, st.lists(st.integers(0, 200), max_size=6))
def test_it_does_not_matter_where_reads_end(raw: bytes, cuts: list[int]) -> None:
    stream = REDACTOR.stream()
    ends = [*sorted(min(cut, len(raw)) for cut in cuts), len(raw)]
    parts, start = [], 0
    for end in ends:
        parts.append(stream.feed(raw[start:end]))
        start = end
    assert b"".join(parts) + stream.feed(b"", final=True) == REDACTOR.whole(raw)


@given(texts)
def test_redaction_loses_nothing(raw: bytes) -> None:
    """Injective, the two spellings of a path apart: what was printed can be worked out again."""
    spelled = {word: path for path, word in PATHS.items()}

    def back(match: re.Match[bytes]) -> bytes:
        half, odd = divmod(len(match[1]), 2)
        return b"\\" * half + (match[2] if odd else spelled[match[2]])

    restored = re.sub(rb"(\\*)(" + b"|".join(WORDS) + b")", back, REDACTOR.whole(raw))
    assert restored == raw.replace(REAL, ROOT) or REAL in raw


@given(texts, st.integers(0, 40))
def test_a_capture_does_not_depend_on_the_slot(raw: bytes, keep: int) -> None:
    """Head, size and digest of a cut value speak of the redacted bytes, so that a golden of one slot serves in another."""
    elsewhere = ROOT[:-1] + b"7"
    seen = []
    for root in (ROOT, elsewhere):
        capture = Capture(Redactor(Vocabulary((root,)), CASE), keep=keep, limit=None)
        capture.feed(raw.replace(ROOT, root))
        seen.append(capture.value())
    assert seen[0] == seen[1] or elsewhere in raw


@given(st.binary(max_size=30), st.integers(0, 30), st.integers(1, 30))
def test_a_capture_keeps_the_head_and_speaks_for_the_whole(raw: bytes, keep: int, limit: int) -> None:
    capture = Capture(REDACTOR, keep=keep, limit=limit)
    within = [capture.feed(raw[at : at + 1]) for at in range(len(raw))]
    seen = REDACTOR.whole(raw[:limit])
    assert all(within) == (len(raw) <= limit)
    assert capture.value() == Value(
        data=seen[:keep],
        size=len(seen),
        sha256=sha256(seen).hexdigest() if len(seen) > keep else None,
        overflow=len(raw) > limit,
    )


def test_one_function_covers_every_field(replay: Replay, tmp_path: Path) -> None:
    """Reported faults 23, 60: the sandbox's paths appear in no field, however they are spelled."""
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to("real")
    with claim_slot(tmp_path, temp=tmp_path / "alias") as slot:
        code = f"""
import os, sys
work = os.getcwd()
paths = [work, os.path.realpath("."), os.environ["HOME"], os.environ["TMPDIR"], {slot.aliases[0]!r} + "/build/x"]
print(*paths)
print(*paths, file=sys.stderr)
open("content", "w").write(" ".join(paths))
os.makedirs("copy" + work)
os.makedirs(work[1:])
os.symlink(work + "/content", "link")
open(work + "/no/such")
"""
        step = Step(argv=(os.fsencode(sys.executable), b"-S", b"-c", code.encode()))
        (seen,) = replay(step, slot=str(slot.root), aliases=slot.aliases)
    everything = "\n".join([*seen, *(data.decode() for data in seen.values())])
    assert seen["stdout"] == b"<WORK> <WORK> <HOME> <TMP> <BUILD>/x\n"
    assert seen["files:content"] == b"<WORK> <WORK> <HOME> <TMP> <BUILD>/x"
    assert b"created link link -> <WORK>/content\n" in seen["files"]
    assert b"created directory 755 copy<WORK>\n" in seen["files"]
    assert seen["stderr"].endswith(b"No such file or directory: '<WORK>/no/such'\n")
    for trail in (str(slot.root), *slot.aliases, str(slot.root.parent), socket.gethostname()):
        assert trail not in everything


@given(st.text(), st.text())
def test_the_directory_of_a_case_has_one_length_and_no_free_text(one: str, other: str) -> None:
    """Reported fault 22."""
    names = {case_folder(CaseId(one)), case_folder(CaseId(other))}
    assert all(re.fullmatch("c[0-9a-f]{10}", name) for name in names)
    assert len(names) == len({one, other})
