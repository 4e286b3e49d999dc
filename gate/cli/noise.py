"""`gate noise`: audit the noise rules on what was recorded, and propose rules for what the baseline itself varies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import Format, FormatOption, ProjectOption
from gate.console import finish, judging, put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.diff.noise import Noise
    from gate.diff.rules import NoiseRule
    from gate.pipeline.noise import RecordedRuns

TracesArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[TRACE]...",
        help="Traces of the baseline, one a run, in either format.",
        show_default="what is kept of the latest run's baseline",
    ),
]
RunOption = Annotated[
    Path | None,
    typer.Option("--run", metavar="DIR", help="The folder of a run.", show_default=".gate/latest"),
]
BaselineOption = Annotated[
    Path | None, typer.Option("--baseline", metavar="DIR", help="A build whose golden is kept (gate capture).")
]


def register(app: typer.Typer) -> None:
    """Add the group `gate noise` to `app`."""
    group = typer.Typer(no_args_is_help=True, help="The noise rules: what they take out, and what they would hide.")
    group.command("audit")(audit)
    group.command("suggest")(suggest)
    app.add_typer(group, name="noise")


def audit(
    traces: TracesArgument = None,
    run: RunOption = None,
    baseline: BaselineOption = None,
    project: ProjectOption = Path(),
    format: FormatOption = Format.TEXT,  # noqa: A002 - the option's name
) -> None:
    """Show what each rule takes out of the recorded runs, and which changes there the gate would not see. Nothing is run.

    Ends in 0 without findings, in 1 with one, in 2 where nothing can be read, and in 3 where one run alone was recorded.
    """
    from gate.diff.noise_audit import audit_noise
    from gate.report.noise_shown import encode_audit, exit_code
    from gate.report.noise_text import audit_lines

    with judging():
        _, noise, recorded = _read(project, traces or (), run, baseline)
        found = audit_noise(recorded.cases, noise)
    if format is Format.JSON:
        put(encode_audit(found, noise.digest).decode().rstrip("\n"))
    else:
        put("\n".join(audit_lines(found)))
    raise finish(exit_code(found))


def suggest(
    traces: TracesArgument = None,
    run: RunOption = None,
    baseline: BaselineOption = None,
    project: ProjectOption = Path(),
) -> None:
    """Propose rules for what the baseline's own runs disagree about, to paste into gate.toml. Nothing is run or written."""
    from gate.diff.noise_suggest import suggest_noise
    from gate.errors import NoiseError
    from gate.report.suggest_text import suggestion_lines

    with judging():
        rules, _, recorded = _read(project, traces or (), run, baseline)
        if len(recorded.files) < 2:
            raise NoiseError(
                f"expected at least two runs of the baseline, got one: {recorded.files[0]}",
                next_step="Record more: gate run --baseline DIR --against-itself, or gate capture --baseline DIR; then ask again.",
            )
        found = suggest_noise(recorded.cases, rules)
    put("\n".join(suggestion_lines(found, runs=len(recorded.files))))


def _read(
    root: Path, traces: Sequence[Path], run: Path | None, baseline: Path | None
) -> tuple[tuple[NoiseRule, ...], Noise, RecordedRuns]:
    from gate.config.load import load_project
    from gate.diff.noise import Noise
    from gate.pipeline.noise import recorded_runs

    project = load_project(root)
    noise = Noise.compile(project.config.noise)
    return project.config.noise, noise, recorded_runs(project, traces=traces, run=run, baseline=baseline)
