"""From what a run left to suggestions: material, a drafter (a model, or the offline one), checks, and what would be silenced."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from auditor.drafting import checks_golden, offline_golden
from auditor.drafting.checks import check_policy
from auditor.drafting.checks_hypotheses import check_hypotheses
from auditor.drafting.checks_wording import check_wording
from auditor.drafting.experiments import experiments
from auditor.drafting.material import Traces, failure, failures, groups, traces_of
from auditor.drafting.offline_hypotheses import hypothesise
from auditor.drafting.offline_policy import classify
from auditor.drafting.offline_wording import reword
from auditor.drafting.prompts import load_prompt
from auditor.drafting.redact import Redactor, secrets_of
from auditor.drafting.request import Request, clean_groups, hypotheses_request, policy_request, wording_request
from auditor.drafting.secret_names import is_plain, names_secret
from auditor.drafting.values import Drafted, Group
from auditor.errors import AuditorError
from auditor.review.gate_door import GateDoor
from auditor.service.settings import Settings
from auditor.suggestions.made import suggest
from auditor.suggestions.model import AnySuggestion, Input, Silenced
from auditor.suggestions.stale import ABSENT, digest_of
from gate import api


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One project, one run, and who drafts."""

    root: Path
    run: Path | None = None
    """None: the latest."""
    settings: Settings
    show: Callable[[Request], None] | None = None
    """With `--dry-run`: what is done with the exact request instead of sending it."""

    def policy(self, intent: str, *, intent_path: str | None = None) -> AnySuggestion | None:
        """A skeleton for what is flagged, held against the stated intent. None after a dry run.

        Raises AuditorError where nothing is flagged or the model gave no answer.
        """
        left = api.recorded(self.root, self.run)
        found = groups(left)
        if not found:
            raise AuditorError(
                "nothing is flagged: there is nothing to draft a policy for",
                next_step="Draft what the golden trace promises: auditor draft policy --golden",
            )
        prompt_digest = ""
        redactor = self._redactor()
        silences = self._silenced(found)
        if self.settings.endpoint is None and self.show is None:
            stated, found = clean_groups(redactor, intent, found)
            drafted = classify(found, stated)
        else:
            request = policy_request(
                load_prompt("policy"), intent=intent, groups=found, redactor=redactor, budget=self._budget()
            )
            if self.show is not None:
                return self.show(request)
            drafted, prompt_digest = self._asked(request), request.prompt_digest
            found, stated, redactor = request.groups, request.intent, request.redactor
        checked = check_policy(drafted, found, stated)
        return suggest(
            "policy",
            checked,
            subject="run",
            inputs=(*_inputs(left), Input(name="intent", digest=digest_of(intent.encode()), path=intent_path)),
            prompt_digest=prompt_digest,
            groups=found,
            silences={group: _without_secrets(redactor, silenced) for group, silenced in silences.items()},
        )

    def _silenced(self, found: Sequence[Group]) -> dict[str, tuple[Silenced, ...]]:
        door = GateDoor(project_root=self.root, run=self.run)
        return {group.id: door.silenced([p for p in group.places if p.occurrence == 1]) for group in found}

    def golden(self) -> AnySuggestion:
        """What the golden trace promises, command by command: always offline, since it needs no judgement of an intent."""
        steps = self._clean_steps()
        checked = checks_golden.check_golden(offline_golden.promises(steps), steps)
        return suggest("golden", checked, subject="run", inputs=_inputs(api.recorded(self.root, self.run)))

    def _clean_steps(self) -> tuple[api.TraceStep, ...]:
        """The golden trace without secrets."""
        steps = api.golden(self.root, self.run)
        redactor = self._redactor()
        texts = iter(redactor.apply_all([value for step in steps for _, value in step.fields]))
        return tuple(replace(step, fields=tuple((name, next(texts)) for name, _ in step.fields)) for step in steps)

    def hypotheses(self, subject: str | None, *, candidate: Path | None = None) -> AnySuggestion | None:
        """Three hypotheses for a stable failure, by default the first one of the run. None after a dry run.

        Raises AuditorError for a failure that is not stable, or that there is not.
        """
        left, traces = api.recorded(self.root, self.run), traces_of(self.root, self.run)
        known = failures(left, traces, candidate=candidate) if subject is None else ()
        if subject is None and not known:
            raise AuditorError(
                "no stable failure: nothing is flagged, and no property failed", next_step="See: gate run"
            )
        told = known[0] if subject is None else failure(left, traces, subject, candidate=candidate)
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
            drafted, prompt_digest = self._asked(request), request.prompt_digest
            told = request.failure or told
        checked = check_hypotheses(drafted, told, offered)
        return suggest(
            "hypotheses",
            checked,
            subject=told.subject,
            inputs=_inputs(left),
            prompt_digest=prompt_digest,
            offered=offered,
        )

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
            drafted, prompt_digest = self._asked(request), request.prompt_digest
            source, ballots = request.material["property"], request.material["ballots"]
        checked = check_wording(drafted, source, ballots)
        return suggest(
            "wording", checked, subject=f"property {name}", inputs=_inputs(left), prompt_digest=prompt_digest
        )

    def _redactor(self) -> Redactor:
        """Knows the secrets of the environment, and what this run itself calls secret."""
        known = dict.fromkeys((*secrets_of(os.environ), *_named_secrets(traces_of(self.root, self.run))))
        return Redactor(self.settings.redact, secrets=tuple(known))

    def _budget(self) -> int:
        return self.settings.limits.tokens

    def _asked(self, request: Request) -> Drafted:
        from auditor.drafting.model_drafts import ask  # noqa: PLC0415 - the clients take a second to import
        from auditor.service.cache import Cache, default_folder  # noqa: PLC0415
        from auditor.service.client import Client  # noqa: PLC0415
        from auditor.service.shape import Shape  # noqa: PLC0415

        client = Client(self.settings, cache=Cache(default_folder(os.environ)))
        told = {"schema": request.schema, "keys": request.keys, "experiments": request.experiments}
        drafted = ask(client, request, msgspec.convert(told, Shape))
        return msgspec.structs.replace(drafted, cuts=request.cuts, missing=(*drafted.missing, *request.unseen))


def _named_secrets(traces: Traces) -> Iterator[str]:
    """Values of fields whose names call them secrets: wherever such a value stands again, it is one."""
    for step in (*traces.baseline, *traces.candidate):
        for field, value in step.fields:
            if names_secret(field) and value and not is_plain(value):
                yield value


def _without_secrets(redactor: Redactor, silenced: Sequence[Silenced]) -> tuple[Silenced, ...]:
    """What accepting would silence, as it may stand in a file that people commit."""

    def clean(field: str, text: str | None) -> str | None:
        return None if text is None else redactor.hide(field, text)

    return tuple(
        msgspec.structs.replace(one, old=clean(one.field, one.old), new=clean(one.field, one.new)) for one in silenced
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
