"""What leaves the gate by its door, as values: what a run left, what an entry would silence, what an experiment showed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from gate.exit_codes import ExitCode

ExperimentKind = Literal[
    "hash seed", "time zone", "baseline build", "without step", "property seed", "more repeats", "locale", "one worker"
]
Finding = Literal["persists", "vanishes", "changes", "wavers", "shown", "not shown"]
"""`shown`, `not shown`: of the baseline build alone, whether it does what the candidate did."""

Place = tuple[str, int, int]
"""Case, step, occurrence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedChange:
    """One field that differs."""

    field: str
    kind: str
    old: bytes | None
    """The whole canonical text; of a value that was cut, what was kept of it. None: not observed on the baseline."""
    new: bytes | None
    note: str = ""
    """What the text does not show: sizes and digests of values that were cut. Else empty."""
    allowed: str | None = None
    """The reason of the policy entry that allows it; None: flagged."""
    bound: bool = False
    """Whether it is a bound entry that allows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedDelta:
    """One step that differs."""

    case: str
    step: int
    occurrence: int
    command: str
    changes: tuple[RecordedChange, ...]
    note: str = ""

    @property
    def flagged(self) -> tuple[RecordedChange, ...]:
        """The changes that nobody allowed."""
        return tuple(change for change in self.changes if change.allowed is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedFailure:
    """One way in which a test of a property failed."""

    test: str
    exception: str
    message: str
    example: str
    """What Hypothesis says of the falsifying example; empty for other tests."""
    trace: str = ""
    """The traceback; empty where the run kept none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedBallot:
    """What a property said in the run."""

    property: str
    kind: Literal["pass", "fail", "freeze", "frozen", "void"]
    outcomes: tuple[str, ...]
    reason: str
    seed: int | None
    baseline: str | None
    """The kind of the baseline's own ballot, where it was asked."""
    failures: tuple[RecordedFailure, ...]
    source: str | None = None
    """The property file as it voted; None where it was changed since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenProperty:
    """A property without a vote, as the freeze set has it now."""

    name: str
    source: str | None
    """The property file as it stands; None where it is gone."""
    since: date | None
    outcomes: tuple[str, ...]
    seeds: tuple[int, ...]
    owner: str | None
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What one run left."""

    folder: Path
    """The run's own folder, links resolved."""
    exit_code: ExitCode
    verdict: str
    mode: str
    digests: Mapping[str, str | None]
    """As in the scorecard (`baseline`, `candidate`, `policy` and so on), and `scorecard` and `deltas` of the two files."""
    policies: tuple[str | None, ...]
    """Digests of the policy that count as the run's: the one that it was judged by, and what `accept` made of it."""
    deltas: tuple[RecordedDelta, ...]
    ballots: tuple[RecordedBallot, ...]
    frozen: tuple[FrozenProperty, ...]

    @property
    def flagged(self) -> tuple[RecordedDelta, ...]:
        """The steps of which something is flagged under the policy as it stands."""
        return tuple(delta for delta in self.deltas if delta.flagged)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStep:
    """One record of a trace, as text: bytes that are no UTF-8 are written as `\\xff`."""

    case: str
    step: int
    occurrence: int
    command: str
    fields: tuple[tuple[str, str], ...]
    """In the order in which they were observed."""
    words: str = ""
    """The step's words as a shell would be given them; `(no words)` for none; empty where the corpus of the trace is not at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Silenced:
    """One recorded change that an entry would allow."""

    case: str
    step: int
    command: str
    field: str
    old: bytes | None
    new: bytes | None
    flagged: bool
    """Whether it is flagged as the policy stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What an entry would do."""

    entry: str
    """The entry as one line of JSON; of one that cannot be read, as it was given."""
    silences: tuple[Silenced, ...]
    refused: str | None
    """Why nobody may accept it; None: it may be accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What was written into the policy."""

    file: Path
    written: tuple[str, ...]
    """The entries, one line of JSON each."""
    already: tuple[str, ...]
    """Entries that stood in the policy: not written again."""
    before: bytes | None
    """The file as it was; None: there was none."""
    after: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One experiment of the closed list. Of `case` and `property` exactly one is set."""

    kind: ExperimentKind
    case: str | None = None
    step: int | None = None
    """The step that is left out, from 1."""
    property: str | None = None
    value: str | None = None
    """The seed, the zone, the locale or the number of repeats."""
    about: int | None = None
    """The step whose differences are looked at, from 1; None: every step of the case that differs. Never with a property."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What became of one recorded difference of a case, or of one that the run did not record."""

    step: int
    """As the run numbered it."""
    occurrence: int
    field: str
    finding: Finding | Literal["new"]
    words: str
    """What was seen, without the values."""
    old: bytes | None = None
    """The whole canonical text: what the run recorded of a difference that is gone, else what was seen now. None: not observed."""
    new: bytes | None = None
    valued: bool = True
    """Whether `old` and `new` say anything: not of a check that wavers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBallot:
    """What a property said of one build under an experiment. It counts for nothing."""

    side: Literal["baseline", "candidate"]
    kind: Literal["pass", "fail", "freeze", "frozen", "void"]
    failures: tuple[RecordedFailure, ...]
    """Whole, without tracebacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Experimented:
    """What an experiment showed. The same inputs give the same text, where the programs do the same."""

    finding: Finding
    words: str
    """One sentence."""
    details: tuple[str, ...]
    """One line a change or a failure, escaped for a terminal."""
    seen: tuple[Seen, ...] = ()
    """Of a case: what the details say, as values."""
    ballots: tuple[SideBallot, ...] = ()
    """Of a property: the builds that were asked, the baseline first."""
