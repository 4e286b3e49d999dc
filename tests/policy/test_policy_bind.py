from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from policy_cases import DELTAS, POLICIES, TODAY, bound, canonical, change, delta, opened, policy

from gate.diff.findings import Canonical, Delta, Placeholder
from gate.errors import PolicyError
from gate.policy.bind import Binding, Bound, bind
from gate.policy.load import parse_policy
from gate.policy.match import judge
from gate.policy.model import OpenEntry, Policy
from gate.policy.render import render_policy


def test_an_open_entry_becomes_one_entry_for_each_change_at_its_step() -> None:
    status, stdout = change("0", "1"), change("a\n", None, "stdout")
    rows = [delta(status, stdout), delta(change("0", "2"), step=5), delta(change("0", "3"), case="A1")]
    before = policy(bound("x", "y", command="list"), opened(reason="asked for in #7"), opened("Z", 1))
    made = (bound("0", "1", reason="asked for in #7"), bound("a\n", None, "stdout", reason="asked for in #7"))
    assert bind(before, rows, "Ada") == Bound(
        policy=policy(before.entries[0], *made, opened("Z", 1)),
        bindings=(Binding(entry=made[0], change=status), Binding(entry=made[1], change=stdout)),
        replaced=(before.entries[1],),
        notes=('policy.json: case "Z" step 1: nothing observed there; the entry is left as it is; drop it?',),
    )


def test_a_repeated_record_is_not_bound() -> None:
    assert bind(policy(opened()), [delta(change("0", "1"), occurrence=2)], "Ada").policy == policy(opened())


def test_what_is_bound_is_shown_with_the_value_behind_a_digest() -> None:
    escape = canonical("1\x1b[2J\n")
    long = "x" * 201
    printed = canonical("<uuid:1>")
    cut = Canonical(tokens=(b"head",), size=9000, sha256="a" * 64)
    rows = [
        delta(
            change("0", escape),
            change(long, printed, "stdout"),
            change(canonical(Placeholder(rule="uuid", number=1)), cut, "stderr"),
            change(None, "", "files"),
        )
    ]
    result = bind(policy(opened()), rows, "Ada")
    assert [str(binding) for binding in result.bindings] == [
        f'case "A" step 4, "status": "0" -> "1\\u001b[2J\\n" as sha256:{escape.digest}',
        f'case "A" step 4, "stdout": "{long}" as sha256:{canonical(long).digest} -> "<uuid:1>" as sha256:{printed.digest}',
        f'case "A" step 4, "stderr": "<uuid:1>" -> "head"… (cut; 9000 bytes in all) as sha256:{cut.digest}',
        'case "A" step 4, "files": absent -> ""',
    ]


def test_a_value_that_nothing_can_bind_leaves_the_entry_open_and_says_so() -> None:
    stopped = Canonical(tokens=(b"head",), overflow=True)
    result = bind(policy(opened()), [delta(change("0", "1"), change("a", stopped, "stdout"))], "Ada")
    assert result == Bound(
        policy=policy(opened()),
        bindings=(),
        replaced=(),
        notes=(
            'policy.json: case "A" step 4: a change there cannot be bound (a value was stopped at the limit); '
            "the entry is left as it is",
        ),
    )


def test_a_binding_that_stands_already_is_not_doubled_and_its_expiry_is_named() -> None:
    standing = bound("0", "1", expires=date(2026, 3, 1))
    result = bind(policy(opened(), standing), [delta(change("0", "1"))], "Bo")
    assert result == Bound(
        policy=policy(standing),
        bindings=(),
        replaced=(opened(),),
        notes=('policy.json: binds this already, and expires 2026-03-01: case "A" step 4, "status": "0" -> "1"',),
    )


def test_a_reviewer_has_a_name() -> None:
    """Fault 104."""
    with pytest.raises(PolicyError) as caught:
        bind(policy(opened()), [delta(change("0", "1"))], " ")
    assert caught.value.what == "reviewer: expected a name, got none"


def test_binding_narrows_what_a_later_run_may_show() -> None:
    """Fault 97."""
    after = bind(policy(opened()), [delta(change("v1", "v2", "stdout"))], "Ada").policy
    assert judge([delta(change("v1", "v2", "stdout"))], after, today=None).flagged == ()
    assert len(judge([delta(change("v1", "v3", "stdout"))], after, today=None).flagged) == 1


@given(DELTAS, POLICIES)
def test_binding_twice_is_a_no_op_with_identical_bytes(deltas: list[Delta], before: Policy) -> None:
    """Fault 79."""
    once = bind(before, deltas, "Ada").policy
    read = parse_policy(render_policy(once))
    again = bind(read, deltas, "Bo")
    assert (again.bindings, again.replaced) == ((), ())
    assert again.policy is read
    assert render_policy(again.policy) == render_policy(once)


@given(DELTAS, POLICIES)
def test_binding_changes_no_verdict_on_the_run_that_it_was_made_from(deltas: list[Delta], before: Policy) -> None:
    """Fault 79: what was approved passes on the next run."""
    lasting = policy(*(entry for entry in before.entries if isinstance(entry, OpenEntry) or entry.expires is None))
    after = bind(lasting, deltas, "Ada").policy
    then, now = judge(deltas, lasting, today=None), judge(deltas, after, today=None)
    assert [row.allowed for row in now.rows] == [row.allowed for row in then.rows]
    assert now.open_used == ()


@given(DELTAS, DELTAS, POLICIES)
def test_binding_never_allows_more(deltas: list[Delta], later: list[Delta], before: Policy) -> None:
    after = bind(before, deltas, "Ada").policy
    then, now = judge(later, before, today=TODAY), judge(later, after, today=TODAY)
    for old, new in zip(then.rows, now.rows, strict=True):
        assert old.allowed or not new.allowed


def test_the_version_of_a_file_is_kept() -> None:
    before = replace(policy(opened()), version=1)
    after = bind(before, [delta(change("0", "1"))], "Ada").policy
    assert after == replace(policy(bound("0", "1")), version=1)
