"""Other tools put to the work of flipping.py, each as its README says, in one place so that they stand side by side.

    stillworks   `lock --cmd` on the old build, `check` on the new one: the very commands
    nodrift      `record` on a test suite, `check` of two commits: it replays Python functions, here ones that spawn the command
    selfsame     `verify` of two commits: likewise. Its verdict is one a function, so ten functions share the steps

All are found in one folder of programs: `python -m venv TOOLS; TOOLS/bin/pip install nodrift stillworks selfsame pytest`.
What each exit code says is the tool's own: 0 holds no difference, 1 one. nodrift and selfsame leave what wavers out of a 0.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from flipping import Work, labels

FUNCTIONS = 10
_NOBODY = ["-c", "user.name=n", "-c", "user.email=n@example.invalid", "-c", "commit.gpgsign=false"]


class Judge(Protocol):
    """A tool that holds two builds against each other."""

    name: str

    def judge(self) -> int:
        """The exit code of one run."""
        ...


class _Tool:
    """A tool in a folder of programs, working in a folder of its own."""

    name = ""

    def __init__(self, work: Work, folder: Path, tools: Path) -> None:
        self._work, self._tools, self._folder = work, tools, folder / self.name
        self._folder.mkdir(parents=True)
        self._env = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "GIT_CONFIG_NOSYSTEM": "1"}
        self._prepare()

    def judge(self) -> int:
        """The exit code of one run."""
        raise NotImplementedError

    def _prepare(self) -> None:
        raise NotImplementedError

    def _call(self, *words: str | Path) -> int:
        return subprocess.run(words, cwd=self._folder, env=self._env, capture_output=True, check=False).returncode

    def _must(self, *words: str | Path) -> None:
        subprocess.run(words, cwd=self._folder, env=self._env, capture_output=True, check=True)


class Stillworks(_Tool):
    """Locks what the old build prints, checks what the new one does."""

    name = "stillworks"

    def _prepare(self) -> None:
        self._locks = [word for label in labels(self._work.steps) for word in ("--cmd", f"./step {label}")]

    def judge(self) -> int:
        """Lock, swap the build, check."""
        shutil.rmtree(self._folder / ".stillworks", ignore_errors=True)
        shutil.copy(self._work.old / "bin" / "step", self._folder / "step")
        self._must(self._tools / "stillworks", "lock", *self._locks)
        shutil.copy(self._work.new / "bin" / "step", self._folder / "step")
        return self._call(self._tools / "stillworks", "check")


class _OfFunctions(_Tool):
    """A repository of two commits with a package whose functions run the steps, and a test for each step."""

    def _prepare(self) -> None:
        for file, text in self._files().items():
            (self._folder / file).parent.mkdir(exist_ok=True)
            (self._folder / file).write_text(text)
        self._must("git", "init", "-q")
        for tree in (self._work.old, self._work.new):
            (self._folder / "package" / "steps.py").write_text(_module(tree / "bin" / "step"))
            (self._folder / "NOTES").write_text(tree.name)
            self._must("git", *_NOBODY, "add", "-A")
            self._must("git", *_NOBODY, "commit", "-q", "-m", tree.name)

    def _files(self) -> dict[str, str]:
        told = [(number % FUNCTIONS, label) for number, label in enumerate(labels(self._work.steps))]
        tests = (
            f"import pytest\nfrom package import steps\n\n\n@pytest.mark.parametrize(('number', 'label'), {told!r})\n"
            "def test_step(number, label):\n    assert getattr(steps, f'step_{number}')(label)\n"
        )
        return {
            "package/__init__.py": "",
            "conftest.py": "",
            "tests/test_steps.py": tests,
            ".gitignore": "__pycache__\n.pytest_cache\n.nodrift\n.selfsame\n",
        }


def _module(program: Path) -> str:
    body = f"    done = subprocess.run([{str(program)!r}, label], capture_output=True)\n    return done.returncode, done.stdout\n"
    functions = (f"\n\ndef step_{number}(label):\n{body}" for number in range(FUNCTIONS))
    return "import subprocess\n" + "".join(functions)


class Nodrift(_OfFunctions):
    """Records the calls of the test suite once, and replays them for each judgement."""

    name = "nodrift"

    def _prepare(self) -> None:
        super()._prepare()
        self._must(self._tools / "nodrift", "record", "--package", "package")

    def judge(self) -> int:
        """Check the two commits."""
        return self._call(self._tools / "nodrift", "check", "HEAD~1", "HEAD")


class Selfsame(_OfFunctions):
    """Captures and replays in one command."""

    name = "selfsame"

    def judge(self) -> int:
        """Verify the two commits; what could not be verified is not passed over (`--strict`)."""
        words = ["--strict", "--base", "HEAD~1", "--head", "HEAD", "--modules", "package", "--"]
        return self._call(self._tools / "selfsame", "verify", *words, self._tools / "python", "-m", "pytest", "-q")


TOOLS: Sequence[type[_Tool]] = (Stillworks, Nodrift, Selfsame)


def others(work: Work, folder: Path, tools: Path | None) -> list[Judge]:
    """The tools that are in the folder of programs `tools`, made ready; none without one."""
    if tools is None:
        return []
    place = tools.resolve()
    return [tool(work, folder, place) for tool in TOOLS if (place / tool.name).exists()]
