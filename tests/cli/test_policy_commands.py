from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from gate.cli.policy import register
from gate.diff.findings import Canonical, Change, Delta
from gate.domain import CaseId
from gate.files import write_atomically
from gate.report.scorecard import Counts, Digests, PolicyUse, Runs, Scorecard, encode, write_deltas

OPEN = """{
  "allowed": [
    {
      "case": "A",
      "step": 4,
      "reason": "asked for"
    }
  ]
}
"""
BOUND = """{
  "allowed": [
    {
      "case": "A",
      "step": 4,
      "field": "status",
      "old": "0",
      "new": "1",
      "reason": "asked for",
      "reviewer": "Ada"
    }
  ]
}
"""
DELTAS = (
    Delta(
        case=CaseId("A"),
        step=4,
        command="add",
        changes=(
            Change(field="status", old=Canonical(tokens=(b"0",)), new=Canonical(tokens=(b"1",)), kind="exit code"),
        ),
    ),
)

Gate = Callable[..., Result]

COUNTS = dict.fromkeys(Counts.__struct_fields__, 0)


def recorded(folder: Path, *, deltas: tuple[Delta, ...], candidate: str) -> None:
    """What `gate run` leaves of a run, as far as binding reads it."""
    card = Scorecard(
        gate="0",
        canonical=1,
        mode="baseline against candidate",
        digests=Digests(baseline="sha256:00", candidate=candidate),
        runs=Runs(repeats=2, confirm=3),
        counts=Counts(**COUNTS),
        deltas=(),
        unstable=(),
        policy=PolicyUse(),
        noise={},
        exit_code=1,
        verdict="stop",
        summary="verified 0 of 1 checks, no property voted",
    )
    write_atomically(folder / "scorecard.json", encode(card))
    write_deltas(folder / "deltas.jsonl", deltas)


def run_line(tmp_path: Path, number: str = "0002", candidate: str = "sha256:bb") -> str:
    return f"run {tmp_path}/.gate/runs/{number}: baseline sha256:00, candidate {candidate}\n"


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """The group `gate policy` in a project, with one observed run in the place where `gate run` leaves it."""
    (tmp_path / "gate.toml").write_text('version = 1\n[program]\nargv = ["{build}/kv"]\n')
    (tmp_path / "gate").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    recorded(tmp_path / ".gate" / "runs" / "0001", deltas=(), candidate="sha256:aa")
    recorded(tmp_path / ".gate" / "runs" / "0002", deltas=DELTAS, candidate="sha256:bb")
    (tmp_path / ".gate" / "latest").symlink_to("runs/0002")
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    return lambda *words: CliRunner().invoke(app, ["policy", *words])


@pytest.fixture
def file(gate: Gate) -> Path:
    return Path("gate/policy.json")


def ended(result: Result) -> tuple[int, str, str]:
    return result.exit_code, result.stdout, result.stderr


def test_check_counts_the_entries_and_warns_of_open_ones(gate: Gate, file: Path) -> None:
    file.write_text(OPEN)
    assert ended(gate("check")) == (
        0,
        "policy.json: usable; bound entries: 0; open entries: 1\n",
        'warning: policy.json lines 3-7: case "A" step 4: this entry allows ANY change at that step '
        '(reason: "asked for"); bind it to what was reviewed: gate policy bind\n',
    )


def test_check_is_silent_on_a_bound_policy_of_another_folder(gate: Gate, file: Path, tmp_path: Path) -> None:
    file.write_text(BOUND)
    (tmp_path / "elsewhere").mkdir()
    assert ended(gate("check", "--project", str(tmp_path))) == (
        0,
        "policy.json: usable; bound entries: 1; open entries: 0\n",
        "",
    )


def test_check_names_an_entry_that_expired(gate: Gate, file: Path) -> None:
    file.write_text(BOUND.replace('"Ada"', '"Ada",\n      "expires": "2001-01-01"'))
    assert ended(gate("check")) == (
        0,
        "policy.json: usable; bound entries: 1; open entries: 0\n",
        'warning: policy.json lines 3-12: case "A" step 4, "status": "0" -> "1": expired, last day 2001-01-01: '
        "a date is valid through the end of that day in UTC, with no grace after it; "
        "it allows nothing: review it anew or delete it\n",
    )


def test_check_of_no_policy_says_that_nothing_is_allowed(gate: Gate) -> None:
    assert ended(gate("check")) == (
        0,
        "policy.json: usable; bound entries: 0; open entries: 0; nothing is allowed\n",
        "",
    )


def test_check_of_an_unusable_policy_is_invalid(gate: Gate, file: Path, tmp_path: Path) -> None:
    file.write_text('{\n"allowlits": []}')
    assert ended(gate("check")) == (
        2,
        "",
        f"error: {tmp_path}/gate/policy.json:2: allowlits: unknown key; expected one of version, allowed\n"
        'Did you mean "allowed"? An entry binds whole values: it has no patterns, tolerances or denials. '
        "docs/policy.md shows both forms of an entry.\n",
    )


def test_bind_shows_what_it_would_bind_and_writes_nothing(gate: Gate, file: Path, tmp_path: Path) -> None:
    """Fault 103."""
    file.write_text(OPEN)
    assert ended(gate("bind", "--reviewer", "Ada")) == (
        0,
        run_line(tmp_path) + 'bind case "A" step 4, "status": "0" -> "1" (reason: "asked for"; reviewer: "Ada")\n'
        "policy.json: open entries replaced: 1; bound entries made: 1; not written: add --write\n",
        "",
    )
    assert file.read_text() == OPEN


def test_bind_writes_with_write_and_writing_twice_changes_no_byte(gate: Gate, file: Path, tmp_path: Path) -> None:
    """Fault 79."""
    file.write_text(OPEN)
    assert ended(gate("bind", "--reviewer", "Ada", "--write")) == (
        0,
        run_line(tmp_path) + 'bind case "A" step 4, "status": "0" -> "1" (reason: "asked for"; reviewer: "Ada")\n'
        "policy.json: open entries replaced: 1; bound entries made: 1; written\n",
        "",
    )
    assert file.read_text() == BOUND
    assert ended(gate("bind", "--reviewer", "Bo", "--write")) == (
        0,
        run_line(tmp_path) + "policy.json: nothing to bind; not written\n",
        "",
    )
    assert file.read_text() == BOUND


def test_bind_keeps_the_file_as_it_was_written_where_there_is_nothing_to_bind(
    gate: Gate, file: Path, tmp_path: Path
) -> None:
    text = '{"allowed":[ {"case":"A","step":4,"reason":"asked for"} ]}'
    file.write_text(text)
    assert ended(gate("bind", "--reviewer", "Ada", "--run", ".gate/runs/0001", "--write")) == (
        0,
        run_line(tmp_path, "0001", "sha256:aa") + "policy.json: nothing to bind; not written\n",
        'note: policy.json line 1: case "A" step 4: nothing observed there; the entry is left as it is; drop it?\n',
    )
    assert file.read_text() == text


def test_bind_does_not_write_in_ci(gate: Gate, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fault 103."""
    monkeypatch.setenv("CI", "true")
    file.write_text(OPEN)
    assert ended(gate("bind", "--reviewer", "Ada", "--write")) == (
        2,
        "",
        "error: gate policy bind --write: expected a person at work, but CI is set; CI never writes the policy\n"
        "Run it in a working tree, look at what it binds, and commit the file.\n",
    )
    assert file.read_text() == OPEN
    assert gate("bind", "--reviewer", "Ada").exit_code == 0


def test_bind_needs_a_reviewer(gate: Gate, file: Path) -> None:
    """Fault 104."""
    file.write_text(OPEN)
    assert gate("bind", "--write").exit_code == 2
    assert ended(gate("bind", "--reviewer", " ", "--write")) == (
        2,
        "",
        "error: reviewer: expected a name, got none\nSay who reviewed the changes: --reviewer NAME\n",
    )
    assert file.read_text() == OPEN


def test_bind_of_no_policy_is_invalid(gate: Gate, tmp_path: Path) -> None:
    assert ended(gate("bind", "--reviewer", "Ada", "--write")) == (
        2,
        "",
        f"error: {tmp_path}/gate/policy.json: expected a policy, found no such file\n"
        'Write {"allowed": []} into it to allow nothing.\n',
    )


def test_bind_needs_a_run_with_both_its_files(gate: Gate, file: Path, tmp_path: Path) -> None:
    file.write_text(OPEN)
    latest = tmp_path / ".gate" / "latest"
    (latest / "scorecard.json").unlink()
    result = gate("bind", "--reviewer", "Ada", "--write")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {latest}/scorecard.json: expected the scorecard of an observed run, got: ")
    result = gate("bind", "--reviewer", "Ada", "--write", "--run", "nowhere")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: nowhere/deltas.jsonl: expected the deltas of an observed run, found none\n")
    assert file.read_text() == OPEN
