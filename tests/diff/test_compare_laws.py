"""The laws of comparing, over drawn runs."""

import pytest
from diff_cases import BUILT_IN, CASE, UNHURRIED, compare, rules
from hypothesis import given
from hypothesis import strategies as st

from gate.diff.compare import compare_case
from gate.diff.evidence import Evidence, gather
from gate.diff.findings import Comparison
from gate.diff.rules import NoiseRule
from gate.domain import Record, value

pytestmark = pytest.mark.slow

U1 = b"550e8400-e29b-41d4-a716-446655440000"
U2 = b"6ba7b810-9dad-11d1-80b4-00c04fd430c8"
RULES = rules(NoiseRule(name="n", pattern=r"\d+"), NoiseRule(name="job", pattern="job-[a-z]", identity=True))
WORDS = [b"1", b"2", b"12ms", b"7ms", U1, U2, b"job-a", b"job-b", b"x", b"y", b"\xff", b"| /tmp/a   |", b"| /tmp/abc |"]

data = st.lists(st.sampled_from(WORDS), max_size=3).map(b" ".join)
names = st.sampled_from(["status", "stdout", "stderr", "files", "files:job-a", "files:job-b", "files:x", "rows"])
records = st.builds(
    lambda step, command, fields: Record(
        case=CASE, step=step, command=command, fields={name: value(held) for name, held in fields.items()}
    ),
    st.integers(0, 2),
    st.sampled_from(["get", "put"]),
    st.dictionaries(names, data, max_size=4),
)
one_run = st.lists(records, max_size=4)
sides = st.lists(one_run, min_size=1, max_size=3)
evidence = st.lists(st.lists(one_run, min_size=2, max_size=3), max_size=3).map(lambda cases: gather(cases, RULES))


def places(comparison: Comparison) -> set[tuple[int, int, str]]:
    """Every check that differs, whatever it is called."""
    changes = {(delta.step, delta.occurrence, change.field) for delta in comparison.deltas for change in delta.changes}
    return changes | {(row.step, row.occurrence, row.field) for row in comparison.unstable}


def findings(comparison: Comparison) -> tuple[object, ...]:
    """All that a comparison says; of an abstention the set of values, not their order."""
    abstentions = [
        (row.step, row.occurrence, row.command, row.field, row.side, set(row.baseline), set(row.candidate))
        for row in comparison.unstable
    ]
    return (comparison.deltas, abstentions, comparison.verified, comparison.steps, comparison.substitutions)


@UNHURRIED
@given(one_run, evidence)
def test_a_trace_never_differs_from_itself(run, shown):
    found = compare([run, run], [run], RULES, shown)
    assert (found.deltas, found.unstable, found.steps) == ((), (), len(run))


@UNHURRIED
@given(sides, sides, evidence)
def test_every_check_is_counted_once(old, new, shown):
    found = compare(old, new, RULES, shown)
    assert len(places(found)) + found.verified == found.checks


@UNHURRIED
@given(one_run, one_run)
def test_single_runs_differ_both_ways_or_neither(left, right):
    assert places(compare([left], [right], RULES)) == places(compare([right], [left], RULES))


@UNHURRIED
@given(st.data(), sides, sides, evidence)
def test_the_order_of_the_runs_changes_no_finding(draw, old, new, shown):
    shuffled_old, shuffled_new = (draw.draw(st.permutations(side)) for side in (old, new))
    assert findings(compare(old, new, RULES, shown)) == findings(compare(shuffled_old, shuffled_new, RULES, shown))


@UNHURRIED
@given(one_run, one_run)
def test_without_evidence_every_byte_counts(left, right):
    """Fault 52: single runs show no variation, so no rule may erase anything."""
    found = compare([left], [right], RULES)
    assert (found.deltas == ()) == (left == right)


@UNHURRIED
@given(one_run, one_run, evidence)
def test_a_value_without_noise_that_differs_is_always_found(left, right, shown):
    """Whatever other cases show, a literal difference is a delta."""
    found = compare([left], [right], RULES, shown)
    plain = {b"", b"x", b"y", b"x y", b"y x", b"\xff"}
    first = {(record.step, name): held.data for record in left[:1] for name, held in record.fields.items()}
    other = {(record.step, name): held.data for record in right[:1] for name, held in record.fields.items()}
    for (step, name), held in first.items():
        there = other.get((step, name))
        if there is not None and held in plain and there in plain and held != there and not name.startswith("files:"):
            assert (step, 1, name) in places(found)


@UNHURRIED
@given(sides, sides, evidence, evidence)
def test_more_evidence_never_adds_a_difference_to_stable_sides(old, new, shown, more):
    old, new = [old[0]] * 2, [new[0]] * 2
    assert places(compare(old, new, RULES, shown | more)) <= places(compare(old, new, RULES, shown))


@UNHURRIED
@given(sides)
def test_runs_of_the_baseline_taken_as_a_candidate_show_no_delta(old):
    """A side may disagree with itself, but it cannot have changed."""
    assert compare(old, old, RULES).deltas == ()


@UNHURRIED
@given(st.permutations([U1, U2]), st.permutations([U1, U2]))
def test_swapping_ids_is_seen(first, second):
    def run(ids):
        return [Record(case=CASE, step=1, command="get", fields={"stdout": value(b"made %s by %s" % tuple(ids))})]

    shown = Evidence(slots=gather([[run([U1, U2]), run([U2, U1])]], BUILT_IN).slots)
    steps = [run(first), run(second)]
    sequence = [Record(case=CASE, step=n, command="get", fields=step[0].fields) for n, step in enumerate(steps, 1)]
    straight = [Record(case=CASE, step=n, command="get", fields=run(first)[0].fields) for n in (1, 2)]
    found = compare_case([straight], [sequence], BUILT_IN, shown)
    assert (found.deltas != ()) == (list(first) != list(second))
