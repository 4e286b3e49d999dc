"""One run of the gate, in order: pins, builds, replays, confirmation, comparison, policy, votes, example tests, scorecard."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from gate.config.model import Project
from gate.diff.findings import Comparison
from gate.diff.noise import CANONICAL_VERSION
from gate.errors import BuildError
from gate.files import write_atomically
from gate.octets import to_wire
from gate.pipeline.causes import causes
from gate.pipeline.commit_range import Commits
from gate.pipeline.events import Listener
from gate.pipeline.examples import judge_examples
from gate.pipeline.failures import write_failures
from gate.pipeline.freezing import remember
from gate.pipeline.inputs import Inputs, read_inputs
from gate.pipeline.integrity import Patch
from gate.pipeline.made_from import Trees, remember_sides
from gate.pipeline.observe import Observed, observe
from gate.pipeline.sides import Sides
from gate.pipeline.stage import stage
from gate.pipeline.votes import Booth
from gate.policy.load import read_policy
from gate.policy.match import Judgement, judge
from gate.policy.model import Policy
from gate.policy.render import render_entry
from gate.replay.build import SideName, Source, read_source
from gate.replay.sandbox import SandboxMode
from gate.report.conclude import Circumstances, conclude
from gate.report.scorecard import Digests, Mode, Runs, Scorecard, ShownPatch, encode, write_deltas
from gate.report.votes import shown_votes

__all__ = ["Audit", "Trees", "audit", "sources_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What a run gave."""

    scorecard: Scorecard
    comparison: Comparison
    judgement: Judgement
    folder: Path
    """Scorecard, deltas and traces of the run."""


def audit(
    project: Project,
    trees: Trees,
    *,
    workers: int | None,
    today: date,
    listen: Listener,
    sandbox: SandboxMode = "off",
    patch: Patch | None = None,
    commits: Commits | None = None,
) -> Audit:
    """Judge the candidate (or, without one, the judge itself).

    `today` is read only where the policy has an entry that expires. `workers` None: one a core; the scorecard is the same bytes
    for any number. `patch`: what changed between two commits, where there are such. With a patch of the judge, the trees differ in
    the judge's files alone: the policy allows nothing between them, and what it takes out of the freeze set votes as often as for a repair.
    `commits`: where the trees were taken from, if anywhere; that, or else the trees' own paths, is noted in the run's folder.

    Raises GateError when no verdict can be given.
    """
    inputs = read_inputs(project)
    policy = _policy(project, trees, patch)
    sources = sources_of(trees)
    with stage(inputs, sources, workers=workers, sandbox=sandbox, listen=listen) as sides:
        booth = Booth(inputs, sides)
        observed = observe(inputs, sides)
        comparison = observed.compare(inputs.noise)
        judgement = judge(comparison.deltas, policy, today=today)
        poll = booth.poll(repaired=() if patch is None else patch.repaired)
        tests = judge_examples(inputs, sides, today=today)
        told = _circumstances(inputs, sides, trees, observed, today=today, patch=patch)
        votes = shown_votes(poll.ballots, poll.baseline)
        # last: no verdict rests on a build that these replays have seen
        follows = causes(inputs, sides, comparison, confirmed=observed.confirmed)
        done = Audit(
            scorecard=conclude(comparison, judgement, told, votes=votes, suite=tests, follows=follows),
            comparison=comparison,
            judgement=judgement,
            folder=sides.run_folder,
        )
        write_deltas(done.folder / "deltas.jsonl", comparison.deltas)
        write_failures(done.folder, poll.ballots)
        write_atomically(done.folder / "scorecard.json", encode(done.scorecard))
        remember_sides(done.folder, commits or trees)  # before the run can be the latest one: a reader finds it whole
        sides.store.point_latest(done.folder)
        remember(project, poll, today=today, listen=listen)
        return done


def _policy(project: Project, trees: Trees, patch: Patch | None) -> Policy:
    """The policy; against itself a program may differ in nothing, so that no entry is asked, though all must be readable."""
    policy = read_policy(project.policy_file, missing_ok=True)
    return Policy(name=policy.name) if trees.candidate is None or _is_of_judge(patch) else policy


def _is_of_judge(patch: Patch | None) -> bool:
    return patch is not None and patch.kind == "judge"


def sources_of(trees: Trees) -> dict[SideName, Source]:
    """Both sides; without a candidate the baseline is both. Raises BuildError for one tree under two names."""
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
    inputs: Inputs, sides: Sides, trees: Trees, observed: Observed, *, today: date, patch: Patch | None
) -> Circumstances:
    sources = sides.sources
    judge_, replay = inputs.judge, inputs.project.config.replay
    return Circumstances(
        mode=_mode(trees, patch),
        patch=None if patch is None else _shown_patch(patch),
        canonical=CANONICAL_VERSION,
        digests=Digests(
            baseline=sources["baseline"].digest,
            candidate=sources["candidate"].digest,
            corpus=judge_.corpus,
            fixtures=judge_.pack.digest,
            config=judge_.config,
            noise=judge_.noise,
            properties=judge_.properties,
            policy=judge_.policy,
            environment=inputs.environment,
        ),
        runs=Runs(
            repeats=replay.repeats,
            confirm=replay.confirm,
            confirmed=observed.confirmed,
            doubted=observed.doubted,
            sandbox=sides.sandbox.kind,
        ),
        ignored_files=replay.ignore_files,
        ignored_content=replay.ignore_content,
        today=today,
        noise=inputs.noise,
    )


def _mode(trees: Trees, patch: Patch | None) -> Mode:
    if _is_of_judge(patch):
        return "baseline against itself under a new judge"
    return "baseline against itself" if trees.candidate is None else "baseline against candidate"


def _shown_patch(patch: Patch) -> ShownPatch:
    return ShownPatch(
        kind=patch.kind,
        judge=tuple(map(to_wire, patch.judge)),
        control=tuple(map(to_wire, patch.control)),
        product=tuple(map(to_wire, patch.product)),
        new_policy_entries=tuple(render_entry(entry) for entry in patch.new_policy_entries),
        changes=patch.changes,
    )
