"""What a step did to files: one line an effect, and the content of what it made or changed.

`files` has sorted lines, empty when nothing was touched:

    created file 644 NAME            wrote file 644 NAME              removed file NAME
    created directory 755 NAME       changed file 644 -> 755 NAME     removed directory NAME
    created link NAME -> TARGET      changed link NAME -> TARGET      removed link NAME
    created fifo 644 NAME            changed directory 755 -> 700 NAME

and `files:NAME` the content of each file that was created or written. A file is written when its content, its time of change
or its inode moved: a file that is written anew with the same content is an effect, since the step decided what it holds.
Owners, extended attributes and hard links are none. Names are relative to the working directory (`.` itself), or start with
`~/` or `$TMPDIR/`. Writes outside of these are not seen.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass

from gate.domain import Value, value
from gate.errors import ReplayError
from gate.replay.capture import Capture, held
from gate.replay.redact import Redactor
from gate.replay.snapshot import Globs, Mark, Snapshot, look
from gate.replay.times import Times, wait_a_tick

_BLOCK = 1 << 18
_NOTHING = value(b"")
_PLAIN = re.compile(rb"[ -\[\]-~]*")
_UNSAFE = re.compile("[\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

_KINDS = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "directory",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "fifo",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "character device",
    stat.S_IFBLK: "block device",
}


def one_line(name: bytes) -> str:
    r"""A name as one line of text, injectively: `\\`, `\n`, `\x1b`, `\xff` for a byte that is no UTF-8; `->` is `-\x3e`."""
    text = name.decode("utf-8", "surrogateescape")
    if not _PLAIN.fullmatch(name):
        text = _UNSAFE.sub(_escaped, text)
    return text.replace("->", "-\\x3e")


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if code >= 0xD800:  # a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """What effects are looked for."""

    roots: tuple[tuple[bytes, bytes], ...]
    """Record names and folders: `.`, `~`, `$TMPDIR`."""
    globs: Globs
    keep: int
    """Bytes of a content that a record keeps."""
    original: Callable[[bytes], str]
    """The digest of the fixture with this name, asked for at its first change only."""
    redactor: Redactor
    times: Times


class Effects:
    """The effects of one step after the other in the directories of a case."""

    __slots__ = ("_digests", "_seen", "_targets", "_watching")

    def __init__(self, watching: Watching) -> None:
        """Take the directories as they are now for untouched fixtures."""
        self._watching = watching
        self._digests: dict[bytes, str] = {}
        self._targets: dict[bytes, bytes] = {}
        self._seen = look(watching.roots, watching.globs, watching.times)
        for name, mark in self._seen.marks.items():
            if stat.S_ISLNK(mark[0]):
                self._targets[name] = os.readlink(self._path(name))  # noqa: PTH115 - bytes

    def since(self) -> dict[str, Value]:
        """The fields `files` and `files:NAME` for what happened since the last call."""
        before = self._seen
        watching = self._watching
        after = self._seen = look(watching.roots, watching.globs, watching.times, before)
        try:
            if before.marks == after.marks and not before.fresh:
                return {"files": _NOTHING}
            return self._between(before, after)
        finally:
            after.shut()
            if after.fresh and not watching.times.fine:
                wait_a_tick()

    def _between(self, before: Snapshot, after: Snapshot) -> dict[str, Value]:
        contents: dict[str, Value] = {}
        gone = before.marks.keys() - after.marks.keys()
        lines = [self._removed(name, before.marks[name]) for name in gone]
        for name, mark in after.marks.items():
            old = before.marks.get(name)
            if old != mark or name in before.fresh:
                self._touched(name, old, mark, lines, contents)
        listing = "".join(f"{line}\n" for line in sorted(lines)).encode()
        return {"files": held(listing, keep=self._watching.keep), **dict(sorted(contents.items()))}

    def _touched(self, name: bytes, old: Mark | None, new: Mark, lines: list[str], contents: dict[str, Value]) -> None:
        kind = _kind(new)
        if old is not None and _kind(old) != kind:
            lines.append(self._removed(name, old))
            old = None
        if kind == "link":
            self._link(name, lines, made=old is None)
            return
        shown = self._shown(name)
        mode = f"{stat.S_IMODE(new[0]):03o}"
        if old is None:
            lines.append(f"created {kind} {mode} {shown}")
        elif old[0] != new[0]:
            lines.append(f"changed {kind} {stat.S_IMODE(old[0]):03o} -> {mode} {shown}")
        if kind == "file" and (content := self._written(name, old, new)) is not None:
            contents[f"files:{shown}"] = content
            if old is not None:
                lines.append(f"wrote file {mode} {shown}")

    def _link(self, name: bytes, lines: list[str], *, made: bool) -> None:
        target = os.readlink(self._path(name))  # noqa: PTH115 - bytes
        if made or self._targets.get(name) != target:
            verb = "created" if made else "changed"
            lines.append(f"{verb} link {self._shown(name)} -> {one_line(self._watching.redactor.whole(target))}")
        self._targets[name] = target

    def _removed(self, name: bytes, mark: Mark) -> str:
        self._digests.pop(name, None)
        self._targets.pop(name, None)
        return f"removed {_kind(mark)} {self._shown(name)}"

    def _written(self, name: bytes, old: Mark | None, new: Mark) -> Value | None:
        """The content of a file that the step wrote; None where it did not."""
        untouched = old is not None and (old[2], old[4]) == (new[2], new[4])
        known = (self._digests.get(name) or self._watching.original(name)) if untouched else None
        content = Capture(self._watching.redactor, keep=self._watching.keep, limit=None)
        digest = _read(self._path(name), content, known, min(_BLOCK, new[1] + 1))
        if digest == known:
            return None
        self._digests[name] = digest
        return content.value()

    def _path(self, name: bytes) -> bytes:
        for root_name, root in self._watching.roots:
            if root_name != b"." and name.startswith(root_name + b"/"):
                return root + name[len(root_name) :]
        return dict(self._watching.roots)[b"."] + b"/" + name.removeprefix(b"./")

    def _shown(self, name: bytes) -> str:
        # The slash in front lets a copy of an absolute path (`tmp/gate-…`) be recognised as well.
        return one_line(self._watching.redactor.whole(b"./" + name).removeprefix(b"./"))


def _kind(mark: Mark) -> str:
    return _KINDS.get(stat.S_IFMT(mark[0]), "special file")


def _read(path: bytes, content: Capture, known: str | None, size: int) -> str:
    """The digest of a file as it is, read in blocks of `size`.

    Its content is taken in, save where the first read shows that it is the known one.
    """
    try:
        handle = _opened(path)
        try:
            first, block = os.read(handle, size), os.read(handle, size)
            digest = hashlib.sha256(first)
            if not block and digest.hexdigest() == known:
                return known
            content.feed(first)
            while block:
                digest.update(block)
                content.feed(block)
                block = os.read(handle, size)
        finally:
            os.close(handle)
    except OSError as error:
        raise ReplayError(
            f"file {os.fsdecode(path)!r} that a step left cannot be read: {error.strerror}",
            next_step="Run the gate as the user that the program writes as, or leave the path out with replay.ignore_files.",
        ) from error
    return digest.hexdigest()


def _opened(path: bytes) -> int:
    """A handle of a regular file; one that its own mode shuts is opened for the look and shut again."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return os.open(path, flags)
    except PermissionError:
        mode = stat.S_IMODE(os.lstat(path).st_mode)
        os.chmod(path, 0o600)  # noqa: PTH101 - bytes
        try:
            return os.open(path, flags)
        finally:
            os.chmod(path, mode)  # noqa: PTH101 - bytes
