"""What a run of the evals may cost: one purse for all that ask at once, held against before each request is sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from auditor.service.budget import Ledger, cost_of
from auditor.service.settings_file import Price


@dataclass(slots=True)
class Purse:
    """Money of one command. What may be spent by requests under way is set aside, so that parallel ones cannot overdraw it together."""

    limit: float
    """In the currency of the prices."""
    spent: float = 0
    aside: float = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def set_aside(self, cost: float) -> str | None:
        """Set so much aside for a request; why not, where that is more than is left."""
        with self._lock:
            if self.spent + self.aside + cost > self.limit:
                left = self.limit - self.spent - self.aside
                return f"--budget is {self.limit:g}, {left:.4g} is left, and the next request may cost {cost:.4g}"
            self.aside += cost
            return None

    def settle(self, aside: float, cost: float) -> None:
        """Give back what was set aside for a request, and pay what it did cost."""
        with self._lock:
            self.aside -= aside
            self.spent += cost


@dataclass(slots=True, kw_only=True)
class PurseLedger(Ledger):
    """The ledger of one question: the limits of one `auditor draft`, and the purse that all questions share.

    The price is known: the caller sees to it.
    """

    purse: Purse
    own: Price
    held: float = 0
    cut: str = ""
    """Why the purse forbade a request of this question; empty where it did not."""

    def refusal(self, prompt_tokens: int, answer_tokens: int) -> str | None:
        """As a ledger's own, and what the purse says. Where the request may be sent, its cost is set aside."""
        # No zero-argument super: a class with slots is made twice.
        if refused := Ledger.refusal(self, prompt_tokens, answer_tokens):
            return refused
        cost = cost_of(self.own, prompt_tokens, answer_tokens) or 0
        self.settle()
        if refused := self.purse.set_aside(cost):
            self.cut = refused
            return refused
        self.held = cost
        return None

    def charge(self, prompt_tokens: int, answer_tokens: int) -> None:
        """Count one request that was sent."""
        Ledger.charge(self, prompt_tokens, answer_tokens)
        self.settle(cost_of(self.own, prompt_tokens, answer_tokens) or 0)

    def settle(self, cost: float = 0) -> None:
        """Give back what is set aside: to be called when the question has ended, too, since not every request gets to its charge."""
        self.purse.settle(self.held, cost)
        self.held = 0
