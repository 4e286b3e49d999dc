"""Rendering a verdict for the place where it is read: a terminal, a pipe, or a program."""

from __future__ import annotations

from gate.console import in_colour, report_width
from gate.diff.findings import Unstable
from gate.policy.match import Judgement
from gate.report.scorecard import Scorecard, encode
from gate.report.terminal import render


def show(scorecard: Scorecard, judgement: Judgement, unstable: tuple[Unstable, ...], *, json: bool) -> str:
    """The scorecard as JSON, or the report at the terminal's width. No trailing newline."""
    if json:
        return encode(scorecard).decode("utf-8").rstrip("\n")
    return render(scorecard, judgement, unstable, width=report_width(), colour=in_colour())
