"""Writing `policy.json`: one spelling for each policy, so that writing twice changes nothing."""

from __future__ import annotations

import json

from gate.octets import to_wire
from gate.policy.expected import Digest, Expected
from gate.policy.model import Entry, OpenEntry, Policy
from gate.policy.wording import escape_unprintable

Json = str | int | None | dict[str, str]


def render_policy(policy: Policy) -> bytes:
    """The file of a policy: UTF-8, two spaces a level, entries in their order, no totals. `parse_policy` reads the same policy back."""
    top: dict[str, object] = {} if policy.version is None else {"version": policy.version}
    top["allowed"] = [_entry(entry) for entry in policy.entries]
    return (escape_unprintable(json.dumps(top, indent=2, ensure_ascii=False)) + "\n").encode()


def render_entry(entry: Entry) -> str:
    """One entry as JSON on one line, nothing unprintable."""
    return escape_unprintable(json.dumps(_entry(entry), ensure_ascii=False))


def _entry(entry: Entry) -> dict[str, Json]:
    """The keys of an entry, in the order of `ENTRY_KEYS`; keys that say nothing are left out."""
    if isinstance(entry, OpenEntry):
        return {"case": entry.case, "step": entry.step, "reason": entry.reason}
    keys: dict[str, Json] = {"case": entry.case} if entry.command is None else {"command": entry.command}
    if entry.step is not None:
        keys["step"] = entry.step
    keys |= {
        "field": entry.field,
        "old": _expected(entry.old),
        "new": _expected(entry.new),
        "reason": entry.reason,
        "reviewer": entry.reviewer,
    }
    if entry.expires is not None:
        keys["expires"] = entry.expires.isoformat()
    return keys


def _expected(expected: Expected) -> Json:
    if expected is None:
        return None
    if isinstance(expected, Digest):
        return {"sha256": expected.sha256}
    wire = to_wire(expected.data)
    return wire if isinstance(wire, str) else {"b64": wire.b64}
