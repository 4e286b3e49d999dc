"""Whether the baseline still does what was kept of it. More runs tell a golden that is stale from a check that wavers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from gate.diff.certainty import expected_alarms, false_alarm
from gate.diff.compare import compare_cases
from gate.diff.evidence import gather
from gate.diff.findings import Comparison, Delta
from gate.domain import Case, CaseId, Record
from gate.errors import ReplayError
from gate.pipeline.events import Remark
from gate.pipeline.inputs import Inputs
from gate.pipeline.sides import Sides

CaseRuns = tuple[tuple[Record, ...], ...]
"""The runs of one side on one case, each its records in order."""

CHANCE = Fraction(1, 1000)
"""The share of runs in which a check may look stale by chance."""

ROUND = 3
"""How many times `replay.confirm` runs of the baseline one more look takes."""

LOOKED_AT = 10
"""Cases that are looked at: what made a baseline move shows in the first of them."""

MOST_RUNS = 250
"""Runs of a case now after which nothing more is looked for."""

_NUMBERED_FROM = 1_000_000
"""Numbers of these runs: no others have them, so that they share no hash seed with runs that confirm."""

_NAMED = 10
_AFRESH = "gate capture --fresh"


def look_at_golden(
    inputs: Inputs,
    sides: Sides,
    first: Comparison,
    *,
    kept: Mapping[CaseId, CaseRuns],
    fresh: Mapping[CaseId, CaseRuns],
) -> Mapping[CaseId, CaseRuns]:
    """More runs of the baseline where it steadily differs from what was kept of it: by case, none where it does not.

    `kept` and `fresh` are the baseline's runs then and now, of the same cases in corpus order; `first` is the comparison with the
    candidate before any case was run again. Raises ReplayError for a golden that is stale (reported fault 27): no run now shows the
    kept value, and chance does not explain it. Whatever made the baseline differ from itself, it was not this patch. A check that
    wavers within either, or shows the kept value again, is unstable, not stale; the runs returned say so.

    It is looked again until a check that looks so by chance is to be expected in less than `CHANCE` of runs, for each that was found.
    Where anything of the run wavers, the program is random, and all of its checks might; else only those that were found. Where
    `MOST_RUNS` do not get there, it is remarked, and the check abstains.
    """
    found = _compared(inputs, kept, fresh)
    deltas = _unmasked(found)
    random = bool(first.unstable or found.unstable)
    looked = _cases(inputs, deltas)[:LOOKED_AT]
    more: dict[CaseId, CaseRuns] = {}
    for numbers in _rounds(inputs):
        if not looked:
            break
        runs = sides.replay("baseline", looked, numbers, purpose="looking at the kept golden")
        for index, case in enumerate(looked):
            more[case.id] = (*more.get(case.id, ()), *(run[index] for run in runs))
        now = {case.id: (*fresh[case.id], *more[case.id]) for case in looked}
        found = _compared(inputs, {name: kept[name] for name in now}, now)
        random = random or bool(found.unstable)
        deltas, looked = _unmasked(found), _cases(inputs, _unmasked(found))
        made = min(map(len, now.values()))
        if deltas and _beyond_chance(inputs, deltas, made, checks=first.checks if random else None):
            raise _stale(deltas, made)
    if looked:
        sides.listen(Remark(text=_perhaps(deltas)))
    return more


def _compared(inputs: Inputs, kept: Mapping[CaseId, CaseRuns], fresh: Mapping[CaseId, CaseRuns]) -> Comparison:
    pairs = [(kept[name], fresh[name]) for name in kept]
    evidence = gather([(*old, *new) for old, new in pairs], inputs.noise)
    return compare_cases(pairs, inputs.noise, evidence)


def _unmasked(found: Comparison) -> tuple[Delta, ...]:
    """What a noise rule alone could explain is no proof of another baseline: a clock that stood still in the kept runs has moved on."""
    return tuple(delta for delta in found.deltas if any(change.masked_by is None for change in delta.changes))


def _cases(inputs: Inputs, deltas: Sequence[Delta]) -> tuple[Case, ...]:
    named = {delta.case for delta in deltas}
    return tuple(case for case in inputs.cases if case.id in named)


def _rounds(inputs: Inputs) -> Iterator[Sequence[int]]:
    """Numbers of runs. The first are those of the kept runs: what follows the hash seed shows the kept value at once."""
    replay = inputs.project.config.replay
    size = ROUND * replay.confirm
    numbers = (*range(replay.repeats), *range(_NUMBERED_FROM, _NUMBERED_FROM + MOST_RUNS))
    for start in range(0, max(1, MOST_RUNS - replay.confirm), size):
        yield numbers[start : start + size]


def _beyond_chance(inputs: Inputs, deltas: Sequence[Delta], made: int, *, checks: int | None) -> bool:
    """Whether so many checks hardly look stale by chance, were so many random; None: those alone (Markov's inequality)."""
    found = sum(len(delta.changes) for delta in deltas)
    bound = false_alarm(inputs.project.config.replay.repeats, made)
    return expected_alarms(bound, found if checks is None else checks) < CHANCE * found


def _stale(deltas: Sequence[Delta], made: int) -> ReplayError:
    return ReplayError(
        f"the baseline no longer reproduces its kept golden at {_places(deltas)}: none of {made} runs now shows what was kept: "
        "something other than this patch changed",
        next_step=f"Look at those steps for a date, a service or a file of the machine; then record anew: {_AFRESH}",
    )


def _perhaps(deltas: Sequence[Delta]) -> str:
    return (
        f"note: the baseline did not show again what was kept of it at {_places(deltas)}; the program wavers, so that this may be chance "
        f"({_AFRESH} records it anew)"
    )


def _places(deltas: Sequence[Delta]) -> str:
    named = ", ".join(f"{delta.case}/{delta.step}" for delta in deltas[:_NAMED])
    return named if len(deltas) <= _NAMED else f"{named} and {len(deltas) - _NAMED} more"
