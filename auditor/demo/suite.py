"""The example tests that came with the patch, run on one build. Green is what a report names, never an exit status."""

from __future__ import annotations

import ast
import json
import secrets
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from auditor.errors import DemoError

_REPORTER = Path(__file__).parent / "unittest_report.py"
_SECONDS = 120
_NEXT_STEP = "Put the shipped files back: auditor demo --force"


def expected_tests(test_file: Path) -> tuple[str, ...]:
    """The ids of the tests that stand in a unittest file, sorted: `module.Class.test_name`. Read, not run."""
    module = ast.parse(test_file.read_bytes(), filename=str(test_file))
    return tuple(
        sorted(
            f"{test_file.stem}.{case.name}.{test.name}"
            for case in module.body
            if isinstance(case, ast.ClassDef)
            for test in case.body
            if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
        )
    )


def green_tests(build: Path, test_file: Path) -> int:
    """How many tests passed on `build`: all that stand in the file, and at least one.

    Raises DemoError when a single one did not pass, was skipped, or left no proof that it ran.
    """
    expected = expected_tests(test_file)
    if not expected:
        raise DemoError(f"{test_file}: expected tests, found none", next_step=_NEXT_STEP)
    nonce = secrets.token_hex(16)
    with TemporaryDirectory(prefix="auditor-demo-") as scratch:
        report = Path(scratch) / "report.json"
        said = _run(build, test_file, report, nonce)
        proof = json.loads(report.read_bytes()) if report.is_file() else None
    if proof == {"nonce": nonce, "run": len(expected), "passed": list(expected)}:
        return len(expected)
    passed = set(proof["passed"]) if proof else set()
    missing = ", ".join(name for name in expected if name not in passed) or "none"
    raise DemoError(
        f"{build.name}: expected {len(expected)} green tests, got {len(passed)}; not green: {missing}\n{said}".rstrip(),
        next_step=_NEXT_STEP,
    )


def _run(build: Path, test_file: Path, report: Path, nonce: str) -> str:
    """Run the reporter and give what it said on standard error."""
    command = [
        sys.executable,
        "-I",
        "-B",
        *map(str, (_REPORTER, build.absolute(), test_file.absolute(), report)),
        nonce,
    ]
    try:
        done = subprocess.run(
            command, cwd=report.parent, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise DemoError(
            f"{build.name}: expected the example tests to end within {_SECONDS} s, they did not", next_step=_NEXT_STEP
        ) from error
    return done.stderr.decode("utf-8", "backslashreplace").strip()
