"""From what was compared and what the policy said to a scorecard and its exit code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version

from gate.diff.cure import Cure, cures
from gate.diff.findings import Canonical, Comparison, Unstable
from gate.diff.groups import Spot, spot
from gate.diff.noise import Noise
from gate.diff.rule_block import rule_block
from gate.diff.spread import new_values, spread
from gate.domain import CaseId
from gate.errors import NothingComparedError
from gate.exit_codes import ExitCode, combine
from gate.policy.match import JudgedDelta, Judgement
from gate.policy.model import Entry, Policy
from gate.policy.wording import entry_words, place_words
from gate.report.scorecard import (
    Counts,
    Digests,
    Mode,
    PolicyUse,
    Runs,
    Scorecard,
    ShownChange,
    ShownCure,
    ShownDelta,
    ShownDetail,
    ShownPatch,
    ShownUnstable,
    ShownValue,
    shown,
)
from gate.report.shown_groups import ShownGroup, shown_groups
from gate.report.shown_votes import ShownSuite, Votes
from gate.report.votes import vote_codes
from gate.report.votes_text import summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What a scorecard says beside what was found."""

    mode: Mode
    patch: ShownPatch | None = None
    canonical: int
    digests: Digests
    runs: Runs
    ignored_files: tuple[str, ...] = ()
    ignored_content: tuple[str, ...] = ()
    today: date | None = field(default=None)
    """The day that expiry was read against."""
    noise: Noise = field(default_factory=lambda: Noise.compile(()))
    """The noise rules of the run, for the cures of what abstains."""


def exit_code(
    comparison: Comparison, judgement: Judgement, *, votes: Votes | None = None, suite: ShownSuite | None = None
) -> ExitCode:
    """The verdict. Nothing compared raises NothingComparedError: silence is not agreement."""
    if comparison.checks == 0:
        raise NothingComparedError(
            "nothing was compared: neither side has a single check",
            next_step="Add cases to the corpus (gate corpus draw, gate corpus add), or name traces that hold records.",
        )
    codes = [ExitCode.CLEAN, *vote_codes(votes, suite)]
    if judgement.flagged:
        codes.append(ExitCode.STOP)
    if comparison.unstable:
        codes.append(ExitCode.ABSTAIN)
    return combine(codes)


def conclude(
    comparison: Comparison,
    judgement: Judgement,
    told: Circumstances,
    *,
    votes: Votes | None = None,
    suite: ShownSuite | None = None,
    follows: Mapping[Spot, int] | None = None,
) -> Scorecard:
    """The scorecard of one run. `judgement` must be about the deltas of `comparison`. Raises NothingComparedError.

    `follows`: for a step that only inherits an earlier difference of its case, that earlier step.
    """
    code = exit_code(comparison, judgement, votes=votes, suite=suite)
    changes = [change for row in judgement.rows for change in row.changes]
    allowed = sum(change.allowed_by is not None for change in changes)
    policy = judgement.policy
    causes = follows or {}
    groups = shown_groups(judgement, causes)
    in_group = _by_spot(groups)
    return Scorecard(
        gate=version("agent-patch-auditor"),
        canonical=told.canonical,
        mode=told.mode,
        patch=told.patch,
        digests=told.digests,
        runs=told.runs,
        counts=Counts(
            cases=comparison.cases,
            records=comparison.steps,
            checks=comparison.checks,
            verified=comparison.verified,
            flagged=len(changes) - allowed,
            allowed=allowed,
            unstable=len(comparison.unstable),
            deltas=len(judgement.rows),
            deltas_flagged=len(judgement.flagged),
            deltas_allowed=len(judgement.allowed),
        ),
        deltas=tuple(_shown_delta(row, in_group, causes) for row in judgement.rows),
        groups=groups,
        unstable=tuple(map(_shown_unstable, comparison.unstable, cures(comparison.unstable, told.noise))),
        policy=PolicyUse(
            entries=len(policy.entries),
            unused=_named(policy, judgement.unused),
            expired=_named(policy, judgement.expired),
            open=_named(policy, judgement.open_used),
            today=told.today.isoformat() if told.today and policy.expires else None,
        ),
        votes=votes,
        suite=suite,
        noise=dict(comparison.substitutions),
        ignored_files=told.ignored_files,
        ignored_content=told.ignored_content,
        exit_code=code.value,
        verdict=code.sentence,
        summary=summary(comparison.verified, comparison.checks, votes),
    )


def _named(policy: Policy, entries: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(f"{place_words(policy, entry)}: {entry_words(entry)}" for entry in entries)


def _by_spot(groups: Sequence[ShownGroup]) -> dict[Spot, str]:
    return {
        (CaseId(place.case), place.step, place.occurrence): held.id
        for held in groups
        for each in (held, *held.then)
        for place in each.spots
    }


def _shown_delta(row: JudgedDelta, groups: Mapping[Spot, str], follows: Mapping[Spot, int]) -> ShownDelta:
    delta = row.delta
    return ShownDelta(
        case=delta.case,
        step=delta.step,
        occurrence=delta.occurrence,
        command=delta.command,
        verdict="allowed" if row.allowed else "flagged",
        note="; ".join(note for note in (delta.note, row.note) if note),
        follows=follows.get(spot(delta)),
        group=groups[spot(delta)],
        changes=tuple(
            ShownChange(
                field=judged.change.field,
                kind=judged.change.kind,
                verdict="flagged" if judged.allowed_by is None else "allowed",
                old=shown(judged.change.old),
                new=shown(judged.change.new),
                reason=None if judged.allowed_by is None else judged.allowed_by.reason,
                masked_by=judged.change.masked_by,
                details=tuple(ShownDetail(path=d.path, old=d.old, new=d.new) for d in judged.change.details),
            )
            for judged in row.changes
        ),
    )


def _shown_unstable(check: Unstable, found: Cure) -> ShownUnstable:
    return ShownUnstable(
        case=check.case,
        step=check.step,
        occurrence=check.occurrence,
        command=check.command,
        field=check.field,
        side=check.side,
        baseline=_distinct(check.baseline),
        candidate=_distinct(check.candidate),
        baseline_runs=tuple(runs for _, runs in spread(check.baseline)),
        candidate_runs=tuple(runs for _, runs in spread(check.candidate)),
        new_values=bool(new_values(check)),
        cure=ShownCure(
            kind=found.kind, words=found.words, rules=tuple("\n".join(rule_block(rule)) for rule in found.rules)
        ),
    )


def _distinct(values: tuple[Canonical | None, ...]) -> tuple[ShownValue | None, ...]:
    return tuple(map(shown, dict.fromkeys(values)))
