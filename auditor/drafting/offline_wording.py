"""The offline drafter's second wording of a frozen property: what its source leaves open, found by its syntax and its words.

No model, no network, no key. It cannot know what a program is for, so it keeps the property's own sentence, says which reading
the source leaves open, and asks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from auditor.drafting.checks_lengths import STATEMENT
from auditor.drafting.checks_wording import check_wording
from auditor.drafting.fence import visible
from auditor.drafting.offline_clues import same_items
from auditor.drafting.offline_policy import OFFLINE
from auditor.drafting.values import Drafted, Rejected, Wording
from auditor.drafting.words import has_hidden, instruction_like


class Opening(NamedTuple):
    """Words of a source that can be read in two ways."""

    rank: int
    """0 first: what makes equal inputs vote differently. Then what makes equal results look different."""
    code: str
    """Verbatim from the source."""
    holds_for: str
    """How the statement begins."""
    difference: str
    question: str
    repair: str


_RANDOM = re.compile(
    r"(?:\w+\.)*(?:SystemRandom\b.*|random\.\w+|secrets\.\w+|uuid[14]|urandom|randint|choice|shuffle|sample|token_hex)"
)
_CLOCK = re.compile(
    r"(?:\w+\.)*(?:time\.(?:time|monotonic|perf_counter|time_ns)|(?:perf_counter|monotonic)|now|utcnow|today)"
)
_WALK = re.compile(r"(?:\w+\.)*(?:listdir|iterdir|glob|rglob|scandir|set|frozenset)")
_VAGUE = re.compile(
    r"\b(?:about|roughly|approximately|usually|normally|mostly|quickly|fast|soon|eventually|in time|nearly|almost|similar|reasonable"
    r"|approx|isclose|tolerance|timeout)\b",
    re.IGNORECASE,
)
_ORDER_QUESTION = "Is this order promised to anybody, or do only the items count?"
_FAILED = re.compile(r"assert|fail|!=|Error|expected", re.IGNORECASE)


def reword(name: str, source: str, ballots: str) -> Drafted:
    """One wording, or none and the reason: a source that is no Python, or ballots with no line to quote."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _none(f"{visible(name)[:60]}: its source cannot be read as Python")
    seen = _seen(ballots)
    said = _said(tree)
    openings = sorted(_openings(tree, source), key=lambda opening: opening.rank)
    unclear = next((opening for opening in openings if not has_hidden(opening.code)), None) or _clear(tree, source)
    if not seen or unclear is None:
        return _none(
            "its ballots have no line that can be quoted"
            if unclear
            else "its source asserts nothing that can be quoted"
        )
    item = Wording(
        unclear=unclear.code,
        seen=seen,
        statement=_statement(unclear, said or f"the property {name} holds"),
        difference=unclear.difference,
        question=_ORDER_QUESTION if same_items(seen) else unclear.question,
        repair_note=unclear.repair,
    )
    checked = Drafted(model="offline", prompt=OFFLINE, items=(item,))
    return check_wording(checked, source, ballots)


def _none(why: str) -> Drafted:
    rejected = (Rejected(key="wording", why=why),)
    return Drafted(model="offline", prompt=OFFLINE, items=(), rejected=rejected, missing=("wording",))


def _openings(tree: ast.Module, source: str) -> Iterator[Opening]:
    for node in ast.walk(tree):
        code = ast.get_source_segment(source, node) or "" if isinstance(node, ast.Call | ast.Compare) else ""
        if not code or len(code) > STATEMENT[1] // 2 or "\n" in code:
            continue
        if isinstance(node, ast.Call):
            yield from _of_call(ast.unparse(node.func), code)
        elif isinstance(node, ast.Compare) and _compares_order(node):
            yield _order(code)
    for documented in _docstrings(tree):
        for match in _VAGUE.finditer(documented):
            if match[0] in source:
                yield _vague(match[0])


def _of_call(called: str, code: str) -> Iterator[Opening]:
    if _RANDOM.fullmatch(called):
        yield Opening(
            rank=0,
            code=code,
            holds_for=f"For every value that `{code}` can give",
            difference="It says that the drawn values are an input, where the source draws them anew in each run, past any seed.",
            question="Does it have to hold for every value that can be drawn, or only for those that the author had in mind?",
            repair="Draw these values with a Hypothesis strategy, so that the same seed gives the same votes.",
        )
    elif _CLOCK.fullmatch(called):
        yield Opening(
            rank=1,
            code=code,
            holds_for=f"For every moment that `{code}` can give",
            difference="It names the moment as an input, where the source takes the clock as it is.",
            question="Is it a promise at any time of day and however slow the machine is?",
            repair="Pass a fixed time in, or compare what was done and not how long it took.",
        )
    elif _WALK.fullmatch(called):
        yield _order(code)


def _order(code: str) -> Opening:
    return Opening(
        rank=2,
        code=code,
        holds_for="For every order in which the items can come",
        difference="It says that the order in which the items come is open, where the source takes one order for granted.",
        question=_ORDER_QUESTION,
        repair="Compare sorted items where the order is not promised, or name the order and its ties.",
    )


def _vague(word: str) -> Opening:
    return Opening(
        rank=3,
        code=word,
        holds_for="For every input that the source gives",
        difference=f"It leaves {word!r} out and repeats the rest, because no number stands for it that a program can check.",
        question=f"Which number does {word!r} stand for?",
        repair="Put a number with its unit in the place of the vague word.",
    )


def _clear(tree: ast.Module, source: str) -> Opening | None:
    """The first assertion, where nothing open was found: the words are fine."""
    found = (ast.get_source_segment(source, node) or "" for node in ast.walk(tree) if isinstance(node, ast.Assert))
    code = next((line for one in found for line in [one.split("\n")[0]] if line and not has_hidden(line)), "")
    if not code:
        return None
    return Opening(
        rank=9,
        code=code,
        holds_for="For every input that the source gives",
        difference="Nothing open was found in the words: they are fine, and the ballots point at the program or its environment instead.",
        question="Does the program itself answer differently from run to run, and may it?",
        repair="Look for chance, a clock or a leftover in the program; the property may be right.",
    )


def _compares_order(node: ast.Compare) -> bool:
    """`==` with a joined text, a list, or the keys of something on either side, and nothing sorted."""
    sides = [ast.unparse(side) for side in (node.left, *node.comparators)]
    if not isinstance(node.ops[0], ast.Eq | ast.NotEq) or any("sorted(" in side or "set(" in side for side in sides):
        return False
    return any(
        re.search(r"\.join\(|^\[|list\(|\.(?:keys|values|items)\(\)|splitlines\(|\.split\(", side) for side in sides
    )


def _docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) and (told := ast.get_docstring(node)):
            yield told


def _said(tree: ast.Module) -> str:
    """The first sentence of the first test's docstring, else of the module's; empty when neither has one."""
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    told = [*(ast.get_docstring(node) or "" for node in tests), ast.get_docstring(tree) or ""]
    first = next((text for text in told if text.strip()), "")
    sentence = re.split(r"(?<=[.!?])\s", " ".join(visible(first).split()))[0]
    return "" if instruction_like(sentence) else sentence.rstrip(".!?")


def _statement(opening: Opening, said: str) -> str:
    """One sentence of 40 to 300 characters: what it holds for, then the property's own sentence without its vague words."""
    own = re.sub(r" {2,}", " ", _VAGUE.sub("", said)).strip() if opening.rank == 3 else said
    lead = (
        opening.holds_for if len(opening.holds_for) <= STATEMENT[1] // 2 else "For every value that the source can draw"
    )
    text = f"{lead}: {own}"
    return f"{text[: STATEMENT[1] - 2]}\u2026" if len(text) > STATEMENT[1] - 1 else f"{text}."


def _seen(ballots: str) -> str:
    """The line of the ballots that shows a failure, else the first one; at most 160 characters."""
    lines = [line.strip()[:160] for line in ballots.split("\n")]
    fit = [line for line in lines if len(line) >= 3 and not has_hidden(line) and not instruction_like(line)]
    return next((line for line in fit if re.search(r"assert .+ (?:==|!=|<|>|in)|!=", line)), "") or next(
        (line for line in fit if _FAILED.search(line)), fit[0] if fit else ""
    )
