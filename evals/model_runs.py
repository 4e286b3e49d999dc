"""A run by a model, live or replayed: plan all requests, ask those without a transcript, then score what the transcripts say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec

from auditor.drafting.values import Usage
from auditor.service.budget import added
from evals.asking import Ended, Live, Wanted, is_final
from evals.models import Desk, Planned, answering, in_share, plan_of, requests_in
from evals.repeats import agreement
from evals.run import Run, run, variants
from evals.tasks import Loaded, Task
from evals.transcripts import NONE, Key, Start, Transcript, Transcripts, save
from evals.values import Agreement, Asked

Tell = Callable[[str], None]
Progress = Callable[[int], Callable[[], object]]
"""Told how many will be asked, it gives what to call after each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRun:
    """What a model's run gives."""

    runs: tuple[Run, ...]
    """One for each repeat, in order. Its figures are those of the first."""
    ended: Ended | None = None
    """Why not everything was asked; None where it was, and for a replay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Tasks whose data are read once, and what each would ask."""

    tasks: tuple[Task, ...]
    plans: Mapping[str, Mapping[str, Planned]]
    """By task, then by the digest of the request."""


def planned(tasks: Sequence[Task], folder: Path | None, desk: Desk) -> Planner:
    """Read the data of all tasks that can be run, and make their requests. Nothing is sent."""
    held: list[Task] = []
    plans: dict[str, dict[str, Planned]] = {}
    for task in tasks:
        if (task.files and folder is None) or task.lacks() or not task.asks:
            held.append(task)
            continue
        loaded = task.load(folder)
        plans[task.name] = plan_of(desk, loaded.answer)
        held.append(replace(task, load=_always(loaded)))
    return Planner(tasks=tuple(held), plans=plans)


def _always(loaded: Loaded) -> Callable[[Path | None], Loaded]:
    return lambda _folder: loaded


def wanted(planner: Planner, known: Mapping[Key, Transcript], *, repeats: int, share: float) -> tuple[Wanted, ...]:
    """What there is to ask: each request once for each repeat, less what is answered. All of one repeat, then of the next."""
    requests = requests_in(list(planner.plans.values()))
    return tuple(
        (one, repeat)
        for repeat in range(1, repeats + 1)
        for digest, one in requests.items()
        if in_share(digest, share) and not ((digest, repeat) in known and is_final(known[digest, repeat]))
    )


def ask(
    live: Live, start: Start, known: Transcripts | None, to_ask: Sequence[Wanted], *, parallel: int, progress: Progress
) -> Transcripts:
    """Ask, and give all transcripts, which stand in the live run's folder in the order of their keys."""
    held = dict(known.held) if known is not None else {}
    save(live.folder, start, held)
    live.ask_all(to_ask, parallel=parallel, tell=progress(len(to_ask)))
    held |= {one.key: one for one in live.kept}
    save(live.folder, start, held)
    return Transcripts(start=start, held=held)


def scored(
    planner: Planner, folder: Path | None, desk: Desk, told: Transcripts, *, repeats: int, tell: Tell = lambda _: None
) -> tuple[Run, ...]:
    """One run for each repeat. Tasks that do not ask the model are in the first alone."""
    name = told.start.model
    runs = [
        run(
            [task for task in planner.tasks if task.asks or repeat == 1],
            answering(desk, told.held, name=name, repeat=repeat),
            folder,
            tell=tell if repeat == 1 else lambda _: None,
        )
        for repeat in range(1, repeats + 1)
    ]
    return tuple(
        _headed(one, planner, desk, asked=partial(_asked, told=told, runs=runs, repeats=numbers))
        for one, numbers in _numbered(runs)
    )


def _numbered(runs: Sequence[Run]) -> Iterator[tuple[Run, range]]:
    """The first run tells of all repeats, any other of itself."""
    for number, one in enumerate(runs, start=1):
        yield one, range(1, len(runs) + 1) if number == 1 else range(number, number + 1)


def _headed(one: Run, planner: Planner, desk: Desk, *, asked: Callable[[str, Mapping[str, Planned]], Asked]) -> Run:
    held = {task: asked(task, planner.plans[task]) for task in one.head.tasks if task in planner.plans}
    return replace(one, head=msgspec.structs.replace(one.head, prompts=desk.prompts.digests, asked=held))


def _asked(task: str, plan: Mapping[str, Planned], *, told: Transcripts, runs: Sequence[Run], repeats: range) -> Asked:
    kept = [told.held.get((digest, repeat)) for digest in plan for repeat in repeats]
    outcomes = Counter(NONE if each is None else each.outcome for each in kept)
    there = [each for each in kept if each is not None]
    usage = Usage()
    for each in there:
        usage = added(usage, each.usage)
    return Asked(
        repeats=len(repeats),
        outcomes=dict(sorted(outcomes.items())),
        refused=sum(len(each.rejected) for each in there),
        usage=usage,
        agreement=_agreement(task, runs) if len(repeats) > 1 else {},
    )


def _agreement(task: str, runs: Sequence[Run]) -> dict[str, Agreement]:
    of_each = [variants(one.rows, task) for one in runs]
    return {name: agreement([told.get(name, ()) for told in of_each]) for name in of_each[0]}
