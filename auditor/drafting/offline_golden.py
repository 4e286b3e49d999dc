"""The offline drafter's first reading of a golden trace: what each field of each command is worth guarding for, by its shape.

Shapes are all it sees: a number that matters and a number that wanders look alike in one trace, and wording that a script parses
looks like wording. Every promise is a suggestion to a person.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from auditor.drafting.checks_golden import check_golden
from auditor.drafting.offline_policy import EXCERPT, OFFLINE
from auditor.drafting.values import Drafted, Guarded, Promise
from auditor.drafting.words import has_hidden
from gate import api


class Verdict(NamedTuple):
    """What a field is worth, why, and the words of the trace that show it (empty: there are none)."""

    promise: Promise
    reason: str
    example: str = ""


_NOISE = (
    (
        "a time of day or a date",
        r"\d{4}[-/]\d{2}[-/]\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?Z?)?|\b\d{2}:\d{2}:\d{2}\b",
    ),
    ("a UUID", r"\b[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\b"),
    ("an address in memory", r"\b0[xX][0-9A-Fa-f]{6,16}\b"),
    ("a temporary path", r"(?:/private)?(?:/tmp|/var/tmp|/var/folders)/[\w.@+-]+"),
    ("a process id", r"(?i)\b(?:p?pid|tid|process id|thread id)\b\W{0,3}\d+"),
    ("a duration", r"\b\d+(?:[.,]\d+)? ?(?:hours?|minutes?|mins?|seconds?|secs?|s|ms|us|ns|µs|milliseconds?)\b"),
    ("a path of this machine", r"(?<![\w.])/(?:home|Users|root|opt|usr|private)/[\w./@+-]+"),
    ("a long random id", r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{32,64}\b"),
)
_SHOWS_NOISE = tuple((name, re.compile(pattern)) for name, pattern in _NOISE)
_NOISY_NAME = re.compile(
    r"(?i)(?:^|_)(?:p?pid|tid|time|timestamp|date|elapsed|duration|took|uuid|host(?:name)?|cwd|tmp(?:dir)?|now|age|uptime|port|nonce)(?:_|$)"
)
_WORDY_NAME = re.compile(r"(?i)(?:^|_)(?:help|usage|hint|message|msg|description|banner|title|note)(?:_|$)")
_HELP = re.compile(r"(?im)^[ \t]*(?:usage:|options:|commands:|positional arguments:|examples?:|try .*--help)")
_PAIR = re.compile(r"[\w.-]+[=:].*")
_GAP = re.compile(r"[\s,;|]+")
_WORDS = re.compile(r"[^\W\d_]{2,}")


def promises(steps: Sequence[api.TraceStep]) -> Drafted:
    """One item for each pair of command and field, in the order of first appearance. No steps: no items."""
    seen: dict[tuple[str, str], list[str]] = {}
    for step in steps:
        for field, value in step.fields:
            seen.setdefault((step.command, field), []).append(value)
    items = tuple(_guarded(command, field, values) for (command, field), values in seen.items())
    return check_golden(Drafted(model="offline", prompt=OFFLINE, items=items), steps)


def _guarded(command: str, field: str, values: Sequence[str]) -> Guarded:
    found = _judged(field, values)
    return Guarded(
        command=command,
        field=field,
        promise=found.promise,
        reason=found.reason,
        example=found.example or _example(values),
    )


def _judged(field: str, values: Sequence[str]) -> Verdict:
    if field == "status":
        return _status(values)
    if field == "leftovers":
        return Verdict("noise-prone", "Processes that outlive a step come and go with the machine's load.")
    if noisy := _noise(field, values):
        return noisy
    if field == "files" or field.startswith("files:"):
        return Verdict("contract", "What a command leaves on disk is read by whatever runs next.")
    return _stream(field, values) if field in {"stdout", "stderr"} else _payload(field, values)


def _status(values: Sequence[str]) -> Verdict:
    if unsteady := next((value for value in values if value in {"timeout", "overflow"}), ""):
        return Verdict("noise-prone", "A step that ran into a limit depends on how fast the machine is.", unsteady)
    return Verdict("contract", "Scripts branch on the exit status, whatever else is printed.")


def _noise(field: str, values: Sequence[str]) -> Verdict | None:
    for value in values:
        for name, pattern in _SHOWS_NOISE:
            if match := pattern.search(value):
                return Verdict("noise-prone", f"It holds {name}, which may differ from run to run.", match[0])
    if _NOISY_NAME.search(field):
        return Verdict("noise-prone", f"Its name, {field[:40]}, says that it may differ from run to run.")
    return None


def _stream(field: str, values: Sequence[str]) -> Verdict:
    shown = [value for value in values if value.strip()]
    if not shown:
        return Verdict("contract", f"No step printed anything on {field}; the first line there would be news.")
    if helping := next((match[0] for value in shown if (match := _HELP.search(value))), ""):
        return Verdict("incidental", "It is help text, which is reworded without anybody's asking.", helping.strip())
    if field == "stderr":
        return Verdict("incidental", "It is wording for people; that it is printed at all is what matters.")
    if all(map(_is_structured, shown)):
        return Verdict("contract", "It has a structure that other programs can read.")
    return Verdict("incidental", "It is a sentence for people; its wording is not its meaning.")


def _payload(field: str, values: Sequence[str]) -> Verdict:
    if _WORDY_NAME.search(field):
        return Verdict("incidental", f"Its name, {field[:40]}, says that it is wording for people.")
    if wordy := next((value for value in values if len(_WORDS.findall(value)) > 4 and not _is_structured(value)), ""):
        return Verdict("incidental", "It is a sentence for people; its wording is not its meaning.", _line(wordy))
    return Verdict("contract", "The program reports it as a value of its own, under a name.")


def _is_structured(text: str) -> bool:
    """JSON, JSON lines, `key=value` lines, a table of separated columns, or single words a line."""
    lines = [line for line in text.split("\n") if line.strip()]
    return _is_json(text) or all(_is_json(line) for line in lines) or _is_table(lines) or all(map(_is_short, lines))


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _is_table(lines: Sequence[str]) -> bool:
    """At least two lines, with the same number of tabs, commas, semicolons or bars in each."""
    counts = [{line.count(mark) for line in lines} for mark in "\t,;|"]
    return len(lines) > 1 and any(len(count) == 1 and max(count) > 0 for count in counts)


def _is_short(line: str) -> bool:
    """`key=value` pairs, one `key: value`, or one word."""
    parts = _GAP.split(line.strip())
    labelled = len(parts) == 2 and parts[0].endswith(":")
    return labelled or len(parts) == 1 or all(map(_PAIR.fullmatch, parts))


def _example(values: Sequence[str]) -> str:
    return next((line for value in values for line in [_line(value)] if line), "")


def _line(text: str) -> str:
    """The first line with something on it and nothing hidden, at most 80 characters; empty when there is none."""
    return next((line.strip()[:EXCERPT] for line in text.split("\n") if line.strip() and not has_hidden(line)), "")
