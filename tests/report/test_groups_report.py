"""Groups as a person reads them, and as the scorecard holds them."""

import json
import re
from datetime import date

import msgspec
import pytest

from gate.diff.findings import Canonical, Change, Comparison, Delta
from gate.domain import CaseId
from gate.policy.load import parse_policy
from gate.policy.match import judge
from gate.report.conclude import Circumstances, conclude
from gate.report.groups_text import MAX_FULL, MAX_THEN
from gate.report.scorecard import Digests, Runs, Scorecard, encode, schema
from gate.report.shown_groups import MAX_HUNKS
from gate.report.terminal import render

RUN = Circumstances(mode="baseline against candidate", canonical=1, digests=Digests(), runs=Runs(repeats=2, confirm=3))


def change(old, new, field="status", kind="exit code"):
    sides = [None if text is None else Canonical(tokens=(text.encode(),) if text else ()) for text in (old, new)]
    return Change(field=field, old=sides[0], new=sides[1], kind=kind)


def delta(case, step, *changes, command="set"):
    return Delta(case=CaseId(case), step=step, command=command, changes=changes)


def concluded(*deltas, follows=None, allowed="[]"):
    policy = parse_policy(f'{{"allowed": {allowed}}}'.encode(), name="policy.json")
    found = Comparison(deltas=deltas, unstable=(), verified=1, cases=1, steps=1 + len(deltas))
    judgement = judge(deltas, policy, today=date(2026, 1, 1))
    return conclude(found, judgement, RUN, follows=follows), judgement


def report(*deltas, width=100, **more):
    card, judgement = concluded(*deltas, **more)
    return render(card, judgement, (), width=width, colour=False)


def head(told):
    return told.partition("\n\n")[0].splitlines()


DEMO = (
    delta("A", 2, change("none", "duplicate", "warn", "value")),
    delta("A", 4, change("1", "0"), change("missing", "none", "error", "value"), command="delete"),
    delta("B", 1, change("1", "0"), change("empty", None, "error", "field missing")),
    delta("B", 2, change("false", "true", "hit", "value"), command="get"),
    delta("C", 3, change("2", "1"), command="badcmd"),
)
DEMO_FOLLOWS = {(CaseId("B"), 2, 1): 1}
DELETE = '[{"case": "A", "step": 4, "reason": "delete is idempotent"}]'


def test_rows_are_sorted_by_severity_with_what_follows_under_its_cause_and_allowed_rows_last():
    assert head(report(*DEMO, follows=DEMO_FOLLOWS, allowed=DELETE, width=120)) == [
        "group  case  step  command  kind       delta                                           verdict",
        "─" * 118,
        "g1     B        1  set      exit code  status=1, error=empty → status=0                flagged",
        "       B        2  get      value      then: hit=false → hit=true                      flagged",
        "g2     C        3  badcmd   exit code  status=2 → status=1                             flagged",
        "g3     A        2  set      value      warn=none → warn=duplicate                      flagged",
        'g4     A        4  delete   exit code  status=1, error=missing → status=0, error=none  allowed: "delete is idempotent"',
    ]


def test_on_a_narrow_terminal_each_group_has_lines_of_its_own():
    assert head(report(*DEMO, follows=DEMO_FOLLOWS, allowed=DELETE, width=80)) == [
        "g1  exit code  flagged",
        "    B step 1: set",
        "    status=1, error=empty → status=0",
        "    then: B step 2: get: hit=false → hit=true  flagged",
        "g2  exit code  flagged",
        "    C step 3: badcmd",
        "    status=2 → status=1",
        "g3  value  flagged",
        "    A step 2: set",
        "    warn=none → warn=duplicate",
        'g4  exit code  allowed: "delete is idempotent"',
        "    A step 4: delete",
        "    status=1, error=missing → status=0, error=none",
    ]


def test_the_summary_counts_steps_groups_and_what_follows():
    told = report(*DEMO, follows=DEMO_FOLLOWS, allowed=DELETE)
    assert "\ndeltas: 5 steps differ in 4 groups, 1 allowed, 4 flagged; 1 of them follows an earlier step\n" in told
    assert "\nlook closer: gate show g1, gate repro g1\n" in told


def test_a_row_of_many_steps_counts_them_and_names_three_more_places():
    many = [delta(case, 1, change("Foo v1\nx\n", "Foo v2\nx\n", "stdout", "value")) for case in "ABCDEF"]
    assert head(report(*many, width=110)) == [
        "group  case  step  command  kind   steps  delta" + " " * 42 + "verdict",
        "─" * 96,
        'g1     A        1  set      value      6  stdout: Foo … "v1" → "v2"' + " " * 22 + "flagged",
        " " * 42 + "also: B step 1, C step 1, D step 1 and 2 more",
    ]


def test_the_steps_of_a_table_add_up_to_the_steps_that_differ():
    deltas, follows = [], {}
    for case in "ABC":
        deltas.append(delta(case, 1, change("0", "1")))
        for step in range(2, MAX_THEN + 6):
            deltas.append(delta(case, step, change("a", "b", f"f{step}", "value"), command="get"))
            follows[CaseId(case), step, 1] = 1
    told = report(*deltas, follows=follows)
    counts = [int(found[1]) for line in told.splitlines() if (found := re.search(r"  (\d+)  (?:then: |status)", line))]
    assert sum(counts) == len(deltas)
    assert "then: 12 steps more that follow, from here" in told
    assert (
        f"deltas: {len(deltas)} steps differ in 1 group, 0 allowed, {len(deltas)} flagged; {len(follows)} of them"
        in told
    )


def test_what_a_line_cannot_tell_is_shown_in_full_within_bounds():
    lines = [f"line {number}\n" for number in range(60)]
    texts = ("".join(lines), "".join(lines).replace("7", "8").replace("2", "4"))
    deltas = [
        delta(case, 1, change(*texts, "stdout", "value"), command=f"c{case}") for case in map(str, range(MAX_FULL + 3))
    ]
    told = report(*deltas)
    full = told.split(" in full, ")[1:]
    assert len(full) == MAX_FULL
    assert max(part.count("\n") for part in full[:-1]) <= 9
    assert f"the first {MAX_FULL} of {MAX_FULL + 3} long groups in full; 3 more are not" in told
    assert full[0].splitlines()[:5] == [
        "0 step 1: c0",
        "  stdout: value",
        "    @ line 3",
        "      line 0",
        "      line 1",
    ]


def test_a_difference_beyond_what_was_kept_is_said_to_be_there():
    sides = [Canonical(tokens=(bytes(100),), size=900, sha256=letter * 64) for letter in "ab"]
    cut = Change(field="stdout", old=sides[0], new=sides[1], kind="value")
    assert "stdout: the difference is in what was not kept (replay.keep_bytes)" in report(delta("A", 1, cut), width=140)


def test_edits_that_are_not_equal_are_said_not_to_be():
    told = [delta(case, 1, change("x", f"x\n{case}.py:1:2: E1 y\n", "stdout", "value")) for case in "abc"]
    assert "each with numbers or paths of its own" in report(*told)


def test_a_crash_is_told_by_its_last_line():
    trace = 'Traceback (most recent call last):\n  File "kv.py", line 1\nKeyError: 1\n'
    assert 'stderr: crash or hang: "KeyError: 1"' in report(delta("A", 1, change("", trace, "stderr", "crash or hang")))


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
def test_what_a_program_prints_never_reaches_the_terminal_raw(width):
    hostile = "\x1b[2J[bold]x\r::error::\u202e\n"
    told = report(
        delta("\x1b[31mA", 1, change(hostile, hostile * 9, "std\x1bout", "value"), command="[red]\x1bset"),
        delta("B", 1, change("a", hostile, "files:\x1b.\x1bx", "value")),
        width=width,
    )
    assert [char for char in ("\x1b", "\r", "\u202e") if char in told] == []
    assert not [line for line in told.splitlines() if line.startswith("::")]
    assert max(map(len, told.splitlines())) <= width


def test_the_scorecard_names_group_and_cause_of_each_delta_and_all_places_of_each_group():
    card, _ = concluded(*DEMO, follows=DEMO_FOLLOWS, allowed=DELETE)
    assert [(row.case, row.step, row.group, row.follows) for row in card.deltas] == [
        ("A", 2, "g3", None),
        ("A", 4, "g4", None),
        ("B", 1, "g1", None),
        ("B", 2, "g1", 1),
        ("C", 3, "g2", None),
    ]
    first = json.loads(encode(card))["groups"][0]
    assert [first[key] for key in ("id", "command", "kind", "verdict", "alike", "spots")] == [
        "g1", "set", "exit code", "flagged", "equal", [{"case": "B", "step": 1, "occurrence": 1}]
    ]  # fmt: skip
    assert first["representative"] == first["spots"][0]
    assert [(each["id"], each["spots"]) for each in first["then"]] == [
        ("g1", [{"case": "B", "step": 2, "occurrence": 1}])
    ]
    assert first["edits"][0]["hunks"] == [{"after": "", "old": "1", "new": "0"}]


def test_a_scorecard_with_groups_holds_to_its_schema_and_shows_only_a_few_words():
    jsonschema = pytest.importorskip("jsonschema")
    texts = ["".join(f"{side}{number}\n\n" for number in range(MAX_HUNKS + 3)) for side in "ab"]
    card, _ = concluded(*DEMO, delta("D", 1, change(*texts, "stdout", "value")), follows=DEMO_FOLLOWS)
    raw = json.loads(encode(card))
    jsonschema.validate(raw, json.loads(schema()))
    edit = next(each for each in raw["groups"] if each["representative"]["case"] == "D")["edits"][0]
    assert (len(edit["hunks"]), edit["more"]) == (MAX_HUNKS, 3)


def test_a_scorecard_that_was_written_before_groups_is_read_and_shown_whole():
    card, judgement = concluded(*DEMO)
    raw = json.loads(encode(card))
    del raw["groups"]
    for row in raw["deltas"]:
        del row["group"], row["follows"]
    old = msgspec.convert(raw, Scorecard)
    assert (old.groups, old.deltas[0].group) == ((), None)
    told = render(old, judgement, (), width=120, colour=False)
    assert [f"g{number} " in told for number in range(1, 6)] == [True] * 5


def test_a_step_of_many_changes_tells_some_and_counts_the_rest():
    many = [change("a", "b", f"f{number}", "value") for number in range(20)]
    assert head(report(delta("A", 1, *many)))[2:] == [
        "g1     A        1  set      value  f0=a → f0=b                     flagged",
        *(f"{' ' * 35}f{number}=a → f{number}=b" for number in range(1, 8)),
        f"{' ' * 35}… 12 more changes of this step",
    ]


def test_an_edit_is_shown_with_its_blanks():
    told = report(delta("A", 1, change("a\n  b\n  c\n  d\n", "a\nb\n", "stdout", "value")))
    assert 'stdout: - "  b"; - "  c"; 2 more edits' in told
