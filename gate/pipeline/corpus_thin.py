"""Thinning a corpus by what its cases do on the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gate.config.model import Project
from gate.corpus.aside import FILE, AsideCase, Like, read_aside, require_apart, write_aside
from gate.corpus.contents import Corpus, content_digest
from gate.corpus.format import read_corpus, write_corpus
from gate.corpus.lines import case_line, case_of
from gate.corpus.thinning import Thinned, cheapest_first, tags_by_case, thinned, without
from gate.diff.alike import alike
from gate.diff.evidence import gather
from gate.domain import CaseId
from gate.errors import CorpusError
from gate.files import only_writer
from gate.pipeline.events import Listener
from gate.pipeline.golden import by_case, golden
from gate.pipeline.inputs import Inputs
from gate.pipeline.refs import Commits, trees_of_commits
from gate.pipeline.stage import stage
from gate.pipeline.unpinned import unpinned_inputs
from gate.replay.build import read_source
from gate.replay.sandbox import SandboxMode
from gate.replay.store import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinning:
    """What came of it."""

    dropped: tuple[Thinned, ...]
    """In corpus order."""
    alike: int
    """Cases that behave like another one; those that are not dropped are written by hand, or alone cover something."""
    kept: int
    """Cases that the corpus has left, or would have."""
    runs: int
    """Runs of the baseline in which they behave alike."""
    returned: tuple[CaseId, ...] = ()
    """With `again`: cases that had been thinned, and are in the corpus now."""
    changed: bool = False
    """Whether a file was written."""


def thin_corpus(
    project: Project,
    baseline: Path,
    *,
    dry_run: bool,
    again: bool,
    workers: int | None,
    sandbox: SandboxMode,
    listen: Listener,
) -> Thinning:
    """Take out of the corpus the drawn cases that do on the baseline what another case does, in each of its runs.

    A kept golden is used where there is one, else the baseline is replayed and its golden kept. With `again` the cases that were thinned
    before are run as well, and stay in the corpus where they behave otherwise now. The pins need not hold: the corpus is about to change.
    With `dry_run` nothing is written; else first the file of cases that are set aside, so that an interruption loses none.

    Raises CorpusError where the corpus changed meanwhile; else as a run of the gate does.
    """
    file = project.corpus_file.with_name(FILE)
    corpus, before = read_corpus(project.corpus_file), read_aside(file)
    require_apart(before, corpus.cases)
    whole = _with_thinned(corpus, before) if again else corpus
    inputs = unpinned_inputs(project, whole)
    runs = _runs(inputs, baseline, workers=workers, sandbox=sandbox, listen=listen)
    groups = _groups(inputs, runs)
    dropped = thinned(whole.cases, groups, tags_by_case(whole, project.config.grammar))
    left = without(whole, {each.case for each in dropped})
    rows = _rows(whole, before, dropped, runs=len(runs))
    changed = (left, rows) != (corpus, before) and not dry_run
    if changed:
        with only_writer(project.judge_lock):
            if read_corpus(project.corpus_file) != corpus or read_aside(file) != before:
                raise CorpusError(
                    "the corpus changed while its cases ran", next_step="Leave it alone meanwhile, and run this again."
                )
            if rows != before:
                write_aside(file, rows)
            if left != corpus:
                write_corpus(project.corpus_file, left)
    known = {case.id for case in corpus.cases}
    return Thinning(
        dropped=dropped,
        alike=sum(map(len, groups)),
        kept=len(left.cases),
        runs=len(runs),
        returned=tuple(case.id for case in left.cases if case.id not in known),
        changed=changed,
    )


def thin_corpus_at_commit(
    project: Project,
    ref: str,
    *,
    dry_run: bool,
    again: bool,
    workers: int | None,
    sandbox: SandboxMode,
    listen: Listener,
) -> Thinning:
    """As `thin_corpus`, on the tree of a commit. The corpus is the work tree's: it is not committed yet."""
    with trees_of_commits(project.root, Commits(base=ref), listen=listen) as (_, trees):
        return thin_corpus(
            project,
            trees.baseline,
            dry_run=dry_run,
            again=again,
            workers=workers,
            sandbox=sandbox,
            listen=listen,
        )


def _runs(
    inputs: Inputs, baseline: Path, *, workers: int | None, sandbox: SandboxMode, listen: Listener
) -> tuple[Run, ...]:
    source = read_source("baseline", baseline)
    with stage(inputs, {"baseline": source}, workers=workers, sandbox=sandbox, listen=listen) as sides:
        return golden(inputs, sides)[0]


def _groups(inputs: Inputs, runs: Sequence[Run]) -> tuple[tuple[CaseId, ...], ...]:
    """The cases that behave alike in all runs, the one to keep first in each group."""
    samples = dict(zip((case.id for case in inputs.cases), by_case(runs), strict=True))
    ordered = [case.id for case in cheapest_first(inputs.cases)]
    found = alike([samples[name] for name in ordered], inputs.noise, gather(samples.values(), inputs.noise))
    return tuple(tuple(ordered[place] for place in group) for group in found)


def _with_thinned(corpus: Corpus, rows: Sequence[AsideCase]) -> Corpus:
    """The corpus with the cases that were thinned, after its own."""
    there = {content_digest(case.steps) for case in corpus.cases}
    back = [row for row in rows if row.like is not None and content_digest(case_of(row.case).steps) not in there]
    return replace(
        corpus,
        cases=(*corpus.cases, *(case_of(row.case) for row in back)),
        covers={**corpus.covers, **{CaseId(row.case.id): row.case.covers for row in back}},
    )


def _rows(
    corpus: Corpus, before: Sequence[AsideCase], dropped: Sequence[Thinned], *, runs: int
) -> tuple[AsideCase, ...]:
    """What is set aside now, by id: whatever of it did not run stands as it was, and so does what wavered; the rest is told anew."""
    ran = {content_digest(case.steps) for case in corpus.cases}
    stays = [row for row in before if row.like is None or content_digest(case_of(row.case).steps) not in ran]
    known = {row.case.id for row in stays}
    new = [_row(corpus, each, runs) for each in dropped if each.case not in known]
    return tuple(sorted((*stays, *new), key=lambda row: row.case.id))


def _row(corpus: Corpus, each: Thinned, runs: int) -> AsideCase:
    cases = {held.id: held for held in corpus.cases}
    case, like = cases[each.case], cases[each.like]
    return AsideCase(
        case=case_line(case, tuple(corpus.covers.get(case.id, ()))),
        reason=f"it behaves like {like.id} in every field of every step, in {runs} runs of the baseline",
        checks=(),
        like=Like(case=like.id, steps=content_digest(like.steps)),
    )
