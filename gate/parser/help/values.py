"""What a placeholder and the words beside it say of a value: its kind, choices, default, bounds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.parser.parsed import ParsedValue, ValueKind
from gate.parser.shape_values import names_path

MOST_CHOICES = 500

_INTS = re.compile(
    r"(?:u?int(?:eger)?(?:8|16|32|64)?|num(?:ber)?|n|nn|count|port|int(?:eger)? range|lines|bytes|u(?:8|16|32|64|size))",
    re.IGNORECASE,
)
_FLOATS = re.compile(r"(?:float(?:32|64)?|double|decimal|float range|f32|f64)", re.IGNORECASE)
_LISTED = re.compile(
    r"[\[(](?:possible values|possible choices|choices|valid values|values|one of|allowed values)\s*:?\s+(?P<words>[^\[\]()]{1,4000}?)\s*"
    r"(?:[\])]|,\s*default\b)",
    re.IGNORECASE,
)
_DEFAULT = re.compile(
    r"[\[(;,]\s*default(?:s|(?: value)?(?: is)?)?\s*[:=]?\s*(?P<quote>[\"'`]?)(?P<word>[^\]\[();\n]*?)(?P=quote)\s*[\]);]",
    re.IGNORECASE,
)
_BOUNDS = re.compile(
    r"(?:(?P<min>-?\d{1,18})\s*(?P<above><=?)\s*)?\bx\b(?:\s*(?P<sign><=?|>=?)\s*(?P<bound>-?\d{1,18}))?"
)
_PLAIN_DEFAULT = re.compile(
    r"(?:\bdefaults? (?:value )?(?:is|to):?|\bdefault\s*[:=]|[,;]\s*default)\s+(?P<quote>[\"'`]?)"
    r"(?P<word>[^\s\"'`,;()\[\]]{1,200}?)(?P=quote)(?=[.,;]?\s*$|[.,;]\s)",
    re.IGNORECASE,
)
"""A default in the open; it ends what is said, as `the default is to do nothing` does not."""
_TOLD = re.compile(
    r"one of(?P<colon>:)?\s+(?P<words>(?:([\"'`])[\w.+-]+\3(?:,\s*(?:or\s+)?|\s+or\s+)){1,300}([\"'`])[\w.+-]+\4"
    r"|(?:[\w.+-]+,\s*){2,300}(?:or\s+)?[\w+-]+|(?(colon)[\w.+-]+(?:,\s*(?:or\s+)?|\s+or\s+)[\w+-]+|(?!)))",
    re.IGNORECASE,
)
_BULLETS = re.compile(r"^Possible values:\n(?P<lines>(?:(?:- .*)?\n?)+)", re.MULTILINE)
_BRACED = re.compile(r"\{(?P<words>[\w.+-]+(?:\|[\w.+-]+)+)\}")
RANGE = re.compile(r"\[(?=[^\]]*[<>])[-\d<>=]*x[-\d<>=]*\]")
_CHOICE = re.compile(r"[\w.+:/@%-]+")
_WORD = re.compile(r"[^\s,|{}\[\]<>()\"']+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder:
    """What follows the name of an option: `<FILE>`, `[=WHEN]`, `A [A ...]`."""

    value: ParsedValue
    optional: bool = False
    joined: bool = False
    """An equals sign stands before it."""
    least: int = 1
    most: int | None = 1
    repeatable: bool = False


def read_placeholder(text: str, about: str) -> Placeholder:
    """The placeholder `text`, blanks and an equals sign at its beginning included; `about` is the description."""
    inner = text.strip()
    optional = False
    if re.fullmatch(r"\[=.*\]|=\[.*\]", inner) or (_wrapped(inner) and "|" not in inner):
        optional, inner = True, inner.strip("=[]")
    inner = re.sub(r"^([<\[]?)([\w-]+)\.\.\.([>\]]?)$", r"\1\2\3 ...", inner.removeprefix("=").strip())
    endless = bool(re.search(r"\S \[\S+ ?\.\.\.\]$|^\S+ \.\.\.$", inner)) or (optional and inner.endswith(" ..."))
    repeatable = not endless and inner.endswith("...")
    inner = re.sub(r" \[\S+ ?\.\.\.\]$", "", inner).removesuffix("...").strip()
    listed = re.fullmatch(r"<list\[(.*)\]>", inner)
    if listed:  # Typer: an option that may be given again
        inner, repeatable = f"<{listed[1]}>", True
    words = 1 if re.search(r"[{|(]", inner) else _words(inner)
    if words > 1 and len(set(_names(inner))) == 1:
        inner = _names(inner)[0]
    if repeatable and words > 1:
        repeatable = False  # `<INTEGER TEXT>...` of click: several words, once
    return Placeholder(
        value=read_value(inner, about),
        optional=optional,
        joined=text.strip().startswith("="),
        least=words,
        most=None if endless else words,
        repeatable=repeatable,
    )


def read_value(metavar: str, about: str) -> ParsedValue:
    """The value that `metavar` stands for."""
    name, default = _bare(metavar), read_default(about)
    plain = name.partition("[")[0].strip("<> ")
    low, high = _bounds(metavar) or _bounds(about) or (None, None)
    choices = _choices(metavar) or _listed(about)
    kind: ValueKind = "text"
    if choices:
        kind = "choice"
    elif _INTS.fullmatch(plain):
        kind = "int"
    elif _FLOATS.fullmatch(plain):
        kind = "float"
    elif names_path(name) or re.fullmatch(r"File(?:Text|Binary)\w*", name):
        kind = "path"
    elif default is not None and re.fullmatch(r"-?\d{1,18}", default):
        kind = "int"
    elif default is not None and re.fullmatch(r"-?\d{1,18}\.\d{1,18}", default):
        kind = "float"
    numbers = kind in ("int", "float")
    return ParsedValue(
        kind=kind,
        choices=choices if kind == "choice" else (),
        default=None if kind == "choice" and default not in choices else default,
        min=low if numbers else None,
        max=high if numbers else None,
        metavar="" if kind == "choice" and ("|" in name or "," in name) else name[:80],
    )


def read_default(about: str) -> str | None:
    """The default that a description states as one word or in quotes."""
    found = _DEFAULT.search(about) or _PLAIN_DEFAULT.search(about)
    word = found["word"].strip() if found else ""
    if (
        found is None
        or not word
        or word.lower() in ("none", "null", "false", "true", "off", "[]", "{}")
        or len(word) > 200
    ):
        return None
    return None if " " in word and not found["quote"] else word


def _bare(metavar: str) -> str:
    """A placeholder without the brackets around it."""
    inner = metavar.strip()
    while len(inner) > 2 and inner[0] in "<[{(" and inner[-1] == {"<": ">", "[": "]", "{": "}", "(": ")"}[inner[0]]:
        inner = inner[1:-1].strip()
    return inner if _BOUNDS.search(inner) and "x" in inner else inner.replace("<", "").replace(">", "")


def _wrapped(text: str) -> bool:
    return text.startswith("[") and text.endswith("]") and "]" not in text[1:-1].replace("[]", "")


def _words(inner: str) -> int:
    """How many words a placeholder of several names stands for."""
    return max(1, min(len(_names(inner)), 20))


def _names(inner: str) -> list[str]:
    """The names in a placeholder: `<INTEGER TEXT>`, `<int,str>`."""
    plain = re.sub(r"(?<=[a-z]) range\b|\[.*?\]", "", inner, flags=re.IGNORECASE)
    return re.split(r"[ ,]+", plain.strip("<> ")) if "," not in plain or plain.startswith("<") else [plain]


def _choices(metavar: str) -> tuple[str, ...]:
    """`{a,b}`, `[a|b]`, `<a|b>`, `a|b`, `(a|b)`."""
    inner = RANGE.sub("", metavar).strip()
    braced = re.fullmatch(r"\{(.*)\}", inner)
    if braced:
        return _distinct(re.split(r"[,|]", braced[1]))
    inner = re.sub(r"^[\[<(](.*)[\]>)]$", r"\1", inner)
    words = inner.split("|")
    if len(words) < 2 or not all(_CHOICE.fullmatch(word) for word in words):
        return ()
    placeholders = metavar.startswith("<") and any(word.isupper() for word in words)
    return () if placeholders else _distinct(words)


def _listed(about: str) -> tuple[str, ...]:
    """The choices that a description lists, in brackets or line by line."""
    lines = _BULLETS.search(about)
    if lines:
        return _distinct(re.findall(r"^- ([\w.+-]+):?(?= |$)", lines["lines"], re.MULTILINE))
    braces = _BRACED.search(about)
    if braces:
        return _distinct(braces["words"].split("|"))
    told = _TOLD.search(about)
    if told:
        return _distinct([word.strip("\"'`") for word in re.split(r",\s*(?:or\s+)?|\s+or\s+", told["words"])])
    found = _LISTED.search(about)
    return _distinct(re.findall(_WORD, found["words"])) if found and re.search(r"[,|]", found["words"]) else ()


def _distinct(words: list[str]) -> tuple[str, ...]:
    stripped = (word.strip().strip("\"'") for word in words)
    return tuple(dict.fromkeys(word for word in stripped if word and word != "..." and len(word) <= 200))[:MOST_CHOICES]


def _bounds(text: str) -> tuple[int | None, int | None] | None:
    """The bounds of click's `[1<=x<=5]`, those that are not allowed themselves made inner ones."""
    for found in _BOUNDS.finditer(text):
        if found["min"] is None and found["bound"] is None:
            continue
        low = None if found["min"] is None else int(found["min"]) + (found["above"] == "<")
        high = None
        if found["bound"] is not None:
            edge, sign = int(found["bound"]), found["sign"]
            if sign.startswith("<"):
                high = edge - (sign == "<")
            else:
                low = edge + (sign == ">")
        return low, high
    return None
