"""Changes inside a span that a noise rule takes out, as a patch might make them: what the audit of the rules tries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from gate.diff.line_diff import first_difference
from gate.diff.noise import Noise
from gate.diff.noise_sites import Site, spans_of
from gate.domain import Record, value

Mutation = Literal["dropped", "other type", "constant", "moved", "swapped", "doubled", "shortened", "sign", "scaled"]
"""What is done to a span."""

UNLIKE_NOISE: frozenset[Mutation] = frozenset(("dropped", "other type", "constant"))
"""What noise never does by itself: a rule that hides one of these hides a change."""

MUTATIONS: tuple[Mutation, ...] = (
    "dropped",
    "other type",
    "constant",
    "moved",
    "swapped",
    "doubled",
    "shortened",
    "sign",
    "scaled",
)

_DIGITS = b"0123456789"
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TO_LETTERS = bytes.maketrans(_DIGITS, b"ghijklmnop")
_TO_DIGITS = bytes.maketrans(_LETTERS, (b"0123456789" * 6)[: len(_LETTERS)])
_TO_SIGNS = bytes.maketrans(_DIGITS + _LETTERS, b"!#$%&()*,;" + b"?" * len(_LETTERS))
_RUN = re.compile(rb"[0-9]+")

Case = list[Record]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutated:
    """A case as a candidate with that change would show it."""

    mutation: Mutation
    runs: tuple[Case, ...]
    old: bytes = field(repr=False)
    """The line of the first run that was changed, as it was."""
    new: bytes = field(repr=False)
    """The same line as it is now; the first that differs."""


def mutate(mutation: Mutation, runs: Sequence[Sequence[Record]], site: Site, noise: Noise) -> Mutated | None:
    """Every run with the span of `site` changed in the same way, each from what it shows itself; the span is licensed, so every run has it.

    None where the change makes no sense there, e.g. the sign of a word.
    """
    changed = _swapped(runs, site, noise) if mutation == "swapped" else _all_edited(mutation, runs, site, noise)
    if changed is None:
        return None
    old, new = (held[0][site.record].fields[site.field].data for held in (runs, changed))
    return Mutated(mutation=mutation, runs=tuple(changed), old=_line(old, new), new=_line(new, old))


def _all_edited(mutation: Mutation, runs: Sequence[Sequence[Record]], site: Site, noise: Noise) -> list[Case] | None:
    spans = [_span(run, site, noise) for run in runs]
    raws = [run[site.record].fields[site.field].data[start:end] for run, (start, end) in zip(runs, spans, strict=True)]
    edit = _edit(mutation, raws)
    if edit is None:
        return None
    edited = [_edited(run, site, span, edit) for run, span in zip(runs, spans, strict=True)]
    cases = [each for each in edited if each is not None]
    return cases if len(cases) == len(edited) else None


_Edit = Callable[[bytes, bytes, bytes], bytes | None]
"""What stands before a span on its line, the span, what stands behind it: the line that a candidate would print instead."""


def _edit(mutation: Mutation, raws: Sequence[bytes]) -> _Edit | None:
    if mutation == "dropped":
        return lambda before, _, after: before + after
    if mutation == "moved":
        return _moved
    new = _new_span(mutation, raws)
    return None if new is None else lambda before, raw, after: before + new(raw) + after


def _new_span(mutation: Mutation, raws: Sequence[bytes]) -> Callable[[bytes], bytes] | None:
    digits = all(_has(raw, _DIGITS) for raw in raws)
    if mutation == "other type":
        return _other_type(raws)
    if mutation == "constant":
        constant = _constant(raws)
        return None if constant is None else lambda _: constant
    if mutation == "doubled":
        return lambda raw: raw + raw
    if mutation == "shortened":
        return (lambda raw: raw[: (len(raw) + 1) // 2]) if min(map(len, raws)) > 1 else None
    if mutation == "sign":
        return (lambda raw: b"-" + raw) if all(raw[:1].isdigit() for raw in raws) else None
    return (lambda raw: _RUN.sub(rb"\g<0>0", raw, count=1)) if digits else None


def _other_type(raws: Sequence[bytes]) -> Callable[[bytes], bytes] | None:
    """Digits become letters and letters digits, where there is one kind; else signs. What the runs have in common stays."""
    head, tail = _common(raws), _common([raw[::-1] for raw in raws])
    tail = min(tail, min(map(len, raws)) - head)
    cores = [raw[head : len(raw) - tail] for raw in raws]
    digits, letters = (any(_has(core, of) for core in cores) for of in (_DIGITS, _LETTERS))
    table = _TO_SIGNS if digits and letters else _TO_LETTERS if digits else _TO_DIGITS if letters else None
    if table is None:
        return None
    return lambda raw: raw[:head] + raw[head : len(raw) - tail].translate(table) + raw[len(raw) - tail :]


def _common(raws: Sequence[bytes]) -> int:
    """Bytes that all begin with, up to the last sign among them: a word is common as a whole or not at all."""
    first, last = min(raws), max(raws)  # what these two begin with, all do
    shared = first[: first_difference(first, last)]
    while shared and shared[-1:].isalnum():
        shared = shared[:-1]
    return len(shared)


def _has(raw: bytes, of: bytes) -> bool:
    return any(byte in of for byte in raw)


def _constant(raws: Sequence[bytes]) -> bytes | None:
    """The first run's span with one digit (without digits: one letter) throughout; a digit that the runs never gave that way, if any."""
    first = raws[0]
    chosen = _DIGITS if _has(first, _DIGITS) else _LETTERS
    if not _has(first, chosen):
        return None
    made = [first.translate(bytes.maketrans(chosen, bytes([byte]) * len(chosen))) for byte in chosen[1:] + chosen[:1]]
    return next((each for each in made if each not in raws), made[0])


def _moved(before: bytes, raw: bytes, after: bytes) -> bytes | None:
    """To the end of its line; from there to its start."""
    if after.strip():
        return before + after.lstrip(b" ") + b" " + raw
    return raw + b" " + before.rstrip(b" ") + after if before.strip() else None


def _span(run: Sequence[Record], site: Site, noise: Noise) -> tuple[int, int]:
    record = run[site.record]
    _, start, end = spans_of(record.fields[site.field], site.field, record.command, noise)[site.number]
    return start, end


def _edited(run: Sequence[Record], site: Site, span: tuple[int, int], edit: _Edit) -> Case | None:
    text = run[site.record].fields[site.field].data
    start = text.rfind(b"\n", 0, span[0]) + 1
    end = text.find(b"\n", span[1])
    end = len(text) if end < 0 else end
    line = edit(text[start : span[0]], text[span[0] : span[1]], text[span[1] : end])
    if line is None:
        return None
    return _with(run, site.record, site.field, text[:start] + line + text[end:])


_Key = tuple[int, str, int]
"""Record, field, and which span of it."""
_Table = dict[_Key, tuple[int, int]]


def _swapped(runs: Sequence[Sequence[Record]], site: Site, noise: Noise) -> list[Case] | None:
    """Every run with the span in the place of another one of the same rule in its case; one that varies, too, where there is one."""
    tables = [dict(_table(run, site.rule, noise)) for run in runs]
    here = (site.record, site.field, site.number)
    others = {key: [_at(run, key, table) for run, table in zip(runs, tables, strict=True)] for key in tables[0]}
    own = others[here]
    usable = [
        key
        for key, raws in others.items()
        if all(raw is not None and raw != mine for raw, mine in zip(raws, own, strict=True))
    ]
    there = next((key for key in usable if len(set(others[key])) > 1), usable[0] if usable else None)
    if there is None:
        return None
    return [_exchanged(run, table, here, there) for run, table in zip(runs, tables, strict=True)]


def _exchanged(run: Sequence[Record], table: _Table, one: _Key, other: _Key) -> Case:
    edits = [(one, _at(run, other, table) or b""), (other, _at(run, one, table) or b"")]
    changed = list(run)
    for key, raw in sorted(
        edits, key=lambda edit: -table[edit[0]][0]
    ):  # the later one first: what stands before it does not move
        text, (start, end) = changed[key[0]].fields[key[1]].data, table[key]
        changed = _with(changed, key[0], key[1], text[:start] + raw + text[end:])
    return changed


def _table(run: Sequence[Record], rule: str, noise: Noise) -> Iterator[tuple[_Key, tuple[int, int]]]:
    for index, record in enumerate(run):
        for name, observed in record.fields.items():
            for number, (found, start, end) in enumerate(spans_of(observed, name, record.command, noise)):
                if found == rule:
                    yield (index, name, number), (start, end)


def _at(run: Sequence[Record], key: _Key, table: _Table) -> bytes | None:
    return run[key[0]].fields[key[1]].data[slice(*table[key])] if key in table else None


def _with(run: Sequence[Record], index: int, field_name: str, data: bytes) -> Case:
    record = run[index]
    changed = replace(record, fields={**record.fields, field_name: value(data)})
    return [*run[:index], changed, *run[index + 1 :]]


def _line(text: bytes, other: bytes) -> bytes:
    """The first line of `text` that `other` has otherwise."""
    lines, others = text.split(b"\n"), other.split(b"\n")
    at = next((at for at, pair in enumerate(zip(lines, others, strict=False)) if pair[0] != pair[1]), 0)
    return lines[at] if at < len(lines) else b""
