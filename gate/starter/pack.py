"""A starter fixture pack: files that differ from one another, and the edges of what a file can be."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import PurePosixPath

from gate.starter.argument_of import PackFacts
from gate.starter.gathered import gathered, more
from gate.starter.kinds import spellings
from gate.starter.sample import Sample
from gate.starter.samples import SAMPLES
from gate.starter.text_kinds import is_of, joined
from gate.starter.tours import tours

MOST_FILES = 12
"""Samples, what is gathered from tests and the edges apart."""
MOST_BYTES = 128 * 1024
FOLDER = "folder"
_INSIDE = 8
_HARVESTED = 7
_BESIDE = 1
_LAST = frozenset({"doc", "docs"})
"""Documents are taken where tests and examples hold too few."""
_ENOUGH = 3
_FAIR = 2048
_SMALL_BYTES = 3 * 1024
_TOKEN = re.compile(rb"\w+|[^\w\s]")
_TEXTS = 5
_HEADS = 3
"""Heads of tours among the texts for standard input, beside `_TEXTS`."""
_MOST_KEYS = 4
_KEY_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,23}")
_KEY = re.compile(r"^(?:export )?\s*[\"']?([A-Za-z_][A-Za-z0-9_-]{0,23})[\"']? ?[:=]", re.MULTILINE)
_TEXT_BYTES = 600
_UNICODE = "naïve café ŝ ß 漢字 \U0001f642 e\u0301\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class StarterPack:
    """The files of a pack, and what a grammar has to know of it."""

    files: tuple[tuple[str, bytes], ...]
    """(name, content); a name is one of ASCII letters, digits, `.`, `-`, `_`, with at most one folder before it."""
    facts: PackFacts
    harvested: int
    """How many of them come from the repository."""
    gathered: int
    """How many are made of texts in its tests."""


def starter_pack(
    samples: Sequence[Sample], suffixes: Sequence[str], texts: Sequence[str] = (), *, of_folders: bool = False
) -> StarterPack:
    """The pack for files of `suffixes`, of which the first counts most; never empty. The same samples give the same bytes.

    At most `MOST_FILES` samples: such of the repository that bring the most that is new, and built-in ones, more of them
    (gate.starter.tours) where the repository has neither samples nor texts of the first suffix. Then files made of `texts`,
    those of the first suffix in the repository's tests, and of small samples that are left. Then the edges of the first one: empty,
    without a final newline, CRLF (blank lines at its end), blank lines everywhere, beyond ASCII, no UTF-8, and a folder
    of several: of many more for a program `of_folders`, where a file holds one text alone. `MOST_BYTES` in all.
    """
    main = suffixes[0]
    names = _Names()
    # A quarter each for samples, for what is gathered, and for copies of both in a folder; the last for all else.
    room = MOST_BYTES // 4
    files: list[tuple[str, bytes]] = []
    toured: list[str] = []
    left: list[Sample] = []
    harvested = 0
    for suffix in suffixes:
        own = [each for each in samples if each.path.suffix.lower() in spellings([suffix])]
        taken = _chosen(own, most=_HARVESTED if suffix == main else _BESIDE, room=room)
        room -= sum(len(each.data) for each in taken)
        harvested += len(taken)
        left += [each for each in own if suffix == main and each not in taken]
        files += [(names.of(each.path), each.data) for each in taken]
        wanted = (1 if len(taken) >= _ENOUGH else _ENOUGH) if suffix == main else 0 if taken else 1
        built_in = SAMPLES.get(suffix, ())[:wanted]
        if suffix == main and not taken and not texts:
            toured = list(tours(suffix))
            files += [(names.of(PurePosixPath(f"tour{suffix}")), text.encode()) for text in toured]
        files += [(names.of(PurePosixPath(f"sample{suffix}")), text.encode()) for text in built_in]
    files = files[:MOST_FILES] or [(names.of(PurePosixPath(f"sample{main}")), SAMPLES[".txt"][0].encode())]
    small = tuple(dict.fromkeys((*texts, *_small_texts(left, main))))
    from_texts = gathered(small, main, room=MOST_BYTES // 4)
    made = [(names.of(each.path), each.data) for each in from_texts]
    # Behind the tours stands a file that every reader takes: an edge of what is refused anyway would not be reached.
    plain = files[len(toured) :]
    edges = [each for each in _edges(plain[0][1], PurePosixPath(plain[0][0]).suffix) if not names.has(each[0])]
    inside = _in_folder([*made, *files], {name for name, _ in edges}, room=MOST_BYTES // 4)
    room = MOST_BYTES // 4 - sum(len(data) for _, data in inside)
    further = more(small, main, but=from_texts, room=room) if of_folders else ()
    inside += [(f"{FOLDER}/{each.path}", each.data) for each in further]
    flat = [name for name, _ in (*made, *files, *edges) if "/" not in name]
    mixed = [each for pair in zip_longest(made, files) for each in pair if each is not None]
    heads = [head for text in toured if (head := _head(text, main))]
    typed = (*texts_of([*plain, *edges]), *heads[:_HEADS]) if toured else texts_of([*mixed, *edges])
    return StarterPack(
        files=(*made, *files, *edges, *inside),
        facts=PackFacts(files=tuple(flat), folders=(FOLDER,), keys=_keys(mixed), texts=typed),
        harvested=harvested,
        gathered=len(made) + len(further),
    )


def _small_texts(samples: Sequence[Sample], suffix: str) -> Iterator[str]:
    """Small ones of the files that there is no room for, where one file can hold many of them."""
    if joined((), suffix) is None:
        return
    for sample in samples:
        if len(sample.data) <= _SMALL_BYTES and sample.path.parts[0] not in _LAST:
            with suppress(UnicodeDecodeError):
                yield sample.data.decode()


def _in_folder(files: Iterable[tuple[str, bytes]], taken: Collection[str], *, room: int) -> list[tuple[str, bytes]]:
    """The first files once more, inside the folder: for programs that are given a whole one."""
    found: list[tuple[str, bytes]] = []
    for name, data in files:
        if len(found) < _INSIDE and len(data) <= room and f"{FOLDER}/{name}" not in taken:
            found.append((f"{FOLDER}/{name}", data))
            room -= len(data)
    return found


def _chosen(samples: Sequence[Sample], *, most: int, room: int) -> list[Sample]:
    """Greedily, what brings the most tokens that no other has, small files first; ties by path. Each content once, `room` bytes in all."""
    left = {sample.data: sample for sample in reversed(samples)}
    tokens = {sample.path: frozenset(_TOKEN.findall(sample.data)) for sample in left.values()}
    seen: set[bytes] = set()
    chosen: list[Sample] = []

    def worth(sample: Sample) -> tuple[bool, float, PurePosixPath]:
        return (
            sample.path.parts[0] in _LAST,
            -len(tokens[sample.path] - seen) / (1 + len(sample.data) / _FAIR),
            sample.path,
        )

    while left and len(chosen) < most:
        best = min(left.values(), key=worth)
        del left[best.data]
        if len(best.data) <= room and tokens[best.path] - seen:
            chosen.append(best)
            seen |= tokens[best.path]
            room -= len(best.data)
    return chosen


def _keys(files: Iterable[tuple[str, bytes]]) -> tuple[str, ...]:
    """The first words that the first samples use as names: at the beginnings of lines, and in the heads of tables."""
    found: dict[str, None] = {}
    for name, data in list(files)[:_ENOUGH]:
        text = data.decode("utf-8", "replace")
        if PurePosixPath(name).suffix in {".csv", ".tsv"}:
            heads = re.split(r"[,;\t]", text.partition("\n")[0])
            found |= dict.fromkeys(head for head in heads if _KEY_WORD.fullmatch(head))
        found |= dict.fromkeys(_KEY.findall(text))
    return tuple(found)[:_MOST_KEYS]


def _edges(data: bytes, suffix: str) -> list[tuple[str, bytes]]:
    head = data if len(data) <= _SMALL_BYTES else data[:_SMALL_BYTES].rpartition(b"\n")[0] or data[:_SMALL_BYTES]
    lines = head.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
    return [
        (f"empty-file{suffix}", b""),
        (f"no-newline{suffix}", lines[:-1]),
        (f"crlf-lines{suffix}", (lines + b"\n\n").replace(b"\n", b"\r\n")),
        (f"blank-lines{suffix}", b"\n\n" + lines.replace(b"\n", b"\n\n\n", 1) + b"\n\n"),
        (f"unicode-text{suffix}", _UNICODE.encode()),
        (f"not-utf8{suffix}", lines + b"caf\xe9 \xff\xfe\n"),
        (f"{FOLDER}/one{suffix}", lines),
        (f"{FOLDER}/two{suffix}", lines[: len(lines) // 2].rpartition(b"\n")[0] + b"\n"),
    ]


def texts_of(files: Iterable[tuple[str, bytes]]) -> tuple[str, ...]:
    """Short texts for standard input, a few, each once: the heads of the files, whole lines of each. A file of one long line has none."""
    texts: dict[str, None] = {}
    for _, data in files:
        head = data if len(data) <= _TEXT_BYTES else data[:_TEXT_BYTES].rpartition(b"\n")[0] + b"\n"
        try:
            text = head.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if text.strip() and "\0" not in text:
            texts[text] = None
    return tuple(texts)[:_TEXTS]


def _head(text: str, suffix: str) -> str | None:
    """The longest beginning of whole lines that is short enough and still reads like a file of `suffix`; None for none."""
    lines = text.splitlines(keepends=True)
    heads = ("".join(lines[:count]) for count in range(len(lines), 0, -1))
    return next((head for head in heads if len(head.encode()) <= _TEXT_BYTES and is_of(head, suffix)), None)


class _Names:
    """File names that no two files share, whatever the letter case, and that no program imports as a module."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def has(self, name: str) -> bool:
        """Whether a file has this name, in whatever letter case."""
        return name.lower() in self._taken

    def of(self, path: PurePosixPath) -> str:
        """A name much like the path's own."""
        suffix = path.suffix.lower() if re.fullmatch(r"\.[A-Za-z0-9]{1,10}", path.suffix) else ""
        stem = (
            re.sub(r"[^A-Za-z0-9_-]+", "-", path.name[: len(path.name) - len(path.suffix)]).strip("-_.")[:40] or "file"
        )
        number = 1
        wanted = f"{stem}-1" if suffix == ".py" else stem
        while f"{wanted}{suffix}".lower() in self._taken:
            number += 1
            wanted = f"{stem}-{number}"
        self._taken.add(f"{wanted}{suffix}".lower())
        return f"{wanted}{suffix}"
