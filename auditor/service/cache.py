"""Answers that were valid once, by the digest of everything that shapes one. A file an answer, outside of any repository.

A folder of the repository would be the patch's to fill, and a draft nobody made would look like the model's.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from auditor.drafting.values import Usage
from auditor.service.settings import Endpoint
from auditor.service.shape import Shape

_FORM = 2
"""The version of what a digest is made of, and of what a file holds."""


class Kept(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is kept of an answer: its text, which is held against its schema again when it is read."""

    texts: tuple[str, ...]
    """The first answer and, after a repair, the second."""
    model: str
    usage: Usage


def default_folder(environ: Mapping[str, str]) -> Path:
    """The user's own cache folder, as the XDG base directory specification has it."""
    named = environ.get("XDG_CACHE_HOME", "")
    base = Path(named) if named.startswith("/") else Path.home() / ".cache"
    return base / "agent-patch-auditor" / "drafts"


def digest_of(
    endpoint: Endpoint,
    messages: Sequence[Mapping[str, str]],
    shape: Shape,
    *,
    prompt: str,
    schema: Mapping[str, object],
) -> str:
    """Hex SHA-256 of all that shapes an answer. The key is no part of it, nor is how long one waits."""
    shaping = {
        "form": _FORM,
        "base_url": endpoint.base_url,
        "model": endpoint.model,
        "parameters": [endpoint.structure, endpoint.temperature, endpoint.max_output_tokens, endpoint.limit],
        "messages": [[message["role"], message["content"]] for message in messages],
        "shape": msgspec.to_builtins(shape),
        "schema": schema,
        "prompt": prompt,
    }
    return sha256(json.dumps(shaping, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


class Cache:
    """A folder of answers. It is never in the way: what cannot be read is a miss, what cannot be written is not kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, digest: str) -> Kept | None:
        """What is kept under a digest; None where nothing readable is."""
        try:
            return msgspec.json.decode(self._file(digest).read_bytes(), type=Kept)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None

    def put(self, digest: str, kept: Kept) -> None:
        """Keep an answer, whole or not at all, for this user alone to read."""
        name = None
        try:
            data = msgspec.json.format(msgspec.json.encode(kept), indent=2)
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(prefix=".new.", dir=self._folder)
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(name).replace(self._file(digest))
        except (OSError, UnicodeEncodeError):
            if name is not None:
                with suppress(OSError):
                    Path(name).unlink()

    def forget(self, digest: str) -> None:
        """Ask anew the next time."""
        with suppress(OSError):
            self._file(digest).unlink()

    def _file(self, digest: str) -> Path:
        return self._folder / f"{digest}.json"
