"""`gate corpus freeze`: set aside the cases that are not steady on the baseline."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.corpus_file import WHOLE
from gate.cli.options import ProjectOption, SandboxOption, WorkersOption
from gate.console import judging, put, say
from gate.counted import counted

if TYPE_CHECKING:
    from gate.config.model import Project
    from gate.diff.cure import Cure
    from gate.diff.findings import Unstable
    from gate.pipeline.corpus_freeze import Frozen

_MOST = 4
"""Values of a check that are printed."""


def freeze(
    *,
    baseline: Annotated[Path | None, typer.Option(help="The build to run the cases on.")] = None,
    base: Annotated[str | None, typer.Option(help="The commit whose tree to run them on.")] = None,
    runs: Annotated[int, typer.Option(help="How often; each run has a hash seed of its own.")] = 5,
    project: ProjectOption = Path(),
    workers: WorkersOption = None,
    sandbox: SandboxOption = "auto",
) -> None:
    """Run every case on the baseline several times, and set aside those that do not give the same each time, with the reason.

    A case that is set aside is no longer compared: look at its cure first.
    """
    from gate.cli.progress import progress
    from gate.config.load import load_project
    from gate.errors import ConfigError
    from gate.pipeline.corpus_freeze import freeze_corpus, freeze_corpus_at_commit

    with judging(interrupted=WHOLE):
        if (baseline is None) == (base is None):
            raise ConfigError(
                f"expected one baseline, got {'none' if base is None else 'two'}",
                next_step="Name the build with --baseline, or the commit with --base.",
            )
        audited = load_project(project)
        with progress() as listen:
            if baseline is not None:
                done = freeze_corpus(audited, baseline, runs=runs, workers=workers, sandbox=sandbox, listen=listen)
            else:
                done = freeze_corpus_at_commit(
                    audited, str(base), runs=runs, workers=workers, sandbox=sandbox, listen=listen
                )
    for line in _lines(done, runs):
        put(line)
    _tell_written(audited, done)


def _lines(done: Frozen, runs: int) -> Iterable[str]:
    for row in done.aside:
        yield f"set aside {row.case.id}"
        for check, cure in done.cures:
            if check.case == row.case.id:
                yield from _check_lines(check, cure)
    for case in done.returned:
        yield f"kept {case}: it was set aside before, and is steady now"
    aside = f"{counted(len(done.aside), 'case')} set aside after {runs} runs of the baseline"
    yield f"{aside}; {counted(done.kept, 'case')} left in the corpus"


def _check_lines(check: Unstable, cure: Cure) -> Iterable[str]:
    from gate.diff.escape import escaped
    from gate.diff.render import render_value
    from gate.diff.rule_block import rule_block
    from gate.diff.spread import spread

    command, name = (escaped(text.encode("utf-8", "surrogateescape")) for text in (check.command, check.field))
    yield f"  step {check.step} ({command}), {name}:"
    seen = spread(check.baseline)
    yield from (
        f"    {render_value(value, 60)} in {count} of {len(check.baseline)} runs" for value, count in seen[:_MOST]
    )
    if len(seen) > _MOST:
        yield f"    … {len(seen) - _MOST} more values"
    yield f"    cure: {cure.words}"
    for rule in cure.rules:
        yield from (f"      {line}" for line in rule_block(rule))


def _tell_written(project: Project, done: Frozen) -> None:
    from gate.corpus.aside import FILE

    if not done.changed:
        say("nothing was written")
        return
    names = [FILE, *([project.corpus_file.name] if done.aside else [])]
    say(f"wrote {' and '.join(f'{project.config.folder}/{name}' for name in names)}")
    if project.pins_file.exists():
        say("The pins no longer hold: renew them in a commit of its own: gate pin")
