"""Steps and corpora that prove nothing, whatever the candidate does: the baseline itself could not do them."""

from __future__ import annotations

from collections.abc import Sequence

from gate.config.model import Program
from gate.diff.canonical import canonicalise
from gate.diff.noise import Noise
from gate.domain import Case, Record
from gate.errors import ReplayError
from gate.replay.store import Run

_CUT_SHORT = {
    "timeout": "took longer than replay.timeout",
    "overflow": "printed more than replay.limit_bytes",
}


def refuse_dead_steps(baseline: Sequence[Sequence[Sequence[Record]]]) -> None:
    """Raise ReplayError for a baseline step that we cut short, and for a case none of whose steps could even start.

    `baseline[i][k]` are the records of case i in run k. What we cut short was not seen to its end, so its sameness is no evidence;
    a case that cannot start fails alike on both sides (a missing tool, a wrong path).
    """
    for records in (records for runs in baseline for records in runs):
        for record in records:
            if (status := _status(record)) in _CUT_SHORT:
                raise ReplayError(
                    f"case {record.case} step {record.step} ({record.command}): the baseline itself {_CUT_SHORT[status]}",
                    next_step="Not caused by this patch: raise the limit in gate.toml, or drop the step from the corpus.",
                )
        if [record.step for record in records] == [0]:
            raise ReplayError(
                f"case {records[0].case}: the baseline printed no record of any step ({_status(records[0]) or 'no status'})",
                next_step="Nothing would be compared: see docs/trace.md for what a trace-printing program gets and gives.",
            )
        if records and all(_status(record).startswith("cannot start") for record in records):
            raise ReplayError(
                f"case {records[0].case}: none of its steps can start on the baseline: {records[0].command}: {_status(records[0])}",
                next_step="Nothing would be compared: install what the case runs, or mend program.path and program.argv in gate.toml.",
            )


def refuse_dead_corpus(cases: Sequence[Case], runs: Sequence[Run], program: Program, noise: Noise) -> None:
    """Raise ReplayError when all steps failed alike, or different commands all did nothing: nothing shows that they reached the program.

    Alike but for what noise rules match: a failure may carry the time.

    A missing interpreter, an expired certificate or a wrong command line agrees with itself on both sides, over any number of checks
    (reported fault 27). Where one process runs the case, the program's own words already tell.
    """
    commands = {step.argv for case in cases for step in case.steps}
    outcomes = {_outcome(record, noise) for run in runs for records in run for record in records}
    if program.runner == "trace" or len(outcomes) > 1:
        return
    fields = dict(next(iter(outcomes), ()))
    silent = not any(data for name, data in fields.items() if name != "status")
    if fields.get("status") != b"0" or (silent and len(commands) > 1):
        told = ", ".join(f"{name}={data!r}" for name, data in fields.items())
        raise ReplayError(
            f"all {sum(len(case.steps) for case in cases)} steps of the corpus did exactly the same on the baseline: {told[:300]}",
            next_step="Nothing shows that the commands reach the program: mend program.argv, or add a case that does something else.",
        )


def _outcome(record: Record, noise: Noise) -> tuple[tuple[str, bytes], ...]:
    """What the record shows, with every noise rule applied."""
    (shown,) = canonicalise([(record.command, record.fields)], noise)
    return tuple((name, held.text) for name, held in shown.items())


def _status(record: Record) -> str:
    held = record.fields.get("status")
    return held.data.decode("ascii", "replace") if held else ""
