"""What one change did to a text: the words that went and came, not the whole values. For grouping equal edits; no verdict rests on it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from hashlib import sha256
from typing import NamedTuple

from gate.diff.blanks import blanks
from gate.diff.findings import Change, Kind
from gate.diff.line_diff import MAX_ALIGNED
from gate.diff.noise import PROTECTED

MAX_REPEATS = 10
"""A line that comes more often holds nothing together by itself: each of its places would be held against each."""

MAX_PAIRS = 50_000
"""Pairs of words that are held against each other for one change; lines beyond it count as one word each."""

_TOKEN = re.compile(rb"[A-Za-z0-9_\x80-\xff]+|[ \t\r\v\f]+|\n|[^A-Za-z0-9_\x80-\xff\s]")
_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]")
_DIGITS = re.compile(rb"\d+")
_RUN = re.compile(rb"[A-Za-z0-9_+@~./-]+")
_PATH = re.compile(rb"[A-Za-z0-9_~][./]")
_NUMBER = re.compile(rb"(?<![A-Za-z0-9_])\d+(?![A-Za-z0-9_])")
_INDEX = re.compile(r"\[\d+\]")
_SHORT = 60
_FEW = 2
_BETWEEN = b"\0"


class Hunk(NamedTuple):
    """Words that were replaced, numbers literal."""

    after: bytes
    """The word before them on their line, its digits as `N`; empty at the start of a line."""
    old: bytes
    new: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What one change did, whatever else stands in the values."""

    field: str
    """The field; of a file's content, `files:` and the end of the name (`files:.json`)."""
    kind: Kind
    hunks: tuple[Hunk, ...]
    """Each distinct one once, in the order of the text: how often it repeats a line tells nothing of the edit. Empty where words do not
    tell it."""
    remark: str
    """What tells it where words do not: the order, the line endings, a digest of values that are too large to align."""
    shape: tuple[str, ...]
    """Which places of a structured value changed; of a crash its last line; of whitespace which sorts of it; else about how many lines
    went and came."""
    masked_by: str | None
    """The noise rule that matches here but may not erase, as of the change."""
    short: bool
    """A line tells all that changed: at most two hunks of few bytes."""

    @property
    def exact(self) -> tuple[object, ...]:
        """Equal for equal edits."""
        return *self._what, frozenset(self.hunks), self.remark

    @property
    def but_for_places(self) -> tuple[object, ...]:
        """Equal for edits that differ in numbers and paths alone. A digit inside a name (`E275`) is none."""
        return *self._what, _without_places(self.hunks), self.remark

    @property
    def rough(self) -> tuple[object, ...]:
        """Equal for edits of the same field, kind and shape."""
        return *self._what, self.shape, self.short

    @property
    def _what(self) -> tuple[str, str, str | None]:
        return self.field, self.kind, self.masked_by


def edit(change: Change) -> Edit:
    """The edit of one change. Takes time about linear in the size of the values beyond `MAX_ALIGNED` lines."""
    old, new = (b"" if side is None else side.text for side in (change.old, change.new))
    hunks, remark = _told(change, old, new)
    return Edit(
        field=_field(change.field),
        kind=change.kind,
        hunks=hunks,
        remark=remark,
        shape=_shape(change, old, new),
        masked_by=change.masked_by,
        short=not remark.startswith("large")
        and len(hunks) <= _FEW
        and all(len(side) <= _SHORT for hunk in hunks for side in (hunk.old, hunk.new)),
    )


def word_hunks(old: bytes, new: bytes) -> Iterator[Hunk]:
    """How the words of one line become those of another; blanks alone hold nothing together. Time grows with the product of their words."""
    tokens = words(old)
    start, left, right = _differing(tokens, words(new))
    for tag, a, b, c, d in SequenceMatcher(bytes.isspace, left, right, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Hunk(_word_before(tokens, start + a), b"".join(left[a:b]), b"".join(right[c:d]))


def _told(change: Change, old: bytes, new: bytes) -> tuple[tuple[Hunk, ...], str]:
    if change.kind == "order":
        return (), _order(old, new)
    if change.kind == "line endings":
        return (), f"{_endings(old)} to {_endings(new)}"
    if change.kind in {"step missing", "step added"} and change.field not in PROTECTED:
        return (), "gone" if change.new is None else "come"
    cut = "" if all(side is None or side.size is None for side in (change.old, change.new)) else "cut"
    found = _hunks(old, new)
    if found is None:
        return (), f"large {sha256(old).hexdigest()} {sha256(new).hexdigest()}"
    return tuple(dict.fromkeys(found)), cut


def _hunks(old: bytes, new: bytes) -> list[Hunk] | None:
    """None where the lines are too many to align."""
    _, left, right = _differing(old.splitlines(keepends=True), new.splitlines(keepends=True))
    if min(len(left), len(right)) == 0:
        return [Hunk(b"", line, b"") for line in left] + [Hunk(b"", b"", line) for line in right]
    if max(len(left), len(right)) > MAX_ALIGNED:
        return None
    found: list[Hunk] = []
    pairs = 0
    often = {line for line, times in Counter(right).items() if times > MAX_REPEATS}
    for tag, a, b, c, d in SequenceMatcher(often.__contains__, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if b - a != d - c:
            found += [Hunk(b"", line, b"") for line in left[a:b]] + [Hunk(b"", b"", line) for line in right[c:d]]
            continue
        for before, after in zip(left[a:b], right[c:d], strict=True):
            pairs += len(words(before)) * len(words(after))
            found += word_hunks(before, after) if pairs <= MAX_PAIRS else [Hunk(b"", before, after)]
    return found


def _differing(old: list[bytes], new: list[bytes]) -> tuple[int, list[bytes], list[bytes]]:
    """Both without what they begin and end with alike, after how much they begin with."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, old[head : len(old) - tail], new[head : len(new) - tail]


def words(line: bytes) -> list[bytes]:
    """Words, blanks and single marks, in order; joined they are the line."""
    return _TOKEN.findall(line)


def _word_before(tokens: Sequence[bytes], at: int) -> bytes:
    return next((_no_numbers(token) for token in reversed(tokens[:at]) if _WORD.match(token)), b"")


def _without_places(hunks: Sequence[Hunk]) -> frozenset[Hunk]:
    """In one pass over all of them, where no hunk holds the byte between them."""
    parts = [part for hunk in hunks for part in hunk]
    whole = _BETWEEN.join(parts)
    told = (
        _no_places(whole).split(_BETWEEN) if whole.count(_BETWEEN) == len(parts) - 1 else list(map(_no_places, parts))
    )
    return frozenset(map(Hunk, told[::3], told[1::3], told[2::3]))


def _no_places(text: bytes) -> bytes:
    return _NUMBER.sub(b"N", _RUN.sub(_no_path, text))


def _no_path(run: re.Match[bytes]) -> bytes:
    """A path as `P`: letters before a dot or a slash, or whatever stands behind a slash."""
    text = run.group()
    if _PATH.search(text):
        return b"P"
    at = text.find(b"/")
    return text[:at] + b"P" if 0 <= at < len(text) - 1 else text


def _no_numbers(text: bytes) -> bytes:
    return _DIGITS.sub(b"N", text)


def _field(name: str) -> str:
    if not name.startswith("files:"):
        return name
    stem, dot, suffix = name.rpartition("/")[2].rpartition(".")
    return f"files:.{suffix}" if dot and stem else "files:"


def _shape(change: Change, old: bytes, new: bytes) -> tuple[str, ...]:
    if change.kind == "crash or hang":
        return (_no_numbers(new.rstrip().rpartition(b"\n")[2]).decode("utf-8", "backslashreplace"),)
    if change.details:
        return tuple(sorted({_INDEX.sub("[]", detail.path) for detail in change.details}))
    if change.kind == "whitespace":
        return tuple(each.sort for each in blanks(old, new))
    _, left, right = _differing(old.splitlines(), new.splitlines())
    return f"-{_about(len(left))}", f"+{_about(len(right))}"


def _about(lines: int) -> str:
    return str(lines) if lines < 2 else "few" if lines < 6 else "many"


def _order(old: bytes, new: bytes) -> str:
    left, right = old.splitlines(), new.splitlines()
    if sorted(left) != sorted(right):
        return "keys"
    for name, lines in (
        ("reversed", left[::-1]),
        ("sorted", sorted(left)),
        ("sorted down", sorted(left, reverse=True)),
    ):
        if right == lines:
            return name
    return "unsorted" if left == sorted(left) else "other"


def _endings(text: bytes) -> str:
    crlf = text.count(b"\r\n")
    counts = ((crlf, "CRLF"), (text.count(b"\n") - crlf, "LF"), (text.count(b"\r") - crlf, "CR"))
    return "+".join(name for count, name in counts if count) or "none"
