"""Makes `tests/mdtest.py` importable, lets tests interrupt themselves, and draws the same examples unless a search is asked for."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

for name in ("FORCE_COLOR", "NO_COLOR"):  # a CI that sets one of them has the same tests
    os.environ.pop(name, None)

os.environ.setdefault("MCP_REVIEW_DEBUG", "1")  # the net below unexpected exceptions must hide no fault from a test
os.environ.setdefault("MCP_REVIEW_NO_CACHE", "1")  # a test that changes a rule is told no answer of another one

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a CI that a shell started in the background has the same tests
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long examples take to draw is up to what else the machine does.
settings.register_profile("same", derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", derandomize=False)
settings.load_profile("search" if "DIFFERENTIAL_EXAMPLES" in os.environ else "same")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect the tests without looking for garbage, of which there is none: 20,000 tests stay until the end, nor are they looked at again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(
            100_000, 20, 20
        )  # as `reviewer/serve/jobs.py` has it: a review makes much, and drops it at its end
