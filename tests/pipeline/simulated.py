"""Both sides of a run without a process: what a check says in a run is told by a function."""

import random
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

from gate.diff.noise import Noise
from gate.domain import Case, CaseId, Record, Step, value
from gate.pipeline import observe as observing

REPEATS, CONFIRM = 2, 3


class Sides:
    """`says(side, case, number, draw)` is what the one step of a case prints; `draw` is a chance of its own for each run of a case."""

    def __init__(self, says, *, seed=0):
        self.says, self.draws = says, random.Random(seed)
        self.sources, self.run_folder = {"baseline": None, "candidate": None}, Path("/nowhere")
        self.told, self.spent = [], 0

    def prepare(self, side, cases):
        pass

    def listen(self, event):
        self.told.append(event.text)

    def replay(self, side, cases, seeds, **_):
        self.spent += len(cases) * len(seeds)
        return tuple(tuple(self._records(side, case.id, number) for case in cases) for number in seeds)

    def _records(self, side, case, number):
        said = self.says(side, case, number, self.draws.random())
        return (Record(case=case, step=1, command="tool", fields={"stdout": value(said.encode())}),)


def inputs(cases):
    """Inputs with that many cases of one step each."""
    replay = SimpleNamespace(repeats=REPEATS, confirm=CONFIRM)
    return SimpleNamespace(
        project=SimpleNamespace(config=SimpleNamespace(replay=replay)),
        cases=tuple(Case(id=CaseId(f"c{n}"), steps=(Step(argv=(b"tool",)),)) for n in range(cases)),
        noise=Noise.compile(()),
        header=lambda _: None,
    )


def observed(cases, sides, *, kept=None):
    """What is observed. `kept`: what the baseline said when its golden was kept, or None without one."""
    about = inputs(cases)
    then = sides if kept is None else Sides(kept, seed=sides.draws.random())
    runs = then.replay("baseline", about.cases, range(REPEATS), purpose="then")
    with ExitStack() as stack:
        for name, double in (
            ("golden", lambda *_: (runs, kept is not None)),
            ("require_alike", lambda *_, **__: None),
            ("write_run", lambda *_: None),
        ):
            stack.enter_context(patch.object(observing, name, double))
        return about, observing.observe(about, sides)
