"""What a command line asks of a model: an endpoint with a price and a purse, or the transcripts of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from auditor.drafting.redact import Redactor, secrets_of
from auditor.service.settings import Settings, load_settings
from auditor.suggestions.plain import plain
from evals import transcripts
from evals.asking import Live, seconds_told
from evals.budget import Purse
from evals.errors import EvalsError
from evals.model_runs import ModelRun, Progress, ask, planned, scored, wanted
from evals.models import Desk, newest_prompts
from evals.tasks import Task
from evals.transcripts import Parameters, Start, Transcripts

REPLAY = "replay"
"""The name of the model that answers from transcripts."""
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What both kinds of run are told."""

    tasks: Sequence[Task]
    data: Path | None
    """The folder of the data sets."""
    environ: Mapping[str, str]
    say: Say
    root: Path = Path()
    """The folder of `auditor.toml`."""


def live(
    order: Order,
    *,
    model: str,
    into: Path,
    budget: float | None,
    repeats: int,
    share: float,
    parallel: int,
    seconds: float | None,
    progress: Progress,
) -> ModelRun:
    """Ask a model what is not answered in `into` yet. Raises EvalsError without a budget or a price, and for another run's transcripts."""
    if budget is None:
        raise EvalsError(
            f"model {model[:40]!a}: a live model is asked with a budget alone, got none",
            next_step="Say what the run may cost, in the currency of the prices in auditor.toml: --budget 0.50",
        )
    settings = load_settings(order.root, order.environ, model=model)
    if settings.endpoint is None or settings.price is None:
        raise EvalsError(
            f"model {model[:40]!a}: no price is known, so a budget could not be kept",
            next_step=f'Write it in auditor.toml: [prices."{plain(model[:40])}"], prompt and answer; 0 and 0 for a server of your own.',
        )
    for remark in settings.remarks:
        order.say(plain(remark))
    start, price = _start(settings, repeats), settings.price
    desk = _desk(start, settings, order.environ)
    planner = planned(order.tasks, order.data, desk)
    with transcripts.alone(into):
        known = transcripts.read(into)
        if known is not None:
            transcripts.check_same(known.start, start)
        to_ask = wanted(planner, known.held if known is not None else {}, repeats=repeats, share=share)
        asker = Live(
            settings=settings,
            price=price,
            purse=Purse(limit=budget),
            folder=into,
            seconds=settings.limits.seconds if seconds is None else seconds,
        )
        order.say(
            f"{plain(model)}: {len(to_ask)} questions to ask, for at most {budget:g}; "
            f"a million tokens of questions cost {price.prompt:g}, of answers {price.answer:g}"
        )
        told = ask(asker, start, known, to_ask, parallel=parallel, progress=progress)
        order.say(f"spent: {asker.purse.spent:.4f}; {_took(into)}")
    return ModelRun(runs=scored(planner, order.data, desk, told, repeats=repeats), ended=asker.ended)


def replay(order: Order, *, folder: Path, repeats: int | None) -> ModelRun:
    """Answer from the transcripts of a folder: nothing is sent. `repeats`: by default as many as were asked.

    Raises EvalsError where there are none, and where the prompts are others by now.
    """
    told = transcripts.read(folder)
    if told is None:
        raise EvalsError(f"{folder}: expected transcripts of a run, found none", next_step=_NAME)
    settings = load_settings(order.root, order.environ, model="offline")
    desk = _desk(told.start, settings, order.environ)
    transcripts.check_same(told.start, _now(told, desk))
    planner = planned(order.tasks, order.data, desk)
    return ModelRun(runs=scored(planner, order.data, desk, told, repeats=repeats or told.start.repeats))


_NAME = "Name the folder of a run that asked a model: --transcripts .evals/MODEL"


def _start(settings: Settings, repeats: int) -> Start:
    endpoint = settings.endpoint
    if endpoint is None:
        raise ValueError("expected an endpoint")
    return Start(
        format=transcripts.FORMAT,
        model=endpoint.model,
        parameters=Parameters(
            question_tokens=settings.limits.tokens,
            answer_tokens=endpoint.max_output_tokens,
            structure=endpoint.structure,
            limit=endpoint.limit,
            temperature=endpoint.temperature,
        ),
        prompts=newest_prompts().digests,
        repeats=repeats,
    )


def _now(told: Transcripts, desk: Desk) -> Start:
    """The head as this version would write it: only its prompts can be others."""
    start = told.start
    return Start(
        format=start.format,
        model=start.model,
        parameters=start.parameters,
        prompts=desk.prompts.digests,
        repeats=start.repeats,
    )


def _desk(start: Start, settings: Settings, environ: Mapping[str, str]) -> Desk:
    redactor = Redactor(settings.redact, secrets=secrets_of(environ))
    return Desk(prompts=newest_prompts(), parameters=start.parameters, redactor=redactor)


def _took(folder: Path) -> str:
    """How long answers took, those of earlier commands among them."""
    took = seconds_told(folder)
    if not took:
        return "nothing was answered"
    median, slow = took[len(took) // 2], took[min(len(took) * 9 // 10, len(took) - 1)]
    return f"an answer took {median:.1f} s (median), {slow:.1f} s (9 of 10 took less), of {len(took)}"
