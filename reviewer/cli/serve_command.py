"""The command line's words about the server mode. Loads nothing of it before it is asked for."""

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from reviewer.files.discovery import CannotReviewError
from reviewer.installation.extras import require

RootOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--root", help="A folder that clients may have reviewed; repeatable. The current folder if not given."
    ),
]
HttpOption = Annotated[
    str | None,
    typer.Option(
        "--http",
        metavar="HOST:PORT",
        help="Serve Streamable HTTP instead of stdio; beyond this machine only with a token in MCP_REVIEW_TOKEN.",
        show_default=False,
    ),
]
TimeoutOption = Annotated[float, typer.Option("--timeout", help="Seconds for one review.")]
ProcessesOption = Annotated[int, typer.Option("--processes", min=1, max=64, help="Reviews at once.")]


def serve(
    root: RootOption = None, http: HttpOption = None, timeout: TimeoutOption = 120.0, processes: ProcessesOption = 2
) -> int:
    """Serve the review to agents, as the tools of an MCP server."""
    require("serve", "serve")
    if not timeout > 0:
        raise CannotReviewError("--timeout: give a number of seconds over 0")
    # A process for a review starts in the folder that is served. It must not find modules there.
    os.environ["PYTHONSAFEPATH"] = "1"
    made = _build_server(root or [], timeout, processes)
    if http is None:
        if sys.stdin is None or sys.stdout is None:  # closed when the process began
            raise CannotReviewError(
                "serve: speaks over standard input and output, and one of them is closed; open it, or use --http"
            )
        if sys.stdin.isatty():
            typer.echo("mcp-review: waiting for an MCP client on standard input; end with Ctrl-C", err=True)
        made.run("stdio")
    else:
        _serve_http(made, http)
    return 0


def _build_server(root: list[Path], timeout: float, processes: int) -> Any:
    import logging

    from reviewer.serve.roots import resolve_roots

    allowed = resolve_roots(root)
    logging.basicConfig(
        level=logging.ERROR, format="mcp-review: %(message)s"
    )  # before the SDK sets up a log of its own
    from reviewer.serve.server import build_server
    from reviewer.serve.tools import ServedTools
    from reviewer.serve.worker_pool import PoolBounds, WorkerPool

    return build_server(ServedTools(allowed, WorkerPool(PoolBounds(seconds=timeout, processes=processes))))


def _serve_http(made: Any, given: str) -> None:
    import anyio

    from reviewer.serve import http

    at = http.parse_address(given)
    token = http.check_token(at, os.environ.pop(http.TOKEN, None))
    taken = http.bind_socket(at)
    at = at._replace(port=taken.getsockname()[1])
    typer.echo(f"mcp-review: serving at {at.url}", err=True)
    anyio.run(http.serve, made, at, token, taken)
