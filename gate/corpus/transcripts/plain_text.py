"""The bytes of a transcript as lines."""

from __future__ import annotations

from gate.errors import CorpusError

MOST_BYTES = 16 * 1024 * 1024
"""A larger file is no transcript that people keep, and is refused."""

_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")


def checked(data: bytes, *, name: str) -> bytes:
    """`data` without a UTF-8 byte order mark. Raises CorpusError on a file that is too large or in UTF-16."""
    if len(data) > MOST_BYTES:
        raise CorpusError(
            f"{name}: expected a transcript of at most {MOST_BYTES // 1024 // 1024} MiB, got a larger file",
            next_step="Split it, or import the part that holds the commands.",
        )
    if data.startswith(_WIDE):
        raise CorpusError(f"{name}:1: expected UTF-8, got UTF-16", next_step="Save the file as UTF-8.")
    return data.removeprefix(_BOM)


def text_lines(data: bytes, *, name: str) -> tuple[str, ...]:
    """The lines without their ends; bytes that are no UTF-8 become lone surrogates. Raises CorpusError as `checked`.

    CRLF is an end where every line has it; elsewhere a carriage return is a character of its line.
    """
    lines = checked(data, name=name).decode("utf-8", "surrogateescape").split("\n")
    ended, last = lines[:-1], lines[-1]
    if ended and all(line.endswith("\r") for line in ended):
        ended = [line[:-1] for line in ended]
        last = last.removesuffix("\r")
    return (*ended, last) if last else tuple(ended)
