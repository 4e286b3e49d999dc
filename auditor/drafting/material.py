"""From what the gate recorded to what drafting works on: groups of flagged changes, and stable failures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from auditor.drafting.values import Change, Failure, Group, Place
from auditor.errors import AuditorError
from gate import api

NEIGHBOURS = 1
"""Steps before and after a differing one that a failure's log shows."""

Hide = Callable[[str, str], str]
"""What is shown for the value of a field, from its name and text."""

_PATH = re.compile(r"[A-Za-z0-9_.\-]+(?:/[A-Za-z0-9_.\-]+)*\.[A-Za-z0-9]{1,8}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """What both builds did in the first runs of a run, in trace order. Empty: no trace is at hand."""

    baseline: tuple[api.TraceStep, ...] = ()
    candidate: tuple[api.TraceStep, ...] = ()


def traces_of(project_root: Path, run: Path | None = None) -> Traces:
    """The traces of a run, by default the latest one. Raises GateError."""
    return Traces(baseline=api.golden(project_root, run), candidate=api.patched(project_root, run))


def groups(left: api.Recorded) -> tuple[Group, ...]:
    """Flagged changes, one group for the same command with equal changes, in the order of first appearance. None flagged: none.

    Equal is meant byte for byte, not by the text that is shown. A change that is allowed counts for nothing, also where its
    neighbours of the same step are flagged.
    """
    found: dict[tuple[str, tuple[api.RecordedChange, ...]], list[Place]] = {}
    for delta in left.flagged:
        place = Place(case=delta.case, step=delta.step, occurrence=delta.occurrence)
        found.setdefault((delta.command, delta.flagged), []).append(place)
    return tuple(
        Group(id=f"d{number}", command=command, changes=tuple(map(_change, changes)), places=tuple(places))
        for number, ((command, changes), places) in enumerate(found.items(), start=1)
    )


def steps_of(left: api.Recorded) -> tuple[Group, ...]:
    """Each step that differs as a group of its own, with all its changes, whether they are allowed or flagged."""
    return tuple(
        Group(
            id=f"s{number}",
            command=delta.command,
            changes=tuple(map(_change, delta.changes)),
            places=(Place(case=delta.case, step=delta.step, occurrence=delta.occurrence),),
        )
        for number, delta in enumerate(left.deltas, start=1)
    )


def as_it_is(_name: str, text: str) -> str:
    """Hides nothing."""
    return text


def failures(
    left: api.Recorded, traces: Traces, *, candidate: Path | None = None, hide: Hide = as_it_is
) -> tuple[Failure, ...]:
    """Every stable failure: the properties that failed in each run, by name, then the flagged groups.

    `candidate` is the candidate's tree; None where it is not at hand, and no source is named then. `hide` is asked for each value of
    a field: in a log no name stands right before it.
    """
    named = [ballot for ballot in left.ballots if ballot.kind == "fail"]
    return (
        *(_of_property(ballot, candidate) for ballot in named),
        *(_of_group(group, left, traces, candidate, hide) for group in groups(left)),
    )


def failure(
    left: api.Recorded, traces: Traces, subject: str, *, candidate: Path | None = None, hide: Hide = as_it_is
) -> Failure:
    """The stable failure `property NAME` (or NAME alone) or `group dN` (or `dN` alone).

    Raises AuditorError for what is none, a frozen or wavering property among it.
    """
    name = subject.removeprefix("property ").removeprefix("group ")
    offered = failures(left, traces, candidate=candidate, hide=hide)
    for each in offered:
        if each.subject in {subject, f"property {name}", f"group {name}"}:
            return each
    raise AuditorError(*_why_none(left, name), next_step=_next(offered))


def _why_none(left: api.Recorded, name: str) -> tuple[str]:
    ballots = {ballot.property: ballot.kind for ballot in left.ballots}
    kind = ballots.get(name)
    if kind in {"freeze", "frozen"} or name in {each.name for each in left.frozen}:
        return (f"property {name}: not a stable failure: it passed and failed on the same inputs, and is frozen",)
    if kind == "void":
        return (f"property {name}: not a stable failure: it could not vote",)
    if kind == "pass":
        return (f"property {name}: not a failure: it passed in every run",)
    return (f"{name[:60]!a}: expected a property that failed in every run, or a flagged group; got neither",)


def _next(offered: Sequence[Failure]) -> str:
    named = ", ".join(each.subject for each in offered)
    return f"Name one of: {named}" if named else "This run holds no stable failure: there is nothing to explain."


def _change(change: api.RecordedChange) -> Change:
    """A change as text. What the text does not show (the size and digest of a value that was cut) stands behind it."""
    old, new = _text(change.old), _text(change.new)
    note = f" [{change.note}]" if change.note else ""
    if new is None:
        return Change(field=change.field, kind=change.kind, old=f"{old}{note}", new=None)
    return Change(field=change.field, kind=change.kind, old=old, new=f"{new}{note}")


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "backslashreplace")


def _of_property(ballot: api.RecordedBallot, candidate: Path | None) -> Failure:
    lines = [f"property {ballot.property}: {ballot.reason}"]
    if ballot.seed is not None:
        lines.append(f"runs: {len(ballot.outcomes)}, Hypothesis seed {ballot.seed}")
    if ballot.baseline is not None:
        lines.append(f"on the baseline: {ballot.baseline}")
    for failed in ballot.failures:
        lines += [f"test {failed.test}", f"{failed.exception}: {failed.message}"]
        lines += [text for text in (failed.example, failed.trace) if text]
    named = tuple(lines)
    if ballot.source is not None:
        lines += ["the property as it stands:", ballot.source.rstrip("\n")]
    return Failure(
        subject=f"property {ballot.property}",
        log="\n".join(lines),
        sources=_sources("\n".join(named), candidate),
    )


def _of_group(group: Group, left: api.Recorded, traces: Traces, candidate: Path | None, hide: Hide) -> Failure:
    first = group.places[0]
    note = next((delta.note for delta in left.deltas if _at(delta, first)), "")
    lines = [f"group {group.id}: command {group.command}: first seen in case {first.case} step {first.step}"]
    lines += [note] if note else []
    others = [f"case {place.case} step {place.step}" for place in group.places[1:]]
    lines += [f"the same change in: {', '.join(others)}"] if others else []
    for change in group.changes:
        old, new = (None if text is None else hide(change.field, text) for text in (change.old, change.new))
        lines += [f"field {change.field} ({change.kind})", *_sides(old, new)]
    lines += _around(first, traces, hide)
    log = "\n".join(lines)
    return Failure(subject=f"group {group.id}", log=log, sources=_sources(log, candidate))


def _at(delta: api.RecordedDelta, place: Place) -> bool:
    return (delta.case, delta.step, delta.occurrence) == (place.case, place.step, place.occurrence)


def _sides(old: str | None, new: str | None) -> Iterator[str]:
    for sign, text in (("-", old), ("+", new)):
        yield from (f"{sign} {line}" for line in ("(not observed)" if text is None else text).split("\n"))


def _around(place: Place, traces: Traces, hide: Hide) -> Iterator[str]:
    """The step, its neighbours on both builds, and what the step said on standard error."""
    for side, steps in (("baseline", traces.baseline), ("candidate", traces.candidate)):
        for step in steps:
            if step.case == place.case and abs(step.step - place.step) <= NEIGHBOURS:
                yield f"{side}: step {step.step}: {step.words or step.command}"
                told = dict(step.fields)
                shown = step.fields if step.step != place.step else (("stderr", told.get("stderr", "")),)
                for name, text in shown:
                    yield from (f"  {name}: {line}" for line in hide(name, text).split("\n") if line)


def _sources(log: str, candidate: Path | None) -> tuple[str, ...]:
    """Files that the log names and that the candidate's tree holds, by their paths in it, in the order in which they are named.

    A path that ends as one of the tree's files does counts as that file; links and what lies outside of the tree do not.
    """
    if candidate is None:
        return ()
    root = candidate.resolve()
    found: dict[str, None] = {}
    for named in dict.fromkeys(_PATH.findall(log)):
        parts = PurePosixPath(named).parts
        for start in range(len(parts)):
            path = root.joinpath(*parts[start:])
            if ".." not in parts and path.is_file() and path.resolve() == path:
                found[path.relative_to(root).as_posix()] = None
                break
    return tuple(found)
