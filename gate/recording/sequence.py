"""Which invocations are steps of one case: those that find what an earlier one wrote, and nothing else that is new."""

from __future__ import annotations

from collections.abc import Sequence

from gate.recording.records import Invocation

MOST_STEPS = 20
"""Steps of a case; what comes after begins another one, with the files that it found."""


def sequences(invocations: Sequence[Invocation]) -> tuple[tuple[Invocation, ...], ...]:
    """The invocations in groups, each in order. An invocation that goes on with no earlier one is a group alone.

    It goes on with the last group of its directory when a file is there that the group wrote, and no file was made, changed or removed
    meanwhile that the group did not write. Where it is not known what was written (a program that is no Python), the program wrote
    whatever changed.
    """
    groups: list[list[Invocation]] = []
    latest: dict[tuple[str, tuple[int, int], str], list[Invocation]] = {}
    for invocation in invocations:
        key = (invocation.cwd, invocation.place, invocation.program)
        group = latest.get(key)
        if group is not None and len(group) < MOST_STEPS and _goes_on(group, invocation):
            group.append(invocation)
        else:
            group = [invocation]
            groups.append(group)
        latest[key] = group
    return tuple(map(tuple, groups))


def written(before: Sequence[Invocation], files: Sequence[str]) -> frozenset[str]:
    """Which of the files that are there now the invocations before wrote, as far as is known."""
    wrote = {name for each in before for name in each.wrote}
    return frozenset(name for name in files if name in wrote or _blind_change(before, name))


def _blind_change(before: Sequence[Invocation], name: str) -> bool:
    return any(each.how == "shim" for each in before) and all(name not in each.files for each in before)


def _goes_on(group: Sequence[Invocation], now: Invocation) -> bool:
    last = group[-1]
    if now.near != last.near or not (now.whole and last.whole):
        return False
    wrote = {name for each in group for name in each.wrote}
    blind = last.how == "shim"
    changed = {name for name in {*last.files, *now.files} if last.files.get(name) != now.files.get(name)}
    if now.near and not blind and changed - wrote:
        return False
    if not now.near and any(name in last.files and name in now.files for name in changed - wrote):
        return False
    return bool(wrote.intersection(now.files)) or (blind and bool(changed.intersection(now.files)))
