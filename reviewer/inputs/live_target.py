"""Which live server to ask, and with what, from what a caller says."""

import os
from collections.abc import Iterable
from dataclasses import field

from reviewer.files.discovery import CannotReviewError
from reviewer.records import dataclass

SECONDS = 60.0
"""Time for a server to start and to list its tools: one that is installed on the way (`npx`, `uvx`) takes tens of seconds."""


@dataclass(frozen=True, slots=True)
class LiveTarget:
    """Which server to ask, and with what: `address` is a command or a URL, `environment` are variables beside `PATH`."""

    address: str
    environment: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = SECONDS

    @property
    def is_url(self) -> bool:
        """Whether it is reached over HTTP."""
        return self.address.startswith(("http://", "https://"))

    @property
    def command(self) -> list[str]:
        """The words of the command. Raises CannotReviewError for quotes that are not closed, or none."""
        from reviewer.inputs.processes import split

        try:
            words = split(self.address)
        except ValueError as error:
            raise CannotReviewError(f"--live {self.address}: {str(error).lower()}") from None
        if not words:
            raise CannotReviewError("--live: give a command that starts a server, or its URL")
        return words


def build_target(address: str, variables: Iterable[str], headers: Iterable[str], seconds: float) -> LiveTarget:
    """Make a target of what a caller says: `NAME=VALUE` or `NAME` for one of our own variables, and `NAME: VALUE` headers.

    Raises CannotReviewError for one of another shape.
    """
    environment, given = {}, {}
    for each in variables:
        name, sign, value = each.partition("=")
        if not name or (not sign and name not in os.environ):
            raise CannotReviewError(
                f"--env {each}: " + ("there is no such variable" if name else "give NAME or NAME=VALUE")
            )
        environment[name] = value if sign else os.environ[name]
    for each in headers:
        name, sign, value = each.partition(":")
        if not sign or not name.strip().isascii() or not name.strip():
            raise CannotReviewError("--header: give NAME: VALUE")
        given[name.strip()] = value.strip()
    if not seconds > 0:
        raise CannotReviewError("--live-timeout: give a number of seconds over 0")
    return LiveTarget(address, environment, given, seconds)
