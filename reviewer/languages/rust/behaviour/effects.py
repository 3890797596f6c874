"""What a tool's code does when it is called, act by act: in its own function and in the project's that it calls."""

from collections.abc import Callable, Iterator

from tree_sitter import Node

from reviewer.behaviour.effects.handler_effects import KINDS, iter_effects
from reviewer.behaviour.results.payloads import iter_payloads
from reviewer.code.events import Trace
from reviewer.code.ir import Site
from reviewer.facts import Act, ActKind, Acts
from reviewer.languages.nodes import find_parent
from reviewer.languages.rust.behaviour.given_cursors import collect_cursor_faults
from reviewer.languages.rust.behaviour.tracing import get_program, trace_of
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.source import Text


def collect_acts(
    items: RustItems, node: Node | None, path: str, of_call: Callable[[], Trace | None] = lambda: None
) -> Acts:
    """Return the acts of a handler's code, read on demand.

    `of_call` returns the trace of the function for this tool alone, if a run can tell it: acts of other tools are left
    out then.
    """
    around = _find_function_around(node) if node is not None else None
    if node is None or around is None:
        return Acts()
    within = Site(*node.byte_range) if around != node else None

    def iter_acts(kinds: frozenset[ActKind]) -> Iterator[Act]:
        if kinds & KINDS:
            trace = of_call() or trace_of(items, RustItem(path, around, items.sources[path]))
            # what panics on a cursor is told of the cursor itself
            apart = collect_cursor_faults(items) if "panics" in kinds else frozenset()
            yield from (
                each for each in iter_effects(trace, get_program(items), kinds, within) if each.text.span not in apart
            )

    return Acts(iter_acts)


def iter_returned_payloads(items: RustItems, node: Node, path: str, *, filling_models: bool = False) -> Iterator[Text]:
    """Yield the expressions by which a tool's function hands a payload on: as it came, or as a whole into a model."""
    trace = trace_of(items, RustItem(path, node, items.sources[path]))
    found = iter_payloads(trace, get_program(items), lambda _: False)
    yield from (each.at for each in found if each.fills_model is filling_models)


def _find_function_around(node: Node) -> Node | None:
    """Return the function or the closure that a handler's code is, or stands in."""
    current: Node | None = node
    while current is not None and current.type != "function_item":
        if current is node and current.type == "closure_expression":
            return current
        current = find_parent(current)
    return current
