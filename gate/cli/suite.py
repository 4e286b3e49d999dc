"""`gate suite`: measure the example tests on the baseline, and keep the quarantine."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import Format, FormatOption, ProjectOption, SandboxOption
from gate.console import finish, in_colour, judging, put, report_width, say
from gate.exit_codes import ExitCode

if TYPE_CHECKING:
    from gate.pipeline.suite import Measured
    from gate.replay.sandbox import SandboxMode

_SOURCES = "Name one source: --baseline DIR, --base REF, or --junit with the reports of 10 consecutive runs."


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("suite")(suite)


def suite(
    *,
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", dir_okay=False, help="With --junit: the reports, oldest first."),
    ] = None,
    baseline: Annotated[Path | None, typer.Option(help="The build before the patch; its tests run 10 times.")] = None,
    base: Annotated[str | None, typer.Option(help="The commit before the patch; its tests run 10 times.")] = None,
    junit: Annotated[
        bool, typer.Option("--junit", help="Read JUnit XML reports of the baseline; the last 10 count.")
    ] = False,
    project: ProjectOption = Path(),
    sandbox: SandboxOption = "auto",
    format: FormatOption = Format.TEXT,  # noqa: A002 - the option's name
) -> None:
    """Measure which example tests are flaky on the baseline, and write their leases to quarantine.txt.

    A test that fails at least twice and passes at least once in 10 runs does not block for 7 days. Exit code 1: a test failed that
    gets no lease; 2: no data.
    """
    from gate.pipeline.suite import settle
    from gate.suite.tell import as_json, as_text

    with judging():
        measured = _measured(project, files or [], baseline=baseline, base=base, junit=junit, sandbox=sandbox)
        renewal = settle(measured, today=datetime.now(UTC).date())
    code = ExitCode.STOP if measured.measurement.blocks else ExitCode.CLEAN
    if format is Format.JSON:
        put(as_json(measured.measurement, renewal, exit_code=code))
    else:
        put(as_text(measured.measurement, renewal, width=report_width(), colour=in_colour()))
    count = len(renewal.quarantine.leases)
    say(f"quarantine: {measured.project.quarantine_file}: {count} {'lease' if count == 1 else 'leases'}")
    if measured.folder is not None:
        say(f"reports and logs: {measured.folder}")
    raise finish(code)


def _measured(
    root: Path, files: list[Path], *, baseline: Path | None, base: str | None, junit: bool, sandbox: SandboxMode
) -> Measured:
    from gate.cli.progress import progress
    from gate.config.load import load_project
    from gate.errors import ConfigError
    from gate.pipeline.suite import measure_commit, measure_reports, measure_tree

    named = (baseline is not None) + (base is not None) + junit
    if named != 1:
        raise ConfigError(f"expected one source of runs, got {named or 'none'}", next_step=_SOURCES)
    if files and not junit:
        raise ConfigError(f"expected no files without --junit, got {len(files)}", next_step=_SOURCES)
    with progress() as listen:
        if base is not None:
            return measure_commit(root, base, sandbox=sandbox, listen=listen)
        loaded = load_project(root)
        if baseline is not None:
            return measure_tree(loaded, baseline, sandbox=sandbox, listen=listen)
        return measure_reports(loaded, files, listen=listen)
