"""Proposed noise rules as blocks for gate.toml, for people to paste; what is no matter of a rule, with its cure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gate.diff.escape import escaped, escaped_name
from gate.diff.noise_drafts import NoRule, Proposal
from gate.diff.noise_suggest import Suggestions, Uncured
from gate.diff.render import render_value
from gate.diff.rule_block import rule_block

_MASKS = 3
_VALUES = 4
_AROUND = 24
_SPAN = 60
_CURES: Mapping[NoRule, str] = {
    "protected": "how a step ended is never noise: mend the program, or drop the case (gate corpus remove {case})",
    "order": "the same lines in another order are no noise: sort what the program prints, or drop the case (gate corpus remove {case})",
    "whole": "no span tells the runs apart: mend the program, or drop the case (gate corpus remove {case})",
    "words": "a word that varies is behaviour and no noise: mend the program, or drop the case (gate corpus remove {case})",
    "unanchored": "nothing fixed stands beside what varies: print a word before it, or drop the case (gate corpus remove {case})",
    "random name": "the file's name varies: look at the listing in `files` first, or drop the case (gate corpus remove {case})",
    "faulty": "a rule for it would be at fault, so none is proposed: mend the program, or drop the case (gate corpus remove {case})",
    "no use": "no rule that covers its spans makes the runs agree: mend the program, or drop the case (gate corpus remove {case})",
}


def suggestion_lines(found: Suggestions, *, runs: int) -> Iterator[str]:
    """Everything that was found, as TOML with comments; nothing else, so that it may be pasted whole."""
    left = found.disagreements - found.cured
    yield f"# {runs} runs of the baseline disagree on {_checks(found.disagreements)}; with the rules below on {left}."
    for proposal in found.proposals:
        yield ""
        yield from _proposal(proposal)
    for row in found.uncured:
        yield ""
        yield from _uncured(row)


def _checks(count: int) -> str:
    return "1 check" if count == 1 else f"{count} checks"


def _proposal(proposal: Proposal) -> Iterator[str]:
    for mask in proposal.masks[:_MASKS]:
        case, step, _, field = mask.place
        before, after = escaped(mask.span.before[-_AROUND:]), escaped(mask.span.after[:_AROUND])
        shown = ", ".join(f"{before}«{escaped(text[:_SPAN])}»{after}" for text in mask.span.held[:_VALUES])
        yield f"# would mask {escaped_name(case)}/{step} {escaped_name(field)}: {shown}"
    more = len(proposal.masks) - _MASKS
    if more > 0:
        yield f"# and {more} more {'place' if more == 1 else 'places'}"
    yield from rule_block(proposal.rule)


def _uncured(row: Uncured) -> Iterator[str]:
    place = f"{escaped_name(row.case)}/{row.step} {escaped_name(row.command)} {escaped_name(row.field)}"
    yield f"# no rule for {place}: {_CURES[row.why].format(case=escaped_name(row.case))}"
    for fault in row.faults:
        yield f"#   {fault.what}: {fault.why}"
    yield "#   seen: " + ", ".join(render_value(value, _SPAN) for value in row.values[:_VALUES])
