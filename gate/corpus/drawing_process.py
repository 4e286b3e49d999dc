"""The process that draws: it has imported neither the program under test nor anything that is not needed to draw.

Hypothesis collects constants from every module in `sys.modules` that it takes for local code and mixes them into what it draws
(`_get_local_constants` in hypothesis/internal/conjecture/providers.py). Whether a module is local depends on where it is
installed, so one seed would draw one corpus from a wheel and another from a checkout. It skips modules without `__file__`:
before the first draw every module that is neither Hypothesis's nor the standard library's loses its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256

import hypothesis
import msgspec
from hypothesis.strategies import SearchStrategy

from gate.corpus.choose import choose
from gate.corpus.coverage import wanted_tags
from gate.corpus.exchange import DrawnCase, DrawnStep, Reply, Request
from gate.corpus.grammar import Grammar
from gate.corpus.planning import plans
from gate.corpus.slots import Form, forms
from gate.corpus.strategies import drawn_cases
from gate.corpus.tags import expanded

ROUND = 10
"""Examples a round, each round under a seed of its own: within one run Hypothesis varies what it drew before, so short runs draw
wider. Fixed, because it draws differently under another `max_examples`."""

POOL = 500
"""Distinct cases to choose from, or three a case that is asked for where that is more."""

_IDLE_ROUNDS = 20
_TRIES = 3
"""Times that something wanted is planned for: a plan may miss what depends on the words that are drawn."""

_PLANNED = 2
"""Examples a plan, of which the last is taken: the first that Hypothesis draws is always the smallest."""

_OWN = sys.stdlib_module_names | {"hypothesis"}


def draw(request: Request) -> Reply:
    """The cases that were asked for, chosen (gate.corpus.choose) from a larger number that the seed gives.

    Some are planned to cover what the grammar has, the others are drawn freely. Of a program whose commands stand each for itself the
    cases with fewer steps come first. Fewer than asked when the grammar gives fewer: the draw ends after twenty rounds in a row without a
    new case, or after four examples for every case that it wants to choose from.
    """
    wanted = max(POOL, 3 * request.cases)
    found: dict[tuple[DrawnStep, ...], DrawnCase] = {}
    examples = 0
    known = forms(request.grammar)
    for case in _planned(request, known, wanted):
        examples += 1
        found.setdefault(case.steps, case)
    planned = len(found)
    free = idle = number = 0
    strategy = drawn_cases(request.grammar, known=known)
    while free < wanted and idle < _IDLE_ROUNDS and number * ROUND < 4 * wanted:
        before = len(found)
        for case in _examples(strategy, _seed(request.seed, number), ROUND):
            examples += 1
            found.setdefault(case.steps, case)
        idle = idle + 1 if len(found) == before else 0
        free += len(found) - before
        number += 1
    cases = choose(tuple(found.values()), request.cases, planned=planned)
    if _one_shot(request.grammar):
        cases = tuple(sorted(cases, key=lambda case: len(case.steps)))
    return Reply(hypothesis=hypothesis.__version__, cases=cases, examples=examples, distinct=len(found))


def _planned(request: Request, known: Mapping[str, Form], most: int) -> Iterator[DrawnCase]:
    """At most `most` cases that cover what the grammar has; what they missed is planned again, under another seed."""
    left = frozenset(tag for tags in wanted_tags(request.grammar).values() for tag in tags)
    made = 0
    for _ in range(_TRIES):
        covered: set[str] = set()
        for plan in plans(request.grammar, known, left, most=most - made):
            drawn = _examples(
                drawn_cases(request.grammar, plan, known=known), _seed(request.seed, f"plan {made}"), _PLANNED
            )
            made += 1
            covered.update(*(expanded(case.covers) for case in drawn[-1:]))
            yield from drawn[-1:]
        if left.isdisjoint(covered):
            return
        left -= covered


def _one_shot(grammar: Grammar) -> bool:
    return not any(command.after or command.role for command in grammar.commands)


def _examples(strategy: SearchStrategy[DrawnCase], seed: int, number: int) -> list[DrawnCase]:
    drawn: list[DrawnCase] = []

    # Every setting that decides what is drawn is named: the profile that would fill it in depends on the environment.
    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=number,
        derandomize=False,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
        print_blob=False,
        backend="hypothesis",
    )
    @hypothesis.given(strategy)
    def collect(case: DrawnCase) -> None:
        drawn.append(case)

    collect()
    return drawn


def _seed(seed: int, number: int | str) -> int:
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
