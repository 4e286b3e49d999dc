"""One case of two traces without repeats: only what differs is turned into objects and put into canonical form.

A shortcut to the result of `compare_case`, exact because nothing varies: without evidence every check is compared on its bytes, so that
checks that are the same on both sides need no look. What could still tie a check to others (steps that only one side has, another
order, numbered placeholders, streams that were stopped) is left to `compare_case`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from gate.diff.canonical import form
from gate.diff.compare import compare_case
from gate.diff.evidence import NO_EVIDENCE
from gate.diff.findings import Comparison
from gate.diff.noise import Noise
from gate.diff.stream_blocks import Block, Source
from gate.domain import Record

_Pair = tuple[Record, Record]


def compare_apart(blocks: tuple[Block, Block], sources: Sequence[Source], noise: Noise) -> Comparison | None:
    """What `compare_case` gives for the two blocks of one case; None where only that can tell.

    Substitutions are counted in what differs alone. Raises TraceError for a line that is no record.
    """
    old, new = (block.data.split(b"\n")[:-1] for block in blocks)
    if len(old) != len(new):
        return None
    differing = [index for index, line in enumerate(old) if line != new[index]]
    alike = [line for line, other in zip(old, new, strict=True) if line == other]
    verified = sources[0].lines.count(b"".join(line + b"\n" for line in alike))
    pairs = {
        index: (
            sources[0].parse_line(blocks[0], index, old[index]),
            sources[1].parse_line(blocks[1], index, new[index]),
        )
        for index in differing
    }
    if verified is None or any(_tied(pair, noise) for pair in pairs.values()):
        return None
    steps = [pairs[index][0].step if index in pairs else sources[0].lines.step(line) for index, line in enumerate(old)]
    if any(before >= after for before, after in pairwise(steps)):
        return None
    return _compared(list(pairs.values()), verified, len(old), noise)


def _compared(pairs: Sequence[_Pair], verified: int, steps: int, noise: Noise) -> Comparison:
    apart = [_narrowed(*pair) for pair in pairs]
    found = compare_case([[one for one, _ in apart]], [[other for _, other in apart]], noise, NO_EVIDENCE)
    left_out = sum(len(pair[0].fields) - len(one.fields) for pair, (one, _) in zip(pairs, apart, strict=True))
    return replace(found, verified=found.verified + verified + left_out, steps=steps)


def _tied(pair: _Pair, noise: Noise) -> bool:
    """Whether more than the bytes of its own values may decide on a record that differs."""
    old, new = pair
    if (old.step, old.command) != (new.step, new.command) or old.fields == new.fields:
        return True
    return any(
        held.overflow
        or (
            other.fields.get(name) != held
            and any(span.identity for span in form(held, field_name=name, command=one.command, noise=noise).spans)
        )
        for one, other in (pair, (new, old))
        for name, held in one.fields.items()
    )


def _narrowed(one: Record, other: Record) -> _Pair:
    """Both records without the fields that they have alike; as they are where one of them would be left without any."""
    alike = {name for name, held in one.fields.items() if other.fields.get(name) == held}
    if len(alike) in (0, len(one.fields), len(other.fields)):
        return one, other
    return _without(one, alike), _without(other, alike)


def _without(record: Record, names: set[str]) -> Record:
    fields = {name: held for name, held in record.fields.items() if name not in names}
    return Record(case=record.case, step=record.step, command=record.command, fields=fields)
