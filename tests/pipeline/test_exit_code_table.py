"""The exit-code table, end to end: a scratch repository per row, judged by `gate run --base main --head patch`."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from scratch_repository import MAIN_TO_PATCH, Repository, forget_git_of_mine

from gate import api

pytestmark = pytest.mark.slow

TOML = """\
version = 1
[program]
path = ["bin"]
[replay]
confirm = 1
[voting]
confirm = 1
[suite]
command = ["{python}", "{build}/examples.py", "{report}"]
"""

EXAMPLES = """\
import sys
CASE = '<testcase classname="examples" name="%s">%s</testcase>'
broken = {broken}
cases = [CASE % ("test_one", ""), CASE % ("test_two", "<failure message='no'/>" if broken else "")]
open(sys.argv[1], "w").write(f"<testsuite tests='2'>{{''.join(cases)}}</testsuite>")
sys.exit(1 if broken else 0)
"""

CAP = """\
def test_cap(subject):
    assert int(subject.run("tool", "cap").text) <= 3
"""
STEADY = """\
def test_steady(subject):
    assert subject.run("tool", "steady").text == "steady\\n"
"""

TOOL = """\
#!/bin/sh
case "$1" in
  one) echo {one} ;;
  two) echo {two} ;;
  cap) {cap} ;;
  steady) echo {steady} ;;
esac
"""
SAYS = {"one": "one", "two": "two", "cap": "echo 3", "steady": "steady"}
RANDOM = "$(od -An -N8 -tx1 /dev/urandom | tr -d ' ' | tr 0-9 g-p)"
"""Never the same twice: a property that meets it fails in another way each time."""

FINDINGS = {
    "a flagged delta": {"one": "changed"},
    "a property that fails": {"cap": "echo 4"},
    "an example test that fails": {"examples": True},
    "a property that wavers": {"steady": RANDOM},
    "a check that wavers": {"two": RANDOM},
    "a property that cannot vote": {"cap": "sleep 30"},
}


@pytest.fixture(autouse=True)
def no_git_of_mine(tmp_path, monkeypatch):
    forget_git_of_mine(tmp_path, monkeypatch)


@pytest.fixture
def repository(tmp_path):
    found = Repository(tmp_path / "repository")
    found.write("gate.toml", TOML)
    found.write("properties/test_cap.py", CAP)
    found.write("properties/test_steady.py", STEADY)
    build(found)
    api.pin(found.project)
    found.commit("judge")
    return found


def build(found, *, examples=False, **said):
    found.write("bin/tool", TOOL.format(**{**SAYS, **said})).chmod(0o755)
    found.write("examples.py", EXAMPLES.format(broken=examples))


def patched(found, *findings):
    """A patch with the behaviour of all the findings, and one harmless change."""
    found.git("switch", "-q", "-c", "patch")
    build(found, **{key: said for finding in findings for key, said in FINDINGS[finding].items()})
    found.write("NOTES", "harmless\n")
    found.commit("patch")
    found.git("switch", "-q", "main")


@pytest.mark.parametrize(
    ("findings", "code"),
    [
        ((), 0),
        (("a flagged delta",), 1),
        (("a property that fails",), 1),
        (("an example test that fails",), 1),
        (("a check that wavers",), 3),
        (("a property that wavers",), 3),
        (("a property that fails", "a property that wavers"), 1),
        (("a flagged delta", "a check that wavers"), 1),
        (("an example test that fails", "a property that wavers", "a check that wavers"), 1),
        (tuple(name for name in FINDINGS if name != "a property that cannot vote"), 1),
    ],
)
def test_each_finding_has_its_code_and_stop_goes_before_abstention(repository, findings, code):
    patched(repository, *findings)
    done = repository.run(*MAIN_TO_PATCH, "--format", "json")
    assert done.returncode == code, done.stderr
    card = json.loads(done.stdout)
    assert card["exit_code"] == code
    kinds = {ballot["property"]: ballot["ballot"] for ballot in card["votes"]["ballots"]}
    assert kinds == {
        "cap": "fail" if "a property that fails" in findings else "pass",
        "steady": "freeze" if "a property that wavers" in findings else "pass",
    }
    assert card["counts"]["flagged"] == ("a flagged delta" in findings)
    assert card["counts"]["unstable"] == ("a check that wavers" in findings)
    assert card["suite"]["blocking"] == (["examples::test_two"] if "an example test that fails" in findings else [])


@pytest.mark.parametrize(
    "beside",
    [
        (),
        ("a flagged delta",),
        ("a property that wavers",),
        ("a flagged delta", "an example test that fails", "a property that wavers", "a check that wavers"),
    ],
)
def test_what_cannot_vote_goes_before_everything(repository, beside):
    repository.write("gate.toml", TOML.replace("confirm = 1", "confirm = 1\ntimeout = 1.0", 1))
    api.pin(repository.project)
    repository.commit("short")
    patched(repository, "a property that cannot vote", *beside)
    done = repository.run(*MAIN_TO_PATCH, "--format", "json")
    assert done.returncode == 2, done.stderr
    card = json.loads(done.stdout)
    ballots = {ballot["property"]: ballot for ballot in card["votes"]["ballots"]}
    assert ballots["cap"]["ballot"] == "void"
    assert "took longer than 1 s" in ballots["cap"]["reason"]
    assert card["verdict"].startswith("invalid: ")


def test_a_frozen_property_abstains_and_the_abstention_is_told(repository):
    repository.write("gate/freeze_set.json", '{"frozen": ["steady"]}')
    repository.commit("frozen")
    patched(repository)
    done = repository.run(*MAIN_TO_PATCH)
    assert done.returncode == 3, done.stderr
    assert "1 property voted, 1 abstained" in done.stdout
    assert "because property steady is frozen and abstains" in done.stdout


def test_a_quarantined_example_test_does_not_stop_the_patch(repository):
    today = datetime.now(UTC).date()
    lease = f"examples::test_two\t{today}\t{today + timedelta(days=7)}\t3/10\n"
    repository.write("gate/quarantine.txt", lease)
    repository.commit("leased")
    patched(repository, "an example test that fails")
    done = repository.run(*MAIN_TO_PATCH)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 failed under a lease" in done.stdout


def test_a_suite_without_results_is_no_data(repository):
    repository.git("switch", "-q", "-c", "patch")
    repository.write("examples.py", "import sys\nsys.exit(0)\n")
    repository.commit("patch")
    repository.git("switch", "-q", "main")
    done = repository.run(*MAIN_TO_PATCH)
    assert done.returncode == 2
    assert "no data is not clean" in done.stderr
