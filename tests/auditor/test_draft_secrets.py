"""Secrets of a real run that no shape gives away: short values of fields that are called secrets, and ids of cases."""

from __future__ import annotations

import os

import pytest
from forked_commands import called
from judged_project import set_up

pytestmark = pytest.mark.slow

OLD, NEW = "q7Zx9w", "r8Ky2v"
CASE = "glpat-zzTT11yyUU22xxVV33ww"


def auditor(*words, cwd):
    environment = {key: text for key, text in os.environ.items() if not key.startswith("OPENAI_")}
    return called("auditor", *words, cwd=cwd, env=environment)


def written(folder):
    found = folder / "suggestions"
    return "".join(path.read_text() for path in sorted(found.iterdir())) if found.is_dir() else ""


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    return set_up(
        tmp_path_factory.mktemp("short"),
        [f"A|1|login|status=0|token={OLD}", "A|2|list|status=0|keys=b,a"],
        [f"A|1|login|status=0|token={NEW}", "A|2|list|status=0|keys=a,b"],
        "login",
        "list",
    )


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("hypotheses", "group d1"), "login"),
        (("hypotheses", "group d1", "--dry-run"), "+ [REDACTED:2]"),
        (("hypotheses", "group d2", "--dry-run"), "  token: [REDACTED:"),
        (("policy", "--golden"), "login token"),
        (("policy", "--intent", "INTENT.md"), "login"),
        (("policy", "--intent", "INTENT.md", "--dry-run"), "field: token"),
    ],
)
def test_a_short_value_of_a_field_that_is_called_a_secret_goes_whole(judged, words, shown):
    done = auditor("draft", *words, cwd=judged)
    assert done.returncode == 0, done.stderr
    told = done.stdout + done.stderr + written(judged)
    assert shown in told
    assert OLD not in told
    assert NEW not in told


def test_what_is_shown_of_a_suggestion_holds_no_secret_of_the_run(judged):
    done = auditor("draft", "policy", "--intent", "INTENT.md", cwd=judged)
    name = done.stdout and next(path.stem for path in (judged / "suggestions").glob("policy-*"))
    shown = auditor("suggestions", "show", name, cwd=judged)
    assert shown.returncode == 0, shown.stderr
    assert 'case A step 1, token: "[REDACTED:' in shown.stdout
    assert 'case A step 2, keys: "b,a" -> "a,b"' in shown.stdout
    assert OLD not in shown.stdout + shown.stderr
    assert NEW not in shown.stdout + shown.stderr


def test_a_group_of_a_case_whose_id_is_a_secret_gets_no_draft(judged, tmp_path):
    """The entry of a policy would need that id."""
    folder = set_up(
        tmp_path,
        ["A|1|list|status=0|keys=b,a", f"{CASE}|1|get|status=1"],
        ["A|1|list|status=0|keys=a,b", f"{CASE}|1|get|status=0"],
        "list",
        more=[(CASE, ["get"])],
    )
    why = "the id of a case of it holds a secret, and a draft would name it"
    done = auditor("draft", "policy", "--intent", "INTENT.md", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1:] == [f"not taken: d2: {why}", "not drafted: d2"]
    asked = auditor("draft", "hypotheses", "group d2", cwd=folder)
    assert asked.returncode == 2
    assert asked.stderr.splitlines()[0] == f"error: group d2: {why}"
    shown = auditor("draft", "policy", "--intent", "INTENT.md", "--dry-run", cwd=folder)
    assert "d1: command: list" in shown.stdout
    everything = [written(folder), *(one.stdout + one.stderr for one in (done, asked, shown))]
    assert CASE not in "".join(everything)


@pytest.mark.parametrize(
    ("target", "said"),
    [("../theirs", "a link that leaves the project"), ("/dev/zero", "a link that leaves the project")],
)
def test_an_intent_that_leads_out_of_the_project_is_not_read(judged, tmp_path, target, said):
    (tmp_path / "theirs").write_text("list sorts by default")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "INTENT.md").symlink_to(target)
    done = auditor("draft", "policy", "--intent", "INTENT.md", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0] == f"error: INTENT.md: expected a text in UTF-8, got: {said}"


def test_what_is_not_read_of_a_long_intent_is_told(judged):
    (judged / "LONG.md").write_text("list sorts by default.\n" + "x " * 40_000)
    done = auditor("draft", "policy", "--intent", "LONG.md", cwd=judged)
    assert done.returncode == 0, done.stderr
    (judged / "LONG.md").unlink()
    assert "the drafter was not shown: The last 30023 characters of the stated intent were not read." in done.stdout


def test_a_patched_file_turns_no_offline_run_into_one_that_is_paid(judged):
    """The address and the key are the user's; the name of the model is not."""
    (judged / "auditor.toml").write_text('[model]\nname = "gpt-expensive"\n')
    environment = os.environ | {"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": "http://models.invalid/v1"}
    done = called("auditor", "draft", "policy", "--intent", "INTENT.md", cwd=judged, env=environment)
    (judged / "auditor.toml").unlink()
    assert done.returncode == 0
    assert done.stderr.splitlines()[0] == (
        "drafting offline: auditor.toml:2 names the model gpt-expensive, and a patch can edit that file; "
        "to ask a model that is not on this machine, name it yourself: --model"
    )
    assert "intent" in done.stdout
