"""One request over HTTP, through LangChain's client of OpenAI-compatible endpoints, with everything off that would hide something."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from auditor.service.bounded import PLAIN, bound
from auditor.service.faults import FailedError, classify
from auditor.service.form import Form
from auditor.service.settings import LONGEST_NAME, Endpoint

T = TypeVar("T")

Messages = Sequence[Mapping[str, str]]
"""`role` (system, user, assistant) and `content`, in order."""

_CONNECT = 10.0
_NO_KEY = "not-needed"
_NEEDED = frozenset(
    {
        "host",
        "accept",
        "accept-encoding",
        "connection",
        "content-type",
        "content-length",
        "transfer-encoding",
        "x-stainless-raw-response",  # the client reads it again, to know what was asked of it
    }
)
_MOST_TOKENS = 1_000_000_000
_CUT = frozenset({"length", "max_tokens", "model_length"})


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """A whole reply of a chat model: a text that is not empty, was not cut off and is no refusal, or else what it is instead."""

    text: str
    model: str
    """As the reply names it; empty where it does not, or not as a name."""
    tokens: tuple[int, int] | None
    """Of the question and of the answer, as the endpoint counts; None where it does not tell."""
    failure: FailedError | None = None
    """Why the text is no answer: refused, cut off or empty."""


def send(endpoint: Endpoint, messages: Messages, body: dict[str, Any], *, form: Form, seconds: float) -> Reply:
    """Ask once, with `body` of that form beside the messages, and give the reply within `seconds`.

    Raises FailedError, also for packages that are not installed.
    """
    try:
        client, http = _client(endpoint, seconds)
    except ImportError as error:
        raise FailedError("not installed", f"no module {error.name}", sent=False) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the client comments on refused formats; they are handled
            message = within(seconds, lambda: _invoke(client, messages, body))
    except TimeoutError:
        raise FailedError("timed out", f"no whole answer after {seconds:.3g} s", billed=True) from None
    except Exception as error:  # a reply that is none makes the client raise anything
        raise classify(error, form=form, key=endpoint.key) from None
    finally:
        http.close()
    return _reply(message, endpoint.key)


def _client(endpoint: Endpoint, seconds: float) -> tuple[Any, Any]:
    import openai  # noqa: PLC0415 - slow, and may not be there
    from langchain_openai import ChatOpenAI  # noqa: PLC0415

    timeout = openai.Timeout(seconds, connect=min(seconds, _CONNECT))
    # No redirect is followed: it would carry the question to an address that nobody named. A local address takes no proxy.
    http = openai.DefaultHttpxClient(
        follow_redirects=False,
        timeout=timeout,
        trust_env=not endpoint.local,
        event_hooks={"request": [_bare] if endpoint.bare else [], "response": [bound]},
    )
    settings: dict[str, Any] = {
        "model": endpoint.model,
        "base_url": endpoint.base_url,
        "api_key": endpoint.key or _NO_KEY,
        "timeout": timeout,
        "max_retries": 0,
        "use_responses_api": False,
        "cache": False,
        "openai_proxy": None,
        "http_client": http,
        "default_headers": PLAIN,
    }
    return ChatOpenAI(**settings), http


def _bare(request: Any) -> None:
    """A hook for a request of httpx or httpx2, before it is sent: of its headers what HTTP needs stays, and the client's word for no key.

    The client takes an organisation, a project and headers of any name from the environment, a key among them.
    """
    for name in set(request.headers) - _NEEDED:
        del request.headers[name]
    request.headers["authorization"] = f"Bearer {_NO_KEY}"


def _invoke(client: Any, messages: Messages, body: dict[str, Any]) -> Any:
    from langsmith import tracing_context  # noqa: PLC0415

    with tracing_context(enabled=False):  # else a variable of the environment sends every question elsewhere
        return client.invoke([dict(message) for message in messages], extra_body=body)


def _reply(message: Any, key: str | None) -> Reply:
    content = message.content
    text = _without(key, content if isinstance(content, str) else str(message.text))
    finish = str(message.response_metadata.get("finish_reason"))
    usage = message.usage_metadata
    counted = (_count(usage["input_tokens"]), _count(usage["output_tokens"])) if usage else None
    failure = None
    if message.additional_kwargs.get("refusal") or finish == "content_filter":
        failure = FailedError("refused", "by a filter of the endpoint" if finish == "content_filter" else "")
    elif finish in _CUT:
        failure = FailedError("cut off")
    elif not text.strip():
        failure = FailedError("empty")
    named = message.response_metadata.get("model_name")
    plain = isinstance(named, str) and len(named) <= LONGEST_NAME and named.isprintable()
    return Reply(text=text, model=_without(key, named) if plain else "", tokens=counted, failure=failure)


def _without(key: str | None, text: str) -> str:
    """A text that does not hold the key: the endpoint knows it, and what it says is kept."""
    return text.replace(key, "[REDACTED]") if key else text


def _count(told: object) -> int:
    """A number of tokens that can be one."""
    return min(max(int(str(told)), 0), _MOST_TOKENS)


def within(seconds: float, call: Callable[[], T]) -> T:
    """What `call` gives, or raises, if it does so within `seconds`. Raises TimeoutError if not.

    The client's timeouts bound the silence between two pieces of a reply, not the whole: an endpoint that drips would be listened to
    for ever. So the call runs in a thread of its own, which is left alone when the time is over, and ends with the process at the latest.
    """
    done: list[tuple[T | None, BaseException | None]] = []

    def run() -> None:
        try:
            done.append((call(), None))
        except BaseException as error:  # raised again where it is waited for
            done.append((None, error))

    thread = threading.Thread(target=run, daemon=True, name="model request")
    thread.start()
    thread.join(seconds)
    if not done:
        raise TimeoutError
    value, error = done[0]
    if error is not None:
        raise error
    return value  # type: ignore[return-value]
