"""The tasks by name: what each measures, what it reads, how it is answered and scored."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec

from evals import (
    cause_samples,
    cause_scores,
    fault_samples,
    fault_scores,
    injection,
    pair_samples,
    policy_samples,
    policy_scores,
    robustness,
)
from evals.cause_samples import BUMP, FLAKES, LOGDX, CauseSet
from evals.drafters import Drafter
from evals.faults.recorded import NAME, RECORDED, read_recorded
from evals.faults.table import table_digest
from evals.folder import read
from evals.pairs import recorded as recorded_pairs
from evals.values import CauseSample, Figure, Left, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The samples of a task, ready for any drafter."""

    answer: Callable[[Drafter], tuple[Row, ...]]
    """Empty for a drafter that does not answer such questions."""
    data: Mapping[str, str]
    """SHA-256 by name of what was read."""
    left: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One thing that is measured."""

    name: str
    about: str
    files: tuple[str, ...]
    """The data sets that it needs; none: it can run anywhere."""
    load: Callable[[Path | None], Loaded]
    """From the folder of the data sets, which is given where `files` are. Raises EvalsError."""
    figures: Callable[[Sequence[Row]], dict[str, Figure]]
    """Of the rows of one variant."""
    notes: tuple[str, ...]
    """What has to be known to read the figures."""
    asks: bool = True
    """Whether the drafter is asked at all; else what is measured stands round it, and is the same for each."""
    lacks: Callable[[], str] = lambda: ""
    """Why it cannot be run here, whatever the data; empty where it can."""
    skill: bool = True
    """Whether the right answers take any: output that is passed over takes none."""


def _policy(name: str, file: str, folder: Path | None) -> Loaded:
    records, digest = read(_given(folder), file)
    samples, left = policy_samples.samples_of(records, file)
    return Loaded(answer=partial(policy_scores.rows_of, name, samples), data={file: digest}, left=left)


def _demo(_folder: Path | None) -> Loaded:
    samples = policy_samples.demo_samples()
    digest = sha256(msgspec.json.encode([(one.question, sorted(one.labels.items())) for one in samples])).hexdigest()
    return Loaded(answer=partial(policy_scores.rows_of, "policy-demo", samples), data={"demo": digest})


def _pairs(_folder: Path | None) -> Loaded:
    pairs, digest = recorded_pairs.read(recorded_pairs.place_of(os.environ))
    samples, left = pair_samples.samples_of(pairs)
    answer = partial(policy_scores.rows_of, "policy-pairs", samples)
    return Loaded(answer=answer, data={recorded_pairs.NAME: digest}, left=left)


def _causes(name: str, sets: Sequence[CauseSet], folder: Path | None) -> Loaded:
    samples: list[CauseSample] = []
    left: list[Left] = []
    data: dict[str, str] = {}
    for one in sets:
        records, data[one.file] = read(_given(folder), one.file)
        found, without = cause_samples.samples_of(records, one)
        samples += found
        left += without
    return Loaded(answer=partial(cause_scores.rows_of, name, tuple(samples)), data=data, left=tuple(left))


def _hypotheses(_folder: Path | None) -> Loaded:
    recorded, digest = read_recorded(RECORDED)
    samples = fault_samples.samples_of(recorded)
    answer = partial(fault_scores.rows_of, "hypotheses", samples)
    return Loaded(answer=answer, data={NAME: digest, "faults": table_digest()})


def _injection(_folder: Path | None) -> Loaded:
    digest = sha256(injection.digest_input()).hexdigest()
    return Loaded(answer=partial(injection.rows_of, "injection"), data={"attacks": digest})


def _robustness(_folder: Path | None) -> Loaded:
    digest = sha256(robustness.digest_input()).hexdigest()
    return Loaded(answer=partial(robustness.rows_of, "robustness"), data={"scripts": digest})


def _given(folder: Path | None) -> Path:
    if folder is None:
        raise ValueError("expected the folder of the data sets")
    return folder


_COARSE = (
    "A category of the data set stands for one mechanism or two, as docs/evals.md lists. Many categories share `environment`, so "
    "`always-environment` is the baseline to look at first. The published figures of the data sets count categories, not mechanisms."
)
_CONFOUNDED = (
    "Labels go with pull requests: a title nearly gives its label away. Read the figures beside those without the intent, those with each "
    "pull request counted once, and policy-testora-swap.",
    "A drafter sees the command, both outputs and the text of the pull request. It does not see the test's own code: the gate's groups "
    "carry none. Every command is `python test.py`, which no pull request speaks of; a drafter that asks for the command's name finds "
    "nothing. The last variant puts the function that the test calls in its place.",
)

TASKS: Mapping[str, Task] = {
    task.name: task
    for task in (
        Task(
            name="policy-demo",
            about="the six changes of the demo's patch against its stated intent",
            files=(),
            load=_demo,
            figures=policy_scores.figures,
            notes=(
                "The offline drafter was written with this demo at hand: it shows that all is wired, not how good it is.",
            ),
        ),
        Task(
            name="policy-pairs",
            about="what differs between two released versions of real programs",
            files=(),
            load=_pairs,
            figures=policy_scores.figures,
            notes=(
                "The intent is a sentence or two of what a release says it does. A drafter sees all groups of a pair at once, but for "
                "those that have no single label. A cluster is a pair: its groups stand or fall with one intent.",
            ),
            lacks=lambda: recorded_pairs.lacks(os.environ),
        ),
        Task(
            name="policy-testora",
            about="changes of real pull requests, labelled by hand",
            files=("testora.jsonl",),
            load=partial(_policy, "policy-testora", "testora.jsonl"),
            figures=policy_scores.figures,
            notes=_CONFOUNDED,
        ),
        Task(
            name="policy-testora-swap",
            about="the same changes, half of them under the text of an unrelated pull request",
            files=("testora_swap.jsonl",),
            load=partial(_policy, "policy-testora-swap", "testora_swap.jsonl"),
            figures=policy_scores.figures,
            notes=(
                "Half of the records are collateral by construction. Neither text nor output alone tells anything.",
            ),
        ),
        Task(
            name="flake-causes",
            about="logs of flaky runs: which mechanism",
            files=(FLAKES.file,),
            load=partial(_causes, "flake-causes", (FLAKES,)),
            figures=cause_scores.figures,
            notes=(_COARSE, "The logs are made up, in the shape of real ones."),
        ),
        Task(
            name="ci-failures",
            about="logs of failed builds: which mechanism",
            files=(LOGDX.file, BUMP.file),
            load=partial(_causes, "ci-failures", (LOGDX, BUMP)),
            figures=cause_scores.figures,
            notes=(_COARSE, "Of long logs the last 200 lines are shown."),
        ),
        Task(
            name="hypotheses",
            about="programs with a seeded fault: which mechanism, and does the experiment tell it",
            files=(),
            load=_hypotheses,
            figures=fault_scores.figures,
            notes=(
                "Programs were changed on purpose, so that what is right is known; docs/evals.md says by which rule. Most faults are "
                "`logic`: `always-code` is the baseline to look at first.",
                "Experiments were run when the faults were recorded. One discriminates where its outcome speaks for its hypothesis if "
                "that is right, and against it if not. Three hypotheses of a fault go together: intervals of these are too narrow.",
            ),
        ),
        Task(
            name="injection",
            about="output that speaks to its reader, in traces and in logs",
            files=(),
            load=_injection,
            figures=injection.figures,
            notes=("Each hostile text is held against a harmless one of the same kind in the same place.",),
            skill=False,
        ),
        Task(
            name="robustness",
            about="an endpoint that refuses, cuts off, lies about its form, fails or is silent",
            files=(),
            load=_robustness,
            figures=robustness.figures,
            notes=(
                "No drafter is asked: a server on this machine says what a script tells it to, to the code that `auditor draft` runs. "
                "The figures are of that code, and the same whoever drafts.",
            ),
            asks=False,
            lacks=robustness.lacks,
            skill=False,
        ),
    )
}
