"""What the corpus shows of the baseline, beside what it covers of the grammar."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gate.config.model import Project
from gate.corpus.behaviour import BehaviourShown, behaviour_shown
from gate.corpus.format import read_corpus
from gate.pipeline.branches import Branches, require_library, unreached_branches
from gate.pipeline.events import Listener
from gate.pipeline.golden import golden
from gate.pipeline.own_sources import codes_of, own_sources
from gate.pipeline.refs import Commits, trees_of_commits
from gate.pipeline.stage import stage
from gate.pipeline.unpinned import unpinned_inputs
from gate.replay.build import read_source
from gate.replay.sandbox import SandboxMode


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """The report on a baseline."""

    behaviour: BehaviourShown
    branches: Branches | None
    """None: they were not asked for."""


def observed(
    project: Project,
    baseline: Path,
    *,
    branches: bool,
    workers: int | None,
    sandbox: SandboxMode,
    listen: Listener,
) -> Observed:
    """What the cases of the corpus do on the baseline: from a kept golden where there is one, else it is replayed, and its golden kept.

    With `branches` the cases run once more, measured. The pins need not hold, and nothing of the judge is written. Raises GateError.
    """
    if branches:
        require_library()
    source = read_source("baseline", baseline)
    own = own_sources(source.tree, project)
    inputs = unpinned_inputs(project, read_corpus(project.corpus_file))
    with stage(inputs, {"baseline": source}, workers=workers, sandbox=sandbox, listen=listen) as sides:
        runs, _ = golden(inputs, sides)
        found = unreached_branches(sides, inputs.cases, own) if branches else None
    shown = behaviour_shown(project.config.grammar, inputs.cases, runs[0], codes_of(own))
    return Observed(behaviour=shown, branches=found)


def observed_at_commit(
    project: Project,
    ref: str,
    *,
    branches: bool,
    workers: int | None,
    sandbox: SandboxMode,
    listen: Listener,
) -> Observed:
    """As `observed`, on the tree of a commit. The corpus is the work tree's."""
    with trees_of_commits(project.root, Commits(base=ref), listen=listen) as (_, trees):
        return observed(project, trees.baseline, branches=branches, workers=workers, sandbox=sandbox, listen=listen)
