"""A command → a process that ends with all that it started, on every platform.

POSIX has process groups, which reach a process even if what started it has ended. Elsewhere the processes below are looked up
while their parents are there.
"""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress

import anyio
import psutil
from anyio.abc import Process

GRACE = 1.0
"""Seconds that a server has to end by itself after its input is closed."""

NEEDED = ("PATH",) if os.name != "nt" else ("PATH", "PATHEXT", "SYSTEMROOT")
"""Variables that a process needs to start at all: on Windows no program finds its libraries without `SYSTEMROOT`."""


def split(command: str) -> list[str]:
    """Split a command as the platform's shell does. Raises ValueError for a quote that is not closed."""
    if os.name != "nt":
        return shlex.split(command)
    # A backslash separates folders there, and quotes remain when it is left alone.
    return [each[1:-1] if each[:1] == each[-1:] == '"' else each for each in shlex.split(command, posix=False)]


async def start(command: Sequence[str], variables: Mapping[str, str]) -> Process:
    """Start a command with the variables and what any process needs, and no more of the environment. Raises OSError."""
    environment = {name: os.environ[name] for name in NEEDED if name in os.environ} | dict(variables)
    environment.setdefault("PATH", os.defpath)
    program = shutil.which(command[0], path=environment["PATH"]) or command[0]  # Windows itself adds no `.cmd` to `npx`
    return await anyio.open_process(
        [program, *command[1:]],
        env=environment,
        start_new_session=True,  # Windows has none, and passes over it
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


async def end(process: Process) -> None:
    """Close a process's input, wait a little, then end it and all that it started."""
    below = _collect_below(process.pid)  # once a process has ended, nobody can tell what it started
    if process.stdin is not None:
        with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await process.stdin.aclose()
    if not await _ends(process):
        below += _collect_below(process.pid)
        _ask_to_end(process, below)
        await _ends(process)
    _kill(process, below)
    await _ends(process)
    with suppress(OSError, subprocess.SubprocessError, anyio.BrokenResourceError):
        await process.aclose()


async def _ends(process: Process) -> bool:
    """Return whether a process ends within the time of grace."""
    with anyio.move_on_after(GRACE):
        await process.wait()
        return True
    return False


def _collect_below(process: int) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return psutil.Process(process).children(recursive=True)
    return []


def _ask_to_end(process: Process, below: Sequence[psutil.Process]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGTERM)
        else:
            process.terminate()
    for each in below:
        with suppress(psutil.Error):
            each.terminate()


def _kill(process: Process, below: Sequence[psutil.Process]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()
    for each in below:
        with suppress(psutil.Error):
            each.kill()
