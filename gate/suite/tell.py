"""What a measurement, or a verdict on the candidate's tests, says: lines for a person, and JSON for a program."""

from __future__ import annotations

import io

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gate.policy.wording import EXPIRY_SENTENCE
from gate.suite.quarantine import Renewal
from gate.suite.results import TestId
from gate.suite.rule import RUNS, SENTENCES, Decision, Measurement, Row, interval, percent, power_sentence
from gate.suite.verdict import SuiteVerdict

_DIGITS = 4


class MeasuredTest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One test in the JSON of `gate suite`."""

    id: str
    failures: int
    passes: int
    skips: int
    missing: int
    rate: float | None
    """Failures among the runs that executed it; null where none did."""
    interval: tuple[float, float]
    """95 %, Wilson."""
    decision: Decision


class MeasuredLease(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One lease in the JSON of `gate suite`."""

    id: str
    since: str
    until: str
    failures: int
    runs: int


class MeasuredSuite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The JSON of `gate suite`."""

    runs: int
    tests: tuple[MeasuredTest, ...]
    repeated: tuple[str, ...]
    quarantine: tuple[MeasuredLease, ...]
    added: tuple[str, ...]
    renewed: tuple[str, ...]
    ended: tuple[str, ...]
    expired: tuple[str, ...]
    kept: tuple[str, ...]
    exit_code: int


def as_json(measurement: Measurement, renewal: Renewal, *, exit_code: int) -> str:
    """The measurement for a program; every test is in it. The same bytes for the same values; no trailing newline."""
    told = MeasuredSuite(
        runs=RUNS,
        tests=tuple(_test(row) for row in measurement.rows),
        repeated=measurement.repeated,
        quarantine=tuple(
            MeasuredLease(
                id=lease.test, since=str(lease.since), until=str(lease.until), failures=lease.failures, runs=RUNS
            )
            for lease in renewal.quarantine.leases
        ),
        added=renewal.added,
        renewed=renewal.renewed,
        ended=renewal.ended,
        expired=renewal.expired,
        kept=renewal.kept,
        exit_code=exit_code,
    )
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode()


def as_text(measurement: Measurement, renewal: Renewal, *, width: int, colour: bool) -> str:
    """The measurement for a person: a table of the tests that are not clean, what changed in the quarantine, and what 10 runs cannot
    see. At most `width` columns where ids allow; no trailing newline.
    """
    rows = [row for row in measurement.rows if row.decision != "clean"]
    clean = len(measurement.rows) - len(rows)
    parts = [_table(rows, width=width, colour=colour)] if rows else []
    parts.append(
        f"{_tests(clean)} passed whenever {'it' if clean == 1 else 'they'} ran in {RUNS} runs, {len(rows)} did not"
    )
    parts += [f"{name}: {', '.join(ids)}" for name, ids in _named(measurement, renewal) if ids]
    parts += [
        f"lease: {lease.test} until {lease.until} ({lease.failures}/{RUNS}); {EXPIRY_SENTENCE}"
        for lease in renewal.quarantine.leases
    ]
    return "\n".join([*parts, power_sentence()])


def verdict_lines(verdict: SuiteVerdict) -> tuple[str, ...]:
    """The verdict on the candidate's tests for a person. Quarantined tests are one line, with the oldest lease (reported fault 123)."""
    excused = ", ".join(lease.test for lease in verdict.excused)
    lines = [
        f"example tests: {verdict.tests} ({verdict.passed} passed, {verdict.failed} failed, {verdict.skipped} skipped)",
        *(f"blocking: {test} failed, and no lease protects it" for test in verdict.blocking),
    ]
    if verdict.in_force:
        oldest = max((verdict.today - lease.since).days for lease in verdict.in_force)
        failed = f"; failed without blocking: {excused}" if excused else "; none of them failed"
        lines.append(f"quarantined: {_tests(len(verdict.in_force))}, the oldest for {oldest} days{failed}")
    lines += [
        f"lease expired: {lease.test} was protected until {lease.until}, and is no longer; {EXPIRY_SENTENCE}"
        for lease in verdict.expired
    ]
    lines += [f"lease of a test that no longer runs: {lease.test}" for lease in verdict.unrun]
    lines += [f"reported more than once, the worst outcome counts: {test}" for test in verdict.repeated]
    return tuple(lines)


def _named(measurement: Measurement, renewal: Renewal) -> tuple[tuple[str, tuple[TestId, ...]], ...]:
    return (
        ("absent from some runs", tuple(row.test for row in measurement.incomplete)),
        ("reported more than once in a run, the worst outcome counts", measurement.repeated),
        ("lease ended, measured again", renewal.ended),
        ("lease expired, not measured again", renewal.expired),
        ("lease of a test that no longer runs, kept until its date", renewal.kept),
    )


def _table(rows: list[Row], *, width: int, colour: bool) -> str:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("test", overflow="fold")
    table.add_column("failures", justify="right", no_wrap=True)
    table.add_column("rate (95 %)", justify="right", no_wrap=True)
    table.add_column("decision", overflow="fold")
    for row in rows:
        low, high = interval(row.failures, row.executed)
        rate = (
            f"{percent(row.failures / row.executed)} ({percent(low)} to {percent(high)})" if row.executed else "unknown"
        )
        words = Text(f"{row.decision}: {SENTENCES[row.decision]}", style="red" if row.blocks else "yellow")
        table.add_row(Text(row.test), f"{row.failures}/{RUNS}", rate, words)
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, no_color=not colour, color_system="standard" if colour else None
    )
    console.print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def _test(row: Row) -> MeasuredTest:
    low, high = interval(row.failures, row.executed)
    return MeasuredTest(
        id=row.test,
        failures=row.failures,
        passes=row.passes,
        skips=row.skips,
        missing=row.missing,
        rate=round(row.failures / row.executed, _DIGITS) if row.executed else None,
        interval=(round(low, _DIGITS), round(high, _DIGITS)),
        decision=row.decision,
    )


def _tests(count: int) -> str:
    return "1 test" if count == 1 else f"{count} tests"
