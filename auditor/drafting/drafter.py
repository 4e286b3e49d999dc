"""From what a run left to suggestions: material, a drafter (a model, or the offline one), checks, and what would be silenced."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from auditor.drafting import checks_golden, offline_golden
from auditor.drafting.checks import check_policy
from auditor.drafting.checks_answers import Check, hypotheses_check, wording_check
from auditor.drafting.checks_hypotheses import check_hypotheses
from auditor.drafting.checks_wording import check_wording
from auditor.drafting.elsewhere import holds_failure, is_flagged, of_this_run
from auditor.drafting.experiments import experiments
from auditor.drafting.material import Traces, failure, failures, groups, traces_of
from auditor.drafting.model_drafts import ask
from auditor.drafting.model_policy import ask_policy, portions
from auditor.drafting.offline_hypotheses import hypothesise
from auditor.drafting.offline_policy import classify
from auditor.drafting.offline_wording import reword
from auditor.drafting.prompts import load_prompt
from auditor.drafting.redact import Redactor, secrets_of
from auditor.drafting.redact_values import (
    HELD_BACK,
    RENAME,
    clean_groups,
    clean_silenced,
    clean_steps,
    held_back,
    named_secrets_of,
)
from auditor.drafting.request import Request, hypotheses_request, policy_request, wording_request
from auditor.drafting.secret_names import names_secret
from auditor.drafting.values import Drafted, Failure, Group, Rejected
from auditor.errors import AuditorError
from auditor.review.gate_door import GateDoor
from auditor.service.budget import question_budget
from auditor.service.cache import Cache, default_folder
from auditor.service.client import Client
from auditor.service.settings import Settings
from auditor.service.settings_file import Model
from auditor.suggestions.made import suggest
from auditor.suggestions.model import AnySuggestion, Input, Silenced
from auditor.suggestions.stale import ABSENT, digest_of
from auditor.suggestions.stated import commit_inputs
from gate import api

SCHEMA_TOKENS = 1_500
SCHEMA_TOKENS_PER_GROUP = 250
"""Tokens of what says the form of an answer, roughly and at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One project, one run, and who drafts."""

    root: Path
    run: Path | None = None
    """None: the latest."""
    settings: Settings
    show: Callable[[Request], None] | None = None
    """With `--dry-run`: what is done with the exact request instead of sending it."""
    client: Client | None = None
    """Who asks the model; None: one for this desk, with the user's own cache."""
    _clients: list[Client] = field(default_factory=list, init=False, repr=False, compare=False)

    def policy(
        self, intent: str, *, intent_path: str | None = None, commits: tuple[str | None, str | None] = (None, None)
    ) -> AnySuggestion | None:
        """A skeleton for what is flagged, held against the stated intent. None after a dry run.

        `commits` are base and head where the intent is what their messages say.
        Raises AuditorError where nothing is flagged or the model gave no answer.
        """
        left = api.recorded(self.root, self.run)
        found = groups(left)
        if not found:
            fault = AuditorError(
                "nothing is flagged: there is nothing to draft a policy for",
                next_step="Draft what the golden trace promises: auditor draft policy --golden",
            )
            raise of_this_run(fault, self.root, left, is_flagged)
        found, withheld = self._open(found)
        silences = self._silenced(found)
        if self.settings.endpoint is None and self.show is None:
            redactor = self._redactor()
            stated, found = clean_groups(redactor, intent, found)
            checked = check_policy(classify(found, stated), found, stated)
            redactors, prompt_digest = {group.id: redactor for group in found}, ""
        else:
            requests = self._policy_requests(intent, found)
            if self.show is not None:
                for request in requests:
                    self.show(request)
                return None
            asked = ask_policy(requests, self._asked)
            checked, found = asked.drafted, asked.groups
            redactors, prompt_digest = asked.redactors, asked.prompt_digest
        return suggest(
            "policy",
            _without(checked, withheld),
            subject="run",
            inputs=(*_inputs(left), *self._stated(intent, intent_path, commits)),
            prompt_digest=prompt_digest,
            groups=found,
            silences={group.id: clean_silenced(redactors[group.id], silences[group.id]) for group in found},
        )

    def _stated(self, intent: str, path: str | None, commits: tuple[str | None, str | None]) -> tuple[Input, ...]:
        """The intent as an input, and what it takes to read it again."""
        base, head = commits
        told = () if base is None or head is None else commit_inputs(self.root, base, head)
        return (Input(name="intent", digest=digest_of(intent.encode()), path=path), *told)

    def _policy_requests(self, intent: str, found: Sequence[Group]) -> tuple[Request, ...]:
        prompt, redactor = load_prompt("policy"), self._redactor()
        return tuple(
            policy_request(
                prompt,
                intent=intent,
                groups=portion,
                redactor=redactor,
                budget=self._budget(SCHEMA_TOKENS + SCHEMA_TOKENS_PER_GROUP * len(portion)),
            )
            for portion in portions(found, self._answer_tokens())
        )

    def _open(self, found: Sequence[Group]) -> tuple[tuple[Group, ...], tuple[Rejected, ...]]:
        """The groups that can be spoken of, and those that cannot. Raises AuditorError where all are of the second kind."""
        withheld = held_back(self._redactor(), found)
        closed = {one.key for one in withheld}
        if len(closed) == len(found):
            raise AuditorError(f"{', '.join(sorted(closed))}: {HELD_BACK}", next_step=RENAME)
        return tuple(group for group in found if group.id not in closed), withheld

    def _silenced(self, found: Sequence[Group]) -> dict[str, tuple[Silenced, ...]]:
        door = GateDoor(project_root=self.root, run=self.run)
        return {group.id: door.silenced(group.places) for group in found}

    def golden(self) -> AnySuggestion:
        """What the golden trace promises, command by command: always offline, since it needs no judgement of an intent."""
        steps = clean_steps(self._redactor(), api.golden(self.root, self.run))
        checked = checks_golden.check_golden(offline_golden.promises(steps), steps)
        return suggest("golden", checked, subject="run", inputs=_inputs(api.recorded(self.root, self.run)))

    def hypotheses(self, subject: str | None, *, candidate: Path | None = None) -> AnySuggestion | None:
        """Three hypotheses for a stable failure, by default the first one of the run. None after a dry run.

        Raises AuditorError for a failure that is not stable, or that there is not.
        """
        left, traces = api.recorded(self.root, self.run), traces_of(self.root, self.run)
        told = self._failure(left, traces, subject, candidate)
        offered = experiments(left, traces, told)
        prompt_digest = ""
        if self.settings.endpoint is None and self.show is None:
            told = msgspec.structs.replace(told, log=self._redactor().apply(told.log))
            drafted = hypothesise(told, offered)
        else:
            request = hypotheses_request(
                load_prompt("hypotheses"),
                failure=told,
                experiments=offered,
                redactor=self._redactor(),
                budget=self._budget(),
            )
            if self.show is not None:
                return self.show(request)
            told = request.failure or told
            check = hypotheses_check(told, offered)
            drafted, prompt_digest = self._asked(request, check), request.prompt_digest
        checked = check_hypotheses(drafted, told, offered)
        return suggest(
            "hypotheses",
            checked,
            subject=told.subject,
            inputs=_inputs(left),
            prompt_digest=prompt_digest,
            offered=offered,
        )

    def _failure(self, left: api.Recorded, traces: Traces, subject: str | None, candidate: Path | None) -> Failure:
        """The one that is asked about, values of fields that are called secrets hidden."""
        redactor = self._redactor()

        def hide(name: str, text: str) -> str:
            return redactor.hide(name, text) if names_secret(name) else text

        known = failures(left, traces, candidate=candidate, hide=hide) if subject is None else ()
        try:
            if subject is None and not known:
                raise AuditorError(
                    "no stable failure: nothing is flagged, and no property failed", next_step="See: gate run"
                )
            told = known[0] if subject is None else failure(left, traces, subject, candidate=candidate, hide=hide)
        except AuditorError as fault:
            raise of_this_run(fault, self.root, left, holds_failure(subject)) from None
        if told.subject in {f"group {one.key}" for one in held_back(redactor, groups(left))}:
            raise AuditorError(f"{told.subject}: {HELD_BACK}", next_step=RENAME)
        return told

    def wording(self, name: str) -> AnySuggestion | None:
        """A second draft of a frozen property's statement. None after a dry run. Raises AuditorError for one that is not frozen."""
        left = api.recorded(self.root, self.run)
        frozen = next((one for one in left.frozen if one.name == name), None)
        if frozen is None or frozen.source is None:
            names = ", ".join(one.name for one in left.frozen) or "none"
            raise AuditorError(
                f"{name[:80]!a}: expected a frozen property with a file, there are: {names}",
                next_step="See: gate freeze list",
            )
        prompt_digest = ""
        source, ballots = self._redactor().apply_all((frozen.source, _ballots(frozen)))
        if self.settings.endpoint is None and self.show is None:
            drafted = reword(name, source, ballots)
        else:
            request = wording_request(
                load_prompt("wording"),
                source=source,
                ballots=ballots,
                redactor=self._redactor(),
                budget=self._budget(),
            )
            if self.show is not None:
                return self.show(request)
            source, ballots = request.material["property"], request.material["ballots"]
            check = wording_check(source, ballots)
            drafted, prompt_digest = self._asked(request, check), request.prompt_digest
        checked = check_wording(drafted, source, ballots)
        return suggest(
            "wording", checked, subject=f"property {name}", inputs=_inputs(left), prompt_digest=prompt_digest
        )

    def redactor(self) -> Redactor:
        """What takes secrets out of what this run shows, before it is shown or kept."""
        return self._redactor()

    def _redactor(self) -> Redactor:
        """Knows the secrets of the environment, and what this run itself calls secret."""
        known = dict.fromkeys((*secrets_of(os.environ), *named_secrets_of(traces_of(self.root, self.run))))
        return Redactor(self.settings.redact, secrets=tuple(known))

    def _answer_tokens(self) -> int:
        endpoint = self.settings.endpoint
        return endpoint.max_output_tokens if endpoint is not None else Model().max_output_tokens

    def _budget(self, schema_tokens: int = SCHEMA_TOKENS) -> int:
        """Tokens that one question may have."""
        return question_budget(self.settings.limits.tokens, self._answer_tokens(), schema_tokens)

    def _asked(self, request: Request, check: Check) -> Drafted:
        """A draft by the model, with what it was not shown."""
        return msgspec.structs.replace(ask(self._client(), request, check), cuts=request.cuts)

    def _client(self) -> Client:
        """One for all questions of this desk: the budget is that of a command."""
        if self.client is not None:
            return self.client
        if not self._clients:
            self._clients.append(Client(self.settings, cache=Cache(default_folder(os.environ))))
        return self._clients[0]


def _without(drafted: Drafted, withheld: Sequence[Rejected]) -> Drafted:
    """The draft with the groups that it was not asked about."""
    return msgspec.structs.replace(
        drafted,
        rejected=(*drafted.rejected, *withheld),
        missing=(*drafted.missing, *(one.key for one in withheld)),
    )


def _inputs(left: api.Recorded) -> Sequence[Input]:
    return tuple(Input(name=name, digest=left.digests[name] or ABSENT) for name in ("scorecard", "deltas", "policy"))


def _ballots(frozen: api.FrozenProperty) -> str:
    seeds = (*frozen.seeds, *[None] * len(frozen.outcomes))
    told = [
        f"run {n}, seed {seed}: {outcome}"
        for n, (outcome, seed) in enumerate(zip(frozen.outcomes, seeds, strict=False), 1)
    ]
    return "\n".join(told) or "not recorded"
