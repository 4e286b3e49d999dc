"""What the programs with seeded faults are run on: archives and pages, the same bytes each time."""

from __future__ import annotations

import tarfile
from collections.abc import Sequence
from io import BytesIO

from evals.faults.values import Files

_BLOCK = 512
_TIME = 1_700_000_000
_LONG = f"{'long-' * 19}end.t"  # 100 bytes: as long as a header can hold


def archives() -> Files:
    """Two archives, one that was cut off, and a text that is none."""
    notes = _archive(
        ("zeta.txt", b"last letter\n"),
        ("block.bin", b"x" * (_BLOCK + 1)),
        ("alpha.txt", b"first letter\n"),
        (_LONG, b"far down\n"),
        ("menü.txt", b"soup\n"),
    )
    half = notes[: 4 * _BLOCK]
    newer = _archive(("alpha.txt", b"first letter, second edition\n"))
    return {"notes.tar": notes, "newer.tar": newer, "half.tar": half, "notes.txt": b"Notes are elsewhere.\n"}


def _archive(*members: tuple[str, bytes]) -> bytes:
    held = BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.GNU_FORMAT, encoding="utf-8") as archive:
        for name, data in members:
            archive.addfile(_member(name, data), BytesIO(data))
    return held.getvalue()


def _member(name: str, data: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mtime, member.mode = len(data), _TIME, 0o644
    return member


def pages() -> Files:
    """Pages in Markdown: one with a bit of all, one in UTF-8, one with a byte that is none."""
    return {
        "intro.md": _lines("# One", "", "###### Six", "", "A <b>bold</b> word.", "", "> said", "> twice"),
        "steps.md": _lines("1. first", "2. second", "", "text", "", "123456789. far"),
        "links.md": _lines("See [the site][site].", "", "[site]: https://example.org/a"),
        "uses.md": _lines("Go to [site] or [the shop][shop].", "", "[shop]: /shop"),
        "cafe.md": _lines("Ein Café in Köln."),
        "bytes.md": b"A byte \xff in between.\n",
    }


def _lines(*lines: str) -> bytes:
    return _joined(lines).encode()


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
