"""From what an experiment showed to the record that is kept beside its hypothesis: without secrets, bounded, one line a fact. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.drafting.readings import reading
from auditor.drafting.redact import Redactor
from auditor.suggestions.plain import plain
from gate import api

MOST = 20
"""Differences or failures that are told one by one."""
VALUE = 80
"""Characters of a value."""
MESSAGE = 300
"""Characters of a failure."""


def told(asked: api.Experiment, shown: api.Experimented, redactor: Redactor) -> str:
    """Lines: what follows, what was seen in one sentence, then each difference or failure. Nothing in them but line feeds acts on a
    terminal. Secrets are taken out before anything is cut, so that none is kept in part.
    """
    redactor.learn([text for _, text in _texts(shown)], named=[pair for pair in _texts(shown) if pair[0]])
    rows = [*_differences(shown, redactor), *_failures(shown, redactor)]
    left_out = [f"… and {len(rows) - MOST} more"] if len(rows) > MOST else []
    heads = (redactor.apply(reading(asked, shown)), redactor.apply(shown.words))
    return "\n".join(plain(row) for row in (*heads, *rows[:MOST], *left_out))


def _texts(shown: api.Experimented) -> Iterator[tuple[str, str]]:
    """Everything that a program said, with the name of its field; empty where it has none."""
    for seen in shown.seen:
        yield from ((seen.field, _text(value)) for value in (seen.old, seen.new) if value is not None)
    for ballot in shown.ballots:
        yield from (("", text) for each in ballot.failures for text in (each.message, each.example))


def _differences(shown: api.Experimented, redactor: Redactor) -> Iterator[str]:
    for seen in shown.seen:
        again = f" (record {seen.occurrence})" if seen.occurrence > 1 else ""
        said = f"step {seen.step}{again}, {redactor.apply(seen.field)}: {seen.words}"
        if not seen.valued:
            yield said
            continue
        old, new = (_value(seen.field, value, redactor) for value in (seen.old, seen.new))
        values = new if seen.finding == "shown" else f"{old} -> {new}"
        yield f"{said} {values}" if seen.finding == "vanishes" else f"{said}: {values}"


def _failures(shown: api.Experimented, redactor: Redactor) -> Iterator[str]:
    for ballot in shown.ballots:
        for each in ballot.failures:
            example = f"; {each.example}" if each.example else ""
            whole = redactor.apply(f"{each.test}: {each.exception}: {each.message}{example}")
            yield f"{ballot.side}: {_cut(' '.join(whole.split()), MESSAGE)}"


def _value(field: str, value: bytes | None, redactor: Redactor) -> str:
    return "(not observed)" if value is None else f'"{_cut(redactor.hide(field, _text(value)), VALUE)}"'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def _text(value: bytes) -> str:
    return value.decode("utf-8", "backslashreplace")
