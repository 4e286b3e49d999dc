"""Thinning: of drawn cases that behave alike the shortest one is enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate.corpus.contents import Corpus
from gate.corpus.grammar import Grammar
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
    covered = Counter(tag for case in cases for tag in tags.get(case.id, ()))
    like: dict[CaseId, CaseId] = {}
    for group in groups:
        first, *others = cheapest_first(known[name] for name in group)
        like.update((case.id, first.id) for case in others if case.origin == "drawn")
    gone: set[CaseId] = set()
    for case in reversed(cheapest_first(known[name] for name in like)):
        own = tags.get(case.id, frozenset())
        if all(covered[tag] > 1 for tag in own):
            covered.subtract(own)
            gone.add(case.id)
    return tuple(Thinned(case=case.id, like=like[case.id]) for case in cases if case.id in gone)


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
