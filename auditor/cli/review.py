"""`auditor review`: a person looks at what was drafted, and decides. There is no other way to accept anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.api import judging, say

if TYPE_CHECKING:
    from auditor.review.desk import Entry
    from auditor.review.gate_door import GateDoor
    from auditor.review.keys import Terminal
    from auditor.review.reviewer import Reviewer
    from auditor.suggestions.store import Stored

ProjectOption = Annotated[Path, typer.Option("--project", metavar="DIR", help="The folder that holds gate.toml.")]
RunOption = Annotated[
    Path | None, typer.Option("--run", metavar="DIR", help="The recorded run.", show_default=".gate/latest")
]
ReviewerOption = Annotated[
    str | None, typer.Option("--reviewer", metavar="NAME", help="Who decides; by default git's user.name.")
]


_ORDER = ("policy", "hypotheses", "wording", "golden")
"""What can allow something comes first."""


def review(
    suggestion: Annotated[str | None, typer.Argument(metavar="[ID]", help="One suggestion; by default all.")] = None,
    project: ProjectOption = Path(),
    run: RunOption = None,
    reviewer: ReviewerOption = None,
) -> None:
    """Go through the proposed items one by one, and accept, edit, reject or skip each. Needs a terminal.

    What is accepted of a policy draft is written to policy.json as bound entries under the reviewer's name; that person commits it.
    """
    from auditor.review.gate_door import GateDoor
    from auditor.review.keys import RealTerminal
    from auditor.review.reviewer import find_reviewer
    from auditor.suggestions.plain import plain

    with judging(interrupted="what was decided stands"):
        terminal = RealTerminal()
        who = find_reviewer(reviewer, project)
        stored = sorted(_stored(project, suggestion), key=lambda held: _ORDER.index(held.suggestion.kind))
        terminal.show(f"reviewer: {plain(who.name)} ({who.source})")
        queue = [
            (held.suggestion.id, item.id)
            for held in stored
            for item in held.suggestion.items
            if item.status == "proposed"
        ]
        if not queue:
            terminal.show("nothing is proposed; auditor draft --help says how to draft")
            return
        _sit(GateDoor(project_root=project, run=run), who, terminal, stored, queue)


def _stored(project: Path, suggestion: str | None) -> tuple[Stored, ...]:
    from auditor.suggestions.store import list_suggestions, read_suggestion

    if suggestion is not None:
        return (read_suggestion(project, suggestion),)
    found = list_suggestions(project)
    for broken in found.broken:
        say(f"left out: {broken.what}")
    return found.stored


def _sit(door: GateDoor, who: Reviewer, terminal: Terminal, stored: Sequence[Stored], queue: list[Entry]) -> None:
    import time

    from auditor.review.clock import now
    from auditor.review.desk import Desk
    from auditor.review.loop import Loop
    from auditor.review.tally import intent_rates
    from auditor.review.told import decisions_told
    from auditor.suggestions.plain import fold

    for rate in intent_rates(held.suggestion for held in stored):
        terminal.show(rate)
    for held in stored:
        for line in decisions_told(door, door.project_root, held.suggestion):
            terminal.show("\n".join(fold(f"not asked again: {held.suggestion.id}: {line}", terminal.width)))
    desk = Desk(
        door=door,
        reviewer=who,
        project_root=door.project_root,
        now=now,
        stored={held.suggestion.id: held for held in stored},
    )
    Loop(desk, terminal, ticks=time.monotonic).run(queue)
