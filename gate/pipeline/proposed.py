"""What proposed policy entries would silence of a run, and entries bound to exactly what it showed."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gate.diff.findings import Change, Delta
from gate.domain import CaseId
from gate.errors import PolicyError
from gate.pipeline.kept import Kept
from gate.pipeline.left import Place, Proposal, Silenced
from gate.policy.bind import bind
from gate.policy.load import parse_policy
from gate.policy.match import judge
from gate.policy.model import BoundEntry, Entry, EntryError, OpenEntry, Policy
from gate.policy.render import render_entry, render_policy
from gate.policy.wording import quoted
from gate.strictjson import parse

JsonEntry = Mapping[str, object]
"""An entry as an object of `policy.json`."""


def proposed(kept: Kept, entries: Sequence[JsonEntry]) -> tuple[Proposal, ...]:
    """For each entry, in order, what it would silence of the run's deltas, and why it is refused where it is.

    Refused: what is no entry; an open entry and one without case and step, which speak of more than was observed; one that would
    silence nothing; one that stands in the policy, or among the given ones, already. Raises PolicyError for a run that asks no policy.
    """
    require_asked(kept)
    known: dict[Hashable, str] = {entry.binding: "stands in the policy already" for entry in kept.policy.entries}
    return tuple(_proposal(kept, position, raw, known) for position, raw in enumerate(entries, start=1))


def bound(kept: Kept, places: Iterable[Place], reason: str, reviewer: str) -> tuple[JsonEntry, ...]:
    """One bound entry for each change at the given places that no bound entry allows yet, in the order of the run's deltas.

    Raises PolicyError for a place without a delta, for a change that no entry can bind, and without a reason or a reviewer.
    """
    require_asked(kept)
    wanted = set(places)
    _require_bindable(kept, wanted)
    opened = tuple(_open(case, step, reason) for case, step in sorted({(case, step) for case, step, _ in wanted}))
    standing = tuple(entry for entry in kept.policy.entries if isinstance(entry, BoundEntry))
    made = bind(Policy(entries=(*standing, *opened)), kept.deltas, reviewer)
    if left := [entry for entry in made.policy.entries if isinstance(entry, OpenEntry)]:
        raise PolicyError(
            f"case {quoted(left[0].case)} step {left[0].step}: a change there was stopped at the limit, and no entry can bind it",
            next_step="Raise `replay.limit_bytes` in gate.toml and run again, or take the step out of the corpus.",
        )
    done = _settled(kept)
    rows = {(binding.entry.case, binding.entry.step, binding.entry.field): binding.entry for binding in made.bindings}
    return tuple(
        json_of(rows[key])
        for delta in kept.deltas
        for change in delta.changes
        if (key := (delta.case, delta.step, change.field)) in rows and delta.occurrence == 1 and key not in done
    )


def entry_of(raw: JsonEntry, *, name: str) -> Entry:
    """The entry that a JSON object says, by all the rules of `policy.json`. Raises PolicyError naming `name`."""
    try:
        data = json.dumps({"allowed": [raw]}).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise PolicyError(
            f"{name}: expected a JSON object, got: {error}", next_step="docs/policy.md has both forms."
        ) from error
    (entry,) = parse_policy(data, name=name).entries
    return replace(entry, lines=None)


def json_of(entry: Entry) -> JsonEntry:
    """The entry as an object of `policy.json`."""
    found: JsonEntry = parse(render_policy(Policy(entries=(entry,)))).value["allowed"][0]
    return found


def require_asked(kept: Kept) -> None:
    """Raise PolicyError for a run that holds a build against itself: no policy allows a difference there."""
    if not kept.asked:
        raise PolicyError(
            f"{kept.folder}: expected a run of a candidate, got one of the {kept.card.mode}",
            next_step="Nothing may differ there, and no entry allows it. Name another run with --run.",
        )


def _proposal(kept: Kept, position: int, raw: JsonEntry, known: dict[Hashable, str]) -> Proposal:
    try:
        entry = entry_of(raw, name=f"entry {position}")
    except PolicyError as error:
        return Proposal(entry=ascii(raw), silences=(), refused=error.what)
    silences = tuple(_silenced(kept, entry))
    refused = (
        _broader(entry) or known.get(entry.binding) or (None if silences else "it would silence nothing of this run")
    )
    known.setdefault(entry.binding, f"says the same as entry {position}")
    return Proposal(entry=render_entry(entry), silences=silences, refused=refused)


def _broader(entry: Entry) -> str | None:
    """Why an entry could silence what nobody observed; None for one that cannot."""
    if isinstance(entry, OpenEntry):
        return "broader than observed: it allows any change at its step, not only the recorded ones"
    if entry.command is not None:
        return f"broader than observed: it holds wherever the command {quoted(entry.command)} runs, in cases to come as well"
    if entry.step is None:
        return f"broader than observed: it holds at any step of case {quoted(entry.case or '')}"
    return None


def _silenced(kept: Kept, entry: Entry) -> Iterator[Silenced]:
    alone = replace(entry, expires=None) if isinstance(entry, BoundEntry) else entry
    rows = zip(judge(kept.deltas, Policy(entries=(alone,)), today=None).rows, kept.judgement.rows, strict=True)
    for row, before in rows:
        for judged, held in zip(row.changes, before.changes, strict=True):
            if judged.allowed_by is not None:
                yield _of(row.delta, judged.change, flagged=held.allowed_by is None)


def _of(delta: Delta, change: Change, *, flagged: bool) -> Silenced:
    return Silenced(
        case=delta.case,
        step=delta.step,
        command=delta.command,
        field=change.field,
        old=None if change.old is None else change.old.text,
        new=None if change.new is None else change.new.text,
        flagged=flagged,
    )


def _open(case: str, step: int, reason: str) -> OpenEntry:
    try:
        return OpenEntry(case=CaseId(case), step=step, reason=reason)
    except EntryError as fault:
        raise PolicyError(f"{fault.key}: {fault.what}", next_step="Say why the change is intended.") from fault


def _require_bindable(kept: Kept, places: set[Place]) -> None:
    there = {(delta.case, delta.step, delta.occurrence) for delta in kept.deltas}
    if not places:
        raise PolicyError("expected at least one place, got none", next_step="Name case, step and occurrence.")
    for case, step, occurrence in sorted(places):
        where = f"case {quoted(case)} step {step}"
        if (case, step, occurrence) not in there:
            raise PolicyError(
                f"{where}: expected a recorded difference, found none there",
                next_step="Name a place of this run's deltas.",
            )
        if occurrence > 1:
            raise PolicyError(
                f"{where}: record {occurrence} of that step: an entry with a step speaks of its first record alone",
                next_step="Only an entry for the whole case or command reaches it, and that is broader than observed: write it by hand.",
            )


def _settled(kept: Kept) -> set[tuple[str, int, str]]:
    """What a bound entry allows already."""
    return {
        (row.delta.case, row.delta.step, judged.change.field)
        for row in kept.judgement.rows
        for judged in row.changes
        if isinstance(judged.allowed_by, BoundEntry) and row.delta.occurrence == 1
    }
