"""A live model, which is a scripted endpoint on this machine: budget, resuming, repeats, and that nothing of the key is kept."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_tasks import CAUSES, COLLATERAL, INTENDED, POLICIES, PRICE, THREE, lines, said

pytest.importorskip("langchain_openai")
pytest.importorskip("tenacity")

from auditor.service.settings_file import Limits
from evals import results, transcripts
from evals.asking import seconds_told
from evals.budget import Purse, PurseLedger
from evals.chosen import Choice, carry_out
from evals.errors import EvalsError
from evals.model_command import Order
from evals.outputs import write_all
from evals.scripted import Says, completion, fault, serving

REPOSITORY = Path(__file__).parents[2]
KEY = "sk-test-0123456789abcdefghijKLMNOP"
TOML = """\
[model]
max_output_tokens = 500
[prices."m"]
prompt = 1
answer = 2
"""

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_hang")]


@pytest.fixture
def order(tmp_path, monkeypatch):
    """What a command in `tmp_path` would be told; `.said` is what it says."""
    (tmp_path / "auditor.toml").write_text(TOML)
    told = []

    def made(*tasks, address):
        environ = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": KEY}
        return Order(tasks=tasks or (POLICIES,), data=None, environ=environ, say=told.append, root=tmp_path)

    made.said = told
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return made


def quiet(_total):
    return lambda: None


def choice(folder, **other):
    return Choice(**{"model": "m", "into": folder, "budget": 1.0, **other})


def answers(run):
    return [(row.sample, row.answer) for row in run.rows]


def test_a_model_is_asked_scored_and_replayed_with_the_same_bytes(tmp_path, order):
    live, again = tmp_path / "live", tmp_path / "again"
    with serving(completion(said(INTENDED)), completion(said(COLLATERAL)), completion(None, refusal="No.")) as served:
        done = carry_out(choice(live), order(address=served.address), quiet)
        assert served.requests == 3
    assert answers(done.runs[0]) == [("s1", "intended"), ("s2", "collateral"), ("s3", "missing")]
    assert done.runs[0].head.asked["policy-demo"].outcomes == {"answered": 2, "refused": 1}
    assert done.runs[0].head.asked["policy-demo"].usage.cost == pytest.approx(3 * (10 + 2 * 5) / 1_000_000)
    replayed = carry_out(Choice(model="replay", transcripts=live), order(address="http://127.0.0.1:9/v1"), quiet)
    for run, folder in ((done, live), (replayed, again)):
        write_all(run, folder, lambda _: None)
    for name in (results.NAME, "report.md", "report.html"):
        assert (live / name).read_bytes() == (again / name).read_bytes()
    assert "| refused | 1 | 0.33 |" in (live / "report.md").read_text()
    assert len(seconds_told(live)) == 3
    assert not (again / transcripts.NAME).exists()


def for_one(order, served, *tasks):
    """A budget that the first request fits in, and no second beside what the first did cost: as a run without money tells it."""
    own = order(*tasks, address=served.address)
    ended = carry_out(choice(own.root / "none", budget=0), own, quiet).ended
    assert served.requests == 0
    return float(ended.what.rsplit(" ", 1)[1]) + 0.000002


def test_the_same_command_goes_on_where_the_budget_ended_it(tmp_path, order):
    with serving(completion(said(COLLATERAL))) as served:
        one = for_one(order, served)
        with pytest.raises(EvalsError, match="the budget is over: --budget is 0, 0 is left, and the next request"):
            write_all(
                carry_out(choice(tmp_path / "r", budget=0), order(address=served.address), quiet), tmp_path, print
            )
        some = carry_out(choice(tmp_path / "r", budget=one), order(address=served.address), quiet)
        assert (served.requests, answers(some.runs[0])) == (1, [("s1", "collateral")])
        assert some.runs[0].head.asked["policy-demo"].outcomes == {"answered": 1, "no transcript": 2}
        assert some.ended.next_step == "What was answered is kept; the same command goes on."
        whole = carry_out(choice(tmp_path / "r"), order(address=served.address), quiet)
        assert (served.requests, whole.ended) == (3, None)
        assert len(answers(whole.runs[0])) == 3
        carry_out(choice(tmp_path / "r"), order(address=served.address), quiet)
        assert served.requests == 3


def test_parallel_answers_give_the_same_transcripts_as_one_after_another(tmp_path, order):
    with serving(completion(said(COLLATERAL))) as served:
        for folder, parallel in (("one", 1), ("four", 4)):
            done = carry_out(
                choice(tmp_path / folder, parallel=parallel, repeats=3), order(address=served.address), quiet
            )
            assert [len(run.rows) for run in done.runs] == [3, 3, 3]
            assert done.runs[0].head.asked["policy-demo"].agreement["v"].alike.value == 1.0
        assert served.requests == 18
    one, four = (tmp_path / name / transcripts.NAME for name in ("one", "four"))
    assert one.read_bytes() == four.read_bytes()


def test_repeats_stand_in_folders_of_their_own(tmp_path, order):
    with serving(completion(said(COLLATERAL))) as served:
        done = carry_out(choice(tmp_path / "r", repeats=2), order(address=served.address), quiet)
    write_all(done, tmp_path / "r", lambda _: None)
    first, second = (results.read(tmp_path / "r" / name) for name in ("", "repeat-2"))
    assert first[1] == second[1]
    assert (first[0].asked["policy-demo"].repeats, second[0].asked["policy-demo"].repeats) == (2, 1)


def test_an_answer_is_repaired_once_as_for_auditor_draft(tmp_path, order):
    with serving(completion("{"), completion(json.dumps(THREE))) as served:
        done = carry_out(choice(tmp_path / "r"), order(CAUSES, address=served.address), quiet)
        assert served.requests == 2
    assert [row.answer for row in done.runs[0].rows] == ["logic"]
    (_, kept) = lines(tmp_path / "r" / transcripts.NAME)
    assert (kept["outcome"], kept["attempts"], kept["usage"]["requests"]) == ("answered", ["answered", "answered"], 2)


def test_an_answer_whose_repair_the_purse_forbids_is_none(tmp_path, order):
    with serving(completion("{")) as served:
        one = for_one(order, served, CAUSES)
        done = carry_out(choice(tmp_path / "r", budget=one), order(CAUSES, address=served.address), quiet)
        assert served.requests == 1
    assert done.ended.what.startswith("the budget is over")
    assert [line["kind"] for line in lines(tmp_path / "r" / transcripts.NAME)] == ["transcripts"]


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (fault(401), "no draft (unauthorised): "),
        (fault(404), "no draft (model not found): "),
        (fault(429, "insufficient_quota"), "no draft (quota): "),
    ],
)
def test_what_every_question_would_end_in_ends_the_run(tmp_path, order, reply, what):
    with serving(completion(said(COLLATERAL)), reply) as served:
        done = carry_out(choice(tmp_path / "r"), order(address=served.address), quiet)
        assert served.requests == 2
    assert done.ended.what.startswith(what)
    assert answers(done.runs[0]) == [("s1", "collateral")]
    assert [line["kind"] for line in lines(tmp_path / "r" / transcripts.NAME)] == ["transcripts", "transcript"]


def test_other_failures_are_outcomes_of_their_question(tmp_path, order):
    replies = (Says(body=b"<html>"), completion(said(COLLATERAL), finish="length"), completion(""))
    with serving(*replies) as served:
        done = carry_out(choice(tmp_path / "r"), order(address=served.address), quiet)
    assert done.ended is None
    assert done.runs[0].head.asked["policy-demo"].outcomes == {"bad reply": 1, "cut off": 1, "empty": 1}
    assert answers(done.runs[0]) == [(f"s{n}", "missing") for n in (1, 2, 3)]


def test_an_endpoint_that_repeats_the_key_gets_it_into_no_file(tmp_path, order):
    leaky = {**COLLATERAL, "reason": f"The key is {KEY} and stands here for all to read."}
    with serving(completion(said(leaky)), completion(f"no: {KEY}"), fault(500, KEY.replace("-", "_"))) as served:
        done = carry_out(choice(tmp_path / "r"), order(address=served.address), quiet)
    write_all(done, tmp_path / "r", lambda _: None)
    files = [path for path in (tmp_path / "r").rglob("*") if path.is_file()]
    assert len(files) >= 5
    for path in files:
        text = path.read_text()
        assert KEY not in text, path.name
        assert served.address not in text, path.name
    assert "[REDACTED" in (tmp_path / "r" / transcripts.NAME).read_text()


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"budget": None}, "model 'm': a live model is asked with a budget alone, got none"),
        ({"model": "n"}, "model 'n': no price is known, so a budget could not be kept"),
        ({"model": "offline"}, "--budget: offline asks nobody"),
        ({"model": "offline", "budget": None, "repeats": 2}, "--repeats: offline asks nobody"),
        ({"model": "random", "budget": None, "share": 0.5}, "--share: random asks nobody"),
        ({"model": "replay", "budget": None}, "--model replay: expected transcripts, got none"),
        ({"model": "replay", "transcripts": Path("nowhere")}, "--budget: replay asks nobody"),
        ({"transcripts": Path("nowhere")}, "--transcripts: only --model replay answers from them"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anything_is_sent(tmp_path, order, other, what):
    with serving(completion(said(COLLATERAL))) as served:
        with pytest.raises(EvalsError) as caught:
            carry_out(choice(tmp_path / "r", **other), order(address=served.address), quiet)
        assert served.requests == 0
    assert caught.value.what == what
    assert not (tmp_path / "r").exists()


def test_transcripts_of_another_model_are_not_added_to(tmp_path, order):
    (tmp_path / "auditor.toml").write_text(TOML + '[prices."n"]\nprompt = 1\nanswer = 2\n')
    with serving(completion(said(COLLATERAL))) as served:
        carry_out(choice(tmp_path / "r"), order(address=served.address), quiet)
        with pytest.raises(EvalsError, match=r"transcripts\.jsonl: model: expected 'n', got 'm'"):
            carry_out(choice(tmp_path / "r", model="n"), order(address=served.address), quiet)


def test_parallel_requests_cannot_overdraw_the_purse_together(tmp_path):
    """Each request is answered for less than it might cost; while it is under way the most it might cost is set aside."""
    purse = Purse(limit=1.0)
    assert purse.set_aside(0.6) is None
    assert purse.set_aside(0.6) == "--budget is 1, 0.4 is left, and the next request may cost 0.6"
    purse.settle(0.6, 0.1)
    assert purse.set_aside(0.6) is None
    assert (purse.spent, purse.aside) == (0.1, 0.6)


def test_what_was_set_aside_for_a_request_that_came_to_nothing_is_given_back():
    purse = Purse(limit=1.0)
    ledger = PurseLedger(limits=Limits(), price=PRICE, own=PRICE, purse=purse)
    assert ledger.refusal(100_000, 10_000) is None
    assert purse.aside == pytest.approx(0.12)
    assert ledger.refusal(100_000, 20_000) is None
    assert purse.aside == pytest.approx(0.14)
    ledger.charge(10, 10)
    assert (purse.aside, purse.spent) == (0, pytest.approx(0.00003))
    assert ledger.refusal(100_000, 99_000) is None
    ledger.settle()
    assert purse.aside == 0
    assert "budget.tokens" in ledger.refusal(150_000, 100_000)
    assert ledger.cut == ""


def evals(*words, cwd, **environ):
    return subprocess.run(
        [sys.executable, "-m", "evals", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **environ},
    )


def test_the_command_refuses_a_model_without_a_budget_and_ends_in_1_where_it_is_over(tmp_path):
    (tmp_path / "auditor.toml").write_text(TOML)
    refused = evals("run", "injection", "--model", "m", cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        "error: model 'm': a live model is asked with a budget alone, got none\n"
        "Say what the run may cost, in the currency of the prices in auditor.toml: --budget 0.50\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["auditor.toml"]
    item = {
        "quote": "",
        "old": "none",
        "new": "stale",
        "reason": "Nothing in the words names this very change of it.",
        "class": "collateral",
    }
    with serving(completion(json.dumps({f"d{n}": item for n in range(1, 6)}))) as served:
        address = {"OPENAI_BASE_URL": served.address, "OPENAI_API_KEY": KEY}
        done = evals("run", "injection", "--model", "m", "--budget", "0.0058", "--into", "r", cwd=tmp_path, **address)
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == 5
    assert "not everything was asked: the budget is over: --budget is 0.0058, " in done.stderr
    assert "## injection" in done.stdout
    replayed = evals("run", "injection", "--model", "replay", "--transcripts", "r", "--into", "s", cwd=tmp_path)
    assert (replayed.returncode, replayed.stdout) == (0, done.stdout)
    assert (tmp_path / "r" / "results.jsonl").read_bytes() == (tmp_path / "s" / "results.jsonl").read_bytes()
