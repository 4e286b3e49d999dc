"""Shrinking a case while something stays true of it: steps, then arguments, then standard input, then environment. No process, no clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from gate.domain import Case, Step

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A case of which parts may be gone."""

    case: Case
    target: int
    """The number of the step that it is about; 0 is the process itself, where one process runs the whole case."""


Holds = Callable[[Cut], bool]
"""Whether what is looked for is still there. Asked for no cut twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduced:
    """What shrinking gave."""

    cut: Cut
    trials: int
    """How often it was tried."""
    spent: bool
    """The budget ended before everything was tried: it may be larger than it need be."""


def reduced(whole: Cut, holds: Holds, *, budget: int) -> Reduced:
    """The smallest cut that was found, in which `holds` was true; `whole` itself, which is not tried, where nothing can go.

    At most `budget` cuts are tried. The target, the first word of every step and, for a target of 0, one step stay. The same answers
    give the same result.
    """
    search = _Search(whole, holds, budget)
    _drop_steps(search)
    for index in range(len(search.best.case.steps)):
        _drop_arguments(search, index)
    for index in range(len(search.best.case.steps)):
        _drop_stdin(search, index)
    for index in range(len(search.best.case.steps)):
        _drop_env(search, index)
    return Reduced(cut=search.best, trials=search.trials, spent=search.spent)


class _Search:
    """The best cut so far, and what was tried."""

    def __init__(self, whole: Cut, holds: Holds, budget: int) -> None:
        self.best = whole
        self.trials = 0
        self.spent = False
        self._holds = holds
        self._budget = budget
        self._known: dict[object, bool] = {_key(whole): True}

    def better(self, cut: Cut) -> bool:
        """Whether this cut holds; then it is the best. False, too, where nothing may be tried any more."""
        key = _key(cut)
        if key not in self._known:
            if self.trials >= self._budget:
                self.spent = True
                return False
            self.trials += 1
            self._known[key] = self._holds(cut)
        if self._known[key]:
            self.best = cut
        return self._known[key]


def _key(cut: Cut) -> object:
    return cut.target, tuple((step.argv, step.stdin, tuple(sorted(step.env.items()))) for step in cut.case.steps)


def _minimal(parts: Sequence[_Part], holds: Callable[[Sequence[_Part]], bool]) -> None:
    """Drop all parts, else halves, quarters and so on, down to one, until none can go (ddmin by complements)."""
    kept = list(parts)
    if not kept or holds([]):
        return
    size = max(1, len(kept) // 2)
    while True:
        before, at = len(kept), 0
        while at < len(kept):
            rest = kept[:at] + kept[at + size :]
            if rest and holds(rest):
                kept = rest
            else:
                at += size
        if size == 1 and len(kept) == before:
            return
        size = max(1, min(size // 2, len(kept) // 2))


def _drop_steps(search: _Search) -> None:
    whole = search.best
    target = whole.target

    def holds(numbers: Sequence[int]) -> bool:
        kept = sorted({*numbers, target} - {0})
        if not kept:
            return False
        steps = tuple(whole.case.steps[number - 1] for number in kept)
        return search.better(Cut(case=replace(whole.case, steps=steps), target=kept.index(target) + 1 if target else 0))

    others = [number for number in range(1, len(whole.case.steps) + 1) if number != target]
    before = [number for number in others if number < target]
    if others and not holds([]):
        _minimal(before if target and len(before) < len(others) and holds(before) else others, holds)


def _with(cut: Cut, index: int, step: Step) -> Cut:
    steps = (*cut.case.steps[:index], step, *cut.case.steps[index + 1 :])
    return replace(cut, case=replace(cut.case, steps=steps))


def _drop_arguments(search: _Search, index: int) -> None:
    base, step = search.best, search.best.case.steps[index]
    first, rest = step.argv[:1], step.argv[1:]
    _minimal(rest, lambda kept: search.better(_with(base, index, replace(step, argv=(*first, *kept)))))


def _drop_stdin(search: _Search, index: int) -> None:
    base, step = search.best, search.best.case.steps[index]
    if step.stdin is None or search.better(_with(base, index, replace(step, stdin=None))):
        return
    _minimal(
        step.stdin.splitlines(keepends=True),
        lambda kept: search.better(_with(base, index, replace(step, stdin=b"".join(kept)))),
    )


def _drop_env(search: _Search, index: int) -> None:
    base, step = search.best, search.best.case.steps[index]
    _minimal(sorted(step.env.items()), lambda kept: search.better(_with(base, index, replace(step, env=dict(kept)))))
