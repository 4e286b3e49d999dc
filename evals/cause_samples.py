"""Samples of hypotheses: logs of CI, and the mechanism that their labelled category stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from auditor.drafting.experiments import words_of
from auditor.drafting.values import Experiment, Failure
from evals.errors import EvalsError
from evals.folder import Record, text_of
from evals.values import CauseQuestion, CauseSample, Left

NO_MECHANISM = "its category stands for no mechanism"
NO_LOG = "the record holds no log"


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseSet:
    """One file of logs, and how it is read."""

    file: str
    log: str
    """The field of the log."""
    cluster: str
    """The field that tells samples apart that stand or fall together."""
    mechanisms: Mapping[str, tuple[str, ...]]
    """By category; none: the category says nothing that a mechanism could."""


FLAKES = CauseSet(
    file="flake_causes.jsonl",
    log="log",
    cluster="id",
    mechanisms={
        "network_timeout": ("environment",),
        "infra_flake": ("environment",),
        "resource_exhaustion": ("environment",),
        "race_condition": ("concurrency",),
        "test_order_dependency": ("state", "order"),
        "genuine_bug": ("logic",),
        "unknown": (),
    },
)

LOGDX = CauseSet(
    file="ci_failures_logdx.jsonl",
    log="log_tail_200",
    cluster="project",
    mechanisms={
        "compile_error": ("logic",),
        "type_error": ("logic",),
        "lint_error": ("logic",),
        "test_assertion": ("logic",),
        "snapshot_diff": ("logic", "oracle"),
        "dependency_install": ("environment",),
        "docker_build": ("environment",),
        "permission_or_secret": ("environment",),
        "network_or_flaky": ("environment",),
        "timeout_or_oom": ("environment", "concurrency"),
    },
)

BUMP = CauseSet(
    file="ci_failures_bump.jsonl",
    log="log",
    cluster="project",
    mechanisms={
        "COMPILATION_FAILURE": ("logic",),
        "TEST_FAILURE": ("logic",),
        "WERROR_FAILURE": ("logic",),
        "ENFORCER_FAILURE": ("environment",),
        "DEPENDENCY_LOCK_FAILURE": ("environment",),
        "DEPENDENCY_RESOLUTION_FAILURE": ("environment",),
    },
)


def _offered() -> tuple[Experiment, ...]:
    """What the gate would offer for a property that failed: the same for every log, so that it tells nothing of one."""
    bare = (
        Experiment(id="x", kind="baseline build", property="log", words=""),
        Experiment(id="x", kind="property seed", property="log", value="7", words=""),
        Experiment(id="x", kind="more repeats", property="log", value="20", words=""),
        Experiment(id="x", kind="hash seed", property="log", value="7", words=""),
        Experiment(id="x", kind="time zone", property="log", value="Asia/Tokyo", words=""),
        Experiment(id="x", kind="locale", property="log", value="C", words=""),
    )
    return tuple(
        msgspec.structs.replace(one, id=f"x{number}", words=words_of(one)) for number, one in enumerate(bare, start=1)
    )


OFFERED = _offered()


def question_of(log: str) -> CauseQuestion:
    """What a drafter sees of a record: its log, and the experiments that every log gets."""
    return CauseQuestion(failure=Failure(subject="property log", log=log), experiments=OFFERED)


def samples_of(records: Sequence[Record], how: CauseSet) -> tuple[tuple[CauseSample, ...], tuple[Left, ...]]:
    """The samples of a set, and what cannot be scored. Raises EvalsError for a category that is not known."""
    found: list[CauseSample] = []
    unscored: dict[str, list[str]] = {}
    for record in records:
        category, log = text_of(record, "category", how.file), record.get(how.log)
        if category not in how.mechanisms:
            raise EvalsError(
                f"{how.file}: category {category[:40]!a}: no mechanism is given for it", next_step="Add it to evals."
            )
        right = how.mechanisms[category]
        if not right or not isinstance(log, str):
            unscored.setdefault(NO_LOG if right else NO_MECHANISM, []).append(record["id"])
            continue
        found.append(
            CauseSample(
                id=record["id"],
                cluster=text_of(record, how.cluster, how.file),
                question=question_of(log),
                category=category,
                right=right,
            )
        )
    return tuple(found), tuple(Left(why=why, samples=tuple(ids)) for why, ids in unscored.items())
