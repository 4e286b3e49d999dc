"""Who answers a run, as the command line names them: an offline drafter, transcripts, or a live model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evals.drafters import DRAFTERS, drafter
from evals.errors import EvalsError
from evals.folder import folder_name
from evals.model_command import REPLAY, Order, live, replay
from evals.model_runs import ModelRun, Progress
from evals.run import run


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The options of `run` that speak of who answers."""

    model: str
    into: Path | None = None
    budget: float | None = None
    repeats: int | None = None
    transcripts: Path | None = None
    parallel: int = 1
    share: float = 1
    seconds: float | None = None

    @property
    def folder(self) -> Path:
        """Where the results go."""
        return self.into or Path(".evals") / folder_name(self.model)


def carry_out(choice: Choice, order: Order, progress: Progress) -> ModelRun:
    """Run the tasks. Raises EvalsError for options that do not go together."""
    _check(choice)
    if choice.model == REPLAY and choice.transcripts is not None:
        return replay(order, folder=choice.transcripts, repeats=choice.repeats)
    if choice.model in DRAFTERS:
        done = run(order.tasks, drafter(choice.model), order.data, tell=order.say)
        return ModelRun(runs=(done,))
    return live(
        order,
        model=choice.model,
        into=choice.folder,
        budget=choice.budget,
        repeats=choice.repeats or 1,
        share=choice.share,
        parallel=choice.parallel,
        seconds=choice.seconds,
        progress=progress,
    )


def _check(choice: Choice) -> None:
    of_live = {"--budget": choice.budget, "--seconds": choice.seconds}
    said = [name for name, value in of_live.items() if value is not None]
    said += [name for name, value in (("--parallel", choice.parallel), ("--share", choice.share)) if value != 1]
    if choice.model in DRAFTERS and choice.repeats is not None:
        said.append("--repeats")
    if said and (choice.model in DRAFTERS or choice.model == REPLAY):
        raise _fault(f"{said[0]}: {choice.model} asks nobody", "Leave it out, or name a live model: --model NAME")
    if choice.model == REPLAY and choice.transcripts is None:
        raise _fault("--model replay: expected transcripts, got none", "Name their folder: --transcripts .evals/MODEL")
    if choice.model != REPLAY and choice.transcripts is not None:
        raise _fault("--transcripts: only --model replay answers from them", "Leave it out, or say: --model replay")


def _fault(what: str, next_step: str) -> EvalsError:
    return EvalsError(what, next_step=next_step)
