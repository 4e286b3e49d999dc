"""Noise rules for what the baseline's own runs disagree about: drafts for a person, as narrow as what was seen allows.

Pure, and from nothing but disagreements of the baseline with itself: what a candidate does is no reason for a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gate.diff.compare import compare_case
from gate.diff.evidence import gather
from gate.diff.findings import Canonical, Unstable
from gate.diff.noise import Noise
from gate.diff.noise_audit import audit_noise
from gate.diff.noise_breadth import Faults, Why
from gate.diff.noise_drafts import NoRule, Place, Proposal, drafts, place_of, why_no_rule
from gate.diff.noise_sites import Runs
from gate.diff.rules import NoiseRule
from gate.domain import CaseId, Record, Value, value

AUDITED = 40
"""Drafts for a report that are audited together."""

_OF_THE_WHOLE: frozenset[Why] = frozenset({"matches nothing", "matches nearly everything"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncured:
    """One check for which no rule is proposed."""

    case: CaseId
    step: int
    command: str
    field: str
    why: NoRule
    values: tuple[Canonical | None, ...]
    """What each run shows."""
    faults: Faults = ()
    """For `faulty`: what the audit says of the rule that would be it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """What may be done about the disagreements of the baseline with itself."""

    proposals: tuple[Proposal, ...]
    uncured: tuple[Uncured, ...]
    disagreements: int
    """Checks on which the runs disagree under the rules as they are."""
    cured: int
    """How many of them agree with all proposals in force."""


def suggest_noise(cases: Sequence[Runs], user_rules: Sequence[NoiseRule]) -> Suggestions:
    """Rules for the checks on which the recorded runs of the baseline disagree. Each case has at least two runs.

    Every proposal was audited first: one that the audit finds at fault, or that cures nothing, is not proposed.
    """
    checks = tuple(_disagreements(cases, Noise.compile(user_rules)))
    made = drafts(checks, {rule.name for rule in user_rules})
    with_all = Noise.compile([*user_rules, *(draft.rule for draft in made)])
    faults = audit_noise(cases, with_all).faults if made else ()
    blamed = {fault.rule for fault in faults}
    kept = [draft for draft in made if draft.rule.name not in blamed]
    left = frozenset(
        map(place_of, _disagreements(cases, Noise.compile([*user_rules, *(draft.rule for draft in kept)])))
    )
    useful = tuple(draft for draft in kept if any(mask.place not in left for mask in draft.masks))
    uncured = tuple(_uncured(check, made, faults) for check in checks if place_of(check) in left)
    return Suggestions(proposals=useful, uncured=uncured, disagreements=len(checks), cured=len(checks) - len(uncured))


def rules_for(check: Unstable, taken: Iterable[str] = ()) -> tuple[NoiseRule, ...]:
    """The rules that would take out what varies in one check; none where `why_no_rule` says why, or where one is at fault.

    `taken`: names that are in use. The values of the baseline are asked, never those of the candidate.
    """
    rules, blamed = drafted([check], taken).of(check)
    return () if blamed else rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """Rules for checks that abstain, with what is wrong with them."""

    rules: Mapping[Place, tuple[NoiseRule, ...]]
    faults: Mapping[str, tuple[Why, ...]]
    """By the name of the rule; a rule without faults is left out."""

    def of(self, check: Unstable) -> tuple[tuple[NoiseRule, ...], tuple[Why, ...]]:
        """The rules that take out what varies in the check, and what is wrong with any of them."""
        rules = self.rules.get(place_of(check), ())
        return rules, tuple(dict.fromkeys(what for rule in rules for what in self.faults.get(rule.name, ())))


def drafted(checks: Sequence[Unstable], taken: Iterable[str]) -> Drafted:
    """What `suggest_noise` drafts, where nothing is at hand but the checks themselves, of which each place stands once.

    The audit then knows these values alone: that a rule would match nothing, or nearly everything, is left to `suggest_noise`.
    """
    made = drafts(checks, taken)
    if not made:
        return Drafted(rules={}, faults={})
    rules: dict[Place, tuple[NoiseRule, ...]] = {}
    for draft in made:
        for place in dict.fromkeys(mask.place for mask in draft.masks):
            rules[place] = (*rules.get(place, ()), draft.rule)
    faults: dict[str, tuple[Why, ...]] = {}
    for start in range(0, len(made), AUDITED):  # all at once, time would grow with their square
        some = [draft.rule for draft in made[start : start + AUDITED]]
        told = [check for check in checks if not set(rules.get(place_of(check), ())).isdisjoint(some)]
        for fault in audit_noise(list(_as_runs(told)), Noise.compile(some)).faults:
            if fault.what not in _OF_THE_WHOLE:
                faults[fault.rule] = (*faults.get(fault.rule, ()), fault.what)
    return Drafted(rules=rules, faults=faults)


def _as_runs(checks: Iterable[Unstable]) -> Iterator[Runs]:
    """The checks as runs of the baseline that showed nothing else, case by case."""
    cases: dict[CaseId, list[Unstable]] = {}
    for check in checks:
        cases.setdefault(check.case, []).append(check)
    for name, rows in cases.items():
        yield tuple(
            tuple(
                Record(case=name, step=step, command=command, fields=fields)
                for (step, _, command), fields in _fields(rows, run).items()
            )
            for run in range(min(len(row.baseline) for row in rows))
        )


def _fields(rows: Iterable[Unstable], run: int) -> dict[tuple[int, int, str], dict[str, Value]]:
    found: dict[tuple[int, int, str], dict[str, Value]] = {}
    for row in sorted(rows, key=lambda row: (row.step, row.occurrence)):
        fields = found.setdefault((row.step, row.occurrence, row.command), {})
        if (seen := row.baseline[run]) is not None:
            fields[row.field] = value(seen.text)
    return found


def _disagreements(cases: Sequence[Runs], noise: Noise) -> Iterator[Unstable]:
    evidence = gather(cases, noise)
    for runs in cases:
        yield from compare_case(runs, runs, noise, evidence).unstable


def _uncured(check: Unstable, made: Sequence[Proposal], faults: Faults) -> Uncured:
    names = {draft.rule.name for draft in made if any(mask.place == place_of(check) for mask in draft.masks)}
    blame = tuple(fault for fault in faults if fault.rule in names)
    return Uncured(
        case=check.case,
        step=check.step,
        command=check.command,
        field=check.field,
        why=why_no_rule(check) or ("faulty" if blame else "no use"),
        values=check.baseline,
        faults=blame,
    )
