"""The listing of file effects when the baseline cannot reproduce it: what of the candidate's listing may be the same wavering.

A noisy line must not mute the others. Lines that every run of the baseline has are steady: the candidate must have them. Lines that only
some of its runs have waver. What the candidate has beyond the steady lines is excused where it is one of those, or where it makes or
removes a name and so does a wavering line: a random name is another one in every run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gate.diff.findings import Canonical

_NAMING = (b"created ", b"removed ")


def steadily_different(baseline: Sequence[Canonical | None], candidate: Sequence[Canonical | None]) -> bool:
    """Whether no wavering of the baseline explains the candidate's listing, the same in all its runs. Both hold at least one run.

    A side that has no listing at all in some run wavers in whether the step is there: that is no matter of lines.
    """
    if len(set(candidate)) > 1 or candidate[0] is None or None in baseline:
        return False
    runs = [_lines(held) for held in baseline]
    steady, wavering = frozenset.intersection(*runs), frozenset.union(*runs)
    found = _lines(candidate[0])
    return not steady <= found or not all(_excused(line, wavering - steady) for line in found - steady)


def names_waver(baseline: Sequence[Canonical | None]) -> bool:
    """Whether some runs of the baseline make or remove a name that others do not: a name that it never had may be one more of those."""
    runs = [_lines(held) for held in baseline]
    return any(line.startswith(_NAMING) for line in frozenset.union(*runs) - frozenset.intersection(*runs))


def _lines(held: Canonical | None) -> frozenset[bytes]:
    return frozenset(held.text.splitlines()) if held is not None else frozenset()


def _excused(line: bytes, wavering: Iterable[bytes]) -> bool:
    verbs = {other.partition(b" ")[0] for other in wavering if other.startswith(_NAMING)}
    return line in wavering or line.partition(b" ")[0] in verbs
