"""`gate suite` at the command line: a flaky suite is measured on the baseline, and its leases are written."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from gate.cli.suite import register

HEADER = (
    "# Leases of flaky example tests, written by `gate suite`; docs/quarantine.md.\n"
    "# id, since, until, failures/runs, separated by tabs; a date is valid through the end of that day in UTC, with no grace after it.\n"
)
TOML = """\
version = 1
[program]
[build]
command = {build}
[suite]
command = ["{python}", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml={{report}}"]
"""
TESTS = """\
from pathlib import Path

COUNTER = Path({counter!r})


def number():
    return int(COUNTER.read_text())


def test_first():
    COUNTER.write_text(str(number() + 1))


def test_flips():
    assert number() % 3


def test_writes_into_the_build():
    assert not Path("left").exists()
    Path("left").touch()


"""
STABLE = "def test_broken():\n    assert 0\n"
ONCE = "def test_once():\n    assert number() != 4\n"
ROW = '<testcase classname="m" name="{}">{}</testcase>'


def report(**tests):
    rows = [ROW.format(name, "<failure/>" if failed else "") for name, failed in tests.items()]
    return f"<testsuite>{''.join(rows)}</testsuite>"


class Bench:
    """A project, its baseline, and the counter outside of both."""

    def __init__(self, root: Path) -> None:
        self.root = root / "project"
        self.build = root / "old"
        self.counter = root / "counter"
        self.file = self.root / "gate" / "quarantine.txt"
        self.root.mkdir()
        self.build.mkdir()
        self.toml()

    def toml(self, build="[]"):
        (self.root / "gate.toml").write_text(TOML.format(python=sys.executable, build=build))

    def tests(self, extra=""):
        self.counter.write_text("0")
        (self.build / "test_some.py").write_text(TESTS.format(counter=str(self.counter)) + extra)

    def reports(self, *texts):
        files = []
        for number, text in enumerate(texts):
            files.append(str(self.root.parent / f"r{number}.xml"))
            Path(files[-1]).write_text(text)
        return files

    def gate(self, *words):
        app = typer.Typer(pretty_exceptions_enable=False)
        register(app)
        result = CliRunner().invoke(
            app, ["--project", str(self.root), "--sandbox", "off", *words], catch_exceptions=False
        )
        return result.exit_code, result.stdout, result.stderr

    def leases(self):
        """The lines below the header, today and the last day by name."""
        text = self.file.read_text()
        assert text.startswith(HEADER)
        today = datetime.now(UTC).date()
        return text[len(HEADER) :].replace(str(today), "TODAY").replace(str(today + timedelta(days=7)), "IN 7 DAYS")


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


@pytest.mark.slow
def test_a_flaky_test_is_measured_and_the_suite_is_clean_with_its_lease(bench):
    bench.tests()
    code, out, err = bench.gate("--baseline", str(bench.build))
    assert bench.leases() == "test_some::test_flips\tTODAY\tIN 7 DAYS\t3/10\n"
    assert out.splitlines()[0].split() == ["test", "failures", "rate", "(95", "%)", "decision"]
    assert "test_some::test_flips       3/10   30 % (11 % to 60 %)   quarantine: fails and passes on one build" in out
    assert "2 tests passed whenever they ran in 10 runs, 1 did not\n" in out
    assert out.endswith(
        "10 runs miss a test that fails in 5 % of its runs with probability 0.60 (0.95^10); "
        "a test that passed all 10 may still fail in up to 26 % of them (one-sided 95 % bound).\n"
    )
    assert code == 0
    assert err == (f"quarantine: {bench.file}: 1 lease\nreports and logs: {bench.root}/.gate/runs/0001\n")
    assert sorted(path.name for path in bench.build.iterdir()) == ["test_some.py"]
    kept = sorted(path.name for path in (bench.root / ".gate" / "runs" / "0001").iterdir())
    assert kept == [f"suite-{number:02d}.{kind}" for number in range(1, 11) for kind in ("log", "xml")]


@pytest.mark.slow
def test_a_stable_failure_and_a_single_one_block_and_get_no_lease(bench):
    bench.tests(STABLE + ONCE)
    code, out, _ = bench.gate("--baseline", str(bench.build), "--format", "json")
    told = json.loads(out)
    assert {test["id"]: (test["failures"], test["decision"]) for test in told["tests"]} == {
        "test_some::test_broken": (10, "stable failure"),
        "test_some::test_first": (0, "clean"),
        "test_some::test_flips": (3, "quarantine"),
        "test_some::test_once": (1, "failed once"),
        "test_some::test_writes_into_the_build": (0, "clean"),
    }
    assert [lease["id"] for lease in told["quarantine"]] == ["test_some::test_flips"]
    assert (code, told["exit_code"]) == (1, 1)


@pytest.mark.slow
def test_the_tests_run_in_a_build_and_a_kept_one_serves_again(bench):
    bench.tests("def test_built():\n    assert Path('built').read_text() == 'one\\n'\n")
    bench.toml(build='["sh", "-c", "echo one >> built"]')
    assert bench.gate("--baseline", str(bench.build))[0] == 0
    bench.counter.write_text("0")
    assert bench.gate("--baseline", str(bench.build))[0] == 0


@pytest.mark.slow
def test_the_tree_of_a_commit_is_measured_and_the_work_tree_gets_the_file(tmp_path):
    bench = Bench(tmp_path)
    bench.build = bench.root
    bench.tests()
    (bench.root / ".gitignore").write_text(".gate/\n")
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "base"]):
        identity = ["-c", "user.name=A", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(bench.root), *identity, *words], check=True)
    (bench.root / "test_some.py").write_text("not committed")
    code, _, err = bench.gate("--base", "main")
    assert bench.leases() == "test_some::test_flips\tTODAY\tIN 7 DAYS\t3/10\n"
    assert code == 0
    assert err.startswith("note: the work tree has changes that are not committed")
    assert bench.gate("--base", "nope")[0] == 2


def test_existing_reports_are_counted_and_only_the_last_ten(bench):
    flaky = [report(a=number < 4, b=False) for number in range(12)]
    code, _, err = bench.gate("--junit", *bench.reports(*flaky))
    assert code == 0
    assert bench.leases() == "m::a\tTODAY\tIN 7 DAYS\t2/10\n"
    assert err == (
        f"note: 12 reports were given; the last 10 count, from {bench.root.parent}/r2.xml on\n"
        f"quarantine: {bench.file}: 1 lease\n"
    )


def test_a_measurement_without_flaky_tests_writes_no_file(bench):
    code, out, err = bench.gate("--junit", *bench.reports(*[report(a=False)] * 10))
    assert (code, err) == (0, f"quarantine: {bench.file}: 0 leases\n")
    assert out.startswith("1 test passed whenever it ran in 10 runs, 0 did not\n")
    assert not bench.file.exists()


def test_a_lease_that_is_no_longer_earned_ends_and_the_file_says_so(bench):
    bench.gate("--junit", *bench.reports(*[report(a=number < 2, b=False) for number in range(10)]))
    code, out, _ = bench.gate("--junit", *bench.reports(*[report(a=number < 1, b=False) for number in range(10)]))
    assert code == 1
    assert "lease ended, measured again: m::a\n" in out
    assert "failed once: not enough for a lease, so that it goes on blocking" in " ".join(out.split())
    assert bench.leases() == ""


def test_the_same_reports_give_the_same_bytes(bench):
    files = bench.reports(*[report(a=number < 4, b=number % 2, c=True) for number in range(10)])
    first = bench.gate("--junit", *files)
    file = bench.file.read_bytes()
    second = bench.gate("--junit", *files)
    assert first[0] == second[0] == 1
    assert bench.file.read_bytes() == file
    said = bench.gate("--junit", *files, "--format", "json")
    assert said == bench.gate("--junit", *files, "--format", "json")
    assert json.loads(said[1])["renewed"] == ["m::a", "m::b"]


@pytest.mark.parametrize("count", [0, 9])
def test_fewer_than_ten_reports_are_2(bench, count):
    assert bench.gate("--junit", *bench.reports(*[report(a=False)] * count)) == (
        2,
        "",
        f"error: the quarantine rule needs 10 consecutive runs, got {count}: there is no decision\n"
        "Run the suite 10 times on the baseline: gate suite --baseline DIR\n",
    )


def test_one_report_ten_times_is_no_ten_runs(bench):
    (file,) = bench.reports(report(a=False))
    code, _, err = bench.gate("--junit", *[file] * 10)
    assert code == 2
    assert err.startswith(f"error: {file}: expected a report a run, but {file} is the same file\n")


def test_a_report_that_cannot_be_read_is_2_and_nothing_is_written(bench):
    files = bench.reports(*[report(a=number < 2, b=False) for number in range(10)])
    Path(files[4]).write_text("<testsuite/>")
    code, out, err = bench.gate("--junit", *files)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {files[4]}: expected the results of tests, found none: no data is not clean\n")
    Path(files[4]).unlink()
    assert bench.gate("--junit", *files)[2].startswith(
        f"error: {files[4]}: expected a JUnit XML report, got: No such file"
    )
    assert not bench.file.exists()


def test_a_quarantine_that_cannot_be_read_is_2_and_stays_as_it_was(bench):
    bench.file.parent.mkdir()
    bench.file.write_text("<<<<<<< HEAD\n")
    code, _, err = bench.gate("--junit", *bench.reports(*[report(a=number < 2, b=False) for number in range(10)]))
    assert code == 2
    assert err.startswith(
        f"error: {bench.file}:1: expected a lease, got the mark of a merge conflict: '<<<<<<< HEAD'\n"
    )
    assert bench.file.read_text() == "<<<<<<< HEAD\n"


def test_a_twenty_first_lease_is_2_and_nothing_is_written(bench):
    """Reported fault 123."""
    names = [f"t{number}" for number in range(21)]
    runs = [report(b=False, **dict.fromkeys(names, number < 2)) for number in range(10)]
    code, _, err = bench.gate("--junit", *bench.reports(*runs))
    assert (code, err.splitlines()[0]) == (
        2,
        "error: the quarantine would hold 21 leases, at most 20 are allowed",
    )
    assert not bench.file.exists()


@pytest.mark.parametrize(
    ("words", "got"),
    [
        ((), "expected one source of runs, got none"),
        (("--baseline", "x", "--base", "y"), "expected one source of runs, got 2"),
        (("--baseline", "x", "--junit"), "expected one source of runs, got 2"),
        (("--baseline", "x", "r.xml"), "expected no files without --junit, got 1"),
    ],
)
def test_one_source_of_runs_is_named(bench, words, got):
    code, out, err = bench.gate(*words)
    assert (code, out, err.splitlines()[0]) == (2, "", f"error: {got}")


@pytest.mark.slow
def test_a_suite_that_finds_no_tests_is_2(bench):
    """Reported fault 114."""
    (bench.build / "program").touch()
    code, out, err = bench.gate("--baseline", str(bench.build))
    assert (code, out) == (2, "")
    assert "the tests ended with 5; suite-01.xml: expected the results of tests, found none" in err
    (bench.root / "gate.toml").write_text("version = 1\n[program]\n")
    code, _, err = bench.gate("--baseline", str(bench.build))
    assert code == 2
    assert err.startswith("error: gate.toml: suite.command: expected the command that runs the tests, found none\n")
