"""The family of errors of the auditor. None of them moves a verdict of the gate."""

from __future__ import annotations

from gate.api import GateError


class AuditorError(GateError):
    """The auditor cannot do what it was asked. Told as the gate's own errors are: what is wrong, then the next step."""


class DemoError(AuditorError):
    """The demo project cannot be set up, or does not show what it should."""


class PromptError(AuditorError):
    """A prompt cannot be found, or its file cannot be read as one."""


class SettingsError(AuditorError):
    """`auditor.toml`, or what the environment says of the model, cannot be used."""


class SuggestionError(AuditorError):
    """A suggestion cannot be read, found or written."""


class ReviewError(AuditorError):
    """Nothing can be decided here: no person at a terminal, no name, or inputs that have changed."""


class RedactionError(AuditorError):
    """A redaction pattern cannot be used. Nothing is sent without it."""

    pattern: str | None = None
    """The one that is at fault; None where it is their number."""


class RequestError(AuditorError):
    """No request can be made of this prompt and these inputs."""
