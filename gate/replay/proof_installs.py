"""Editable installs: files of an environment that let Python load code from a tree elsewhere."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from gate.errors import BuildError
from gate.replay.proof_standing import Standing

_ABSOLUTE = re.compile(r"""['"](/[^'"\n]+)['"]""")


def refuse_editable_installs(standing: Standing) -> None:
    """An editable install inside a build loads the tree it was made from, whichever side is replayed. Raises BuildError."""
    for packages in standing.build.rglob("site-packages"):
        for file, target in _editable_targets(packages):
            if not target.is_relative_to(standing.build) and target.exists():
                raise BuildError(
                    f"{standing.side}: {file.relative_to(standing.build)} loads code from {target}, outside of the build",
                    next_step="Both sides would run the same code: install without -e.",
                )


def refuse_code_of_the_sources(standing: Standing, python: Path, folders: Iterable[Path]) -> None:
    """Nothing that `python` looks up, in the `folders` of its path, may be one of the trees the sides were copied from.

    `pip install -e .` beside an interpreter that both sides share lets one tree win over both builds. Raises BuildError.
    """
    for folder in folders:
        _refuse_source(standing, python, folder, f"has {folder} on its path")
        for file, target in _editable_targets(folder):
            _refuse_source(standing, python, target, f"loads an editable install of {target} ({file.name})")


def _refuse_source(standing: Standing, python: Path, target: Path, told: str) -> None:
    real = Path(os.path.realpath(target))
    if not standing.holds(real) and any(real.is_relative_to(os.path.realpath(source)) for source in standing.sources):
        raise BuildError(
            f"{standing.side}: {python} {told}, which is no build",
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
