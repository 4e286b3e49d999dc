"""Rules that are proposed for what the baseline itself disagrees about."""

import tomllib

import pytest
from diff_cases import compare, listed, rules, run, wavering
from hypothesis import given
from hypothesis import strategies as st

from gate.diff.noise_drafts import why_no_rule
from gate.diff.noise_pattern import generalised, quoted
from gate.diff.noise_suggest import rules_for, suggest_noise
from gate.diff.patterns import compile_pattern
from gate.diff.rule_block import rule_block
from gate.diff.rules import NoiseRule
from gate.report.suggest_text import suggestion_lines


def suggested(*texts: str, known: tuple[NoiseRule, ...] = ()):
    return suggest_noise([[run(text) for text in texts]], known)


def patterns(*texts: str) -> list[str]:
    found = suggested(*texts)
    assert (found.uncured, found.cured) == ((), found.disagreements)
    return [proposal.rule.pattern for proposal in found.proposals]


def reasons(*texts) -> list[str]:
    found = suggested(*texts)
    assert found.proposals == ()
    return [row.why for row in found.uncured]


def test_a_proposal_is_bound_to_the_field_the_command_and_the_text_beside_the_span():
    found = suggested("job 12 started\n", "job 19 started\n")
    assert [proposal.rule for proposal in found.proposals] == [
        NoiseRule(name="job", pattern="^job (?P<noise>[0-9]+) started$", fields=("stdout",), commands=("run",))
    ]
    assert (found.disagreements, found.cured, found.uncured) == (1, 1, ())


@pytest.mark.parametrize(
    ("runs", "pattern"),
    [
        (("id=a1b2c3d4 in (x)", "id=ff12ac90 in (x)"), r"^id=(?P<noise>[0-9a-f]{8}) in\b"),
        (("id=a1-b2", "id=9f-04"), "^id=(?P<noise>[0-9a-f]+-[0-9a-f]+)$"),
        (("a=1234567;", "a=7654321;"), "^a=(?P<noise>[0-9]{7});$"),
        (("17", "18"), "^(?P<noise>[0-9]+)$"),
        (("see it's 1.5!", "see it's 12.25!"), r"\bs (?P<noise>[0-9]+\.[0-9]+)!$"),
        (("key qwertyui", "key asdfghjk"), "^key (?P<noise>[a-z]{8})$"),
        (("t=ab+c/9 z", "t=x0z+w/ z"), r"^t=(?P<noise>[0-9a-z\x2b\x2f]{6}) z$"),
    ],
)
def test_a_pattern_is_no_broader_than_what_was_seen(runs, pattern):
    assert patterns(*runs) == [pattern]


def test_what_holds_the_same_is_one_rule_with_identity_so_that_a_mix_up_is_seen():
    found = suggested("ticket T-17 by T-17", "ticket T-99 by T-99")
    (proposal,) = found.proposals
    assert (proposal.rule.identity, found.cured) == (True, 1)
    old = [run("ticket T-17 by T-17"), run("ticket T-99 by T-99")]
    new = [run("ticket T-31 by T-32"), run("ticket T-44 by T-45")]
    assert len(compare(old, new, rules(proposal.rule)).deltas) == 1
    assert compare(old, [run("ticket T-31 by T-31")] * 1, rules(proposal.rule)).deltas == ()


def test_one_thing_behind_different_words_is_one_rule_too():
    found = suggested("job 12345 started\nsee log-12345\n", "job 67890 started\nsee log-67890\n")
    (proposal,) = found.proposals
    assert proposal.rule.pattern == r"(?:\blog-|^job )(?P<noise>[0-9]+)(?: started$|$)"
    assert proposal.rule.identity


def test_lines_in_another_order_and_texts_of_another_shape_get_no_rule():
    assert (reasons("a\nb\n", "b\na\n"), reasons("a b", "a")) == (["order"], ["whole"])


@pytest.mark.parametrize(
    "runs", [("cache hit", "cache miss"), ("size n/a", "size 12"), ("state on", "state off", "state on")]
)
def test_words_are_behaviour_and_get_no_rule(runs):
    assert reasons(*runs) == ["words"]


def test_how_a_step_ended_gets_no_rule():
    found = suggest_noise([[run({"status": "0"}), run({"status": "1"})]], ())
    assert [(row.field, row.why) for row in found.uncured] == [("status", "protected")]


def test_a_count_gets_no_rule_since_the_audit_would_find_it_at_fault():
    found = suggested("total: 7 ok", "total: 8 ok")
    assert [(row.why, [fault.what for fault in row.faults]) for row in found.uncured] == [
        ("faulty", ["touches a count"])
    ]
    assert (found.proposals, found.cured) == ((), 0)


def test_the_content_of_a_file_with_a_random_name_gets_no_rule():
    old, new = ({f"files:{name}": "x", "files": f"created file 644 {name}\n"} for name in ("a17", "a18"))
    found = suggest_noise([[run(old), run(new)]], ())
    assert {row.why for row in found.uncured} <= {"random name"}
    assert [proposal.rule.fields for proposal in found.proposals] == [("files",)]


def test_what_a_rule_takes_out_already_gets_no_other_one():
    known = (NoiseRule(name="job", pattern=r"job (?P<noise>\d+)"),)
    assert suggested("job 12 at 10:11:12", "job 19 at 10:11:13", known=known).disagreements == 0


def test_a_name_that_is_taken_gets_a_number():
    known = (NoiseRule(name="job", pattern="zzz"),)
    (proposal,) = suggested("job 12", "job 19", known=known).proposals
    assert proposal.rule.name == "job-2"


def test_a_candidate_is_no_reason_for_a_rule():
    old = [run("a 1"), run("a 2")]
    check = compare(old, [run("zzz yyy")], rules()).unstable[0]
    assert (why_no_rule(check), [rule.pattern for rule in rules_for(check, ["a"])]) == (None, ["^a (?P<noise>[0-9]+)$"])
    assert [rule.name for rule in rules_for(check, ["a"])] == ["a-2"]


def test_steps_that_vary_alike_share_a_rule_and_other_commands_do_not():
    runs = [
        [listed(number, {"stdout": f"job {digit}"}, command) for number, command in enumerate(("put", "get", "put"), 1)]
        for digit in "12"
    ]
    found = suggest_noise([runs], ())
    assert [(each.rule.commands, len(each.masks)) for each in found.proposals] == [(("get", "put"), 3)]


def test_everything_that_is_printed_is_toml_whatever_the_program_prints():
    hostile = "it's \x1b[2J\u202e\\ \"q\" =%d end'''\n"
    found = suggested(hostile % 12, hostile % 19)
    text = "\n".join(suggestion_lines(found, runs=2))
    assert text.replace("\n", "").isprintable()
    (block,) = tomllib.loads(text)["noise"]
    assert block["pattern"] == found.proposals[0].rule.pattern


def test_a_block_names_everything_exactly():
    rule = NoiseRule(name="n", pattern="a", fields=('f"\\\n',), commands=("\U0001f600", "é"), identity=True)
    parsed = tomllib.loads("\n".join(rule_block(rule)))["noise"][0]
    assert parsed == {
        "name": "n",
        "pattern": "a",
        "fields": ['f"\\\n'],
        "commands": ["\U0001f600", "é"],
        "identity": True,
    }


@given(st.binary(min_size=1, max_size=20).filter(lambda text: b"\n" not in text))
def test_a_quoted_text_matches_itself_alone(text):
    pattern = compile_pattern("x", quoted(text))
    assert list(pattern.spans(text)) == [(0, len(text))]
    assert "'" not in quoted(text)


@given(st.lists(st.text("ab19fz-._", min_size=1, max_size=9), min_size=1, max_size=5))
def test_what_is_generalised_matches_each_text_whole(texts):
    held = [text.encode() for text in texts]
    made = generalised(held)
    assert made is not None
    pattern = compile_pattern("x", f"^(?:{made})$")
    assert all(list(pattern.spans(text)) == [(0, len(text))] for text in held)


@given(st.lists(st.text("ab1 .-=\n", max_size=12), min_size=2, max_size=3))
def test_proposals_in_force_never_make_a_check_waver_that_agreed(texts):
    runs = [run(text) for text in texts]
    found = suggest_noise([runs], ())
    wavers = wavering(compare(runs, runs, rules(*(proposal.rule for proposal in found.proposals))))
    assert len(wavers) == found.disagreements - found.cured


def test_numbers_that_are_equal_by_chance_get_no_identity():
    found = suggested("a 1 x\na 2 x\na 1 x", "a 3 x\na 4 x\na 4 x")
    assert [(each.rule.identity, found.cured) for each in found.proposals] == [(False, 1)]
