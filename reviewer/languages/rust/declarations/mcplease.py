"""mcplease: `mcplease::tools!(State, (Type, module, "name"), ..)`, whose tools are what the schemas of the types say."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Server, Tool
from reviewer.languages.nodes import decode_node, find_child, iter_matches
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import attributes, tokens
from reviewer.schema.rust import mcplease
from reviewer.source import Opaque
from reviewer.text.patterns import pattern

# The name is a plain word: a path or a `use` tells whether it is that of mcplease.
LISTING = pattern(rb"\btools!")
CRATE = "mcplease"


def iter_tool_lists(items: RustItems) -> Iterator[Server]:
    """Find the lists of tools."""
    for path in items.find_matching(LISTING):
        for found in iter_matches(items.parse_root(path), "rust", "boxes"):
            macro = found["macro"]
            if _is_of_mcplease(items, path, macro) and not is_in_test(macro):
                yield _build_server(items, path, macro)


def _is_of_mcplease(items: RustItems, path: str, macro: Node) -> bool:
    named = find_child(macro, "macro")
    names = read_segments(named) if named is not None else ()
    used = items.read_uses(path)
    full = used.names.get(names[0], names) if len(names) == 1 else names
    return full == (CRATE, "tools") or (full == ("tools",) and (CRATE,) in used.globs)


def _build_server(items: RustItems, path: str, macro: Node) -> Server:
    tree = next((part for part in macro.named_children if part.type == "token_tree"), None)
    rows = list(tokens.split(tokens.strip_brackets(tree)))[1:] if tree is not None else []
    tools: list[Tool] = []
    unreadable: list[Opaque] = []
    for row in rows:
        parts = list(tokens.split(tokens.strip_brackets(row[0])))
        names = tuple(decode_node(part[0]) for part in (parts[1], parts[0])) if len(parts) == 3 else ()
        found = items.resolve(names, path, "struct", "enum", "type", near=macro)
        tool = _find_tool(items, found) if isinstance(found, RustItem) else None
        if tool is not None:
            tools.append(tool)
        else:
            reason = f"the tool `{decode_node(row[0])}` is not declared in the reviewed files"
            unreadable.append(Opaque(reason, items.locate_node(path, row[0])))
    return Server(None, "rust", CRATE, items.locate_node(path, macro), tuple(tools), None, tuple(unreadable))


def _find_tool(items: RustItems, item: RustItem) -> Tool | None:
    name, description, schema, parameters = mcplease.read_struct(items, item)
    if name is None:
        return None
    return Tool(
        name=name,
        span=item.source.to_span(attributes.list_preceding(item.node)[0].start_point, item.node.end_point),
        description=description,
        title=None,
        input_schema=schema,
        annotations=None,
        parameters=parameters,
        conditions=attributes.read_conditions(item.source, item.node),
    )
