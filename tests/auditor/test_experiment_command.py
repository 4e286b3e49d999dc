"""`auditor experiment`: on real runs of a small project and of the demo. Nothing that it says moves a verdict."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from drafts import hypotheses_draft, policy_draft
from forked_commands import called
from typer.testing import CliRunner

from auditor.cli.app import app
from auditor.cli.progress import progress
from auditor.demo.folder import set_up
from auditor.drafting.values import Experiment
from auditor.suggestions.format import id_of
from auditor.suggestions.model import Decision, Item
from auditor.suggestions.store import keep, read_suggestion, replace
from gate import api

SECRET = "ghp_" + "Z9y8X7w6V5u4T3s2R1q0P9o8"
TOOL = """\
#!/bin/sh
[ $1 = one ] && touch mark
[ $1 = two ] && [ -e mark ] && echo {0} with {1}
[ $1 = three ] && echo {0} in $TZ
[ $1 = cap ] && echo {2}
exit 0
"""
PROPERTY = (
    '"""The cap is three."""\n\ndef test_cap(subject):\n    assert subject.run("tool", "cap").stdout == b"3\\n"\n'
)
SIDES = ("--baseline", "old", "--candidate", "new", "--workers", "1", "--sandbox", "off")


def tool(folder, name, *words):
    file = folder / name / "bin" / "tool"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(TOOL.format(*words))
    file.chmod(0o755)


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """After one run: step 2 differs for what step 1 left, step 3 for itself, and property cap fails."""
    folder = tmp_path_factory.mktemp("experiments") / "project"
    (folder / "properties").mkdir(parents=True)
    (folder / "gate.toml").write_text('version = 1\n[program]\npath = ["bin"]\n[voting]\nconfirm = 1\n')
    (folder / "properties" / "test_cap.py").write_text(PROPERTY)
    steps = [word for step in ("one", "two", "three") for word in ("--step", f"tool {step}")]
    done = called("gate", "corpus", "add", "A", *steps, cwd=folder)
    assert done.returncode == 0, done.stderr
    tool(folder, "old", "old", "no token", 3)
    tool(folder, "new", "new", f"token {SECRET}", 4)
    api.pin(folder)
    outcome = api.run(folder, api.Trees(baseline=folder / "old", candidate=folder / "new"), workers=1, sandbox="off")
    assert outcome.exit_code == 1
    return folder


@pytest.fixture
def project(judged, tmp_path, monkeypatch):
    shutil.copytree(judged, tmp_path / "project", symlinks=True)
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.delenv("GITHUB_EVENT_NAME", raising=False)
    return tmp_path / "project"


def call(*words, code=0):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == code, done.output
    return done


def drafted(subject):
    before = set(Path("suggestions").glob("*"))
    call("draft", "hypotheses", subject)
    (file,) = set(Path("suggestions").glob("*")) - before
    return file.stem


def kept(project, suggestion):
    return read_suggestion(project, suggestion).suggestion.experiments


def rewritten(project, suggestion, **changed):
    """A suggestion as its author could have written it by hand: its id is what its content demands."""
    held = msgspec.structs.replace(read_suggestion(project, suggestion).suggestion, **changed)
    held = msgspec.structs.replace(held, id=id_of(held))
    keep(project, held)
    return held.id


def choosing(project, suggestion, *experiments, offered=None):
    """The suggestion with one hypothesis for each of the experiments."""
    held = read_suggestion(project, suggestion).suggestion
    draft = held.items[0].draft
    items = tuple(
        Item(id=f"h{number}", status="proposed", draft=msgspec.structs.replace(draft, experiment=each))
        for number, each in enumerate(experiments, start=1)
    )
    return rewritten(project, suggestion, items=items, offered=held.offered if offered is None else offered)


@pytest.fixture
def counted(monkeypatch):
    """What the gate was asked to run."""
    run, real = [], api.experiment

    def counting(root, sides, wanted, **more):
        run.append(wanted.kind)
        return real(root, sides, wanted, **more)

    monkeypatch.setattr(api, "experiment", counting)
    return run


GROUP = [
    ("baseline build", "not shown"),
    ("without step", "vanishes"),
    ("hash seed", "persists"),
    ("time zone", "persists"),
    ("locale", "persists"),
    ("more repeats", "persists"),
    ("one worker", "persists"),
]


@pytest.mark.slow
def test_each_experiment_that_is_offered_for_a_group_runs_and_is_kept(project):
    first = drafted("group d1")
    offered = read_suggestion(project, first).suggestion.offered
    made = choosing(project, first, *(one.id for one in offered))
    done = call("experiment", made, *SIDES)
    assert done.stderr == ""
    assert [(one.kind, ran.outcome) for one, ran in zip(offered, kept(project, made), strict=True)] == GROUP
    held = read_suggestion(project, made).suggestion
    assert [(ran.item, ran.experiment) for ran in held.experiments] == [(i.id, i.draft.experiment) for i in held.items]
    draft = held.items[1].draft
    assert done.stdout.split("\n\n")[1].split("\n") == [
        f"h2 {draft.mechanism}: {draft.claim}",
        "  x2: replay case A without step 1",
        "  vanishes: without step 1 both builds do the same at step 2 of case A: the difference depends on what step 1 leaves behind",
        "    of 1 recorded differences in case A step 2: 1 vanished",
        '    step 2, stdout: no difference any more; it was "old with no token\\n" -> "new with token [REDACTED:1]\\n"',
        f"  expected if it holds: {draft.if_true}",
        f"  expected if not: {draft.if_false}",
    ]
    assert SECRET not in done.output + (project / "suggestions" / f"{made}.json").read_text()


@pytest.mark.slow
def test_each_experiment_that_is_offered_for_a_property_runs_and_is_kept(project):
    first = drafted("property cap")
    offered = read_suggestion(project, first).suggestion.offered
    made = choosing(project, first, *(one.id for one in offered))
    call("experiment", made, *SIDES)
    assert [(one.kind, ran.outcome) for one, ran in zip(offered, kept(project, made), strict=True)] == [
        ("baseline build", "not shown"),
        ("property seed", "persists"),
        ("more repeats", "persists"),
        ("hash seed", "persists"),
        ("time zone", "persists"),
        ("locale", "persists"),
    ]
    first, _, third = kept(project, made)[:3]
    assert first.words == (
        "the baseline passes: the failure was seen with the patch only\n"
        "property cap: the baseline does not fail in this way; baseline pass (passed 2 of 2)"
    )
    assert third.words.split("\n")[0] == (
        "in 20 runs of each build it is always there, in the same way: it is as stable as that many can tell"
    )


@pytest.mark.slow
def test_the_step_in_question_is_that_of_the_group_also_after_one_before_it_was_accepted(project, monkeypatch):
    """Then the group has another number, and its experiments are what they were."""
    monkeypatch.delenv("CI", raising=False)
    made = drafted("group d2")
    entries = api.bound(project, None, [("A", 2, 1)], "meant", "Ada")
    api.accept(project, entries, "Ada", "policy-0123456789ab")
    assert [delta.step for delta in api.recorded(project).flagged] == [3], "it would be d1 now"
    call("experiment", made, "h1", *SIDES)
    (ran,) = kept(project, made)
    assert "case A step 3" in ran.words or "at step 3" in ran.words
    assert "step 2, stdout" not in ran.words


@pytest.mark.slow
def test_two_items_with_one_experiment_share_one_run(project, counted):
    first = drafted("group d1")
    made = choosing(project, first, "x1", "x1", "x7")
    done = call("experiment", made, "h2", *SIDES)
    assert counted == ["baseline build"]
    ran = kept(project, made)
    assert [(one.item, one.experiment) for one in ran] == [("h1", "x1"), ("h2", "x1")]
    assert (ran[0].when, ran[0].words) == (ran[1].when, ran[1].words)
    assert done.stdout.startswith("h2 ")
    call("experiment", made, *SIDES)
    assert counted == ["baseline build", "one worker"]
    assert len(kept(project, made)) == 3


@pytest.mark.slow
def test_what_ran_before_is_told_as_it_was_kept_and_again_repeats_it(project, counted):
    made = choosing(project, drafted("group d1"), "x1")
    first = call("experiment", made, "h1", *SIDES)
    (ran,) = kept(project, made)
    second = call("experiment", made, "h1", *SIDES)
    assert (second.stdout, second.stderr) == (
        first.stdout,
        f"h1: ran before, at {ran.when}; --again repeats it\n",
    )
    assert counted == ["baseline build"]
    assert json.loads(call("experiment", made, *SIDES, "--format", "json").stdout) == {
        "id": made,
        "experiments": [{**msgspec.to_builtins(ran), "already": True}],
    }
    third = call("experiment", made, "h1", "--again", *SIDES)
    assert third.stderr == ""
    assert counted == ["baseline build", "baseline build"]


@pytest.mark.slow
def test_an_interrupted_run_keeps_what_was_done(project, monkeypatch):
    made = choosing(project, drafted("group d1"), "x1", "x7")
    real = api.experiment

    def interrupted(root, sides, wanted, **more):
        if wanted.kind == "one worker":
            raise KeyboardInterrupt
        return real(root, sides, wanted, **more)

    monkeypatch.setattr(api, "experiment", interrupted)
    done = CliRunner().invoke(app, ["experiment", made, *SIDES])
    assert done.exit_code != 0
    assert done.stdout.startswith("h1 ")
    assert [ran.item for ran in kept(project, made)] == ["h1"]


@pytest.mark.slow
def test_a_decision_that_a_person_took_meanwhile_stays(project, monkeypatch):
    made = choosing(project, drafted("group d1"), "x1")
    decision = Decision(item="h1", verdict="rejected", who="Ada", when="2026-01-01T00:00:00Z", why="no")
    real = api.experiment

    def reviewed(*words, **more):
        stored = read_suggestion(project, made)
        held = stored.suggestion
        items = (msgspec.structs.replace(held.items[0], status="rejected"),)
        replace(stored, msgspec.structs.replace(held, items=items, status="rejected", decisions=(decision,)))
        return real(*words, **more)

    monkeypatch.setattr(api, "experiment", reviewed)
    call("experiment", made, *SIDES)
    held = read_suggestion(project, made).suggestion
    assert (held.decisions, [ran.outcome for ran in held.experiments]) == ((decision,), ["not shown"])


def hostile(**parts):
    return Experiment(**({"id": "x1", "kind": "one worker", "case": "A", "words": "harmless"} | parts))


HOSTILE = [
    (hostile(case="Z"), "'one worker': expected a case of the corpus, got 'Z'"),
    (hostile(case="../../etc"), "'one worker': expected a case of the corpus, got '../../etc'"),
    (hostile(value="; rm -rf"), "'one worker': expected no value, got '; rm -rf'"),
    (
        hostile(kind="time zone", value="; rm -rf"),
        "'time zone': expected the name of a time zone, as Asia/Tokyo, got '; rm",
    ),
    (
        hostile(kind="locale", value="\x1b[2J"),
        "'locale': expected the name of a locale, as C or de_DE.UTF-8, got '\\x1b[2J'",
    ),
    (
        hostile(kind="more repeats", value="100000"),
        "'more repeats': expected a number of repeats from 2 to 100, got '10",
    ),
    (hostile(kind="without step", step=10**9), "'without step': expected one of the 3 steps of case A"),
    (hostile(property="cap"), "'one worker': expected exactly one of a case and a property"),
    (hostile(case=None), "'one worker': expected exactly one of a case and a property"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("experiment", "why"), HOSTILE)
def test_an_experiment_written_by_hand_is_refused_by_the_gate_itself(project, experiment, why):
    made = choosing(project, drafted("group d1"), "x1", offered=(experiment,))
    before = (project / "suggestions" / f"{made}.json").read_bytes()
    done = call("experiment", made, *SIDES, code=2)
    assert done.stderr.startswith(f"error: experiment {why}")
    assert all(line.isprintable() for line in done.output.split("\n"))
    assert (done.stdout, (project / "suggestions" / f"{made}.json").read_bytes()) == ("", before)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["../../etc/passwd", "nobody", "cap; rm -rf"])
def test_a_property_that_is_not_there_is_refused_by_the_gate_itself(project, name):
    experiment = hostile(case=None, property=name)
    made = choosing(project, drafted("group d1"), "x1", offered=(experiment,))
    done = call("experiment", made, *SIDES, code=2)
    assert done.stderr.startswith("error: ")
    assert (done.stdout, kept(project, made)) == ("", ())


@pytest.mark.slow
def test_a_kind_that_is_not_on_the_list_is_no_suggestion(project):
    made = choosing(project, drafted("group d1"), "x1", offered=(hostile(),))
    file = project / "suggestions" / f"{made}.json"
    file.write_text(file.read_text().replace('"one worker"', '"shell"'))
    done = call("experiment", made, *SIDES, code=2)
    assert done.stderr.startswith(f"error: suggestions/{made}.json:")
    assert "kind: invalid enum value 'shell'" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chosen", "offered", "why"),
    [
        ("x9", None, "expected the offered experiment x9, got none of that id"),
        ("x\x1b", None, "expected the offered experiment x\\x1b, got none of that id"),
        ("x1", (hostile(), hostile(kind="locale", value="C")), "expected the offered experiment x1, got 2 of that id"),
    ],
)
def test_an_experiment_that_was_not_offered_is_refused(project, chosen, offered, why):
    made = choosing(project, drafted("group d1"), chosen, offered=offered)
    done = call("experiment", made, *SIDES, code=2)
    assert done.stderr == f"error: {made} h1: {why}\nLook at it: auditor suggestions show {made}\n"


@pytest.mark.slow
def test_other_trees_than_those_of_the_run_are_refused(project):
    made = drafted("group d1")
    tool(project, "new", "newer", "", 4)
    done = call("experiment", made, *SIDES, code=2)
    assert done.stderr.startswith("error: candidate: expected that of the run (")
    assert done.stderr.endswith("Name the trees of that run, or run the gate again and draft anew.\n")
    assert kept(project, made) == ()


@pytest.mark.slow
def test_a_stale_suggestion_is_refused_with_the_next_step(project):
    made = choosing(project, drafted("group d1"), "x1")
    shutil.copytree(project / ".gate" / "latest", project / "first")
    api.run(project, api.Trees(baseline=project / "old"), workers=1, sandbox="off")
    shutil.rmtree(project / ".gate" / "runs" / "0001")
    done = call("experiment", made, *SIDES, code=2)
    assert done.stderr == (
        f"error: {made} is stale: deltas: changed since the draft was made\n"
        "Name the run that it was drafted from with --run, or draft anew: auditor draft hypotheses 'group d1'\n"
    )
    assert call("experiment", made, *SIDES, "--run", "first").stdout.startswith("h1 ")


@pytest.mark.slow
def test_run_and_builds_are_those_that_the_suggestion_speaks_of_where_nobody_names_them(project):
    """`judged` was made elsewhere and copied: its run names the folders of there, which hold the same."""
    made = choosing(project, drafted("group d1"), "x1")
    latest = call("experiment", made, "--workers", "1", "--sandbox", "off")
    assert (latest.stdout[:3], latest.stderr) == ("h1 ", "")
    api.run(project, api.Trees(baseline=project / "old"), workers=1, sandbox="off")
    older = call("experiment", made, "--again", "--workers", "1", "--sandbox", "off")
    assert (older.stdout, older.stderr) == (
        latest.stdout,
        f"{made} speaks of {project}/.gate/runs/0001, which is not the latest run\n",
    )


@pytest.mark.slow
def test_a_run_that_does_not_say_what_it_was_made_from_asks_for_the_builds(project):
    made = choosing(project, drafted("group d1"), "x1")
    folder = (project / ".gate" / "latest").resolve()
    (folder / "sides.json").unlink()
    done = call("experiment", made, code=2)
    assert done.stderr == (
        f"error: {folder}: the run does not record what it was made from\n"
        "Name --baseline and --candidate, or --base and --head, as for that run.\n"
    )
    assert call("experiment", made, *SIDES).stdout.startswith("h1 ")


@pytest.mark.slow
def test_a_policy_that_was_edited_since_is_refused(project):
    made = drafted("group d1")
    (project / "gate" / "policy.json").write_text('{"allowed": [] }\n')
    done = call("experiment", made, *SIDES, code=2)
    assert done.stderr.startswith("error: policy.json: expected the policy of the run (none), got sha256:")
    assert kept(project, made) == ()


@pytest.mark.slow
def test_a_suggestion_that_does_not_say_what_it_was_drafted_from_is_stale(project):
    first = drafted("group d1")
    provenance = read_suggestion(project, first).suggestion.provenance
    made = rewritten(project, first, provenance=msgspec.structs.replace(provenance, inputs=()))
    done = call("experiment", made, *SIDES, code=2)
    assert done.stderr.startswith(f"error: {made} is stale: scorecard: not among the inputs of the draft\n")


def test_only_hypotheses_have_experiments(tmp_path):
    made = policy_draft()
    keep(tmp_path, made)
    done = call("experiment", made.id, *SIDES, "--project", tmp_path, code=2)
    assert done.stderr == (
        f"error: {made.id}: expected hypotheses, got policy: only a hypothesis has an experiment\n"
        "Draft some: auditor draft hypotheses\n"
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--baseline", "old"), "expected two sides, got one"),
        (("--head", "patch"), "expected two sides, got one"),
        (
            ("--baseline", "old", "--candidate", "new", "--base", "main"),
            "expected two folders or two commits, got some of both",
        ),
    ],
)
def test_sides_that_mean_nothing_are_refused(tmp_path, words, why):
    made = hypotheses_draft()
    keep(tmp_path, made)
    done = call("experiment", made.id, *words, "--project", tmp_path, code=2)
    assert (done.stdout, done.stderr) == (
        "",
        f"error: {why}\nName --baseline and --candidate, or --base and --head: those of the run.\n",
    )


def test_an_item_that_is_not_there_is_refused(tmp_path):
    made = hypotheses_draft()
    keep(tmp_path, made)
    done = call("experiment", made.id, "h\x1b", *SIDES, "--project", tmp_path, code=2)
    assert done.stderr == (
        f"error: {made.id}: expected the hypothesis h\\x1b, it holds: h1\nLook at it: auditor suggestions show {made.id}\n"
    )


def test_a_strangers_patch_is_not_run_with_the_secrets_of_the_repository(tmp_path, monkeypatch):
    """Reported fault 91."""
    monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request_target")
    done = call("experiment", hypotheses_draft().id, *SIDES, "--project", tmp_path, code=2)
    assert done.stderr.startswith(
        "error: GITHUB_EVENT_NAME: expected an event without secrets, got pull_request_target"
    )


@pytest.mark.slow
def test_between_commits_the_builds_are_those_of_the_refs(project):
    def git(*words):
        said = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *said, *words], check=True, capture_output=True)

    shutil.rmtree(project / ".gate")
    shutil.move(project / "old" / "bin", project / "bin")
    (project / ".gitignore").write_text(".gate/\nnew/\nold/\nsuggestions/\n")
    api.pin(project)
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "base")
    git("checkout", "-qb", "patch")
    shutil.copy(project / "new" / "bin" / "tool", project / "bin" / "tool")
    git("commit", "-qam", "patch")
    assert api.run(project, api.Commits(base="main", head="patch"), sandbox="off").exit_code == 1
    made = choosing(project, drafted("group d1"), "x2")
    assert api.made_from(project) == api.Commits(base="main", head="patch")
    done = call("experiment", made, "--sandbox", "off")
    assert "\n  vanishes: without step 1 both builds do the same at step 2 of case A" in done.stdout
    assert [ran.outcome for ran in kept(project, made)] == ["vanishes"]


def run(name, *words, cwd):
    environment = {key: text for key, text in os.environ.items() if not key.startswith("OPENAI_")}
    return called(name, *words, cwd=cwd, env=environment)


@pytest.mark.slow
def test_the_hypotheses_of_the_demo_are_tried_and_no_verdict_moves(tmp_path):
    """The last of each asks what the first or the second did, so that its outcome is known before."""
    demo = set_up(tmp_path / "demo")
    sides = ("--baseline", "baseline", "--candidate", "candidate")
    api.pin(demo)
    assert run("gate", "run", *sides, cwd=demo).returncode == 1
    before = (demo / ".gate" / "latest" / "scorecard.json").read_bytes()
    outcomes = {}
    for subject in ("property retry_cap", "group d1"):
        assert run("auditor", "draft", "hypotheses", subject, cwd=demo).returncode == 0
        (made,) = [path.stem for path in (demo / "suggestions").iterdir() if path.stem not in outcomes]
        outcomes[made] = []
        for item in ("h1", "h2", "h3"):
            done = run("auditor", "experiment", made, item, "--format", "json", cwd=demo)
            (one,) = json.loads(done.stdout)["experiments"]
            said = f"{item}: ran before, at {one['when']}; --again repeats it\n" if one["already"] else ""
            assert (done.returncode, done.stderr) == (0, said)
            outcomes[made].append((one["words"].split("\n")[0], one["already"]))
        held = json.loads((demo / "suggestions" / f"{made}.json").read_bytes())
        told = {one["item"]: one["words"].split("\n")[0] for one in held["experiments"]}
        assert [told[item] for item in ("h1", "h2", "h3")] == [words for words, _ in outcomes[made]]
    assert list(outcomes.values()) == [
        [
            ("the baseline passes: the failure was seen with the patch only", False),
            ("with Hypothesis seed 8 it fails in the same way: it is not the luck of one seed", False),
            ("the baseline passes: the failure was seen with the patch only", True),
        ],
        [
            (
                "without step 1 both builds do the same at step 2 of case A: the difference depends on what step 1 leaves behind",
                False,
            ),
            (
                "without step 1 both builds do the same at step 2 of case A: the difference depends on what step 1 leaves behind",
                True,
            ),
            (
                "without step 1 both builds do the same at step 2 of case A: the difference depends on what step 1 leaves behind",
                True,
            ),
        ],
    ]
    assert (demo / ".gate" / "latest" / "scorecard.json").read_bytes() == before


def test_away_from_a_terminal_only_remarks_are_told_and_they_cannot_touch_one(capsys):
    with progress() as listen:
        for event in (api.StageStarted(name="x", total=2), api.CaseDone(), api.Remark(text="no sandbox\x1b[2J")):
            listen(event)
    assert capsys.readouterr() == ("", "no sandbox\\x1b[2J\n")
