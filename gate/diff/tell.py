"""From judged checks to findings: what agreed, what changed, what abstains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from gate.diff.case import Case
from gate.diff.checks import Seen
from gate.diff.findings import Change, Comparison, Delta, Unstable
from gate.diff.kinds import classify, in_step
from gate.diff.listing import names_waver, steadily_different
from gate.diff.reading import CONTENT, LISTING, Check, Place
from gate.diff.steps import step_notes
from gate.diff.structured import details

Counts = tuple[tuple[str, int], ...]


def tell(case: Case, seen: Mapping[Check, Seen], *, relaxations: Counts = ()) -> Comparison:
    """The comparison of one case. `seen` holds every check of it, in report order."""
    changes: dict[Place, list[Change]] = {}
    unstable: list[Unstable] = []
    verified = 0
    for check, row in seen.items():
        side = _wavering_side(case, check, seen)
        if side is not None:
            unstable.append(_abstention(case, check, row, side))
        elif row.values[0] == row.values[-1]:
            verified += 1
        else:
            changes.setdefault(check.place, []).append(_change(case, check, row))
    return Comparison(
        deltas=_deltas(case, changes),
        unstable=tuple(unstable),
        verified=verified,
        cases=1,
        steps=len(case.places),
        substitutions=counted([*(pair for row in seen.values() for pair in row.erased), *relaxations]),
    )


def counted(pairs: Iterable[tuple[str, int]]) -> Counts:
    """Counts added up by name, sorted by name."""
    total: dict[str, int] = {}
    for name, count in pairs:
        total[name] = total.get(name, 0) + count
    return tuple(sorted(total.items()))


def _wavering_side(case: Case, check: Check, seen: Mapping[Check, Seen]) -> Literal["baseline", "candidate"] | None:
    old, new = seen[check].values[case.baseline], seen[check].values[case.candidate]
    if len(set(old)) > 1:
        listing = (check.rank, check.field) == (LISTING.rank, LISTING.field)
        return None if listing and steadily_different(old, new) else "baseline"
    if set(old) == {None} and _random_name(case, check, seen):
        return "baseline"
    return "candidate" if len(set(new)) > 1 else None


def _random_name(case: Case, check: Check, seen: Mapping[Check, Seen]) -> bool:
    """Whether the check is the content of a file in a listing whose names the baseline cannot reproduce: its name may be random."""
    if not check.field.startswith(CONTENT):
        return False
    listing = seen.get(check._replace(rank=LISTING.rank, field=LISTING.field))
    return listing is not None and names_waver(listing.values[case.baseline])


def _abstention(case: Case, check: Check, row: Seen, side: Literal["baseline", "candidate"]) -> Unstable:
    return Unstable(
        case=case.id,
        step=check.step,
        occurrence=check.occurrence,
        command=case.command(check.place),
        field=check.field,
        side=side,
        baseline=row.values[case.baseline],
        candidate=row.values[case.candidate],
        masked_by=row.masked,
    )


def _change(case: Case, check: Check, row: Seen) -> Change:
    # A listing may differ though the baseline wavers: then the first of its values in text order stands for it.
    old = min(row.values[case.baseline], key=lambda held: b"" if held is None else held.text)
    new = row.values[-1]
    kind = classify(
        check.field,
        old,
        new,
        step_missing=not case.on(check.place, case.candidate),
        step_added=not case.on(check.place, case.baseline),
    )
    found = details(old, new) if old is not None and new is not None else ()
    return Change(field=check.field, old=old, new=new, kind=kind, details=found, masked_by=row.masked)


def _deltas(case: Case, changes: Mapping[Place, list[Change]]) -> tuple[Delta, ...]:
    notes = _notes(case)
    return tuple(
        Delta(
            case=case.id,
            step=place.step,
            occurrence=place.occurrence,
            command=case.command(place),
            changes=in_step(rows),
            note=notes.get(place, ""),
        )
        for place, rows in sorted(changes.items())
    )


def _notes(case: Case) -> dict[Place, str]:
    candidate = case.readings[case.candidate]
    statuses: dict[Place, set[str]] = {}
    for reading in candidate:
        for check, held in reading.forms.items():
            if check.field == "status":
                statuses.setdefault(check.place, set()).add(_literal(held.parts))
    return step_notes(
        missing=[place for place in case.places if not case.on(place, case.candidate)],
        added=[place for place in case.places if not case.on(place, case.baseline)],
        present={place for reading in candidate for place in reading.commands},
        endings={place: seen.pop() for place, seen in statuses.items() if len(seen) == 1},
    )


def _literal(parts: tuple[object, ...]) -> str:
    return b"".join(part for part in parts if isinstance(part, bytes)).decode("utf-8", "backslashreplace")
