"""trycmd's `.toml`: one invocation a file, its words listed, its standard input in the file or beside it."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from gate.corpus.transcripts.fed import raw
from gate.corpus.transcripts.invocation import shown
from gate.corpus.transcripts.model import Block, Prompt, UnreadError
from gate.corpus.transcripts.plain_text import checked
from gate.domain import Step
from gate.errors import CorpusError

_OUTPUTS = frozenset({"status", "stdout", "stderr", "stderr-to-stdout", "binary", "timeout"})
_INPUTS = frozenset({"bin", "args", "env", "stdin", "fs"})


def toml_blocks(data: bytes, *, name: str, program: Sequence[str], stdin: bytes | None) -> tuple[Block, ...]:
    """The one block. `stdin` is the content of the `.stdin` file beside it, which the key comes before; None where there is none.

    Raises CorpusError on bytes that are no TOML.
    """
    try:
        table = tomllib.loads(checked(data, name=name).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise CorpusError(
            f"{name}:1: expected a case of trycmd in TOML, got: {shown(str(error) or 'too many brackets')}",
            next_step="Mend the file, or leave it out.",
        ) from error
    try:
        return ((Prompt(line=1, step=_step(table, program, stdin)),),)
    except UnreadError as error:
        return ((Prompt(line=1, fault=str(error)),),)


def _step(table: Mapping[str, Any], program: Sequence[str], stdin: bytes | None) -> Step:
    if unknown := sorted(set(table) - _INPUTS - _OUTPUTS):
        raise UnreadError(f"no case of trycmd: it has the key {shown(unknown[0])}")
    if not isinstance(table.get("fs", {}), Mapping) or set(table.get("fs", {})) - {"sandbox"}:
        raise UnreadError("it runs in a folder of its own (`fs`)")
    _require_program(table.get("bin"), program)
    given = table.get("stdin")
    if given is not None and not isinstance(given, str):
        raise UnreadError("`stdin` is no text")
    fed = raw(given) if given is not None else stdin
    words = _words(table.get("args", []))
    return Step(argv=tuple(map(raw, words)), stdin=fed or None, env=_variables(table.get("env", {})))


def _require_program(given: object, program: Sequence[str]) -> None:
    """No `bin` is the program that the suite was set up for."""
    if given is None:
        return
    if not isinstance(given, Mapping) or set(given) != {"name"}:
        raise UnreadError("`bin` is something else than a name")
    if [given["name"]] != list(program):
        raise UnreadError(f"another command: {shown(str(given['name']))}")


def _words(given: object) -> list[str]:
    if isinstance(given, str):
        try:
            return shlex.split(given)
        except ValueError as error:
            raise UnreadError("a quote in `args` is never closed") from error
    if isinstance(given, list) and all(isinstance(word, str) for word in given):
        return given
    raise UnreadError("`args` is neither a text nor a list of words")


def _variables(given: object) -> dict[str, str]:
    """`inherit` says nothing here: a step never inherits what is not on the list of the gate."""
    if not isinstance(given, Mapping) or set(given) - {"add", "inherit", "remove"} or given.get("remove"):
        raise UnreadError("`env` does more than add variables")
    added = given.get("add", {})
    if not isinstance(added, Mapping) or not all(isinstance(text, str) for text in added.values()):
        raise UnreadError("`env.add` is no table of texts")
    return dict(added)
