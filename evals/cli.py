"""`python -m evals`: how good are the drafts. Results on standard output and in files, talk on standard error."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evals.cli_record import record
from evals.cli_reports import compare, decisions
from gate.api import judging, put, say

app = typer.Typer(
    name="evals",
    help="How good the drafts are, with intervals and baselines. Offline: no key, no network. No verdict of the gate is moved.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Model = Annotated[
    str,
    typer.Option(
        "--model",
        help="offline; a baseline: all-intended, all-collateral, random, always-…; replay; or a live model by its name.",
    ),
]
Budget = Annotated[
    float | None,
    typer.Option("--budget", min=0, help="What a live model may cost, in the currency of the prices in auditor.toml."),
]
Repeats = Annotated[
    int | None, typer.Option("--repeats", min=1, max=20, help="How often a model is asked each question.")
]
Replayed = Annotated[
    Path | None, typer.Option("--transcripts", metavar="DIR", help="Where --model replay finds its answers.")
]
Parallel = Annotated[int, typer.Option("--parallel", min=1, max=32, help="Questions to a live model at once.")]
Share = Annotated[
    float, typer.Option("--share", min=0, max=1, help="Ask a live model this share of the questions, chosen by digest.")
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", min=1, help="For one question at most.", show_default="budget.seconds of auditor.toml"),
]
_LOST = "nothing was written"
_KEPT = "no report was written; what a model answered is kept, and the same command goes on"


@app.command()
def tasks() -> None:
    """List the tasks: name, what it measures, the data sets that it needs."""
    from evals.tasks import TASKS

    width = max(map(len, TASKS))
    for task in TASKS.values():
        needs = f" (needs {', '.join(task.files)})" if task.files else ""
        put(f"{task.name:<{width}}  {task.about}{needs}")


@app.command()
def run(
    names: Annotated[list[str] | None, typer.Argument(metavar="[TASK]...", help="By default all.")] = None,
    *,
    model: Model = "offline",
    into: Annotated[
        Path | None, typer.Option("--into", metavar="DIR", help="Where the results go.", show_default=".evals/MODEL")
    ] = None,
    budget: Budget = None,
    repeats: Repeats = None,
    transcripts: Replayed = None,
    parallel: Parallel = 1,
    share: Share = 1,
    seconds: Seconds = None,
) -> None:
    """Answer and score the tasks; write results.jsonl, report.md, report.html and figures.svg, and print the report.

    Data sets are read from the folder that AUDITOR_EVALSETS names, else from ../shared/evalsets beside the checkout. A task whose data is
    not there is skipped and said. If nothing could be run, the exit code is 2; if a live model was not asked all, since the budget is over
    or nobody answers there, it is 1: what was answered is kept, and the same command goes on.
    """
    import os

    from evals.chosen import Choice, carry_out
    from evals.folder import find_folder
    from evals.model_command import Order
    from evals.outputs import tell_ended, write_all
    from evals.progress import bar
    from evals.run import tasks_named
    from gate.api import ExitCode, finish

    with judging(interrupted=_KEPT):
        choice = Choice(
            model=model,
            into=into,
            budget=budget,
            repeats=repeats,
            transcripts=transcripts,
            parallel=parallel,
            share=share,
            seconds=seconds,
        )
        order = Order(tasks=tasks_named(names or []), data=find_folder(os.environ), environ=os.environ, say=say)
        with bar("asking") as progress:
            done = carry_out(choice, order, progress)
        put(write_all(done, choice.folder, say).rstrip("\n"))
        if tell_ended(done, say):
            raise finish(ExitCode.STOP)


app.command()(compare)
app.command()(decisions)
app.add_typer(record, name="record")


@app.command()
def approve(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="The results of a run, or their folder.")],
) -> None:
    """Keep the figures of a run as the approved ones, in evals/approved. A person looks at them first and commits them."""
    from evals.approved import approve as approved_bytes
    from evals.approved import path_of, read_approved
    from evals.results import read
    from evals.run import figures
    from evals.written import write

    with judging(interrupted=_LOST):
        head, rows = read(results)
        path = path_of(head.model)
        before = read_approved(path) if path.is_file() else None
        write(path, approved_bytes(head, figures(rows, head.tasks), before))
        put(f"approved: {head.model}: {', '.join(head.tasks)}")


@app.command()
def check(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="The results of a run, or their folder.")],
) -> None:
    """Hold the figures of a run against the approved ones. Exit code 1 where one departs."""
    from evals.approved import departures, path_of, read_approved
    from evals.results import read
    from evals.run import figures
    from gate.api import ExitCode, finish

    with judging(interrupted=_LOST):
        head, rows = read(results)
        told = departures(read_approved(path_of(head.model)), head, figures(rows, head.tasks))
        for line in told:
            put(line)
        if told:
            raise finish(ExitCode.STOP)
        put(f"as approved: {', '.join(head.tasks)}")
