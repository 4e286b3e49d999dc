"""Repairs: the evidence beside every name that leaves the freeze set, and the rule that none leaves without it.

Evidence is a record that a person reviews, not a signature: it binds the runs to the property, the fixtures and the seed that
vote from then on, and a later change of any of them makes it void.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec

from gate.config.model import Project
from gate.errors import IntegrityError, PropertyError
from gate.files import write_atomically
from gate.hashing.framing import frame
from gate.hashing.pack import scan_pack, scan_properties
from gate.hashing.properties import read_properties
from gate.voting.ballots import Run as Voted
from gate.voting.ballots import Signature
from gate.voting.freeze_set import (
    SHA256,
    FreezeSet,
    Frozen,
    FrozenEntry,
    FrozenError,
    day,
    entry_of,
    fault_at,
    is_said,
    read_as,
    removed,
    require_frozen,
    wire,
    without,
    write_freeze_set,
)

LEAST_RUNS = 10
"""Runs that have to agree, at the least, before a vote is given back."""

Setting = bool | int | float | str | None
"""The value of one setting that the runs had."""

_REDO = "Put the entry back into the freeze set, then give the vote back with fresh runs: gate repair NAME --owner … --note …"
_MEND = "Restore the file as `gate repair` wrote it, or repair again."


class Run(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one run of the repaired property showed."""

    outcome: Literal["pass", "fail", "mixed"]
    signature: str | None = None
    """`sha256:HEX` over the failure signature; exactly where the run failed."""


class PropertyDigests(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which property ran."""

    file: str
    """`sha256:HEX` over the property file."""
    folder: str
    """The digest of the whole properties folder: a property may import what stands beside it."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole `repairs/NAME.json`."""

    repair: Literal[1]
    """The version of the file's form."""
    name: str
    owner: str
    note: str
    date: str
    """`YYYY-MM-DD`, the day of the runs."""
    frozen: FrozenEntry
    """The entry as it stood in the freeze set."""
    property: PropertyDigests
    fixtures: str
    """The digest of the fixture pack."""
    settings: dict[str, Setting]
    seed: int
    """Of Hypothesis, the same for every run."""
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What of a judge the runs of a repair depend on."""

    properties: Mapping[str, PropertyDigests]
    """By property name."""
    fixtures: str
    seed: int


def standing(project: Project) -> Standing:
    """The judge of `project` as it stands on disk. Raises FixtureError and PropertyError for files that cannot be used."""
    folder = scan_properties(project.properties).digest
    return Standing(
        properties={
            found.name: PropertyDigests(file=file_digest(project.properties / found.file), folder=folder)
            for found in read_properties(project.properties)
        },
        fixtures=scan_pack(project.fixtures).digest,
        seed=project.config.voting.seed,
    )


def file_digest(path: Path) -> str:
    """`sha256:HEX` over a file's raw bytes: what an entry of the freeze set calls `property`."""
    return f"sha256:{sha256(path.read_bytes()).hexdigest()}"


def signature_digest(signature: Signature) -> str:
    """How a failure signature stands in evidence: `sha256:HEX` over its parts, framed."""
    framed = frame(tuple(tuple(part.encode("utf-8", "surrogatepass") for part in failure) for failure in signature))
    return f"sha256:{sha256(framed).hexdigest()}"


def shown(voted: Sequence[Voted]) -> tuple[Run, ...]:
    """What the runs of a vote showed. Raises PropertyError for a void one: it showed nothing."""
    found = []
    for run in voted:
        if run.outcome == "void":
            raise PropertyError(f"a run could not vote: {run.reason}", next_step="Mend the cause and repair again.")
        signature = signature_digest(run.signature) if run.outcome == "fail" else None
        found.append(Run(outcome=run.outcome, signature=signature))
    return tuple(found)


def require_repairable(freeze_set: FreezeSet, name: str, *, owner: str, note: str, judge: Standing) -> Frozen:
    """The entry that a repair of `name` would remove, before anything runs.

    Raises PropertyError: the name is not frozen, it has no property file, or nobody says who repaired it and how.
    """
    entry = require_frozen(freeze_set, name)
    for key, words in (("--owner", owner), ("--note", note)):
        if not is_said(words):
            raise PropertyError(
                f"{key}: expected words on one line, got {words[:60]!a}",
                next_step="Say who repaired the property (--owner) and what was wrong with it (--note).",
            )
    if name not in judge.properties:
        raise PropertyError(
            f"{name!a}: expected the property file test_{name}.py, found none",
            next_step="Restore the file; a property that is gone cannot show that it is repaired.",
        )
    return entry


def disagreement(runs: Sequence[Run], *, least: int = LEAST_RUNS) -> str | None:
    """Why the runs give no vote back, in words; None when all of them passed, or all failed in the same way.

    Fewer than `least` runs agree about nothing; `least` below `LEAST_RUNS` counts as that.
    """
    least = max(least, LEAST_RUNS)
    if len(runs) < least:
        return f"expected at least {least} runs, got {len(runs)}"
    if any((run.outcome == "fail") != (run.signature is not None) for run in runs):
        return "expected a failure signature for each failed run and for no other"
    if any(run.outcome == "mixed" for run in runs) or len({run.outcome for run in runs}) > 1:
        counts = Counter(run.outcome for run in runs)
        seen = ", ".join(f"{outcome} {counts[outcome]}" for outcome in ("pass", "fail", "mixed") if counts[outcome])
        return f"expected {len(runs)} runs that agree, got {seen}"
    kinds = len(set(runs))
    return None if kinds == 1 else f"expected {len(runs)} runs that agree, got {kinds} different failures"


def evidence_of(
    entry: Frozen,
    runs: Sequence[Run],
    *,
    owner: str,
    note: str,
    today: date,
    judge: Standing,
    settings: Mapping[str, Setting],
) -> Evidence:
    """The evidence that `runs` give under `judge`. Raises PropertyError when they give none: see `disagreement`."""
    if (why := disagreement(runs)) is not None:
        raise PropertyError(f"{entry.name}: {why}", next_step="Mend the property and repair it again; it stays frozen.")
    return Evidence(
        repair=1,
        name=entry.name,
        owner=owner.strip(),
        note=note.strip(),
        date=today.isoformat(),
        frozen=msgspec.convert(wire(entry), FrozenEntry),
        property=judge.properties[entry.name],
        fixtures=judge.fixtures,
        settings=dict(sorted(settings.items())),
        seed=judge.seed,
        runs=tuple(runs),
    )


def write_repair(project: Project, freeze_set: FreezeSet, evidence: Evidence) -> Path:
    """Write the evidence, then the freeze set without its name; gives the evidence's file.

    Should the second not be written, the property stays frozen.
    """
    file = evidence_file(project.repairs, evidence.name)
    write_atomically(file, render_evidence(evidence))
    write_freeze_set(project.freeze_file, without(freeze_set, evidence.name))
    return file


def evidence_file(repairs: Path, name: str) -> Path:
    """Where the evidence for `name` stands."""
    return repairs / f"{name}.json"


def render_evidence(evidence: Evidence) -> bytes:
    """The file of the evidence: the same evidence is the same bytes, pure ASCII."""
    return (json.dumps(msgspec.to_builtins(evidence), indent=2) + "\n").encode("ascii")


def parse_evidence(data: bytes, *, name: str) -> Evidence:
    """The evidence that the bytes of a file state. Raises PropertyError naming the file `name`, line and key."""
    document, evidence = read_as(data, Evidence, name=name, next_step=_MEND)
    inside: tuple[str, ...] = ()
    try:
        day(evidence.date, "date")
        for key, words in (("owner", evidence.owner), ("note", evidence.note)):
            if not is_said(words):
                raise FrozenError(key, f"expected words on one line, got {words[:60]!a}")
        for run in evidence.runs:
            if run.signature is not None and SHA256.fullmatch(run.signature) is None:
                raise FrozenError("runs", f"expected 'sha256:' and 64 hex digits, got {run.signature[:80]!a}")
        inside = ("frozen",)
        entry_of(evidence.frozen)
    except FrozenError as fault:
        raise fault_at(document, name, (*inside, fault.key), fault.what, next_step=_MEND) from fault
    return evidence


def require_evidence(
    old: FreezeSet, new: FreezeSet, *, repairs: Path, judge: Standing, old_repairs: Path | None
) -> tuple[Evidence, ...]:
    """The evidence of every name that left the freeze set between the judge `old` and the judge `new`, by name; none left: ().

    `repairs` and `judge` are the new judge's, `old_repairs` is the old one's folder (None: it has none): what lay there already
    repaired an earlier freeze. Raises IntegrityError with a line for each name that left without matching evidence.
    """
    found = [(entry, _held(entry, repairs, judge, old_repairs)) for entry in removed(old, new)]
    faults = [
        f"property {entry.name!a} left the freeze set without a repair: {said}"
        for entry, said in found
        if isinstance(said, str)
    ]
    if faults:
        raise IntegrityError("\n".join(faults), next_step=_REDO)
    return tuple(said for _, said in found if isinstance(said, Evidence))


def _held(entry: Frozen, repairs: Path, judge: Standing, old_repairs: Path | None) -> Evidence | str:
    """The evidence for `entry`, or why there is none."""
    file = evidence_file(repairs, entry.name)
    try:
        data = file.read_bytes()
        evidence = parse_evidence(data, name=str(file))
    except OSError:
        return f"{file}: expected the evidence of a repair, found no file that can be read"
    except PropertyError as error:
        return error.what
    with suppress(OSError):
        if old_repairs is not None and evidence_file(old_repairs, entry.name).read_bytes() == data:
            return f"{file}: expected fresh evidence, got what was there before the name left"
    fault = next(mismatches(evidence, entry, judge), None)
    return evidence if fault is None else f"{file}: {fault}"


def mismatches(evidence: Evidence, entry: Frozen, judge: Standing) -> Iterator[str]:
    """Every way in which the evidence does not repair this freeze under this judge; none: it does."""
    if evidence.name != entry.name:
        yield f"name: expected {entry.name!a}, got {evidence.name!a}"
    if not entry_of(evidence.frozen).same_freeze(entry):
        yield "frozen: expected the entry that left, got that of another freeze"
    if (why := disagreement(evidence.runs)) is not None:
        yield f"runs: {why}"
    standing_now = judge.properties.get(entry.name)
    if standing_now is None:
        yield f"expected the property file test_{entry.name}.py, found none"
    elif evidence.property != standing_now:
        part = "file" if evidence.property.file != standing_now.file else "folder"
        expected, got = getattr(standing_now, part), getattr(evidence.property, part)
        yield f"property.{part}: expected {expected}, got {got}: the properties changed after the runs"
    if evidence.fixtures != judge.fixtures:
        yield f"fixtures: expected {judge.fixtures}, got {evidence.fixtures}: the fixtures changed after the runs"
    if evidence.seed != judge.seed:
        yield f"seed: expected {judge.seed}, with which the property will vote, got {evidence.seed}"
