"""Does the way to a model hold where the endpoint does not? The auditor's own commands' code, against a scripted server of this machine."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import msgspec

from auditor.cli.drafted import advising, kept
from auditor.demo.folder import SHIPPED, UNREVIEWED, set_up
from auditor.demo.verdict import judge_unreviewed
from auditor.drafting.drafter import Desk
from auditor.drafting.values import Classified, Hypothesis
from auditor.service.client import Client
from auditor.service.settings import Endpoint, Settings
from auditor.suggestions.model import AnySuggestion
from auditor.suggestions.store import FOLDER, list_suggestions
from evals.drafters import BASELINES, Drafter
from evals.scripted import MODEL, Served, serving
from evals.scripts import DEMOTED, PART, SCRIPTS, WHOLE, Script
from evals.shares import scored
from evals.values import Figure, Row

TOLD, STAYS, CLEAN, CODE, SENT = "right", "valid part stays", "nothing half-written", "exit code stays", "requests"
_NAMES = {
    "told as its own outcome": TOLD,
    "valid part stays": STAYS,
    "nothing half-written": CLEAN,
    "exit code stays": CODE,
    "requests and waits as allowed": SENT,
}
_KIND = re.compile(r"not drafted: no draft \(([a-z ]+)\)")
_NEEDED = ("langchain_openai", "openai", "pydantic", "tenacity")
_TIMEOUT, _TIMEOUT_OF_SILENCE = 30.0, 0.3


def lacks() -> str:
    """Why it cannot be run here; empty where it can."""
    absent = [name for name in _NEEDED if find_spec(name) is None]
    return f"the extra `auditor` is not installed (no {absent[0]})" if absent else ""


def rows_of(task: str, drafter: Drafter) -> tuple[Row, ...]:
    """One row for each case, whoever drafts: no drafter is asked. For a baseline none, since there is nothing to hold against it."""
    if drafter in BASELINES:
        return ()
    with _judged() as project:
        return tuple(_row(task, script, project) for script in SCRIPTS)


def figures(rows: Sequence[Row]) -> dict[str, Figure]:
    """The metrics of the rows, by name."""
    found = {name: scored(rows, score) for name, score in _NAMES.items()}
    return {name: figure for name, figure in found.items() if figure.n}


def digest_input() -> bytes:
    """What the task consists of, for the digest in a report."""
    return msgspec.json.encode(SCRIPTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Project:
    root: Path
    run: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What a case came to."""

    outcome: str
    kept: tuple[str, ...]
    whole: bool
    """Whether the folder of suggestions holds one that can be read again, or none where none was made, and nothing else was touched."""
    contained: bool
    """Whether `auditor audit` would end in the gate's exit code: no fault got out, and the scorecard stands."""
    requests: int
    waits: tuple[float, ...]


@contextmanager
def _judged() -> Iterator[_Project]:
    """The demo as `auditor demo` leaves it before a review. Raises GateError where it gives no verdict."""
    with tempfile.TemporaryDirectory(prefix="auditor-evals-") as folder:
        demo = set_up(Path(folder) / "demo")
        outcome = judge_unreviewed(demo)
        yield _Project(root=demo / UNREVIEWED, run=outcome.folder)


def _row(task: str, script: Script, project: _Project) -> Row:
    with serving(*script.replies) as served:
        seen = _seen(script, project, served)
    scores = {
        TOLD: seen.outcome == script.outcome,
        CLEAN: seen.whole,
        CODE: seen.contained,
        SENT: seen.requests == script.requests and script.waits in (None, seen.waits),
    }
    if script.kept:
        scores[STAYS] = seen.kept == script.kept
    return Row(
        task=task,
        variant=script.about,
        sample=script.name,
        cluster=script.name,
        label=script.outcome,
        answer=seen.outcome,
        scores=scores,
        shown=f"kept: {', '.join(seen.kept) or 'nothing'}; requests: {seen.requests}",
    )


def _seen(script: Script, project: _Project, served: Served) -> _Seen:
    waits: list[float] = []
    desk = _desk(script, project, served, waits)
    before, told, made = _tree(project.root), StringIO(), None
    escaped = False
    with redirect_stderr(told):
        try:
            with advising():
                made = _drafted(script, desk, project)
        except BaseException as fault:  # whatever it is, it would move the exit code
            if isinstance(fault, KeyboardInterrupt):
                raise
            escaped = True
    whole = _is_whole(project, made) and _tree(project.root) == before
    for file in (project.root / FOLDER).glob("*"):
        file.unlink()
    failed = "the drafting itself failed" in told.getvalue()
    return _Seen(
        outcome=_outcome(made, told.getvalue()),
        kept=() if made is None else tuple(_item(item.draft, item.id) for item in made.items),
        whole=whole,
        contained=not (escaped or failed),
        requests=served.requests,
        waits=tuple(waits),
    )


def _desk(script: Script, project: _Project, served: Served, waits: list[float]) -> Desk:
    silent = any(says.silent for says in script.replies)
    endpoint = Endpoint(
        model=MODEL,
        base_url=served.address,
        local=True,
        bare=True,
        timeout=_TIMEOUT_OF_SILENCE if silent else _TIMEOUT,
    )
    settings = Settings(endpoint=endpoint)
    return Desk(root=project.root, run=project.run, settings=settings, client=Client(settings, sleep=waits.append))


def _drafted(script: Script, desk: Desk, project: _Project) -> AnySuggestion | None:
    intent = (SHIPPED / "INTENT.md").read_text(encoding="utf-8")
    made = desk.policy(intent) if script.about == "policy" else desk.hypotheses(None)
    return None if made is None else kept(project.root, made)[1]


def _outcome(made: AnySuggestion | None, told: str) -> str:
    """As a person is told it."""
    if made is None:
        found = _KIND.match(told)
        return found[1] if found else "not told"
    if made.rejected or made.missing:
        return PART
    return DEMOTED if made.demoted else WHOLE


def _item(draft: object, name: str) -> str:
    if isinstance(draft, Classified):
        return f"{name} {draft.kind}"
    return draft.mechanism if isinstance(draft, Hypothesis) else name


def _is_whole(project: _Project, made: AnySuggestion | None) -> bool:
    found = list_suggestions(project.root)
    files = [path.name for path in (project.root / FOLDER).glob("*")]
    wanted = [] if made is None else [made.id]
    return not found.broken and [one.suggestion.id for one in found.stored] == wanted and len(files) == len(wanted)


def _tree(root: Path) -> dict[str, str]:
    """SHA-256 of every file of a project but its suggestions, by its relative path."""
    files = ((path.relative_to(root), path) for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(name): sha256(path.read_bytes()).hexdigest() for name, path in files if name.parts[0] != FOLDER}
