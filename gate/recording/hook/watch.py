"""One invocation while it runs: its record, and which files of its directory the program opens, writes and moves."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from typing import Any

from .folder import Folder, Snapshot
from .subject import Subject

_CODE = (".py", ".pyc", ".pyi", ".so", ".mo", ".pth", ".egg-link")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Recorder:
    """Starts records, and adds to the one that is open."""

    def __init__(self, folder: Folder, subject: Subject, environment: dict[str, str]) -> None:
        self.folder = folder
        self.subject = subject
        self.busy = False
        """Set while the recorder works itself: nothing of that is an event."""
        self._environment = environment
        self._open: str | None = None
        self._cwd = ""
        self._process = False
        self._known: frozenset[str] = frozenset()
        self._seen: set[tuple[str, str]] = set()
        self._hooked = False

    def start(self, *, how: str, program: str, argv: list[str], stdin: dict[str, object]) -> None:
        """Begin the record of an invocation; the one before it is over."""
        cwd = os.getcwd()
        place = os.stat(cwd)
        files = Snapshot(self.folder)
        outside = self._named(argv, cwd, files)
        near = not _inside(os.path.realpath(cwd), self.subject.root)
        if near:
            files.tree(cwd)
        self._open = self.folder.start(
            {
                "how": how,
                "program": program,
                "argv": argv,
                "cwd": cwd,
                "place": (place.st_dev, place.st_ino),
                "pid": os.getpid(),
                "time": time.monotonic_ns(),
                "env": {k: v for k, v in os.environ.items() if self._environment.get(k) != v},
                "files": files.files,
                "outside": outside,
                "near": near,
                "whole": files.whole,
                "temporary": tempfile.gettempdir(),
                **stdin,
            }
        )
        self._cwd, self._known, self._seen = cwd, frozenset(files.files), set()
        self._process = how == "process"
        if not self._hooked:
            self._hooked = True
            sys.addaudithook(self._event)

    def more(self, record: dict[str, object]) -> None:
        """Add to the open record."""
        if self._open is not None:
            self.folder.more(self._open, record)

    def end(self) -> None:
        """The open invocation came to its end."""
        self.more({"end": True})
        self._open = None

    def forked(self) -> None:
        """A child of this process is not the invocation."""
        self._open = None

    def _named(self, argv: list[str], cwd: str, files: Snapshot) -> dict[str, object]:
        """Take the files that words name: those below the directory into `files`; the absolute ones are given back by their path."""
        outside: dict[str, object] = {}
        for word in argv:
            for text in (word, word.partition("=")[2]):
                full = os.path.join(cwd, text)
                if text in ("", "/") or "\0" in text or not os.path.lexists(full):
                    continue
                if os.path.isabs(text):
                    outside[text] = self._taken(text)
                elif os.path.isdir(full):
                    relative = os.path.normpath(text)
                    if relative != "." and not relative.startswith(".."):
                        files.tree(cwd, relative + "/")
                elif not os.path.normpath(text).startswith(".."):
                    files.one(full, os.path.normpath(text))
        return outside

    def _taken(self, path: str) -> object:
        taken = Snapshot(self.folder)
        if os.path.isdir(path):
            if os.path.realpath(path) in (self.subject.root, os.path.realpath(tempfile.gettempdir()), "/"):
                return "!it is a whole tree"
            taken.tree(path)
            return dict(taken.files) if taken.whole else "!it is a folder of too many files"
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return "!it is a program"
        taken.one(path, "")
        return taken.files[""]

    def _event(self, event: str, words: tuple[Any, ...]) -> None:
        if self._open is None or self.busy:
            return
        if event not in ("open", "os.rename", "os.remove", "sqlite3.connect"):
            return
        self.busy = True
        try:
            if event == "open":
                writes = isinstance(words[2], int) and bool(words[2] & _WRITING)
                self._touched(words[0], "wrote" if writes else "read")
            elif event == "os.rename":
                self._touched(words[0], "wrote")
                self._touched(words[1], "wrote")
            else:
                self._touched(words[0], "wrote")
        except Exception as error:
            self.folder.fault(error)
        finally:
            self.busy = False

    def _touched(self, path: object, what: str) -> None:
        if isinstance(path, int) or path is None:
            return
        name = os.fsdecode(path)  # type: ignore[arg-type]
        if name.endswith(_CODE) or "\0" in name:
            return
        full = os.path.normpath(os.path.join(os.getcwd(), name))
        relative = full[len(self._cwd) + 1 :] if full.startswith(self._cwd + "/") else ""
        if (
            not relative
            or (what, relative) in self._seen
            or not (self._process or self.subject.on_stack(sys._getframe(1)))
        ):
            return
        self._seen.add((what, relative))
        if what == "read" and self.subject.is_code(full):
            return
        line: dict[str, object] = {what: relative}
        if what == "read" and relative not in self._known and ("wrote", relative) not in self._seen:
            if not os.path.isfile(full):
                return
            late = Snapshot(self.folder)
            late.one(full, relative)
            line["content"] = late.files[relative]
        self.more(line)


def _inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root + "/")
