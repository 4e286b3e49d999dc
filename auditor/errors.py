"""The family of errors of the auditor. None of them moves a verdict of the gate."""

from __future__ import annotations

from gate.api import GateError


class AuditorError(GateError):
    """The auditor cannot do what it was asked. Told as the gate's own errors are: what is wrong, then the next step."""


class DemoError(AuditorError):
    """The demo project cannot be set up, or does not show what it should."""


class PromptError(AuditorError):
    """A prompt cannot be found, or its file cannot be read as one."""
