"""The project's example tests as part of a run: once on the candidate, under the quarantine that the judge holds."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from gate.config.model import Project
from gate.pipeline.events import StageStarted
from gate.pipeline.inputs import Inputs
from gate.pipeline.sides import Sides
from gate.replay.build import build_environment, expand, standing
from gate.replay.place import remove
from gate.replay.sandbox import NO_SANDBOX, Sandbox
from gate.replay.sandbox_layout import program_places, tool_folders
from gate.replay.slot import Slot
from gate.replay.tree import kill_strays
from gate.report.shown_votes import ShownSuite
from gate.suite.lease_file import read_quarantine
from gate.suite.results import SuiteRun
from gate.suite.run import keep_report, run_suite
from gate.suite.verdict import SuiteVerdict, judge_suite


def judge_examples(inputs: Inputs, sides: Sides, *, today: date) -> ShownSuite | None:
    """The verdict on one run of `suite.command`; None where `gate.toml` names no command. Raises SuiteError without data.

    A pass proves nothing, since the tests are the patch's own; a failure stops, unless the baseline was seen to have it, too.
    """
    project = inputs.project
    if not project.config.suite.command:
        return None
    quarantine = read_quarantine(project.quarantine_file)
    sides.prepare("candidate", inputs.cases)
    sides.listen(StageStarted(name="example tests: candidate"))
    with sides.housed("candidate"):
        run = run_on_copy(
            project,
            sides.slot,
            sides.slot.parked("candidate"),
            folder=sides.run_folder,
            name="suite",
            sandbox=sides.sandbox,
        )
    return _shown(judge_suite(run, quarantine, today=today), leases=bool(quarantine.leases))


def _shown(verdict: SuiteVerdict, *, leases: bool) -> ShownSuite:
    return ShownSuite(
        tests=verdict.tests,
        passed=verdict.passed,
        skipped=verdict.skipped,
        blocking=verdict.blocking,
        excused=tuple(lease.test for lease in verdict.excused),
        expired=tuple(lease.test for lease in verdict.expired),
        gone=tuple(lease.test for lease in verdict.unrun),
        today=verdict.today.isoformat() if leases else None,
    )


def run_on_copy(
    project: Project, slot: Slot, parked: Path, *, folder: Path, name: str, sandbox: Sandbox = NO_SANDBOX
) -> SuiteRun:
    """Run the suite once in a copy of the parked build that stands at the replay path: what tests write there reaches no other run.

    In a sandbox they write to that copy, a home and a report alone, and have no network. Leaves `name`.xml and `name`.log in
    `folder`. Nothing may stand at the replay path before. Raises SuiteError.
    """
    home, desk = slot.root / "suite-home", slot.root / "suite-report"
    with _copy(parked, slot.parking / "suite") as copy, standing(copy, at=slot.build), _fresh(home, desk):
        tools = tool_folders(
            build_environment(os.environ, (), home=home)["PATH"].split(os.pathsep), hidden=sandbox.hidden
        )
        words = (expand(word, build=slot.build) for word in project.config.suite.command[:1])
        tools += program_places(words, apart=slot.root, hidden=sandbox.hidden)
        prefix = sandbox.wrap((), writable=(slot.build, home, desk), readable=tools)
        try:
            return run_suite(
                project.config.suite,
                build=slot.build,
                home=home,
                report=desk / f"{name}.xml",
                log=folder / f"{name}.log",
                sandbox_prefix=tuple(prefix),
            )
        finally:
            kill_strays(str(slot.root))
            keep_report(desk / f"{name}.xml", folder / f"{name}.xml")


@contextmanager
def _fresh(*folders: Path) -> Iterator[None]:
    """Empty folders that are gone afterwards, whatever modes the tests gave to what they made there."""
    for folder in folders:
        remove(os.fsencode(folder))
        folder.mkdir()
    try:
        yield
    finally:
        for folder in folders:
            remove(os.fsencode(folder))


@contextmanager
def _copy(parked: Path, place: Path) -> Iterator[Path]:
    remove(os.fsencode(place))
    shutil.copytree(parked, place, symlinks=True)
    try:
        yield place
    finally:
        remove(os.fsencode(place))
