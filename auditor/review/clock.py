"""The time as decisions record it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """UTC to the second: `2026-03-01T12:00:00Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
