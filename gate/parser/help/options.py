"""One entry of a list of options, read: `-o, --output <FILE>   Where to write [default: -]`."""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec

from gate.parser.help.values import RANGE, Placeholder, read_placeholder
from gate.parser.parsed import ParsedOption, ParsedValue
from gate.parser.shape_values import left_out, names_path

STARTS = re.compile(r"-{1,2}(?:\[no-?\])?[A-Za-z0-9?#@][^\s]*|--\[")
"""What the text of a line begins with that begins an entry."""

_NAME = re.compile(r"(?P<dashes>-{1,2})(?P<no>\[no-?\])?(?P<stem>[A-Za-z0-9?#@][A-Za-z0-9_.:+?@#-]*)")
_NEXT = re.compile(r"\s*(?:,|/|\||\bor\b)\s*(?=--?(?:\[no-?\])?[A-Za-z0-9?#@])|\s+(?=--?[A-Za-z0-9?#@\[])")
_OPEN, _CLOSE = "[<{(", "]>})"
_AGAIN = re.compile(
    r"(?:can|may) be (?:used|specified|given|repeated|passed|supplied)[^.]{0,30}(?:multiple|several|many|more than once|times|repeat)"
    r"|(?:used|specified|given) (?:multiple|several) times|(?:can|may) be repeated|repeatable",
    re.IGNORECASE,
)
_REQUIRED = re.compile(r"[\[(;]\s*required\s*[\]);]", re.IGNORECASE)
_YARGS = re.compile(r"\[(?P<type>string|number|array|boolean|count)\]")
_COMPOUND = re.compile(r"[A-Z][A-Z0-9_-]+[\[:=,]\S*")
_YARGS_CHOICES = re.compile(r"\[choices: ")
_GO_REPEATABLE = {"strings", "stringArray", "stringSlice", "ints", "intSlice", "list", "stringToString"}
_PLAIN_PLACEHOLDER = re.compile(r"[A-Za-z][\w.:/#+-]*(?:\[\])?(?: RANGE)?(?: \[[^\]]*\])?")


def cut(text: str) -> tuple[str, str]:
    """The names with their placeholders, and the description, of the first line of an entry: two blanks outside brackets part them."""
    depth = 0
    for place, character in enumerate(_masked(text)):
        depth = max(0, depth + (character in _OPEN) - (character in _CLOSE))
        if character == " " and text[place : place + 2] == "  " and (depth == 0 or place > 100):
            return text[:place], text[place:].strip()
    apart = re.match(r"(-\S+(?:, -\S+)*)\s+(?:[:\u2013\u2014]|--?(?=\s))\s*(.*)", text)
    return (apart[1], apart[2]) if apart else (text, "")


def _masked(text: str) -> str:
    """The text with each `[1<=x<=5]`, whose signs are no brackets, made plain."""
    return RANGE.sub(lambda found: "x" * len(found.group()), text)


def read_option(spec: str, about: str) -> tuple[ParsedOption, ...]:
    """The options of one entry: one, or two where it names an option and its negative. None where it says none, or help or version."""
    over = re.match(r"(.*--?[A-Za-z0-9][\w-]*=[^\s\[<{(]+) ([^-\[<{(|,].*)", spec)
    if over:  # the placeholder is so long that one blank parts it from the description
        spec, about = over[1], f"{over[2]}\n{about}"
    names, placeholder = _names(spec)
    if not names or left_out(names) or set(names) == {"-h"}:
        return ()
    taken, about = _value(placeholder, about)
    negative = [name for name in names if name.startswith("--no-") and len(name) > 5 and len(names) > 1]
    negative = [name for name in negative if name.replace("--no-", "--", 1) in names]
    if " / " in spec:  # click: the other value of a flag
        negative = _names(spec.partition(" / ")[2])[0]
    negative = [] if taken is not None else negative
    plain = [name for name in names if name not in negative]
    label = f"{max(plain, key=len)} or not" if plain and negative else None
    repeatable = bool(_AGAIN.search(about) or (taken and taken.repeatable) or placeholder.strip() == "...")
    if taken is not None and taken.value.kind == "text" and names_path(*(name.lstrip("-") for name in names)):
        taken = replace(taken, value=msgspec.structs.replace(taken.value, kind="path"))
    yargs = _YARGS.findall(about)
    return tuple(
        ParsedOption(
            names=tuple(sorted(dict.fromkeys(each), key=len, reverse=True)),
            value=None if taken is None else taken.value,
            value_optional=taken is not None and taken.optional,
            joined=taken is not None and taken.joined,
            least=1 if taken is None else taken.least,
            most=1 if taken is None else taken.most,
            required=bool(_REQUIRED.search(about)),
            one_of=label,
            repeatable=repeatable
            or "array" in yargs
            or "count" in yargs
            or placeholder.strip(" <>=") in _GO_REPEATABLE,
            help=" ".join(about.split())[:1000],
        )
        for each in (plain, negative)
        if each
    )


def ending_names(spec: str) -> list[str]:
    """The spellings of an entry that is help or version; none for any other."""
    names = _names(spec)[0]
    return names if left_out(names) else []


def _names(spec: str) -> tuple[list[str], str]:
    """All spellings, and the placeholder."""
    names: list[str] = []
    placeholder, at = "", 0
    while found := _NAME.match(spec, at):
        end = found.end()
        stem = found["stem"].rstrip(".:") if spec[end - 3 : end] == "..." else found["stem"]
        end -= len(found["stem"]) - len(stem)
        names += [found["dashes"] + stem, *([f"--no-{stem}"] if found["no"] else [])]
        split = _split(spec, end)
        rest = spec[end : split[0]]
        if rest.startswith(","):
            return [], ""  # `-Wa,<options>`: a value of a form of its own
        if _looks_like_placeholder(rest):
            placeholder = rest
        at = split[1]
    return names, placeholder


def _split(spec: str, start: int) -> tuple[int, int]:
    """Where the text after a name ends, and where the next name begins."""
    depth, masked = 0, _masked(spec)
    for place in range(start, len(spec)):
        depth = max(0, depth + (masked[place] in _OPEN) - (masked[place] in _CLOSE))
        found = _NEXT.match(spec, place) if depth == 0 else None
        if found:
            return place, found.end()
    return len(spec), len(spec)


def _looks_like_placeholder(text: str) -> bool:
    inner = text.strip()
    if not inner:
        return False
    if text[0] in "=[<{(" or inner[0] in "<[{(" or inner.startswith("..."):
        return True
    return inner == inner.upper() or bool(_PLAIN_PLACEHOLDER.fullmatch(inner) or _COMPOUND.fullmatch(inner))


def _value(placeholder: str, about: str) -> tuple[Placeholder | None, str]:
    """What the option takes; None: a flag."""
    yargs = _YARGS.search(about)
    if placeholder.strip() == "<bool>":  # a flag of Typer
        return None, about
    if placeholder.strip() in ("", "..."):
        if yargs is None and _YARGS_CHOICES.search(about):
            return read_placeholder("", about), about
        if yargs is None or yargs["type"] in ("boolean", "count"):
            return None, about
        if yargs["type"] == "array":
            return Placeholder(value=read_placeholder("", about).value, repeatable=True), about
        placeholder = {"number": "NUMBER", "string": "TEXT"}[yargs["type"]]
        read = read_placeholder(placeholder, about)
        return Placeholder(value=_unnamed(read.value)), about
    return read_placeholder(placeholder, about), about


def _unnamed(value: ParsedValue) -> ParsedValue:
    return ParsedValue(kind=value.kind, choices=value.choices, default=value.default, min=value.min, max=value.max)
