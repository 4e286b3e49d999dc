"""`auditor draft` on a real run of the demo: what is written, what is printed, and that no verdict moves."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from forked_commands import called

from auditor.demo.folder import set_up
from gate import api

pytestmark = pytest.mark.slow

RUN = ("run", "--baseline", "baseline", "--candidate", "candidate", "--format", "json")
BEFORE = "before.json"
"""The result of the run, kept beside what it is of."""


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """The demo with an empty policy after one run: six flagged steps, and a property that fails."""
    folder = set_up(tmp_path_factory.mktemp("drafts") / "demo")
    (folder / "gate" / "policy.json").write_text('{"allowed": []}\n')
    (folder / "gate" / "freeze_set.json").write_text('{"frozen": ["list_order"]}')
    toml = (folder / "gate.toml").read_text()
    (folder / "gate.toml").write_text(toml.replace("[voting.property", "[voting]\nconfirm = 1\n\n[voting.property", 1))
    api.pin(folder)
    done = run("gate", *RUN, cwd=folder)
    assert done.returncode == 1
    (folder / BEFORE).write_text(done.stdout)
    return folder


@pytest.fixture
def demo(judged, tmp_path):
    shutil.copytree(judged, tmp_path / "demo", symlinks=True)
    return tmp_path / "demo"


def run(name, *words, cwd, anew=False):
    environment = {key: text for key, text in os.environ.items() if not key.startswith("OPENAI_")}
    return called(name, *words, cwd=cwd, env=environment, anew=anew)


def kept(demo):
    return [json.loads(path.read_bytes()) for path in sorted((demo / "suggestions").glob("*.json"))]


def test_a_policy_is_drafted_from_the_stated_intent_two_of_it_and_four_beside_it(demo):
    done = run("auditor", "draft", "policy", "--intent", "INTENT.md", cwd=demo)
    assert done.returncode == 0, done.stderr
    assert [line.split(":")[1].split("(")[0].strip() for line in done.stdout.splitlines()] == [
        "collateral", "intent", "intent", "collateral", "collateral", "collateral",
    ]  # fmt: skip
    (suggestion,) = kept(demo)
    assert (suggestion["kind"], suggestion["status"], suggestion["provenance"]["model"]) == (
        "policy",
        "proposed",
        "offline",
    )
    quotes = [item["draft"]["quote"] for item in suggestion["items"] if item["draft"]["kind"] == "intent"]
    intent = (demo / "INTENT.md").read_text()
    assert len(quotes) == 2
    assert all(quote in intent for quote in quotes)


def test_drafting_twice_writes_the_same_file(demo):
    first = run("auditor", "draft", "policy", "--intent", "INTENT.md", cwd=demo)
    before = {path.name: path.read_bytes() for path in (demo / "suggestions").iterdir()}
    second = run("auditor", "draft", "policy", "--intent", "INTENT.md", cwd=demo, anew=True)
    assert (second.returncode, second.stdout) == (0, first.stdout)
    assert {path.name: path.read_bytes() for path in (demo / "suggestions").iterdir()} == before


def test_three_hypotheses_for_the_property_that_fails(demo):
    done = run("auditor", "draft", "hypotheses", "property retry_cap", cwd=demo)
    assert done.returncode == 0, done.stderr
    (suggestion,) = kept(demo)
    drafts = [item["draft"] for item in suggestion["items"]]
    assert len({draft["mechanism"] for draft in drafts}) == 3
    assert {draft["experiment"] for draft in drafts} <= {offered["id"] for offered in suggestion["offered"]}


def test_a_frozen_property_is_no_stable_failure_and_gets_a_wording(demo):
    refused = run("auditor", "draft", "hypotheses", "property list_order", cwd=demo)
    assert refused.returncode == 2
    assert "stable failure" in refused.stderr
    done = run("auditor", "draft", "wording", "list_order", cwd=demo)
    assert done.returncode == 0, done.stderr
    assert [suggestion["kind"] for suggestion in kept(demo)] == ["wording"]


def test_a_dry_run_prints_the_request_and_writes_nothing(demo):
    done = run("auditor", "draft", "policy", "--intent", "INTENT.md", "--dry-run", cwd=demo)
    assert done.returncode == 0, done.stderr
    assert "delete is idempotent" in done.stdout
    assert "BEGIN deltas " in done.stdout
    assert not (demo / "suggestions").exists()


def test_a_secret_in_the_intent_is_in_no_suggestion_and_no_request(demo):
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2"
    (demo / "INTENT.md").write_text(f"list sorts by default\n\nGITHUB_TOKEN={secret}\n")
    shown = run("auditor", "draft", "policy", "--intent", "INTENT.md", "--dry-run", cwd=demo)
    done = run("auditor", "draft", "policy", "--intent", "INTENT.md", cwd=demo)
    assert (shown.returncode, done.returncode) == (0, 0)
    assert secret not in shown.stdout + done.stdout + json.dumps(kept(demo))


def test_drafts_move_no_verdict(demo):
    assert run("auditor", "draft", "policy", "--intent", "INTENT.md", cwd=demo).returncode == 0
    after = run("gate", *RUN, cwd=demo)
    assert (after.returncode, after.stdout) == (1, (demo / BEFORE).read_text())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("policy",), "error: expected one statement of intent\n"),
        (("policy", "--intent", "none.md"), "error: none.md: expected a text in UTF-8, got: "),
        (("hypotheses", "property nobody"), "error: "),
        (("wording", "retry_cap"), "error: 'retry_cap': expected a frozen property with a file"),
    ],
)
def test_what_cannot_be_drafted_is_told_and_writes_nothing(demo, words, complaint):
    done = run("auditor", "draft", *words, cwd=demo)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(complaint)
    assert not (demo / "suggestions").exists()


SECRET = "ghp_" + "Z9y8X7w6V5u4T3s2R1q0P9o8"
NAMED = "hunter-two-and-a-half"


@pytest.fixture
def leaky(tmp_path):
    """A program that prints `case|step|command|payload` itself: a key on stdout, and a field whose name calls it a secret."""
    (tmp_path / "gate.toml").write_text(
        'version = 1\n[program]\nrunner = "trace"\nargv = ["{python}", "{build}/app.py"]\n'
    )
    for side, said in (("old", "before"), ("new", "after")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "app.py").write_text(
            f"print('A|1|login|status=0|password={said}-{NAMED}|said={said}:{SECRET}')\nprint('A|2|logout|status=0|x={said}')\n"
        )
    for words in (("corpus", "add", "A", "--step", "login", "--step", "logout"), ("pin",)):
        assert run("gate", *words, cwd=tmp_path).returncode == 0
    done = run("gate", "run", "--baseline", "old", "--candidate", "new", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    (tmp_path / "INTENT.md").write_text("login says something else\n")
    return tmp_path


@pytest.mark.parametrize(
    "words", [("policy", "--intent", "INTENT.md"), ("policy", "--golden"), ("hypotheses", "group d1")]
)
def test_a_secret_that_the_program_printed_is_in_no_suggestion(leaky, words):
    """A suggestion is a file that people commit; what accepting would silence stands in it, too."""
    done = run("auditor", "draft", *words, cwd=leaky)
    assert done.returncode == 0, done.stderr
    written = "".join(path.read_text() for path in (leaky / "suggestions").iterdir())
    assert "login" in written
    assert SECRET not in written + done.stdout
    assert NAMED not in written + done.stdout
