"""The text of `quarantine.txt`: read strictly, written the same way for the same leases.

No totals and one sorted line a lease, so that two branches merge (reported fault 98).
"""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import NoReturn

from gate.errors import SuiteError
from gate.policy.wording import EXPIRY_SENTENCE
from gate.suite.quarantine import MAX_LEASES, Lease, Quarantine
from gate.suite.results import TestId
from gate.suite.rule import RUNS

HEADER = (
    "# Leases of flaky example tests, written by `gate suite`; docs/quarantine.md.\n"
    f"# id, since, until, failures/runs, separated by tabs; {EXPIRY_SENTENCE}.\n"
)
"""The lines above the leases."""

_COLUMNS = 4
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COUNTS = re.compile(r"([0-9]{1,3})/([0-9]{1,3})")
_CONFLICT = re.compile(r"(<{7}|\|{7}|={7}|>{7})(?: |$)")
_NEXT_STEP = "Restore the file, or delete the line: the test then blocks until it is measured again with gate suite."


def read_quarantine(path: Path) -> Quarantine:
    """The leases in the file; no file holds none. Raises SuiteError naming file and line."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Quarantine()
    except OSError as error:
        raise SuiteError(
            f"{path}: expected a readable file, got: {error.strerror}",
            next_step="Make it a plain file that can be read.",
        ) from error
    return parse_quarantine(data, name=str(path))


def parse_quarantine(data: bytes, *, name: str = "quarantine.txt") -> Quarantine:
    """The leases that the bytes of a file say, sorted; an empty file holds none. Raises SuiteError naming `name` and the line.

    Refused: anything but header lines above and leases below, carriage returns, merge conflicts, dates or counts that the rule
    cannot give, an id twice, more than `MAX_LEASES` lines.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        _fail(name, data[: error.start].count(b"\n") + 1, f"expected UTF-8, got the byte 0x{data[error.start]:02x}")
    lines = text.split("\n")
    if lines.pop():
        _fail(name, len(lines) + 1, "expected a line end, got the end of the file: it was cut short")
    found: dict[TestId, tuple[int, Lease]] = {}
    for number, line in enumerate(lines, start=1):
        lease = _line(name, number, line, header=not found)
        if lease is None:
            continue
        if lease.test in found:
            _fail(name, number, f"expected each test once, but line {found[lease.test][0]} has {lease.test}, too")
        found[lease.test] = (number, lease)
        if len(found) > MAX_LEASES:
            _fail(
                name,
                number,
                f"expected at most {MAX_LEASES} leases, got more: a longer list hides the state of the suite",
            )
    return Quarantine(leases=tuple(found[test][1] for test in sorted(found)))


def render_quarantine(quarantine: Quarantine) -> bytes:
    """The bytes of the file. `parse_quarantine` gives the same leases back."""
    lines = [f"{lease.test}\t{lease.since}\t{lease.until}\t{lease.failures}/{RUNS}\n" for lease in quarantine.leases]
    return (HEADER + "".join(lines)).encode()


def _line(name: str, number: int, line: str, *, header: bool) -> Lease | None:
    """The lease of a line, or None for a header line."""
    if "\r" in line:
        _fail(name, number, "expected lines that end in LF, got a carriage return")
    if "\t" not in line and _CONFLICT.match(line):
        _fail(name, number, f"expected a lease, got the mark of a merge conflict: {line[:40]!a}")
    if header and line.startswith("#") and "\t" not in line:
        return None
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        got = f"{len(columns)} columns" if line else "an empty line"
        _fail(name, number, f"expected id, since, until and failures/runs separated by tabs, got {got}")
    test, since, until, counts = columns
    if "::" not in test or not test.isprintable():
        _fail(name, number, f"expected an id classname::name, got {test[:80]!a}")
    try:
        return Lease(
            test=TestId(test),
            since=_day(name, number, "since", since),
            until=_day(name, number, "until", until),
            failures=_failures(name, number, counts),
        )
    except ValueError as error:
        _fail(name, number, f"{test}: {error}")


def _day(name: str, number: int, key: str, text: str) -> date:
    try:
        if not _DATE.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        _fail(name, number, f"{key}: expected a day YYYY-MM-DD ({EXPIRY_SENTENCE}), got {text[:40]!a}")


def _failures(name: str, number: int, text: str) -> int:
    counts = _COUNTS.fullmatch(text)
    if counts is None or int(counts[2]) != RUNS or text != f"{int(counts[1])}/{RUNS}":
        _fail(name, number, f"failures/runs: expected N/{RUNS}, got {text[:40]!a}")
    return int(counts[1])


def _fail(name: str, number: int, what: str) -> NoReturn:
    raise SuiteError(f"{name}:{number}: {what}", next_step=_NEXT_STEP)
