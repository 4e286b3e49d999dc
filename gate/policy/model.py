"""The reviewed allowlist as values: entries, and what may stand in one."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from gate.domain import CaseId
from gate.policy.expected import Expected, binding_key


class EntryError(ValueError):
    """An entry that means nothing. `key` is where it stands in the file, `what` says what was expected."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(f"{key}: {what}")
        self.key = key
        self.what = what


class DuplicateEntryError(ValueError):
    """Two entries of one policy bind the same; `first` and `second` are their positions from 0."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"entry {second} binds what entry {first} binds")
        self.first = first
        self.second = second


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The lines of a file on which an entry stands, both counted."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenEntry:
    """Allows any change at one step of one case: unbound, so every report that uses it warns. Raises EntryError."""

    case: CaseId
    step: int
    reason: str
    lines: Lines | None = dataclasses.field(default=None, compare=False)
    """Where it stands; None when it was not read from a file."""

    def __post_init__(self) -> None:
        _require_step(self.step)
        _require_words(case=self.case, reason=self.reason)

    @property
    def binding(self) -> Hashable:
        """What two entries may not share."""
        return ("open", self.case, self.step)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundEntry:
    """Allows one field to go from one whole value to another, in one case or wherever one command word runs. Raises EntryError.

    With a step it speaks of the first record of that case and step only.
    """

    case: CaseId | None = None
    """Exactly one of `case` and `command` is set."""
    command: str | None = None
    """A command word, compared whole."""
    step: int | None = None
    """Only together with a case; None: any step of it."""
    field: str
    """An exact field name, e.g. `status`."""
    old: Expected
    new: Expected
    reason: str
    reviewer: str
    expires: date | None = None
    """The last day on which the entry allows anything, in UTC; None: no end."""
    lines: Lines | None = dataclasses.field(default=None, compare=False)
    """Where it stands; None when it was not read from a file."""

    def __post_init__(self) -> None:
        if (self.case is None) == (self.command is None):
            raise EntryError("case", 'expected exactly one of "case" and "command"')
        if self.step is not None:
            if self.case is None:
                raise EntryError("step", 'expected no step beside "command": a step is a step of a case')
            _require_step(self.step)
        scope = {"case": self.case} if self.command is None else {"command": self.command}
        _require_words(**scope, field=self.field, reason=self.reason, reviewer=self.reviewer)
        if binding_key(self.old) == binding_key(self.new):
            raise EntryError("new", "expected another value than old: an entry allows a change")

    @property
    def binding(self) -> Hashable:
        """What two entries may not share: scope, field and both values. Text and digest of one value are the same."""
        return (self.case, self.command, self.step, self.field, binding_key(self.old), binding_key(self.new))

    def expired(self, today: date) -> bool:
        """Whether its last day is over; on that day itself it still holds, with no grace after it."""
        return self.expires is not None and self.expires < today


Entry = OpenEntry | BoundEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The entries of one `policy.json`, in file order. Raises DuplicateEntryError. Empty: nothing is allowed."""

    entries: tuple[Entry, ...] = ()
    version: Literal[1] | None = None
    """As the file says it; None where it does not."""
    name: str = dataclasses.field(default="policy.json", compare=False)
    """The file's own name, for messages."""

    def __post_init__(self) -> None:
        seen: dict[Hashable, int] = {}
        for position, entry in enumerate(self.entries):
            first = seen.setdefault(entry.binding, position)
            if first != position:
                raise DuplicateEntryError(first, position)

    @property
    def expires(self) -> bool:
        """Whether any entry has an expiry date, so that judging needs to know the day."""
        return any(isinstance(entry, BoundEntry) and entry.expires is not None for entry in self.entries)


def _require_step(step: int) -> None:
    if isinstance(step, bool) or step < 0:
        raise EntryError("step", f"expected a step number of 0 or more, got {step}")


def _require_words(**words: str | None) -> None:
    for key, word in words.items():
        if word is None or not word.strip():
            raise EntryError(key, "expected words, got none")
