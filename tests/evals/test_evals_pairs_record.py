"""`python -m evals record policy-pairs`: two versions of a shell script, held against each other by the gate."""

import fcntl
import os
import subprocess
import sys

import pytest
from made_up_pairs import INTENT, TOLD, installed, pair_file

from auditor.drafting.values import Change, Group, Place
from evals.errors import EvalsError
from evals.pairs import recorder
from evals.pairs.files import REPOSITORY, pair_files, read_pair
from evals.pairs.project import make_project
from evals.pairs.recorded import Known, RecordedPair, read
from evals.pairs.recorder import Recording, record
from gate.api import GateError

COUNTED = {"recorded": (), "there": (), "skipped": (), "failed": ()}


def made(**counts):
    return Recording(**{**COUNTED, **counts})


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Every Python is here, and every side can be installed."""
    monkeypatch.setattr(recorder, "find_python", lambda _: "python")
    monkeypatch.setattr(recorder, "environment", installed(tmp_path / "sides"))


@pytest.fixture
def quick(here, monkeypatch):
    """The gate is not run: every pair differs in nothing. What was asked for is noted."""
    asked = []

    def run(pair, *, workers):
        asked.append(pair.name)
        if pair.name.startswith("bad"):
            raise GateError("no verdict\x1b[2J", next_step="none")
        return RecordedPair(pair=pair.name, source=pair.digest, intent=INTENT, groups=(), known=())

    monkeypatch.setattr(recorder, "record_pair", run)
    return asked


@pytest.mark.slow
@pytest.mark.usefixtures("no_hang", "here")
def test_a_pair_is_recorded_as_auditor_draft_policy_would_group_it(tmp_path):
    file, into, said = pair_file(tmp_path), tmp_path / "out" / "policy-pairs.jsonl", []
    assert record([file], into, say=said.append, workers=1) == made(recorded=("greet-1-2",))
    assert said == ["greet-1-2: 1 groups"]
    change = Change(field="stdout", kind="order", old="b\na\n", new="a\nb\n")
    assert read(into)[0] == (
        RecordedPair(
            pair="greet-1-2",
            source=read_pair(file).digest,
            intent=INTENT,
            groups=(Group(id="d1", command="greet", changes=(change,), places=(Place(case="K", step=1),)),),
            known=(Known(case="K", step=1, field="stdout", label="intended"),),
        ),
    )
    again = tmp_path / "again.jsonl"
    record([file], again, say=said.append, workers=2)
    assert again.read_bytes() == into.read_bytes()
    assert b"zqxcanary" not in into.read_bytes(), "of what people said of a difference, only the label is kept"


def test_a_pair_that_has_its_line_is_not_run_again_unless_its_file_has_changed(tmp_path, quick):
    files, into, said = [pair_file(tmp_path, name) for name in ("b", "a")], tmp_path / "r.jsonl", []
    assert record(files[:1], into, say=said.append) == made(recorded=("b",))
    assert record(files, into, say=said.append) == made(recorded=("a",), there=("b",))
    assert record(files, into, say=said.append) == made(there=("b", "a"))
    assert quick == ["b", "a"]
    pair_file(tmp_path, "b", intent="Another one.")
    assert record(files, into, say=said.append) == made(recorded=("b",), there=("a",))
    assert [one.pair for one in read(into)[0]] == ["a", "b"]


def test_a_pair_without_a_verdict_is_said_and_the_others_are_kept(tmp_path, quick):
    files, into, said = [pair_file(tmp_path, name) for name in ("a", "bad", "c")], tmp_path / "r.jsonl", []
    assert record(files, into, say=said.append) == made(recorded=("a", "c"), failed=("bad",))
    assert said == ["a: 0 groups", "bad: not recorded: no verdict\\x1b[2J", "c: 0 groups"]


def test_a_pair_whose_python_is_not_here_is_skipped_and_said(tmp_path, quick, monkeypatch):
    monkeypatch.setattr(recorder, "find_python", lambda version: None if version == "2.6" else "python")
    files, into, said = [pair_file(tmp_path, "a", python="2.6")], tmp_path / "r.jsonl", []
    assert record(files, into, say=said.append) == made(skipped=("a",))
    assert (said, quick, into.exists()) == (["a: skipped: no Python 2.6 here"], [], False)


def test_a_damaged_recording_is_not_written_over(tmp_path, quick):
    into = tmp_path / "r.jsonl"
    into.write_bytes(b"{}\n")
    with pytest.raises(EvalsError, match=r"r\.jsonl:1: expected a recorded pair"):
        record([pair_file(tmp_path)], into, say=print)
    assert (into.read_bytes(), quick) == (b"{}\n", [])


def test_two_recordings_do_not_write_one_file(tmp_path, quick):
    into = tmp_path / "r.jsonl"
    with (tmp_path / ".r.jsonl.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(EvalsError, match=r"r\.jsonl: another recording writes it"):
            record([pair_file(tmp_path)], into, say=print)
    assert quick == []


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (
            {"known_deltas": [{"seed": "K", "step": 1, "channel": "stdout", "label": "fine"}]},
            "Invalid enum value 'fine'",
        ),
        (
            {"known_deltas": [{"seed": "K", "step": 1, "channel": "sound", "label": "unclear"}]},
            "Invalid enum value 'sound'",
        ),
        ({"sessions": [{"seed": "K", "steps": [{"argv": "greet"}]}]}, "Expected `array`, got `str`"),
        ({"intent": None}, "Expected `str`, got `null`"),
    ],
)
def test_a_file_that_tells_of_no_pair_is_named(tmp_path, other, told):
    with pytest.raises(EvalsError, match=rf"greet-1-2\.json: expected a pair of versions, got {told}"):
        read_pair(pair_file(tmp_path, **other))


def test_a_file_that_is_no_json_is_named(tmp_path):
    (tmp_path / "x.json").write_bytes(b"\xff")
    with pytest.raises(EvalsError, match=r"x\.json: expected a pair of versions, got "):
        read_pair(tmp_path / "x.json")


@pytest.mark.parametrize("name", ["/x", "../x", "a/../../x", ""])
def test_a_fixture_stays_inside_of_the_fixtures(tmp_path, name):
    pair = read_pair(pair_file(tmp_path, fixtures={name: ""}))
    with pytest.raises(EvalsError, match="expected a path inside of the fixtures"):
        make_project(pair, tmp_path / "project")


def test_a_fixture_of_bytes_is_base64(tmp_path):
    pair = read_pair(pair_file(tmp_path, fixtures_b64={"x": "é"}))
    with pytest.raises(EvalsError, match="fixtures_b64: expected base64"):
        make_project(pair, tmp_path / "project")


def test_pairs_are_read_from_the_folder_that_is_named(tmp_path, monkeypatch):
    files = [pair_file(tmp_path / "named", name) for name in ("a", "b")]
    pair_file(tmp_path / "by variable", "c")
    monkeypatch.setenv("AUDITOR_PAIRS", str(tmp_path / "by variable"))
    assert pair_files(tmp_path / "named") == files
    assert [file.stem for file in pair_files()] == ["c"]
    monkeypatch.setenv("AUDITOR_PAIRS", str(tmp_path / "nowhere"))
    with pytest.raises(EvalsError, match="pairs: expected a folder, got "):
        pair_files()


def test_the_known_places_of_a_pair_are_those_of_the_gate(tmp_path):
    deltas = [{**TOLD["known_deltas"][0], "channel": channel} for channel in ("exit", "files")]
    pair = read_pair(pair_file(tmp_path, known_deltas=deltas))
    assert pair.known == {("K", 1, "status"), ("K", 1, "files")}


@pytest.mark.slow
def test_where_every_pair_is_skipped_the_command_ends_in_2(tmp_path):
    pair_file(tmp_path / "pairs", python="2.6")
    words = ("record", "policy-pairs", "--pairs", "pairs", "--into", "r.jsonl")
    done = subprocess.run(
        [sys.executable, "-m", "evals", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "PATH": "/nowhere", "PYENV_ROOT": "/nowhere"},
    )
    assert done.returncode == 2
    assert done.stdout == "0 pairs recorded, 0 there before, 1 skipped, 0 failed: r.jsonl\n"
    assert done.stderr.startswith("greet-1-2: skipped: no Python 2.6 here\nerror: no pair could be recorded\n")
