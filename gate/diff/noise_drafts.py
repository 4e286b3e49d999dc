"""Drafts of noise rules: one for what varies alike, from the spans in which the runs of the baseline differ. Not audited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Literal

from gate.diff.findings import Unstable
from gate.diff.noise import BUILTIN_NAMES, LAYOUT, PROTECTED
from gate.diff.noise_pattern import anchors, generalised
from gate.diff.reading import COMMAND, CONTENT, POSITION
from gate.diff.rules import NoiseRule
from gate.diff.varying import Varied, find_varying
from gate.domain import CaseId

NoRule = Literal["protected", "order", "whole", "words", "unanchored", "random name", "faulty", "no use"]
"""Why no rule is proposed for a check: how a step ended is never noise; lines change places; no span tells the difference; words are
behaviour (`hit`, `miss`); nothing fixed stands beside the span; the check is the content of a file with a random name; the audit finds the
rule at fault; it cures nothing."""


Place = tuple[CaseId, int, int, str]
"""Case, step, occurrence and field of a check."""

TELLING = 4
"""Bytes from which on two equal values are taken to be one thing, whatever stands before them."""

NO_WORD = 8
"""Letters from which on texts that are equally long in all runs are taken to be ids."""

_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Masks:
    """What a proposed rule would take out of one check, run by run."""

    place: Place
    command: str
    span: Varied


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One rule, with all that it would take out where the runs disagree."""

    rule: NoiseRule
    masks: tuple[Masks, ...]


def place_of(check: Unstable) -> Place:
    """Where a check stands."""
    return check.case, check.step, check.occurrence, check.field


def why_no_rule(check: Unstable) -> NoRule | None:
    """Why `drafts` has none for the check; None where it has some."""
    spans = _spans(check)
    return None if isinstance(spans, tuple) else spans


_Anchored = tuple[Varied, tuple[str, str]]


def _spans(check: Unstable) -> tuple[_Anchored, ...] | NoRule:
    """The spans of a check with their anchors, or why there is no rule for it."""
    if check.field in PROTECTED:
        return "protected"
    if check.field in (COMMAND, POSITION):
        return "whole"
    if check.field.startswith(CONTENT) and (None in check.baseline or "<" in check.field):
        return "random name"
    found = find_varying(check.baseline)
    if found.kind != "spans":
        return "order" if found.kind == "order" else "whole"
    if any(_is_of_words(span.held) for span in found.spans):
        return "words"
    rows = [(span, sides) for span in found.spans if (sides := anchors(span)) is not None]
    usable = len(rows) == len(found.spans) and all(generalised(span.held) is not None for span, _ in rows)
    return tuple(rows) if usable else "unanchored"


def _is_of_words(held: Sequence[bytes]) -> bool:
    """Whether a run shows no digit: a word, unless all are equally long and too long for words."""
    if all(any(0x30 <= byte <= 0x39 for byte in text) for text in held):
        return False
    return len({len(text) for text in held}) > 1 or len(held[0]) < NO_WORD


_Group = list[tuple[Unstable, Varied]]
_Beside = tuple[str, str, str]
"""Field, and the patterns of what stands beside a span."""


def drafts(checks: Iterable[Unstable], taken: Iterable[str]) -> tuple[Proposal, ...]:
    """One rule for all spans of one field with the same text beside them, and for all that hold the same thing; equal rules are one."""
    groups: dict[_Beside, _Group] = {}
    for check in checks:
        spans = _spans(check)
        for span, (left, right) in spans if isinstance(spans, tuple) else ():
            groups.setdefault((check.field, left, right), []).append((check, span))
    merged: dict[tuple[str, tuple[str, ...]], _Group] = {}
    for keys in _families(groups):
        rows = [row for key in keys for row in groups[key]]
        noise = generalised([text for _, span in rows for text in span.held])
        if noise is not None:
            left, right = (_either(key[at] for key in keys) for at in (1, 2))
            commands = tuple(sorted({check.command for check, _ in rows}))
            merged.setdefault((f"{left}(?P<noise>{noise}){right}", commands), []).extend(rows)
    names = set(BUILTIN_NAMES) | {LAYOUT, "ansi"} | set(taken)
    return tuple(_proposal(pattern, commands, rows, names) for (pattern, commands), rows in merged.items())


def _families(groups: Mapping[_Beside, _Group]) -> list[list[_Beside]]:
    """Groups that hold the same thing: in one case the same values, run by run. One rule for them tells which is which by number."""
    family: dict[_Beside, list[_Beside]] = {key: [key] for key in groups}
    first: dict[tuple[CaseId, tuple[bytes, ...], str], _Beside] = {}
    for key, rows in groups.items():
        for check, span in rows:
            telling = min(map(len, span.held)) >= TELLING
            one = first.setdefault(
                (check.case, span.held, "" if telling else key[1].lstrip("^").removeprefix("\\b")), key
            )
            if family[one] is not family[key]:
                family[one].extend(family[key])
                for each in family[key]:
                    family[each] = family[one]
    families = {id(keys): keys for keys in family.values()}.values()
    return [part for keys in families for part in ([keys] if _is_anchored(keys) else [[key] for key in keys])]


def _is_anchored(keys: Sequence[_Beside]) -> bool:
    """Whether one pattern for them all would ask for something beside the span, at one end at least."""
    return all(left for _, left, _ in keys) or all(right for _, _, right in keys)


def _either(patterns: Iterable[str]) -> str:
    each = sorted(set(patterns))
    return each[0] if len(each) == 1 else f"(?:{'|'.join(each)})"


def _proposal(pattern: str, commands: tuple[str, ...], rows: _Group, names: set[str]) -> Proposal:
    """Adds the name that it gives to `names`."""
    name = _name(rows[0][1].before, rows[0][0].field, names)
    names.add(name)
    return Proposal(
        rule=NoiseRule(
            name=name,
            pattern=pattern,
            fields=tuple(sorted({check.field for check, _ in rows})),
            commands=commands,
            identity=_comes_back(rows),
        ),
        masks=tuple(Masks(place=place_of(check), command=check.command, span=span) for check, span in rows),
    )


def _comes_back(rows: _Group) -> bool:
    """Whether one value stands at the same two places of a case in every run, and none at others: then which is which matters."""
    by_case: dict[CaseId, list[Varied]] = {}
    for check, span in rows:
        by_case.setdefault(check.case, []).append(span)
    numbered = [
        {_numbering(texts) for texts in zip(*(span.held for span in spans), strict=True)} for spans in by_case.values()
    ]
    again = any(max(row) < len(row) for runs in numbered for row in runs)
    return again and all(len(runs) == 1 for runs in numbered)


def _numbering(texts: Sequence[bytes]) -> tuple[int, ...]:
    """Each text as its number by first appearance, from 1."""
    known: dict[bytes, int] = {}
    return tuple(known.setdefault(text, len(known) + 1) for text in texts)


def _name(before: bytes, field: str, taken: set[str]) -> str:
    words = _WORD.findall(before.decode("ascii", "replace").lower())
    base = words[-1] if words else "-".join(_WORD.findall(field.lower())) or "noise"
    return next(name for name in chain((base,), (f"{base}-{number}" for number in count(2))) if name not in taken)
