"""The two releases of a pair as relocatable virtual environments, kept between runs under the user's cache folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

from evals.errors import EvalsError
from evals.pairs.files import Pair


def environment(pair: Pair, version: str) -> Path:
    """The side's virtual environment, installed once, which needs a package index. `version` is the value of `old` or `new`.

    Raises EvalsError where its Python or `uv` is not here, or the release cannot be installed.
    """
    told = pair.told
    wanted = [f"{told['package']}=={version}", *(told.get("extra") or [])]
    key = sha256(json.dumps([told["python"], wanted, told["constraints"], 3]).encode()).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agent-patch-auditor-pairs"
    place = cache / f"{pair.name}-{version}-{key}"
    if (place / "installed").exists():
        return place / "env"
    python = find_python(told["python"])
    if python is None:
        raise EvalsError(
            f"{pair.name}: no Python {told['python']} here", next_step="Install it, or leave the pair out."
        )
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    constraints = place / "constraints.txt"
    constraints.write_text("\n".join(told["constraints"]) + "\n", encoding="utf-8")
    _uv("venv", "--quiet", "--relocatable", "--no-config", "--python", python, str(place / "env"))
    _uv(
        "pip", "install", "--quiet", "--no-config", "--compile-bytecode", "--link-mode", "copy",
        "--python", str(place / "env" / "bin" / "python"), "--constraint", str(constraints), *wanted,
    )  # fmt: skip
    (place / "installed").touch()
    return place / "env"


def find_python(version: str) -> str | None:
    """An interpreter of that version (`3.9`) on this machine that starts: on the PATH, or among pyenv's."""
    on_path = shutil.which(f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    places = [Path(on_path)] if on_path else []
    for place in [*places, *sorted(pyenv.glob(f"{version}.*/bin/python"))]:
        if subprocess.run([place, "-c", ""], capture_output=True, check=False).returncode == 0:
            return str(place)
    return None


def _uv(*words: str) -> None:
    program = shutil.which("uv")
    if program is None:
        raise EvalsError("expected the program uv, found none", next_step="Install it: pip install uv")
    # Behind a proxy that signs its own certificates, the system's store is the one that knows it.
    environ = {"UV_SYSTEM_CERTS": "true", "UV_NATIVE_TLS": "true", **os.environ}
    told = subprocess.run([program, *words], capture_output=True, text=True, check=False, env=environ)
    if told.returncode != 0:
        raise EvalsError(
            f"uv {words[0]} failed: {told.stderr.strip()[-2_000:]}",
            next_step="Is a package index at hand? docs/evals.md, Pairs.",
        )
