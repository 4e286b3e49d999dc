"""What may still be used: requests, tokens, cost and time, asked before a request is sent and charged after it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from auditor.drafting.values import Usage
from auditor.service.settings_file import Limits, Price

Clock = Callable[[], float]

_BYTES_PER_TOKEN = 2
"""Pessimistic: code and logs take about 1.95 bytes a token (reported fault 137)."""
_TOKENS_PER_MESSAGE = 16
_MILLION = 1_000_000
_REPAIR_TOKENS = 1_000
_SMALL_QUESTION = 8_000


def estimate_tokens(messages: Sequence[Mapping[str, str]], schema: str = "") -> int:
    """How many tokens a question has at most, roughly: no tokenizer is loaded, as that would fetch a file."""
    sizes = [len(message["content"].encode("utf-8", "surrogatepass")) for message in messages]
    size = sum(sizes) + len(schema)
    return -(-size // _BYTES_PER_TOKEN) + _TOKENS_PER_MESSAGE * len(messages)


def question_budget(left: int, answer_tokens: int, schema_tokens: int) -> int:
    """How many tokens a question may have, of `left`: so that its answer and a repair, which repeats both, can follow.

    Where that is little, the repair has to go without. At least 0.
    """
    with_repair = (left - 3 * answer_tokens) // 2 - schema_tokens - _REPAIR_TOKENS
    without = left - answer_tokens - schema_tokens
    return max(with_repair, min(without, _SMALL_QUESTION), 0)


def cost_of(price: Price | None, prompt_tokens: int, answer_tokens: int) -> float | None:
    """In the currency of the price; None without one."""
    if price is None:
        return None
    return (prompt_tokens * price.prompt + answer_tokens * price.answer) / _MILLION


@dataclass(slots=True, kw_only=True)
class Ledger:
    """What one command has used of its limits. Time runs from when the ledger is made.

    A request whose tokens nobody told is charged as estimated; one that got no reply may have been billed all the same, and is
    charged in full.
    """

    limits: Limits
    price: Price | None = None
    clock: Clock = time.monotonic
    requests: int = 0
    tokens: int = 0
    cost: float = 0
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

    def seconds_left(self) -> float:
        """Of the time limit; never below 0."""
        return max(self.limits.seconds - (self.clock() - self.started), 0)

    def refusal(self, prompt_tokens: int, answer_tokens: int) -> str | None:
        """Why a request of so many tokens at most may not be sent; None where it may."""
        limits = self.limits
        if self.requests + 1 > limits.requests:
            return f"budget.requests is {limits.requests}, and {self.requests} were sent"
        if self.tokens + prompt_tokens + answer_tokens > limits.tokens:
            return (
                f"budget.tokens is {limits.tokens}, {self.tokens} are used, and this request may take "
                f"{prompt_tokens} (estimated) and {answer_tokens} for the answer"
            )
        if self.seconds_left() <= 0:
            return f"budget.seconds is {limits.seconds:g}, and they are over"
        return self._cost_refusal(prompt_tokens, answer_tokens)

    def _cost_refusal(self, prompt_tokens: int, answer_tokens: int) -> str | None:
        if self.limits.cost is None:
            return None
        cost = cost_of(self.price, prompt_tokens, answer_tokens)
        if cost is None:
            return "budget.cost is set, and [prices] has no entry for this model, so the limit could not be kept"
        if self.cost + cost > self.limits.cost:
            return f"budget.cost is {self.limits.cost:g}, {self.cost:.4g} is used, and this request may cost {cost:.4g}"
        return None

    def charge(self, prompt_tokens: int, answer_tokens: int) -> None:
        """Count one request that was sent."""
        self.requests += 1
        self.tokens += prompt_tokens + answer_tokens
        self.cost += cost_of(self.price, prompt_tokens, answer_tokens) or 0


def added(first: Usage, second: Usage) -> Usage:
    """Both together. A cost that is not known on one side is not known of both, unless that side sent nothing."""
    costs = [usage.cost for usage in (first, second) if usage.requests]
    known = [cost for cost in costs if cost is not None]
    return Usage(
        requests=first.requests + second.requests,
        prompt_tokens=first.prompt_tokens + second.prompt_tokens,
        answer_tokens=first.answer_tokens + second.answer_tokens,
        cost=sum(known) if costs and len(known) == len(costs) else None,
        unmetered=first.unmetered + second.unmetered,
    )
