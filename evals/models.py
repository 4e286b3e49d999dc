"""A model as a drafter: the auditor's own prompts, requests and checks, answered from transcripts. Nothing is sent here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import msgspec

from auditor.drafting.checks_answers import Check, hypotheses_check, policy_check
from auditor.drafting.checks_hypotheses import check_hypotheses
from auditor.drafting.drafter import SCHEMA_TOKENS, SCHEMA_TOKENS_PER_GROUP
from auditor.drafting.model_drafts import NoDraftError, ask
from auditor.drafting.model_policy import ask_policy, portions
from auditor.drafting.prompt_file import Prompt
from auditor.drafting.prompts import load_prompt
from auditor.drafting.redact import Redactor
from auditor.drafting.request import Request, hypotheses_request, policy_request
from auditor.drafting.values import Drafted, Failure
from auditor.service.budget import question_budget
from auditor.service.outcomes import Answer, NoAnswer
from auditor.service.shape import Shape
from auditor.service.wire import Messages
from evals.drafters import Cause, Drafter, Said, causes_of, said_of
from evals.transcripts import Key, Parameters, Transcript, heard_of
from evals.values import UNASKED, CauseQuestion, PolicyQuestion

MakeCheck = Callable[[], Check]
"""A check for one answer: that of hypotheses remembers which mechanisms are taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One request, and what each item of its answer is held against."""

    request: Request
    check: MakeCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompts:
    """The prompts that are asked, frozen by their digests."""

    policy: Prompt
    hypotheses: Prompt

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 by `id/vN`."""
        return {f"{one.id}/v{one.version}": one.digest for one in (self.hypotheses, self.policy)}


def newest_prompts() -> Prompts:
    """Those that `auditor draft` asks."""
    return Prompts(policy=load_prompt("policy"), hypotheses=load_prompt("hypotheses"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """How questions become requests: as `auditor draft` makes them. Each question's requests are made once."""

    prompts: Prompts
    parameters: Parameters
    redactor: Redactor
    _made: dict[PolicyQuestion | CauseQuestion, tuple[Planned, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def planned(self, question: PolicyQuestion | CauseQuestion) -> tuple[Planned, ...]:
        """The requests of a question, at least one. Raises RequestError for a budget of tokens that is too small."""
        if question not in self._made:
            self._made[question] = (
                self._policy(question) if isinstance(question, PolicyQuestion) else (self._causes(question),)
            )
        return self._made[question]

    def _policy(self, question: PolicyQuestion) -> tuple[Planned, ...]:
        made = (
            policy_request(
                self.prompts.policy,
                intent=question.intent,
                groups=portion,
                redactor=self.redactor,
                budget=self._budget(SCHEMA_TOKENS + SCHEMA_TOKENS_PER_GROUP * len(portion)),
            )
            for portion in portions(question.groups, self.parameters.answer_tokens)
        )
        return tuple(Planned(request=request, check=partial(policy_check, request.groups)) for request in made)

    def _causes(self, question: CauseQuestion) -> Planned:
        request = hypotheses_request(
            self.prompts.hypotheses,
            failure=question.failure,
            experiments=question.experiments,
            redactor=self.redactor,
            budget=self._budget(SCHEMA_TOKENS),
        )
        return Planned(
            request=request, check=partial(hypotheses_check, _shown(request, question), question.experiments)
        )

    def _budget(self, schema_tokens: int) -> int:
        return question_budget(self.parameters.question_tokens, self.parameters.answer_tokens, schema_tokens)


def _shown(request: Request, question: CauseQuestion) -> Failure:
    return request.failure or question.failure


def noting(desk: Desk, note: Callable[[Planned], object]) -> Drafter:
    """A drafter that answers nothing and notes what would be asked."""

    def policy(question: PolicyQuestion) -> dict[str, Said]:
        for planned in desk.planned(question):
            note(planned)
        return _unasked(question)

    def causes(question: CauseQuestion) -> tuple[Cause, ...]:
        for planned in desk.planned(question):
            note(planned)
        return _NO_CAUSE

    return Drafter(name="nobody", version="", policy=policy, causes=causes)


def answering(desk: Desk, held: Mapping[Key, Transcript], *, name: str, repeat: int) -> Drafter:
    """The model as its transcripts have it, through the same checks as a live answer. A question without one is unasked."""

    def policy(question: PolicyQuestion) -> dict[str, Said]:
        requests = [planned.request for planned in desk.planned(question)]
        try:
            asked = ask_policy(requests, lambda request, check: _replayed(request, check, held, repeat))
        except _UnaskedError:
            return _unasked(question)
        except NoDraftError:
            return said_of(question, ())
        return said_of(question, asked.drafted.items)

    def causes(question: CauseQuestion) -> tuple[Cause, ...]:
        (planned,) = desk.planned(question)
        shown = _shown(planned.request, question)
        try:
            drafted = _replayed(planned.request, planned.check(), held, repeat)
        except _UnaskedError:
            return _NO_CAUSE
        except NoDraftError:
            return ()
        return causes_of(check_hypotheses(drafted, shown, question.experiments).items)

    return Drafter(name=name, version=", ".join(desk.prompts.digests), policy=policy, causes=causes)


_NO_CAUSE = (Cause(mechanism=UNASKED, evidence=""),)


def _unasked(question: PolicyQuestion) -> dict[str, Said]:
    return {group.id: Said(answer="unasked") for group in question.groups}


class _UnaskedError(Exception):
    """A request without a transcript."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """One answer, standing for a client of the service."""

    heard: Answer | NoAnswer

    def ask(self, messages: Messages, shape: Shape, *, prompt: str, check: Check | None = None) -> Answer | NoAnswer:
        del messages, shape, prompt, check
        return self.heard


def _replayed(request: Request, check: Check, held: Mapping[Key, Transcript], repeat: int) -> Drafted:
    kept = held.get((request.digest, repeat))
    if kept is None:
        raise _UnaskedError
    drafted = ask(_Heard(heard=heard_of(kept)), request, check)
    return msgspec.structs.replace(drafted, cuts=request.cuts)


def plan_of(desk: Desk, answer: Callable[[Drafter], object]) -> dict[str, Planned]:
    """What a task would ask, by the digest of the request, in order."""
    found: dict[str, Planned] = {}

    def note(planned: Planned) -> None:
        found.setdefault(planned.request.digest, planned)

    answer(noting(desk, note))
    return found


def in_share(digest: str, share: float) -> bool:
    """Whether a request is among this share of all: chosen by its digest, so that a larger share holds a smaller one."""
    return int(digest[:13], 16) < share * 16**13


def requests_in(plans: Sequence[Mapping[str, Planned]]) -> dict[str, Planned]:
    """All requests of several tasks, each once."""
    return {digest: planned for plan in plans for digest, planned in plan.items()}
