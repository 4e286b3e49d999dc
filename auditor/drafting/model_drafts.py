"""Drafts by a model: a request, its answer, and the same checks that an offline draft passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from auditor.drafting.request import Request
from auditor.drafting.values import Classified, Drafted, Hypothesis, Rejected, Wording
from auditor.errors import AuditorError
from auditor.service.client import Client
from auditor.service.outcomes import NoAnswer
from auditor.service.shape import Shape


class NoDraftError(AuditorError):
    """The model gave no answer that can be used. The gate's verdict stands as it stood."""


def ask(client: Client, request: Request, shape: Shape) -> Drafted:
    """The items of the model's answer, unchecked against the material. Raises NoDraftError."""
    answer = client.ask(request.messages, shape, prompt=request.prompt_digest)
    if isinstance(answer, NoAnswer):
        raise NoDraftError(answer.what, next_step=answer.next_step)
    items: list[Any] = []
    rejected = list(answer.rejected)
    for key, item in answer.items.items():
        try:
            items.append(_item(shape, key, item))
        except (KeyError, msgspec.ValidationError) as error:
            rejected.append(Rejected(key=key, why=f"not of the form that was asked for: {error}"))
    return Drafted(
        model=answer.model,
        prompt=request.prompt,
        items=tuple(items),
        rejected=tuple(rejected),
        missing=answer.missing,
        usage=answer.usage,
    )


def _item(shape: Shape, key: str, item: Mapping[str, str]) -> Classified | Hypothesis | Wording:
    match shape.schema:
        case "PolicySkeleton":
            return msgspec.convert(
                {
                    "group": key,
                    "kind": item["class"],
                    **{name: item[name] for name in ("quote", "old", "new", "reason")},
                },
                Classified,
            )
        case "ThreeHypotheses":
            return msgspec.convert(dict(item), Hypothesis)
        case "PropertyWording":
            return msgspec.convert(dict(item), Wording)
