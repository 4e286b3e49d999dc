"""Redaction: secrets leave a text before it leaves the machine, each for a placeholder that is the same wherever it stood."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from auditor.drafting.fence import is_hidden
from auditor.drafting.redact_patterns import compile_patterns
from auditor.drafting.secret_names import Span, is_plain, named_secrets, names_secret
from auditor.drafting.secret_places import PLACES
from auditor.drafting.secret_shapes import SHAPES, random_words

PLACEHOLDER = re.compile(r"\[REDACTED:([0-9]{1,9})\]")
SHORTEST_KNOWN = 8
"""Characters from which a secret that was found once is looked for everywhere else, too."""

_ESCAPE = r"\x1b\[[0-9;?]*[A-Za-z]|\\(?:x1b|u001b|e|033)\[[0-9;?]*[A-Za-z]"
_ODD = re.compile(r"[^\n\t\x20-\x7e]|\\(?=[nrtbfv0aeuxU])")
_UNUSUAL = r"[^\n\t\x20-\x7e]"
_COLOUR = re.compile(rf"{_ESCAPE}|{_UNUSUAL}")
_SPELLED = re.compile(rf"{_ESCAPE}|{_UNUSUAL}|\\[nrtbfv0a]|\\x[0-9a-fA-F]{{2}}|\\u[0-9a-fA-F]{{4}}|\\U[0-9a-fA-F]{{8}}")
_CODE = re.compile(r"[A-Za-z_][\w.]*[(\[].*|[a-z_]+(?:\.[a-z_]+)+", re.ASCII | re.DOTALL)
_TRAILING = ".,;:)]}>\"'`\\"
_NOTHING: Mapping[int, set[str]] = {}

Rule = Callable[[str], Iterable[Span]]


class Redactor:
    """Takes secrets out of the texts of one request. The same secret is the same `[REDACTED:n]` in all of them, n from 1.

    `patterns` are the user's own (RE2, see `compile_patterns`); `secrets` are values that the caller knows, such as the API key:
    of these, eight characters or more are taken out wherever they stand. Raises RedactionError on a pattern that cannot be used.
    """

    def __init__(self, patterns: Sequence[str] = (), *, secrets: Sequence[str] = ()) -> None:
        self.found: dict[str, int] = {}
        """How many places each rule has redacted, by the rule's name, for display."""
        self._patterns, self._secrets = tuple(patterns), tuple(secrets)
        own: tuple[tuple[str, Rule], ...] = tuple(
            (f"pattern {number}", pattern.spans) for number, pattern in enumerate(compile_patterns(patterns), start=1)
        )
        self._rules: tuple[tuple[str, Rule], ...] = (
            *own,
            *SHAPES,
            *PLACES,
            ("name", named_secrets),
            ("random", random_words),
        )
        self._known: dict[str, dict[int, set[str]]] = {}
        self._numbers: dict[str, int] = {}
        self._foreign: set[int] = set()
        for secret in secrets:
            if len(secret) >= SHORTEST_KNOWN:
                self._remember(secret)

    def fresh(self) -> Redactor:
        """One with the same rules that has seen nothing: for the next request."""
        return Redactor(self._patterns, secrets=self._secrets)

    def apply(self, text: str) -> str:
        """`text` without its secrets. Idempotent; a placeholder stays as it is, and no secret is redacted in part."""
        return self.apply_all((text,))[0]

    def apply_all(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Each text without the secrets of any: what is a secret in one is one in all, before and after."""
        done = tuple(texts)
        issued = set(self._numbers.values())
        self._foreign |= {int(n) for text in done for n in PLACEHOLDER.findall(text)} - issued
        while True:
            spans = [_settled(text, self._by_rules(text)) for text in done]
            for text, found in zip(done, spans, strict=True):
                for start, end in found:
                    self._learn(text[start:end])
            spans = [_settled(t, [*s.items(), *self._by_memory(t)]) for t, s in zip(done, spans, strict=True)]
            if not any(spans):
                return done
            done = tuple(self._replaced(text, found) for text, found in zip(done, spans, strict=True))

    def learn(self, texts: Sequence[str], *, named: Sequence[tuple[str, str]] = ()) -> None:
        """Get to know the secrets of texts, and of values by name (see `hide`), before any of them is shown. Counts nothing."""
        counted = dict(self.found)
        for name, text in named:
            self.hide(name, text)
        self.apply_all(texts)
        self.found = counted

    def hide(self, name: str, text: str) -> str:
        """A value whose name may call it a secret, as a field of a trace has one: then all of it goes. Else as `apply`."""
        if not names_secret(name) or not text or is_plain(text) or PLACEHOLDER.fullmatch(text):
            return self.apply(text)
        self._learn(text)
        return self._replaced(text, {(0, len(text)): "name"})

    def _by_rules(self, text: str) -> Iterator[tuple[Span, str]]:
        for shown, places in _views(text):
            for rule, spans in self._rules:
                for start, end in spans(shown):
                    if start < end:
                        yield _mapped(places, start, end), rule

    def _by_memory(self, text: str) -> Iterator[tuple[Span, str]]:
        if not self._known:
            return
        for shown, places in _views(text):
            for at in range(len(shown) - SHORTEST_KNOWN + 1):
                for length, secrets in self._known.get(shown[at : at + SHORTEST_KNOWN], _NOTHING).items():
                    if shown[at : at + length] in secrets:
                        yield _mapped(places, at, at + length), "seen elsewhere"

    def _learn(self, found: str) -> None:
        secret = _identity(found)
        if len(secret) >= SHORTEST_KNOWN and not is_plain(secret) and not _CODE.fullmatch(secret):
            self._remember(secret)
            tail = secret.partition(":")[2]  # of `user:password`, and of a bot's token, the half that is the secret
            if len(tail) >= SHORTEST_KNOWN and not is_plain(tail):
                self._remember(tail)

    def _remember(self, secret: str) -> None:
        self._known.setdefault(secret[:SHORTEST_KNOWN], {}).setdefault(len(secret), set()).add(secret)

    def _replaced(self, text: str, spans: Mapping[Span, str]) -> str:
        parts, at = [], 0
        for (start, end), rule in spans.items():
            parts += [text[at:start], f"[REDACTED:{self._number(text[start:end])}]"]
            self.found[rule] = self.found.get(rule, 0) + 1
            at = end
        return "".join((*parts, text[at:]))

    def _number(self, found: str) -> int:
        before = PLACEHOLDER.match(found)
        if before and not found[before.end() :].strip(_TRAILING):  # a former placeholder, and what came after it
            return int(before[1])
        secret = _identity(found)
        if secret not in self._numbers:
            number = max(self._numbers.values(), default=0) + 1
            while number in self._foreign:  # a program that prints a placeholder gets no secret of that number
                number += 1
            self._numbers[secret] = number
        return self._numbers[secret]


def secrets_of(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The values of variables whose names call them secrets (`OPENAI_API_KEY`, `GITHUB_TOKEN`), for a Redactor to know."""
    return tuple(
        value for name, value in sorted(environment.items()) if names_secret(name) and len(value) >= SHORTEST_KNOWN
    )


def _identity(found: str) -> str:
    """What two sightings of one secret have in common: no colour, nothing hidden, no punctuation that came after it."""
    plain, _ = _without(found, _COLOUR, "")
    return plain.rstrip(_TRAILING) or plain


def _settled(text: str, found: Iterable[tuple[Span, str]]) -> dict[Span, str]:
    """Spans in order, those that meet joined under the rule of the first; placeholders are taken whole or not at all."""
    whole = [match.span() for match in PLACEHOLDER.finditer(text)]
    outside = [(span, rule) for span, rule in found if not _inside(span, whole)]
    if not outside:
        return {}
    marked = sorted([*outside, *((span, "") for span in whole)], key=lambda pair: pair[0])
    joined: list[tuple[Span, str]] = []
    for (start, end), rule in marked:
        if joined and start < joined[-1][0][1]:
            (first, last), name = joined[-1]
            joined[-1] = ((first, max(last, end)), name or rule)
        else:
            joined.append(((start, end), rule))
    return {span: rule for span, rule in joined if rule}


def _inside(span: Span, whole: Sequence[Span]) -> bool:
    """Whether a span lies in one of `whole`, which are in order and apart."""
    at = bisect_right(whole, (span[0], sys.maxsize)) - 1
    return at >= 0 and whole[at][0] <= span[0] and span[1] <= whole[at][1]


def _views(text: str) -> Iterator[tuple[str, tuple[Sequence[int], Sequence[int]] | None]]:
    """How the rules read a text: as it is, and where something is hidden or spelled as an escape, without it and with a blank for it.

    Otherwise a colour inside a key would cut it, and the `m` or `n` of an escape before it would look like a part of it.
    """
    sound = text if text.isascii() else "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    if not _ODD.search(text):
        yield sound, None
        return
    yield _without(sound, _COLOUR, "")
    yield _without(sound, _SPELLED, " ")


def _without(text: str, cut: re.Pattern[str], blank: str) -> tuple[str, tuple[Sequence[int], Sequence[int]]]:
    """`text` with `blank` for each match of `cut` that is no seen character, and where each character of it stood."""
    shown: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for start, end in (match.span() for match in cut.finditer(text) if len(match[0]) > 1 or is_hidden(match[0])):
        shown += (text[at:start], blank)
        starts += range(at, start)
        ends += range(at + 1, start + 1)
        if blank:
            starts.append(start)
            ends.append(end)
        at = end
    shown.append(text[at:])
    starts += range(at, len(text))
    ends += range(at + 1, len(text) + 1)
    return "".join(shown), (starts, ends)


def _mapped(places: tuple[Sequence[int], Sequence[int]] | None, start: int, end: int) -> Span:
    return (start, end) if places is None else (places[0][start], places[1][end - 1])
