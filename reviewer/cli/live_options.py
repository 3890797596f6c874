"""The command line's words about a live server: options, and what they ask for."""

from functools import partial
from typing import Annotated, NamedTuple

import typer

from reviewer.failures import CannotReviewError

PANEL = "Live server"
"""The heading of these options in `--help`."""
_option = partial(typer.Option, rich_help_panel=PANEL)

AddressOption = Annotated[
    str | None,
    _option(
        metavar="COMMAND|URL",
        help="Review a live server: a command that starts it, or its URL. With PATH, compare the two.",
    ),
]
VariablesOption = Annotated[
    list[str] | None,
    _option(
        "--env",
        metavar="NAME[=VALUE]",
        help="An environment variable for the live server; it gets only these and PATH.",
    ),
]
HeadersOption = Annotated[
    list[str] | None, _option("--header", metavar="NAME: VALUE", help="A header for the live server.")
]
LiveSecondsOption = Annotated[
    float, _option("--live-timeout", metavar="SECONDS", help="Seconds for the live server to answer.")
]
InCiOption = Annotated[bool, _option("--live-in-ci", help="Allow --live in CI, where the variable CI is set.")]


class Live(NamedTuple):
    """What the caller says of a live server."""

    address: str | None
    variables: list[str] | None
    headers: list[str] | None
    seconds: float
    in_ci: bool

    def validate(self) -> None:
        """Raise CannotReviewError for what is said of a live server that is not named."""
        said = {"--env": self.variables, "--header": self.headers, "--live-in-ci": self.in_ci}
        option = next((option for option, given in said.items() if given), None)
        if self.address is None and option is not None:
            raise CannotReviewError(f"{option}: requires --live")


NOT_LIVE = Live(None, None, None, 0.0, False)
