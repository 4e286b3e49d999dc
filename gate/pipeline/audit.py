"""One run of the gate, in order: pins, builds, replays, confirmation, comparison, policy, scorecard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from gate.config.model import Project
from gate.corpus.format import read_corpus
from gate.diff.compare import compare_cases
from gate.diff.evidence import gather
from gate.diff.findings import Comparison
from gate.diff.noise import CANONICAL_VERSION, Noise
from gate.domain import Case, CaseId, Record
from gate.errors import BuildError
from gate.files import write_atomically
from gate.pipeline.environment import environment_digest
from gate.pipeline.events import Listener, Remark
from gate.pipeline.golden import by_case, golden_key, refuse_stale, stale_steps
from gate.pipeline.judge import Judge, require_pinned
from gate.pipeline.sides import Sides
from gate.pipeline.unusable import refuse_dead_steps
from gate.policy.load import read_policy
from gate.policy.match import Judgement, judge
from gate.replay.build import SideName, Source, read_source
from gate.replay.engine import LocalEngine
from gate.replay.fixtures import lay_template
from gate.replay.slot import claim_slot
from gate.replay.store import LocalStore, Run, write_run
from gate.report.conclude import Circumstances, conclude
from gate.report.scorecard import Digests, Runs, Scorecard, encode, write_deltas
from gate.trace.native import TraceHeader


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Observed:
    """The runs of both sides, by case: `baseline[i][k]` are the records of case i in the baseline's k-th run."""

    baseline: tuple[tuple[tuple[Record, ...], ...], ...]
    candidate: tuple[tuple[tuple[Record, ...], ...], ...]

    def compare(self, noise: Noise) -> Comparison:
        """Both sides, with everything the baseline showed of itself as the measure of noise."""
        return compare_cases(
            tuple(zip(self.baseline, self.candidate, strict=True)), noise, gather(self.baseline, noise)
        )


def audit(project: Project, trees: Trees, *, workers: int | None, today: date, listen: Listener) -> Audit:
    """Judge the candidate (or, without one, the judge itself).

    `today` is read only where the policy has an entry that expires. `workers` None: one a core; the scorecard is the same bytes
    for any number. Raises GateError when no verdict can be given: nothing is compared then.
    """
    pinned = require_pinned(project)
    cases = read_corpus(project.corpus_file).cases
    policy = read_policy(project.policy_file, missing_ok=True)
    noise = Noise.compile(project.config.noise)
    sources = _sources(trees)
    with _stage(project, pinned, sources, workers=workers, listen=listen) as sides:
        observed, again, environment = _observe(project, sides, pinned, cases, noise)
        comparison = observed.compare(noise)
        judgement = judge(comparison.deltas, policy, today=today)
        scorecard = conclude(
            comparison,
            judgement,
            Circumstances(
                mode="baseline against itself" if trees.candidate is None else "baseline against candidate",
                canonical=CANONICAL_VERSION,
                digests=Digests(
                    baseline=sources["baseline"].digest,
                    candidate=sources["candidate"].digest,
                    corpus=pinned.corpus,
                    fixtures=pinned.pack.digest,
                    config=pinned.config,
                    noise=pinned.noise,
                    policy=pinned.policy,
                    environment=environment,
                ),
                runs=Runs(
                    repeats=project.config.replay.repeats,
                    confirm=project.config.replay.confirm,
                    confirmed=tuple(case.id for case in again),
                ),
                ignored_files=project.config.replay.ignore_files,
                ignored_content=project.config.replay.ignore_content,
                today=today,
            ),
        )
        write_atomically(sides.run_folder / "scorecard.json", encode(scorecard))
        write_deltas(sides.run_folder / "deltas.jsonl", comparison.deltas)
        sides.store.point_latest(sides.run_folder)
        return Audit(scorecard=scorecard, comparison=comparison, judgement=judgement, folder=sides.run_folder)


def capture(
    project: Project, baseline: Path, *, workers: int | None, fresh: bool, listen: Listener
) -> tuple[Path, tuple[Run, ...]]:
    """Replay the baseline and keep its golden; with `fresh` whatever was kept of it before is dropped first.

    Returns the first run's trace file and the runs. Raises GateError.
    """
    pinned = require_pinned(project)
    cases = read_corpus(project.corpus_file).cases
    source = read_source("baseline", baseline)
    with _stage(project, pinned, {"baseline": source}, workers=workers, listen=listen) as sides:
        environment = environment_digest(sides.prepare("baseline", cases))
        key = golden_key(project, sides, corpus=pinned.corpus, fixtures=pinned.pack.digest, environment=environment)
        if fresh:
            sides.store.forget_golden(key)
        runs, _ = _golden(project, sides, key, cases, _header(pinned, source, environment))
        file = sides.run_folder / "golden.jsonl"
        write_run(file, _header(pinned, source, environment), runs[0])
        return file, runs


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


@contextmanager
def _stage(
    project: Project, pinned: Judge, sources: dict[SideName, Source], *, workers: int | None, listen: Listener
) -> Iterator[Sides]:
    store = LocalStore(root=project.state)
    run_folder = store.new_run()
    with claim_slot(project.state.parent) as slot:
        lay_template(project.fixtures, pinned.pack, slot)
        yield Sides(
            project=project,
            sources=sources,
            slot=slot,
            engine=LocalEngine(workers=workers),
            store=store,
            run_folder=run_folder,
            listen=listen,
        )


def _observe(
    project: Project, sides: Sides, pinned: Judge, cases: Sequence[Case], noise: Noise
) -> tuple[_Observed, tuple[Case, ...], str]:
    """Replay both sides, then run every case that differs again on both. Also the cases run again, and the environment's digest."""
    replay = project.config.replay
    environment = environment_digest(sides.prepare("candidate", cases))
    key = golden_key(project, sides, corpus=pinned.corpus, fixtures=pinned.pack.digest, environment=environment)
    golden, kept = _golden(project, sides, key, cases, _header(pinned, sides.sources["baseline"], environment))
    patched = sides.replay("candidate", cases, range(replay.repeats), purpose="replaying")
    write_run(sides.run_folder / "golden.jsonl", _header(pinned, sides.sources["baseline"], environment), golden[0])
    write_run(sides.run_folder / "patched.jsonl", _header(pinned, sides.sources["candidate"], environment), patched[0])
    observed = _Observed(baseline=by_case(golden), candidate=by_case(patched))
    refuse_dead_steps(observed.baseline)
    differing = _differing(observed.compare(noise))
    again = tuple(case for case in cases if case.id in differing)
    if not again:
        return observed, (), environment
    seeds = range(replay.repeats, replay.repeats + replay.confirm)
    old = sides.replay("baseline", again, seeds, purpose="confirming")
    if kept:
        index = [position for position, case in enumerate(cases) if case.id in differing]
        refuse_stale(stale_steps([tuple(run[i] for i in index) for run in golden], old, noise))
    new = sides.replay("candidate", again, seeds, purpose="confirming")
    return _Observed(
        baseline=_extended(observed.baseline, cases, again, old),
        candidate=_extended(observed.candidate, cases, again, new),
    ), again, environment  # fmt: skip


def _differing(comparison: Comparison) -> set[CaseId]:
    """Cases worth another look: what differs, and what wavers on the candidate alone (more baseline runs may show the same)."""
    wavering = {check.case for check in comparison.unstable if check.side == "candidate"}
    return {delta.case for delta in comparison.deltas} | wavering


def _extended(
    observed: tuple[tuple[tuple[Record, ...], ...], ...],
    cases: Sequence[Case],
    again: Sequence[Case],
    runs: Sequence[Run],
) -> tuple[tuple[tuple[Record, ...], ...], ...]:
    """The runs of each case with its further runs behind them; cases that were not run again as they were."""
    further = dict(zip((case.id for case in again), by_case(runs), strict=True))
    return tuple(run + further.get(case.id, ()) for case, run in zip(cases, observed, strict=True))


def _golden(
    project: Project, sides: Sides, key: str, cases: Sequence[Case], header: TraceHeader
) -> tuple[tuple[Run, ...], bool]:
    """The baseline's runs, and whether they were kept from before."""
    kept = sides.store.golden(key, cases)
    if kept is not None and len(kept) == project.config.replay.repeats:
        sides.listen(Remark(text="baseline: unchanged, its kept golden is used (gate capture --fresh records it anew)"))
        return kept, True
    runs = sides.replay("baseline", cases, range(project.config.replay.repeats), purpose="replaying")
    refuse_dead_steps(by_case(runs))
    sides.store.keep_golden(key, header, runs)
    return runs, False


def _header(pinned: Judge, source: Source, environment: str) -> TraceHeader:
    return TraceHeader(
        canonical=CANONICAL_VERSION,
        build=source.digest,
        corpus=pinned.corpus,
        fixtures=pinned.pack.digest,
        environment=environment,
        side=source.side,
    )
