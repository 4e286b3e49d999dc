"""`gate pin` and `gate verify`: recording the judge, and holding it to the record."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gate.cli.options import ProjectOption
from gate.console import finish, judging, put, say
from gate.counted import counted
from gate.exit_codes import ExitCode

if TYPE_CHECKING:
    from gate.config.model import Project
    from gate.hashing.pins import Pins


_SHOWN = 5
"""Files that are named each."""


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.command()(pin)
    app.command()(verify)


def pin(project: ProjectOption = Path()) -> None:
    """Pin the judge: fixtures, corpus, properties, configuration and noise rules. For a commit of its own."""
    from gate.config.load import load_project
    from gate.diff.escape import escaped_name
    from gate.hashing.attributes import protect_line_endings
    from gate.hashing.judge import pin_project

    with judging():
        loaded = load_project(project)
        pins = pin_project(loaded)
        for line in protect_line_endings(loaded):
            say(f"added to .gitattributes: {line}")
        left = _in_no_commit(loaded, pins)
    say(f"wrote {loaded.pins_file.relative_to(loaded.root)}")
    for name in left[:_SHOWN]:
        say(f"git ignores {escaped_name(name)}, so that no commit will hold it: git add -f {shlex.quote(name)}")
    if left[_SHOWN:]:
        say(
            f"git ignores {counted(len(left) - _SHOWN, 'more pinned file')}: git ls-files --others --ignored --exclude-standard"
        )
    for line in _told(pins):
        put(f"pinned {line}")


def _in_no_commit(project: Project, pins: Pins) -> list[str]:
    """What is pinned and git ignores: of the two folders only their entries, which leave caches out."""
    from gate.starter.tracked import ignored

    packs = ((project.fixtures, pins.pack), (project.properties, pins.property_pack))
    entries = {os.fsdecode(os.fsencode(folder) + b"/" + entry.path) for folder, pack in packs for entry in pack.entries}
    named = (project.config_file, project.corpus_file, project.pins_file, project.policy_file)
    held = entries | set(map(str, named))
    return [
        name
        for name in ignored(project.root, (*named, *(folder for folder, _ in packs)))
        if str(project.root / name) in held
    ]


def verify(project: ProjectOption = Path()) -> None:
    """Hold the judge to its pins: exit code 0 if all of them hold, 2 if one does not."""
    from gate.config.load import load_project
    from gate.hashing.judge import verify_project
    from gate.hashing.pins import read_pins

    with judging():
        loaded = load_project(project)
        drifts = verify_project(loaded)
        pins = read_pins(loaded.pins_file)
    if not drifts:
        put("pins hold: " + ", ".join(_told(pins)))
        return
    for drift in drifts:
        put(drift.line)
        if drift.hint:
            put(f"  {drift.hint}")
    say("Restore what drifted, or pin the new judge in a commit of its own: gate pin")
    raise finish(ExitCode.INVALID)


def _told(pins: Pins) -> tuple[str, ...]:
    count = len(pins.fixtures.entries)
    entries = "entry" if count == 1 else "entries"
    judge = (f"{name} {digest}" for name, digest in sorted(pins.judge.items()))
    fixtures = f"fixtures {pins.fixtures.digest} ({count} {entries})"
    return (fixtures, *_properties(pins), *judge, f"canonical form {pins.canonical}")


def _properties(pins: Pins) -> tuple[str, ...]:
    if pins.properties is None:
        return ()
    tests = sum(map(len, pins.properties.tests.values()))
    named = ", ".join(pins.properties.tests) or "none"
    return (f"properties {pins.properties.digest} ({named}; {tests} {'test' if tests == 1 else 'tests'})",)
