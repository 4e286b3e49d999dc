"""An audit of the noise rules: what each takes out of recorded runs of the baseline, and which changes there the gate would not see.

Pure: the recorded runs and the rules in, a value out. What is unseen is asked of the comparison that verdicts rest on, with the evidence
that the runs give; a rule by itself hides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate.diff.compare import compare_case
from gate.diff.evidence import Evidence, gather
from gate.diff.findings import Comparison
from gate.diff.noise import BUILTIN_NAMES, Noise
from gate.diff.noise_breadth import Faults, breadth_faults
from gate.diff.noise_mutations import MUTATIONS, Mutation, mutate
from gate.diff.noise_sites import Runs, Site, find_sites
from gate.domain import CaseId

MAX_PLACES = 8
"""Places at which the changes are tried for one rule: those with different text before them first."""

MAX_CASE = 1 << 17
"""Bytes of the runs of a case in which changes are tried; larger cases are counted alone."""

SHOWN = 3
"""Examples of a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """How often a rule matches in one field of one command."""

    command: str
    field: str
    spans: int
    licensed: int
    """How many of them stand where the baseline's own runs differ: only these are erased."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One span, with its line."""

    command: str
    field: str
    before: bytes
    raw: bytes
    after: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """A change that would end in 0 at some place."""

    mutation: Mutation
    case: CaseId
    step: int
    field: str
    old: bytes
    """The line as the baseline's first run has it."""
    new: bytes
    """The line with the change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedRule:
    """What one rule does."""

    name: str
    built_in: bool
    where: tuple[Where, ...]
    """By command and field; empty: it matches nothing."""
    examples: tuple[Example, ...]
    tried: int
    """Changes that were tried."""
    unseen: tuple[Unseen, ...]
    """The first of each kind that is not seen, in the order of `MUTATIONS`."""

    @property
    def spans(self) -> int:
        """Matches over all runs."""
        return sum(row.spans for row in self.where)

    @property
    def licensed(self) -> int:
        """Matches that are erased, over all runs."""
        return sum(row.licensed for row in self.where)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseAudit:
    """What the rules do to the runs of the baseline."""

    runs: int
    """Runs of the case that ran least often; with one alone nothing is known to vary, and no change is tried."""
    cases: int
    steps: int
    rules: tuple[AuditedRule, ...]
    """The built-in ones in their order, then the own ones by name."""
    faults: Faults
    """What is wrong with the own rules, and with any rule that hides a change that is not like noise."""

    @property
    def untried(self) -> tuple[str, ...]:
        """The rules that erase something, but only where no change can be tried: in too large cases, and in checks that abstain anyway."""
        return tuple(rule.name for rule in self.rules if rule.licensed and not rule.tried)

    @property
    def tried(self) -> bool:
        """Whether the runs tell what varies, and of every rule that erases something changes were tried."""
        return self.runs > 1 and not self.untried


def audit_noise(cases: Sequence[Runs], noise: Noise) -> NoiseAudit:
    """Audit every rule on the recorded runs of the baseline, one entry a case. Raises ValueError for a case without runs."""
    if any(not runs for runs in cases):
        raise ValueError("expected at least one run of each case")
    sites = [site for runs in cases for site in find_sites(runs, noise)]
    own = [matcher.name for matcher in noise.user]
    trial = _Trial(cases, noise)
    held = _by_rule([*BUILTIN_NAMES, *own], sites)
    rules = tuple(_audited(name, rows, trial) for name, rows in held.items())
    return NoiseAudit(
        runs=min((len(runs) for runs in cases), default=0),
        cases=len(cases),
        steps=sum(len(runs[0]) for runs in cases),
        rules=rules,
        faults=breadth_faults(
            noise, held, cases, {rule.name: [each.mutation for each in rule.unseen] for rule in rules}
        ),
    )


def _by_rule(names: Iterable[str], sites: Sequence[Site]) -> Mapping[str, list[Site]]:
    held: dict[str, list[Site]] = {name: [] for name in names}
    for site in sites:
        held[site.rule].append(site)
    return held


def _audited(name: str, sites: Sequence[Site], trial: _Trial) -> AuditedRule:
    tried, unseen = trial.unseen(sites)
    return AuditedRule(
        name=name,
        built_in=name in BUILTIN_NAMES,
        where=_where(sites),
        examples=tuple(
            Example(command=site.command, field=site.field, before=site.before, raw=site.raw, after=site.after)
            for site in _apart(sites)[:SHOWN]
        ),
        tried=tried,
        unseen=unseen,
    )


def _where(sites: Sequence[Site]) -> tuple[Where, ...]:
    counts: dict[tuple[str, str], list[int]] = {}
    for site in sites:
        row = counts.setdefault((site.command, site.field), [0, 0])
        row[0] += 1
        row[1] += site.licensed
    return tuple(
        Where(command=command, field=field, spans=spans, licensed=licensed)
        for (command, field), (spans, licensed) in sorted(counts.items())
    )


def _apart(sites: Sequence[Site]) -> list[Site]:
    """The sites in order, those at another command, field or with another word before them first."""
    known: set[tuple[str, str, bytes]] = set()
    first: list[Site] = []
    rest: list[Site] = []
    for site in sites:
        key = (site.command, site.field, site.before[-24:])
        (rest if key in known else first).append(site)
        known.add(key)
    return first + rest


class _Trial:
    """Changes, put to the comparison of a run."""

    def __init__(self, cases: Sequence[Runs], noise: Noise) -> None:
        self._cases = {runs[0][0].case: runs for runs in cases if runs[0]}
        self._noise = noise
        self._evidence: Evidence = gather(cases, noise)
        self._before: dict[CaseId, _Findings] = {}

    def unseen(self, sites: Sequence[Site]) -> tuple[int, tuple[Unseen, ...]]:
        """How many changes were tried at these places of one rule, and the first of each kind that is not seen."""
        tried = 0
        found: dict[Mutation, Unseen] = {}
        for site in _apart([site for site in sites if self._is_open(site)])[:MAX_PLACES]:
            for mutation in MUTATIONS:
                done = mutate(mutation, self._cases[site.case], site, self._noise)
                if done is None:
                    continue
                tried += 1
                if mutation not in found and self._findings(site.case, done.runs) == self._unchanged(site.case):
                    found[mutation] = Unseen(
                        mutation=mutation, case=site.case, step=site.step, field=site.field, old=done.old, new=done.new
                    )
        return tried, tuple(found[mutation] for mutation in MUTATIONS if mutation in found)

    def _is_open(self, site: Site) -> bool:
        """Whether something is erased there, in a check that votes: any change of what is not erased is a difference of literal bytes."""
        if not site.licensed or site.run > 0 or _size(self._cases[site.case]) > MAX_CASE:
            return False
        return not any((step, field) == (site.step, site.field) for _, step, _, field in self._unchanged(site.case))

    def _unchanged(self, case: CaseId) -> _Findings:
        if case not in self._before:
            self._before[case] = self._findings(case, self._cases[case])
        return self._before[case]

    def _findings(self, case: CaseId, candidate: Runs) -> _Findings:
        return _findings(compare_case(self._cases[case], candidate, self._noise, self._evidence))


_Findings = frozenset[tuple[str, int, int, str]]


def _findings(comparison: Comparison) -> _Findings:
    """Every check that differs or abstains."""
    deltas = [("delta", row.step, row.occurrence, each.field) for row in comparison.deltas for each in row.changes]
    return frozenset([*deltas, *(("unstable", row.step, row.occurrence, row.field) for row in comparison.unstable)])


def _size(runs: Runs) -> int:
    return sum(len(held.data) for run in runs for record in run for held in record.fields.values())
