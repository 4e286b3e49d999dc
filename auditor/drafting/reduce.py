"""Reduction: what is sent is small, the part round the failure is in it, and what was left out is said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from auditor.drafting.fence import visible, visible_line
from auditor.drafting.values import Change, Group

BYTES_PER_TOKEN = 2
"""Measured on code: 1.95 (reported fault 137). Prose has about 4; an estimate may only be too high."""

_STEPS = (4000, 2000, 1000, 500, 250, 120, 60)
"""Bytes that a value may have, tried in this order until the groups fit."""

_FAILS = re.compile(
    r"^(?:E  |[ \t]*+(?:[\w.]*(?:Error|Exception|Failure|Warning)\b|assert\b|FAILED|FAIL\b|panic|fatal)).*",
    re.MULTILINE,
)
_ATOM = re.compile(r"\[REDACTED:\d+\]|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}")
_ATOM_REACH = 24
_ALERTS = frozenset(("status", "exit", "exit_code", "returncode", "error", "stderr"))


def tokens(text: str) -> int:
    """How many tokens a text has at most, by a pessimistic rule: one for two bytes of UTF-8, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A text as it is sent."""

    text: str
    omitted: int
    """Bytes left out in all; 0 when it is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduced:
    """Groups as they are sent."""

    groups: tuple[Group, ...]
    """Those that the model sees, in their own order, values cut."""
    text: str
    unseen: tuple[str, ...]
    """The ids of those that did not fit. They get no draft."""
    cuts: tuple[str, ...]
    """What was left out, one sentence each."""


def cut(text: str, limit: int, *, focus: int | None = None) -> Cut:
    """At most `limit` bytes of `text`, and the marks `[omitted N bytes]`.

    A quarter is from its head, a quarter from its tail, and half from round `focus`, a position in `text`; without one, round the
    first line that looks like a failure, else head and tail have it all. A text that fits is whole. Neither a character, nor a
    placeholder, nor an escape is cut in two.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= limit:
        return Cut(text=text, omitted=0)
    at = _failure(text) if focus is None else focus
    windows = _windows(len(data), limit, None if at is None else len(text[:at].encode("utf-8", "surrogatepass")))
    parts: list[str] = []
    end = kept = 0
    for start, stop in _apart(data, windows):
        if start > end:
            parts.append(f"[omitted {start - end} bytes]")
        parts.append(data[start:stop].decode("utf-8", "surrogatepass"))
        kept, end = kept + stop - start, stop
    if end < len(data):
        parts.append(f"[omitted {len(data) - end} bytes]")
    return Cut(text="".join(parts), omitted=len(data) - kept)


def _failure(text: str) -> int | None:
    found = _FAILS.search(text)
    return None if found is None else found.start()


def _windows(size: int, limit: int, at: int | None) -> list[tuple[int, int]]:
    if at is None:
        return [(0, limit // 2), (size - limit // 2, size)]
    quarter = limit // 4
    return [
        (0, quarter),
        (max(0, at - quarter // 2), min(size, at + limit // 2 - quarter // 2)),
        (size - quarter, size),
    ]


def _apart(data: bytes, windows: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The windows joined where they meet, each drawn in to whole characters and atoms."""
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(windows):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    drawn = [(_inward(data, start, last=False), _inward(data, stop, last=True)) for start, stop in joined]
    return [(start, stop) for start, stop in drawn if start < stop]


def _inward(data: bytes, at: int, *, last: bool) -> int:
    """The next place at which nothing is cut in two: backwards for the end of a window, forwards for its beginning."""
    if at in (0, len(data)):
        return at
    near = data[max(0, at - _ATOM_REACH) : at + _ATOM_REACH].decode("latin-1")
    offset = at - max(0, at - _ATOM_REACH)
    for atom in _ATOM.finditer(near):
        if atom.start() < offset < atom.end():
            return at + (atom.start() if last else atom.end()) - offset
    while 0 < at < len(data) and data[at] & 0xC0 == 0x80:
        at += -1 if last else 1
    return at


def reduce_groups(groups: Sequence[Group], budget: int) -> Reduced:
    """The groups within `budget` tokens, with every id told: values are cut first, round their first difference; what is then
    still too much goes by whole groups, the least important first.

    Most important are changes of how a step ended or failed, then what was seen in most places; ties keep the given order.
    """
    shown = tuple(_made_visible(group) for group in groups)
    for limit in _STEPS:
        reduced = _reduced(shown, (), limit)
        if tokens(reduced.text) <= budget:
            return reduced
    ranked = sorted(range(len(shown)), key=lambda index: _rank(shown[index]))
    sizes = [tokens(_entry(_cut_group(group, _STEPS[-1])[0])) + 1 for group in shown]
    chosen: set[int] = set()
    spent = tokens(_unseen_line([group.id for group in shown]))
    for index in ranked:
        if spent + sizes[index] <= budget:
            chosen.add(index)
            spent += sizes[index]
    left = tuple(group.id for index, group in enumerate(shown) if index not in chosen)
    return _reduced([group for index, group in enumerate(shown) if index in chosen], left, _STEPS[-1])


def _rank(group: Group) -> tuple[bool, int]:
    return _ALERTS.isdisjoint(change.field for change in group.changes), -len(group.places)


def _made_visible(group: Group) -> Group:
    changes = tuple(
        msgspec.structs.replace(
            change,
            field=visible_line(change.field),
            old=None if change.old is None else visible(change.old),
            new=None if change.new is None else visible(change.new),
        )
        for change in group.changes
    )
    return msgspec.structs.replace(group, command=visible_line(group.command), changes=changes)


def _reduced(groups: Sequence[Group], unseen: tuple[str, ...], limit: int) -> Reduced:
    cut_down = [_cut_group(group, limit) for group in groups]
    kept = tuple(group for group, _ in cut_down)
    cuts = [said for _, sentences in cut_down for said in sentences]
    entries = [_entry(group) for group in kept]
    if unseen:
        entries.append(_unseen_line(unseen))
        seen = f"the model saw {len(kept)} of {len(kept) + len(unseen)} changes"
        cuts.insert(0, f"{seen}; no draft for {', '.join(unseen)}")
    return Reduced(groups=kept, text="\n".join(entries), unseen=unseen, cuts=tuple(cuts))


def _unseen_line(ids: Sequence[str]) -> str:
    return f"not shown, give no answer for: {', '.join(ids)}"


def _cut_group(group: Group, limit: int) -> tuple[Group, list[str]]:
    changes: list[Change] = []
    said: list[str] = []
    for change in group.changes:
        focus = _first_difference(change.old or "", change.new or "")
        sides: dict[str, str | None] = {"old": change.old, "new": change.new}
        for side, value in sides.items():
            if value is not None:
                done = cut(value, limit, focus=focus)
                sides[side] = done.text
                if done.omitted:
                    said.append(f"{group.id}: {done.omitted} bytes of the {side} {change.field} were not shown")
        changes.append(msgspec.structs.replace(change, old=sides["old"], new=sides["new"]))
    return msgspec.structs.replace(group, changes=tuple(changes)), said


def _first_difference(old: str, new: str) -> int:
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if old[:middle] == new[:middle] else (low, middle - 1)
    return low


def _entry(group: Group) -> str:
    """A group as the prompt shows it. Lines of a value after its first are indented: no value can look like an entry of its own."""
    lines = [f"{group.id}: command: {group.command}"]
    for number, change in enumerate(group.changes):
        if number:
            lines.append(f"field: {change.field}")
        else:
            lines[0] += f" / field: {change.field}"
        lines += [_side("old", change.old), _side("new", change.new)]
    if len(group.places) > 1:
        lines.append(f"seen in {len(group.places)} places")
    return "\n".join(lines)


def _side(name: str, value: str | None) -> str:
    return f"{name} is absent" if value is None else f"{name}: " + value.replace("\n", "\n    ")
