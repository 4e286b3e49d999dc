from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from policy_cases import CANONICALS, OBSERVED, bound, canonical, opened, policy

from gate.diff.findings import Canonical, Placeholder
from gate.policy.expected import Digest, Text, binding_key, expected_of, holds, parse_text
from gate.policy.model import DuplicateEntryError, EntryError

UUID = Placeholder(rule="uuid", number=1)


def test_a_text_binds_the_whole_value_only() -> None:
    """Faults 74 and 95."""
    ok = Text(data=b"ok")
    assert holds(ok, canonical("ok"))
    for other in ("ok\n", "o", "ok ", " ok", "OK", "ok ok"):
        assert not holds(ok, canonical(other))
    assert not holds(Text(data=b"...OK..."), canonical("ERROR ... OK"))
    assert not holds(Text(data=b".*"), canonical("anything"))
    assert holds(Text(data=b".*"), canonical(".*"))


def test_absence_is_not_the_empty_value() -> None:
    assert holds(None, None)
    assert not holds(None, canonical())
    assert not holds(Text(data=b""), None)
    assert holds(Text(data=b""), canonical())


def test_a_text_with_a_placeholder_binds_the_placeholder_and_not_the_same_letters() -> None:
    text = Text(data=b"id <uuid:1>\n")
    assert holds(text, canonical("id ", UUID, "\n"))
    assert not holds(text, canonical("id <uuid:1>\n"))


def test_printed_letters_that_look_like_a_placeholder_are_bound_by_digest() -> None:
    printed = canonical("id <uuid:1>\n")
    assert expected_of(printed) == Digest(sha256=printed.digest)
    assert holds(Digest(sha256=printed.digest), printed)
    assert not holds(Digest(sha256=printed.digest), canonical("id ", UUID, "\n"))


def test_letters_and_placeholders_that_only_together_spell_a_placeholder_are_bound_by_digest() -> None:
    shaped = Placeholder(rule="ts", shape="frac3:1")
    numbered = Placeholder(rule="ts", shape="frac3", number=1)
    assert str(shaped) == str(numbered)
    assert expected_of(canonical(numbered)) == Text(data=b"<ts+frac3:1>")
    assert not holds(Text(data=b"<ts+frac3:1>"), canonical(shaped))
    assert not holds(Text(data=b"<a<uuid:1>"), canonical("<a<uuid:1>"))
    assert holds(Text(data=b"<a<uuid:1>"), canonical("<a", UUID))


def test_a_value_that_was_cut_is_bound_by_digest_only() -> None:
    cut = Canonical(tokens=(b"head",), size=9000, sha256="a" * 64)
    assert expected_of(cut) == Digest(sha256=cut.digest)
    assert not holds(Text(data=b"head"), cut)
    assert not holds(Digest(sha256=canonical("head").digest), cut)
    assert not holds(Digest(sha256=cut.digest), Canonical(tokens=(b"head",), size=9001, sha256="b" * 64))


def test_nothing_binds_a_stream_that_was_stopped_without_a_digest_of_all_that_was_seen() -> None:
    stopped = Canonical(tokens=(b"head",), overflow=True)
    assert not holds(expected_of(stopped), stopped)
    assert not holds(Text(data=b"head"), stopped)
    assert not holds(Digest(sha256=canonical("head").digest), stopped)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a" * 200, True),
        (b"a" * 201, False),
        (b"a\tb\n", True),
        (b"a\rb", False),
        ("Grüße\n".encode(), True),
        ("a\u202eb".encode(), False),
        ("a\u00a0b".encode(), False),
        (b"\xff", False),
    ],
)
def test_short_values_that_show_themselves_are_bound_as_text(data: bytes, text: bool) -> None:
    value = canonical(data)
    assert expected_of(value) == (Text(data=data) if text else Digest(sha256=value.digest))


@given(st.binary() | st.text(alphabet="<uid+:19>a", max_size=20).map(str.encode))
def test_a_text_spells_one_value_and_that_value_spells_the_text(data: bytes) -> None:
    assert parse_text(data).text == data


@given(OBSERVED, OBSERVED)
def test_what_the_gate_binds_holds_for_that_value_and_no_other(
    value: Canonical | None, other: Canonical | None
) -> None:
    assert holds(expected_of(value), other) == (value == other)
    assert (binding_key(expected_of(value)) == binding_key(expected_of(other))) == (value == other)


@given(CANONICALS, CANONICALS)
def test_a_digest_holds_for_that_value_and_no_other(value: Canonical, other: Canonical) -> None:
    assert holds(Digest(sha256=value.digest), other) == (value == other)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"case": "A", "command": "add"}, 'case: expected exactly one of "case" and "command"'),
        ({"case": None}, 'case: expected exactly one of "case" and "command"'),
        ({"command": "add", "step": 1}, 'step: expected no step beside "command": a step is a step of a case'),
        ({"case": "A", "step": -1}, "step: expected a step number of 0 or more, got -1"),
        ({"case": "A", "step": True}, "step: expected a step number of 0 or more, got True"),
        ({"case": ""}, "case: expected words, got none"),
        ({"command": " "}, "command: expected words, got none"),
        ({"reason": " \n"}, "reason: expected words, got none"),
        ({"reviewer": ""}, "reviewer: expected words, got none"),
        ({"new": Text(data=b"0")}, "new: expected another value than old: an entry allows a change"),
        (
            {"new": Digest(sha256=canonical("0").digest)},
            "new: expected another value than old: an entry allows a change",
        ),
        ({"old": None, "new": None}, "new: expected another value than old: an entry allows a change"),
    ],
)
def test_an_entry_that_means_nothing_cannot_be_made(keys: dict[str, object], expected: str) -> None:
    with pytest.raises(EntryError) as caught:
        bound(**({"old": "0", "new": "1"} | keys))  # type: ignore[arg-type]
    assert str(caught.value) == expected


def test_an_open_entry_needs_a_reason() -> None:
    with pytest.raises(EntryError) as caught:
        opened(reason="")
    assert str(caught.value) == "reason: expected words, got none"


def test_text_and_digest_of_one_value_are_the_same_binding() -> None:
    with pytest.raises(DuplicateEntryError) as caught:
        policy(opened(), bound("0", "1"), bound("0", Digest(sha256=canonical("1").digest), reason="another"))
    assert (caught.value.first, caught.value.second) == (1, 2)


def test_an_entry_holds_on_its_last_day_and_not_after() -> None:
    """Fault 124."""
    entry = bound("0", "1", expires=date(2026, 3, 1))
    assert [entry.expired(date(2026, 2, 28)), entry.expired(date(2026, 3, 1)), entry.expired(date(2026, 3, 2))] == [
        False,
        False,
        True,
    ]
