"""The report a person reads: the groups of what differs, what abstained, counts, digests, and the exit code with its reason.

Every byte of program output goes through the escaping of `gate.diff.render`; nothing here is parsed as markup.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.text import Text

from gate.counted import counted
from gate.diff.certainty import sure_words
from gate.diff.findings import Unstable
from gate.exit_codes import ExitCode
from gate.policy.match import Judgement
from gate.report.groups_text import groups_parts
from gate.report.scorecard import Scorecard
from gate.report.shown_groups import shown_groups
from gate.report.unstable_text import unstable_table
from gate.report.votes_text import ballots_table, mending_line, suite_lines, vote_reasons, votes_line

MAX_ROWS = 200
"""Rows of a table that are printed; the scorecard holds them all."""
_COLOURS = {ExitCode.CLEAN: "green", ExitCode.STOP: "red", ExitCode.INVALID: "red", ExitCode.ABSTAIN: "yellow"}


def render(
    scorecard: Scorecard, judgement: Judgement, unstable: tuple[Unstable, ...], *, width: int, colour: bool
) -> str:
    """The whole report as text, at most `width` columns wide; no trailing newline."""
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, no_color=not colour, color_system="standard" if colour else None
    )
    for part in (
        *_groups(scorecard, judgement, width),
        unstable_table(unstable, scorecard.unstable, max_rows=MAX_ROWS),
        ballots_table(scorecard.votes),
        _notes(scorecard, judgement),
        _summary(scorecard),
    ):
        if part is not None:
            console.print(part)
            console.print()
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).rstrip("\n")


def _groups(scorecard: Scorecard, judgement: Judgement, width: int) -> Iterator[RenderableType]:
    """What differs; of a scorecard without groups they are made here, so that no delta goes unsaid."""
    groups = scorecard.groups or shown_groups(judgement, {})
    recorded = scorecard.mode != "trace files"
    yield from groups_parts(groups, judgement, width, recorded=recorded)
    if groups and recorded:
        yield Text(f"look closer: gate show {groups[0].id}, gate repro {groups[0].id}", style="dim")


def _notes(scorecard: Scorecard, judgement: Judgement) -> RenderableType | None:
    lines = [f"warning: {warning}" for warning in judgement.warnings]
    for what, key in (("file effects", "ignored_files"), ("the content of files", "ignored_content")):
        if globs := getattr(scorecard, key):
            lines.append(
                f"note: {what} under {', '.join(globs)} not compared (replay.{key.replace('ignored', 'ignore')})"
            )
    if scorecard.noise:
        spans = ", ".join(f"{rule} {count}" for rule, count in scorecard.noise.items())
        lines.append(f"note: spans taken out by noise rules, over all runs: {spans}")
    if (line := mending_line(scorecard.votes)) is not None:
        lines.append(line)
    return Text("\n".join(lines), style="dim") if lines else None


def _summary(scorecard: Scorecard) -> RenderableType:
    counts, digests, runs = scorecard.counts, scorecard.digests, scorecard.runs
    lines = [
        f"{scorecard.mode}: {counted(counts.cases, 'case')}, {counted(counts.records, 'record')}, {counted(counts.checks, 'check')}",
        _deltas_line(scorecard),
        f"checks: verified {counts.verified} of {counts.checks}; "
        f"{counts.flagged} flagged, {counts.allowed} allowed, {counts.unstable} unstable",
    ]
    if scorecard.mode != "trace files":
        lines += [
            f"votes: {votes_line(scorecard.votes)}",
            *suite_lines(scorecard.suite),
        ]
    if scorecard.mode != "trace files":
        again = (
            f"; {counted(len(runs.confirmed), 'case')} run {runs.confirm} times more on each side"
            if runs.confirmed
            else ""
        )
        if runs.doubted:
            again += f", {len(runs.doubted)} of them once more as often, as the program wavers"
        lines.append(f"runs: each side {runs.repeats} times{again}; sandbox: {runs.sandbox}")
        if counts.deltas:
            confirm = runs.confirm * (2 if runs.doubted else 1)
            lines.append(f"sure: {sure_words(repeats=runs.repeats, confirm=confirm, checks=counts.checks)}")
    told = [
        f"{name} {_short(value)}" for name in digests.__struct_fields__ if (value := getattr(digests, name)) is not None
    ]
    lines.append("digests: " + ", ".join(told))
    text = Text("\n".join(lines) + "\n")
    code = ExitCode(scorecard.exit_code)
    text.append(f"exit {int(code)}: {code.sentence}\n", style=f"bold {_COLOURS[code]}")
    text.append(f"because {_reason(scorecard)}")
    return text


def _reason(scorecard: Scorecard) -> str:
    """Why this run ended as it did, in its own numbers."""
    counts = scorecard.counts
    reasons = list(vote_reasons(scorecard.votes, scorecard.suite))
    if counts.deltas_flagged:
        reasons.append(
            f"{counts.deltas_flagged} of {counts.deltas} steps that differ are flagged: no policy entry allows all that changed"
        )
    if counts.unstable:
        reasons.append(f"{counts.unstable} of {counts.checks} checks abstain: a side disagrees with itself")
    if not reasons:
        voted = f", and {votes_line(scorecard.votes)}" if scorecard.votes else ""
        allowed = f", and a policy entry allows each of the {counts.deltas} steps that differ" if counts.deltas else ""
        reasons.append(f"{counts.verified} of {counts.checks} checks agree{allowed}{voted}")
    return "; ".join(reasons)


def _deltas_line(scorecard: Scorecard) -> str:
    """`deltas: 41 steps differ in 7 groups, 3 allowed, 38 flagged; 5 of them follow an earlier step`."""
    counts = scorecard.counts
    differ = "1 step differs" if counts.deltas == 1 else f"{counts.deltas} steps differ"
    groups = f" in {counted(len(scorecard.groups), 'group')}" if scorecard.groups else ""
    folded = sum(len(each.spots) for group in scorecard.groups for each in group.then)
    follow = f"; {folded} of them {'follows' if folded == 1 else 'follow'} an earlier step" if folded else ""
    return f"deltas: {differ}{groups}, {counts.deltas_allowed} allowed, {counts.deltas_flagged} flagged{follow}"


def _short(digest: str) -> str:
    return digest.rpartition(":")[2][:12]
