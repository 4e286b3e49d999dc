"""A parser of argparse or optparse as plain JSON. Runs in the program's interpreter: standard library only, Python 3.8."""

from __future__ import annotations

import argparse
import enum
import itertools
from typing import Any, Dict, List, Optional, Tuple  # noqa: UP035 - Python 3.8

from gate.parser.shape_values import (
    MOST_CHOICES,
    Shape,
    Walked,
    bound,
    kind_of_callable,
    left_out,
    longest_first,
    names_path,
    spelled,
    told,
    value_of,
)

Words = Tuple[str, ...]  # noqa: UP006
_LEFT_OUT = {"help", "version"}
_COUNTS = {None: (1, 1), "?": (0, 1), "*": (0, None), "+": (1, None), argparse.REMAINDER: (0, None)}


def read_argparse(parser: Any) -> Shape:
    """The program that an ArgumentParser parses, sub-commands in it."""
    walked = Walked()
    _walk(parser, (), (), "", walked)
    return walked.program("argparse")


def _walk(parser: Any, words: Words, before: Any, text: str, walked: Walked) -> None:
    if not walked.room(words):
        return
    labels, required = _groups(parser, words)
    options: List[Shape] = []  # noqa: UP006
    arguments: List[Shape] = []  # noqa: UP006
    below = None
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            below = action
        elif action.option_strings:
            options += _options(action, parser, labels.get(id(action)), id(action) in required)
        elif action.nargs != argparse.SUPPRESS:
            arguments.append(_argument(action, parser, labels.get(id(action)), id(action) in required))
    if below is None or not below.required:
        walked.commands.append(
            {
                "words": list(words),
                "before": list(before),
                "options": options,
                "arguments": arguments,
                "help": text or told(parser.description),
            }
        )
    if below is not None:
        walked.note_what_stands_before(words, options, arguments)
        for name, sub, about in _commands(below):
            _walk(sub, (*words, name), before if words else options, about, walked)


def _commands(action: Any) -> Any:
    """(name, parser, help) of the sub-commands; of several names of one parser the first."""
    abouts = {choice.dest: told(choice.help) for choice in action._choices_actions if choice.help != argparse.SUPPRESS}
    seen: Dict[int, Any] = {}  # noqa: UP006
    for name, sub in action.choices.items():
        if id(sub) not in seen:
            seen[id(sub)] = sub
            yield str(name), sub, abouts.get(name, "")


def _groups(parser: Any, words: Words) -> Any:
    """Labels of the mutually exclusive groups by action, and the actions of which one is required."""
    labels: Dict[int, str] = {}  # noqa: UP006
    required = set()
    for number, group in enumerate(parser._mutually_exclusive_groups, 1):
        for action in group._group_actions:
            labels.setdefault(id(action), f"{'-'.join(words) or 'program'}-{number}")
            if group.required:
                required.add(id(action))
    return labels, required


def _options(action: Any, parser: Any, label: Optional[str], required: bool) -> List[Shape]:  # noqa: UP006, UP045
    if isinstance(action, (argparse._HelpAction, argparse._VersionAction)) or left_out(action.option_strings):
        return []
    least, most = _words_of(action)
    flag = most == 0
    shared = {
        "value": None if flag else _value(action),
        "value_optional": least == 0 and not flag,
        "required": bool(action.required or required),
        "repeatable": type(action).__name__ in ("_AppendAction", "_AppendConstAction", "_CountAction", "_ExtendAction"),
        "one_of": label,
        "help": _help(action, parser),
        "least": 1 if flag else max(least, 1),
        "most": 1 if flag else most,
    }
    negative: List[str] = []  # noqa: UP006
    if type(action).__name__ == "BooleanOptionalAction":
        negative = [name for name in action.option_strings if name.startswith("--no-")]
    return spelled([name for name in action.option_strings if name not in negative], negative, shared)


def _words_of(action: Any) -> Any:
    """How many words an action takes, at least and at most."""
    if isinstance(action.nargs, int):
        return action.nargs, action.nargs
    return _COUNTS.get(action.nargs, (0, None))


def _argument(action: Any, parser: Any, label: Optional[str], required: bool) -> Shape:  # noqa: UP045
    least, most = _words_of(action)
    name = action.metavar if isinstance(action.metavar, str) else action.dest
    return {
        "name": str(name),
        "value": _value(action),
        "least": max(least, 1) if required else least,
        "most": most,
        "rest": action.nargs == argparse.REMAINDER,
        "one_of": label,
        "help": _help(action, parser),
    }


def _value(action: Any) -> Shape:
    metavar = action.metavar[0] if isinstance(action.metavar, tuple) and action.metavar else action.metavar
    kind = "text" if action.type is None else kind_of_callable(action.type)
    choices, bounds = _choices(action, kind)
    if choices:
        return value_of("choice", choices=choices, default=action.default, metavar=metavar)
    if kind == "text" and names_path(metavar, None if metavar else action.dest):
        kind = "path"
    return value_of(kind, default=action.default, bounds=bounds, metavar=metavar)


def _choices(action: Any, kind: str) -> Any:
    """The words to choose from; of a range of numbers its bounds instead."""
    choices = action.choices
    if isinstance(choices, range) and choices and abs(choices.step) == 1 and kind in ("int", "float"):
        return [], (bound(min(choices[0], choices[-1])), bound(max(choices[0], choices[-1])))
    try:
        return [_choice(each, action.type) for each in itertools.islice(iter(choices or ()), MOST_CHOICES)], (
            None,
            None,
        )
    except TypeError:
        return [], (None, None)


def _choice(choice: Any, kind: Any) -> str:
    """The word that gives a choice: of a member of an enumeration the value, where that is what the parser compares or converts."""
    if isinstance(choice, enum.Enum) and (isinstance(choice, str) or kind is type(choice)):
        return str(choice.value)
    return str(choice)


def _help(action: Any, parser: Any) -> str:
    if not isinstance(action.help, str) or action.help == argparse.SUPPRESS:
        return ""
    try:
        return told(parser._get_formatter()._expand_help(action))
    except Exception:
        return told(action.help)


def read_optparse(parser: Any) -> Shape:
    """The program that an OptionParser parses. It knows no arguments: `usage` is the line that may name them."""
    walked = Walked()
    every = [*parser.option_list, *(option for group in parser.option_groups for option in group.option_list)]
    options = [
        _old_option(option, parser)
        for option in every
        if option.action not in _LEFT_OUT and not left_out(option._long_opts)
    ]
    about = told(parser.description)
    walked.commands.append({"words": [], "before": [], "options": options, "arguments": [], "help": about})
    return walked.program("optparse")


def _old_option(option: Any, parser: Any) -> Shape:
    value = None
    if option.takes_value():
        kind = {"int": "int", "long": "int", "float": "float", "choice": "choice"}.get(option.type or "string", "text")
        if kind == "text" and names_path(option.metavar, option.dest):
            kind = "path"
        value = value_of(
            kind,
            choices=map(str, option.choices or ()),
            default=parser.defaults.get(option.dest),
            metavar=option.metavar,
        )
    return {
        "names": longest_first([*option._long_opts, *option._short_opts]),
        "value": value,
        "repeatable": option.action in ("append", "append_const", "count"),
        "help": told(option.help) if option.help != "SUPPRESSHELP" else "",
        "least": option.nargs or 1 if value else 1,
        "most": option.nargs or 1 if value else 1,
    }
