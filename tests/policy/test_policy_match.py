from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from policy_cases import (
    BOUND,
    DELTAS,
    ENTRIES,
    OPENED,
    POLICIES,
    TODAY,
    bound,
    canonical,
    change,
    delta,
    opened,
    policy,
)

from gate.diff.findings import Canonical, Delta, Placeholder
from gate.domain import CaseId
from gate.errors import PolicyError
from gate.policy.expected import Digest, binding_key
from gate.policy.load import parse_policy
from gate.policy.match import JudgedChange, JudgedDelta, Judgement, judge
from gate.policy.model import BoundEntry, Entry, Policy


def verdicts(*entries: Entry, deltas: list[Delta], today: date | None = TODAY) -> list[bool]:
    return [row.allowed for row in judge(deltas, policy(*entries), today=today).rows]


def namers(*entries: Entry, deltas: list[Delta]) -> list[Entry | None]:
    return [judged.allowed_by for row in judge(deltas, policy(*entries), today=TODAY).rows for judged in row.changes]


def flags(judgement: Judgement) -> set[tuple[CaseId, int, int, str]]:
    return {
        (row.delta.case, row.delta.step, row.delta.occurrence, judged.change.field)
        for row in judgement.rows
        for judged in row.changes
        if judged.allowed_by is None
    }


def test_a_judgement_says_for_each_change_who_allowed_it() -> None:
    entry = bound("0", "1")
    stdout = change("a", "b", "stdout")
    row = delta(change("0", "1"), stdout)
    whole = policy(entry)
    assert judge([row], whole, today=None) == Judgement(
        policy=whole,
        rows=(
            JudgedDelta(
                delta=row,
                changes=(
                    JudgedChange(change=row.changes[0], allowed_by=entry),
                    JudgedChange(change=stdout, allowed_by=None),
                ),
            ),
        ),
        unused=(),
        expired=(),
        open_used=(),
    )


def test_a_row_is_allowed_only_when_all_its_changes_are() -> None:
    row = delta(change("0", "1"), change("a", "b", "stdout"), change("c", "d", "stderr"))
    judgement = judge([row], policy(bound("0", "1")), today=None)
    assert [judgement.allowed, judgement.flagged] == [(), judgement.rows]
    assert judgement.rows[0].note == '1 of 3 changes are allowed; flagged because of "stdout", "stderr"'
    entries = (bound("0", "1"), bound("a", "b", "stdout"), bound("c", "d", "stderr"))
    judgement = judge([row], policy(*entries), today=None)
    assert [judgement.allowed, judgement.flagged] == [judgement.rows, ()]
    assert judgement.rows[0].note == ""


def test_a_row_with_nothing_allowed_needs_no_note() -> None:
    assert judge([delta(change("0", "1"))], policy(), today=None).rows[0].note == ""


def test_a_row_without_changes_is_not_allowed() -> None:
    assert verdicts(opened(), deltas=[delta()]) == [False]


def test_an_old_entry_does_not_swallow_a_later_change() -> None:
    """Fault 97."""
    entry = bound("v1", "v2", "stdout")
    assert verdicts(entry, deltas=[delta(change("v1", "v2", "stdout"))]) == [True]
    later = [
        delta(change("v1", "v3", "stdout")),
        delta(change("v2", "v3", "stdout")),
        delta(change("v2", "v1", "stdout")),
        delta(change("v1", None, "stdout")),
        delta(change(None, "v2", "stdout")),
        delta(change("v1", "v2", "status")),
        delta(change("v1", "v2", "stdout "), step=4),
        delta(change("v1", "v2", "stdout"), change("0", "1", "status")),
    ]
    assert verdicts(entry, deltas=later) == [False] * len(later)


def test_an_entry_is_unused_once_the_baseline_has_the_new_value() -> None:
    """Faults 96 and 97: the message gives the lines to delete."""
    read = parse_policy(
        b'{"allowed": [\n{"case": "A", "step": 4, "field": "status", "old": "0",\n'
        b' "new": "1", "reason": "r", "reviewer": "Ada"}\n]}'
    )
    judgement = judge([], read, today=None)
    assert judgement.unused == read.entries
    assert judgement.warnings == (
        'policy.json lines 2-3: case "A" step 4, "status": "0" -> "1": unused, it allowed nothing in this run; '
        "delete lines 2-3",
    )


def test_a_case_is_matched_whole_and_never_by_prefix() -> None:
    """Fault 75."""
    row = change("0", "1")
    rows = [delta(row, case="seq-1"), delta(row, case="seq-10"), delta(row, case="seq-")]
    assert verdicts(opened("seq-1"), deltas=rows) == [True, False, False]
    assert verdicts(bound("0", "1", case="seq-1"), deltas=rows) == [True, False, False]
    assert verdicts(bound("0", "1", case="seq-1", step=4), deltas=rows) == [True, False, False]


def test_a_command_is_matched_whole() -> None:
    """Fault 95."""
    rows = [delta(change("0", "1"), command=word) for word in ("list", "list --all", "lis", "List", "./list")]
    assert verdicts(bound("0", "1", command="list"), deltas=rows) == [True, False, False, False, False]


def test_a_value_is_matched_whole_to_its_last_byte() -> None:
    """Faults 74 and 95."""
    assert verdicts(
        bound("no", "ok", "stdout"),
        bound("x", "...OK...", "stdout"),
        deltas=[delta(change("no", "ok\n", "stdout")), delta(change("x", "ERROR ... OK", "stdout"))],
    ) == [False, False]


@pytest.mark.parametrize("wild", ["*", ".*", "", "?", "[A-Z]"])
def test_there_are_no_wildcards(wild: str) -> None:
    """Fault 94."""
    rows = [delta(change("0", "1", "stdout"))]
    assert verdicts(bound("0", wild, "stdout"), deltas=rows) == [False]
    if wild:
        assert verdicts(
            opened(case=wild), bound("0", "1", wild), bound("0", "1", "stdout", command=wild), deltas=rows
        ) == [False]


def test_an_open_entry_allows_any_change_at_its_step_and_is_named_for_it() -> None:
    entry = opened()
    rows = [
        delta(change("0", "1"), change("a", None, "stdout")),
        delta(change("0", "1"), step=5),
        delta(change("0", "1"), case="B"),
    ]
    judgement = judge(rows, policy(entry), today=None)
    assert [row.allowed for row in judgement.rows] == [True, False, False]
    assert judgement.open_used == (entry,)
    assert judgement.warnings == (
        'policy.json: case "A" step 4: this entry allows ANY change at that step (reason: "asked for"); '
        "bind it to what was reviewed: gate policy bind",
    )


def test_a_repeated_record_is_not_what_a_step_names() -> None:
    rows = [delta(change("0", "1"), occurrence=occurrence) for occurrence in (1, 2)]
    assert verdicts(opened(), deltas=rows) == [True, False]
    assert verdicts(bound("0", "1"), deltas=rows) == [True, False]
    assert verdicts(bound("0", "1", case="A"), deltas=rows) == [True, True]
    assert verdicts(bound("0", "1", command="add"), deltas=rows) == [True, True]


def test_the_narrowest_entry_is_named_and_the_wider_ones_are_unused() -> None:
    by_step, by_case, by_command = bound("0", "1"), bound("0", "1", case="A"), bound("0", "1", command="add")
    rows = [delta(change("0", "1"))]
    entries = [opened(), by_command, by_case, by_step]
    while entries:
        assert namers(*entries, deltas=rows) == [entries[-1]]
        assert judge(rows, policy(*entries), today=None).unused == tuple(entries[:-1])
        entries.pop()


def test_an_added_or_missing_step_is_bound_by_absence() -> None:
    rows = [delta(change(None, "0")), delta(change("0", None)), delta(change("", "0")), delta(change("0", ""))]
    assert verdicts(bound(None, "0"), bound("0", None), deltas=rows) == [True, True, False, False]


def test_an_entry_that_matches_a_noise_rule_still_has_to_bind_the_value() -> None:
    """Fault 52: `flags=0x0` to `flags=0x1` is flagged even where a rule for addresses matches."""
    masked = replace(change("flags=0x0 mode=0x2", "flags=0x1 mode=0x2", "stdout"), masked_by="address")
    assert verdicts(deltas=[delta(masked)]) == [False]
    assert verdicts(bound("flags=<address>", "flags=<address:1> mode=<address>", "stdout"), deltas=[delta(masked)]) == [
        False
    ]
    assert verdicts(bound("flags=0x0 mode=0x2", "flags=0x1 mode=0x2", "stdout"), deltas=[delta(masked)]) == [True]


def test_literal_output_that_looks_like_a_placeholder_is_not_the_placeholder() -> None:
    entry = bound("none", "id <uuid:1>", "stdout")
    taken = canonical("id ", Placeholder(rule="uuid", number=1))
    printed = canonical("id <uuid:1>")
    rows = [delta(change("none", value, "stdout")) for value in (taken, printed)]
    assert verdicts(entry, deltas=rows) == [True, False]
    assert verdicts(bound("none", Digest(sha256=printed.digest), "stdout"), deltas=rows) == [False, True]


def test_a_value_that_was_cut_is_allowed_by_its_digest_only() -> None:
    cut = Canonical(tokens=(b"head",), size=9000, sha256="a" * 64)
    rows = [delta(change("none", cut, "stdout"))]
    assert verdicts(bound("none", "head", "stdout"), deltas=rows) == [False]
    assert verdicts(bound("none", Digest(sha256=cut.digest), "stdout"), deltas=rows) == [True]


def test_an_expired_entry_allows_nothing_and_is_named_with_the_rule() -> None:
    """Fault 124: valid through the end of the day in UTC."""
    entry = bound("0", "1", expires=date(2026, 3, 1))
    rows = [delta(change("0", "1"))]
    assert verdicts(entry, deltas=rows, today=date(2026, 3, 1)) == [True]
    judgement = judge(rows, policy(entry), today=date(2026, 3, 2))
    sentence = (
        'policy.json: case "A" step 4, "status": "0" -> "1": expired, last day 2026-03-01: '
        "a date is valid through the end of that day in UTC, with no grace after it; "
        "it allows nothing: review it anew or delete it"
    )
    assert judgement == Judgement(
        policy=policy(entry),
        rows=(
            JudgedDelta(
                delta=rows[0],
                changes=(JudgedChange(change=rows[0].changes[0], allowed_by=None, note=sentence),),
            ),
        ),
        unused=(),
        expired=(entry,),
        open_used=(),
    )
    assert judgement.warnings == (sentence,)


def test_an_expired_entry_gives_way_to_a_wider_one_that_still_holds() -> None:
    wider = bound("0", "1", command="add")
    row = delta(change("0", "1"))
    judgement = judge([row], policy(bound("0", "1", expires=date(2026, 1, 1)), wider), today=TODAY)
    assert judgement.rows[0].changes == (JudgedChange(change=row.changes[0], allowed_by=wider),)


def test_an_expiry_without_a_day_to_judge_for_is_an_error_even_when_nothing_changed() -> None:
    with pytest.raises(PolicyError) as caught:
        judge([], policy(bound("0", "1", expires=date(2026, 3, 1))), today=None)
    assert caught.value.what == "policy.json: expected the day to judge for, because an entry expires; got none"


@given(DELTAS)
def test_an_empty_policy_flags_everything(deltas: list[Delta]) -> None:
    judgement = judge(deltas, Policy(), today=None)
    assert judgement.flagged == judgement.rows
    assert [row.delta for row in judgement.rows] == deltas
    assert len(flags(judgement)) == sum(len(each.changes) for each in deltas)


@given(DELTAS, POLICIES, BOUND | OPENED)
def test_adding_an_allow_entry_never_adds_a_flag(deltas: list[Delta], whole: Policy, entry: Entry) -> None:
    bindings = {each.binding for each in whole.entries}
    if entry.binding in bindings:
        return
    more = policy(*whole.entries, entry)
    assert flags(judge(deltas, more, today=TODAY)) <= flags(judge(deltas, whole, today=TODAY))


@given(DELTAS, ENTRIES.flatmap(lambda entries: st.tuples(st.just(entries), st.permutations(entries))))
def test_the_order_of_entries_changes_nothing(deltas: list[Delta], orders: tuple[list[Entry], list[Entry]]) -> None:
    one, other = (judge(deltas, policy(*entries), today=TODAY) for entries in orders)
    assert one.rows == other.rows
    assert set(one.unused) == set(other.unused)
    assert set(one.expired) == set(other.expired)
    assert set(one.open_used) == set(other.open_used)


@given(DELTAS, POLICIES)
def test_without_its_unused_and_expired_entries_a_policy_says_the_same(deltas: list[Delta], whole: Policy) -> None:
    judgement = judge(deltas, whole, today=TODAY)
    idle = {*judgement.unused, *judgement.expired}
    kept = policy(*(entry for entry in whole.entries if entry not in idle))
    again = judge(deltas, kept, today=TODAY)
    assert flags(again) == flags(judgement)
    assert again.unused == ()
    assert len(kept.entries) + len(idle) == len(whole.entries)


@given(DELTAS, BOUND)
def test_an_entry_allows_no_change_with_another_scope_field_or_value(deltas: list[Delta], entry: BoundEntry) -> None:
    for row in judge(deltas, policy(entry), today=TODAY).rows:
        for judged in row.changes:
            if judged.allowed_by is None:
                continue
            assert entry.field == judged.change.field
            assert binding_key(entry.old) == (judged.change.old and judged.change.old.digest)
            assert binding_key(entry.new) == (judged.change.new and judged.change.new.digest)
            assert entry.case in (None, row.delta.case)
            assert entry.command in (None, row.delta.command)
            assert entry.step in (None, row.delta.step)
            assert not entry.expired(TODAY)


@given(DELTAS, BOUND)
def test_an_entry_allows_every_change_that_it_binds(deltas: list[Delta], entry: BoundEntry) -> None:
    """The converse: an entry that allowed nothing had nothing that it binds."""
    judgement = judge(deltas, policy(replace(entry, expires=None)), today=None)
    allowed = {
        (row.delta.case, row.delta.step, row.delta.occurrence, judged.change.field)
        for row in judgement.rows
        for judged in row.changes
        if judged.allowed_by is not None
    }
    assert allowed == {
        (each.case, each.step, each.occurrence, change.field)
        for each in deltas
        for change in each.changes
        if (entry.command, entry.case) in ((each.command, None), (None, each.case))
        and entry.step in (None, each.step)
        and (entry.step is None or each.occurrence == 1)
        and entry.field == change.field
        and binding_key(entry.old) == (change.old and change.old.digest)
        and binding_key(entry.new) == (change.new and change.new.digest)
    }
