"""Reading what a run left on disk, and holding it to itself and to the policy as it stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path

import msgspec

from gate.config.model import Project
from gate.diff.findings import Canonical, Delta
from gate.diff.noise import CANONICAL_VERSION
from gate.errors import PolicyError, ReplayError
from gate.files import write_atomically
from gate.policy.load import parse_policy
from gate.policy.match import Judgement, judge
from gate.policy.model import Policy
from gate.report.scorecard import Scorecard, ShownDelta, ShownValue, read_deltas

ACCEPTED = "accepted.json"
"""Beside a scorecard: digests of the policies that acceptances made of the one that the run was judged by."""

_AGAIN = "Run `gate run` again, or name the folder of another run with --run."


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A run as it was read."""

    folder: Path
    card: Scorecard
    deltas: tuple[Delta, ...]
    judgement: Judgement
    """By the policy as it stands, on the day of the run."""
    written: bytes | None
    """The bytes of the policy file; None: there is none."""
    policies: tuple[str | None, ...]
    digests: dict[str, str]
    """Of the files `scorecard` and `deltas`."""

    @property
    def policy(self) -> Policy:
        """The policy as it stands."""
        return self.judgement.policy

    @property
    def asked(self) -> bool:
        """Whether the run asked the policy at all: a build held against itself may differ in nothing."""
        return self.card.mode == "baseline against candidate"


def read_kept(project: Project, run: Path | None) -> Kept:
    """What the run in the folder `run` left, by default the latest one.

    Raises ReplayError where there is none or its files are damaged, PolicyError for a policy that cannot be used, or that is neither the
    one of the run nor made of it by acceptances.
    """
    folder = (run or project.state / "latest").resolve()
    card, raw = _card(folder / "scorecard.json", named=run is not None)
    deltas = read_deltas(folder / "scorecard.json")
    _require_whole(folder, card, deltas)
    written = _read_or_none(project.policy_file)
    policies = (card.digests.policy, *_accepted(folder))
    if policy_digest(written) not in policies:
        raise PolicyError(
            f"{project.policy_file.name}: expected the policy of the run ({card.digests.policy or 'none'}), "
            f"got {policy_digest(written) or 'none'}",
            next_step="The policy was edited since, and nothing of that run speaks about it: run `gate run` again.",
        )
    judgement = _judged(project, card, deltas, written)
    if policy_digest(written) == card.digests.policy:
        _require_same_verdicts(folder, card, judgement)
    told = {"scorecard": _digest(raw), "deltas": _digest((folder / "deltas.jsonl").read_bytes())}
    return Kept(
        folder=folder,
        card=card,
        deltas=deltas,
        judgement=judgement,
        written=written,
        policies=policies,
        digests=told,
    )


def read_run(project: Project, run: Path | None) -> tuple[Path, Scorecard, tuple[Delta, ...]]:
    """Folder, scorecard and deltas of a run, by default the latest one, whatever became of the policy since. Raises ReplayError."""
    folder = (run or project.state / "latest").resolve()
    card, _ = _card(folder / "scorecard.json", named=run is not None)
    deltas = read_deltas(folder / "scorecard.json")
    _require_whole(folder, card, deltas)
    return folder, card, deltas


def runs_of(project: Project) -> tuple[Path, ...]:
    """The folders of all runs that are kept: the latest that gave a verdict, then the others, the newest first. None yet: empty.

    Those that gave no verdict are among the others.
    """
    folder, latest = project.state / "runs", project.state / "latest"
    found = [path for path in folder.iterdir() if path.name.isdigit()] if folder.is_dir() else []
    if not latest.is_dir():
        return ()
    others = sorted(found, key=lambda path: int(path.name), reverse=True)
    return (latest, *(path for path in others if path.resolve() != latest.resolve()))


def require_canonical(card: Scorecard, file: Path) -> None:
    """Raise ReplayError for a run that compared in another canonical form: its values are not those of this gate."""
    if card.canonical != CANONICAL_VERSION:
        raise ReplayError(
            f"{file}: expected canonical form {CANONICAL_VERSION}, got {card.canonical}: another version of the gate made it",
            next_step="Its values do not compare with those of this version: run `gate run` again.",
        )


def policy_digest(written: bytes | None) -> str | None:
    """The digest of a policy file, as a scorecard has it."""
    return None if written is None else _digest(written)


def remember_policy(kept: Kept, written: bytes) -> None:
    """Note that `written` is the run's policy with entries that were made from this run."""
    made = (*_accepted(kept.folder), _digest(written))
    write_atomically(kept.folder / ACCEPTED, msgspec.json.encode(sorted(set(made))) + b"\n")


def _card(file: Path, *, named: bool) -> tuple[Scorecard, bytes]:
    try:
        raw = file.read_bytes()
        card = msgspec.json.decode(raw, type=Scorecard)
        require_canonical(card, file)
        return card, raw
    except OSError as error:
        if isinstance(error, NotADirectoryError):
            what = f"{file.parent}: expected the folder of a run, got something which is no folder"
        else:
            none = "none" if isinstance(error, FileNotFoundError) else error.strerror
            what = f"{file}: expected the scorecard of a run, found {none}"
        raise ReplayError(what, next_step=_AGAIN if named else "There is no run yet: gate run first.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ReplayError(f"{file}: not a gate's scorecard: {error}", next_step=_AGAIN) from error


def _read_or_none(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PolicyError(
            f"{file}: expected a readable file, got: {error.strerror}",
            next_step="Make it a plain file that can be read.",
        ) from error


def _accepted(folder: Path) -> tuple[str, ...]:
    file = folder / ACCEPTED
    try:
        return tuple(msgspec.json.decode(file.read_bytes(), type=list[str]))
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ReplayError(f"{file}: not a gate's file: {error}", next_step=_AGAIN) from error


def _judged(project: Project, card: Scorecard, deltas: tuple[Delta, ...], written: bytes | None) -> Judgement:
    name = project.policy_file.name
    policy = Policy(name=name)
    if written is not None:
        policy = parse_policy(written, name=str(project.policy_file))
    if card.mode != "baseline against candidate":
        policy = Policy(name=name)
    today = None if card.policy.today is None else date.fromisoformat(card.policy.today)
    return judge(deltas, policy, today=today)


def _require_whole(folder: Path, card: Scorecard, deltas: tuple[Delta, ...]) -> None:
    """Raise ReplayError where scorecard and deltas do not tell of the same run."""
    if [_row(delta) for delta in deltas] != [_shown_row(row) for row in card.deltas]:
        raise _apart(folder)


def _require_same_verdicts(folder: Path, card: Scorecard, judgement: Judgement) -> None:
    verdicts = [tuple(change.verdict == "allowed" for change in row.changes) for row in card.deltas]
    if [tuple(change.allowed_by is not None for change in row.changes) for row in judgement.rows] != verdicts:
        raise _apart(folder)


def _apart(folder: Path) -> ReplayError:
    return ReplayError(
        f"{folder}: expected a scorecard and deltas of one run, got two that do not agree", next_step=_AGAIN
    )


_Row = tuple[str, int, int, str, tuple[tuple[str, str | None, str | None], ...]]


def _row(delta: Delta) -> _Row:
    changes = tuple((change.field, _held(change.old), _held(change.new)) for change in delta.changes)
    return delta.case, delta.step, delta.occurrence, delta.command, changes


def _shown_row(row: ShownDelta) -> _Row:
    changes = tuple((change.field, _told(change.old), _told(change.new)) for change in row.changes)
    return row.case, row.step, row.occurrence, row.command, changes


def _held(value: Canonical | None) -> str | None:
    return None if value is None else value.digest


def _told(value: ShownValue | None) -> str | None:
    return None if value is None else value.sha256


def _digest(data: bytes) -> str:
    return f"sha256:{sha256(data).hexdigest()}"
