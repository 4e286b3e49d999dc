"""Thinning: of drawn cases that behave alike the shortest one is enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from gate.corpus.aside import AsideCase
from gate.corpus.contents import Corpus, content_digest
from gate.corpus.grammar import Grammar
from gate.corpus.lines import case_of
from gate.corpus.observed import observed_tags
from gate.corpus.tags import expanded, is_pair
from gate.domain import Case, CaseId

Groups = Sequence[Sequence[CaseId]]
"""Cases that behave alike, group by group; no case is in two of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinned:
    """A case that is not needed."""

    case: CaseId
    like: CaseId
    """The case that behaves as it does, and stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A corpus that was drawn anew, without what is set aside."""

    corpus: Corpus
    """What is left."""
    wavering: tuple[CaseId, ...]
    """Drawn cases that went since they waver."""
    thinned: tuple[CaseId, ...]
    """Drawn cases that went since another one does the same."""
    needed: tuple[CaseId, ...]
    """Drawn cases that were thinned once, and stay: each alone covers something."""
    by_hand: tuple[CaseId, ...]
    """Cases that are set aside as wavering, and stay: they are written by hand."""


def cheapest_first(cases: Iterable[Case]) -> tuple[Case, ...]:
    """Hand-written cases first, then those with fewer steps, then fewer bytes of words, input and variables, then by id."""
    return tuple(sorted(cases, key=_cost))


def tags_by_case(corpus: Corpus, grammar: Grammar) -> dict[CaseId, frozenset[str]]:
    """What each case covers and thinning may not lose: the tags that `gate corpus coverage` counts, and the grammar's options as they are
    written in its steps. Pairs, of commands or of options, are none of it: what two things did together is what was compared."""
    arguments = [argument for command in grammar.commands for argument in (*command.before, *command.args)]
    options = {argument.option.removesuffix("=").encode() for argument in arguments if argument.option is not None}
    return {case.id: frozenset((*_counted(corpus, case, grammar), *_written(case, options))) for case in corpus.cases}


def thinned(cases: Sequence[Case], groups: Groups, tags: Mapping[CaseId, frozenset[str]]) -> tuple[Thinned, ...]:
    """The cases that may go, in the order of `cases`.

    In each group the first of `cheapest_first` stays. Of the others the drawn ones go, the longest first, but for those that alone among
    all cases left cover a tag. A hand-written case never goes. Groups of one say nothing.
    """
    known = {case.id: case for case in cases}
    like: dict[CaseId, CaseId] = {}
    for group in groups:
        first, *others = cheapest_first(known[name] for name in group)
        like.update((case.id, first.id) for case in others if case.origin == "drawn")
    gone = _dispensable(cases, like.keys(), tags)
    return tuple(Thinned(case=case.id, like=like[case.id]) for case in cases if case.id in gone)


def left_out(corpus: Corpus, rows: Sequence[AsideCase], grammar: Grammar) -> LeftOut:
    """What a new draw leaves out of `corpus`: drawn cases that are set aside, which are told by their steps. Hand-written ones all stay.

    One that was thinned stays where the case that it is like is not in the corpus, or may go itself: else nothing would show any more what
    both do. It stays, too, where it alone covers a tag, as in `thinned`. May leave no case: such a corpus cannot be written.
    """
    steps = {case.id: content_digest(case.steps) for case in corpus.cases}
    held = [(content_digest(case_of(row.case).steps), row.like) for row in rows]
    unsteady = {digest for digest, like in held if like is None}
    likes = {digest: like.steps for digest, like in held if like is not None}
    wavering = tuple(case.id for case in corpus.cases if case.origin == "drawn" and steps[case.id] in unsteady)
    steady = without(corpus, set(wavering))
    standing = {steps[case.id] for case in steady.cases if case.origin == "hand" or steps[case.id] not in likes}
    may_go = {case.id for case in steady.cases if case.origin == "drawn" and likes.get(steps[case.id], "") in standing}
    gone = _dispensable(steady.cases, may_go, tags_by_case(steady, grammar)) if may_go else set()
    return LeftOut(
        corpus=without(steady, gone),
        wavering=wavering,
        thinned=tuple(case.id for case in steady.cases if case.id in gone),
        needed=tuple(case.id for case in steady.cases if case.id in may_go - gone),
        by_hand=tuple(case.id for case in corpus.hand_written if steps[case.id] in unsteady),
    )


def without(corpus: Corpus, gone: Container[CaseId]) -> Corpus:
    """The corpus without these cases; it may have none left."""
    return replace(
        corpus,
        cases=tuple(case for case in corpus.cases if case.id not in gone),
        covers={name: tags for name, tags in corpus.covers.items() if name not in gone},
    )


def _dispensable(
    cases: Sequence[Case], may_go: Container[CaseId], tags: Mapping[CaseId, frozenset[str]]
) -> set[CaseId]:
    """Those of `may_go` that do not alone cover a tag among all that are left; the longest go first."""
    covered = Counter(tag for case in cases for tag in tags.get(case.id, ()))
    gone: set[CaseId] = set()
    for case in reversed(cheapest_first(case for case in cases if case.id in may_go)):
        own = tags.get(case.id, frozenset())
        if all(covered[tag] > 1 for tag in own):
            covered.subtract(own)
            gone.add(case.id)
    return gone


def _cost(case: Case) -> tuple[bool, int, int, str]:
    size = sum(
        sum(map(len, step.argv)) + len(step.stdin or b"") + sum(len(name + text) for name, text in step.env.items())
        for step in case.steps
    )
    return case.origin != "hand", len(case.steps), size, case.id


def _counted(corpus: Corpus, case: Case, grammar: Grammar) -> set[str]:
    drawn = case.origin == "drawn"
    tags = corpus.covers.get(case.id, ()) if drawn else observed_tags(grammar, case.steps)
    return {tag for tag in expanded(tags) if not is_pair(tag)}


def _written(case: Case, options: set[bytes]) -> set[str]:
    words = {word.partition(b"=")[0] for step in case.steps for word in step.argv}
    return {f"written {option.decode()}" for option in words & options}
