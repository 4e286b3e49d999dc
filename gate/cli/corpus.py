"""`gate corpus`: draw cases, write some by hand, look at them, set aside what is not steady."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.corpus_coverage import aside_lines, coverage, covered_shares, share_lines
from gate.cli.corpus_diff import diff
from gate.cli.corpus_file import WHOLE, alone, existing, keep, set_aside
from gate.cli.corpus_freeze import freeze
from gate.cli.corpus_import import import_
from gate.cli.corpus_thin import thin
from gate.cli.options import ProjectOption
from gate.console import judging, put, say
from gate.counted import counted

if TYPE_CHECKING:
    from gate.corpus.draw import Draw
    from gate.corpus.thinning import LeftOut
    from gate.domain import Case, Step

CasesOption = Annotated[
    int | None, typer.Option("--cases", help="How many cases; corpus.cases of gate.toml unless given.")
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="The seed; corpus.seed of gate.toml unless given.")]
StepOption = Annotated[
    list[str] | None,
    typer.Option(
        "--step",
        help="One step as a shell would write it, without the program itself: 'set a 1'. Repeatable, in order.",
    ),
]
StdinOption = Annotated[
    Path | None, typer.Option("--stdin-file", help="A file: the standard input of the last --step.")
]
FromOption = Annotated[
    str | None,
    typer.Option("--from", help="A file of cases, one JSON object a line as in corpus.jsonl; - is standard input."),
]


def register(app: typer.Typer) -> None:
    """Add the group `gate corpus` to `app`."""
    group = typer.Typer(no_args_is_help=True, help="The frozen cases.")
    for command in (draw, add, remove, show, coverage, freeze, thin):
        group.command()(command)
    group.command("import")(import_)
    group.command("diff")(diff)
    app.add_typer(group, name="corpus")


def draw(cases: CasesOption = None, seed: SeedOption = None, project: ProjectOption = Path()) -> None:
    """Draw cases from the grammar in gate.toml. Replaces the drawn cases, never the hand-written ones; leaves out what is set aside."""
    from gate.config.load import load_project
    from gate.corpus.aside import require_apart
    from gate.corpus.contents import redrawn
    from gate.corpus.draw import draw_cases
    from gate.corpus.thinning import left_out

    with judging(interrupted=WHOLE):
        audited = load_project(project)
        existing(audited)  # one that cannot be read is told at once
        settings, grammar = audited.config.corpus, audited.config.grammar
        drawn = draw_cases(
            grammar,
            seed=settings.seed if seed is None else seed,
            cases=settings.cases if cases is None else cases,
        )
        with alone(audited):
            aside = set_aside(audited)
            whole = redrawn(existing(audited), drawn.corpus)
            require_apart(aside, whole.cases)
            left = left_out(whole, aside, grammar)
            keep(audited, left.corpus)
    for line in _drawn_lines(drawn, left, equal=len(drawn.corpus.cases) - (len(whole.cases) - len(whole.hand_written))):
        put(line)
    for line in (*share_lines(covered_shares(grammar, left.corpus)), *aside_lines(aside)):
        put(line)


def add(
    case: Annotated[str | None, typer.Argument(metavar="ID", help="The id of the new case; not with --from.")] = None,
    step: StepOption = None,
    stdin_file: StdinOption = None,
    source: FromOption = None,
    project: ProjectOption = Path(),
) -> None:
    """Add hand-written cases: one from --step, or all of a file. Refuses an id that is taken and steps that are there already."""
    from gate.config.load import load_project
    from gate.corpus.aside import require_apart, without_aside
    from gate.corpus.contents import with_case
    from gate.errors import CorpusError
    from gate.replay.commands import require_words

    if (source is None) == (case is None and not step) or (source is not None and stdin_file is not None):
        raise typer.BadParameter("give an ID with --step, or --from FILE")
    with judging(interrupted=WHOLE):
        audited = load_project(project)
        added = _cases_of(source) if source is not None else (_case(case, step or (), stdin_file),)
        with alone(audited):
            corpus = existing(audited)
            for each in added:
                corpus = with_case(corpus, each)
            require_words(audited.config.program.argv, added)
            if corpus is not None:
                aside = set_aside(audited)
                require_apart(aside, added)
                _, taken = without_aside(corpus, aside)
                if clash := next((each.id for each in added if each.id in taken), None):
                    raise CorpusError(
                        f"case {clash!r}: expected steps that are steady, got those of a case that was set aside",
                        next_step="Mend the program, take its line out of the file of cases that are set aside, and add it again.",
                    )
                keep(audited, corpus)
    for each in added:
        put(f"added {each.id}: {counted(len(each.steps), 'step')}")


def remove(
    case: Annotated[str, typer.Argument(metavar="ID", help="The case to remove.")], project: ProjectOption = Path()
) -> None:
    """Remove one case. A drawn one comes back with the next draw."""
    from gate.config.load import load_project
    from gate.corpus.contents import without_case
    from gate.corpus.format import read_corpus
    from gate.domain import CaseId

    with judging():
        audited = load_project(project)
        with alone(audited):
            keep(audited, without_case(read_corpus(audited.corpus_file), CaseId(case)))
    put(f"removed {case}")


def show(
    case: Annotated[str | None, typer.Argument(metavar="ID", help="One case; all of them unless given.")] = None,
    project: ProjectOption = Path(),
) -> None:
    """Show cases literally, quoted as a shell takes them."""
    from gate.config.load import load_project
    from gate.corpus.format import read_corpus
    from gate.corpus.literal import case_lines
    from gate.diff.escape import escaped_name
    from gate.errors import CorpusError

    with judging():
        audited = load_project(project)
        corpus = read_corpus(audited.corpus_file)
        wanted = [each for each in corpus.cases if case in (None, each.id)]
        aside = set_aside(audited)
        if not wanted:
            why = next(
                (f"one that is set aside: {escaped_name(row.why)}" for row in aside if row.case.id == case), "none"
            )
            raise CorpusError(
                f"case {case!r}: expected a case of the corpus, got {why}", next_step="List them: gate corpus show"
            )
    for each in wanted:
        put("\n".join(case_lines(each)))
    if case is None:
        for line in aside_lines(aside):
            say(line)


def _case(name: str | None, steps: Iterable[str], stdin_file: Path | None) -> Case:
    from dataclasses import replace

    from gate.domain import Case, CaseId
    from gate.errors import CorpusError

    if not name:
        raise CorpusError("a case needs an id: expected one, got none", next_step="gate corpus add ID --step 'set a 1'")
    written = [_step(text) for text in steps]
    if stdin_file is not None and written:
        written[-1] = replace(written[-1], stdin=stdin_file.read_bytes())
    return Case(id=CaseId(name), steps=tuple(written))


def _step(text: str) -> Step:
    from gate.domain import Step
    from gate.errors import CorpusError

    try:
        return Step(argv=tuple(os.fsencode(word) for word in shlex.split(text)))
    except ValueError as error:
        raise CorpusError(
            f"--step {text!r}: expected words as a shell would write them, got: {error}", next_step="Mend the quotes."
        ) from error


def _cases_of(source: str) -> tuple[Case, ...]:
    from gate.corpus.format import parse_cases

    if source == "-":
        return parse_cases(sys.stdin.buffer.read(), name="standard input")
    return parse_cases(Path(source).read_bytes(), name=source)


def _drawn_lines(drawn: Draw, left: LeftOut, *, equal: int) -> Iterable[str]:
    """`equal`: how many of the drawn cases a hand-written one equals."""
    hand = len(left.corpus.hand_written)
    cases = len(left.corpus.cases)
    yield f"corpus: {counted(cases, 'case')}: {cases - hand} drawn, {hand} written by hand"
    made = drawn.corpus.generator
    asked = made.asked if made is not None else len(drawn.corpus.cases)
    twice = drawn.examples - drawn.distinct
    yield f"drawn: {drawn.examples} examples, {twice} of them duplicates, {len(drawn.corpus.cases)} of {asked} cases that were asked for"
    if equal:
        yield f"left out: {equal} that a hand-written case equals"
    if aside := len(left.wavering) + len(left.thinned):
        yield f"left out: {aside} that {'is' if aside == 1 else 'are'} set aside"
    if needed := len(left.needed):
        yield f"kept: {needed} that {'was' if needed == 1 else 'were'} thinned, each of which alone covers something"
    for name in left.by_hand:
        yield f"kept: {name}, which is set aside and written by hand; gate corpus freeze sees whether it wavers"
    if len(drawn.corpus.cases) < asked:
        yield "fewer than asked: the grammar gave no more distinct cases"
