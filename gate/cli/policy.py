"""`gate policy`: read the reviewed allowlist, and bind its open entries to what one run showed."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import ProjectOption
from gate.console import judging, put, say

if TYPE_CHECKING:
    from gate.policy.bind import Bound
    from gate.policy.model import Policy

ReviewerOption = Annotated[
    str, typer.Option("--reviewer", help="Who reviewed the changes; stands in each bound entry.")
]
RunOption = Annotated[
    Path | None,
    typer.Option(
        "--run",
        metavar="DIR",
        help="The folder of the observed run, as `gate run` names it.",
        show_default=".gate/latest",
    ),
]
WriteOption = Annotated[bool, typer.Option("--write", help="Write the policy; without it the entries are only shown.")]


def register(app: typer.Typer) -> None:
    """Add the group `gate policy` to `app`."""
    group = typer.Typer(no_args_is_help=True, help="The reviewed allowlist of intended changes.")
    group.command("check")(check)
    group.command("bind")(bind)
    app.add_typer(group, name="policy")


def check(project: ProjectOption = Path()) -> None:
    """Read the policy; name what is wrong with it. A policy that is not there allows nothing, and is usable."""
    from gate.config.load import load_project
    from gate.policy.load import read_policy

    with judging():
        policy = read_policy(load_project(project).policy_file, missing_ok=True)
        for warning in _warnings(policy):
            say(f"warning: {warning}")
        put(_counts(policy))


def bind(
    reviewer: ReviewerOption,
    project: ProjectOption = Path(),
    run: RunOption = None,
    write: WriteOption = False,
) -> None:
    """Replace each open entry by entries for exactly the changes that a run showed at its step. Shows them; writes with --write."""
    from gate.config.load import load_project
    from gate.policy.bind import bind as bind_entries
    from gate.policy.load import read_policy
    from gate.report.scorecard import read_deltas

    with judging():
        if write:
            _refuse_in_ci()
        audited = load_project(project)
        policy = read_policy(audited.policy_file)
        folder = run or audited.state / "latest"
        deltas = read_deltas(folder / "scorecard.json")
        named = _named(folder)
        bound = bind_entries(policy, deltas, reviewer)
        put(named)
        _show(bound, reviewer)
        _keep(bound, audited.policy_file, write=write)


def _warnings(policy: Policy) -> list[str]:
    from gate.policy.match import expired_entries, expiry_warning, open_warning
    from gate.policy.model import OpenEntry

    expired = expired_entries(policy, datetime.now(UTC).date())
    return [
        *(open_warning(policy, entry) for entry in policy.entries if isinstance(entry, OpenEntry)),
        *(expiry_warning(policy, entry) for entry in expired),
    ]


def _counts(policy: Policy) -> str:
    from gate.policy.model import OpenEntry

    opened = sum(isinstance(entry, OpenEntry) for entry in policy.entries)
    allows = "" if policy.entries else "; nothing is allowed"
    return f"{policy.name}: usable; bound entries: {len(policy.entries) - opened}; open entries: {opened}{allows}"


def _refuse_in_ci() -> None:
    from gate.errors import PolicyError

    if os.environ.get("CI", "").lower() not in ("", "0", "false"):
        raise PolicyError(
            "gate policy bind --write: expected a person at work, but CI is set; CI never writes the policy",
            next_step="Run it in a working tree, look at what it binds, and commit the file.",
        )


def _named(run: Path) -> str:
    """The run that is bound: its own folder, not the link that names the latest, and both builds. Raises ReplayError."""
    import msgspec

    from gate.errors import ReplayError
    from gate.pipeline.kept import require_canonical
    from gate.report.scorecard import Scorecard

    file = run / "scorecard.json"
    try:
        card = msgspec.json.decode(file.read_bytes(), type=Scorecard)
    except (FileNotFoundError, msgspec.DecodeError) as error:
        raise ReplayError(
            f"{file}: expected the scorecard of an observed run, got: {error}",
            next_step="Run `gate run` again, or name another run with --run.",
        ) from error
    require_canonical(card, file)
    builds = card.digests
    return f"run {run.resolve()}: baseline {builds.baseline}, candidate {builds.candidate}"


def _show(bound: Bound, reviewer: str) -> None:
    from gate.policy.wording import quoted

    for binding in bound.bindings:
        put(f"bind {binding} (reason: {quoted(binding.entry.reason)}; reviewer: {quoted(reviewer)})")
    for note in bound.notes:
        say(f"note: {note}")


def _keep(bound: Bound, file: Path, *, write: bool) -> None:
    from gate.files import write_atomically
    from gate.policy.render import render_policy

    done = f"{file.name}: open entries replaced: {len(bound.replaced)}; bound entries made: {len(bound.bindings)}"
    if not bound.replaced:
        put(f"{file.name}: nothing to bind; not written")
    elif write:
        write_atomically(file, render_policy(bound.policy))
        put(f"{done}; written")
    else:
        put(f"{done}; not written: add --write")
