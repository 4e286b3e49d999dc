"""`gate vote` and `gate repair`: ballots on the command line, and the way back from the freeze set."""

import json

import pytest
from forked_commands import called

from gate import api

pytestmark = pytest.mark.slow

TOML = """\
version = 1
[program]
path = ["bin"]
[voting]
confirm = 1
"""
TOOL = "#!/bin/sh\necho {said}\n"
PROPERTY = '"""It says three at most."""\n\n\ndef test_cap(subject):\n    assert int(subject.run("tool").stdout) <= 3\n'
WAVERS = "import os\n\n\ndef test_wavers():\n    raise type('E' + os.urandom(8).hex(), (Exception,), {})\n"
"""No two failures of it are one."""


class Bench:
    def __init__(self, root):
        self.root = root
        self.write("gate.toml", TOML)
        for side, said in (("old", 3), ("new", 4), ("same", 2)):
            self.write(f"{side}/bin/tool", TOOL.format(said=said)).chmod(0o755)
        assert self.gate("corpus", "add", "A", "--step", "tool").returncode == 0

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def state(self, name, text):
        self.write(f"properties/test_{name}.py", text)
        api.pin(self.root)

    def gate(self, *words):
        return called("gate", *words, cwd=self.root)

    def vote(self, candidate, *words):
        return self.gate("vote", "--baseline", "old", "--candidate", candidate, "--sandbox", "off", *words)

    def repair(self, name, *words):
        said = ("--owner", "Ada", "--note", "asked for a clock", "--baseline", "old")
        return self.gate("repair", name, *said, *words)

    @property
    def frozen(self):
        file = self.root / "gate" / "freeze_set.json"
        return json.loads(file.read_bytes())["frozen"] if file.exists() else None


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def test_a_passing_and_a_failing_property(bench):
    bench.state("cap", PROPERTY)
    passed = bench.vote("same")
    assert (passed.returncode, passed.stderr) == (0, "")
    assert passed.stdout == (
        "property   ballot   runs   why\n"
        "────────────────────────────────────────\n"
        "cap        pass        2   passed 2 of 2\n"
        "\n"
        "votes: 1 property voted, 0 abstained\n"
        "exit 0: clean: every check agreed or is allowed, every property passed, and nobody abstained\n"
        "because 1 property voted, 0 abstained\n"
    )
    failed = bench.vote("new")
    assert failed.returncode == 1
    assert "cap        fail        3   failed 3 of 3, each time in the same way\n" in failed.stdout
    assert "test_cap: builtins.AssertionError: assert 4 <= 3\n" in failed.stdout
    assert failed.stdout.endswith("because property cap failed in the same way in every run\n")
    assert bench.frozen is None


def test_a_failure_that_the_baseline_has_too_is_said_so(bench):
    bench.state("cap", PROPERTY.replace("<= 3", "<= 1"))
    failed = bench.vote("same", "--format", "json")
    assert failed.returncode == 1
    (ballot,) = json.loads(failed.stdout)["votes"]["ballots"]
    assert (ballot["ballot"], ballot["baseline"]) == ("fail", "fail")


def test_no_property_is_no_vote(bench):
    """Reported fault 114."""
    api.pin(bench.root)
    done = bench.vote("same")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: nothing voted: properties holds no property file\n")


def test_a_wavering_property_is_frozen_until_ten_runs_agree(bench):
    bench.state("clock", WAVERS)
    bench.state("cap", PROPERTY)
    first = bench.vote("same")
    assert first.returncode == 3
    assert first.stderr == "frozen from now on: clock; commit gate/freeze_set.json\n"
    assert [entry["name"] for entry in bench.frozen] == ["clock"]
    assert bench.frozen[0]["ballots"] == ["fail", "fail"]

    again = bench.vote("same")
    assert again.returncode == 3
    assert "clock      frozen      0   abstains until a person repairs it\n" in again.stdout

    useless = bench.repair("clock")
    assert useless.returncode == 3
    assert useless.stdout.startswith("clock: expected 10 runs that agree, got 10 different failures; it stays frozen")
    assert [entry["name"] for entry in bench.frozen] == ["clock"]
    assert not (bench.root / "gate" / "repairs").exists()

    bench.state("clock", "def test_wavers():\n    assert True\n")
    mended = bench.repair("clock")
    assert mended.returncode == 0, mended.stderr
    assert mended.stdout == "clock: passed 10 of 10; it votes again\n"
    assert "10 runs find a 5 % flake with probability 0.40" in mended.stderr
    assert bench.frozen == []
    evidence = json.loads((bench.root / "gate" / "repairs" / "clock.json").read_bytes())
    assert [run["outcome"] for run in evidence["runs"]] == ["pass"] * 10
    assert (evidence["owner"], evidence["note"]) == ("Ada", "asked for a clock")
    assert bench.vote("same").returncode == 0


def test_an_unpinned_repair_is_drift_and_changes_nothing(bench):
    bench.state("clock", WAVERS)
    bench.vote("same")
    bench.write("properties/test_clock.py", "def test_wavers(): ...\n")
    done = bench.repair("clock")
    assert done.returncode == 2
    assert "property file 'test_clock.py' changed" in done.stderr
    assert [entry["name"] for entry in bench.frozen] == ["clock"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("cap", "expected a frozen property"), ("nobody", "expected a frozen property")],
)
def test_only_what_is_frozen_can_be_repaired(bench, name, said):
    bench.state("cap", PROPERTY)
    done = bench.repair(name)
    assert done.returncode == 2
    assert name in done.stderr


def test_a_property_that_always_fails_has_its_vote_back_and_says_so(bench):
    bench.state("cap", PROPERTY.replace("<= 3", "<= 1"))
    bench.write("gate/freeze_set.json", '{"frozen": ["cap"]}')
    done = bench.repair("cap")
    assert done.returncode == 1
    assert bench.frozen == []
    assert "It fails on the baseline in the same way every time" in done.stderr


def test_there_is_no_flag_that_thaws(bench):
    for words in (("freeze", "--help"), ("repair", "--help"), ("vote", "--help"), ("run", "--help")):
        told = bench.gate(*words).stdout
        assert not {"unfreeze", "thaw", "--force", "--accept"} & set(told.replace("(", " ").split())


def test_a_broken_freeze_set_lets_nobody_vote(bench):
    bench.state("cap", PROPERTY)
    bench.write("gate/freeze_set.json", '{"frozen": [')
    done = bench.vote("same")
    assert (done.returncode, done.stdout) == (2, "")
    assert "freeze_set.json:1" in done.stderr
