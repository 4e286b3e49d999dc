"""The fresh directories of the cases in a slot, one after the other: laid ahead, and made with what the last case left untouched."""

from __future__ import annotations

import os
from contextlib import suppress

from gate.domain import CaseId
from gate.replay import tree
from gate.replay.place import Place, Template, case_folder, remove
from gate.replay.stamps import Stamps, stamp, stamps, untouched
from gate.replay.times import is_recent, tick, times_of, wait_a_tick


class Lodgings:
    """What a worker has of directories. It may outlive a replay; `renew` begins the next one."""

    __slots__ = ("_laid", "_marks", "_spare", "slot", "template", "times")

    def __init__(self, slot: bytes) -> None:
        """Read the template in `slot`. Raises OSError."""
        self.slot = slot
        self._laid: dict[bytes, Stamps] = {}
        self._spare: tuple[Place, Stamps] | None = None
        self.times = times_of(slot)
        self._read()

    def renew(self) -> None:
        """Read the template again if anybody touched it. Raises OSError."""
        if self._marks is None or stamps(self.slot + b"/template") != self._marks:
            self.close()
            self._read()

    def _read(self) -> None:
        folder = self.slot + b"/template"
        since = tick()
        marks = stamps(folder) if os.path.lexists(folder) else None
        self.template = Template(folder)
        # What is as young as that could be written again without a trace.
        self._marks = marks if marks and not any(is_recent(mark[-1], since) for mark in marks.values()) else None

    def place(self, case: CaseId) -> Place:
        """Where a case stands, there or not."""
        return Place(root=self.slot + b"/" + case_folder(case).encode())

    @property
    def ahead(self) -> tuple[bytes, ...]:
        """The roots of what stands there for cases to come. While a case runs: of those that are laid ahead."""
        return (*self._laid, *([self._spare[0].root] if self._spare else []))

    def lay_ahead(self, case: CaseId) -> None:
        """Make the directories of a case that comes soon.

        While another one runs they come of age: a file of some milliseconds ago need not be read to be known as untouched.
        """
        place = self.place(case)
        with suppress(OSError):  # then it is laid when it comes, and what fails again is told
            self._laid[place.root] = self._lay(place)

    def enter(self, place: Place) -> Stamps | None:
        """Make the directories of a case, which steps enter now. None: somebody wrote into what was made ahead. Raises OSError."""
        laid = self._laid.pop(place.root, None)
        if laid is None:
            laid = self._lay(place)
        self._drop_spare()  # its name is another one each time: nothing that a step may see
        return laid if stamps(place.root) == laid else None

    def leave(self, place: Place, laid: Stamps, *, spare: bool) -> None:
        """Remove the directories of a case. Raises OSError.

        `spare`: make directories for a case to come with what is untouched, where the system tells of all that is touched.
        """
        told = self.times.mapped and self.times.folder and tree.CONTAINMENT == "process tree"
        if spare and told and self._spare is None:
            self._spare = self._made_of(place, laid)
        remove(place.root)

    def close(self) -> None:
        """Remove what was made for cases to come: none comes."""
        self._drop_spare()
        for root in self._laid:
            with suppress(OSError):  # the next one to look at the slot finds it, and tells
                remove(root)
        self._laid = {}

    def _lay(self, place: Place) -> Stamps:
        laid = self._spare_at(place)
        if laid is None:
            self.template.lay(place)
            laid = stamps(place.root)
        if not self.times.fine:
            wait_a_tick()
        return laid

    def _spare_at(self, place: Place) -> Stamps | None:
        """Move the spare directories to `place`; None where there are none, or none any more."""
        if self._spare is None:
            return None
        made, marks = self._spare
        try:
            pristine = stamp(made.root) == marks[b""]
            remove(place.root)
            os.rename(made.root, place.root)  # noqa: PTH104 - bytes
        except OSError:
            self._drop_spare()
            return None
        self._spare = None
        # The new name is a change of the root. Where it had been changed before, the old stamp stays, and tells so on entering.
        return {**marks, b"": stamp(place.root)} if pristine else marks

    def _made_of(self, used: Place, laid: Stamps) -> tuple[Place, Stamps] | None:
        place = self.place(CaseId(os.urandom(8).hex()))
        try:
            self.template.lay_from(used, place, untouched(used.root, laid))
            return place, stamps(place.root)
        except OSError:
            remove(place.root)
            return None

    def _drop_spare(self) -> None:
        spare, self._spare = self._spare, None
        if spare is not None:
            with suppress(OSError):  # as in `close`
                remove(spare[0].root)
