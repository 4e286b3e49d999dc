"""Which kinds of files a program reads, by what it says of itself and what its repository holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from gate.parser.parsed import ParsedOption, ParsedProgram
from gate.starter.samples import ALIKE, KINDS, SAMPLES

PLAIN = ".txt"
_MOST = 3
_SUFFIX = re.compile(r"(?<![\w/.])\*?(\.[a-z][a-z0-9]{0,5})\b")
_WORD = re.compile(r"[a-z]+")
_NO_KIND = frozenset(
    [
        ".com", ".org", ".io", ".net", ".g", ".e", ".gz", ".zip", ".png", ".exe", ".pyc", ".so",
        ".git", ".svn", ".bzr", ".hg", ".tox", ".nox", ".venv", ".direnv", ".egg", ".eggs", ".cache", ".idea", ".vscode",
    ]
)  # fmt: skip
"""Ends of addresses, what is no text, and folders that programs leave out by default."""
_BY_NAME = 100
_BY_DATA = 2
_READ = re.compile(r"\b(?:expect|input|pars|read|load)")
_PRINTED = re.compile(r"\b(?:output|print|format|writ|emit|show|report|result|dump|display|render)")
_IN_FULL = frozenset({"md", "rst", "ini", "log", "css", "tsv", "xml", "yml"})
"""Kinds that stand in many other words."""


def kinds_of(program: ParsedProgram, *, names: Sequence[str], data: Sequence[str]) -> tuple[str, ...]:
    """One to three suffixes, the likeliest first.

    What a name of the program tells weighs most, then how often its help names a kind or a suffix; `data`, the suffixes of files
    beside its tests, most frequent first, decide where both say nothing. Of equals one with built-in samples. `PLAIN` for none.
    """
    weights: Counter[str] = Counter()
    told_by_name: set[str] = set()
    for name in names:
        plain = name.lower()
        for kind, suffix in KINDS.items():
            if (kind in plain and kind not in _IN_FULL) or kind in _WORD.findall(plain):
                weights[suffix] += _BY_NAME
                told_by_name.add(suffix)
    for text in map(str.lower, _texts(program)):
        weights.update(suffix for suffix in _SUFFIX.findall(text) if suffix not in _NO_KIND)
        if not told_by_name:
            weights.update(KINDS[word] for word in _WORD.findall(text) if word in KINDS)
    for place, suffix in enumerate(() if told_by_name else data[:_MOST]):
        weights[suffix] += _BY_DATA - place
    joined: Counter[str] = Counter()
    for suffix, weight in weights.items():
        joined[ALIKE.get(suffix, suffix)] += weight
    ranked = sorted(joined, key=lambda suffix: (-joined[suffix], suffix not in SAMPLES, suffix))
    return tuple(ranked[:_MOST]) or (PLAIN,)


def _texts(program: ParsedProgram) -> Iterator[str]:
    for command in program.commands:
        yield command.help
        for option in (*command.before, *command.options):
            if _is_printed(option):
                continue
            yield option.help
            if option.value is not None:
                yield " ".join((option.value.metavar, option.value.default or ""))
        for argument in command.arguments:
            yield " ".join((argument.help, argument.value.metavar, argument.value.default or ""))


def _is_printed(option: ParsedOption) -> bool:
    """Whether it tells what is printed: a flag that is named like a kind, `--json`, unless its help speaks of what is read alone."""
    if option.value is not None or not any(name.lstrip("-") in KINDS for name in option.names):
        return False
    told = option.help.lower()
    return _READ.search(told) is None or _PRINTED.search(told) is not None


def spellings(suffixes: Sequence[str]) -> frozenset[str]:
    """The suffixes with all that stand for one of them."""
    return frozenset((*suffixes, *(other for other, suffix in ALIKE.items() if suffix in suffixes)))
