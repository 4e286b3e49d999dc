"""What a model call is allowed to be: `auditor.toml` and the environment, read once and strictly."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from auditor.errors import SettingsError
from auditor.service.settings_file import File, Limits, Price, lowered, read_file

OFFLINE = "offline"
"""The model name that means: no model, the built-in drafter."""

VENDOR = "https://api.openai.com/v1"
"""Where a key goes when nothing names another address."""

LONGEST_NAME = 200
"""Characters of the name of a model."""

KEY, ADDRESS = "OPENAI_API_KEY", "OPENAI_BASE_URL"
"""The variables of the environment. Keys are read from nowhere else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One model behind one OpenAI-compatible address, and how it is asked."""

    model: str
    base_url: str
    """With its scheme; neither user, query nor fragment; no slash at the end."""
    key: str | None = field(default=None, repr=False)
    """None where the address is local and gets none, and where the environment has none."""
    local: bool = False
    """Whether the address is this machine's own: no proxy is used, no key is needed."""
    bare: bool = False
    """Whether the address stands in `auditor.toml` alone: then nothing of the environment goes along, be it key, organisation or header."""
    timeout: float = 60
    """Seconds for one request, from its start to its last byte."""
    max_output_tokens: int = 4000
    attempts: int = 3
    """Requests for one answer at most, where the fault may pass."""
    structure: Literal["auto", "json_schema", "json_object", "plain"] = "auto"
    """How the answer's form is asked for; `auto` begins with the strictest and falls back where the endpoint refuses it."""
    limit: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    """The name under which the endpoint knows the limit of an answer."""
    temperature: float = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that the drafting layer is told."""

    endpoint: Endpoint | None
    """None: no model is named, and drafts are made offline."""
    limits: Limits = field(default_factory=Limits)
    price: Price | None = None
    """Of the endpoint's model; None where auditor.toml has none."""
    redact: tuple[str, ...] = ()
    """The user's own redaction patterns, as they stand in the file."""
    remarks: tuple[str, ...] = ()
    """What of the file does not count, since a patch can edit it; a line each, to be told before anything is drafted."""


def load_settings(root: Path, environ: Mapping[str, str], *, model: str | None = None) -> Settings:
    """The settings of the project in `root`; `model` is the command line's and beats the file's. No file: the defaults.

    Whose word counts: the command line, then the environment, then the file. A repository is the work of whoever sent the patch, so of
    `auditor.toml` alone an address must be this machine's own, and gets no key; a model is asked at such an address only, and else
    drafts are made offline; and a budget counts where it is lower than the default. Raises SettingsError.
    """
    file = read_file(root / "auditor.toml")
    name = file.model.name if model is None else model.strip()
    if model is not None and not name:
        raise SettingsError("--model: expected a name, got none", next_step=f"Name a model, or `{OFFLINE}` for none.")
    if not name.isprintable() or len(name) > LONGEST_NAME:
        place = "--model" if model is not None else f"auditor.toml:{file.line('model', 'name')}: model.name"
        raise SettingsError(
            f"{place}: expected a name of at most {LONGEST_NAME} printable characters, got something else",
            next_step="Write the model's name as the provider does.",
        )
    offline = Settings(endpoint=None, limits=lowered(file.budget), redact=file.redact.patterns)
    if not name or name == OFFLINE:
        return offline
    endpoint = _endpoint(name, file, environ)
    if model is None and not endpoint.local:
        return replace(offline, remarks=(_unasked(name, file),))
    return Settings(
        endpoint=endpoint,
        limits=lowered(file.budget),
        price=file.prices.get(name),
        redact=file.redact.patterns,
        remarks=tuple(_raised(file)),
    )


def _unasked(name: str, file: File) -> str:
    return (
        f"drafting offline: auditor.toml:{file.line('model', 'name')} names the model {name}, and a patch can edit that file; "
        "to ask a model that is not on this machine, name it yourself: --model"
    )


def _raised(file: File) -> Iterator[str]:
    counts = lowered(file.budget)
    for key in ("requests", "tokens", "seconds"):
        said, most = getattr(file.budget, key), getattr(counts, key)
        if said > most:
            place = f"auditor.toml:{file.line('budget', key)}: budget.{key}"
            yield f"{place}: {said:.12g} counts as {most:.12g}: a patch can edit that file, so it can only lower a limit"


def _endpoint(name: str, file: File, environ: Mapping[str, str]) -> Endpoint:
    named = environ.get(ADDRESS, "").strip()
    address, place = _address(named, file)
    local = _checked(address, place)
    if not named and file.model.base_url and not local:
        raise SettingsError(
            f"auditor.toml:{file.line('model', 'base_url')}: model.base_url: expected an address of this machine, got another",
            next_step=f"A patch can edit this file, so an address out there is taken from the environment only: set {ADDRESS}.",
        )
    trusted = bool(named) or not file.model.base_url
    said = file.model
    return Endpoint(
        model=name,
        base_url=address,
        key=_key(environ) if trusted else None,
        local=local,
        bare=not trusted,
        timeout=said.timeout,
        max_output_tokens=said.max_output_tokens,
        attempts=said.attempts,
        structure=said.structure,
        limit=said.limit,
        temperature=said.temperature,
    )


def _address(named: str, file: File) -> tuple[str, str]:
    """The address without a slash at the end, and where it was said."""
    if named:
        return named.rstrip("/"), ADDRESS
    if file.model.base_url:
        return file.model.base_url.rstrip("/"), f"auditor.toml:{file.line('model', 'base_url')}: model.base_url"
    return VENDOR, "the vendor's address"


def _checked(address: str, place: str) -> bool:
    """Whether the address is this machine's. The error never repeats an address: it may hold a password."""
    try:
        parts = urlsplit(address)
        host, user, _ = parts.hostname, parts.username, parts.port
    except ValueError:
        host, user, parts = None, None, urlsplit("")
    plain = address.isascii() and address.isprintable() and " " not in address
    if not plain or parts.scheme not in ("http", "https") or not host:
        raise SettingsError(
            f"{place}: expected an address such as http://127.0.0.1:8080/v1, got none",
            next_step="Write the whole address, with http:// or https:// and, where the server has it, /v1.",
        )
    if user is not None or parts.query or parts.fragment:
        raise SettingsError(
            f"{place}: expected an address without user, query and fragment, got one with them",
            next_step=f"A key belongs into {KEY}.",
        )
    return host == "localhost" or _is_loopback(host)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _key(environ: Mapping[str, str]) -> str | None:
    key = environ.get(KEY, "").strip()
    if not key:
        return None
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise SettingsError(
            f"{KEY}: expected printable ASCII without spaces, got something else",
            next_step="Set the key again, as the vendor shows it.",
        )
    return key
