"""Whether what a sentence says of a command covers a change of one of its fields, by the words that both share."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from auditor.drafting.offline_sentences import CONDITIONS, Facts
from auditor.drafting.offline_vocabulary import unaccounted
from auditor.drafting.values import Change
from auditor.drafting.words import concept_of, concepts, words

Effect = Literal["succeeds", "fails", "unclear"]


class Cover(NamedTuple):
    """Whether a change is covered, and by what or why not, in a few words."""

    covered: bool
    why: str


LONGEST = 20_000
"""Characters of a value that is read word by word."""

_NOTHING = {concept_of(word) for word in ("none", "null", "nil", "no")}
_STREAMS = {"stdout", "stderr", "files", "status"}
_ENDINGS = frozenset({"status", "exit", "exit_code", "returncode"})
_QUIETED = {"error", "stderr", "message", "msg", "reason"}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def is_status(change: Change) -> bool:
    """Whether the change is one of the exit status."""
    return change.field in _ENDINGS or change.kind == "exit code"


def is_loss(change: Change) -> bool:
    """Whether something is gone: the field, all of its text, a line of it, a warning, or an error."""
    old, new = _lines(change.old), _lines(change.new)
    return len(new) < len(old) or (_silent(change.new) and not _silent(change.old))


def value_concepts(changes: Sequence[Change]) -> frozenset[str]:
    """The concepts of all values of a group, but for those that are too long to be read word by word."""
    texts = [text for change in changes for text in (change.old, change.new) if text and len(text) <= LONGEST]
    return frozenset[str]().union(*map(concepts, texts))


def cover(change: Change, facts: Facts, values: frozenset[str]) -> Cover:
    """Whether the facts name this change of their command, and say nothing that it does not show.

    `values` are `value_concepts` of its group. A word of the facts that is neither plain nor shown by the change may be a condition,
    another object or a doubt: then nothing is covered.
    """
    found = _cover(change, facts, values)
    if not found.covered:
        return found
    shown = values | concepts(facts.command) | {concept_of(facts.command.lower())} | concepts(change.field)
    extra = unaccounted(facts.said, shown, status=is_status(change), loss=is_loss(change))
    return Cover(False, f"it also says {_listing(extra)}, which the change does not show") if extra else found


def _cover(change: Change, facts: Facts, values: frozenset[str]) -> Cover:
    if max(len(change.old or ""), len(change.new or "")) > LONGEST:
        return Cover(False, "its value is too long to be read word by word")
    if options := facts.options:
        return Cover(False, f"it is about the option {min(options)}, which the command word does not show")
    said = facts.affirmed | facts.denied
    if (said & CONDITIONS) and (values & CONDITIONS) and not (said & values & CONDITIONS) and "idempotent" not in said:
        return Cover(
            False, f"it speaks of {_listing(said & CONDITIONS)}, the change of {_listing(values & CONDITIONS)}"
        )
    if "idempotent" in said and (values & CONDITIONS) - {"missing", "duplicate", "unknown"}:
        return Cover(False, f"idempotent says nothing of {_listing(values & CONDITIONS)}")
    if is_status(change) and not facts.own:
        return Cover(False, "a status needs a sentence that names its own command")
    return _cover_status(change, facts) if is_status(change) else _cover_value(change, facts)


def effect(facts: Facts) -> Effect | None:
    """Which end the facts name for a command; None where they name none."""
    good = facts.affirmed & {"succeed", "idempotent"} or facts.denied & {"fail", "error"}
    bad = "fail" in facts.affirmed or facts.denied & {"succeed", "idempotent"}
    if good and bad:
        return "unclear"
    return "succeeds" if good else "fails" if bad else None


def _cover_status(change: Change, facts: Facts) -> Cover:
    old, new = change.old or "", change.new or ""
    numbers = {concept[1:] for concept in facts.affirmed if concept[0] == "#"}
    if "exit" in facts.affirmed and numbers:
        return Cover(
            new in numbers, "it names the exit status" if new in numbers else f"it names another status than {new}"
        )
    named = effect(facts)
    if named == "unclear":
        return Cover(False, "it speaks of success and of failure")
    if (old == "0") == (new == "0"):
        return Cover(False, f"it does not name the status {new}")
    wanted = "succeeds" if new == "0" else "fails"
    if "nonzero" in facts.affirmed and "exit" in facts.affirmed and wanted == "fails":
        return Cover(True, "it names a non-zero status")
    if named is None:
        return Cover(False, f"it does not say that the command {wanted}")
    return Cover(named == wanted, f"it says that the command {named}")


def _cover_value(change: Change, facts: Facts) -> Cover:
    for shape in (_cover_order, _cover_form, _cover_rounding, _cover_field, _cover_switch):
        found = shape(change, facts)
        if found is not None:
            return found
    return _cover_words(change, facts)


def _cover_order(change: Change, facts: Facts) -> Cover | None:
    """The same lines or words in another order."""
    old, new = _lines(change.old), _lines(change.new)
    if len(old) == len(new) == 1:
        old, new = re.split(r"[\s,;]+", old[0]), re.split(r"[\s,;]+", new[0])
    if len(new) < 2 or old == new or Counter(old) != Counter(new):
        return None
    if not facts.affirmed & {"sort", "order"}:
        return Cover(False, "it does not speak of an order")
    in_order = new in (sorted(new), sorted(new, reverse=True), sorted(new, key=str.lower), sorted(new, key=_by_number))
    return Cover(
        in_order, "it speaks of sorting" if in_order else "it speaks of sorting, but the new order is no sorted one"
    )


def _cover_form(change: Change, facts: Facts) -> Cover | None:
    """The same text in other white space, in other case, or as JSON."""
    old, new = change.old or "", change.new or ""
    if old.split() == new.split() and old.split():
        return Cover("space" in facts.affirmed | facts.denied, "it speaks of white space, or should")
    if old.lower() == new.lower():
        named = facts.affirmed & {"upper", "lower"}
        right = ("upper" in named and new == old.upper()) or ("lower" in named and new == old.lower())
        return Cover(right, "it speaks of upper or lower case" if right else "it does not name the new case")
    if "json" in facts.affirmed and _is_json(new) and not _is_json(old):
        kept = {word.text for word in words(old)} <= {word.text for word in words(new)}
        return Cover(kept, "it asks for JSON" if kept else "it asks for JSON, but words of the old value are lost")
    return None


def _cover_rounding(change: Change, facts: Facts) -> Cover | None:
    """The same text with numbers of fewer digits."""
    old, new = change.old or "", change.new or ""
    before, after = _NUMBER.findall(old), _NUMBER.findall(new)
    if "round" not in facts.affirmed or _NUMBER.sub("", old) != _NUMBER.sub("", new) or len(before) != len(after):
        return None
    digits = [len(number.partition(".")[2]) for number in after]
    named = {int(concept[1:]) for concept in facts.affirmed if concept[1:].isdigit() and concept[0] == "#"}
    near = all(
        abs(float(one) - float(two)) <= 10.0**-many for one, two, many in zip(before, after, digits, strict=True)
    )
    right = near and (not named or set(digits) <= named | {0})
    return Cover(right, "it asks for rounding" if right else "it asks for rounding, but not to these numbers")


def _cover_field(change: Change, facts: Facts) -> Cover | None:
    """A field of its own name that came or went."""
    name = _field_name(change)
    if not name or (change.old is None) == (change.new is None):
        return None
    told = facts.affirmed if change.old is None else facts.denied
    if name <= told:
        return Cover(True, f"it names the field {change.field}")
    against = facts.denied if change.old is None else facts.affirmed
    return Cover(False, f"it says the opposite of {change.field}") if name <= against else None


def _cover_switch(change: Change, facts: Facts) -> Cover | None:
    """A field that is true or false: its name and its new value are said, or that it is the old one no longer."""
    old, new = (concept_of((text or "none").lower()) for text in (change.old, change.new))
    if {old, new} != {"true", "false"}:
        return None
    said = facts.affirmed | facts.denied
    named = _field_name(change) <= said and old not in facts.affirmed and new not in facts.denied
    told = named and (new in facts.affirmed or old in facts.denied)
    return Cover(
        told, f"it says that {change.field} is {new}" if told else f"it does not say that {change.field} is {new}"
    )


def _cover_words(change: Change, facts: Facts) -> Cover:
    """By the words that came and went. The rules in order: nothing opposite, nothing lost unsaid, something named, most of it named."""
    old, new = _counted(change.old), _counted(change.new)
    gone, come = set(old - new), set(new - old)
    single = len(gone) == len(come) == len(old) == len(new) == 1
    forgiven = CONDITIONS | {"error"} if effect(facts) == "succeeds" and change.field in _QUIETED else frozenset()
    opposite = (come & facts.denied) | (set() if single else (gone & facts.affirmed) - forgiven)
    if opposite:
        return Cover(False, f"it says the opposite of {_listing(opposite)}")
    if _silent(change.new):
        return _cover_silence(change, gone, facts, forgiven)
    named = come & (facts.affirmed | ({"sort"} if "order" in facts.affirmed else set()))
    lost = gone - facts.denied
    if lost and not (single and named):
        return Cover(False, f"it does not say that {_listing(lost)} goes")
    unnamed = {concept for concept in come - named if concept[0] != "#"}
    if not (named or gone) or len(unnamed) > len(named):
        return Cover(False, f"it does not name {_listing(unnamed or come) or 'what differs'}")
    return Cover(True, f"it names {_listing(named or gone)}")


def _cover_silence(change: Change, gone: set[str], facts: Facts, forgiven: frozenset[str]) -> Cover:
    """A value that is empty or `none` now: an error of a command that succeeds from now on, or what the sentence says goes."""
    name = _field_name(change)
    said = gone & facts.denied or gone & forgiven or (name and name <= facts.denied)
    return Cover(
        bool(said), "it says that this goes" if said else f"it does not say that {_listing(gone) or 'it'} goes"
    )


def _counted(text: str | None) -> Counter[str]:
    return Counter(word.concept for word in words(text or "") if word.concept not in _NOTHING)


def _silent(text: str | None) -> bool:
    return text is None or (text.strip().lower() in {"", "none", "null", "nil", "-", "0", "[]", "{}"})


def _lines(text: str | None) -> list[str]:
    return [line for line in (text or "").split("\n") if line.strip()]


def _field_name(change: Change) -> frozenset[str]:
    stream = change.field in _STREAMS or change.field.startswith("files:")
    return frozenset() if stream else frozenset(word.concept for word in words(change.field))


def _by_number(line: str) -> tuple[float, str]:
    found = _NUMBER.search(line)
    return (float(found[0]) if found else 0.0, line)


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _listing(found: frozenset[str] | set[str]) -> str:
    """At most three concepts as words."""
    return ", ".join(repr(concept.removeprefix("#")) for concept in sorted(found)[:3])
