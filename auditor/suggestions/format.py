"""The form of a suggestion's file: indented JSON, one key a line, read strictly. Bytes in, one value out; nothing is guessed."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from math import isfinite
from typing import Any, NoReturn

import msgspec

from auditor.errors import SuggestionError
from auditor.suggestions.lines import MOST_DEPTH, MOST_VALUES, JSONPath, Lines, TooMuchError, lines_of
from auditor.suggestions.model import FORM_OF, AnySuggestion, Kind, status_of
from auditor.suggestions.plain import json_escaped, plain

MAX_BYTES = 4 * 1024 * 1024
"""A larger file is no suggestion."""

ID = re.compile(r"(policy|hypotheses|wording|golden)-[0-9a-f]{12}")
"""What an id looks like; no path and no pattern is one."""

_NEXT_STEP = "A suggestion is written by the auditor alone: restore the file, or delete it and draft again."
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})", re.MULTILINE)
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_PATH_PART = re.compile(r"\.([A-Za-z_0-9]+)|\[(\d+)\]")


def render(suggestion: AnySuggestion) -> bytes:
    """The file of a suggestion. `parse(render(s)) == s`."""
    return as_json(msgspec.to_builtins(suggestion)).encode("utf-8")


def as_json(value: Any) -> str:
    """JSON as the auditor writes it: indented, nothing hidden in it, a line feed at its end."""
    return json_escaped(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


def id_of(suggestion: AnySuggestion) -> str:
    """The id that its content demands: equal drafts from equal inputs have equal ids, whatever they cost and whatever was decided."""
    drafted = {
        "subject": suggestion.subject,
        "items": [(item.id, item.draft, item.group, item.silences) for item in suggestion.items],
        "rejected": suggestion.rejected,
        "missing": suggestion.missing,
        "offered": suggestion.offered,
        "made": (suggestion.provenance.model, suggestion.provenance.prompt, suggestion.provenance.prompt_digest),
        "inputs": suggestion.provenance.inputs,
        # Only where there are some: files that were written before these were kept have their ids still.
        **({"demoted": suggestion.demoted} if suggestion.demoted else {}),
        **({"cuts": suggestion.cuts} if suggestion.cuts else {}),
    }
    text = json.dumps(msgspec.to_builtins(drafted), sort_keys=True)
    return f"{suggestion.kind}-{sha256(text.encode('ascii')).hexdigest()[:12]}"


def parse(data: bytes, *, name: str) -> AnySuggestion:
    """The suggestion that a file holds. Raises SuggestionError naming `name` and the line."""
    text = _text(data, name)
    raw = _json(text, name)
    try:
        lines = lines_of(text)
    except TooMuchError as error:
        what = f"expected at most {MOST_VALUES} values, {MOST_DEPTH} deep, got more"
        raise _fault(name, error.line, what) from error
    return _Reading(raw, lines, name).suggestion()


def _text(data: bytes, name: str) -> str:
    if len(data) > MAX_BYTES:
        raise _fault(name, 1, f"expected at most {MAX_BYTES} bytes, got more")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _fault(name, data[: error.start].count(b"\n") + 1, f"expected UTF-8, got {error.reason}") from error
    if "\r" in text:
        raise _fault(name, text[: text.index("\r")].count("\n") + 1, "expected LF line ends, got a CR")
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        raise _fault(name, line, f"expected JSON, got a merge conflict marker {conflict[0]}")
    return text


def _json(text: str, name: str) -> dict[str, Any]:
    def refuse(word: str) -> NoReturn:
        raise ValueError(f"{word} is no JSON")

    def finite(word: str) -> float:
        found = float(word)
        return found if isfinite(found) else refuse(word[:40])

    try:
        raw = json.loads(text, parse_constant=refuse, parse_float=finite)
    except json.JSONDecodeError as error:
        raise _fault(name, error.lineno, f"expected JSON: {error.msg}") from error
    except RecursionError as error:
        raise _fault(name, 1, "expected a suggestion, got JSON that is nested too deeply") from error
    except ValueError as error:
        raise _fault(name, 1, f"expected JSON: {error}") from error
    if _HALF.search(text) and not _is_text(raw):
        raise _fault(name, 1, "expected text, got half of a character: a lone surrogate")
    if not isinstance(raw, dict):
        raise _fault(name, 1, f"expected an object, got {type(raw).__name__}")
    return raw


def _is_text(raw: Any) -> bool:
    try:
        json.dumps(raw, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class _Reading:
    """One document on its way to a suggestion."""

    def __init__(self, raw: dict[str, Any], lines: Lines, name: str) -> None:
        self._raw = raw
        self._lines = lines
        self._name = name

    def suggestion(self) -> AnySuggestion:
        for key, line in self._lines.repeated:
            raise _fault(self._name, line, f"expected each key once, got {key!r:.80} again")
        if self._raw.get("version") != 1 or isinstance(self._raw["version"], bool):
            self._fail(("version",), f"version: expected 1, got {self._raw.get('version')!r:.80}")
        read = self._converted(self._kind())
        self._no_other_keys(self._raw, msgspec.to_builtins(read), ())
        self._whole(read)
        return read

    def _kind(self) -> Kind:
        kind = self._raw.get("kind")
        found = next((known for known in FORM_OF if kind == known), None)
        if found is None:
            self._fail(("kind",), f"kind: expected one of {', '.join(FORM_OF)}, got {kind!r:.80}")
        return found

    def _converted(self, kind: Kind) -> AnySuggestion:
        try:
            read: AnySuggestion = msgspec.convert(self._raw, FORM_OF[kind], strict=True)
        except msgspec.ValidationError as error:
            what, _, where = str(error).partition(" - at `$")
            path = _path(where.rstrip("`"))
            key = f"{path[-1]}: " if path else ""
            self._fail(path, f"{key}{what[0].lower()}{what[1:200]}")
        return read

    def _no_other_keys(self, raw: Any, read: Any, path: JSONPath) -> None:
        """What was read says all that the file says: a key that no field took is refused."""
        if isinstance(raw, dict):
            for key, value in raw.items():
                if key not in read:
                    self._fail((*path, key), f"unknown key {key!r:.80}")
                self._no_other_keys(value, read[key], (*path, key))
        elif isinstance(raw, list):
            for position, value in enumerate(raw):
                self._no_other_keys(value, read[position], (*path, position))

    def _whole(self, read: AnySuggestion) -> None:
        ids = [item.id for item in read.items]
        for position, item in enumerate(read.items):
            if item.id in ids[:position]:
                self._fail(("items", position, "id"), f"id: expected each item once, got {item.id!r:.80} again")
            if (item.group is not None) != (read.kind == "policy") or (item.group and not item.group.places):
                self._fail(("items", position), "group: expected a group with places in a policy, and none elsewhere")
            if item.group is not None and not item.id == item.group.id == item.draft.group:
                self._fail(("items", position, "id"), f"id: expected the id of its group, got {item.id!r:.80}")
        told = {
            "decisions": [one.item for one in read.decisions],
            "experiments": [one.item for one in read.experiments],
        }
        for key, items in told.items():
            for position, item_id in enumerate(items):
                if item_id not in ids:
                    self._fail((key, position, "item"), f"item: expected one of the items, got {item_id!r:.80}")
        if read.status != status_of(read.items):
            self._fail(
                ("status",), f"status: expected {status_of(read.items)!r}, as its items say, got {read.status!r}"
            )
        if read.id != id_of(read):
            self._fail(
                ("id",), f"id: expected {id_of(read)}, as its content demands, got {read.id!r:.80}: it was edited"
            )

    def _fail(self, path: JSONPath, what: str) -> NoReturn:
        raise _fault(self._name, self._lines.line(path), what)


def _path(said: str) -> JSONPath:
    """The path in a message of msgspec, as far as it can be followed."""
    path: list[str | int] = []
    at = 0
    while match := _PATH_PART.match(said, at):
        path.append(match[1] if match[2] is None else int(match[2]))
        at = match.end()
    return tuple(path)


def _fault(name: str, line: int, what: str) -> SuggestionError:
    return SuggestionError(plain(f"{name}:{line}: {what}"), next_step=_NEXT_STEP)
