"""Every way in which a question to a model ends, over a real socket."""

import email.utils
import json
import re
import socket
import time

import pytest
from stub_server import Says, completion, fault, serving

pytest.importorskip("langchain_openai")
pytest.importorskip("tenacity")

from auditor.service.cache import Cache
from auditor.service.client import Client
from auditor.service.outcomes import _TOLD, Answer, NoAnswer
from auditor.service.settings import Endpoint, Settings
from auditor.service.settings_file import Limits, Price
from auditor.service.shape import hypotheses_shape, policy_shape, wording_shape

pytestmark = pytest.mark.usefixtures("no_hang")

KEY = "sk-test-0123456789abcdefghijKLMNOP"
ASKED = (
    {"role": "system", "content": "Sort the changes."},
    {"role": "user", "content": "An example?"},
    {"role": "assistant", "content": "{}"},
    {"role": "user", "content": "Which are meant?"},
)
D1 = {"quote": "sorts", "old": "b", "new": "a", "reason": "The intent says that the list is sorted.", "class": "intent"}
D2 = {
    "quote": "",
    "old": "1",
    "new": "0",
    "reason": "Nothing in the intent names the exit status.",
    "class": "collateral",
}
BOTH = json.dumps({"d1": D1, "d2": D2})
SHAPE = policy_shape(("d1", "d2"))


class Slept:
    """A sleep that takes no time and remembers."""

    def __init__(self):
        self.waits = []

    def __call__(self, seconds):
        self.waits.append(seconds)


def settings(address, *, limits=None, price=None, **endpoint):
    said = {"model": "stub-1", "key": KEY, "local": True, "timeout": 20} | endpoint
    return Settings(endpoint=Endpoint(base_url=address, **said), limits=limits or Limits(), price=price)


def asked(stub, *, shape=SHAPE, cache=None, check=None, sleep=None, **said):
    client = Client(settings(stub.address, **said), cache=cache, sleep=sleep or Slept())
    return client.ask(ASKED, shape, prompt="p1", check=check)


def no_answer(*replies, **said):
    with serving(*replies) as stub:
        outcome = asked(stub, **said)
        assert isinstance(outcome, NoAnswer), outcome
        return outcome, stub.requests, stub.address


def test_an_answer_is_its_items_the_model_that_gave_it_and_what_it_cost():
    with serving(completion(BOTH)) as stub:
        outcome = asked(stub, price=Price(prompt=1, answer=2))
    assert isinstance(outcome, Answer)
    assert outcome.items == {"d1": D1, "d2": D2}
    assert (outcome.rejected, outcome.missing, outcome.cached) == ((), (), False)
    assert outcome.model == "stub-1-actual"
    assert (outcome.usage.requests, outcome.usage.prompt_tokens, outcome.usage.answer_tokens) == (1, 11, 7)
    assert outcome.usage.cost == pytest.approx(25e-6)
    assert [attempt.outcome for attempt in outcome.attempts] == ["answered"]


def test_what_is_sent_is_the_messages_and_the_schema_with_fixed_keys():
    with serving(completion(BOTH)) as stub:
        asked(stub)
    (request,) = stub.requests
    body = request.body
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert body["messages"] == list(ASKED)
    assert (body["model"], body["temperature"], body["max_completion_tokens"]) == ("stub-1", 0, 4000)
    assert "max_tokens" not in body
    form = body["response_format"]["json_schema"]
    assert (form["name"], form["strict"]) == ("PolicySkeleton", True)
    assert form["schema"]["required"] == ["d1", "d2"]
    assert form["schema"]["additionalProperties"] is False
    assert list(form["schema"]["properties"]["d1"]["properties"]) == ["quote", "old", "new", "reason", "class"]
    assert form["schema"]["properties"]["d1"]["properties"]["class"] == {
        "enum": ["intent", "collateral"],
        "type": "string",
    }


SENDERS = {
    "OPENAI_ORG_ID": "org-of-the-user",
    "OPENAI_ORGANIZATION": "org-of-the-user",
    "OPENAI_PROJECT_ID": "project-of-the-user",
    "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer of-the-user\nX-Of-The-User: 1",
}


def test_an_address_that_the_file_alone_names_is_sent_nothing_of_the_environment(monkeypatch):
    for name, text in SENDERS.items():
        monkeypatch.setenv(name, text)
    with serving(completion(BOTH)) as stub:
        assert isinstance(asked(stub, key=None, bare=True), Answer)
        assert isinstance(asked(stub), Answer)
    bare, named = (request.headers for request in stub.requests)
    assert set(bare) == {
        "accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "host", "x-stainless-raw-response",
    }  # fmt: skip
    assert bare["authorization"] == "Bearer not-needed"
    assert "of-the-user" not in str(bare)
    assert named["openai-organization"] == "org-of-the-user"


def test_tokens_that_nobody_told_are_told_as_unknown_and_charged_as_estimated():
    with serving(completion(BOTH, usage=None)) as stub:
        client = Client(settings(stub.address, price=Price(prompt=1, answer=1)))
        outcome = client.ask(ASKED, SHAPE, prompt="p1")
    assert (outcome.usage.unmetered, outcome.usage.prompt_tokens, outcome.usage.cost) == (1, 0, None)
    assert client.ledger.tokens > 4000


ENDINGS = {
    "refused": [completion(None, refusal="I will not")],
    "cut off": [completion('{"d1": {"quote": "', finish="length")],
    "empty": [completion("  \n")],
    "unauthorised": [fault(401, f"Incorrect API key provided: {KEY}", code="invalid_api_key")],
    "model not found": [fault(404, "no such model", code="model_not_found")],
    "quota": [fault(429, "pay", code="insufficient_quota")],
    "context too long": [fault(400, "This model's maximum context length is 8 tokens", code="context_length_exceeded")],
    "bad request": [fault(400, "what?", code="invalid_request")],
}


@pytest.mark.parametrize("kind", ENDINGS)
def test_what_cannot_pass_ends_after_one_request_with_its_own_words(kind):
    outcome, requests, _ = no_answer(*ENDINGS[kind])
    assert outcome.kind == kind
    assert len(requests) == 1
    assert outcome.what.startswith(f"no draft ({kind}): ")
    assert outcome.what.count("\n") == 0
    assert outcome.next_step == _TOLD[kind][1]
    assert outcome.usage.requests == 1


def test_no_two_outcomes_share_their_words_or_their_next_step():
    assert len({what for what, _ in _TOLD.values()}) == len(_TOLD)
    assert len({step for _, step in _TOLD.values()}) == len(_TOLD)


@pytest.mark.parametrize(
    "reply",
    [
        completion("{}", finish="content_filter"),
        fault(400, "filtered", code="content_filter"),
        completion("no", refusal="I will not"),
    ],
)
def test_a_filter_is_a_refusal(reply):
    assert no_answer(reply)[0].kind == "refused"


def test_a_server_that_overflows_its_context_in_other_words_is_understood():
    """llama.cpp says it with a type, and a code that is a number."""
    reply = fault(400, "the request exceeds the available context size", code=400, type_="exceed_context_size_error")
    assert no_answer(reply)[0].kind == "context too long"


def test_a_cut_off_answer_is_used_not_even_in_part():
    """Reported fault 129."""
    text = f'{{"d1": {json.dumps(D1)}, "d2": {{"quote": "'
    outcome, requests, _ = no_answer(completion(text, finish="length"))
    assert outcome.kind == "cut off"
    assert outcome.text == text
    assert (outcome.usage.prompt_tokens, outcome.usage.answer_tokens) == (11, 7)
    assert len(requests) == 1


def test_a_retired_model_is_told_by_name_and_no_other_is_asked():
    """Reported fault 140."""
    outcome, requests, address = no_answer(fault(404, "gone", code="model_not_found"))
    assert f"{address} knows no model stub-1" in outcome.what
    assert "HTTP 404, code model_not_found" in outcome.what
    assert [request.body["model"] for request in requests] == ["stub-1"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
def test_no_error_repeats_the_key_or_what_the_endpoint_said(status):
    """Reported fault 136."""
    echo = fault(
        status, f"bad header Authorization: Bearer {KEY}", code=KEY, type_=KEY[:16], x_request_id=f"r-{KEY[5:15]}"
    )
    outcome, _, _ = no_answer(echo, attempts=1)
    told = repr(outcome) + outcome.diagnostics()
    assert f"HTTP {status}" in outcome.what
    assert not any(KEY[start : start + 8] in told for start in range(len(KEY) - 7))
    assert "Authorization" not in told


def test_a_request_id_is_told():
    outcome, _, _ = no_answer(fault(401, "no", x_request_id="req_7f"))
    assert outcome.what.endswith(": HTTP 401, request id req_7f")


def test_the_key_is_in_no_representation_of_the_settings():
    assert KEY not in repr(settings("http://127.0.0.1:1/v1"))


def test_a_rate_limit_is_waited_for_as_long_as_the_endpoint_asks():
    """Reported fault 141."""
    slept = Slept()
    with serving(fault(429, Retry_After="7"), fault(429, retry_after_ms="1500"), completion(BOTH)) as stub:
        outcome = asked(stub, sleep=slept)
    assert isinstance(outcome, Answer)
    assert slept.waits == [7, 1.5]
    assert outcome.usage.requests == len(stub.requests) == 3
    assert [attempt.outcome for attempt in outcome.attempts] == ["rate limited (HTTP 429)"] * 2 + ["answered"]
    assert [attempt.waited for attempt in outcome.attempts] == [7, 1.5, 0]


def test_a_date_in_retry_after_is_understood():
    slept = Slept()
    date = email.utils.formatdate(time.time() + 30, usegmt=True)
    with serving(fault(503, Retry_After=date), completion(BOTH)) as stub:
        assert isinstance(asked(stub, sleep=slept), Answer)
    assert 25 < slept.waits[0] <= 30


def test_an_endpoint_that_asks_for_minutes_is_not_waited_for():
    slept = Slept()
    outcome, requests, _ = no_answer(fault(429, Retry_After="300"), sleep=slept)
    assert outcome.kind == "rate limited"
    assert outcome.what.endswith("it asks to wait 300 s")
    assert (len(requests), slept.waits) == (1, [])


def test_a_wait_beyond_the_time_that_is_left_is_not_begun():
    slept = Slept()
    outcome, requests, _ = no_answer(fault(429, Retry_After="30"), limits=Limits(seconds=20), sleep=slept)
    assert outcome.kind == "rate limited"
    assert (len(requests), slept.waits) == (1, [])


@pytest.mark.parametrize("said", ["soon", "-3", "nan", "inf", "1e999", ""])
def test_nonsense_in_retry_after_counts_as_unsaid(said):
    slept = Slept()
    with serving(fault(429, Retry_After=said), completion(BOTH)) as stub:
        assert isinstance(asked(stub, sleep=slept), Answer)
    assert 0 < slept.waits[0] <= 2


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504, 529])
def test_a_server_that_keeps_failing_is_asked_three_times_with_growing_waits(status):
    slept = Slept()
    outcome, requests, _ = no_answer(fault(status), sleep=slept)
    assert outcome.kind == "server"
    assert len(requests) == outcome.usage.requests == 3
    assert len(slept.waits) == 2
    assert 0.5 <= slept.waits[0] <= 1.0 <= slept.waits[1] <= 1.5


def test_a_reset_is_tried_again():
    with serving(Says(reset=True), completion(BOTH)) as stub:
        outcome = asked(stub)
    assert isinstance(outcome, Answer)
    assert outcome.attempts[0].outcome == "connection (connection reset by peer)"


def test_a_body_that_ends_early_is_a_connection_fault():
    whole = completion(BOTH)
    with serving(Says(body=whole.body, headers=whole.headers, short=True), whole) as stub:
        outcome = asked(stub)
    assert isinstance(outcome, Answer)
    assert outcome.attempts[0].outcome.startswith("connection (")


def test_an_address_where_nobody_listens_is_told_with_the_systems_reason():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        outcome = Client(settings(address), sleep=Slept()).ask(ASKED, SHAPE, prompt="p1")
    assert (outcome.kind, outcome.usage.requests) == ("connection", 3)
    assert outcome.what == f"no draft (connection): {address} cannot be reached: connection refused"


def test_a_silent_endpoint_times_out():
    outcome, requests, _ = no_answer(Says(silent=True), timeout=0.3, attempts=2)
    assert (outcome.kind, len(requests)) == ("timed out", 2)
    assert outcome.usage.unmetered == 2


def test_an_endpoint_that_drips_does_not_outlast_the_time_limit():
    """A read timeout is a gap between two bytes, and would never end this."""
    slow = completion(BOTH)
    outcome, _, _ = no_answer(Says(body=slow.body, headers=slow.headers, drip=0.05), timeout=0.4, attempts=1)
    assert outcome.kind == "timed out"
    assert outcome.what.endswith("no whole answer after 0.4 s")


def test_the_callers_deadline_bounds_a_request():
    with serving(Says(silent=True)) as stub:
        client = Client(settings(stub.address), sleep=Slept())
        outcome = client.ask(ASKED, SHAPE, prompt="p1", deadline=time.monotonic() + 0.3)
        late = client.ask(ASKED, SHAPE, prompt="p1", deadline=time.monotonic() - 1)
    assert outcome.kind == "timed out"
    assert late.what.endswith("no time is left; nothing was sent")
    assert len(stub.requests) == 1


NOT_CHAT = {
    "a page": Says(body=b"<html>hello</html>", headers={"Content-Type": "text/html"}),
    "no choices": Says(body=b'{"choices": []}', headers={"Content-Type": "application/json"}),
    "an error with 200": Says(body=b'{"error": {"message": "x"}}', headers={"Content-Type": "application/json"}),
    "half of it": Says(body=b'{"choices": [{"mess', headers={"Content-Type": "application/json"}),
    "a list": Says(body=b"[]", headers={"Content-Type": "application/json"}),
    "nothing": Says(body=b"", headers={"Content-Type": "application/json"}),
}


@pytest.mark.parametrize("name", NOT_CHAT)
def test_what_is_no_chat_completion_is_a_bad_reply_and_not_asked_for_again(name):
    outcome, requests, _ = no_answer(NOT_CHAT[name])
    assert outcome.kind == "bad reply"
    assert len(requests) == 1


def test_a_redirect_carries_the_question_nowhere():
    with serving(completion(BOTH)) as elsewhere:
        reply = Says(status=307, headers={"Location": f"{elsewhere.address}/chat/completions"})
        outcome, requests, _ = no_answer(reply)
        assert elsewhere.requests == []
    assert (outcome.kind, len(requests)) == ("bad reply", 1)
    assert outcome.what.endswith("HTTP 307")


def test_tracing_and_gateways_of_the_environment_see_nothing(monkeypatch):
    with serving(Says(body=b"{}")) as listener, serving(completion(BOTH)) as stub:
        for name, value in {
            "LANGSMITH_TRACING": "true",
            "LANGCHAIN_TRACING_V2": "true",
            "LANGSMITH_API_KEY": "x",
            "LANGSMITH_ENDPOINT": listener.address,
            "LANGSMITH_GATEWAY": "true",
            "OPENAI_API_BASE": listener.address,
            "OPENAI_BASE_URL": listener.address,
            "OPENAI_PROXY": listener.address,
            "HTTP_PROXY": listener.address,
            "HTTPS_PROXY": listener.address,
            "ALL_PROXY": listener.address,
        }.items():
            monkeypatch.setenv(name, value)
        assert isinstance(asked(stub), Answer)
        time.sleep(0.5)
        assert listener.requests == []
    assert len(stub.requests) == 1


def test_a_fenced_answer_counts_and_fences_inside_it_are_text():
    """Reported fault 128."""
    fenced = D1 | {"reason": "The diff ```diff\n-b\n+a\n``` shows that it is sorted."}
    text = f"Here you are:\n```json\n{json.dumps({'d1': fenced, 'd2': D2}, indent=1)}\n```\nAnything else?"
    with serving(completion(text)) as stub:
        outcome = asked(stub)
    assert outcome.items["d1"]["reason"] == fenced["reason"]
    assert len(stub.requests) == 1


def test_an_answer_that_does_not_fit_is_shown_its_faults_once():
    bad = json.dumps({"d1": D1, "d2": D2 | {"class": "approve", "reason": "short"}})
    with serving(completion(bad), completion(BOTH)) as stub:
        outcome = asked(stub)
    assert isinstance(outcome, Answer)
    assert outcome.items == {"d1": D1, "d2": D2}
    assert outcome.usage.requests == 2
    *before, answer, repair = stub.requests[1].body["messages"]
    assert before == list(ASKED)
    assert answer == {"role": "assistant", "content": bad}
    assert repair["role"] == "user"
    assert "- d2: reason: String should have at least 30 characters; class: Input should be" in repair["content"]
    assert "Its keys are exactly: d1, d2." in repair["content"]


def test_an_item_that_stays_wrong_does_not_discard_the_others():
    bad = json.dumps({"d1": D1, "d3": D1})
    with serving(completion(bad)) as stub:
        outcome = asked(stub)
    assert isinstance(outcome, Answer)
    assert outcome.items == {"d1": D1}
    assert outcome.missing == ("d2",)
    assert [(fault.key, fault.why) for fault in outcome.rejected] == [("d3", "nobody asked for this key")]
    assert len(stub.requests) == 2


def test_what_was_right_the_first_time_is_kept_when_the_repair_loses_it():
    first, second = json.dumps({"d1": D1, "d2": {}}), json.dumps({"d1": {}, "d2": D2})
    with serving(completion(first), completion(second)) as stub:
        outcome = asked(stub)
    assert outcome.items == {"d1": D1, "d2": D2}
    assert (outcome.rejected, outcome.missing) == ((), ())


def test_what_was_right_is_kept_when_the_repair_gets_no_answer():
    with serving(completion(json.dumps({"d1": D1})), fault(401)) as stub:
        outcome = asked(stub)
    assert isinstance(outcome, Answer)
    assert (outcome.items, outcome.missing) == ({"d1": D1}, ("d2",))
    assert outcome.attempts[-1].outcome == "unauthorised (HTTP 401)"


@pytest.mark.parametrize("text", ["I think they are all fine.", "[]", '{"d9": 1}', '{"d1": NaN}', "{" * 50_000])
def test_an_answer_without_one_valid_item_is_invalid_after_one_repair(text):
    outcome, requests, _ = no_answer(completion(text))
    assert (outcome.kind, len(requests)) == ("invalid", 2)
    assert outcome.text == text


def hypotheses(count, **changes):
    one = {
        "evidence": "AssertionError: 3 != 2",
        "mechanism": "logic",
        "claim": "The candidate counts one attempt too many when busy.",
        "experiment": "x1",
        "if_true": "the baseline counts two",
        "if_false": "the baseline counts three",
    } | changes
    return json.dumps({f"h{number}": one for number in range(1, count + 1)})


def test_two_hypotheses_for_three_are_asked_for_again():
    shape = hypotheses_shape(("x1", "x2"))
    with serving(completion(hypotheses(2)), completion(hypotheses(3))) as stub:
        outcome = asked(stub, shape=shape)
    assert list(outcome.items) == ["h1", "h2", "h3"]
    assert "- h3: it is missing" in stub.requests[1].body["messages"][-1]["content"]


def test_a_fourth_hypothesis_and_an_experiment_nobody_offered_are_rejected():
    """Reported fault 130."""
    shape = hypotheses_shape(("x1", "x2"))
    with serving(completion(hypotheses(4))) as stub:
        outcome = asked(stub, shape=shape)
    assert [fault.key for fault in outcome.rejected] == ["h4"]
    invented, _, _ = no_answer(completion(hypotheses(3, experiment="rm -rf /")), shape=shape)
    assert "experiment: Input should be 'x1' or 'x2'" in invented.what


def test_a_wording_is_one_object():
    wording = {
        "unclear": "sorted(rows)",
        "seen": "[2, 1] != [1, 2]",
        "statement": "For every list of rows, the export holds them by ascending day.",
        "difference": "It says which order.",
        "question": "Does the order matter?",
        "repair_note": "Name what decides between two rows of one day.",
    }
    with serving(completion(json.dumps(wording))) as stub:
        outcome = asked(stub, shape=wording_shape())
    assert outcome.items == {"wording": wording}


def test_a_further_check_is_part_of_the_repair():
    complaint = "quote: not in the intent"
    with serving(completion(BOTH), completion(json.dumps({"d1": D1 | {"quote": "sort"}, "d2": D2}))) as stub:
        outcome = asked(stub, check=lambda _, item: complaint if item["quote"] == "sorts" else None)
    assert outcome.items["d1"]["quote"] == "sort"
    assert f"- d1: {complaint}" in stub.requests[1].body["messages"][-1]["content"]


def structure_of(request):
    form = request.body.get("response_format")
    lengths = "maxLength" in json.dumps(form)
    return f"{form['type']}{' with lengths' if lengths else ''}" if form else "plain"


def test_an_endpoint_without_schemas_is_asked_in_looser_forms_and_the_form_is_learnt():
    refusals = [
        fault(400, "Invalid schema for response_format: 'maxLength' is not permitted"),
        fault(500, "[{'type': 'literal_error', 'msg': \"Input should be 'text' or 'json_object'\"}]"),
        fault(422, "response_format is not supported"),
    ]
    with serving(*refusals, completion(BOTH)) as stub:
        client = Client(settings(stub.address), sleep=Slept())
        assert isinstance(client.ask(ASKED, SHAPE, prompt="p1"), Answer)
        assert isinstance(client.ask(ASKED, SHAPE, prompt="p1"), Answer)
    assert [structure_of(request) for request in stub.requests] == [
        "json_schema with lengths",
        "json_schema",
        "json_object",
        "plain",
        "plain",
    ]


def test_a_form_that_the_user_chose_is_not_given_up():
    outcome, requests, _ = no_answer(fault(400, "response_format is not supported"), structure="json_schema")
    assert (outcome.kind, len(requests)) == ("bad request", 1)


def test_parameters_that_an_endpoint_does_not_know_are_renamed_or_left_out():
    refusals = [
        fault(400, "Unsupported value: 'temperature' does not support 0", param="temperature"),
        fault(400, "Unrecognized request argument supplied: max_completion_tokens"),
    ]
    with serving(*refusals, completion(BOTH)) as stub:
        assert isinstance(asked(stub), Answer)
    last = stub.requests[-1].body
    assert last["max_tokens"] == 4000
    assert "temperature" not in last
    assert "max_completion_tokens" not in last


BUDGETS = {
    "budget.requests is 0": Limits(requests=0),
    "budget.tokens is 100": Limits(tokens=100),
    "budget.seconds is 0": Limits(seconds=0),
    "budget.cost is set, and [prices] has no entry": Limits(cost=1),
}


@pytest.mark.parametrize("words", BUDGETS)
def test_a_budget_stops_before_the_request(words):
    outcome, requests, _ = no_answer(completion(BOTH), limits=BUDGETS[words])
    assert (outcome.kind, requests) == ("over budget", [])
    assert words in outcome.what
    assert outcome.usage.requests == 0


def test_a_request_that_may_cost_too_much_is_not_sent():
    outcome, requests, _ = no_answer(
        completion(BOTH), limits=Limits(cost=0.03), price=Price(prompt=0, answer=10), max_output_tokens=4000
    )
    assert requests == []
    assert re.search(r"budget\.cost is 0\.03, 0 is used, and this request may cost 0\.04", outcome.what)


def test_retries_and_repairs_pay_from_the_same_budget():
    outcome, requests, _ = no_answer(fault(500), limits=Limits(requests=2))
    assert (outcome.kind, len(requests)) == ("over budget", 2)
    outcome, requests, _ = no_answer(completion("no"), limits=Limits(requests=1))
    assert (outcome.kind, len(requests)) == ("invalid", 1)
    assert "over budget (budget.requests is 1, and 1 were sent)" in outcome.what


def test_without_a_key_nothing_goes_to_an_address_out_there():
    said = settings("https://models.example/v1", key=None, local=False)
    outcome = Client(said).ask(ASKED, SHAPE, prompt="p1")
    assert (outcome.kind, outcome.usage.requests) == ("unauthorised", 0)
    assert outcome.what.endswith("OPENAI_API_KEY is not set; nothing was sent")


def test_a_local_server_needs_no_key():
    with serving(completion(BOTH)) as stub:
        assert isinstance(asked(stub, key=None), Answer)
    assert stub.requests[0].headers["authorization"] == "Bearer not-needed"


def test_a_whole_answer_is_remembered_and_costs_nothing_again(tmp_path):
    with serving(completion(BOTH)) as stub:
        first = asked(stub, cache=Cache(tmp_path))
        again = asked(stub, cache=Cache(tmp_path), limits=Limits(requests=0))
    assert len(stub.requests) == 1
    assert (again.items, again.usage, again.model) == (first.items, first.usage, first.model)
    assert (first.cached, again.cached, again.attempts) == (False, True, ())


def test_a_repaired_answer_is_remembered_with_both_its_halves(tmp_path):
    first, second = json.dumps({"d1": D1, "d2": {}}), json.dumps({"d1": {}, "d2": D2})
    with serving(completion(first), completion(second)) as stub:
        asked(stub, cache=Cache(tmp_path))
        again = asked(stub, cache=Cache(tmp_path))
    assert (again.cached, again.items) == (True, {"d1": D1, "d2": D2})


@pytest.mark.parametrize(
    "reply", [completion("no"), completion(json.dumps({"d1": D1})), completion(BOTH, finish="length"), fault(500)]
)
def test_what_is_not_a_whole_answer_is_not_remembered(tmp_path, reply):
    with serving(reply) as stub:
        asked(stub, cache=Cache(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_remembered_answer_that_fails_a_check_is_asked_for_anew(tmp_path):
    with serving(completion(BOTH)) as stub:
        asked(stub, cache=Cache(tmp_path))
        again = asked(stub, cache=Cache(tmp_path), check=lambda key, _: "no" if key == "d1" else None)
    assert not again.cached
    assert [fault.why for fault in again.rejected] == ["no"]
