"""Drafts by a model: a request, its answer, and the same checks that an offline draft passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from auditor.drafting.checks_answers import Check, classified_of, hypothesis_of
from auditor.drafting.request import Request
from auditor.drafting.values import Classified, Drafted, Hypothesis, Rejected, Usage, Wording
from auditor.errors import AuditorError
from auditor.service.outcomes import OF_ONE_QUESTION, Answer, NoAnswer
from auditor.service.shape import Shape
from auditor.service.wire import Messages


class Answering(Protocol):
    """Who answers: a client of the service, or whatever stands for one."""

    def ask(self, messages: Messages, shape: Shape, *, prompt: str, check: Check | None = None) -> Answer | NoAnswer:
        """As `Client.ask`."""


class NoDraftError(AuditorError):
    """The model gave no answer that can be used. The gate's verdict stands as it stood."""

    usage: Usage = Usage()
    """What was used all the same."""
    of_one_question: bool = False
    """Whether another question may be answered all the same."""


def ask(client: Answering, request: Request, check: Check) -> Drafted:
    """The items of the model's answer, each held against `check`, and none against the others. Raises NoDraftError.

    Everything that came from the endpoint passes through the request's redactor: a server knows the key, and may say it.
    """
    shape = shape_of(request)
    answer = client.ask(request.messages, shape, prompt=request.prompt_digest, check=check)
    clean = request.redactor.apply
    if isinstance(answer, NoAnswer):
        refused = NoDraftError(clean(answer.what), next_step=answer.next_step)
        refused.usage, refused.of_one_question = answer.usage, answer.kind in OF_ONE_QUESTION
        raise refused
    items: list[Any] = []
    rejected = [_of_answer(shape, refused.key, clean(refused.why)) for refused in answer.rejected]
    for key, item in answer.items.items():
        try:
            items.append(_item(shape, key, {name: clean(text) for name, text in item.items()}))
        except (KeyError, msgspec.ValidationError) as error:
            rejected.append(_of_answer(shape, key, f"not of the form that was asked for: {error}"))
    return Drafted(
        model=clean(answer.model),
        prompt=request.prompt,
        items=tuple(items),
        rejected=tuple(rejected),
        missing=answer.missing,
        usage=answer.usage,
    )


def shape_of(request: Request) -> Shape:
    """The form that the answer to a request has to have."""
    told = {"schema": request.schema, "keys": request.keys, "experiments": request.experiments}
    return msgspec.convert(told, Shape)


def _of_answer(shape: Shape, key: str, why: str) -> Rejected:
    """Hypotheses are numbered anew when one is not taken, so a rejected one says that its number is the answer's."""
    return Rejected(key=f"{key} of the answer" if key and shape.experiments else key, why=why)


def _item(shape: Shape, key: str, item: Mapping[str, str]) -> Classified | Hypothesis | Wording:
    match shape.schema:
        case "PolicySkeleton":
            return classified_of(key, item)
        case "ThreeHypotheses" | "ThreeSuspects":
            return hypothesis_of(item)
        case "PropertyWording" | "PropertyRepair":
            return msgspec.convert(dict(item), Wording)
