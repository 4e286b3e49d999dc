"""The family of errors that mean: we could not find out. Every one of them ends a judging command with exit code 2.

A finding (a delta, a drifted fixture) is a value. An exception means that no verdict can be given.
"""

from __future__ import annotations


class GateError(Exception):
    """No verdict can be given.

    `what` names the place, the expected and the actual in one line; `next_step` says what to do about it.
    """

    def __init__(self, what: str, *, next_step: str) -> None:
        super().__init__(what)
        self.what = what
        self.next_step = next_step

    def diagnostics(self) -> str:
        """Two lines for a person: the fault, then the next step. No trailing newline."""
        return f"{self.what}\n{self.next_step}"


class ConfigError(GateError):
    """`gate.toml` cannot be used."""


class CorpusError(GateError):
    """The corpus or its grammar cannot be used."""


class FixtureError(GateError):
    """The fixture pack cannot be used: a special file, an LFS pointer, names that collide."""


class DriftError(GateError):
    """A pinned digest no longer holds."""


class PinsError(GateError):
    """The pins are missing or cannot be used."""


class PolicyError(GateError):
    """The policy cannot be used."""


class TraceError(GateError):
    """A trace cannot be parsed, or cannot be written without loss."""


class BuildError(GateError):
    """A side did not build, or cannot be shown to be what it claims to be."""


class ReplayError(GateError):
    """A replay could not be carried out; not the fault of the patch."""


class NoiseError(GateError):
    """A noise rule cannot be used."""


class NothingComparedError(GateError):
    """There was nothing to compare. Silence is not agreement."""


class PropertyError(GateError):
    """The properties, the freeze set or a repair cannot be used."""


class SuiteError(GateError):
    """The example tests, or their quarantine, cannot be used."""


class SandboxError(GateError):
    """A sandbox was required and there is none, or it failed."""


class IntegrityError(GateError):
    """The judge was edited by the patch, or cannot be told from it."""


class StarterError(GateError):
    """What a program takes cannot be read, or a project cannot be started from it."""
