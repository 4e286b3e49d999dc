"""What is drafted from which run, and from what stated intent."""

from __future__ import annotations

import subprocess

import pytest
from judged_project import gate, set_up

from auditor.drafting.drafter import Desk
from auditor.errors import AuditorError, SuggestionError
from auditor.review.gate_door import GateDoor
from auditor.review.look import look
from auditor.service.settings import Settings
from auditor.suggestions.store import keep
from gate import api

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_hang")]

OLD, NEW = "A|1|list|order=insertion", "A|1|list|order=sorted"


@pytest.fixture
def project(tmp_path):
    return set_up(tmp_path, [OLD], [NEW], "list")


def desk(folder, run=None):
    return Desk(root=folder, run=run, settings=Settings(endpoint=None))


def git(folder, *words):
    name = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *name, *words], cwd=folder, capture_output=True, check=True)


def test_a_run_that_does_not_hold_it_is_named_with_the_one_that_does(project, monkeypatch):
    done = gate("run", "--baseline", "old", "--candidate", "old", cwd=project)
    assert done.returncode in (0, 2), done.stderr
    (project / "new" / "app.py").write_text((project / "old" / "app.py").read_text() + "\n")
    assert gate("run", "--baseline", "old", "--candidate", "new", cwd=project).returncode == 0
    latest = api.recorded(project).folder.name
    monkeypatch.chdir(project)
    for draft, what in (
        (lambda: desk(project).policy("list sorts"), "nothing is flagged: there is nothing to draft a policy for"),
        (
            lambda: desk(project).hypotheses("d1"),
            "'d1': expected a property that failed in every run, or a flagged group; got neither",
        ),
        (lambda: desk(project).hypotheses(None), "no stable failure: nothing is flagged, and no property failed"),
    ):
        with pytest.raises(AuditorError) as caught:
            draft()
        assert (caught.value.what, caught.value.next_step) == (
            f"{what} (run {latest})",
            "Another run holds it: --run .gate/runs/0001",
        )
    with pytest.raises(AuditorError) as caught:
        desk(project).hypotheses("property nonsuch")
    assert caught.value.next_step == "This run holds no stable failure: there is nothing to explain."
    assert (
        desk(project, project / ".gate" / "runs" / "0001").policy("list sorts by default").items[0].draft.kind
        == "intent"
    )


def test_an_intent_from_commit_messages_is_held_to_the_commits(project):
    git(project, "init", "-q")
    for message in ("begin", "list sorts by default"):
        git(project, "commit", "-q", "--allow-empty", "-m", message)
    draft = desk(project).policy(api.intent(project, "HEAD~1", "HEAD"), commits=("HEAD~1", "HEAD"))
    git(project, "commit", "-q", "--allow-empty", "-m", "later")
    found = look(GateDoor(project_root=project), project, draft, draft.items[0])
    assert (found.barriers, found.own_reason, found.unverified) == ((), "", "")
    assert found.stated == f"the messages of {api.commit(project, 'HEAD~2')[:10]}..{api.commit(project, 'HEAD~1')[:10]}"


def test_nothing_is_accepted_for_a_suggestion_that_is_not_kept(project, monkeypatch):
    monkeypatch.delenv("CI", raising=False)  # where nobody may accept
    draft = desk(project).policy("list sorts by default")
    door, places = GateDoor(project_root=project), draft.items[0].group.places
    told = {"reason": "asked", "reviewer": "Ada", "suggestion": draft.id}
    with pytest.raises(SuggestionError, match="found no such file"):
        door.accept(places, **told)
    keep(project, draft)
    assert b"asked" in door.accept(places, **told).after
