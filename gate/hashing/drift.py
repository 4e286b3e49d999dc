"""What moved between the pinned judge and the judge that was found."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gate.hashing.hints import link_as_file, rewritten_endings, stray
from gate.hashing.names import ancestors, composed, shown, spelled
from gate.hashing.pack import Entry, Pack
from gate.hashing.pins import Pins

What = Literal["added", "removed", "renamed", "spelling", "kind", "content", "mode", "target", "judge"]
Reader = Callable[[bytes], bytes]
"""Gives the bytes of a found fixture by its path in the pack."""

_LINES: Mapping[What, str] = {
    "added": "{noun} {path} added: unexpected {got}",
    "removed": "{noun} {path} removed: expected {expected}, got {got}",
    "renamed": "{noun} {path} renamed: {expected} -> {got}",
    "spelling": "{noun} {path} renamed to another unicode form: {expected} -> {got}",
    "kind": "{noun} {path} changed: expected {expected}, got {got}",
    "content": "{noun} {path} changed: expected {expected}, got {got}",
    "mode": "{noun} {path} changed: mode {expected} -> {got}",
    "target": "{noun} {path} changed: expected {expected}, got {got}",
    "judge": "judge {path} changed: expected {expected}, got {got}",
}
_NOTHING = "nothing"
_LONG = re.compile(r"(sha256:[0-9a-f]{12})[0-9a-f]{52}")
_READ_LIMIT = 1 << 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """One way in which the judge is not the pinned one."""

    what: What
    path: bytes
    """The pinned path of a fixture (the found path of an added one), or the name of a part of the judge."""
    expected: str
    """What is pinned, for display; digests in full."""
    got: str
    """What was found, for display; digests in full."""
    hint: str = ""
    """A likely cause and its cure, where the evidence shows one; otherwise empty."""
    noun: Literal["fixture", "property file"] = "fixture"
    """What stands at the path."""

    @property
    def line(self) -> str:
        """One line for a person, digests cut to twelve digits, nothing unprintable."""
        sentence = _LINES[self.what].format(noun=self.noun, path=shown(self.path), expected=self.expected, got=self.got)
        return _LONG.sub(r"\1…", sentence)


def fixture_drift(pinned: Pack, found: Pack, *, read: Reader | None = None) -> tuple[Drift, ...]:
    """Every way in which the found pack is not the pinned one, sorted by path; none means that the pins hold.

    Git keeps no empty folders, and the sandbox is built from the pins: a pinned empty folder that is missing is no
    drift, and neither is an empty one that a pinned path lies in. `read` lets content drift be explained.
    """
    before = {entry.path: entry for entry in pinned.entries}
    after = {entry.path: entry for entry in found.entries}
    needed = {above for path in before for above in ancestors(path)}
    lost = [entry for path, entry in before.items() if path not in after]
    new = [
        entry
        for path, entry in after.items()
        if path not in before and not (entry.kind == "directory" and path in needed)
    ]
    drifts = [drift for path in before.keys() & after.keys() for drift in _changes(before[path], after[path], read)]
    respelled, lost, new = _paired(lost, new, lambda entry: composed(entry.path))
    moved, lost, new = _paired(lost, new, _matter)
    for old, other in respelled:
        drifts += [_respelled(old, other), *_changes(old, other, read)]
    drifts += [Drift(what="renamed", path=o.path, expected=shown(o.path), got=shown(n.path)) for o, n in moved]
    drifts += [
        Drift(what="removed", path=entry.path, expected=_described(entry), got=_NOTHING)
        for entry in lost
        if entry.kind != "directory"
    ]
    drifts += [
        Drift(what="added", path=entry.path, expected=_NOTHING, got=_described(entry), hint=stray(entry.path))
        for entry in new
    ]
    return tuple(sorted(drifts, key=lambda drift: (drift.path, drift.what)))


def property_drift(pinned: Pack, found: Pack, *, read: Reader | None = None) -> tuple[Drift, ...]:
    """As `fixture_drift`, of the property files."""
    return tuple(replace(drift, noun="property file") for drift in fixture_drift(pinned, found, read=read))


def tests_drift(pinned: Mapping[str, tuple[str, ...]], found: Mapping[str, tuple[str, ...]]) -> tuple[Drift, ...]:
    """Every property whose pinned tests are not the ones that its file holds, sorted by name."""
    names = sorted(name for name in pinned.keys() | found.keys() if pinned.get(name) != found.get(name))
    return tuple(
        Drift(
            what="judge",
            path=f"tests of property {name}".encode(),
            expected=", ".join(pinned.get(name, ())) or _NOTHING,
            got=", ".join(found.get(name, ())) or _NOTHING,
        )
        for name in names
    )


def _paired(
    lost: Sequence[Entry], new: Sequence[Entry], key: Callable[[Entry], Hashable]
) -> tuple[list[tuple[Entry, Entry]], list[Entry], list[Entry]]:
    """The pairs of one lost and one new entry that share a key with no other, then what is left of both."""
    olds, news = _unique(lost, key), _unique(new, key)
    pairs = [(olds[shared], news[shared]) for shared in olds.keys() & news.keys()]
    taken = {entry.path for pair in pairs for entry in pair}
    return pairs, [entry for entry in lost if entry.path not in taken], [e for e in new if e.path not in taken]


def _unique(entries: Iterable[Entry], key: Callable[[Entry], Hashable]) -> dict[Hashable, Entry]:
    groups: dict[Hashable, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(key(entry), []).append(entry)
    return {shared: group[0] for shared, group in groups.items() if len(group) == 1 and shared is not None}


def _matter(entry: Entry) -> Hashable:
    """All of an entry but its name; None for an empty folder, since one is like another."""
    if entry.kind == "directory":
        return None
    return entry.kind, entry.executable, entry.size, entry.sha256, entry.target


def _respelled(old: Entry, new: Entry) -> Drift:
    return Drift(
        what="spelling",
        path=old.path,
        expected=spelled(old.path),
        got=spelled(new.path),
        hint="some file systems rewrite names: give the fixture a name in ASCII, or restore the pinned spelling",
    )


def _described(entry: Entry) -> str:
    match entry.kind:
        case "file":
            return f"file of {entry.size} {'byte' if entry.size == 1 else 'bytes'}, sha256:{entry.sha256}"
        case "link":
            return f"link to {shown(entry.target)}"
        case "directory":
            return "empty folder"


def _changes(old: Entry, new: Entry, read: Reader | None) -> Iterator[Drift]:
    """How one entry changed, whatever its name."""
    expected, got = _described(old), _described(new)
    if old.kind != new.kind:
        yield Drift(what="kind", path=old.path, expected=expected, got=got, hint=link_as_file(old, new))
    elif old.target != new.target:
        yield Drift(what="target", path=old.path, expected=expected, got=got)
    elif old.sha256 != new.sha256:
        small = new.size <= _READ_LIMIT
        hint = rewritten_endings(read(new.path), old.sha256) if read is not None and small else ""
        sums = f"sha256:{old.sha256}", f"sha256:{new.sha256}"
        yield Drift(what="content", path=old.path, expected=sums[0], got=sums[1], hint=hint)
    elif old.size != new.size:
        yield Drift(what="content", path=old.path, expected=expected, got=got)
    if old.executable != new.executable and old.kind == new.kind:
        yield Drift(what="mode", path=old.path, expected=old.mode, got=new.mode)


def judge_drift(
    pinned: Pins, judge: Mapping[str, str], *, canonical: int, contents: Mapping[str, bytes]
) -> tuple[Drift, ...]:
    """Every part of the judge whose digest is not the pinned one, missing and unpinned parts too, sorted by name.

    `contents` holds the bytes of those parts that are files; it lets their drift be explained.
    """
    names = sorted(name for name in pinned.judge.keys() | judge.keys() if pinned.judge.get(name) != judge.get(name))
    parts = [(name, pinned.judge.get(name, _NOTHING), judge.get(name, _NOTHING)) for name in names]
    drifts = [
        Drift(
            what="judge",
            path=name.encode(),
            expected=expected,
            got=got,
            hint=_judge_hint(name, expected, got, contents.get(name)),
        )
        for name, expected, got in parts
    ]
    if pinned.canonical != canonical:
        drifts.append(
            Drift(
                what="judge",
                path=b"canonical form",
                expected=f"version {pinned.canonical}",
                got=f"version {canonical}",
                hint="this version of the gate compares in another form: re-pin with review: gate pin",
            )
        )
    return tuple(drifts)


def _judge_hint(name: str, expected: str, got: str, content: bytes | None) -> str:
    if _NOTHING in (expected, got):
        return ""
    if name == "noise":
        return "the noise rules in gate.toml changed, or this version of the gate reads them otherwise"
    return "" if content is None else rewritten_endings(content, expected.removeprefix("sha256:"))
