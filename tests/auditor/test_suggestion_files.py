from __future__ import annotations

import json
import os

import msgspec
import pytest
from drafts import classified, group, hypotheses_draft, policy_draft
from hypothesis import given
from hypothesis import strategies as st

from auditor.drafting.values import Drafted, Rejected
from auditor.errors import SuggestionError
from auditor.review.decide import decided, rejected
from auditor.suggestions.format import MAX_BYTES, id_of, parse, render
from auditor.suggestions.lines import lines_of
from auditor.suggestions.made import suggest
from auditor.suggestions.model import Ran
from auditor.suggestions.store import add_experiment, keep, list_suggestions, read_suggestion, replace

ONE = policy_draft((group(1), classified(1)))


def refused(data: bytes) -> str:
    with pytest.raises(SuggestionError) as caught:
        parse(data, name="s.json")
    return caught.value.what


def edited(old: str, new: str, draft=ONE) -> bytes:
    text = render(draft).decode()
    assert text.count(old) >= 1
    return text.replace(old, new, 1).encode()


def test_a_file_says_what_the_suggestion_is_one_key_a_line():
    text = render(ONE).decode()
    assert parse(text.encode(), name="s.json") == ONE
    assert text.startswith(
        f'{{\n  "version": 1,\n  "id": "{ONE.id}",\n  "kind": "policy",\n  "status": "proposed",\n  "subject": "run",\n'
    )
    assert all(line.count('": ') <= 1 for line in text.splitlines())


def test_every_kind_is_read_back():
    assert parse(render(hypotheses_draft()), name="s.json") == hypotheses_draft()


@given(st.text(), st.none() | st.text())
def test_any_text_survives_and_shows_itself_in_the_file(reason, value):
    draft = policy_draft((group(1, old=value, new="-"), classified(1, reason=reason)))
    data = render(draft)
    assert parse(data, name="s.json") == draft
    assert all(line.isprintable() for line in data.decode("utf-8").split("\n"))


def test_the_same_draft_has_the_same_id_and_another_one_another():
    again = policy_draft((group(1), classified(1)))
    assert ONE.id == again.id
    assert ONE.id != policy_draft((group(1), classified(1, reason="other words"))).id
    assert ONE.id != policy_draft((group(1), classified(1)), model="m").id


def test_a_file_of_before_is_read_and_keeps_its_id():
    raw = json.loads(render(ONE))
    assert (raw.pop("demoted"), raw.pop("cuts")) == ([], [])
    assert parse(json.dumps(raw, indent=2).encode(), name="s.json") == ONE


@pytest.mark.parametrize("told", [{"demoted": (Rejected(key="d1", why="no quote"),)}, {"cuts": ("half of it",)}])
def test_what_was_demoted_and_cut_shapes_the_id(told):
    other = msgspec.structs.replace(ONE, **told)
    assert id_of(other) != ONE.id
    with_id = msgspec.structs.replace(other, id=id_of(other))
    assert parse(render(with_id), name="s.json") == with_id


def test_a_draft_is_kept_with_what_was_demoted_and_cut():
    told = {"demoted": (Rejected(key="d1", why="no quote"),), "cuts": ("half of it",), "missing": ("d2",)}
    drafted = Drafted(model="m", prompt="policy/v1", items=(classified(1),), **told)
    made = suggest("policy", drafted, subject="run", inputs=(), groups=[group(1)])
    assert (made.demoted, made.cuts, made.missing) == tuple(told.values())


def test_decisions_do_not_change_the_id():
    gone = decided(ONE, rejected(ONE.items[0], who="Ada", when="now", why=""))
    assert (parse(render(gone), name="s.json"), gone.id, gone.status) == (gone, ONE.id, "rejected")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"version": 1', '"version": 2', "s.json:2: version: expected 1, got 2"),
        ('"version": 1', '"version": true', "s.json:2: version: expected 1, got True"),
        (
            '"kind": "policy"',
            '"kind": "ballot"',
            "s.json:4: kind: expected one of policy, hypotheses, wording, golden, got 'ballot'",
        ),
        (
            '"status": "proposed"',
            '"status": "accepted"',
            "s.json:5: status: expected 'proposed', as its items say, got 'accepted'",
        ),
        ('"status": "proposed"', '"status": "approved"', "s.json:5: status: invalid enum value 'approved'"),
        (
            '"subject": "run"',
            '"subject": "run", "subject": "x"',
            "s.json:6: expected each key once, got 'subject' again",
        ),
        ('"subject": "run"', '"subject": 3', "s.json:6: subject: expected `str`, got `int`"),
        ('"kind": "intent"', '"kind": "approve"', "s.json:13: kind: invalid enum value 'approve'"),
        ('"quote": "sort the list"', '"quote": "", "vote": "pass"', "s.json:14: unknown key 'vote'"),
        ('"reason": "the list is sorted"', '"reason": "trust me"', None),
        ('"step": 1', '"step": NaN', "s.json:1: expected JSON: NaN is no JSON"),
        (
            '"subject": "run"',
            '"subject": "run",,',
            "s.json:6: expected JSON: Expecting property name enclosed in double quotes",
        ),
    ],
)
def test_a_file_that_is_not_as_it_was_written_is_refused_with_its_line(old, new, said):
    what = refused(edited(old, new))
    if said is None:
        assert what.startswith("s.json:3: id: expected policy-")
        assert what.endswith("it was edited")
    else:
        assert what == said


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "s.json:1: expected JSON: Expecting value"),
        (b"[]", "s.json:1: expected an object, got list"),
        (b"{}\r\n", "s.json:1: expected LF line ends, got a CR"),
        (b'{\n"a": "\xff"}', "s.json:2: expected UTF-8, got invalid start byte"),
        (b"{\n<<<<<<< ours\n", "s.json:2: expected JSON, got a merge conflict marker <<<<<<<"),
        (b'{"version": [' + b"0," * 200_000 + b"0]}", "s.json:1: expected at most 100000 values, 32 deep, got more"),
        (
            b'{"version":\n' + b"[" * 60 + b"]" * 60 + b"}",
            "s.json:2: expected at most 100000 values, 32 deep, got more",
        ),
        (b'{"version": "\\ud800"}', "s.json:1: expected text, got half of a character: a lone surrogate"),
        (b'{"version": 1e999}', "s.json:1: expected JSON: 1e999 is no JSON"),
        (b'{"version": ' + b"[" * 200_000, "s.json:1: expected a suggestion, got JSON that is nested too deeply"),
        (b'{"version": ' + b"1" * 6000 + b"}", None),
        (b" " * (4 * 1024 * 1024 + 1), "s.json:1: expected at most 4194304 bytes, got more"),
        (b'{"version": "\\u001b[2J\\u202e"}', "s.json:1: version: expected 1, got '\\x1b[2J\\u202e'"),
    ],
)
def test_hostile_bytes_are_one_error(data, said):
    what = refused(data)
    assert said is None or what == said
    assert what.isprintable()


def test_an_item_twice_or_a_decision_about_none_is_refused():
    twice = msgspec.structs.replace(ONE, items=ONE.items * 2)
    assert refused(render(twice)).endswith("id: expected each item once, got 'd1' again")
    stray = msgspec.structs.replace(ONE, decisions=(rejected(ONE.items[0], who="A", when="", why=""),))
    raw = json.loads(render(stray))
    raw["decisions"][0]["item"] = "d9"
    assert refused(json.dumps(raw, indent=2).encode()).endswith("item: expected one of the items, got 'd9'")


def test_lines_are_those_of_the_keys_also_after_strings_with_brackets():
    found = lines_of('{\n"a": "}],\\"",\n"b": [1,\n{"c": null}]}')
    assert found.places == {(): 1, ("a",): 2, ("b",): 3, ("b", 0): 3, ("b", 1): 4, ("b", 1, "c"): 4}


def test_a_folder_with_broken_files_names_them_and_goes_on(tmp_path):
    keep(tmp_path, ONE)
    folder = tmp_path / "suggestions"
    (folder / "a\x1b[31m.json").write_text("{")
    (folder / "policy-0123456789ab.json").write_bytes(render(ONE))
    (folder / "link.json").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.json")
    (folder / "folder.json").mkdir()
    (folder / ".half.json").write_text("{")
    (folder / "notes.txt").write_text("mine")
    found = list_suggestions(tmp_path)
    assert [stored.suggestion for stored in found.stored] == [ONE]
    assert [(broken.file, broken.what) for broken in found.broken] == [
        (
            "a\\x1b[31m.json",
            "suggestions/a\\x1b[31m.json:1: expected JSON: Expecting property name enclosed in double quotes",
        ),
        ("folder.json", "suggestions/folder.json: expected a plain file, got something else"),
        ("link.json", "suggestions/link.json: expected a plain file, got something else"),
        ("pipe.json", "suggestions/pipe.json: expected a plain file, got something else"),
        (
            "policy-0123456789ab.json",
            f"suggestions/policy-0123456789ab.json:1: expected the file to be called {ONE.id}.json",
        ),
    ]


def test_what_could_not_be_read_again_is_not_written(tmp_path):
    with pytest.raises(SuggestionError, match="expected at most 4194304 bytes, got"):
        keep(tmp_path, policy_draft((group(1, old="x" * MAX_BYTES), classified(1))))
    assert list_suggestions(tmp_path).stored == ()


def test_no_folder_holds_nothing(tmp_path):
    assert list_suggestions(tmp_path) == type(list_suggestions(tmp_path))()


def test_a_folder_that_leads_elsewhere_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "suggestions").symlink_to("elsewhere")
    with pytest.raises(SuggestionError, match="expected a folder, got a link"):
        keep(tmp_path, ONE)


@pytest.mark.parametrize(
    "name", ["../policy-0123456789ab", "policy", "policy-0123456789ab.json", "", "ballot-0123456789ab"]
)
def test_what_is_no_id_names_no_file(tmp_path, name):
    with pytest.raises(SuggestionError, match="expected the id of a suggestion"):
        read_suggestion(tmp_path, name)


def test_the_same_draft_again_keeps_the_decisions(tmp_path):
    keep(tmp_path, ONE)
    gone = decided(ONE, rejected(ONE.items[0], who="Ada", when="now", why="no"))
    replace(read_suggestion(tmp_path, ONE.id), gone)
    keep(tmp_path, ONE)
    assert read_suggestion(tmp_path, ONE.id).suggestion == gone


def test_what_changed_since_it_was_read_is_not_written_over(tmp_path):
    path = keep(tmp_path, ONE)
    stored = read_suggestion(tmp_path, ONE.id)
    path.write_bytes(stored.data + b"\n")
    with pytest.raises(SuggestionError, match="changed since it was read"):
        replace(stored, ONE)
    assert path.read_bytes() == stored.data + b"\n"


def test_what_an_experiment_showed_is_kept_beside_its_hypothesis(tmp_path):
    draft = hypotheses_draft()
    keep(tmp_path, draft)
    ran = Ran(item="h1", experiment="x1", when="2026-03-01T12:00:00Z", outcome="changes", words="another order")
    add_experiment(read_suggestion(tmp_path, draft.id), ran)
    assert read_suggestion(tmp_path, draft.id).suggestion.experiments == (ran,)
    with pytest.raises(SuggestionError, match="expected one of its items, got h7"):
        add_experiment(read_suggestion(tmp_path, draft.id), msgspec.structs.replace(ran, item="h7"))
