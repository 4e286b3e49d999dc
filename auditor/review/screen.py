"""What a person sees of an item: lines that fit the terminal, with nothing in them that could touch it. Values in, text out."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.drafting.values import Change, Classified, Guarded, Hypothesis, Place, Wording
from auditor.review.decide import flags_of
from auditor.review.door import Unbound
from auditor.suggestions.model import AnyItem, AnySuggestion, Silenced
from auditor.suggestions.plain import fold, plain

Style = str
Line = tuple[Style, str, str]
"""A style (empty: none), what stands before the text on its first row, the text as anybody wrote it."""

FEW_LINES = 8
"""Lines of a value, places and silenced changes on the first screen; the rest is in the details."""
MOST_LINES = 400
"""Lines of a value that are shown or compared at all."""
LONG = 600
"""Characters of one line on the first screen."""
MOST_INDENT = 24
"""Columns that the rows after the first of a line leave free at most."""
_COLOURS = {"bold": "1", "old": "31", "new": "32", "warn": "33", "faint": "2"}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One item as it is shown."""

    position: int
    """From 1."""
    total: int
    suggestion: AnySuggestion
    item: AnyItem
    silenced: tuple[Silenced, ...]
    """What the gate says now."""
    unbound: tuple[Unbound, ...] = ()
    """Its places that accepting cannot reach."""
    barriers: tuple[str, ...]
    """Why nobody can accept it."""
    own_reason: str
    """Why the draft's words cannot stand as the reason; empty where they can."""
    unverified: str = ""
    """Why the quote does not carry the claim of intent; empty where it does."""
    stated: str = ""
    """Where the intent was read again."""
    unheld: str = ""
    """Why an acceptance that the file tells of is not to be believed."""

    @property
    def cut(self) -> bool:
        """Whether the first screen leaves out something that a person has to see before accepting."""
        return any(line != cut for line, cut in zip(_body(self, whole=True), _body(self, whole=False), strict=False))


def head(suggestion: AnySuggestion, *, width: int, colour: bool) -> str:
    """What has to be known of a suggestion before its items are read; empty where there is nothing."""
    lines: list[Line] = [("warn", "the drafter was not shown: ", cut) for cut in suggestion.cuts]
    lines += [("warn", "not taken of the answer: ", f"{one.key}: {one.why}") for one in suggestion.rejected]
    left = " (still flagged: gate run shows it)" if suggestion.kind == "policy" else ""
    lines += [("warn", "not drafted: ", f"{key}{left}") for key in suggestion.missing]
    told = {item.id for item in suggestion.items}
    lines += [("warn", "demoted: ", f"{one.key}: {one.why}") for one in suggestion.demoted if one.key not in told]
    if not lines:
        return ""
    return laid_out([("bold", "", f"{suggestion.id} is not the whole answer"), *lines], width=width, colour=colour)


def first_screen(view: View, *, width: int, colour: bool) -> str:
    """The item in short, with what was left out said."""
    return laid_out(_screen(view, whole=False), width=width, colour=colour)


def details(view: View, *, width: int, colour: bool) -> str:
    """The item with all its values, what it would silence, where the draft is from, and what was decided."""
    lines = [*_screen(view, whole=True), *_made(view.suggestion), *_decisions(view)]
    return laid_out(lines, width=width, colour=colour)


def listed(view: View, *, width: int, colour: bool) -> str:
    """The item as one of all of its suggestion: with all its values and what was decided. Where it is from is told once: `origin`."""
    return laid_out([*_screen(view, whole=True), *_decisions(view)], width=width, colour=colour)


def origin(suggestion: AnySuggestion, *, width: int, colour: bool) -> str:
    """What a suggestion is about, and where it is from."""
    title = ("bold", "", f"{suggestion.id}: {suggestion.subject}, {suggestion.status}")
    return laid_out([title, *_made(suggestion)], width=width, colour=colour)


def diff(view: View, *, width: int, colour: bool) -> str:
    """The lines that differ, of each change. The verdict is the gate's: this is for reading."""
    group = view.item.group
    if group is None:
        return laid_out([("", "", "nothing to compare: this draft is words")], width=width, colour=colour)
    lines = [line for change in group.changes for line in _compared(change)]
    return laid_out(lines, width=width, colour=colour)


def laid_out(lines: Iterable[Line], *, width: int, colour: bool) -> str:
    """The lines as text, each at most `width` columns wide, escaped; colours are the only control characters in it."""
    return "\n".join(row for line in lines for row in _rows(line, width, colour))


def place_words(place: Place) -> str:
    """`case A step 4`."""
    again = "" if place.occurrence == 1 else f" (#{place.occurrence})"
    return f"case {place.case} step {place.step}{again}"


def _rows(line: Line, width: int, colour: bool) -> Iterator[str]:
    style, head, text = line
    text = plain(text)
    indent = " " * len(head)
    if len(head) > min(MOST_INDENT, width // 2):
        text, head, indent = head + text, "", "  "
    for number, piece in enumerate(fold(text, width - len(indent))):
        row = ((head if number == 0 else indent) + piece).rstrip()
        yield f"\x1b[{_COLOURS[style]}m{row}\x1b[0m" if colour and style and row else row


def _screen(view: View, *, whole: bool) -> Iterator[Line]:
    item, suggestion = view.item, view.suggestion
    claimed = " (not verified)" if view.unverified else ""
    about = f" {item.draft.kind}{claimed}: {item.group.command}" if item.group is not None else f" {suggestion.subject}"
    settled = "" if item.status == "proposed" else f" ({item.status})"
    yield "bold", "", f"[{view.position}/{view.total}] {suggestion.kind} {item.id}{about}{settled}"
    yield "faint", "", f"{suggestion.id}, drafted by {suggestion.provenance.model}, as the file says"
    if view.unheld:
        yield "warn", f"{item.status}, as the file says: ", view.unheld
    yield from (("warn", "beware: ", flag) for flag in flags_of(item))
    yield from _body(view, whole=whole)
    yield from _draft(view)
    if view.barriers:
        yield from (("warn", "cannot be accepted: ", why) for why in view.barriers)
    elif view.own_reason and item.status == "proposed":
        yield "warn", "accepting takes a reason of your own: ", view.own_reason


def _body(view: View, *, whole: bool) -> list[Line]:
    """What a person has to see before accepting."""
    group = view.item.group
    if group is None:
        return []
    lines = _some([_seen(view, place) for place in group.places], whole, "places")
    lines += [("warn", "not from here: ", why) for why in dict.fromkeys(one.why for one in view.unbound)]
    for change in group.changes:
        lines.append(("", "", f"{change.field}:"))
        lines += _value("old", "- ", change.old, whole)
        lines += _value("new", "+ ", change.new, whole)
    return lines + (_silenced(view, whole) if view.item.status == "proposed" else [])


def _seen(view: View, place: Place) -> Line:
    if any(one.place == place for one in view.unbound):
        return "warn", "seen at ", f"{place_words(place)}, which stays flagged: it cannot be allowed from here"
    return "", "seen at ", place_words(place)


def _silenced(view: View, whole: bool) -> list[Line]:
    lines: list[Line] = [
        (
            "",
            "  ",
            f"case {one.case} step {one.step}, {one.field}: {_short(one.old, whole)} -> {_short(one.new, whole)}",
        )
        for one in view.silenced
    ]
    head = f"accepting it would silence {len(lines)}:" if lines else "accepting it would silence nothing"
    return [("", "", head), *_some(lines, whole, "changes"), *_some(_not_silenced(view), whole, "changes")]


def _not_silenced(view: View) -> list[Line]:
    """Changes of the group that no entry would speak of, at places where others would be allowed."""
    group = view.item.group
    if group is None or not view.silenced:
        return []
    covered = {(one.case, one.step, one.field) for one in view.silenced}
    out_of_reach = [one.place for one in view.unbound]
    return [
        ("warn", "not silenced by it: ", f"{place_words(place)}, {change.field}: allowed already, or beyond any entry")
        for place in group.places
        if place not in out_of_reach
        for change in group.changes
        if (place.case, place.step, change.field) not in covered
    ]


def _value(style: Style, head: str, value: str | None, whole: bool) -> list[Line]:
    if value is None:
        return [(style, head, "(absent)")]
    lines: list[Line] = [(style, head, _clipped(text, whole)) for text in _split(value)]
    return _some(lines, whole, "lines")


def _split(value: str) -> list[str]:
    r"""Its lines; that the last one does not end, or that there is none, is a fact too."""
    if not value:
        return ["(empty)"]
    lines = value.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _some(lines: list[Line], whole: bool, what: str) -> list[Line]:
    most = MOST_LINES if whole else FEW_LINES
    if len(lines) <= most:
        return lines
    return [*lines[:most], ("faint", "  ", f"[{len(lines) - most} more {what}{'' if whole else ': d shows them'}]")]


def _clipped(text: str, whole: bool) -> str:
    if whole or len(text) <= LONG:
        return text
    return f"{text[:LONG]} [{len(text) - LONG} more characters: d shows them]"


def _short(value: str | None, whole: bool) -> str:
    return "(absent)" if value is None else f'"{_clipped(value, whole)}"'


def _draft(view: View) -> Iterator[Line]:
    draft = view.item.draft
    if isinstance(draft, Classified):
        for told in view.suggestion.demoted:
            if told.key == view.item.id:
                yield "warn", "claimed as intent, kept as collateral: ", told.why
        yield "", "reason: ", draft.reason or "(none)"
        yield _quoted(view, draft.quote)
    elif isinstance(draft, Hypothesis):
        yield from _fields(draft, "mechanism", "claim", "evidence", "suspect")
        yield from _experiments(view)
    elif isinstance(draft, Wording):
        yield from _fields(draft, "unclear", "seen", "statement", "difference", "question", "repair_note")
    elif isinstance(draft, Guarded):
        yield from _fields(draft, "command", "field", "promise", "reason", "example")


def _quoted(view: View, quote: str) -> Line:
    """The quote with where it was found again: who wrote that text is for the reader to know."""
    if not quote:
        return "", "quote of the intent: ", "(none)"
    if view.unverified:
        return "warn", "claimed quote, not verified: ", f'"{quote}" ({view.unverified})'
    return "", "quote of the intent: ", f'"{quote}" ({view.stated})'


def _fields(draft: object, *names: str) -> Iterator[Line]:
    for name in names:
        if value := getattr(draft, name):
            yield "", f"{name.replace('_', ' ')}: ", str(value)


def _experiments(view: View) -> Iterator[Line]:
    """The experiment of a hypothesis, what it is to show, and what it showed whenever it was run."""
    draft, held = view.item.draft, view.suggestion
    words = next((offered.words for offered in held.offered if offered.id == draft.experiment), "not among the offered")
    yield "", "experiment: ", f"{draft.experiment}: {words}"
    yield from _fields(draft, "if_true", "if_false")
    shown = [ran for ran in held.experiments if ran.item == view.item.id]
    for ran in shown:
        first, *more = ran.words.split("\n")
        again = "" if ran.experiment == draft.experiment else f" ({ran.experiment})"
        yield "bold", "it showed: ", f"{ran.outcome}: {first} [{ran.when}]{again}"
        yield from (("", "  ", row) for row in more)
    if not shown:
        yield "faint", "not run yet: ", f"auditor experiment {held.id} {view.item.id}"


def _made(suggestion: AnySuggestion) -> Iterator[Line]:
    made = suggestion.provenance
    yield "faint", "model: ", made.model
    yield "faint", "prompt: ", f"{made.prompt} {made.prompt_digest}".rstrip()
    for given in made.inputs:
        yield "faint", "input: ", f"{given.name} {given.digest}" + (f" ({given.path})" if given.path else "")
    cost = "" if made.usage.cost is None else f", cost {made.usage.cost}"
    tokens = made.usage.prompt_tokens + made.usage.answer_tokens
    yield "faint", "usage: ", f"{made.usage.requests} requests, {tokens} tokens{cost}"


def _decisions(view: View) -> Iterator[Line]:
    for decision in view.suggestion.decisions:
        if decision.item == view.item.id:
            yield (
                "faint",
                "decided, as the file says: ",
                f"{decision.when} {decision.who}: {decision.verdict}: {decision.why}",
            )


def _compared(change: Change) -> Iterator[Line]:
    yield "", "", f"{change.field}:"
    old, new = ([] if value is None else _split(value) for value in (change.old, change.new))
    if len(old) > MOST_LINES or len(new) > MOST_LINES:
        yield "warn", "  ", f"only the first {MOST_LINES} lines of {len(old)} and {len(new)} are compared here"
    styles = {"-": "old", "+": "new", "@": "faint"}
    for row in list(difflib.unified_diff(old[:MOST_LINES], new[:MOST_LINES], lineterm="", n=3))[2:]:
        yield styles.get(row[0], ""), f"{row[0]} ", row[1:]
    if old == new:
        yield "", "  ", "the same lines: one side is absent, or the two differ in whether the last line ends"
