"""Keeping git from rewriting the line endings of what is pinned."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import PurePosixPath

from gate.config.model import Project
from gate.files import write_atomically

_GLOB = re.compile(r"[\\*?\[]")
_BLANK_OR_QUOTE = re.compile(r'[\s"]')
_UNTEXT = "-text"


def protect_line_endings(project: Project) -> tuple[str, ...]:
    """See to it that `.gitattributes` beside `gate.toml` takes all pinned files as they are; the lines that were added.

    Outside a git work tree nothing is done. A line that stands there already is not repeated, unless a line after it sets
    the attribute `text` again: in git the last match wins.
    """
    if not any((folder / ".git").exists() for folder in (project.root, *project.root.parents)):
        return ()
    file = project.root / ".gitattributes"
    present = b""
    with suppress(FileNotFoundError):
        present = file.read_bytes()
    missing = missing_lines(present.decode("utf-8", "surrogateescape"), attribute_lines(project))
    if missing:
        gap = b"" if not present or present.endswith(b"\n") else b"\n"
        write_atomically(file, present + gap + "".join(f"{line}\n" for line in missing).encode("utf-8"))
    return missing


def attribute_lines(project: Project) -> tuple[str, ...]:
    """One line for each folder or file that decides; no checkout may touch what the gate keeps either (reported fault 33)."""
    gate, fixtures = PurePosixPath(project.config.folder), PurePosixPath(project.config.fixtures)
    properties = (f"{_literal(PurePosixPath(project.config.properties))}/**",) if project.properties.is_dir() else ()
    kept = (
        "corpus.jsonl",
        "aside.jsonl",
        "pins.json",
        "policy.json",
        "freeze_set.json",
        "quarantine.txt",
        "repairs/**",
    )
    own = (f"{_literal(gate)}/**",) if gate != PurePosixPath() else tuple(kept)
    patterns = (f"{_literal(fixtures)}/**", *properties, *own, _literal(PurePosixPath("gate.toml")))
    return tuple(f"{_anchored(pattern)} {_UNTEXT}" for pattern in patterns)


def missing_lines(present: str, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The wanted lines that the text of a `.gitattributes` does not hold, or takes back further down."""
    standing: set[str] = set()
    for line in map(_spaced, present.split("\n")):
        if line in map(_spaced, wanted):
            standing.add(line)
        elif _sets_text(line):
            standing.clear()
    return tuple(line for line in wanted if _spaced(line) not in standing)


def _spaced(line: str) -> str:
    return " ".join(line.split())


def _sets_text(line: str) -> bool:
    return not line.startswith("#") and any(
        word in {"text", "!text"} or word.startswith("text=") for word in line.split()
    )


def _literal(path: PurePosixPath) -> str:
    return _GLOB.sub(lambda match: "\\" + match.group(), str(path))


def _anchored(pattern: str) -> str:
    """The pattern for paths from this folder on, quoted where git needs it, and never taken for a comment or a macro."""
    if "/" not in pattern or pattern[0] in "#!":
        pattern = f"/{pattern}"
    if not _BLANK_OR_QUOTE.search(pattern):
        return pattern
    return '"' + pattern.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
