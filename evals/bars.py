"""The figures of a run, or of several, as the bars of a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase

from evals.document import Picture
from evals.picture import Bar, Panel, Tone, svg
from evals.said import SMALL
from evals.values import Figure

FILE = "figures.svg"
Figures = Mapping[str, Figure]
"""By name of the metric."""
SHOWN = (
    "F1 on collateral",
    "dangerous errors",
    "intended found",
    "top-1 hit",
    "top-3 hit",
    "experiment discriminates",
    "answer unchanged",
)
"""The metrics that are drawn, where a task has one of them; else its first three."""
LESS_IS_BETTER = "dangerous errors"
_LEGEND = "Whiskers: 95 %. Red: less is better. Pale: small n."


def of_run(model: str, parts: Mapping[str, Figures], beside: Mapping[str, Mapping[str, Figures]]) -> Picture:
    """One panel for each task and variant of `parts`; the rules of `beside` (by name, then as `parts`) are marks across the bars."""
    letters = dict(zip(beside, ascii_lowercase, strict=False))
    panels = [
        Panel(
            title=title,
            bars=tuple(
                bar
                for name in drawn(figures)
                for bar in _bars(name, name, figures[name], marks=_marks(letters, beside, title, name))
            ),
        )
        for title, figures in parts.items()
    ]
    rules = ", ".join(f"{letter} {name}" for name, letter in letters.items())
    legend = (_LEGEND, f"Orange, rules that read nothing: {rules or 'none'}.")
    return _picture(
        panels, about=f"The figures of {model} with their intervals, beside rules that read nothing", legend=legend
    )


def of_runs(runs: Mapping[str, Mapping[str, Figures]]) -> Picture:
    """One panel for each task and variant that the first run has, a bar of each run for each metric."""
    first, *others = runs.values()
    panels = [
        Panel(
            title=title,
            bars=tuple(
                bar
                for name in drawn(figures)
                for at, (run, parts) in enumerate(runs.items())
                if name in parts.get(title, {})
                for bar in _bars(name, f"{name}, {run}", parts[title][name], second=at > 0)
            ),
        )
        for title, figures in first.items()
        if any(title in parts for parts in others)
    ]
    legend = (_LEGEND, "Grey: the runs after the first.")
    return _picture(panels, about=f"The figures of {', '.join(runs)} with their intervals", legend=legend)


def drawn(figures: Figures) -> Sequence[str]:
    """The metrics of one task and variant that a picture shows."""
    return [name for name in SHOWN if name in figures] or list(figures)[:3]


def _picture(panels: Sequence[Panel], *, about: str, legend: Sequence[str]) -> Picture:
    return Picture(file=FILE, about=about, svg=svg([one for one in panels if one.bars], about=about, legend=legend))


def _bars(
    name: str, label: str, figure: Figure, *, marks: tuple[tuple[str, float], ...] = (), second: bool = False
) -> list[Bar]:
    """One bar; none for what is undefined, or no share."""
    if figure.value is None or not 0 <= figure.value <= 1:
        return []
    tone: Tone = "other" if second else "bad" if name == LESS_IS_BETTER else "good"
    return [
        Bar(
            label=label,
            value=figure.value,
            low=figure.low,
            high=figure.high,
            n=figure.n,
            small=figure.n < SMALL,
            tone=tone,
            marks=marks,
        )
    ]


def _marks(
    letters: Mapping[str, str], beside: Mapping[str, Mapping[str, Figures]], title: str, name: str
) -> tuple[tuple[str, float], ...]:
    told = ((letter, beside[rule].get(title, {}).get(name)) for rule, letter in letters.items())
    return tuple(
        (letter, figure.value)
        for letter, figure in told
        if figure is not None and figure.value is not None and 0 <= figure.value <= 1
    )
