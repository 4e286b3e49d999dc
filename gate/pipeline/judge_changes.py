"""What a patch of the judge changes, in words for the person who reviews it: one line a change, nothing left out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from gate.config.model import Project
from gate.corpus.aside import FILE as ASIDE
from gate.corpus.aside import AsideCase, read_aside
from gate.corpus.contents import content_digest
from gate.corpus.format import read_corpus
from gate.corpus.lines import case_line
from gate.errors import CorpusError, GateError
from gate.hashing.names import shown
from gate.hashing.properties import read_properties
from gate.policy.wording import escape_unprintable, quoted
from gate.suite.lease_file import read_quarantine
from gate.suite.quarantine import Lease
from gate.voting.freeze_set import FreezeSet, read_freeze_set, render_freeze_set

Json = Any
"""What `json.dumps` takes."""

_T = TypeVar("_T")


def judge_changes(old: Project, new: Project, files: Iterable[bytes], *, base: Path, head: Path) -> tuple[str, ...]:
    """The changes between the judge of the tree `base` and that of the tree `head`; `files` are the judge's files that differ.

    In order: files, keys of `gate.toml`, noise rules, properties and their pinned tests, cases, those set aside, leases, freezes. A part of
    the old judge that cannot be read counts as empty, and that is said; so does an unreadable corpus of the new one, which the audit
    refuses. Raises GateError where another part of the new judge cannot be read, the quarantine too.
    """
    parts = (_settings, _noise, _properties, _cases, _cases_aside, _leases, _freezes)
    lines = (*_files(files, base, head), *(line for part in parts for line in part(old, new)))
    return tuple(line.replace(f"{base}/", "").replace(f"{head}/", "") for line in lines)


def _files(files: Iterable[bytes], base: Path, head: Path) -> Iterator[str]:
    for path in files:
        before, after = (os.path.lexists(tree / os.fsdecode(path)) for tree in (base, head))
        what = "changed" if before and after else "added" if after else "removed"
        yield f"file {what}: {shown(path)}"


def _settings(old: Project, new: Project) -> Iterator[str]:
    before, after = (dict(_flat("", msgspec.to_builtins(project.config))) for project in (old, new))
    for key in sorted(before.keys() | after.keys()):
        if before.get(key, _UNSET) != after.get(key, _UNSET):
            yield f"gate.toml: {_word(key)}: {_value(before, key)} -> {_value(after, key)}"


_UNSET = object()


def _flat(prefix: str, table: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """The keys of a table, those of inner tables dotted; lists are whole values. Noise rules are told by name."""
    for key, held in table.items():
        if isinstance(held, dict) and held:
            yield from _flat(f"{prefix}{key}.", held)
        elif not (prefix == "" and key == "noise"):
            yield f"{prefix}{key}", held


def _value(table: Mapping[str, Json], key: str) -> str:
    return _json(table[key]) if key in table else "none"


def _noise(old: Project, new: Project) -> Iterator[str]:
    before, after = ({rule.name: rule for rule in project.config.noise} for project in (old, new))
    yield from _differences("noise rule", before, after, show=lambda rule: _json(msgspec.to_builtins(rule)))


def _properties(old: Project, new: Project) -> Iterator[str]:
    before, fault = _or_empty(lambda: {each.name: each for each in read_properties(old.properties)})
    if fault:
        yield f"the base's properties cannot be read, and all count as new: {_word(fault)}"
    after = {each.name: each for each in read_properties(new.properties)}
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            yield f"property removed: {name}, with its tests {', '.join(before[name].tests)}"
        elif name not in before:
            yield f"property added: {name}, with its tests {', '.join(after[name].tests)}"
        else:
            yield from (f"test removed: {name}: {test}" for test in before[name].tests if test not in after[name].tests)
            yield from (f"test added: {name}: {test}" for test in after[name].tests if test not in before[name].tests)
            if (old.properties / before[name].file).read_bytes() != (new.properties / after[name].file).read_bytes():
                yield f"property file changed: {name}: it may demand less than before"


def _cases(old: Project, new: Project) -> Iterator[str]:
    before, fault = _or_empty(lambda: _case_lines(old))
    if fault:
        yield f"the base's corpus cannot be read, and all cases count as new: {_word(fault)}"
    after, fault = _or_empty(lambda: _case_lines(new), CorpusError)
    if fault:
        yield f"the new corpus cannot be read: {_word(fault)}"
    yield from _differences("case", before, after, show=str)


def _case_lines(project: Project) -> dict[str, str]:
    corpus = read_corpus(project.corpus_file)
    return {case.id: _json(msgspec.to_builtins(case_line(case, ()))) for case in corpus.cases}


def _cases_aside(old: Project, new: Project) -> Iterator[str]:
    """A case that is set aside is compared no longer, and no draw brings it back: each is told with its reason, and its steps."""
    before, fault = _or_empty(lambda: _aside_rows(old))
    if fault:
        yield f"the base's cases that are set aside cannot be read, and all count as new: {_word(fault)}"
    after = _aside_rows(new)
    known, _ = _or_empty(lambda: _names_by_steps(new), CorpusError)
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            yield f"no longer sets case {_word(name)} aside"
        elif name not in before:
            yield f"sets case {_word(name)} aside: {_why(after[name], known)}: {_json(msgspec.to_builtins(after[name].case))}"
        elif before[name] != after[name]:
            told = (f"{_why(row, known)}: {_json(msgspec.to_builtins(row))}" for row in (before[name], after[name]))
            yield f"sets case {_word(name)} aside otherwise: {' -> '.join(told)}"


def _aside_rows(project: Project) -> dict[str, AsideCase]:
    return {row.case.id: row for row in read_aside(project.corpus_file.with_name(ASIDE))}


def _names_by_steps(project: Project) -> dict[str, str]:
    return {content_digest(case.steps): case.id for case in read_corpus(project.corpus_file).cases}


def _why(row: AsideCase, known: Mapping[str, str]) -> str:
    """What the row says that counts. Of a thinned case that is the steps that it is like; their name and the reason are free text."""
    if row.like is None:
        places = ", ".join(f"step {check.step} {quoted(check.field)}" for check in row.checks)
        return f"it wavers in {places}, {quoted(row.reason)}"
    if row.like.steps in known:
        return f"it was thinned, like case {_word(known[row.like.steps])}"
    return f"it was thinned, like a case that the corpus has not (steps sha256:{row.like.steps})"


def _leases(old: Project, new: Project) -> Iterator[str]:
    before, fault = _or_empty(lambda: _lease_by_test(old))
    if fault:
        yield f"the base's quarantine cannot be read, and all leases count as new: {_word(fault)}"
    yield from _differences(
        "lease",
        before,
        _lease_by_test(new),
        show=lambda lease: f"{lease.since} to {lease.until}, {lease.failures} failures",
    )


def _lease_by_test(project: Project) -> dict[str, Lease]:
    return {str(lease.test): lease for lease in read_quarantine(project.quarantine_file).leases}


def _freezes(old: Project, new: Project) -> Iterator[str]:
    before, after = (
        {entry.name: entry for entry in read_freeze_set(project.freeze_file).entries} for project in (old, new)
    )
    yield from _differences(
        "freeze",
        before,
        after,
        show=lambda entry: render_freeze_set(FreezeSet(entries=(entry,))).split("\n")[2].strip(),
    )


def _differences(
    what: str, before: Mapping[str, _T], after: Mapping[str, _T], *, show: Callable[[_T], str]
) -> Iterator[str]:
    """What was removed, added and changed under its name, sorted by name, with what it was and is."""
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            yield f"{what} removed: {_word(name)}: {show(before[name])}"
        elif name not in before:
            yield f"{what} added: {_word(name)}: {show(after[name])}"
        elif before[name] != after[name]:
            yield f"{what} changed: {_word(name)}: {show(before[name])} -> {show(after[name])}"


def _or_empty(read: Callable[[], dict[str, _T]], error: type[GateError] = GateError) -> tuple[dict[str, _T], str]:
    """What is read, or nothing and why."""
    try:
        return read(), ""
    except error as fault:
        return {}, fault.what


def _json(held: Json) -> str:
    return escape_unprintable(json.dumps(held, ensure_ascii=False))


def _word(text: str) -> str:
    """Text as it is where it shows itself on one line, else quoted."""
    return text if text.isprintable() else quoted(text)
