"""`corpus.jsonl`: a head, then one case a line. Read strictly, written canonically; needs no Hypothesis."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec

from gate.corpus.contents import Corpus, Generator, case_complaint, redrawn, with_case, without_case
from gate.corpus.lines import CaseLine, HeaderLine, case_line, case_of
from gate.domain import Case, CaseId
from gate.errors import CorpusError
from gate.files import write_atomically

__all__ = [
    "Corpus",
    "Generator",
    "ascii_line",
    "corpus_bytes",
    "parse_cases",
    "parse_corpus",
    "read_corpus",
    "redrawn",
    "strict_line",
    "with_case",
    "without_case",
    "write_corpus",
]

_L = TypeVar("_L", bound=msgspec.Struct)

_RESTORE = (
    "Restore the committed file; cases of your own are added from a file of their lines: gate corpus add --from FILE"
)
_HIDDEN = re.compile(r"[^\x20-\x7e]")


def read_corpus(path: Path) -> Corpus:
    """The corpus in the file. Raises CorpusError naming file and line on anything that is not exactly this format."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise CorpusError(
            f"{path}: expected a corpus, found none",
            next_step="Draw one: gate corpus draw; or write a case: gate corpus add",
        ) from None
    return parse_corpus(data, name=str(path))


def write_corpus(path: Path, corpus: Corpus) -> None:
    """Replace the file, or leave it as it was."""
    write_atomically(path, corpus_bytes(corpus))


def corpus_bytes(corpus: Corpus) -> bytes:
    """The file, canonically: the same corpus gives the same bytes. Raises CorpusError on an empty one."""
    if not corpus.cases:
        raise CorpusError(
            "the corpus is empty: expected at least one case, got none", next_step="Draw cases: gate corpus draw"
        )
    lines = (case_line(case, tuple(corpus.covers.get(case.id, ()))) for case in corpus.cases)
    body = b"".join(ascii_line(msgspec.json.encode(line)) + b"\n" for line in lines)
    head = HeaderLine(corpus=1, generator=corpus.generator, digest=_digest(body))
    return ascii_line(msgspec.json.encode(head)) + b"\n" + body


def ascii_line(line: bytes) -> bytes:
    """The same JSON in printable ASCII: a reviewer sees every character, and no editor turns, joins or normalises one."""
    return _HIDDEN.sub(_escaped, line.decode("utf-8")).encode("ascii")


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))


def parse_corpus(data: bytes, *, name: str) -> Corpus:
    """The corpus in the bytes of a file called `name`. Raises CorpusError as `read_corpus`."""
    head_bytes, _, body = data.partition(b"\n")
    lines = _split(data, name)
    head = _header(head_bytes, name)
    cases: list[Case] = []
    covers: dict[CaseId, tuple[str, ...]] = {}
    known: dict[CaseId, int] = {}
    for number, line in enumerate(lines[1:], start=2):
        case, tags = _case(line, name, number)
        if case.id in known:
            raise _unusable(name, number, f"expected an id of its own, got {case.id!r} as in line {known[case.id]}")
        known[case.id] = number
        cases.append(case)
        if tags:
            covers[case.id] = tags
    if not cases:
        raise CorpusError(
            f"{name}:1: the corpus is empty: expected at least one case, got none",
            next_step="Draw cases: gate corpus draw",
        )
    if head.digest != _digest(body):
        raise _unusable(name, 1, f"the cases are not those of the head: expected {head.digest}, got {_digest(body)}")
    return Corpus(cases=tuple(cases), covers=covers, generator=head.generator)


def parse_cases(data: bytes, *, name: str) -> tuple[Case, ...]:
    """Hand-written cases, one a line as in `corpus.jsonl` but without a head: what `gate corpus add --from` reads.

    Raises CorpusError naming `name` and line; an empty file is one too.
    """
    if not data:
        raise CorpusError(f"{name}: expected at least one case, got an empty file", next_step="Write one case a line.")
    return tuple(_case(line, name, number)[0] for number, line in enumerate(_split(data, name), start=1))


def _split(data: bytes, name: str) -> list[bytes]:
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if line.endswith(b"\r"):
            raise CorpusError(
                f"{name}:{number}: expected the line ending LF, got CRLF",
                next_step="Restore the committed bytes, and keep them so: `corpus.jsonl -text` in .gitattributes",
            )
    if lines.pop():
        raise _unusable(name, len(lines) + 1, "expected a line feed at the end of the file, got a line that is cut off")
    return lines


def _header(line: bytes, name: str) -> HeaderLine:
    try:
        return strict_line(line, HeaderLine)
    except ValueError as error:
        raise CorpusError(
            f'{name}:1: expected the head {{"corpus":1,…}}, got {_excerpt(line)} ({error})',
            next_step="A file of cases alone is added to a corpus with: gate corpus add --from FILE",
        ) from error


def _case(line: bytes, name: str, number: int) -> tuple[Case, tuple[str, ...]]:
    try:
        read = strict_line(line, CaseLine)
        case = case_of(read)
    except ValueError as error:
        raise _unusable(name, number, f"expected a case, got {_excerpt(line)} ({error})") from error
    if complaint := case_complaint(case):
        raise _unusable(name, number, complaint)
    return case, read.covers


def strict_line(line: bytes, shape: type[_L]) -> _L:
    """One line in its shape. Raises ValueError; msgspec's errors are such. It keeps the last of two equal keys: looked for first."""
    read = msgspec.json.decode(line, type=shape)
    json.loads(line, object_pairs_hook=_single)
    return read


def _single(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    for position, key in enumerate(keys):
        if key in keys[:position]:
            raise ValueError(f"the key {key!r} stands twice")
    return dict(pairs)


def _unusable(name: str, number: int, complaint: str) -> CorpusError:
    return CorpusError(f"{name}:{number}: {complaint}", next_step=_RESTORE)


def _excerpt(line: bytes) -> str:
    shown = line[:60].decode("utf-8", "backslashreplace")
    return f"{shown!r}" if line else "an empty line"


def _digest(body: bytes) -> str:
    return "sha256:" + sha256(body).hexdigest()
