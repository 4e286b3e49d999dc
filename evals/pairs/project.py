"""A pair as a project of the gate: gate.toml, corpus and fixtures, written through the gate's public door."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from evals.errors import EvalsError
from evals.pairs.files import Pair
from evals.pairs.noise import Noise
from gate import api


def make_project(pair: Pair, root: Path, noise: Noise | None = None) -> Path:
    """Write gate.toml, corpus and fixtures of the pair below `root`. Raises EvalsError and GateError for a pair that cannot be one."""
    noise = noise or Noise()
    root.mkdir(parents=True, exist_ok=True)
    (root / "gate.toml").write_text(_toml(noise), encoding="utf-8")
    fixtures = root / "fixtures"
    for name, data in _contents(pair).items():
        (fixtures / name).parent.mkdir(parents=True, exist_ok=True)
        (fixtures / name).write_bytes(data)
    api.write_cases(root, b"".join(json.dumps(_case(session)).encode() + b"\n" for session in pair.told["sessions"]))
    return root


def _toml(noise: Noise) -> str:
    ignored = json.dumps([".git", *noise.ignore_files])
    contentless = json.dumps(noise.ignore_content)
    rules = "".join(
        "\n[[noise]]\n" + "".join(f"{key} = {json.dumps(told)}\n" for key, told in rule.items()) for rule in noise.rules
    )
    env = "".join(f"env.{name} = {json.dumps(told)}\n" for name, told in noise.env.items())
    program = f'[program]\nrunner = "exec"\npath = ["bin"]\n{env}'
    replay = f"[replay]\ntimeout = 60.0\nignore_files = {ignored}\nignore_content = {contentless}\n"
    return f"version = 1\n\n{program}\n{replay}{rules}"


def _contents(pair: Pair) -> dict[str, bytes]:
    contents = {name: text.encode() for name, text in pair.told["fixtures"].items()}
    try:
        contents |= {name: base64.b64decode(text) for name, text in (pair.told.get("fixtures_b64") or {}).items()}
    except ValueError as error:
        raise EvalsError(
            f"{pair.name}: fixtures_b64: expected base64, got {error}", next_step="Mend the file of the pair."
        ) from error
    for name in contents:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts:
            raise EvalsError(
                f"{pair.name}: fixture {name[:80]!a}: expected a path inside of the fixtures",
                next_step="Mend the file of the pair.",
            )
    return contents


def _case(session: Mapping[str, Any]) -> dict[str, object]:
    """One line of a corpus."""
    return {"id": session["seed"], "steps": [_step(step) for step in session["steps"]]}


def _step(step: Mapping[str, Any]) -> dict[str, object]:
    told: dict[str, object] = {"argv": step["argv"]}
    if step.get("stdin") is not None:
        told["stdin"] = step["stdin"]
    if step.get("env"):
        told["env"] = step["env"]
    return told
