"""Writing what a person accepted into the policy of the work tree. That person commits it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gate.config.model import Project
from gate.errors import PolicyError
from gate.files import only_writer, write_atomically
from gate.pipeline.kept import Kept, read_kept, remember_policy
from gate.pipeline.left import Accepted
from gate.pipeline.proposed import JsonEntry, entry_of, json_of, proposed
from gate.policy.load import parse_policy
from gate.policy.model import BoundEntry, Policy
from gate.policy.render import render_entry, render_policy
from gate.voting.freeze_set import is_said

_SUGGESTION = re.compile(r"policy-[0-9a-f]{12}")
"""The form of the ids of suggestions that can allow something. Whether there is such a one is not the gate's to know: it reads none."""

_END = re.compile(
    rb"(?P<last>[\[}])(?P<gap>[ \t\r\n]*)\](?P<after>[ \t\r\n]*(?:,[ \t\r\n]*\"version\"[ \t\r\n]*:[ \t\r\n]*1[ \t\r\n]*)?\}[ \t\r\n]*)\Z"
)


def accept(
    project: Project,
    entries: Sequence[JsonEntry],
    *,
    reviewer: str,
    suggestion: str,
    run: Path | None,
    environment: Mapping[str, str] = os.environ,
) -> Accepted:
    """Append bound entries to `policy.json`, all or none, under the reviewer's name, each reason with ` (suggestion ID)` at its end.

    Entries that stand in the policy already are not written again. The rest of the file stays byte for byte where its end has the
    usual shape; else the whole file is written in the gate's own spelling. Raises PolicyError in CI, for an entry that
    `gate.pipeline.proposed.proposed` refuses, for a policy that is not the run's, and without a reviewer or a suggestion. That a person
    looked cannot be told from here: whoever commits the file answers for it.
    """
    _refuse_in_ci(environment)
    _require_names(reviewer, suggestion)
    if not entries:
        raise PolicyError("expected at least one entry, got none", next_step="Accept what the run recorded.")
    with only_writer(project.judge_lock):
        kept = read_kept(project, run)
        named = [_named(raw, position, reviewer, suggestion) for position, raw in enumerate(entries, start=1)]
        standing = {entry.binding for entry in kept.policy.entries}
        fresh = tuple(entry for entry in named if entry.binding not in standing)
        for proposal in proposed(kept, [json_of(entry) for entry in fresh]):
            if proposal.refused is not None:
                raise PolicyError(
                    f"{proposal.entry}: {proposal.refused}; nothing was written",
                    next_step="Accept bound entries for what the run recorded.",
                )
        after = _with(kept, fresh)
        if fresh:
            remember_policy(kept, after)  # first: a digest without its file does no harm
            write_atomically(project.policy_file, after)
    return Accepted(
        file=project.policy_file,
        written=tuple(map(render_entry, fresh)),
        already=tuple(render_entry(entry) for entry in named if entry not in fresh),
        before=kept.written,
        after=after,
    )


def withdraw(project: Project, accepted: Accepted) -> None:
    """Put `policy.json` back as it was before `accepted`, byte for byte. Raises PolicyError where it has changed since."""
    file = project.policy_file
    with only_writer(project.judge_lock):
        if not file.is_file() or file.read_bytes() != accepted.after:
            raise PolicyError(
                f"{file.name}: expected the file as it was left, but it has changed since",
                next_step="Take the entries out by hand.",
            )
        if accepted.before is None:
            file.unlink()
        else:
            write_atomically(file, accepted.before)


def _refuse_in_ci(environment: Mapping[str, str]) -> None:
    if environment.get("CI", "").lower() not in ("", "0", "false"):
        raise PolicyError(
            "expected a person at work, but CI is set; CI never writes the policy",
            next_step="Review in a working tree, and commit the file.",
        )


def _require_names(reviewer: str, suggestion: str) -> None:
    if not is_said(reviewer):
        raise PolicyError(
            f"reviewer: expected a name on one line, got {reviewer[:60]!a}",
            next_step="Say who reviewed the changes: --reviewer NAME",
        )
    if not _SUGGESTION.fullmatch(suggestion):
        raise PolicyError(
            f"suggestion: expected the id of a policy suggestion, such as policy-0123456789ab, got {suggestion[:60]!a}",
            next_step="List them: auditor suggestions list",
        )


def _named(raw: JsonEntry, position: int, reviewer: str, suggestion: str) -> BoundEntry:
    mine = {**raw, "reviewer": reviewer} if isinstance(raw, Mapping) and "field" in raw else raw
    entry = entry_of(mine, name=f"entry {position}")
    if not isinstance(entry, BoundEntry):
        raise PolicyError(
            f"entry {position}: expected an entry that is bound to values, got an open one; nothing was written",
            next_step="Bind it to what the run recorded.",
        )
    mark = f" (suggestion {suggestion})"
    return entry if entry.reason.endswith(mark) else replace(entry, reason=f"{entry.reason}{mark}")


def _with(kept: Kept, fresh: tuple[BoundEntry, ...]) -> bytes:
    """The policy file with the entries at its end."""
    policy = kept.policy
    wanted = replace(policy, entries=(*policy.entries, *fresh))
    whole = render_policy(wanted)
    if kept.written is None or not fresh:
        return whole if kept.written is None else kept.written
    spliced = _spliced(kept.written, fresh)
    return spliced if spliced is not None and _says(spliced, wanted) else whole


def _spliced(written: bytes, fresh: tuple[BoundEntry, ...]) -> bytes | None:
    """The file with entries put before the end of its list, in the gate's spelling; None for an end of another shape."""
    end = _END.search(written)
    if end is None:
        return None
    body = render_policy(Policy(entries=fresh))
    rows = body[body.index(b"[") + 1 : body.rindex(b"]")].rstrip()
    comma = b"" if end["last"] == b"[" else b","
    return written[: end.end("last")] + comma + rows + (end["gap"] or b"\n  ") + b"]" + end["after"]


def _says(written: bytes, wanted: Policy) -> bool:
    try:
        return parse_policy(written) == wanted
    except PolicyError:
        return False
