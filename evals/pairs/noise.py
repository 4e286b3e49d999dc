"""What a reviewer writes into gate.toml for each pair after holding the old version against itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """What a reviewer of this pair would write into gate.toml after reading the baseline against itself."""

    rules: tuple[Mapping[str, Any], ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    ignore_files: tuple[str, ...] = ()
    ignore_content: tuple[str, ...] = ()


_BYTECODE = "**/*.pyc"

NOISE: dict[str, Noise] = {
    # A pickle of the times at which files were changed.
    "black-24.4.0-24.4.1": Noise(ignore_files=("~/.cache",)),
    # Hooks are run from files with random names; which name sorts first is chance.
    "cookiecutter-2.1.1-2.2.0": Noise(ignore_files=("$TMPDIR/*",)),
    # Names of parallel data files carry host, process id and a random word, and their content the time.
    "coverage-7.17.0-7.17.1": Noise(
        rules=(
            {
                "name": "data-file",
                "pattern": r"\.coverage\.[a-z0-9-]+\.pid[0-9]+\.X[A-Za-z0-9]{6}x",
                "fields": ["files"],
            },
            {"name": "xml-time", "pattern": 'timestamp="[0-9]{13}"', "fields": ["files:x.xml"]},
        ),
        ignore_content=(".coverage.*",),
    ),
    # `py_compile` writes the source's time into the bytecode.
    "isort-5.4.2-5.5.0": Noise(ignore_content=(_BYTECODE,)),
    "mkdocs-1.4.3-1.5.0": Noise(ignore_content=("**/sitemap.xml.gz",)),
    "setuptools-69.2.0-69.3.0": Noise(ignore_content=("**/*.tar.gz", "**/*.zip", "**/*.whl")),
    # A random file name, commit ids of a repository made in the session, and the order of a set.
    "towncrier-23.11.0-24.7.0": Noise(
        env={"PYTHONHASHSEED": "0"},
        rules=(
            {"name": "fragment", "pattern": r"\+[0-9a-f]{8}\.", "fields": ["files", "stdout"], "identity": True},
            {
                "name": "commit",
                "pattern": r"\b[0-9a-f]{7,10}\b",
                "fields": ["stdout"],
                "commands": ["towncrier", "git"],
            },
        ),
    ),
}
