"""What needs no run: a corpus of given cases, and policy entries held against changes that are given as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import cast

from gate.config.load import load_project
from gate.corpus.format import Corpus, parse_cases, with_case, write_corpus
from gate.diff.findings import Canonical, Change, Delta, Kind
from gate.domain import CaseId
from gate.errors import PolicyError
from gate.pipeline.left import Place, RecordedChange, RecordedDelta
from gate.pipeline.proposed import entry_of, json_of
from gate.policy.bind import bind
from gate.policy.expected import parse_text
from gate.policy.match import judge
from gate.policy.model import DuplicateEntryError, OpenEntry, Policy


def write_cases(project_root: Path, lines: bytes) -> None:
    """Make the corpus of a project of exactly these cases, one a line as `gate corpus add --from` reads them. Raises GateError."""
    corpus: Corpus | None = None
    for case in parse_cases(lines, name="cases"):
        corpus = with_case(corpus, case)
    if corpus is not None:
        write_corpus(load_project(project_root).corpus_file, corpus)


def bind_changes(
    deltas: Sequence[RecordedDelta], places: Iterable[Place], reason: str, reviewer: str
) -> tuple[Mapping[str, object], ...]:
    """Entries for exactly the changes at the given places, made by the rule that `gate policy bind` makes them by.

    Nothing for a later record of a step, which no such entry reaches, and for a place without a delta. Raises PolicyError without a reason
    or a reviewer.
    """
    if not reason.strip():
        raise PolicyError("reason: expected words, got none", next_step="Say why the change is intended.")
    wanted = sorted({(case, step) for case, step, occurrence in places if occurrence == 1})
    opened = tuple(OpenEntry(case=CaseId(case), step=step, reason=reason) for case, step in wanted)
    made = bind(Policy(entries=opened), tuple(map(_delta, deltas)), reviewer)
    return tuple(json_of(binding.entry) for binding in made.bindings)


def allows(entries: Sequence[Mapping[str, object]], deltas: Sequence[RecordedDelta]) -> tuple[frozenset[str], ...]:
    """For each delta its fields that a policy of these entries would allow, expiry apart. Raises PolicyError for what is no policy."""
    read = tuple(
        entry_of({key: value for key, value in raw.items() if key != "expires"}, name=f"entry {position}")
        for position, raw in enumerate(entries, start=1)
    )
    try:
        policy = Policy(entries=read)
    except DuplicateEntryError as error:
        raise PolicyError(str(error), next_step="Leave one of the two out.") from error
    rows = judge(tuple(map(_delta, deltas)), policy, today=None).rows
    return tuple(
        frozenset(judged.change.field for judged in row.changes if judged.allowed_by is not None) for row in rows
    )


def _delta(told: RecordedDelta) -> Delta:
    return Delta(
        case=CaseId(told.case),
        step=told.step,
        occurrence=told.occurrence,
        command=told.command,
        changes=tuple(map(_change, told.changes)),
    )


def _change(told: RecordedChange) -> Change:
    """Of a value that was cut, what was kept of it stands for the whole."""
    return Change(field=told.field, old=_value(told.old), new=_value(told.new), kind=cast(Kind, told.kind))


def _value(text: bytes | None) -> Canonical | None:
    return None if text is None else parse_text(text)
