"""The four exit codes of every judging command, and how they combine."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """How a judging command ends. CI accepts only `CLEAN`."""

    CLEAN = 0
    STOP = 1
    INVALID = 2
    ABSTAIN = 3

    @property
    def sentence(self) -> str:
        """What the code says, in one sentence, as printed under every verdict."""
        return _SENTENCES[self]


_SENTENCES = {
    ExitCode.CLEAN: "clean: every check agreed or is allowed, every property passed, and nobody abstained",
    ExitCode.STOP: "stop: a behaviour change is flagged, a property failed, or an example test failed without a lease",
    ExitCode.INVALID: "invalid: no verdict, because the evidence, the judge or a vote cannot be used",
    ExitCode.ABSTAIN: "abstention: a check is unstable or a property is frozen; a person must repair the oracle",
}

_PRECEDENCE = (ExitCode.INVALID, ExitCode.STOP, ExitCode.ABSTAIN, ExitCode.CLEAN)


def combine(codes: Iterable[ExitCode]) -> ExitCode:
    """The verdict of several verdicts: precedence 2 > 1 > 3 > 0. Of none at all it is `INVALID`: nothing was judged."""
    present = set(codes)
    return next((code for code in _PRECEDENCE if code in present), ExitCode.INVALID)
