"""Page sizes: what code does with the `limit` that a client asks for, and what declarations say of it."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.paging.limits import Limits, refuses_numbers, whole
from reviewer.behaviour.paging.pages import is_page_size, limits_otherwise
from reviewer.behaviour.values.callers import outermost
from reviewer.behaviour.values.names import parts_of
from reviewer.code.events import Returned, Trace
from reviewer.facts import Limit
from reviewer.languages.nodes import child, of_kinds, string_of, text_of
from reviewer.languages.prefilter import mentions
from reviewer.languages.rust.behaviour.handling import handling
from reviewer.languages.rust.behaviour.tracing import program_of, trace_of
from reviewer.languages.rust.project.items import RustItem, RustItems, attributes_before, in_test
from reviewer.languages.rust.project.name_resolution import owner
from reviewer.text.patterns import pattern

SIZES = pattern(rb"limit|page_size|per_page|max_results|max_items|pagesize", re.IGNORECASE)
WORDS = pattern(rb"\b\w*(?:limit|page|results)\w*", re.IGNORECASE)
FIELDS = pattern(rb"limit|page|results", re.IGNORECASE)
"""What the name of a page size holds."""

SERDE_DEFAULT = pattern(r'default\s*=\s*"([\w:]+)"')
VALIDATED = pattern(r"^#\[\s*(?:validate|garde)\s*\(.*\brange\s*\(", re.DOTALL)
READ_WITH = pattern(r'(?:deserialize_with|with)\s*=\s*"([\w:]+)"')
NUMBERS = pattern(r"\b(?:[iu](?:8|16|32|64|128|size)|NonZero\w*)\b")
"""The types of what a page size may be."""


def limits(items: RustItems) -> Iterator[Limit]:
    """Yield where a page size is bounded, replaced or refused, in the code that tool calls run through."""
    models = program_of(items).models
    traces = [trace_of(items, each) for each in _iter_takers(items)]
    found = [each for trace in outermost(traces) for each in Limits(trace, models, _collect_sizes(trace)).found()]
    told = {each.text.span: each for each in (*found, *_iter_declared(items)) if not limits_otherwise(each.text)}
    yield from told.values()


def _iter_takers(items: RustItems) -> Iterator[RustItem]:
    """Yield the functions that speak of page sizes, or whose type does, where calls of tools lead."""
    run = handling(items)
    for path in run.files:
        if mentions(items.sources[path].data, SIZES):
            for node in items.of_kinds(path, "function_item"):
                if _speaks(node) and not in_test(node) and run.holds(path, node):
                    yield RustItem(path, node, items.sources[path])


def _speaks(function: Node) -> bool:
    """Return whether a word in a function is a page size, not only alike: `concurrency_limits`, `max_items` are none."""
    words = {each.decode() for each in WORDS.findall(function.text or b"")}
    return any(is_page_size(each) for each in words) or is_page_size(owner(function) or "")


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


def _iter_declared(items: RustItems) -> Iterator[Limit]:
    """Yield what the fields of requests, and the functions that give default values, say of page sizes."""
    run = handling(items)
    for path in run.files:
        if not mentions(items.sources[path].data, SIZES):
            continue
        for node in items.of_kinds_near(path, FIELDS, "field_declaration", "function_item"):
            if not in_test(node):
                found = list(
                    _iter_for_field(items, node, path)
                    if node.type != "function_item"
                    else _iter_defaults(items, node, path)
                )
                if found and run.holds(path, node):
                    yield from found


def _iter_defaults(items: RustItems, function: Node, path: str) -> Iterator[Limit]:
    """Yield the default size that a function gives, and those that a default value is made with."""
    name, source, listed = child(function, "name"), items.sources[path], child(function, "parameters")
    if name is None or (listed is not None and listed.named_children):
        return
    words, of = parts_of(string_of(name)), owner(function) or ""
    if limits_otherwise(string_of(name)) or limits_otherwise(of):
        return
    if "default" in words and is_page_size(string_of(name)):
        for event in trace_of(items, RustItem(path, function, source)).events:
            if isinstance(event, Returned) and (given := whole(event.value)) is not None:
                yield Limit(text_of(source, name), event.code.text(event.given), given)
    elif string_of(name) == "default" and not {"config", "settings"} & parts_of(of):
        yield from _iter_for_default_value(items, RustItem(path, function, source))


def _iter_for_default_value(items: RustItems, function: RustItem) -> Iterator[Limit]:
    """Yield the page sizes that the fields of a default value are made with."""
    returned = [each.value for each in trace_of(items, function).events if isinstance(each, Returned)]
    held = returned[0].contents or {} if len(returned) == 1 else {}
    for part in of_kinds(function.node, "rust", "field_initializer"):
        field, value = child(part, "field"), child(part, "value")
        if field is None or value is None or not is_page_size(string_of(field)):
            continue
        given = whole(held[(string_of(field),)]) if (string_of(field),) in held else None
        if given is not None and "max" not in parts_of(string_of(field)) - {"results"}:
            yield Limit(text_of(function.source, field), text_of(function.source, value), given)


def _iter_for_field(items: RustItems, node: Node, path: str) -> Iterator[Limit]:
    """Yield what the attributes of a field say that is a page's size."""
    name, source = child(node, "name"), items.sources[path]
    if name is None or not is_page_size(string_of(name)):
        return
    for each in attributes_before(node):
        text, place = string_of(each), text_of(source, each)
        if VALIDATED.match(text) is not None and any(b".validate(" in data.data for data in items.sources.values()):
            yield Limit(text_of(source, name), place, refuses=True)
        for item in _iter_named(items, SERDE_DEFAULT.search(text), path):
            made = trace_of(items, item).result
            given = whole(made) if made is not None else None
            if given is not None:
                yield Limit(text_of(source, name), place, given)
        for item in _iter_named(items, READ_WITH.search(text), path):
            if refuses_numbers(trace_of(items, item)):
                yield Limit(text_of(source, name), place, refuses=True)


def _iter_named(items: RustItems, found: re.Match[str] | None, path: str) -> Iterator[RustItem]:
    """Yield the functions of a file that an attribute names, of which nothing is said yet by their own name."""
    for item in items.functions(found[1].split("::")[-1]) if found is not None else ():
        if item.path == path and not is_page_size(item.name):
            yield item
