"""`gate pin` and `gate verify` at the command line."""

import hashlib
import re
import subprocess
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from gate.cli.pin import register

SUM = re.compile(r"sha256:[0-9a-f]{64}")
SHORT = re.compile(r"sha256:[0-9a-f]{12}…")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "p"
    (root / "fixtures").mkdir(parents=True)
    (root / "gate").mkdir()
    (root / "gate.toml").write_text("version = 1\n[program]\n")
    (root / "gate" / "corpus.jsonl").write_text('{"id": "A"}\n')
    (root / "fixtures" / "orders.json").write_text("{}\n")
    return root


def gate(*words: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error; full digests as SUM, shortened ones as SHORT."""
    app = typer.Typer(pretty_exceptions_enable=False)
    register(app)
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    out, err = (SHORT.sub("SHORT", SUM.sub("SUM", text)) for text in (result.stdout, result.stderr))
    return result.exit_code, out, err


def test_pin_says_what_it_pinned(project):
    assert gate("pin", "--project", str(project)) == (
        0,
        "pinned fixtures gate-pack-1:SUM (1 entry)\npinned config SUM\npinned corpus SUM\npinned noise SUM\n"
        "pinned canonical form 1\n",
        "wrote gate/pins.json\n",
    )


def test_pin_names_what_git_ignores_and_no_commit_will_hold(project):
    """Pinned again and again, such a commit was told that its fixture was removed."""
    (project / ".gitignore").write_text("*.db\n!kept.db\n__pycache__/\n")
    (project / "properties" / "__pycache__").mkdir(parents=True)
    (project / "properties" / "__pycache__" / "conftest.pyc").write_bytes(b"no part of the judge")
    for name in ("a.db", "b c.db", "kept.db"):
        (project / "fixtures" / name).write_text("x")
    assert gate("pin", "--project", str(project))[2] == "wrote gate/pins.json\n", "outside of a work tree"
    subprocess.run(["git", "init", "-q", project], check=True)
    told = "git ignores fixtures/{0}, so that no commit will hold it: git add -f {1}\n"
    ignored = told.format("a.db", "fixtures/a.db") + told.format("b c.db", "'fixtures/b c.db'")
    gate("pin", "--project", str(project))  # the first one in a work tree protects line endings, too
    assert gate("pin", "--project", str(project))[2] == f"wrote gate/pins.json\n{ignored}"
    subprocess.run(["git", "-C", project, "add", "-f", "fixtures"], check=True)
    assert gate("pin", "--project", str(project))[2] == "wrote gate/pins.json\n"
    subprocess.run(["git", "-C", project, "rm", "-q", "--cached", "-r", "fixtures"], check=True)
    for number in range(7):
        (project / "fixtures" / f"{number}.db").write_text("x")
    *_, last = gate("pin", "--project", str(project))[2].splitlines()
    assert last == "git ignores 4 more pinned files: git ls-files --others --ignored --exclude-standard"


def test_the_project_is_the_current_folder_unless_named(project, monkeypatch):
    monkeypatch.chdir(project)
    assert gate("pin")[0] == 0
    assert (project / "gate" / "pins.json").exists()


def test_verify_tells_in_one_line_that_the_pins_hold(project):
    gate("pin", "--project", str(project))
    assert gate("verify", "--project", str(project)) == (
        0,
        "pins hold: fixtures gate-pack-1:SUM (1 entry), config SUM, corpus SUM, noise SUM, canonical form 1\n",
        "",
    )


def test_drift_is_told_on_stdout_and_ends_in_two(project):
    gate("pin", "--project", str(project))
    (project / "fixtures" / "orders.json").write_bytes(b"{}\r\n")
    (project / "fixtures" / ".DS_Store").touch()
    (project / "gate" / "corpus.jsonl").write_text("")
    assert gate("verify", "--project", str(project)) == (
        2,
        "judge 'corpus' changed: expected SHORT, got SHORT\n"
        "fixture '.DS_Store' added: unexpected file of 0 bytes, SHORT\n"
        "  left behind by the Finder of macOS: delete it, or pin it if it is a wanted fixture\n"
        "fixture 'orders.json' changed: expected SHORT, got SHORT\n"
        "  CR bytes added: line endings were rewritten on checkout;"
        " add '-text' for the file in .gitattributes and check out again\n",
        "Restore what drifted, or pin the new judge in a commit of its own: gate pin\n",
    )


def test_a_drift_line_shows_the_digests_that_were_taken(project):
    gate("pin", "--project", str(project))
    (project / "fixtures" / "orders.json").write_bytes(b"[]\n")
    app = typer.Typer()
    register(app)
    out = CliRunner().invoke(app, ["verify", "--project", str(project)]).stdout
    old, new = (hashlib.sha256(content).hexdigest()[:12] for content in (b"{}\n", b"[]\n"))
    assert out == f"fixture 'orders.json' changed: expected sha256:{old}…, got sha256:{new}…\n"


def test_without_pins_verify_names_the_next_step(project):
    assert gate("verify", "--project", str(project)) == (
        2,
        "",
        f"error: {project}/gate/pins.json: expected the pins of the judge, found no file\nPin them: gate pin\n",
    )


def test_without_a_corpus_pin_names_the_next_step(project):
    (project / "gate" / "corpus.jsonl").unlink()
    assert gate("pin", "--project", str(project)) == (
        2,
        "",
        f"error: {project}/gate/corpus.jsonl: expected the frozen corpus, found no file\nDraw it: gate corpus draw\n",
    )


def test_a_folder_without_gate_toml_is_invalid(tmp_path):
    code, out, err = gate("verify", "--project", str(tmp_path))
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {tmp_path}/gate.toml: expected a gate.toml, found none\n")


def test_pin_in_a_work_tree_says_what_it_added_to_the_attributes(project):
    """Fault 33."""
    (project / ".git").mkdir()
    lines = ["fixtures/** -text", "gate/** -text", "/gate.toml -text"]
    told = "".join(f"added to .gitattributes: {line}\n" for line in lines)
    assert gate("pin", "--project", str(project))[2] == told + "wrote gate/pins.json\n"
    assert (project / ".gitattributes").read_text() == "".join(f"{line}\n" for line in lines)
    assert gate("pin", "--project", str(project))[2] == "wrote gate/pins.json\n"


def test_verify_writes_nothing(project):
    (project / ".git").mkdir()
    gate("pin", "--project", str(project))
    (project / ".gitattributes").unlink()
    before = {place: place.stat().st_mtime_ns for place in project.rglob("*")}
    gate("verify", "--project", str(project))
    assert {place: place.stat().st_mtime_ns for place in project.rglob("*")} == before
