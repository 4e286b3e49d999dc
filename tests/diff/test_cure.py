"""What is suggested for a check that abstains."""

import tomllib

import pytest

from gate.diff.cure import cure, cures
from gate.diff.findings import Canonical, Placeholder, Unstable
from gate.diff.noise import Noise
from gate.diff.noise_suggest import suggest_noise
from gate.diff.rule_block import rule_block
from gate.diff.rules import NoiseRule
from gate.diff.spread import always_another, new_values, spread
from gate.domain import CaseId, Record, value

BUILT_IN = Noise.compile(())
DROP = "drop the case: gate corpus remove A"


def text(data):
    return None if data is None else Canonical(tokens=(data,) if data else ())


def check(*baseline, candidate=(), field="stdout", side="baseline", **more):
    return Unstable(
        case=CaseId(more.pop("case", "A")),
        step=1,
        command="get",
        field=field,
        side=side,
        baseline=tuple(map(text, baseline)),
        candidate=tuple(map(text, candidate or baseline)),
        **more,
    )


@pytest.mark.parametrize(
    ("values", "name", "pattern"),
    [
        ((b"job_12 done\n", b"job_7 done\n"), "job", r"^job_(?P<noise>[0-9]+) done$"),
        ((b"id ab12cd34\nok\n", b"id 99ffe012\nok\n"), "id", r"^id (?P<noise>[0-9a-f]{8})$"),
        ((b"x 1.25 y\n", b"x 22.7 y\n"), "x", r"^x (?P<noise>[0-9]+\.[0-9]+) y$"),
        ((b"k=Xy7\n", b"k=Zw81\n"), "k", r"^k=(?P<noise>[0-9A-Za-z]+)$"),
        ((b"\xc3\xa9(1)\n", b"\xc3\xa9(2)\n"), "stdout", r"^\xc3\xa9\((?P<noise>[0-9]+)\)$"),
    ],
)
def test_what_varies_is_covered_by_the_rule_that_noise_suggest_drafts(values, name, pattern):
    found = cure(check(*values), BUILT_IN)
    rule = NoiseRule(name=name, pattern=pattern, fields=("stdout",), commands=("get",))
    assert found.rules == (rule,)
    assert found.kind == "rule"
    assert found.words == (
        f"a noise rule would cover what varies, and hide a change there while the baseline wavers: {name} = '{pattern}'"
    )
    runs = [(Record(case=CaseId("A"), step=1, command="get", fields={"stdout": value(held)}),) for held in values]
    assert [proposal.rule for proposal in suggest_noise([runs], ()).proposals] == [rule]


def test_checks_that_vary_alike_share_a_rule_and_no_two_rules_have_one_name():
    found = cures(
        [
            check(b"job 1\n", b"job 2\n"),
            check(b"job 7\n", b"job 8\n", case="B"),
            check(b"job=1\n", b"job=2\n", case="C"),
        ],
        BUILT_IN,
    )
    assert [[(rule.name, rule.pattern) for rule in each.rules] for each in found] == [
        [("job", r"^job (?P<noise>[0-9]+)$")],
        [("job", r"^job (?P<noise>[0-9]+)$")],
        [("job-2", r"^job=(?P<noise>[0-9]+)$")],
    ]


def test_a_rule_that_the_audit_would_find_at_fault_is_not_proposed():
    found = cure(check(b"total: 7 ok\n", b"total: 8 ok\n"), BUILT_IN)
    assert (found.kind, found.rules) == ("drop", ())
    assert (
        found.words
        == f"a noise rule for it would be at fault (touches a count): let the program give one value, or {DROP}"
    )


def test_a_proposed_rule_can_be_used_as_it_is_printed():
    (rule,) = cure(check(b"it's 1 a\n", b"it's 2 a\n"), BUILT_IN).rules
    (read,) = tomllib.loads("\n".join(rule_block(rule)))["noise"]
    assert NoiseRule(**{key: tuple(held) if isinstance(held, list) else held for key, held in read.items()}) == rule
    Noise.compile([rule])


def test_a_name_that_is_taken_is_not_proposed():
    noise = Noise.compile([NoiseRule(name="a", pattern="zzz")])
    assert cure(check(b"a 1\n", b"a 2\n"), noise).rules[0].name == "a-2"


def test_words_are_behaviour_and_no_noise():
    assert cure(check(b"hit\n", b"miss\n"), BUILT_IN).words == f"let the program give one value, or {DROP}"


def test_of_many_rules_the_words_name_three():
    found = cure(check(b"a 1\nb 2\nc 3\nd 4\n", b"a 5\nb 6\nc 7\nd 8\n"), BUILT_IN)
    assert [rule.name for rule in found.rules] == ["a", "b", "c", "d"]
    assert found.words.startswith("4 noise rules would cover what varies, ")
    assert found.words.endswith("; c = '^c (?P<noise>[0-9]+)$'; 1 more: gate noise suggest")


def test_lines_in_another_order_are_said_to_be_that():
    found = cure(check(b"a\nb\n", b"b\na\n"), BUILT_IN)
    assert (found.kind, found.rules) == ("order", ())
    assert found.words == f"the same lines in another order: let the program sort them, or {DROP}"


def test_no_rule_is_proposed_for_how_a_step_ended():
    assert cure(check(b"0", b"1", field="status"), BUILT_IN).words == f"let the program give one value, or {DROP}"
    assert cure(check(b"0", b"timeout", field="status"), BUILT_IN).words == (
        f"it only sometimes ends in time: raise replay.timeout, or {DROP}"
    )


def test_what_only_some_runs_have_needs_no_rule():
    assert cure(check(b"x", None, field="warn"), BUILT_IN).words == (
        f"only some runs have it: let the program always print it, or never, or {DROP}"
    )
    assert cure(check(b"x", None, field="files:a1"), BUILT_IN).words == (
        f"only some runs have this file: cure `files` of that step first, or {DROP}"
    )


def test_a_value_that_was_cut_is_told_to_be_kept_whole():
    cut = Canonical(tokens=(b"a",), size=9, sha256="0" * 64)
    found = cure(Unstable(**{**_fields(check(b"a", b"b")), "baseline": (cut, text(b"b"))}), BUILT_IN)
    assert found.words == f"raise replay.keep_bytes (of a value that is cut nothing is taken out), or {DROP}"


def test_an_own_rule_of_another_field_is_named():
    noise = Noise.compile([NoiseRule(name="job", pattern="job [0-9a-f]{4}", fields=("stdout",), commands=("put",))])
    found = cure(check(b"job ab12\n", b"job ab13\n", field="stderr"), noise)
    assert (found.kind, found.rules) == ("rule", ())
    assert found.words == 'noise rule job would cover it: `fields` of it need "stderr", `commands` of it need "get"'


def test_what_the_patch_made_waver_gets_no_rule():
    found = cure(check(b"1\n", candidate=(b"1\n", b"2\n"), side="candidate", masked_by="pid"), BUILT_IN)
    assert (found.kind, found.rules) == ("drop", ())
    assert found.words == (
        "the patch made it waver, and no rule may hide that (noise rule pid matches, but the baseline never varied there): "
        "mend the patch; if the baseline may waver, too, but rarely: gate corpus freeze --runs 20"
    )


def test_placeholders_are_no_text_to_anchor_at():
    stamp = Placeholder(rule="timestamp")
    rows = tuple(Canonical(tokens=(stamp, b" n%d end\n" % number)) for number in (4, 5))
    (rule,) = cure(Unstable(**{**_fields(check(b"a", b"b")), "baseline": rows}), BUILT_IN).rules
    assert rule.pattern == r"\bn(?P<noise>[0-9]+) end$"


def test_an_id_that_a_shell_or_a_terminal_would_obey_is_quoted():
    words = cure(check(b"a", b"b", case="x; rm -rf \x1b"), BUILT_IN).words
    assert words.endswith(r"gate corpus remove $'x; rm -rf \u001b'")


def test_values_are_counted_in_the_order_of_their_first_appearance():
    assert spread((text(b"b"), text(b"a"), text(b"b"), None)) == ((text(b"b"), 2), (text(b"a"), 1), (None, 1))
    assert spread(()) == ()


def test_a_new_value_is_one_that_no_run_of_a_wavering_baseline_showed():
    assert new_values(check(b"a", b"b", candidate=(b"c", b"a", b"c"))) == ((text(b"c"), 2),)
    assert new_values(check(b"a", b"b", candidate=(b"b", b"a"))) == ()
    assert new_values(check(b"a", b"a", candidate=(b"b", b"a"), side="candidate")) == ()


def test_another_value_in_each_run_takes_two_runs():
    assert not always_another((text(b"a"),))
    assert always_another((text(b"a"), text(b"b")))
    assert not always_another((text(b"a"), text(b"b"), text(b"a")))


def _fields(held):
    return {name: getattr(held, name) for name in Unstable.__dataclass_fields__}
