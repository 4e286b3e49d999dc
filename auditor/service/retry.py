"""The one retry policy. The client's own retries are off: layers of them multiply."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from auditor.service.faults import FailedError

T = TypeVar("T")

LONGEST_WAIT = 60.0
"""Seconds: an endpoint that asks for more is not waited for."""


def with_retries(
    attempt: Callable[[], T],
    *,
    attempts: int,
    seconds_left: Callable[[], float],
    record: Callable[[FailedError, float], None],
    sleep: Callable[[float], None] = time.sleep,
) -> T:
    """What `attempt` gives, called again after a failure that may pass, `attempts` times at most. Raises the last FailedError.

    It waits as long as the endpoint asked, else longer each time with jitter. It gives up rather than wait more than a minute, or
    beyond the time that is left. `record` is told each failure that is tried again, and the wait after it.
    """
    import tenacity  # noqa: PLC0415 - it may not be there

    backoff = tenacity.wait_exponential_jitter(multiplier=0.5, max=8, jitter=0.5)

    def wait(state: Any) -> float:
        asked: float | None = state.outcome.exception().retry_after
        return float(backoff(state)) if asked is None else asked

    def stop(state: Any) -> bool:
        pause: float = state.upcoming_sleep
        return state.attempt_number >= attempts or pause > LONGEST_WAIT or pause >= seconds_left()

    def before_sleep(state: Any) -> None:
        record(state.outcome.exception(), state.upcoming_sleep)

    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(lambda error: isinstance(error, FailedError) and error.passing),
        wait=wait,
        stop=stop,
        before_sleep=before_sleep,
        sleep=sleep,
        reraise=True,
    )
    given: T = retrying(attempt)
    return given
