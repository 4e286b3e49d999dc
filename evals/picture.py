"""Bars with intervals as SVG. Numbers in, the same bytes out: no script, no font that is fetched, no date."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Literal

import msgspec

from auditor.drafting.fence import visible_line

LABEL, PLOT, TOLD, LINE, EDGE = 330, 400, 200, 24, 12
"""Widths of the three columns, the height of a line, and what stays free round all, in pixels."""
LONGEST = 46
"""Characters of a label; more are cut."""
_FILL = {"good": "#3b6ea5", "bad": "#b3261e", "other": "#8a8a8a"}

Tone = Literal["good", "bad", "other"]


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """One share from 0 to 1."""

    label: str
    value: float
    low: float | None
    """None, as `high` is: no interval, and none is drawn."""
    high: float | None
    n: int
    small: bool
    """Of few answers: pale, and said."""
    tone: Tone
    """`good`: more is better; `bad`: less is; `other`: somebody else's, to compare with."""
    marks: tuple[tuple[str, float], ...] = ()
    """Values of others by a letter: a line across the bar."""


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """Bars under one title."""

    title: str
    bars: tuple[Bar, ...]


def svg(panels: Sequence[Panel], *, about: str, legend: Sequence[str]) -> str:
    """The picture, with one line feed at its end. `about` is what a reader hears who sees nothing."""
    lower = LINE * (1 + sum(1 + len(one.bars) for one in panels))
    width, height = LABEL + PLOT + TOLD + 2 * EDGE, 2 * EDGE + lower + LINE * len(legend)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'font-family="sans-serif" font-size="12"><title>{_text(about)}</title>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *_scale(EDGE + lower),
    ]
    y = EDGE + LINE
    for panel in panels:
        lines.append(f'<text x="{EDGE}" y="{y + 16}" font-weight="bold">{_text(panel.title)}</text>')
        for number, bar in enumerate(panel.bars, start=1):
            lines += _bar(bar, y + number * LINE)
        y += LINE * (1 + len(panel.bars))
    for number, told in enumerate(legend):
        lines.append(f'<text x="{EDGE}" y="{y + 18 + number * LINE}" fill="#555">{_text(told)}</text>')
    return "\n".join((*lines, "</svg>", ""))


def _scale(bottom: int) -> Iterator[str]:
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10)
        yield f'<line x1="{x}" x2="{x}" y1="{EDGE + LINE}" y2="{bottom}" stroke="#e2e2e2"/>'
        yield f'<text x="{x}" y="{EDGE + 12}" text-anchor="middle" fill="#555">{tenth / 10:.1f}</text>'


def _bar(bar: Bar, y: int) -> Iterator[str]:
    """The label, the bar, the marks of others, the interval as whiskers, and all of it as figures."""
    middle = y + LINE // 2
    label = bar.label if len(bar.label) <= LONGEST else f"{bar.label[: LONGEST - 1]}…"
    yield f'<text x="{EDGE + LABEL - 8}" y="{middle + 4}" text-anchor="end">{_text(label)}</text>'
    pale = ' fill-opacity="0.45"' if bar.small else ""
    yield f'<rect x="{_x(0)}" y="{y + 6}" width="{PLOT * bar.value:.1f}" height="{LINE - 12}" fill="{_FILL[bar.tone]}"{pale}/>'
    for value in sorted({value for _, value in bar.marks}):
        letters = "".join(letter for letter, at in bar.marks if at == value)
        yield f'<line x1="{_x(value)}" x2="{_x(value)}" y1="{y + 4}" y2="{y + LINE - 4}" stroke="#e08a00" stroke-width="2"/>'
        yield f'<text x="{_x(value)}" y="{y + 4}" font-size="9" text-anchor="middle" fill="#8a5500">{_text(letters)}</text>'
    between = ""
    if bar.low is not None and bar.high is not None:
        low, high = _x(bar.low), _x(bar.high)
        ends = f"M{low} {middle - 4}V{middle + 4}M{low} {middle}H{high}M{high} {middle - 4}V{middle + 4}"
        yield f'<path d="{ends}" stroke="#111" stroke-width="1.5" fill="none"/>'
        between = f" ({bar.low:.2f} to {bar.high:.2f})"
    few = ", small" if bar.small else ""
    yield f'<text x="{EDGE + LABEL + PLOT + 12}" y="{middle + 4}">{bar.value:.2f}{between}, n {bar.n}{few}</text>'


def _x(value: float) -> str:
    return f"{EDGE + LABEL + PLOT * value:.1f}"


def _text(text: str) -> str:
    return escape(visible_line(text), quote=True)
