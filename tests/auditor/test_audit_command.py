"""`auditor audit`: the gate's report and exit code, then drafts, and no fault of a draft that moves either."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from forked_commands import called

from auditor.cli.audit_drafts import _subjects
from gate import api

pytestmark = pytest.mark.slow

SIDES = ("--baseline", "old", "--candidate", "new")
PLAIN = "from {name}.cli.main import main; main()"
TOML = 'version = 1\n[program]\nrunner = "trace"\nargv = ["{python}", "{build}/app.py"]\n'
STEPS = ("login", "list", "mark", "drop", "quit")
BODIES = {
    0: ("print('A|{n}|{step}|status=0|said=1')", "print('A|{n}|{step}|status=0|said=' + str(1))"),
    1: ("print('A|{n}|{step}|status=0|said=before')", "print('A|{n}|{step}|status=0|said=after')"),
    3: ("print('A|{n}|{step}|status=0|said=' + str(hash('{step}')))",) * 2,  # the gate's hash seeds are fixed
}
NOT_INSTALLED = any(find_spec(name) is None for name in ("langchain_openai", "openai", "pydantic", "tenacity"))


def run(name: str, *words: str, cwd: Path, code: str = PLAIN, **env: str) -> subprocess.CompletedProcess[str]:
    left_out = ("OPENAI_", "GITHUB_EVENT_NAME", "FORCE_COLOR", "GATE_DEBUG")
    environment = {key: text for key, text in os.environ.items() if not key.startswith(left_out)} | env
    if code == PLAIN:
        return called(name, *words, cwd=cwd, env=environment)
    command = [sys.executable, "-c", code.format(name=name), *words]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)


def project(folder: Path, code: int, steps: tuple[str, ...] = STEPS) -> Path:
    """A program that prints its own trace, of which a run ends in `code`."""
    folder.mkdir()
    (folder / "gate.toml").write_text(TOML)
    for side, body in zip(("old", "new"), BODIES[code], strict=True):
        (folder / side).mkdir()
        printed = "\n".join(body.format(n=number, step=step) for number, step in enumerate(steps, 1))
        (folder / side / "app.py").write_text(f"{printed}\n# {side}\n")
    words = [word for step in steps for word in ("--step", step)]
    assert run("gate", "corpus", "add", "A", *words, cwd=folder).returncode == 0
    assert run("gate", "pin", cwd=folder).returncode == 0
    (folder / "INTENT.md").write_text("list says after instead of before\n")
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audits")
    return {code: project(folder / str(code), code) for code in BODIES}


@pytest.fixture
def flagged(made, tmp_path):
    shutil.copytree(made[1], tmp_path / "project", symlinks=True)
    return tmp_path / "project"


@pytest.fixture(scope="module")
def closed_port():
    """An address of this machine where nobody listens: the port is bound, and no connection is taken."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}/v1"


def without_ids(text: str) -> str:
    return re.sub(r"(policy|hypotheses|wording)-[0-9a-f]{12}", r"\1-ID", text)


@pytest.mark.parametrize("code", sorted(BODIES))
@pytest.mark.parametrize("model", ["offline", "nobody"])
def test_exit_code_report_and_scorecard_are_those_of_gate_run(made, tmp_path, closed_port, code, model):
    judged, audited = tmp_path / "judged", tmp_path / "audited"
    for copy in (judged, audited):
        shutil.copytree(made[code], copy, symlinks=True)
    own = run("gate", "run", *SIDES, "--scorecard", "card.json", cwd=judged)
    words = (*SIDES, "--scorecard", "card.json", "--intent", "INTENT.md", "--model", model)
    done = run("auditor", "audit", *words, cwd=audited, OPENAI_BASE_URL=closed_port)
    assert (own.returncode, done.returncode) == (code, code), done.stderr
    assert (audited / "card.json").read_bytes() == (judged / "card.json").read_bytes()
    assert done.stdout.startswith(f"{own.stdout}\ndrafts (suggestions, no vote)\n")
    told = done.stdout.removeprefix(own.stdout)
    nothing = "\ndrafts (suggestions, no vote)\nnothing to draft: nothing is flagged, no property failed, and none is frozen\n"
    assert (told == nothing) is (code != 1)
    faults = [line for line in done.stderr.splitlines() if line.startswith("not drafted: ")]
    kind = "not installed" if NOT_INSTALLED else "connection"
    wanted = [f"not drafted: no draft ({kind}): "] if (code, model) == (1, "nobody") else []
    assert [fault[: len(start)] for fault, start in zip(faults, wanted, strict=True)] == wanted
    assert (audited / "suggestions").exists() is ((code, model) == (1, "offline"))


def test_what_is_flagged_is_drafted_and_told_with_how_to_review_it(flagged):
    done = run("auditor", "audit", *SIDES, "--intent", "INTENT.md", cwd=flagged)
    told = without_ids(done.stdout[done.stdout.index("drafts (") :]).splitlines()
    assert told[:8] == [
        "drafts (suggestions, no vote)",
        "policy-ID: 1 intent, 4 collateral, by offline",
        "  d1: collateral: case A step 1, login: No sentence of the stated intent speaks of `login`.",
        '  d2: intent ("list says after instead of before"): case A step 2, list: '
        'A sentence names `list` and covers said "before" to "after".',
        "  d3: collateral: case A step 3, mark: No sentence of the stated intent speaks of `mark`.",
        "  d4: collateral: case A step 4, drop: No sentence of the stated intent speaks of `drop`.",
        "  d5: collateral: case A step 5, quit: No sentence of the stated intent speaks of `quit`.",
        "  review: auditor review policy-ID",
    ]
    assert [line for line in told[8:] if not line.startswith("  h")] == [
        line
        for group in ("d1", "d3", "d4")
        for line in (f"hypotheses-ID: group {group}, by offline", "  review: auditor review hypotheses-ID")
    ] + ["hypotheses were drafted for the first 3, 1 left out: auditor draft hypotheses 'group ID'"]
    assert [line[:5] for line in told[8:] if line.startswith("  h")] == ["  h1:", "  h2:", "  h3:"] * 3
    ids = {json.loads(path.read_bytes())["id"] for path in (flagged / "suggestions").iterdir()}
    assert ids == set(re.findall(r"(?:policy|hypotheses)-[0-9a-f]{12}", done.stdout))


def test_a_second_audit_writes_nothing_new(flagged):
    words = ("audit", *SIDES, "--intent", "INTENT.md")
    first = run("auditor", *words, cwd=flagged)
    before = {path.name: path.read_bytes() for path in (flagged / "suggestions").iterdir()}
    second = run("auditor", *words, cwd=flagged)
    assert (second.returncode, second.stdout) == (1, first.stdout)
    assert {path.name: path.read_bytes() for path in (flagged / "suggestions").iterdir()} == before


def test_two_folders_without_an_intent_get_no_policy_and_are_told_how(flagged):
    done = run("auditor", "audit", *SIDES, cwd=flagged)
    assert done.returncode == 1
    assert done.stdout.endswith(
        "\ndrafts (suggestions, no vote)\n"
        "no policy was drafted for want of an intent; say in a file what the patch is meant to do, and name it: "
        "auditor draft policy --intent FILE\n"
    )
    assert not (flagged / "suggestions").exists()


def test_machines_get_the_scorecard_alone_and_the_drafts_are_told_on_standard_error(flagged):
    words = (*SIDES, "--format", "json")
    own = run("gate", "run", *words, cwd=flagged)
    done = run("auditor", "audit", *words, "--intent", "INTENT.md", cwd=flagged)
    assert (done.returncode, done.stdout) == (1, own.stdout)
    assert "policy-ID: 1 intent, 4 collateral, by offline\n" in without_ids(done.stderr)


def test_commit_messages_are_the_intent_between_two_commits(flagged):
    shutil.copytree(flagged / "old", flagged / "tree")
    (flagged / "gate.toml").write_text(TOML.replace("{build}/", "{build}/tree/"))
    (flagged / ".gitignore").write_text(".gate/\nold/\nnew/\n")
    assert run("gate", "pin", cwd=flagged).returncode == 0
    git(flagged, "init", "--quiet", "-b", "main")
    git(flagged, "add", ".")
    git(flagged, "commit", "--quiet", "-m", "base")
    shutil.copy(flagged / "new" / "app.py", flagged / "tree" / "app.py")
    git(flagged, "commit", "--quiet", "-am", "drop says after instead of before")
    done = run("auditor", "audit", "--base", "HEAD~", "--head", "HEAD", cwd=flagged)
    assert done.returncode == 1, done.stderr
    assert (
        '  d4: intent ("drop says after instead of before"): case A step 4, drop: '
        'A sentence names `drop` and covers said "before" to "after".\n'
    ) in done.stdout


def git(folder: Path, *words: str) -> None:
    who = {f"GIT_{role}_{what}": "a@b.example" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["git", *words], cwd=folder, env=os.environ | who, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "error: expected two sides, got none\n"),
        (("--baseline", "old"), "error: expected two sides, got one\n"),
        (("--baseline", "old", "--head", "main"), "error: expected two folders or two commits, got some of both\n"),
        ((*SIDES, "--against-itself"), "error: expected the first side alone, got two and --against-itself\n"),
        (("--baseline", "old", "--candidate", "old"), "error: baseline and candidate are the same tree "),
    ],
)
def test_without_a_verdict_nothing_is_drafted_and_it_is_said_why(flagged, words, complaint):
    own = run("gate", "run", *words, cwd=flagged)
    done = run("auditor", "audit", *words, "--intent", "INTENT.md", cwd=flagged)
    assert (own.returncode, done.returncode, done.stdout) == (2, 2, "")
    assert own.stderr.startswith(complaint)
    assert done.stderr == own.stderr + (
        "nothing is drafted: the gate gave no verdict, and what it recorded may not be drafted from. Mend that first.\n"
    )
    assert not (flagged / "suggestions").exists()


def test_a_privileged_event_is_refused_as_by_gate_run(flagged):
    own = run("gate", "run", *SIDES, cwd=flagged, GITHUB_EVENT_NAME="pull_request_target")
    done = run("auditor", "audit", *SIDES, cwd=flagged, GITHUB_EVENT_NAME="pull_request_target")
    assert (own.returncode, done.returncode) == (2, 2)
    assert done.stderr.startswith(own.stderr)


def test_a_build_held_against_itself_ends_as_gate_run_does(flagged):
    words = ("--baseline", "old", "--against-itself")
    own = run("gate", "run", *words, cwd=flagged)
    done = run("auditor", "audit", *words, cwd=flagged)
    assert (own.returncode, done.returncode) == (0, 0)
    assert done.stdout.startswith(own.stdout)


BROKEN = (
    "from auditor.drafting import drafter\n"
    "def broken(*_, **__):\n    raise {{raised}}\n"
    "drafter.Desk.policy = broken\n" + PLAIN
)


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        ("ZeroDivisionError('sk-secret')", "not drafted: the drafting itself failed (ZeroDivisionError). "),
        ("SystemExit(0)", "not drafted: the drafting itself failed (SystemExit). "),
        ("MemoryError", "not drafted: the drafting itself failed (MemoryError). "),
        (
            "OSError(28, 'No space left on device', 'suggestions')",
            "not drafted: suggestions: No space left on device. ",
        ),
        ("KeyboardInterrupt", "drafting was interrupted; the verdict stands. "),
    ],
)
def test_whatever_drafting_does_the_exit_code_is_the_gates(flagged, raised, said):
    code = BROKEN.replace("{{raised}}", raised)
    done = run("auditor", "audit", *SIDES, "--intent", "INTENT.md", cwd=flagged, code=code)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(said)
    assert "sk-secret" not in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_drafting_that_cannot_even_be_loaded_moves_no_verdict(flagged):
    code = "import sys\nsys.modules['auditor.drafting.drafter'] = None\n" + PLAIN
    done = run("auditor", "audit", *SIDES, "--intent", "INTENT.md", cwd=flagged, code=code)
    assert done.returncode == 1
    assert "not drafted: the drafting itself failed (ModuleNotFoundError). " in done.stderr


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("auditor.toml", "[model]\nnam = 1\n", "not drafted: auditor.toml:2: model.nam: unknown key. "),
        ("suggestions", "", "not drafted: "),
        ("INTENT.md", "\udcff", "not drafted: INTENT.md: expected a text in UTF-8, got: "),
    ],
)
def test_files_that_spoil_drafting_are_told_in_one_line(flagged, file, text, said):
    (flagged / file).write_bytes(text.encode("utf-8", "surrogateescape"))
    done = run("auditor", "audit", *SIDES, "--intent", "INTENT.md", cwd=flagged)
    assert done.returncode == 1
    (fault,) = [line for line in done.stderr.splitlines() if line.startswith("not drafted")]
    assert fault.startswith(said)
    assert fault.endswith(" The verdict stands.")


def ballot(name: str, kind: str) -> api.RecordedBallot:
    return api.RecordedBallot(
        property=name, kind=kind, outcomes=(), reason="", seed=None, baseline=None, failures=()
    )  # fmt: skip


def recorded(*ballots: api.RecordedBallot) -> api.Recorded:
    return api.Recorded(
        folder=Path(), exit_code=api.ExitCode.STOP, verdict="", mode="", digests={}, policies=(), deltas=(),
        ballots=ballots, frozen=(),
    )  # fmt: skip


def test_hypotheses_are_for_the_properties_that_failed_in_every_run():
    left = recorded(ballot("a", "pass"), ballot("b", "fail"), ballot("c", "freeze"), ballot("d", "fail"))
    assert _subjects(left, None) == (["property b", "property d"], 0)


def test_without_a_failure_and_without_a_policy_there_is_nothing_to_explain():
    assert _subjects(recorded(ballot("c", "frozen")), None) == ([], 0)
