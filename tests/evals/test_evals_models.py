"""A model as its transcripts have it: requests, answers through the drafting layer's checks, and what is not there. Nothing is sent."""

from dataclasses import replace

import msgspec
import pytest
from small_tasks import CAUSES, COLLATERAL, INTENDED, LOGS, PARAMETERS, POLICIES, REASON, SAMPLES, THREE, desk, start

from auditor.drafting.values import Rejected, Usage
from auditor.errors import RequestError
from evals import transcripts
from evals.drafters import Said
from evals.errors import EvalsError
from evals.model_runs import planned, scored, wanted
from evals.models import Desk, answering, in_share
from evals.run import NOT_ASKED
from evals.transcripts import Start, Transcript, Transcripts
from evals.values import Asked

POLICY, LOG = SAMPLES[0].question, LOGS[0].question
USAGE = Usage(requests=1, prompt_tokens=100, answer_tokens=10, cost=0.5)


def transcript(request, *, repeat=1, outcome="answered", **fields):
    return Transcript(
        request=request, repeat=repeat, prompt="policy/v1", outcome=outcome, model="m-1", usage=USAGE, **fields
    )


def answered(question, items, **fields):
    """The drafter that has this one transcript."""
    asked = desk()
    (one,) = asked.planned(question)
    kept = transcript(one.request.digest, items=items, **fields)
    return answering(asked, {kept.key: kept}, name="m", repeat=kept.repeat)


def test_requests_are_those_of_auditor_draft():
    (policy,), (causes,) = desk().planned(POLICY), desk().planned(LOG)
    assert (policy.request.prompt, policy.request.keys) == ("policy/v1", ("d1",))
    assert (causes.request.prompt, causes.request.keys) == ("hypotheses/v2", ("h1", "h2", "h3"))
    assert "list sorts by default" in policy.request.messages[-1]["content"]


def test_many_groups_take_several_requests():
    group = POLICY.groups[0]
    many = msgspec.structs.replace(
        POLICY, groups=tuple(msgspec.structs.replace(group, id=f"d{n}") for n in range(1, 10))
    )
    assert [len(one.request.keys) for one in desk().planned(many)] == [4, 4, 1]


def test_a_budget_of_tokens_that_holds_no_question_is_told_before_anything_is_sent():
    small = Desk(
        prompts=desk().prompts,
        parameters=msgspec.structs.replace(PARAMETERS, question_tokens=1_000),
        redactor=desk().redactor,
    )
    with pytest.raises(RequestError, match="policy/v1: expected a budget of at least"):
        planned((POLICIES,), None, small)


def test_an_answer_is_what_the_checks_leave_of_it():
    assert answered(POLICY, {"d1": INTENDED}).policy(POLICY) == {
        "d1": Said(
            answer="intended",
            quote="list sorts by default",
            texts=("list sorts by default", "insertion", "sorted", REASON),
        )
    }
    made_up = {"d1": {**INTENDED, "quote": "everything may change"}}
    assert answered(POLICY, made_up).policy(POLICY)["d1"].answer == "collateral"
    not_there = {"d1": {**COLLATERAL, "old": "moon"}}
    assert answered(POLICY, not_there).policy(POLICY) == {"d1": Said(answer="missing")}


def test_hypotheses_are_what_the_checks_leave_of_them():
    assert [one.mechanism for one in answered(LOG, THREE).causes(LOG)] == ["logic", "environment", "oracle"]
    invented = {**THREE, "h1": {**THREE["h1"], "evidence": "segmentation fault"}}
    assert [one.mechanism for one in answered(LOG, invented).causes(LOG)] == ["environment", "oracle"]


@pytest.mark.parametrize("outcome", ["refused", "cut off", "empty", "invalid", "timed out", "server", "bad reply"])
def test_no_answer_is_a_missing_one(outcome):
    assert answered(POLICY, {}, outcome=outcome).policy(POLICY) == {"d1": Said(answer="missing")}
    assert answered(LOG, {}, outcome=outcome).causes(LOG) == ()


def test_an_outcome_that_is_none_is_refused():
    with pytest.raises(EvalsError, match="outcome 'fine': not known"):
        answered(POLICY, {}, outcome="fine").policy(POLICY)


def test_a_question_without_a_transcript_is_unasked():
    assert answering(desk(), {}, name="m", repeat=1).policy(POLICY) == {"d1": Said(answer="unasked")}
    assert [one.mechanism for one in answering(desk(), {}, name="m", repeat=1).causes(LOG)] == ["unasked"]


def told(*held, repeats=1):
    return Transcripts(start=start(repeats), held={one.key: one for one in held})


def digests(task=POLICIES):
    return list(planned((task,), None, desk()).plans[task.name])


def scored_runs(*held, tasks=(POLICIES,), repeats=1):
    own = desk()
    return scored(planned(tasks, None, own), None, own, told(*held, repeats=repeats), repeats=repeats)


def test_a_run_scores_what_was_asked_and_counts_the_rest():
    first, second, _ = digests()
    (done,) = scored_runs(
        transcript(first, items={"d1": INTENDED}, rejected=(Rejected(key="d7", why="nobody asked for this key"),)),
        transcript(second, outcome="refused"),
    )
    assert [(row.sample, row.label, row.answer) for row in done.rows] == [
        ("s1", "intended", "intended"),
        ("s2", "collateral", "missing"),
    ]
    assert done.head.prompts == desk().prompts.digests
    assert done.head.asked == {
        "policy-demo": Asked(
            repeats=1,
            outcomes={"answered": 1, "no transcript": 1, "refused": 1},
            refused=1,
            usage=Usage(requests=2, prompt_tokens=200, answer_tokens=20, cost=1.0),
        )
    }
    assert {name: [row.sample for row in rows] for name, rows in done.beside.items() if rows} == {
        name: ["s1", "s2"] for name in ("all-collateral", "all-intended", "random")
    }


def test_a_task_of_which_nothing_was_asked_is_skipped():
    (done,) = scored_runs(tasks=(POLICIES, CAUSES))
    assert done.rows == ()
    assert done.head.skipped == {"policy-demo": NOT_ASKED, "flake-causes": NOT_ASKED}


def test_repeats_are_runs_of_their_own_and_their_agreement_is_told():
    held = [
        transcript(digest, repeat=repeat, items={"d1": COLLATERAL if (number, repeat) != (0, 2) else INTENDED})
        for number, digest in enumerate(digests())
        for repeat in (1, 2)
    ]
    first, second = scored_runs(*held, repeats=2)
    assert [row.answer for row in first.rows] == ["collateral"] * 3
    assert [row.answer for row in second.rows] == ["intended", "collateral", "collateral"]
    asked = first.head.asked["policy-demo"]
    assert (asked.repeats, asked.outcomes, asked.usage.requests) == (2, {"answered": 6}, 6)
    assert asked.agreement["v"].alike.value == pytest.approx(2 / 3)
    assert asked.agreement["v"].kappa == pytest.approx(-0.2)
    assert second.head.asked["policy-demo"].outcomes == {"answered": 3}
    assert second.head.asked["policy-demo"].agreement == {}


def test_a_task_that_asks_nobody_is_run_once_and_plans_nothing():
    quiet = replace(POLICIES, asks=False)
    runs = scored_runs(tasks=(quiet,), repeats=2)
    assert [run.head.tasks for run in runs] == [(), ()]  # the drafter has nothing to say of these samples
    assert planned((quiet,), None, desk()).plans == {}


def test_what_is_answered_is_not_asked_again_and_what_passed_is():
    first, second, third = digests()
    known = told(transcript(first), transcript(second, outcome="rate limited"), transcript(first, repeat=2)).held
    to_ask = wanted(planned((POLICIES,), None, desk()), known, repeats=2, share=1)
    assert [(one.request.digest, repeat) for one, repeat in to_ask] == [
        (second, 1),
        (third, 1),
        (second, 2),
        (third, 2),
    ]


def test_one_request_of_two_tasks_is_asked_once():
    twin = replace(POLICIES, name="policy-testora")
    assert len(wanted(planned((POLICIES, twin), None, desk()), {}, repeats=1, share=1)) == 3


def test_a_larger_share_holds_a_smaller_one():
    of_all = [f"{(2 * number + 1) * 16**64 // 2000:064x}" for number in range(1000)]
    tenth, half = ({one for one in of_all if in_share(one, share)} for share in (0.1, 0.5))
    assert tenth < half
    assert (len(tenth), len(half)) == (100, 500)
    assert all(in_share(one, 1) for one in of_all)
    assert not any(in_share(one, 0) for one in of_all)


def test_transcripts_are_kept_whole_and_in_order(tmp_path):
    one, other = transcript("b" * 64, items={"d1": INTENDED}), transcript("a" * 64, outcome="refused", text="No.")
    transcripts.save(tmp_path, start(), {each.key: each for each in (one, other)})
    assert transcripts.read(tmp_path) == told(one, other)
    again = msgspec.structs.replace(other, outcome="answered")
    transcripts.append(tmp_path, again)
    assert transcripts.read(tmp_path) == told(one, again)
    lines = (tmp_path / "transcripts.jsonl").read_bytes().splitlines()
    assert [line[:80].count(b'"request":"aaa') for line in lines] == [0, 1, 0, 1]


def test_a_line_that_was_cut_short_does_not_count(tmp_path):
    transcripts.save(tmp_path, start(), {})
    with (tmp_path / "transcripts.jsonl").open("ab") as stream:
        stream.write(msgspec.json.encode(transcript("a" * 64))[:50])
    assert transcripts.read(tmp_path) == told()
    assert transcripts.read(tmp_path / "nowhere") is None


def test_two_runs_cannot_ask_into_one_folder(tmp_path):
    busy = pytest.raises(EvalsError, match="r: another run asks a model there")
    with transcripts.alone(tmp_path / "r"), busy, transcripts.alone(tmp_path / "r"):
        pass
    with transcripts.alone(tmp_path / "r"):
        assert [path.name for path in (tmp_path / "r").iterdir()] == [".lock"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b'{"kind":"transcripts"}\n', ":1: expected a transcript, got Object missing required field"),
        (b"\xff\n", ":1: expected a transcript, got "),
        (msgspec.json.encode(transcript("a")) + b"\n", ":1: expected one head of transcripts, of format 1"),
        (msgspec.json.encode(start()) * 2 + b"\n", ":1: expected a transcript, got "),
        ((msgspec.json.encode(start()) + b"\n") * 2, ":1: expected one head of transcripts, of format 1"),
    ],
)
def test_a_file_that_is_none_is_named_with_its_line(tmp_path, text, what):
    (tmp_path / "transcripts.jsonl").write_bytes(text)
    with pytest.raises(EvalsError) as caught:
        transcripts.read(tmp_path)
    assert what in caught.value.what


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"model": "n"}, "transcripts.jsonl: model: expected 'm', got 'n'"),
        ({"prompts": {}}, "transcripts.jsonl: prompts: expected {'hypotheses/v2': "),
        (
            {"parameters": msgspec.structs.replace(PARAMETERS, temperature=1)},
            "transcripts.jsonl: parameters: expected {'question_tokens': 200000, ",
        ),
    ],
)
def test_answers_to_other_questions_are_not_mixed(other, what):
    transcripts.check_same(start(2), start(1))
    with pytest.raises(EvalsError) as caught:
        transcripts.check_same(msgspec.structs.replace(start(), **other), start())
    assert caught.value.what.startswith(what)


def test_a_head_says_neither_address_nor_key():
    assert set(Start.__struct_fields__) == {"format", "model", "parameters", "prompts", "repeats"}
    assert set(Transcript.__struct_fields__) == {
        *("request", "repeat", "prompt", "outcome", "items", "rejected", "missing"),
        *("text", "model", "usage", "attempts"),
    }
