"""From what a drafter gave to a suggestion that nobody has looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from auditor.drafting.values import Classified, Drafted, Experiment, Group
from auditor.suggestions.format import id_of
from auditor.suggestions.model import (
    AnyItem,
    AnySuggestion,
    Input,
    Item,
    Kind,
    Provenance,
    Silenced,
    Suggestion,
    status_of,
)

_LETTER: dict[Kind, str] = {"hypotheses": "h", "wording": "w", "golden": "g"}


def suggest(
    kind: Kind,
    drafted: Drafted,
    *,
    subject: str,
    inputs: Sequence[Input],
    prompt_digest: str = "",
    groups: Sequence[Group] = (),
    silences: Mapping[str, Sequence[Silenced]] | None = None,
    offered: Sequence[Experiment] = (),
) -> AnySuggestion:
    """The suggestion of a draft; every item is `proposed`. Without items it is a record of what was not drafted.

    `groups` holds each group of a policy's items, and `silences`, by group, what the gate said that accepting it would allow. The order of
    the inputs decides nothing. Raises KeyError on an item whose group is not given.
    """
    held = {group.id: group for group in groups}
    silenced = silences or {}
    items: tuple[AnyItem, ...] = tuple(
        Item(
            id=draft.group,
            status="proposed",
            draft=draft,
            group=held[draft.group],
            silences=tuple(silenced.get(draft.group, ())),
        )
        if isinstance(draft, Classified)
        else Item(id=f"{_LETTER[kind]}{number}", status="proposed", draft=draft)
        for number, draft in enumerate(drafted.items, start=1)
    )
    made: AnySuggestion = Suggestion(
        id="",
        kind=kind,
        status=status_of(items),
        subject=subject,
        items=items,
        rejected=drafted.rejected,
        missing=drafted.missing,
        demoted=drafted.demoted,
        cuts=drafted.cuts,
        offered=tuple(offered),
        provenance=Provenance(
            model=drafted.model,
            prompt=drafted.prompt,
            prompt_digest=prompt_digest,
            inputs=tuple(sorted(inputs, key=lambda given: given.name)),
            usage=drafted.usage,
        ),
    )
    return msgspec.structs.replace(made, id=id_of(made))
