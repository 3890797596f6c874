"""What functions do that lead to some names: those that answer clients, then those that none of these leads to."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.callers import Started
from reviewer.code.events import Trace
from reviewer.facts import Server
from reviewer.languages.leading import CALLING, Files, starts
from reviewer.languages.nodes import child
from reviewer.languages.python.behaviour.entrances import Entrances
from reviewer.languages.python.behaviour.following import Place, own
from reviewer.languages.python.behaviour.tracing import arguments, program_of, trace_of, trace_with
from reviewer.languages.python.evaluator import Evaluator

FUNCTIONS = frozenset({"function_definition", "lambda"})


def traces_to(
    run: Evaluator, servers: tuple[Server, ...], names: frozenset[str], acts: frozenset[str] = frozenset()
) -> Iterator[Started]:
    """Yield what functions do that may come to a call, or a text, of some names; from callers on if it does some acts."""
    modules = run.modules.by_path

    def glimpse(path: str, node: Node) -> Trace:
        given = arguments(program_of(run).code_at(modules[path], node))
        return trace_with(run, Place(node, modules[path]), given, program_of(run).summaries, CALLING)

    files = Files(
        lambda words: [each.path for each in own(run, *words)],
        lambda path: modules[path].source.data,
        lambda path: modules[path].root,
        FUNCTIONS,
        lambda path, node: trace_of(run, modules[path], node),
        glimpse,
        lambda _: True,
        _is_entered,
    )
    yield from starts(files, names, Entrances(run, servers).traces(), acts)


def _is_entered(function: Node) -> bool:
    """Return whether something may call a function without its name: a decorator, a library, Python itself."""
    above, name = function.parent, child(function, "name")
    if above is None or above.type == "decorated_definition" or (name is not None and _is_special(name)):
        return True
    return child(above.parent, "superclasses") is not None


def _is_special(name: Node) -> bool:
    return (name.text or b"").startswith(b"__")
