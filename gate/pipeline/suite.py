"""Measuring the example tests on a baseline, and what becomes of the quarantine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from gate.config.model import Project
from gate.errors import SuiteError
from gate.files import only_writer, write_atomically
from gate.pipeline.events import CaseDone, Listener, Remark, StageStarted
from gate.pipeline.examples import run_on_copy
from gate.pipeline.refs import Commits, trees_of_commits
from gate.replay.build import Source, build_key, make_build, read_source
from gate.replay.sandbox import Sandbox, SandboxMode, find_sandbox
from gate.replay.slot import Slot, claim_slot
from gate.replay.store import LocalStore
from gate.replay.tree import kill_strays
from gate.suite.junit import parse_report
from gate.suite.lease_file import read_quarantine, render_quarantine
from gate.suite.quarantine import Renewal, renew
from gate.suite.results import SuiteRun
from gate.suite.rule import RUNS, Measurement, tally
from gate.suite.run import measure, require_command


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A measurement of the suite, and the project whose quarantine it speaks of."""

    project: Project
    measurement: Measurement
    folder: Path | None = None
    """The reports and logs of the runs; None where existing reports were read."""


def measure_tree(project: Project, tree: Path, *, listen: Listener, sandbox: SandboxMode = "off") -> Measured:
    """Build the baseline in `tree`, and run the suite `RUNS` times, each in a fresh copy of that build. Raises GateError."""
    require_command(project.config.suite)
    source = read_source("baseline", tree)
    walls = find_sandbox(sandbox)
    store = LocalStore(root=project.state)
    with claim_slot(project.state.parent) as slot:
        folder = store.new_run()
        _build(project, source, slot, store, log=folder / "build-baseline.log", sandbox=walls, listen=listen)
        listen(StageStarted(name="example tests: baseline", total=RUNS))

        def run_once(number: int) -> SuiteRun:
            run = run_on_copy(
                project, slot, slot.parked("baseline"), folder=folder, name=f"suite-{number:02d}", sandbox=walls
            )
            listen(CaseDone())
            return run

        return Measured(project=project, measurement=measure(run_once), folder=folder)


def measure_commit(root: Path, ref: str, *, listen: Listener, sandbox: SandboxMode = "off") -> Measured:
    """As `measure_tree` for the tree of a commit and the `gate.toml` that it holds. The quarantine is that of the work tree at `root`:
    measuring proposes a file that a person commits. Raises GateError.
    """
    with trees_of_commits(root, Commits(base=ref), listen=listen) as (project, trees):
        measured = measure_tree(project, trees.baseline, sandbox=sandbox, listen=listen)
    return replace(measured, project=replace(project, root=root.resolve()))


def measure_reports(project: Project, files: Sequence[Path], *, listen: Listener) -> Measured:
    """Count the last `RUNS` of the reports, in the order given. Raises SuiteError for fewer, and for one file given twice."""
    last = files[-RUNS:]
    if len(files) > RUNS:
        listen(Remark(text=f"note: {len(files)} reports were given; the last {RUNS} count, from {last[0]} on"))
    seen: dict[Path, Path] = {}
    for file in last:
        if (first := seen.get(file.resolve())) is not None:
            raise SuiteError(
                f"{file}: expected a report a run, but {first} is the same file",
                next_step=f"Name the reports of {RUNS} consecutive runs on the baseline.",
            )
        seen[file.resolve()] = file
    runs = tuple(parse_report(_bytes(file), name=str(file)) for file in last)
    return Measured(project=project, measurement=tally(runs))


def settle(measured: Measured, *, today: date) -> Renewal:
    """Renew the project's quarantine and write it, if the leases changed. Raises SuiteError; then nothing is written."""
    file = measured.project.quarantine_file
    with only_writer(measured.project.judge_lock):
        before = read_quarantine(file)
        renewal = renew(before, measured.measurement, today=today)
        if renewal.quarantine != before:
            write_atomically(file, render_quarantine(renewal.quarantine))
        return renewal


def _build(
    project: Project, source: Source, slot: Slot, store: LocalStore, *, log: Path, sandbox: Sandbox, listen: Listener
) -> None:
    """The baseline's build, parked: the one kept for this tree, where there is one."""
    build, parked = project.config.build, slot.parked("baseline")
    key = build_key(source, build, at=slot.build, sandbox=sandbox)
    if build.command and store.fetch_build(key, to=parked):
        return
    listen(StageStarted(name="building: baseline"))
    try:
        make_build(
            source, build, parked=parked, place=slot.build, home=slot.root / "build-home", log=log, sandbox=sandbox
        )
    finally:
        if build.command:
            kill_strays(str(slot.root))
    if build.command:
        store.keep_build(key, parked)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise SuiteError(
            f"{file}: expected a JUnit XML report, got: {error.strerror}",
            next_step=f"Name the reports of {RUNS} consecutive runs on the baseline.",
        ) from error
