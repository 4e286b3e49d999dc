"""A command of click or Typer as plain JSON. Runs in the program's interpreter: standard library only, Python 3.8.

Nothing is imported from click: Typer holds a copy of its own since 0.26, and classes are told apart by what they have.
"""

from __future__ import annotations

import enum
from typing import Any, Dict, List, NamedTuple, Tuple  # noqa: UP035 - Python 3.8

from gate.parser.shape_values import (
    MOST_CHOICES,
    Shape,
    Walked,
    bound,
    kind_of_callable,
    left_out,
    names_path,
    spelled,
    told,
    value_of,
)

Words = Tuple[str, ...]  # noqa: UP006
_KINDS = {"integer": "int", "integer range": "int", "float": "float", "float range": "float", "choice": "choice"}
_PATHS = {"path", "file", "filename", "directory"}


class _Walk(NamedTuple):
    make_context: Any
    walked: Walked


def read_click(command: Any, make_context: Any) -> Shape:
    """The program that a command is, the commands of groups in it. `make_context(command, name, parent)` gives an empty context."""
    walked = Walked()
    context = make_context(command, command.name or "program", None)
    _walk(command, context, (), (), _Walk(make_context, walked))
    return walked.program("click")


def _walk(command: Any, context: Any, words: Words, before: Any, walk: _Walk) -> None:
    walked = walk.walked
    if not walked.room(words):
        return
    options: List[Shape] = []  # noqa: UP006
    arguments: List[Shape] = []  # noqa: UP006
    helps = set(command.get_help_option_names(context))
    for param in command.get_params(context):
        if param.param_type_name == "argument":
            arguments.append(_argument(param, context))
        elif helps.isdisjoint(param.opts) and not left_out(param.opts):
            options += _options(param, context)
    group = hasattr(command, "list_commands") and hasattr(command, "get_command")
    if not group or getattr(command, "invoke_without_command", False):
        walked.commands.append(
            {
                "words": list(words),
                "before": list(before),
                "options": options,
                "arguments": arguments,
                "help": told(command.short_help or command.help),
            }
        )
    if group:
        if getattr(command, "chain", False):
            shown = " ".join(words) or "the program"
            walked.note(f"`{shown}` takes several commands in one line; they are read one by one")
        walked.note_what_stands_before(words, options, arguments)
        for name, sub in _commands(command, context, words, walked):
            inner = walk.make_context(sub, name, context)
            _walk(sub, inner, (*words, name), before if words else options, walk)


def _commands(group: Any, context: Any, words: Words, walked: Walked) -> Any:
    """(name, command) below a group; of several names of one command the first."""
    seen: Dict[int, Any] = {}  # noqa: UP006
    for name in group.list_commands(context):
        try:
            command = group.get_command(context, name)
        except Exception as error:
            walked.note(f"`{' '.join((*words, name))}` cannot be read: {type(error).__name__}: {error}"[:300])
            continue
        if command is not None and id(command) not in seen:
            seen[id(command)] = command
            yield str(name), command
        if walked.full:
            return


def _options(param: Any, context: Any) -> List[Shape]:  # noqa: UP006
    counted = bool(getattr(param, "count", False))
    flag = bool(getattr(param, "is_flag", False)) or counted
    prompted = getattr(param, "prompt", None) is not None and getattr(param, "prompt_required", True)
    words = 1 if flag or param.nargs < 1 else param.nargs
    shared = {
        "value": None if flag else _value(param, context),
        "value_optional": not flag and bool(getattr(param, "_flag_needs_value", False)),
        "required": bool(param.required or (prompted and not flag and _default(param) is None)),
        "repeatable": bool(param.multiple or counted),
        "help": told(getattr(param, "help", "")),
        "least": words,
        "most": words,
    }
    return spelled(param.opts, getattr(param, "secondary_opts", []), shared)


def _argument(param: Any, context: Any) -> Shape:
    endless = param.nargs < 0
    return {
        "name": str(param.metavar or param.name or "argument"),
        "value": _value(param, context),
        "least": (1 if endless else param.nargs) if param.required else 0,
        "most": None if endless else param.nargs,
        "help": told(getattr(param, "help", "")),
    }


def _default(param: Any) -> Any:
    default = param.default
    return None if callable(default) or (isinstance(default, enum.Enum) and default.name == "UNSET") else default


def _value(param: Any, context: Any) -> Shape:
    descriptor = getattr(param, "type_descriptor", None)
    kind, choices, bounds = _described(descriptor) if descriptor is not None else _typed(param.type, context)
    if kind == "text" and names_path(param.metavar, None if param.metavar else param.name):
        kind = "path"
    return value_of(kind, choices=choices, default=_default(param), bounds=bounds, metavar=param.metavar or "")


def _typed(kind: Any, context: Any) -> Any:
    """Kind, choices and bounds of a click type."""
    name = getattr(kind, "name", "")
    bounds = (
        bound(getattr(kind, "min", None), 1 if getattr(kind, "min_open", False) else 0),
        bound(getattr(kind, "max", None), -1 if getattr(kind, "max_open", False) else 0),
    )
    if hasattr(kind, "choices"):
        return "choice", _choice_words(kind, context), (None, None)
    if name == "boolean":
        return "choice", ["true", "false"], (None, None)
    if name in _PATHS:
        return "path", [], (None, None)
    if hasattr(kind, "func"):
        return kind_of_callable(kind.func), [], (None, None)
    return _KINDS.get(name, "text"), [], bounds


def _choice_words(kind: Any, context: Any) -> List[str]:  # noqa: UP006
    choices = list(kind.choices)[:MOST_CHOICES]
    if hasattr(kind, "normalize_choice") and any(not isinstance(choice, str) for choice in choices):
        return [str(kind.normalize_choice(choice, context)) for choice in choices]
    return [str(choice) for choice in choices]


def _described(descriptor: Any) -> Any:
    """Kind, choices and bounds of a parameter of Typer since 0.26."""
    if descriptor.choices is not None:
        words = [str(each.value) if isinstance(each, enum.Enum) else str(each) for each in descriptor.choices]
        return "choice", words, (None, None)
    inner = descriptor.annotation
    inner = (getattr(inner, "__args__", None) or (inner,))[0]
    if (
        descriptor.is_path
        or descriptor.is_file
        or getattr(inner, "__name__", "") in ("Path", "FileText", "FileTextWrite")
    ):
        return "path", [], (None, None)
    if inner is bool:
        return "choice", ["true", "false"], (None, None)
    info = descriptor.parameter_info
    if getattr(info, "parser", None) is not None:
        return kind_of_callable(info.parser), [], (None, None)
    return kind_of_callable(inner), [], (bound(getattr(info, "min", None)), bound(getattr(info, "max", None)))
