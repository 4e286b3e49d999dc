"""Shapes of single lines that a mechanism leaves in a log, as a table: mechanism, weight, pattern, claim."""

from __future__ import annotations

import re
from typing import NamedTuple

from auditor.drafting.values import Mechanism


class Shape(NamedTuple):
    """One shape of a line, and what it suggests."""

    mechanism: Mechanism
    weight: int
    """From 1 to 8, as of a clue."""
    pattern: re.Pattern[str]
    claim: str
    """`{0}` is what the pattern found, `{name}` one of its groups."""
    source: str = ""
    """Where the words are documented; empty for words that are nobody's own."""
    preferred: tuple[str, ...] = ()
    """Kinds of experiments that fit what is said, the best first: one of them where any is offered. None: those of the mechanism."""


NAMED = 8
"""A tool or a system names the cause in words of its own."""
KIND = 5
"""It says which kind of thing failed; what lies behind is open."""
HINT = 3
"""Words that go with the mechanism more often than not."""


def shape(
    mechanism: Mechanism,
    weight: int,
    pattern: str,
    claim: str,
    *,
    source: str = "",
    preferred: tuple[str, ...] = (),
) -> Shape:
    """One row of a table."""
    return Shape(mechanism, weight, re.compile(pattern), claim, source, preferred)


_EDGE = ("property seed", "without step", "more repeats")
"""What is said of an edge says nothing of the baseline build, which may well get over it."""

_PACKAGES = (
    "yarn",
    "Cargo",
    "poetry",
    "Gemfile",
    "composer",
    "uv",
    "Pipfile",
    "flake",
    "bun",
    "Podfile",
    "deno",
    "mix",
)
_NO_PACKAGES = "".join(f"(?<!{name})" for name in _PACKAGES)
"""Lock files of package managers are lists of versions; nothing is locked by them."""

SHAPES = (
    shape(
        "logic",
        6,
        r"IndexError|index out of range|out of bounds",
        "The candidate goes one place beyond the end of what it reads.",
    ),
    shape(
        "logic",
        4,
        r"^field status \(exit code\)$",
        "For this input the candidate takes another branch, one that ends in another exit status.",
    ),
    shape(
        "logic",
        3,
        r"\b(?:TypeError|ZeroDivisionError|OverflowError|RecursionError|UnboundLocalError|NameError)\b",
        "The candidate applies an operation to a value that the old code never gave it: {0}.",
    ),
    shape(
        "logic",
        3,
        r"^on the baseline: pass$",
        "The candidate's code computes something else than the baseline's for the same input.",
    ),
    shape(
        "input",
        6,
        r"\b(?:JSONDecodeError|ParserError|SyntaxError|expected .{1,30} at line)\b",
        "The input or fixture has another form than the code that parses it expects.",
    ),
    shape(
        "input",
        5,
        r"\bKeyError: (?P<key>.{1,40})",
        "The code reads the key {key} without asking, and this input does not hold it.",
    ),
    shape(
        "input",
        4,
        r"^ +(?!subject=)(?P<arg>\w{1,30}=.{1,50}?),?$",
        "Only an input at the edge fails: with a smaller value than `{arg}` the same check passes.",
        preferred=_EDGE,
    ),
    shape(
        "input",
        3,
        r"\b(?:error|warn)\W{1,3}(?P<what>missing|empty|duplicate|unknown|invalid)\b|\b(?:missing|no such) key\b",
        "The two builds differ only where an argument is out of the ordinary, as it is here.",
        preferred=_EDGE,
    ),
    shape(
        "state",
        6,
        r"\balready (?:exists|there|locked|in use)|left ?over|\bstale\b|\bwritten (?:at|by) (?:an earlier )?step|\bprevious run\b",
        "Something that an earlier step left behind decides what this step does.",
    ),
    shape(
        "state",
        5,
        rf"\bcached?\b|\bcache\.\w+|\.(?:db|sqlite3?|pid)\b|{_NO_PACKAGES}\.lock\b",
        "A value kept from an earlier step is used where a fresh one would be right.",
    ),
    shape(
        "state",
        4,
        r"\bNoneType\b|\bduplicate\b|\bnot (?:initiali[sz]ed|open|connected)\b",
        "What this step finds depends on whether an earlier step has set it up.",
    ),
    shape(
        "order",
        4,
        r"\b(?:insertion|unsorted|sorted|reversed?|in order|order of|out of order)\b",
        "The same items are there, and only the order in which they are taken decides the outcome.",
    ),
    shape(
        "order",
        4,
        r"\b(?:frozen)?set\(\[?|\bdict_keys\b|\blistdir\b|\bglob\b",
        "The order in which a set, a dict or a directory is walked reaches the output.",
    ),
    shape(
        "time",
        5,
        r"\b(?:TimeoutError|timed ?out|timeout|deadline)\b",
        "The work takes longer than a time limit allows, and the limit decides, not the result.",
    ),
    shape(
        "time",
        4,
        r"(?<![/_\d-])\d{4}-\d{2}-\d{2}|\b\d{2}:\d{2}:\d{2}\b|\btime ?zones?\b|\bUTC\b|\bDST\b|\bmidnight\b|\bexpire[sd]?\b|\bclock\b",
        "The outcome depends on the local date or time zone in which the program runs.",
    ),
    shape(
        "environment",
        7,
        r"Unicode(?:De|En)codeError|\bcodec can't\b|\bcharmap\b|\bsurrogate",
        "The program reads or writes text in the encoding of the locale instead of one that is fixed.",
    ),
    shape(
        "environment",
        5,
        r"\\x[89a-f][0-9a-f]|\u00c3[\u0080-\u00bf]|\ufffd",
        "Bytes are taken for text in the wrong encoding, as the locale says.",
    ),
    shape(
        "environment",
        5,
        r"\b(?:FileNotFoundError|ModuleNotFoundError|ImportError|PermissionError)\b|No such file|command not found|cannot start",
        "The program needs a file, a module or a tool that is not where this run looks for it.",
    ),
    shape(
        "environment",
        4,
        r"\b(?:PATH|HOME|TMPDIR|LANG|LC_ALL|locale)\b",
        "The value of a variable of the environment decides the outcome.",
    ),
    shape(
        "randomness",
        4,
        r"\bhash ?seed\b|PYTHONHASHSEED|\brandom\w*|\bshuffle\b|\buuid\w*\b| at 0x",
        "A value that is drawn anew in each process reaches what is compared.",
    ),
    shape(
        "concurrency",
        6,
        r"\bdeadlock\b|\brace\b|database is locked|Resource temporarily unavailable|Address already in use|BrokenPipe",
        "Two threads or processes meet at one resource, and who comes first decides.",
    ),
    shape(
        "concurrency",
        4,
        r"\b[Tt]hread\w*|\bmultiprocess\w*|\bworkers?\b|\basyncio\b",
        "Threads or processes that run at once get in each other's way.",
    ),
    shape(
        "oracle",
        8,
        r"^on the baseline: fail$",
        "The check asks for something that the program never did: it fails without the patch, too.",
    ),
    shape(
        "oracle",
        7,
        r"\d\.\d*?(?:0{8,}\d|9{8,}\d?)",
        "The check compares floating-point numbers exactly where they differ in the last digit.",
    ),
    shape(
        "oracle",
        3,
        r"^E? *assert .{8,}|\bAssertionError: .{8,}",
        "The check is stricter than what the program promises: it counts or compares something else.",
    ),
)
"""A line may have several; their order counts for nothing."""
