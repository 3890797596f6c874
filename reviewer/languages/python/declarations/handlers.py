"""Handlers of the protocol that code sets itself, in the table of a server: `server.request_handlers[ListToolsRequest] = f`."""

from reviewer.languages.python.declarations.sdks import is_server
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    External,
    Method,
    Partial,
    PyFunction,
    PyInstance,
    PyMapping,
    PyValue,
    strip_conditions,
)
from reviewer.languages.python.project.modules import PyModule

# By its public name and by the private one; which release has which is not asked.
TABLES = frozenset({"request_handlers", "_request_handlers"})
# Where the types of requests are imported from: mcp 1, its root, mcp 2.
TYPES = ("mcp.types.", "mcp.", "mcp_types.")

LISTS = frozenset(f"{each}ListToolsRequest" for each in TYPES)
"""The names of the request type of `tools/list`, under which low-level servers keep its handler, in SDK 1 and 2."""

CALLS = frozenset(f"{each}CallToolRequest" for each in TYPES)
"""The names of the request type of `tools/call`, as `LISTS` has those of `tools/list`."""

ENVELOPES = frozenset({"mcp.types.ServerResult", "mcp_types.ServerResult"})
"""What a handler that is set itself wraps its answer in."""


def resolve_function(handler: PyValue) -> PyFunction | None:
    """Return the function that a handler is: of an object, or one that some arguments are given before."""
    match handler:
        case Method(function=PyFunction() as function):
            return function
        case Partial(callee):
            return resolve_function(callee)
        case PyFunction():
            return handler
    return None


def keep_all(run: Evaluator, table: PyValue, added: PyValue, module: PyModule) -> None:
    """Keep what answers in the table of a server where several are set at once: `server.request_handlers |= {..}`."""
    for key, handler in added.entries if isinstance(added, PyMapping) else ():
        keep(run, table, key, strip_conditions(handler), module)


def keep(run: Evaluator, table: PyValue, key: PyValue, handler: PyValue, module: PyModule) -> None:
    """Keep what answers `tools/list` or `tools/call`, if it is set in the table of a server."""
    if not (isinstance(table, Method) and table.name in TABLES and isinstance(table.receiver, PyInstance)):
        return
    if is_server(table.receiver) and isinstance(key, External) and key.path in LISTS:
        server = run.same_server.get(id(table.receiver), table.receiver)
        run.listings.append((server, handler, run.conditions, module))
    elif is_server(table.receiver) and isinstance(key, External) and key.path in CALLS:
        run.callings.append(handler)
        run.bare.append(handler)


def unwrap_envelope(answer: PyValue) -> PyValue:
    """Return the answer that an envelope holds."""
    if isinstance(answer, PyInstance) and answer.path in ENVELOPES:
        return answer.find_argument("root", 0) or answer
    return answer


def find_partial(run: Evaluator, path: str, start: int) -> Partial | None:
    """Return the partial application by which a function that receives calls is registered; None if there is none."""
    for handler in run.callings:
        function = resolve_function(handler) if isinstance(handler, Partial) else None
        at = function.unwrap() if function is not None else None
        if at is not None and (at.scope.module.path, at.node.start_byte) == (path, start):
            assert isinstance(handler, Partial)
            return handler
    return None
