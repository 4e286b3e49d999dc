"""What asking a model came to: outcomes, what was refused, tokens and cost, agreement over repeats."""

from __future__ import annotations

from collections.abc import Iterator

from evals.document import Block, Words, bullets, small, table
from evals.said import SMALL, interval, value
from evals.shares import share_of
from evals.transcripts import NONE
from evals.values import Asked


def asked(held: Asked) -> Iterator[Block]:
    """The questions of one task by outcome, then what they cost. Answers that agree may be wrong alike.

    A share is of the questions that were asked: one without a transcript says nothing of the model.
    """
    told = sum(n for name, n in held.outcomes.items() if name != NONE)
    shares = {name: share_of(n, told) for name, n in sorted(held.outcomes.items()) if name != NONE}
    yield table(
        ("outcome", "questions", "share of those asked", "interval"),
        [
            *((name, str(held.outcomes[name]), value(one.value), interval(one)) for name, one in shares.items()),
            *([(NONE, str(held.outcomes[NONE]), "not asked", "")] if NONE in held.outcomes else []),
        ],
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
