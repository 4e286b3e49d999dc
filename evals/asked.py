"""What asking a model came to: outcomes, what was refused, tokens and cost, agreement over repeats."""

from __future__ import annotations

from collections.abc import Iterator

from evals.document import Block, Words, bullets, small, table
from evals.said import SMALL, interval, value
from evals.values import Asked


def asked(held: Asked) -> Iterator[Block]:
    """The questions of one task by outcome, then what they cost. Answers that agree may be wrong alike."""
    total = sum(held.outcomes.values())
    yield table(
        ("outcome", "questions", "share"),
        [(name, str(n), value(n / total if total else None)) for name, n in sorted(held.outcomes.items())],
    )
    yield from bullets([*_usage(held), *_agreement(held)])


def _usage(held: Asked) -> Iterator[Words]:
    usage = held.usage
    yield (f"Items that the form or a check refused, after the repair: {held.refused}.",)
    unmetered = f"; requests whose tokens the endpoint did not tell: {usage.unmetered}" if usage.unmetered else ""
    yield (
        f"Requests: {usage.requests}; tokens of questions: {usage.prompt_tokens}, of answers: {usage.answer_tokens}{unmetered}.",
    )
    yield (
        "Cost: no price is known." if usage.cost is None else f"Cost: {usage.cost:.4f}, in the currency of the prices.",
    )


def _agreement(held: Asked) -> Iterator[Words]:
    for variant, one in held.agreement.items():
        kappa = "undefined" if one.kappa is None else f"{one.kappa:.2f}"
        told = f"Each question {held.repeats} times, {variant}: all answers equal for {value(one.alike.value)} of {one.alike.n} samples"
        few = (" ", small("small n")) if one.alike.n < SMALL else ()
        yield (f"{told} ({interval(one.alike)}), Fleiss' kappa {kappa}.", *few)
