"""The exchange format: one record a line, `case|step|command|payload`, the payload `key=value|key=value`.

Values are any bytes but `|` and newline. Case, command and keys are UTF-8 text. An empty payload is a record without fields. There
is no escaping: what does not fit is refused, and the native format takes it.
"""

from __future__ import annotations

from gate.domain import CaseId, Record, Value, value
from gate.errors import TraceError

MAX_STEP_DIGITS = 18
"""Digits of a step number; more is refused."""

_SHAPE = "case|step|command|key=value|key=value"
_MEND = (
    f"A record is one line `{_SHAPE}`; a '|' or a newline inside a value needs the JSON Lines format (docs/trace.md)."
)
_USE_NATIVE = "Write it as JSON Lines, which is exact for any bytes: gate.trace.native."


def parse_record(line: bytes, *, place: str) -> Record:
    """The record that one line holds; `line` comes without its newline. Raises TraceError naming `place` (`golden.trace:17`)."""
    if line.endswith(b"\r"):
        raise _fault(place, "a line that ends in a newline alone", "a carriage return before it")
    if b"\n" in line:
        raise _fault(place, "one line", f"a newline inside {_shown(line)}")
    columns = line.split(b"|", 3)
    if len(columns) < 4:
        actual = _shown(line) if line else "an empty line"
        raise _fault(place, f"four columns `{_SHAPE}`", actual)
    case, step, command, payload = columns
    if not case:
        raise _fault(place, "a case id in the first column", "an empty one")
    return Record(
        case=CaseId(_text(case, "case id", place)),
        step=_step(step, place),
        command=_text(command, "command", place),
        fields=_fields(payload, place) if payload else {},
    )


def write_record(record: Record) -> bytes:
    """The record's line with its newline. Raises TraceError where the format cannot hold the record without loss."""
    place = f"case {record.case!r} step {record.step}"
    if not record.case or not 0 <= record.step < 10**MAX_STEP_DIGITS:
        raise _unwritable(place, "a case id and a step number of 0 or more", "neither fits")
    if record.case.startswith("{") or record.case.startswith("\ufeff"):
        raise _unwritable(place, "a case id that cannot be taken for the start of a JSON file", repr(record.case))
    columns = [
        _plain(_encoded(record.case, place), "the case id", place),
        str(record.step).encode(),
        _plain(_encoded(record.command, place), "the command", place),
        b"|".join(_written(key, held, place) for key, held in record.fields.items()),
    ]
    return b"|".join(columns) + b"\n"


def _fields(payload: bytes, place: str) -> dict[str, Value]:
    fields: dict[str, Value] = {}
    for part in payload.split(b"|"):
        key, equals, data = part.partition(b"=")
        if not equals:
            raise _fault(place, "key=value in the payload", f"{_shown(part)}, which has no '='")
        if not key:
            raise _fault(place, "a key before '='", _shown(part))
        name = _text(key, "key", place)
        if name in fields:
            raise _fault(place, "each key once", f"{name!r} twice")
        fields[name] = value(data)
    return fields


def _step(column: bytes, place: str) -> int:
    if column.isdigit() and len(column) <= MAX_STEP_DIGITS:
        return int(column)
    raise _fault(place, "a step number of 0 or more, plain decimal digits", _shown(column))


def _text(column: bytes, what: str, place: str) -> str:
    if b"\r" in column or b"\0" in column:
        raise _fault(place, f"a {what} without NUL and carriage return", _shown(column))
    try:
        return column.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _fault(place, f"a {what} in UTF-8", _shown(column)) from error


def _written(key: str, held: Value, place: str) -> bytes:
    if held.cut or held.overflow:
        raise _unwritable(place, f"a whole value for {key!r}", f"the first {len(held.data)} of {held.size} bytes")
    if not key or "=" in key:
        raise _unwritable(place, "a key that is not empty and has no '='", repr(key))
    name = _plain(_encoded(key, place), f"the key {key!r}", place)
    return name + b"=" + _plain(held.data, f"the value of {key!r}", place, names=False)


def _encoded(text: str, place: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise _unwritable(place, "text in UTF-8", repr(text)) from error


def _plain(data: bytes, what: str, place: str, *, names: bool = True) -> bytes:
    for raw, word in ((b"|", "'|'"), (b"\n", "a newline"), (b"\r", "a carriage return"), (b"\0", "a NUL")):
        if raw in data and (names or raw != b"\0"):
            raise _unwritable(place, f"{what} without {word}", _shown(data))
    return data


def _shown(data: bytes) -> str:
    """An excerpt of at most 60 bytes, escaped as Python writes bytes."""
    text = repr(data[:60])[1:]
    return text if len(data) <= 60 else f"{text} and {len(data) - 60} bytes more"


def _fault(place: str, expected: str, actual: str) -> TraceError:
    return TraceError(f"{place}: expected {expected}, got {actual}", next_step=_MEND)


def _unwritable(place: str, expected: str, actual: str) -> TraceError:
    return TraceError(f"{place}: expected {expected}, got {actual}", next_step=_USE_NATIVE)
