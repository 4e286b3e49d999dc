"""From "any change at this step" to exactly the changes that one run showed there. Only ever narrows what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gate.diff.findings import Change, Delta
from gate.errors import PolicyError
from gate.policy.expected import expected_of, holds
from gate.policy.model import BoundEntry, Entry, EntryError, OpenEntry, Policy
from gate.policy.wording import binding_words, place_words, quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One entry that was made from one observed change."""

    entry: BoundEntry
    change: Change

    def __str__(self) -> str:
        old, new = binding_words(self.entry.old, self.change.old), binding_words(self.entry.new, self.change.new)
        return (
            f"case {quoted(self.entry.case or '')} step {self.entry.step}, {quoted(self.entry.field)}: {old} -> {new}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A policy after binding."""

    policy: Policy
    """The given policy itself when nothing was bound."""
    bindings: tuple[Binding, ...]
    """What was bound, in the order of the entries and of their changes."""
    replaced: tuple[OpenEntry, ...]
    """The unbound entries that are no longer in the policy."""
    notes: tuple[str, ...]
    """A sentence for each unbound entry that was left as it is, and for each change that an entry binds already."""


def bind(policy: Policy, deltas: Sequence[Delta], reviewer: str) -> Bound:
    """Replace each unbound entry by one bound entry for each change observed at its case and step.

    What is allowed of `deltas` stays allowed, save where the same binding already stands in the policy with an expiry (noted). An entry
    that observed nothing, or something that nothing can bind, is left as it is and noted. Binding the result again changes nothing.
    Raises PolicyError when `reviewer` has no name in it.
    """
    if not reviewer.strip():
        raise PolicyError(
            "reviewer: expected a name, got none", next_step="Say who reviewed the changes: --reviewer NAME"
        )
    known = {entry.binding: entry for entry in policy.entries}
    entries: list[Entry] = []
    bindings: list[Binding] = []
    replaced: list[OpenEntry] = []
    notes: list[str] = []
    for entry in policy.entries:
        made = _bindings(entry, deltas, reviewer) if isinstance(entry, OpenEntry) else None
        if not isinstance(entry, OpenEntry) or not made:
            entries.append(entry)
            notes += [_left(policy, entry, made)] if isinstance(entry, OpenEntry) else []
            continue
        replaced.append(entry)
        for binding in made:
            first = known.setdefault(binding.entry.binding, binding.entry)
            if first is binding.entry:
                entries.append(binding.entry)
                bindings.append(binding)
            else:
                notes.append(_already(policy, first, binding))
    bound = replace(policy, entries=tuple(entries)) if replaced else policy
    return Bound(policy=bound, bindings=tuple(bindings), replaced=tuple(replaced), notes=tuple(notes))


def _bindings(entry: OpenEntry, deltas: Sequence[Delta], reviewer: str) -> tuple[Binding, ...] | None:
    """What `entry` allowed in a run. Empty: nothing changed there. None: a change that no entry can bind."""
    made: list[Binding] = []
    for delta in deltas:
        if (delta.case, delta.step, delta.occurrence) != (entry.case, entry.step, 1):
            continue
        for change in delta.changes:
            bound = _bound(entry, change, reviewer)
            if bound is None:
                return None
            made.append(Binding(entry=bound, change=change))
    return tuple(made)


def _bound(entry: OpenEntry, change: Change, reviewer: str) -> BoundEntry | None:
    """One bound entry, shown to hold for the change that it was made from; None where no entry does."""
    old, new = expected_of(change.old), expected_of(change.new)
    if not (holds(old, change.old) and holds(new, change.new)):
        return None
    try:
        return BoundEntry(
            case=entry.case,
            step=entry.step,
            field=change.field,
            old=old,
            new=new,
            reason=entry.reason,
            reviewer=reviewer,
        )
    except EntryError:
        return None


def _left(policy: Policy, entry: OpenEntry, made: tuple[Binding, ...] | None) -> str:
    where = f"{place_words(policy, entry)}: case {quoted(entry.case)} step {entry.step}"
    if made is None:
        return f"{where}: a change there cannot be bound (a value was stopped at the limit); the entry is left as it is"
    return f"{where}: nothing observed there; the entry is left as it is; drop it?"


def _already(policy: Policy, first: Entry, binding: Binding) -> str:
    expires = f", and expires {first.expires}" if isinstance(first, BoundEntry) and first.expires is not None else ""
    return f"{place_words(policy, first)}: binds this already{expires}: {binding}"
