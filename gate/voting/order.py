"""What one run of a property is told: the words of its process, and the spec on its standard input."""

from __future__ import annotations

import builtins
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.config.model import Config
from gate.hashing.properties import Property
from gate.replay.build import expand, interpreter
from gate.replay.environment import step_environment
from gate.replay.interface import Recipe
from gate.voting.lay import PACKAGE, PROPERTIES, VOTER

_START = (
    "import sys; sys.path[:] = [sys.argv.pop(), *filter(None, sys.path)]; "
    f"from {PACKAGE}.main import main; del sys.path[0]; main()"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One run of one property, ready to be made a case."""

    property: Property
    slot: Path
    config: Config
    seed: int
    nonce: str
    collect_only: bool = False

    @builtins.property
    def argv(self) -> tuple[str, ...]:
        """The process: nothing of the user's site folder, no compiled files, and no folder of the judge left on `sys.path`."""
        python = self.config.voting.python or (sys.executable,)
        words = (word.replace("{python}", interpreter()) for word in python)
        return (*words, "-s", "-B", "-c", _START, str(self.slot / VOTER))

    @builtins.property
    def spec(self) -> bytes:
        """JSON, as `gate/voting/voter/spec.py` reads it."""
        build = self.slot / "build"
        told: dict[str, Any] = {
            "nonce": self.nonce,
            "voter": str(self.slot / VOTER / PACKAGE),
            "properties": str(self.slot / PROPERTIES),
            "file": self.property.file,
            "seed": self.seed,
            "collect_only": self.collect_only,
            "imports": [str(build / folder) for folder in self.config.voting.imports],
            "libraries": sorted(self.config.voting.libraries),
            "program": _program(self.config, self.slot),
        }
        return json.dumps(told, sort_keys=True).encode()


def _program(config: Config, slot: Path) -> dict[str, Any]:
    """How the subject is started: as a step of a replay, but for HOME and TMPDIR, which each place has of its own."""
    build = slot / "build"
    recipe = Recipe(
        slot=str(slot),
        path=tuple(str(build / folder) for folder in config.program.path),
        env={name: expand(text, build=build) for name, text in config.program.env.items()},
    )
    env = step_environment(recipe, home="", tmp="")
    fresh = {"HOME", "TMPDIR"} - set(config.program.env)
    return {
        "argv": [expand(word, build=build) for word in config.program.argv],
        "env": {name: text for name, text in env.items() if name not in fresh},
        "fixtures": str(slot / "template"),
        "timeout": config.replay.timeout,
        "limit_bytes": config.replay.limit_bytes,
    }
