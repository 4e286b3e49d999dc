"""What a model is asked: a prompt and its inputs as the exact messages, redacted, reduced and fenced. Values in, one value out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import msgspec

from auditor.drafting.fence import fence_number, fenced, visible, visible_line
from auditor.drafting.offline_sentences import READ
from auditor.drafting.prompt_file import Prompt
from auditor.drafting.redact import Redactor
from auditor.drafting.redact_values import clean_groups
from auditor.drafting.reduce import cut, reduce_groups, tokens
from auditor.drafting.values import Experiment, Failure, Group
from auditor.errors import RequestError

Message = Mapping[str, str]
"""`role` (`system`, `user` or `assistant`) and `content`."""

TOKENS_PER_MESSAGE = 16
MARKS = 64
"""Tokens for the fence of one material and the marks of what was cut from it."""

LEAST_MATERIAL = 200
"""Tokens that must be left for the material, or there is no request."""

_INTENT_SHARE = 3
_PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}")
_KEY = re.compile(r"[a-z][0-9]{1,6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to a model, and what its answer is checked against."""

    prompt: str
    """`policy/v1`."""
    prompt_digest: str
    schema: str
    messages: tuple[Message, ...]
    """The system text, each example as a pair, the question."""
    keys: tuple[str, ...]
    """What the answer has to have: group ids, `h1` to `h3`, or `wording`."""
    experiments: tuple[str, ...] = ()
    """The ids on offer; for hypotheses only."""
    material: Mapping[str, str]
    """Each input by name as the model sees it, without its fence."""
    groups: tuple[Group, ...] = ()
    """The groups that the model sees: redacted, neither cut nor escaped. For a policy only."""
    intent: str = ""
    """Redacted, neither cut nor escaped. For a policy only."""
    failure: Failure | None = None
    """With its log as the model sees it: what evidence is held against. For hypotheses only."""
    unseen: tuple[str, ...] = ()
    """Groups that did not fit. They are no keys, and get no draft."""
    cuts: tuple[str, ...] = ()
    """What the model is not shown, one sentence each: to be told with the draft."""
    redacted: tuple[tuple[str, int], ...] = ()
    """Rules that redacted something and in how many places, by name."""
    tokens: int
    """How many the messages have at most."""
    digest: str
    """Hex SHA-256 of prompt, schema, keys and messages: of everything here that shapes an answer."""
    redactor: Redactor = field(repr=False, compare=False)
    """Has seen this request's secrets: for error texts, and for whatever else is said in the same conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """What one kind of prompt brings."""

    material: Mapping[str, str]
    words: Mapping[str, str] = field(default_factory=dict)
    """Inputs of the program's own making, which need no fence."""
    keys: tuple[str, ...]
    experiments: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()


def policy_request(prompt: Prompt, *, intent: str, groups: Sequence[Group], redactor: Redactor, budget: int) -> Request:
    """Which groups does the intent ask for? The inputs are `intent`, `deltas` and `keys`; `budget` is in tokens, for all messages.

    Raises RequestError for no groups, ids that are none or not unique, and a budget that not even one group fits in.
    """
    _check_keys([group.id for group in groups])
    room = _room(prompt, budget, tokens(", ".join(group.id for group in groups)) + 2 * MARKS)
    own = redactor.fresh()
    stated, clean = clean_groups(own, intent, groups)
    shown = cut(visible(stated), room * 2 // _INTENT_SHARE)
    reduced = reduce_groups(clean, room - tokens(shown.text))
    if not reduced.groups:
        raise _too_small(prompt, budget)
    seen = tuple(group for group in clean if group.id not in set(reduced.unseen))
    keys = tuple(group.id for group in seen)
    parts = _Parts(
        material={"intent": shown.text, "deltas": reduced.text},
        words={"keys": ", ".join(keys)},
        keys=keys,
        cuts=(*_unread(stated), *_said("intent", shown.omitted), *reduced.cuts),
    )
    return _request(prompt, parts, own, budget, groups=seen, intent=stated, unseen=reduced.unseen)


def hypotheses_request(
    prompt: Prompt, *, failure: Failure, experiments: Sequence[Experiment], redactor: Redactor, budget: int
) -> Request:
    """What could cause the failure? The inputs are `failure` and `experiments`.

    Raises RequestError for no experiments, ids that are none or not unique, and a budget that is too small.
    """
    _check_keys([experiment.id for experiment in experiments])
    own = redactor.fresh()
    log, *offered = own.apply_all((failure.log, *(experiment.words for experiment in experiments)))
    lines = (f"{one.id}: {visible_line(words)}" for one, words in zip(experiments, offered, strict=True))
    choices = "\n".join(lines)
    room = _room(prompt, budget, tokens(choices) + 2 * MARKS)
    shown = cut(visible(log), room * 2)
    parts = _Parts(
        material={"failure": shown.text, "experiments": choices},
        keys=("h1", "h2", "h3"),
        experiments=tuple(experiment.id for experiment in experiments),
        cuts=_said("failure", shown.omitted),
    )
    return _request(prompt, parts, own, budget, failure=msgspec.structs.replace(failure, log=shown.text))


def wording_request(prompt: Prompt, *, source: str, ballots: str, redactor: Redactor, budget: int) -> Request:
    """How could the statement be said better? The inputs are `property` (its source) and `ballots`.

    Raises RequestError for no source and for a budget that is too small.
    """
    if not source.strip():
        raise RequestError("property: expected its source, got none", next_step="Name a property that has a file.")
    room = _room(prompt, budget, 2 * MARKS)
    own = redactor.fresh()
    statement, votes = own.apply_all((source, ballots))
    shown_votes = cut(visible(votes), room)
    shown = cut(visible(statement), 2 * (room - tokens(shown_votes.text)))
    parts = _Parts(
        material={"property": shown.text, "ballots": shown_votes.text},
        keys=("wording",),
        cuts=(*_said("property", shown.omitted), *_said("ballots", shown_votes.omitted)),
    )
    return _request(prompt, parts, own, budget)


def dry_run_text(messages: Sequence[Message]) -> str:
    """The messages with every byte of their texts, for a person to read before anything is sent.

    Each stands under a line `MESSAGE n of m role BYTES bytes NUMBER`, with a number that occurs in none of them: no text of a
    message can pass for the beginning of another.
    """
    number = fence_number([message["content"] for message in messages])
    shown = [
        f"MESSAGE {at} of {len(messages)} {message['role']} {len(message['content'].encode())} bytes {number}\n{message['content']}\n"
        for at, message in enumerate(messages, start=1)
    ]
    return "".join(shown)


def _unread(intent: str) -> tuple[str, ...]:
    """That an intent is longer than what quotes are held against, in the offline drafter's words."""
    beyond = len(intent) - READ
    return (f"The last {beyond} characters of the stated intent were not read.",) if beyond > 0 else ()


def _said(name: str, omitted: int) -> tuple[str, ...]:
    return (f"{omitted} bytes of the {name} were not shown",) if omitted else ()


def _check_keys(keys: Sequence[str]) -> None:
    if not keys or len(set(keys)) < len(keys) or not all(map(_KEY.fullmatch, keys)):
        raise RequestError(
            f"expected different ids such as d1 and d2, got {', '.join(map(ascii, keys)) or 'none'}",
            next_step="There has to be something to draft for: run the gate, and draft for what it flags.",
        )


def _fixed(prompt: Prompt) -> list[Message]:
    shown = [
        message
        for example in prompt.examples
        for message in (
            {"role": "user", "content": example.question},
            {"role": "assistant", "content": example.answer},
        )
    ]
    return [{"role": "system", "content": prompt.system}, *shown]


def _room(prompt: Prompt, budget: int, taken: int) -> int:
    """The tokens that are left for material. Raises RequestError when they are too few to be worth a question."""
    fixed = sum(tokens(message["content"]) for message in _fixed(prompt)) + tokens(prompt.question)
    room = budget - fixed - TOKENS_PER_MESSAGE * (len(_fixed(prompt)) + 1) - taken
    if room < LEAST_MATERIAL:
        raise _too_small(prompt, budget, budget - room + LEAST_MATERIAL)
    return room


def _too_small(prompt: Prompt, budget: int, least: int | None = None) -> RequestError:
    wanted = "more" if least is None else f"at least {least}"
    return RequestError(
        f"{prompt.id}/v{prompt.version}: expected a budget of {wanted} tokens for one question, got {budget}",
        next_step="If auditor.toml lowers budget.tokens, raise it: a question, its answer and a repair have to fit in; else draft offline.",
    )


def _request(prompt: Prompt, parts: _Parts, redactor: Redactor, budget: int, **held: Any) -> Request:
    """The request; `held` are the fields of it that one kind of prompt alone has."""
    question = _filled(prompt, parts)
    messages = (*_fixed(prompt), {"role": "user", "content": question})
    size = sum(tokens(message["content"]) + TOKENS_PER_MESSAGE for message in messages)
    if size > budget:
        raise _too_small(prompt, budget, size)
    name = f"{prompt.id}/v{prompt.version}"
    shape = [name, prompt.digest, prompt.schema, parts.keys, parts.experiments, messages]
    return Request(
        prompt=name,
        prompt_digest=prompt.digest,
        schema=prompt.schema,
        messages=messages,
        keys=parts.keys,
        experiments=parts.experiments,
        material=dict(parts.material),
        cuts=parts.cuts,
        redacted=tuple(sorted(redactor.found.items())),
        tokens=size,
        digest=sha256(json.dumps(shape, ensure_ascii=True).encode()).hexdigest(),
        redactor=redactor,
        **held,
    )


def _filled(prompt: Prompt, parts: _Parts) -> str:
    """The question with every input in its place, in one pass: a placeholder that stands in the material is text.

    Raises RequestError where the prompt asks for other inputs than there are.
    """
    if set(prompt.inputs) != {*parts.material, *parts.words}:
        raise RequestError(
            f"{prompt.id}/v{prompt.version}: expected the inputs {', '.join(sorted({*parts.material, *parts.words}))}, "
            f"the prompt asks for {', '.join(sorted(prompt.inputs))}",
            next_step="Use a version of the prompt that this program knows: auditor prompts",
        )
    beside = [prompt.question, *(message["content"] for message in _fixed(prompt)), *parts.words.values()]
    inputs = {**fenced(parts.material, beside=beside), **parts.words}
    return _PLACEHOLDER.sub(lambda found: inputs[found[1]], prompt.question)
