"""Cases that behave alike: what one did is what the other did, in every field of every step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import replace

from gate.diff.canonical import canonicalise
from gate.diff.compare import Runs, compare_case
from gate.diff.evidence import Evidence
from gate.diff.noise import Noise
from gate.domain import Record


def alike(samples: Sequence[Runs], noise: Noise, evidence: Evidence) -> tuple[tuple[int, ...], ...]:
    """Positions in `samples` of the cases that behave alike, group by group, of two cases at least; `samples[i]` are the runs of case i.

    Two are alike where a comparison of all their runs finds no difference, the words of the command line apart. What noise rules match
    counts as equal only where `evidence` or the cases' own runs show that it varies. Where the first words of steps differ, every byte
    has to be the same, since rules may speak of commands. A case whose own runs disagree, that ran once, or has no record is alike with
    none. In a group all are alike with the first.
    """
    groups: dict[Hashable, list[list[int]]] = defaultdict(list)
    for place, runs in enumerate(samples):
        if not _steady(runs, noise, evidence):
            continue
        found = groups[_outline(runs[0], noise)]
        fitting = next((group for group in found if _same(samples[group[0]], runs, noise, evidence)), None)
        if fitting is None:
            found.append([place])
        else:
            fitting.append(place)
    held = (tuple(group) for found in groups.values() for group in found if len(group) > 1)
    return tuple(sorted(held))


def _steady(runs: Runs, noise: Noise, evidence: Evidence) -> bool:
    if len(runs) < 2 or not all(runs):
        return False
    return not compare_case(runs, runs, noise, evidence).unstable


def _outline(run: Sequence[Record], noise: Noise) -> Hashable:
    """What is quick to look up. Two cases of different outlines count as different, even where a comparison might let blanks pass."""
    shown = canonicalise([(record.command, record.fields) for record in run], noise)
    return tuple(
        (record.step, *(fields[name].text if name in fields else None for name in ("status", "stdout", "stderr")))
        for record, fields in zip(run, shown, strict=True)
    )


def _same(first: Runs, second: Runs, noise: Noise, evidence: Evidence) -> bool:
    if [_bare(run) for run in first] == [_bare(run) for run in second]:
        return True
    commands = [record.command for record in first[0]]
    if [record.command for record in second[0]] != commands:
        return False
    case = first[0][0].case
    renamed = [[replace(record, case=case) for record in run] for run in second]
    found = compare_case(first, renamed, noise, evidence)
    return not found.deltas and not found.unstable


def _bare(run: Sequence[Record]) -> list[tuple[object, ...]]:
    return [(record.step, dict(record.fields)) for record in run]
