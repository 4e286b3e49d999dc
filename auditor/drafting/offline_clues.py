"""What the shape of a failure's log suggests: lines that a mechanism would leave, each with a claim that could turn out wrong.

Shapes are all it sees. A clue is no cause: it is the line that a person would look at first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from auditor.drafting.checks_hypotheses import evidence_fault
from auditor.drafting.offline_lines import is_complaint, is_frame, is_progress, told_from
from auditor.drafting.offline_outside import OUTSIDE
from auditor.drafting.offline_shapes import SHAPES, Shape
from auditor.drafting.offline_tools import TOOLS
from auditor.drafting.values import Mechanism

EVIDENCE = 160
"""The longest evidence that is quoted, in characters."""


ENOUGH = 5
"""Clues that are kept of one mechanism, and lines that are kept to quote."""

TRIES = 50
"""How many of either are looked at."""

READ = 500
"""Lines that are read at either end of a log."""

WIDEST = 2_000
"""Characters of a line that are read."""

MESSAGE = 600
"""Characters of a line in which a tool's own words are looked for: they stand at its head."""

LIGHTER = 3
"""What a clue loses where its place or the rest of the log speaks against it."""

_ON_BASELINE = "on the baseline: pass"
_RECORDED = re.compile(r"(?:property|group) [^:]{1,200}: ")
_OF_A_GROUP = re.compile(r"group d\d+: command ")


class Clue(NamedTuple):
    """One mechanism, and the line that suggests it."""

    mechanism: Mechanism
    weight: int
    """From 1, a line that any failure has, to 8."""
    evidence: str
    """Verbatim: one line of the log, or a part of one."""
    claim: str
    line: int
    """Where it stands, from 0."""
    preferred: tuple[str, ...] = ()
    """Kinds of experiments that fit what is said, the best first: one of them where any is offered. None: those of the mechanism."""


_NUMBER = r"-?\d+(?:\.\d+)?"
_ASSERTED = re.compile(rf"assert (?P<got>{_NUMBER}) (?P<op>==|<=|>=|<|>) (?P<bound>{_NUMBER})(?![\w.])")
_UNEQUAL = re.compile(rf"(?<![\w.])(?P<got>{_NUMBER}) != (?P<bound>{_NUMBER})(?![\w.])")
_EXPECTED = re.compile(rf"(?i)expected (?P<bound>{_NUMBER}),? (?:but )?(?:got|was) (?P<got>{_NUMBER})(?![\w.])")
_SIDES = re.compile(r"(?P<one>[\[({'\"].{1,300}?) (?:==|!=) (?P<other>[\[({'\"].{1,300})")
_NEIGHBOUR = re.compile(r"(?P<side>baseline|candidate): step (?P<step>\d+): .")
_DIFFERING = re.compile(r"first seen in case .{1,200} step (?P<step>\d+)$")
_ITEM = re.compile(r"[\w.:@/-]+")
_SOURCE = "the property as it stands:"


def clues(log: str) -> tuple[Clue, ...]:
    """The clues of a log, a few of each mechanism, the strongest first; of equal ones, the earliest line.

    A line that cannot be evidence gives none.

    In a log that says that every run failed in the same way, chance counts for little. So do the words of source, which follow
    `the property as it stands:`, and of the steps beside a differing one, but for what those steps themselves did.
    """
    lines = _read(log)
    source = next((at for at, line in enumerate(lines) if line == _SOURCE), len(lines))
    beside = next((at for at, line in enumerate(lines) if _NEIGHBOUR.match(line)), len(lines))
    same = bool(re.search(r"each time in the same way|same signature|failed (\d+) of \1\b", "\n".join(lines)))
    found = [
        clue._replace(weight=_weight(clue, late=source < clue.line or beside <= clue.line, same=same))
        for finder in (_by_shape, _by_number, _by_permutation, _by_lines, _by_neighbours)
        for clue in finder(lines)
    ]
    kept: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    held: list[Clue] = []
    for clue in sorted(found, key=lambda clue: (-clue.weight, clue.line, clue.mechanism)):
        if kept[clue.mechanism] < ENOUGH and tried[clue.mechanism] < TRIES:
            tried[clue.mechanism] += 1
            if not evidence_fault(clue.evidence, log):
                kept[clue.mechanism] += 1
                held.append(clue)
    return tuple(held)


def quotable(log: str) -> tuple[str, ...]:
    """The first lines that can be evidence, cut to 160 characters."""
    cut = dict.fromkeys(line.strip()[:EVIDENCE] for line in _read(log))
    fit = (line for line in islice(cut, TRIES) if not evidence_fault(line, log))
    return tuple(islice(fit, ENOUGH))


def is_recorded(lines: Sequence[str]) -> bool:
    """Whether it is the gate's own record, whose every line is about the failure, and not a log of a whole build or run."""
    return bool(_RECORDED.match(lines[0] if lines else ""))


def is_in_one_place(lines: Sequence[str]) -> bool:
    """Whether the gate says that the other build, in the same place, did not do it: then what is outside of the code weighs less."""
    return _ON_BASELINE in lines or bool(_OF_A_GROUP.match(lines[0] if lines else ""))


def _read(log: str) -> list[str]:
    """The lines of a log that are looked at: of a long one its head and tail, of a long line its head."""
    lines = log.split("\n")
    near = lines if len(lines) <= 2 * READ else lines[:READ] + lines[-READ:]
    return [line[:WIDEST] for line in near]


def _weight(clue: Clue, *, late: bool, same: bool) -> int:
    lighter = (LIGHTER if late and clue.mechanism != "state" else 0) + (
        LIGHTER if same and clue.mechanism in {"randomness", "concurrency"} else 0
    )
    return max(1, clue.weight - lighter)


def _by_shape(lines: Sequence[str]) -> Iterator[Clue]:
    """Lines of a shape, of equal lines the first. A stack's frames say where and not why.

    What is told in passing weighs less; so do general words in a log that is not about the failure alone, and, in the gate's own
    record, which shows what a program says, the words of other tools.
    """
    seen: set[str] = set()
    own, same_place = is_recorded(lines), is_in_one_place(lines)
    for number, line in enumerate(lines):
        start = told_from(line)
        if line[start:] in seen or is_frame(line):
            continue
        seen.add(line[start:])
        lighter = LIGHTER if is_progress(line, start) else 0
        aside = 0 if own or is_complaint(line, start) else LIGHTER
        head = line[: start + MESSAGE]
        tables = (
            (SHAPES, line, aside),
            (TOOLS, head, LIGHTER if own else 0),
            (OUTSIDE, head, LIGHTER if same_place else 0),
        )
        for table, read, less in tables:
            for shape in table:
                if match := shape.pattern.search(read, start):
                    yield _shaped(shape, match, number, max(1, shape.weight - lighter - less))


def _shaped(shape: Shape, match: re.Match[str], number: int, weight: int) -> Clue:
    told = {name: _short(text) for name, text in match.groupdict().items()}
    claim = shape.claim.format(_short(match[0]), **told)
    return Clue(shape.mechanism, weight, _part(match.string, match.start()), claim, number, shape.preferred)


def _by_number(lines: Sequence[str]) -> Iterator[Clue]:
    """A number that missed its bound: by one, by the last digits of a float, or by more."""
    for number, line in enumerate(lines):
        match = _ASSERTED.search(line) or _UNEQUAL.search(line) or _EXPECTED.search(line)
        if match is None or len(match[0]) > EVIDENCE // 2:
            continue
        got, bound = float(match["got"]), float(match["bound"])
        if abs(got - bound) == 1:
            more = "more" if got > bound else "fewer"
            claim = (
                f"A count or a limit is off by one: the candidate does one {more} than the {match['bound']} it should."
            )
            yield Clue("logic", 7, _part(line, match.start()), claim, number)
        elif "." in match[0] and abs(got - bound) < 1e-6 * max(abs(got), abs(bound)):
            claim = "The check compares floating-point numbers exactly where they differ in the last digits."
            yield Clue("oracle", 7, _part(line, match.start()), claim, number)
        else:
            claim = f"The candidate computes {match['got']} where {match['bound']} is the bound or the right result."
            yield Clue("logic", 5, _part(line, match.start()), claim, number)


def _by_permutation(lines: Sequence[str]) -> Iterator[Clue]:
    """Two sides of a comparison that hold the same items in another order."""
    for number, line in enumerate(lines):
        match = _SIDES.search(line)
        if match and _reordered(_ITEM.findall(match["one"]), _ITEM.findall(match["other"])):
            yield _reorder(_part(line, match.start()), number)


def _by_lines(lines: Sequence[str]) -> Iterator[Clue]:
    """Lines `- old` and `+ new` that hold the same lines, or the same items, in another order."""
    old, new = ([line.strip()[2:] for line in lines if line.strip().startswith(sign)] for sign in ("- ", "+ "))
    first = next(
        (at for at, line in enumerate(lines) if line.strip().startswith("+ ") and len(line.strip()) >= 8), None
    )
    items = [[item for line in side for item in _ITEM.findall(line)] for side in (old, new)]
    if first is not None and _reordered(*items):
        yield _reorder(lines[first].strip()[:EVIDENCE], first)


def _by_neighbours(lines: Sequence[str]) -> Iterator[Clue]:
    """Steps before the differing one: one that differs itself is the likelier cause; one that does not may have left something."""
    at = next((int(match["step"]) for line in lines if (match := _DIFFERING.search(line))), 0)
    told: dict[tuple[str, int], list[str]] = {}
    where: dict[int, int] = {}
    block: list[str] = []
    for number, line in enumerate(lines):
        if match := _NEIGHBOUR.match(line):
            block = told.setdefault((match["side"], int(match["step"])), [])
            where[int(match["step"])] = number
        elif line.startswith("  "):
            block.append(line)
    for step in (step for step in where if 0 < step < at):
        differs = told.get(("baseline", step)) != told.get(("candidate", step))
        claim = (
            f"Step {step} already answers differently, and what differs here follows from what that step did or left."
            if differs
            else f"The outcome depends on what step {step} left, and not on the arguments of the failing step alone."
        )
        yield Clue("state", 7 if differs else 2, lines[where[step]].strip()[:EVIDENCE], claim, where[step])


def same_items(line: str) -> bool:
    """Whether a line compares two sides that hold the same items in another order."""
    return next(_by_permutation([line]), None) is not None


def _reordered(one: Sequence[str], other: Sequence[str]) -> bool:
    return len(one) > 1 and list(one) != list(other) and sorted(one) == sorted(other)


def _reorder(evidence: str, line: int) -> Clue:
    claim = "Both sides hold the same items, and the candidate walks them in another order than is asked for."
    return Clue("order", 7, evidence, claim, line)


def _part(line: str, start: int) -> str:
    """The line, or the part of a long one that begins a little before `start`."""
    whole = line.strip()
    return whole if len(whole) <= EVIDENCE else line[max(0, start - 20) : start + EVIDENCE - 20].strip()


def _short(text: str | None) -> str:
    shown = " ".join((text or "").split()).strip("'\"`,")
    return shown if len(shown) <= 40 else f"{shown[:39]}\u2026"
