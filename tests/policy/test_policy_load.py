from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from policy_cases import POLICIES, bound, expected, opened, policy

from gate.errors import PolicyError
from gate.policy.expected import Digest, Text
from gate.policy.load import parse_policy, read_policy
from gate.policy.model import Lines, Policy
from gate.policy.render import render_policy

FORMS = "docs/policy.md shows both forms of an entry."
WHOLE = f"An entry binds whole values: it has no patterns, tolerances or denials. {FORMS}"
KEYS = "case, command, step, field, old, new, reason, reviewer, expires"
BOUND = {"case": "A", "step": 4, "field": "status", "old": "0", "new": "1", "reason": "asked for", "reviewer": "Ada"}


def fault(text: str) -> tuple[str, str]:
    with pytest.raises(PolicyError) as caught:
        parse_policy(text.encode(), name="gate/policy.json")
    return caught.value.what, caught.value.next_step


def one(**keys: Any) -> str:
    """A policy with one bound entry, on line 3, with `keys` changed."""
    return json.dumps({"allowed": ["ENTRY"]}).replace('"ENTRY"', "\n\n" + json.dumps(BOUND | keys))


def without(key: str) -> str:
    return json.dumps({"allowed": [{name: value for name, value in BOUND.items() if name != key}]})


def test_both_forms_are_read() -> None:
    text = """{"allowed": [
  {"case": "A", "step": 4, "reason": "asked for"},
  {"command": "add", "field": "stdout", "old": null, "new": {"b64": "/w=="},
   "reason": "new field", "reviewer": "Ada", "expires": "2026-03-01"},
  {"case": "A", "field": "status", "old": {"sha256": "%s"}, "new": "1\\n", "reason": "r", "reviewer": "Ada"}
]}""" % ("0f" * 32)
    read = parse_policy(text.encode())
    assert read == policy(
        opened(),
        bound(
            None,
            Text(data=b"\xff"),
            "stdout",
            command="add",
            reason="new field",
            expires=date(2026, 3, 1),
        ),
        bound(Digest(sha256="0f" * 32), "1\n", case="A", reason="r"),
    )
    assert [entry.lines for entry in read.entries] == [
        Lines(first=2, last=2),
        Lines(first=3, last=4),
        Lines(first=5, last=5),
    ]


def test_an_empty_list_allows_nothing() -> None:
    assert parse_policy(b'{"allowed": []}') == Policy()
    assert parse_policy(b'{"version": 1, "allowed": []}') == Policy(version=1)


@given(POLICIES)
def test_a_written_policy_is_read_back(written: Policy) -> None:
    data = render_policy(written)
    assert parse_policy(data) == written
    assert render_policy(parse_policy(data)) == data


def test_a_policy_is_written_for_people() -> None:
    written = policy(
        opened(),
        bound("a\u202eb\x7fü\n", Text(data=b"\xff"), "stdout", expires=date(2026, 3, 1)),
        bound(None, Digest(sha256="0f" * 32), command="add"),
    )
    assert render_policy(written).decode() == (
        """{
  "allowed": [
    {
      "case": "A",
      "step": 4,
      "reason": "asked for"
    },
    {
      "case": "A",
      "step": 4,
      "field": "stdout",
      "old": "a\\u202eb\\u007fü\\n",
      "new": {
        "b64": "/w=="
      },
      "reason": "asked for",
      "reviewer": "Ada",
      "expires": "2026-03-01"
    },
    {
      "command": "add",
      "field": "status",
      "old": null,
      "new": {
        "sha256": "%s"
      },
      "reason": "asked for",
      "reviewer": "Ada"
    }
  ]
}
"""
        % ("0f" * 32)
    )
    assert parse_policy(render_policy(written)) == written


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "1:1: expected strict JSON: the file is empty; expected a JSON value"),
        (
            b"\xef\xbb\xbf{}",
            "1:1: expected strict JSON: the file begins with a byte order mark; save it as UTF-8 without one",
        ),
        (
            b'{"allowed": [\n{"case": "A",\n "case": "B"}]}',
            "3:2: expected strict JSON: duplicate key 'case': line 2 has it already",
        ),
        (b'{"allowed": [\n<<<<<<< HEAD\n]}', "2:1: expected strict JSON: a merge conflict was left in the file"),
        (b"[" * 5000, "1:65: expected strict JSON: more than 64 lists and objects inside one another"),
        (b"[]", '1: top level: expected {"allowed": [...]}, got a list'),
        (b"{\n}", '1: top level: missing key "allowed"'),
        (b'{"allowed": {}}', "1: allowed: expected a list, got an object"),
        (b'{"allowed": [],\n"version": 2}', "2: version: expected 1, the only version"),
        (b'{"allowed": [], "version": true}', "1: version: expected 1, the only version"),
        (b'{"allowed": [], "version": 1.0}', "1: version: expected 1, the only version"),
        (b'{"allowed": ["A"]}', '1: allowed[0]: expected an object, got the string "A"'),
    ],
)
def test_a_file_that_is_no_policy_is_refused(text: bytes, what: str) -> None:
    with pytest.raises(PolicyError) as caught:
        parse_policy(text, name="gate/policy.json")
    assert caught.value.what == f"gate/policy.json:{what}"
    assert caught.value.next_step


def test_an_unknown_section_is_refused_with_a_guess() -> None:
    """Fault 99."""
    assert fault('{\n"allowlits": []}') == (
        "gate/policy.json:2: allowlits: unknown key; expected one of version, allowed",
        f'Did you mean "allowed"? {WHOLE}',
    )


def test_an_unknown_key_of_an_entry_is_refused_with_a_guess() -> None:
    assert fault(one(fild="status")) == (
        f"gate/policy.json:3: allowed[0].fild: unknown key; expected one of {KEYS}",
        f'Did you mean "field"? {WHOLE}',
    )


@pytest.mark.parametrize("key", ["pattern", "regex", "tolerance", "deny", "sequence", "owner", "*"])
def test_there_are_no_patterns_tolerances_or_denials(key: str) -> None:
    """Faults 66, 94 and 100."""
    what, next_step = fault(one(**{key: ".*"}))
    assert what == f"gate/policy.json:3: allowed[0].{key}: unknown key; expected one of {KEYS}"
    assert next_step.endswith(WHOLE)


def test_a_denial_at_the_top_is_refused() -> None:
    """Fault 100."""
    assert fault('{"allowed": [], "denied": []}')[0] == (
        "gate/policy.json:1: denied: unknown key; expected one of version, allowed"
    )


def test_a_key_that_a_terminal_would_obey_is_escaped() -> None:
    assert "\x1b" not in fault(one(**{"\x1b[2J": 1}))[0]


@pytest.mark.parametrize("key", ["field", "old", "new", "reason", "reviewer"])
def test_the_bound_form_needs_all_its_keys(key: str) -> None:
    """Fault 104."""
    assert fault(without(key)) == (
        f"gate/policy.json:1: allowed[0].{key}: missing key; "
        "this form has case or command, field, old, new, reason and reviewer",
        FORMS,
    )


@pytest.mark.parametrize("key", ["case", "step", "reason"])
def test_the_open_form_needs_all_its_keys(key: str) -> None:
    keys = {name: value for name, value in {"case": "A", "step": 4, "reason": "r"}.items() if name != key}
    assert fault(json.dumps({"allowed": [keys]})) == (
        f"gate/policy.json:1: allowed[0].{key}: missing key; this form has case, step and reason",
        FORMS,
    )


def test_an_expiry_makes_an_entry_the_bound_form() -> None:
    entry = {"case": "A", "step": 4, "reason": "r", "expires": "2026-03-01"}
    assert fault(json.dumps({"allowed": [entry]}))[0].startswith("gate/policy.json:1: allowed[0].field: missing key")


@pytest.mark.parametrize(
    ("keys", "what"),
    [
        ({"case": 3}, "case: expected a string, got the number 3"),
        ({"case": None}, "case: expected a string, got null"),
        ({"case": ["A"]}, "case: expected a string, got a list"),
        ({"case": "A", "command": "add"}, 'case: expected exactly one of "case" and "command"'),
        ({"step": True}, "step: expected a whole number, got the word true"),
        ({"step": "4"}, 'step: expected a whole number, got the string "4"'),
        ({"step": 4.0}, "step: expected a whole number, got the number 4.0"),
        ({"step": -1}, "step: expected a step number of 0 or more, got -1"),
        ({"step": None}, "step: expected a whole number, got null"),
        ({"field": ["status"]}, "field: expected a string, got a list"),
        ({"field": ""}, "field: expected words, got none"),
        ({"reason": ""}, "reason: expected words, got none"),
        ({"reviewer": " "}, "reviewer: expected words, got none"),
        ({"reviewer": False}, "reviewer: expected a string, got the word false"),
        ({"old": 0}, 'old: expected null, a string, {"sha256": "…"} or {"b64": "…"}, got the number 0'),
        ({"old": False}, 'old: expected null, a string, {"sha256": "…"} or {"b64": "…"}, got the word false'),
        ({"old": ["0"]}, 'old: expected null, a string, {"sha256": "…"} or {"b64": "…"}, got a list'),
        ({"old": {}}, 'old: expected null, a string, {"sha256": "…"} or {"b64": "…"}, got an object with the keys '),
        (
            {"old": {"b64": "", "sha256": ""}},
            'old: expected null, a string, {"sha256": "…"} or {"b64": "…"}, got an object with the keys "b64", "sha256"',
        ),
        ({"new": {"b64": "%"}}, 'new.b64: expected base64, got the string "%"'),
        ({"new": {"b64": 1}}, "new.b64: expected a base64 string, got the number 1"),
        ({"new": {"sha256": "ab"}}, 'new.sha256: expected 64 lower-case hexadecimal digits, got the string "ab"'),
        (
            {"new": {"sha256": "AB" * 32}},
            f'new.sha256: expected 64 lower-case hexadecimal digits, got the string "{("AB" * 32)[:60]}"',
        ),
        ({"new": "0"}, "new: expected another value than old: an entry allows a change"),
        ({"new": {"b64": "MA=="}}, "new: expected another value than old: an entry allows a change"),
        ({"expires": "soon"}, 'expires: expected a date YYYY-MM-DD, got the string "soon"'),
        ({"expires": "2026-02-30"}, 'expires: expected a date YYYY-MM-DD, got the string "2026-02-30"'),
        ({"expires": "20260301"}, 'expires: expected a date YYYY-MM-DD, got the string "20260301"'),
        ({"expires": "2026-03-01T00:00Z"}, 'expires: expected a date YYYY-MM-DD, got the string "2026-03-01T00:00Z"'),
        ({"expires": None}, "expires: expected a date YYYY-MM-DD, got null"),
    ],
)
def test_a_wrong_type_is_refused_and_never_guessed(keys: dict[str, Any], what: str) -> None:
    """Faults 101 and 102."""
    assert fault(one(**keys))[0] == f"gate/policy.json:3: allowed[0].{what}"


def test_a_number_where_text_belongs_is_answered_with_the_text() -> None:
    """Fault 101."""
    assert fault(one(new=1.1))[1] == 'A value is text: write "1.1".'
    assert fault(one(case=3))[1] == 'Put it in double quotes: "3".'


def test_the_error_on_an_expiry_says_when_a_date_ends() -> None:
    """Fault 124."""
    assert fault(one(expires="soon"))[1] == (
        "Write a day of the calendar; a date is valid through the end of that day in UTC, with no grace after it. "
        "Leave the key out for no end."
    )


def test_a_fault_in_the_last_entry_leaves_nothing_of_the_first() -> None:
    """Fault 102: no partial load."""
    text = json.dumps({"allowed": [BOUND, BOUND | {"field": 1}]}, indent=1)
    assert fault(text)[0] == "gate/policy.json:15: allowed[1].field: expected a string, got the number 1"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"case": "A", "step": 4, "reason": "one"}, {"case": "A", "step": 4, "reason": "another"}),
        (BOUND, BOUND | {"reason": "another", "reviewer": "Bo", "expires": "2026-03-01"}),
        (BOUND, BOUND | {"old": {"b64": "MA=="}}),
    ],
)
def test_the_same_binding_twice_is_refused_with_both_lines(first: dict[str, Any], second: dict[str, Any]) -> None:
    text = f'{{"allowed": [\n{json.dumps(first)},\n{json.dumps(second)}\n]}}'
    assert fault(text) == (
        "gate/policy.json:3: allowed[1]: expected each binding once, but line 2 has the same",
        "Delete one of the two; where reasons or dates differ, decide which one holds.",
    )


def test_an_open_and_a_bound_entry_may_stand_at_one_step() -> None:
    both = {"allowed": [{"case": "A", "step": 4, "reason": "asked for"}, BOUND]}
    assert parse_policy(json.dumps(both).encode()) == policy(opened(), bound("0", "1"))


def test_a_file_is_read_and_named(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    file.write_text(one())
    assert read_policy(file) == policy(bound("0", "1"))
    file.write_text("{}")
    with pytest.raises(PolicyError) as caught:
        read_policy(file)
    assert caught.value.what == f'{file}:1: top level: missing key "allowed"'


def test_a_missing_file_is_empty_only_when_the_caller_says_so(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    assert read_policy(file, missing_ok=True) == Policy()
    with pytest.raises(PolicyError) as caught:
        read_policy(file)
    assert caught.value.diagnostics() == (
        f'{file}: expected a policy, found no such file\nWrite {{"allowed": []}} into it to allow nothing.'
    )


def test_a_folder_in_the_place_of_the_file_is_refused_even_where_it_may_be_missing(tmp_path: Path) -> None:
    with pytest.raises(PolicyError) as caught:
        read_policy(tmp_path, missing_ok=True)
    assert caught.value.what == f"{tmp_path}: expected a readable file, got: Is a directory"


def test_values_keep_their_bytes() -> None:
    read = parse_policy(one(old="a\r\n", new="a\n").encode())
    assert read == policy(bound(expected("a\r\n"), expected("a\n")))
