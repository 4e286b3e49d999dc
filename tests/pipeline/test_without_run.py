"""What the gate's door offers without a run: a corpus of given cases, and entries held against changes that are values."""

import pytest

from gate import api
from gate.config.load import load_project
from gate.corpus.format import read_corpus

ENTRY = {"case": "K", "step": 1, "field": "status", "old": "0", "new": "1", "reason": "why", "reviewer": "who"}


def delta(case="K", step=1, occurrence=1, *, field="status", old=b"0", new=b"1"):
    change = api.RecordedChange(field=field, kind="value", old=old, new=new)
    return api.RecordedDelta(case=case, step=step, occurrence=occurrence, command="get", changes=(change,))


def test_entries_bind_what_was_seen_at_the_places_and_nothing_else():
    deltas = (delta(), delta(step=2), delta(step=2, occurrence=2), delta("L", field="stdout", old=None, new=b"\xff"))
    places = [("L", 1, 1), ("K", 1, 1), ("K", 2, 2), ("M", 1, 1)]
    made = api.bind_changes(deltas, places, "why", "who")
    bytes_of_l = {"sha256": made[1]["new"]["sha256"]}
    assert made == (
        ENTRY,
        {"case": "L", "step": 1, "field": "stdout", "old": None, "new": bytes_of_l, "reason": "why", "reviewer": "who"},
    )
    assert api.allows(made, deltas) == (frozenset({"status"}), frozenset(), frozenset(), frozenset({"stdout"}))


@pytest.mark.parametrize(("reason", "reviewer"), [(" ", "who"), ("why", "")])
def test_entries_want_a_reason_and_a_reviewer(reason, reviewer):
    with pytest.raises(api.GateError, match="expected"):
        api.bind_changes((delta(),), [("K", 1, 1)], reason, reviewer)


@pytest.mark.parametrize(
    ("entries", "told"),
    [(({"case": "K"},), "missing key"), ((ENTRY, ENTRY), "entry 1 binds what entry 0 binds")],
)
def test_what_is_no_policy_allows_nothing_and_is_an_error(entries, told):
    with pytest.raises(api.GateError, match=told):
        api.allows(entries, (delta(),))


def test_an_expiry_date_asks_for_no_clock():
    assert api.allows(({**ENTRY, "expires": "2000-01-01"},), (delta(),)) == (frozenset({"status"}),)


def test_no_entries_allow_nothing():
    assert api.allows((), (delta(),)) == (frozenset(),)


def test_the_corpus_of_a_project_is_made_of_the_given_cases(tmp_path):
    (tmp_path / "gate.toml").write_text('version = 1\n\n[program]\nrunner = "exec"\npath = ["bin"]\n')
    lines = b'{"id":"K","steps":[{"argv":["get","a"]}]}\n{"id":"L","steps":[{"argv":["set"],"stdin":"1"}]}\n'
    api.write_cases(tmp_path, lines)
    corpus = read_corpus(load_project(tmp_path).corpus_file)
    assert [(case.id, case.steps[0].command, case.steps[0].stdin) for case in corpus.cases] == [
        ("K", "get", None),
        ("L", "set", b"1"),
    ]
    for bad in (b"", b"{}\n", lines + lines):
        with pytest.raises(api.GateError):
            api.write_cases(tmp_path, bad)
    assert read_corpus(load_project(tmp_path).corpus_file) == corpus
