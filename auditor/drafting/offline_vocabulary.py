"""Which words of a sentence are plain statement: every other one has to be shown by the change, or the sentence supports nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from auditor.drafting.words import Word, concept_of, words


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PLAIN = _set(
    "the a an any all each every both and or for in on of with by to from at into about after is are be become becomes it its this that"
    " these which when whenever if now also too then always even must shall should will has have need needs do does make makes let"
    " lets ensure ensures sure we i please goal aim purpose want wants default so"
)
"""Small words that add no condition, no other object and no doubt. `only`, `unless`, `already`, `there` are none of them."""

_THINGS = _set(
    "key keys value values entry entries item items record records element elements argument arguments input inputs output outputs"
    " result results line lines name names field fields text message messages code command commands subcommand program patch change changes"
    " commit version"
)
"""What any program has. Whether the right one is meant is asked of some of them, in `_PARTNERS`."""

_EFFECTS = _set(
    "succeed fail idempotent error exit nonzero sort order show add warn return giv missing empty duplicate unknown invalid not before"
    " start end everywhere"
)
"""Concepts that say what a command does, and to what; whether they fit the change is asked elsewhere."""

_FORMS = frozenset({"space", "upper", "lower", "round", "json", "quiet"})
"""They say how a value looks; an exit status looks like nothing."""

_HEARSAY = _set("said told wrote written reported mentioned")
"""Forms of `show` in which somebody else speaks."""

_LABEL = _set(
    "feature features request feat fix fixed fixes breaking change changes changed goal goals intent intents intended summary new what"
    " behaviour behavior expected meant wanted required requirement requirements following user users visible added"
    " improvement improvements improved enhancement description purpose subject title spec story release notes changelog yes are"
    " follows here two three four five things points do does effect effects acceptance criteria"
)
_SCOPE = frozenset(
    map(
        concept_of,
        _set(
            "scope bug issue problem limitation caveat regression open question idea wish alternative consider considered"
            " background motivation context history example reproduce actual actually avoid undo revert"
            " deprecation deferred defer postponed postpone backlog unrelated excluded exclude wrong false falsely"
            " against kidding joke nope myth rumour risk nonsense maybe perhaps optional"
            " ideal ideally draft current currently today known old past workaround complaint claim claims mistake future todo"
            " later dismissed abandoned before was previous previously out"
        ),
    )
) - {"not", "fail", "delete", "duplicate"} | {"later", "before"}
"""Concepts of what is said of the scope of a patch, of another time, of faults, of doubts."""
_SCOPE_FORMS = _set(
    "removed removal removals dropped deprecated existing rejected reject rejects refused declined discarded cancelled"
    " avoid avoids avoided revert reverted reverts"
)
"""Forms that take back where other forms of the word, `remove` or `fail`, say what a command does."""

_ABOUT_WORK = frozenset(
    map(concept_of, _set("test tests testing doc docs documentation chore ci style refactor refactoring build"))
)
_POINTS_BACK = _set("this that it we which these those both they such not never except unless only however but if")
_LIKELY_COMMANDS = {"get", "set", "list", "delete"}
"""Common names: a short sentence that begins with one speaks of a command of which no difference was seen."""

_DENIES = {"not", "never", "no longer", "not any more", "nope"}
_FOREIGN = re.compile(
    r"\b(?:nicht|kein\w{0,2}|nie|niemals|ist|sind|wird|werden|soll\w{0,3}|muss|dass|und|oder|auch|nur|mehr|der|das|dem|den|ein\w{0,2}|f\u00fcr"
    r"|mit|von|bei|wenn|pas|n'est|ne|est|sont|les|des|une|dans|pour|jamais|aucun\w?|que|el|una?|los|las|est\u00e1n?|nunca|ning\u00fan"
    r"|il|della|niet|geen|het|een|inte|ikke|n\u00e3o)\b",
    re.IGNORECASE,
)
_REMOVING = _set("remove removes drop drops omit omits hide hides discard discards")
"""Said of something that is gone indeed."""

_PARTNERS = {
    "missing": _set("key entry item record element argument value name field"),
    "empty": _set("value input text argument output result line"),
    "sort": _set("key name output result item entry record element line"),
}
"""What is usually meant to be missing, empty or sorted. Another thing has to stand in the values of the change."""

_SORTED_BY = set(map(concept_of, ("default", "key", "name")))
_ARTICLES = {"the", "a", "an", "their", "its"}


_CROSSES = re.compile("[\u274c\u2717\u2718\u2716\u26d4\u2612\U0001f6ab\U0001f44e\U0001f6d1\U0001f534]")


def is_crossed(text: str) -> bool:
    """Whether a text holds a cross, a stop sign or a thumb that points down."""
    return bool(_CROSSES.search(text))


def is_foreign(text: str) -> bool:
    """Whether small words of another language stand in a text."""
    return bool(_FOREIGN.search(text))


def unaccounted(said: Sequence[Word], shown: frozenset[str], *, status: bool, loss: bool) -> frozenset[str]:
    """The words of a statement that neither plain English nor what is `shown` by the change accounts for, as they are written.

    `shown` holds concepts: of the command, of the fields, of the values.
    """
    rounds = not status and any(word.concept == "round" for word in said)
    free = (frozenset[str]() if status else _FORMS) | {f"#{number}" for number in range(11) if rounds}
    left = {word.text for word in said if not (_accounted(word, shown | free) or (loss and word.text in _REMOVING))}
    return frozenset(left | set(_other_objects(said, shown)))


def _accounted(word: Word, shown: frozenset[str]) -> bool:
    if word.text in _HEARSAY:
        return False
    return word.text in _PLAIN or word.text in _THINGS or word.concept in _EFFECTS or word.concept in shown


def _other_objects(said: Sequence[Word], shown: frozenset[str]) -> Iterable[str]:
    """`empty keys` where a value is empty, `sorts by size`."""
    things = {concept_of(thing) for thing in _THINGS}
    sorts = any(word.concept == "sort" for word in said)
    for one, other in pairwise(word for word in said if word.text not in _ARTICLES):
        fitting = set(map(concept_of, _PARTNERS.get(one.concept, _THINGS)))
        if other.concept in things - shown - fitting or (
            one.text == "by" and sorts and other.concept not in shown | _SORTED_BY
        ):
            yield f"{one.text} {other.text}"


def label_fault(label: str) -> str:
    """The first word that makes what stands before a colon more than an announcement; empty when there is none."""
    return next((word.text for word in words(label) if word.text not in _PLAIN | _THINGS | _LABEL), "")


def heading_fault(heading: str, *, names: bool) -> str:
    """The first word of a heading that takes from what stands below it; empty when there is none. `names`: it names a command."""
    kept = re.sub(r"(?i)\bbug ?fix(?:es)?\b", " ", heading)
    if re.match(r"(?i)\W*(?:non|no|not|anti)\b", kept):
        return words(kept)[0].text if words(kept) else ""
    against = _SCOPE | _ABOUT_WORK | (frozenset() if names else frozenset({"not", "fail"}))
    return next((word.text for word in words(kept) if word.concept in against or word.text in _SCOPE_FORMS), "")


def takes_back(text: str, *, names: bool) -> bool:
    """Whether a sentence takes back the one before it: `Rejected.`, `That is a bug.`, `Not in this patch.`

    It names no command, is short or points back, and holds a word of doubt.
    """
    every = words(text)
    if names or not every or not (len(every) <= 4 or every[0].text in _POINTS_BACK):
        return False
    if every[0].text in _LIKELY_COMMANDS or any(word.text in {"else", "other"} for word in every):
        return False
    denied = any(word.text in _DENIES or "n't" in word.text or "n\u2019t" in word.text for word in every)
    effects = any(word.concept in {"succeed", "fail", "error", "warn", "show", "exit", "sort"} for word in every)
    doubts = any(word.concept in _SCOPE or word.text in _SCOPE_FORMS | {"if", "unless", "only"} for word in every)
    return doubts or (denied and not effects)


def says_only_no(said: Sequence[Word]) -> bool:
    """Whether a stretch denies what was said and nothing of its own: `(NOT in this patch)`, `although it should not`."""
    rest = [word for word in said if word.concept != "not"]
    return len(rest) < len(said) and all(word.text in _PLAIN | _THINGS | {"yet", "there", "case"} for word in rest)
