"""Labels against answers, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evals.document import Table, Words, strong, table
from evals.values import Row

MOST = 12
"""Labels and answers that are shown, the commonest; the others are counted in one."""
OTHERS = "others"


def confusion(rows: Sequence[Row]) -> Table:
    """Labels down, answers across, sums at the edges. Where every answer of a cell is right its count stands out."""
    labels, answers = (_shown(Counter(names)) for names in ((row.label for row in rows), (row.answer for row in rows)))
    cells: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        key = (row.label if row.label in labels else OTHERS, row.answer if row.answer in answers else OTHERS)
        cells.setdefault(key, []).append(row)
    body: list[list[str | Words]] = [
        [label, *(_cell(cells.get((label, answer), [])) for answer in answers), str(_sum(cells, label, 0))]
        for label in labels
    ]
    sums = [str(_sum(cells, answer, 1)) for answer in answers]
    return table(("label \\ answer", *answers, "all"), [*body, ["all", *sums, str(len(rows))]])


def _shown(counts: Counter[str]) -> tuple[str, ...]:
    """All names in order; of too many the commonest, and one for the rest."""
    if len(counts) <= MOST:
        return tuple(sorted(counts))
    common = sorted(counts, key=lambda name: (-counts[name], name))[: MOST - 1]
    return (*sorted(common), OTHERS)


def _cell(rows: Sequence[Row]) -> Words:
    told = str(len(rows))
    return (strong(told),) if rows and all(row.scores.get("right", False) for row in rows) else (told,)


def _sum(cells: dict[tuple[str, str], list[Row]], name: str, place: int) -> int:
    return sum(len(rows) for key, rows in cells.items() if key[place] == name)
