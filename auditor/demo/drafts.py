"""What is drafted of the demo's patch: offline, whatever the machine is set up to ask, and into the folder `unreviewed` alone."""

from __future__ import annotations

from pathlib import Path

from auditor.demo.folder import UNREVIEWED
from auditor.demo.verdict import judge_unreviewed
from auditor.drafting.drafter import Desk
from auditor.errors import DemoError
from auditor.service.settings import Settings
from auditor.suggestions.model import AnySuggestion

_INTENT = "INTENT.md"


def suggestions_of(folder: Path) -> tuple[AnySuggestion, AnySuggestion]:
    """A policy skeleton by the patch's stated intent, and hypotheses for the property that fails. Nothing is written but the run.

    Raises GateError where the gate can give no verdict, or something cannot be drafted.
    """
    project = folder / UNREVIEWED
    outcome = judge_unreviewed(folder)
    desk = Desk(root=project, run=outcome.folder, settings=Settings(endpoint=None))
    stated = (project / _INTENT).read_text(encoding="utf-8")
    policy = desk.policy(stated, intent_path=_INTENT)
    hypotheses = desk.hypotheses("property retry_cap", candidate=folder / "candidate")
    if policy is None or hypotheses is None:
        raise DemoError(
            "expected two suggestions, got fewer", next_step="Put the shipped files back: auditor demo --force"
        )
    return policy, hypotheses
