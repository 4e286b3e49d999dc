"""`transcripts.jsonl`: what a model answered to which request, so that it need not be asked again. No key, no header, no address."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from auditor.drafting.redact import Redactor
from auditor.drafting.values import Rejected, Usage
from auditor.service.outcomes import Answer, Kind, NoAnswer
from evals.errors import EvalsError
from evals.written import write

NAME = "transcripts.jsonl"
FORMAT = 1
WHOLE, PART, NONE = "answered", "answered in part", "no transcript"
"""Outcomes beside the service's own kinds. The last is that of a question nobody asked."""

Key = tuple[str, int]
"""The digest of a request, and which of its repeats."""
_AGAIN = "Name the folder of a run that asked a model, or ask it anew in another folder: --into."


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """What shapes requests and answers beside the words. The address does not: a server may move."""

    question_tokens: int
    """Tokens that a question, its answer and a repair may have, as `budget.tokens` of auditor.toml."""
    answer_tokens: int
    structure: str
    limit: str
    temperature: float


class Start(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="transcripts"):
    """The first line: who was asked, and how."""

    format: int
    model: str
    parameters: Parameters
    prompts: dict[str, str]
    """SHA-256 by prompt and version."""
    repeats: int


class Transcript(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="transcript"):
    """How one request ended, redacted. Texts are the model's: hostile data."""

    request: str
    repeat: int
    prompt: str
    outcome: str
    items: dict[str, dict[str, str]] = {}
    """By key, as the service took them from the answer; the drafting layer's own checks come after."""
    rejected: tuple[Rejected, ...] = ()
    missing: tuple[str, ...] = ()
    text: str = ""
    """The last answer as it came."""
    model: str
    usage: Usage
    attempts: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        """What it is looked up by."""
        return self.request, self.repeat


class Transcripts(msgspec.Struct, frozen=True, kw_only=True):
    """A file of them; of a request that was asked again, the last."""

    start: Start
    held: dict[Key, Transcript]


def transcript_of(
    heard: Answer | NoAnswer, *, request: str, prompt: str, repeat: int, redactor: Redactor
) -> Transcript:
    """What is kept of an answer, or of none: everything that came from the endpoint passes through the request's redactor."""
    clean = redactor.apply
    items, missing = (heard.items, heard.missing) if isinstance(heard, Answer) else ({}, ())
    outcome = heard.kind if isinstance(heard, NoAnswer) else PART if heard.rejected or heard.missing else WHOLE
    return Transcript(
        request=request,
        repeat=repeat,
        prompt=prompt,
        outcome=outcome,
        items={key: {name: clean(text) for name, text in item.items()} for key, item in items.items()},
        rejected=tuple(Rejected(key=clean(one.key), why=clean(one.why)) for one in heard.rejected),
        missing=missing,
        text=clean(heard.text),
        model=clean(heard.model),
        usage=heard.usage,
        attempts=tuple(clean(one.outcome) for one in heard.attempts),
    )


def heard_of(kept: Transcript) -> Answer | NoAnswer:
    """The answer, or why there is none, as the service gave it. Raises EvalsError for an outcome that is none."""
    if kept.outcome in (WHOLE, PART):
        return Answer(
            items=kept.items,
            rejected=kept.rejected,
            missing=kept.missing,
            text=kept.text,
            model=kept.model,
            usage=kept.usage,
        )
    try:
        kind = msgspec.convert(kept.outcome, Kind)
    except msgspec.ValidationError:
        raise EvalsError(f"{NAME}: outcome {kept.outcome[:40]!a}: not known", next_step=_AGAIN) from None
    return NoAnswer(
        kind=kind,
        what=f"no draft ({kind})",
        next_step="",
        model=kept.model,
        usage=kept.usage,
        text=kept.text,
        rejected=kept.rejected,
    )


def read(folder: Path) -> Transcripts | None:
    """What the folder holds; None where it holds none. A last line that is cut short, as a run that was ended leaves, does not count.

    Raises EvalsError with the line that cannot be read.
    """
    path = folder / NAME
    if not path.is_file():
        return None
    lines: list[Start | Transcript] = []
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), start=1):
        if not line.endswith(b"\n"):
            break
        try:
            lines.append(msgspec.json.decode(line, type=Start | Transcript))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise EvalsError(f"{path}:{number}: expected a transcript, got {error}", next_step=_AGAIN) from error
    if not lines:
        return None
    start, *rest = lines
    held = [one for one in rest if isinstance(one, Transcript)]
    if not isinstance(start, Start) or start.format != FORMAT or len(held) < len(rest):
        raise EvalsError(f"{path}:1: expected one head of transcripts, of format {FORMAT}", next_step=_AGAIN)
    return Transcripts(start=start, held={one.key: one for one in held})


def check_same(found: Start, wanted: Start) -> None:
    """Raises EvalsError where transcripts are of another model, of other parameters or of other prompts: they cannot be mixed."""
    for name in ("model", "parameters", "prompts"):
        one, other = getattr(found, name), getattr(wanted, name)
        if one != other:
            raise EvalsError(f"{NAME}: {name}: expected {_said(other)}, got {_said(one)}", next_step=_AGAIN)


def _said(value: object) -> str:
    return ascii(msgspec.to_builtins(value))[:300]


def save(folder: Path, start: Start, held: Mapping[Key, Transcript]) -> None:
    """Write all, whole or not at all, in the order of their keys: the same answers give the same bytes, in whatever order they came."""
    lines: Iterable[Start | Transcript] = (start, *(held[key] for key in sorted(held)))
    write(folder / NAME, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """The folder, which is made where it is missing, for one run at a time: two would write over each other's answers.

    Raises EvalsError where another holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("wb") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise EvalsError(
                f"{folder}: another run asks a model there", next_step="Wait for it, or name another folder: --into"
            ) from None
        yield


def append(folder: Path, one: Transcript) -> None:
    """Add one, so that a run that is ended keeps what was answered. The file is there: see `save`."""
    with (folder / NAME).open("ab") as stream:
        stream.write(msgspec.json.encode(one) + b"\n")
        stream.flush()
        os.fsync(stream.fileno())
