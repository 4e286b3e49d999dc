"""Cutting a text into what stays and what noise rules take out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from gate.diff.patterns import Pattern, any_of
from gate.errors import NoiseError

MAX_ROUNDS = 64
"""How often the remains of a text are searched again; more is refused."""

ALNUM = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


def _no_shape(_raw: bytes) -> str:
    return ""


def _same(raw: bytes) -> bytes:
    return raw


def _anywhere(_text: bytes, _start: int, _end: int) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matcher:
    """A noise rule, compiled."""

    name: str
    pattern: Pattern
    identity: bool = False
    fields: frozenset[str] = frozenset()
    """Empty: its default scope."""
    commands: frozenset[str] = frozenset()
    """Empty: every command."""
    before: frozenset[int] = frozenset()
    """Bytes that may not stand right before a match: it would be part of a larger token."""
    after: frozenset[int] = frozenset()
    """Bytes that may not stand right after a match."""
    accepts: Callable[[bytes, int, int], bool] = _anywhere
    """A last word on one match: text, start, end."""
    shape: Callable[[bytes], str] = _no_shape
    """What of a span's form still counts."""
    key: Callable[[bytes], bytes] = _same
    """What two spans have in common that carry one number."""

    def spans(self, text: bytes) -> Iterator[tuple[int, int]]:
        """Its matches in `text`, both ends of which count as the edge of a token."""
        for start, end in self.pattern.spans(text):
            clear = (start == 0 or text[start - 1] not in self.before) and (
                end == len(text) or text[end] not in self.after
            )
            if clear and self.accepts(text, start, end):
                yield start, end


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A span that a rule takes out."""

    matcher: Matcher
    raw: bytes


Piece = bytes | Hit


@dataclass(frozen=True, slots=True)
class Scope:
    """The rules that apply to one text.

    `first` (colour sequences) is taken out before anything else is looked for. Of the others the longest match wins; of equally long
    ones the earlier rule, then the earlier place. So the order in which rules are written changes nothing but ties.
    """

    first: Matcher | None
    rest: tuple[Matcher, ...]
    _any: Pattern | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_any", any_of([matcher.pattern for matcher in self.rest]))

    def split(self, text: bytes) -> list[Piece]:
        """`text` in pieces, none empty: literals and hits. No rule matches inside a literal that is left.

        Raises NoiseError when after `MAX_ROUNDS` rounds a rule still matches at the edge of its own last match.
        """
        done: list[Piece] = []
        waiting: list[tuple[int, Piece]] = [(0, text)] if text else []
        while waiting:
            round_, piece = waiting.pop()
            cut = [piece] if isinstance(piece, Hit) else self._cut(piece)
            if len(cut) == 1:
                done += cut
                continue
            if round_ == MAX_ROUNDS:
                raise _endless(next(part for part in cut if isinstance(part, Hit)))
            waiting += [(round_ + 1, part) for part in reversed(cut)]
        return done

    def _cut(self, text: bytes) -> list[Piece]:
        """One round. A text of one piece is settled."""
        if self.first is not None and b"\x1b" in text:
            escapes = [(start, end, self.first) for start, end in self.first.spans(text)]
            if escapes:
                return _pieces(text, escapes)
        if not self.rest or (self._any is not None and not self._any.touches(text)):
            return [text]
        return _pieces(text, self._chosen(text))

    def _chosen(self, text: bytes) -> list[tuple[int, int, Matcher]]:
        found = [
            (start - end, rank, start, end, matcher)
            for rank, matcher in enumerate(self.rest)
            for start, end in matcher.spans(text)
        ]
        found.sort(key=lambda match: match[:3])
        taken = bytearray(len(text))
        chosen = []
        for _, _, start, end, matcher in found:
            if taken.find(1, start, end) < 0:
                taken[start:end] = b"\x01" * (end - start)
                chosen.append((start, end, matcher))
        return sorted(chosen, key=lambda match: match[0])


def _pieces(text: bytes, matches: list[tuple[int, int, Matcher]]) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for start, end, matcher in matches:
        pieces += [text[at:start]] if at < start else []
        pieces.append(Hit(matcher=matcher, raw=text[start:end]))
        at = end
    return pieces + ([text[at:]] if at < len(text) else [])


def _endless(hit: Hit) -> NoiseError:
    return NoiseError(
        f"noise rule {hit.matcher.name!r}: expected it to be done after {MAX_ROUNDS} rounds, "
        f"got one more match beside its own last match: {hit.raw[:40]!r}",
        next_step="Let the pattern take the whole run at once, e.g. `^ +` for `^ `.",
    )
