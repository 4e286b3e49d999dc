"""Two corpora compared: which cases vanished, came, changed or only got another id, and what nothing exercises any more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import msgspec

from gate.corpus.contents import Corpus, content_digest
from gate.corpus.grammar import Grammar
from gate.corpus.lines import CaseLine, GeneratorLine, case_line
from gate.corpus.narrowed import OPTION, Narrowed, narrowed
from gate.corpus.shrunk import shrunk
from gate.corpus.tags import expanded
from gate.domain import Case


class ChangedCase(msgspec.Struct, frozen=True, kw_only=True):
    """One id, other steps."""

    old: CaseLine
    new: CaseLine


class RenamedCase(msgspec.Struct, frozen=True, kw_only=True):
    """The same steps under another id."""

    old: str
    new: str


class ChangedGenerator(msgspec.Struct, frozen=True, kw_only=True):
    """What drew the drawn cases, on either side; null where no case was drawn."""

    old: GeneratorLine | None
    new: GeneratorLine | None


class CorpusChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What makes NEW another corpus than OLD. Cases stand in the order of the corpus that has them."""

    version: int = 1
    """Of this shape."""
    vanished: tuple[CaseLine, ...] = ()
    """Cases of OLD whose id NEW does not have, and whose steps none of its new ids has."""
    came: tuple[CaseLine, ...] = ()
    changed: tuple[ChangedCase, ...] = ()
    renamed: tuple[RenamedCase, ...] = ()
    unexercised: tuple[str, ...] = ()
    """First words of steps (`word …`), options (`option …`) and coverage tags (`edge …`, `pair …`) that OLD has and NEW has not, sorted."""
    narrowed: tuple[Narrowed, ...] = ()
    """Words, options and inputs of a command that OLD has and NEW has not."""
    generator: ChangedGenerator | None = None
    """None where it is the same."""
    shrunk: tuple[str, ...] = ()
    """What OLD's grammar draws and NEW's does not, where both are known."""

    @property
    def other_grammar(self) -> bool:
        """Whether the drawn cases of both were drawn, from two grammars."""
        made = self.generator
        return (
            made is not None and made.old is not None and made.new is not None and made.old.grammar != made.new.grammar
        )

    @property
    def smaller(self) -> bool:
        """Whether a case was lost or changed: less is compared than before, or something else under an old name."""
        return bool(self.vanished or self.changed)


def corpus_changes(old: Corpus, new: Corpus, grammars: tuple[Grammar, Grammar] | None = None) -> CorpusChanges:
    """What changed from `old` to `new`. The order of cases says nothing. Of a corpus and itself: no change at all.

    `grammars`: those that the drawn cases of either were drawn from, where they are known.

    Cases of equal steps are paired in order, so that a case which stood twice and now stands once has vanished once.
    """
    before, after = ({case.id: case for case in corpus.cases} for corpus in (old, new))
    gone = [case for case in old.cases if case.id not in after]
    fresh = [case for case in new.cases if case.id not in before]
    renamed = dict(_pairs(gone, fresh))
    taken = set(renamed.values())
    return CorpusChanges(
        vanished=tuple(_line(case, old) for case in gone if case.id not in renamed),
        came=tuple(_line(case, new) for case in fresh if case.id not in taken),
        changed=tuple(
            ChangedCase(old=_line(case, old), new=_line(after[case.id], new))
            for case in old.cases
            if case.id in after and content_digest(case.steps) != content_digest(after[case.id].steps)
        ),
        renamed=tuple(RenamedCase(old=one, new=other) for one, other in renamed.items()),
        unexercised=tuple(sorted(_exercised(old) - _exercised(new))),
        narrowed=narrowed(old, new),
        shrunk=() if grammars is None else tuple(shrunk(*grammars)),
        generator=None if old.generator == new.generator else ChangedGenerator(old=old.generator, new=new.generator),
    )


def _pairs(gone: list[Case], fresh: list[Case]) -> Iterator[tuple[str, str]]:
    by_content: dict[str, list[Case]] = defaultdict(list)
    for case in reversed(fresh):
        by_content[content_digest(case.steps)].append(case)
    for case in gone:
        if same := by_content[content_digest(case.steps)]:
            yield case.id, same.pop().id


def _exercised(corpus: Corpus) -> set[str]:
    found = set(expanded(tag for tags in corpus.covers.values() for tag in tags))
    for case in corpus.cases:
        for step in case.steps:
            found.add(f"word {step.command}")
            names = (OPTION.match(word) for word in step.argv)
            found.update(f"option {name[0].decode('ascii')}" for name in names if name)
    return found


def _line(case: Case, corpus: Corpus) -> CaseLine:
    return case_line(case, tuple(corpus.covers.get(case.id, ())))
