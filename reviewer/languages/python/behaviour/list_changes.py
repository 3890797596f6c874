"""What Python servers do about changes of their tools."""

from collections.abc import Iterator

from reviewer.behaviour import list_changes as analysis
from reviewer.code.events import Trace
from reviewer.facts import ListChanges, Server
from reviewer.languages.python.behaviour.following import own
from reviewer.languages.python.behaviour.leading import traces_to
from reviewer.languages.python.behaviour.tracing import program_of, trace_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.values import Function, Method


def list_changes(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[ListChanges]:
    """Find what is done; of changes in servers of the standalone fastmcp, which may tell clients by itself, nothing is said."""
    is_told = any(server.framework == "fastmcp" for server in servers)
    if is_told and not any(True for _ in own(run, *(each.encode() for each in analysis.NAMES))):
        return iter(())
    return analysis.list_changes(
        lambda names, acts: traces_to(run, servers, names, acts), _listings(run), program_of(run), is_told=is_told
    )


def _listings(run: Evaluator) -> Iterator[Trace]:
    """Yield what the handlers of `tools/list` do."""
    for _, handler, _, _ in run.listings:
        function = handler.function if isinstance(handler, Method) else handler
        if isinstance(function, Function):
            yield trace_of(run, function.scope.module, function.node)
