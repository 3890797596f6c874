"""The command line's words about a live server: options, and what they ask for."""

from typing import Annotated, NamedTuple

import typer

AddressOption = Annotated[
    str | None,
    typer.Option(
        help="Ask a live server: a command that starts it, or its URL. With PATH, the two are compared.",
        show_default=False,
    ),
]
VariablesOption = Annotated[
    list[str] | None,
    typer.Option("--env", help="A variable for the live server, NAME or NAME=VALUE; it gets no others but PATH."),
]
HeadersOption = Annotated[list[str] | None, typer.Option("--header", help="A header for the live server, NAME: VALUE.")]
SecondsOption = Annotated[float, typer.Option("--live-timeout", help="Seconds for the live server to answer.")]
InCiOption = Annotated[bool, typer.Option("--live-in-ci", help="Allow --live where the variable CI is set.")]


class Live(NamedTuple):
    """What the caller says of a live server."""

    address: str | None
    variables: list[str] | None
    headers: list[str] | None
    seconds: float
    in_ci: bool


NOT_LIVE = Live(None, None, None, 0.0, False)
