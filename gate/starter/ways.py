"""The ways in which a program may be built and started, the simplest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gate.config.model import Build, Program
from gate.starter.entry import calls
from gate.starter.found import LAYOUTS, Runnable, is_file_of
from gate.starter.manifest import CLI_EXTRA, Manifest

ENVIRONMENT = "gate-env"
"""The folder of the build that holds an environment of its own."""

PASSED = ("PIP_*", "HTTPS_PROXY", "https_proxy", "SSL_CERT_FILE")
"""What an installation may need of the caller's machine: a mirror, a proxy, a certificate."""

_LAUNCHERS = {".py": "{python}", ".js": "node", ".mjs": "node", ".rb": "ruby", ".pl": "perl", ".sh": "sh"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way."""

    why: tuple[str, ...]
    """What a person should know of it, a line each; comments of the written file."""
    program: Program
    build: Build = field(default_factory=Build)


def ways(root: Path, runnable: Runnable, manifest: Manifest) -> tuple[Way, ...]:
    """The ways to try in order; never empty.

    A command that was given is run as it is, and where it is one of Python and the tree states what it needs, with that installed. Of
    what was found: from the tree alone where nothing is needed and a module can be started, else from an environment of the build.
    """
    found: list[Way] = []
    if runnable.words:
        found.append(_as_given(root, runnable.words))
        if found[0].program.argv[0] == "{python}" and _can_install(root, manifest):
            found.append(
                _installed(("{build}/" + f"{ENVIRONMENT}/bin/python", *found[0].program.argv[1:]), manifest, found[0])
            )
        return tuple(found)
    module = _startable(root, runnable)
    if module and not manifest.needs:
        found.append(_from_tree(*module))
    if runnable.script:
        found.append(_installed((f"{{build}}/{ENVIRONMENT}/bin/{runnable.name}",), manifest))
        if module:  # a setup.py may name scripts of which the build that pyproject.toml names knows nothing
            found.append(_installed((f"{{build}}/{ENVIRONMENT}/bin/python", "-m", module[0]), manifest))
    elif _can_install(root, manifest):
        found.append(_installed((f"{{build}}/{ENVIRONMENT}/bin/python", "-m", runnable.module), manifest))
    if module and not found:
        found.append(_from_tree(*module))
    return tuple(found)


def _from_tree(name: str, layout: str) -> Way:
    return Way(
        why=("Nothing is built: the tree needs no other package, and Python starts its module from there.",),
        program=Program(
            argv=("{python}", "-m", name), env={"PYTHONPATH": "{build}" + (f"/{layout}" if layout else "")}
        ),
    )


def _startable(root: Path, runnable: Runnable) -> tuple[str, str] | None:
    """The module that `python -m` starts as the program does, and the layout that it stands in; None where there is none.

    A module that does not call, by its syntax tree, the very function that the script calls is another program.
    """
    if not runnable.module:
        return None
    package = runnable.module.split(".")[0]
    for layout in LAYOUTS:
        base = root / layout
        if not runnable.script:
            if (base / package / "__main__.py").is_file():
                return package, layout
            continue
        for started in dict.fromkeys((f"{package}.__main__", f"{runnable.module}.__main__", runnable.module)):
            if calls(base, started, target=runnable.module, function=runnable.function):
                return started.removesuffix(".__main__"), layout
    return None


def _can_install(root: Path, manifest: Manifest) -> bool:
    return manifest.installable or (root / "requirements.txt").is_file()


def _installed(argv: Sequence[str], manifest: Manifest, given: Way | None = None) -> Way:
    """The program in an environment that the build makes: no copy outside of the build can take the place of its code."""
    what = "." if manifest.installable else "-r requirements.txt"
    if manifest.installable and CLI_EXTRA in manifest.extras:
        what = f"'.[{CLI_EXTRA}]'"
    answers = "".join(
        f"{name}=1 " if name.endswith("BYPASS") else f"{name}=0.0.0 " for name in manifest.version_variables
    )
    pip = f"{ENVIRONMENT}/bin/python -m pip install --quiet --disable-pip-version-check {what}"
    return Way(
        why=(
            f"Each side is installed in an environment of its own, {ENVIRONMENT}/ in its build, with what it depends on. Builds are kept",
            "by the content of their tree. Unpinned dependencies may differ from day to day: pin them here (-c constraints.txt).",
        ),
        program=Program(argv=tuple(argv), path=(f"{ENVIRONMENT}/bin",), env=given.program.env if given else {}),
        build=Build(
            command=("sh", "-c", f'"$0" -m venv {ENVIRONMENT} && {answers}{pip}', "{python}"),
            pass_env=PASSED,
            network=True,
        ),
    )


def _as_given(root: Path, words: Sequence[str]) -> Way:
    """The words with files of the tree where the build stands. A script that may not be executed gets the launcher of its ending."""
    argv = [f"{{build}}/{Path(word)}" if is_file_of(root, word) else word for word in words]
    if argv[0] in {"python", "python3"}:
        argv[0] = "{python}"
    first = root / words[0]
    if argv[0].startswith("{build}"):
        argv = [*_launcher(first), *argv]
    env = {}
    if argv[1:2] == ["-m"]:
        layout = next((each for each in LAYOUTS if (root / each / argv[2].split(".")[0]).exists()), "")
        env = {"PYTHONPATH": "{build}" + (f"/{layout}" if layout else "")}
    path = (str(Path(words[0]).parent),) if argv[0].startswith("{build}") and "/" in words[0] else ()
    return Way(why=("As it was named; the tree is the build.",), program=Program(argv=tuple(argv), path=path, env=env))


def _launcher(file: Path) -> tuple[str, ...]:
    if file.suffix == ".py" or (file.suffix in _LAUNCHERS and not file.stat().st_mode & 0o100):
        return (_LAUNCHERS[file.suffix],)
    return ()
