"""A page of help in parts: the usage lines, and lists of options, arguments and commands, each entry with its description."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from gate.parser.help.lines import Line
from gate.parser.help.options import STARTS, cut

_COLONS = ":\uff1a"
SectionKind = Literal["options", "arguments", "commands", "other"]

_USAGE = re.compile(
    r"(?!usage of \S+:)(?:usage|verwendung|aufruf|syntax|benutzung|utilisation|uso|modo de uso|gebruik|användning|użycie"
    r"|использование|synopsis|用法|使用法|使い方|사용법)\s*[:\uff1a]?(?:\s+(?P<rest>\S.*))?",
    re.IGNORECASE,
)
_COMMANDS = re.compile(
    r"\b(?:sub-?)?commands?\b(?![- ]?line)|\bactions\b|\bbefehle\b|\bkommandos\b|\bcommandes\b|\bcomandos\b|\bcomandi\b"
    r"|команды|命令|コマンド",
    re.IGNORECASE,
)
_ARGUMENTS = re.compile(
    r"\b(?:arguments?|args|positionals?|operands?|parameters|argumente|argumentos|argomenti)\b|аргументы|参数|引数",
    re.IGNORECASE,
)
_OPTIONS = re.compile(
    r"\b(?:options?|flags?|optionen|opciones|optional|opzioni|switches)\b|параметры|选项|オプション", re.IGNORECASE
)
_ASIDE = re.compile(
    r"(?:[\w-]+ )?(?:examples?|environment(?: variables)?|see also|beispiele?|exemples?|exit (?:status|codes?))\b",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\((?:[\w',]+ ){3,}.*\)")
_COMMAND_ROW = re.compile(
    r"\*?[A-Za-z0-9][\w.:+@-]*\*?(?:(?:, ?|\s?\|\s?)[\w.-]+)*(?: \([^)]*\))?(?:\s+[\[<(].*?)?(?:\s{2,}\S.*)?"
)
_WORD_LIST = re.compile(r"[a-z][\w-]*(?:, [a-z][\w-]*)+,?|[a-z][\w-]*,")


@dataclass(slots=True)
class Entry:
    """One row of a list."""

    spec: str
    about: str
    indent: int
    column: int | None = None
    """Where the description stands."""

    def more(self, line: Line) -> None:
        """Take in one more line of the description."""
        if self.column is None:
            self.column = line.indent
        self.about = f"{self.about}\n{line.text}" if self.about else line.text


@dataclass(slots=True)
class Sections:
    """A page in parts, each list in the order of the page."""

    usages: list[str] = field(default_factory=list)
    options: list[Entry] = field(default_factory=list)
    arguments: list[Entry] = field(default_factory=list)
    commands: list[Entry] = field(default_factory=list)


def split_page(lines: Sequence[Line], program: str) -> Sections:
    """The parts of a page. `program` is the first word of a line that is a usage line without a heading; empty for none."""
    return _Splitter(lines, program).whole()


class _Splitter:
    def __init__(self, lines: Sequence[Line], program: str) -> None:
        self._lines = lines
        self._program = program
        self._found = Sections()
        self._kind: SectionKind = "other"
        self._entry: Entry | None = None
        self._level: int | None = None  # the indentation of a section's entries
        self._sub = False  # whether deeper rows are the commands of a `{a,b}` above them

    def whole(self) -> Sections:
        at = 0
        while at < len(self._lines):
            line = self._lines[at]
            usage = _USAGE.fullmatch(line.text) if line.text and not self._found.usages else None
            if usage and (usage["rest"] or self._usage_follows(at)):
                at = self._usage(at, usage["rest"] or "")
                continue
            self._take(line, at)
            at += 1
        if not self._found.usages and self._program:
            self._found.usages = self._bare_usage()
        return self._found

    def _bare_usage(self) -> list[str]:
        """The first lines that begin with the program's name, where no heading announces them."""
        starts = [number for number, line in enumerate(self._lines) if line.text.partition(" ")[0] == self._program]
        lines = []
        for line in self._lines[starts[0] :] if starts else ():
            if line.text.partition(" ")[0] != self._program:
                break
            lines.append(line.text)
        return lines

    def _usage_follows(self, at: int) -> bool:
        rest = [line for line in self._lines[at + 1 : at + 4] if line.text]
        return bool(rest) and rest[0].indent > self._lines[at].indent

    def _usage(self, at: int, rest: str) -> int:
        """Take in the usage lines that begin at this place; where they end."""
        base, parts = self._lines[at].indent, [rest] if rest else []
        first = rest.partition(" ")[0]
        at += 1
        while at < len(self._lines):
            line = self._lines[at]
            if not line.text and parts:
                break
            other = re.match(r"(?:or|oder|ou|o|または|или)\s*:\s+(.*)", line.text)
            if line.text and line.indent <= base and not other and parts:
                break
            if line.text and not parts and line.indent <= base:
                break
            if other:
                parts.append(other[1])
            elif line.text and not _REMARK.fullmatch(line.text):
                first = first or line.text.partition(" ")[0]
                if not parts or line.text.partition(" ")[0] == first:
                    parts.append(re.split(r"\s{2,}", line.text.removeprefix("$ "))[0])
                else:
                    parts[-1] += " " + line.text
            at += 1
        self._found.usages += parts
        self._kind = "other"
        return at

    def _take(self, line: Line, at: int) -> None:
        if not line.text:
            return
        if self._entry is not None and self._is_more(line, self._entry):
            self._entry.more(line)
        elif self._kind != "other" and STARTS.match(line.text) and (line.indent or self._kind == "options"):
            self._option(line)
        elif self._is_heading(line, at):
            self._open(line, at)
        elif STARTS.match(line.text) and not self._aside:
            self._option(line)
        elif self._kind == "commands":
            self._command(line)
        elif self._kind == "arguments":
            self._argument(line)

    _aside = False

    def _is_more(self, line: Line, entry: Entry) -> bool:
        """Whether the line goes on with the entry's description."""
        if self._sub and entry.spec.startswith("{") and line.indent > entry.indent:
            return not _COMMAND_ROW.fullmatch(line.text) or line.indent >= (entry.column or entry.indent + 8)
        if line.indent <= entry.indent:
            return False
        if STARTS.match(line.text):
            return entry.column is not None and line.indent >= entry.column and not cut(line.text)[1]
        return True

    def _is_heading(self, line: Line, at: int) -> bool:
        """A line that opens a section: it ends in a colon, or is in capitals, or stands further left than a list below it."""
        if (
            self._level is not None
            and line.indent >= self._level
            and self._kind != "other"
            and not line.text.endswith(":")
        ):
            return False
        if len(line.text) > 100 or STARTS.match(line.text):
            return False
        if line.text.endswith(tuple(_COLONS)):
            return True
        below = next((each for each in self._lines[at + 1 : at + 3] if each.text), None)
        if below is None or below.indent <= line.indent:
            return False
        return line.indent == 0

    def _open(self, line: Line, at: int) -> None:
        heading = line.text.rstrip(_COLONS)
        below = next((each for each in self._lines[at + 1 : at + 4] if each.text), None)
        rows = below is not None and bool(_COMMAND_ROW.fullmatch(below.text)) and bool(re.search(r"\s{2,}", below.text))
        self._entry, self._level, self._sub = None, None, False
        self._aside = bool(_ASIDE.match(heading))
        if self._aside:
            self._kind = "other"
        elif _OPTIONS.search(heading) and not re.fullmatch(r"(?i)(?:sub-?)?commands?", heading):
            self._kind = "options"
        elif _ARGUMENTS.search(heading):
            self._kind = "arguments"
        elif _COMMANDS.search(heading):
            self._kind = "commands"
        elif not (self._kind == "commands" and rows and not line.text.endswith(":")):
            self._kind = "options" if self._kind != "commands" or not rows else "commands"

    def _option(self, line: Line) -> None:
        spec, about = cut(line.text)
        column = None if not about else line.indent + len(line.text) - len(about)
        self._entry = Entry(spec=spec, about=about, indent=line.indent, column=column)
        self._level = line.indent if self._level is None else min(self._level, line.indent)
        self._found.options.append(self._entry)

    def _row(self, line: Line) -> Entry | None:
        """The line as an entry of its list; None where it stands deeper than the list does."""
        if self._level is None:
            self._level = line.indent
        spec, about = cut(line.text)
        column = None if not about else line.indent + len(line.text) - len(about)
        self._entry = Entry(spec=spec.strip(), about=about, indent=line.indent, column=column)
        return self._entry

    def _command(self, line: Line) -> None:
        if line.indent == 0 and self._level != 0:
            self._kind = "other"
        elif _WORD_LIST.fullmatch(line.text):
            words = [word.strip() for word in line.text.split(",")]
            self._found.commands += [Entry(spec=word, about="", indent=line.indent) for word in words if word]
        elif self._level is not None and line.indent < self._level:
            self._entry = None
        elif (row := self._row(line)) is not None:
            if row.spec.startswith("{"):
                self._sub = True
                self._level = None
            elif _COMMAND_ROW.fullmatch(line.text) or row.spec.split(" ")[0] == self._program:
                self._found.commands.append(row)

    def _argument(self, line: Line) -> None:
        if line.indent == 0:
            self._kind = "other"
            return
        if self._sub and self._entry is not None and line.indent > (self._level or 0):
            self._found.commands.append(Entry(spec=cut(line.text)[0], about=cut(line.text)[1], indent=line.indent))
            return
        row = self._row(line)
        if row is not None:
            self._sub = row.spec.startswith("{")
            self._found.arguments.append(row)
