"""The form of an answer, as a value: which schema, which keys, which choices."""

from __future__ import annotations

from typing import Literal

import msgspec

SchemaName = Literal["PolicySkeleton", "ThreeHypotheses", "ThreeSuspects", "PropertyWording", "PropertyRepair"]
"""The schemas that prompts name in their front matter. `ThreeSuspects` are hypotheses with a file or function each, `PropertyRepair` is a
wording with a note for the repair."""

WHOLE = "wording"
"""The key of the one item of an answer that is no object of items."""


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer has to look like."""

    schema: SchemaName
    keys: tuple[str, ...]
    """At least one, no two alike. Fixed keys, one an item: models keep to them where they do not keep to a list of ids."""
    experiments: tuple[str, ...] = ()
    """For hypotheses: the ids of the experiments on offer, at least one."""


def policy_shape(groups: tuple[str, ...]) -> Shape:
    """One classification for each group."""
    return _checked(Shape(schema="PolicySkeleton", keys=groups))


def hypotheses_shape(experiments: tuple[str, ...]) -> Shape:
    """Exactly three hypotheses, each with an experiment of the list."""
    if not experiments:
        raise ValueError("expected at least one experiment on offer, got none")
    return _checked(Shape(schema="ThreeHypotheses", keys=("h1", "h2", "h3"), experiments=experiments))


def wording_shape() -> Shape:
    """One wording, with a note for the repair."""
    return Shape(schema="PropertyRepair", keys=(WHOLE,))


def _checked(shape: Shape) -> Shape:
    if not shape.keys or len(set(shape.keys)) < len(shape.keys):
        raise ValueError(f"expected different keys, at least one, got {shape.keys}")
    return shape
