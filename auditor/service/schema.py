"""The pydantic models of an answer, built from its keys: what is sent as JSON schema, and what an item is held against."""

from __future__ import annotations

import functools
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from auditor.drafting.values import Class, Mechanism
from auditor.service.shape import WHOLE, Shape

_STRICT = ConfigDict(extra="forbid", strict=True)
_LENGTHS = ("minLength", "maxLength")


def _words(least: int, most: int) -> Any:
    return Annotated[str, Field(min_length=least, max_length=most)]


@functools.lru_cache(maxsize=32)
def item_model(shape: Shape) -> type[BaseModel]:
    """What each item has to be: the keys, in this order, and the lengths are those that the prompts say."""
    if shape.schema == "PolicySkeleton":
        fields: dict[str, Any] = {
            "quote": _words(0, 400),
            "old": _words(0, 80),
            "new": _words(0, 80),
            "reason": _words(30, 160),
            "class": Literal[get_args(Class)],
        }
    elif shape.schema == "ThreeHypotheses":
        fields = {
            "evidence": _words(8, 300),
            "mechanism": Literal[get_args(Mechanism)],
            "claim": _words(30, 200),
            "experiment": Literal[shape.experiments],
            "if_true": _words(1, 200),
            "if_false": _words(1, 200),
        }
    else:
        fields = {
            "unclear": _words(1, 400),
            "seen": _words(1, 400),
            "statement": _words(40, 300),
            "difference": _words(1, 300),
            "question": _words(1, 300),
        }
    required: dict[str, Any] = {name: (kind, ...) for name, kind in fields.items()}
    return create_model(f"{shape.schema}Item", __config__=_STRICT, **required)


def json_schema(shape: Shape, *, lengths: bool) -> dict[str, Any]:
    """The JSON schema of the whole answer, without references and titles: every key required, no other allowed.

    Without `lengths` the limits of strings are left out, which some endpoints do not take. They are checked here in any case.
    """
    item = _plain(item_model(shape).model_json_schema(), lengths=lengths)
    if shape.keys == (WHOLE,):
        return item
    return {
        "type": "object",
        "properties": dict.fromkeys(shape.keys, item),
        "required": list(shape.keys),
        "additionalProperties": False,
    }


def _plain(schema: dict[str, Any], *, lengths: bool) -> dict[str, Any]:
    dropped = {"title", *(() if lengths else _LENGTHS)}
    properties = {
        name: {word: said for word, said in field.items() if word not in dropped}
        for name, field in schema["properties"].items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": schema["required"],
        "additionalProperties": False,
    }


def read_item(shape: Shape, said: object) -> dict[str, str]:
    """The item that `said`, a value from JSON, is. Raises ValueError whose text is what to mend: one line, values not repeated."""
    try:
        return dict(item_model(shape).model_validate(said).model_dump())
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        raise ValueError("; ".join(_line(fault["loc"], fault["msg"]) for fault in faults[:8])) from None


def _line(place: tuple[int | str, ...], message: str) -> str:
    where = ".".join(ascii(str(part))[1:41].rstrip("'") for part in place)
    return f"{where}: {message}" if where else message
