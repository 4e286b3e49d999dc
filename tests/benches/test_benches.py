"""The benches run with tiny numbers, and what they claim holds there: counts and exit codes, never a time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHES = Path(__file__).parents[2] / "benches"
pytestmark = pytest.mark.slow


def bench(name, *words):
    """The lines that a bench prints."""
    done = subprocess.run([sys.executable, BENCHES / f"{name}.py", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()]


def test_the_flaky_bench_sees_no_red_verdict_and_counts_the_spawns():
    columns, *rows = bench("flaky", "--quick")
    assert columns == ["flips", "tool", "case", "runs", "0", "1", "2", "3", "spawns", "simple"]
    assert [row[:5] for row in rows] == [["5", "%", "gate", "1", "2"], ["10", "%", "gate", "1", "2"]]
    for row in rows:
        clean, red, invalid, abstained = map(int, row[5:9])
        assert (red, invalid, clean + abstained) == (0, 0, 2)
        assert float(row[9]) >= 1.33, "each side runs twice: four spawns a step where A/A/B has three"


def test_the_bench_of_changes_finds_the_word_and_the_status_and_passes_no_random_candidate():
    columns, *rows = bench("changed", "--quick")
    assert columns == ["noise", "change", "tool", "runs", "0", "1", "2", "3", "named", "else"]
    told = {" ".join(row[2:-8]): list(map(int, row[-7:])) for row in rows}
    assert told["word"] == [1, 0, 1, 0, 0, 1, 0]
    assert told["status"] == [1, 0, 1, 0, 0, 1, 0]
    assert told["all 50 %"][:2] == [1, 0], "a candidate that became random is never passed"
    assert set(told) == {"word", "status", "third", "all 50 %", "one 50 %"}


def test_the_bench_of_overhead_counts_four_spawns_a_step_for_a_whole_run():
    _, _, *rows = bench("overhead", "--quick")
    assert [(" ".join(row[:-3]), int(row[-3])) for row in rows] == [
        ("loop, 1", 20),
        ("replay, 1", 20),
        ("loop, 2", 20),
        ("replay, 2", 20),
        ("gate run, 1", 80),
        ("gate run, 2", 80),
    ]


def test_a_bench_goes_on_where_it_was_stopped(tmp_path):
    out = tmp_path / "rows.jsonl"
    first = bench("flaky", "--quick", "--out", str(out))
    held = out.read_text()
    kept, lost = held.splitlines(keepends=True)[:-1], held.splitlines()[-1]
    out.write_text("".join(kept))
    bench("flaky", "--quick", "--out", str(out))
    *same, made = out.read_text().splitlines(keepends=True)
    assert same == kept
    named = ("percent", "tool", "steps", "case_steps", "turn")
    assert [json.loads(made)[key] for key in named] == [json.loads(lost)[key] for key in named]
    assert len(first) == 3


def test_the_table_of_pairs_tells_what_was_missed_what_wavered_and_what_had_no_verdict(tmp_path):
    rows = [
        {
            "pair": "p",
            "round": 0,
            "exit": 1,
            "known": 3,
            "missed": ["A/1 stdout"],
            "changed": 4,
            "steps": 4,
            "groups": 2,
        },
        {"pair": "p", "round": 1, "exit": 0, "changed": [], "unstable": []},
        {"pair": "p", "round": 2, "exit": 3, "changed": [], "unstable": ["B/2 stderr"]},
        {"pair": "p", "round": 3, "exit": 2, "why": "the baseline does not build"},
    ]
    out = tmp_path / "rows.jsonl"
    out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = [" ".join(line) for line in bench("pairs", "no-such-pair", "--out", str(out), "--table")]
    assert lines == [
        "pair known found steps groups A/A red abst. invalid",
        "p 3 2 4 2 3 0 1 1",
        "missed: A/1 stdout",
        "A/A unstable: B/2 stderr (1)",
        "no verdict: the baseline does not build",
        "all 3 2 4 2 3 0 1 1",
    ]


def test_the_bench_of_draws_covers_every_command_and_option_of_its_small_store():
    head, _, store, *others = (" ".join(line).split(" | ") for line in bench("draws", "--cases", "20"))
    told = dict(zip(head, store, strict=True))
    assert (told["commands"], told["options"], told["edges"]) == ("6/6", "3/3", "23/23")
    assert len(others) == 2
