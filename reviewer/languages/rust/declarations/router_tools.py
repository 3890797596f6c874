"""Tools that a router is given one by one: `router.with_route(ToolRoute::new(Tool::new(..), handler))`."""

from tree_sitter import Node

from reviewer.facts import Tool
from reviewer.languages.nodes import child, matches, string_of
from reviewer.languages.rust.declarations.circumstances import conditions_of
from reviewer.languages.rust.declarations.listings import RustListing, Spot
from reviewer.languages.rust.declarations.registries import Registry
from reviewer.languages.rust.evaluation.folding import ExpressionPlace
from reviewer.languages.rust.project.def_use import arguments_of
from reviewer.languages.rust.project.items import RustItems, in_test
from reviewer.records import dataclass
from reviewer.source import Opaque
from reviewer.text.patterns import pattern

GIVING = pattern(rb"\.\s*(?:with|add)_route\s*\(")
METHODS = frozenset({"with_route", "add_route"})


@dataclass(frozen=True, slots=True)
class RouterTools:
    """What the routers of one file are given beside their own tools."""

    path: str
    tools: tuple[Tool, ...]
    unreadable: tuple[Opaque, ...]


def given_to_routers(items: RustItems, types: list[Registry]) -> list[RouterTools]:
    """Find the tools that routers are given, by file; `types` are those that are types of rmcp's trait."""
    found = (_build_for_file(items, path) for path in items.mentioning(GIVING) if b"rmcp" in items.sources[path].data)
    typed = (RouterTools(each.path, each.tools, each.unreadable) for each in types)
    return [each for each in (*found, *typed) if each.tools or each.unreadable]


def _build_for_file(items: RustItems, path: str) -> RouterTools:
    listing = RustListing(items)
    for each in matches(items.root(path), "rust", "constructions"):
        call = each.get("call")
        if call is not None and _gives(call) and not in_test(call):
            for argument in arguments_of(call):
                listing.visit(argument, Spot(ExpressionPlace(path, {}), conditions_of(items.sources[path], call)))
    return RouterTools(path, tuple(listing.tools), tuple(listing.unreadable))


def _gives(call: Node) -> bool:
    function = child(call, "function")
    return function is not None and string_of(child(function, "field") or function) in METHODS
