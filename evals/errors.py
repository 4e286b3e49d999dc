"""What the evals cannot do."""

from __future__ import annotations

from auditor.errors import AuditorError


class EvalsError(AuditorError):
    """A data set cannot be read, a task or drafter is unknown, or two results cannot be compared."""
