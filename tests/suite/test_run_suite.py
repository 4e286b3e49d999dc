"""The project's own test command, run once: what it reports counts, and nothing else."""

import os
import sys
import time
from pathlib import Path

import pytest

from gate.config.model import Suite
from gate.errors import SuiteError
from gate.suite.run import measure, run_suite

PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml={report}")
PASSING = '<testsuite><testcase classname="m" name="t"/></testsuite>'

UNITTEST_WRITER = """\
import sys
import unittest
from xml.sax.saxutils import quoteattr


class Result(unittest.TestResult):
    def startTest(self, test):
        super().startTest(test)
        self.all = [*getattr(self, "all", []), test]


result = Result()
unittest.defaultTestLoader.discover(".", pattern="check_*.py").run(result)
found = {"failure": result.failures, "error": result.errors, "skipped": result.skipped}
with open(sys.argv[1], "w") as report:
    report.write("<testsuite>")
    for test in result.all:
        classname, _, name = test.id().rpartition(".")
        report.write(f"<testcase classname={quoteattr(classname)} name={quoteattr(name)}>")
        for tag, tests in found.items():
            report.writelines(f"<{tag}/>" for other, _ in tests if other is test)
        report.write("</testcase>")
    report.write("</testsuite>")
print("ran", result.testsRun)
sys.exit(not result.wasSuccessful())
"""

UNITTESTS = """\
import unittest


class Checks(unittest.TestCase):
    def test_ok(self):
        pass

    def test_bad(self):
        self.fail("no")

    def test_broken(self):
        raise OSError

    @unittest.skip("later")
    def test_later(self):
        pass
"""


@pytest.fixture
def build(tmp_path):
    folder = tmp_path / "build"
    folder.mkdir()
    return folder


def ran(build, *command, timeout=60.0, **more):
    place = build.parent
    return run_suite(
        Suite(command=command, timeout=timeout),
        build=build,
        home=place / "home",
        report=place / "reports" / "r.xml",
        log=place / "logs" / "r.log",
        **more,
    )


def shell(build, script, **more):
    return ran(build, "sh", "-c", script, "sh", "{report}", **more)


def refused(call, *words, **more):
    with pytest.raises(SuiteError) as caught:
        call(*words, **more)
    return caught.value


def test_a_suite_of_pytest_is_run_and_its_failures_are_a_result(build):
    (build / "test_a.py").write_text(
        "import pytest\ndef test_ok(): pass\n@pytest.mark.parametrize('n', [1, 2])\ndef test_n(n): assert n == 1\n"
    )
    run = ran(build, *PYTEST)
    assert run.outcomes == {"test_a::test_ok": "passed", "test_a::test_n[1]": "passed", "test_a::test_n[2]": "failed"}
    assert "1 failed, 2 passed" in (build.parent / "logs" / "r.log").read_text()


def test_a_suite_of_unittest_is_run(build):
    (build / "write.py").write_text(UNITTEST_WRITER)
    (build / "check_a.py").write_text(UNITTESTS)
    assert ran(build, "{python}", "{build}/write.py", "{report}").outcomes == {
        "check_a.Checks::test_ok": "passed",
        "check_a.Checks::test_bad": "failed",
        "check_a.Checks::test_broken": "error",
        "check_a.Checks::test_later": "skipped",
    }


def test_a_module_that_cannot_be_imported_is_no_data_though_another_ran(build):
    """Reported fault 113, with the traceback."""
    (build / "test_a.py").write_text("def test_ok(): pass\n")
    (build / "test_b.py").write_text("import nowhere_at_all\n")
    error = refused(ran, build, *PYTEST, "--continue-on-collection-errors")
    assert "the tests ended with 1; r.xml: expected every test to be collected, but ::test_b could not be" in error.what
    assert "  | E   ModuleNotFoundError: No module named 'nowhere_at_all'" in error.what
    (build / "test_b.py").write_text("import (\n")
    assert "::test_b could not be" in refused(ran, build, *PYTEST).what


def test_a_unittest_module_that_cannot_be_imported_is_no_data(build):
    (build / "write.py").write_text(UNITTEST_WRITER)
    (build / "check_a.py").write_text(UNITTESTS)
    (build / "check_b.py").write_text("import nowhere_at_all\n")
    error = refused(ran, build, "{python}", "{build}/write.py", "{report}")
    assert "but unittest.loader._FailedTest::check_b could not be" in error.what


def test_no_tests_are_no_data(build):
    """Reported fault 114."""
    error = refused(ran, build, *PYTEST)
    assert "the tests ended with 5; r.xml: expected the results of tests, found none" in error.what


def test_a_missing_tool_that_skips_everything_is_no_data(build):
    """Reported fault 115: pytest itself ends with 0 or 5."""
    (build / "test_a.py").write_text("import pytest\npytest.importorskip('nope')\ndef test_a(): pass\n")
    assert "but all 1 were skipped" in refused(ran, build, *PYTEST).what


def test_a_failing_command_without_a_failing_test_is_no_data(build):
    """Reported fault 112."""
    error = refused(shell, build, f"echo '{PASSING}' >\"$1\"; echo worker crashed >&2; exit 1")
    assert error.diagnostics() == (
        "the tests ended with 1, but no test in their report failed: no data is not clean\n"
        "  | worker crashed\n"
        f"Mend the command of [suite] in gate.toml. The whole output is in {build.parent}/logs/r.log."
    )
    assert "the tests were ended by signal 9" in refused(shell, build, f"echo '{PASSING}' >\"$1\"; kill -9 $$").what


def test_a_failure_in_the_report_counts_whatever_the_exit_status(build):
    failing = PASSING.replace("/></", "><failure/></testcase></")
    assert shell(build, f"echo '{failing}' >\"$1\"; exit 0").outcomes == {"m::t": "failed"}


def test_the_report_of_an_earlier_run_is_not_this_ones(build):
    assert shell(build, f"echo '{PASSING}' >\"$1\"").outcomes == {"m::t": "passed"}
    (build.parent / "home" / "left").touch()
    error = refused(shell, build, 'ls -A "$HOME"; true')
    assert (
        error.what
        == f"the tests ended with 0; they left no report at {build.parent}/reports/r.xml: no data is not clean"
    )


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ('mkdir "$1"', "expected a plain file"),
        ('mkfifo "$1"', "expected a plain file"),
        ('ln -s /etc/hostname "$1"', "expected a report, got: "),
        ('echo hello >"$1"', "r.xml:1:1: expected XML: syntax error"),
    ],
)
def test_what_is_no_report_is_refused(build, script, complaint, no_hang):
    assert complaint in refused(shell, build, script).what


@pytest.mark.slow
def test_a_suite_that_hangs_is_ended_with_all_that_it_started(build, no_hang):
    script = f"echo '{PASSING}' >\"$1\"; (sleep 2; touch late) & echo waiting; sleep 1000"
    error = refused(shell, build, script, timeout=0.5)
    assert error.what == "the tests took longer than 0.5 s: no data is not clean\n  | waiting"
    time.sleep(2.5)
    assert not (build / "late").exists()


def test_what_a_suite_started_does_not_outlive_it(build):
    shell(build, f'echo \'{PASSING}\' >"$1"; sleep 1000 & echo $! >"{build}/pid"')
    pid = (build / "pid").read_text().strip()
    until = time.monotonic() + 10
    while Path(f"/proc/{pid}/stat").exists() and " Z " not in Path(f"/proc/{pid}/stat").read_text():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_tests_see_the_environment_of_a_build(build, monkeypatch):
    for name in ("GIT_DIR", "CI", "SECRET_TOKEN", "PYTEST_ADDOPTS"):
        monkeypatch.setenv(name, "x")
    shell(build, f'echo \'{PASSING}\' >"$1"; env | sort >"{build}/seen"; pwd >"{build}/where"; cat')
    seen = dict(line.split("=", 1) for line in (build / "seen").read_text().splitlines())
    home = str(build.parent / "home")
    assert {name: seen[name] for name in ("HOME", "TMPDIR", "LC_ALL", "TZ", "PATH")} == {
        "HOME": home,
        "TMPDIR": home,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PATH": os.environ["PATH"],
    }
    assert not {"GIT_DIR", "CI", "SECRET_TOKEN", "PYTEST_ADDOPTS"} & seen.keys()
    assert (build / "where").read_text() == f"{build}\n"


def test_a_sandbox_stands_before_the_command(build):
    run = shell(build, f'echo \'{PASSING}\' >"$1"; test "$SANDBOXED" = yes', sandbox_prefix=("env", "SANDBOXED=yes"))
    assert run.outcomes == {"m::t": "passed"}


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ((), "gate.toml: suite.command: expected the command that runs the tests, found none"),
        (("pytest",), "gate.toml: suite.command: expected {report} in one of its words, found it in none"),
        (
            (*PYTEST, "--reruns=3"),
            "gate.toml: suite.command: expected each test to run once, got --reruns=3: a pass on a retry hides a failure",
        ),
        (
            (*PYTEST, "--retries", "2"),
            "gate.toml: suite.command: expected each test to run once, got --retries: a pass on a retry hides a failure",
        ),
        (("no-such-program", "{report}"), "the tests cannot start: no-such-program: No such file or directory"),
    ],
)
def test_a_command_that_cannot_count_is_refused(build, command, complaint):
    assert refused(ran, build, *command).what == complaint


def test_a_measurement_is_ten_runs_and_ends_with_the_first_that_is_no_data(build):
    numbers = []

    def run_once(number):
        numbers.append(number)
        broken = "F" * (number == 3) + "." * (number != 3)
        return shell(
            build, f"echo '{PASSING.replace('/></', '><failure/></testcase></') if broken == 'F' else PASSING}' >\"$1\""
        )

    assert [(row.failures, row.passes) for row in measure(run_once).rows] == [(1, 9)]
    assert numbers == list(range(1, 11))
    numbers.clear()

    def fails(number):
        numbers.append(number)
        return shell(build, "true" if number == 4 else f"echo '{PASSING}' >\"$1\"")

    assert "they left no report" in refused(measure, fails).what
    assert numbers == [1, 2, 3, 4]
