"""`gate run`, `gate capture`, `gate diff`: what a person types and what comes back, end to end."""

import json
import re
import shutil

import msgspec
import pytest
from forked_commands import called

from auditor.demo.folder import set_up
from gate import api
from gate.report.scorecard import Scorecard

ROWS = (
    ("B", 1, "set", "status=1, error=empty → status=0", "flagged"),
    ("B", 2, "get", "hit=false → hit=true", "flagged"),
    ("C", 3, "badcmd", "status=2 → status=1, error=unknown", "flagged"),
    ("A", 2, "set", "warn=none → warn=duplicate", "flagged"),
    ("A", 4, "delete", "status=1, error=missing → status=0, error=none", 'allowed: "delete is idempotent"'),
    ("A", 5, "list", "order=insertion → order=sorted", 'allowed: "list sorts by default"'),
)


def rows(told):
    """Case, step, command, delta and verdict of every row: what follows another step stands under it."""
    pattern = r"(?:g\d+)?\s+([A-Z])\s+(\d+)  (\w+) +(?:exit code|value) +(?:then: )?(\S.*?)\s{2,}(\S.*)"
    found = (re.fullmatch(pattern, line) for line in told.splitlines())
    return [(case, int(step), *more) for case, step, *more in (match.groups() for match in found if match)]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo project without its properties, which tests/auditor/test_demo.py is about."""
    folder = set_up(tmp_path_factory.mktemp("here") / "demo", force=False)
    shutil.rmtree(folder / "properties")
    config = (folder / "gate.toml").read_text()
    (folder / "gate.toml").write_text(config.replace("[voting.property.list_order]\nrepeats = 12\n", ""))
    api.pin(folder)
    return folder


def gate(*words, cwd):
    return called("gate", *words, cwd=cwd)


def test_a_real_replay_of_the_demo_gives_the_table_and_exit_code_1(demo):
    done = gate("run", "--baseline", "baseline", "--candidate", "candidate", cwd=demo)
    assert done.returncode == 1
    assert sorted(rows(done.stdout)) == sorted(ROWS)
    assert rows(done.stdout)[-2:] == list(ROWS[-2:])
    assert re.search(r"^deltas: 6 steps differ in [56] groups, 2 allowed, 4 flagged", done.stdout, re.MULTILINE)
    assert done.stdout.endswith(
        "exit 1: stop: a behaviour change is flagged, a property failed, or an example test failed without a lease\n"
        "because 4 of 6 steps that differ are flagged: no policy entry allows all that changed\n"
    )


def test_the_two_shipped_traces_give_the_same_table(demo):
    done = gate("diff", "golden.trace", "patched.trace", "gate/policy.json", cwd=demo)
    assert done.returncode == 1
    assert sorted(rows(done.stdout)) == sorted(ROWS)
    assert rows(done.stdout)[-2:] == list(ROWS[-2:])


def test_the_scorecard_is_the_result_on_stdout_and_talk_is_on_stderr(demo, tmp_path):
    card = tmp_path / "card.json"
    words = ("run", "--baseline", "baseline", "--candidate", "candidate", "--format", "json", "--scorecard", str(card))
    done = gate(*words, cwd=demo)
    assert done.stdout.encode() == card.read_bytes()
    scorecard = msgspec.json.decode(done.stdout, type=Scorecard)
    assert (scorecard.exit_code, done.returncode) == (1, 1)
    counts = scorecard.counts
    assert counts.checks == counts.verified + counts.flagged + counts.allowed + counts.unstable
    assert (counts.deltas, counts.deltas_allowed, counts.deltas_flagged) == (6, 2, 4)
    assert "scorecard and traces: " in done.stderr


def test_the_scorecard_keeps_its_own_schema(demo):
    schema = json.loads(gate("scorecard", "schema", cwd=demo).stdout)
    assert schema["$defs"]["Scorecard"]["properties"]["exit_code"] == {"enum": [0, 1, 2, 3]}
    assert set(schema["$defs"]["Scorecard"]["required"]) >= {"gate", "mode", "counts", "deltas", "exit_code", "verdict"}


def test_the_baseline_against_itself_is_clean(demo):
    done = gate("run", "--baseline", "baseline", "--against-itself", cwd=demo)
    assert done.returncode == 0, done.stdout
    assert "because 31 of 31 checks agree" in done.stdout


def test_a_policy_bound_to_what_was_seen_allows_it_and_nothing_else(demo, tmp_path, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    copy = tmp_path / "demo"
    shutil.copytree(demo, copy)
    gate("run", "--baseline", "baseline", "--candidate", "candidate", cwd=copy)
    bound = gate("policy", "bind", "--reviewer", "Ada", "--write", cwd=copy)
    assert bound.returncode == 0, bound.stderr
    done = gate("run", "--baseline", "baseline", "--candidate", "candidate", cwd=copy)
    assert sorted(rows(done.stdout)) == sorted(ROWS)
    assert rows(done.stdout)[-2:] == list(ROWS[-2:])
    assert "allows ANY change" not in done.stdout
    assert "warning" not in done.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("run",), "error: expected two sides, got none\n"),
        (("run", "--baseline", "baseline"), "error: expected two sides, got one\n"),
        (("run", "--candidate", "candidate"), "error: expected two sides, got one\n"),
        (
            ("run", "--baseline", "baseline", "--head", "main"),
            "error: expected two folders or two commits, got some of both\n",
        ),
        (
            ("run", "--baseline", "baseline", "--candidate", "candidate", "--against-itself"),
            "error: expected the first side alone, got two and --against-itself\n",
        ),
        (
            ("run", "--baseline", "baseline", "--candidate", "baseline"),
            "error: baseline and candidate are the same tree",
        ),
        (("run", "--baseline", "nowhere", "--candidate", "candidate"), "error: baseline: expected a folder at nowhere"),
        (("run", "--project", "baseline", "--baseline", "b", "--candidate", "c"), "expected a gate.toml, found none"),
        (("diff", "golden.trace", "nowhere", "gate/policy.json"), "nowhere"),
        (("diff", "golden.trace", "patched.trace", "nowhere.json"), "nowhere.json"),
        (
            ("run", "--base", "main", "--head", "patch", "--against-itself"),
            "error: expected the first side alone, got two",
        ),
        (
            ("run", "--baseline", "baseline", "--candidate", "candidate", "--scorecard", "gate"),
            "'gate' is a directory.",
        ),
        (
            ("capture", "--baseline", "baseline", "--out", "gate"),
            "'gate' is a directory.",
        ),
        (
            ("run", "--baseline", "baseline", "--candidate", "candidate", "--project", "gate.toml"),
            "'gate.toml' is a file.",
        ),
        (
            ("diff", "golden.trace", "patched.trace", "gate/policy.json", "--scorecard", "gate"),
            "'gate' is a directory.",
        ),
        (
            ("diff", "golden.trace", "patched.trace", "gate/policy.json", "--scorecard", "gate.toml/card.json"),
            "error: gate.toml: file exists\nNot caused by this patch: mend the cause and run again.\n",
        ),
        (
            ("diff", "golden.trace", "patched.trace", "gate/policy.json", "--config", "gate"),
            "error: gate: expected a gate.toml in UTF-8, got: Is a directory\nName a gate.toml that can be read",
        ),
        (("run", "--no-such-option"), "No such option"),
        (("no-such-command",), "No such command"),
    ],
)
def test_what_cannot_be_judged_is_exit_code_2_with_a_reason(demo, words, complaint):
    done = gate(*words, cwd=demo)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_capture_writes_a_golden_that_diff_can_read(demo, tmp_path):
    done = gate("capture", "--baseline", "baseline", "--out", str(tmp_path / "golden.jsonl"), cwd=demo)
    assert done.returncode == 0, done.stderr
    assert "3 cases, 13 records; the baseline was run 2 times" in done.stdout
    compared = gate(
        "diff", str(tmp_path / "golden.jsonl"), str(tmp_path / "golden.jsonl"), "gate/policy.json", cwd=demo
    )
    assert compared.returncode == 0, compared.stderr


@pytest.mark.parametrize(
    ("name", "edit", "verdict"),
    [
        ("an extra step", lambda lines: [*lines, "C|4|list|order=insertion\n"], (1, "C        4  list")),
        ("a missing case", lambda lines: [line for line in lines if not line.startswith("B")], (1, "(absent)")),
        ("a repeated record", lambda lines: [*lines[:2], lines[1], *lines[2:]], (1, "A     2 (#2)  set")),
        ("a bar inside a value", lambda lines: [lines[0].rstrip("\n") + "x|y\n", *lines[1:]], (2, "patched.trace:1")),
        (
            "a newline inside a value",
            lambda lines: [lines[0].rstrip("\n") + "x\ny\n", *lines[1:]],
            (2, "patched.trace:2"),
        ),
        ("a cut-off end", lambda lines: [*lines[:-1], lines[-1][:-3]], (2, "patched.trace:10")),
        ("nothing at all", lambda _: [], (2, "patched.trace")),
    ],
)
def test_a_trace_that_was_tampered_with_is_a_delta_or_invalid_and_never_silence(demo, tmp_path, name, edit, verdict):
    golden = (demo / "golden.trace").read_text().splitlines(keepends=True)
    (tmp_path / "patched.trace").write_text("".join(edit(golden)))
    done = gate(
        "diff",
        str(demo / "golden.trace"),
        str(tmp_path / "patched.trace"),
        str(demo / "gate" / "policy.json"),
        cwd=demo,
    )
    code, told = verdict
    assert done.returncode == code, done.stdout + done.stderr
    assert told in done.stdout + done.stderr
