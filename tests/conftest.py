"""What every test may use."""

import signal

import pytest
from hypothesis import HealthCheck, settings

# A busy machine must not turn a law into a failure (reported faults 106, 107).
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

HANG_SECONDS = 60
"""Far beyond what any test needs: only something that hangs takes so long."""


@pytest.fixture
def no_hang():
    """Fail a test that hangs, whatever the machine's speed. No assertion about how long something takes."""

    def fail(*_):
        raise TimeoutError(f"still running after {HANG_SECONDS} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(HANG_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
