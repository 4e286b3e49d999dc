"""The files of a report: Markdown, HTML, and pictures."""

from __future__ import annotations

from collections.abc import Sequence

from evals.document import Block, Picture
from evals.markdown import markdown
from evals.page import page


def files_of(blocks: Sequence[Block], name: str) -> dict[str, bytes]:
    """A document as `NAME.md` and `NAME.html`, and its pictures under their own names."""
    written = {f"{name}.md": markdown(blocks).encode(), f"{name}.html": page(blocks).encode()}
    return written | {one.file: one.svg.encode() for one in blocks if isinstance(one, Picture)}
