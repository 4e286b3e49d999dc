"""`auditor audit` where a property fails and another one is frozen: offline, by a model that fails now and then, and interrupted."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest
from stub_server import Says, completion, fault, serving

pytestmark = pytest.mark.slow

WITH_MODEL = all(find_spec(name) for name in ("langchain_openai", "openai", "pydantic", "tenacity"))
with_model = pytest.mark.skipif(not WITH_MODEL, reason="needs the extra `auditor`")

CAP = '"""The cap is three."""\n\ndef test_cap(subject):\n    assert subject.run("tool", "cap").stdout == b"3\\n"\n'
ORDER = '"""Rows keep the order in which they came."""\n\nimport random\n\ndef test_order():\n    assert random.random() < 2\n'
TOML = 'version = 1\n[program]\npath = ["bin"]\n[replay]\nconfirm = 1\n[voting]\nconfirm = 1\n'
INTENT = "tool says new instead of old\n"
PLAIN = "from {}.cli.main import main; main()"
JUDGED = """\
from pathlib import Path
from gate import api
folder = Path(".gate/latest").resolve()
api.run = lambda *_, **__: api.Outcome(exit_code=api.ExitCode.STOP, report="as before", folder=folder)
"""
"""Takes the run that was made for the one that is asked for: what becomes of drafts does not need it made again."""
AUDIT = ("audit", "--baseline", "old", "--candidate", "new", "--sandbox", "off", "--workers", "1")
WORDING = {
    "unclear": "random.random()",
    "seen": "not recorded",
    "statement": "For every list of rows, the rows stand in the order in which they came.",
    "difference": "It names the order, where the source draws a number.",
    "question": "Is the order promised to anybody?",
    "repair_note": "Draw the rows with a strategy, and compare the order in which they came.",
}


def environment(folder, address):
    left_out = ("OPENAI_", "GITHUB_EVENT_NAME", "FORCE_COLOR", "GATE_DEBUG")
    held = {key: text for key, text in os.environ.items() if not key.startswith(left_out)}
    told = {} if address is None else {"OPENAI_BASE_URL": address}
    return held | told | {"XDG_CACHE_HOME": str(folder / "cache")}


def start(folder, *words, program="auditor", address=None, before=""):
    return subprocess.Popen(
        [sys.executable, "-c", before + PLAIN.format(program), *words],
        cwd=folder,
        env=environment(folder, address),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run(folder, *words, **more):
    process = start(folder, *words, **more)
    told, said = process.communicate()
    return process.returncode, told, said


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """After one audit, offline: what the gate keeps of the baseline makes the next one quicker."""
    folder = tmp_path_factory.mktemp("properties") / "project"
    (folder / "properties").mkdir(parents=True)
    (folder / "gate").mkdir()
    (folder / "gate.toml").write_text(TOML)
    (folder / "gate" / "freeze_set.json").write_text('{"frozen": ["order"]}\n')
    (folder / "properties" / "test_cap.py").write_text(CAP)
    (folder / "properties" / "test_order.py").write_text(ORDER)
    (folder / "INTENT.md").write_text(INTENT)
    for side, cap in (("old", 3), ("new", 4)):
        tool = folder / side / "bin" / "tool"
        tool.parent.mkdir(parents=True)
        tool.write_text(f"#!/bin/sh\n[ $1 = cap ] && echo {cap} || echo {side}\n")
        tool.chmod(0o755)
    assert run(folder, "corpus", "add", "A", "--step", "tool one", program="gate")[0] == 0
    assert run(folder, "pin", program="gate")[0] == 0
    return folder, run(folder, *AUDIT, "--intent", "INTENT.md")


@pytest.fixture
def project(made, tmp_path):
    shutil.copytree(made[0], tmp_path / "project", symlinks=True)
    shutil.rmtree(tmp_path / "project" / "suggestions")
    return tmp_path / "project"


def judged(stub):
    return {"address": stub.address, "before": JUDGED}


def drafts(told):
    """What was told of the drafts, without ids and what stands in the items."""
    lines = re.sub(r"-[0-9a-f]{12}", "-ID", told[told.index("drafts (") :]).splitlines()
    return [line for line in lines if not line.startswith("  ")]


def kinds(folder):
    return sorted(path.name.split("-")[0] for path in (folder / "suggestions").glob("*.json"))


def test_a_failing_and_a_frozen_property_get_their_drafts(made):
    folder, (code, told, said) = made
    assert code == 1, said
    assert drafts(told) == [
        "drafts (suggestions, no vote)",
        "policy-ID: 1 intent, 0 collateral, by offline",
        "hypotheses-ID: why property cap fails, by offline",
        "wording-ID: property order, by offline",
    ]
    assert kinds(folder) == ["hypotheses", "policy", "wording"]


@with_model
def test_what_goes_wrong_with_one_draft_is_told_and_the_next_one_is_asked_for(project):
    """The second prompt for a wording asks for a note for the repair, too."""
    replies = [
        completion("I would rather talk."),
        completion("About the weather, say."),
        completion(None, refusal="I will not"),
        completion(json.dumps(WORDING)),
    ]
    with serving(*replies) as stub:
        code, told, said = run(project, *AUDIT, "--intent", "INTENT.md", "--model", "stub-1", **judged(stub))
    assert (code, len(stub.requests)) == (1, 4), said
    assert drafts(told) == ["drafts (suggestions, no vote)", "wording-ID: property order, by stub-1-actual"]
    faults = [line for line in said.splitlines() if line.startswith("not drafted: ")]
    assert [re.match(r"not drafted: no draft \((\w+)\): .* The verdict stands\.$", fault)[1] for fault in faults] == [
        "invalid",
        "refused",
    ]
    (file,) = (project / "suggestions").iterdir()
    held = json.loads(file.read_bytes())
    assert held["provenance"]["prompt"] == "wording/v2"
    assert held["items"][0]["draft"] == WORDING
    assert kinds(project) == ["wording"]


@with_model
def test_a_model_that_answers_nobody_is_not_asked_again(project):
    with serving(fault(401)) as stub:
        code, told, said = run(project, *AUDIT, "--intent", "INTENT.md", "--model", "stub-1", **judged(stub))
    assert (code, len(stub.requests), drafts(told)) == (1, 1, ["drafts (suggestions, no vote)"])
    (fault_line,) = [line for line in said.splitlines() if line.startswith("not drafted: ")]
    assert fault_line.startswith("not drafted: no draft (unauthorised): ")
    assert not (project / "suggestions").exists()


@with_model
def test_ctrl_c_while_a_model_is_waited_for_ends_in_the_gates_exit_code(project):
    """And where there is no verdict to speak of, after `auditor draft`, none is spoken of."""
    words = ("--intent", "INTENT.md", "--model", "stub-1")
    with serving(Says(silent=True)) as stub:
        code, told, said = interrupted(start(project, *AUDIT, *words, address=stub.address), stub, 1)
        assert (code, drafts(told)) == (1, ["drafts (suggestions, no vote)"])
        assert said.splitlines()[-1] == (
            "drafting was interrupted; the verdict stands. Draft what is missing: auditor draft --help"
        )
        ended = interrupted(start(project, "draft", "policy", *words, address=stub.address), stub, 2)
    assert ended == (130, "", "interrupted: what was not drafted can be drafted again, and no verdict moved\n")
    assert not (project / "suggestions").exists()


def interrupted(process, stub, requests):
    while len(stub.requests) < requests and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    told, said = process.communicate()
    return process.returncode, told, said
