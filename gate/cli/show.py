"""Rendering a verdict for the place where it is read: a terminal, a pipe, or a program."""

from __future__ import annotations

import os
import shutil
import sys

from gate.diff.findings import Unstable
from gate.policy.match import Judgement
from gate.report.scorecard import Scorecard, encode
from gate.report.terminal import render

_PIPE_WIDTH = 120


def show(scorecard: Scorecard, judgement: Judgement, unstable: tuple[Unstable, ...], *, json: bool) -> str:
    """The scorecard as JSON, or the report at the terminal's width (120 columns in a pipe). No trailing newline."""
    if json:
        return encode(scorecard).decode("utf-8").rstrip("\n")
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else _PIPE_WIDTH
    return render(
        scorecard, judgement, unstable, width=max(width, 60), colour=terminal and "NO_COLOR" not in os.environ
    )
