"""In which form a request is put: endpoints differ in what they know, and say so by refusing."""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec

from auditor.service.settings import Endpoint
from auditor.service.shape import Shape

Structure = Literal["json_schema", "json_schema without lengths", "json_object", "plain"]
"""How the form of the answer is asked for, strictest first. Whatever is asked for, the answer is checked here."""

_STRUCTURE_WORDS = re.compile(r"response_format|json_schema|json_object|structured output|schema|grammar")
_LENGTH_WORDS = re.compile(r"m(in|ax)_?length")


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a request that endpoints disagree about."""

    structure: Structure
    settled: bool
    """Whether the structure was chosen by the user: then it is not given up."""
    limit: Literal["max_completion_tokens", "max_tokens"]
    temperature: float | None
    """None: not sent."""


def first_form(endpoint: Endpoint) -> Form:
    """The form to begin with."""
    return Form(
        structure="json_schema" if endpoint.structure == "auto" else endpoint.structure,
        settled=endpoint.structure != "auto",
        limit=endpoint.limit,
        temperature=endpoint.temperature,
    )


def next_form(form: Form, said: str) -> Form | None:
    """The form to try after a refusal that `said` so, in lower case; None where the refusal is about something else.

    No form comes twice: the structure only gets looser, the limit gets another name and the temperature goes away once each.
    """
    if form.temperature is not None and "temperature" in said:
        return msgspec.structs.replace(form, temperature=None)
    if form.limit == "max_completion_tokens" and form.limit in said:
        return msgspec.structs.replace(form, limit="max_tokens")
    if form.settled or form.structure == "plain" or not _STRUCTURE_WORDS.search(said):
        return None
    return msgspec.structs.replace(form, structure=_looser(form.structure, said))


def _looser(structure: Structure, said: str) -> Structure:
    if structure == "json_schema" and _LENGTH_WORDS.search(said):
        return "json_schema without lengths"
    return "plain" if structure == "json_object" else "json_object"


def body_of(form: Form, shape: Shape, max_output_tokens: int) -> dict[str, Any]:
    """The fields of the request's body beside the model and the messages."""
    body: dict[str, Any] = {form.limit: max_output_tokens}
    if form.temperature is not None:
        body["temperature"] = form.temperature
    if form.structure != "plain":
        body["response_format"] = _response_format(form, shape)
    return body


def _response_format(form: Form, shape: Shape) -> dict[str, Any]:
    from auditor.service.schema import json_schema  # noqa: PLC0415 - pydantic may not be there

    if form.structure == "json_object":
        return {"type": "json_object"}
    schema = json_schema(shape, lengths=form.structure == "json_schema")
    return {"type": "json_schema", "json_schema": {"name": shape.schema, "strict": True, "schema": schema}}
