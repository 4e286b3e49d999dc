"""The table of seeded faults: known changes of four programs, each with the mechanism that is right."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import msgspec

from evals.errors import EvalsError
from evals.faults.of_calendar import CALENDAR_FAULTS
from evals.faults.of_kv import KV_FAULTS
from evals.faults.of_markdown import MARKDOWN_FAULTS
from evals.faults.of_tarfile import TARFILE_FAULTS
from evals.faults.values import Fault

FAULTS = {each.id: each for each in (*KV_FAULTS, *TARFILE_FAULTS, *CALENDAR_FAULTS, *MARKDOWN_FAULTS)}


def table_digest() -> str:
    """SHA-256 of the whole table, what is right among it."""
    return sha256(msgspec.json.encode(tuple(FAULTS.values()))).hexdigest()


def fault_digest(fault: Fault) -> str:
    """SHA-256 of what a recording of the fault depends on: what is right, its kind and its reason are no part of it."""
    parts = (fault.program, fault.file, fault.old, fault.new, fault.subject)
    return sha256(msgspec.json.encode(parts)).hexdigest()


def faults_named(names: Sequence[str]) -> tuple[Fault, ...]:
    """The faults of these names in the order of the table; all for none. Raises EvalsError for another name."""
    for name in names:
        if name not in FAULTS:
            raise EvalsError(
                f"fault {name[:40]!a}: expected one of {', '.join(FAULTS)}",
                next_step="See docs/evals.md, Seeded faults.",
            )
    return tuple(fault for fault in FAULTS.values() if not names or fault.id in names)
