"""The command that writes a first configuration."""

from pathlib import Path
from typing import Annotated

import typer

FolderArgument = Annotated[
    Path,
    typer.Argument(
        metavar="[FOLDER]", help="The folder of the server; the current one if not given.", show_default=False
    ),
]


def init(folder: FolderArgument = Path()) -> int:
    """Write a commented configuration.

    It is mcp-review.toml, with the profile that fits the server.
    """
    from reviewer.cli.starter_config import start
    from reviewer.cli.streams import write_stdout
    from reviewer.render.plain import escape_hidden

    write_stdout(f"{escape_hidden(start(folder))}\n")
    return 0
