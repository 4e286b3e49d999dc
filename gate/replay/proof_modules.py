"""Asks the interpreter of a step which files the modules of the build are loaded from. Nothing of the program is imported."""

from __future__ import annotations

import ast
import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gate.errors import BuildError
from gate.replay.proof_command import Call
from gate.replay.proof_installs import refuse_code_of_the_sources
from gate.replay.proof_standing import Standing
from gate.replay.sandbox_layout import tool_folders

LAYOUTS = ("", "src", "lib", "python")
"""Folders of a build where projects keep their packages; looked at even where the interpreter has them not on its path."""

BESIDE_THE_PROGRAM = frozenset(
    {
        "benchmarks",
        "bin",
        "conftest",
        "doc",
        "docs",
        "example",
        "examples",
        "noxfile",
        "setup",
        "test",
        "tests",
        *LAYOUTS,
    }
)
"""Names in `LAYOUTS` that many trees hold and no program loads; they count where the folder is on the interpreter's path."""

# Asks the finders in turn, as an import statement does, and imports nothing that a folder on the path could shadow.
_QUESTION = """\
import sys
if sys.version_info < (3, 4):
    sys.exit("a Python older than 3.4 cannot tell")
if sys.argv[1] and not getattr(sys.flags, "safe_path", sys.flags.isolated):
    sys.path[0] = sys.argv[1]
loaded = dict(sys.modules)
def found(name):
    if name in loaded:
        return getattr(loaded[name], "__spec__", None)
    for finder in list(sys.meta_path):
        try:
            spec = finder.find_spec(name, None)
        except Exception:
            continue
        if spec is not None:
            return spec
def origin(name):
    spec = found(name)
    if spec is None:
        return getattr(loaded.get(name), "__file__", None)
    if spec.origin in (None, "namespace"):
        return (list(spec.submodule_search_locations or ()) or [None])[0]
    return spec.origin
origins = [(name, origin(name)) for name in sys.stdin.read().split()]
import os
machine = getattr(sys.implementation, "_multiarch", "") or sys.platform
itself = "%s %s%s, %s" % (sys.implementation.name, sys.version.split()[0], getattr(sys, "abiflags", ""), machine)
print(ascii((sys.path, os.path.dirname(os.__file__), sorted(getattr(sys, "stdlib_module_names", ())), origins, itself)))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    path: tuple[str, ...]
    library: Path
    """The folder of the standard library."""
    library_names: frozenset[str]
    """Top-level modules of the standard library; empty where the interpreter does not know (before 3.10)."""
    origins: Mapping[str, str | None]
    itself: str
    """Implementation, version and machine: `cpython 3.11.4, x86_64-linux-gnu`."""

    def standard(self, name: str, origin: str) -> bool:
        """Whether that is the standard library's own module: the program gets it wherever it is installed, too."""
        if self.library_names and name not in self.library_names:
            return False
        if origin in {"built-in", "frozen"}:
            return True
        if not Path(origin).is_relative_to(self.library):
            return False
        return not {"site-packages", "dist-packages"}.intersection(Path(origin).relative_to(self.library).parts)


def prove_modules(standing: Standing, call: Call, *, cwd: Path, module: str = "") -> str:
    """Refuse, with a BuildError, a call in which a module that the build holds is loaded from outside of the build.

    The build holds the modules in the folders of it that are on the interpreter's path, and in `LAYOUTS`. A module that is
    found nowhere, or in the standard library, is fine. Where `module` is given (`python -m`) it must be found in the build.
    Returns what the interpreter says of itself: implementation, version and machine.
    """
    path = _ask(standing, call, (), cwd=cwd).path
    folders = [Path(entry) for entry in path if entry.startswith("/")]
    refuse_code_of_the_sources(standing, call.python, folders)
    held = dict(_held(standing, folders))
    top = module.partition(".")[0]
    answer = _ask(standing, call, sorted({*held, *([top] if top else [])}), cwd=cwd)
    if top and not _in_build(standing, answer.origins[top]):
        raise BuildError(
            f"{standing.side}: module {top} is loaded from {answer.origins[top] or 'nowhere'}, not from the build",
            next_step='Both sides would run the same code: set program.env.PYTHONPATH to "{build}/…", or build an environment per side.',
        )
    for name, origin in answer.origins.items():
        if origin is not None and not _in_build(standing, origin) and not answer.standard(name, origin):
            raise _shadowed(standing, call, held[name], name, origin)
    return answer.itself


def _in_build(standing: Standing, origin: str | None) -> bool:
    return origin is not None and standing.holds(Path(origin))


def _shadowed(standing: Standing, call: Call, file: Path, name: str, origin: str) -> BuildError:
    within = os.path.relpath(os.path.realpath(file.parent), os.path.realpath(standing.build))
    folder = "{build}" if within == "." else f"{{build}}/{within}"
    return BuildError(
        f"{standing.side}: module {name} of the build is loaded from {origin} by {call.python}",
        next_step=(
            "Both sides would run the same code: take that copy away, build an environment per side, "
            f'or start program.env.PYTHONPATH with "{folder}".'
        ),
    )


def _held(standing: Standing, path: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """(name, file) of the modules of the build, what can be imported last: it wins in a dict."""
    layouts = [standing.build / layout for layout in LAYOUTS]
    for folder in layouts:
        yield from ((name, file) for name, file in _modules(folder) if name not in BESIDE_THE_PROGRAM)
    for folder in path:
        if standing.holds(folder):
            yield from _modules(folder)


def _modules(folder: Path) -> Iterator[tuple[str, Path]]:
    if not folder.is_dir():
        return
    for file in sorted(folder.iterdir()):
        name = file.name.partition(".")[0]
        if name.isidentifier() and not (name.startswith("__") and name.endswith("__")) and _is_module(file):
            yield name, file


def _is_module(file: Path) -> bool:
    """A file that Python loads, a package, or a folder (of folders) with such files: a namespace package."""
    if not file.is_dir():
        return file.suffix == ".so" or ("." not in file.stem and file.suffix in {".py", ".pyc"})
    if "." in file.name:
        return False
    return any(file.glob("*.py")) or any(file.glob("*.so")) or any(file.glob("*/*.py"))


def _ask(standing: Standing, call: Call, names: Iterable[str], *, cwd: Path) -> _Answer:
    command = [str(call.python), *call.options, "-c", _QUESTION, call.folder]
    folders = (str(call.python.parent), *standing.environment.get("PATH", "").split(os.pathsep))
    tools = tool_folders(folders, hidden=standing.sandbox.hidden)
    home = Path(standing.environment.get("HOME", "/"))
    try:
        told = subprocess.run(
            standing.sandbox.wrap(command, writable=(), readable=[standing.build, cwd, home, *tools]),
            input="\n".join(names).encode(),
            cwd=cwd,
            env=dict(standing.environment),
            capture_output=True,
            check=True,
            timeout=60,
        )
        path, library, library_names, origins, itself = ast.literal_eval(told.stdout.decode().splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, SyntaxError, IndexError) as error:
        said = getattr(error, "stderr", None) or str(error).encode()
        raise BuildError(
            f"{standing.side}: {call.python} cannot tell where it loads modules from: {os.fsdecode(said).strip()[-300:]}",
            next_step="Mend the interpreter, or program.argv, program.path and program.env in gate.toml.",
        ) from error
    return _Answer(
        path=tuple(path),
        library=Path(library),
        library_names=frozenset(library_names),
        origins=dict(origins),
        itself=itself,
    )
