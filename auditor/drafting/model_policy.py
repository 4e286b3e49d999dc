"""A policy skeleton by a model: as many questions as the length of an answer makes necessary, each held against its own material."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from auditor.drafting.checks import check_policy
from auditor.drafting.checks_answers import Check, policy_check
from auditor.drafting.model_drafts import NoDraftError
from auditor.drafting.redact import Redactor
from auditor.drafting.request import Request
from auditor.drafting.values import Drafted, Group, Rejected
from auditor.service.budget import added

TOKENS_PER_GROUP = 120
"""What one classification takes of an answer; the longest that is allowed takes about 250, the usual one 80."""

Ask = Callable[[Request, Check], Drafted]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What all questions together gave, checked."""

    drafted: Drafted
    prompt_digest: str
    groups: tuple[Group, ...]
    """Those that the model saw, redacted."""
    redactors: dict[str, Redactor]
    """For each of these groups the one of its question: its placeholders have its numbers."""


def portions(groups: Sequence[Group], answer_tokens: int) -> tuple[tuple[Group, ...], ...]:
    """The groups in their order, as many at once as can be answered in so many tokens; at least one."""
    most = max(answer_tokens // TOKENS_PER_GROUP, 1)
    return tuple(tuple(groups[at : at + most]) for at in range(0, len(groups), most))


def ask_policy(requests: Sequence[Request], ask: Ask) -> Asked:
    """The answers to all `requests`, at least one, in order. Raises NoDraftError where the first one gets none.

    A later one that gets none ends the asking: what was drafted is kept, and the groups of the rest are missing.
    """
    parts: list[Drafted] = []
    for number, request in enumerate(requests):
        try:
            drafted = ask(request, policy_check(request.groups))
        except NoDraftError as error:
            if not parts:
                raise
            parts.append(_none(parts[0], requests[number:], error))
            break
        parts.append(check_policy(drafted, request.groups, request.intent))
        parts[-1] = msgspec.structs.replace(parts[-1], missing=(*parts[-1].missing, *request.unseen))
    return Asked(
        drafted=_joined(parts),
        prompt_digest=requests[0].prompt_digest,
        groups=tuple(group for request in requests for group in request.groups),
        redactors={group.id: request.redactor for request in requests for group in request.groups},
    )


def _none(before: Drafted, requests: Sequence[Request], error: NoDraftError) -> Drafted:
    return Drafted(
        model=before.model,
        prompt=before.prompt,
        items=(),
        rejected=(Rejected(key=", ".join(requests[0].keys), why=error.what),),
        missing=tuple(key for request in requests for key in (*request.keys, *request.unseen)),
        usage=error.usage,
    )


def _joined(parts: Sequence[Drafted]) -> Drafted:
    usage = parts[0].usage
    for part in parts[1:]:
        usage = added(usage, part.usage)
    return msgspec.structs.replace(
        parts[0],
        items=tuple(item for part in parts for item in part.items),
        rejected=tuple(one for part in parts for one in part.rejected),
        missing=tuple(key for part in parts for key in part.missing),
        demoted=tuple(one for part in parts for one in part.demoted),
        cuts=tuple(dict.fromkeys(cut for part in parts for cut in part.cuts)),
        usage=usage,
    )
