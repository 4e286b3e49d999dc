"""What a run left, read back through the door."""

import json
import shutil
from hashlib import sha256

import pytest
from scratch_repository import Repository, forget_git_of_mine

from gate import api
from gate.config.load import load_project
from gate.errors import BuildError, PolicyError, ReplayError, TraceError
from gate.pipeline.failures import read_failures, write_failures
from gate.pipeline.kept import read_run
from gate.voting.ballots import Ballot, Failure, Run

CHANGED = "#!/bin/sh\n[ $1 = two ] && printf 'went \\377' && exit 4\necho did $1\n"
ONE = {"case": "A", "step": 2, "field": "status", "old": "0", "new": "4", "reason": "two goes", "reviewer": "Ada"}


@pytest.fixture
def ran(bench):
    bench.side("new", CHANGED)
    bench.policy(ONE)
    bench.run()
    return bench


def policy_of(bench):
    return bench.root / "gate" / "policy.json"


def test_a_run_leaves_its_facts_and_every_change_whole(ran):
    left = api.recorded(ran.root)
    (delta,) = left.deltas
    assert (left.exit_code, left.mode) == (1, "baseline against candidate")
    assert left.folder == ran.root / ".gate" / "runs" / "0001"
    assert left.digests["policy"] == f"sha256:{sha256(policy_of(ran).read_bytes()).hexdigest()}"
    assert left.digests["deltas"] == f"sha256:{sha256((left.folder / 'deltas.jsonl').read_bytes()).hexdigest()}"
    assert (delta.case, delta.step, delta.occurrence, delta.command) == ("A", 2, 1, "tool")
    assert [(c.field, c.old, c.new, c.allowed, c.bound) for c in delta.changes] == [
        ("status", b"0", b"4", "two goes", True),
        ("stdout", b"did two\n", b"went \xff", None, False),
    ]
    assert [change.field for change in delta.flagged] == ["stdout"]
    assert left.flagged == (delta,)


def test_the_words_of_a_step_are_told_and_that_it_has_none(bench):
    program = '[program]\nargv = ["{build}/bin/tool"]\n'
    (bench.root / "gate.toml").write_text(f"version = 1\n{program}")
    bench.corpus(A=["", "one"])
    bench.side("new", CHANGED)
    bench.pin()
    bench.run()
    told = [(step.command, step.words) for step in api.golden(bench.root)]
    assert told == [("(no words)", "(no words)"), ("one", "one")]


def test_a_value_beyond_what_a_scorecard_shows_is_whole(bench):
    bench.side("old", "#!/bin/sh\nhead -c 5000 /dev/zero | tr '\\0' x; echo $1 old\n")
    bench.side("new", "#!/bin/sh\nhead -c 5000 /dev/zero | tr '\\0' x; echo $1 new\n")
    bench.run()
    change = api.recorded(bench.root).deltas[0].changes[0]
    assert change.new == b"x" * 5000 + b"one new\n"
    assert change.note == ""


def test_a_value_that_was_cut_says_so(bench):
    (bench.root / "gate.toml").write_text('version = 1\n[program]\npath = ["bin"]\n[replay]\nkeep_bytes = 4\n')
    bench.pin()
    bench.side("new", "#!/bin/sh\necho did it $1\n")
    bench.run()
    change = api.recorded(bench.root).deltas[0].changes[0]
    assert (change.old, change.new) == (b"did ", b"did ")
    assert change.note.startswith("old is cut: 8 bytes in all, sha256:")


def test_no_run_yet_is_an_error_with_the_next_step(bench):
    with pytest.raises(ReplayError, match="expected the scorecard of a run, found none") as refused:
        api.recorded(bench.root)
    assert refused.value.next_step == "There is no run yet: gate run first."


def test_a_run_that_is_no_folder_is_said_to_be_none(bench):
    with pytest.raises(ReplayError, match="gate.toml: expected the folder of a run, got something which is no folder"):
        read_run(load_project(bench.root), bench.root / "gate.toml")


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("scorecard.json", lambda data: data[:-30]),
        ("deltas.jsonl", lambda data: data[:-30]),
        ("deltas.jsonl", lambda _: b""),
        ("deltas.jsonl", lambda data: data.replace(b'"step":2', b'"step":1')),
        ("scorecard.json", lambda data: data.replace(b'"verdict": "allowed"', b'"verdict": "flagged"')),
        ("scorecard.json", lambda _: b"\xff"),
    ],
)
def test_damaged_files_are_no_run(ran, name, damage):
    file = ran.root / ".gate" / "latest" / name
    damaged = damage(file.read_bytes())
    assert damaged != file.read_bytes()
    file.write_bytes(damaged)
    with pytest.raises(ReplayError):
        api.recorded(ran.root)


def test_a_run_of_another_policy_says_nothing_about_this_one(ran):
    ran.policy({**ONE, "reason": "other words"})
    with pytest.raises(PolicyError, match="expected the policy of the run"):
        api.recorded(ran.root)
    policy_of(ran).unlink()
    with pytest.raises(PolicyError, match="got none"):
        api.recorded(ran.root)


def test_another_run_can_be_named(ran):
    first = ran.root / ".gate" / "runs" / "0001"
    ran.side("new", "#!/bin/sh\necho did $1 otherwise\n")
    ran.run()
    assert api.recorded(ran.root, first).folder == first
    assert len(api.recorded(ran.root).deltas) == 3


PROPERTY = '"""Says did."""\n\ndef test_says_did(subject):\n    assert subject.run("one").stdout == b"did one\\n"\n'


@pytest.mark.slow
def test_ballots_come_with_failures_and_the_source_that_voted(bench):
    (bench.root / "properties").mkdir()
    file = bench.root / "properties" / "test_did.py"
    file.write_text(PROPERTY.replace('subject.run("one")', 'subject.run("tool", "one")'))
    (bench.root / "gate" / "freeze_set.json").write_text('{"frozen": ["gone"]}')
    bench.side("new", "#!/bin/sh\necho went $1\n")
    bench.pin()
    bench.run()
    left = api.recorded(bench.root)
    ballots = {each.property: each for each in left.ballots}
    assert ballots["did"].kind == "fail"
    assert ballots["did"].source == file.read_text()
    assert ballots["did"].failures[0].test == "test_says_did"
    assert [(each.name, each.source) for each in left.frozen] == [("gone", None)]
    file.write_text(file.read_text() + "# mended\n")
    assert {each.property: each for each in api.recorded(bench.root).ballots}["did"].source is None


def test_whole_failures_are_kept_beside_the_scorecard(tmp_path):
    failed = Failure(
        test="t", phase="call", exception="E", message="at 0x7f001122 \udcff", example="", trace="line\n" * 9
    )
    run = Run(outcome="fail", failures=(failed,))
    assert read_failures(tmp_path) == {}
    write_failures(tmp_path, (Ballot(property="p", kind="fail", reason="", runs=(run,)),))
    (found,) = read_failures(tmp_path)["p"]
    assert (found.message, found.trace) == ("at 0x… \\udcff", "line\n" * 9)
    (tmp_path / "failures.jsonl").write_text("{}\n")
    with pytest.raises(ReplayError, match="not a gate's file"):
        read_failures(tmp_path)


def test_the_golden_of_a_run_is_steps_with_their_words_and_fields(ran):
    step = api.golden(ran.root)[1]
    assert (step.case, step.step, step.command, step.words) == ("A", 2, "tool", "tool two")
    assert dict(step.fields)["stdout"] == "did two\n"
    assert dict(api.patched(ran.root)[1].fields)["stdout"] == "went \\xff"


def test_a_trace_file_in_either_format_is_read(bench, tmp_path):
    trace = tmp_path / "a.trace"
    trace.write_text("A|1|set|status=0|warn=none\n")
    (step,) = api.golden(bench.root, trace)
    assert (step.command, step.words, step.fields) == ("set", "", (("status", "0"), ("warn", "none")))
    with pytest.raises(TraceError):
        api.golden(bench.root, tmp_path / "none.trace")


def test_a_hostile_suggestions_folder_is_not_read(ran):
    before = api.recorded(ran.root)
    (ran.root / "suggestions").mkdir()
    (ran.root / "suggestions" / "x.json").write_text("{")
    assert api.recorded(ran.root) == before


def test_the_intent_is_what_the_commits_say_oldest_first(tmp_path, monkeypatch):
    forget_git_of_mine(tmp_path, monkeypatch)
    repository = Repository(tmp_path / "repo")
    repository.git("config", "log.showSignature", "true")
    repository.git("switch", "-q", "-c", "patch")
    for message in ("first\n\nwith a body", "second"):
        repository.write("note", message)
        repository.commit(message)
    assert api.intent(repository.project, "main", "patch") == "first\n\nwith a body\n\nsecond"


def test_bytes_of_a_message_that_are_no_utf8_are_escaped(tmp_path, monkeypatch):
    forget_git_of_mine(tmp_path, monkeypatch)
    repository = Repository(tmp_path / "repo")
    repository.git("switch", "-q", "-c", "patch")
    tree, parent = repository.git("rev-parse", "HEAD^{tree}"), repository.git("rev-parse", "HEAD")
    who = b"n <e@example.invalid> 1700000000 +0000"
    raw = b"tree %s\nparent %s\nauthor %s\ncommitter %s\n\nsorts \xff\n"
    (tmp_path / "commit").write_bytes(raw % (tree.encode(), parent.encode(), who, who))
    made = repository.git("hash-object", "-t", "commit", "-w", str(tmp_path / "commit"))
    repository.git("update-ref", "refs/heads/patch", made)
    assert api.intent(repository.project, "main", "patch") == "sorts \\xff"


def test_no_commit_between_the_refs_is_no_intent(tmp_path, monkeypatch):
    forget_git_of_mine(tmp_path, monkeypatch)
    repository = Repository(tmp_path / "repo")
    with pytest.raises(BuildError, match="expected commits with a message, found none"):
        api.intent(repository.project, "main", "main")
    with pytest.raises(BuildError):
        api.intent(repository.project, "--all", "main")


def test_the_door_loads_no_room_until_it_is_used():
    import subprocess
    import sys

    code = "import gate.api, sys; print([m for m in sys.modules if m.startswith(('gate.pipeline', 'gate.diff', 'msgspec'))])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
    with pytest.raises(AttributeError):
        api.Nothing  # noqa: B018


def test_a_copied_project_is_read_at_its_new_place(ran, tmp_path):
    shutil.copytree(ran.root, tmp_path / "copy", symlinks=True)
    assert json.dumps(list(api.recorded(tmp_path / "copy").digests)) == json.dumps(list(api.recorded(ran.root).digests))
