"""What both runners do with a case: its fresh directories, its environment, its limits, its redaction."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from gate.domain import Case, CaseId, Value
from gate.errors import ReplayError
from gate.replay.capture import Capture, Sink
from gate.replay.effects import Effects, Watching
from gate.replay.environment import encoded, step_environment
from gate.replay.interface import Recipe
from gate.replay.lodgings import Lodgings
from gate.replay.place import Place, is_full
from gate.replay.process import Ending, Launcher
from gate.replay.redact import Redactor, Vocabulary
from gate.replay.sandbox_remains import SlotRoot
from gate.replay.snapshot import Globs

_HARD_FILE_LIMIT = resource.getrlimit(resource.RLIMIT_FSIZE)[1]


class Workshop:
    """What a worker holds from one case to the next. Not to be shared: a case changes the working directory of the process."""

    def __init__(
        self, recipe: Recipe, launcher: Launcher, *, alone: bool = False, lodgings: Lodgings | None = None
    ) -> None:
        """`alone`: no other worker sees this slot. `lodgings`: those of an earlier replay in this slot. Raises OSError for a slot that
        cannot be looked at, and ReplayError for a recipe whose environment no system can take."""
        self.recipe = recipe
        self.launcher = launcher
        self.prefix = tuple(word.encode("utf-8", "surrogateescape") for word in recipe.argv)
        self.globs = Globs(recipe.ignore)
        self.contentless = Globs(recipe.ignore_content)
        self._slot = os.fsencode(recipe.slot)
        self._vocabulary = Vocabulary((self._slot, *map(os.fsencode, recipe.aliases)))
        self.lodgings = lodgings or Lodgings(self._slot)
        self._root = SlotRoot(self._slot, alone=alone)
        encoded(recipe.env)

    @contextmanager
    def opened(self, case: Case) -> Iterator[CaseRun]:
        """The case in its fresh directories, which are gone afterwards."""
        place = self.lodgings.place(case.id)
        laid = self.lodgings.enter(place)
        if laid is None:
            raise _wrote_outside(case.id, "into this case, before it ran")
        try:
            _limit_files(self.recipe.limit_bytes)
            yield CaseRun(self, case.id, place, Redactor(self._vocabulary, os.path.basename(place.root)))  # noqa: PTH119 - bytes
        finally:
            _limit_files(None)
            os.chdir(self._slot)
        if self._root.is_changed():
            raise _wrote_outside(case.id, "../..")
        self.lodgings.leave(place, laid, spare=not self.recipe.apart)
        self._refuse_remains(case.id, place)

    def _refuse_remains(self, case: CaseId, place: Place) -> None:
        """Raise ReplayError for what a case left in the root of the slot: another case could read it."""
        ahead = frozenset(map(os.path.basename, self.lodgings.ahead))
        strange = self._root.strange(os.path.basename(place.root), ahead=ahead)  # noqa: PTH119 - bytes
        if strange is not None:
            raise _wrote_outside(case, f"../../{os.fsdecode(strange)}")

    def watching(self, place: Place, redactor: Redactor) -> Watching:
        """What file effects are looked for in `place`."""
        return Watching(
            roots=((b".", place.work), (b"~", place.home), (b"$TMPDIR", place.tmp)),
            globs=self.globs,
            keep=self.recipe.keep_bytes,
            original=self.lodgings.template.digest,
            redactor=redactor,
            times=self.lodgings.times,
        )


class CaseRun:
    """A case while it runs."""

    def __init__(self, workshop: Workshop, case: CaseId, place: Place, redactor: Redactor) -> None:
        self.redactor = redactor
        self._case = case
        self._workshop = workshop
        self._place = place
        home, tmp = os.fsdecode(place.home), os.fsdecode(place.tmp)
        self._env = encoded(step_environment(workshop.recipe, home=home, tmp=tmp, case=case))
        self._effects = Effects(workshop.watching(place, redactor))

    def capture(self) -> Capture:
        """Something to drain a stream into, with the limits of the recipe."""
        recipe = self._workshop.recipe
        return Capture(self.redactor, keep=recipe.keep_bytes, limit=recipe.limit_bytes)

    def process(
        self, argv: Sequence[bytes], *, stdin: bytes | None, env: Mapping[str, str], outputs: tuple[Sink, Sink]
    ) -> Ending:
        """Run one process in the working directory of the case, drained into `outputs`.

        Raises ReplayError where it leaves a full disk: both sides would fail alike, and agree about nothing.
        """
        try:
            os.chdir(self._place.work)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return Ending(status="cannot start: no working directory")
        full = {**self._env, **encoded(env)} if env else self._env
        ending = self._workshop.launcher.run(argv, full, stdin, outputs, timeout=self._workshop.recipe.timeout)
        if is_full(self._place.root):
            raise _disk_full(self._case, self._workshop.recipe.slot)
        return ending

    def effects(self) -> dict[str, Value]:
        """The fields `files` and `files:NAME` for what happened since the last call."""
        self._refuse_escapes()
        found = self._effects.since()
        if not self._workshop.contentless:
            return found
        return {name: held for name, held in found.items() if not self._is_contentless(name)}

    def _refuse_escapes(self) -> None:
        """Raise ReplayError for what a step made right beside its directories (reported fault 26): nobody would compare it."""
        place = self._place
        known = {os.path.basename(folder) for folder in (place.work, place.home, place.tmp)}  # noqa: PTH119 - bytes
        if strange := sorted(set(os.listdir(place.root)) - known):  # noqa: PTH208 - names alone are wanted
            raise _wrote_outside(self._case, f"../{os.fsdecode(strange[0])}")

    def _is_contentless(self, name: str) -> bool:
        _, content, file = name.partition("files:")
        return bool(content) and self._workshop.contentless.cover(os.fsencode(file))


def _wrote_outside(case: CaseId, where: str) -> ReplayError:
    return ReplayError(
        f"case {case}: a step wrote outside of its directories: {where}",
        next_step="What is written there is not compared: let the program write to its working directory, home or TMPDIR.",
    )


def _disk_full(case: CaseId, slot: str) -> ReplayError:
    return ReplayError(
        f"case {case}: the disk that holds {slot} is full: what a step does there is no behaviour of its own",
        next_step="Free some space, or set TMPDIR to a folder on a larger disk, and run again.",
    )


def _limit_files(size: int | None) -> None:
    """The size that this process and what it starts can give to a file; None is no limit of ours."""
    soft = _HARD_FILE_LIMIT if size is None else size
    if _HARD_FILE_LIMIT != resource.RLIM_INFINITY:
        soft = min(soft, _HARD_FILE_LIMIT)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, _HARD_FILE_LIMIT))
    except ValueError as error:  # a step has lowered what cannot be raised again
        raise OSError(errno.EPERM, str(error), "RLIMIT_FSIZE") from error
