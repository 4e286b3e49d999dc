"""`python -m evals record`: make the recordings that tasks are answered from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gate.api import judging, put, say

_KEPT = "what was recorded is kept, and the same command goes on"

record = typer.Typer(no_args_is_help=True, help="Make the recordings that some tasks read. It takes minutes.")


@record.command()
def policy_pairs(
    names: Annotated[list[str] | None, typer.Argument(metavar="[PAIR]...", help="By default all.")] = None,
    *,
    pairs: Annotated[
        Path | None,
        typer.Option(
            "--pairs",
            metavar="DIR",
            help="The folder of the pairs' files.",
            show_default="what AUDITOR_PAIRS names, else ../shared/pairs/cases beside the checkout",
        ),
    ] = None,
    into: Annotated[
        Path | None,
        typer.Option(
            "--into",
            metavar="FILE",
            help="Where it goes.",
            show_default=".evals/recorded/policy-pairs.jsonl",
            dir_okay=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="Processes that replay.", show_default="one a core"),
    ] = None,
) -> None:
    """Install the two releases of each pair, run the gate between them, and keep what it flags. Needs a package index.

    A pair that has its line is not run again. One whose Python is not here is skipped and said. If one could not be recorded, the exit
    code is 1; if none could, it is 2.
    """
    import os

    from evals.errors import EvalsError
    from evals.pairs.files import VARIABLE, pair_files
    from evals.pairs.recorded import place_of
    from evals.pairs.recorder import record as record_pairs
    from gate.api import ExitCode, finish

    with judging(interrupted=_KEPT):
        known = {file.stem: file for file in pair_files(pairs)}
        for name in names or ():
            if name not in known:
                raise EvalsError(
                    f"pair {name[:60]!a}: expected one of {', '.join(known) or '(none)'}",
                    next_step=f"Name the folder of the pairs: --pairs DIR, or {VARIABLE}.",
                )
        if not known:
            raise EvalsError(
                "expected pairs of versions, found none", next_step=f"Name their folder: --pairs DIR, or {VARIABLE}."
            )
        path = into or place_of(os.environ)
        chosen = [known[name] for name in known if not names or name in names]
        done = record_pairs(chosen, path, say=say, workers=workers)
        put(
            f"{len(done.recorded)} pairs recorded, {len(done.there)} there before, {len(done.skipped)} skipped, "
            f"{len(done.failed)} failed: {path}"
        )
        if not (done.recorded or done.there):
            raise EvalsError(
                "no pair could be recorded", next_step="What is missing is said above; docs/evals.md, Pairs."
            )
        if done.failed:
            raise finish(ExitCode.STOP)


@record.command()
def hypotheses(
    names: Annotated[list[str] | None, typer.Argument(metavar="[FAULT]...", help="By default all.")] = None,
    *,
    into: Annotated[
        Path | None,
        typer.Option(
            "--into", metavar="FILE", help="Where it goes.", show_default="evals/data/hypotheses.jsonl", dir_okay=False
        ),
    ] = None,
) -> None:
    """Seed each fault, have the gate judge it, run every experiment that it offers, and keep what was seen.

    What is recorded already, of the same fault, program and Python, is left as it is: whoever interrupts it goes on with the same command.
    """
    from evals.faults.recorded import RECORDED
    from evals.faults.recorder import record_all
    from evals.faults.table import faults_named
    from evals.progress import bar

    with judging(interrupted=_KEPT):
        path = into or RECORDED
        with bar("recording") as begin:
            held = record_all(faults_named(names or ()), path, begin, say)
        put(f"{len(held)} faults in {path}")
