from __future__ import annotations

import pytest

from auditor.drafting.model_drafts import NoDraftError
from auditor.drafting.model_policy import TOKENS_PER_GROUP, ask_policy, portions
from auditor.drafting.prompts import load_prompt
from auditor.drafting.redact import Redactor
from auditor.drafting.request import policy_request
from auditor.drafting.values import Change, Classified, Drafted, Group, Place, Rejected, Usage

REASON = "Nothing in the words names this change of the list."


def group(number: int, said: str = "") -> Group:
    change = Change(field="stdout", kind="value", old=f"a{number}{said}", new=f"b{number}{said}")
    return Group(id=f"d{number}", command="list", changes=(change,), places=(Place(case="A", step=number),))


def item(number: int) -> Classified:
    return Classified(
        group=f"d{number}", kind="collateral", quote="", old=f"a{number}", new=f"b{number}", reason=REASON
    )


def request(*groups: Group):
    return policy_request(load_prompt("policy"), intent="x", groups=groups, redactor=Redactor(), budget=20_000)


def drafted(*numbers: int, cost: float | None = 0.5) -> Drafted:
    usage = Usage(requests=1, prompt_tokens=10, answer_tokens=5, cost=cost)
    return Drafted(model="m", prompt="policy/v1", items=tuple(map(item, numbers)), usage=usage)


class Answers:
    """What is said to one request after the other."""

    def __init__(self, *said):
        self.said = list(said)

    def __call__(self, *_):
        said = self.said.pop(0)
        if isinstance(said, Exception):
            raise said
        return said


def test_as_many_groups_at_once_as_an_answer_has_room_for():
    groups = tuple(group(number) for number in range(1, 6))
    assert portions(groups, 2 * TOKENS_PER_GROUP) == (groups[:2], groups[2:4], groups[4:])
    assert portions(groups, 4000) == (groups,)
    assert portions(groups[:2], 1) == (groups[:1], groups[1:2])
    assert portions((), 4000) == ()


def test_answers_to_several_questions_are_one_draft():
    first, second = request(group(1), group(2)), request(group(3))
    asked = ask_policy((first, second), Answers(drafted(1), drafted(3)))
    assert asked.drafted == Drafted(
        model="m",
        prompt="policy/v1",
        items=(item(1), item(3)),
        missing=("d2",),
        usage=Usage(requests=2, prompt_tokens=20, answer_tokens=10, cost=1.0),
    )
    assert [one.id for one in asked.groups] == ["d1", "d2", "d3"]
    assert asked.redactors == {"d1": first.redactor, "d2": first.redactor, "d3": second.redactor}


def test_a_later_question_without_an_answer_keeps_what_was_drafted_and_asks_no_more():
    stopped = NoDraftError("no draft (over budget): not asked", next_step="Raise it.")
    answers = Answers(drafted(1), stopped, drafted(3))
    asked = ask_policy((request(group(1)), request(group(2)), request(group(3))), answers)
    assert asked.drafted.items == (item(1),)
    assert asked.drafted.rejected == (Rejected(key="d2", why="no draft (over budget): not asked"),)
    assert asked.drafted.missing == ("d2", "d3")
    assert len(answers.said) == 1


def test_a_first_question_without_an_answer_is_no_draft():
    with pytest.raises(NoDraftError):
        ask_policy((request(group(1)),), Answers(NoDraftError("no draft", next_step="x")))


def test_groups_that_a_question_had_no_room_for_are_missing():
    """Reported fault 138."""
    crowded = policy_request(
        load_prompt("policy"),
        intent="x",
        groups=[group(number, "z" * 400) for number in range(1, 40)],
        redactor=Redactor(),
        budget=4_000,
    )
    asked = ask_policy((crowded,), Answers(drafted(*(int(key[1:]) for key in crowded.keys))))
    assert crowded.unseen
    assert asked.drafted.missing == crowded.unseen
    assert asked.drafted.rejected == ()
