"""The README's first command, from end to end, in a process of its own."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from forked_commands import called

from auditor.demo.folder import set_up
from auditor.demo.verdict import next_commands, review_commands
from auditor.review.gate_door import GateDoor
from auditor.suggestions.stale import changed_inputs
from auditor.suggestions.store import list_suggestions
from gate import api

pytestmark = pytest.mark.slow

SIX_ROWS = [
    ("A", "2", "set", "warn=none → warn=duplicate", "flagged"),
    ("A", "4", "delete", "status=1, error=missing → status=0, error=none", "allowed: delete is idempotent"),
    ("A", "5", "list", "order=insertion → order=sorted", "allowed: list sorts by default"),
    ("B", "1", "set", "status=1, error=empty → status=0", "flagged"),
    ("B", "2", "get", "hit=false → hit=true", "flagged"),
    ("C", "3", "badcmd", "status=2 → status=1, error=unknown", "flagged"),
]


@pytest.fixture
def demo(tmp_path) -> Path:
    """The demo project as the command leaves it, but for the run; a failure is confirmed by one run more, not by eight."""
    folder = set_up(tmp_path / "demo")
    toml = (folder / "gate.toml").read_text()
    (folder / "gate.toml").write_text(toml.replace("[voting.property", "[voting]\nconfirm = 1\n\n[voting.property", 1))
    api.pin(folder)
    return folder


def run(program: str, *words: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    environment = {key: text for key, text in os.environ.items() if key not in {"COLUMNS", "FORCE_COLOR"}} | env
    return called(program, *words, cwd=cwd, env=environment)


def rows(report: str) -> list[tuple[str, ...]]:
    """The rows of the table of deltas, sorted: case, step, command, delta, verdict. Order and quotes are the report's own matter."""
    pattern = r"(?:g\d+)?\s+([A-Z])\s+(\d+)  (\w+) +(?:exit code|value) +(?:then: )?(\S.*?)\s{2,}(\S.*)"
    found = (re.fullmatch(pattern, line) for line in report.splitlines())
    return sorted(tuple(column.replace('"', "") for column in match.groups()) for match in found if match)


def ballots(report: str) -> list[tuple[str, ...]]:
    found = (re.fullmatch(r"(\w+) +(pass|fail|freeze|frozen|void) +(\d+)  .*", line) for line in report.splitlines())
    return [match.groups() for match in found if match]


ENDPOINT = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}


@pytest.fixture(scope="module")
def first(tmp_path_factory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """One demo, and the folder that it was called in: with a model set up that nobody answers for."""
    place = tmp_path_factory.mktemp("first")
    (place / "auditor.toml").write_text("[model]\nname = 'a-model'\n")
    return place, run("auditor", "demo", cwd=place, **ENDPOINT)


def test_the_demo_ends_in_the_verdict_of_the_gate(first):
    _, first = first
    assert (first.returncode, first.stderr) == (1, "")
    assert first.stdout.startswith("baseline: 9 tests green\ncandidate: 9 tests green\nmended: 9 tests green\n\n")
    assert rows(first.stdout) == sorted(SIX_ROWS + SIX_ROWS[1:3])
    assert ballots(first.stdout) == [
        ("idempotent_write", "pass", "2"),
        ("list_order", "freeze", "12"),
        ("no_secret_in_log", "pass", "2"),
        ("retry_cap", "fail", "10"),
        ("idempotent_write", "pass", "2"),
        ("list_order", "frozen", "0"),
        ("no_secret_in_log", "pass", "2"),
        ("retry_cap", "pass", "2"),
    ]
    assert [line[:6] for line in first.stdout.splitlines() if line.startswith("exit ")] == ["exit 1", "exit 3"]
    assert "Exit code 1. Nine tests" in first.stdout
    assert "Exit code 3. In `mended`" in first.stdout
    run_words, diff_words, vote_words = (shlex.join(words) for words in next_commands())
    assert run_words.endswith(" run --baseline baseline --candidate candidate")
    assert diff_words.endswith(" diff golden.trace patched.trace gate/policy.json")
    assert vote_words.endswith(" vote --baseline baseline --candidate mended")
    assert first.stdout.endswith(
        "\n\nThe demo project is in auditor-demo. To go on from here:\n"
        "  cd auditor-demo\n"
        f"  {run_words}\n"
        f"  {diff_words}\n"
        f"  {vote_words}\n"
        "Then allow one more change in gate/policy.json, or mend the candidate, and run the gate again.\n"
    )


def test_the_demo_works_twice_in_a_row(first, tmp_path):
    before, first = first
    demo = tmp_path / "auditor-demo"
    shutil.copytree(before / "auditor-demo", demo, symlinks=True)
    (policy,) = (demo / "unreviewed" / "suggestions").glob("policy-*.json")
    words = ("reject", policy.stem, "--item", "d6", "--why", "a typo is an error", "--reviewer", "Ada")
    rejected = run("auditor", "suggestions", *words, cwd=demo / "unreviewed")
    assert rejected.returncode == 0, rejected.stderr
    decided = written(demo)
    second = run("auditor", "demo", cwd=tmp_path, **ENDPOINT)
    assert (second.returncode, rows(second.stdout)) == (1, rows(first.stdout))
    assert ballots(second.stdout)[1] == ("list_order", "frozen", "0"), "frozen is frozen"
    assert [path.name for path in tmp_path.iterdir()] == ["auditor-demo"]
    assert written(demo) == decided, "the same drafts, with what was decided of them"
    kept = drafts(first.stdout).replace("of `badcmd`.", "of `badcmd`. [rejected]")
    assert drafts(second.stdout) == kept


DRAFTS = """\
policy-ID: 2 intent, 4 collateral, by offline
  d1: collateral: case A step 2, set: No sentence of the stated intent speaks of `set`.
  d2: intent ("delete is idempotent: deleting a missing key succeeds"): case A step 4, delete: A sentence names
      `delete` and covers status "1" to "0", error "missing" to "none".
  d3: intent ("list sorts by default"): case A step 5, list: A sentence names `list` and covers order "insertion" to
      "sorted".
  d4: collateral: case B step 1, set: No sentence of the stated intent speaks of `set`.
  d5: collateral: case B step 2, get: No sentence of the stated intent speaks of `get`.
  d6: collateral: case C step 3, badcmd: No sentence of the stated intent speaks of `badcmd`.

hypotheses-ID: why property retry_cap fails, by offline
"""


def written(demo: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (demo / "unreviewed" / "suggestions").iterdir()}


def drafts(output: str) -> str:
    """The part of the demo's output that tells the drafts, between the gate's two reports."""
    start = output.index("How does a step become allowed? In auditor-demo/unreviewed ")
    return output[start : output.index("\n\n", output.index("\n  cd auditor-demo/unreviewed\n", start)) + 1]


def test_the_demo_drafts_two_steps_as_meant_and_four_as_not_and_three_hypotheses(first):
    """Offline, whatever is set up here, and ready for `auditor review`: an acceptance silences what it shows."""
    place, done = first
    assert (done.returncode, done.stderr) == (1, "")
    told = re.sub(r"-[0-9a-f]{12}", "-ID", drafts(done.stdout))
    assert told[told.index("policy-ID") : told.index("  h1: ")] == DRAFTS
    assert re.findall(r"^  h\d: \w+", told, re.MULTILINE) == ["  h1: logic", "  h2: input", "  h3: oracle"]
    review, again = (shlex.join(words) for words in review_commands())
    assert told.endswith(f"\n  cd auditor-demo/unreviewed\n  {review}\n  {again}\n")
    project = place / "auditor-demo" / "unreviewed"
    found = {stored.suggestion.kind: stored.suggestion for stored in list_suggestions(project).stored}
    assert sorted(found) == ["hypotheses", "policy"]
    door = GateDoor(project_root=project)
    assert [changed_inputs(one, door.standing(), project) for one in found.values()] == [(), ()]
    assert [door.silenced(item.group.places) for item in found["policy"].items] == [
        item.silences for item in found["policy"].items
    ]
    left = api.recorded(project)
    assert [(delta.case, delta.step) for delta in left.flagged] == [(row[0], int(row[1])) for row in SIX_ROWS]


@pytest.fixture
def judged(monkeypatch):
    """The demo without its replays: the gate's part is answered as it answers, at once."""
    from auditor.demo import drafts as demo_drafts
    from auditor.demo import verdict

    def judge(folder, candidate, **_):
        code = api.ExitCode.STOP if candidate == "candidate" else api.ExitCode.ABSTAIN
        return api.Outcome(exit_code=code, report=f"of {candidate}", folder=folder)

    monkeypatch.setattr(verdict, "judge", judge)
    monkeypatch.setattr(demo_drafts, "suggestions_of", lambda _: ())


def test_a_fault_of_drafting_moves_no_verdict_of_the_demo(judged, tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from auditor.cli.app import app
    from auditor.demo import drafts as demo_drafts

    def broken(_):
        raise ZeroDivisionError

    monkeypatch.setattr(demo_drafts, "suggestions_of", broken)
    done = CliRunner().invoke(app, ["demo", "--into", str(tmp_path / "demo")])
    assert done.exit_code == 1
    assert done.stderr == (
        "not drafted: the drafting itself failed (ZeroDivisionError). Run again with GATE_DEBUG=1 and report it. "
        "The verdict stands.\n"
    )
    assert "Exit code 3. In `mended`" in done.stdout


@pytest.fixture
def installation(tmp_path, monkeypatch) -> Path:
    """The script folder of an installation whose `gate` is this one."""
    folder = tmp_path / "an installation" / "bin"
    folder.mkdir(parents=True)
    script(folder / "gate", f'exec {shlex.quote(sys.executable)} -m gate "$@"')
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(folder) if name == "scripts" else "")
    return folder


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_the_commands_to_try_next_name_the_gate_where_the_shell_finds_this_one(installation, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{installation}:{os.environ['PATH']}")
    assert [words[0] for words in next_commands()] == ["gate"] * 3
    link = tmp_path / "links"
    link.mkdir()
    (link / "gate").symlink_to(installation / "gate")
    monkeypatch.setenv("PATH", f"{link}:/usr/bin:/bin")
    assert [words[0] for words in next_commands()] == ["gate"] * 3


def test_the_commands_to_try_next_name_the_script_where_the_shell_finds_none_or_another(
    installation, tmp_path, monkeypatch
):
    mine = [str(installation / "gate")] * 3
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert [words[0] for words in next_commands()] == mine
    script(tmp_path / "other" / "gate", "exit 0")
    monkeypatch.setenv("PATH", f"{tmp_path / 'other'}:/usr/bin:/bin")
    assert [words[0] for words in next_commands()] == mine


def test_the_commands_to_try_next_start_the_module_where_there_is_no_script(installation):
    (installation / "gate").unlink()
    assert [words[:3] for words in next_commands()] == [(sys.executable, "-m", "gate")] * 3


@pytest.mark.parametrize("number", [0, 1])
def test_the_commands_to_try_next_can_be_copied_into_a_shell_that_knows_no_gate(
    demo, installation, monkeypatch, number
):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (demo / "gate" / "freeze_set.json").write_text('{"frozen": ["list_order"]}')  # 24 votes that this is not about
    done = subprocess.run(
        ["sh", "-c", shlex.join(next_commands()[number])], cwd=demo, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert rows(done.stdout) == SIX_ROWS


def test_a_patch_that_does_only_what_was_meant_is_clean(demo):
    """The demo judges what the two programs really do: with the candidate mended, nothing is flagged."""
    store = (demo / "baseline" / "store.py").read_text()
    missing = 'return Reply(1, error="missing")'
    listed = 'return Reply(0, order="insertion", keys=self._entries)'
    assert missing in store
    assert listed in store
    mended = store.replace(missing, 'return Reply(0, error="none")')
    mended = mended.replace(listed, 'return Reply(0, order="sorted", keys=sorted(self._entries))')
    (demo / "candidate" / "store.py").write_text(mended)
    (demo / "candidate" / "kv.py").write_bytes((demo / "baseline" / "kv.py").read_bytes())
    (demo / "candidate" / "push.py").write_bytes((demo / "baseline" / "push.py").read_bytes())
    done = run("gate", "run", "--baseline", "baseline", "--candidate", "candidate", cwd=demo)
    assert done.returncode == 3, done.stderr
    assert rows(done.stdout) == SIX_ROWS[1:3]
    assert {ballot[1] for ballot in ballots(done.stdout)} == {"pass", "freeze"}


def test_an_edited_fixture_lets_nobody_vote(demo):
    (demo / "fixtures" / "README.txt").write_text("edited")
    done = run("gate", "run", "--baseline", "baseline", "--candidate", "candidate", cwd=demo)
    assert done.returncode == 2
    assert "README.txt" in done.stdout + done.stderr
    assert rows(done.stdout) == []


def test_an_edited_demo_is_kept_and_the_next_name_is_told(judged, tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from auditor.cli.app import app

    monkeypatch.chdir(tmp_path)
    set_up(tmp_path / "auditor-demo")
    (tmp_path / "auditor-demo" / "gate" / "policy.json").write_text('{"allowed": []}')
    done = CliRunner().invoke(app, ["demo"])
    assert done.exit_code == 1
    assert done.stderr == "auditor-demo was edited and stays as it is; the demo goes into auditor-demo-2\n"
    assert "\n  cd auditor-demo-2\n" in done.stdout
    assert (tmp_path / "auditor-demo" / "gate" / "policy.json").read_text() == '{"allowed": []}'


def test_a_demo_whose_tests_are_not_green_gives_no_verdict(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from auditor.cli.app import app
    from auditor.demo import folder

    copy = tmp_path / "project"
    for name, data in folder.shipped_files().items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes(data)
    (copy / "candidate" / "store.py").write_text("import os\nos._exit(0)\n")
    monkeypatch.setattr(folder, "SHIPPED", copy)
    done = CliRunner().invoke(app, ["demo", "--into", str(tmp_path / "demo")])
    assert done.exit_code == 2
    assert done.stdout == "baseline: 9 tests green\n"
    assert done.stderr.startswith(
        "error: candidate: expected 9 green tests, got 0; not green: test_kv.KeyValueTest.test_"
    )
