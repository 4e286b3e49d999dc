"""What the text that `--help` prints says: options, arguments and the names of commands. Pure; of a program in any language."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec

from gate.parser.help.lines import plain_lines
from gate.parser.help.options import ending_names, read_option
from gate.parser.help.sections import Entry, Sections, split_page
from gate.parser.help.spelled import does_something, shared
from gate.parser.help.usage import Usage, UsageArgument, UsageOption, is_command_placeholder, read_usage
from gate.parser.help.values import read_placeholder, read_value
from gate.parser.parsed import ParsedArgument, ParsedCommand, ParsedOption

_NAME = re.compile(r"[A-Za-z0-9][\w.:+@-]*")
_NO_COMMANDS = {"help"}
_MOST_WORDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpPage:
    """One page, read."""

    command: ParsedCommand
    """What the page's own command takes."""
    commands: tuple[tuple[str, str], ...] = ()
    """(word, help) of the commands below it, in the page's order; aliases apart."""
    needs_command: bool = False
    """Whether nothing but a command may follow, as far as the usage lines say."""
    patterns: tuple[ParsedCommand, ...] = ()
    """Commands below it that its usage lines spell out, their words in full."""
    before: tuple[ParsedOption, ...] = ()
    """Options that may stand before the words of the commands below it. Where usage lines spell commands out, none that such a line
    names: each of these commands has its own."""
    alone: bool = True
    """Whether the page's own command does anything without the words of one below it, as far as the usage lines say."""
    usage: bool = False
    """Whether the page has a usage line."""

    @property
    def tells(self) -> bool:
        """Whether the page tells anything at all."""
        return self.usage or bool(self.command.options or self.commands)


def read_help(text: str, *, program: str = "", words: Sequence[str] = ()) -> HelpPage:
    """The page that `program` prints for the command `words`. Never fails: what is not understood is not there."""
    found = split_page(plain_lines(text), program)
    listed = [option for entry in found.options for option in read_option(entry.spec, entry.about)]
    options = _distinct(listed)
    usages = _usages(found.usages, options, words)
    commands = _commands(found, program, words, usages)
    plain = [usage for usage in usages if not usage.literals]
    own = next((usage for usage in plain if usage.arguments and not _spelled(usage)), plain[0] if plain else Usage())
    bare = any(not usage.arguments and usage.commands is None for usage in plain) and len(plain) > 1
    ending = {name for entry in found.options for name in ending_names(entry.spec)}
    stated = [option for usage in plain[:1] for option in usage.options if option.name not in ending]
    merged = _merged(options, stated)
    arguments = _arguments(own, found.arguments, optional=bare)
    patterns = _patterns(usages, options, tuple(words))
    own_options, before = shared(merged, usages) if patterns else (merged, merged)
    return HelpPage(
        command=ParsedCommand(words=tuple(words), options=own_options, arguments=arguments),
        commands=commands,
        needs_command=bool(commands) and bool(plain) and all(usage.needs_command for usage in plain),
        patterns=patterns,
        before=before,
        alone=not patterns or any(does_something(usage, ending) for usage in plain),
        usage=bool(usages),
    )


def _spelled(usage: Usage) -> bool:
    """Whether a word to be typed stands among the arguments of the line: it is a command's."""
    return any(len(argument.choices) == 1 for argument in usage.arguments)


def usage_arguments(text: str) -> tuple[ParsedArgument, ...]:
    """The arguments that a usage line names."""
    found = split_page(plain_lines(text if "sage" in text else f"Usage: {text}"), "")
    usages = _usages(found.usages[:1], (), ())
    return _arguments(usages[0], (), optional=False) if usages else ()


def _distinct(options: Iterable[ParsedOption]) -> tuple[ParsedOption, ...]:
    """Each spelling once: what comes later is the better described only where the first says nothing."""
    kept: list[ParsedOption] = []
    taken: set[str] = set()
    for option in options:
        names = tuple(name for name in option.names if name not in taken)
        if names:
            kept.append(option if names == option.names else msgspec.structs.replace(option, names=names))
            taken.update(names)
    return tuple(kept)


def _usages(lines: Sequence[str], options: Sequence[ParsedOption], words: Sequence[str]) -> list[Usage]:
    takes = {name: option.value is not None for option in options for name in option.names}
    bodies = [_without_program(line, words) for line in lines]
    literal = len([body for body in bodies if re.match(r"[a-z][\w-]*(?:\s|$)", body)]) > 1 or (
        len(bodies) > 1 and any(re.match(r"[a-z][\w-]*\s+[\[<(-]", body) for body in bodies)
    )
    return [read_usage(body, takes.get, literal=literal) for body in bodies]


def _without_program(line: str, words: Sequence[str]) -> str:
    """A usage line after the words that start the program and name the command."""
    parts = line.split()
    skipped = 1
    if (
        parts
        and re.fullmatch(r"(?:python|pypy)[\d.]*|node|npx|java|ruby|uv|\S*/python[\d.]*", parts[0])
        and len(parts) > 1
    ):
        skipped = 3 if parts[1] == "-m" else 2 if re.search(r"\.(?:py|js|rb|jar)$", parts[1]) else 1
    for start in range(skipped, min(len(parts), _MOST_WORDS)):
        if words and parts[start : start + len(words)] == list(words):
            skipped = start + len(words)
            break
        if words and re.match(r"[\[<({-]", parts[start]):
            break
    places = [each.end() for each in re.finditer(r"\S+\s*", line)][:skipped]
    return line[places[-1] :] if len(places) == skipped else ""


def _commands(
    found: Sections, program: str, words: Sequence[str], usages: Iterable[Usage]
) -> tuple[tuple[str, str], ...]:
    choices = {
        each.strip() for entry in found.arguments for each in entry.spec.strip("{}").split(",") if entry.spec[:1] == "{"
    }
    stated = [name for usage in usages for name in usage.commands or ()]
    rows: dict[str, str] = {}
    for entry in found.commands:
        name = _command_word(entry.spec, program, words)
        if name and (not choices or name in choices or entry.indent == 0 or not stated):
            rows.setdefault(name, " ".join(entry.about.split())[:1000])
    aliases = {alias for entry in found.commands for alias in _aliases(entry.spec)}
    for name in stated:
        if name not in aliases and _NAME.fullmatch(name):
            rows.setdefault(name, "")
    return tuple((name, about) for name, about in rows.items() if name not in _NO_COMMANDS)


def _command_word(spec: str, program: str, words: Sequence[str]) -> str:
    parts = spec.replace("*", "").split()
    if parts and parts[0] == program:
        parts = parts[1:]
    if tuple(parts[: len(words)]) == tuple(words) and words:
        parts = parts[len(words) :]
    name = parts[0].split(",")[0].split("|")[0] if parts else ""
    return name if _NAME.fullmatch(name) and not name.endswith(":") else ""


def _aliases(spec: str) -> list[str]:
    """The names of a command after its first: `checkout (co, ck)`, `build, b`."""
    inside = re.fullmatch(r"\S+ \(([^)]*)\)", spec)
    return re.split(r",\s*", inside[1]) if inside else re.split(r",\s*|\|", spec)[1:]


def _merged(options: Sequence[ParsedOption], stated: Sequence[UsageOption]) -> tuple[ParsedOption, ...]:
    """The listed options with what the usage line says of them, and those that only the usage line names."""
    stated = _twins_joined(stated, {name for option in options for name in option.names})
    by_name = {name: number for number, option in enumerate(options) for name in option.names}
    merged = list(options)
    groups: dict[int, set[int]] = {}
    for each in stated:
        number = by_name.get(each.name)
        if number is None:
            fresh = read_option(f"{each.name}{each.placeholder}", "")  # `-v, --verbose` of twins
            if not fresh:
                continue
            number = len(merged)
            merged.append(fresh[0])
            by_name |= dict.fromkeys(fresh[0].names, number)
        if each.group is not None:
            groups.setdefault(each.group, set()).add(number)
        merged[number] = _said(merged[number], each)
    for group, members in groups.items():
        for number in members if len(members) > 1 else ():
            merged[number] = msgspec.structs.replace(merged[number], one_of=f"group-{group}")
    return tuple(merged)


def _twins_joined(stated: Sequence[UsageOption], listed: Collection[str]) -> list[UsageOption]:
    """`[-v | --verbose]`, which no list explains, is one option."""
    joined: list[UsageOption] = []
    for each in stated:
        last = joined[-1] if joined else None
        if last and last.group == each.group is not None and not {last.name, each.name} & set(listed):
            short, long = last.name, each.name
            if (
                len(short) == 2
                and long.startswith("--")
                and long[2:3].lower() == short[1].lower()
                and not last.placeholder
            ):
                joined[-1] = replace(each, name=f"{short}, {long}", group=None)
                continue
        joined.append(each)
    return joined


def _said(option: ParsedOption, stated: UsageOption) -> ParsedOption:
    placeholder = read_placeholder(stated.placeholder, option.help) if stated.placeholder else None
    value = option.value
    if value is None and placeholder is not None:
        value = placeholder.value
    return msgspec.structs.replace(
        option,
        value=value,
        required=option.required or not stated.optional,
        repeatable=option.repeatable or stated.repeatable,
    )


def _arguments(usage: Usage, listed: Sequence[Entry], *, optional: bool) -> tuple[ParsedArgument, ...]:
    """The usage line's arguments with their descriptions; the listed ones alone where it names none."""
    about = {_key(entry.spec): entry for entry in listed if not entry.spec.startswith("-")}
    if not usage.arguments:
        rows = [
            entry
            for entry in about.values()
            if not entry.spec.startswith("{") and not is_command_placeholder(_key(entry.spec))
        ]
        return tuple(_listed_argument(entry) for entry in rows)
    return tuple(
        _argument(
            each, about.get(_key(each.name)) or (about.get(_key("{" + ",".join(each.choices) + "}"))), optional=optional
        )
        for each in usage.arguments
    )


def _key(spec: str) -> str:
    inner = re.sub(r"\.\.\.|…", "", spec).strip().strip("[]<>")
    return (inner if inner.startswith("{") else inner.split(" ")[0]).lower().strip("[]<>")


def _argument(stated: UsageArgument, entry: Entry | None, *, optional: bool) -> ParsedArgument:
    about = entry.about if entry else ""
    beside = entry.spec.partition(" ")[2] if entry is not None and not entry.spec.startswith("{") else ""
    if (
        beside.startswith("<") and len(stated.choices) < 2
    ):  # Typer: `{item}` in the usage line, `item <int>` in the list
        value = read_placeholder(beside, about).value
    else:
        value = read_value(f"{{{','.join(stated.choices)}}}" if stated.choices else stated.name, about)
    return ParsedArgument(
        name=stated.name,
        value=value,
        least=0 if optional else stated.least,
        most=stated.most,
        one_of=None if stated.group is None else f"group-{stated.group}",
        help=" ".join(about.split())[:1000],
    )


def _listed_argument(entry: Entry) -> ParsedArgument:
    name = _key(entry.spec)
    value = read_value(
        entry.spec if "{" in entry.spec or "|" in entry.spec else re.sub(r"\.\.\.", "", entry.spec), entry.about
    )
    return ParsedArgument(
        name=name.strip("{}") or "argument",
        value=value,
        least=0 if entry.spec.startswith("[") else 1,
        most=None if "..." in entry.spec else 1,
        help=" ".join(entry.about.split())[:1000],
    )


def _patterns(
    usages: Iterable[Usage], options: Sequence[ParsedOption], words: tuple[str, ...]
) -> tuple[ParsedCommand, ...]:
    """The commands that usage lines spell out; of several lines for one command the first."""
    found: dict[tuple[str, ...], ParsedCommand] = {}
    for usage in usages:
        if usage.literals and usage.literals not in found:
            named = {each.name for each in usage.options}
            base = options if usage.takes_options else [each for each in options if named.intersection(each.names)]
            found[usage.literals] = ParsedCommand(
                words=words + usage.literals,
                options=_merged(base, usage.options),
                arguments=_arguments(usage, (), optional=False),
            )
    return tuple(found.values())
