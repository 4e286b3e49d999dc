"""A line of a POSIX shell as tokens: words without their quotes, operators, here-documents. Nothing is expanded."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from gate.corpus.transcripts.model import UnreadError

_OPERATOR = re.compile(r"\d*(?:<<-|<<<|<<|<>|<&|>>|>\||>&|<|>)|&>>|&>|&&|\|\||\|&|;;|[|&;()]")
_HERE = re.compile(r"0?<<-?")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_VARIABLE = re.compile(r"\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]|\{[^{}`()]*\})")
_BRACES = re.compile(r"\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}")
_ENDS_WORD = frozenset(" \t\n|&;()<>")
_ESCAPED_IN_QUOTES = frozenset('$`"\\')
_NOT_LITERAL = re.compile(r"[$`\\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A word, an operator, or the text of a here-document."""

    kind: Literal["word", "operator", "here"]
    text: str
    """A word without its quotes; an operator with the number of its descriptor; a line feed is one too."""
    assigns: bool = False
    """Whether a word begins with an unquoted `NAME=`."""
    fault: str | None = None
    """What a shell would put in its place: such a word is not literal."""


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of one command, comments left out. Raises UnreadError on quotes and here-documents that are not closed, and on commands
    within words.
    """
    return _Scanner(text).scanned()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: list[Token] = []
        self.open: list[tuple[int, str, bool]] = []  # here-documents: which token, its last line, whether tabs go

    def scanned(self) -> tuple[Token, ...]:
        while self.at < len(self.text):
            self._one()
        if self.open:
            raise UnreadError(f"the here-document that ends in {self.open[0][1]!a} is never closed")
        while self.found and self.found[-1] == _NEWLINE:
            self.found.pop()
        return tuple(self.found)

    def _one(self) -> None:
        character = self.text[self.at]
        if character in " \t":
            self.at += 1
        elif self.text.startswith("\\\n", self.at):
            self.at += 2
        elif character == "\n":
            self.at += 1
            self._line_end()
        elif character == "#":
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        elif operator := _OPERATOR.match(self.text, self.at):
            self.at = operator.end()
            self._operator(operator[0])
        else:
            self.found.append(self._word())

    def _line_end(self) -> None:
        for index, last, tabs in self.open:
            self.found[index] = replace(self.found[index], text=self._body(last, tabs=tabs))
            body = self.found[index]
            if body.fault is not None and not _NOT_LITERAL.search(body.text):
                self.found[index] = replace(body, fault=None)
        self.open.clear()
        if self.found and self.found[-1] != _NEWLINE:
            self.found.append(_NEWLINE)

    def _body(self, last: str, *, tabs: bool) -> str:
        lines: list[str] = []
        while self.at < len(self.text):
            end = self.text.find("\n", self.at)
            line = self.text[self.at : end] if end >= 0 else self.text[self.at :]
            self.at = end + 1 if end >= 0 else len(self.text)
            line = line.lstrip("\t") if tabs else line
            if line == last:
                return "".join(f"{each}\n" for each in lines)
            lines.append(line)
        raise UnreadError(f"the here-document that ends in {last!a} is never closed")

    def _operator(self, text: str) -> None:
        if not _HERE.fullmatch(text):
            self.found.append(Token(kind="operator", text=text))
            return
        while self.text.startswith((" ", "\t"), self.at):
            self.at += 1
        start = self.at
        delimiter = self._word()
        if start == self.at:
            raise UnreadError("a here-document without the word that ends it")
        bare = delimiter.text == self.text[start : self.at]
        fault = "a here-document that the shell expands (quote the word behind `<<`)" if bare else None
        self.open.append((len(self.found), delimiter.text, text.endswith("-")))
        self.found.append(Token(kind="here", text="", fault=fault))

    def _word(self) -> Token:
        parts: list[str] = []
        fault: str | None = None
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in _ENDS_WORD:
            home = self.text[self.at] == "~" and (self.at == start or self.text[self.at - 1] in "=:")
            part, found = self._part()
            parts.append(part)
            fault = fault or found or ("a home directory (`~`)" if home else None)
        return Token(
            kind="word",
            text="".join(parts),
            assigns=_ASSIGNMENT.match(self.text, start, self.at) is not None,
            fault=fault,
        )

    def _part(self) -> tuple[str, str | None]:
        """The next piece of a word, and what is not literal about it."""
        character = self.text[self.at]
        self.at += 1
        match character:
            case "'":
                return self._until("'"), None
            case '"':
                return self._quoted()
            case "\\":
                return self._escaped(), None
            case "$" | "`":
                return self._dollar(character)
            case _:
                return character, self._expanded(character)

    def _expanded(self, character: str) -> str | None:
        """What a shell would make of a character that stands unquoted and was just read."""
        if character in "*?[":
            return f"a pattern of file names (`{character}`)"
        braces = character == "{" and _BRACES.match(self.text, self.at - 1)
        return "braces that some shells expand" if braces else None

    def _until(self, quote: str) -> str:
        end = self.text.find(quote, self.at)
        if end < 0:
            raise UnreadError(f"a quote ({quote}) is never closed")
        inside = self.text[self.at : end]
        self.at = end + 1
        return inside

    def _escaped(self) -> str:
        if self.at == len(self.text):
            raise UnreadError("it ends in a backslash, and no line goes on with it")
        character = self.text[self.at]
        self.at += 1
        return "" if character == "\n" else character

    def _quoted(self) -> tuple[str, str | None]:
        parts: list[str] = []
        fault: str | None = None
        while self.at < len(self.text):
            character = self.text[self.at]
            self.at += 1
            if character == '"':
                return "".join(parts), fault
            if character == "\\":
                escaped = self._escaped()
                parts.append(escaped if not escaped or escaped in _ESCAPED_IN_QUOTES else "\\" + escaped)
            elif character in "$`":
                part, found = self._dollar(character, quoted=True)
                parts.append(part)
                fault = fault or found
            else:
                parts.append(character)
        raise UnreadError('a quote (") is never closed')

    def _dollar(self, character: str, *, quoted: bool = False) -> tuple[str, str | None]:
        following = self.text[self.at : self.at + 1]
        if character == "`" or following == "(":
            raise UnreadError("a command within a word")
        if variable := _VARIABLE.match(self.text, self.at - 1):
            self.at = variable.end()
            return variable[0], f"a variable (`{variable[0]}`)"
        if following == "{" or (following and following in "'\"" and not quoted):
            raise UnreadError("quoting or an expansion that POSIX does not know or that is not literal")
        return character, None


_NEWLINE = Token(kind="operator", text="\n")
