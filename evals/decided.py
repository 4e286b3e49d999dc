"""A team's decisions for a person: who drafted what was accepted, how much was written anew, which classes stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from auditor.review.tally import QUICK_SECONDS
from evals.decisions import MOST_WORDS, Decided, Decisions, Made, Maker, distance
from evals.document import Block, Words, alarm, bullets, code, heading, say, strong, table
from evals.intervals import wilson
from evals.said import SMALL, count
from evals.worst import LONGEST

WORST = 8
"""Items of one maker that are listed of a kind."""
_READ = (
    f"Intervals are Wilson's, of 95 %; fewer than {SMALL} decisions are marked small n. They take items as independent, which those of one "
    "draft are not. A reviewer has read the draft first, and an item can be refused for its places or its age as well as for what it says: "
    "this tells whether drafts are of use, not whether they are right."
)
_WORDS = (
    "Words changed: 1 less the ratio of Python's difflib over words and signs, from 0 (as drafted) to 1 (nothing kept); "
    f"the first {MOST_WORDS} words of either."
)


def decided(held: Decisions) -> list[Block]:
    """The whole report. Nothing decided: that is said first."""
    blocks: list[Block] = [heading(1, "Evals: review decisions")]
    if not any(one.decided for one in held.made):
        blocks.append(alarm(strong("Nothing was decided."), " There is no acceptance to tell of."))
    blocks += [say(_READ), say(_WORDS)]
    if held.broken:
        blocks.append(
            alarm(strong(f"Not counted: {len(held.broken)}."), " These could not be read, or contradict themselves:")
        )
        blocks += bullets([(f"{name}: ", why) for name, why in held.broken])
    blocks.append(_acceptance(held.made))
    for one in held.made:
        if one.decided:
            blocks += _of_maker(one)
    return blocks


def _acceptance(made: Sequence[Made]) -> Block:
    return table(
        (
            "drafts",
            "decided",
            "open",
            "accepted as drafted",
            "accepted, edited too",
            "rejected",
            "words changed, of edited",
        ),
        [
            (
                _name(one.maker),
                count(len(one.decided)),
                str(one.proposed),
                _share(sum(item.outcome == "accepted" for item in one.decided), len(one.decided)),
                _share(sum(item.outcome != "rejected" for item in one.decided), len(one.decided)),
                str(sum(item.outcome == "rejected" for item in one.decided)),
                _changed(one.decided),
            )
            for one in made
        ],
    )


def _name(maker: Maker) -> str:
    digest = f", {maker.prompt_digest[:12]}" if maker.prompt_digest else ""
    return f"{maker.kind} by {maker.model}, {maker.prompt}{digest}"


def _share(hits: int, n: int) -> str:
    """`3 of 4: 0.75 (0.30 to 0.95)`."""
    found = wilson(hits, n)
    return "none decided" if found is None else f"{hits} of {n}: {hits / n:.2f} ({found[0]:.2f} to {found[1]:.2f})"


def _changed(items: Sequence[Decided]) -> str:
    found = [distance(item.old, item.new) for item in items if item.outcome == "edited"]
    return f"median {median(found):.2f}, most {max(found):.2f}, of {len(found)}" if found else "none edited"


def _of_maker(one: Made) -> Iterator[Block]:
    yield heading(2, _name(one.maker))
    accepted = [item for item in one.decided if item.outcome != "rejected"]
    quick = sum(item.seconds is not None and item.seconds < QUICK_SECONDS for item in accepted)
    if quick:
        yield say(f"{quick} of {len(accepted)} acceptances took under {QUICK_SECONDS:.0f} s: they may be no review.")
    if one.maker.kind == "policy":
        yield from _classes(one.decided)
    yield from _edits([item for item in one.decided if item.outcome == "edited"])


def _classes(items: Sequence[Decided]) -> Iterator[Block]:
    """What was drafted against what was decided: what is allowed was intended, what is rejected was not."""
    counts = Counter((item.drafted, item.outcome) for item in items)
    stood = sum((item.drafted == "intent") == (item.outcome != "rejected") for item in items)
    yield table(
        ("drafted \\ decided", "allowed as drafted", "allowed, edited", "rejected"),
        [
            (kind, *(str(counts[kind, outcome]) for outcome in ("accepted", "edited", "rejected")))
            for kind in ("intent", "collateral")
        ],
    )
    yield say(
        f"The drafted class stood: {_share(stood, len(items))}. Collateral that was rejected counts as a class that stood."
    )
    refused = [item for item in items if item.drafted == "intent" and item.outcome == "rejected"]
    if refused:
        unwanted = sum(item.outcome == "rejected" for item in items)
        yield alarm(
            strong(f"Drafted as intent and rejected: {len(refused)} of {unwanted} that were rejected."),
            " Each invited a reviewer to allow what nobody wanted.",
        )
        yield from bullets(
            [(f"{item.name}: ", code(_short(item.why or "no reason given"))) for item in refused[:WORST]]
        )


def _edits(items: Sequence[Decided]) -> Iterator[Block]:
    """The texts of which least was kept."""
    ranked = sorted(items, key=lambda item: -distance(item.old, item.new))[:WORST]
    if ranked:
        yield say(f"Written anew, {len(ranked)} of {len(items)}, the most changed first:")
        yield from bullets([_edit(item) for item in ranked])


def _edit(item: Decided) -> Words:
    return (
        f"{item.name}, {distance(item.old, item.new):.2f}: ",
        code(_short(item.old)),
        " became ",
        code(_short(item.new)),
    )


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
