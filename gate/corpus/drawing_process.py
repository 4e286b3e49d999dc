"""The process that draws: it has imported neither the program under test nor anything that is not needed to draw.

Hypothesis collects constants from every module in `sys.modules` that it takes for local code and mixes them into what it draws
(`_get_local_constants` in hypothesis/internal/conjecture/providers.py). Whether a module is local depends on where it is
installed, so one seed would draw one corpus from a wheel and another from a checkout. It skips modules without `__file__`:
before the first draw every module that is neither Hypothesis's nor the standard library's loses its own.
"""

from __future__ import annotations

import sys
from hashlib import sha256

import hypothesis
import msgspec

from gate.corpus.choose import choose
from gate.corpus.exchange import DrawnCase, DrawnStep, Reply, Request
from gate.corpus.strategies import drawn_cases

ROUND = 10
"""Examples a round, each round under a seed of its own: within one run Hypothesis varies what it drew before, so short runs draw
wider. Fixed, because it draws differently under another `max_examples`."""

POOL = 500
"""Distinct cases to choose from, or three a case that is asked for where that is more."""

_IDLE_ROUNDS = 20
_OWN = sys.stdlib_module_names | {"hypothesis"}


def draw(request: Request) -> Reply:
    """The cases that were asked for, chosen (gate.corpus.choose) from a larger number that the seed gives.

    Fewer than asked when the grammar gives fewer: the draw ends after twenty rounds in a row without a new case, or after four
    examples for every case that it wants to choose from.
    """
    wanted = max(POOL, 3 * request.cases)
    found: dict[tuple[DrawnStep, ...], DrawnCase] = {}
    examples = idle = number = 0
    while len(found) < wanted and idle < _IDLE_ROUNDS and number * ROUND < 4 * wanted:
        before = len(found)
        for case in _round(request, number):
            examples += 1
            found.setdefault(case.steps, case)
        idle = idle + 1 if len(found) == before else 0
        number += 1
    return Reply(
        hypothesis=hypothesis.__version__,
        cases=choose(tuple(found.values()), request.cases),
        examples=examples,
        distinct=len(found),
    )


def _round(request: Request, number: int) -> list[DrawnCase]:
    drawn: list[DrawnCase] = []

    # Every setting that decides what is drawn is named: the profile that would fill it in depends on the environment.
    @hypothesis.seed(_seed(request.seed, number))
    @hypothesis.settings(
        max_examples=ROUND,
        derandomize=False,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
        print_blob=False,
        backend="hypothesis",
    )
    @hypothesis.given(drawn_cases(request.grammar))
    def collect(case: DrawnCase) -> None:
        drawn.append(case)

    collect()
    return drawn


def _seed(seed: int, number: int) -> int:
    return int.from_bytes(sha256(f"gate corpus {seed} {number}".encode()).digest()[:16], "big")


def located_modules() -> list[str]:
    """The loaded modules, by name, that Hypothesis could take for local code: those with a `__file__` that are not its own."""
    return sorted(
        name
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] not in _OWN and getattr(module, "__file__", None) is not None
    )


def hide_modules() -> None:
    """Take `__file__` from every module that Hypothesis could take for local code."""
    for name in located_modules():
        sys.modules[name].__file__ = None


def main() -> None:
    """A `Request` on standard input, a `Reply` on standard output. A module that was loaded while drawing is an error."""
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=Request)
    hide_modules()
    reply = draw(request)
    if late := located_modules():
        raise RuntimeError(f"modules loaded while drawing could have changed the draw: {', '.join(late)}")
    sys.stdout.buffer.write(msgspec.json.encode(reply))
