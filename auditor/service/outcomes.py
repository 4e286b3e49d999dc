"""How a question to a model ends: with an answer, or without one. Both are values; neither moves a verdict of the gate."""

from __future__ import annotations

from typing import Literal

import msgspec

from auditor.drafting.values import Rejected, Usage

Kind = Literal[
    "refused",
    "cut off",
    "empty",
    "invalid",
    "timed out",
    "over budget",
    "unauthorised",
    "model not found",
    "rate limited",
    "quota",
    "server",
    "connection",
    "context too long",
    "bad request",
    "bad reply",
    "not installed",
]
"""Every way to get no answer."""

PASSING: frozenset[Kind] = frozenset({"timed out", "rate limited", "server", "connection"})
"""What may be gone a moment later, and is tried again. Nothing else is."""

OF_ONE_QUESTION: frozenset[Kind] = frozenset({"refused", "cut off", "empty", "invalid", "context too long"})
"""What speaks of one question and its answer alone. After anything else, the next question would end in the same way."""

_TOLD: dict[Kind, tuple[str, str]] = {
    "refused": (
        "{model} refused to answer",
        "Draft offline, or ask another model: --model. The dry run shows what was asked.",
    ),
    "cut off": (
        "the answer of {model} was cut off at the limit of its length, and none of it is used",
        "Raise model.max_output_tokens in auditor.toml, or draft offline.",
    ),
    "empty": ("{model} gave an empty answer", "Ask again, or ask another model: --model."),
    "invalid": (
        "nothing in the answer of {model} can be used, on a second try neither",
        "Ask a larger model, or one that keeps to a JSON schema, or draft offline.",
    ),
    "timed out": (
        "{model} gave no whole answer in time",
        "Raise model.timeout or budget.seconds in auditor.toml, or ask a faster model.",
    ),
    "over budget": (
        "not asked: the budget does not allow it",
        "If auditor.toml lowers [budget], raise it there; else draft offline.",
    ),
    "unauthorised": (
        "{address} does not take the key, or not for {model}",
        "Set OPENAI_API_KEY to a key of that address, or OPENAI_BASE_URL to the address of the key.",
    ),
    "model not found": (
        "{address} knows no model {model}, or the address is not an OpenAI-compatible one",
        "Look the name up at the provider (models are retired), and see that the address ends as its documentation says, often in /v1.",
    ),
    "rate limited": (
        "{address} takes no more requests for now",
        "Wait a while and draft again. What was drafted before is cached.",
    ),
    "quota": ("the account at {address} has used up its quota", "Look at the account's plan, or draft offline."),
    "server": ("{address} failed to answer", "Not your fault: draft again later, or draft offline."),
    "connection": (
        "{address} cannot be reached",
        "Start the server, or mend OPENAI_BASE_URL or model.base_url in auditor.toml.",
    ),
    "context too long": (
        "the question is longer than {model} can read",
        "Lower budget.tokens in auditor.toml so that less is sent, or ask a model with a longer context.",
    ),
    "bad request": (
        "{address} refused the request as it stands",
        "See docs/models.md for model.structure, model.limit and model.temperature, which some endpoints want otherwise.",
    ),
    "bad reply": (
        "what {address} sent is no answer of a chat model",
        "See that the address is an OpenAI-compatible one and ends as its documentation says, often in /v1.",
    ),
    "not installed": (
        "asking a model needs packages that are not installed",
        "Install them: pip install 'agent-patch-auditor[auditor]'. Drafting offline needs none.",
    ),
}


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One request that was sent, or one question that was not."""

    outcome: str
    """`answered`, or the kind of what went wrong with its detail."""
    waited: float = 0
    """Seconds that were waited after it, before the next."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model said and what of it has the form that was asked for: at least one item."""

    items: dict[str, dict[str, str]]
    """By key, in the order of the keys that were asked for."""
    rejected: tuple[Rejected, ...] = ()
    missing: tuple[str, ...] = ()
    """Keys that were asked for and stand in no answer."""
    text: str
    """The last answer as it came: hostile data."""
    model: str
    """The model as the reply names it, else as it was asked for: hostile data."""
    usage: Usage
    """What the answer cost when it was given, repair included."""
    attempts: tuple[Attempt, ...] = ()
    cached: bool = False
    """Whether it was remembered: then nothing was sent, and the usage is that of the day it was given."""


class NoAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no answer. Nothing was written, and the verdict of the gate stands as it stood."""

    kind: Kind
    what: str
    """One line. It never repeats what an endpoint said: an error of a provider may hold the key."""
    next_step: str
    model: str
    usage: Usage = Usage()
    attempts: tuple[Attempt, ...] = ()
    text: str = ""
    """What the model said where it said something: hostile data."""
    rejected: tuple[Rejected, ...] = ()

    def diagnostics(self) -> str:
        """Two lines for a person: what happened, then the next step."""
        return f"{self.what}\n{self.next_step}"


def told(kind: Kind, *, model: str, address: str, detail: str = "") -> tuple[str, str]:
    """The line for a kind, and its next step."""
    what, next_step = _TOLD[kind]
    line = what.format(model=model, address=address)
    return f"no draft ({kind}): {line}" + (f": {detail}" if detail else ""), next_step
