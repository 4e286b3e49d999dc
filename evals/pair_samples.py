"""Samples of policy skeletons from pairs of released versions: one question a pair, with all groups that can be scored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from auditor.drafting.values import Group
from evals.errors import EvalsError
from evals.pairs.recorded import Place, RecordedPair
from evals.policy_samples import WITH, WITHOUT
from evals.values import Answer, Left, PolicyQuestion, PolicySample

UNKNOWN = "no label is known of it"
PARTLY = "of some of its changes no label is known"
UNCLEAR = "a label of it is unclear"
MIXED = "some of it is labelled intended and some collateral"


def samples_of(pairs: Sequence[RecordedPair]) -> tuple[tuple[PolicySample, ...], tuple[Left, ...]]:
    """Each pair with a group that has one label once for each variant, and the groups that were left out, by reason.

    Raises EvalsError where nothing has a label.
    """
    left: dict[str, list[str]] = {}
    found: dict[str, dict[str, Answer]] = {}
    for pair in pairs:
        for group in pair.groups:
            label, why = label_of(group, pair.labels)
            if label is None:
                left.setdefault(why, []).append(f"{pair.pair} {group.id}")
            else:
                found.setdefault(pair.pair, {})[group.id] = label
    if not found:
        raise EvalsError("pairs: expected groups with a label, got none", next_step="Record other pairs.")
    samples = tuple(
        _sample(pair, found[pair.pair], variant) for variant in (WITH, WITHOUT) for pair in pairs if pair.pair in found
    )
    return samples, tuple(Left(why=why, samples=tuple(ids)) for why, ids in left.items())


def label_of(group: Group, labels: Mapping[Place, Collection[str]]) -> tuple[Answer | None, str]:
    """The one label of all changes of a group at all its places; or none, and why. A place of two labels has none."""
    told = {
        label
        for place in group.places
        for change in group.changes
        for label in labels.get((place.case, place.step, _channel(change.field)), (None,))
    }
    if told == {"intended"}:
        return "intended", ""
    if told == {"collateral"}:
        return "collateral", ""
    if None in told:
        return None, UNKNOWN if told == {None} else PARTLY
    return None, UNCLEAR if "unclear" in told else MIXED


def _channel(field: str) -> str:
    return "files" if field.startswith("files:") else field


def _sample(pair: RecordedPair, labels: Mapping[str, Answer], variant: str) -> PolicySample:
    shown = tuple(group for group in pair.groups if group.id in labels)
    return PolicySample(
        id=pair.pair,
        cluster=pair.pair,
        together=True,
        variant=variant,
        question=PolicyQuestion(groups=shown, intent="" if variant == WITHOUT else pair.intent),
        labels=dict(labels),
        beside=tuple(group for group in pair.groups if group.id not in labels),
    )
