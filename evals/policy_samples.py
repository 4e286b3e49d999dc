"""Samples of policy skeletons: records of the Testora sets, and the demo's own patch."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from auditor.demo.folder import SHIPPED, UNREVIEWED, set_up
from auditor.demo.verdict import judge_unreviewed
from auditor.drafting.material import groups
from auditor.drafting.values import Change, Group, Place
from evals.called import called
from evals.errors import EvalsError
from evals.folder import Record, text_of
from evals.noise import is_noise
from evals.values import Answer, Left, PolicyQuestion, PolicySample
from gate import api

WITH, WITHOUT = "with the intent", "without the intent"
CALLED = "with the intent, the called function as the command"
NOISE = "the two outputs differ in noise alone"

_INTENT = ("title", "description", "commit_messages")
_LABELS: Mapping[str, Answer] = {"intended": "intended", "collateral": "collateral"}


def samples_of(records: Sequence[Record], name: str) -> tuple[tuple[PolicySample, ...], tuple[Left, ...]]:
    """Each record once for each variant; those that are noise are left out first, whatever their label.

    Raises EvalsError for a record of another form.
    """
    noise = [record for record in records if is_noise(*outputs_of(record, name))]
    kept = [record for record in records if record not in noise]
    found = tuple(_sample(record, name, variant) for variant in (WITH, WITHOUT, CALLED) for record in kept)
    return found, (_left(noise),) if noise else ()


def _left(noise: Sequence[Record]) -> Left:
    collateral = sum(record.get("label") == "collateral" for record in noise)
    return Left(why=NOISE, samples=tuple(record["id"] for record in noise), collateral=collateral)


def question_of(record: Record, name: str, variant: str) -> PolicyQuestion:
    """What a drafter sees of a record: its command, both outputs and the text of its pull request. No id: it may say the label.

    With CALLED the command is the function that the test calls, or the command as it is where that cannot be told.
    """
    old, new = outputs_of(record, name)
    change = Change(field="stdout", kind="changed", old=old, new=new)
    place = Place(case="K", step=1)
    command = text_of(record, "command", name)
    if variant == CALLED:
        command = called(text_of(record, "test_code", name)) or command
    group = Group(id="d1", command=command, changes=(change,), places=(place,))
    return PolicyQuestion(groups=(group,), intent="" if variant == WITHOUT else intent_of(record, name))


def outputs_of(record: Record, name: str) -> tuple[str, str]:
    """The old and the new output: without paths and addresses where the data set gives that, else as they were."""
    normal = "old_output_norm" in record and "new_output_norm" in record
    old, new = ("old_output_norm", "new_output_norm") if normal else ("old_output", "new_output")
    return text_of(record, old, name), text_of(record, new, name)


def intent_of(record: Record, name: str) -> str:
    """Title, description and commit messages, an empty line between them; what is null is left out."""
    stated = record.get("intent")
    if not isinstance(stated, dict):
        raise EvalsError(f"{name}: field 'intent': expected an object", next_step="Fetch the data set again.")
    return "\n\n".join(text_of(stated, key, name) for key in _INTENT if stated.get(key))


def _sample(record: Record, name: str, variant: str) -> PolicySample:
    label = _LABELS.get(text_of(record, "label", name))
    if label is None:
        raise EvalsError(f"{name}: field 'label': expected intended or collateral", next_step="Fetch the set again.")
    return PolicySample(
        id=record["id"],
        cluster=text_of(record, "group", name),
        variant=variant,
        question=question_of(record, name, variant),
        labels={"d1": label},
    )


class _Allowed(msgspec.Struct, frozen=True):
    case: str
    step: int


class _Reviewed(msgspec.Struct, frozen=True):
    allowed: tuple[_Allowed, ...]


def demo_samples() -> tuple[PolicySample, ...]:
    """What the gate flags of the demo's patch before a review, held against the demo's reviewed policy.

    Runs the gate in a folder of its own. Raises GateError where the demo gives no verdict.
    """
    with tempfile.TemporaryDirectory(prefix="auditor-evals-") as folder:
        demo = set_up(Path(folder) / "demo")
        outcome = judge_unreviewed(demo)
        found = groups(api.recorded(demo / UNREVIEWED, outcome.folder))
    reviewed = msgspec.json.decode((SHIPPED / "gate" / "policy.json").read_bytes(), type=_Reviewed)
    allowed = {(entry.case, entry.step) for entry in reviewed.allowed}
    labels: dict[str, Answer] = {
        group.id: "intended" if all((at.case, at.step) in allowed for at in group.places) else "collateral"
        for group in found
    }
    stated = (SHIPPED / "INTENT.md").read_text(encoding="utf-8")
    questions = {WITH: PolicyQuestion(groups=found, intent=stated), WITHOUT: PolicyQuestion(groups=found, intent="")}
    return tuple(
        PolicySample(id="demo", cluster="demo", variant=variant, question=question, labels=labels)
        for variant, question in questions.items()
    )
