"""Holding what changed against the policy: which entry allows which change, and what is flagged. Values in, values out."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from gate.diff.findings import Change, Delta
from gate.errors import PolicyError
from gate.policy.expected import binding_key, holds
from gate.policy.model import BoundEntry, Entry, OpenEntry, Policy
from gate.policy.wording import EXPIRY_SENTENCE, entry_words, place_words, quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedChange:
    """One change with the entry that allows it."""

    change: Change
    allowed_by: Entry | None
    """None: flagged."""
    note: str = ""
    """Why an entry that a reader would expect to allow it does not: it expired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedDelta:
    """One delta, with a judgement for each of its changes, in their order."""

    delta: Delta
    changes: tuple[JudgedChange, ...]

    @property
    def allowed(self) -> bool:
        """Whether every change of the row is allowed. A row without changes is not: silence allows nothing."""
        return bool(self.changes) and all(judged.allowed_by is not None for judged in self.changes)

    @property
    def note(self) -> str:
        """A sentence when only some of its changes are allowed; else empty."""
        flagged = [quoted(judged.change.field) for judged in self.changes if judged.allowed_by is None]
        if not flagged or len(flagged) == len(self.changes):
            return ""
        done = len(self.changes) - len(flagged)
        return f"{done} of {len(self.changes)} changes are allowed; flagged because of {', '.join(flagged)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What a policy says to a run."""

    policy: Policy
    rows: tuple[JudgedDelta, ...]
    """In the order of the deltas."""
    unused: tuple[Entry, ...]
    """Entries that allowed nothing and have not expired: without all of them every judgement would be the same. In file order."""
    expired: tuple[BoundEntry, ...]
    """Entries whose last day is over: they allow nothing. In file order."""
    open_used: tuple[OpenEntry, ...]
    """Unbound entries that allowed something. In file order."""

    @property
    def flagged(self) -> tuple[JudgedDelta, ...]:
        """The rows that nobody allowed in full."""
        return tuple(row for row in self.rows if not row.allowed)

    @property
    def allowed(self) -> tuple[JudgedDelta, ...]:
        """The rows that are allowed in full."""
        return tuple(row for row in self.rows if row.allowed)

    @property
    def warnings(self) -> tuple[str, ...]:
        """One line for each entry that a person should look at: open ones, expired ones, unused ones; each in file order."""
        return (
            *(open_warning(self.policy, entry) for entry in self.open_used),
            *(expiry_warning(self.policy, entry) for entry in self.expired),
            *(_unused_warning(self.policy, entry) for entry in self.unused),
        )


def judge(deltas: Sequence[Delta], policy: Policy, *, today: date | None) -> Judgement:
    """Which entry allows each change of each delta.

    The narrowest entry that holds is the one that is named: case and step, then case, then command, then unbound; no two entries of
    one policy are equally narrow. `today` is the day in UTC, and needed only where an entry expires: PolicyError when it is None
    there. No deltas: no rows, and every entry is unused. An empty policy flags everything.
    """
    expired = expired_entries(policy, today)
    gone = frozenset(expired)
    live = _by_reach(entry for entry in policy.entries if entry not in gone)
    dead = _by_reach(expired)
    rows = tuple(
        JudgedDelta(delta=delta, changes=tuple(_judge(delta, change, live, dead, policy) for change in delta.changes))
        for delta in deltas
    )
    used = {judged.allowed_by for row in rows for judged in row.changes}
    return Judgement(
        policy=policy,
        rows=rows,
        unused=tuple(entry for entry in policy.entries if entry not in used and entry not in gone),
        expired=expired,
        open_used=tuple(entry for entry in policy.entries if isinstance(entry, OpenEntry) and entry in used),
    )


def expired_entries(policy: Policy, today: date | None) -> tuple[BoundEntry, ...]:
    """The entries whose last day is before `today`. Raises PolicyError when a day is needed and none is given."""
    if not policy.expires:
        return ()
    if today is None:
        raise PolicyError(
            f"{policy.name}: expected the day to judge for, because an entry expires; got none",
            next_step="Give the run its date (UTC), or remove the expiry dates.",
        )
    return tuple(entry for entry in policy.entries if isinstance(entry, BoundEntry) and entry.expired(today))


def open_warning(policy: Policy, entry: OpenEntry) -> str:
    """What is wrong with an unbound entry, and what to do."""
    return (
        f"{place_words(policy, entry)}: case {quoted(entry.case)} step {entry.step}: this entry allows ANY change at that step "
        f"(reason: {quoted(entry.reason)}); bind it to what was reviewed: gate policy bind"
    )


def expiry_warning(policy: Policy, entry: BoundEntry) -> str:
    """That an entry has expired, when, and by which rule."""
    return (
        f"{place_words(policy, entry)}: {entry_words(entry)}: expired, last day {entry.expires}: {EXPIRY_SENTENCE}; "
        "it allows nothing: review it anew or delete it"
    )


def _unused_warning(policy: Policy, entry: Entry) -> str:
    which = "the entry" if entry.lines is None else str(entry.lines)
    return f"{place_words(policy, entry)}: {entry_words(entry)}: unused, it allowed nothing in this run; delete {which}"


_Reach = Hashable
"""One place with one change: what an entry speaks of. No two entries of a policy share one."""


def _by_reach(entries: Iterable[Entry]) -> dict[_Reach, Entry]:
    """Entries by what they speak of, so that a change meets only those that may concern it."""
    return {_reach(entry): entry for entry in entries}


def _reach(entry: Entry) -> _Reach:
    if isinstance(entry, OpenEntry):
        return ("open", entry.case, entry.step)
    bound = (entry.field, binding_key(entry.old), binding_key(entry.new))
    if entry.command is not None:
        return ("command", entry.command, *bound)
    return ("case", entry.case, *bound) if entry.step is None else ("step", entry.case, entry.step, *bound)


def _reaches(delta: Delta, change: Change) -> Iterator[_Reach]:
    """What speaks of a change, narrowest first. A repeated record is not what a step names: only wider entries reach it."""
    first = delta.occurrence == 1
    bound = (change.field, change.old and change.old.digest, change.new and change.new.digest)
    if first:
        yield ("step", delta.case, delta.step, *bound)
    yield ("case", delta.case, *bound)
    yield ("command", delta.command, *bound)
    if first:
        yield ("open", delta.case, delta.step)


def _holding(delta: Delta, change: Change, entries: Mapping[_Reach, Entry]) -> Entry | None:
    for reach in _reaches(delta, change):
        entry = entries.get(reach)
        if isinstance(entry, OpenEntry) or (entry is not None and _binds(entry, change)):
            return entry
    return None


def _binds(entry: BoundEntry, change: Change) -> bool:
    """The comparison that a verdict rests on; the digests of the look-up only made it quick."""
    return entry.field == change.field and holds(entry.old, change.old) and holds(entry.new, change.new)


def _judge(
    delta: Delta, change: Change, live: Mapping[_Reach, Entry], dead: Mapping[_Reach, Entry], policy: Policy
) -> JudgedChange:
    entry = _holding(delta, change, live)
    late = None if entry is not None else _holding(delta, change, dead)
    note = expiry_warning(policy, late) if isinstance(late, BoundEntry) else ""
    return JudgedChange(change=change, allowed_by=entry, note=note)
