"""Servers whose tools are written nowhere: made of a document, of an application, or by a library that shows nothing of them."""

from reviewer.languages.python.declarations.sdks import is_fastmcp
from reviewer.languages.python.declarations.server_objects import note_server
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import CallArguments, Const, External, PyInstance, PyValue
from reviewer.source import Opaque

CONSTRUCTORS = {
    "from_openapi": "an OpenAPI document",
    "from_fastapi": "a FastAPI application",
    "as_proxy": "another server",
}
"""Methods of fastmcp's class, and where the tools of the server come from."""

WRAPPERS = {
    "fastapi_mcp.FastApiMCP": "a FastAPI application",
    "fastapi_mcp.server.FastApiMCP": "a FastAPI application",
}
"""Classes of other libraries, likewise."""

HIDDEN = "mcp.server.lowlevel.Server"
"""The class of the server that such a library makes."""


def make_by_call(run: Evaluator, path: str, arguments: CallArguments) -> PyValue | None:
    """Take a call that makes such a server; None for any other."""
    owner, _, name = path.rpartition(".")
    if name in CONSTRUCTORS and is_fastmcp(owner):
        return _build_server(run, owner, CONSTRUCTORS[name], arguments)
    return _build_server(run, HIDDEN, WRAPPERS[path], arguments) if path in WRAPPERS else None


def make_by_launch(run: Evaluator, name: str, arguments: CallArguments) -> PyValue | None:
    """Take `demo.launch(mcp_server=True)` of gradio; None for any other method."""
    asked = arguments.keywords.get("mcp_server")
    is_asked = name == "launch" and isinstance(asked, Const) and asked.value is True
    return _build_server(run, HIDDEN, "a Gradio application", arguments) if is_asked else None


def _build_server(run: Evaluator, path: str, origin: str, arguments: CallArguments) -> PyValue:
    """Make a server whose tools come about at start: they are named as unreadable."""
    server = PyInstance(External(path, arguments.span), [], arguments.keywords, arguments.span)
    note_server(run, server, arguments)
    same = run.same_server[id(server)]
    run.unlisted.append((same, Opaque(f"tools come from {origin} at start", arguments.span)))
    return same
