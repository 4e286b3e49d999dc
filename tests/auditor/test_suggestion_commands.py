from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
import typer
from drafts import classified, group, policy_draft
from typer.main import get_command
from typer.testing import CliRunner

import gate
from auditor.cli import suggestions
from auditor.suggestions.store import keep, read_suggestion

DRAFT = policy_draft(
    (group(1), classified(1)), (group(2), classified(2, kind="collateral", reason="\x1b[2Jun\u202easked"))
)


@pytest.fixture
def project(tmp_path):
    keep(tmp_path, DRAFT)
    return tmp_path


def call(project: Path, *words: str):
    app = typer.Typer()
    suggestions.register(app)
    return CliRunner().invoke(app, ["suggestions", *words, "--project", str(project)])


def test_nothing_scriptable_accepts():
    """Reported fault 103."""
    app = typer.Typer()
    suggestions.register(app)
    assert sorted(get_command(app).commands["suggestions"].commands) == ["list", "reject", "show"]


def test_suggestions_are_listed_and_broken_files_named(project):
    (project / "suggestions" / "x\x1b.json").write_text("[]")
    done = call(project, "list")
    assert (done.exit_code, done.stdout) == (0, f"{DRAFT.id}  proposed  2 of 2 proposed  run  offline\n")
    assert done.stderr == "broken: suggestions/x\\x1b.json:1: expected an object, got list\n"
    assert json.loads(call(project, "list", "--format", "json").stdout) == {
        "suggestions": [
            {
                "id": DRAFT.id,
                "kind": "policy",
                "status": "proposed",
                "subject": "run",
                "model": "offline",
                "items": [{"id": "d1", "status": "proposed"}, {"id": "d2", "status": "proposed"}],
            }
        ],
        "broken": [{"file": "x\\x1b.json", "what": "suggestions/x\\x1b.json:1: expected an object, got list"}],
    }


def test_one_is_shown_escaped_or_as_its_json(project):
    done = call(project, "show", DRAFT.id)
    assert "reason: \\x1b[2Jun\\u202easked" in done.stdout
    assert all(row.isprintable() for row in done.stdout.split("\n"))
    asked = call(project, "show", DRAFT.id, "--format", "json")
    assert asked.stdout == (project / "suggestions" / f"{DRAFT.id}.json").read_text()


def test_a_rejection_says_who_and_why(project):
    done = call(
        project, "reject", DRAFT.id, "--item", "d2", "--why", "not meant", "--reviewer", "Ada", "--format", "json"
    )
    assert json.loads(done.stdout) == {"id": DRAFT.id, "rejected": ["d2"]}
    held = read_suggestion(project, DRAFT.id).suggestion
    assert [item.status for item in held.items] == ["proposed", "rejected"]
    assert [(one.item, one.verdict, one.who, one.why) for one in held.decisions] == [
        ("d2", "rejected", "Ada", "not meant")
    ]
    assert (
        call(project, "reject", DRAFT.id, "--why", "all of it", "--reviewer", "Ada").stdout
        == f"{DRAFT.id}: rejected d1\n"
    )
    assert read_suggestion(project, DRAFT.id).suggestion.status == "rejected"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--why", "no", "--item", "d9"], f"error: {DRAFT.id}: expected the item d9 that is proposed, found none\n"),
        (["--why", " "], "error: --why: there is no reason\n"),
        (["--why", "a\x1bb"], "error: --why: the reason holds characters that do not show themselves\n"),
        (["--why", "no", "--reviewer", " "], "error: --reviewer: expected the name of a reviewer, got none\n"),
    ],
)
def test_a_rejection_that_says_too_little_is_refused(project, words, said):
    before = (project / "suggestions" / f"{DRAFT.id}.json").read_bytes()
    words = words if "--reviewer" in words else [*words, "--reviewer", "Ada"]
    done = call(project, "reject", DRAFT.id, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(said)
    assert (project / "suggestions" / f"{DRAFT.id}.json").read_bytes() == before


def test_no_module_of_the_gate_knows_the_auditor_or_its_files():
    """Reported fault 142: there is no way from a draft to a verdict."""
    modules = sorted(Path(gate.__file__).parent.rglob("*.py"))
    assert len(modules) > 100
    for module in modules:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.partition(".")[0] == "auditor" for name in names), module
            if isinstance(node, ast.Constant):
                assert node.value not in {"suggestions", "suggestions/", "auditor.toml"}, module
