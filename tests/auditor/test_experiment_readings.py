"""What an outcome is read as. Whole sentences: a word more would claim more than was shown."""

from __future__ import annotations

from typing import get_args

import pytest

from auditor.drafting.readings import reading
from auditor.drafting.redact import Redactor
from auditor.drafting.showing import MOST, told
from gate import api
from gate.pipeline.left import Finding

VALUES = {"hash seed": "7", "time zone": "Asia/Tokyo", "locale": "C", "property seed": "7", "more repeats": "20"}


def asked(kind, **more):
    value = VALUES.get(kind)
    if kind == "without step":
        return api.Experiment(kind=kind, case="A", step=1, about=2)
    return api.Experiment(kind=kind, value=value, **({"case": "A", "about": 2} | more))


def of_property(kind):
    return asked(kind, case=None, about=None, property="cap")


def shown(finding, ballot=None, failures=(), seen=(), words="words"):
    ballots = () if ballot is None else (api.SideBallot(side="candidate", kind=ballot, failures=failures),)
    return api.Experimented(finding=finding, words=words, details=(), seen=seen, ballots=ballots)


@pytest.mark.parametrize(
    ("experiment", "finding", "sentence"),
    [
        (
            asked("without step"),
            "vanishes",
            "without step 1 both builds do the same at step 2 of case A: the difference depends on what step 1 leaves behind",
        ),
        (asked("without step"), "persists", "without step 1 it is still there: it does not need step 1"),
        (
            asked("without step"),
            "changes",
            "without step 1 the builds differ in another way at step 2 of case A: what step 1 leaves behind has a part in it",
        ),
        (
            asked("time zone"),
            "vanishes",
            "in the time zone Asia/Tokyo both builds do the same at step 2 of case A: the difference depends on the time zone",
        ),
        (
            asked("hash seed", about=None),
            "persists",
            "with hash seed 7 it stays as it is: the hash seed does not decide it, as far as one other tells",
        ),
        (
            asked("locale", about=None),
            "changes",
            "in the locale C the builds differ in another way in case A: the locale has a part in it",
        ),
        (
            asked("more repeats"),
            "wavers",
            "in 20 runs of each build the runs do not agree with each other: something other than the recorded inputs decides "
            "what is seen",
        ),
        (
            asked("more repeats"),
            "persists",
            "in 20 runs of each build it is always there, in the same way: it is as stable as that many can tell",
        ),
        (
            asked("baseline build"),
            "shown",
            "the baseline, too, does what the candidate did at step 2 of case A, at least in part: the patch is not the only cause",
        ),
        (
            asked("baseline build"),
            "not shown",
            "the baseline alone never does what the candidate did at step 2 of case A: it was seen with the patch only",
        ),
    ],
)
def test_the_outcome_of_a_case_is_read_as(experiment, finding, sentence):
    assert reading(experiment, shown(finding)) == sentence


@pytest.mark.parametrize(
    ("kind", "finding", "ballot", "sentence"),
    [
        (
            "property seed",
            "vanishes",
            "pass",
            "with Hypothesis seed 7 the property passes: the failure depends on which inputs are drawn",
        ),
        (
            "property seed",
            "persists",
            "fail",
            "with Hypothesis seed 7 it fails in the same way: it is not the luck of one seed",
        ),
        (
            "locale",
            "changes",
            "fail",
            "in the locale C the property still fails, in another way than in the run: nothing more follows",
        ),
        ("locale", "changes", "void", "in the locale C the property could not vote: nothing follows"),
        ("baseline build", "not shown", "pass", "the baseline passes: the failure was seen with the patch only"),
        ("baseline build", "not shown", "fail", "the baseline fails, too, but in another way"),
        ("baseline build", "not shown", "void", "the property could not vote on the baseline: nothing follows"),
        ("baseline build", "shown", "fail", "the baseline fails in the same way: the patch is not what makes it fail"),
    ],
)
def test_the_outcome_of_a_property_is_read_as(kind, finding, ballot, sentence):
    assert reading(of_property(kind), shown(finding, ballot)) == sentence


@pytest.mark.parametrize("kind", [kind for kind in get_args(api.ExperimentKind) if kind != "baseline build"])
@pytest.mark.parametrize("finding", [one for one in get_args(Finding) if one not in {"shown", "not shown"}])
def test_each_outcome_of_each_kind_has_a_sentence_of_its_own(kind, finding):
    experiment = of_property(kind) if kind == "property seed" else asked(kind)
    others = [one for one in get_args(Finding) if one not in {"shown", "not shown", finding}]
    mine = reading(experiment, shown(finding))
    assert mine not in [reading(experiment, shown(other)) for other in others]
    assert "None" not in mine


SECRET = "ghp_" + "Z9y8X7w6V5u4T3s2R1q0P9o8"


def difference(field, old, new, finding="persists"):
    return api.Seen(step=2, occurrence=1, field=field, finding=finding, words="the same difference", old=old, new=new)


def test_a_secret_is_taken_out_before_a_value_is_cut():
    padded = b"x" * 70 + b" " + SECRET.encode()
    lines = told(asked("one worker"), shown("persists", seen=(difference("stdout", padded, None),)), Redactor())
    assert lines.split("\n")[2] == (
        f'step 2, stdout: the same difference: "{"x" * 70} [REDACTED… (83 characters)" -> (not observed)'
    )


def test_a_value_whose_field_calls_it_a_secret_is_taken_out_wherever_it_stands():
    seen = (
        difference("password", b"hunter-two-and-a-half", b"b"),
        difference("stdout", b"is hunter-two-and-a-half", b"a"),
    )
    lines = told(asked("one worker"), shown("persists", seen=seen), Redactor())
    assert "hunter" not in lines
    assert lines.split("\n")[3] == 'step 2, stdout: the same difference: "is [REDACTED:1]" -> "a"'


def test_a_failure_is_one_bounded_line_without_its_secrets():
    failure = api.RecordedFailure(
        test="test_a", exception="E", message=f"one\n{SECRET}\n\x1b[2J" + "x" * 400, example=""
    )
    lines = told(of_property("locale"), shown("persists", "fail", failures=(failure,)), Redactor()).split("\n")
    assert lines[2].startswith("candidate: test_a: E: one [REDACTED:1] \\x1b[2Jxxx")
    assert lines[2].endswith("x… (432 characters)")
    assert len(lines) == 3


def test_what_is_told_is_bounded_and_says_what_was_left_out():
    seen = tuple(difference(f"f{number}", b"a", b"b") for number in range(MOST + 5))
    lines = told(asked("one worker"), shown("persists", seen=seen), Redactor()).split("\n")
    assert len(lines) == 2 + MOST + 1
    assert lines[-1] == "… and 5 more"
