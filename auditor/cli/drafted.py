"""What commands that draft share: the stated intent, a suggestion that is kept and told in lines, and a fault that moves no verdict."""

from __future__ import annotations

import os
import shlex
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gate.api import GateError, say

if TYPE_CHECKING:
    from auditor.suggestions.model import AnyItem, AnySuggestion

STANDS = "The verdict stands."

MOST_INTENT = 4_000_000
"""Bytes of a file that states an intent; drafting reads far fewer."""


def intent_of(project: Path, file: Path | None, base: str | None, head: str | None) -> tuple[str, str | None]:
    """The stated intent, and where it can be read again. Raises AuditorError, and GateError for commits without a message."""
    from auditor.errors import AuditorError
    from auditor.project_file import NotReadError, read_project_file
    from gate import api

    if (file is None) == (base is None or head is None):
        raise AuditorError(
            "expected one statement of intent",
            next_step="Name a file with --intent, or two commits with --base and --head.",
        )
    if file is None:
        return api.intent(project, str(base), str(head)), None
    try:
        text = read_project_file(file, project, most=MOST_INTENT).decode("utf-8")
    except (OSError, NotReadError, UnicodeDecodeError) as error:
        said = "no such file" if isinstance(error, FileNotFoundError) else error
        raise AuditorError(
            f"{file}: expected a text in UTF-8, got: {said}", next_step="Name a plain file of the project."
        ) from None
    place, root = file.resolve(), project.resolve()
    return text, place.relative_to(root).as_posix() if place.is_relative_to(root) else None


def kept(project: Path, suggestion: AnySuggestion) -> tuple[Path, AnySuggestion]:
    """The file that the suggestion stands in, and what stands there: with earlier decisions where it was drafted before."""
    from auditor.suggestions.store import keep, read_suggestion

    file = keep(project, suggestion)
    return file, read_suggestion(project, suggestion.id).suggestion


def lines_of(suggestion: AnySuggestion) -> Iterator[str]:
    """One line an item, then one for each of what was not shown, demoted, not taken and not drafted; safe on a terminal."""
    from auditor.suggestions.plain import plain

    offered = {one.id: one.words for one in suggestion.offered}
    for item in suggestion.items:
        decided = "" if item.status == "proposed" else f" [{item.status}]"
        yield plain(f"{item.id}: {_line(item, offered)}{decided}")
    for cut in suggestion.cuts:
        yield plain(f"the drafter was not shown: {cut}")
    for demoted in suggestion.demoted:
        yield plain(f"demoted: {demoted.key}: {demoted.why}")
    for refused in suggestion.rejected:
        yield plain(f"not taken: {refused.key}: {refused.why}")
    for key in suggestion.missing:
        yield plain(f"not drafted: {key}")


def decided_lines(project: Path, run: Path | None, suggestion: AnySuggestion) -> Iterator[str]:
    """What the file tells of decisions that were there before, and whether policy.json bears it out. Nothing where all is proposed."""
    from auditor.review.gate_door import GateDoor
    from auditor.review.told import decisions_told

    lines = decisions_told(GateDoor(project_root=project, run=run), project, suggestion)
    if lines:
        yield f"suggestions/{suggestion.id}.json was there before, with decisions; if nobody you know made them, delete it and draft again:"
        yield from (f"  {line}" for line in lines)


def titled(suggestion: AnySuggestion) -> str:
    """What the suggestion is, in one line: `policy-0123456789ab: 2 intent, 4 collateral, by offline`."""
    from auditor.suggestions.plain import plain

    counted = suggestion.subject
    if suggestion.kind == "policy":
        kinds = [item.draft.kind for item in suggestion.items]
        counted = f"{kinds.count('intent')} intent, {kinds.count('collateral')} collateral"
    elif suggestion.kind == "hypotheses":
        counted = f"why {suggestion.subject} fails" if suggestion.subject.startswith("property ") else counted
    return plain(f"{suggestion.id}: {counted}, by {suggestion.provenance.model}")


def review_words(project: Path, suggestion: str) -> str:
    """The command that reviews one suggestion, as a shell takes it."""
    words = ["auditor", "review", suggestion]
    return shlex.join(words if project == Path() else [*words, "--project", str(project)])


def tell_fault(error: GateError) -> None:
    """Tell why there is no draft, with the next step, in one line on standard error."""
    from auditor.suggestions.plain import plain

    say(plain(f"not drafted: {error.what.rstrip('.')}. {error.next_step} {STANDS}"))


@contextmanager
def advising() -> Iterator[None]:
    """Let no fault of a draft out: it is told in one line on standard error, with the next step. Ctrl-C goes through."""
    from auditor.suggestions.plain import plain

    try:
        yield
    except GateError as error:
        tell_fault(error)
    except OSError as error:
        say(
            plain(
                f"not drafted: {error.filename or 'a file'}: {error.strerror or error}. Mend it and draft again. {STANDS}"
            )
        )
    except (Exception, SystemExit) as error:
        if os.environ.get("GATE_DEBUG"):
            say("\n".join(map(plain, traceback.format_exc().splitlines())))
        name = type(error).__name__
        say(
            plain(
                f"not drafted: the drafting itself failed ({name}). Run again with GATE_DEBUG=1 and report it. {STANDS}"
            )
        )


def _line(item: AnyItem, offered: dict[str, str]) -> str:
    """One line of an item: what its draft says, in a few words."""
    from auditor.drafting.values import Classified, Guarded, Hypothesis

    match draft := item.draft:
        case Classified():
            quote = f' ("{draft.quote}")' if draft.quote else ""
            return f"{draft.kind}{quote}: {_where(item)}{draft.reason}"
        case Hypothesis():
            words = offered.get(draft.experiment, "")
            return f"{draft.mechanism}: {draft.claim} Experiment {draft.experiment}: {words}"
        case Guarded():
            return f"{draft.command} {draft.field}: {draft.promise}: {draft.reason}"
        case _:
            return str(draft.statement)


def _where(item: AnyItem) -> str:
    """`case A step 4, delete: `, the first place and how many more there are."""
    if item.group is None:
        return ""
    first, *more = item.group.places
    others = f" and {len(more)} more" if more else ""
    return f"case {first.case} step {first.step}{others}, {item.group.command}: "
