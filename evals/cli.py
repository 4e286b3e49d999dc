"""`python -m evals`: how good are the drafts. Results on standard output and in files, talk on standard error."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
    str, typer.Option("--model", help="offline, or a baseline: all-intended, all-collateral, random, always-…")
]
_LOST = "nothing was written"


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
    model: Model = "offline",
    into: Annotated[
        Path | None, typer.Option("--into", metavar="DIR", help="Where the results go.", show_default=".evals/MODEL")
    ] = None,
) -> None:
    """Answer and score the tasks; write results.jsonl and report.md, and print the report.

    Data sets are read from the folder that AUDITOR_EVALSETS names, else from ../shared/evalsets beside the checkout. A task whose data is
    not there is skipped and said. If nothing could be run, the exit code is 2.
    """
    import os

    from evals import results
    from evals.drafters import drafter
    from evals.errors import EvalsError
    from evals.folder import VARIABLE, find_folder
    from evals.report import markdown
    from evals.run import run as run_tasks
    from evals.run import tasks_named
    from evals.written import write

    with judging(interrupted=_LOST):
        done = run_tasks(tasks_named(names or []), drafter(model), find_folder(os.environ), tell=say)
        for name, why in done.head.skipped.items():
            say(f"skipped: {name}: {why}")
        if not done.rows:
            raise EvalsError("no task could be run", next_step=f"Name the folder of the data sets in {VARIABLE}.")
        folder = into or Path(".evals") / done.head.model
        report = markdown(done)
        write(folder / results.NAME, results.render(done.head, done.rows))
        write(folder / "report.md", report.encode())
        put(report.rstrip("\n"))
        say(f"written: {folder / results.NAME}, {folder / 'report.md'}")


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="The results of a run, or their folder.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Those of another.")],
) -> None:
    """Compare two runs in pairs: the same samples, who was right where the other was not."""
    from evals.compare import markdown, paired, unpaired
    from evals.results import read

    with judging(interrupted=_LOST):
        one, other = read(first), read(second)
        alone = unpaired(one[1], other[1])
        put(markdown(one[0].model, other[0].model, paired(one, other), alone).rstrip("\n"))


@app.command()
def approve(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="The results of a run, or their folder.")],
) -> None:
    """Keep the figures of a run as the approved ones, in evals/approved. A person looks at them first and commits them."""
    from evals.approved import approve as approved_bytes
    from evals.approved import path_of
    from evals.results import read
    from evals.run import figures
    from evals.written import write

    with judging(interrupted=_LOST):
        head, rows = read(results)
        write(path_of(head.model), approved_bytes(head, figures(rows, head.tasks)))
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
