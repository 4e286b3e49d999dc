"""An exception as the report tells it."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import Any

import pytest
from hypothesis.errors import Flaky, HypothesisException

LONGEST = 1 << 16
"""Characters of a text that are told; of a longer one the digest speaks for the rest."""

_LONGEST_TRACE = 20_000


def told(error: BaseException, *, phase: str, trace: str, folder: str) -> dict[str, Any]:
    """One failure: type with module, message, notes (the falsifying example is one), what sort it is, and where in `folder` it arose.

    Sorts: `failure`; `flaky`, where Hypothesis itself saw the test change its mind; `unfit`, where Hypothesis could not test at
    all (health checks, nothing satisfies the assumptions, wrong arguments), or pytest lacks a fixture: no counterexample.
    """
    sort = "failure"
    if isinstance(error, HypothesisException):
        sort = "flaky" if isinstance(error, Flaky) else "unfit"
    elif isinstance(error, pytest.FixtureLookupError):
        sort = "unfit"  # a plugin is missing (reported fault 116)
    inner = getattr(error, "exceptions", ())
    members = [member for member in inner if isinstance(member, BaseException)] if isinstance(inner, tuple) else []
    return {
        "phase": phase,
        "sort": sort,
        "type": "+".join([_name(error), *sorted(map(_name, members))]),
        "message": shortened("\n".join([_text(error), *map(_text, members)])),
        "example": shortened("\n".join(note for each in (error, *members) for note in _notes(each))),
        "place": _place(error, folder),
        "trace": trace[-_LONGEST_TRACE:],
    }


def shortened(text: str) -> str:
    """`text`, or its head with the digest of all of it."""
    if len(text) <= LONGEST:
        return text
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{text[:LONGEST]}… ({len(text)} characters, sha256:{digest})"


def _place(error: BaseException, folder: str) -> str:
    """File and line of the innermost frame below `folder`; empty where there is none."""
    place = ""
    step = error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if file.startswith(folder + os.sep):
            place = f"{file[len(folder) + 1 :]}:{step.tb_lineno}"
        step = step.tb_next
    return place


def _name(error: BaseException) -> str:
    kind = type(error)
    return f"{kind.__module__}.{kind.__qualname__}"


def _text(error: BaseException) -> str:
    if isinstance(error, pytest.FixtureLookupError):
        return f"fixture {error.argname!r} not found" if error.argname else _unnamed(error)
    try:
        return str(error)
    except BaseException as second:
        return f"(its message raised {_name(second)})"


def _unnamed(error: pytest.FixtureLookupError) -> str:
    said = " ".join(str(error.msg or "pytest gives no reason").split())
    return f"a fixture could not be looked up: {said}"


def _notes(error: BaseException) -> list[str]:
    notes = getattr(error, "__notes__", None)
    return [note for note in notes if isinstance(note, str)] if isinstance(notes, list) else []
