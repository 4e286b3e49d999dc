"""A scratch repository with a project, for runs between two commits."""

import os
import subprocess
from pathlib import Path

import msgspec
import pytest
from forked_commands import called

from gate import api
from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step
from gate.errors import GateError
from gate.pipeline.commit_range import Commits, find_range
from gate.report.scorecard import Scorecard

TOOL = "#!/bin/sh\necho {said} $1\n"
TOML = 'version = 1\n[program]\npath = ["{path}"]\n[replay]\nconfirm = 1\n'
MAIN_TO_PATCH = ("--base", "main", "--head", "patch")


def forget_git_of_mine(tmp_path, monkeypatch):
    """No configuration of the person's, and no repository above."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))


class Repository:
    """A repository whose project lies in `inside`; `main` is the base."""

    def __init__(self, top: Path, inside: str = "") -> None:
        self.top, self.project = top, top / inside
        self.project.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        for key, text in (("name", "n"), ("email", "e@example.invalid")):
            self.git("config", f"user.{key}", text)
        self.write("gate.toml", TOML.format(path=f"{inside}/bin".lstrip("/")))
        steps = tuple(Step(argv=(b"tool", word)) for word in (b"one", b"two"))
        write_corpus(self.project / "gate" / "corpus.jsonl", with_case(None, Case(id=CaseId("A"), steps=steps)))
        self.write("gate/policy.json", '{"allowed": []}')
        self.write(".gitignore", ".gate/\n")
        self.tool("old")
        api.pin(self.project)
        self.commit("base")

    def git(self, *words):
        done = subprocess.run(["git", *words], cwd=self.top, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def write(self, name, text):
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def tool(self, said):
        self.write("bin/tool", TOOL.format(said=said)).chmod(0o755)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def patch(self, **files):
        """A commit on a branch of its own with another program, and more files changed (`__` stands for a slash)."""
        self.git("switch", "-q", "-c", "patch")
        self.tool("new")
        for name, text in files.items():
            self.write(name.replace("__", "/"), text)
        self.commit("patch")
        self.git("switch", "-q", "main")

    def run(self, *words, cwd=None, anew=False):
        return called("gate", "run", *words, cwd=cwd or self.project, anew=anew)

    def card(self, *words):
        done = self.run(*words, "--format", "json")
        return done.returncode, msgspec.json.decode(done.stdout, type=Scorecard), done.stderr

    def refused(self, base="main", head="patch"):
        """What is told of a patch that may not be judged; nothing was written for it."""
        with pytest.raises(GateError) as refused:
            find_range(self.project.resolve(), Commits(base=base, head=head))
        assert not (self.project / ".gate").exists()
        return refused.value.diagnostics()

    def changed(self, base="main", head="patch"):
        return find_range(self.project.resolve(), Commits(base=base, head=head)).patch

    def branch(self, *, remove=(), **files):
        """A commit on the branch `patch` that changes files (`__` stands for a slash; an iterable of names is removed)."""
        self.git("switch", "-q", "-c", "patch")
        for name, text in files.items():
            self.write(name.replace("__", "/"), text)
        for name in remove:
            self.git("rm", "-q", "-r", str((self.project / name).relative_to(self.top)))
        self.commit("patch")
        self.git("switch", "-q", "main")

    def trees(self):
        return list((self.project / ".gate").glob("trees-*"))
