"""The command, run in the process of a test: it says and returns what a process of its own would, of which a start takes a second.

Where a process itself matters (its streams, signals, what it loads, that it ends), a test starts one.
"""

import contextlib
import io
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

from reviewer.cli.app import run


def invoke(
    *arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command with some variables besides those of the test, and return its exit code and what it wrote to its streams."""
    given = [str(each) for each in arguments]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True) for _ in range(2))
    with (
        contextlib.chdir(cwd or "."),
        mock.patch.dict(os.environ, env or {}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = run(given)
    written, told = (each.buffer.getvalue().decode("utf-8") for each in (out, err))
    return subprocess.CompletedProcess(given, code, written, told)
