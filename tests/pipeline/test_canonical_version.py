"""Whatever the gate keeps says by which version of the canonical form it was made; another version is exit code 2, never a comparison."""

import hashlib
import json

import pytest
from typer.testing import CliRunner

from gate import api
from gate.cli.app import app
from gate.config.load import load_project
from gate.diff.noise import CANONICAL_VERSION
from gate.errors import DriftError, ReplayError
from gate.pipeline.capture import capture
from gate.pipeline.noise import recorded_runs

OTHER = CANONICAL_VERSION + 1
STAMP, OTHER_STAMP = f'"canonical":{CANONICAL_VERSION}'.encode(), f'"canonical":{OTHER}'.encode()


@pytest.fixture
def ran(bench):
    bench.side("new", "#!/bin/sh\necho did $1 now\n")
    bench.run()
    return bench


def silence(_):
    pass


def gate(*words):
    return CliRunner().invoke(app, list(words), catch_exceptions=False)


def age_golden(bench):
    """Let the kept golden be of another version of the gate."""
    (index,) = (bench.root / ".gate" / "cache" / "goldens").glob("*/digests.json")
    for run in index.parent.glob("run-*.jsonl"):
        data = run.read_bytes()
        assert STAMP in data.partition(b"\n")[0]
        run.write_bytes(data.replace(STAMP, OTHER_STAMP, 1))
    digests = {run.name: hashlib.sha256(run.read_bytes()).hexdigest() for run in index.parent.glob("run-*.jsonl")}
    index.write_text(json.dumps(digests))


def age_run(bench):
    card = bench.root / ".gate" / "latest" / "scorecard.json"
    told = json.loads(card.read_text())
    card.write_text(json.dumps({**told, "canonical": OTHER}))


def test_traces_and_scorecards_are_stamped(ran):
    latest = ran.root / ".gate" / "latest"
    for name in ("golden.jsonl", "patched.jsonl"):
        assert json.loads((latest / name).read_bytes().partition(b"\n")[0])["canonical"] == CANONICAL_VERSION
    assert json.loads((latest / "scorecard.json").read_text())["canonical"] == CANONICAL_VERSION
    assert json.loads((ran.root / "gate" / "pins.json").read_text())["canonical"] == CANONICAL_VERSION


def test_a_kept_golden_of_another_form_is_no_verdict_until_it_is_recorded_anew_on_purpose(ran):
    age_golden(ran)
    for _ in range(2):
        with pytest.raises(ReplayError) as caught:
            ran.run()
        assert caught.value.what == (
            f"the baseline's kept golden: expected canonical form {CANONICAL_VERSION}, got {OTHER}: another version of the gate recorded it"
        )
        assert caught.value.next_step == f"Record it anew: gate capture --fresh --baseline {ran.root / 'old'}"
    capture(load_project(ran.root), ran.root / "old", workers=1, fresh=True, listen=silence)
    assert ran.run().scorecard.exit_code == 1


def test_pins_of_another_form_are_no_verdict_and_say_how_to_pin_anew(ran):
    pins = ran.root / "gate" / "pins.json"
    pins.write_text(pins.read_text().replace(f'"canonical": {CANONICAL_VERSION}', f'"canonical": {OTHER}'))
    with pytest.raises(DriftError) as caught:
        ran.run()
    assert f"expected version {OTHER}, got version {CANONICAL_VERSION}" in caught.value.what
    told = gate("verify", "--project", str(ran.root))
    assert told.exit_code == 2
    assert told.stdout == (
        f"judge 'canonical form' changed: expected version {OTHER}, got version {CANONICAL_VERSION}\n"
        "  this version of the gate compares in another form: re-pin with review: gate pin\n"
    )
    assert told.stderr == "Restore what drifted, or pin the new judge in a commit of its own: gate pin\n"


def test_a_run_of_another_form_is_not_read_back(ran):
    age_run(ran)
    with pytest.raises(ReplayError, match=f"expected canonical form {CANONICAL_VERSION}, got {OTHER}") as caught:
        api.recorded(ran.root)
    assert caught.value.next_step == "Its values do not compare with those of this version: run `gate run` again."


def test_nothing_is_bound_to_a_run_of_another_form(ran):
    entry = {"case": "A", "step": 1, "reason": "said so"}
    ran.policy(entry)
    age_run(ran)
    told = gate("policy", "bind", "--reviewer", "Ada", "--project", str(ran.root))
    assert (told.exit_code, told.stdout) == (2, "")
    assert f"expected canonical form {CANONICAL_VERSION}, got {OTHER}" in told.stderr


@pytest.mark.parametrize("aged", ["golden", "patched"])
def test_traces_of_two_forms_are_not_compared(ran, tmp_path, aged):
    latest = ran.root / ".gate" / "latest"
    (tmp_path / "policy.json").write_text('{"allowed": []}')
    for name in ("golden", "patched"):
        data = (latest / f"{name}.jsonl").read_bytes()
        (tmp_path / name).write_bytes(data.replace(STAMP, OTHER_STAMP, 1) if name == aged else data)
    told = gate("diff", *(str(tmp_path / name) for name in ("golden", "patched", "policy.json")))
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr == (
        f"error: {tmp_path / aged}:1: expected canonical form {CANONICAL_VERSION}, got {OTHER}\n"
        "Another version of the gate recorded it, and compares otherwise. Record it again: "
        "gate capture --fresh --baseline DIR, or gate run for both sides.\n"
    )


def test_what_is_kept_of_the_latest_runs_baseline_is_found_run_by_run(ran):
    project = load_project(ran.root)
    found = recorded_runs(project)
    assert ([len(runs) for runs in found.cases], [file.name for file in found.files]) == (
        [2, 2],
        ["run-000.jsonl", "run-001.jsonl"],
    )
    assert recorded_runs(project, baseline=ran.root / "old") == found
    with pytest.raises(ReplayError, match="expected a kept golden of this build"):
        recorded_runs(project, baseline=ran.root / "new")


def test_where_no_golden_is_kept_the_runs_own_trace_is_all_there_is(ran):
    (index,) = (ran.root / ".gate" / "cache" / "goldens").glob("*/digests.json")
    index.unlink()
    assert [file.name for file in recorded_runs(load_project(ran.root)).files] == ["golden.jsonl"]
