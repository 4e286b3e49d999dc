"""What every test may use."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# A busy machine must not turn a law into a failure (reported faults 106, 107).
_CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("unhurried", _CALM, max_examples=40)
settings.register_profile("thorough", _CALM, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "unhurried"))

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would every program that they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

HANG_SECONDS = 180
"""Far beyond what any test needs: only something that hangs takes so long."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """With `-n auto`: two workers a core, since most tests wait for the processes that they start."""
    return 2 * (os.cpu_count() or 1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Neighbours stay together, so that what a module sets up once is set up about once, and not once a worker."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


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
