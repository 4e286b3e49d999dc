"""What is drafted of one run: a policy for what is flagged, hypotheses for what fails, words for what is frozen. Told line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from auditor.cli.drafted import decided_lines, intent_of, kept, lines_of, review_words, tell_fault, titled
from auditor.drafting.drafter import Desk
from auditor.drafting.model_drafts import NoDraftError
from auditor.suggestions.model import AnySuggestion
from auditor.suggestions.plain import plain
from gate import api

MOST_GROUPS = 3
"""Flagged groups that hypotheses are drafted for where no property failed."""

HEADING = "drafts (suggestions, no vote)"

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """What a command line says of a patch, beside the run."""

    sides: api.Trees | api.Commits
    intent: Path | None = None
    """The file that states it."""

    @property
    def candidate(self) -> Path | None:
        """The folder with the patch; None where commits were named, or where a build was held against itself."""
        return self.sides.candidate if isinstance(self.sides, api.Trees) else None

    @property
    def commits(self) -> tuple[str | None, str | None]:
        """Base and head, where they were named."""
        return (self.sides.base, self.sides.head) if isinstance(self.sides, api.Commits) else (None, None)

    @property
    def itself(self) -> bool:
        """Whether there is no patch: a build was held against itself."""
        return self.candidate is None and self.commits[1] is None


def draft_all(desk: Desk, patch: Patch, tell: Tell) -> None:
    """Draft what the run of `desk` asks for, and tell each suggestion as soon as it is kept.

    A draft that cannot be made is told on standard error, and the next one is tried. Raises NoDraftError where nothing else would be
    answered either, as without a connection: the model is not asked again; and GateError where the run cannot be read.
    """
    left = api.recorded(desk.root, desk.run)
    tell(f"\n{HEADING}")
    policy = _policy(desk, patch, left, tell)
    subjects, more = _subjects(left, policy)
    for subject in subjects:
        _each(desk, tell, partial(desk.hypotheses, subject, candidate=patch.candidate))
    if more:
        tell(
            f"hypotheses were drafted for the first {MOST_GROUPS}, {more} left out: auditor draft hypotheses 'group ID'"
        )
    frozen = [ballot.property for ballot in left.ballots if ballot.kind in ("freeze", "frozen")]
    for name in frozen:
        _each(desk, tell, partial(desk.wording, name))
    if not (left.flagged or subjects or frozen):
        tell("nothing to draft: nothing is flagged, no property failed, and none is frozen")


def _policy(desk: Desk, patch: Patch, left: api.Recorded, tell: Tell) -> AnySuggestion | None:
    if not left.flagged:
        return None
    if patch.itself:
        tell("no policy was drafted: a build was held against itself, and no policy allows a difference there")
        return None
    if patch.intent is None and patch.commits[1] is None:
        tell(
            "no policy was drafted for want of an intent; say in a file what the patch is meant to do, and name it: "
            "auditor draft policy --intent FILE"
        )
        return None
    base, head = patch.commits if patch.intent is None else (None, None)

    def draft() -> AnySuggestion | None:
        text, path = intent_of(desk.root, patch.intent, base, head)
        return desk.policy(text, intent_path=path, commits=(base, head))

    return _each(desk, tell, draft)


def _subjects(left: api.Recorded, policy: AnySuggestion | None) -> tuple[list[str], int]:
    """What hypotheses are drafted for, and how many groups are left out: properties that failed; where none did, collateral groups."""
    failed = [f"property {ballot.property}" for ballot in left.ballots if ballot.kind == "fail"]
    if failed or policy is None:
        return failed, 0
    beside = [f"group {item.id}" for item in policy.items if item.draft.kind == "collateral"]
    return beside[:MOST_GROUPS], len(beside[MOST_GROUPS:])


def _each(desk: Desk, tell: Tell, draft: Callable[[], AnySuggestion | None]) -> AnySuggestion | None:
    """Make one draft, keep it and tell it. None where it could not be made, which is told on standard error."""
    try:
        made = draft()
        if made is None:
            return None
        _, held = kept(desk.root, made)
    except api.GateError as error:
        if isinstance(error, NoDraftError) and not error.of_one_question:
            raise
        tell_fault(error)
        return None
    for line in told(desk.root, held):
        tell(line)
    for line in decided_lines(desk.root, desk.run, held):
        tell(f"  {line}")
    return held


def told(project: Path, held: AnySuggestion) -> Iterator[str]:
    """A suggestion in lines: what it is, each item, and how to review it."""
    yield titled(held)
    yield from (f"  {line}" for line in lines_of(held))
    yield f"  review: {plain(review_words(project, held.id))}"
