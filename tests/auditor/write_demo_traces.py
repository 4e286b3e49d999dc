"""Write the demo's golden.trace and patched.trace afresh from its two builds: `python tests/auditor/write_demo_traces.py`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "auditor" / "demo" / "project"
SIDES = {"golden.trace": "baseline", "patched.trace": "candidate"}


def trace(side: str, project: Path = PROJECT) -> bytes:
    """What one build prints on the frozen corpus, one process a case. Raises CalledProcessError when it fails or complains."""
    _, *cases = (project / "gate" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    return b"".join(_replayed(project / side / "kv.py", json.loads(line)) for line in cases)


def _replayed(program: Path, case: dict) -> bytes:
    steps = [
        {"case": case["id"], "step": number, "argv": step["argv"], "stdin": None, "env": {}}
        for number, step in enumerate(case["steps"], start=1)
    ]
    lines = "".join(json.dumps(step) + "\n" for step in steps).encode()
    done = subprocess.run([sys.executable, "-B", "-E", "-s", program], input=lines, capture_output=True, check=True)
    if done.stderr:
        raise subprocess.CalledProcessError(done.returncode, done.args, done.stdout, done.stderr)
    return done.stdout


if __name__ == "__main__":
    for name, side in SIDES.items():
        (PROJECT / name).write_bytes(trace(side))
