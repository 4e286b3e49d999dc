"""Pinning the judge of a project and holding it to its pins: where the hashing room reads and writes files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from gate.config.model import Project
from gate.diff.noise import CANONICAL_VERSION, rules_digest
from gate.errors import ConfigError, CorpusError
from gate.hashing.drift import Drift, Reader, fixture_drift, judge_drift, property_drift, tests_drift
from gate.hashing.pack import Pack, scan_pack, scan_properties
from gate.hashing.pins import Pins, make_pins, pin_properties, read_pins, write_pins
from gate.hashing.properties import read_properties


def pin_project(project: Project) -> Pins:
    """Write the pins of the judge as it stands, and return them.

    Raises CorpusError without a corpus, FixtureError for fixtures that cannot be pinned, ConfigError where the pins would be
    fixtures themselves. Then nothing is written.
    """
    pack = _fixtures(project)
    contents = _contents(project)
    if "corpus" not in contents:
        raise CorpusError(
            f"{project.corpus_file}: expected the frozen corpus, found no file", next_step="Draw it: gate corpus draw"
        )
    properties = pin_properties(scan_properties(project.properties), _tests(project))
    pins = make_pins(pack, _judge(project, contents), canonical=CANONICAL_VERSION, properties=properties)
    write_pins(project.pins_file, pins)
    return pins


def verify_project(project: Project) -> tuple[Drift, ...]:
    """Everything in which the judge as it stands is not the pinned one: judge, fixtures, properties. None: all pins hold.

    Raises PinsError for missing or unusable pins, FixtureError for fixtures that could not have been pinned.
    """
    pins = read_pins(project.pins_file)
    contents = _contents(project)
    return (
        *judge_drift(pins, _judge(project, contents), canonical=CANONICAL_VERSION, contents=contents),
        *fixture_drift(pins.pack, _fixtures(project), read=_reader(project.fixtures)),
        *_property_drift(project, pins),
    )


def _property_drift(project: Project, pins: Pins) -> tuple[Drift, ...]:
    """Of files first: what a drifted file would test is no news, and it may not even be Python."""
    files = property_drift(pins.property_pack, scan_properties(project.properties), read=_reader(project.properties))
    return files or tests_drift({} if pins.properties is None else pins.properties.tests, _tests(project))


def _tests(project: Project) -> dict[str, tuple[str, ...]]:
    return {found.name: found.tests for found in read_properties(project.properties)}


def _reader(folder: Path) -> Reader:
    return lambda path: (folder / os.fsdecode(path)).read_bytes()


def _fixtures(project: Project) -> Pack:
    if project.fixtures in project.pins_file.parents:
        raise ConfigError(
            f"gate.toml: fixtures: expected a folder without the gate's own files, got {project.config.fixtures!r}",
            next_step="Give the fixtures a folder of their own.",
        )
    return scan_pack(project.fixtures)


def _contents(project: Project) -> dict[str, bytes]:
    """The parts of the judge that are files. A missing corpus is left out: that is drift, or an error where one is needed."""
    contents = {"config": project.config_file.read_bytes()}
    with suppress(FileNotFoundError):
        contents["corpus"] = project.corpus_file.read_bytes()
    return contents


def _judge(project: Project, contents: Mapping[str, bytes]) -> dict[str, str]:
    files = {name: f"sha256:{sha256(data).hexdigest()}" for name, data in contents.items()}
    return files | {"noise": rules_digest(project.config.noise)}
