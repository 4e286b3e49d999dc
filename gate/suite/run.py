"""Running the example tests: one process tree, one report, once."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

from gate.config.model import Suite
from gate.errors import SuiteError
from gate.files import write_atomically
from gate.replay.build import build_environment, expand, is_missing
from gate.replay.keeper import end, kept
from gate.replay.place import remove
from gate.suite.junit import MAX_BYTES, parse_report
from gate.suite.results import FAILURES, SuiteRun
from gate.suite.rule import RUNS, Measurement, tally

REPORT = "{report}"
"""The word of the command that stands for the report's path."""

_RERUNS = ("--reruns", "--retries")
_STOPS = (
    "-x",
    "--exitfirst",
    "--maxfail",
    "--sw",
    "--stepwise",
    "--stepwise-skip",
    "--failfast",
    "-f",
    "--bail",
    "--ff",
    "--lf",
)
"""Words of pytest and others that end a run at a failure, or choose the tests by an earlier run."""
_SIGNALLED = 128
"""A sandbox and a shell give 128 + N for a process that signal N ended."""
_TAIL_BYTES = 8192
_TAIL_LINES = 12
_MEND = "Mend the command of [suite] in gate.toml."


def require_command(suite: Suite) -> None:
    """Raise SuiteError for a `[suite]` that cannot be run: no command, nowhere to report to, or failures that are run again."""
    if not suite.command:
        raise SuiteError(
            "gate.toml: suite.command: expected the command that runs the tests, found none",
            next_step='Write one, e.g. ["{python}", "-m", "pytest", "--junitxml={report}"].',
        )
    if not any(REPORT in word for word in suite.command):
        raise SuiteError(
            f"gate.toml: suite.command: expected {REPORT} in one of its words, found it in none",
            next_step="Let the tests write JUnit XML there: the report is what counts, not the exit status.",
        )
    for word in suite.command:
        if word.partition("=")[0] in _RERUNS:
            raise SuiteError(
                f"gate.toml: suite.command: expected each test to run once, got {word}: a pass on a retry hides a failure",
                next_step="Leave the word out; a flaky test belongs in the quarantine: gate suite --baseline DIR",
            )
        if word.partition("=")[0] in _STOPS:
            raise SuiteError(
                f"gate.toml: suite.command: expected every test to run, got {word}: a leased failure would hide the tests after it",
                next_step="Leave the word out.",
            )


def run_suite(
    suite: Suite, *, build: Path, home: Path, report: Path, log: Path, sandbox_prefix: tuple[str, ...] = ()
) -> SuiteRun:
    """Run the command of `suite` once in the folder `build`, and read the JUnit XML that it writes to `report`.

    What stood at `report` and `home` before is removed; output goes to `log`. The environment is that of a build. Tests may write
    into `build`: give a copy of its own to each run. An exit status other than 0 is normal where a test failed.

    Raises SuiteError, with the log's last lines: the command does not start, takes longer than `suite.timeout`, is ended by a
    signal, leaves no report that can be read, or fails though no test in its report did (reported fault 112).
    """
    require_command(suite)
    _fresh(home, report, log)
    argv = [expand(word, build=build).replace(REPORT, str(report)) for word in suite.command]
    status = _run(
        [*sandbox_prefix, *argv] if sandbox_prefix else kept(argv),
        argv[0],
        suite.timeout,
        build=build,
        home=home,
        log=log,
    )
    if status is None:
        raise _failed(f"the tests took longer than {suite.timeout:g} s", log)
    if status < 0 or status > _SIGNALLED:
        raise _failed(f"the tests were ended by signal {-status if status < 0 else status - _SIGNALLED}", log)
    try:
        run = parse_report(_read(report), name=report.name)
    except SuiteError as error:
        raise _failed(f"the tests ended with {status}; {error.what}", log, next_step=error.next_step) from error
    if status != 0 and run.count(*FAILURES) == 0:
        raise _failed(f"the tests ended with {status}, but no test in their report failed", log)
    return run


def keep_report(report: Path, kept: Path) -> None:
    """Copy a report that can be read to where the run's other files are; nothing where there is none."""
    with contextlib.suppress(SuiteError):
        write_atomically(kept, _read(report))


def measure(run_once: Callable[[int], SuiteRun]) -> Measurement:
    """Run the suite `RUNS` times, one after the other, and count. `run_once` is called with 1, 2, …; what it raises ends the measuring."""
    return tally(tuple(run_once(number) for number in range(1, RUNS + 1)))


def _fresh(home: Path, report: Path, log: Path) -> None:
    """Nothing that an earlier run left may be taken for what this one says."""
    report.unlink(missing_ok=True)
    remove(os.fsencode(home))
    for folder in (home, report.parent, log.parent):
        folder.mkdir(parents=True, exist_ok=True)


def _run(argv: list[str], word: str, timeout: float, *, build: Path, home: Path, log: Path) -> int | None:
    """The exit status; None after `timeout` seconds. `word` names the program."""
    env = build_environment(os.environ, (), home=home)
    with log.open("wb") as output:
        try:
            if is_missing(word, place=build, path=env["PATH"]):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), word)
            process = subprocess.Popen(
                argv,
                cwd=build,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise SuiteError(
                f"the tests cannot start: {word}: {error.strerror}",
                next_step="Mend the command of [suite] in gate.toml, or install what it needs.",
            ) from error
        try:
            return process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None
        finally:
            end(process)


def _read(report: Path) -> bytes:
    """The report, a plain file of its own: the tests may have put anything there."""
    try:
        handle = os.open(report, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise SuiteError(f"they left no report at {report}", next_step=_MEND) from None
    except OSError as error:
        raise SuiteError(f"{report}: expected a report, got: {error.strerror}", next_step=_MEND) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise SuiteError(f"{report}: expected a plain file", next_step=_MEND)
    with os.fdopen(handle, "rb") as stream:
        return stream.read(MAX_BYTES + 1)


def _failed(what: str, log: Path, *, next_step: str = _MEND) -> SuiteError:
    lines = _end_of(log).decode("utf-8", "backslashreplace").splitlines()
    told = "\n".join(f"  | {line}" for line in lines[-_TAIL_LINES:])
    return SuiteError(
        f"{what}: no data is not clean" + (f"\n{told}" if told else ""),
        next_step=f"{next_step} The whole output is in {log}.",
    )


def _end_of(log: Path) -> bytes:
    """The last bytes; a log may be large."""
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - _TAIL_BYTES))
        return stream.read(_TAIL_BYTES)
