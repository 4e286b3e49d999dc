"""Proof that a side runs its own code: the classic trap is that both sides load one installed package.

Exit codes and equal output prove nothing here: two sides that run the same file agree on everything (reported fault 24).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from gate.config.model import Program
from gate.domain import Case, Step
from gate.errors import BuildError
from gate.replay.build import SideName, expand

_SHEBANG = re.compile(rb"#!\s*(/[^\s]+)")
_SHELLS = frozenset({"bash", "dash", "env", "ksh", "sh", "zsh"})
_SCRIPT_WORD = re.compile(r"[A-Za-z0-9_.+/-]+")
_ABSOLUTE = re.compile(r"""['"](/[^'"\n]+)['"]""")
_SITE_FOLDERS = "import site; print(*site.getsitepackages(), site.getusersitepackages(), sep='\\n')"
_MODULE_SEARCH = """\
import importlib.util, sys
spec = importlib.util.find_spec(sys.argv[1])
print((spec.origin or "") if spec else "")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A side as it stands at the replay path, ready to prove itself."""

    side: SideName
    build: Path
    """The replay path; the side's build stands there."""
    sources: tuple[Path, ...]
    """The trees both sides were copied from: nothing may be run from there."""
    environment: Mapping[str, str]
    """The environment of its steps."""


def prove(standing: Standing, program: Program, cases: Sequence[Case]) -> tuple[str, ...]:
    """Show that the program that the steps run lies inside the build.

    Returns the executables outside the build that steps also run (`sh`, `git`), resolved, sorted. Raises BuildError.
    """
    _refuse_editable_installs(standing)
    _refuse_leaks_of_the_interpreter(standing, program)
    if program.argv:
        return _prove_prefix(standing, program)
    words = sorted({word for case in cases for step in case.steps for word in _programs(step)})
    found = {word: path for word in words if (path := _resolve(standing, word)) is not None}
    inside = [path for path in found.values() if _inside(standing, path)]
    if not inside:
        raise BuildError(
            f"{standing.side}: none of the commands {', '.join(words[:5])} lies inside the build",
            next_step="Name the build's folder of programs under program.path in gate.toml, or start program.argv with {build}/….",
        )
    for path in inside:
        _refuse_foreign_interpreter(standing, path)
    return tuple(sorted({os.path.realpath(path) for path in found.values() if not _inside(standing, path)}))


def _programs(step: Step) -> Iterator[str]:
    """The command of a step; of a shell also every word of its script, since any of them may be a command."""
    first = os.fsdecode(step.argv[0])
    yield first
    if Path(first).name in _SHELLS:
        for argument in step.argv[1:]:
            yield from _SCRIPT_WORD.findall(os.fsdecode(argument))


def _prove_prefix(standing: Standing, program: Program) -> tuple[str, ...]:
    words = [expand(word, build=standing.build) for word in program.argv]
    first = _resolve(standing, words[0])
    if first is None:
        raise BuildError(
            f"{standing.side}: the program {words[0]} is not there",
            next_step="Mend program.argv in gate.toml, or the build command that should make it.",
        )
    if _inside(standing, first):
        _refuse_foreign_interpreter(standing, first)
        return ()
    if words[1:2] == ["-m"] and len(words) > 2:
        _prove_module(standing, words[0], words[2])
    elif not any(_is_build_file(standing, word) for word in words[1:]):
        raise BuildError(
            f"{standing.side}: program.argv runs {first}, and none of its words is a file of the build",
            next_step="Both sides would run the same code: start program.argv with {build}/… or name a file of the build in it.",
        )
    return (os.path.realpath(first),)


def _prove_module(standing: Standing, python: str, module: str) -> None:
    """`python -m module`: ask the interpreter, in the environment of the steps, which file that is."""
    answer = subprocess.run(
        [python, "-c", _MODULE_SEARCH, module.split(".", maxsplit=1)[0]],
        cwd=standing.build.parent,
        env=dict(standing.environment),
        capture_output=True,
        check=False,
        timeout=60,
    )
    origin = os.fsdecode(answer.stdout.strip())
    if not origin or not _inside(standing, Path(origin)):
        raise BuildError(
            f"{standing.side}: module {module} is loaded from {origin or 'nowhere'}, not from the build",
            next_step='Both sides would run the same code: set program.env.PYTHONPATH to "{build}/…", or build an environment per side.',
        )


def _is_build_file(standing: Standing, word: str) -> bool:
    path = Path(word)
    return path.is_absolute() and path.exists() and _inside(standing, path)


def _resolve(standing: Standing, word: str) -> Path | None:
    found = shutil.which(word, path=standing.environment["PATH"])
    return Path(found) if found else None


def _inside(standing: Standing, path: Path) -> bool:
    """Whether the file itself, links followed, lies in the build; the interpreter of a virtual environment of the build does too."""
    if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(standing.build)):
        return True
    return path.is_relative_to(standing.build) and (path.parent.parent / "pyvenv.cfg").is_file()


def _refuse_foreign_interpreter(standing: Standing, path: Path) -> None:
    """A script of a copied virtual environment still names the interpreter of the place it was copied from."""
    with path.open("rb") as stream:
        shebang = _SHEBANG.match(stream.read(4096))
    if not shebang:
        return
    named = Path(os.fsdecode(shebang[1]))
    foreign = (named.parent.parent / "pyvenv.cfg").is_file() or any(
        named.is_relative_to(source) for source in standing.sources
    )
    if foreign and not named.is_relative_to(standing.build):
        raise BuildError(
            f"{standing.side}: {path.name} of the build is run by {named}, an environment outside of the build",
            next_step="Let the gate make the environment where it is replayed (build.command), or use a relocatable one.",
        )


def _refuse_editable_installs(standing: Standing) -> None:
    """An editable install inside a build loads the tree it was made from, whichever side is replayed."""
    for packages in standing.build.rglob("site-packages"):
        for file, target in _editable_targets(packages):
            if not target.is_relative_to(standing.build) and target.exists():
                raise BuildError(
                    f"{standing.side}: {file.relative_to(standing.build)} loads code from {target}, outside of the build",
                    next_step="Both sides would run the same code: install without -e.",
                )


def _refuse_leaks_of_the_interpreter(standing: Standing, program: Program) -> None:
    """`pip install -e .` beside the interpreter that both sides share: its code wins over both builds."""
    python = expand("{python}", build=standing.build)
    if "{python}" not in program.argv:
        return
    answer = subprocess.run(
        [python, "-c", _SITE_FOLDERS], env=dict(standing.environment), capture_output=True, check=True, timeout=60
    )
    for folder in answer.stdout.decode().splitlines():
        for file, target in _editable_targets(Path(folder)):
            if any(target.is_relative_to(source) for source in standing.sources):
                raise BuildError(
                    f"{standing.side}: {python} loads an editable install of {target} ({file.name})",
                    next_step="Both sides would run the same code: uninstall it, or build an environment per side.",
                )


def _editable_targets(packages: Path) -> Iterator[tuple[Path, Path]]:
    for file in sorted(packages.glob("*.pth")):
        for line in file.read_text("utf-8", "replace").splitlines():
            if line.strip() and not line.startswith(("import ", "import\t", "#")):
                yield file, Path(os.path.normpath(packages / line.strip()))
    for file in sorted(packages.glob("__editable__*.py")):
        yield from ((file, Path(target)) for target in _ABSOLUTE.findall(file.read_text("utf-8", "replace")))
    for file in sorted(packages.glob("*.dist-info/direct_url.json")):
        yield from ((file, target) for target in _editable_url(file))


def _editable_url(file: Path) -> Iterable[Path]:
    try:
        told = json.loads(file.read_bytes())
        if told.get("dir_info", {}).get("editable"):
            return [Path(unquote(urlsplit(told["url"]).path))]
    except (ValueError, KeyError, AttributeError):
        pass
    return []
