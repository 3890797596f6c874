"""The command line's words about a live server: options, and what they ask for."""

from typing import Annotated, NamedTuple

import typer

from reviewer.failures import CannotReviewError

PANEL = "Live server"
"""The heading of these options in `--help`."""

AddressOption = Annotated[
    str | None,
    typer.Option(
        metavar="COMMAND|URL",
        help="Ask a live server: a command that starts it, or its URL. With PATH, the two are compared.",
        show_default=False,
        rich_help_panel=PANEL,
    ),
]
VariablesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--env",
        metavar="NAME[=VALUE]",
        help="A variable for the live server; it gets no others but PATH.",
        rich_help_panel=PANEL,
    ),
]
HeadersOption = Annotated[
    list[str] | None,
    typer.Option("--header", metavar="NAME: VALUE", help="A header for the live server.", rich_help_panel=PANEL),
]
SecondsOption = Annotated[
    float,
    typer.Option(
        "--live-timeout", metavar="SECONDS", help="Seconds for the live server to answer.", rich_help_panel=PANEL
    ),
]
InCiOption = Annotated[
    bool, typer.Option("--live-in-ci", help="Allow --live where the variable CI is set.", rich_help_panel=PANEL)
]


class Live(NamedTuple):
    """What the caller says of a live server."""

    address: str | None
    variables: list[str] | None
    headers: list[str] | None
    seconds: float
    in_ci: bool

    def insist(self) -> None:
        """Raise CannotReviewError for what is said of a live server that is not named."""
        said = {"--env": self.variables, "--header": self.headers, "--live-in-ci": self.in_ci}
        option = next((option for option, given in said.items() if given), None)
        if self.address is None and option is not None:
            raise CannotReviewError(f"{option}: goes with --live only")


NOT_LIVE = Live(None, None, None, 0.0, False)
