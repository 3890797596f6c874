"""Bounds the time and the memory of tests that read hostile sources."""

import resource
import signal

import pytest

SECONDS = 20
"""Of work, after which one test is stopped."""
WAITING = 120
"""Seconds by the clock, after which it is stopped even if it does nothing, or others do much."""
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
    before = [(each, signal.signal(each, stop)) for each in (signal.SIGALRM, signal.SIGPROF)]
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, limits[1]))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(WAITING)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        for each, handler in before:
            signal.signal(each, handler)
        resource.setrlimit(resource.RLIMIT_AS, limits)
