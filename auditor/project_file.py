"""Files that a patch can put in place, such as the intent and the settings: plain ones, of bounded size, and no way out of the project."""

from __future__ import annotations

import os
import stat
from pathlib import Path


class NotReadError(Exception):
    """What stands there instead of a file that can be read; a phrase for a message."""


def read_project_file(path: Path, project: Path, *, most: int) -> bytes:
    """The bytes of a plain file of at most `most` bytes.

    Git keeps links, so a link in the project may lead only to what is in the project, and a link elsewhere only to what lies beside
    or below it. Raises FileNotFoundError where nothing stands there, NotReadError for everything else.
    """
    _check_place(path, project)
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise NotReadError(getattr(error, "strerror", None) or "no path") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise NotReadError("no plain file")
    with os.fdopen(handle, "rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise NotReadError(f"more than {most:,} bytes")
    return data


def _check_place(path: Path, project: Path) -> None:
    """Raises NotReadError for a link that leads where its sender has no business."""
    try:
        root, stands, leads = project.resolve(), Path(os.path.abspath(path)), path.resolve()  # noqa: PTH100 - links are not followed
    except (OSError, ValueError, RuntimeError):  # a loop of links, a null byte
        raise NotReadError("a path that leads nowhere") from None
    homes = {root, Path(os.path.abspath(project))}  # noqa: PTH100
    inside = any(stands.is_relative_to(home) for home in homes)
    if inside and not leads.is_relative_to(root):
        raise NotReadError("a link that leaves the project")
    if not inside and path.is_symlink() and not leads.is_relative_to(path.parent.resolve()):
        raise NotReadError("a link that leaves its folder")
