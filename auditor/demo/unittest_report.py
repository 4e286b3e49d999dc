"""Run the tests of one file and report which of them passed, by name.

Started as a script in a process of its own, so that two builds of one module never meet:
`python -I -B unittest_report.py BUILD TEST_FILE REPORT NONCE`.
"""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path


class Passed(unittest.TestResult):
    """A result that also keeps the names of the tests that passed."""

    def __init__(self) -> None:
        super().__init__()
        self.passed: list[str] = []

    def addSuccess(self, test: unittest.TestCase) -> None:
        """Keep the name of a test that passed; a skipped or expectedly failing one never comes here."""
        super().addSuccess(test)
        self.passed.append(test.id())


def main(build: str, test_file: str, report: str, nonce: str) -> None:
    """Write `{"nonce", "run", "passed"}` to `report` once every test has run, and what failed to standard error.

    A crash leaves no report.
    """
    file = Path(test_file)
    sys.path[:0] = [build, str(file.parent)]
    result = Passed()
    unittest.defaultTestLoader.loadTestsFromName(file.stem).run(result)
    sys.stderr.writelines(trace for _, trace in [*result.failures, *result.errors])
    data = {"nonce": nonce, "run": result.testsRun, "passed": sorted(result.passed)}
    Path(report).write_text(json.dumps(data), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
