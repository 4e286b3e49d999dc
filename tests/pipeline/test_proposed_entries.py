"""What proposed entries would silence, and how accepted ones are written."""

import json
import multiprocessing

import pytest

from gate import api
from gate.errors import PolicyError
from gate.policy.load import parse_policy

CHANGED = "#!/bin/sh\n[ $1 = two ] && echo went $1 && exit 4\necho did $1\n"
STATUS = {"case": "A", "step": 2, "field": "status", "old": "0", "new": "4", "reason": "two goes", "reviewer": "Ada"}
STDOUT = {**STATUS, "field": "stdout", "old": "did two\n", "new": "went two\n"}


@pytest.fixture(autouse=True)
def no_ci(monkeypatch):
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture
def ran(bench):
    bench.side("new", CHANGED)
    bench.policy()
    bench.run()
    return bench


def file_of(bench):
    return bench.root / "gate" / "policy.json"


def refusal(bench, entry):
    (proposal,) = api.proposed(bench.root, None, [entry])
    return proposal.refused


def test_an_entry_shows_exactly_what_it_would_silence(ran):
    (proposal,) = api.proposed(ran.root, None, [STATUS])
    assert proposal.refused is None
    assert proposal.silences == (
        api.Silenced(case="A", step=2, command="tool", field="status", old=b"0", new=b"4", flagged=True),
    )


def test_broader_than_observed_is_refused_with_the_reason(ran):
    anywhere = {key: text for key, text in STATUS.items() if key != "step"}
    everywhere = {"command": "tool"} | {key: text for key, text in anywhere.items() if key != "case"}
    assert refusal(ran, {"case": "A", "step": 2, "reason": "r"}).startswith(
        "broader than observed: it allows any change"
    )
    assert refusal(ran, everywhere).startswith('broader than observed: it holds wherever the command "tool" runs')
    assert refusal(ran, anywhere) == 'broader than observed: it holds at any step of case "A"'


def test_a_broad_entry_still_shows_what_it_would_silence(ran):
    (proposal,) = api.proposed(ran.root, None, [{"case": "A", "step": 2, "reason": "r"}])
    assert [silenced.field for silenced in proposal.silences] == ["status", "stdout"]


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({**STATUS, "new": "5"}, "it would silence nothing of this run"),
        ({**STATUS, "case": "Z"}, "it would silence nothing of this run"),
        ({**STATUS, "new": "*"}, "it would silence nothing of this run"),
        ({**STATUS, "colour": "red"}, "unknown key"),
        ({**STATUS, "step": "2"}, "expected a whole number"),
        ({**STATUS, "reason": float("nan")}, "expected strict JSON"),
        ({**STATUS, "reason": "\ud800"}, "lone surrogate"),
        ({**STATUS, "reason": b"r"}, "expected a JSON object"),
        ("A", "expected an object"),
    ],
)
def test_what_is_no_entry_of_this_run_is_refused(ran, entry, why):
    assert why in refusal(ran, entry)


def test_the_same_entry_twice_is_refused_the_second_time(ran):
    first, second = api.proposed(ran.root, None, [STATUS, {**STATUS, "reason": "other"}])
    assert (first.refused, second.refused) == (None, "says the same as entry 1")


def test_a_build_held_against_itself_is_allowed_nothing(bench):
    bench.run(candidate=None)
    with pytest.raises(PolicyError, match="expected a run of a candidate"):
        api.proposed(bench.root, None, [STATUS])


def test_entries_are_bound_to_what_was_recorded_at_the_places(ran):
    made = api.bound(ran.root, None, [("A", 2, 1)], "two goes", "Ada")
    assert made == (STATUS, STDOUT)
    assert [proposal.refused for proposal in api.proposed(ran.root, None, made)] == [None, None]


@pytest.mark.parametrize(
    ("places", "reason", "reviewer", "why"),
    [
        ([("A", 1, 1)], "r", "Ada", "expected a recorded difference"),
        ([("A", 2, 2)], "r", "Ada", "expected a recorded difference"),
        ([], "r", "Ada", "expected at least one place"),
        ([("A", 2, 1)], " ", "Ada", "reason: expected words"),
        ([("A", 2, 1)], "r", " ", "reviewer: expected a name"),
    ],
)
def test_nothing_is_bound_without_place_reason_and_reviewer(ran, places, reason, reviewer, why):
    with pytest.raises(PolicyError, match=why):
        api.bound(ran.root, None, places, reason, reviewer)


def test_what_a_bound_entry_allows_is_not_bound_again(ran):
    api.accept(ran.root, [STATUS], "Ada", "policy-000000000001")
    assert api.bound(ran.root, None, [("A", 2, 1)], "two goes", "Ada") == (STDOUT,)


def test_accepted_entries_are_appended_with_reviewer_and_suggestion(ran):
    done = api.accept(ran.root, [STATUS], "Grace", "policy-12ab12ab12ab")
    written = json.loads(file_of(ran).read_bytes())
    assert written == {
        "allowed": [{**STATUS, "reviewer": "Grace", "reason": "two goes (suggestion policy-12ab12ab12ab)"}]
    }
    assert (len(done.written), done.already) == (1, ())
    again = api.accept(ran.root, [STATUS], "Grace", "policy-12ab12ab12ab")
    assert (again.written, len(again.already)) == ((), 1)
    assert json.loads(file_of(ran).read_bytes()) == written


def test_several_acceptances_rest_on_one_run_and_the_next_run_shows_exactly_them(ran):
    api.accept(ran.root, [STATUS], "Ada", "policy-000000000001")
    assert [c.allowed for c in api.recorded(ran.root).deltas[0].changes] == [
        "two goes (suggestion policy-000000000001)",
        None,
    ]
    assert ran.run().scorecard.counts.allowed == 1
    api.accept(ran.root, [STDOUT], "Ada", "policy-000000000002")
    assert ran.run().scorecard.exit_code == 0


@pytest.mark.parametrize(
    "text",
    [
        '{"allowed": []}',
        '{"allowed":[ ]}\n',
        '{\n\t"version": 1,\n\t"allowed": [\n\t]\n}\n',
        '{\n  "allowed": [\n\t{"case":   "B", "step": 1, "reason": "caf\\u00e9"}\n  ]\n}',
        '{"allowed": [{"case": "B", "step": 1, "reason": "]}"}], "version": 1}',
    ],
)
def test_the_rest_of_the_file_stays_byte_for_byte(bench, text):
    bench.side("new", CHANGED)
    file_of(bench).write_text(text)
    bench.run()
    api.accept(bench.root, [STATUS], "Ada", "policy-000000000001")
    written = file_of(bench).read_text()
    before, after = parse_policy(text.encode()), parse_policy(written.encode())
    assert after.entries[:-1] == before.entries
    assert after.version == before.version
    assert written.startswith(text[: text.rindex("]")].rstrip())


def test_a_policy_that_was_not_there_is_made(bench):
    bench.side("new", CHANGED)
    bench.run()
    done = api.accept(bench.root, [STATUS], "Ada", "policy-000000000001")
    assert done.before is None
    assert len(parse_policy(file_of(bench).read_bytes()).entries) == 1
    api.withdraw(bench.root, done)
    assert not file_of(bench).exists()


def test_withdrawn_is_byte_for_byte_as_before(ran):
    before = file_of(ran).read_bytes()
    done = api.accept(ran.root, [STATUS], "Ada", "policy-000000000001")
    api.withdraw(ran.root, done)
    assert file_of(ran).read_bytes() == before
    assert len(api.accept(ran.root, [STATUS], "Ada", "policy-000000000001").written) == 1


def test_what_was_edited_since_is_not_withdrawn(ran):
    done = api.accept(ran.root, [STATUS], "Ada", "policy-000000000001")
    file_of(ran).write_bytes(done.after + b"\n")
    with pytest.raises(PolicyError, match="it has changed since"):
        api.withdraw(ran.root, done)


@pytest.mark.parametrize(
    ("entries", "reviewer", "suggestion", "why"),
    [
        (
            [STATUS, {**STATUS, "new": "5"}],
            "Ada",
            "policy-000000000001",
            "it would silence nothing of this run; nothing was written",
        ),
        ([{"case": "A", "step": 2, "reason": "r"}], "Ada", "policy-000000000001", "got an open one"),
        (
            [{key: text for key, text in STATUS.items() if key != "step"}],
            "Ada",
            "policy-000000000001",
            "broader than observed",
        ),
        ([STATUS], "Ada\x1b[2J", "policy-000000000001", "reviewer: expected a name on one line"),
        ([STATUS], "", "policy-000000000001", "reviewer: expected a name on one line"),
        *(
            ([STATUS], "Ada", name, "suggestion: expected the id of a policy suggestion")
            for name in (
                "../p",
                "",
                "policy-aaaa",
                "hypotheses-0123456789ab",
                "policy-0123456789AB",
                "policy-0123456789ab\n",
            )
        ),
        (["a field"], "Ada", "policy-000000000001", "expected an object"),
        ([], "Ada", "policy-000000000001", "expected at least one entry"),
    ],
)
def test_one_bad_entry_and_nothing_is_written(ran, entries, reviewer, suggestion, why):
    before = file_of(ran).read_bytes()
    with pytest.raises(PolicyError, match=why):
        api.accept(ran.root, entries, reviewer, suggestion)
    assert file_of(ran).read_bytes() == before


def test_ci_accepts_nothing(ran, monkeypatch):
    monkeypatch.setenv("CI", "true")
    with pytest.raises(PolicyError, match="CI never writes the policy"):
        api.accept(ran.root, [STATUS], "Ada", "policy-000000000001")


def test_a_policy_that_was_edited_after_the_run_is_not_written_to(ran):
    ran.policy({"case": "B", "step": 1, "reason": "r"})
    before = file_of(ran).read_bytes()
    with pytest.raises(PolicyError, match="expected the policy of the run"):
        api.accept(ran.root, [STATUS], "Ada", "policy-000000000001")
    assert file_of(ran).read_bytes() == before


def accept_one(root, entry, suggestion):
    api.accept(root, [entry], "Ada", suggestion)


def test_two_who_accept_at_once_lose_nothing(ran):
    context = multiprocessing.get_context("spawn")
    both = [
        context.Process(target=accept_one, args=(ran.root, entry, f"policy-00000000000{number}"))
        for number, entry in enumerate((STATUS, STDOUT))
    ]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert [each.exitcode for each in both] == [0, 0]
    assert len(parse_policy(file_of(ran).read_bytes()).entries) == 2
