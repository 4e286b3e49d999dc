"""What every first reading of a golden trace has to pass, whoever drafted it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from auditor.drafting.checks import length_fault, shown_key, unclean
from auditor.drafting.checks_lengths import EXCERPT, REASON
from auditor.drafting.values import Drafted, Guarded, Rejected
from gate import api


def check_golden(draft: Drafted, steps: Sequence[api.TraceStep]) -> Drafted:
    """The draft with its valid items in the order of the trace; keys are `command field`.

    An example is verbatim from that field of that command, or empty where no line can be quoted. A key that is said twice does not count.
    """
    seen: dict[tuple[str, str], list[str]] = {}
    for step in steps:
        for field, value in step.fields:
            seen.setdefault((step.command, field), []).append(value)
    said = Counter((item.command, item.field) for item in draft.items if isinstance(item, Guarded))
    kept: dict[tuple[str, str], Guarded] = {}
    rejected = list(draft.rejected)
    for item in dict.fromkeys(draft.items):
        if not isinstance(item, Guarded):
            rejected.append(Rejected(key="", why=f"expected a promise of a field, got a {type(item).__name__}"))
        elif why := _fault(item, seen, said):
            rejected.append(Rejected(key=shown_key(f"{item.command} {item.field}"), why=why))
        else:
            kept[item.command, item.field] = item
    return msgspec.structs.replace(
        draft,
        items=tuple(kept[key] for key in seen if key in kept),
        rejected=tuple(rejected),
        missing=tuple(shown_key(" ".join(key)) for key in seen if key not in kept),
    )


def _fault(item: Guarded, seen: dict[tuple[str, str], list[str]], said: Counter[tuple[str, str]]) -> str:
    key = (item.command, item.field)
    if key not in seen:
        return "the trace has no such field of such a command"
    if said[key] > 1:
        return f"expected one answer to this field, got {said[key]}"
    if len(item.example) > EXCERPT[1] or not any(item.example in value for value in seen[key]):
        return f"its example is not in the trace, or longer than {EXCERPT[1]} characters: {shown_key(item.example)!r}"
    return unclean("example", item.example) or length_fault("reason", item.reason, *REASON)
