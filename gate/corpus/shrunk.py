"""Two grammars compared: what can be drawn from one and no longer from the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gate.corpus.grammar import Argument, Grammar
from gate.corpus.slots import Form, forms, shown

_MOST = 5
"""Words that a line names."""


def shrunk(old: Grammar, new: Grammar) -> Iterator[str]:
    """A line for each thing that OLD draws and NEW does not: pools first, then commands, then the settings. What came says nothing.

    Arguments are held against each other by their option, or by their place.
    """
    for name, words in old.pools.items():
        yield from _lost(f"pool {name}", "words", words, new.pools.get(name))
    after = forms(new)
    for name, form in forms(old).items():
        if name not in after:
            yield f"command {name}: gone"
        else:
            yield from _form(form, after[name])
    yield from _settings(old, new)


def _form(old: Form, new: Form) -> Iterator[str]:
    after = {slot.label: slot.argument for slot in new.slots}
    for slot in old.slots:
        place = f"command {old.command.name}: {slot.label}"
        if slot.label not in after:
            yield f"{place}: gone"
        else:
            yield from (f"{place}: {change}" for change in _argument(slot.argument, after[slot.label]))


def _argument(old: Argument, new: Argument) -> Iterator[str]:
    if old.kind != new.kind:
        yield f"{old.kind} -> {new.kind}"
    elif old.kind == "literal" and old.value != new.value:
        yield f"{shown(old.value or '')} -> {shown(new.value or '')}"
    elif old.kind == "pool" and old.pool != new.pool:
        yield f"pool {old.pool} -> {new.pool}"
    elif old.kind in ("int", "float", "text") and (old.bounds[0] < new.bounds[0] or new.bounds[1] < old.bounds[1]):
        yield f"{_range(old)} -> {_range(new)}"
    yield from _lost("", "choices", old.values or (), new.values or ()) if old.kind == new.kind == "choice" else ()
    yield from _lost("", "edges", old.edges, new.edges)
    if new.repeat < old.repeat:
        yield f"repeat {old.repeat} -> {new.repeat}"
    if old.optional and not new.optional:
        yield "no longer left out"


def _range(argument: Argument) -> str:
    lowest, highest = argument.bounds
    return f"{lowest} to {highest}{' characters' if argument.kind == 'text' else ''}"


def _lost(what: str, noun: str, old: Sequence[str], new: Sequence[str] | None) -> Iterator[str]:
    head = f"{what}: " if what else ""
    if new is None:
        yield f"{head}gone"
    elif lost := [word for word in old if word not in new]:
        named = ", ".join(map(shown, lost[:_MOST])) + (", …" if len(lost) > _MOST else "")
        yield f"{head}{len(old)} {noun} -> {len(new)}: without {named}"


def _settings(old: Grammar, new: Grammar) -> Iterator[str]:
    if new.max_steps < old.max_steps:
        yield f"max_steps: {old.max_steps} -> {new.max_steps}"
    if old.min_steps < new.min_steps:
        yield f"min_steps: {old.min_steps} -> {new.min_steps}"
    if old.unknown_commands and not new.unknown_commands:
        yield "unknown_commands: no longer drawn"
    if old.unknown_options and not new.unknown_options:
        yield "unknown_options: no longer drawn"
