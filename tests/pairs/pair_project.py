"""Turns a real program in two released versions into two builds and a gate project.

A pair is one JSON file (`AUDITOR_PAIRS` names their folder; without it, `shared/pairs/cases` beside the checkout).
Each side becomes a relocatable virtual environment, kept between runs under the user's cache folder.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step

REPOSITORY = Path(__file__).parents[2]
CHANNEL_TO_FIELD = {"exit": "status", "stdout": "stdout", "stderr": "stderr", "files": "files"}


def pair_files() -> list[Path]:
    """The pairs' files, sorted by name; empty where there are none."""
    folder = Path(os.environ.get("AUDITOR_PAIRS") or REPOSITORY.parent / "shared" / "pairs" / "cases")
    return sorted(folder.glob("*.json"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """What a reviewer of this pair would write into gate.toml after reading the baseline against itself."""

    rules: tuple[Mapping[str, Any], ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    ignore_files: tuple[str, ...] = ()
    ignore_content: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One pair, read."""

    name: str
    told: Mapping[str, Any] = field(repr=False)

    @property
    def known(self) -> frozenset[tuple[str, int, str]]:
        """(case, step, field) of every delta that is known."""
        return frozenset(
            (delta["seed"], delta["step"], CHANNEL_TO_FIELD[delta["channel"]]) for delta in self.told["known_deltas"]
        )


def read_pair(file: Path) -> Pair:
    """The pair in a file."""
    return Pair(name=file.stem, told=json.loads(file.read_bytes()))


def environment(pair: Pair, version: str) -> Path:
    """The side's virtual environment, installed once. `version` is the value of `old` or `new`."""
    told = pair.told
    wanted = [f"{told['package']}=={version}", *(told.get("extra") or [])]
    key = sha256(json.dumps([told["python"], wanted, told["constraints"], 3]).encode()).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agent-patch-auditor-pairs"
    place = cache / f"{pair.name}-{version}-{key}"
    if (place / "installed").exists():
        return place / "env"
    python = find_python(told["python"])
    assert python, f"no Python {told['python']} on this machine"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    constraints = place / "constraints.txt"
    constraints.write_text("\n".join(told["constraints"]) + "\n")
    _uv("venv", "--quiet", "--relocatable", "--no-config", "--python", python, str(place / "env"))
    _uv(
        "pip", "install", "--quiet", "--no-config", "--compile-bytecode", "--link-mode", "copy",
        "--python", str(place / "env" / "bin" / "python"), "--constraint", str(constraints), *wanted,
    )  # fmt: skip
    (place / "installed").touch()
    return place / "env"


def _uv(*words: str) -> None:
    program = shutil.which("uv")
    assert program, "uv is needed: pip install uv"
    # Behind a proxy that signs its own certificates, the system's store is the one that knows it.
    environment = {"UV_SYSTEM_CERTS": "true", "UV_NATIVE_TLS": "true", **os.environ}
    told = subprocess.run([program, *words], capture_output=True, text=True, check=False, env=environment)
    assert told.returncode == 0, f"uv {' '.join(words)}\n{told.stderr}"


def find_python(version: str) -> str | None:
    """An interpreter of that version (`3.9`) on this machine that starts: on the PATH, or among pyenv's."""
    on_path = shutil.which(f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    places = [Path(on_path)] if on_path else []
    for place in [*places, *sorted(pyenv.glob(f"{version}.*/bin/python"))]:
        if subprocess.run([place, "-c", ""], capture_output=True, check=False).returncode == 0:
            return str(place)
    return None


def make_project(pair: Pair, root: Path, noise: Noise | None = None) -> Path:
    """Write gate.toml, corpus and fixtures of the pair below `root`."""
    noise = noise or Noise()
    root.mkdir(parents=True, exist_ok=True)
    ignored = json.dumps([".git", *noise.ignore_files])
    contentless = json.dumps(noise.ignore_content)
    rules = "".join(
        "\n[[noise]]\n" + "".join(f"{key} = {json.dumps(told)}\n" for key, told in rule.items()) for rule in noise.rules
    )
    env = "".join(f"env.{name} = {json.dumps(told)}\n" for name, told in noise.env.items())
    program = f'[program]\nrunner = "exec"\npath = ["bin"]\n{env}'
    replay = f"[replay]\ntimeout = 60.0\nignore_files = {ignored}\nignore_content = {contentless}\n"
    (root / "gate.toml").write_text(f"version = 1\n\n{program}\n{replay}{rules}")
    fixtures = root / "fixtures"
    contents = {name: text.encode() for name, text in pair.told["fixtures"].items()}
    contents |= {name: base64.b64decode(text) for name, text in (pair.told.get("fixtures_b64") or {}).items()}
    for name, data in contents.items():
        (fixtures / name).parent.mkdir(parents=True, exist_ok=True)
        (fixtures / name).write_bytes(data)
    corpus = None
    for session in pair.told["sessions"]:
        steps = tuple(_step(step) for step in session["steps"])
        corpus = with_case(corpus, Case(id=CaseId(session["seed"]), steps=steps))
    assert corpus is not None
    write_corpus(root / "gate" / "corpus.jsonl", corpus)
    return root


def _step(step: Mapping[str, Any]) -> Step:
    return Step(
        argv=tuple(word.encode() for word in step["argv"]),
        stdin=None if step["stdin"] is None else step["stdin"].encode(),
        env=step["env"] or {},
    )
