"""One run of the gate from two trees to a verdict."""

import shutil
import time
from datetime import date
from pathlib import Path

import pytest

from gate.config.load import load_project
from gate.errors import BuildError, DriftError, PolicyError, ReplayError
from gate.hashing.pins import PinsError
from gate.pipeline.audit import Trees, audit
from gate.pipeline.capture import capture
from gate.pipeline.events import Remark, silence
from gate.replay.sandbox import Sandbox

CHANGED = "#!/bin/sh\n[ $1 = two ] && echo went $1 && exit 4\necho did $1\n"


def rows(done):
    return [(d.case, d.step, d.verdict, [(c.field, c.kind) for c in d.changes]) for d in done.scorecard.deltas]


def bytes_of(done):
    return (done.folder / "scorecard.json").read_bytes()


def test_a_change_is_a_delta_at_its_case_step_and_field(bench):
    bench.side("new", CHANGED)
    done = bench.run()
    assert done.scorecard.exit_code == 1
    assert rows(done) == [("A", 2, "flagged", [("status", "exit code"), ("stdout", "value")])]
    assert done.scorecard.counts.checks == 12
    assert done.scorecard.counts.verified == 10
    assert done.scorecard.runs.confirmed == ("A",)


def test_a_patch_that_changes_nothing_observable_is_clean(bench):
    bench.side("new", "#!/bin/sh\n# tidied\necho did $1\n")
    done = bench.run()
    assert done.scorecard.exit_code == 0
    assert done.scorecard.counts.verified == done.scorecard.counts.checks == 12


def test_the_baseline_against_itself_is_clean_and_says_what_it_is(bench):
    done = bench.run(candidate=None)
    assert done.scorecard.exit_code == 0
    assert done.scorecard.mode == "baseline against itself"


def test_the_same_tree_twice_is_no_run(bench):
    """Reported fault 152."""
    shutil.copytree(bench.root / "old", bench.root / "new")
    with pytest.raises(BuildError, match="are the same tree"):
        bench.run()


def test_the_same_inputs_give_the_same_bytes_whatever_the_workers_and_the_cache(bench):
    bench.side("new", CHANGED)
    first = bytes_of(bench.run(workers=1))
    assert bytes_of(bench.run(workers=4)) == first
    assert bench.told == ["baseline: unchanged, its kept golden is used (gate capture --fresh records it anew)"]
    shutil.rmtree(bench.root / ".gate")
    assert bytes_of(bench.run(workers=4)) == first


def test_a_policy_allows_what_it_binds_and_names_what_it_did_not_use(bench):
    bench.side("new", CHANGED)
    bound = {"case": "A", "step": 2, "reason": "two goes now", "reviewer": "Ada"}
    status = {**bound, "field": "status", "old": "0", "new": "4"}
    bench.policy(status, {**bound, "field": "stdout", "old": "did two\n", "new": "went two\n"}, {**status, "step": 1})
    done = bench.run()
    assert done.scorecard.exit_code == 0
    assert rows(done)[0][2] == "allowed"
    assert len(done.scorecard.policy.unused) == 1


def test_half_an_allowance_is_none(bench):
    bench.side("new", CHANGED)
    bench.policy(
        {"case": "A", "step": 2, "field": "status", "old": "0", "new": "4", "reason": "two goes now", "reviewer": "Ada"}
    )
    done = bench.run()
    assert done.scorecard.exit_code == 1
    assert (done.scorecard.counts.allowed, done.scorecard.counts.flagged) == (1, 1)


def test_a_policy_that_cannot_be_used_is_no_verdict(bench):
    bench.side("new", CHANGED)
    (bench.root / "gate" / "policy.json").write_text('{"allowed": [{"case": "A", "stpe": 2, "reason": "r"}]}')
    with pytest.raises(PolicyError):
        bench.run()


FLAKY = "#!/bin/sh\necho did $1; [ $1 = two ] && head -c 8 /dev/urandom | od -An -tx1 >&2\nexit 0\n"


def test_a_check_on_which_the_baseline_disagrees_with_itself_abstains(bench):
    bench.side("old", FLAKY)
    bench.side("new", FLAKY.replace("did", "done"))
    done = bench.run()
    assert [(u.case, u.step, u.field, u.side) for u in done.scorecard.unstable] == [("A", 2, "stderr", "baseline")]
    assert rows(done)[1] == ("A", 2, "flagged", [("stdout", "value")]), "the rest of the step still votes"
    assert done.scorecard.exit_code == 1


def test_an_abstention_alone_is_exit_code_3(bench):
    bench.side("old", FLAKY)
    bench.side("new", FLAKY + "# tidied\n")
    assert bench.run().scorecard.exit_code == 3


def test_a_candidate_that_wavers_became_unstable(bench):
    bench.side("new", FLAKY)
    done = bench.run()
    assert done.scorecard.exit_code == 3
    assert [(u.case, u.step, u.field, u.side) for u in done.scorecard.unstable] == [("A", 2, "stderr", "candidate")]
    assert len(done.comparison.unstable[0].candidate) == 5, "two runs, and three to confirm"


def test_an_order_that_follows_the_hash_seed_is_seen(bench):
    """Reported fault 28: equal under one seed by luck, and never under all."""
    program = "#!/usr/bin/python3\nprint({0})\n"
    bench.side("old", program.format("sorted({'b', 'a', 'c', 'd'})"))
    bench.side("new", program.format("list({'b', 'a', 'c', 'd'})"))
    done = bench.run()
    assert done.scorecard.exit_code != 0


def test_a_time_stamp_that_the_baseline_varies_is_noise_and_a_frozen_one_is_a_change(bench):
    stamp = "#!/bin/sh\necho at $(date +%Y-%m-%dT%H:%M:%S.%N)Z\n"
    bench.side("old", stamp)
    bench.side("new", stamp + "# tidied\n")
    done = bench.run()
    assert done.scorecard.exit_code == 0
    assert done.scorecard.noise["timestamp"] > 0
    bench.side("frozen", "#!/bin/sh\necho at 2026-01-01T00:00:00.000000000Z today\n")
    assert bench.run(candidate="frozen").scorecard.exit_code == 1


def test_drift_of_the_judge_is_no_verdict_and_names_the_file(bench):
    bench.side("new", CHANGED)
    (bench.root / "fixtures").mkdir()
    (bench.root / "fixtures" / "orders.json").write_text("[]")
    with pytest.raises(DriftError, match=r"fixture 'orders\.json' added"):
        bench.run()


def test_without_pins_there_is_no_verdict(bench):
    bench.side("new", CHANGED)
    (bench.root / "gate" / "pins.json").unlink()
    with pytest.raises(PinsError) as caught:
        bench.run()
    assert "gate pin" in caught.value.next_step


def test_fixtures_reach_every_case_fresh(bench):
    (bench.root / "fixtures").mkdir()
    (bench.root / "fixtures" / "log").write_text("start\n")
    bench.side("old", "#!/bin/sh\necho $1 >> log; cat log\n")
    bench.side("new", "#!/bin/sh\necho $1 >> log; cat log | tac\n")
    bench.pin()
    done = bench.run()
    assert [(d.case, d.step) for d in done.comparison.deltas] == [("A", 1), ("A", 2), ("B", 1)]
    assert done.comparison.deltas[2].changes[0].old.text == b"start\none\n"


@pytest.mark.slow
def test_a_baseline_that_we_cut_short_is_no_evidence(bench):
    (bench.root / "gate.toml").write_text('version = 1\n[program]\npath = ["bin"]\n[replay]\ntimeout = 0.3\n')
    bench.pin()
    bench.side("old", "#!/bin/sh\nsleep 5\n")
    bench.side("new", "#!/bin/sh\nsleep 6\n")
    with pytest.raises(ReplayError, match="case A step 1 .*the baseline itself took longer"):
        bench.run()


def test_a_case_that_cannot_start_on_the_baseline_is_no_evidence(bench):
    """Reported fault 27: both builds fail the same way."""
    bench.corpus(A=["tool one"], B=["jqq one", "jqq two"])
    bench.pin()
    bench.side("new", CHANGED)
    with pytest.raises(ReplayError, match="case B: none of its steps can start on the baseline"):
        bench.run()


def test_a_step_that_writes_into_the_build_is_no_verdict(bench):
    bench.side("new", "#!/bin/sh\necho $1 >> $(dirname $0)/state\necho did $1\n")
    with pytest.raises(ReplayError, match="candidate: a step wrote into the build: .*/bin"):
        bench.run()


def test_a_baseline_that_no_longer_reproduces_its_golden_is_no_verdict(bench, tmp_path):
    """Reported fault 27: a certificate expired, and every build prints the same error."""
    certificate = tmp_path / "certificate"
    certificate.touch()
    text = f"#!/bin/sh\n[ -e {certificate} ] || {{ echo certificate has expired; exit 1; }}\necho did $1\n"
    bench.side("old", text)
    bench.side("new", text + "# tidied\n")
    assert bench.run().scorecard.exit_code == 0
    certificate.unlink()
    with pytest.raises(ReplayError, match="no longer reproduces its kept golden at A/1, A/2, B/1"):
        bench.run()


def test_a_build_command_builds_each_side_at_one_path_and_once(bench):
    (bench.root / "gate.toml").write_text(
        'version = 1\n[program]\npath = ["bin"]\n[build]\ncommand = ["sh", "build.sh"]\n'
    )
    bench.pin()
    for side, text in (("old", "echo old"), ("new", "echo new")):
        shutil.rmtree(bench.root / side, ignore_errors=True)
        (bench.root / side).mkdir()
        (bench.root / side / "source").write_text(text + "\n")
        (bench.root / side / "build.sh").write_text(
            "mkdir bin\n(echo '#!/bin/sh'; cat source; echo echo $PWD) > bin/tool\nchmod +x bin/tool\n"
        )
    done = bench.run()
    assert done.comparison.deltas[0].changes[0].old.text == b"old\n<BUILD>\n"
    assert done.comparison.deltas[0].changes[0].new.text == b"new\n<BUILD>\n"
    assert bench.told == ["candidate: built", "baseline: built"]
    bench.run()
    assert "candidate: built" not in bench.told


def test_a_damaged_golden_is_dropped_and_recorded_anew(bench):
    bench.side("new", CHANGED)
    first = bytes_of(bench.run())
    golden = next((bench.root / ".gate" / "cache" / "goldens").glob("*/run-000.jsonl"))
    golden.write_bytes(golden.read_bytes().replace(b"did one", b"did 0ne"))
    assert bytes_of(bench.run()) == first
    assert bench.told == []


def test_the_callers_environment_does_not_reach_a_step(bench, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("CI", "1")
    bench.side("old", "#!/bin/sh\nenv | sort | grep -v '^PWD=' | grep -v -e '^_=' -e SEED\n")
    bench.side("new", "#!/bin/sh\nenv | sort -r | grep -v '^PWD=' | grep -v -e '^_=' -e SEED\n")
    done = bench.run()
    names = {line.partition(b"=")[0] for line in done.comparison.deltas[0].changes[0].old.text.splitlines()}
    assert not names & {b"GIT_DIR", b"CI", b"USER", b"VIRTUAL_ENV"}
    assert b"HOME" in names


def test_nothing_is_left_behind_in_the_temporary_folder(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "t"))
    (tmp_path / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", None)
    bench.side("new", CHANGED)
    bench.run()
    left = [path for path in (tmp_path / "t").rglob("*") if path.is_file() and path.suffix != ".lock"]
    assert left == []


def test_commands_that_all_did_the_same_prove_nothing(bench):
    """Reported fault 27's spirit: a program that ignores its words agrees with itself over any number of checks."""
    bench.side("old", "#!/bin/sh\nexit 0\n")
    bench.side("new", "#!/bin/sh\nexit 0 # tidied\n")
    with pytest.raises(
        ReplayError, match="all 3 steps of the corpus did exactly the same on the baseline: status=b'0'"
    ):
        bench.run()


def test_against_itself_no_policy_entry_is_asked_or_called_unused(bench):
    bench.policy({"case": "A", "step": 2, "reason": "two goes now"})
    done = bench.run(candidate=None)
    assert done.judgement.warnings == ()
    assert done.scorecard.policy.entries == 0


def test_a_golden_recorded_by_capture_is_the_one_that_a_run_uses(bench):
    capture(load_project(bench.root), bench.root / "old", workers=1, fresh=False, listen=silence)
    bench.side("new", CHANGED, program="tool")
    bench.side("new", "#!/bin/sh\necho one more program\n", program="extra")
    assert bench.run().scorecard.exit_code == 1
    assert bench.told == ["baseline: unchanged, its kept golden is used (gate capture --fresh records it anew)"]


def test_a_fresh_capture_records_the_golden_anew(bench, tmp_path):
    counter = tmp_path / "runs"
    bench.side("old", f"#!/bin/sh\necho x >> {counter}\necho did $1\n")
    for fresh, lines in ((False, 6), (False, 6), (True, 12)):
        done = capture(load_project(bench.root), bench.root / "old", workers=1, fresh=fresh, listen=silence)
        assert len(counter.read_text().splitlines()) == lines
    assert [len(case) for case in done.runs[0]] == [2, 1]


def test_a_damaged_kept_build_is_built_anew(bench):
    (bench.root / "gate.toml").write_text(
        'version = 1\n[program]\npath = ["bin"]\n[build]\ncommand = ["sh", "-c", "mkdir bin; cp tool bin"]\n'
    )
    bench.pin()
    for side in ("old", "new"):
        shutil.rmtree(bench.root / side, ignore_errors=True)
        (bench.root / side).mkdir()
        (bench.root / side / "tool").write_text(f"#!/bin/sh\necho {side} $1\n")
        (bench.root / side / "tool").chmod(0o755)
    first = bytes_of(bench.run())
    for kept in (bench.root / ".gate" / "cache" / "builds").glob("*/tree/bin/tool"):
        kept.write_text("#!/bin/sh\necho planted\n")
    assert bytes_of(bench.run()) == first
    assert bench.told.count("candidate: built") == 1


def built_by(bench, script, **extra):
    """Let both sides be made by `script` from their own `p.in`."""
    keys = "".join(f"{key} = {value}\n" for key, value in extra.items())
    (bench.root / "gate.toml").write_text(
        f'version = 1\n[program]\npath = ["bin"]\n[build]\ncommand = ["sh", "build.sh"]\n{keys}'
    )
    bench.pin()
    for side in ("old", "new"):
        shutil.rmtree(bench.root / side, ignore_errors=True)
        (bench.root / side).mkdir()
        (bench.root / side / "p.in").write_text(f"#!/bin/sh\necho {side} $1\n")
        (bench.root / side / "build.sh").write_text(f"mkdir bin\n{script}\nchmod +x bin/tool\n")


def test_what_one_build_leaves_in_its_home_does_not_reach_the_other(bench):
    """Both sides once shared a home: the baseline was then replayed with the candidate's code, and agreed with it."""
    built_by(bench, "[ -e ~/tool ] || cp p.in ~/tool\n[ -e $TMPDIR/t ] || cp p.in $TMPDIR/t\ncp ~/tool bin/tool")
    done = bench.run()
    assert done.scorecard.exit_code == 1
    assert done.comparison.deltas[0].changes[0].old.text == b"old one\n"


def test_a_kept_build_knows_the_values_that_it_saw(bench, monkeypatch):
    built_by(bench, "(cat p.in; echo echo $FLAVOUR) > bin/tool", pass_env='["FLAVOUR"]')
    for flavour in (b"plain", b"sweet"):
        monkeypatch.setenv("FLAVOUR", flavour.decode())
        change = bench.run().comparison.deltas[0].changes[0]
        assert (change.old.text, change.new.text) == (b"old one\n" + flavour + b"\n", b"new one\n" + flavour + b"\n")


def test_a_baseline_whose_steps_all_fail_alike_is_no_evidence(bench):
    for side in ("old", "new"):
        bench.side(side, f"#!/bin/sh\n# {side}\necho No module named requests >&2\nexit 1\n")
    with pytest.raises(
        ReplayError, match="all 3 steps of the corpus did exactly the same on the baseline: status=b'1'"
    ):
        bench.run()


def test_a_trace_program_that_prints_no_record_is_no_evidence(bench):
    (bench.root / "gate.toml").write_text('version = 1\n[program]\nrunner = "trace"\nargv = ["{build}/bin/tool"]\n')
    bench.pin()
    for side in ("old", "new"):
        bench.side(side, f"#!/bin/sh\n: {side}\n")
    with pytest.raises(ReplayError, match=r"case A: the baseline printed no record of any step \(0\)"):
        bench.run()


def test_what_the_baseline_varies_rarely_is_noise_after_a_longer_look(bench, tmp_path):
    """The same in five runs, and another in the sixth: the candidate's other duration is no change."""
    counter = tmp_path / "runs"
    bench.corpus(A=["tool one"])
    bench.pin()
    bench.side(
        "old",
        f"#!/bin/sh\necho x >> {counter}\n[ $(wc -l < {counter}) -gt 5 ] && t=0.06 || t=0.05\necho took ${{t}}s\n",
    )
    bench.side("new", "#!/bin/sh\necho took 0.06s\n")
    assert bench.run().scorecard.exit_code == 0


def test_a_duration_that_the_baseline_never_varies_is_a_change_that_names_the_rule(bench):
    bench.side("old", "#!/bin/sh\necho took 0.05s $1\n")
    bench.side("new", "#!/bin/sh\necho took 0.06s $1\n")
    done = bench.run()
    assert done.scorecard.exit_code == 1
    assert {change.masked_by for delta in done.comparison.deltas for change in delta.changes} == {"duration"}


def test_a_path_too_deep_to_record_is_told_and_spoils_no_later_run(bench):
    deep = "import os\nfor _ in range(60):\n    os.mkdir('a' * 200)\n    os.chdir('a' * 200)\n"
    bench.side("new", f"#!/usr/bin/python3\n{deep}")
    for _ in range(2):
        with pytest.raises(ReplayError, match="case A: a step left a path that is longer than this system takes"):
            bench.run()
    bench.side("new", CHANGED)
    assert bench.run().scorecard.exit_code == 1


def test_what_is_written_beside_the_working_directory_is_no_verdict(bench):
    """Reported fault 26."""
    bench.side("new", "#!/bin/sh\necho x > ../side.log\necho did $1\n")
    with pytest.raises(ReplayError, match=r"case A: a step wrote outside of its directories: \.\./side\.log"):
        bench.run()


@pytest.mark.slow
def test_a_step_that_stops_its_watcher_ends_the_run(bench, monkeypatch):
    monkeypatch.setattr("gate.replay.engine._MARGIN_SECONDS", 1.0)
    monkeypatch.setattr("gate.replay.engine.KILL_SECONDS", 0.1)
    (bench.root / "gate.toml").write_text('version = 1\n[program]\npath = ["bin"]\n[replay]\ntimeout = 0.5\n')
    bench.pin()
    bench.side("new", "#!/bin/sh\nkill -STOP $PPID\necho did $1\n")
    with pytest.raises(ReplayError, match="a replay worker said nothing for"):
        bench.run()


@pytest.mark.slow
def test_a_daemon_that_a_build_starts_is_gone_before_anything_is_replayed(bench, tmp_path):
    built_by(
        bench,
        f"cp p.in bin/tool\nsetsid sh -c 'echo $$ > {tmp_path}/$$.pid; exec sleep 600' </dev/null >/dev/null 2>&1 &\nsleep 0.3",
    )
    bench.run()
    pids = [path.stem for path in tmp_path.glob("*.pid")]
    assert len(pids) == 2
    alive = [pid for pid in pids if (file := Path("/proc") / pid / "cmdline").exists() and file.read_bytes()]
    assert alive == [], "a zombie has no command line"


def test_a_clock_that_stood_still_in_the_kept_golden_is_no_other_baseline(bench):
    bench.corpus(A=["tool one"])
    bench.pin()
    stamp = "#!/bin/sh\necho at $(date +%Y-%m-%dT%H:%M:%SZ)\n"
    bench.side("old", stamp)
    bench.side("new", stamp + "# tidied\n")
    for _ in range(2):
        assert bench.run().scorecard.exit_code == 0
        time.sleep(1.1)


def test_a_failure_that_carries_the_time_is_the_same_failure(bench):
    for side in ("old", "new"):
        stamp = "$(date +%Y-%m-%dT%H:%M:%S.%NZ)"
        bench.side(side, f"#!/bin/sh\n: {side}\necho {stamp} certificate expired >&2\nexit 1\n")
    with pytest.raises(ReplayError, match="all 3 steps of the corpus did exactly the same on the baseline"):
        bench.run()


@pytest.mark.parametrize("up", ["../..", "../../..", "../../../.."])
def test_what_is_written_further_up_is_no_verdict_either(bench, up, tmp_path, monkeypatch):
    (tmp_path / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    bench.side("new", f"#!/bin/sh\necho x > {up}/side.log\necho did $1\n")
    with pytest.raises(ReplayError, match="a step wrote outside of its directories: .*side.log"):
        bench.run()


def test_a_machine_without_a_sandbox_is_told_so(bench, monkeypatch):
    """With `auto` a build that nobody trusts would otherwise run with the caller's rights, and nobody would know why."""
    none = Sandbox(kind="none", why="user namespaces are off")
    monkeypatch.setattr("gate.pipeline.stage.find_sandbox", lambda _: none)
    told = []
    trees = Trees(baseline=bench.root / "old")
    done = audit(load_project(bench.root), trees, workers=1, sandbox="auto", today=date(2026, 1, 1), listen=told.append)
    assert done.scorecard.runs.sandbox == "none"
    assert [event.text for event in told if isinstance(event, Remark)] == [
        "note: no sandbox, builds and steps run with your rights: user namespaces are off"
    ]
