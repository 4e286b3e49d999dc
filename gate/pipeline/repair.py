"""Giving a frozen property its vote back: fresh runs on the baseline, all of which have to agree."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from gate.config.model import Project
from gate.errors import PropertyError
from gate.files import only_writer
from gate.pipeline.events import Listener
from gate.pipeline.inputs import read_inputs
from gate.pipeline.refs import Commits, trees_of_commits
from gate.pipeline.stage import stage
from gate.pipeline.votes import Booth
from gate.replay.build import SideName, Source, read_source
from gate.replay.sandbox import SandboxMode
from gate.voting.ballots import Ballot
from gate.voting.freeze_set import read_freeze_set
from gate.voting.repairs import disagreement, evidence_of, require_repairable, shown, standing, write_repair


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """Who repaired which property, and how."""

    name: str
    owner: str
    note: str
    today: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """What came of it."""

    ballot: Ballot
    evidence: Path | None
    """The file of evidence; None where the runs did not agree: the property stays frozen, and nothing was written."""
    why: str = ""
    """In what the runs did not agree."""


def repair(
    project: Project, tree: Path, asked: Repair, *, workers: int | None, sandbox: SandboxMode, listen: Listener
) -> Repaired:
    """Run the property `voting.repair_runs` times on the baseline in `tree`, and give its vote back where all runs agree.

    Agreed failures count, too: an oracle that always says the same has a vote. The pins have to hold. Raises PropertyError when the
    property is not frozen or a run could not vote, and when the judge changed meanwhile.
    """
    held = read_freeze_set(project.freeze_file)
    judge = standing(project)
    entry = require_repairable(held, asked.name, owner=asked.owner, note=asked.note, judge=judge)
    inputs = read_inputs(project)
    source = read_source("baseline", tree)
    sources: dict[SideName, Source] = {"baseline": source}
    least = project.config.voting.repair_runs
    with stage(inputs, sources, workers=workers, sandbox=sandbox, listen=listen) as sides:
        ballot = Booth(inputs, sides).repeated(asked.name, runs=least)
    runs = shown(ballot.runs)
    if (why := disagreement(runs, least=least)) is not None:
        return Repaired(ballot=ballot, evidence=None, why=why)
    settings = {} if ballot.facts is None else _settings(ballot)
    evidence = evidence_of(
        entry, runs, owner=asked.owner, note=asked.note, today=asked.today, judge=judge, settings=settings
    )
    with only_writer(project.judge_lock):
        if standing(project) != judge or read_freeze_set(project.freeze_file) != held:
            raise PropertyError(
                "the properties, the fixtures or the freeze set changed while the property ran",
                next_step="Leave them alone meanwhile, and repair again.",
            )
        return Repaired(ballot=ballot, evidence=write_repair(project, held, evidence))


def repair_at_commit(
    project: Project, ref: str, asked: Repair, *, workers: int | None, sandbox: SandboxMode, listen: Listener
) -> Repaired:
    """As `repair`, on the tree of a commit. The judge is the work tree's: the repaired property is not committed yet."""
    with trees_of_commits(project.root, Commits(base=ref), listen=listen) as (_, trees):
        return repair(project, trees.baseline, asked, workers=workers, sandbox=sandbox, listen=listen)


def _settings(ballot: Ballot) -> dict[str, bool | int | float | str | None]:
    facts = ballot.facts
    assert facts is not None
    of_tests = {f"{test.id}: {name}": value for test in facts.tests for name, value in test.settings}
    return {"python": facts.python, "pytest": facts.pytest, "hypothesis": facts.hypothesis, **of_tests}
