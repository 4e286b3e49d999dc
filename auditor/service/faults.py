"""Which kind of failure an exception of the client is. What the endpoint said is read, and never repeated."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from auditor.service.form import Form, next_form
from auditor.service.outcomes import PASSING, Kind

_PLAIN = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_PIECE = 8
_QUOTA = frozenset({"insufficient_quota", "quota_exceeded", "billing_hard_limit_reached", "billing_not_active"})
_TOO_LONG = frozenset({"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"})
_TOO_LONG_WORDS = re.compile(r"context (length|size|window)|prompt is too long|too many (input )?tokens|n_ctx")
_FILTERED = frozenset({"content_filter", "content_policy_violation"})
_BY_STATUS: dict[int, Kind] = {
    401: "unauthorised",
    402: "quota",
    403: "unauthorised",
    404: "model not found",
    408: "server",
    409: "server",
    413: "context too long",
    425: "server",
    429: "rate limited",
}


class FailedError(Exception):
    """One request that gave no answer. It holds no exception of the client's, as those repeat what was sent and received."""

    def __init__(
        self,
        kind: Kind,
        detail: str = "",
        *,
        retry_after: float | None = None,
        form: Form | None = None,
        billed: bool = False,
        sent: bool = True,
    ) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        self.retry_after = retry_after
        """Seconds that the endpoint asks to wait; None where it does not say."""
        self.form = form
        """The form in which to ask at once again, where the endpoint does not know the one that was used."""
        self.billed = billed
        """Whether the endpoint may have worked, and charged, all the same."""
        self.sent = sent

    @property
    def passing(self) -> bool:
        """Whether it may be gone a moment later."""
        return self.kind in PASSING and self.form is None


def classify(error: Exception, *, form: Form, key: str | None) -> FailedError:
    """The failure that an exception of a request is."""
    import openai  # noqa: PLC0415 - slow, and may not be there

    own = next((cause for cause in _causes(error) if isinstance(cause, FailedError)), None)
    if own is not None:
        return own
    if isinstance(error, openai.APIStatusError):
        return _status(error, form, key)
    if isinstance(error, openai.APITimeoutError):
        return FailedError("timed out", "the endpoint was silent for too long", billed=True)
    if isinstance(error, openai.APIConnectionError):
        return FailedError("connection", _reason(error))
    return FailedError("bad reply", type(error).__name__)


def _status(error: Any, form: Form, key: str | None) -> FailedError:
    status = int(error.status_code)
    said = _said(error)
    detail = _detail(status, error, key)
    code = {str(getattr(error, "code", None)), str(getattr(error, "type", None))}
    if status in (400, 413, 422, 500) and (code & _TOO_LONG or _TOO_LONG_WORDS.search(said)):
        return FailedError("context too long", detail)
    if status in (400, 403) and code & _FILTERED:
        return FailedError("refused", detail)
    if status == 429 and code & _QUOTA:
        return FailedError("quota", detail)
    if status in (400, 404) and "model_not_found" in code:
        return FailedError("model not found", detail)
    if status in (400, 415, 422, 500, 501) and (other := next_form(form, said)):
        return FailedError("bad request", detail, form=other)
    kind: Kind = _BY_STATUS.get(status) or (
        "server" if status >= 500 else "bad request" if status >= 400 else "bad reply"
    )
    return FailedError(kind, detail, retry_after=retry_after(error.response.headers), billed=status in (408, 504))


def _said(error: Any) -> str:
    """What the endpoint said, lower case, for looking words up in it."""
    return f"{getattr(error, 'body', '')} {error.message}".lower()[:20_000]


def _detail(status: int, error: Any, key: str | None) -> str:
    """Status, code and request id (reported fault 136), the latter two only where they are plain words without a piece of the key."""
    parts = [f"HTTP {status}"]
    for name, value in (
        ("code", getattr(error, "code", None)),
        ("request id", error.response.headers.get("x-request-id")),
    ):
        if isinstance(value, str) and _PLAIN.fullmatch(value) and not _holds(value, key):
            parts.append(f"{name} {value}")
    return ", ".join(parts)


def _holds(text: str, key: str | None) -> bool:
    """Whether a text has a piece of the key in it."""
    if not key:
        return False
    pieces = {key[start : start + _PIECE].lower() for start in range(max(len(key) - _PIECE, 0) + 1)}
    return any(piece in text.lower() for piece in pieces)


def _reason(error: BaseException) -> str:
    """The system's own word for why there is no connection; else nothing but the name of the class."""
    chain = list(_causes(error))
    for cause in reversed(chain):
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror.lower()
    return type(chain[-1]).__name__


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def retry_after(headers: Mapping[str, str], *, now: Callable[[], float] = time.time) -> float | None:
    """Seconds to wait, as the headers say: `retry-after-ms`, then `retry-after` in seconds or as a date. Nonsense counts as unsaid."""
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    said = headers.get("retry-after")
    if (seconds := _number(said)) is not None:
        return seconds
    try:
        return max(parsedate_to_datetime(said or "").timestamp() - now(), 0)
    except (ValueError, TypeError, OverflowError):
        return None


def _number(said: str | None) -> float | None:
    try:
        number = float(said or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
