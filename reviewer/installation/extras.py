"""The optional dependencies: which modules each extra brings, and the one command that installs what is not there.

A review from source needs none of them. They are looked for before anything is read, and imported only where they are used.
"""

import shlex
import sys
from importlib.util import find_spec
from typing import Literal

from reviewer.files.discovery import CannotReviewError

Extra = Literal["judge", "bedrock", "vertex", "live", "serve", "github"]

MODULES: dict[Extra, tuple[str, ...]] = {
    "judge": ("anthropic",),
    "bedrock": ("anthropic", "botocore"),
    "vertex": ("anthropic", "google.auth"),
    "live": ("mcp", "httpx2", "psutil"),
    "serve": ("mcp", "psutil", "starlette", "uvicorn"),
    "github": ("httpx2",),
}
"""Modules that the code behind each extra imports, directly or through the SDK of a cloud."""


def require(extra: Extra, asked: str) -> None:
    """Raise CannotReviewError with the command that installs an extra, unless it is installed.

    `asked` is what the user asked for, as they wrote it.
    """
    if not all(map(_is_installed, MODULES[extra])):
        from reviewer.installation.source import format_requirement  # loads what reads installed packages

        raise CannotReviewError(
            f"{asked} needs packages that are not installed: {_install()} {format_requirement(extra)}"
        )


def _is_installed(module: str) -> bool:
    """Return whether a module can be found, without importing more than the packages it is in."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # a package it is in is missing
        return False


def _install() -> str:
    """Return the command that installs into this environment, where mcp-review is: another `pip` on PATH does not."""
    python = shlex.quote(sys.executable)
    return f"{python} -m pip install" if _is_installed("pip") else f"uv pip install --python {python}"
