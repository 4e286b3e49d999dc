"""The options that several commands share: one name and one help text for one idea."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer


class Format(StrEnum):
    """How a result is printed."""

    TEXT = "text"
    JSON = "json"


ProjectOption = Annotated[
    Path,
    typer.Option(
        "--project", file_okay=False, help="The folder that holds gate.toml.", show_default="the current folder"
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        help="Processes that replay; the result is the same for any number.",
        show_default="one a core",
    ),
]
FormatOption = Annotated[
    Format,
    typer.Option(
        "--format",
        help="text for people, json for machines. Where no verdict could be reached, the reason is on standard error alone.",
    ),
]
ScorecardOption = Annotated[
    Path | None, typer.Option("--scorecard", dir_okay=False, help="Also write the scorecard to this file.")
]
SandboxOption = Annotated[
    Literal["auto", "require", "off"],
    typer.Option(
        "--sandbox",
        help="auto: where there is one; require: exit code 2 without one; off: builds and steps run with your rights.",
    ),
]
