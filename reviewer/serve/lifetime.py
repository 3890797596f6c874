"""The process of a job ends with its server, and before it takes more memory than it may; on every platform."""

import os
import threading
import time

import psutil

from reviewer.caching import cache

MOST_MEMORY = 4 * 2**30
"""Bytes that one process may take."""

PAUSE = 0.5
"""Seconds between two looks at the server, and at the memory where the system itself bounds none."""


@cache
def bound(server: int) -> None:
    """Bound this process, once, for the server that started it."""
    most = None if _is_limited(MOST_MEMORY) else MOST_MEMORY
    threading.Thread(target=_watch_server, args=(server, most), daemon=True).start()


def _is_limited(most: int) -> bool:
    """Limit the addresses that this process may take; return whether the system does so. Windows and macOS do not."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, AttributeError, OSError, ValueError):
        return False
    return True


def _watch_server(server: int, most: int | None) -> None:
    """End this process when its server has ended, or, if `most` is a number of bytes, when it takes more."""
    try:
        parent, own = psutil.Process(server), psutil.Process()
        while _is_child_of(parent) and (most is None or own.memory_info().rss <= most):
            time.sleep(PAUSE)
    except psutil.Error:
        pass  # the server is gone
    os._exit(1)


def _is_child_of(parent: psutil.Process) -> bool:
    """Return whether the server is there: POSIX gives an orphan another parent, Windows leaves it the number of the old one."""
    return os.getppid() == parent.pid and bool(parent.is_running())
