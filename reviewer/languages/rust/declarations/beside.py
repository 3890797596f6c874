"""What is said of a tool beside its handler: metadata that functions and constants of the project make, by the tools' names."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Tool
from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.declarations.listings import RustListing, Spot
from reviewer.languages.rust.declarations.registering_calls import collect_registered_tools
from reviewer.languages.rust.declarations.tool_expressions import MADE
from reviewer.languages.rust.evaluation import instances
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.def_use import list_arguments, resolve_local
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test, memoize
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import tokens
from reviewer.text.patterns import pattern

METADATA = pattern(rb"\b\w*Tool(?:Definition|Def|Info|Spec|Descriptor|Schema|Entry|Metadata|Meta)\b")
"""A type whose values describe tools."""


@memoize
def collect_tool_definitions(items: RustItems) -> dict[str, list[Tool]]:
    """Return all tools that some code describes, those of one name in the order in which they stand."""
    found: dict[str, list[Tool]] = {}
    listed = [each for path in _collect_paths(items) for each in _iter_described_in(items, path)]
    for each in [*listed, *collect_registered_tools(items)[0]]:
        alike = found.setdefault(str(each.name), [])
        if not any(_is_same(each, other) for other in alike):
            alike.append(each)
    return found


def _is_same(one: Tool, other: Tool) -> bool:
    """Return whether two say the same: code that is come to by two ways is one definition."""
    return one.description == other.description and one.input_schema == other.input_schema


def _collect_paths(items: RustItems) -> list[str]:
    """Return the files that speak of such a type, or call a function that gives one."""
    named = items.find_matching(METADATA)
    makers = {item.name for path in named for item in _iter_functions(items, path) if _gives(item.node)}
    calls = re.compile(b"|".join(rb"\b" + re.escape(name.encode()) + rb"\s*\(" for name in sorted(makers)))
    return list(dict.fromkeys([*named, *(items.find_matching(calls) if makers else ())]))


def _iter_functions(items: RustItems, path: str) -> Iterator[RustItem]:
    for (kind, _), declared in items.list_declarations(path).items():
        yield from (each for each in declared if kind == "fn" and not is_in_test(each.node))


def _gives(function: Node) -> bool:
    back = find_child(function, "return_type")
    names = read_segments(back) if back is not None else ()
    return bool(names) and MADE.fullmatch(names[-1]) is not None


def _iter_described_in(items: RustItems, path: str) -> Iterator[Tool]:
    for item in _iter_functions(items, path):
        listing = RustListing(items)
        listing.follow(item)
        yield from listing.tools
    for (kind, _), declared in items.list_declarations(path).items():
        for each in declared if kind == "const" else ():
            value, type_ = find_child(each.node, "value"), find_child(each.node, "type")
            if value is not None and METADATA.search(decode_node(type_ or value).encode()) is not None:
                listing = RustListing(items)
                listing.visit(value, Spot(ExpressionPlace(path, {})))
                yield from listing.tools


def collect_definitions_beside(items: RustItems, types: frozenset[str]) -> dict[str, list[Tool]]:
    """Return the definitions passed together with a value of each of some types: `add(ToolMetadata { .. },
    Arc::new(Lend))`.
    """
    found: dict[str, list[Tool]] = {}
    word = re.compile(b"|".join(rb"\b" + re.escape(each.encode()) + rb"\b" for each in sorted(types)))
    for path in items.find_matching(word) if types else ():
        for parts in _iter_together(items, path):
            named = [(instances.type_of(each)[-1:] or ("",))[0] for each in parts]
            for at, type_ in enumerate(named):
                if type_ in types and len(parts) > 1:
                    told = [
                        tool
                        for other in (*parts[:at], *parts[at + 1 :])
                        for tool in _read_described_tools(items, path, other)
                    ]
                    alike = found.setdefault(type_, [])
                    alike += [each for each in told if not any(_is_same(each, other) for other in alike)]
    return found


def _iter_together(items: RustItems, path: str) -> Iterator[list[Node]]:
    """Yield the nodes that are together in the arguments of a call, or in a tuple, also within `vec![..]`."""
    written = items.find_nodes(path, "call_expression", "tuple_expression")
    for macro in items.find_nodes(path, "macro_invocation"):
        tree = next((each for each in macro.named_children if each.type == "token_tree"), None)
        if tree is not None and decode_node(find_child(macro, "macro") or macro) == "vec":
            elements = tokens.parse_elements(items.sources[path], tree)
            written = [*written, *(each for each in elements if each.type in ("call_expression", "tuple_expression"))]
    for each in written:
        if not is_in_test(each):
            yield list_arguments(each) if each.type == "call_expression" else each.named_children


def _read_described_tools(items: RustItems, path: str, value: Node) -> list[Tool]:
    """Return the tool that an expression describes."""
    listing = RustListing(items)
    listing.visit(
        (resolve_local(value) or value) if value.type == "identifier" else value, Spot(ExpressionPlace(path, {}))
    )
    return listing.tools
