"""The pydantic models of an answer, built from its keys: what is sent as JSON schema, and what an item is held against."""

from __future__ import annotations

import functools
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from auditor.drafting import checks_lengths as lengths_of
from auditor.drafting.checks_lengths import Length
from auditor.drafting.values import Class, Mechanism
from auditor.service.shape import WHOLE, Shape

_STRICT = ConfigDict(extra="forbid", strict=True)
_LENGTHS = ("minLength", "maxLength")


def _words(length: Length) -> Any:
    return Annotated[str, Field(min_length=length[0], max_length=length[1])]


@functools.lru_cache(maxsize=32)
def item_model(shape: Shape) -> type[BaseModel]:
    """What each item has to be: the keys stand in this order, as the prompts say them."""
    match shape.schema:
        case "PolicySkeleton":
            fields = _classified()
        case "ThreeHypotheses" | "ThreeSuspects":
            fields = _hypothesis(shape)
        case "PropertyWording":
            fields = _wording()
        case "PropertyRepair":
            fields = _wording() | {"repair_note": _words(lengths_of.NOTE)}
    required: dict[str, Any] = {name: (kind, ...) for name, kind in fields.items()}
    return create_model(f"{shape.schema}Item", __config__=_STRICT, **required)


def _classified() -> dict[str, Any]:
    return {
        "quote": _words(lengths_of.QUOTE),
        "old": _words(lengths_of.EXCERPT),
        "new": _words(lengths_of.EXCERPT),
        "reason": _words(lengths_of.REASON),
        "class": Literal[get_args(Class)],
    }


def _hypothesis(shape: Shape) -> dict[str, Any]:
    suspect = {"suspect": _words(lengths_of.SUSPECT)} if shape.schema == "ThreeSuspects" else {}
    return {
        "evidence": _words(lengths_of.EVIDENCE),
        **suspect,
        "mechanism": Literal[get_args(Mechanism)],
        "claim": _words(lengths_of.CLAIM),
        "experiment": Literal[shape.experiments],
        "if_true": _words(lengths_of.OUTCOME),
        "if_false": _words(lengths_of.OUTCOME),
    }


def _wording() -> dict[str, Any]:
    return {
        "unclear": _words(lengths_of.QUOTED),
        "seen": _words(lengths_of.QUOTED),
        "statement": _words(lengths_of.STATEMENT),
        "difference": _words(lengths_of.SENTENCE),
        "question": _words(lengths_of.SENTENCE),
    }


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
