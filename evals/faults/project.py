"""A throw-away project of the gate: a program, the same with a fault, a small corpus, and the property that fails."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.faults.programs import PROGRAMS, baseline, candidate
from evals.faults.values import Fault, Files, Program

_CONFIG = "version = 1\n\n[program]\nrunner = {runner}\nargv = {argv}\nenv = {{ {env} }}\n\n[voting]\nconfirm = 2\n"
PROPERTY = "property "


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """Where it stands."""

    root: Path
    baseline: Path
    candidate: Path


@contextmanager
def laid(fault: Fault) -> Iterator[Laid]:
    """The project of a fault, gone when the block ends. Raises EvalsError where the program is not here, or not in that version."""
    program = PROGRAMS[fault.program]
    with TemporaryDirectory(prefix="auditor-evals-") as folder:
        top = Path(folder)
        place = Laid(root=top / "project", baseline=top / "old", candidate=top / "new")
        _lay(place.root, _judge(program, fault))
        _lay(place.baseline, baseline(fault.program))
        _lay(place.candidate, candidate(fault))
        yield place


def _judge(program: Program, fault: Fault) -> Files:
    config = _CONFIG.format(
        runner=json.dumps(program.runner),
        argv=json.dumps(program.argv),
        env=", ".join(f"{name} = {json.dumps(value)}" for name, value in program.env.items()),
    )
    fixtures = {f"fixtures/{name}": data for name, data in program.fixtures().items()}
    return {
        "gate.toml": config.encode(),
        "gate/policy.json": b'{"allowed": []}\n',
        "gate/corpus.jsonl": _corpus(program.cases),
        **(fixtures or {"fixtures/README": b"Nothing is needed.\n"}),
        **{f"properties/{name}": data for name, data in _properties(program, fault).items()},
    }


def _properties(program: Program, fault: Fault) -> Files:
    """The one that is asked about, and what it imports; none where a group is asked about."""
    if not fault.subject.startswith(PROPERTY):
        return {}
    wanted = f"test_{fault.subject.removeprefix(PROPERTY)}.py"
    return {name: data for name, data in program.properties.items() if name == wanted or not name.startswith("test_")}


def _corpus(cases: Mapping[str, tuple[tuple[str, ...], ...]]) -> bytes:
    """As docs/corpus.md says it: a head with the digest of the lines that follow."""
    lines = (
        {"id": name, "origin": "hand", "steps": [{"argv": words} for words in steps], "covers": []}
        for name, steps in cases.items()
    )
    body = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines).encode()
    head = {"corpus": 1, "generator": None, "digest": f"sha256:{sha256(body).hexdigest()}"}
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + body


def _lay(root: Path, files: Files) -> None:
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
