"""What a comparison finds, as values. A finding is never an exception."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from gate.domain import CaseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder:
    """A span that a noise rule took out of a value."""

    rule: str
    shape: str = ""
    """What of the span's form still counts, e.g. `frac3+offset` of a timestamp; part of equality."""
    number: int | None = None
    """Number by first appearance in the case, for rules with identity."""

    @property
    def parts(self) -> tuple[bytes, bytes, bytes]:
        """Rule, shape and number, each as bytes; no number is an empty one."""
        return self.rule.encode(), self.shape.encode(), b"" if self.number is None else str(self.number).encode()

    def __str__(self) -> str:
        shape = f"+{self.shape}" if self.shape else ""
        number = "" if self.number is None else f":{self.number}"
        return f"<{self.rule}{shape}{number}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Canonical:
    """A value in canonical form: literal bytes and placeholders in turn. Equality is the comparison that verdicts rest on."""

    tokens: tuple[bytes | Placeholder, ...]
    """No two literals stand side by side, none is empty; an empty value has no tokens."""
    size: int | None = None
    """For a value that was cut: the bytes seen in all. None for a value held whole."""
    sha256: str | None = None
    """For a value that was cut: the hex digest over all bytes seen, so that a change after the cut is seen."""
    overflow: bool = False
    """The stream was stopped at the hard limit."""

    @property
    def text(self) -> bytes:
        """The tokens as one byte string, placeholders written out; for people and policies."""
        return b"".join(token if isinstance(token, bytes) else str(token).encode() for token in self.tokens)

    @property
    def digest(self) -> str:
        """Hex SHA-256 of the canonical form: length-framed, so that a literal never equals a placeholder."""
        frame = sha256()
        for token in self.tokens:
            parts = (b"L", token) if isinstance(token, bytes) else (b"P", *token.parts)
            for part in parts:
                frame.update(len(part).to_bytes(8, "big") + part)
        if self.size is not None or self.overflow:
            frame.update(
                b"C" + (self.size or 0).to_bytes(8, "big") + (self.sha256 or "").encode() + bytes([self.overflow])
            )
        return frame.hexdigest()


Kind = Literal[
    "exit code",
    "crash or hang",
    "step missing",
    "step added",
    "file effect",
    "stream moved",
    "error class",
    "field missing",
    "field added",
    "value",
    "order",
    "line endings",
    "invisible characters",
    "whitespace",
    "wording",
]
"""What sort of edit a change is, the gravest first; shown to people, never part of a verdict. docs/report.md tells what each means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """One difference inside a structured value (JSON, `key=value`), by path. Either side None: absent there."""

    path: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One check whose canonical value differs. Never both sides None."""

    field: str
    old: Canonical | None
    """None: not observed on the baseline."""
    new: Canonical | None
    """None: not observed on the candidate."""
    kind: Kind
    details: tuple[Detail, ...] = ()
    masked_by: str | None = None
    """The noise rule that matches here but may not erase: the baseline never varied at this place, or only the candidate never does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """One step that differs, with every check of it that does. The row of a report."""

    case: CaseId
    step: int
    occurrence: int = 1
    """Which record of that case and step, from 1; above 1 only where a trace repeats a record."""
    command: str
    """The command word on the baseline; on the candidate where the baseline has no such step."""
    changes: tuple[Change, ...]
    """At least one."""
    note: str = ""
    """A sentence on the whole step where there is one, e.g. `missing steps 8-10 (process ended at step 7)`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unstable:
    """One check that abstains: a side disagrees with itself."""

    case: CaseId
    step: int
    occurrence: int = 1
    command: str
    field: str
    side: Literal["baseline", "candidate"]
    """`candidate`: it wavers while the baseline never did (“became unstable”)."""
    baseline: tuple[Canonical | None, ...]
    """The values of the baseline's runs, in run order."""
    candidate: tuple[Canonical | None, ...]
    """The values of the candidate's runs, in run order."""
    masked_by: str | None = None
    """As of a `Change`: but for this rule's want of evidence all runs would agree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What comparing two sides over some cases gave. Purely additive: comparisons of disjoint cases may be merged."""

    deltas: tuple[Delta, ...]
    unstable: tuple[Unstable, ...]
    verified: int
    """Checks that agreed."""
    cases: int
    steps: int
    """Steps over the union of both sides."""
    substitutions: tuple[tuple[str, int], ...] = ()
    """How many spans each noise rule took out, over every run of both sides; sorted by rule.

    Only cases whose runs are not equal byte for byte count: in the others nothing had to be taken out. Collapsed padding counts
    as `layout`, once a check.
    """

    @property
    def checks(self) -> int:
        """Every check over the union of both sides."""
        return self.verified + sum(len(delta.changes) for delta in self.deltas) + len(self.unstable)
