"""A usage line, read: `prog [-v] [-a | -b] --name NAME {x,y} FILE [FILE ...]`.

The grammar that argparse, click, docopt, clap, cobra and the manuals of git share; what does not fit it is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from gate.parser.help.tokens import Token, read_tokens

_OPTIONS = re.compile(r"(?:(?:global |general |main )?(?:options?|opts?|flags?|switches))(?:\.\.\.)?", re.IGNORECASE)
_COMMANDS = re.compile(r"(?:sub-?)?(?:commands?|cmds?)", re.IGNORECASE)
_DEEPEST = 20

Takes = Callable[[str], bool | None]
"""Whether an option takes a value, by its name; None where the page does not say."""


@dataclass(slots=True, kw_only=True)
class UsageOption:
    """An option in a usage line."""

    name: str
    placeholder: str = ""
    optional: bool = False
    repeatable: bool = False
    group: int | None = None
    """The alternatives it is one of."""


@dataclass(slots=True, kw_only=True)
class UsageArgument:
    """An argument in a usage line."""

    name: str
    choices: tuple[str, ...] = ()
    least: int = 1
    most: int | None = 1
    group: int | None = None


@dataclass(slots=True, kw_only=True)
class Usage:
    """One line."""

    literals: tuple[str, ...] = ()
    """Plain words at its beginning, where such are command words."""
    options: list[UsageOption] = field(default_factory=list)
    arguments: list[UsageArgument] = field(default_factory=list)
    takes_options: bool = False
    """Whether it says `[options]`."""
    commands: tuple[str, ...] | None = None
    """The command words, where the line says that one follows; empty where it does not say which. None: it takes none."""
    needs_command: bool = False
    """Whether that command may not be left out."""


@dataclass(slots=True)
class _Around:
    """What stands around a place of the line."""

    optional: bool = False
    group: int | None = None
    depth: int = 0


def is_command_placeholder(name: str) -> bool:
    """Whether a placeholder stands for a command's word."""
    return bool(_COMMANDS.fullmatch(name))


def read_usage(line: str, takes: Takes, *, literal: bool) -> Usage:
    """The line without the program's own words. `literal`: plain lower-case words are words to be typed, not placeholders."""
    return _Reader(line, takes, literal=literal).whole()


class _Reader:
    def __init__(self, line: str, takes: Takes, *, literal: bool) -> None:
        self._tokens = read_tokens(line)
        self._at = 0
        self._takes = takes
        self._literal = literal
        self._groups = 0
        self.usage = Usage()
        self._leading = True
        self._stop = False

    def whole(self) -> Usage:
        while self._at < len(self._tokens) and not self._stop:
            self._alternatives(_Around())
            self._at += 1  # a bracket that closes nothing
        return self.usage

    def _peek(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _is(self, *texts: str) -> bool:
        token = self._peek()
        return token is not None and token.text in texts

    def _alternatives(self, around: _Around) -> None:
        """Read up to the closing bracket, or the end; alternatives get a group of their own."""
        start, options, arguments = self._at, len(self.usage.options), len(self.usage.arguments)
        group = None
        while not self._stop:
            self._sequence(_Around(around.optional, group if group is not None else around.group, around.depth))
            if not self._is("|"):
                break
            if group is None:
                self._groups += 1
                group = self._groups
                for option in self.usage.options[options:]:
                    option.group = group
                for argument in self.usage.arguments[arguments:]:
                    argument.group = group
            self._at += 1
        if group is not None:
            self._merge_plain_words(start, arguments)

    def _merge_plain_words(self, start: int, arguments: int) -> None:
        """`(set|remove)`: one argument with two choices."""
        texts = [token.text for token in self._tokens[start : self._at]]
        if re.fullmatch(r"[a-z][\w-]*(?: \| [a-z][\w-]*)+", " ".join(texts)):
            first = self.usage.arguments[arguments]
            words = tuple(text for text in texts if text != "|")
            self.usage.arguments[arguments:] = [
                UsageArgument(name="|".join(words), choices=words, least=first.least, most=first.most)
            ]

    def _sequence(self, around: _Around) -> None:
        while not self._stop and (token := self._peek()) is not None and token.text not in ("]", ")", "|"):
            if token.text in ("[", "("):
                self._bracket(token.text, around)
            elif token.kind == "option":
                self._option(around)
            elif token.kind == "dots":
                self._at += 1
                self._again(around, spaced=not token.glued)
            elif token.kind in ("word", "angled", "braced"):
                self._word(token, around)
            else:
                self._at += 1

    def _bracket(self, text: str, around: _Around) -> None:
        glued = self._tokens[self._at].glued
        before = len(self.usage.options), len(self.usage.arguments)
        self._at += 1
        if around.depth >= _DEEPEST:
            return
        self._alternatives(_Around(around.optional or text == "[", around.group, around.depth + 1))
        if self._is("]", ")"):
            self._at += 1
        if glued and before[1] and len(self.usage.arguments) > before[1]:
            del self.usage.arguments[before[1] :]  # `<source>[:<target>]` is one word
        if self._is("...", "…"):
            self._at += 1
            for option in self.usage.options[before[0] :]:
                option.repeatable = True
            for argument in self.usage.arguments[before[1] :]:
                argument.most = None

    def _again(self, around: _Around, *, spaced: bool) -> None:
        """What `...` says of what stands before it."""
        if spaced and self.usage.arguments and not around.optional and self.usage.arguments[-1].choices:
            choices = self.usage.arguments.pop().choices  # `{add,get} ...`: the sub-commands of argparse
            self.usage.commands = (*(self.usage.commands or ()), *choices)
            self.usage.needs_command = True
            self._stop = True
        elif self.usage.arguments:
            self.usage.arguments[-1].most = None
        elif spaced:
            self.usage.arguments.append(UsageArgument(name="args", least=0, most=None))

    def _option(self, around: _Around) -> None:
        self._leading = False
        name = self._tokens[self._at].text
        self._at += 1
        if name in ("--", "-"):
            name += self._no_prefix()
        option = UsageOption(name=name, optional=around.optional, group=around.group)
        option.placeholder = self._placeholder(option, around)
        self.usage.options.append(option)

    def _no_prefix(self) -> str:
        """`[no-]color` after two dashes: the name without the prefix."""
        while self._is("[", "]", "no-"):
            self._at += 1
        return self._taken()

    def _placeholder(self, option: UsageOption, around: _Around) -> str:
        """The words that belong to the option."""
        token, takes = self._peek(), self._takes(option.name)
        if token is None or (takes is False and not token.glued):
            return ""
        if token.text == "[" and token.glued:
            return self._balanced()
        if token.kind == "equals":
            self._at += 1
            return "=" + (self._balanced() if self._is("[", "(") else self._taken()) + self._glued()
        plain = token.kind == "word" and not (takes or around.optional or token.text.isupper())
        if token.kind not in ("word", "angled", "braced") and not (takes and token.text in ("[", "(")):
            return ""
        if plain:
            return ""
        first = self._balanced() if token.text in ("[", "(") else self._taken()
        first += self._glued()
        rest = self._rest() if around.optional else ""
        return f" {first}{rest}"

    def _glued(self) -> str:
        """What goes on without a blank: `<name>=<value>`."""
        text = ""
        while (
            (token := self._peek()) is not None
            and token.glued
            and token.kind in ("equals", "angled", "word", "other", "braced")
        ):
            text += self._taken()
        return text + (self._balanced() if token is not None and token.glued and token.text == "[" else "")

    def _rest(self) -> str:
        """The other placeholders of an option that is alone in brackets: `[--pair A B]`, `[--some A [A ...]]`."""
        words = ""
        while (token := self._peek()) is not None:
            if token.kind in ("word", "angled", "braced"):
                words += " " + self._taken()
            elif token.text == "[":
                words += " " + self._balanced()
            elif token.kind == "dots":
                words += "..."
                self._at += 1
            else:
                break
        return words

    def _taken(self) -> str:
        token = self._peek()
        self._at += 1
        return token.text if token is not None else ""

    def _balanced(self) -> str:
        """The bracketed text at this place, brackets included."""
        depth, text = 0, ""
        while (token := self._peek()) is not None:
            self._at += 1
            depth += (token.text in ("[", "(")) - (token.text in ("]", ")"))
            text += token.text if token.glued or not text else " " + token.text
            if depth <= 0:
                break
        return text

    def _word(self, token: Token, around: _Around) -> None:
        self._at += 1
        name = token.text.strip("<>{}").strip()
        if _OPTIONS.fullmatch(name):
            self.usage.takes_options = True
            if self._is("...", "…"):
                self._at += 1
            return
        if _COMMANDS.fullmatch(name):
            self.usage.commands = self.usage.commands or ()
            self.usage.needs_command = not around.optional
            self._stop = True
            return
        if name.startswith("+") or not re.search(r"\w", name):
            return
        plain = token.kind == "word" and bool(re.fullmatch(r"[a-z][a-z0-9_-]*", name))
        if self._literal and plain and self._leading and not around.depth:
            self.usage.literals += (name,)
            return
        self._leading = False
        if token.glued and self.usage.arguments:
            return  # `<host>:<path>` is one word
        choices = tuple(filter(None, re.split(r"[,|]", name))) if token.kind == "braced" else ()
        if token.kind == "angled" and "|" in name:
            choices = tuple(part.strip() for part in name.split("|"))
        if self._literal and plain:
            choices = (name,)
        self._argument(UsageArgument(name=name, choices=choices, least=0 if around.optional else 1, group=around.group))

    def _argument(self, new: UsageArgument) -> None:
        last = self.usage.arguments[-1] if self.usage.arguments else None
        if last is not None and last.name == new.name and new.least == 0 and not self._literal:
            last.most = None if self._is("...", "…") else (last.most or 0) + 1  # `FILE [FILE ...]`
            return
        self.usage.arguments.append(new)
