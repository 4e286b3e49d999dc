"""The judgement on one check: what each run showed, with every difference erased that may be erased."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.diff.canonical import Form, Numbers, Slot, canonical, number
from gate.diff.evidence import Licence
from gate.diff.findings import Canonical
from gate.diff.layout import moving_lines, relaxed

Forms = tuple[Form | None, ...]
"""One check over the runs, baseline first; None where a run did not observe it."""

NOWHERE: frozenset[int] = frozenset()
"""No position."""

Numbering = tuple[tuple[int | None, ...], ...]
"""For each run the number of each span of one check."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One check as it is compared."""

    values: tuple[Canonical | None, ...]
    """For each run; spans without evidence stand literally where they differ."""
    erased: tuple[tuple[str, int], ...]
    """How many spans each rule took out, over the runs."""
    masked: str | None
    """The rule but for whose missing evidence all runs would agree."""


def wavers(forms: Forms, baseline: int) -> bool:
    """Whether a side disagrees with itself whatever the numbers are. `baseline`: how many of the runs are the baseline's."""
    return len(set(forms[:baseline])) > 1 or len(set(forms[baseline:])) > 1


def settle_layout(forms: Forms, baseline: int) -> tuple[Forms, bool]:
    """The forms without padding on the lines on which the baseline's own runs differ in padding alone, and whether there are any."""
    moving = moving_lines(forms[:baseline]) if len(set(forms)) > 1 else NOWHERE
    if not moving:
        return forms, False
    return tuple(None if held is None else relaxed(held, moving) for held in forms), True


def number_runs(rows: Sequence[tuple[Forms, bool]]) -> list[Numbering]:
    """Numbers for every check of a case, given in report order, each with whether it wavers.

    Numbers run through all checks of a run (reported fault 55). A check that wavers abstains anyway and is numbered by itself, so that
    a noisy field does not shift the numbers of the others.
    """
    runs = len(rows[0][0]) if rows else 0
    shared: list[Numbers] = [{} for _ in range(runs)]
    return [
        tuple(
            () if held is None else number(held.spans, {} if wavering else numbers)
            for held, numbers in zip(forms, shared, strict=True)
        )
        for forms, wavering in rows
    ]


def see(forms: Forms, numbering: Numbering, baseline: int, licence: Licence) -> Seen:
    """The values of one check that the verdict rests on. `baseline`: how many of the runs are the baseline's.

    Where all runs look alike once everything is erased, each span answers for itself: it may be erased only where the baseline's own runs
    differ at that very place, and not where the candidate shows, in all its runs, one value that the baseline never shows. (A clock
    is no such value: the baseline is run again between the candidate's runs.) Where runs do not look alike the check differs anyway;
    evidence from elsewhere may then keep noise out of what is shown, save where the baseline is steady.
    """
    if _same_bytes(forms):  # whatever numbers earlier checks gave: what is printed alike is alike
        numbering = tuple(numbering[0] for _ in forms)
    values = _canonicals(forms, numbering, (NOWHERE,) * len(forms))
    alike = len(set(values)) == 1
    literal = _places_alike(forms, baseline) if alike else _places(forms, _unlicensed(forms, baseline, licence))
    if any(literal):
        values = _canonicals(forms, numbering, literal)
    return Seen(values=values, erased=_erased(forms, literal), masked=_first_rule(forms, literal) if alike else None)


Places = tuple[frozenset[int], ...]
"""For each run the positions, among the spans of its form, that stand as they were printed."""


def _places_alike(forms: Forms, baseline: int) -> Places:
    """Spans that may not be erased in forms that look alike: they have the same spans in the same places."""
    steady: set[int] = set()
    frozen: set[int] = set()
    rows = zip(*(held.spans for held in forms if held is not None), strict=True)
    for position, spans in enumerate(rows):
        raws = [span.raw for span in spans]
        old, new = raws[:baseline], raws[baseline:]
        if len(set(old)) == 1 and set(new) != set(old):
            steady.add(position)
        elif len(set(old)) > 1 and len(set(new)) == 1 < len(new) and new[0] not in old:
            frozen.add(position)
    sides = (frozenset(steady), frozenset(steady | frozen))
    return tuple(sides[run >= baseline] for run in range(len(forms)))


def _places(forms: Forms, slots: frozenset[Slot]) -> Places:
    return tuple(
        frozenset(position for position, span in enumerate(held.spans) if span.slot in slots) if held else NOWHERE
        for held in forms
    )


def _first_rule(forms: Forms, literal: Places) -> str | None:
    return next(
        (held.spans[min(places)].rule for held, places in zip(forms, literal, strict=True) if held and places), None
    )


def _same_bytes(forms: Forms) -> bool:
    return len({None if held is None else (held, tuple(span.raw for span in held.spans)) for held in forms}) == 1


def _canonicals(forms: Forms, numbering: Numbering, literal: Places) -> tuple[Canonical | None, ...]:
    known: dict[tuple[int, tuple[int | None, ...], frozenset[int]], Canonical] = {}
    values: list[Canonical | None] = []
    for held, row, places in zip(forms, numbering, literal, strict=True):
        if held is not None and (id(held), row, places) not in known:
            known[id(held), row, places] = canonical(held, row, places)
        values.append(None if held is None else known[id(held), row, places])
    return tuple(values)


_Spot = tuple[str, bytes]
"""A slot within one check: rule, and text before it."""


def _unlicensed(forms: Forms, baseline: int, licence: Licence) -> frozenset[Slot]:
    """Slots whose spans stay literal in forms that do not look alike: both sides are steady there, and differ.

    So a person sees, and an entry binds, what both hold steady. Where a side varies its spans are erased: the check differs without
    them. A place that one side alone has is erased where the same rule is at home in this field.
    """
    if not any(held.spans for held in forms if held is not None):
        return frozenset()
    sides = [[_raws(held) for held in side if held is not None] for side in (forms[:baseline], forms[baseline:])]
    slots = {span.slot for held in forms if held for span in held.spans}
    refused: set[_Spot] = set()
    for slot in slots:
        spot = (slot.rule, slot.before)
        old, new = ({row.get(spot, ()) for row in side} for side in sides)
        excused = _one_sided(old, new) and licence.in_field(slot)
        if len(old) == len(new) == 1 and old != new and not excused:
            refused.add(spot)
    return frozenset(slot for slot in slots if (slot.rule, slot.before) in refused)


def _one_sided(old: set[tuple[bytes, ...]], new: set[tuple[bytes, ...]]) -> bool:
    return old <= {()} or new <= {()}


def _raws(held: Form) -> dict[_Spot, tuple[bytes, ...]]:
    found: dict[_Spot, list[bytes]] = {}
    for span in held.spans:
        found.setdefault((span.slot.rule, span.slot.before), []).append(span.raw)
    return {spot: tuple(raws) for spot, raws in found.items()}


def _erased(forms: Forms, literal: Places) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for held, places in zip(forms, literal, strict=True):
        for position, span in enumerate(held.spans if held else ()):
            if position not in places:
                counts[span.rule] = counts.get(span.rule, 0) + 1
    return tuple(sorted(counts.items()))
