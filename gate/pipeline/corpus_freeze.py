"""Running the baseline against itself before a corpus is relied on: cases that do not give the same twice are set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.config.model import Project
from gate.corpus.aside import (
    FILE,
    AsideCase,
    AsideCheck,
    SeenValue,
    read_aside,
    require_apart,
    without_aside,
    write_aside,
)
from gate.corpus.contents import content_digest
from gate.corpus.format import Corpus, read_corpus, write_corpus
from gate.corpus.lines import case_line, case_of
from gate.diff.compare import compare_cases
from gate.diff.cure import Cure, cures
from gate.diff.evidence import gather
from gate.diff.findings import Canonical, Unstable
from gate.diff.spread import spread
from gate.domain import Case, CaseId
from gate.errors import CorpusError
from gate.files import only_writer
from gate.octets import to_wire
from gate.pipeline.events import Listener
from gate.pipeline.golden import by_case
from gate.pipeline.inputs import Inputs
from gate.pipeline.refs import Commits, trees_of_commits
from gate.pipeline.stage import stage
from gate.pipeline.unpinned import unpinned_inputs
from gate.pipeline.unusable import refuse_dead_corpus, refuse_dead_steps
from gate.replay.build import SideName, Source, read_source
from gate.replay.sandbox import SandboxMode
from gate.replay.store import Run

_SHOWN_BYTES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """What came of it."""

    aside: tuple[AsideCase, ...]
    """The cases that were set aside now, in corpus order; some of them stood in the corpus although they had been before."""
    cures: tuple[tuple[Unstable, Cure], ...]
    """Their checks that waver, in the same order, each with what may be done about it."""
    returned: tuple[CaseId, ...]
    """Cases that had been set aside before, stood in the corpus all the same, and were steady now: they stay in it, and are no longer
    set aside. A line in a file takes no case out of the corpus; only runs do."""
    kept: int
    """Cases that the corpus has left."""
    changed: bool
    """Whether a file was written."""


def freeze_corpus(
    project: Project, baseline: Path, *, runs: int, workers: int | None, sandbox: SandboxMode, listen: Listener
) -> Frozen:
    """Replay every case `runs` times on the baseline, each time with another hash seed, and set aside those that waver.

    The pins need not hold: the corpus is about to change. Nothing is written unless all runs came to their end; then first the file of
    cases that are set aside, so that an interruption loses none. Raises CorpusError where no case would be left, where the corpus
    changed meanwhile and for fewer than two runs; else as a run of the gate does.
    """
    if runs < 2:
        raise CorpusError(f"expected at least 2 runs, got {runs}", next_step="Leave --runs out: the default is 5.")
    file = project.corpus_file.with_name(FILE)
    corpus, before = read_corpus(project.corpus_file), read_aside(file)
    require_apart(before, corpus.cases)
    _, known = without_aside(corpus, before)
    inputs = unpinned_inputs(project, corpus)
    source = read_source("baseline", baseline)
    unstable = _wavering(inputs, source, runs=runs, workers=workers, sandbox=sandbox, listen=listen)
    found = tuple(zip(unstable, cures(unstable, inputs.noise), strict=True))
    aside = tuple(
        _row(case, corpus, found, runs) for case in corpus.cases if any(case.id == each.case for each in unstable)
    )
    left, gone = without_aside(corpus, aside)
    returned = tuple(name for name in known if name not in gone)
    apart = _kept_rows(corpus, before, aside)
    if not left.cases:
        raise _none_left(len(corpus.cases))
    with only_writer(project.judge_lock):
        if read_corpus(project.corpus_file) != corpus or read_aside(file) != before:
            raise CorpusError(
                "the corpus changed while its cases ran", next_step="Leave it alone meanwhile, and run this again."
            )
        if aside or returned:
            write_aside(file, (*apart, *aside))
        if aside:
            write_corpus(project.corpus_file, left)
    return Frozen(aside=aside, cures=found, returned=returned, kept=len(left.cases), changed=bool(aside or returned))


def _kept_rows(corpus: Corpus, rows: Sequence[AsideCase], aside: Sequence[AsideCase]) -> tuple[AsideCase, ...]:
    """The rows about which nothing was learnt: those of cases that did not run, and of thinned ones that did not waver."""
    ran = {content_digest(case.steps) for case in corpus.cases}
    wavered = {content_digest(case_of(row.case).steps) for row in aside}
    steps = [(row, content_digest(case_of(row.case).steps)) for row in rows]
    return tuple(row for row, own in steps if own not in (ran if row.like is None else wavered))


def freeze_corpus_at_commit(
    project: Project, ref: str, *, runs: int, workers: int | None, sandbox: SandboxMode, listen: Listener
) -> Frozen:
    """As `freeze_corpus`, on the tree of a commit. The corpus is the work tree's: it is not committed yet."""
    with trees_of_commits(project.root, Commits(base=ref), listen=listen) as (_, trees):
        return freeze_corpus(project, trees.baseline, runs=runs, workers=workers, sandbox=sandbox, listen=listen)


def _wavering(
    inputs: Inputs, source: Source, *, runs: int, workers: int | None, sandbox: SandboxMode, listen: Listener
) -> tuple[Unstable, ...]:
    sources: dict[SideName, Source] = {"baseline": source}
    with stage(inputs, sources, workers=workers, sandbox=sandbox, listen=listen) as sides:
        done = sides.replay("baseline", inputs.cases, range(runs), purpose="freezing")
    samples = by_case(done)
    found = compare_cases([(each, each) for each in samples], inputs.noise, gather(samples, inputs.noise)).unstable
    names = {check.case for check in found}
    _refuse_dead(inputs, done, [index for index, case in enumerate(inputs.cases) if case.id not in names])
    return found


def _refuse_dead(inputs: Inputs, runs: Sequence[Run], steady: Sequence[int]) -> None:
    """What is steady must also be evidence: as a golden of the same cases would be refused."""
    if steady:
        left = tuple(tuple(run[index] for index in steady) for run in runs)
        refuse_dead_steps(by_case(left))
        cases = [inputs.cases[index] for index in steady]
        refuse_dead_corpus(cases, left, inputs.project.config.program, inputs.noise)


def _row(case: Case, corpus: Corpus, cured: Sequence[tuple[Unstable, Cure]], runs: int) -> AsideCase:
    own = [(check, found) for check, found in cured if check.case == case.id]
    places = ", ".join(f"step {check.step} {check.field}" for check, _ in own)
    return AsideCase(
        case=case_line(case, tuple(corpus.covers.get(case.id, ()))),
        reason=f"the baseline disagrees with itself in {runs} runs: {places}",
        checks=tuple(
            AsideCheck(
                step=check.step,
                occurrence=check.occurrence,
                command=check.command,
                field=check.field,
                values=tuple(_seen(value, count) for value, count in spread(check.baseline)),
                cure=found.words,
            )
            for check, found in own
        ),
    )


def _seen(value: Canonical | None, runs: int) -> SeenValue:
    return SeenValue(text=None if value is None else to_wire(value.text[:_SHOWN_BYTES]), runs=runs)


def _none_left(cases: int) -> CorpusError:
    return CorpusError(
        f"no case would be left: expected one of {cases} that gives the same twice on the baseline, got none",
        next_step="Nothing was written. Add a noise rule for what varies everywhere (gate noise suggest), or let the program be steady.",
    )
