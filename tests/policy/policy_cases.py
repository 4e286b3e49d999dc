"""Deltas, entries and policies for the tests of the policy room."""

from __future__ import annotations

from datetime import date
from typing import Any

from hypothesis import strategies as st

from gate.diff.findings import Canonical, Change, Delta, Placeholder
from gate.domain import CaseId
from gate.policy.expected import Digest, Expected, Text, expected_of
from gate.policy.model import BoundEntry, Entry, OpenEntry, Policy

TODAY = date(2026, 3, 1)


def canonical(*tokens: str | bytes | Placeholder) -> Canonical:
    return Canonical(tokens=tuple(token.encode() if isinstance(token, str) else token for token in tokens if token))


def observed(value: Canonical | str | None) -> Canonical | None:
    return canonical(value) if isinstance(value, str) else value


def change(old: Canonical | str | None, new: Canonical | str | None, field: str = "status") -> Change:
    return Change(field=field, old=observed(old), new=observed(new), kind="value")


def delta(*changes: Change, case: str = "A", step: int = 4, command: str = "add", occurrence: int = 1) -> Delta:
    return Delta(case=CaseId(case), step=step, command=command, occurrence=occurrence, changes=changes)


def opened(case: str = "A", step: int = 4, reason: str = "asked for") -> OpenEntry:
    return OpenEntry(case=CaseId(case), step=step, reason=reason)


def expected(value: str | Expected) -> Expected:
    return Text(data=value.encode()) if isinstance(value, str) else value


def bound(old: str | Expected, new: str | Expected, field: str = "status", **keys: Any) -> BoundEntry:
    """At case A, step 4, unless told otherwise."""
    scope = {} if {"case", "command"} & set(keys) else {"case": CaseId("A"), "step": 4}
    words = {"reason": "asked for", "reviewer": "Ada"} | scope | keys
    return BoundEntry(old=expected(old), new=expected(new), field=field, **words)


def policy(*entries: Entry) -> Policy:
    return Policy(entries=entries)


# Few names and values, so that entries and changes meet often.
CASES = st.sampled_from(["A", "A1", "B"]).map(CaseId)
COMMANDS = st.sampled_from(["add", "list"])
FIELDS = st.sampled_from(["status", "stdout"])
STEPS = st.integers(0, 2)
CANONICALS = st.sampled_from(
    [
        canonical(),
        canonical("0"),
        canonical("1"),
        canonical("1\n"),
        canonical("id <uuid:1>"),
        canonical("id ", Placeholder(rule="uuid", number=1)),
        canonical(b"\xff"),
        Canonical(tokens=(b"1",), size=9, sha256="a" * 64),
        Canonical(tokens=(b"1",), size=9, sha256="b" * 64),
    ]
)
OBSERVED = st.none() | CANONICALS
PAIRS = st.tuples(OBSERVED, OBSERVED).filter(lambda pair: pair[0] != pair[1])
CHANGES = st.builds(lambda pair, field: change(*pair, field=field), PAIRS, FIELDS)
DELTAS = st.lists(
    st.builds(
        lambda case, step, command, occurrence, changes: delta(
            *changes, case=case, step=step, command=command, occurrence=occurrence
        ),
        CASES,
        STEPS,
        COMMANDS,
        st.sampled_from([1, 1, 1, 2]),
        st.lists(CHANGES, min_size=1, max_size=3, unique_by=lambda each: each.field),
    ),
    max_size=4,
    unique_by=lambda each: (each.case, each.step, each.occurrence),
)


def _either(value: Canonical | None, by_digest: bool) -> Expected:
    return Digest(sha256=value.digest) if by_digest and value is not None else expected_of(value)


SCOPES = st.one_of(
    st.builds(lambda case, step: {"case": case, "step": step}, CASES, STEPS),
    st.builds(lambda case: {"case": case}, CASES),
    st.builds(lambda command: {"command": command}, COMMANDS),
)
BOUND = st.builds(
    lambda pair, digests, field, scope, expires: bound(
        _either(pair[0], digests), _either(pair[1], digests), field, expires=expires, **scope
    ),
    PAIRS,
    st.booleans(),
    FIELDS,
    SCOPES,
    st.sampled_from([None, None, date(2026, 2, 28), date(2026, 3, 1)]),
)
OPENED = st.builds(opened, CASES, STEPS)
ENTRIES = st.lists(BOUND | OPENED, max_size=6, unique_by=lambda entry: entry.binding)
POLICIES = ENTRIES.map(lambda entries: policy(*entries))
