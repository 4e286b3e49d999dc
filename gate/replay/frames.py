"""What the engine and a worker say to each other: framed messages over pipes.

The encoding is marshal: both ends are one interpreter of one machine, it needs no import, and unlike pickle it holds plain
values only, so that reading a message runs nothing.
"""

from __future__ import annotations

import marshal
import struct
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from gate.domain import Case, CaseId, Record, Step, Value
from gate.replay.interface import Recipe

_LENGTH = struct.Struct(">Q")

Message = tuple[Any, ...]
"""`("recipe", …)`, `("case", index, …)` and `("rest",)` to the worker; `("done", index, …)`, `("failed", index, kind, what, next_step)`
and `("rested",)` back."""


def framed(message: Message) -> bytes:
    """A message as it goes over the pipe."""
    body = marshal.dumps(message)
    return _LENGTH.pack(len(body)) + body


def unframed(buffer: bytearray) -> Iterator[Message]:
    """The messages that are complete in `buffer`, taken out of it."""
    while len(buffer) >= _LENGTH.size:
        end = _LENGTH.size + _LENGTH.unpack_from(buffer)[0]
        if len(buffer) < end:
            return
        body = bytes(buffer[_LENGTH.size : end])
        del buffer[:end]
        yield marshal.loads(body)


def recipe_message(recipe: Recipe) -> Message:
    """The recipe, which comes first."""
    plain = {item.name: getattr(recipe, item.name) for item in fields(recipe)}
    return ("recipe", {**plain, "env": dict(recipe.env)})


def as_recipe(message: Message) -> Recipe:
    """What `recipe_message` was made from."""
    return Recipe(**message[1])


def case_message(index: int, case: Case) -> Message:
    """A case to run; `index` comes back with its records."""
    steps = tuple((step.argv, step.stdin, tuple(step.env.items())) for step in case.steps)
    return ("case", index, case.id, case.origin, steps)


def as_case(message: Message) -> Case:
    """What `case_message` was made from."""
    _, _, name, origin, steps = message
    return Case(
        id=CaseId(name),
        origin=origin,
        steps=tuple(Step(argv=argv, stdin=stdin, env=dict(env)) for argv, stdin, env in steps),
    )


def done_message(index: int, records: tuple[Record, ...]) -> Message:
    """The records of a case."""
    return (
        "done",
        index,
        tuple(
            (
                record.case,
                record.step,
                record.command,
                tuple((name, v.data, v.size, v.sha256, v.overflow) for name, v in record.fields.items()),
            )
            for record in records
        ),
    )


def as_records(message: Message) -> tuple[Record, ...]:
    """What `done_message` was made from."""
    return tuple(
        Record(
            case=CaseId(case),
            step=step,
            command=command,
            fields={
                name: Value(data=data, size=size, sha256=digest, overflow=overflow)
                for name, data, size, digest, overflow in values
            },
        )
        for case, step, command, values in message[2]
    )
