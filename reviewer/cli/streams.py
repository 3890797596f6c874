"""What the command stands in and does not make: its standard streams and its current folder. Nothing else writes to the streams.

A stream may be closed, a full disk or a pipe that nobody reads, and the folder may be removed. None of that is a fault of ours.
"""

import contextlib
import os
import sys

from reviewer.failures import CannotReviewError


def write_stdout(text: str) -> None:
    """Write a text to standard output. Raises CannotReviewError if that cannot be; a reader that went away has read enough."""
    if sys.stdout is None:  # it was closed when the process began
        raise CannotReviewError("standard output: cannot be written: closed")
    try:
        # Halves of characters, which source may spell, are written as escapes; JSON has none.
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        return
    except OSError as error:
        raise CannotReviewError(_describe_unwritten(error)) from None


def tell(line: str) -> None:
    """Print a line on standard error; if that is closed, do nothing: the exit code still says what happened."""
    from reviewer.render.plain import escape_hidden

    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"mcp-review: {escape_hidden(line)}\n")
        sys.stderr.flush()


def describe_error(error: Exception) -> str | None:
    """Say what of the surroundings an exception is owed to, None if to nothing of them; empty for a reader that went away."""
    if not isinstance(error, OSError):
        return None
    if _is_of_library(error):
        return "" if isinstance(error, BrokenPipeError) else _describe_unwritten(error)
    if isinstance(error, FileNotFoundError) and _has_no_folder():
        return "the current folder was removed; change to one that is there"
    return None


def _describe_unwritten(error: OSError) -> str:
    return f"standard output: cannot be written: {(error.strerror or str(error)).lower()}"


def _is_of_library(error: OSError) -> bool:
    """Return whether the library of the command line met an error as it wrote: the help of a command, or a completion."""
    trace, innermost = error.__traceback__, None
    while trace is not None:
        innermost, trace = trace.tb_frame, trace.tb_next
    if innermost is None:
        return False
    module = innermost.f_globals.get("__name__", "").partition(".")[0]
    return module in ("typer", "click") and innermost.f_code.co_name == "echo"


def _has_no_folder() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False
