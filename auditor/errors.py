"""The family of errors of the auditor. None of them moves a verdict of the gate."""

from __future__ import annotations


class AuditorError(Exception):
    """The auditor cannot do what it was asked.

    `what` names the place, the expected and the actual in one line; `next_step` says what to do about it.
    """

    def __init__(self, what: str, *, next_step: str) -> None:
        super().__init__(what)
        self.what = what
        self.next_step = next_step

    def diagnostics(self) -> str:
        """Two lines for a person: the fault, then the next step. No trailing newline."""
        return f"{self.what}\n{self.next_step}"


class DemoError(AuditorError):
    """The demo project cannot be set up, or does not show what it should."""


class PromptError(AuditorError):
    """A prompt cannot be found, or its file cannot be read as one."""
