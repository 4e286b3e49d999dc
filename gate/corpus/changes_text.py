"""What became of a corpus, for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import TypeVar

from gate.corpus.changes import ChangedCase, CorpusChanges
from gate.corpus.lines import CaseLine, GeneratorLine, case_of
from gate.corpus.literal import case_lines
from gate.corpus.narrowed import Narrowed
from gate.counted import counted

_T = TypeVar("_T")

_MOST = 50
"""Cases of one kind, and lines of one case, that are printed; the JSON form has all."""

_WIDEST = 160
_ENDS = 3
"""Words that are named from either end of many."""
_LONGEST = 24
"""Characters of such a word."""
_NONE: Mapping[str, str] = MappingProxyType({})


def changes_lines(changes: CorpusChanges, *, reasons: Mapping[str, str] = _NONE) -> Iterator[str]:
    """A line for each case, its steps below it, then a line that counts. Printable ASCII, and bounded in both directions.

    `reasons`: why NEW sets a case aside, by id."""

    def why(case: CaseLine) -> str:
        return f": set aside: {_printable(reasons[case.id])}" if case.id in reasons else ""

    yield from _rows(changes.vanished, lambda case: [f"vanished {case.id}{why(case)}", *_prefixed("-", _steps(case))])
    yield from _rows(changes.changed, _changed)
    yield from _rows(changes.renamed, lambda pair: [f"renamed {pair.old} -> {pair.new}"])
    yield from _rows(changes.came, lambda case: [f"came {case.id}: {counted(len(case.steps), 'step')}"])
    yield from _rows(changes.unexercised, lambda tag: [f"no longer exercised: {_printable(tag)}"])
    yield from _rows(changes.narrowed, lambda each: [f"no longer exercised: {_narrowed(each)}"])
    yield from _rows(changes.shrunk, lambda line: [f"no longer drawn: {_printable(line)}"])
    if changes.generator is not None:
        yield f"drawn by {_generator(changes.generator.old)} -> {_generator(changes.generator.new)}"
    kinds = {"vanished": changes.vanished, "changed": changes.changed, "renamed": changes.renamed, "came": changes.came}
    yield "cases: " + ", ".join(f"{len(rows)} {kind}" for kind, rows in kinds.items())


def _narrowed(each: Narrowed) -> str:
    """The words at both ends where there are many: of numbers these are the smallest and the largest."""
    words = [word if len(word) <= _LONGEST else f"{word[:_LONGEST]}…" for word in each.lost]
    named = words if len(words) <= _ENDS * 2 else [*words[:_ENDS], "…", *words[-_ENDS:]]
    of = f"{len(each.lost)} of {counted(each.old, 'word')} (now {each.new})"
    return f"{_printable(each.command)} {each.place}: ".lstrip() + f"{of}: {', '.join(named)}"


def _rows(rows: Sequence[_T], lines: Callable[[_T], Sequence[str]]) -> Iterator[str]:
    for row in rows[:_MOST]:
        shown = lines(row)
        yield from (line if len(line) <= _WIDEST else line[:_WIDEST] + "…" for line in shown[:_MOST])
        if len(shown) > _MOST:
            yield f"  … {len(shown) - _MOST} more lines"
    if len(rows) > _MOST:
        yield f"… {len(rows) - _MOST} more of these"


def _changed(change: ChangedCase) -> list[str]:
    """The steps from the first that differs; those that are the same are left out."""
    lines = [f"changed {change.old.id}"]
    for old, new in zip_longest(_steps(change.old), _steps(change.new)):
        if old != new:
            lines += [f"  {sign} {text.strip()}" for sign, text in (("-", old), ("+", new)) if text is not None]
    return lines


def _steps(case: CaseLine) -> list[str]:
    """A line for each step; its standard input at the end."""
    lines: list[str] = []
    for line in list(case_lines(case_of(case)))[1:]:
        if line.startswith("     "):
            lines[-1] += f", {line.strip()}"
        else:
            lines.append(line)
    return lines


def _prefixed(sign: str, lines: Sequence[str]) -> list[str]:
    return [f"  {sign} {line.strip()}" for line in lines]


def _generator(line: GeneratorLine | None) -> str:
    if line is None:
        return "nothing"
    made = (
        f"generator {line.version}, hypothesis {_printable(line.hypothesis)}, grammar {_printable(line.grammar)[:17]}"
    )
    return f"{made}, seed {line.seed}, {line.asked} asked for"


def _printable(text: str) -> str:
    return ascii(text)[1:-1]
