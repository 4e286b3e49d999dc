"""What a team decided of drafts: read from folders of suggestions, counted by who drafted. Files are data, and may be hostile."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal

import msgspec

from auditor.drafting.values import Classified
from auditor.suggestions.model import AnyItem, AnySuggestion, Decision
from auditor.suggestions.store import FOLDER, Broken, list_suggestions
from evals.errors import EvalsError

MOST_WORDS = 200
"""Words of a text that are compared; what follows is not looked at."""
_WORD = re.compile(r"[A-Za-z0-9_]+|\S")

Outcome = Literal["accepted", "edited", "rejected"]


class Maker(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """Who drafted: another prompt, or other words of it, is another drafter."""

    kind: str
    model: str
    prompt: str
    prompt_digest: str
    """Empty where no prompt was used."""


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """One item that a person decided."""

    name: str
    """The suggestion and the item."""
    drafted: str
    """`intent` or `collateral` in a policy; empty in other kinds."""
    outcome: Outcome
    old: str
    new: str
    """The text that was settled on; of an item that was not edited as `old`, or empty."""
    why: str
    seconds: float | None


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """The drafts of one maker."""

    maker: Maker
    decided: tuple[Decided, ...]
    proposed: int
    """Items that nobody has decided."""


class Decisions(msgspec.Struct, frozen=True, kw_only=True):
    """What folders of suggestions hold."""

    made: tuple[Made, ...]
    """By maker, in order."""
    broken: tuple[tuple[str, str], ...]
    """Files and items that are not counted, and why."""


def read(folders: Sequence[Path]) -> Decisions:
    """All drafts of these folders, each a folder `suggestions` or a project that has one.

    The same suggestion in two folders counts once for each. Raises EvalsError where a folder is not there or holds nothing, and
    SuggestionError on a link.
    """
    found: dict[Maker, tuple[list[Decided], list[str]]] = {}
    broken: list[tuple[str, str]] = []
    for folder in folders:
        listing = list_suggestions(_project(folder))
        if not listing.stored and not listing.broken:
            raise EvalsError(
                f"{folder}: expected suggestions, found none", next_step="Draft some: auditor draft policy"
            )
        broken += [_named(one) for one in listing.broken]
        for stored in listing.stored:
            held = stored.suggestion
            decided, proposed = found.setdefault(_maker(held), ([], []))
            for item in held.items:
                _sort(held, item, decided, proposed, broken)
    made = [
        Made(maker=maker, decided=tuple(decided), proposed=len(proposed))
        for maker, (decided, proposed) in sorted(found.items())
        if decided or proposed
    ]
    return Decisions(made=tuple(made), broken=tuple(broken))


def distance(old: str, new: str) -> float:
    """How far two texts are apart, from 0 to 1: 1 less the ratio of difflib over words, each sign a word of its own.

    Of either at most MOST_WORDS are compared. Two empty texts: 0. It is no count of keystrokes; the order of the two may matter a little.
    """
    first, second = (_WORD.findall(text)[:MOST_WORDS] for text in (old, new))
    return 1 - SequenceMatcher(None, first, second, autojunk=False).ratio()


def _project(folder: Path) -> Path:
    at = folder.absolute()
    root = at.parent if at.name == FOLDER else at
    if not (root / FOLDER).is_dir():
        raise EvalsError(
            f"{folder}: expected a folder of suggestions, found none",
            next_step=f"Name a project that has a folder `{FOLDER}`, or that folder.",
        )
    return root


def _named(one: Broken) -> tuple[str, str]:
    return one.file, one.what


def _maker(held: AnySuggestion) -> Maker:
    made = held.provenance
    return Maker(kind=held.kind, model=made.model, prompt=made.prompt, prompt_digest=made.prompt_digest)


def _sort(
    held: AnySuggestion, item: AnyItem, decided: list[Decided], proposed: list[str], broken: list[tuple[str, str]]
) -> None:
    """Put an item where it belongs. One whose status its last decision does not tell was edited by hand, and counts nowhere."""
    name = f"{held.id} {item.id}"
    last = next(_last(held.decisions, item.id), None)
    verdict = "undone" if last is None else last.verdict
    if item.status == "proposed" and verdict == "undone":
        proposed.append(name)
    elif last is not None and item.status != "proposed" and item.status == verdict:
        decided.append(_decided(name, item, item.status, last))
    else:
        broken.append((name, f"its status is {item.status}, its last decision {verdict}"))


def _last(decisions: Sequence[Decision], item: str) -> Iterator[Decision]:
    return (one for one in reversed(decisions) if one.item == item)


def _decided(name: str, item: AnyItem, outcome: Outcome, decision: Decision) -> Decided:
    return Decided(
        name=name,
        drafted=item.draft.kind if isinstance(item.draft, Classified) else "",
        outcome=outcome,
        old=decision.old,
        new=decision.new,
        why=decision.why,
        seconds=decision.seconds,
    )
