"""The report a person reads: one table of deltas, what abstained, counts, digests, and the exit code with its reason.

Every byte of program output goes through the escaping of `gate.diff.render`; nothing here is parsed as markup.
"""

from __future__ import annotations

import io
import re

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from gate.diff.findings import Canonical, Change, Placeholder, Unstable
from gate.diff.render import render_change, render_value
from gate.exit_codes import ExitCode
from gate.policy.match import JudgedDelta, Judgement
from gate.report.scorecard import Scorecard
from gate.report.votes_text import ballots_table, mending_line, suite_lines, vote_reasons, votes_line
from gate.report.votes_text import plain as _plain

MAX_ROWS = 200
"""Rows of a table that are printed; the scorecard holds them all."""
_SHORT = 60
_PLAIN = re.compile(rb"[A-Za-z0-9_.:/@%+<>-]+")
_ABSENT = "(absent)"
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
        _deltas(judgement),
        _unstable(unstable),
        ballots_table(scorecard.votes),
        _notes(scorecard, judgement),
        _summary(scorecard),
    ):
        if part is not None:
            console.print(part)
            console.print()
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).rstrip("\n")


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in columns:
        table.add_column(name, overflow="fold", justify="right" if name == "step" else "left")
    return table


def _deltas(judgement: Judgement) -> RenderableType | None:
    if not judgement.rows:
        return None
    table = _table("case", "step", "command", "delta", "verdict")
    rows = (
        sorted(judgement.rows, key=lambda row: row.allowed)[:MAX_ROWS]
        if len(judgement.rows) > MAX_ROWS
        else judgement.rows
    )
    for row in rows:
        delta = row.delta
        step = str(delta.step) if delta.occurrence == 1 else f"{delta.step} (#{delta.occurrence})"
        table.add_row(_plain(delta.case), step, _plain(delta.command), Text("\n".join(delta_lines(row))), _verdict(row))
    if len(judgement.rows) > MAX_ROWS:
        table.caption = f"the first {MAX_ROWS} of {len(judgement.rows)} steps that differ, flagged ones first; the scorecard holds them all"
    return table


def delta_lines(row: JudgedDelta) -> tuple[str, ...]:
    """The delta cell of one row: `a=1, b=x → a=2, b=y` where every value is short, else a few lines a change."""
    changes = [judged.change for judged in row.changes]
    note = (row.delta.note,) if row.delta.note else ()
    if all(_is_short(change) for change in changes):
        old, new = (", ".join(_sides(changes, side)) or _ABSENT for side in ("old", "new"))
        return (f"{old} → {new}", *_masks(changes), *note)
    lines: list[str] = []
    for change in changes:
        if _is_short(change):
            old, new = (", ".join(_sides([change], side)) or _ABSENT for side in ("old", "new"))
            lines.append(f"{old} → {new}")
        else:
            lines += [f"{_plain(change.field)}: {change.kind}", *(f"  {line}" for line in render_change(change))]
    return (*lines, *_masks(changes), *note)


def _is_short(change: Change) -> bool:
    sides = [side for side in (change.old, change.new) if side is not None]
    return all(side.size is None and len(side.text) <= _SHORT and b"\n" not in side.text for side in sides)


def _sides(changes: list[Change], side: str) -> list[str]:
    held = [(change.field, change.old if side == "old" else change.new) for change in changes]
    return [f"{_plain(name)}={_bare(value)}" for name, value in held if value is not None]


def _bare(value: Canonical) -> str:
    """A plain word as it is; anything with blanks, quotes or bytes that do not show themselves quoted and escaped."""
    if _PLAIN.fullmatch(value.text):
        return value.text.decode("ascii")
    return render_value(value, limit=4 * _SHORT)


def _masks(changes: list[Change]) -> tuple[str, ...]:
    return tuple(
        f"{_plain(change.field)}: noise rule {change.masked_by} matches, but {_why_not_masked(change)}"
        for change in changes
        if change.masked_by
    )


def _why_not_masked(change: Change) -> str:
    masked = change.old is not None and any(
        isinstance(token, Placeholder) and token.rule == change.masked_by for token in change.old.tokens
    )
    return "the candidate never varies there, as the baseline does" if masked else "the baseline never varied there"


def _verdict(row: JudgedDelta) -> Text:
    reasons = dict.fromkeys(judged.allowed_by.reason for judged in row.changes if judged.allowed_by is not None)
    if row.allowed:
        return Text("allowed: " + "; ".join(f'"{_plain(reason)}"' for reason in reasons), style="green")
    return Text("flagged" + (f"\n({row.note})" if row.note else ""), style="bold red")


def _unstable(unstable: tuple[Unstable, ...]) -> RenderableType | None:
    if not unstable:
        return None
    table = _table("case", "step", "command", "unstable check", "values seen")
    for check in unstable[:MAX_ROWS]:
        who = (
            "the baseline disagrees with itself"
            if check.side == "baseline"
            else "became unstable: only the candidate wavers"
        )
        seen = check.baseline if check.side == "baseline" else check.candidate
        values = [_ABSENT if value is None else render_value(value, limit=_SHORT) for value in dict.fromkeys(seen)]
        cell = Text(
            "\n".join(
                [
                    who,
                    *(f"  {value}" for value in values[:4]),
                    *([f"  … {len(values) - 4} more"] if len(values) > 4 else []),
                ]
            )
        )
        table.add_row(_plain(check.case), str(check.step), _plain(check.command), _plain(check.field), cell)
    return table


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
        f"{scorecard.mode}: {_count(counts.cases, 'case')}, {_count(counts.records, 'record')}, {_count(counts.checks, 'check')}",
        f"deltas: {_differ(counts.deltas)}, {counts.deltas_allowed} allowed, {counts.deltas_flagged} flagged",
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
            f"; {_count(len(runs.confirmed), 'case')} run {runs.confirm} times more on each side"
            if runs.confirmed
            else ""
        )
        lines.append(f"runs: each side {runs.repeats} times{again}; sandbox: {runs.sandbox}")
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


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _differ(steps: int) -> str:
    return "1 step differs" if steps == 1 else f"{steps} steps differ"


def _short(digest: str) -> str:
    return digest.rpartition(":")[2][:12]
