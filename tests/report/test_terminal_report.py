"""The report a person reads."""

import json
import re
from datetime import date

import pytest

from gate.diff.findings import Canonical, Change, Comparison, Delta, Unstable
from gate.domain import CaseId
from gate.errors import NothingComparedError, ReplayError
from gate.policy.load import parse_policy
from gate.policy.match import judge
from gate.report.conclude import Circumstances, conclude
from gate.report.scorecard import Digests, Runs, encode, read_deltas, schema, write_deltas
from gate.report.terminal import MAX_ROWS, render

EMPTY = parse_policy(b'{"allowed": []}', name="policy.json")
TOLD = Circumstances(
    mode="trace files", canonical=1, digests=Digests(baseline="sha256:" + "a" * 64), runs=Runs(repeats=1, confirm=0)
)


def text(data):
    return Canonical(tokens=(data,) if data else ())


def delta(case="A", step=1, *changes):
    return Delta(case=CaseId(case), step=step, command="set", changes=changes or (change(),))


def change(field="status", old=b"0", new=b"1", kind="exit code"):
    held = [None if data is None else text(data) for data in (old, new)]
    return Change(field=field, old=held[0], new=held[1], kind=kind)


def comparison(*deltas, unstable=(), verified=1):
    return Comparison(deltas=deltas, unstable=unstable, verified=verified, cases=1, steps=1 + len(deltas))


def report(found, policy=EMPTY, told=TOLD, width=100):
    judgement = judge(found.deltas, policy, today=date(2026, 1, 1))
    return render(conclude(found, judgement, told), judgement, found.unstable, width=width, colour=False)


def test_short_changes_of_one_step_stand_in_one_line():
    found = comparison(delta("A", 2, change(), change("warn", None, b"x y", "field added")))
    assert report(found).splitlines()[2] == (
        'g1     A        2  set      exit code  status=0 → status=1, warn="x y"  flagged'
    )


def test_a_long_change_stands_below_a_short_one():
    lines = b"".join(b"line %d\n" % number for number in range(30))
    found = comparison(delta("A", 1, change(), change("stdout", lines, lines.replace(b"7", b"8"), "value")))
    told = report(found)
    assert "status=0 → status=1" in told
    assert "stdout: value" in told
    assert "- line 7" in told
    assert "+ line 8" in told


def test_what_a_program_prints_never_reaches_the_terminal_raw():
    found = comparison(delta("A", 1, change("stdout", b"\x1b[2J[bold]x", b"::error::x\r", "value")))
    told = report(found)
    assert "\x1b" not in told
    assert "\r" not in told
    assert "[bold]x" in told
    assert not [line for line in told.splitlines() if line.startswith("::")]


def test_a_long_table_shows_flagged_groups_first_and_says_how_many_there_are():
    words = [bytes([97 + step // 26, 97 + step % 26]) for step in range(MAX_ROWS + 50)]
    steps = range(1, MAX_ROWS + 50)
    found = comparison(
        *(
            Delta(
                case=CaseId("A"),
                step=step,
                command=words[step].decode(),
                changes=(change("warn", b"a", b"b", "value"),),
            )
            for step in steps
        )
    )
    allowed = json.dumps(
        {"allowed": [{"case": "A", "step": step, "reason": "meant"} for step in range(1, MAX_ROWS)]}
    ).encode()
    told = report(found, parse_policy(allowed, name="policy.json"))
    rows = [line for line in told.splitlines() if re.match("g[0-9]+ ", line)]
    assert len(rows) == MAX_ROWS
    assert all(row.endswith("flagged") for row in rows[:50])
    assert f"the first {MAX_ROWS} of {MAX_ROWS + 49} groups; 49 more with 49 steps are in the scorecard alone" in told
    assert f"deltas: {MAX_ROWS + 49} steps differ in {MAX_ROWS + 49} groups, {MAX_ROWS - 1} allowed, 50 flagged" in told


def test_an_unstable_check_is_named_with_the_values_seen():
    wavers = Unstable(
        case=CaseId("A"), step=1, command="set", field="stderr", side="candidate",
        baseline=(text(b"same"), text(b"same")), candidate=(text(b"1"), text(b"2"), None),
    )  # fmt: skip
    told = report(comparison(unstable=(wavers,)))
    assert "became unstable: only the candidate wavers" in told
    assert [value in told for value in ('baseline: "same" in 2 of 2 runs', 'e.g. "1"')] == [True] * 2
    assert told.splitlines()[-2:] == [
        "exit 3: abstention: a check is unstable or a property is frozen; a person must repair the oracle",
        "because 1 of 2 checks abstain: a side disagrees with itself",
    ]


def test_what_is_not_compared_is_said():
    told = Circumstances(
        mode="trace files", canonical=1, digests=Digests(), runs=Runs(repeats=1, confirm=0),
        ignored_files=(".git",), ignored_content=("*.gz",),
    )  # fmt: skip
    shown = report(comparison(), told=told)
    assert "note: file effects under .git not compared (replay.ignore_files)" in shown
    assert "note: the content of files under *.gz not compared (replay.ignore_content)" in shown


def test_one_step_is_no_steps():
    assert "deltas: 1 step differs in 1 group, 0 allowed, 1 flagged" in report(comparison(delta()))


def test_nothing_compared_is_no_verdict():
    with pytest.raises(NothingComparedError):
        report(comparison(verified=0))


def test_a_scorecard_holds_to_its_own_schema():
    jsonschema = pytest.importorskip("jsonschema")
    found = comparison(delta("A", 1, change(), change("files:x", None, b"\xff", "file effect")))
    judgement = judge(found.deltas, EMPTY, today=None)
    jsonschema.validate(json.loads(encode(conclude(found, judgement, TOLD))), json.loads(schema()))


def test_deltas_are_kept_whole(tmp_path):
    deltas = (delta("A", 1, change("stdout", b"\xff" * 5000, None, "field missing")),)
    write_deltas(tmp_path / "deltas.jsonl", deltas)
    assert read_deltas(tmp_path / "scorecard.json") == deltas


@pytest.mark.parametrize("content", [None, b"{}\n"])
def test_deltas_that_are_not_there_or_not_ours_are_told(tmp_path, content):
    if content is not None:
        (tmp_path / "deltas.jsonl").write_bytes(content)
    with pytest.raises(ReplayError):
        read_deltas(tmp_path / "scorecard.json")
