"""One record of the native format as a JSON line, exact both ways."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec

from gate.domain import CaseId, Record, Value
from gate.errors import TraceError
from gate.octets import Base64, Wire, from_wire, to_wire
from gate.strictjson import StrictJSONError
from gate.strictjson import parse as parse_strictly

_MEND = (
    'A record is one line {"case": …, "step": …, "command": …, "fields": {name: value}}; docs/trace.md has every form.'
)
_HEX_DIGEST = re.compile(r"[0-9a-f]{64}")

Step = Annotated[int, msgspec.Meta(ge=0, lt=10**18)]


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """A value that is not held whole, or whose stream was stopped, as it is written."""

    head: Wire
    size: int
    sha256: str | None
    overflow: bool


class Boxed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value that is no string, as it is read: `{"b64": …}`, or the four keys of `Cut`."""

    b64: str | msgspec.UnsetType = msgspec.UNSET
    head: str | Base64 | msgspec.UnsetType = msgspec.UNSET
    size: int | msgspec.UnsetType = msgspec.UNSET
    sha256: str | msgspec.UnsetType | None = msgspec.UNSET
    overflow: bool | msgspec.UnsetType = msgspec.UNSET


class WrittenRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record as it is read and, where every value is a string, as it is written."""

    case: str
    step: Step
    command: str
    fields: dict[str, str | Boxed]


class _OutgoingRecord(msgspec.Struct, frozen=True, kw_only=True):
    case: str
    step: int
    command: str
    fields: dict[str, str | Base64 | Cut]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(WrittenRecord).decode


def decode_line(line: bytes, *, place: str) -> Record:
    """The record of one line without its newline. Raises TraceError naming `place`; duplicate keys are refused."""
    try:
        written = _decode(line)
        record = Record(
            case=CaseId(written.case),
            step=written.step,
            command=written.command,
            fields={name: _value(held) for name, held in written.fields.items()},
        )
        if not record.case or "" in record.fields:
            raise ValueError("an empty case id or field name")
        if encode_record(record) != line:
            parse_strictly(line)
    except (msgspec.DecodeError, StrictJSONError, ValueError) as error:
        raise TraceError(f"{place}: expected a trace record, got {error}", next_step=_MEND) from error
    return record


def encode_record(record: Record) -> bytes:
    """The record's line without a newline. Raises TraceError for what is no record: an empty name, text that is no UTF-8."""
    place = f"case {record.case!r} step {record.step}"
    if not record.case or "" in record.fields:
        raise _unwritable(place, "a case id and field names that are not empty", "an empty one")
    if not 0 <= record.step < 10**18:
        raise _unwritable(place, "a step number of 0 or more", str(record.step))
    fields = {name: _wire(held, place) for name, held in record.fields.items()}
    outgoing = _OutgoingRecord(case=record.case, step=record.step, command=record.command, fields=fields)
    try:
        return _encode(outgoing)
    except UnicodeEncodeError as error:
        raise _unwritable(place, "names in UTF-8", str(error)) from error


def count_checks(line: bytes) -> int | None:
    """How many checks the line's record has, at a quick look; None where only `decode_line` can tell.

    A number vouches that the line is exactly what `encode_record` would write, with no value cut or in Base64. A record without
    fields is one check, of its command.
    """
    try:
        written = _decode(line)
    except (msgspec.DecodeError, ValueError):
        return None
    plain = written.case and "" not in written.fields and all(type(held) is str for held in written.fields.values())
    return len(written.fields) or 1 if plain and _encode(written) == line else None


def case_of(line: bytes) -> str | None:
    """The case that a line names; None where the line is no record."""
    try:
        return _decode(line).case
    except (msgspec.DecodeError, ValueError):
        return None


def _wire(held: Value, place: str) -> Wire | Cut:
    whole = held.size == len(held.data)
    if held.size < len(held.data) or whole != (held.sha256 is None):
        raise _unwritable(place, "a digest exactly where a value is longer than its head", f"{held.size} bytes in all")
    if whole and not held.overflow:
        return to_wire(held.data)
    return Cut(head=to_wire(held.data), size=held.size, sha256=held.sha256, overflow=held.overflow)


def _value(held: str | Boxed) -> Value:
    if isinstance(held, str):
        data = held.encode("utf-8")
        return Value(data=data, size=len(data))
    cut = (held.head, held.size, held.sha256, held.overflow)
    if held.b64 is not msgspec.UNSET and all(part is msgspec.UNSET for part in cut):
        data = from_wire(Base64(b64=held.b64))
        return Value(data=data, size=len(data))
    if held.b64 is not msgspec.UNSET or any(part is msgspec.UNSET for part in cut):
        raise ValueError('a value that is neither {"b64": …} nor {"head": …, "size": …, "sha256": …, "overflow": …}')
    return _cut_value(msgspec.convert(msgspec.to_builtins(held), Cut))


def _cut_value(cut: Cut) -> Value:
    data = from_wire(cut.head)
    if cut.size < len(data):
        raise ValueError(f"a value of {cut.size} bytes whose head has {len(data)}")
    if (cut.size > len(data)) != (cut.sha256 is not None):
        raise ValueError("a value whose sha256 does not stand exactly where size is more than the head")
    if cut.sha256 is not None and not _HEX_DIGEST.fullmatch(cut.sha256):
        raise ValueError(f"a sha256 that is not 64 hex digits: {cut.sha256[:80]!r}")
    if cut.sha256 is None and not cut.overflow:
        raise ValueError("a whole value in the form of a cut one")
    return Value(data=data, size=cut.size, sha256=cut.sha256, overflow=cut.overflow)


def _unwritable(place: str, expected: str, actual: str) -> TraceError:
    return TraceError(f"{place}: expected {expected}, got {actual}", next_step="Mend the code that made the record.")
