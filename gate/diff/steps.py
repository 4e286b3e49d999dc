"""A sentence on a step that only one side has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gate.diff.reading import Place


def step_notes(
    *, missing: Iterable[Place], added: Iterable[Place], present: Iterable[Place], endings: Mapping[Place, str]
) -> dict[Place, str]:
    """Notes by place, for the first missing and the first added step alone (reported fault 71).

    `present`: the records that the candidate has. `endings`: the candidate's `status` of each, where it has one.
    """
    gone, new, kept = sorted(missing), sorted(added), sorted(present)
    notes = {places[0]: _sentence(word, places) for word, places in (("missing", gone), ("added", new)) if places}
    if gone and kept and kept[-1] < gone[0]:
        notes[gone[0]] += f" ({_ending(kept, endings)})"
    return notes


def _sentence(word: str, places: list[Place]) -> str:
    if all(place.occurrence > 1 for place in places):
        first = places[0]
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        return f"{word} record {first.occurrence} of step {first.step}{more}"
    return f"{word} {_ranges(sorted({place.step for place in places}))}"


def _ranges(steps: list[int]) -> str:
    runs: list[list[int]] = []
    for step in steps:
        if runs and runs[-1][-1] == step - 1:
            runs[-1] = [runs[-1][0], step]
        else:
            runs.append([step])
    shown = ", ".join("-".join(map(str, dict.fromkeys(run))) for run in runs)
    return f"step{'s' if len(steps) > 1 else ''} {shown}"


def _ending(kept: list[Place], endings: Mapping[Place, str]) -> str:
    """How the candidate's process ended: step 0 is the process itself where one process runs the whole case."""
    last = kept[-1]
    if last.step == 0:
        return f"process ended before step 1{_status(endings.get(last))}"
    whole = endings.get(Place(0, 1), endings.get(last))
    return f"process ended at step {last.step}{_status(whole)}"


def _status(status: str | None) -> str:
    if not status:
        return ""
    return f", exit {status}" if status.lstrip("-").isdigit() else f", {status}"
