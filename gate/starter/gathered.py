"""Files made of the texts in a repository's tests: what brings the most that is new, then the rest while there is room, many in a file
where the kind allows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise
from pathlib import PurePosixPath

from gate.starter.sample import Sample
from gate.starter.text_kinds import is_whole, joined, stands_alone

MOST_FILES = 14
"""Where each text is a file of its own."""
MOST_MORE = 100
"""In a folder."""
_FILE_BYTES = 6 * 1024
"""Of a file of several texts: a difference in it is still found at a glance."""
_MOST_TEXTS = 3_000
_MOST_CHARACTERS = 512 * 1024
"""Of all texts that are chosen from, the first ones: a hostile repository costs little."""
_SMALL = 64
"""Bytes that a text costs beside its own."""
_BETWEEN = 4
"""Bytes at most that stand after a text in a file of several."""
_TOKEN = re.compile(r"\w+|[^\w\s]|\n[ \t]*")


def gathered(texts: Sequence[str], suffix: str, *, room: int, most: int = MOST_FILES) -> tuple[Sample, ...]:
    """At most `room` bytes of files of `suffix`, in the order of the texts. The same texts, the same bytes; none for none.

    `most`: files where each text is one of its own.
    """
    several = joined([], suffix) is not None
    chosen = _chosen(_bounded(texts), most=len(texts) if several else most, room=room)
    files = _filled(chosen, suffix) if several else chosen
    return tuple(
        Sample(path=PurePosixPath(f"texts-{number}{suffix}"), data=text.encode())
        for number, text in enumerate(files, start=1)
    )


def more(texts: Sequence[str], suffix: str, *, but: Sequence[Sample], room: int) -> tuple[Sample, ...]:
    """For a whole folder of a kind of which a file holds one text: texts beyond those of `but`, a file each, at most `MOST_MORE`."""
    if joined([], suffix) is not None:
        return ()
    there = {each.data for each in but}
    found = gathered(texts, suffix, room=room, most=MOST_MORE + len(but))
    left = [each.data for each in found if each.data not in there][:MOST_MORE]
    return tuple(
        Sample(path=PurePosixPath(f"more-{number}{suffix}"), data=data) for number, data in enumerate(left, start=1)
    )


def _bounded(texts: Sequence[str]) -> list[str]:
    left, found = _MOST_CHARACTERS, list[str]()
    for text in texts[:_MOST_TEXTS]:
        left -= len(text)
        if left < 0:
            break
        found.append(text)
    return found


def _chosen(texts: Sequence[str], *, most: int, room: int) -> list[str]:
    """Greedily, what brings the most pairs of neighbouring tokens that none before has, for its length; ties by place. Where room is left,
    the others that differ in more than white space at an end: the same pairs in another order can reach another branch."""
    pairs = [frozenset(pairwise(_TOKEN.findall(text))) for text in texts]
    seen = set[tuple[str, str]]()
    chosen: list[int] = []

    def entry(place: int) -> tuple[float, int]:
        return -len(pairs[place] - seen) / (_SMALL + len(texts[place])), place

    # What a text adds only falls, so that an old figure is an upper bound: most need not be counted again.
    heap = [entry(place) for place in range(len(texts))]
    heapify(heap)
    while heap and len(chosen) < most:
        place = heappop(heap)[1]
        size = len(texts[place].encode()) + _BETWEEN
        now = entry(place)
        if size > room or not now[0]:
            continue
        if heap and now > heap[0]:
            heappush(heap, now)
            continue
        chosen.append(place)
        seen |= pairs[place]
        room -= size
    told = {texts[place].strip() for place in chosen}
    for place, text in enumerate(texts):
        size = len(text.encode()) + _BETWEEN
        if text.strip() not in told and size <= room and len(chosen) < most:
            told.add(text.strip())
            chosen.append(place)
            room -= size
    return [texts[place] for place in sorted(chosen)]


def _filled(texts: Sequence[str], suffix: str) -> list[str]:
    """Files of several texts each; one that would spoil those after it has its own."""
    files: list[list[str]] = [[]]
    alone: list[list[str]] = []
    for text in texts:
        if stands_alone(text, suffix):
            alone.append([text])
            continue
        full = sum(map(len, files[-1])) + len(text) > _FILE_BYTES
        if files[-1] and (full or not is_whole(joined([*files[-1], text], suffix) or "", suffix)):
            files.append([])
        files[-1].append(text)
    return [joined(file, suffix) or "" for file in (*files, *alone[:MOST_FILES]) if file]
