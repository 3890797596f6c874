"""Page sizes: what code does with the `limit` that a client asks for, and what declarations say of it."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.paging.limits import Limits, read_integer, refuses_numbers
from reviewer.behaviour.paging.pages import SIZED, is_page_size, limits_otherwise
from reviewer.behaviour.values.callers import find_outermost
from reviewer.behaviour.values.names import split_words
from reviewer.code.events import Returned, Trace
from reviewer.facts import Limit
from reviewer.languages.nodes import decode_node, find_child, find_descendants, locate_text
from reviewer.languages.prefilter import mentions
from reviewer.languages.rust.behaviour.handling import build_handling
from reviewer.languages.rust.behaviour.tracing import get_program, trace_of
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test, iter_attributes_before
from reviewer.languages.rust.project.name_resolution import find_owner
from reviewer.text.patterns import pattern

# Whole words, for `is_page_size` to decide of: twice as many functions have `limit` somewhere as speak of page sizes, and
# each of them would be run.
WORDS = pattern(rb"\b\w*(?:limit|page|results)\w*", re.IGNORECASE)
FIELDS = pattern(rb"limit|page|results", re.IGNORECASE)
"""What the name of a page size holds."""

# serde calls the function that is named here where a client sends no size: it says how many are given then.
SERDE_DEFAULT = pattern(r'default\s*=\s*"([\w:]+)"')
# The crates `validator` and `garde` refuse a number out of range, if anything in the project calls `validate`.
VALIDATED = pattern(r"^#\[\s*(?:validate|garde)\s*\(.*\brange\s*\(", re.DOTALL)
# serde reads the field by the function that is named here, which may refuse a number.
READ_WITH = pattern(r'(?:deserialize_with|with)\s*=\s*"([\w:]+)"')
NUMBERS = pattern(r"\b(?:[iu](?:8|16|32|64|128|size)|NonZero\w*)\b")
"""The types of what a page size may be."""


def iter_limits(items: RustItems) -> Iterator[Limit]:
    """Yield where a page size is bounded, replaced or refused, in the code that tool calls run through."""
    models = get_program(items).models
    traces = [trace_of(items, each) for each in _iter_takers(items)]
    found = [
        each for trace in find_outermost(traces) for each in Limits(trace, models, _collect_sizes(trace)).iter_limits()
    ]
    told = {each.text.span: each for each in (*found, *_iter_declared_limits(items)) if not limits_otherwise(each.text)}
    yield from told.values()


def _iter_takers(items: RustItems) -> Iterator[RustItem]:
    """Yield the functions that speak of page sizes, or whose type does, where calls of tools lead."""
    run = build_handling(items)
    for path in run.files:
        if mentions(items.sources[path].data, SIZED):
            for node in items.find_nodes(path, "function_item"):
                if _speaks(node) and not is_in_test(node) and run.holds(path, node):
                    yield RustItem(path, node, items.sources[path])


def _speaks(function: Node) -> bool:
    """Return whether a word in a function is a page size, not only alike: `concurrency_limits`, `max_items` are none."""
    words = {each.decode() for each in WORDS.findall(function.text or b"")}
    return any(is_page_size(each) for each in words) or is_page_size(find_owner(function) or "")


def _collect_sizes(trace: Trace) -> frozenset[str]:
    """Return the parameters that are page sizes by what the function, or the type that it makes, is called."""
    code = trace.code
    if not is_page_size(code.name) and not is_page_size(code.owner):
        return frozenset()
    return frozenset(
        each.name
        for each in code.parameters
        if each.kind == "normal" and (each.type is None or NUMBERS.search(each.type.text) is not None)
    )


def _iter_declared_limits(items: RustItems) -> Iterator[Limit]:
    """Yield the limits declared by fields of requests, and by functions that return default values."""
    run = build_handling(items)
    for path in run.files:
        if not mentions(items.sources[path].data, SIZED):
            continue
        for node in items.find_nodes_near(path, FIELDS, "field_declaration", "function_item"):
            if not is_in_test(node):
                found = list(
                    _iter_for_field(items, node, path)
                    if node.type != "function_item"
                    else _iter_defaults(items, node, path)
                )
                if found and run.holds(path, node):
                    yield from found


def _iter_defaults(items: RustItems, function: Node, path: str) -> Iterator[Limit]:
    """Yield the default size that a function gives, and those that a default value is made with."""
    name, source, listed = find_child(function, "name"), items.sources[path], find_child(function, "parameters")
    if name is None or (listed is not None and listed.named_children):
        return
    words, of = split_words(decode_node(name)), find_owner(function) or ""
    if limits_otherwise(decode_node(name)) or limits_otherwise(of):
        return
    if "default" in words and is_page_size(decode_node(name)):
        for event in trace_of(items, RustItem(path, function, source)).events:
            if isinstance(event, Returned) and (given := read_integer(event.value)) is not None:
                yield Limit(locate_text(source, name), event.code.extract_text(event.given), given)
    elif decode_node(name) == "default" and not {"config", "settings"} & split_words(of):
        yield from _iter_for_default_value(items, RustItem(path, function, source))


def _iter_for_default_value(items: RustItems, function: RustItem) -> Iterator[Limit]:
    """Yield the page sizes that the fields of a default value are made with."""
    returned = [each.value for each in trace_of(items, function).events if isinstance(each, Returned)]
    held = returned[0].contents or {} if len(returned) == 1 else {}
    for part in find_descendants(function.node, "rust", "field_initializer"):
        field, value = find_child(part, "field"), find_child(part, "value")
        if field is None or value is None or not is_page_size(decode_node(field)):
            continue
        given = read_integer(held[(decode_node(field),)]) if (decode_node(field),) in held else None
        if given is not None and "max" not in split_words(decode_node(field)) - {"results"}:
            yield Limit(locate_text(function.source, field), locate_text(function.source, value), given)


def _iter_for_field(items: RustItems, node: Node, path: str) -> Iterator[Limit]:
    """Yield the limits declared by the attributes of a field that is a page size."""
    name, source = find_child(node, "name"), items.sources[path]
    if name is None or not is_page_size(decode_node(name)):
        return
    for each in iter_attributes_before(node):
        text, place = decode_node(each), locate_text(source, each)
        if VALIDATED.match(text) is not None and any(b".validate(" in data.data for data in items.sources.values()):
            yield Limit(locate_text(source, name), place, refuses=True)
        for item in _iter_named_functions(items, SERDE_DEFAULT.search(text), path):
            made = trace_of(items, item).result
            given = read_integer(made) if made is not None else None
            if given is not None:
                yield Limit(locate_text(source, name), place, given)
        for item in _iter_named_functions(items, READ_WITH.search(text), path):
            if refuses_numbers(trace_of(items, item)):
                yield Limit(locate_text(source, name), place, refuses=True)


def _iter_named_functions(items: RustItems, found: re.Match[str] | None, path: str) -> Iterator[RustItem]:
    """Yield the functions of a file that an attribute names, of which nothing is said yet by their own name."""
    for item in items.find_functions(found[1].split("::")[-1]) if found is not None else ():
        if item.path == path and not is_page_size(item.name):
            yield item
