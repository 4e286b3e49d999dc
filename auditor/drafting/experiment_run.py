"""Which run the experiments of a suggestion are about, where nobody names it."""

from __future__ import annotations

from pathlib import Path

from auditor.drafting.experimenter import NEEDED
from auditor.review.gate_door import GateDoor
from auditor.suggestions.model import AnySuggestion
from auditor.suggestions.stale import changed_inputs, digest_of_file
from gate import api

_FILES = {"scorecard": "scorecard.json", "deltas": "deltas.jsonl"}


def run_of(root: Path, held: AnySuggestion) -> Path | None:
    """The newest run that has what the suggestion was drafted from, where it is not the latest one.

    None: it is the latest one, or there is none, and looking at the latest one tells why. Raises GateError for a project that cannot be
    read.
    """
    inputs = {given.name: given.digest for given in held.provenance.inputs}
    if not inputs.keys() >= set(NEEDED):
        return None
    for number, run in enumerate(api.runs(root)):
        same = all(digest_of_file(run / file) == inputs[name] for name, file in _FILES.items())
        if same and _stands(root, run, held):
            return run if number else None
    return None


def _stands(root: Path, run: Path, held: AnySuggestion) -> bool:
    try:
        return not changed_inputs(held, GateDoor(project_root=root, run=run).standing(), root)
    except api.GateError:
        return False
