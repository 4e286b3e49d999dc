"""The values of seeded faults: a program, what it is run on, and one change of its text that makes it fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import msgspec

from auditor.drafting.values import Mechanism

Kind = Literal[
    "ordering",
    "off-by-one cap",
    "swallowed error",
    "encoding",
    "time zone",
    "default changed",
    "exit code",
    "retry",
]

Files = Mapping[str, bytes]
"""By relative path with forward slashes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program of this environment, and a small project of the gate round it. Nothing of it is chosen for one fault alone."""

    name: str
    files: Callable[[], Files]
    """The whole program as it stands in this environment. Raises EvalsError where it is not there."""
    argv: tuple[str, ...]
    """As in gate.toml."""
    cases: Mapping[str, tuple[tuple[str, ...], ...]]
    """By id the steps, each as its words."""
    fixtures: Callable[[], Files]
    properties: Files
    """By name of the file; those that are no `test_….py` are there for the others."""
    env: Mapping[str, str]
    runner: Literal["exec", "trace"] = "exec"


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One seeded fault. No drafter sees anything of it but what the gate recorded of the failure."""

    id: str
    program: str
    file: str
    old: str
    """Stands exactly once in the file."""
    new: str
    kind: Kind
    right: tuple[Mechanism, ...]
    """The mechanisms of which any is right. `logic` only where no circumstance decides whether it fails."""
    subject: str
    """What fails: `property NAME` or `group dN`. The property's file stands in the project then, and no other."""
    why: str
    """What is wrong, for whoever reads the table."""


class Seen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one offered experiment showed."""

    experiment: str
    outcome: Literal["persists", "vanishes", "changes", "wavers", "shown", "not shown"]
    follows: str
    """The auditor's own reading of it, in one sentence."""
    voted: bool = True
    """False: the property could not vote under it, and nothing follows."""
