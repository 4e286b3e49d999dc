"""Ballots and example tests as a person reads them."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from gate.exit_codes import ExitCode
from gate.report.shown_votes import ShownBallot, ShownFailure, ShownSuite, Votes
from gate.voting.ballots import BallotKind

MAX_NAMES = 20
"""Names of tests that one line of the report holds; the scorecard has them all."""

_MAX_LINES = 12
_STYLES: dict[BallotKind, str] = {
    "pass": "green",
    "fail": "bold red",
    "freeze": "yellow",
    "frozen": "yellow",
    "void": "bold red",
}


def render_votes(votes: Votes, code: ExitCode, *, width: int, colour: bool) -> str:
    """The report of a vote alone, at most `width` columns wide; no trailing newline."""
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, no_color=not colour, color_system="standard" if colour else None
    )
    if (table := ballots_table(votes)) is not None:
        console.print(table)
        console.print()
    if (line := mending_line(votes)) is not None:
        console.print(Text(f"{line}\n"))
    because = "; ".join(vote_reasons(votes, None)) or votes_line(votes)
    console.print(Text(f"votes: {votes_line(votes)}\nexit {int(code)}: {code.sentence}\nbecause {because}"))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).rstrip("\n")


def ballots_table(votes: Votes | None) -> RenderableType | None:
    """One row a property; nothing where none took part."""
    if votes is None or not votes.ballots:
        return None
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("property", "ballot", "runs", "why"):
        table.add_column(name, overflow="fold", justify="right" if name == "runs" else "left")
    for ballot in votes.ballots:
        kind = Text(ballot.ballot, style=_STYLES[ballot.ballot])
        table.add_row(plain(ballot.property), kind, str(ballot.runs), Text("\n".join(_why(ballot))))
    return table


def _why(ballot: ShownBallot) -> tuple[str, ...]:
    lines = [*plain_lines(ballot.reason)]
    for failure in ballot.failures:
        lines += _failure(failure)
    if ballot.baseline is not None:
        lines.append(_on_the_baseline(ballot))
    return tuple(lines)


def _failure(failure: ShownFailure) -> list[str]:
    told = plain_lines(failure.message)
    head = f"{plain(failure.test)}: {plain(failure.exception)}"
    lines = [f"{head}: {told[0]}" if told else head, *(f"  {line}" for line in told[1:])]
    if failure.example:
        lines += [f"  {line}" for line in plain_lines(failure.example)]
    return lines


def _on_the_baseline(ballot: ShownBallot) -> str:
    if ballot.baseline == "pass":
        return "the baseline passes"
    if ballot.baseline == ballot.ballot:
        return f"the baseline's own ballot is {ballot.baseline}, too"
    return f"the baseline's own ballot is {ballot.baseline}"


def suite_lines(suite: ShownSuite | None) -> tuple[str, ...]:
    """What the example tests said; nothing where they took no part."""
    if suite is None:
        return ()
    blocking, excused = len(suite.blocking), len(suite.excused)
    lines = [
        f"example tests: {suite.passed} of {suite.tests} passed, {blocking} failed without a lease, "
        f"{excused} failed under a lease, {suite.skipped} skipped"
    ]
    for what, names in (
        ("failed", suite.blocking),
        ("failed under a lease", suite.excused),
        ("lease expired, measure again with gate suite", suite.expired),
        ("lease of a test that no longer runs", suite.gone),
    ):
        if names:
            lines.append(f"  {what}: {listed(names)}")
    return tuple(lines)


def votes_line(votes: Votes | None) -> str:
    """`3 properties voted, 1 abstained`; told also where there are none, since silence is no vote."""
    if votes is None:
        return "no property voted"
    void = f", {votes.void} void" if votes.void else ""
    noun = "property" if votes.voted == 1 else "properties"
    return f"{votes.voted} {noun} voted, {votes.abstained} abstained{void}"


def mending_line(votes: Votes | None) -> str | None:
    """What to do about the properties that abstain; None where none does."""
    names = [ballot.property for ballot in votes.ballots if ballot.ballot in {"freeze", "frozen"}] if votes else []
    if not names:
        return None
    name = plain(names[0]) if len(names) == 1 else "NAME"
    return (
        f"to give a vote back: mend the property, gate pin, then gate repair {name} --owner … --note … --baseline DIR"
    )


def summary(verified: int, checks: int, votes: Votes | None) -> str:
    """`verified 20 of 20 checks, 2 properties voted, 0 abstained`."""
    return f"verified {verified} of {checks} checks, {votes_line(votes)}"


def vote_reasons(votes: Votes | None, suite: ShownSuite | None) -> tuple[str, ...]:
    """Why properties and example tests stop, void or abstain, as parts of one sentence."""
    reasons = []
    for kind, words in (
        ("void", "could not vote"),
        ("fail", "failed in the same way in every run"),
        ("freeze", "wavered and is frozen from now on"),
        ("frozen", "is frozen and abstains"),
    ):
        names = [ballot.property for ballot in votes.ballots if ballot.ballot == kind] if votes else []
        if names:
            noun = "property" if len(names) == 1 else "properties"
            told = words if len(names) == 1 else words.replace(" is ", " are ").replace("abstains", "abstain")
            reasons.append(f"{noun} {listed(names)} {told}")
    if suite is not None and suite.blocking:
        noun = "example test" if len(suite.blocking) == 1 else "example tests"
        reasons.append(f"{len(suite.blocking)} {noun} failed without a lease")
    return tuple(reasons)


def listed(names: Sequence[str]) -> str:
    """The names, or the first `MAX_NAMES` of them and how many more there are."""
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return ", ".join(map(plain, names[:MAX_NAMES])) + more


def plain_lines(text: str) -> list[str]:
    """Lines of program output, at most a dozen, with nothing that a terminal obeys."""
    lines = [plain(line) for line in text.splitlines()]
    if len(lines) > _MAX_LINES:
        lines = [*lines[: _MAX_LINES - 1], f"… {len(lines) - _MAX_LINES + 1} more lines"]
    return lines


def plain(text: str) -> str:
    """Text on one line, with nothing that a terminal obeys."""
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
