"""The scorecard: the machine-readable result of one run. Versioned; the same inputs give the same bytes.

Nothing in it depends on the clock, the machine's paths, the number of workers, or on whether a golden came from the cache. A check
that wavers is shown with the values that were seen, which no two runs need to share.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from gate.diff.findings import Canonical, Delta, Kind
from gate.errors import ReplayError
from gate.files import write_atomically
from gate.octets import Wire, to_wire
from gate.report.shown_groups import ShownGroup
from gate.report.shown_votes import ShownSuite, Votes

SHOWN_BYTES = 2000
"""Bytes of a value's canonical text that a scorecard shows; its digest speaks for all of it."""

Verdict = Literal["allowed", "flagged"]
Mode = Literal[
    "baseline against candidate", "baseline against itself", "baseline against itself under a new judge", "trace files"
]
SandboxKind = Literal["bubblewrap", "unshare", "none"]


class ShownValue(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a change: its canonical text, and the digest that a policy entry may bind."""

    text: Wire
    """The canonical text, or its head of `SHOWN_BYTES` bytes."""
    bytes: int
    """Bytes of the whole canonical text; for a value that was cut, bytes seen in all."""
    sha256: str
    """Digest of the canonical form."""


class ShownDetail(msgspec.Struct, frozen=True, kw_only=True):
    """One difference inside a structured value."""

    path: str
    old: str | None
    new: str | None


class ShownChange(msgspec.Struct, frozen=True, kw_only=True):
    """One check that differs."""

    field: str
    kind: Kind
    verdict: Verdict
    old: ShownValue | None
    """null: not observed on the baseline."""
    new: ShownValue | None
    """null: not observed on the candidate."""
    reason: str | None = None
    """The reason of the policy entry that allows it."""
    masked_by: str | None = None
    """The noise rule that matches here but may not erase, as the baseline never varied at this place."""
    details: tuple[ShownDetail, ...] = ()


class ShownDelta(msgspec.Struct, frozen=True, kw_only=True):
    """One step that differs. Flagged unless every change of it is allowed."""

    case: str
    step: int
    occurrence: int
    command: str
    verdict: Verdict
    changes: tuple[ShownChange, ...]
    note: str = ""
    follows: int | None = None
    """The earlier step of its case that it only follows. null: it differs of itself, or nothing is known of it."""
    group: str | None = None
    """The group in which the report shows it."""


class ShownCure(msgspec.Struct, frozen=True, kw_only=True):
    """What may be done about a check that abstains."""

    kind: Literal["rule", "order", "drop"]
    words: str
    rules: tuple[str, ...] = ()
    """`[[noise]]` blocks for gate.toml that would cover what was seen; for a person to weigh."""


class ShownUnstable(msgspec.Struct, frozen=True, kw_only=True):
    """One check that abstains."""

    case: str
    step: int
    occurrence: int
    command: str
    field: str
    side: Literal["baseline", "candidate"]
    baseline: tuple[ShownValue | None, ...]
    """Values of the baseline's runs, each distinct one once, in order of first appearance."""
    candidate: tuple[ShownValue | None, ...]
    """Likewise for the candidate."""
    baseline_runs: tuple[int, ...] = ()
    """How many runs showed each of `baseline`, in the same order."""
    candidate_runs: tuple[int, ...] = ()
    """Likewise for the candidate."""
    new_values: bool = False
    """Whether the baseline wavers and the candidate shows a value that no run of the baseline did."""
    cure: ShownCure | None = None
    """null: written before there were any."""


class Digests(msgspec.Struct, frozen=True, kw_only=True):
    """What was judged, and by which judge. null: not part of this run."""

    baseline: str | None = None
    candidate: str | None = None
    corpus: str | None = None
    fixtures: str | None = None
    config: str | None = None
    noise: str | None = None
    properties: str | None = None
    policy: str | None = None
    environment: str | None = None


class Runs(msgspec.Struct, frozen=True, kw_only=True):
    """How often each side was replayed."""

    repeats: int
    """Runs of the whole corpus, each side."""
    confirm: int
    """Further runs, each side, of every case that differed."""
    confirmed: tuple[str, ...] = ()
    """The cases that were run again."""
    doubted: tuple[str, ...] = ()
    """Those that were run `confirm` times more once again, since they still differed and a check of the run wavers."""
    sandbox: SandboxKind = "none"
    """What builds, replays and votes ran in."""


class ShownPatch(msgspec.Struct, frozen=True, kw_only=True):
    """What changed between two commits, by kind; paths relative to the repository."""

    kind: Literal["product", "judge"]
    judge: tuple[Wire, ...] = ()
    control: tuple[Wire, ...] = ()
    """Files that decide what CI runs, and who is asked."""
    product: tuple[Wire, ...] = ()
    new_policy_entries: tuple[str, ...] = ()
    """What a judge patch allows anew, one JSON text each."""
    changes: tuple[str, ...] = ()
    """What else a judge patch changes, one line each."""


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How much was compared. `checks` = `verified` + `flagged` + `allowed` + `unstable`."""

    cases: int
    records: int
    """Step records over the union of both sides; the trace runner's own process is one, as step 0."""
    checks: int
    verified: int
    flagged: int
    allowed: int
    unstable: int
    deltas: int
    """Steps that differ: the rows of the report."""
    deltas_flagged: int
    deltas_allowed: int


class PolicyUse(msgspec.Struct, frozen=True, kw_only=True):
    """What the policy's entries did, each named as `case A step 4 …`."""

    entries: int = 0
    unused: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    """Entries that allow any change at their step, and were used."""
    today: str | None = None
    """The date that expiry was read against; only where an entry expires."""


class Scorecard(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one run."""

    scorecard: Literal[1] = 1
    gate: str
    """Version of the program."""
    canonical: int
    """Version of the canonical form."""
    mode: Mode
    patch: ShownPatch | None = None
    """null: folders were named, or one commit alone."""
    digests: Digests
    runs: Runs
    counts: Counts
    deltas: tuple[ShownDelta, ...]
    groups: tuple[ShownGroup, ...] = ()
    """The deltas as the report shows them: those that differ in equal ways together. Each delta stands in one."""
    unstable: tuple[ShownUnstable, ...]
    policy: PolicyUse
    votes: Votes | None = None
    """null: no property took part."""
    suite: ShownSuite | None = None
    """null: the example tests took no part."""
    noise: dict[str, int]
    """Substitutions by noise rule, over all runs of both sides."""
    ignored_files: tuple[str, ...] = ()
    """Globs whose file effects were not recorded."""
    ignored_content: tuple[str, ...] = ()
    """Globs of files whose content was not compared."""
    exit_code: Literal[0, 1, 2, 3]
    verdict: str
    summary: str
    """`verified x of y checks, z properties voted, w abstained`: what a 0 rests on."""


def shown(canonical: Canonical | None) -> ShownValue | None:
    """A value as the scorecard shows it."""
    if canonical is None:
        return None
    text = canonical.text
    size = len(text) if canonical.size is None else canonical.size
    return ShownValue(text=to_wire(text[:SHOWN_BYTES]), bytes=size, sha256=canonical.digest)


def encode(scorecard: Scorecard) -> bytes:
    """The scorecard's bytes: indented JSON, one trailing newline."""
    return msgspec.json.format(msgspec.json.encode(scorecard), indent=2) + b"\n"


def schema() -> bytes:
    """The JSON Schema of a scorecard, as `gate scorecard schema` prints it."""
    return msgspec.json.format(msgspec.json.encode(msgspec.json.schema(Scorecard)), indent=2) + b"\n"


def write_deltas(path: Path, deltas: tuple[Delta, ...]) -> None:
    """Keep the deltas whole beside the scorecard, one JSON line each, for `gate policy bind`."""
    write_atomically(path, b"".join(msgspec.json.encode(delta) + b"\n" for delta in deltas))


def read_deltas(scorecard: Path) -> tuple[Delta, ...]:
    """The deltas, whole, of the run whose scorecard stands at `scorecard`. Raises ReplayError where they are not there."""
    file = scorecard.parent / "deltas.jsonl"
    try:
        lines = file.read_bytes().splitlines()
    except FileNotFoundError:
        raise ReplayError(
            f"{file}: expected the deltas of an observed run, found none",
            next_step="Run `gate run` first, or name the folder of a run with --run.",
        ) from None
    try:
        return tuple(msgspec.json.decode(line, type=Delta) for line in lines)
    except msgspec.DecodeError as error:
        raise ReplayError(f"{file}: not a gate's file: {error}", next_step="Run `gate run` again.") from error
