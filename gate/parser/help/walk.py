"""Reading a program by its help: `--help` of the program and of each command below it, within bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from gate.diff.escape import escaped
from gate.parser.help.lines import is_cut
from gate.parser.help.text import HelpPage, read_help
from gate.parser.parsed import ParsedCommand, ParsedOption, ParsedProgram
from gate.parser.starting import MOST_PRINTED, Asking, Told

DEEPEST = 4
"""Command words one after another."""

MOST_COMMANDS = 300
"""Commands that are asked for their help."""

_SECONDS = 10.0
_FORMS = (("--help",), ("-h",), ("help",))
_ENDLESS = frozenset({"timeout", "overflow"})
_SHOWN = {"overflow": f"overflow, more than {MOST_PRINTED >> 20} MiB printed"}


@dataclass(slots=True, kw_only=True)
class Tried:
    """What was tried, for the error of a program that nothing could be read of."""

    lines: list[str] = field(default_factory=list)
    endless: bool = False
    """Whether one of the tries did not end by itself."""

    def add(self, words: Sequence[str], told: Told) -> None:
        """Keep how one try ended."""
        self.endless = self.endless or told.status in _ENDLESS
        said = (told.stderr or told.stdout).strip().splitlines()
        shown = f": {escaped(said[-1][:160])}" if said else ""
        self.lines.append(
            f"`{escaped(' '.join(words)[-120:].encode('utf-8', 'surrogateescape'))}` ended in {_SHOWN.get(told.status, told.status)}{shown}"
        )


@dataclass(slots=True, kw_only=True)
class _Walk:
    argv: tuple[str, ...]
    asking: Asking
    tried: Tried
    program: str
    commands: list[ParsedCommand] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asked: int = 0
    form: int = 0
    """The form that the program answered to last: tried first."""
    silent: bool = False
    """Whether the command that was asked last took `--help`, and said nothing."""

    def page(self, words: tuple[str, ...]) -> tuple[HelpPage, str] | None:
        """The first page that tells anything, and its text. Of one that is too long the beginning, with a note."""
        self.silent = False
        for form in dict.fromkeys((self.form, *range(len(_FORMS)))):
            ask = (*self.argv, *_placed(_FORMS[form], words))
            told = self.asking.ask(ask, seconds=_SECONDS)
            found = None if told.status == "timeout" else self._best(told, words)
            if found is not None:
                self.form = form
                if is_cut(found[1]):
                    self.note(
                        f"the help of `{' '.join((self.program, *words))}` is very long: only its beginning is read"
                    )
                return found
            self.tried.add(ask, told)
            if told.status in _ENDLESS or told.status.startswith("cannot start"):
                return None
            self.silent = self.silent or (form == 0 and told.status == "0" and not told.stdout + told.stderr)
        return None

    def _best(self, told: Told, words: tuple[str, ...]) -> tuple[HelpPage, str] | None:
        for stream in (told.stdout, told.stderr):
            text = stream.decode("utf-8", "replace")
            page = read_help(text, program=self.program, words=words)
            if page.command.options or page.commands or (page.usage and told.status in ("0", "overflow")):
                return page, text
        return None

    def below(self, words: tuple[str, ...], page: HelpPage, text: str, before: tuple[ParsedOption, ...]) -> None:
        """Read the commands below a page."""
        patterns = {pattern.words[: len(words) + 1]: pattern for pattern in reversed(page.patterns)}
        names = dict(page.commands) if page.commands else {found[-1]: "" for found in reversed(patterns)}
        if names and len(words) >= DEEPEST:
            self.note(f"`{' '.join(words)}`: the commands below it are not read, at most {DEEPEST} words are")
            return
        for name, about in names.items():
            if self.asked >= MOST_COMMANDS:
                self.note(f"only the first {MOST_COMMANDS} commands were asked for their help")
                return
            if not self.asking.left():
                self.note("the time was over before all commands were asked for their help")
                return
            self._command((*words, name), about, page, text, before)

    def _command(
        self, words: tuple[str, ...], about: str, above: HelpPage, text: str, before: tuple[ParsedOption, ...]
    ) -> None:
        self.asked += 1
        found = self.page(words)
        spelled = [pattern for pattern in above.patterns if pattern.words[: len(words)] == words]
        if found is None or found[1] == text:
            if not spelled and len(words) > 1 and found is not None and not self.silent:
                return  # a word of an example: the command above it answered
            plain = () if spelled else (ParsedCommand(words=words),)
            self.commands += [_placed_after(each, before, about) for each in (*spelled, *plain)]
            if (found is None or self.silent) and not spelled:
                self.note(f"`{' '.join(words)}` has no help that could be read")
            return
        page, own = found
        if page.alone and not (page.needs_command and page.commands):
            self.commands.append(_placed_after(page.command, before, about))
        self.below(words, page, own, before)

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def commands_told(argv: Sequence[str], asking: Asking) -> tuple[str, ...]:
    """The commands that the program's own help lists; none where it has no help."""
    walk = _Walk(argv=tuple(argv), asking=asking, tried=Tried(), program=Path(_named(argv)).name)
    found = walk.page(())
    return tuple(name for name, _ in found[0].commands) if found else ()


def walk_help(argv: Sequence[str], asking: Asking, tried: Tried) -> ParsedProgram | None:
    """The program that the words `argv` start, as far as its help tells; None where it tells nothing, with what was tried in `tried`."""
    walk = _Walk(argv=tuple(argv), asking=asking, tried=tried, program=Path(_named(argv)).name)
    found = walk.page(())
    if found is None:
        return None
    page, text = found
    if page.alone and not (page.needs_command and page.commands):
        walk.commands.append(page.command)
    walk.below((), page, text, page.before)
    return ParsedProgram(source="help", commands=tuple(walk.commands) or (page.command,), notes=tuple(walk.notes))


def _named(argv: Sequence[str]) -> str:
    """The word that the program's own usage lines begin with, as far as the words that start it tell."""
    words = [word for word in argv if not word.startswith("-")]
    return words[-1] if words else argv[0]


def _placed(form: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    return (*form, *words) if form == ("help",) else (*words, *form)


def _placed_after(command: ParsedCommand, before: tuple[ParsedOption, ...], about: str) -> ParsedCommand:
    """The command with the program's options that it does not list itself."""
    own = {name for option in command.options for name in option.names}
    outer = tuple(option for option in before if not own.intersection(option.names))
    return msgspec.structs.replace(command, before=outer, help=about or command.help)
