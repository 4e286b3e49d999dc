"""Nothing that a sample is scored by reaches a drafter: every other field of a record is poisoned, and looked for in what is shown."""

import msgspec
import pytest
from evalsets import needs_evalsets, records
from made_up_pairs import FIRST, INTENT, copy
from small_tasks import PARAMETERS

from auditor.drafting.prompts import list_prompts, load_prompt
from auditor.drafting.redact import Redactor
from evals import cause_samples, pair_samples, policy_samples
from evals.cause_samples import BUMP, FLAKES, LOGDX
from evals.models import Desk, Prompts
from evals.policy_samples import CALLED, WITH, WITHOUT

CANARY = "zqxcanary"
SHOWN = {"command", "old_output", "new_output", "old_output_norm", "new_output_norm"}
STATED = {"title", "description", "commit_messages"}
RECORD = {
    "id": "p/1/swapped",
    "group": "p/1",
    "command": "python test.py",
    "label": "collateral",
    "label_raw": "intent swapped",
    "flags": ["noise:none"],
    "intent": {"title": "Fix rounding", "description": None, "commit_messages": "Fix rounding of totals", "by": "x"},
    "old_output": "1\n",
    "new_output": "2\n",
    "old_output_norm": "1",
    "new_output_norm": "2",
    "test_code": "print(total())",
    "provenance": {"label_by": "a person"},
}


def poisoned(value):
    """Every text in a value, replaced."""
    if isinstance(value, dict):
        return {key: poisoned(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [poisoned(inner) for inner in value]
    return CANARY


def hostile(record):
    """A record whose every field that is not shown says the canary."""
    kept = {key: value if key in SHOWN else poisoned(value) for key, value in record.items() if key != "intent"}
    stated = {key: value if key in STATED else CANARY for key, value in record["intent"].items()}
    return {**kept, "intent": stated, "label": "collateral", CANARY: CANARY}


def rendered(question, kind):
    """Every message of every request that a question would become, for each version of its prompt, as `evals run` sends them."""
    versions = [prompt for prompt in list_prompts() if prompt.id == kind]
    assert versions
    newest = {name: load_prompt(name) for name in ("policy", "hypotheses")}
    for prompt in versions:
        desk = Desk(prompts=Prompts(**{**newest, kind: prompt}), parameters=PARAMETERS, redactor=Redactor())
        for planned in desk.planned(question):
            assert planned.request.prompt == f"{kind}/v{prompt.version}"
            yield from (message["content"] for message in planned.request.messages)


def everything_shown(record, variant):
    """What a drafter gets, as bytes, and all messages that a model would get."""
    samples = policy_samples.samples_of((record,), "x")[0]
    question = next(one.question for one in samples if one.variant == variant)
    return "\n".join([msgspec.json.encode(question).decode(), *rendered(question, "policy")])


@pytest.mark.parametrize("variant", [WITH, WITHOUT, CALLED])
def test_a_question_holds_nothing_of_the_other_fields(variant):
    shown = everything_shown(hostile(RECORD), variant)
    assert CANARY not in shown
    assert "python test.py" in shown
    assert ("Fix rounding of totals" in shown) == (variant != WITHOUT)
    for word in ("swapped", "collateral", "p/1", "total()"):
        assert word not in msgspec.json.encode(policy_samples.question_of(RECORD, "x", variant)).decode()


@needs_evalsets
@pytest.mark.slow
@pytest.mark.parametrize("name", ["testora.jsonl", "testora_swap.jsonl", "testora_extra.jsonl"])
def test_no_record_shows_its_label(name):
    seen = 0
    for record in records(name):
        poison = hostile(record)
        if not policy_samples.samples_of((poison,), name)[0]:
            continue  # noise: nobody sees it
        for variant in (WITH, WITHOUT, CALLED):
            assert CANARY not in everything_shown(poison, variant), record["id"]
        seen += 1
    assert seen == {"testora.jsonl": 69, "testora_swap.jsonl": 92, "testora_extra.jsonl": 5}[name]


@pytest.mark.parametrize("variant", [WITH, WITHOUT])
def test_a_pair_is_shown_as_its_groups_and_its_intent_alone(variant):
    """Neither the name of the pair nor a label, nor what has no label that counts."""
    pair = copy(FIRST, pair=CANARY, source=CANARY)
    question = next(one.question for one in pair_samples.samples_of([pair])[0] if one.variant == variant)
    bare = msgspec.json.encode(question).decode()
    shown = "\n".join([bare, *rendered(question, "policy")])
    assert CANARY not in shown
    assert ("greet sorts the names" in shown) == (variant == WITH)
    assert "files:out.txt" in shown
    for word in ("intended", "collateral", "unclear", "label", "warning"):
        assert word not in bare.replace(INTENT, "")


def shown_of_a_log(record, how):
    poison = {**poisoned(record), how.log: record[how.log], "category": record["category"]}
    question = cause_samples.samples_of((poison,), how)[0][0].question
    return "\n".join([msgspec.json.encode(question).decode(), *rendered(question, "hypotheses")])


@pytest.mark.parametrize("how", [FLAKES, LOGDX, BUMP], ids=lambda how: how.file)
def test_a_log_is_shown_without_its_category(how):
    category = next(name for name, right in how.mechanisms.items() if right)
    record = {"id": "1", "project": "p", "category": category, how.log: "assert 1 == 2", "explanation": "because"}
    shown = shown_of_a_log(record, how)
    assert CANARY not in shown
    assert category not in shown
    assert "assert 1 == 2" in shown


@needs_evalsets
@pytest.mark.slow
@pytest.mark.parametrize("how", [FLAKES, LOGDX, BUMP], ids=lambda how: how.file)
def test_no_log_of_the_data_sets_shows_more_than_itself(how):
    seen = 0
    for record in records(how.file):
        if isinstance(record.get(how.log), str) and how.mechanisms[record["category"]]:
            assert CANARY not in shown_of_a_log(record, how), record["id"]
            seen += 1
    assert seen == {"flake_causes.jsonl": 25, "ci_failures_logdx.jsonl": 21, "ci_failures_bump.jsonl": 73}[how.file]
