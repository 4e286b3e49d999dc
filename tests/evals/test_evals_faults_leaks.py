"""Nothing of a seeded fault reaches a drafter but what the gate recorded: not its name, its kind, what is right, or the change itself."""

import re

import msgspec
import pytest
from small_tasks import PARAMETERS

from auditor.drafting.prompts import list_prompts, load_prompt
from auditor.drafting.redact import Redactor
from evals.fault_samples import samples_of
from evals.faults.recorded import RECORDED, read_recorded
from evals.faults.table import FAULTS, fault_digest
from evals.models import Desk, Prompts

CANARY = "zqxcanary"
LINES = {one.fault: one for one in read_recorded(RECORDED)[0]}
TELLING = re.compile(r"seeded|\bfault|off[- ]by[- ]one|swallowed|mutant|mutated", re.IGNORECASE)


def rendered(question):
    """Every message of every request that a question would become, for each version of the prompt."""
    for prompt in (one for one in list_prompts() if one.id == "hypotheses"):
        desk = Desk(
            prompts=Prompts(policy=load_prompt("policy"), hypotheses=prompt), parameters=PARAMETERS, redactor=Redactor()
        )
        yield from (message["content"] for planned in desk.planned(question) for message in planned.request.messages)


def test_what_is_poisoned_is_not_shown():
    fault = msgspec.structs.replace(FAULTS["kv-01"], id=CANARY, new=CANARY, why=CANARY, file=CANARY, program=CANARY)
    clean = LINES["kv-01"]
    hostile = [msgspec.structs.replace(one, follows=CANARY) for one in clean.seen]
    line = msgspec.structs.replace(
        clean, fault=CANARY, digest=fault_digest(fault), python=CANARY, source=CANARY, seen=tuple(hostile)
    )
    (sample,) = samples_of([line], {CANARY: fault})
    shown = "\n".join([msgspec.json.encode(sample.cause.question).decode(), *rendered(sample.cause.question)])
    assert CANARY not in shown
    assert "c,b,a" in shown


@pytest.mark.parametrize("name", FAULTS)
def test_no_recorded_failure_tells_what_was_done_to_the_program(name):
    fault, cause = FAULTS[name], samples_of([LINES[name]], {name: FAULTS[name]})[0].cause
    question = cause.question
    material = msgspec.json.encode(question).decode()
    assert TELLING.search(material) is None
    shown = "\n".join([material, question.failure.log, *rendered(question)])
    for secret in (fault.id, fault.why, fault.new, cause.category):
        assert secret not in shown
    for one in LINES[name].seen:
        assert one.follows not in shown
