"""What a piece of work costs, told so that a busy machine tells the same."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def calls(work: Callable[[], object]) -> int:
    """How many functions, of Python and of C, are called within it."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fail where this process worked longer than that. Time in which other processes had its core does not count."""
    started = time.process_time()
    yield
    taken = time.process_time() - started
    assert taken < seconds, f"took {taken:.1f} s of {seconds}"
