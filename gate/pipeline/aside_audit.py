"""Showing that what a patch of the judge sets aside holds: the next draw leaves it out, whatever the patch says of it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.config.model import Project
from gate.corpus.aside import FILE, AsideCase, Like, read_aside
from gate.corpus.contents import content_digest
from gate.corpus.format import read_corpus
from gate.corpus.lines import case_of
from gate.counted import counted
from gate.diff.alike import alike
from gate.diff.evidence import gather
from gate.domain import Case, CaseId
from gate.errors import CorpusError, IntegrityError
from gate.pipeline.events import Listener
from gate.pipeline.golden import by_case, golden
from gate.pipeline.inputs import Inputs, read_inputs
from gate.pipeline.sides import Sides
from gate.pipeline.stage import stage
from gate.pipeline.stale import CaseRuns
from gate.replay.build import read_source
from gate.replay.sandbox import SandboxMode

_FURTHER = 2
"""Further runs, at least, of what is not seen to behave alike: noise may not have shown itself yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """A row that says that a case does what a case of the corpus does."""

    case: Case
    like: CaseId
    """The case of the corpus that has those steps."""


def require_held(
    old: Project,
    new: Project,
    baseline: Path,
    *,
    workers: int | None,
    listen: Listener,
    sandbox: SandboxMode = "off",
) -> None:
    """Raise IntegrityError unless what the judge `new` sets aside, and `old` did not, is what a run of the gate would set aside.

    A case that is said to behave like one of the corpus does so on the tree `baseline`, in every run. A row about a case that the corpus
    has not says nothing yet: it is held to this by the patch that brings that case. One that is said to waver does not stand in the
    corpus as well; whether it wavers no number of runs can refute. Where the old judge cannot be read, all rows are new. Raises
    GateError as a run does.
    """
    rows = read_aside(new.corpus_file.with_name(FILE))
    if not rows:
        return
    inputs = read_inputs(new)
    before, there = _read(old)
    names = {content_digest(case.steps): case.id for case in inputs.cases}
    _require_apart(rows, names, known={_steps(row) for row in before if row.like is None} & there)
    known = {(content_digest(case.steps), like.steps) for case, like in _in_force(before, there)}
    claims = [
        _Claim(case=case, like=names[like.steps])
        for case, like in _in_force(rows, names)
        if (content_digest(case.steps), like.steps) not in known
    ]
    if not claims:
        return
    source = read_source("baseline", baseline)
    with stage(inputs, {"baseline": source}, workers=workers, sandbox=sandbox, listen=listen) as sides:
        refuted = _refuted(inputs, sides, claims)
    if refuted:
        first = refuted[0]
        raise IntegrityError(
            f"the patch sets {counted(len(claims), 'case')} aside as doing what another one does; expected the same in every field "
            f"of every step on the baseline, got otherwise for {first.case.id}, which is to be like {first.like}, {len(refuted)} in all",
            next_step=f"Take their lines out of {FILE} and draw again; only runs set a case aside: gate corpus thin.",
        )


def _read(old: Project) -> tuple[tuple[AsideCase, ...], set[str]]:
    """What the old judge sets aside, and the steps of its corpus."""
    try:
        cases = read_corpus(old.corpus_file).cases
        return read_aside(old.corpus_file.with_name(FILE)), {content_digest(case.steps) for case in cases}
    except CorpusError:
        return (), set()


def _require_apart(rows: Iterable[AsideCase], names: Mapping[str, CaseId], *, known: set[str]) -> None:
    for row in rows:
        steps = _steps(row)
        if row.like is None and steps in names and steps not in known:
            raise IntegrityError(
                f"the patch sets case {names[steps]} aside as one that wavers: expected it out of the corpus, got it in both files",
                next_step=f"Take its line out of {FILE}, or let runs decide: gate corpus freeze.",
            )


def _in_force(rows: Iterable[AsideCase], steps: Container[str]) -> list[tuple[Case, Like]]:
    """The cases that are thinned, each with the case of the corpus, of these steps, that it is like."""
    return [(case_of(row.case), row.like) for row in rows if row.like is not None and row.like.steps in steps]


def _steps(row: AsideCase) -> str:
    return content_digest(case_of(row.case).steps)


def _refuted(inputs: Inputs, sides: Sides, claims: Sequence[_Claim]) -> list[_Claim]:
    """The claims that do not hold on the baseline. What only noise keeps apart gets further runs, in which it may show that it varies."""
    replay = inputs.project.config.replay
    kept, _ = golden(inputs, sides)
    corpus = dict(zip((case.id for case in inputs.cases), by_case(kept), strict=True))
    apart = {claim.case.id: runs for claim, runs in _run(sides, claims, range(replay.repeats))}
    doubted = _unlike(inputs, claims, corpus, apart)
    if not doubted:
        return []
    further = range(replay.repeats, replay.repeats + max(replay.confirm, _FURTHER))
    likes = [case for case in inputs.cases if case.id in {claim.like for claim in doubted}]
    again = by_case(sides.replay("baseline", likes, further, purpose="confirming"))
    for case, runs in zip(likes, again, strict=True):
        corpus[case.id] += runs
    for claim, runs in _run(sides, doubted, further):
        apart[claim.case.id] += runs
    return _unlike(inputs, doubted, corpus, apart)


def _run(sides: Sides, claims: Sequence[_Claim], seeds: Sequence[int]) -> list[tuple[_Claim, CaseRuns]]:
    runs = sides.replay("baseline", [claim.case for claim in claims], seeds, purpose="replaying what is set aside")
    return [*zip(claims, by_case(runs), strict=True)]


def _unlike(
    inputs: Inputs, claims: Sequence[_Claim], corpus: Mapping[CaseId, CaseRuns], apart: Mapping[CaseId, CaseRuns]
) -> list[_Claim]:
    evidence = gather([*corpus.values(), *apart.values()], inputs.noise)
    return [claim for claim in claims if not alike((corpus[claim.like], apart[claim.case.id]), inputs.noise, evidence)]
