"""An audit of the noise rules for machines: additive, bounded, the same bytes for the same inputs."""

from __future__ import annotations

import msgspec

from gate.diff.noise import CANONICAL_VERSION
from gate.diff.noise_audit import AuditedRule, Example, NoiseAudit, Unseen
from gate.exit_codes import ExitCode
from gate.octets import Wire, to_wire

SHOWN_BYTES = 120
"""Bytes of program output that are shown of one text."""


class ShownWhere(msgspec.Struct, frozen=True, kw_only=True):
    """Matches of one rule in one field of one command."""

    command: str
    field: str
    spans: int
    erased: int


class ShownExample(msgspec.Struct, frozen=True, kw_only=True):
    """One span, with what stands beside it on its line: heads, and of what is before it the end, of at most `SHOWN_BYTES`."""

    command: str
    field: str
    before: Wire
    span: Wire
    after: Wire


class ShownUnseen(msgspec.Struct, frozen=True, kw_only=True):
    """A change that would end in 0."""

    mutation: str
    case: str
    step: int
    field: str
    old: Wire
    new: Wire


class ShownRule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule."""

    name: str
    built_in: bool
    spans: int
    erased: int
    """Spans at places where the baseline's own runs differ; no other is ever erased."""
    where: tuple[ShownWhere, ...]
    examples: tuple[ShownExample, ...]
    tried: int
    unseen: tuple[ShownUnseen, ...]


class ShownFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong with a rule."""

    rule: str
    what: str
    why: str
    next_step: str


class ShownAudit(msgspec.Struct, frozen=True, kw_only=True):
    """The whole audit."""

    version: int
    canonical: int
    """Version of the canonical form."""
    noise: str
    """Digest of the rules."""
    runs: int
    cases: int
    steps: int
    rules: tuple[ShownRule, ...]
    findings: tuple[ShownFinding, ...]
    exit_code: int


def exit_code(audit: NoiseAudit) -> ExitCode:
    """1 with a finding; 3 where no change could be tried, of one rule at least: silence is no agreement; else 0."""
    if audit.faults:
        return ExitCode.STOP
    return ExitCode.CLEAN if audit.tried else ExitCode.ABSTAIN


def encode_audit(audit: NoiseAudit, digest: str) -> bytes:
    """As indented JSON with a final newline. `digest`: of the rules."""
    shown = ShownAudit(
        version=1,
        canonical=CANONICAL_VERSION,
        noise=digest,
        runs=audit.runs,
        cases=audit.cases,
        steps=audit.steps,
        rules=tuple(map(_rule, audit.rules)),
        findings=tuple(
            ShownFinding(rule=fault.rule, what=fault.what, why=fault.why, next_step=fault.next_step)
            for fault in audit.faults
        ),
        exit_code=int(exit_code(audit)),
    )
    return msgspec.json.format(msgspec.json.encode(shown), indent=1) + b"\n"


def _rule(rule: AuditedRule) -> ShownRule:
    return ShownRule(
        name=rule.name,
        built_in=rule.built_in,
        spans=rule.spans,
        erased=rule.licensed,
        where=tuple(
            ShownWhere(command=row.command, field=row.field, spans=row.spans, erased=row.licensed) for row in rule.where
        ),
        examples=tuple(map(_example, rule.examples)),
        tried=rule.tried,
        unseen=tuple(map(_unseen, rule.unseen)),
    )


def _example(example: Example) -> ShownExample:
    return ShownExample(
        command=example.command,
        field=example.field,
        before=to_wire(example.before[-SHOWN_BYTES:]),
        span=to_wire(example.raw[:SHOWN_BYTES]),
        after=to_wire(example.after[:SHOWN_BYTES]),
    )


def _unseen(unseen: Unseen) -> ShownUnseen:
    return ShownUnseen(
        mutation=unseen.mutation,
        case=unseen.case,
        step=unseen.step,
        field=unseen.field,
        old=to_wire(unseen.old[:SHOWN_BYTES]),
        new=to_wire(unseen.new[:SHOWN_BYTES]),
    )
