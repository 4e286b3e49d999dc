"""A corpus as a value: what it holds, how a redraw and a hand-written case change it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

import msgspec

from gate.corpus.lines import GeneratorLine, step_lines
from gate.domain import Case, CaseId, Step
from gate.errors import CorpusError

Generator = GeneratorLine
"""What drew the drawn cases: it stands in the head of the file."""

_HAND_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_DRAWN_ID = re.compile(r"d-[0-9a-f]{10}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The frozen cases, in the order in which they are replayed. Never empty; ids are unique."""

    cases: tuple[Case, ...]
    covers: Mapping[CaseId, tuple[str, ...]] = field(default_factory=dict)
    """The tags of each drawn case (gate.corpus.coverage); a hand-written case has none."""
    generator: Generator | None = None
    """None when no case was drawn."""

    @property
    def hand_written(self) -> tuple[Case, ...]:
        """The cases that people wrote."""
        return tuple(case for case in self.cases if case.origin == "hand")


def content_digest(steps: tuple[Step, ...]) -> str:
    """Hex SHA-256 over the steps literally: words, standard input, variables. The id and the origin say nothing here."""
    return sha256(msgspec.json.encode(step_lines(steps), order="deterministic")).hexdigest()


def drawn_id(steps: tuple[Step, ...]) -> CaseId:
    """The id of a drawn case: made from its content, so that it stays when the corpus is drawn again."""
    return CaseId(f"d-{content_digest(steps)[:10]}")


def case_complaint(case: Case) -> str | None:
    """What forbids a case in a corpus, as "expected …, got …"; None when nothing does."""
    if case.origin == "drawn" and case.id != drawn_id(case.steps):
        return f"expected the id {drawn_id(case.steps)!r} that this drawn case's content gives, got {case.id!r}"
    if case.origin == "hand" and (not _HAND_ID.fullmatch(case.id) or _DRAWN_ID.fullmatch(case.id)):
        return f"expected an id of 1 to 100 letters, digits, `_`, `.`, `-` that is not a drawn one (`d-…`), got {case.id!r}"
    if not case.steps:
        return "expected at least one step, got none"
    complaints = (_step_complaint(number, step) for number, step in enumerate(case.steps, start=1))
    return next((complaint for complaint in complaints if complaint is not None), None)


def _step_complaint(number: int, step: Step) -> str | None:
    for position, word in enumerate(step.argv):
        if b"\0" in word:
            return f"step {number}: argv[{position}]: expected a word that a command line can hold, got one with a NUL"
    for name, text in step.env.items():
        if not name or "=" in name or "\0" in name + text:
            return f"step {number}: env: expected a name without `=` and no NUL, got {name!r}"
    return None


def redrawn(corpus: Corpus | None, drawn: Corpus) -> Corpus:
    """The hand-written cases of `corpus` as they stand, then those of `drawn` that equal none of them.

    The drawn cases of `corpus` are replaced. Raises CorpusError when two different drawn cases share an id.
    """
    kept = corpus.hand_written if corpus is not None else ()
    seen = {content_digest(case.steps): case for case in kept}
    fresh: dict[CaseId, Case] = {}
    for case in drawn.cases:
        if content_digest(case.steps) in seen:
            continue
        if case.id in fresh:
            raise CorpusError(
                f"two different cases were drawn under the id {case.id!r}", next_step="Draw with another --seed."
            )
        seen[content_digest(case.steps)] = fresh[case.id] = case
    return Corpus(
        cases=(*kept, *fresh.values()),
        covers={id_: drawn.covers.get(id_, ()) for id_ in fresh},
        generator=drawn.generator,
    )


def with_case(corpus: Corpus | None, case: Case) -> Corpus:
    """The corpus with one more hand-written case, after those it has and before the drawn ones.

    Raises CorpusError on an id that is taken, on steps that a case of the corpus has already, and on an unusable case.
    """
    if case.origin != "hand":
        raise CorpusError(
            f"case {case.id!r}: expected origin 'hand', got {case.origin!r}",
            next_step="Only people add cases one by one; drawn ones come from: gate corpus draw",
        )
    if complaint := case_complaint(case):
        raise CorpusError(f"case {case.id!r}: {complaint}", next_step="Mend the case; docs/corpus.md has the format.")
    if corpus is None:
        return Corpus(cases=(case,))
    _refuse_known(corpus, case)
    hand = corpus.hand_written
    others = tuple(each for each in corpus.cases if each.origin != "hand")
    return replace(corpus, cases=(*hand, case, *others))


def _refuse_known(corpus: Corpus, case: Case) -> None:
    content = content_digest(case.steps)
    for known in corpus.cases:
        if known.id == case.id:
            raise CorpusError(
                f"case {case.id!r}: expected an id of its own, got that of a case in the corpus",
                next_step="Choose another id; a case is never overwritten.",
            )
        if content_digest(known.steps) == content:
            raise CorpusError(
                f"case {case.id!r}: expected steps that no case has yet, got those of {known.id!r}",
                next_step=f"Nothing to add: {known.id!r} is in the corpus already.",
            )


def without_case(corpus: Corpus, case: CaseId) -> Corpus:
    """The corpus without one case. Raises CorpusError when there is no such case, and when it is the last one."""
    left = tuple(each for each in corpus.cases if each.id != case)
    if len(left) == len(corpus.cases):
        raise CorpusError(
            f"case {case!r}: expected a case of the corpus, got none", next_step="List them: gate corpus show"
        )
    if not left:
        raise CorpusError(
            f"case {case!r} is the last one: expected a case to stay, got none", next_step="Add another first."
        )
    return replace(corpus, cases=left, covers={id_: tags for id_, tags in corpus.covers.items() if id_ != case})
