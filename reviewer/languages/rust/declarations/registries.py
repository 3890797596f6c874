"""Tools that are types: `impl Tool for X`, of which those are served that something registers.

Where nothing is seen to register any of a trait, all are that some code speaks of: an example of how one is written is no tool.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tree_sitter import Node

from reviewer.facts import Condition, Tool
from reviewer.languages.nodes import (
    decode_node,
    find_child,
    find_nearest_of_kinds,
    find_parent,
    iter_matches,
    list_field_children,
)
from reviewer.languages.rust.declarations.beside import collect_definitions_beside
from reviewer.languages.rust.declarations.circumstances import collect_caller_conditions, collect_conditions
from reviewer.languages.rust.declarations.trait_tools import (
    ANSWERS,
    CONTRACT,
    Implementation,
    Key,
    answer,
    find_defining_method,
    read_annotations,
    read_tool,
)
from reviewer.languages.rust.evaluation.instances import SHARED
from reviewer.languages.rust.project.def_use import list_arguments, resolve_local
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.meanings import collect_bounds
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import tokens
from reviewer.records import dataclass
from reviewer.source import Opaque, Text
from reviewer.text.patterns import pattern

# rmcp's `ToolBase`, pmcp's `ToolHandler`, and a project's own `Tool` as codescout has it, with type arguments or
# without.
IMPLEMENTING = pattern(rb"Tool(?:Base|Handler)?(?:<[^{;\n]*>)?\s+for\s")
# `IMPLEMENTING` as a whole name, so that `ToolRegistry` and `Toolbox` are no tools.
TRAIT = pattern(r"\w*Tool(?:Base|Handler)?")
# An adapter answers with the name of the tool that it is for: `T::NAME`, `<T as Tool>::NAME`, `T::name()`.
OF_PARAMETER = pattern(r"<?\b(\w+)(?:\s+as\s+[\w:]+\s*>)?\s*::\s*(?:NAME\b|name\s*\()")
# The same through a field: `self.inner.name()`.
OF_FIELD = pattern(r"self\s*\.\s*(\w+)\s*\.\s*name\s*\(")
TAKING = pattern(rb"\bfn\s+\w+[^{;]*?:\s*(?:impl\s+)?(?:\w+::)*\w*Tool(?:Base|Handler)?\b")
"""Where a function begins that takes any type of a trait of tools."""

SEVERAL = 2
"""Tools that code names, in whatever form it lists them, before one that nothing names is missed: `&[&Ports, &Tides]`."""

# rmcp's own methods (`with_sync_tool` and its like) and the verbs of registries. Another verb still counts if the
# function takes any type of the trait.
ADDING = pattern(r"register\w*|push|add\w*|insert|with_(?:tool|sync_tool|async_tool)")


@dataclass(frozen=True, slots=True)
class Registry:
    """The registered tools of one trait. `path` and `node` are the first place that registers one, if any does."""

    path: str
    node: Node
    trait: Key
    tools: tuple[Tool, ...]
    unreadable: tuple[Opaque, ...]
    registered: bool


@dataclass(frozen=True, slots=True)
class _Registration:
    path: str
    node: Node
    conditions: tuple[Condition, ...]
    written: Text


def collect_implementations(items: RustItems) -> list[Implementation]:
    """Find the implementations of traits whose name says that they are tools."""
    named: list[Implementation] = []
    nameless: list[Implementation] = []
    for path in items.find_matching(IMPLEMENTING):
        for block in items.find_nodes(path, "impl_item"):
            made = _find_implementation(items, path, block)
            if made is not None and not is_in_test(block):
                (named if _tells_its_name(made.methods) else nameless).append(made)
    return [*named, *_iter_described_implementations(items, nameless)]


def _tells_its_name(methods: dict[str, Node]) -> bool:
    return "name" in methods or find_defining_method(methods) is not None


def _iter_described_implementations(items: RustItems, nameless: list[Implementation]) -> Iterator[Implementation]:
    """Yield those that are registered beside a description which has their names."""
    told = collect_definitions_beside(items, frozenset(each.type for each in nameless))
    yield from (replace(each, told=told[each.type][0]) for each in nameless if len(told.get(each.type, ())) == 1)


def _find_implementation(items: RustItems, path: str, block: Node) -> Implementation | None:
    trait, type_, body = find_child(block, "trait"), find_child(block, "type"), find_child(block, "body")
    if trait is None or type_ is None or body is None or TRAIT.fullmatch(read_segments(trait)[-1]) is None:
        return None
    members = {
        decode_node(find_child(part, "name") or part).lower(): part
        for part in body.named_children
        if part.type in ("function_item", "const_item")
    }
    if decode_node(type_) in _type_parameters(block):
        return None
    if members.keys().isdisjoint(ANSWERS) and not _tells_its_name(members):
        return None
    return Implementation(
        path, block, read_segments(type_)[-1], resolve_trait(items, path, read_segments(trait), block), members
    )


def _type_parameters(block: Node) -> set[str]:
    return {decode_node(find_child(part, "name") or part) for part in list_field_children(block, "type_parameters")}


def resolve_trait(items: RustItems, path: str, names: tuple[str, ...], near: Node) -> Key:
    """Find the trait that a path means in a file."""
    found = items.resolve(names, path, "trait", near=near)
    return (found.path, found.node.start_byte) if isinstance(found, RustItem) else names[-1]


def build_registries(items: RustItems) -> list[Registry]:
    """Group the implementations by trait, with what registers them."""
    groups: dict[Key, list[Implementation]] = {}
    for made in collect_implementations(items):
        groups.setdefault(made.trait, []).append(made)
    registered = _get_registrations(items, {each.type for group in groups.values() for each in group})
    found = {trait: _build_registry(items, group, registered) for trait, group in groups.items()}
    adapted = {
        _find_adapted_trait(items, each) for group in groups.values() for each in group if each.type in registered
    }
    whole = [_with_adapted(items, made, groups[trait], registered, found) for trait, made in found.items()]
    return [each for each in whole if each.trait not in adapted or not each.tools]


def iter_unregistered_tools(items: RustItems) -> Iterator[tuple[Implementation, Text]]:
    """Find tools that nothing registers and nothing else speaks of, where others of their trait are registered."""
    made = collect_implementations(items)
    registered = _get_registrations(items, {each.type for each in made})
    seen = {each.trait for each in made if each.type in registered}
    spoken = {each.type for each in made if each.trait not in seen and _is_spoken_of(items, each.type)}
    listed = [each.trait for each in made if each.type in spoken]
    for each in made:
        if each.type in registered or each.type in spoken or _find_adapted_trait(items, each) is not None:
            continue
        if each.trait in seen or listed.count(each.trait) >= SEVERAL:
            name = answer(items, each, "name")
            if isinstance(name, Text) and not _is_spoken_of(items, each.type):
                yield each, name


def _is_spoken_of(items: RustItems, type_: str) -> bool:
    """Return whether code names a type elsewhere than where it is declared, implemented and brought in."""
    word = re.compile(rb"\b" + re.escape(type_.encode()) + rb"\b")
    for path in items.find_matching(word):
        for hit in word.finditer(items.sources[path].data):
            node = items.parse_root(path).descendant_for_byte_range(*hit.span())
            while node is not None and node.type in PATHS:
                node = find_parent(node)
            if node is not None and node.type not in DECLARING and not is_in_test(node):
                return True
    return False


# The grammar puts these around a name that is part of a longer one; what stands above them says what the name is used
# for.
PATHS = frozenset("type_identifier identifier scoped_type_identifier scoped_identifier generic_type".split())
# In these a type is declared, implemented or brought in, or only talked of: it is not used by them.
DECLARING = frozenset(
    "struct_item impl_item use_declaration use_list scoped_use_list use_as_clause line_comment block_comment "
    "string_content mod_item doc_comment".split()
)

Registered = dict[str, list[_Registration]]


def _build_registry(items: RustItems, group: list[Implementation], registered: Registered) -> Registry:
    seen = any(each.type in registered for each in group)
    tools: list[Tool] = []
    unreadable: list[Opaque] = []
    for each in group:
        is_served = each.type in registered if seen else _is_spoken_of(items, each.type)
        if not is_served or _find_adapted_trait(items, each) is not None:
            continue
        made = read_tool(items, each, _collect_conditions(registered, each))
        if isinstance(made, Tool):
            tools.append(replace(made, again=tuple(_iter_again(registered.get(each.type, ())))) if made.type else made)
        else:
            unreadable.append(made)
    first = next((registered[each.type][0] for each in group if each.type in registered), None)
    path, node = (first.path, first.node) if first is not None else (group[0].path, group[0].node)
    return Registry(path, node, group[0].trait, tuple(tools), tuple(unreadable), seen)


def _iter_again(places: Sequence[_Registration]) -> Iterator[Text]:
    """Yield where what is put into a list is put there once more, under the same conditions."""
    for at, each in enumerate(places):
        if any(_has_same_list(each, other) for other in places[:at]):
            yield each.written


def _has_same_list(one: _Registration, other: _Registration) -> bool:
    """Return whether two values go into one list: that of one macro, or of one function."""
    alike = one.written == other.written and one.conditions == other.conditions and one.path == other.path
    return (
        alike
        and find_nearest_of_kinds(one.node, "function_item")
        == find_nearest_of_kinds(other.node, "function_item")
        is not None
    )


def _collect_conditions(registered: Registered, made: Implementation) -> tuple[Condition, ...]:
    return min((place.conditions for place in registered.get(made.type, ())), key=len, default=())


def _with_adapted(
    items: RustItems, made: Registry, group: list[Implementation], registered: Registered, others: dict[Key, Registry]
) -> Registry:
    """Add the tools of another trait that an adapter passes on."""
    for each in group:
        inner = others.get(_find_adapted_trait(items, each) or "")
        if inner is None or inner.trait == made.trait or each.type not in registered:
            continue
        outer, told = _collect_conditions(registered, each), each.methods.keys() >= CONTRACT
        listed = read_annotations(items, each) if any(tool.annotations is None for tool in inner.tools) else None
        tools = (
            replace(
                tool,
                conditions=(*outer, *tool.conditions),
                by_contract=told or tool.by_contract,
                annotations=tool.annotations if tool.annotations is not None else listed,
            )
            for tool in inner.tools
        )
        made = replace(made, tools=(*made.tools, *tools), unreadable=(*made.unreadable, *inner.unreadable))
    return made


def _find_adapted_trait(items: RustItems, made: Implementation) -> Key | None:
    """Return the trait of the tool that an implementation takes its name from: that of a boxed one, or of its type parameter."""
    told = made.methods.get("name")
    body = find_child(told, "body") or find_child(told, "value")
    generic = _bound_of_adapted(items, made, body) if body is not None else None
    if generic is not None:
        return generic
    passed = OF_FIELD.search(decode_node(body)) if body is not None else None
    struct = items.resolve((made.type,), made.path, "struct", near=made.node) if passed is not None else None
    if passed is None or not isinstance(struct, RustItem):
        return None
    for part in list_field_children(struct.node, "body"):
        type_ = find_child(part, "type")
        if type_ is not None and decode_node(find_child(part, "name") or part) == passed[1]:
            named = re.search(r"\bdyn\s+([\w:]+)", decode_node(type_))
            if named is not None:
                return resolve_trait(items, struct.path, tuple(named[1].split("::")), struct.node)
    return None


def _bound_of_adapted(items: RustItems, made: Implementation, name: Node) -> Key | None:
    """Return the trait of the type parameter that a name comes from: `T::NAME`, or `self.0.name()` where the field is a `T`."""
    bounds = collect_bounds(made.node)
    asked = next((hit[1] for hit in OF_PARAMETER.finditer(decode_node(name)) if hit[1] in bounds), None)
    passed = OF_FIELD.search(decode_node(name)) if asked is None and bounds else None
    if passed is not None:
        struct = items.resolve((made.type,), made.path, "struct", near=made.node)
        asked = _find_parameter_of_field(struct.node, passed[1], made.node) if isinstance(struct, RustItem) else None
    bound = bounds.get(asked) if asked is not None else None
    return resolve_trait(items, made.path, read_segments(bound), made.node) if bound is not None else None


def _find_parameter_of_field(struct: Node, name: str, block: Node) -> str | None:
    """Return the name that an `impl` gives the type parameter of a field of its struct; None if the field has none."""
    kinds: list[Node] = []
    for part in list_field_children(struct, "body"):
        if part.type == "field_declaration":
            kinds += [find_child(part, "type") or part] if decode_node(find_child(part, "name") or part) == name else []
        elif name.isdigit() and part.type not in ("visibility_modifier", "attribute_item"):
            kinds.append(part)
    place = int(name) if name.isdigit() else 0
    kind = decode_node(kinds[place]) if place < len(kinds) else ""
    declared, given = (
        list(collect_bounds(struct)),
        list_field_children(find_child(block, "type") or block, "type_arguments"),
    )
    written = [decode_node(part) for part in given if part.type != "lifetime"]
    return written[declared.index(kind)] if kind in declared and declared.index(kind) < len(written) else None


def _get_registrations(items: RustItems, types: set[str]) -> Registered:
    """Find where values of the types are put among the tools."""
    found: Registered = {}
    names = b"|".join(sorted(re.escape(name.encode()) for name in types))
    takers = _collect_takers(items) if types else frozenset()
    taking = b"".join(b"|" + re.escape(name.encode()) + rb"\b" for name in sorted(takers))
    wanted = re.compile(
        rb"(?:(?:\b(?:Arc|Box|Rc)::new|\.(?:(?:register|push|add|insert|with_)\w*%b))\s*(?:::<|\()|\blet\s+\w+\s*=)"
        % taking
        + rb"\s*<?(?:\w+::)*(?:%b)\b" % names
    )
    for path in items.find_matching(wanted) if types else ():
        for node, anchor in _iter_calls(items, path, items.parse_root(path), None, types):
            for name in _iter_registered_types(items, path, node, takers):
                if name in types and not is_in_test(anchor or node):
                    found.setdefault(name, []).append(_get_registration(items, path, node, anchor))
    return found


def _collect_takers(items: RustItems) -> frozenset[str]:
    """Name the methods of the project that take any type of a trait of tools: `fn with<T: Tool>(mut self, tool: T) -> Self`."""
    found = set()
    for path in items.find_matching(TAKING):
        for function in items.find_nodes_near(path, TAKING, "function_item"):
            given = find_child(function, "parameters")
            plain = (find_child(part, "type") for part in given.named_children) if given is not None else ()
            traits = [find_child(each, "trait") for each in plain if each is not None and each.type == "abstract_type"]
            for trait in (*collect_bounds(function).values(), *traits):
                if trait is not None and TRAIT.fullmatch(read_segments(trait)[-1]) and not is_in_test(function):
                    found.add(decode_node(find_child(function, "name") or function))
    return frozenset(found)


def _get_registration(items: RustItems, path: str, node: Node, anchor: Node | None) -> _Registration:
    source = items.sources[path]
    outer = anchor or node
    conditions = (*collect_caller_conditions(items, outer), *collect_conditions(source, outer))
    whole = (*conditions, *collect_conditions(source, node)) if anchor is not None else conditions
    return _Registration(path, outer, whole, items.locate_text(path, node))


def _iter_calls(
    items: RustItems, path: str, node: Node, anchor: Node | None, types: set[str]
) -> Iterator[tuple[Node, Node | None]]:
    """Find the calls in a file, those in the tokens of `vec!` too."""
    for part in iter_matches(node, "rust", "constructions"):
        if "call" in part:
            yield part["call"], anchor
        elif (macro := part.get("macro")) is not None and any(name in decode_node(macro) for name in types):
            tree = next((each for each in macro.named_children if each.type == "token_tree"), None)
            for element in tokens.parse_elements(items.sources[path], tree) if tree is not None else ():
                for call, _ in _iter_calls(items, path, element, anchor, types):
                    yield call, anchor or macro


def _iter_registered_types(
    items: RustItems, path: str, call: Node, takers: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Name the types whose values a call shares or adds."""
    function = find_child(call, "function")
    if function is None:
        return
    if function.type == "generic_function" and ADDING.fullmatch(read_method_name(function)):
        yield from (read_segments(part)[-1] for part in list_field_children(function, "type_arguments"))
    names = read_segments(function) if function.type == "scoped_identifier" else ()
    method = decode_node(find_child(function, "field") or call) if function.type == "field_expression" else ""
    adding = method in takers or ADDING.fullmatch(method)
    if adding or (names[-1:] == ("new",) and names[-2:-1] and names[-2] in SHARED):
        for argument in list_arguments(call):
            named = type_of_value(items, path, argument)
            if named is not None:
                yield named


def read_method_name(function: Node) -> str:
    """Name the method that a call with type arguments calls."""
    inner = find_child(function, "function")
    return decode_node(find_child(inner, "field") or inner or function)


def type_of_value(items: RustItems, path: str, value: Node) -> str | None:
    """Name the type of `X`, `X::new(..)`, `X { .. }`."""
    if value.type == "struct_expression":
        name = find_child(value, "name")
        return _find_last(items, path, read_segments(name)) if name is not None else None
    if value.type == "call_expression":
        function = find_child(value, "function")
        names = read_segments(function) if function is not None and function.type == "scoped_identifier" else ()
        if function is not None and function.type == "identifier":
            return _find_last(items, path, read_segments(function))
        if names[-1:] == ("new",) and len(names) > 1 and names[-2] in SHARED:
            return None
        return _find_last(items, path, names[:-1]) if len(names) > 1 else None
    if value.type in ("try_expression", "await_expression") and value.named_children:
        return type_of_value(items, path, value.named_children[0])
    if value.type == "identifier" and (given := resolve_local(value)) is not None:
        return type_of_value(items, path, given)
    if value.type in ("identifier", "scoped_identifier"):
        return _find_last(items, path, read_segments(value))
    return None


def _find_last(items: RustItems, path: str, names: tuple[str, ...]) -> str | None:
    if not names:
        return None
    used = items.read_uses(path).names.get(names[0]) if len(names) == 1 else None
    return used[-1] if used is not None else names[-1]


def attach_handlers(listed: Iterable[Tool], handlers: Iterable[Tool], more: bool = False) -> list[Tool]:
    """Return listed tools with the handlers that have their names, and with `more` what else is registered."""
    tools = list(listed)
    for each in handlers:
        at = next((at for at, tool in enumerate(tools) if tool.name == each.name), None)
        if at is not None and tools[at].handler is None:
            tools[at] = replace(tools[at], handler=each.handler, type=each.type)
        elif at is None and more:
            tools.append(each)
    return tools
