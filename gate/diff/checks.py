"""The judgement on one check: what each run showed, with every difference erased that may be erased."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.diff.canonical import Form, Numbers, Slot, canonical, number
from gate.diff.evidence import Licence
from gate.diff.findings import Canonical
from gate.diff.layout import layout_slot, relaxed

Forms = tuple[Form | None, ...]
"""One check over the runs, baseline first; None where a run did not observe it."""

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


def settle_layout(forms: Forms, *, command: str, field: str, licence: Licence) -> tuple[Forms, bool]:
    """The forms without padding where the baseline shows that padding varies here, and whether that was needed."""
    if len(set(forms)) == 1 or not licence.at(layout_slot(command, field)):
        return forms, False
    return tuple(None if held is None else relaxed(held) for held in forms), True


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

    A span that differs between runs may be erased where the baseline was seen to vary. Where only one side has such a place the values
    differ whatever stands there; it is erased then when the same rule is at home in this field, or when the candidate varies there.
    """
    if _same_bytes(forms):  # whatever numbers earlier checks gave: what is printed alike is alike
        numbering = tuple(numbering[0] for _ in forms)
    values = _canonicals(forms, numbering, frozenset())
    alike = len(set(values)) == 1
    literal = _unlicensed(forms, baseline, licence, lenient=not alike)
    if literal:
        values = _canonicals(forms, numbering, literal)
    masked = None
    if alike and literal:
        masked = next(span.rule for held in forms if held for span in held.spans if span.slot in literal)
    return Seen(values=values, erased=_erased(forms, literal), masked=masked)


def _same_bytes(forms: Forms) -> bool:
    return len({None if held is None else (held, tuple(span.raw for span in held.spans)) for held in forms}) == 1


def _canonicals(forms: Forms, numbering: Numbering, literal: frozenset[Slot]) -> tuple[Canonical | None, ...]:
    known: dict[tuple[int, tuple[int | None, ...]], Canonical] = {}
    values: list[Canonical | None] = []
    for held, row in zip(forms, numbering, strict=True):
        if held is not None and (id(held), row) not in known:
            known[id(held), row] = canonical(held, row, literal)
        values.append(None if held is None else known[id(held), row])
    return tuple(values)


_Spot = tuple[str, bytes]
"""A slot within one check: rule, and text before it."""


def _unlicensed(forms: Forms, baseline: int, licence: Licence, *, lenient: bool) -> frozenset[Slot]:
    """Slots whose spans may not be erased though the runs printed different ones there, by position.

    `lenient`: the values differ even with everything erased, so that a place which one side alone has cannot hide the difference.
    """
    if not any(held.spans for held in forms if held is not None):
        return frozenset()
    sides = [[_raws(held) for held in side if held is not None] for side in (forms[:baseline], forms[baseline:])]
    slots = {span.slot for held in forms if held for span in held.spans}
    refused: set[_Spot] = set()
    for slot in slots:
        spot = (slot.rule, slot.before)
        old, new = ({row.get(spot, ()) for row in side} for side in sides)
        excused = lenient and _one_sided(old, new) and (licence.in_field(slot) or len(new) > 1)
        if len(old | new) > 1 and not licence.at(slot) and not excused:
            refused.add(spot)
    return frozenset(slot for slot in slots if (slot.rule, slot.before) in refused)


def _one_sided(old: set[tuple[bytes, ...]], new: set[tuple[bytes, ...]]) -> bool:
    return old <= {()} or new <= {()}


def _raws(held: Form) -> dict[_Spot, tuple[bytes, ...]]:
    found: dict[_Spot, list[bytes]] = {}
    for span in held.spans:
        found.setdefault((span.slot.rule, span.slot.before), []).append(span.raw)
    return {spot: tuple(raws) for spot, raws in found.items()}


def _erased(forms: Forms, literal: frozenset[Slot]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for held in forms:
        for span in held.spans if held else ():
            if span.slot not in literal:
                counts[span.rule] = counts.get(span.rule, 0) + 1
    return tuple(sorted(counts.items()))
