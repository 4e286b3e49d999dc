"""One transcript file, of whatever kind, as cases and refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gate.corpus.transcripts.cases import Source, read_blocks
from gate.corpus.transcripts.cram import cram_blocks
from gate.corpus.transcripts.fences import fence_blocks
from gate.corpus.transcripts.json_lines import json_blocks
from gate.corpus.transcripts.model import Block, Prompt, ReadFile, Reading
from gate.corpus.transcripts.plain_text import text_lines
from gate.corpus.transcripts.trycmd_toml import toml_blocks
from gate.errors import CorpusError


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A file, and what trycmd takes from beside it."""

    name: str
    """As it is named to people; its ending says what kind it is."""
    label: str
    """As it is named in ids."""
    data: bytes
    stdin: bytes | None = None
    """The content of the file with the ending `.stdin`; only a `.toml` uses it."""
    folder: bool = False
    """Whether there is a folder with the ending `.in`, in which trycmd runs its commands."""


def read_transcript(transcript: Transcript, *, program: tuple[str, ...], read: ReadFile) -> Reading:
    """The cases and the refusals. Raises CorpusError, with file and line where there is one, on an ending of no known kind and on a
    file that cannot be read at all.
    """
    blocks = _BLOCKS[_kind(transcript.name)](transcript, program)
    if transcript.folder and transcript.name.endswith((".trycmd", ".toml", ".md")):
        blocks = tuple(tuple(_in_folder(prompt) for prompt in block) for block in blocks)
    return read_blocks(blocks, Source(file=transcript.name, label=transcript.label, program=program, read=read))


def _kind(name: str) -> str:
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    if ending not in _BLOCKS:
        raise CorpusError(
            f"{name}: expected a transcript ({', '.join(_BLOCKS)}), got another kind of file",
            next_step="Leave it out, or give it the ending of what it holds.",
        )
    return ending


def _in_folder(prompt: Prompt) -> Prompt:
    fault = prompt.fault or "it runs in the folder that stands beside the file (`.in`), which no case has"
    return Prompt(line=prompt.line, fault=fault)


def _cram(transcript: Transcript, _program: tuple[str, ...]) -> tuple[Block, ...]:
    return cram_blocks(text_lines(transcript.data, name=transcript.name))


def _fences(transcript: Transcript, _program: tuple[str, ...]) -> tuple[Block, ...]:
    return fence_blocks(text_lines(transcript.data, name=transcript.name))


def _trycmd(transcript: Transcript, _program: tuple[str, ...]) -> tuple[Block, ...]:
    return fence_blocks(text_lines(transcript.data, name=transcript.name), shell=False)


def _toml(transcript: Transcript, program: tuple[str, ...]) -> tuple[Block, ...]:
    return toml_blocks(transcript.data, name=transcript.name, program=program, stdin=transcript.stdin)


def _json(transcript: Transcript, program: tuple[str, ...]) -> tuple[Block, ...]:
    return json_blocks(transcript.data, name=transcript.name, program=program)


_BLOCKS: Mapping[str, Callable[[Transcript, tuple[str, ...]], tuple[Block, ...]]] = {
    ".t": _cram,
    ".trycmd": _trycmd,
    ".md": _fences,
    ".markdown": _fences,
    ".toml": _toml,
    ".jsonl": _json,
    ".ndjson": _json,
}
