"""Recorded invocations as cases, the files that they need, and what cannot be a case and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass

from gate.corpus.contents import case_complaint, content_digest
from gate.corpus.transcripts.credentials import secret_in
from gate.corpus.transcripts.private_names import private_path
from gate.diff.escape import escaped_name
from gate.domain import Case, CaseId, Step
from gate.hashing.names import collision
from gate.recording.layout import Layout, LeftOutError, laid
from gate.recording.paths import leads_out
from gate.recording.records import Invocation
from gate.recording.sequence import sequences

MOST_CASES = 500
MOST_BYTES = 4 << 20
"""Of all files that are new in the pack."""

_STEERS_GIT = frozenset({".gitignore", ".gitattributes", ".gitmodules", ".lfsconfig"})
_POINTER = b"version https://git-lfs.github.com/spec/"
_OWN_VARIABLES = frozenset(
    [
        "_",
        "PATH",
        "HOME",
        "PWD",
        "OLDPWD",
        "SHLVL",
        "TMPDIR",
        "TMP",
        "TEMP",
        "COLUMNS",
        "LINES",
        "TERM",
        "LC_ALL",
        "LANG",
        "TZ",
    ]
)
"""Set by the gate or by a shell: their values say nothing of the invocation."""
_FOREIGN = ("PYTEST_", "PYTHON", "COV_", "COVERAGE_", "VIRTUAL_ENV", "TOX_", "HYPOTHESIS_", "LD_", "GIT_")

_NOTES = {
    "shared": "its standard input is a pipe that belongs to other processes too",
    "strange": "its standard input is an object of another kind than a file or a text",
    "words": "a word that is no text",
    "large": "its standard input is larger than 64 KiB",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What became of a recording."""

    cases: tuple[Case, ...]
    """Distinct, in the order in which they were recorded."""
    files: Mapping[str, bytes]
    """New files of the fixture pack, by path in it."""
    left: tuple[tuple[str, int], ...]
    """Why invocations were left out, and how many; the most frequent first."""
    repeated: int
    """Invocations that are in a case that was recorded already."""
    variables: int = 0
    """Variables with a path of this machine, which steps do without."""


@dataclass(slots=True)
class _Making:
    cases: dict[str, Case]
    files: dict[str, bytes]
    left: Counter[str]
    repeated: int = 0
    variables: int = 0


def made_of(
    invocations: Sequence[Invocation],
    *,
    root: str,
    prefix: str,
    named: bool,
    content: Callable[[str], bytes | None],
    pack: Mapping[str, str],
    alive: Callable[[int], bool],
    exists: Callable[[str], bool],
    homes: Sequence[str],
) -> Made:
    """Cases of the invocations. `pack` is what the fixture pack holds: path to hex SHA-256; nothing in it is ever changed.

    `named`: a step's first word is the program's name. `content` gives the content of a digest, `alive` whether a process still runs,
    `exists` whether an absolute path is there; `homes` are the folders of the person who records, see `laid`.

    A sequence that cannot be a case is tried step by step, each with the files that it found. What finds a file by itself that most do not
    find, and the pack does not hold, is left out: the file would change what every other case finds.
    """
    making = _Making({}, {}, Counter())
    maker = _Maker(
        making, root=root, prefix=prefix, named=named, content=content, pack=pack, exists=exists, homes=homes
    )
    fit = [each for each in invocations if maker.fits(each, alive)]
    maker.rare = {file for file in _rare(fit, root, homes) if file[0] not in pack}
    for group in sequences(fit):
        try:
            maker.add(group)
        except LeftOutError as error:
            if len(group) == 1:
                making.left[str(error)] += 1
                continue
            for step in group:
                try:
                    maker.add((step,))
                except LeftOutError as alone:
                    making.left[str(alone)] += 1
    return Made(
        cases=tuple(making.cases.values()),
        files=making.files,
        left=tuple(sorted(making.left.items(), key=lambda pair: (-pair[1], pair[0]))),
        repeated=making.repeated,
        variables=making.variables,
    )


def _rare(invocations: Sequence[Invocation], root: str, homes: Sequence[str]) -> Set[tuple[str, str]]:
    """Files, by name and digest, that less than half of the invocations find by themselves."""
    found: Counter[tuple[str, str]] = Counter()
    for each in invocations:
        with suppress(LeftOutError):
            found.update(laid((each,), root, homes).fixed.items())
    return {file for file, count in found.items() if 2 * count < len(invocations)}


class _Maker:
    def __init__(
        self,
        making: _Making,
        *,
        root: str,
        prefix: str,
        named: bool,
        content: Callable[[str], bytes | None],
        pack: Mapping[str, str],
        exists: Callable[[str], bool],
        homes: Sequence[str],
    ) -> None:
        self._making = making
        self.rare: Set[tuple[str, str]] = frozenset()
        self._root = root
        self._prefix = prefix
        self._named = named
        self._content = content
        self._pack = dict(pack)
        self._exists = exists
        self._homes = homes

    def fits(self, invocation: Invocation, alive: Callable[[int], bool]) -> bool:
        """Whether an invocation can be a step at all; if not, it is counted."""
        why = _NOTES.get(invocation.note, "")
        if not invocation.program:
            why = "it cannot be told which of the project's programs it is (name one: --program)"
        elif invocation.how != "call" and not invocation.ended and alive(invocation.pid):
            why = "it had not ended when the command did"
        elif invocation.stdin is not None and len(invocation.stdin) > 1 << 16:
            why = _NOTES["large"]
        if why:
            self._making.left[why] += 1
        return not why

    def add(self, group: Sequence[Invocation]) -> None:
        """Make a case of a group. Raises LeftOutError, and then nothing has changed."""
        layout = laid(group, self._root, self._homes)
        if strange := sorted(self.rare & layout.fixed.items()):
            name = escaped_name(strange[0][0])
            raise LeftOutError(
                f"it finds {name} by itself, which most invocations do not: every other case would find it, too"
            )
        steps = tuple(self._step(layout, number, each) for number, each in enumerate(group))
        content = content_digest(steps)
        if content in self._making.cases:
            self._making.repeated += len(group)
            return
        if len(self._making.cases) >= MOST_CASES:
            raise LeftOutError(f"there are {MOST_CASES} cases already")
        case = Case(id=CaseId(f"{self._prefix}-{content[:10]}"), steps=steps)
        if complaint := case_complaint(case):
            raise LeftOutError(ascii(complaint)[1:-1])
        fresh = self._fresh(layout)
        self._making.files.update(fresh)
        self._pack.update(layout.pack())
        self._making.cases[content] = case

    def _step(self, layout: Layout, number: int, invocation: Invocation) -> Step:
        words = ((invocation.program,) if self._named else ()) + layout.argv(number)
        try:
            step = Step(
                argv=tuple(word.encode("utf-8", "surrogateescape") for word in words),
                stdin=invocation.stdin or None,
                env=self._variables(invocation),
            )
            if secret := secret_in(step):
                raise LeftOutError(f"it holds what looks like a secret: {secret}")
        except UnicodeEncodeError:
            raise LeftOutError("a word that no command line can hold") from None
        here = [text.encode("utf-8", "surrogateescape") for text in (invocation.cwd, self._root) if len(text) > 1]
        for text in (*step.argv, step.stdin or b""):
            if any(place in text for place in here):
                raise LeftOutError("a path of this machine inside a word or its standard input")
        places = (invocation.temporary, *self._homes)
        if any(leads_out(word, places, self._exists) for word in words):
            raise LeftOutError("a path of this machine inside a word or its standard input")
        return step

    def _variables(self, invocation: Invocation) -> dict[str, str]:
        kept = {}
        for name, text in sorted(invocation.env.items()):
            if name in _OWN_VARIABLES or name.startswith(_FOREIGN):
                continue
            if "/" in text and any(
                place and place in text for place in (self._root, invocation.cwd, invocation.temporary)
            ):
                self._making.variables += 1
                continue
            kept[name] = text
        return kept

    def _fresh(self, layout: Layout) -> dict[str, bytes]:
        """The files of a layout that the pack does not have yet. Raises LeftOutError where one of another content has the name."""
        fresh: dict[str, bytes] = {}
        for path, digest in layout.pack().items():
            if path in self._pack:
                if self._pack[path] != digest:
                    raise LeftOutError("a file that it needs has the name of a fixture with another content")
                continue
            data = self._content(digest)
            if data is None:
                raise LeftOutError("the content of a file was not recorded")
            _require_sound(path, data)
            fresh[path] = data
        if sum(map(len, (*self._making.files.values(), *fresh.values()))) > MOST_BYTES:
            raise LeftOutError(f"its files do not fit: {MOST_BYTES >> 20} MiB in all are kept")
        paths = [name.encode("utf-8", "surrogateescape") for name in (*self._pack, *fresh)]
        above = {name.rpartition("/")[0] for name in (*self._pack, *fresh)}
        folders = {folder for name in above for folder in _ancestors(name)}
        if collision(paths) is not None or folders.intersection((*self._pack, *fresh)):
            raise LeftOutError("a file has the name of another fixture, but for letter case or kind")
        return fresh


def _ancestors(name: str) -> tuple[str, ...]:
    parts = name.split("/")
    return tuple("/".join(parts[: end + 1]) for end in range(len(parts)) if name)


def _require_sound(path: str, data: bytes) -> None:
    parts = path.split("/")
    if any(part in ("", ".", "..", ".git", ".gate") for part in parts) or "\0" in path:
        raise LeftOutError("a file whose name a fixture cannot have")
    if any(part.lower() in _STEERS_GIT for part in parts):
        raise LeftOutError("a file that would steer git where the fixtures lie (.gitignore, .gitattributes)")
    if private_path(path):
        raise LeftOutError("a file in which people keep secrets, by its name")
    if data.startswith(_POINTER):
        raise LeftOutError("a file that is a git-lfs pointer")
    if secret := secret_in(Step(argv=(b"file",), stdin=data)):
        raise LeftOutError(f"a file that it needs holds what looks like a secret: {secret}")
