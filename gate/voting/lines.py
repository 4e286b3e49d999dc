"""The lines of a report, as the voter writes them. Whatever does not fit exactly is no line of ours."""

from __future__ import annotations

from typing import Literal

import msgspec


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event"):
    """What all lines have."""

    nonce: str
    pid: int


class Start(Line, frozen=True, kw_only=True, tag="start"):
    """The runner is loaded."""

    python: str
    pytest: str
    hypothesis: str
    seed: int


class CollectedTest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One collected test."""

    id: str
    settings: dict[str, str]


class Collection(Line, frozen=True, kw_only=True, tag="collected"):
    """All tests of the property, before the first one runs."""

    tests: tuple[CollectedTest, ...]
    plugins: tuple[str, ...]


class Told(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One failure."""

    phase: str
    sort: Literal["failure", "flaky", "unfit"]
    type: str
    message: str
    example: str
    place: str
    trace: str


class Tested(Line, frozen=True, kw_only=True, tag="test"):
    """One test came to its end."""

    id: str
    outcome: Literal["passed", "failed", "skipped", "xfailed", "xpassed"]
    failures: tuple[Told, ...]
    reason: str


class Canary(Line, frozen=True, kw_only=True, tag="canary"):
    """A test that had to fail came to its end."""

    id: str
    outcome: str


class Void(Line, frozen=True, kw_only=True, tag="void"):
    """The voter itself says that this run is no vote."""

    reason: str
    detail: str


class Finish(Line, frozen=True, kw_only=True, tag="finish"):
    """Pytest came back. Its exit status."""

    exit: int


AnyLine = Start | Collection | Tested | Canary | Void | Finish

_DECODER = msgspec.json.Decoder(AnyLine)


def read_lines(data: bytes, *, nonce: str) -> tuple[AnyLine, ...]:
    """The lines of a report. Raises ValueError, with the number of the line, for one that is not the voter's: another shape,
    another nonce, another process, no end."""
    if data and not data.endswith(b"\n"):
        raise ValueError("the report breaks off in the middle of a line")
    lines: list[AnyLine] = []
    for number, raw in enumerate(data.split(b"\n")[:-1], start=1):
        if raw != raw.strip():
            raise ValueError(f"line {number} of the report is not the voter's: blanks around it")
        try:
            line = _DECODER.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"line {number} of the report is not the voter's: {error}") from error
        if line.nonce != nonce:
            raise ValueError(f"line {number} of the report has another nonce: somebody else wrote it")
        if lines and line.pid != lines[0].pid:
            raise ValueError(
                f"line {number} of the report is another process's: the code under test forked, and went on in it"
            )
        lines.append(line)
    return tuple(lines)
