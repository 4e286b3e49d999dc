"""Names of folders that hold nothing of a program's own."""

from __future__ import annotations

import stat
from pathlib import Path

CACHES = frozenset(
    {
        ".git",
        ".gate",
        ".hg",
        ".tox",
        ".nox",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        "__pycache__",
        "node_modules",
    }
)
"""What no build needs: it is made anew, or belongs to version control."""

MADE = frozenset({"build", "dist", "site-packages", "venv", "env"})
"""What was built or installed: a build may need it, and no sample is taken from it."""


def is_environment(folder: Path) -> bool:
    """Whether a folder is an environment of Python, whatever it is called."""
    return (folder / "pyvenv.cfg").is_file()


def is_special(path: Path) -> bool:
    """Whether something is no file, folder or link: a socket, a pipe or a device, which git passes by as well."""
    mode = path.lstat().st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))
