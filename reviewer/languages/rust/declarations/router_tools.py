"""Tools that a router is given one by one: `router.with_route(ToolRoute::new(Tool::new(..), handler))`."""

from tree_sitter import Node

from reviewer.facts import Tool
from reviewer.languages.nodes import decode_node, find_child, iter_matches
from reviewer.languages.rust.declarations.circumstances import collect_conditions
from reviewer.languages.rust.declarations.listings import RustListing, Spot
from reviewer.languages.rust.declarations.registries import Registry
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.def_use import list_arguments
from reviewer.languages.rust.project.items import RustItems, is_in_test
from reviewer.records import dataclass
from reviewer.source import Opaque
from reviewer.text.patterns import pattern

# rmcp's `ToolRouter` is given routes by the first in a chain, by the second as a statement.
GIVING = pattern(rb"\.\s*(?:with|add)_route\s*\(")
# The names of `GIVING`, to ask a call that was read.
METHODS = frozenset({"with_route", "add_route"})


@dataclass(frozen=True, slots=True)
class RouterTools:
    """What the routers of one file are given beside their own tools."""

    path: str
    tools: tuple[Tool, ...]
    unreadable: tuple[Opaque, ...]


def collect_router_tools(items: RustItems, types: list[Registry]) -> list[RouterTools]:
    """Find the tools that routers are given, by file; `types` are those that are types of rmcp's trait."""
    found = (
        _build_for_file(items, path) for path in items.find_matching(GIVING) if b"rmcp" in items.sources[path].data
    )
    typed = (RouterTools(each.path, each.tools, each.unreadable) for each in types)
    return [each for each in (*found, *typed) if each.tools or each.unreadable]


def _build_for_file(items: RustItems, path: str) -> RouterTools:
    listing = RustListing(items)
    for each in iter_matches(items.parse_root(path), "rust", "constructions"):
        call = each.get("call")
        if call is not None and _gives(call) and not is_in_test(call):
            for argument in list_arguments(call):
                listing.visit(argument, Spot(ExpressionPlace(path, {}), collect_conditions(items.sources[path], call)))
    return RouterTools(path, tuple(listing.tools), tuple(listing.unreadable))


def _gives(call: Node) -> bool:
    function = find_child(call, "function")
    return function is not None and decode_node(find_child(function, "field") or function) in METHODS
