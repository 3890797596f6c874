"""The command line's words about changes: options, and the two sides that they ask for."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from reviewer.files import CannotReviewError

DiffOption = Annotated[
    str | None,
    typer.Option(
        "--diff",
        metavar="BASE",
        help="Say what was introduced and fixed since the history parted from BASE, a commit, branch or tag.",
        show_default=False,
    ),
]
UnchangedOption = Annotated[
    bool, typer.Option("--show-unchanged", help="With --diff, print also what was there before.")
]


@contextmanager
def sides(path: Path | None, flags: Any, base: str, live: str | None) -> Iterator[tuple[Any, Any]]:
    """Read a path and what it is compared with, which lasts as long as the context. Raises CannotReviewError."""
    from reviewer.base import against

    if live is not None or path is None:
        raise CannotReviewError(
            "--diff: give a path in a git repository, and no --live: what a live server was is not known"
        )
    with against(path, flags, base) as found:
        yield found
