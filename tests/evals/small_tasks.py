"""A task of three policies and one of a log, small enough to be asked of a scripted endpoint, and what it may answer."""

import json
from functools import partial
from hashlib import sha256

import msgspec

from auditor.drafting.redact import Redactor
from auditor.drafting.values import Change, Group, Place
from auditor.service.settings_file import Price
from evals import cause_scores, policy_scores
from evals.cause_samples import FLAKES, samples_of
from evals.models import Desk, newest_prompts
from evals.tasks import Loaded, Task
from evals.transcripts import Parameters, Start
from evals.values import PolicyQuestion, PolicySample

INTENT = "list sorts by default\n"
PARAMETERS = Parameters(
    question_tokens=200_000, answer_tokens=500, structure="auto", limit="max_completion_tokens", temperature=0
)
PRICE = Price(prompt=1, answer=2)
REASON = "The words name the list and the order in which it comes now."
INTENDED = {"quote": "list sorts by default", "old": "insertion", "new": "sorted", "reason": REASON, "class": "intent"}
COLLATERAL = {**INTENDED, "quote": "", "class": "collateral"}


def said(item):
    """The text of an answer to a policy."""
    return json.dumps({"d1": item})


def sample(number, label, command):
    change = Change(field="order", kind="changed", old="insertion", new="sorted")
    group = Group(id="d1", command=command, changes=(change,), places=(Place(case="K", step=1),))
    question = PolicyQuestion(groups=(group,), intent=INTENT)
    return PolicySample(id=f"s{number}", cluster=f"c{number}", variant="v", question=question, labels={"d1": label})


SAMPLES = (sample(1, "intended", "list"), sample(2, "collateral", "get"), sample(3, "collateral", "set"))
LOG = "property retry_cap: failed 2 of 2\nAssertionError: expected 3 attempts, got 4\nassert 4 == 3\nHTTP 503 from registry\n"


def task(name, answer, figures):
    loaded = Loaded(answer=answer, data={name: sha256(name.encode()).hexdigest()})
    return Task(name=name, about="", files=(), load=lambda _: loaded, figures=figures, notes=())


POLICIES = task("policy-demo", partial(policy_scores.rows_of, "policy-demo", SAMPLES), policy_scores.figures)
LOGS, _ = samples_of([{"id": "1", "category": "genuine_bug", "log": LOG}], FLAKES)
CAUSES = task("flake-causes", partial(cause_scores.rows_of, "flake-causes", LOGS), cause_scores.figures)


def cause(mechanism, evidence, experiment):
    return {
        "evidence": evidence,
        "suspect": "",
        "mechanism": mechanism,
        "claim": "The bound is compared in a way that lets one attempt too many through.",
        "experiment": experiment,
        "if_true": "it passes there, each time",
        "if_false": "it fails there as it does here",
    }


THREE = {
    "h1": cause("logic", "expected 3 attempts, got 4", "x1"),
    "h2": cause("environment", "HTTP 503 from registry", "x2"),
    "h3": cause("oracle", "assert 4 == 3", "x3"),
}


def desk():
    return Desk(prompts=newest_prompts(), parameters=PARAMETERS, redactor=Redactor())


def start(repeats=1):
    prompts = newest_prompts().digests
    return Start(format=1, model="m", parameters=PARAMETERS, prompts=prompts, repeats=repeats)


def lines(path):
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
