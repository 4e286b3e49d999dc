"""Suggestions, a gate and a person that tests make up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from auditor.drafting.values import Change, Classified, Drafted, Experiment, Group, Hypothesis, Place, Usage
from auditor.errors import ReviewError
from auditor.review.door import Unbound, Written
from auditor.suggestions.made import suggest
from auditor.suggestions.model import AnySuggestion, Input, Silenced
from auditor.suggestions.stale import Standing, digest_of

INPUTS = (
    Input(name="scorecard", digest="sha256:5c"),
    Input(name="deltas", digest="sha256:de"),
    Input(name="policy", digest=digest_of(None)),
    Input(name="intent", digest=digest_of(b"sort the list\n"), path="INTENT.md"),
)


def group(
    number: int, *, field: str = "order", old: str | None = "insertion", new: str | None = "sorted", cases: str = "A"
) -> Group:
    return Group(
        id=f"d{number}",
        command="list",
        changes=(Change(field=field, kind="value", old=old, new=new),),
        places=tuple(Place(case=case, step=number) for case in cases),
    )


def classified(number: int, *, kind: str = "intent", reason: str = "the list is sorted") -> Classified:
    quote = "sort the list" if kind == "intent" else ""
    return Classified(group=f"d{number}", kind=kind, quote=quote, old="", new="", reason=reason)


def silences_of(groups: Sequence[Group]) -> dict[str, tuple[Silenced, ...]]:
    return {
        one.id: tuple(
            Silenced(case=place.case, step=place.step, field=change.field, old=change.old, new=change.new)
            for place in one.places
            for change in one.changes
        )
        for one in groups
    }


def policy_draft(
    *items: tuple[Group, Classified], model: str = "offline", inputs: Sequence[Input] = INPUTS
) -> AnySuggestion:
    groups = [one for one, _ in items]
    return suggest(
        "policy",
        Drafted(model=model, prompt="offline-1", items=tuple(item for _, item in items)),
        subject="run",
        inputs=inputs,
        groups=groups,
        silences=silences_of(groups),
    )


def hypotheses_draft() -> AnySuggestion:
    drafted = Hypothesis(
        mechanism="order",
        claim="The keys come in the order of their hashes.",
        evidence="keys=b,a",
        experiment="x1",
        if_true="another order",
        if_false="the same order",
    )
    return suggest(
        "hypotheses",
        Drafted(
            model="m", prompt="hypotheses/v1", items=(drafted,), usage=Usage(requests=1, prompt_tokens=10, cost=0.25)
        ),
        subject="group d3",
        inputs=INPUTS[:2],
        prompt_digest="ab" * 32,
        offered=(Experiment(id="x1", kind="hash seed", case="A", value="1", words="replay case A with hash seed 1"),),
    )


@dataclass
class FakeDoor:
    """A gate whose run recorded `changes`, and whose policy is a list of what was accepted."""

    folder: Path
    changes: list[Silenced]
    policies: list[str] = field(default_factory=lambda: [digest_of(None)])
    scorecard: str = "sha256:5c"
    allowed: list[Silenced] = field(default_factory=list)
    """What it recorded, too, and the policy allows already."""

    @property
    def policy(self) -> Path:
        return self.folder / "policy.json"

    def standing(self) -> Standing:
        return Standing(scorecard=self.scorecard, deltas="sha256:de", policies=tuple(self.policies))

    command: str = "list"

    def recorded(self) -> tuple[Group, ...]:
        found: dict[tuple[str, int], list[Change]] = {}
        for one in (*self.changes, *self.allowed):
            change = Change(field=one.field, kind="value", old=one.old, new=one.new)
            found.setdefault((one.case, one.step), []).append(change)
        return tuple(
            Group(id=f"s{number}", command="list", changes=tuple(changes), places=(Place(case=case, step=step),))
            for number, ((case, step), changes) in enumerate(found.items())
        )

    def silenced(self, places: Sequence[Place]) -> tuple[Silenced, ...]:
        keys = [(place.case, place.step) for place in places if place.occurrence == 1]
        return tuple(change for change in self.changes if (change.case, change.step) in keys)

    def unbound(self, places: Sequence[Place]) -> tuple[Unbound, ...]:
        return tuple(Unbound(place=place, why="a later record") for place in places if place.occurrence > 1)

    def accept(self, places: Sequence[Place], *, reason: str, reviewer: str, suggestion: str) -> Written:
        before = self.policy.read_bytes() if self.policy.exists() else None
        rows = json.loads(before) if before else []
        rows += [[one.case, one.step, reason, reviewer, suggestion] for one in self.silenced(places)]
        after = json.dumps(rows).encode()
        self.policy.write_bytes(after)
        self.policies.append(digest_of(after))
        return Written(file=self.policy, before=before, after=after)

    def restore(self, written: Written) -> None:
        if self.policy.read_bytes() != written.after:
            raise ReviewError("policy.json has changed since", next_step="Take the entries out by hand.")
        if written.before is None:
            self.policy.unlink()
        else:
            self.policy.write_bytes(written.before)


@dataclass
class FakeTerminal:
    """A person whose every key and line is known beforehand. A key that is not asked for as one is a failure."""

    answers: list[str]
    width: int = 100
    colour: bool = False
    shown: list[str] = field(default_factory=list)

    def show(self, text: str) -> None:
        self.shown.append(text)

    def key(self, prompt: str) -> str:
        answer = self.answers.pop(0)
        assert len(answer) == 1, f"asked {prompt!r}, got {answer!r}"
        return answer

    def line(self, prompt: str) -> str | None:
        answer = self.answers.pop(0)
        assert answer.startswith(":"), f"asked {prompt!r}, got {answer!r}"
        return answer[1:]

    @property
    def text(self) -> str:
        return "\n".join(self.shown)
