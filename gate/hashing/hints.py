"""Likely causes of drift, each told only where the bytes or the names show it."""

from __future__ import annotations

import re
from hashlib import sha256

from gate.hashing.names import shown
from gate.hashing.pack import Entry

_LONE_LF = re.compile(rb"(?<!\r)\n")
_STRAYS = {
    b".DS_Store": "the Finder of macOS",
    b"Thumbs.db": "the Explorer of Windows",
    b"desktop.ini": "the Explorer of Windows",
    b"__pycache__": "Python",
    b".pytest_cache": "pytest",
}
_STRAY_ENDS = {b"~": "an editor", b".swp": "an editor", b".pyc": "Python", b".orig": "a merge", b".rej": "a patch"}
_REWRITTEN = "line endings were rewritten on checkout; add '-text' for the file in .gitattributes and check out again"


def rewritten_endings(data: bytes, digest: str) -> str:
    """The hint when `data` is what `digest` (SHA-256, hex) was taken over but for its line endings; otherwise empty."""
    if sha256(data.replace(b"\r\n", b"\n")).hexdigest() == digest:
        return f"CR bytes added: {_REWRITTEN}"
    if sha256(_LONE_LF.sub(b"\r\n", data)).hexdigest() == digest:
        return f"CR bytes removed: {_REWRITTEN}"
    return ""


def stray(path: bytes) -> str:
    """The hint for an unpinned entry whose name is one that tools leave behind; otherwise empty."""
    names = path.split(b"/")
    maker = next((_STRAYS[name] for name in names if name in _STRAYS), None)
    if maker is None:
        maker = next((maker for end, maker in _STRAY_ENDS.items() if names[-1].endswith(end)), None)
    if maker is None and names[-1].startswith(b"._"):
        maker = "macOS"
    return "" if maker is None else f"left behind by {maker}: delete it, or pin it if it is a wanted fixture"


def link_as_file(link: Entry, file: Entry) -> str:
    """The hint when a checkout wrote the text of a link into a plain file; otherwise empty."""
    if link.kind == "link" and file.sha256 == sha256(link.target).hexdigest():
        return f"the checkout made a plain file of the link to {shown(link.target)}: set core.symlinks=true"
    return ""
