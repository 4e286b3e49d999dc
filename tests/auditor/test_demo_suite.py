from __future__ import annotations

from pathlib import Path

import pytest

from auditor.demo.folder import SHIPPED
from auditor.demo.suite import expected_tests, green_tests
from auditor.errors import DemoError

NINE = SHIPPED / "tests" / "test_kv.py"

TWO_TESTS = """\
import unittest
import build

class T(unittest.TestCase):
    def test_one(self):
        self.assertEqual(build.NUMBER, 1)
    def test_two(self):
        pass
"""


def project(folder: Path, build: str, tests: str = TWO_TESTS) -> tuple[Path, Path]:
    side = folder / "candidate"
    side.mkdir()
    (side / "build.py").write_text(build)
    test_file = folder / "test_it.py"
    test_file.write_text(tests)
    return side, test_file


@pytest.mark.parametrize("side", ["baseline", "candidate"])
def test_all_nine_tests_are_green_on_both_builds(side):
    assert green_tests(SHIPPED / side, NINE) == 9
    assert len(expected_tests(NINE)) == 9


def test_running_the_tests_leaves_no_file_behind(tmp_path):
    side, test_file = project(tmp_path, "NUMBER = 1\n")
    assert green_tests(side, test_file) == 2
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["build.py", "candidate", "test_it.py"]


@pytest.mark.parametrize(
    ("build", "said"),
    [
        ("NUMBER = 2\n", "expected 2 green tests, got 1; not green: test_it.T.test_one\n"),
        (
            "import sys; sys.exit(0)\n",
            "expected 2 green tests, got 0; not green: test_it.T.test_one, test_it.T.test_two",
        ),
        (
            "import os; os._exit(0)\n",
            "expected 2 green tests, got 0; not green: test_it.T.test_one, test_it.T.test_two",
        ),
        ("import unittest; raise unittest.SkipTest('later')\n", "expected 2 green tests, got 0; not green: "),
    ],
)
def test_an_exit_status_of_zero_proves_nothing(tmp_path, build, said):
    """Fault 82."""
    with pytest.raises(DemoError) as error:
        green_tests(*project(tmp_path, build))
    assert error.value.what.startswith(f"candidate: {said}")


@pytest.mark.parametrize("mark", ["@unittest.skip('later')", "@unittest.expectedFailure"])
def test_a_test_that_was_skipped_or_expected_to_fail_is_not_green(tmp_path, mark):
    """Fault 85."""
    tests = TWO_TESTS.replace("    def test_two", f"    {mark}\n    def test_two").replace("pass", "self.fail()")
    with pytest.raises(DemoError) as error:
        green_tests(*project(tmp_path, "NUMBER = 1\n", tests))
    assert error.value.what == "candidate: expected 2 green tests, got 1; not green: test_it.T.test_two"


def test_a_file_without_tests_is_not_green(tmp_path):
    """Fault 114."""
    side, test_file = project(tmp_path, "", "import unittest\n")
    with pytest.raises(DemoError) as error:
        green_tests(side, test_file)
    assert error.value.what == f"{test_file}: expected tests, found none"
