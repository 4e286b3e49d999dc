"""Files made of the texts in a repository's tests: such texts as bring the most that is new, many in a file where the kind allows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from gate.starter.sample import Sample
from gate.starter.text_kinds import joined

MOST_FILES = 14
"""Where each text is a file of its own."""
_FILE_BYTES = 6 * 1024
"""Of a file of several texts: a difference in it is still found at a glance."""
_MOST_TEXTS = 3_000
_SMALL = 64
"""Bytes that a text costs beside its own."""
_TOKEN = re.compile(r"\w+|[^\w\s]|\n[ \t]*")


def gathered(texts: Sequence[str], suffix: str, *, room: int) -> tuple[Sample, ...]:
    """At most `room` bytes of files of `suffix`, in the order of the texts. The same texts, the same bytes; none for none."""
    several = joined([], suffix) is not None
    chosen = _chosen(texts[:_MOST_TEXTS], most=len(texts) if several else MOST_FILES, room=room)
    files = _filled(chosen, suffix) if several else chosen
    return tuple(
        Sample(path=PurePosixPath(f"texts-{number}{suffix}"), data=text.encode())
        for number, text in enumerate(files, start=1)
    )


def _chosen(texts: Sequence[str], *, most: int, room: int) -> list[str]:
    """Greedily, what brings the most pairs of neighbouring tokens that none before has, for its length; ties by place."""
    pairs = {text: frozenset(pairwise(_TOKEN.findall(text))) for text in texts}
    place = {text: number for number, text in enumerate(texts)}
    left, seen, chosen = set(pairs), set[tuple[str, str]](), list[str]()
    while left and len(chosen) < most:
        best = max(left, key=lambda text: (len(pairs[text] - seen) / (_SMALL + len(text)), -place[text]))
        left.discard(best)
        if not pairs[best] - seen:
            break
        if len(best.encode()) <= room:
            chosen.append(best)
            seen |= pairs[best]
            room -= len(best.encode())
    return sorted(chosen, key=place.__getitem__)


def _filled(texts: Sequence[str], suffix: str) -> list[str]:
    files: list[list[str]] = [[]]
    for text in texts:
        if files[-1] and sum(map(len, files[-1])) + len(text) > _FILE_BYTES:
            files.append([])
        files[-1].append(text)
    return [joined(file, suffix) or "" for file in files if file]
