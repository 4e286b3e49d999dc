"""The text of a help page as plain lines: without colours, boxes and control characters, bounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST_CHARACTERS = 400_000
MOST_LINES = 8000
LONGEST_LINE = 1000

_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|\x1b[()][0-9A-Za-z]|\x1b.?")
_OVERSTRUCK = re.compile(r".\x08")
_LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_BOX_EDGE = re.compile(r"\s*[╭┌┏╔+][─━═-]+(?: (?P<title>[^─━═]+?) )?[─━═-]*[╮┐┓╗+]?\s*")
_BOX_FOOT = re.compile(r"\s*[╰└┗╚├┡┢╠][─━═┴┼╇╈]*[╯┘┛╝┤┩┪╣]?\s*")
_BOX_SIDE = re.compile(r"\s*[│┃║](?P<inside>.*?)[│┃║]?\s*")
_BOX_METAVAR = (
    r"[A-Z][A-Z0-9_:.]*(?: RANGE)?(?: \[[^\]]*\])?|<[^>]*>(?:\.\.\.)?(?: \[[-\d<>=]*x[-\d<>=]*\])?|\[[^\]]*\|[^\]]*\]"
)
_BOX_ROW = re.compile(
    r"\s*(?P<star>\*?)\s+(?P<names>-\S+(?:,?\s+-\S+)*)(?:\s+(?P<metavar>%s))?(?:\s{2,}(?P<help>\S.*))?\s*".replace(
        "%s", _BOX_METAVAR
    )
)
_BOX_ARGUMENT = re.compile(
    r"\s*(?P<star>\*?)\s{2,}(?P<name>[A-Za-z_][\w-]*(?:\.\.\.)?)\s+"
    r"(?P<metavar>[A-Z][A-Z0-9_:. ]*|\[\S+\](?:\.\.\.)?|<[^>]*>)(?:\s{2,}(?P<help>\S.*))?\s*"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank, or a blank one (`text` empty)."""

    indent: int
    text: str
    """Without blanks at its ends."""


def plain_lines(text: str) -> tuple[Line, ...]:
    """The lines of a page, tabs as blanks to the next eighth column; what is beyond the bounds is left out."""
    whole = _OVERSTRUCK.sub("", _ESCAPES.sub("", text[:MOST_CHARACTERS]))
    return tuple(_lines(_LINE_END.split(whole)[:MOST_LINES]))


def is_cut(text: str) -> bool:
    """Whether a page is longer than what is read of it."""
    return len(text) > MOST_CHARACTERS or len(_LINE_END.findall(text, 0, MOST_CHARACTERS)) > MOST_LINES


def _lines(raw: list[str]) -> Iterator[Line]:
    for each in raw:
        whole = _UNSEEN.sub("", each[:LONGEST_LINE].replace("\xa0", " ").expandtabs(8))
        opened = _unboxed(whole)
        text = opened.strip()
        yield Line(indent=len(opened) - len(opened.lstrip()) if text else 0, text=text)


def _unboxed(line: str) -> str:
    """A line of a drawn box as the plain pages have it: a title as a heading, a row as an indented line."""
    edge = _BOX_EDGE.fullmatch(line)
    if edge and edge["title"]:
        return edge["title"] + ":"
    if _BOX_FOOT.fullmatch(line) or (edge and line.strip()[0] in "╭┌┏╔"):
        return ""
    side = _BOX_SIDE.fullmatch(line)
    if side is None:
        return line
    row = _BOX_ROW.fullmatch(side["inside"])
    if row is None:
        row = _BOX_ARGUMENT.fullmatch(side["inside"])
        if row is None:
            return " " + side["inside"].rstrip()
        names = f"{row['name']} {row['metavar'].strip()}" if row["metavar"][0] in "[<" else row["name"]
    else:
        names = ", ".join(re.split(r"[,\s]+", row["names"])) + (f" {row['metavar']}" if row["metavar"] else "")
    required = " [required]" if row["star"] and "[required]" not in (row["help"] or "") else ""
    return f"  {names}  {row['help'] or ''}{required}"
