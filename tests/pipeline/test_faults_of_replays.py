"""Reported faults of replays, from a step to the verdict: what a lossy or an empty comparison would have called equal."""

import re
import socket
from pathlib import Path

import pytest

from gate.domain import CaseId
from gate.errors import ReplayError
from gate.octets import from_wire

LIMITS = "\n[replay]\nkeep_bytes = 65536\nlimit_bytes = 1048576\n"


def told(bench):
    """Exit code, and each change with its kind."""
    done = bench.run()
    changes = [(delta.case, change.field, change.kind) for delta in done.comparison.deltas for change in delta.changes]
    return done.scorecard.exit_code, changes


def sides(bench, old, new):
    bench.corpus(A=["tool one"], B=["tool two"])
    bench.pin()
    bench.side("old", f"#!/bin/sh\n[ $1 = two ] && exec echo did $1\n{old}\n")
    bench.side("new", f"#!/bin/sh\n[ $1 = two ] && exec echo did $1\n{new}\n")


def test_bytes_that_no_text_can_hold_are_compared_as_bytes(bench):
    r"""Reported faults 10, 11: `\377` and `\376` are both no UTF-8, and one replacement character."""
    sides(bench, r"printf '\377'", r"printf '\376'")
    done = bench.run()
    ((change,),) = [delta.changes for delta in done.comparison.deltas]
    assert (done.scorecard.exit_code, change.field) == (1, "stdout")
    ((shown,),) = [row.changes for row in done.scorecard.deltas]
    assert (from_wire(shown.old.text), from_wire(shown.new.text)) == (b"\xff", b"\xfe")


def test_other_line_ends_are_one_change_of_that_kind(bench):
    """Reported fault 12."""
    sides(bench, r"printf 'a\r\nb\r\n'", r"printf 'a\nb\n'")
    assert told(bench) == (1, [("A", "stdout", "line endings")])


def test_a_change_behind_the_bytes_that_are_kept_is_a_change(bench):
    """Reported fault 8: both print 500 kB of the same, and another word behind it."""
    (bench.root / "gate.toml").write_text((bench.root / "gate.toml").read_text() + LIMITS)
    sides(bench, "head -c 500000 /dev/zero; echo OK", "head -c 500000 /dev/zero; echo NO")
    code, changes = told(bench)
    assert (code, [change[:2] for change in changes]) == (1, [("A", "stdout")])


def test_a_change_behind_the_limit_is_never_clean(bench):
    """Reported fault 8: nothing behind it is seen, so that what the baseline does there is no evidence."""
    (bench.root / "gate.toml").write_text((bench.root / "gate.toml").read_text() + LIMITS)
    sides(bench, "head -c 2000000 /dev/zero; echo OK", "head -c 2000000 /dev/zero; echo NO")
    with pytest.raises(
        ReplayError, match=r"case A step 1 \(tool\): the baseline itself printed more than replay.limit_bytes"
    ):
        bench.run()


def test_a_build_that_starts_to_colour_differs(bench):
    """Reported fault 13: nothing of the caller's makes a program colour, so what does is the patch."""
    sides(bench, "echo red", r"printf '\033[31mred\033[0m\n'")
    code, changes = told(bench)
    assert (code, [change[:2] for change in changes]) == (1, [("A", "stdout")])


def test_a_process_that_only_the_new_build_leaves_is_a_change(bench):
    """Reported fault 1."""
    sides(bench, "echo hi", "sleep 60 & echo hi")
    code, changes = told(bench)
    assert (code, [change[:2] for change in changes]) == (1, [("A", "leftovers")])


EVIDENCE = {"golden.jsonl", "run-000.jsonl", "scorecard.json", "deltas.jsonl", "corpus.jsonl", "pins.json"}
SAYS = 'env | grep -v PYTHONHASHSEED; pwd; echo "$0"; echo ~'


def test_nothing_of_the_host_is_in_what_is_kept(bench, monkeypatch):
    """Reported fault 19: neither the caller's environment, nor the folders and names of this machine."""
    secret = "/var/folders/zz/x.profraw"
    monkeypatch.setenv("LLVM_PROFILE_FILE", secret)
    monkeypatch.setenv("HOME", "/home/somebody-here")
    sides(bench, SAYS, SAYS + "; echo more")
    done = bench.run()
    assert done.scorecard.exit_code == 1
    kept = [path for top in (".gate", "gate") for path in (bench.root / top).rglob("*") if path.name in EVIDENCE]
    assert {path.name for path in kept} == EVIDENCE
    words = [secret, "somebody-here", "gate-", str(Path(bench.root).parent), socket.gethostname()]
    assert [(path.name, word) for path in kept for word in words if word.encode() in _without_recipes(path)] == []


def _without_recipes(path):
    """The bytes of a file; names of digests (`gate-pack-1:…`) are no place of this machine."""
    return re.sub(rb"gate-[a-z]+(-[a-z]+)*-?[0-9]*:sha256", b"", path.read_bytes())


def test_no_difference_is_no_proof_where_the_baseline_wavers(bench, tmp_path):
    """Reported fault 30: what it disagrees about with itself is counted apart, and is no evidence for anything."""
    count = tmp_path / "count"
    rare = f"echo x >> {count}; [ $(wc -l < {count}) = 2 ] && echo lost the race"
    sides(bench, rare, rare + "\ntrue")
    done = bench.run()
    assert done.scorecard.exit_code == 3
    counted = done.comparison
    assert {(check.case, check.side) for check in counted.unstable} == {(CaseId("A"), "baseline")}
    assert (counted.deltas, counted.verified + len(counted.unstable)) == ((), counted.checks)
