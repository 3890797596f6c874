"""What belongs to one server: its `ServerHandler`, the routers of its type, the lists it answers with."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from functools import partial
from typing import TypeVar

from tree_sitter import Node

from reviewer.facts import Server, Tool
from reviewer.failures import contained, iter_until_failure
from reviewer.languages.nodes import decode_node, find_child, iter_matches, list_field_children
from reviewer.languages.rust.behaviour.served import find_unserved_blocks
from reviewer.languages.rust.declarations.attributed import iter_attributed_servers
from reviewer.languages.rust.declarations.boxes import collect_box_types, iter_requested_tools, iter_tool_boxes
from reviewer.languages.rust.declarations.circumstances import collect_module_conditions
from reviewer.languages.rust.declarations.listings import RustListing, Spot
from reviewer.languages.rust.declarations.mcplease import iter_tool_lists
from reviewer.languages.rust.declarations.registering_calls import collect_registered_tools
from reviewer.languages.rust.declarations.registries import Registry, attach_handlers, build_registries, resolve_trait
from reviewer.languages.rust.declarations.router_tools import RouterTools, collect_router_tools
from reviewer.languages.rust.declarations.routers import Router, iter_routers
from reviewer.languages.rust.declarations.towers import iter_tower_servers
from reviewer.languages.rust.declarations.trait_tools import BASE
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.uses import read_segments
from reviewer.records import dataclass
from reviewer.source import Opaque, Span, Text
from reviewer.text import toml
from reviewer.text.patterns import pattern

T = TypeVar("T")

# The trait of rmcp and rust-mcp-sdk. The crate `mcp-server`, which was before rmcp, calls its trait `Router`, as web
# frameworks do theirs.
HANDLING = pattern(rb"ServerHandler|\bmcp_server\b")
# The method of the protocol, as code without an SDK chooses by it.
ANSWERING = pattern(rb'"tools/list"')
# The key of the protocol and the field that Rust makes of it: a file with neither defines no tool by hand.
DEFINING = pattern(rb"input_?[sS]chema")
# A server that keeps tools as objects says of which trait they are.
OF_OBJECT = pattern(rb"\bdyn\s+((?:\w+::)*\w*Tool\w*)")
# The forms in which a `list_tools` answers that there is nothing: macro routers answer instead, or the server has no
# tools.
EMPTY = pattern(rb"vec!\s*\[\s*\]|Vec::new\(\)|default\(\)|\(\s*&?\[\s*\]")
DESCRIBED = pattern(rb"\.\s*description\s*\(\s*\)")
"""What asks something for its description: where something else is empty beside that, tools are listed all the same."""
PASSED = pattern(rb"\.\s*list_tools\(\s*\w+\s*,")
"""What another handler answers is passed on; a client's method takes no context."""

# A listing that asks each tool for its name lists whatever is registered, so the registered tools are read in its
# stead.
OF_TRAIT = pattern(r"(?:\.|::)\s*name\b|\bNAME\b")
AS_KEPT = pattern(r"^`[\w.]+\.\w*(?:schema|Schema|parameters)(?:\(\))?` is ")
"""The reason for which a schema is not known that is a field of the tool, and nothing more."""


@dataclass
class _UnassignedDeclarations:
    """What was found in the tree and is not yet some server's."""

    items: RustItems
    routers: list[Router] = field(default_factory=list)
    registries: list[Registry] = field(default_factory=list)
    given: list[RouterTools] = field(default_factory=list)
    types: dict[Span, str] = field(default_factory=dict)
    entered: set[tuple[str, int]] = field(default_factory=set)
    listed: set[int] = field(default_factory=set)
    boxed: frozenset[str] = frozenset()

    def take_router_tools(self, paths: set[str]) -> list[RouterTools]:
        """Take what routers in these files are given one by one."""
        mine = [each for each in self.given if each.path in paths]
        self.given = [each for each in self.given if each.path not in paths]
        return mine


def find_servers(items: RustItems) -> tuple[Server, ...]:
    """Find every server of the tree with its tools."""
    unused = _collect_all(lambda: find_unserved_blocks(items), "routers that nothing serves")
    dead = {(each.path, each.node.start_byte) for each in unused}
    made = _collect_all(lambda: iter_routers(items), "routers")
    made = [each for each in made if (each.path, each.node.start_byte) not in dead]
    kept = _collect_all(lambda: build_registries(items), "registries")
    loose = [each for each in kept if each.trait == BASE and each.registered]
    rest = [each for each in kept if each not in loose]
    handed = _collect_all(lambda: collect_router_tools(items, loose), "routers that are handed tools")
    boxed_types = frozenset(_collect_all(lambda: collect_box_types(items), "tool boxes"))
    found = _UnassignedDeclarations(items, made, rest, handed, boxed=boxed_types)
    handled = _collect_all(lambda: _iter_handler_servers(found), "`ServerHandler`")
    boxed = [
        each
        for find in (iter_tool_boxes, iter_tool_lists, iter_tower_servers, iter_attributed_servers)
        for each in _collect_all(partial(find, items), find.__name__)
    ]
    answered = _collect_all(lambda: _iter_servers_by_hand(found, [*handled, *boxed]), "answers to `tools/list`")
    whole = (*handled, *boxed, *_collect_all(lambda: _iter_for_routers(found), "routers"), *answered)
    whole = tuple(_with_handlers(found, each) for each in whole)
    whole = (
        *whole,
        *_collect_all(lambda: _iter_for_registries(found), "registries"),
        *_collect_all(lambda: _iter_for_given(found), "routers"),
    )
    if not any(each.tools or each.unreadable for each in whole):
        whole = (*whole, *_collect_all(lambda: _iter_for_definitions(found), "tool definitions"))
    return tuple(_iter_told_apart(found, [_complete(items, each) for each in whole]))


def _collect_all(find: Callable[[], Iterable[T]], kind: str) -> list[T]:
    return list(iter_until_failure(find, f"servers were not reviewed: {kind}"))


def _iter_told_apart(found: _UnassignedDeclarations, servers: list[Server]) -> Iterator[Server]:
    """Name servers of one package by their types too."""
    for each in servers:
        type_ = found.types.get(each.span)
        alike = [other for other in servers if other.name == each.name and other.span in found.types]
        if type_ is None or each.name is None or isinstance(each.name, Opaque) or len(alike) < 2:
            yield each
        else:
            yield replace(each, name=Text(f"{each.name}::{type_}", each.name.span))


ANNOTATING = {"rmcp": (0, 2), "mcp-attr": (0, 1)}
"""The releases since which tools of an SDK may have annotations: `#[tool]` of rmcp 0.1 knows only `name` and `description`, that
of mcp-attr 0.0.7 writes `annotations: None`."""


def _complete(items: RustItems, server: Server) -> Server:
    """Name a server after its package, and add the conditions of the module that it stands in."""
    path = server.span.path
    outer = collect_module_conditions(items, path)
    tools = server.tools
    if outer:
        tools = tuple(
            replace(tool, conditions=(*(each for each in outer if each not in tool.conditions), *tool.conditions))
            for tool in tools
        )
    since = ANNOTATING.get(server.framework)
    version = items.find_version(path, server.framework) if since is not None else None
    annotates = since is None or version is None or version >= since
    return replace(server, name=find_package_name(items, path), tools=tools, annotates=annotates)


def _iter_handler_servers(found: _UnassignedDeclarations) -> Iterator[Server]:
    """Make a server of each `impl ServerHandler`."""
    items = found.items
    blocks = []
    for path in items.find_matching(HANDLING):
        for block in items.find_nodes(path, "impl_item"):
            trait, type_ = find_child(block, "trait"), find_child(block, "type")
            if trait is not None and type_ is not None and _is_handling(items, path, trait) and not is_in_test(block):
                blocks.append((path, block, read_segments(type_)[-1]))
    for path, block, type_name in blocks:
        folder = items.find_package_folder(path)
        rivals = [
            other for other, _, name in blocks if name == type_name and items.find_package_folder(other) == folder
        ]
        mine = [
            each
            for each in found.routers
            if each.type == type_name
            and items.find_package_folder(each.path) == folder
            and _get_nearest(each.path, rivals) == path
        ]
        with contained("the server was not reviewed", items.locate_node(path, block)) as reading:
            alone = [items.find_package_folder(other) for other, _, _ in blocks].count(folder) == 1
            server = _build_for_handler(found, path, block, mine, alone)
        if reading.failed:
            continue
        found.types[server.span] = type_name
        if server.tools or server.unreadable or mine:
            found.routers = [each for each in found.routers if each not in mine]
            yield server


def _is_handling(items: RustItems, path: str, trait: Node) -> bool:
    """Return whether a trait is that of a server: of rmcp, of rust-mcp-sdk, or of the crate `mcp-server` that was before rmcp."""
    name = read_segments(trait)[-1]
    return name == "ServerHandler" or (name == "Router" and b"mcp_server" in items.sources[path].data)


def _get_nearest(path: str, candidates: list[str]) -> str:
    def rank_candidate(other: str) -> tuple[int, int]:
        here, there = path.split("/"), other.split("/")
        same = next(
            (at for at, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there))
        )
        return same, -len(there)

    return max(candidates, key=rank_candidate)


def _build_for_handler(
    found: _UnassignedDeclarations, path: str, block: Node, mine: list[Router], alone: bool
) -> Server:
    """Make the server of a handler; one that is `alone` in its package and has no tools serves what is given to routers there."""
    items = found.items
    tools = [tool for router in mine for tool in router.tools]
    unreadable: list[Opaque] = []
    describes = False
    listing = RustListing(items)
    for name in ("list_tools", "handle_list_tools_request"):
        function = _find_method(items, path, block, name)
        if function is not None:
            listing.follow(function)
            describes |= DESCRIBED.search(function.node.text or b"") is not None
            asked = (
                ()
                if listing.tools or listing.unreadable or mine
                else iter_requested_tools(items, items.find_package_folder(path))
            )
            listing.tools += [tool for tool in asked if tool not in listing.tools]
            if not (listing.tools or listing.unreadable or mine or _lists_none_of_its_own(found, function)):
                unreadable.append(Opaque("the tools are known at run time only", function.span))
    found.entered |= listing.entered
    tools += [tool for tool in listing.tools if tool not in tools]
    near = {path, *(router.path for router in mine)}
    if alone and not tools and not unreadable:
        folder = items.find_package_folder(path)
        near |= {each.path for each in found.given if items.find_package_folder(each.path) == folder}
    for each in found.take_router_tools(near):
        tools += [tool for tool in each.tools if tool not in tools]
        unreadable += each.unreadable
    registered, unknown = _collect_for_registry(found, path, block, listing)
    tools = attach_handlers(tools, registered, more=True)
    unreadable += unknown
    kept = _find_registry_of(found, path, block) if describes and unreadable and not tools else None
    if kept is not None and kept.tools:  # what lists them asks them for their names, however it comes to them
        found.listed.add(id(kept))
        tools, unreadable = [*kept.tools], [*kept.unreadable]
    return Server(
        None, "rust", _get_framework(items, path), items.locate_node(path, block), tuple(tools), None, tuple(unreadable)
    )


def _lists_none_of_its_own(found: _UnassignedDeclarations, function: RustItem) -> bool:
    """Return whether a function lists nothing, what another handler answers, or a box, which is a server by itself."""
    body = function.node.text or b""
    if (EMPTY.search(body) and not DESCRIBED.search(body)) or PASSED.search(body):
        return True
    asked = re.findall(rb"\b(\w+)\s*::\s*tools\s*\(\s*\)", body)
    return bool(found.boxed & {name.decode() for name in asked})


def _collect_for_registry(
    found: _UnassignedDeclarations, path: str, near: Node, listing: RustListing
) -> tuple[list[Tool], list[Opaque]]:
    """Return the registered tools in the stead of those that a listing asks for their names; and what stays unreadable."""
    unreadable = [each for each in listing.unreadable if OF_TRAIT.search(each.reason) is None]
    if len(unreadable) == len(listing.unreadable):
        return [], unreadable
    registry = _find_registry_of(found, path, near)
    if registry is None:
        kept, unknown = collect_registered_tools(found.items)
        if not kept:
            return [], listing.unreadable
        return [_as_listed(tool, listing) for tool in kept], [*unreadable, *unknown]
    found.listed.add(id(registry))
    return [*registry.tools], [*unreadable, *registry.unreadable]


def _as_listed(tool: Tool, listing: RustListing) -> Tool:
    """Take from a kept tool the schema that the listing does not give as it was kept."""
    if all(isinstance(each, Opaque) and AS_KEPT.search(each.reason) for each in listing.asked):
        return tool
    changed = Opaque("the schema is changed where the tool is listed", tool.span)
    return replace(tool, input_schema=changed, parameters=changed)


def _with_handlers(found: _UnassignedDeclarations, server: Server) -> Server:
    """Return the tools of a server the handlers that are registered under their names, in what describes no tools itself."""
    names, folder = {each.name for each in server.tools}, found.items.find_package_folder(server.span.path)
    for each in found.registries:
        own = {tool.name for tool in each.tools}
        is_near = id(each) not in found.listed and found.items.find_package_folder(each.path) == folder
        if is_near and own and names and (own <= names or names <= own):
            found.listed.add(id(each))
            server = replace(server, tools=tuple(attach_handlers(server.tools, each.tools)))
    return server


def _find_method(items: RustItems, path: str, block: Node, name: str) -> RustItem | None:
    for part in list_field_children(block, "body"):
        if part.type == "function_item" and decode_node(find_child(part, "name") or part) == name:
            return RustItem(path, part, items.sources[path])
    return None


def _find_registry_of(found: _UnassignedDeclarations, path: str, block: Node) -> Registry | None:
    """Return the registry whose trait the server's file speaks of, or the only one."""
    if len(found.registries) == 1:
        return found.registries[0]
    for name in sorted({hit[1].decode() for hit in OF_OBJECT.finditer(found.items.sources[path].data)}):
        trait = resolve_trait(found.items, path, tuple(name.split("::")), block)
        for each in found.registries:
            if each.trait == trait:
                return each
    folder = found.items.find_package_folder(path)
    same = [each for each in found.registries if found.items.find_package_folder(each.path) == folder]
    return same[0] if len(same) == 1 else None


def _get_framework(items: RustItems, path: str) -> str:
    data = items.sources[path].data
    return "rust-mcp-sdk" if b"rust_mcp_sdk" in data or b"rust_mcp_schema" in data else "rmcp"


def _iter_for_routers(found: _UnassignedDeclarations) -> Iterator[Server]:
    """Make a server of each type whose routers no `ServerHandler` serves in sight."""
    groups: dict[tuple[str, str | None], list[Router]] = {}
    for each in found.routers:
        groups.setdefault((each.type, found.items.find_package_folder(each.path)), []).append(each)
    for group in groups.values():
        tools = [tool for each in group for tool in each.tools]
        loose = found.take_router_tools({each.path for each in group})
        tools += [tool for each in loose for tool in each.tools if tool not in tools]
        unreadable = tuple(opaque for each in loose for opaque in each.unreadable)
        span = found.items.locate_node(group[0].path, group[0].node)
        yield Server(None, "rust", "rmcp", span, tuple(tools), None, unreadable)


def _iter_for_registries(found: _UnassignedDeclarations) -> Iterator[Server]:
    """Make a server of what is registered and no list function was seen to list."""
    for each in found.registries:
        if (
            id(each) not in found.listed
            and each.tools
            and (each.registered or b"mcp" in found.items.sources[each.path].data.lower())
        ):
            span = found.items.locate_node(each.path, each.node)
            yield Server(
                None, "rust", _get_loose_framework(found.items, each.path), span, each.tools, None, each.unreadable
            )


def _iter_for_given(found: _UnassignedDeclarations) -> Iterator[Server]:
    """Make a server of what routers are given that nothing else was seen of."""
    for each in found.given:
        if not each.tools:
            continue
        span = found.items.sources[each.path].find_line_span(1)
        yield Server(None, "rust", "rmcp", span, each.tools, None, each.unreadable)


def _get_loose_framework(items: RustItems, path: str) -> str:
    return "rmcp" if b"rmcp" in items.sources[path].data else ""


def _iter_servers_by_hand(found: _UnassignedDeclarations, others: list[Server]) -> Iterator[Server]:
    """Make a server of each place that answers `tools/list` by hand; two transports that list the same are one.

    In a package that an SDK serves, and beside such packages where no tool is found that these do not have, it is that
    SDK's list that is passed on.
    """
    items = found.items
    told: set[tuple[Span, ...]] = set()
    known = {tool.span for server in others for tool in server.tools}
    served = {items.find_package_folder(server.span.path) for server in others}
    for path in items.find_matching(ANSWERING):
        if others and items.find_package_folder(path) in served | {None}:
            continue
        for each in iter_matches(items.parse_root(path), "rust", "answers"):
            if is_in_test(each["arm"]):
                continue
            listing = RustListing(items)
            listing.visit(each["answer"], Spot(ExpressionPlace(path, {})))
            found.entered |= listing.entered
            if listing.tools or listing.unreadable:
                server = _build_by_hand(found, path, each["arm"], listing)
                spans = (*(tool.span for tool in server.tools), *(each.span for each in server.unreadable))
                if spans not in told and (not others or any(tool.span not in known for tool in server.tools)):
                    yield server
                told.add(spans)


def _build_by_hand(found: _UnassignedDeclarations, path: str, node: Node, listing: RustListing) -> Server:
    registered, unreadable = _collect_for_registry(found, path, node, listing)
    tools = tuple(attach_handlers(listing.tools, registered, more=True))
    return Server(None, "rust", "", found.items.locate_node(path, node), tools, None, tuple(unreadable))


def _iter_for_definitions(found: _UnassignedDeclarations) -> Iterator[Server]:
    """Make a server of each function that makes tools, if nothing in the tree was seen to ask for them.

    Those that say in their names that they do come first; a constructor that fills a list is found if there are none.
    """
    named_so = list(_iter_makers(found, True))
    yield from named_so or _iter_makers(found, False)


def _iter_makers(found: _UnassignedDeclarations, named_so: bool) -> Iterator[Server]:
    """Follow each function that nothing else came by; one that others of them call is part of what these make."""
    followed: dict[tuple[str, int], tuple[RustItem, RustListing]] = {}
    for item in _iter_unentered_functions(found, named_so):
        listing = RustListing(found.items)
        listing.follow(item)
        followed[item.path, item.node.start_byte] = item, listing
    called = {key for place, (_, each) in followed.items() for key in each.entered if each.tools and key != place}
    found.entered |= {key for _, each in followed.values() for key in each.entered}
    for key, (item, listing) in followed.items():
        if listing.tools and key not in called:
            yield _build_by_hand(found, item.path, item.node, listing)


def _iter_unentered_functions(found: _UnassignedDeclarations, named_so: bool) -> Iterator[RustItem]:
    items = found.items
    for path in items.find_matching(DEFINING):
        if b"mcp" not in items.sources[path].data.lower() and "mcp" not in path.lower():
            continue
        for (kind, name), declared in items.list_declarations(path).items():
            for item in declared if kind == "fn" and ("tool" in name.lower()) == named_so else ():
                if (path, item.node.start_byte) not in found.entered and not is_in_test(item.node):
                    yield item


def find_package_name(items: RustItems, path: str) -> Text | None:
    """Name the package that a file belongs to."""
    folder = items.find_package_folder(path)
    if folder is None:
        return None
    try:
        manifest = toml.parse_toml(items.manifests[f"{folder}/Cargo.toml".lstrip("/")].read_text("utf-8", "replace"))
        name = manifest["package"]["name"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Text(name, Span(path, 1, 1, 1, 1)) if isinstance(name, str) else None
