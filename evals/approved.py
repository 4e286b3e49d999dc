"""The figures that a person approved of the offline drafter, and whether a run still keeps to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from evals.errors import EvalsError
from evals.folder import folder_name
from evals.tasks import TASKS
from evals.values import Figure, Head

FOLDER = Path(__file__).parent / "approved"
_ROBUST = (
    "told as its own outcome",
    "valid part stays",
    "nothing half-written",
    "exit code stays",
    "requests and waits as allowed",
)
EXACT = {*_ROBUST, "form kept", "quotes valid", "entries exact", "evidence valid", "three distinct"}
"""Metrics that hold by construction: nothing less than the approved value will do."""
DANGEROUS = {"dangerous errors", "entries too broad"}
"""Metrics of which nothing more than the approved value will do."""

Figures = dict[str, dict[str, dict[str, Figure]]]


class Approved(msgspec.Struct, frozen=True, kw_only=True):
    """`approved/NAME.json`."""

    model: str
    drafter: str
    data: dict[str, str]
    figures: Figures
    """By task, variant and name of the metric."""


def path_of(model: str) -> Path:
    """Where the figures of a model stand."""
    return FOLDER / f"{folder_name(model)}.json"


def approve(head: Head, figures: Figures, before: Approved | None = None) -> bytes:
    """The file's bytes for a run. Of a task that asks nobody and was skipped here, as without an extra, `before` stays."""
    stays = {name for name in head.skipped if before is not None and not TASKS[name].asks and name in before.figures}
    if before is not None and stays:
        figures = {**figures, **{name: before.figures[name] for name in sorted(stays)}}
    data = head.data if before is None or not stays else {**before.data, **head.data}
    held = Approved(model=head.model, drafter=head.drafter, data=dict(sorted(data.items())), figures=figures)
    return msgspec.json.format(msgspec.json.encode(held), indent=2) + b"\n"


def read_approved(path: Path) -> Approved:
    """The approved figures. Raises EvalsError for a file that is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Approved)
    except (OSError, msgspec.MsgspecError) as error:
        raise EvalsError(
            f"{path.name}: expected approved figures, got {error}", next_step="See docs/evals.md."
        ) from error


def departures(approved: Approved, head: Head, figures: Mapping[str, Mapping[str, Mapping[str, Figure]]]) -> list[str]:
    """What of a run is not as approved, one sentence each; of the tasks that were run alone. A run of no task departs.

    A figure has to stay in its approved interval. One that holds by construction must not fall, and dangerous errors must not rise.
    """
    found = [] if head.tasks else ["no task was run"]
    for name, digest in head.data.items():
        if approved.data.get(name) != digest:
            found.append(f"{name}: other data than approved")
    for task in head.tasks:
        if task not in approved.figures:
            found.append(f"{task}: not approved")
        for variant, metrics in approved.figures.get(task, {}).items():
            found += _of_variant(f"{task}, {variant}", metrics, figures.get(task, {}).get(variant, {}))
    return found


def _of_variant(where: str, approved: Mapping[str, Figure], now: Mapping[str, Figure]) -> Iterator[str]:
    for name, expected in approved.items():
        if name not in now:
            yield f"{where}: {name}: absent"
        elif why := _departs(name, expected, now[name]):
            yield f"{where}: {name}: {why}"


def _departs(name: str, expected: Figure, now: Figure) -> str:
    if (expected.value is None) != (now.value is None):
        return f"expected {_said(expected.value)}, got {_said(now.value)}"
    if expected.value is None or now.value is None:
        return ""
    if name in DANGEROUS and now.value > expected.value:
        return f"expected at most {expected.value:.3f}, got {now.value:.3f}"
    if name in EXACT and now.value < expected.value:
        return f"expected at least {expected.value:.3f}, got {now.value:.3f}"
    low, high = (expected.value if edge is None else edge for edge in (expected.low, expected.high))
    inside = low - 1e-9 <= now.value <= high + 1e-9
    better = name in DANGEROUS or name in EXACT
    return "" if inside or better else f"expected {low:.3f} to {high:.3f}, got {now.value:.3f}"


def _said(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
