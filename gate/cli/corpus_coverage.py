"""`gate corpus coverage`: what the corpus covers of the grammar, and shows of the baseline; above all what it does not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import Format, FormatOption, ProjectOption, SandboxOption, WorkersOption
from gate.console import judging, put, say
from gate.counted import counted

if TYPE_CHECKING:
    from gate.config.model import Project
    from gate.corpus.aside import AsideCase
    from gate.corpus.contents import Corpus
    from gate.corpus.coverage import Share
    from gate.corpus.grammar import Grammar
    from gate.pipeline.behaviour import Observed
    from gate.replay.sandbox import SandboxMode


def coverage(
    *,
    baseline: Annotated[Path | None, typer.Option(help="A build: say also what the cases show of it.")] = None,
    base: Annotated[str | None, typer.Option(help="A commit: say also what the cases show of its tree.")] = None,
    branches: Annotated[
        bool,
        typer.Option(
            "--branches",
            help="Also run the cases with the library coverage, and name the branches of the program's own Python files that none reaches.",
        ),
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Name everything that is not covered, not only the first of each sort.")
    ] = False,
    project: ProjectOption = Path(),
    workers: WorkersOption = None,
    sandbox: SandboxOption = "auto",
    format: FormatOption = Format.TEXT,  # noqa: A002 - the option's name
) -> None:
    """Say what the corpus covers of the grammar and what it does not; with a baseline, what its cases show of it and never show.

    A report, no verdict: it ends in 0 whatever is not covered.
    """
    from gate.config.load import load_project
    from gate.corpus.aside import FILE, read_aside
    from gate.corpus.format import read_corpus
    from gate.corpus.grammar import grammar_digest
    from gate.corpus.grammar_faults import check_grammar
    from gate.errors import ConfigError

    with judging():
        if (baseline is not None and base is not None) or (branches and baseline is None and base is None):
            raise ConfigError(
                f"expected one baseline, got {'two' if base is not None else 'none'}",
                next_step="Name the build with --baseline, or the commit with --base.",
            )
        audited = load_project(project)
        grammar = audited.config.grammar
        if grammar.commands or (baseline is None and base is None):
            check_grammar(grammar)
        corpus = read_corpus(audited.corpus_file)
        aside = read_aside(audited.corpus_file.with_name(FILE))
        if corpus.generator is not None and corpus.generator.grammar != grammar_digest(grammar):
            say("note: the grammar has changed since the cases were drawn; draw them again: gate corpus draw")
        seen = _observed(audited, baseline, base, branches=branches, workers=workers, sandbox=sandbox)
    shares = covered_shares(grammar, corpus)
    if format is Format.JSON:
        put(_json(shares, aside, seen))
        return
    for line in (*share_lines(shares, everything=everything), *aside_lines(aside), *_observed_lines(seen)):
        put(line)


def covered_shares(grammar: Grammar, corpus: Corpus) -> tuple[Share, ...]:
    """What the cases of `corpus` cover of `grammar`."""
    from gate.corpus.coverage import coverage as covered
    from gate.corpus.observed import observed_tags

    tags = {tag for tags in corpus.covers.values() for tag in tags}
    tags.update(tag for case in corpus.hand_written for tag in observed_tags(grammar, case.steps))
    return covered(grammar, tags)


def share_lines(shares: tuple[Share, ...], *, everything: bool = False) -> tuple[str, ...]:
    """The shares as text; unless `everything`, the first of what is not covered."""
    from gate.corpus.coverage import MOST, coverage_lines

    return coverage_lines(shares, most=None if everything else MOST)


def aside_lines(aside: tuple[AsideCase, ...]) -> Iterable[str]:
    """How many cases are set aside, by reason; nothing where none is."""
    from gate.corpus.aside import FILE

    thinned = sum(row.like is not None for row in aside)
    if len(aside) > thinned:
        yield f"set aside: {counted(len(aside) - thinned, 'case')}, not compared ({FILE}, beside the corpus)"
    if thinned:
        yield f"thinned: {counted(thinned, 'case')} that behaved like another one, not compared ({FILE}, beside the corpus)"


def _observed(
    project: Project,
    baseline: Path | None,
    base: str | None,
    *,
    branches: bool,
    workers: int | None,
    sandbox: SandboxMode,
) -> Observed | None:
    from gate.cli.progress import progress
    from gate.pipeline.behaviour import observed, observed_at_commit

    with progress() as listen:
        if baseline is not None:
            return observed(project, baseline, branches=branches, workers=workers, sandbox=sandbox, listen=listen)
        if base is not None:
            return observed_at_commit(project, base, branches=branches, workers=workers, sandbox=sandbox, listen=listen)
    return None


def _observed_lines(seen: Observed | None) -> Iterable[str]:
    from gate.corpus.behaviour_text import behaviour_lines
    from gate.diff.escape import escaped_name

    if seen is None:
        return
    yield from behaviour_lines(seen.behaviour, escape=escaped_name)
    if seen.branches is not None:
        from gate.pipeline.branch_text import branch_lines

        yield from branch_lines(seen.branches)


def _json(shares: tuple[Share, ...], aside: tuple[AsideCase, ...], seen: Observed | None) -> str:
    import msgspec

    from gate.corpus.format import ascii_line

    told = {
        "version": 1,
        "grammar": [{"what": share.what, "covered": share.covered, "uncovered": share.uncovered} for share in shares],
        "aside": [{"case": row.case.id, "reason": row.why, "thinned": row.like is not None} for row in aside],
        "behaviour": None if seen is None else seen.behaviour,
        "branches": None if seen is None else seen.branches,
    }
    return ascii_line(msgspec.json.encode(told)).decode("ascii")
