"""Write prompts/manifest.json afresh: `python tests/prompts/write_manifest.py`. A released version is never edited: add the next one."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

PROMPTS = Path(__file__).parents[2] / "prompts"


def manifest(folder: Path = PROMPTS) -> str:
    """What the manifest of a folder of prompts has to be."""
    files = {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path != folder / "manifest.json"
    }
    return json.dumps({"version": 1, "sha256": files}, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    (PROMPTS / "manifest.json").write_text(manifest(), encoding="utf-8")
