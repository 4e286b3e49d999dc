"""What an audit of the rules finds on runs of a baseline. A rule that takes every number is caught whatever the runs hold."""

import pytest
from diff_cases import rules, run

from gate.diff.noise import BUILTIN_NAMES, Noise
from gate.diff.noise_audit import MAX_CASE, Example, NoiseAudit, Unseen, Where, audit_noise
from gate.diff.noise_breadth import Fault
from gate.diff.noise_mutations import UNLIKE_NOISE
from gate.diff.rules import NoiseRule

COPY = ("3 files copied\nexit_code=1\njob 17 by 40 of 8\n", "3 files copied\nexit_code=1\njob 99 by 40 of 8\n")
ANCHOR = "Name what stands beside the noise in the pattern, as in `took=(?P<noise>[0-9]+)`, and restrict it with `fields` and `commands`."


def rule(pattern: str, name: str = "own", **more) -> Noise:
    return rules(NoiseRule(name=name, pattern=pattern, **more))


def audited(noise: Noise, *texts: str) -> NoiseAudit:
    return audit_noise([[run(text) for text in texts]], noise)


def own(found: NoiseAudit):
    (row,) = [row for row in found.rules if not row.built_in]
    return row


def unseen(found: NoiseAudit) -> list[str]:
    return [each.mutation for each in own(found).unseen]


def test_a_rule_for_every_number_is_caught_with_what_it_takes():
    found = audited(rule(r"\d+"), *COPY)
    assert found.faults == (
        Fault(
            rule="own",
            what="matches nearly everything",
            why="it takes out 10 of all 10 numbers that were recorded, whatever they count",
            next_step=ANCHOR,
        ),
        Fault(
            rule="own",
            what="touches an exit code",
            why="2 of its matches tell an exit code, none of them varied between the baseline's runs: `exit_code=«1»`",
            next_step=ANCHOR,
        ),
        Fault(
            rule="own",
            what="touches a count",
            why="2 of its matches tell a count, none of them varied between the baseline's runs: `«3» files copied`",
            next_step=ANCHOR,
        ),
    )


def test_a_rule_for_every_number_is_caught_where_no_recorded_run_prints_a_count():
    found = audited(rule(r"\d+"), "job 17\n", "job 18\n")
    assert [fault.what for fault in found.faults] == ["touches an exit code", "touches a count"]
    assert found.faults[1].why == (
        "it would take a count out of `3 files copied`, `total: 7`, `2 errors, 5 warnings` and 1 more, though no recorded run prints one"
    )


def test_a_rule_says_what_it_takes_where_and_where_it_is_licensed():
    row = own(audited(rule(r"job (?P<noise>\d+)"), *COPY))
    assert row.where == (Where(command="run", field="stdout", spans=2, licensed=2),)
    assert row.examples == (
        Example(command="run", field="stdout", before=b"job ", raw=b"17", after=b" by 40 of 8"),
        Example(command="run", field="stdout", before=b"job ", raw=b"99", after=b" by 40 of 8"),
    )


def test_an_anchored_rule_for_what_varies_has_no_fault_and_hides_nothing_that_is_unlike_noise():
    found = audited(rule(r"job (?P<noise>\d+)"), *COPY)
    assert (found.faults, unseen(found)) == ((), ["doubled", "shortened", "scaled"])
    assert own(found).unseen[0] == Unseen(
        mutation="doubled", case="a", step=1, field="stdout", old=b"job 17 by 40 of 8", new=b"job 1717 by 40 of 8"
    )


def test_a_rule_that_is_licensed_nowhere_hides_nothing_however_broad_it_is():
    row = own(audited(rule(r"\S+"), COPY[0], COPY[0]))
    assert (row.spans, row.licensed, row.tried, row.unseen) == (20, 0, 0, ())


@pytest.mark.parametrize("pattern", [r"by \S+", r"by (?P<noise>.+)", r"(?P<noise>[!-~]+)$"])
def test_a_rule_that_says_only_that_something_is_there_hides_another_type(pattern):
    found = audited(rule(pattern), "job by 40", "job by 41")
    assert "other type" in unseen(found)
    assert "hides a change" in [fault.what for fault in found.faults]


def test_a_constant_that_the_runs_show_too_is_not_seen_and_one_that_they_never_show_is():
    few = [f"bit {digit}" for digit in "0123456789"]
    assert "constant" in unseen(audited(rule("bit (?P<noise>[0-9])"), *few))
    assert "constant" not in unseen(audited(rule("bit (?P<noise>[0-9])"), *few[:2]))


def test_a_swap_is_seen_where_the_rule_has_identity_and_else_not():
    runs = "a=k-11 b=k-22 c=k-11", "a=k-33 b=k-44 c=k-33"
    assert "swapped" in unseen(audited(rule(r"k-\d+"), *runs))
    assert "swapped" not in unseen(audited(rule(r"k-\d+", identity=True), *runs))


def test_a_rule_that_matches_nothing_is_a_fault_and_a_built_in_one_is_not():
    found = audited(rule("zzz"), *COPY)
    assert [(fault.rule, fault.what) for fault in found.faults] == [("own", "matches nothing")]
    assert {row.name for row in found.rules if not row.spans} == {*BUILTIN_NAMES, "own"}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("7 rows", "touches a count"),
        ("total: 7", "touches a count"),
        ('{"count": 7}', "touches a count"),
        ("1 new file", "touches a count"),
        ("12 passed", "touches a count"),
        ("exited with status 7", "touches an exit code"),
        ("rc=7", "touches an exit code"),
    ],
)
def test_numbers_that_say_how_many_or_how_it_ended_are_no_noise(text, what):
    found = audit_noise([[run({"log": text}), run({"log": text})]], rule("[0-9]+", fields=("log",)))
    assert [fault.what for fault in found.faults] == [what]


@pytest.mark.parametrize("text", ["7 days", "port 7", "at 7 o'clock", "v7", "7", "it is 7 as before"])
def test_other_numbers_may_be_noise(text):
    found = audit_noise([[run({"log": text}), run({"log": text})]], rule("[0-9]+", fields=("log",)))
    assert found.faults == ()


def test_a_field_that_is_a_number_goes_by_its_name():
    found = audit_noise([[run({"rows": "7", "port": "7"})] * 2], rule("[0-9]+", fields=("rows", "port")))
    assert [(fault.what, fault.why) for fault in found.faults] == [
        ("touches a count", "2 of its matches tell a count, none of them varied between the baseline's runs: `«7»`")
    ]


def test_the_built_in_rules_hide_nothing_that_is_unlike_noise():
    runs = [
        run(
            f"at 2026-01-0{digit}T00:00:00Z pid {digit}234 took {digit}2ms at 0x7ffd{digit}234abcd in /tmp/tmpab{digit}2cd_8/x\n"
            f"id 550e8400-e29b-41d4-a716-44665544000{digit} and tmpzz{digit}2cd_8 end\n"
        )
        for digit in "123"
    ]
    found = audit_noise([runs], Noise.compile(()))
    assert {row.name for row in found.rules if row.tried} == set(BUILTIN_NAMES)
    assert found.faults == ()
    assert not UNLIKE_NOISE & {each.mutation for row in found.rules for each in row.unseen}


def test_one_run_shows_nothing_that_varies():
    found = audited(rule(r"job (?P<noise>\d+)"), COPY[0])
    assert (found.tried, own(found).tried, found.faults) == (False, 0, ())


def test_a_rule_at_work_in_too_large_cases_alone_is_untried():
    found = audited(rule(r"job (?P<noise>\d+)"), *(f"{text}{'x' * MAX_CASE}" for text in COPY))
    assert (found.tried, found.untried, own(found).licensed) == (False, ("own",), 2)


def test_the_other_runs_of_a_check_that_abstains_anyway_are_no_matter_of_a_rule():
    found = audited(rule(r"job (?P<noise>\d+)"), "job 1 a", "job 2 b")
    assert (own(found).licensed, found.faults) == (0, ())


def test_a_case_without_runs_is_refused():
    with pytest.raises(ValueError, match="at least one run"):
        audit_noise([[]], Noise.compile(()))


def test_in_a_check_that_abstains_anyway_no_change_is_tried():
    noise = rule(r"job (?P<noise>\d+)", identity=True)
    found = audited(noise, "job 1\njob 1\n", "job 2\njob 3\n")
    assert (own(found).licensed, own(found).tried, found.untried, found.faults) == (4, 0, ("own",), ())


def test_numbers_that_another_rule_takes_are_none_that_a_broad_one_leaves():
    found = audited(rule(r"\d+"), *(f"at 10:11:12 a 1 b 2 c {last}" for last in "34"))
    assert "it takes out 6 of all 6 numbers that were recorded" in found.faults[0].why
