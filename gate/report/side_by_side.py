"""One differing step, before and after: lines beside each other with their changed words marked, or one under the other.

Every byte of program output is escaped; nothing here is parsed as markup. What is shown is bounded, whatever was printed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import islice

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gate.diff.escape import escaped, escaped_name
from gate.diff.findings import Canonical, Change, Delta
from gate.diff.line_pairs import Fold, Pair, Row, Unaligned, line_pairs
from gate.diff.render import ABSENT, render_value
from gate.report.delta_text import BEYOND, beyond_what_was_kept
from gate.report.hex_window import hex_rows, is_binary
from gate.report.marked_lines import MAX_LINE, NEW, OLD, Look, marked

MAX_ROWS = 80
"""Rows shown of one check."""

_COUNTED = 1000
_BRIEF = 40
_DETAILS = 10


def side_by_side(delta: Delta, look: Look) -> str:
    """All checks of the step that differ, as text at most `look.width` columns wide; no trailing newline."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=look.width,
        force_terminal=look.colour,
        no_color=not look.colour,
        color_system="standard" if look.colour else None,
    )
    for index, change in enumerate(delta.changes):
        if index:
            console.print()
        _show(console, change, look)
    if delta.note:
        console.print(Text(f"note: {escaped_name(delta.note)}", style="dim"))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def _show(console: Console, change: Change, look: Look) -> None:
    name = escaped_name(change.field)
    old, new = change.old, change.new
    if _is_brief(old) and _is_brief(new):
        console.print(_brief(name, change))
        _print_all(console, _remarks(change))
        return
    console.print(Text(f"{name}: {change.kind} ({_size(old)} → {_size(new)})", style="bold"))
    _print_all(console, [*_remarks(change), *_details(change)])
    before, after = (b"" if held is None else held.text for held in (old, new))
    if before == after:
        return
    if is_binary(before) or is_binary(after):
        for sign, text in hex_rows(before, after):
            console.print(Text(f"  {sign} {text}", style=_style(sign)))
    else:
        _print_rows(console, line_pairs(_lines(before), _lines(after)), look)


def _print_all(console: Console, lines: Sequence[str]) -> None:
    for line in lines:
        console.print(Text(f"  {line}", style="dim"))


def _print_rows(console: Console, rows: Iterator[Row], look: Look) -> None:
    shown = list(islice(rows, MAX_ROWS))
    if shown:
        console.print(_beside(shown, look) if look.beside else _under(shown, look))
    further = sum(1 for _ in islice(rows, _COUNTED))
    if further:
        more = "or more " if further == _COUNTED else ""
        console.print(Text(f"  … {further} {more}further rows", style="dim"))


def _is_brief(held: Canonical | None) -> bool:
    return held is None or (
        held.size is None and not held.overflow and len(held.text) <= _BRIEF and b"\n" not in held.text.rstrip(b"\n")
    )


def _brief(name: str, change: Change) -> Text:
    text = Text(f"{name}: ", style="bold")
    text.append(render_value(change.old), style=f"not bold {OLD}")
    text.append(" → ", style="not bold")
    text.append(render_value(change.new), style=f"not bold {NEW}")
    if change.old is not None and change.new is not None and change.old.text == change.new.text:
        text.append("  (one side prints literally what a noise rule took out of the other)", style="not bold dim")
    return text


def _size(held: Canonical | None) -> str:
    if held is None:
        return ABSENT
    if held.size is not None or held.overflow:
        return f"{held.size or len(held.text)} bytes"
    if is_binary(held.text):
        return f"{len(held.text)} bytes, binary"
    lines = len(_lines(held.text))
    return "empty" if not held.text else "1 line" if lines == 1 else f"{lines} lines"


def _remarks(change: Change) -> list[str]:
    told = []
    if change.masked_by is not None:
        told.append(f"noise rule {change.masked_by} matches here, but may not take it out")
    for side, held in (("before", change.old), ("after", change.new)):
        if held is not None and (held.size is not None or held.overflow):
            stopped = ", stopped at the limit" if held.overflow else ""
            told.append(
                f"{side}: cut; the first {len(held.text)} of {held.size or len(held.text)} bytes were kept{stopped}, "
                f"sha256:{held.sha256 or held.digest}"
            )
    old, new = change.old, change.new
    if beyond_what_was_kept(change):
        told.append(BEYOND)
    elif old is not None and new is not None:
        if old.text == new.text:
            told.append("what was kept of both sides reads the same")
        elif not is_binary(old.text + new.text) and _lines(old.text) == _lines(new.text):
            told.append(f"only the final newline differs: {_final(old.text)} → {_final(new.text)}")
    return told


def _final(text: bytes) -> str:
    return "a newline" if text.endswith(b"\n") else "none"


def _details(change: Change) -> list[str]:
    rows = []
    for detail in change.details[:_DETAILS]:
        old, new = (
            ABSENT if text is None else escaped(text.encode("utf-8", "surrogatepass")[:MAX_LINE])
            for text in (detail.old, detail.new)
        )
        rows.append(f"{escaped_name(detail.path)}: {old} → {new}")
    if len(change.details) > _DETAILS:
        rows.append(f"… {len(change.details) - _DETAILS} further differences by path")
    return rows


def _lines(text: bytes) -> list[bytes]:
    return text.removesuffix(b"\n").split(b"\n") if text else []


def _beside(rows: Sequence[Row], look: Look) -> Table:
    numbers = _number_width(rows)
    text = (look.width - 2 * numbers - 7) // 2  # five gaps of one blank, the mark between the sides, one to spare
    table = Table.grid(padding=(0, 1, 0, 0))
    for width, justify in ((numbers, "right"), (text, "left"), (1, "left"), (numbers, "right"), (text, "left")):
        table.add_column(width=width, justify="right" if justify == "right" else "left", overflow="fold")
    for row in rows:
        if isinstance(row, Pair):
            left, right = marked(row, look)
            table.add_row(_number(row.old_number), left, _mark(row), _number(row.new_number), right)
        else:
            table.add_row("", Text(_remark(row), style="dim"), "", "", "")
    return table


def _mark(row: Pair) -> str:
    if row.equal:
        return " "
    return "<" if row.new is None else ">" if row.old is None else "|"


def _under(rows: Sequence[Row], look: Look) -> Table:
    numbers = _number_width(rows)
    table = Table.grid(padding=(0, 1, 0, 0))
    for _ in range(2):
        table.add_column(width=numbers, justify="right")
    table.add_column(width=1)
    table.add_column(width=max(20, look.width - 2 * numbers - 5), overflow="fold")
    news: list[tuple[Pair, Text]] = []

    def flush() -> None:
        for pair, text in news:
            table.add_row("", _number(pair.new_number), Text("+", style=NEW), text)
        news.clear()

    for row in rows:
        if not isinstance(row, Pair) or row.equal:
            flush()
        if not isinstance(row, Pair):
            table.add_row("", "", "", Text(_remark(row), style="dim"))
            continue
        left, right = marked(row, look)
        if row.equal:
            table.add_row(_number(row.old_number), _number(row.new_number), "", left)
            continue
        if row.old is not None:
            table.add_row(_number(row.old_number), "", Text("-", style=OLD), left)
        if row.new is not None:
            news.append((row, right))
    flush()
    return table


def _number_width(rows: Sequence[Row]) -> int:
    numbers = [max(row.old_number, row.new_number) for row in rows if isinstance(row, Pair)]
    return len(str(max(numbers, default=1)))


def _number(number: int) -> Text:
    return Text(str(number) if number else "", style="dim")


def _remark(row: Fold | Unaligned) -> str:
    if isinstance(row, Fold):
        return f"… {row.lines} equal lines"
    return f"… {row.old} and {row.new} lines from here on, too many to align: line by line"


def _style(sign: str) -> str:
    return OLD if sign == "-" else NEW if sign == "+" else ""
