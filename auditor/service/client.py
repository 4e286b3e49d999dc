"""Asking a model: cache, budget, request, retries, one repair. It ends in a value, whatever the endpoint does."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from auditor.drafting.values import Rejected, Usage
from auditor.service.budget import Clock, Ledger, added, cost_of, estimate_tokens
from auditor.service.cache import Cache, Kept, digest_of
from auditor.service.faults import FailedError
from auditor.service.form import Form, body_of, first_form
from auditor.service.outcomes import Answer, Attempt, NoAnswer, told
from auditor.service.replies import Check, Read, expected_keys, merged, read_reply
from auditor.service.retry import with_retries
from auditor.service.settings import Endpoint, Settings
from auditor.service.shape import Shape
from auditor.service.wire import Messages, Reply, send

_REPAIR = """\
That answer cannot be used as it is:
{faults}
Answer again, whole, with one JSON object and nothing round it. Its keys are exactly: {keys}. Copy what was right, mend what was not."""
_MOST_FAULTS = 30
_LEAST_SECONDS = 0.01


@dataclass(slots=True)
class _Talk:
    """One question as it goes: what was sent for it so far, and what it cost."""

    shape: Shape
    deadline: float | None
    usage: Usage = field(default_factory=Usage)
    attempts: list[Attempt] = field(default_factory=list)
    text: str = ""


class Client:
    """One endpoint for the length of one command: its budget is shared by all questions, and what it refuses is learnt once."""

    def __init__(
        self,
        settings: Settings,
        *,
        cache: Cache | None = None,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if settings.endpoint is None:
            raise ValueError("expected settings with an endpoint; without one, drafts are made offline")
        self._endpoint: Endpoint = settings.endpoint
        self._form: Form = first_form(settings.endpoint)
        self._cache = cache
        self._clock = clock
        self._sleep = sleep
        self.ledger = Ledger(limits=settings.limits, price=settings.price, clock=clock)

    def ask(
        self,
        messages: Messages,
        shape: Shape,
        *,
        prompt: str,
        deadline: float | None = None,
        check: Check | None = None,
    ) -> Answer | NoAnswer:
        """The answer to `messages` in the form of `shape`, or why there is none. Raises nothing that an endpoint could cause.

        `prompt` is the digest of the prompt, a part of what an answer is remembered by. `deadline` is a reading of the clock; the
        budget's own seconds hold in any case. `check` is a further test of each item: what fails it is told to the model in the one
        repair round, too, and is never remembered.
        """
        talk = _Talk(shape, deadline)
        try:
            digest = _digest(self._endpoint, messages, shape, prompt)
            if (known := self._remembered(digest, shape, check)) is not None:
                return known
            return self._asked(messages, talk, digest, check)
        except ImportError as error:
            return self._no_answer(FailedError("not installed", f"no module {error.name}", sent=False), talk)
        except FailedError as failure:
            return self._no_answer(failure, talk)

    def _remembered(self, digest: str, shape: Shape, check: Check | None) -> Answer | None:
        kept = self._cache.get(digest) if self._cache is not None else None
        if kept is None or not kept.texts:
            return None
        read = read_reply(kept.texts[0], shape, check)
        for text in kept.texts[1:]:
            read = merged(read, read_reply(text, shape, check), shape)
        if not read.whole:  # an older program kept it, or somebody else did
            return None
        return Answer(items=read.items, text=kept.texts[-1], model=kept.model, usage=kept.usage, cached=True)

    def _asked(self, messages: Messages, talk: _Talk, digest: str, check: Check | None) -> Answer | NoAnswer:
        reply = self._replied(messages, talk)
        texts = [reply.text]
        read = read_reply(reply.text, talk.shape, check)
        if not read.whole:
            again = [*messages, *_repair(reply.text, read, talk.shape)]
            try:
                second = self._replied(again, talk)
            except FailedError as failure:
                if not read.items:
                    return self._invalid(read, talk, failure)
                talk.attempts.append(Attempt(outcome=_outcome(failure)))
            else:
                reply = second
                texts.append(second.text)
                read = merged(read, read_reply(second.text, talk.shape, check), talk.shape)
        if not read.items:
            return self._invalid(read, talk)
        model = reply.model or self._endpoint.model
        if read.whole and self._cache is not None:
            self._cache.put(digest, Kept(texts=tuple(texts), model=model, usage=talk.usage))
        return Answer(
            items=read.items,
            rejected=read.rejected,
            missing=read.missing,
            text=reply.text,
            model=model,
            usage=talk.usage,
            attempts=tuple(talk.attempts),
        )

    def _replied(self, messages: Messages, talk: _Talk) -> Reply:
        """A reply that is an answer, in whatever form the endpoint takes. Raises FailedError."""
        while True:
            try:
                reply = with_retries(
                    lambda: self._request(messages, talk),
                    attempts=self._endpoint.attempts,
                    seconds_left=lambda: self._seconds_left(talk),
                    record=lambda failure, wait: talk.attempts.append(Attempt(outcome=_outcome(failure), waited=wait)),
                    sleep=self._sleep,
                )
            except FailedError as failure:
                if failure.form is None:
                    raise
                talk.attempts.append(Attempt(outcome=f"{_outcome(failure)}, asked in another form"))
                self._form = failure.form
                continue
            talk.text = reply.text
            if reply.failure is not None:
                raise reply.failure
            talk.attempts.append(Attempt(outcome="answered"))
            return reply

    def _request(self, messages: Messages, talk: _Talk) -> Reply:
        """One request, if the budget allows it, and its charge."""
        endpoint = self._endpoint
        if endpoint.key is None and not endpoint.local:
            raise FailedError("unauthorised", "OPENAI_API_KEY is not set; nothing was sent", sent=False)
        limit = endpoint.max_output_tokens
        body = body_of(self._form, talk.shape, limit)
        estimate = estimate_tokens(messages, json.dumps(body))
        if refusal := self.ledger.refusal(estimate, limit):
            raise FailedError("over budget", refusal, sent=False)
        seconds = self._seconds_left(talk)
        if seconds < _LEAST_SECONDS:
            raise FailedError("timed out", "no time is left; nothing was sent", sent=False)
        try:
            reply = send(endpoint, messages, body, form=self._form, seconds=min(seconds, endpoint.timeout))
        except FailedError as failure:
            if failure.sent:
                charged = (estimate, limit) if failure.billed else (0, 0)
                self._charge(talk, None if failure.billed else (0, 0), charged)
            raise
        self._charge(talk, reply.tokens, reply.tokens or (estimate, limit))
        return reply

    def _charge(self, talk: _Talk, told_tokens: tuple[int, int] | None, charged: tuple[int, int]) -> None:
        self.ledger.charge(*charged)
        asked, answered = told_tokens or (0, 0)
        cost = None if told_tokens is None else cost_of(self.ledger.price, asked, answered)
        one = Usage(
            requests=1, prompt_tokens=asked, answer_tokens=answered, cost=cost, unmetered=int(told_tokens is None)
        )
        talk.usage = added(talk.usage, one)

    def _seconds_left(self, talk: _Talk) -> float:
        left = self.ledger.seconds_left()
        return left if talk.deadline is None else min(left, talk.deadline - self._clock())

    def _invalid(self, read: Read, talk: _Talk, failure: FailedError | None = None) -> NoAnswer:
        detail = f"the second try gave none: {_outcome(failure)}" if failure else _first(read)
        return self._no_answer(FailedError("invalid", detail, sent=False), talk, rejected=read.rejected)

    def _no_answer(self, failure: FailedError, talk: _Talk, *, rejected: tuple[Rejected, ...] = ()) -> NoAnswer:
        what, next_step = told(
            failure.kind, model=self._endpoint.model, address=self._endpoint.base_url, detail=failure.detail
        )
        if failure.retry_after is not None:
            what += f"; it asks to wait {failure.retry_after:.3g} s"
        return NoAnswer(
            kind=failure.kind,
            what=what,
            next_step=next_step,
            model=self._endpoint.model,
            usage=talk.usage,
            attempts=(*talk.attempts, Attempt(outcome=_outcome(failure))),
            text=talk.text,
            rejected=rejected,
        )


def _digest(endpoint: Endpoint, messages: Messages, shape: Shape, prompt: str) -> str:
    from auditor.service.schema import json_schema  # noqa: PLC0415 - pydantic may not be there

    return digest_of(endpoint, messages, shape, prompt=prompt, schema=json_schema(shape, lengths=True))


def _outcome(failure: FailedError) -> str:
    return f"{failure.kind} ({failure.detail})" if failure.detail else failure.kind


def _first(read: Read) -> str:
    return f"{read.rejected[0].key}: {read.rejected[0].why}".removeprefix(": ") if read.rejected else "no key is there"


def _repair(text: str, read: Read, shape: Shape) -> list[Mapping[str, str]]:
    """The answer that did not do, and what is wrong with it. The faults are in our own words; values are not repeated."""
    faults = [f"- {fault.key}: {fault.why}" if fault.key else f"- {fault.why}" for fault in read.rejected]
    faults += [f"- {key}: it is missing" for key in read.missing if not (read.rejected and not read.rejected[0].key)]
    shown = "\n".join(faults[:_MOST_FAULTS])
    return [
        {"role": "assistant", "content": text},
        {"role": "user", "content": _REPAIR.format(faults=shown, keys=", ".join(expected_keys(shape)))},
    ]
