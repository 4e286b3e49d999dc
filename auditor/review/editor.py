"""A person writes a text anew: in the editor of the environment, or on one line."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from auditor.review.keys import Terminal
from auditor.suggestions.plain import fold, plain

_NOTE = (
    "\n# Write the reason above: one paragraph. Lines that begin with # are left out. An empty text changes nothing.\n"
)


def edited(terminal: Terminal, text: str) -> str | None:
    """What the person made of `text`: one line. None: nothing, or the text as it was.

    The editor is VISUAL or EDITOR; without one, or when it cannot be run, a line is asked for.
    """
    found = _in_editor(text)
    if found is None:
        terminal.show("\n".join(fold(f"the draft says: {plain(text) or '(nothing)'}", terminal.width)))
        found = terminal.line("your own words (Enter: back): ") or ""
    return None if found in ("", text) else found


def _in_editor(text: str) -> str | None:
    """What the editor left; None where no editor ran well."""
    try:
        words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    except ValueError:
        return None
    if not words:
        return None
    with tempfile.TemporaryDirectory(prefix="auditor-review-") as folder:
        file = Path(folder) / "reason.txt"
        file.write_text(plain(text) + "\n" + _NOTE, encoding="utf-8")
        try:
            if subprocess.run([*words, str(file)], check=False).returncode != 0:
                return None
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return None
    return " ".join(line.strip() for line in lines if line.strip() and not line.startswith("#"))
