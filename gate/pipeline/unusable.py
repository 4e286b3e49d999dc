"""Steps that prove nothing, whatever the candidate does: the baseline itself could not do them."""

from __future__ import annotations

from collections.abc import Sequence

from gate.domain import Record
from gate.errors import ReplayError

_CUT_SHORT = {
    "timeout": "took longer than replay.timeout",
    "overflow": "printed more than replay.limit_bytes",
}


def refuse_dead_steps(baseline: Sequence[Sequence[Sequence[Record]]]) -> None:
    """Raise ReplayError for a baseline step that we cut short, and for a case none of whose steps could even start.

    `baseline[i][k]` are the records of case i in run k. What we cut short was not seen to its end, so its sameness is no evidence;
    a case that cannot start fails alike on both sides (a missing tool, a wrong path).
    """
    for runs in baseline:
        for records in runs:
            for record in records:
                status = _status(record)
                if status in _CUT_SHORT:
                    raise ReplayError(
                        f"case {record.case} step {record.step} ({record.command}): the baseline itself {_CUT_SHORT[status]}",
                        next_step="Not caused by this patch: raise the limit in gate.toml, or drop the step from the corpus.",
                    )
            if records and all(_status(record).startswith("cannot start") for record in records):
                raise ReplayError(
                    f"case {records[0].case}: none of its steps can start on the baseline: {records[0].command}: {_status(records[0])}",
                    next_step="Nothing would be compared: install what the case runs, or mend program.path and program.argv in gate.toml.",
                )


def _status(record: Record) -> str:
    held = record.fields.get("status")
    return held.data.decode("ascii", "replace") if held else ""
