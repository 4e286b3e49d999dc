"""The groups of a run as a person reads them: one row a group, the gravest first, then the long ones in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gate.counted import counted
from gate.diff.groups import Alike
from gate.policy.match import JudgedDelta, Judgement
from gate.report.counted import step_number
from gate.report.delta_text import gist, in_full
from gate.report.shown_groups import ShownGroup, ShownSpot
from gate.report.votes_text import plain

MAX_ROWS = 200
"""Groups that are printed; the scorecard holds them all."""

MAX_FULL = 20
"""Groups that are shown in full, too, where a line each does not tell all."""

FULL_LINES = 100
"""Lines in all that they share, as far as each has at least four and none more than twelve for a change."""

MAX_THEN = 8
"""Rows of steps that follow, under one group."""

PLACES = 3
"""Further places that a row names."""

TABLE_WIDTH = 100
"""Columns from which on groups are a table; below, each is a few lines of its own."""

_REASONS = 3
_REMARKS: dict[Alike, str] = {
    "equal": "",
    "but for places": "each with numbers or paths of its own",
    "in kind": "each with an edit of its own; this is one of them",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One row, as text."""

    group: str
    spot: ShownSpot
    steps: int
    command: str
    kind: str
    delta: tuple[str, ...]
    small: tuple[str, ...]
    """What is said in a low voice: remarks and further places."""
    verdict: str
    allowed: bool
    follows: bool


def groups_parts(
    groups: Sequence[ShownGroup], judgement: Judgement, width: int, *, recorded: bool
) -> Iterator[RenderableType]:
    """The rows; what was left out of them; the long ones in full. Nothing where no step differs.

    `recorded`: `gate show` can show more of it.
    """
    if not groups:
        return
    rows = {_key(row.delta.case, row.delta.step, row.delta.occurrence): row for row in judgement.rows}
    shown = groups[:MAX_ROWS]
    lines = [line for each in shown for line in _lines(each, rows, recorded=recorded)]
    yield _table(lines) if width >= TABLE_WIDTH else _blocks(lines)
    if left := groups[MAX_ROWS:]:
        steps = sum(each.steps for each in left)
        yield Text(
            f"the first {MAX_ROWS} of {len(groups)} groups; {len(left)} more with {counted(steps, 'step')} "
            + (f"are left: gate show {left[0].id}" if recorded else "are in the scorecard alone"),
            style="dim",
        )
    long = [each for each in shown if in_full(_shown_by(each, rows).delta, each.edits, width=width, lines=1)]
    for each in long[:MAX_FULL]:
        yield _full(each, _shown_by(each, rows), width, min(12, max(4, FULL_LINES // len(long))))
    if more := long[MAX_FULL:]:
        yield Text(f"the first {MAX_FULL} of {len(long)} long groups in full; {len(more)} more are not", style="dim")


_Key = tuple[str, int, int]


def _key(case: str, step: int, occurrence: int) -> _Key:
    return case, step, occurrence


def _shown_by(group: ShownGroup, rows: Mapping[_Key, JudgedDelta]) -> JudgedDelta:
    place = group.representative
    return rows[_key(place.case, place.step, place.occurrence)]


def _lines(group: ShownGroup, rows: Mapping[_Key, JudgedDelta], *, recorded: bool) -> Iterator[_Line]:
    row = _shown_by(group, rows)
    yield _Line(
        group=group.id,
        spot=group.representative,
        steps=len(group.spots),
        command=group.command,
        kind=group.kind,
        delta=gist(row.delta, group.edits),
        small=tuple(text for text in (_remark(group, recorded=recorded), _elsewhere(group)) if text),
        verdict=_verdict(group, rows),
        allowed=row.allowed,
        follows=False,
    )
    for each in group.then[:MAX_THEN]:
        yield _follower(each, rows, recorded=recorded)
    if left := group.then[MAX_THEN:]:
        yield _left_out(left, recorded=recorded)


def _follower(group: ShownGroup, rows: Mapping[_Key, JudgedDelta], *, recorded: bool) -> _Line:
    row = _shown_by(group, rows)
    first, *more = gist(row.delta, group.edits)
    remark = f", {_remark(group, recorded=recorded)}" if group.alike != "equal" else ""
    many = f" ({len(group.spots)} steps that follow{remark})" if len(group.spots) > 1 else ""
    return _Line(
        group="",
        spot=group.representative,
        steps=len(group.spots),
        command=group.command,
        kind=group.kind,
        delta=(f"then: {first}{' …' if more else ''}{many}",),
        small=(),
        verdict=_verdict(group, rows),
        allowed=row.allowed,
        follows=True,
    )


def _left_out(groups: Sequence[ShownGroup], *, recorded: bool) -> _Line:
    first = groups[0]
    where = f"each: gate show {first.id} --all" if recorded else "all are in the scorecard"
    steps = sum(each.steps for each in groups)
    return _Line(
        group="",
        spot=first.representative,
        steps=steps,
        command="…",
        kind="…",
        delta=(f"then: {counted(steps, 'step')} more that follow, from here on ({where})",),
        small=(),
        verdict=", ".join(sorted({each.verdict for each in groups})),
        allowed=False,
        follows=True,
    )


def _verdict(group: ShownGroup, rows: Mapping[_Key, JudgedDelta]) -> str:
    row = _shown_by(group, rows)
    if not row.allowed:
        return "flagged" + (f"\n({row.note})" if row.note else "")
    reasons = dict.fromkeys(
        judged.allowed_by.reason
        for spot in group.spots
        for judged in rows[_key(spot.case, spot.step, spot.occurrence)].changes
        if judged.allowed_by is not None
    )
    told = [f'"{plain(reason)}"' for reason in islice(reasons, _REASONS)]
    more = f" and {len(reasons) - _REASONS} more reasons" if len(reasons) > _REASONS else ""
    return f"allowed: {'; '.join(told)}{more}"


def _remark(group: ShownGroup, *, recorded: bool) -> str:
    told = _REMARKS[group.alike]
    return f"{told} (each: gate show {group.id} --all)" if told and recorded else told


def _elsewhere(group: ShownGroup) -> str:
    others = [spot for spot in group.spots if spot != group.representative]
    if not others:
        return ""
    more = f" and {len(others) - PLACES} more" if len(others) > PLACES else ""
    return f"also: {', '.join(map(_place, others[:PLACES]))}{more}"


def _place(spot: ShownSpot) -> str:
    return f"{plain(spot.case)} step {step_number(spot.step, spot.occurrence)}"


def _table(lines: Sequence[_Line]) -> Table:
    counted = any(line.steps > 1 for line in lines)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("group")
    table.add_column("case", overflow="fold")
    table.add_column("step", justify="right")
    table.add_column("command", overflow="fold")
    table.add_column("kind", max_width=13)
    if counted:
        table.add_column("steps", justify="right")
    table.add_column("delta", overflow="fold", ratio=1)
    table.add_column("verdict", overflow="fold")
    for line in lines:
        cells = [
            line.group,
            plain(line.spot.case),
            step_number(line.spot.step, line.spot.occurrence),
            plain(line.command),
            line.kind,
        ]
        table.add_row(
            *map(Text, cells),
            *([str(line.steps)] if counted else []),
            _delta(line),
            Text(line.verdict, style=_style(line)),
            style="dim" if line.follows else None,
        )
    return table


def _delta(line: _Line) -> Text:
    text = Text("\n".join(line.delta))
    for each in line.small:
        text.append(f"\n{each}", style="dim")
    return text


def _style(line: _Line) -> str:
    return "green" if line.allowed else "red" if line.follows else "bold red"


def _blocks(lines: Sequence[_Line]) -> Group:
    return Group(*(part for line in lines for part in (_follower_block(line) if line.follows else _block(line))))


def _block(line: _Line) -> Iterator[RenderableType]:
    many = f", {line.steps} steps" if line.steps > 1 else ""
    head = Text(f"{line.group}  {line.kind}{many}  ", style="bold")
    yield head.append(line.verdict.replace("\n", " "), style=_style(line))
    place = Text(f"{_place(line.spot)}: {plain(line.command)}\n")
    yield Padding(place.append_text(_delta(line)), (0, 0, 0, 4))


def _follower_block(line: _Line) -> Iterator[RenderableType]:
    place = f"{_place(line.spot)}: {plain(line.command)}"
    told = Text(line.delta[0].replace("then: ", f"then: {place}: ", 1) + "  ", style="dim")
    yield Padding(told.append(line.verdict.partition("\n")[0], style=_style(line)), (0, 0, 0, 4))


def _full(group: ShownGroup, row: JudgedDelta, width: int, lines: int) -> Group:
    head = Text(f"{group.id} in full, {_place(group.representative)}: {plain(group.command)}", style="bold")
    text = Text()
    for line in in_full(row.delta, group.edits, width=width - 2, lines=lines):
        sign = line.removeprefix("  ")[:2]
        text.append(f"{line}\n", style={"- ": "red", "+ ": "green"}.get(sign, ""))
    text.right_crop(1)
    return Group(head, Padding(text, (0, 0, 0, 2)))
