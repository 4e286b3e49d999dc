"""`auditor review` at a real terminal, with the real gate and the demo's patch."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from person import COMMANDS, Person, environment

from auditor.demo.folder import set_up
from auditor.drafting.values import Change, Classified, Drafted, Group, Place
from auditor.review.gate_door import GateDoor
from auditor.suggestions.made import suggest
from auditor.suggestions.model import Input
from auditor.suggestions.stale import ABSENT
from auditor.suggestions.store import keep, read_suggestion
from gate import api

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_hang")]

INTENT = {("A", 4): "delete is idempotent", ("A", 5): "list sorts by default"}


def text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "backslashreplace")


@pytest.fixture
def project(tmp_path):
    """The demo with an empty policy, run once, and a draft of its six deltas. The properties have no part in it."""
    folder = set_up(tmp_path / "demo")
    (folder / "gate" / "policy.json").write_text('{\n  "allowed": []\n}\n')
    for file in (folder / "properties").glob("test_*.py"):
        file.unlink()
    config = folder / "gate.toml"
    config.write_text(
        "".join(
            row for row in config.read_text().splitlines(keepends=True) if "repeats" not in row and "[voting" not in row
        )
    )
    judge(folder)
    keep(folder, drafted(folder))
    return folder


def judge(folder) -> api.Outcome:
    api.pin(folder)
    return api.run(folder, folder / "baseline", folder / "candidate")


def drafted(folder):
    run = api.recorded(folder)
    groups, items = [], []
    for number, delta in enumerate(run.flagged, start=1):
        changes = tuple(
            Change(field=one.field, kind=one.kind, old=text(one.old), new=text(one.new)) for one in delta.flagged
        )
        places = (Place(case=delta.case, step=delta.step),)
        groups.append(Group(id=f"d{number}", command=delta.command, changes=changes, places=places))
        quote = INTENT.get((delta.case, delta.step), "")
        kind = "intent" if quote else "collateral"
        items.append(Classified(group=f"d{number}", kind=kind, quote=quote, old="", new="", reason=quote or "unasked"))
    door = GateDoor(project_root=folder)
    return suggest(
        "policy",
        Drafted(model="offline", prompt="offline-1", items=tuple(items)),
        subject="run",
        groups=groups,
        silences={group.id: door.silenced(group.places) for group in groups},
        inputs=[
            Input(name="scorecard", digest=run.digests["scorecard"] or ABSENT),
            Input(name="deltas", digest=run.digests["deltas"] or ABSENT),
            Input(name="policy", digest=run.digests["policy"] or ABSENT),
        ],
    )


def allowed(folder) -> list[tuple[object, ...]]:
    entries = json.loads((folder / "gate" / "policy.json").read_text())["allowed"]
    return [(entry["case"], entry["step"], entry["field"], entry["reason"], entry["reviewer"]) for entry in entries]


def test_accept_one_edit_one_reject_one_skip_one_and_undo(project):
    """Then the policy holds exactly what was accepted, and the next run shows its effect."""
    policy = project / "gate" / "policy.json"
    empty = policy.read_bytes()
    draft = drafted(project)
    person = Person("review", "--reviewer", "Ada", cwd=project)
    person.wait_for("reviewer: Ada (--reviewer)")
    person.wait_for("[1/6] policy d1 collateral: set")
    person.presses("a")
    person.wait_for("collateral: nobody asked for this change")
    person.presses("e")
    person.types("(Enter: back): ", "duplicates are warned of, issue 7\n")
    person.wait_for("[2/6] policy d2 intent: delete")
    person.presses("a")
    person.types("reason (Enter: back): ", "delete is idempotent now, issue 8\n")
    person.wait_for("[3/6] policy d3 intent: list")
    three = policy.read_bytes()
    person.presses("a")
    person.wait_for("[4/6]")
    assert policy.read_bytes() != three
    person.presses("u")
    person.wait_for("[3/6]")
    assert policy.read_bytes() == three
    person.presses("a")
    person.wait_for("[4/6]")
    person.presses("r")
    person.types("no reason): ", "an empty key was refused before\n")
    person.wait_for("[5/6]")
    person.presses("\n")
    person.wait_for("[6/6]")
    person.presses("q")
    assert person.ends() == 0
    assert "accepted 1, edited 2, rejected 1, skipped 1;" in person.screen
    mark = f" (suggestion {draft.id})"
    assert empty != policy.read_bytes()
    assert allowed(project) == [
        ("A", 2, "warn", "duplicates are warned of, issue 7" + mark, "Ada"),
        ("A", 4, "status", "delete is idempotent now, issue 8" + mark, "Ada"),
        ("A", 4, "error", "delete is idempotent now, issue 8" + mark, "Ada"),
        ("A", 5, "order", "list sorts by default" + mark, "Ada"),
    ]
    held = read_suggestion(project, draft.id).suggestion
    assert [item.status for item in held.items] == ["edited", "edited", "accepted", "rejected", "proposed", "proposed"]
    judge(project)
    run = api.recorded(project)
    assert [(delta.case, delta.step) for delta in run.flagged] == [("B", 1), ("B", 2), ("C", 3)]


def test_undoing_everything_leaves_the_policy_as_it_was(project):
    policy = project / "gate" / "policy.json"
    before = policy.read_bytes()
    person = Person("review", "--reviewer", "Ada", cwd=project, columns=40)
    person.presses("s")
    person.wait_for("[2/6]")
    person.presses("s")
    person.wait_for("[3/6]")
    person.presses("a")
    person.wait_for("[4/6]")
    person.presses("u")
    person.wait_for("[3/6]")
    person.presses("\x04")
    assert person.ends() == 0
    assert policy.read_bytes() == before


def test_held_keys_arrows_and_pastes_accept_nothing(project):
    """Reported fault 103: what was typed ahead answers no question, and more than one character at once is no key."""
    before = (project / "gate" / "policy.json").read_bytes()
    person = Person("review", "--reviewer", "Ada", cwd=project)
    os.write(person._mine, b"a" * 200)
    for sent in ("aaaa", "\x1b[a", "A", "y"):
        person.presses(sent)
        person.wait_for("one key at a time")
    person.presses("q")
    assert person.ends() == 0
    assert (project / "gate" / "policy.json").read_bytes() == before


def test_a_run_that_is_newer_than_the_draft_makes_it_stale(project):
    (project / "candidate" / "kv.py").write_bytes((project / "candidate" / "kv.py").read_bytes() + b"# mended\n")
    judge(project)
    person = Person("review", "--reviewer", "Ada", cwd=project, env={"NO_COLOR": "1"})
    person.wait_for("stale: scorecard: changed since the draft was made")
    person.presses("a")
    person.wait_for("cannot be accepted: stale: ")
    person.presses("q")
    assert person.ends() == 0
    assert "\x1b" not in person.screen
    assert allowed(project) == []


def script(folder, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", COMMANDS, *words],
        cwd=folder,
        env=environment(**more),
        input="aaaaaa\n",
        capture_output=True,
        text=True,
    )


def test_without_a_terminal_or_in_ci_nobody_reviews(tmp_path):
    """Reported fault 103."""
    done = script(tmp_path, "review", "--reviewer", "Ada")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: expected a terminal on standard input and standard output: only a person can accept\n"
        "Scripts can list, show and reject: auditor suggestions --help\n"
    )
    person = Person("review", "--reviewer", "Ada", cwd=tmp_path, env={"CI": "true"})
    assert person.ends() == 2
    assert "expected a person at work, but CI is set" in person.screen


def test_without_a_name_nobody_reviews(tmp_path):
    nobody = {
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
    }
    person = Person("review", cwd=tmp_path, env=nobody)
    assert person.ends() == 2
    assert "git config user.name: expected the name of a reviewer, got none" in person.screen
    person = Person(
        "review",
        cwd=tmp_path,
        env={**nobody, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "Bo"},
    )
    assert person.ends() == 0
    assert "reviewer: Bo (git config user.name)\n" in person.screen
