"""`aside.jsonl`: cases kept out of the corpus with the reason: they do not give the same twice on the baseline, or behave like another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec

from gate.corpus.contents import Corpus, case_complaint, content_digest
from gate.corpus.format import ascii_line, strict_line
from gate.corpus.lines import CaseLine, case_of
from gate.domain import Case, CaseId
from gate.errors import CorpusError
from gate.files import write_atomically
from gate.octets import Wire

FILE = "aside.jsonl"
"""Its name, beside the corpus."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_RESTORE = "Restore the committed file, or remove it: then the cases in it may be drawn and added again."


class SeenValue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One value that a check showed, in canonical form."""

    text: Wire | None
    """Its head; null: not observed."""
    runs: int
    """In how many runs."""


class AsideCheck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One check that wavers."""

    step: int
    occurrence: int = 1
    command: str
    field: str
    values: tuple[SeenValue, ...]
    """In order of first appearance."""
    cure: str
    """What may be done about it, in words."""


class Like(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The case of the corpus that a thinned one behaves like."""

    case: str
    """Its id, for people."""
    steps: str
    """Hex SHA-256 of its steps (gate.corpus.contents.content_digest): what it is known by."""


class AsideCase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the file: one case that was set aside."""

    case: CaseLine
    """As it stood in the corpus."""
    reason: str
    checks: tuple[AsideCheck, ...]
    """Those that waver; none for a case that was thinned."""
    like: Like | None = None
    """None: it wavers. Else it was thinned, and is set aside only while that case is in the corpus."""

    @property
    def why(self) -> str:
        """Why it is set aside, for people. Of a thinned case what counts is told, whatever the reason says."""
        return self.reason if self.like is None else f"it behaves like {self.like.case} in every field of every step"


class _Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    aside: Literal[1]


def aside_bytes(rows: Iterable[AsideCase]) -> bytes:
    """The file: its head, then a case a line, sorted by id; in printable ASCII. Without rows the head alone."""
    ordered = sorted(rows, key=lambda row: row.case.id)
    lines = (ascii_line(msgspec.json.encode(line)) + b"\n" for line in (_Head(aside=1), *ordered))
    return b"".join(lines)


def parse_aside(data: bytes, *, name: str) -> tuple[AsideCase, ...]:
    """The rows in the bytes of a file called `name`. Raises CorpusError with file and line for anything but exactly this format."""
    lines = data.split(b"\n")
    if lines.pop():
        raise _unusable(name, len(lines) + 1, "expected a line feed at the end of the file, got a line that is cut off")
    rows: list[AsideCase] = []
    known: dict[str, int] = {}
    for number, line in enumerate(lines or [b""], start=1):
        if line.endswith(b"\r"):
            raise _unusable(name, number, "expected the line ending LF, got CRLF")
        try:
            if number == 1:
                strict_line(line, _Head)
                continue
            row = strict_line(line, AsideCase)
            complaint = case_complaint(case_of(row.case)) or _row_complaint(row)
        except ValueError as error:
            raise _unusable(
                name, number, f"expected {'the head' if number == 1 else 'a case'}, got: {error}"
            ) from error
        if complaint:
            raise _unusable(name, number, complaint)
        if row.case.id in known:
            raise _unusable(
                name, number, f"expected an id of its own, got {row.case.id!r} as in line {known[row.case.id]}"
            )
        known[row.case.id] = number
        rows.append(row)
    return tuple(rows)


def _row_complaint(row: AsideCase) -> str | None:
    """What no run of the gate writes."""
    if (row.like is None) != bool(row.checks):
        return (
            f"expected either checks that waver or the case that it is like, got {'both' if row.checks else 'neither'}"
        )
    if row.like is not None and row.case.origin != "drawn":
        return "expected a drawn case, since thinning takes no other, got one that is written by hand"
    if row.like is not None and not _DIGEST.fullmatch(row.like.steps):
        return f"expected 64 hexadecimal digits as like.steps, got {row.like.steps!a}"
    return None


def read_aside(path: Path) -> tuple[AsideCase, ...]:
    """The rows of the file; none where there is no file. Raises CorpusError as `parse_aside`."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ()
    return parse_aside(data, name=str(path))


def write_aside(path: Path, rows: Iterable[AsideCase]) -> None:
    """Replace the file, or leave it as it was."""
    write_atomically(path, aside_bytes(rows))


def require_apart(rows: Sequence[AsideCase], cases: Iterable[Case]) -> None:
    """Raise CorpusError for a case under the id of another one that is set aside.

    The same case in both is none: whoever sets cases aside was interrupted, or somebody put it back.
    """
    known = {row.case.id: content_digest(case_of(row.case).steps) for row in rows}
    for case in cases:
        if case.id in known and content_digest(case.steps) != known[case.id]:
            raise CorpusError(
                f"case {case.id!r}: expected an id of its own, got that of another case that is set aside",
                next_step=f"Choose another id, or take its line out of {FILE}.",
            )


def without_aside(corpus: Corpus, rows: Sequence[AsideCase]) -> tuple[Corpus, tuple[CaseId, ...]]:
    """The corpus without the cases that are set aside because they waver, which are told by their steps, and the ids of those.

    A row of a thinned case takes nothing away: that is for a draw to weigh (`gate.corpus.thinning.left_out`). May leave no case: such
    a corpus cannot be written.
    """
    known = {content_digest(case_of(row.case).steps) for row in rows if row.like is None}
    gone = tuple(case.id for case in corpus.cases if content_digest(case.steps) in known)
    left = tuple(case for case in corpus.cases if case.id not in gone)
    covers = {id_: tags for id_, tags in corpus.covers.items() if id_ not in gone}
    return replace(corpus, cases=left, covers=covers), gone


def _unusable(name: str, number: int, complaint: str) -> CorpusError:
    return CorpusError(f"{name}:{number}: {complaint}", next_step=_RESTORE)
