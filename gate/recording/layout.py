"""Where the files of a case lie in the fixture pack, and how its words name them there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from gate.diff.escape import escaped_name
from gate.recording.records import Invocation
from gate.recording.sequence import written

HOME = "recorded"
"""The folder of the pack in which files lie that have no place of their own."""

_LONGEST = 120
_LITERAL = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/"})
_RANDOM = re.compile(r"tmp[a-z0-9_]{8}(?=$|[.\-_])")
_OPTION = re.compile(r"(?P<name>--?[A-Za-z0-9][\w.-]*=)(?P<value>.+)", re.DOTALL)


class LeftOutError(ValueError):
    """An invocation cannot be a case; the text says why, the same for all of one kind."""


@dataclass(slots=True, kw_only=True)
class Layout:
    """The files that one case needs, while its steps are read."""

    root: str
    """The project."""
    homes: Sequence[str] = ()
    """Home folders of the person who records."""
    own: dict[str, str] = field(default_factory=dict)
    """Files that are named by words: they lie in a folder of this case. Relative name to digest."""
    fixed: dict[str, str] = field(default_factory=dict)
    """Files that the program finds by itself: they keep their name. Relative name to digest."""
    project: dict[str, str] = field(default_factory=dict)
    """Files of the project that words name by their path from its root."""
    moved: set[str] = field(default_factory=set)
    """What words have named of `own`: a file or a folder, that a later step finds where it was moved to, whatever became of it."""
    words: list[list[tuple[str, str | None]]] = field(default_factory=list)
    """Of each step, each word as a text before and a name in `own` behind, None where the text is the word."""

    @property
    def folder(self) -> str:
        """Where `own` lies: named by what it holds."""
        told = repr(sorted(self.own.items())).encode("utf-8", "surrogateescape")
        return f"{HOME}/{sha256(told).hexdigest()[:8]}"

    def has_moved(self, name: str) -> bool:
        """Whether a file lies in the folder of the case, because a word named it or what it lies in."""
        return any(_lies_in(name, place) for place in self.moved)

    def lay(self, name: str) -> bool:
        """Whether a word that names nothing now, names what lay there: `show` beside a moved `.` is a word and no file of it."""
        return name in self.own or any(place != "." and _lies_in(name, place) for place in self.moved)

    def argv(self, step: int) -> tuple[str, ...]:
        """The words of a step, naming files where they lie."""
        place = f"{self.folder}/" if self.own else ""
        return tuple(text if name is None else text + (place + name).rstrip("/") for text, name in self.words[step])

    def pack(self) -> dict[str, str]:
        """All files by their path in the pack, with their digests. Raises LeftOutError where two want one path."""
        found = {f"{self.folder}/{name}": digest for name, digest in self.own.items()}
        for name, digest in (*self.project.items(), *self.fixed.items()):
            if found.setdefault(name, digest) != digest:
                raise LeftOutError("two of its files have one name")
        return found


def laid(steps: Sequence[Invocation], root: str, homes: Sequence[str] = ()) -> Layout:
    """The layout of a case with these steps. Raises LeftOutError.

    In `homes`, below and above them, a file is taken where a word names it or the program was seen to open it, never because it is there.
    """
    layout = Layout(root=root, homes=homes)
    for number, step in enumerate(steps):
        _add(layout, steps[:number], step)
    for digest in (*layout.own.values(), *layout.fixed.values(), *layout.project.values()):
        if digest.startswith("!"):
            raise LeftOutError(f"a file that it needs: {escaped_name(digest[1:_LONGEST])}")
    return layout


def _add(layout: Layout, before: Sequence[Invocation], step: Invocation) -> None:
    made = written(before, tuple(step.files))
    named: set[str] = set()
    layout.words.append([_word(layout, step, word, made, named) for word in step.argv])
    blind = step.how == "shim" and step.near and not _at_home(layout, step)
    for name in sorted(step.files):
        if name in made and name in step.read and name not in named and layout.has_moved(name):
            raise LeftOutError("a file that one step names, and a later one finds by itself")
        if name in made or name in named or not (blind or name in step.read):
            continue
        if not step.whole and step.near:
            raise LeftOutError("its directory holds too many files")
        _put(layout.fixed, name, step.files[name])


def _word(layout: Layout, step: Invocation, word: str, made: frozenset[str], named: set[str]) -> tuple[str, str | None]:
    option = _OPTION.fullmatch(word)
    if option is not None and (option["value"].startswith("/") or _below(step.files, option["value"])):
        text, name = _path(layout, step, option["value"], made, named)
        return option["name"] + text, name
    return _path(layout, step, word, made, named)


def _path(layout: Layout, step: Invocation, word: str, made: frozenset[str], named: set[str]) -> tuple[str, str | None]:
    """A word that may name something, in the two parts of `Layout.words`."""
    if word in _LITERAL or not word:
        return word, None
    if not word.startswith("/"):
        return _relative(layout, step, word, made, named)
    path = posixpath.normpath(word)
    if step.near and (path == step.cwd or path.startswith(step.cwd + "/")):
        return _relative(layout, step, posixpath.relpath(path, step.cwd), made, named)
    taken = step.outside.get(word)
    if path.startswith(layout.root + "/"):
        return _of_project(layout, path[len(layout.root) + 1 :], taken, named), None
    if step.temporary and path.startswith(step.temporary + "/"):
        return _temporary(layout, path, taken)
    raise LeftOutError("a path of this machine that is neither in the project nor temporary")


def _at_home(layout: Layout, step: Invocation) -> bool:
    """Whether the directory is a folder of the person's own, where all kinds of things lie: not the project, not a temporary one."""
    if step.temporary and _within(step.cwd, step.temporary) and step.cwd not in layout.homes:
        return False
    return any(_within(step.cwd, home) or _within(home, step.cwd) for home in layout.homes)


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _relative(
    layout: Layout, step: Invocation, word: str, made: frozenset[str], named: set[str]
) -> tuple[str, str | None]:
    name = posixpath.normpath(word)
    below = [name] if name in step.files else _below(step.files, name)
    if name == ".." or name.startswith("../"):
        raise LeftOutError("a word that leads out of the working directory")
    if name == "." and not step.near:
        raise LeftOutError("the whole project as a word")
    if name == "." and _at_home(layout, step):
        raise LeftOutError("the whole of a folder of yours as a word")
    if name not in step.files and below and not step.whole:
        raise LeftOutError("a folder of too many files")
    named.update(below)
    new = [each for each in below if each not in made]
    if not step.near:
        for each in new:
            _put(layout.project, each, step.files[each])
        return word, None
    if not new and not layout.lay(name) and not any(map(layout.has_moved, below)):
        return word, None
    if any(each in made and not layout.has_moved(each) for each in below):
        raise LeftOutError("a folder in which an earlier step made a file")
    for each in new:
        _put(layout.own, each, step.files[each])
    layout.moved.add(name)
    return "", "" if name == "." else name


def _of_project(layout: Layout, name: str, taken: str | Mapping[str, str] | None, named: set[str]) -> str:
    for below, digest in _entries(taken):
        full = f"{name}/{below}" if below else name
        named.add(full)
        _put(layout.project, full, digest)
    return name


def _temporary(layout: Layout, path: str, taken: str | Mapping[str, str] | None) -> tuple[str, str | None]:
    """A temporary file or folder by its last name; a random one gets a name that stays the same."""
    name = _RANDOM.sub("file" if not isinstance(taken, Mapping) else "folder", posixpath.basename(path))
    if name.startswith("."):
        name = name if name.strip(".") else "file"
    for below, digest in _entries(taken):
        _put(layout.own, f"{name}/{below}" if below else name, digest)
    return "", name


def _entries(taken: str | Mapping[str, str] | None) -> Sequence[tuple[str, str]]:
    if taken is None:
        return ()
    if isinstance(taken, str):
        return (("", taken),)
    if not taken:
        raise LeftOutError("an empty folder that it needs, which a fixture pack cannot hold")
    return tuple(sorted(taken.items()))


def _lies_in(name: str, place: str) -> bool:
    return place in (".", name) or name.startswith(place + "/")


def _below(files: Mapping[str, str], name: str) -> list[str]:
    path = posixpath.normpath(name)
    return (
        sorted(files)
        if path == "."
        else [each for each in sorted(files) if each == path or each.startswith(path + "/")]
    )


def _put(target: dict[str, str], name: str, digest: str) -> None:
    if target.setdefault(name, digest) != digest:
        raise LeftOutError("a file that changed between its steps by another hand")
