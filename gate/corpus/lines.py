"""The shapes of the lines of `corpus.jsonl`."""

from __future__ import annotations

from typing import Literal

import msgspec

from gate.domain import Case, CaseId, Origin, Step
from gate.octets import Wire, from_wire, to_wire


class GeneratorLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What drew the drawn cases."""

    version: int
    """The version of the generator: gate.corpus.words.GENERATOR."""
    hypothesis: str
    """The version of Hypothesis."""
    grammar: str
    """`sha256:…` of the grammar."""
    seed: int
    asked: int
    """How many cases were asked for; fewer are in the file when the grammar gave fewer or a hand-written one equals one."""


class HeaderLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Line 1."""

    corpus: Literal[1]
    """The version of this format."""
    generator: GeneratorLine | None
    digest: str
    """`sha256:…` over all lines after this one, with their line feeds."""


class StepLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One step. No `stdin` is an empty input, no `env` no added variables."""

    argv: tuple[Wire, ...]
    stdin: Wire | None = None
    env: dict[str, str] = {}


class CaseLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One case. People may leave out `origin` and `covers` in what they write."""

    id: str
    origin: Origin = "hand"
    steps: tuple[StepLine, ...]
    covers: tuple[str, ...] = ()


def step_lines(steps: tuple[Step, ...]) -> tuple[StepLine, ...]:
    """How steps are written."""
    return tuple(
        StepLine(
            argv=tuple(to_wire(word) for word in step.argv),
            stdin=None if step.stdin is None else to_wire(step.stdin),
            env=dict(sorted(step.env.items())),
        )
        for step in steps
    )


def case_line(case: Case, covers: tuple[str, ...]) -> CaseLine:
    """How a case is written."""
    return CaseLine(id=case.id, origin=case.origin, steps=step_lines(case.steps), covers=covers)


def case_of(line: CaseLine) -> Case:
    """The case that was written. Raises ValueError on bytes that are no base64."""
    return Case(
        id=CaseId(line.id),
        origin=line.origin,
        steps=tuple(
            Step(
                argv=tuple(from_wire(word) for word in step.argv),
                stdin=None if step.stdin is None else from_wire(step.stdin),
                env=step.env,
            )
            for step in line.steps
        ),
    )
