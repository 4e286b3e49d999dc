"""What the report says of checks that abstain."""

from gate.diff.findings import Canonical, Comparison, Unstable
from gate.domain import CaseId
from gate.policy.load import parse_policy
from gate.policy.match import judge
from gate.report.conclude import Circumstances, conclude
from gate.report.scorecard import Digests, Runs, ShownCure
from gate.report.unstable_text import check_lines, unstable_table


def text(data):
    return None if data is None else Canonical(tokens=(data,))


def check(baseline, candidate, side="baseline"):
    old, new = (tuple(map(text, values)) for values in (baseline, candidate))
    return Unstable(case=CaseId("A"), step=1, command="get", field="stdout", side=side, baseline=old, candidate=new)


def shown(*checks):
    found = Comparison(deltas=(), unstable=checks, verified=1, cases=1, steps=1)
    told = Circumstances(mode="trace files", canonical=1, digests=Digests(), runs=Runs(repeats=2, confirm=3))
    policy = parse_policy(b'{"allowed": []}', name="policy.json")
    return conclude(found, judge((), policy, today=None), told).unstable


def lines(held):
    return check_lines(held, shown(held)[0])


def test_both_sides_are_told_with_their_counts_and_a_cure():
    assert lines(check([b"hit", b"hit", b"miss", b"hit", b"hit"], [b"miss", b"hit", b"hit", b"hit", b"hit"])) == (
        "the baseline disagrees with itself",
        '  baseline: "hit" in 4 of 5 runs',
        '  baseline: "miss" in 1 of 5 runs',
        '  candidate: "miss" in 1 of 5 runs',
        '  candidate: "hit" in 4 of 5 runs',
        "cure: let the program give one value, or drop the case: gate corpus remove A",
    )


def test_what_became_unstable_is_named_apart_with_both_distributions():
    assert lines(check([b"a"] * 5, [b"a", b"b", None, b"a", b"a"], side="candidate"))[:-1] == (
        "became unstable: only the candidate wavers",
        '  baseline: "a" in 5 of 5 runs',
        '  candidate: "a" in 3 of 5 runs',
        '  candidate: "b" in 1 of 5 runs',
        "  candidate: (absent) in 1 of 5 runs",
    )


def test_a_value_that_the_baseline_never_showed_is_said_so():
    held = check([b"a", b"b"], [b"c", b"c"])
    assert lines(held)[4] == 'new: no run of the baseline ever showed "c"; 2 of 2 runs of the candidate did'
    row = shown(held)[0]
    assert (row.new_values, row.baseline_runs, row.candidate_runs) == (True, (1, 1), (2,))


def test_a_token_that_is_another_in_every_run_is_no_news():
    held = check([b"t%d" % number for number in range(3)], [b"t%d" % number for number in range(3, 6)])
    assert lines(held)[:3] == (
        "the baseline disagrees with itself",
        '  baseline: another value in each of 3 runs, e.g. "t0"',
        '  candidate: another value in each of 3 runs, e.g. "t3"',
    )
    assert [line for line in lines(held) if line.startswith("new")] == []
    assert shown(held)[0].new_values


def test_the_scorecard_holds_the_cure_with_the_rule_to_paste():
    cure = shown(check([b"n 1\n", b"n 2\n"], [b"n 3\n", b"n 3\n"]))[0].cure
    block = '[[noise]]\nname = "n"\npattern = \'^n (?P<noise>[0-9]+)$\'\nfields = ["stdout"]\ncommands = ["get"]'
    assert cure == ShownCure(
        kind="rule",
        words="a noise rule would cover what varies, and hide a change there while the baseline wavers: "
        "n = '^n (?P<noise>[0-9]+)$'",
        rules=(block,),
    )


def test_of_many_values_a_few_are_told():
    told = lines(check([b"v%d" % (number % 6) for number in range(7)], [b"v0"]))
    assert told[5] == "  baseline: … 2 more"


def test_of_many_checks_the_caption_says_how_many_there_are():
    checks = [check([b"a", b"b"], [b"a"])] * 3
    table = unstable_table(checks, shown(*checks), max_rows=2)
    assert table.row_count == 2
    assert table.caption == "the first 2 of 3 checks that abstain; the scorecard holds them all"
    assert unstable_table((), (), max_rows=2) is None


def test_what_a_program_prints_is_escaped():
    assert "\x1b" not in "".join(lines(check([b"\x1b[2J1\n", b"\x1b[2J2\n"], [b"\r"])))
