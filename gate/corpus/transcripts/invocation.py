"""A line of a shell that is exactly one invocation of the program, as a step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gate.corpus.transcripts.fed import fed, raw
from gate.corpus.transcripts.model import ReadFile, UnreadError
from gate.corpus.transcripts.tokens import Token, tokens
from gate.domain import Step

_REDIRECTION = re.compile(r"\d*[<>].*|&>.*", re.DOTALL)
_NOWHERE = "/dev/null"
_SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Simple:
    """One simple command: its variables, its words, and what its descriptors are."""

    variables: tuple[Token, ...]
    words: tuple[Token, ...]
    redirections: tuple[tuple[str, Token], ...]
    """Operator and target; a here-document under the operator `<<`."""


def commands(found: Sequence[Token]) -> tuple[tuple[Simple, ...], tuple[str, ...]]:
    """The simple commands of a line, and the operators that stand between them. Raises UnreadError on a redirection without a target."""
    parts: list[list[Token]] = [[]]
    between: list[str] = []
    for token in found:
        if token.kind == "operator" and not _REDIRECTION.fullmatch(token.text):
            between.append(token.text)
            parts.append([])
        else:
            parts[-1].append(token)
    return tuple(map(_simple, parts)), tuple(between)


def invocation(text: str, program: Sequence[str], read: ReadFile) -> Step:
    """The step that `text` is: its words without those of the program. Raises UnreadError with the reason where it is none.

    Variables before the program become `env`. A here-document, `< FILE` where `read` knows it, `< /dev/null`, and `echo …` or
    `printf …` before a pipe become `stdin`. Where output goes (`2>&1`, `/dev/null`) is no part of a step.
    """
    found = tokens(text)
    if not found:
        raise UnreadError("no command")
    simple, between = commands(found)
    if between not in ((), ("|",)):
        raise UnreadError(_joined(between))
    last = simple[-1]
    if between and _is(simple[0], program):
        raise UnreadError("its output goes through a pipe")
    if not _is(last, program):
        raise UnreadError(_another(last))
    inputs = [*_piped(simple[:-1]), *_redirected(last, read)]
    if len(inputs) > 1:
        raise UnreadError("more than one standard input")
    words = [_literal(word) for word in last.words[len(program) :]]
    env = dict(_literal(variable).split("=", 1) for variable in last.variables)
    return Step(argv=tuple(map(raw, words)), stdin=inputs[0] or None if inputs else None, env=env)


def shown(text: str) -> str:
    """A piece of a transcript in a reason: short, in printable ASCII."""
    return ascii(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")[1:-1]


def _simple(found: list[Token]) -> Simple:
    variables: list[Token] = []
    words: list[Token] = []
    redirections: list[tuple[str, Token]] = []
    left = iter(found)
    for token in left:
        if token.kind == "here":
            redirections.append(("<<", token))
        elif token.kind == "operator":
            target = next(left, None)
            if target is None or target.kind != "word":
                raise UnreadError(f"a redirection (`{token.text}`) without a target")
            redirections.append((token.text, target))
        else:
            (variables if token.assigns and not words else words).append(token)
    return Simple(variables=tuple(variables), words=tuple(words), redirections=tuple(redirections))


def _is(command: Simple, program: Sequence[str]) -> bool:
    """By the text alone: whoever names the program `$KV` says what the variable stands for."""
    return [word.text for word in command.words[: len(program)]] == list(program)


def _joined(between: Sequence[str]) -> str:
    if set(between) == {"|"}:
        return "more than one pipe"
    operator = next(each for each in between if each != "|")
    return f"more than one command ({'a line feed' if operator == chr(10) else f'`{operator}`'})"


def _another(command: Simple) -> str:
    if not command.words:
        return "no command, only variables" if command.variables else "no command"
    return f"another command: {shown(command.words[0].text)}"


def _literal(word: Token) -> str:
    if word.fault is not None:
        raise UnreadError(shown_fault(word.fault))
    return word.text


def shown_fault(fault: str) -> str:
    """What is not literal, in printable ASCII."""
    return ascii(fault)[1:-1]


def _piped(before: Sequence[Simple]) -> list[bytes]:
    for command in before:
        if command.variables or command.redirections:
            raise UnreadError("a pipe from more than plain words")
        written = fed([_literal(word) for word in command.words])
        if written is None:
            raise UnreadError(f"a pipe from {_another(command)}")
        return [written]
    return []


def _redirected(command: Simple, read: ReadFile) -> list[bytes]:
    inputs: list[bytes] = []
    for operator, target in command.redirections:
        text = _literal(target)
        if operator == "<<":
            inputs.append(raw(text))
        elif operator in {"<", "0<"}:
            inputs.append(_content(text, read))
        elif not harmless_output(operator, text):
            raise UnreadError(f"a redirection (`{operator} {shown(text)}`)")
    return inputs


def harmless_output(operator: str, target: str) -> bool:
    """Whether a redirection of output only joins the two streams, or throws one away."""
    if re.fullmatch(r"[12]?>&", operator):
        return target in {"1", "2"}
    return re.fullmatch(r"[12]?>{1,2}|&>{1,2}", operator) is not None and target == _NOWHERE


def _content(name: str, read: ReadFile) -> bytes:
    if name == _NOWHERE:
        return b""
    content = read(name)
    if content is None:
        raise UnreadError(f"its standard input is a file that no case finds at its start: {shown(name)}")
    return content
