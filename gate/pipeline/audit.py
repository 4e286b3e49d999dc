"""One run of the gate, in order: pins, builds, replays, confirmation, comparison, policy, scorecard."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from gate.config.model import Project
from gate.diff.findings import Comparison
from gate.diff.noise import CANONICAL_VERSION
from gate.domain import CaseId
from gate.errors import BuildError
from gate.files import write_atomically
from gate.pipeline.events import Listener
from gate.pipeline.inputs import Inputs, read_inputs
from gate.pipeline.observe import observe
from gate.pipeline.stage import stage
from gate.policy.load import read_policy
from gate.policy.match import Judgement, judge
from gate.policy.model import Policy
from gate.replay.build import SideName, Source, read_source
from gate.report.conclude import Circumstances, conclude
from gate.report.scorecard import Digests, Runs, Scorecard, encode, write_deltas


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """The two trees of a run. Without a candidate the baseline is held against itself: an audit of the judge."""

    baseline: Path
    candidate: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What a run gave."""

    scorecard: Scorecard
    comparison: Comparison
    judgement: Judgement
    folder: Path
    """Scorecard, deltas and traces of the run."""


def audit(project: Project, trees: Trees, *, workers: int | None, today: date, listen: Listener) -> Audit:
    """Judge the candidate (or, without one, the judge itself).

    `today` is read only where the policy has an entry that expires. `workers` None: one a core; the scorecard is the same bytes
    for any number. Raises GateError when no verdict can be given: nothing is compared then.
    """
    inputs = read_inputs(project)
    policy = _policy(project, trees)
    sources = _sources(trees)
    with stage(inputs, sources, workers=workers, listen=listen) as sides:
        observed = observe(inputs, sides)
        comparison = observed.compare(inputs.noise)
        judgement = judge(comparison.deltas, policy, today=today)
        told = _circumstances(inputs, trees, sources, observed.confirmed, today)
        done = Audit(
            scorecard=conclude(comparison, judgement, told),
            comparison=comparison,
            judgement=judgement,
            folder=sides.run_folder,
        )
        write_deltas(done.folder / "deltas.jsonl", comparison.deltas)
        write_atomically(done.folder / "scorecard.json", encode(done.scorecard))
        sides.store.point_latest(done.folder)
        return done


def _policy(project: Project, trees: Trees) -> Policy:
    """The policy; against itself the baseline may differ in nothing, so that no entry is asked, though all must be readable."""
    policy = read_policy(project.policy_file, missing_ok=True)
    return policy if trees.candidate is not None else Policy(name=policy.name)


def _sources(trees: Trees) -> dict[SideName, Source]:
    baseline = read_source("baseline", trees.baseline)
    if trees.candidate is None:
        return {"baseline": baseline, "candidate": replace(baseline, side="candidate")}
    candidate = read_source("candidate", trees.candidate)
    if candidate.digest == baseline.digest:
        raise BuildError(
            f"baseline and candidate are the same tree ({baseline.digest}): there is no change to judge",
            next_step="Name the patched tree with --candidate; to hold the baseline against itself on purpose, use --against-itself.",
        )
    return {"baseline": baseline, "candidate": candidate}


def _circumstances(
    inputs: Inputs, trees: Trees, sources: dict[SideName, Source], confirmed: tuple[CaseId, ...], today: date
) -> Circumstances:
    judge_, replay = inputs.judge, inputs.project.config.replay
    return Circumstances(
        mode="baseline against itself" if trees.candidate is None else "baseline against candidate",
        canonical=CANONICAL_VERSION,
        digests=Digests(
            baseline=sources["baseline"].digest,
            candidate=sources["candidate"].digest,
            corpus=judge_.corpus,
            fixtures=judge_.pack.digest,
            config=judge_.config,
            noise=judge_.noise,
            policy=judge_.policy,
            environment=inputs.environment,
        ),
        runs=Runs(repeats=replay.repeats, confirm=replay.confirm, confirmed=confirmed),
        ignored_files=replay.ignore_files,
        ignored_content=replay.ignore_content,
        today=today,
    )
