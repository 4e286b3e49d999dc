"""The folder of one recording, and the environment in which a command is recorded."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from gate.recording.subject import Subject

_HOOK = Path(__file__).with_name("hook")
_SHEBANG = 120
"""Bytes of a first line that every system takes."""
_SHIM = """{first}
import os, sys
here = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, os.path.join(here, "python"))
from _gate_recorder.shim import run
run(here, os.path.basename(__file__), sys.argv[1:])
"""


def lay_stage(folder: Path, subject: Subject, environment: Mapping[str, str]) -> dict[str, str]:
    """Fill an empty folder with the recorder and its shims; the environment of the command, made from `environment`.

    A program's name with a `/` gets no shim. Raises OSError.
    """
    for name in ("bin", "python/_gate_recorder", "records", "contents"):
        (folder / name).mkdir(parents=True)
    for source in sorted(_HOOK.glob("*.py")):
        target = (
            folder / "python" / ("sitecustomize.py" if source.name == "first.py" else f"_gate_recorder/{source.name}")
        )
        target.write_bytes(source.read_bytes())
    for name in subject.wanted:
        if "/" not in name and name not in (".", ".."):
            shim = folder / "bin" / name
            shim.write_text(_shim(), encoding="utf-8", errors="surrogateescape")
            shim.chmod(0o755)
    (folder / "subject").write_text(
        f"starter\t{os.getpid()}\n{subject.lines()}", encoding="utf-8", errors="surrogateescape"
    )
    made = dict(environment)
    made["PATH"] = os.pathsep.join([str(folder / "bin"), environment.get("PATH") or os.defpath])
    python = environment.get("PYTHONPATH")
    made["PYTHONPATH"] = os.pathsep.join([str(folder / "python"), *([python] if python else [])])
    pairs = (f"{name}={text}".encode("utf-8", "surrogateescape") for name, text in made.items())
    (folder / "environment").write_bytes(b"".join(pair + b"\0" for pair in pairs))
    return made


def _shim() -> str:
    line = f"#!{sys.executable} -ISB"
    if len(os.fsencode(line)) <= _SHEBANG and " " not in sys.executable:
        return _SHIM.format(first=line)
    quoted = sys.executable.replace("'", "'\"'\"'")  # a first line that both a shell and Python read
    return _SHIM.format(first=f"#!/bin/sh\n'''exec' '{quoted}' -ISB \"$0\" \"$@\"\n' '''")
