r"""Taking the sandbox's paths out of what a program printed, named and wrote.

`<WORK>`, `<HOME>`, `<TMP>` are the directories of the case, `<BUILD>` is the build, `<SANDBOX>` is the slot that holds them
all; a path of another case stays visible below `<SANDBOX>`. `<SLOTS>` and `<GATE>` are the two folders above the slot, which
a program that looks upwards meets. A path is replaced where it ends: before `/`, a quote, a blank,
the end, a full stop that ends a sentence, but not inside a longer name (`work2`, `work.old`)
unless it is the path of the slot itself.

Injective, so that no two outputs become one: a program that itself prints `<WORK>` gets a backslash in front, and the n
backslashes that stand before a path or before such a word are doubled: 2n before a path, 2n + 1 before a word.
One function covers streams, names, contents and link targets (reported faults 23, 60).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

PLACES = {b"work": b"<WORK>", b"home": b"<HOME>", b"tmp": b"<TMP>"}
"""The directories of a case, and what stands for them."""

CASE_NAME = rb"c[0-9a-f]{10}"
"""How the directory of a case is called inside a slot."""

WORDS = (*PLACES.values(), b"<BUILD>", b"<SANDBOX>", b"<SLOTS>", b"<GATE>")
"""All that a path can become."""

# What follows a path that ends: no more of the name, and no full stop that has more of the name behind it.
_END = rb"(?![A-Za-z0-9_-]|\.[A-Za-z0-9_.-])"
_LOOK_AHEAD = 2
_LONGEST_BELOW = len(b"/c0123456789/work")


class Vocabulary:
    """What can be replaced in one slot: compiled once, used for every case."""

    __slots__ = ("_above", "_pattern", "_span", "_starts")

    def __init__(self, roots: tuple[bytes, ...]) -> None:
        """`roots` are the spellings of the slot's path: GATE/PROJECT/SLOT, as `gate.replay.slot` makes it."""
        slots = tuple(root.rpartition(b"/")[0] for root in roots)
        gates = tuple(folder.rpartition(b"/")[0] for folder in slots)
        if not all(gates):
            raise ValueError("a slot stands at least three folders deep")
        self._above = (
            dict.fromkeys(gates, b"<GATE>") | dict.fromkeys(slots, b"<SLOTS>") | dict.fromkeys(roots, b"<SANDBOX>")
        )
        self._starts = tuple(dict.fromkeys(gates))
        longest_first = sorted(self._above, key=lambda path: (-len(path), path))
        inside = b"|".join(re.escape(root) for root in longest_first if root in roots)
        # The slot's own path is replaced even within a longer name: what is left must not tell which slot it was.
        either = b"|".join(re.escape(path) + (b"" if path in roots else _END) for path in longest_first)
        below = rb"/(build|" + CASE_NAME + rb"/(?:work|home|tmp))"
        words = b"|".join(WORDS)
        self._pattern = re.compile(rb"(?:" + inside + rb")" + below + _END + rb"|(" + either + rb")|(" + words + rb")")
        self._span = max(len(longest_first[0]) + _LONGEST_BELOW, len(b"<SANDBOX>")) + _LOOK_AHEAD

    @property
    def span(self) -> int:
        """Bytes that have to be in view to tell whether something to replace begins here."""
        return self._span

    def above(self, path: bytes) -> bytes:
        """The word for the slot itself, or for a folder above it."""
        return self._above[path]

    def touches(self, data: bytes) -> bool:
        """Whether there may be something to replace in `data`: a quick look."""
        for start in self._starts:
            if start in data:
                return True
        return b"<" in data and any(word in data for word in WORDS)

    def matches(self, data: bytes) -> Iterator[re.Match[bytes]]:
        """Everything to replace in `data`, in order."""
        return self._pattern.finditer(data) if self.touches(data) else iter(())


class Redactor:
    """Redaction for one case of a slot."""

    __slots__ = ("_case", "_vocabulary")

    def __init__(self, vocabulary: Vocabulary, case: bytes) -> None:
        self._vocabulary = vocabulary
        self._case = case

    def whole(self, data: bytes) -> bytes:
        """`data` with every path replaced."""
        return self.stream().feed(data, final=True) if self._vocabulary.touches(data) else data

    def stream(self) -> RedactedStream:
        """Redaction of one stream that comes in pieces; the pieces may end anywhere."""
        return RedactedStream(self._vocabulary, self)

    def replacement(self, match: re.Match[bytes]) -> bytes:
        """What stands for a path that was found; a word of ours is handled by its backslashes."""
        below: bytes | None = match[1]
        if below is None:
            return self._vocabulary.above(match[2])
        if below == b"build":
            return b"<BUILD>"
        case, _, place = below.partition(b"/")
        return PLACES[place] if case == self._case else b"<SANDBOX>/" + below


class RedactedStream:
    """One stream on its way through redaction: the output does not depend on where the pieces end."""

    __slots__ = ("_backslashes", "_held", "_redactor", "_vocabulary")

    def __init__(self, vocabulary: Vocabulary, redactor: Redactor) -> None:
        self._vocabulary = vocabulary
        self._redactor = redactor
        self._held = b""
        self._backslashes = 0  # how many were given out last, with nothing behind them yet

    def feed(self, piece: bytes, *, final: bool = False) -> bytes:
        """The redacted bytes that are certain by now; with `final`, all that is left."""
        data = self._held + piece if self._held else piece
        certain = len(data) if final else max(0, len(data) - self._vocabulary.span)
        parts: list[bytes] = []
        done = 0
        for match in self._vocabulary.matches(data):
            if match.start() >= certain:
                break
            before = data[done : match.start()]
            count = self._trailing(before)
            ours = match[3] is not None
            parts += (before, b"\\" * (count + ours), match[0] if ours else self._redactor.replacement(match))
            done, self._backslashes = match.end(), 0
        rest = data[done : max(certain, done)]
        self._backslashes = self._trailing(rest)
        self._held = data[max(certain, done) :]
        return b"".join((*parts, rest)) if parts else rest

    def _trailing(self, data: bytes) -> int:
        """Backslashes at the end of `data`, those given out before it included."""
        count = len(data) - len(data.rstrip(b"\\"))
        return count + self._backslashes if count == len(data) else count
