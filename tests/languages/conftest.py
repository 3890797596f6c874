"""Bounds the time and the memory of tests that read hostile sources."""

import resource
import signal

import pytest

SECONDS = 20
"""After which one test is stopped."""
MEMORY = 3 * 2**30
"""Bytes that one test may take beyond what the process has."""


class StuckError(BaseException):
    """The reading takes too long; no `except Exception` on the way holds it up."""


@pytest.fixture
def bounded():
    """Stop what hangs, and refuse memory to what eats it, before the machine suffers."""

    def stop(_signal, _frame):
        raise StuckError("the reading is not done in time")

    with open("/proc/self/statm") as file:
        taken = int(file.read().split()[0]) * resource.getpagesize()
    limits = resource.getrlimit(resource.RLIMIT_AS)
    before = signal.signal(signal.SIGALRM, stop)
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, limits[1]))
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, limits)
