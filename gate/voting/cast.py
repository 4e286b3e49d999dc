"""Casting the votes: which runs there are, and what their records say.

A vote is a replay of the voter: fresh directories, the allowlisted environment, limits and reaping are the engine's.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from gate.config.model import Config, PropertySettings
from gate.diff.noise import Noise
from gate.domain import Case, CaseId, Record, Step
from gate.errors import PropertyError
from gate.hashing.properties import Property
from gate.replay.build import expand
from gate.replay.interface import Recipe
from gate.replay.slot import Slot
from gate.voting.ballots import Ballot, Run
from gate.voting.order import Order
from gate.voting.report import read_run
from gate.voting.tally import tally

KEEP_BYTES = 1 << 24
"""Bytes of a report that are kept. A longer one voids its run."""

LIMIT_BYTES = 1 << 26
"""Bytes that a run may print, and that it can give to a file. More voids it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Cases that share a recipe. Properties with time limits of their own are rounds of their own."""

    recipe: Recipe
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Electorate:
    """All runs of one vote on one build. Made with `called`."""

    config: Config
    slot: Slot
    orders: tuple[tuple[CaseId, Order], ...]
    repeats: tuple[tuple[str, int], ...]
    """Runs of each property, by name, in the order of the properties."""

    @classmethod
    def called(
        cls,
        properties: Sequence[Property],
        config: Config,
        slot: Slot,
        *,
        repeats: int | None = None,
        seed: int | None = None,
        collect_only: bool = False,
    ) -> Self:
        """The runs of `properties`, each with a nonce of its own; none for no properties.

        `repeats` and `seed` go before what `gate.toml` says: for a repair, and for experiments. With `collect_only` each property
        is collected once and not run. Raises PropertyError for settings of a property that there is not.
        """
        known = {each.name for each in properties}
        asked = tuple((each.name, 1 if collect_only else repeats or _repeats(config, each.name)) for each in properties)
        orders = tuple(
            (CaseId(f"vote:{each.name}:{number}"), _order(each, config, slot.root, seed, collect_only=collect_only))
            for each, (_, count) in zip(properties, asked, strict=True)
            for number in range(1, count + 1)
        )
        if len(known) != len(properties):
            raise ValueError("a property was called twice")
        return cls(config=config, slot=slot, orders=orders, repeats=asked)

    def rounds(self) -> tuple[Round, ...]:
        """What to replay, by time limit. The build stands at `slot.build`; `lay` has laid the rest."""
        limits: dict[float, list[Case]] = {}
        for case, order in self.orders:
            argv = tuple(word.encode("utf-8", "surrogateescape") for word in order.argv)
            step = Step(argv=argv, stdin=order.spec)
            limits.setdefault(_timeout(self.config, order.property.name), []).append(Case(id=case, steps=(step,)))
        return tuple(Round(recipe=self._recipe(limit), cases=tuple(cases)) for limit, cases in sorted(limits.items()))

    def runs(self, records: Iterable[Record]) -> dict[str, tuple[Run, ...]]:
        """The runs of each property, from the records of all rounds in any order. A run without a record is missing."""
        noise = Noise.compile(self.config.noise)
        by_case = {record.case: record for record in records}
        found: dict[str, list[Run]] = {name: [] for name, _ in self.repeats}
        for case, order in self.orders:
            if case in by_case:
                found[order.property.name].append(_run(by_case[case], order, noise))
        return {name: tuple(runs) for name, runs in found.items()}

    def ballots(self, records: Iterable[Record]) -> tuple[Ballot, ...]:
        """One ballot for each property, in the order of the properties."""
        runs = self.runs(records)
        return tuple(tally(name, runs[name], asked=asked) for name, asked in self.repeats)

    def _recipe(self, timeout: float) -> Recipe:
        voters = dict.fromkeys(order.argv[0] for _, order in self.orders)
        subject = (expand(word, build=self.slot.build) for word in self.config.program.argv[:1])
        return Recipe(
            slot=str(self.slot.root),
            aliases=self.slot.aliases,
            env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            timeout=timeout,
            keep_bytes=KEEP_BYTES,
            limit_bytes=LIMIT_BYTES,
            apart=True,
            programs=(*voters, *subject),
            ignore=("**",),
        )


def require_settings_of_known(config: Config, properties: Sequence[Property]) -> None:
    """Raise PropertyError for a table `voting.property.NAME` without a property of that name: a typing error would go unnoticed."""
    known = {each.name for each in properties}
    for name in sorted(config.voting.property):
        if name not in known:
            raise PropertyError(
                f"gate.toml: voting.property.{name}: expected the name of a property, one of {sorted(known) or 'none'}",
                next_step="Mend the name, or take the table out.",
            )


def _run(record: Record, order: Order, noise: Noise) -> Run:
    return read_run(
        dict(record.fields),
        nonce=order.nonce,
        pinned=order.property.tests,
        seed=order.seed,
        noise=noise,
        collect_only=order.collect_only,
    )


def _order(each: Property, config: Config, slot: Path, seed: int | None, *, collect_only: bool) -> Order:
    return Order(
        property=each,
        slot=slot,
        config=config,
        seed=config.voting.seed if seed is None else seed,
        nonce=secrets.token_hex(16),
        collect_only=collect_only,
    )


def _repeats(config: Config, name: str) -> int:
    return config.voting.property.get(name, PropertySettings()).repeats or config.voting.repeats


def _timeout(config: Config, name: str) -> float:
    return config.voting.property.get(name, PropertySettings()).timeout or config.voting.timeout
