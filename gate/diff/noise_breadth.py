"""What is wrong with a noise rule: it matches nothing, or too much, or what is never noise, or hides what noise never does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Literal

from gate.diff.escape import escaped
from gate.diff.matching import Matcher
from gate.diff.noise import PROTECTED, Noise
from gate.diff.noise_counts import PROBES, meaning
from gate.diff.noise_mutations import UNLIKE_NOISE, Mutation
from gate.diff.noise_sites import Runs, Site, spans_of
from gate.domain import value

HALF = 0.5
"""Share of all bytes that no rule should take out."""

NEARLY_ALL = 0.9
"""Share of all values, or of all numbers, that no rule should take out."""

SEVERAL = 3
"""Places that a rule matches at, and words before the numbers that it takes out: from so many on it is for nothing in particular."""

NAMED = 3
"""Examples in a sentence."""

BESIDE = 24
"""Bytes shown of a span, and on either side of it."""

FREE_TEXT = ("stdout", "stderr")

Why = Literal[
    "matches nothing", "matches nearly everything", "touches an exit code", "touches a count", "hides a change"
]

_NUMBER = re.compile(rb"(?<![A-Za-z0-9_.])[0-9]+(?:[.,][0-9]+)*(?![A-Za-z0-9_])")
_LAST_WORD = re.compile(rb"([A-Za-z0-9_]*)[^A-Za-z0-9_]*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong with one rule."""

    rule: str
    what: Why
    why: str
    """With what was seen; program output in it is escaped and bounded."""
    next_step: str


Faults = tuple[Fault, ...]

_ANCHOR = "Name what stands beside the noise in the pattern, as in `took=(?P<noise>[0-9]+)`, and restrict it with `fields` and `commands`."


def breadth_faults(
    noise: Noise, sites: Mapping[str, Sequence[Site]], cases: Sequence[Runs], unseen: Mapping[str, Iterable[Mutation]]
) -> Faults:
    """The faults of all rules, rule by rule. `sites` holds the matches of each rule, `unseen` the changes that it hides.

    Built-in rules are only held to what they hide: they match whole tokens, and need no match to be there.
    """
    whole = _Whole(cases)
    own = {matcher.name: matcher for matcher in noise.user}
    return tuple(
        fault
        for name, rows in sites.items()
        for fault in (
            *(_of_own(own[name], noise, rows, whole.without(name, sites)) if name in own else ()),
            *_hiding(name, unseen[name]),
        )
    )


def _of_own(matcher: Matcher, noise: Noise, sites: Sequence[Site], whole: _Whole) -> Iterable[Fault]:
    if not sites:
        yield Fault(
            rule=matcher.name,
            what="matches nothing",
            why="no recorded run holds a span that it takes out",
            next_step="Take it out of gate.toml, or mend its pattern, `fields` and `commands`.",
        )
    else:
        yield from _too_much(matcher.name, sites, whole)
    yield from _never_noise(matcher, noise, sites)


def _too_much(name: str, sites: Sequence[Site], whole: _Whole) -> Iterable[Fault]:
    taken = sum(site.end - site.start for site in sites)
    entire = sum(site.whole for site in sites)
    bare = [site for site in sites if _is_bare(site)]
    words = {word[1] for site in bare if (word := _LAST_WORD.search(site.before)) is not None}
    spread = len({(site.case, site.step, site.field, site.number) for site in sites}) >= SEVERAL
    told = [
        (taken > HALF * whole.size, f"it takes out {taken} of all {whole.size} bytes that were recorded"),
        (entire > NEARLY_ALL * whole.values, f"it takes out {entire} of all {whole.values} values, each whole"),
        (
            len(bare) > NEARLY_ALL * whole.numbers and len(words) >= SEVERAL,
            f"it takes out {len(bare)} of all {whole.numbers} numbers that were recorded, whatever they count",
        ),
    ]
    if spread and (why := [sentence for broad, sentence in told if broad]):
        yield Fault(rule=name, what="matches nearly everything", why="; ".join(why), next_step=_ANCHOR)


def _is_bare(site: Site) -> bool:
    """A number with nothing glued to it, as `_NUMBER` counts them."""
    match = _NUMBER.match(site.text, site.start)
    return match is not None and match.end() == site.end


def _never_noise(matcher: Matcher, noise: Noise, sites: Sequence[Site]) -> Iterable[Fault]:
    for what, meant in (("touches an exit code", "an exit code"), ("touches a count", "a count")):
        seen = [site for site in sites if _means(site) == meant]
        probed = [line for line, meanings in _probed(matcher, noise) if meant in meanings]
        if seen:
            lines = dict.fromkeys(_marked(site) for site in seen)
            varied = sum(site.licensed for site in seen) or "none"
            why = f"{len(seen)} of its matches tell {meant}, {varied} of them varied between the baseline's runs: {_listed(lines)}"
        elif probed:
            why = f"it would take {meant} out of {_listed(probed)}, though no recorded run prints one"
        else:
            continue
        yield Fault(rule=matcher.name, what=what, why=why, next_step=_ANCHOR)  # type: ignore[arg-type]


def _hiding(name: str, unseen: Iterable[Mutation]) -> Iterable[Fault]:
    hidden = [mutation for mutation in unseen if mutation in UNLIKE_NOISE]
    if hidden:
        yield Fault(
            rule=name,
            what="hides a change",
            why=f"a span that is {_or(_SAID[mutation] for mutation in hidden)} would not be seen, and noise never does that by itself",
            next_step="Let the pattern say what the noise looks like (its characters, its length), not that something is there.",
        )


_SAID: Mapping[str, str] = {"dropped": "dropped", "other type": "of another type", "constant": "a constant"}


def _or(words: Iterable[str]) -> str:
    return " or ".join(words)


def _means(site: Site) -> str | None:
    return meaning(field=site.field, before=site.before, raw=site.raw, after=site.after)


def _probed(matcher: Matcher, noise: Noise) -> Iterable[tuple[str, set[str]]]:
    """The probes of which the rule takes an exit code or a count, and which; none where it is for other fields than free text."""
    field = next((name for name in FREE_TEXT if not matcher.fields or name in matcher.fields), None)
    if field is None:
        return
    command = min(matcher.commands, default="")
    for line in PROBES:
        spans = [span for span in spans_of(value(line), field, command, noise) if span[0] == matcher.name]
        told = {
            meaning(field=field, before=line[:start], raw=line[start:end], after=line[end:]) for _, start, end in spans
        }
        if met := {each for each in told if each is not None}:
            yield f"`{escaped(line)}`", set(met)


def _marked(site: Site) -> str:
    before, after = site.before[-BESIDE:], site.after[:BESIDE]
    left, right = ("…" if len(whole) > BESIDE else "" for whole in (site.before, site.after))
    raw = escaped(site.raw[:BESIDE]) + ("…" if len(site.raw) > BESIDE else "")
    return f"`{left}{escaped(before)}«{raw}»{escaped(after)}{right}`"


def _listed(texts: Iterable[str]) -> str:
    shown = list(texts)
    rest = f" and {len(shown) - NAMED} more" if len(shown) > NAMED else ""
    return ", ".join(shown[:NAMED]) + rest


class _Whole:
    """What was recorded in all: in the fields that a rule may reach."""

    def __init__(self, cases: Sequence[Runs]) -> None:
        texts = [
            held.data
            for runs in cases
            for run in runs
            for record in run
            for name, held in record.fields.items()
            if name not in PROTECTED and held.data and not held.cut
        ]
        self.size = sum(map(len, texts))
        self.values = len(texts)
        self.numbers = sum(len(_NUMBER.findall(text)) for text in texts)

    def without(self, rule: str, sites: Mapping[str, Sequence[Site]]) -> _Whole:
        """The same without the numbers that other rules take out."""
        rest = copy(self)
        others = (site for name, rows in sites.items() if name != rule for site in rows)
        rest.numbers -= sum(len(_NUMBER.findall(site.raw)) for site in others)
        return rest
