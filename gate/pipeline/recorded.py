"""What a run left, shaped for readers outside of the gate. Nothing is built or replayed."""

from __future__ import annotations

import shlex
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from gate.config.model import Project
from gate.corpus.format import parse_corpus
from gate.diff.findings import Canonical, Change
from gate.domain import NO_WORDS, Step, Value
from gate.errors import CorpusError
from gate.exit_codes import ExitCode
from gate.hashing.pack import Pack, scan_properties
from gate.pipeline.failures import read_failures
from gate.pipeline.kept import Kept, read_kept
from gate.pipeline.left import (
    FrozenProperty,
    Recorded,
    RecordedBallot,
    RecordedChange,
    RecordedDelta,
    RecordedFailure,
    TraceStep,
)
from gate.policy.match import JudgedChange, JudgedDelta
from gate.policy.model import BoundEntry
from gate.replay.build import SideName
from gate.report.shown_votes import ShownBallot
from gate.trace.open import open_trace
from gate.voting.freeze_set import read_freeze_set

_TRACES: dict[SideName, str] = {"baseline": "golden.jsonl", "candidate": "patched.jsonl"}


def recorded(project: Project, run: Path | None) -> Recorded:
    """What the run left, held to the policy as it stands. Raises GateError as `gate.pipeline.kept.read_kept`."""
    kept = read_kept(project, run)
    digests = kept.card.digests
    named = {name: getattr(digests, name) for name in digests.__struct_fields__}
    return Recorded(
        folder=kept.folder,
        exit_code=ExitCode(kept.card.exit_code),
        verdict=kept.card.verdict,
        mode=kept.card.mode,
        digests={**named, **kept.digests},
        policies=kept.policies,
        deltas=tuple(map(_delta, kept.judgement.rows)),
        ballots=_ballots(project, kept),
        frozen=_frozen(project),
    )


def steps(project: Project, run: Path | None, side: SideName) -> tuple[TraceStep, ...]:
    """The records of a side's first run, in trace order; `run` is a run's folder, or a trace file in either format.

    Raises TraceError for a trace that is missing or cannot be read.
    """
    place = run or project.state / "latest"
    trace = open_trace(place if place.is_file() else place / _TRACES[side])
    words = _words(project, None if trace.header is None else trace.header.corpus)
    seen: dict[tuple[str, int], int] = {}
    found = []
    for record in trace.records():
        key = (record.case, record.step)
        seen[key] = seen.get(key, 0) + 1
        fields = tuple((name, _text(held)) for name, held in record.fields.items())
        found.append(
            TraceStep(
                case=record.case,
                step=record.step,
                occurrence=seen[key],
                command=record.command,
                fields=fields,
                words=words.get(key, ""),
            )
        )
    return tuple(found)


def remark(old: Canonical | None, new: Canonical | None) -> str:
    """What the texts of two values do not show of them; empty where they show all."""
    cut = [
        f"{name} is cut: {held.size or len(held.text)} bytes in all, sha256:{held.digest}"
        for name, held in (("old", old), ("new", new))
        if held is not None and (held.size is not None or held.overflow)
    ]
    return "; ".join(cut)


def _delta(row: JudgedDelta) -> RecordedDelta:
    delta = row.delta
    return RecordedDelta(
        case=delta.case,
        step=delta.step,
        occurrence=delta.occurrence,
        command=delta.command,
        changes=tuple(map(_change, row.changes)),
        note=delta.note,
    )


def _change(judged: JudgedChange) -> RecordedChange:
    change: Change = judged.change
    entry = judged.allowed_by
    return RecordedChange(
        field=change.field,
        kind=change.kind,
        old=None if change.old is None else change.old.text,
        new=None if change.new is None else change.new.text,
        note=remark(change.old, change.new),
        allowed=None if entry is None else entry.reason,
        bound=isinstance(entry, BoundEntry),
    )


def _ballots(project: Project, kept: Kept) -> tuple[RecordedBallot, ...]:
    votes = kept.card.votes
    if votes is None:
        return ()
    voted = scan_properties(project.properties).digest if project.properties.is_dir() else Pack().digest
    same = voted == kept.card.digests.properties
    whole = read_failures(kept.folder)
    return tuple(
        _ballot(ballot, whole.get(ballot.property), _source(project, ballot.property) if same else None)
        for ballot in votes.ballots
    )


def _ballot(ballot: ShownBallot, whole: tuple[RecordedFailure, ...] | None, source: str | None) -> RecordedBallot:
    shown = tuple(
        RecordedFailure(test=each.test, exception=each.exception, message=each.message, example=each.example or "")
        for each in ballot.failures
    )
    return RecordedBallot(
        property=ballot.property,
        kind=ballot.ballot,
        outcomes=ballot.outcomes,
        reason=ballot.reason,
        seed=ballot.seed,
        baseline=ballot.baseline,
        failures=shown if whole is None else whole,
        source=source,
    )


def _frozen(project: Project) -> tuple[FrozenProperty, ...]:
    return tuple(
        FrozenProperty(
            name=entry.name,
            source=_source(project, entry.name),
            since=entry.since,
            outcomes=entry.ballots,
            seeds=entry.seeds,
            owner=entry.owner,
            note=entry.note,
        )
        for entry in read_freeze_set(project.freeze_file).entries
    )


def _source(project: Project, name: str) -> str | None:
    try:
        return (project.properties / f"test_{name}.py").read_bytes().decode("utf-8", "backslashreplace")
    except OSError:
        return None


def _words(project: Project, digest: str | None) -> dict[tuple[str, int], str]:
    """The words of each step, by case and step; none where the corpus that stands there is not the one of the trace."""
    with suppress(CorpusError, OSError):
        data = project.corpus_file.read_bytes()
        if digest == f"sha256:{sha256(data).hexdigest()}":
            cases = parse_corpus(data, name=project.corpus_file.name).cases
            return {
                (case.id, number): _shell_words(step)
                for case in cases
                for number, step in enumerate(case.steps, start=1)
            }
    return {}


def _shell_words(step: Step) -> str:
    return shlex.join(word.decode("utf-8", "backslashreplace") for word in step.argv) or NO_WORDS


def _text(held: Value) -> str:
    text = held.data.decode("utf-8", "backslashreplace")
    return f"{text}… ({held.size} bytes, sha256:{held.digest})" if held.cut else text
