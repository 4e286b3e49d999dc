"""The judge of a run, held to its pins before anything is built or replayed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

from gate.config.model import Project
from gate.errors import DriftError
from gate.hashing.drift import Drift
from gate.hashing.judge import verify_project
from gate.hashing.pack import Pack
from gate.hashing.pins import read_pins


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """The digests of everything that decides, as pinned and verified."""

    pack: Pack
    config: str
    corpus: str
    noise: str
    properties: str | None
    """None: there are no property files."""
    policy: str | None
    """Of the policy as it stands: a policy is reviewed, not pinned. None: there is no policy file."""


_IGNORED = "\nA pinned file that git ignores is in no commit: git add -f FILE"


def require_pinned(project: Project) -> Judge:
    """The judge, when every pin holds. Raises DriftError naming all that moved and how, PinsError without usable pins."""
    if drifts := verify_project(project):
        raise drift_error(drifts)
    pins = read_pins(project.pins_file)
    policy = None
    with suppress(FileNotFoundError):
        policy = f"sha256:{sha256(project.policy_file.read_bytes()).hexdigest()}"
    return Judge(
        pack=pins.pack,
        config=pins.judge["config"],
        corpus=pins.judge["corpus"],
        noise=pins.judge["noise"],
        properties=None if pins.properties is None else pins.properties.digest,
        policy=policy,
    )


def drift_error(drifts: tuple[Drift, ...]) -> DriftError:
    """All drifts as one error, a line each, with their likely causes."""
    lines = [line for drift in drifts for line in (drift.line, *([f"  ({drift.hint})"] if drift.hint else []))]
    lost = any(drift.what == "removed" for drift in drifts)
    return DriftError(
        "\n".join(lines),
        next_step="Restore what moved, or pin the new judge in a commit of its own: gate pin"
        + (_IGNORED if lost else ""),
    )
