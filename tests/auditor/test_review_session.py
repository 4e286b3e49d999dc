"""`auditor review` at a real terminal, with the real gate and the demo's patch."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import msgspec
import pytest
from person import COMMANDS, Person, environment

from auditor.demo.folder import set_up
from auditor.drafting.material import groups
from auditor.drafting.values import Change, Classified, Drafted, Group, Place
from auditor.review.gate_door import GateDoor
from auditor.review.look import look
from auditor.suggestions.format import id_of
from auditor.suggestions.made import suggest
from auditor.suggestions.model import Input
from auditor.suggestions.stale import ABSENT, digest_of_file
from auditor.suggestions.store import keep, list_suggestions, read_suggestion
from gate import api
from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_hang")]

INTENT = {("A", 4): "delete is idempotent", ("A", 5): "list sorts by default"}


@pytest.fixture(autouse=True)
def nobody_stays():
    yield
    Person.send_home()


def text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "backslashreplace")


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """The demo with an empty policy, run once, and a draft of its six deltas. The properties have no part in it."""
    folder = set_up(tmp_path_factory.mktemp("reviews") / "demo")
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


@pytest.fixture
def project(judged, tmp_path):
    shutil.copytree(judged, tmp_path / "demo", symlinks=True)
    return tmp_path / "demo"


def judge(folder) -> api.Outcome:
    api.pin(folder)
    return api.run(folder, api.Trees(baseline=folder / "baseline", candidate=folder / "candidate"))


def each_alone(run):
    """Every flagged step as a group of its own."""
    for number, delta in enumerate(run.flagged, start=1):
        changes = tuple(
            Change(field=one.field, kind=one.kind, old=text(one.old), new=text(one.new)) for one in delta.flagged
        )
        places = (Place(case=delta.case, step=delta.step),)
        yield Group(id=f"d{number}", command=delta.command, changes=changes, places=places)


def drafted(folder, found=()):
    run = api.recorded(folder)
    found = found or tuple(each_alone(run))
    items = []
    for group in found:
        quote = INTENT.get((group.places[0].case, group.places[0].step), "")
        kind = "intent" if quote else "collateral"
        items.append(Classified(group=group.id, kind=kind, quote=quote, old="", new="", reason=quote or "unasked"))
    door = GateDoor(project_root=folder)
    return suggest(
        "policy",
        Drafted(model="offline", prompt="offline-1", items=tuple(items)),
        subject="run",
        groups=found,
        silences={group.id: door.silenced(group.places) for group in found},
        inputs=[
            Input(name="scorecard", digest=run.digests["scorecard"] or ABSENT),
            Input(name="deltas", digest=run.digests["deltas"] or ABSENT),
            Input(name="policy", digest=run.digests["policy"] or ABSENT),
            *(Input(name="intent", digest=digest_of_file(file), path=file.name) for file in folder.glob("INTENT.md")),
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
    told = [(one.item, one.verdict, one.who, one.why) for one in held.decisions]
    assert told == [
        ("d1", "edited", "Ada", "duplicates are warned of, issue 7"),
        ("d2", "edited", "Ada", "delete is idempotent now, issue 8"),
        ("d3", "accepted", "Ada", "list sorts by default"),
        ("d3", "undone", "Ada", ""),
        ("d3", "accepted", "Ada", "list sorts by default"),
        ("d4", "rejected", "Ada", "an empty key was refused before"),
    ]
    assert judge(project).exit_code == api.ExitCode.STOP
    verdicts = {
        (delta.case, delta.step, one.field): one.allowed
        for delta in api.recorded(project).deltas
        for one in delta.changes
    }
    assert verdicts == {
        ("A", 2, "warn"): "duplicates are warned of, issue 7" + mark,
        ("A", 4, "status"): "delete is idempotent now, issue 8" + mark,
        ("A", 4, "error"): "delete is idempotent now, issue 8" + mark,
        ("A", 5, "order"): "list sorts by default" + mark,
        ("B", 1, "status"): None,
        ("B", 1, "error"): None,
        ("B", 2, "hit"): None,
        ("C", 3, "status"): None,
        ("C", 3, "error"): None,
    }


def looked_at(folder, item="d3"):
    held = read_suggestion(folder, drafted_id(folder)).suggestion
    return look(GateDoor(project_root=folder), folder, held, next(one for one in held.items if one.id == item))


def drafted_id(folder) -> str:
    (stored,) = list_suggestions(folder).stored
    return stored.suggestion.id


def test_acceptances_and_the_same_run_again_leave_the_rest_fresh_and_an_edit_by_hand_does_not(project, monkeypatch):
    monkeypatch.delenv("CI", raising=False)  # where nobody may accept
    policy, ident = project / "gate" / "policy.json", drafted_id(project)
    assert looked_at(project).barriers == ()
    before = (project / ".gate" / "latest" / "scorecard.json").read_bytes()
    judge(project)
    assert (project / ".gate" / "latest" / "scorecard.json").read_bytes() == before
    assert looked_at(project).barriers == ()
    GateDoor(project_root=project).accept([Place(case="A", step=4)], reason="meant", reviewer="Ada", suggestion=ident)
    assert [looked_at(project, item).barriers for item in ("d2", "d3")] == [
        ("nothing is flagged there now that an entry could allow",),
        (),
    ]
    policy.write_text(policy.read_text().replace("meant", "mine"))
    (said,) = looked_at(project).barriers
    assert said.startswith("stale: policy.json: expected the policy of the run (sha256:")
    person = Person("review", "--reviewer", "Ada", cwd=project)
    person.presses("a")
    person.wait_for("cannot be accepted: stale: policy.json: expected the policy of the run")
    person.presses("q")
    assert person.ends() == 0
    assert "mine" in policy.read_text()


def test_of_two_reviews_at_once_the_second_one_changes_nothing(project):
    one, other = (Person("review", "--reviewer", name, cwd=project) for name in ("Ada", "Bo"))
    for person in (one, other):
        person.presses("s")
        person.wait_for("[2/6]")
        person.presses("s")
        person.wait_for("[3/6]")
    one.presses("a")
    one.wait_for("[4/6]")
    held = [file.read_bytes() for file in (project / "gate" / "policy.json", *(project / "suggestions").iterdir())]
    other.presses("a")
    other.wait_for("nothing is flagged there now that an entry could allow")
    other.presses("r")
    other.types("no reason): ", "no\n")
    other.wait_for("changed since it was read; nothing was written to it")
    for person in (one, other):
        person.presses("q")
        assert person.ends() == 0
    after = [file.read_bytes() for file in (project / "gate" / "policy.json", *(project / "suggestions").iterdir())]
    assert after == held


def test_ctrl_c_ends_and_what_was_decided_stands(project):
    person = Person("review", "--reviewer", "Ada", cwd=project, env={"TERM": "dumb"})
    for key in "ss":
        person.presses(key)
    person.wait_for("[3/6]")
    person.presses("a")
    person.wait_for("[4/6]")
    person.presses("\x03")
    assert person.ends() == 130
    assert "accepted 1, edited 0, rejected 0, skipped 2;" in person.screen
    assert "\x1b" not in person.screen
    assert [row[:3] for row in allowed(project)] == [("A", 5, "order")]


def test_what_would_be_silenced_is_asked_of_the_gate_and_never_read_from_the_file(project):
    """A file made up by hand, with the id that its content demands: it lists one harmless change, and another place."""
    held = read_suggestion(project, drafted_id(project)).suggestion
    first, *rest = held.items
    lie = msgspec.structs.replace(first.silences[0], field="harmless", old="x", new="y")
    items = (msgspec.structs.replace(first, silences=(lie,)), *rest)
    poisoned = msgspec.structs.replace(held, items=items)
    poisoned = msgspec.structs.replace(poisoned, id=id_of(poisoned))
    keep(project, poisoned)
    done = script(project, "suggestions", "show", poisoned.id)
    assert (done.returncode, done.stderr) == (0, "")
    assert '  case A step 2, warn: "none" -> "duplicate"' in done.stdout
    assert "broader than the draft: the gate would allow changes that the draft does not list" in done.stdout
    assert "harmless" not in done.stdout


@pytest.fixture
def out_of_reach(tmp_path):
    """A run with a change that two records of one step show."""
    (tmp_path / "gate").mkdir()
    (tmp_path / "gate.toml").write_text('version = 1\n[program]\npath = ["bin"]\n')
    case = Case(id=CaseId("A"), steps=(Step(argv=(b"tool",)),) * 2)
    write_corpus(tmp_path / "gate" / "corpus.jsonl", with_case(None, case))
    for side in ("baseline", "candidate"):
        (tmp_path / side / "bin").mkdir(parents=True)
        (tmp_path / side / "bin" / "tool").write_text(f"#!/bin/sh\necho {side}\n")
        (tmp_path / side / "bin" / "tool").chmod(0o755)
    judge(tmp_path)
    # Programs that the gate runs record each step once; a run that another engine left may not.
    for name, old, new in (
        ("deltas.jsonl", '"step":2,"occurrence":1', '"step":1,"occurrence":2'),
        ("scorecard.json", '"step": 2,\n      "occurrence": 1', '"step": 1,\n      "occurrence": 2'),
    ):
        file = tmp_path / ".gate" / "latest" / name
        assert file.read_text().count(old) == 1
        file.write_text(file.read_text().replace(old, new))
    keep(tmp_path, drafted(tmp_path, groups(api.recorded(tmp_path))))
    return tmp_path


def test_a_place_that_no_entry_can_speak_of_is_named_and_the_rest_can_be_accepted(out_of_reach):
    first, later = Place(case="A", step=1), Place(case="A", step=1, occurrence=2)
    door = GateDoor(project_root=out_of_reach)
    assert [one.places for one in groups(api.recorded(out_of_reach))] == [(first, later)]
    assert [one.place for one in door.unbound((first, later))] == [later]
    assert [(one.case, one.step) for one in door.silenced((first, later))] == [("A", 1)]
    assert door.silenced([later]) == ()
    person = Person("review", "--reviewer", "Ada", cwd=out_of_reach, columns=80, env={"NO_COLOR": "1"})
    person.wait_for("seen at case A step 1 (#2), which stays flagged: it cannot be allowed from")
    person.presses("e")
    person.wait_for("-: case A step 1 (#2) stays flagged, whatever is chosen")
    person.types("all that have one (Enter: back): ", "all\n")
    person.types("your own words (Enter: back): ", "renamed, issue 3\n")
    person.wait_for("edited at 1 of 2 places: renamed, issue 3\n")
    person.wait_for("stays flagged: case A step 1 (#2)\n")
    person.types("[q]: ", "q")
    assert person.ends() == 0
    assert [row[:3] for row in allowed(out_of_reach)] == [("A", 1, "stdout")]
    flagged = [(one.case, one.step, one.occurrence) for one in api.recorded(out_of_reach).flagged]
    assert flagged == [("A", 1, 2)]


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
    for sent, said in (
        ("aaaa", "one key at a time"),
        ("\x1b[a", "one key at a time"),
        ("A", "no such key"),
        ("y", "no such key"),
    ):
        person.presses(sent)
        person.wait_for(f"\n{said}: a accept, ")
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
