"""What the policy entries of a draft would silence: what was observed and no more? The gate's own matcher, held against seeded mutants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from auditor.drafting.values import Change, Group
from gate import api

Entry = Mapping[str, object]
"""An object of policy.json."""
_REASON, _REVIEWER = "only to look at what it would silence", "evals"
_FIELDS = ("status", "stdout", "stderr", "files")
_LONGEST = 1_000
"""Characters of a value that is taken as it is: of a longer one its head and digest stand for it, and differ where it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far the entries of one item reach."""

    exact: bool
    """Whether they silence each change of the group, at the first record of each of its steps, and nothing else that was observed."""
    broad: bool
    """Whether they silence a mutant, too: a change that nobody observed."""


def observed(groups: Sequence[Group]) -> dict[str, tuple[api.RecordedDelta, ...]]:
    """What was seen of each group, by its id: one delta for each place."""
    return {group.id: tuple(_deltas(group)) for group in groups}


def proposed(deltas: Sequence[api.RecordedDelta]) -> tuple[Entry, ...]:
    """The entries that accepting a group would write. None where nothing of it can be bound, as for later records of a step."""
    return api.bind_changes(deltas, [(one.case, one.step, one.occurrence) for one in deltas], _REASON, _REVIEWER)


def reach(entries: Sequence[Entry], deltas: Sequence[api.RecordedDelta], others: Sequence[api.RecordedDelta]) -> Reach:
    """Of entries for `deltas`, where `others` were observed as well, and belong to other groups."""
    wanted = [frozenset(change.field for change in one.changes if one.occurrence == 1) for one in deltas]
    wanted += [frozenset() for _ in others]
    allowed = api.allows(entries, (*deltas, *others))
    return Reach(exact=list(allowed) == wanted, broad=any(api.allows(entries, tuple(mutants(deltas)))))


def mutants(deltas: Sequence[api.RecordedDelta]) -> Iterator[api.RecordedDelta]:
    """Changes that are like observed ones and were not observed: of one place, chosen by digest, each change in six or seven ways.

    The same deltas give the same mutants. None of them is among the deltas. No deltas: none.
    """
    if not deltas:
        return
    seed = sha256(repr(deltas).encode()).digest()
    held = deltas[seed[0] % len(deltas)]
    steps, cases = {one.step for one in deltas}, {one.case for one in deltas}
    fields = {change.field for change in held.changes}
    apart = next((name for name in _FIELDS if name not in fields), f"{held.changes[0].field}:other")
    for change in held.changes:
        for told in (*_other_values(change, seed), replace(change, field=apart)):
            yield replace(held, changes=(told,))
        alone = replace(held, changes=(change,))
        yield replace(alone, step=max(steps) + 1 + seed[1] % 5)
        yield replace(alone, case=f"{max(cases)}{'abcde'[seed[2] % 5]}")
        yield replace(alone, occurrence=max(one.occurrence for one in deltas) + 1)


def _other_values(change: api.RecordedChange, seed: bytes) -> Iterator[api.RecordedChange]:
    """Another new value, another old one, and of a status the new one moved by one."""
    held = (change.old, change.new)
    yield replace(change, new=_another(change.new, held, seed))
    yield replace(change, old=_another(change.old, held, seed))
    if change.field == "status" and change.new is not None and change.new.isdigit():
        by = (1, -1) if seed[3] % 2 else (-1, 1)
        moved = [str(int(change.new) + one).encode() for one in by if int(change.new) + one >= 0]
        yield from [replace(change, new=one) for one in moved if one not in held][:1]


def _another(value: bytes | None, held: Sequence[bytes | None], seed: bytes) -> bytes:
    """A value that is none of those held: one byte of it replaced, or one more at its end."""
    text = value or b""
    at = int.from_bytes(seed[4:8], "big") % (len(text) + 1)
    letters = (b"%c" % letter for letter in b"0123456789")
    return next(made for letter in letters if (made := text[:at] + letter + text[at + 1 :]) not in held)


def _deltas(group: Group) -> Iterator[api.RecordedDelta]:
    changes = tuple(map(_change, group.changes))
    for place in group.places:
        yield api.RecordedDelta(
            case=place.case, step=place.step, occurrence=place.occurrence, command=group.command, changes=changes
        )


def _change(change: Change) -> api.RecordedChange:
    return api.RecordedChange(field=change.field, kind=change.kind, old=_value(change.old), new=_value(change.new))


def _value(text: str | None) -> bytes | None:
    if text is None or len(text) <= _LONGEST:
        return None if text is None else text.encode()
    return f"{text[:100]}… sha256:{sha256(text.encode()).hexdigest()}".encode()
