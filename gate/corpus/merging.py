"""Many read cases added to a corpus at once: what is there already is left out, and what clashes stops all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.corpus.aside import AsideCase, require_apart
from gate.corpus.contents import Corpus, case_complaint, content_digest
from gate.corpus.lines import case_of
from gate.domain import Case, CaseId
from gate.errors import CorpusError


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What became of the cases that were read."""

    corpus: Corpus | None
    """With the added cases after the hand-written ones; None where there was no corpus and nothing was added."""
    added: tuple[Case, ...]
    known: tuple[tuple[CaseId, CaseId], ...]
    """Cases left out, each with the case of equal steps that the corpus has."""
    aside: tuple[tuple[CaseId, CaseId], ...]
    """Cases left out, each with the case of equal steps that is set aside because it wavers; one that was thinned is added."""


def merged(corpus: Corpus | None, read: Sequence[Case], *, aside: Sequence[AsideCase]) -> Merged:
    """The corpus with those of `read` whose steps no case has yet. Merging the same cases again adds nothing.

    Raises CorpusError on an id that another case has already: in the corpus, among `read`, or set aside.
    """
    there = {content_digest(case.steps): case.id for case in (corpus.cases if corpus is not None else ())}
    names = set(there.values())
    away = {content_digest(case_of(row.case).steps): CaseId(row.case.id) for row in aside if row.like is None}
    added: list[Case] = []
    known: list[tuple[CaseId, CaseId]] = []
    left: list[tuple[CaseId, CaseId]] = []
    for case in read:
        content = content_digest(case.steps)
        if content in there:
            known.append((case.id, there[content]))
        elif content in away:
            left.append((case.id, away[content]))
        else:
            _require_sound(case, names)
            there[content] = case.id
            names.add(case.id)
            added.append(case)
    require_apart(aside, added)
    return Merged(corpus=_with(corpus, tuple(added)), added=tuple(added), known=tuple(known), aside=tuple(left))


def _require_sound(case: Case, names: set[CaseId]) -> None:
    if case.id in names:
        raise CorpusError(
            f"case {case.id!r}: expected an id of its own, got that of another case",
            next_step=f"Was the transcript edited, remove the case first: gate corpus remove {case.id}. Else rename one of the files.",
        )
    if complaint := case_complaint(case):
        raise CorpusError(f"case {case.id!r}: {complaint}", next_step="Mend the transcript.")


def _with(corpus: Corpus | None, added: tuple[Case, ...]) -> Corpus | None:
    if not added:
        return corpus
    if corpus is None:
        return Corpus(cases=added)
    drawn = tuple(case for case in corpus.cases if case.origin != "hand")
    return Corpus(cases=(*corpus.hand_written, *added, *drawn), covers=corpus.covers, generator=corpus.generator)
