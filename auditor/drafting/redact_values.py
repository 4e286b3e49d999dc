"""Redaction of what the gate recorded: a value goes by its field's name, and a case whose id is a secret is spoken of nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from auditor.drafting.material import Traces
from auditor.drafting.redact import Redactor
from auditor.drafting.secret_names import is_plain, names_secret
from auditor.drafting.values import Change, Group, Rejected
from auditor.suggestions.model import Silenced
from gate import api

HELD_BACK = "the id of a case of it holds a secret, and a draft would name it"
RENAME = "Give the case another id: gate corpus remove it, and add it anew."


def named_secrets_of(traces: Traces) -> Iterator[str]:
    """Values of fields whose names call them secrets: wherever such a value stands again, it is one."""
    for step in (*traces.baseline, *traces.candidate):
        for name, value in step.fields:
            if names_secret(name) and value and not is_plain(value):
                yield value


def clean_groups(redactor: Redactor, intent: str, groups: Sequence[Group]) -> tuple[str, tuple[Group, ...]]:
    """Intent and groups without secrets. A field's name counts as what stands before its value (`token` = `abc`)."""
    changes = [change for group in groups for change in group.changes]
    values = [(change.field, value) for change in changes for value in (change.old, change.new) if value is not None]
    redactor.learn(
        (intent, *(group.command for group in groups), *(text for pair in values for text in pair)), named=values
    )
    return redactor.apply(intent), tuple(_clean_group(redactor, group) for group in groups)


def clean_steps(redactor: Redactor, steps: Sequence[api.TraceStep]) -> tuple[api.TraceStep, ...]:
    """Steps of a trace without secrets in their commands, names of fields and values."""
    fields = [pair for step in steps for pair in step.fields]
    redactor.learn([text for pair in fields for text in pair], named=fields)
    return tuple(
        replace(
            step,
            command=redactor.apply(step.command),
            fields=tuple((redactor.apply(name), redactor.hide(name, value)) for name, value in step.fields),
        )
        for step in steps
    )


def clean_silenced(redactor: Redactor, silenced: Sequence[Silenced]) -> tuple[Silenced, ...]:
    """What accepting would silence, as it may be shown, and stand in a file that people commit. Its case stays: see `held_back`."""

    def clean(field: str, text: str | None) -> str | None:
        return None if text is None else redactor.hide(field, text)

    return tuple(
        msgspec.structs.replace(one, old=clean(one.field, one.old), new=clean(one.field, one.new)) for one in silenced
    )


def held_back(redactor: Redactor, groups: Sequence[Group]) -> tuple[Rejected, ...]:
    """The groups that cannot be drafted for without a secret, in order: an entry needs the id of the case as it is."""
    return tuple(Rejected(key=group.id, why=HELD_BACK) for group in groups if _names_a_secret(redactor, group))


def _names_a_secret(redactor: Redactor, group: Group) -> bool:
    return any(redactor.apply(place.case) != place.case for place in group.places)


def _clean_group(redactor: Redactor, group: Group) -> Group:
    return msgspec.structs.replace(
        group,
        command=redactor.apply(group.command),
        changes=tuple(_clean_change(redactor, change) for change in group.changes),
    )


def _clean_change(redactor: Redactor, change: Change) -> Change:
    return msgspec.structs.replace(
        change,
        field=redactor.apply(change.field),
        old=None if change.old is None else redactor.hide(change.field, change.old),
        new=None if change.new is None else redactor.hide(change.field, change.new),
    )
