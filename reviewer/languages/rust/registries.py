"""Tools that are types: `impl Tool for X`, of which those are served that something registers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from reviewer.facts import Condition, Flag, Handler, Parameter, Schema, Tool
from reviewer.languages.nodes import child, matches, string_of
from reviewer.languages.rust import associated, tokens
from reviewer.languages.rust.behaviour import requests
from reviewer.languages.rust.behaviour.conduct import acts_of
from reviewer.languages.rust.behaviour.intake import Intakes
from reviewer.languages.rust.behaviour.outcomes import exits_of
from reviewer.languages.rust.bindings import arguments_of, local, result_of
from reviewer.languages.rust.circumstances import conditions_of, conditions_of_callers
from reviewer.languages.rust.folding import Folder, OfType, Place
from reviewer.languages.rust.items import Item, Items, in_test
from reviewer.languages.rust.makings import Maker
from reviewer.languages.rust.uses import segments
from reviewer.schema import rust as schemas
from reviewer.source import Opaque, Text

IMPLEMENTING = re.compile(rb"Tool(?:Base|Handler)?(?:<[^{;\n]*>)?\s+for\s")
TRAIT = re.compile(r"\w*Tool(?:Base|Handler)?")
SHARED = frozenset({"Arc", "Box", "Rc"})
ADDING = re.compile(r"register\w*|push|add\w*|insert|with_(?:tool|sync_tool|async_tool)")
ASKING = re.compile(rb"\.\s*title\s*\(\s*\)|::\s*(?:TITLE\b|title\s*\(\s*\))")
"""Code that asks tools for their titles."""

ANSWERS = frozenset("call execute run invoke call_tool handle".split())


MARKING = ("is_write", "is_mutating", "writes", "mutates", "is_destructive", "requires_write", "is_mutation")
"""Methods by which a tool says that it changes something."""

Key = tuple[str, int] | str
"""A trait: where it is declared, or the name of one that is declared elsewhere."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """One `impl Tool for X`."""

    path: str
    node: Node
    type: str
    trait: Key
    methods: dict[str, Node]


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


def implementations(items: Items) -> list[Implementation]:
    """Find the implementations of traits whose name says that they are tools."""
    found = []
    for path in items.mentioning(IMPLEMENTING):
        for block in items.of_kinds(path, "impl_item"):
            made = _implementation(items, path, block)
            if made is not None and not in_test(block):
                found.append(made)
    return found


def _implementation(items: Items, path: str, block: Node) -> Implementation | None:
    trait, type_, body = child(block, "trait"), child(block, "type"), child(block, "body")
    if trait is None or type_ is None or body is None or TRAIT.fullmatch(segments(trait)[-1]) is None:
        return None
    members = {
        string_of(child(part, "name") or part).lower(): part
        for part in body.named_children
        if part.type in ("function_item", "const_item")
    }
    if "name" not in members or string_of(type_) in _type_parameters(block):
        return None
    return Implementation(path, block, segments(type_)[-1], trait_of(items, path, segments(trait), block), members)


def _type_parameters(block: Node) -> set[str]:
    given = child(block, "type_parameters")
    return {string_of(child(part, "name") or part) for part in (given.named_children if given is not None else ())}


def trait_of(items: Items, path: str, names: tuple[str, ...], near: Node) -> Key:
    """Find the trait that a path means in a file."""
    found = items.resolve(names, path, "trait", near=near)
    return (found.path, found.node.start_byte) if isinstance(found, Item) else names[-1]


def registries(items: Items) -> list[Registry]:
    """Group the implementations by trait, with what registers them."""
    groups: dict[Key, list[Implementation]] = {}
    for made in implementations(items):
        groups.setdefault(made.trait, []).append(made)
    registered = _registrations(items, {each.type for group in groups.values() for each in group})
    found = {trait: _registry(items, group, registered) for trait, group in groups.items()}
    return [_with_adapted(items, made, groups[trait], registered, found) for trait, made in found.items()]


def unregistered(items: Items) -> Iterator[tuple[Implementation, Text]]:
    """Find tools that nothing registers and nothing else speaks of, where others of their trait are registered."""
    made = implementations(items)
    registered = _registrations(items, {each.type for each in made})
    seen = {each.trait for each in made if each.type in registered}
    for each in made:
        if each.trait in seen and each.type not in registered and _adapts(items, each) is None:
            name = _answer(items, each, "name")
            if isinstance(name, Text) and not _is_spoken_of(items, each.type):
                yield each, name


def _is_spoken_of(items: Items, type_: str) -> bool:
    """Tell whether code names a type elsewhere than where it is declared, implemented and brought in."""
    word = re.compile(rb"\b" + re.escape(type_.encode()) + rb"\b")
    for path in items.mentioning(word):
        for hit in word.finditer(items.sources[path].data):
            node = items.root(path).descendant_for_byte_range(*hit.span())
            while node is not None and node.type in PATHS:
                node = node.parent
            if node is not None and node.type not in DECLARING and not in_test(node):
                return True
    return False


PATHS = frozenset("type_identifier identifier scoped_type_identifier scoped_identifier generic_type".split())
DECLARING = frozenset(
    "struct_item impl_item use_declaration use_list scoped_use_list use_as_clause line_comment block_comment "
    "string_content mod_item doc_comment".split()
)

Registered = dict[str, list[_Registration]]


def _registry(items: Items, group: list[Implementation], registered: Registered) -> Registry:
    seen = any(each.type in registered for each in group)
    tools: list[Tool] = []
    unreadable: list[Opaque] = []
    for each in group:
        if (seen and each.type not in registered) or _adapts(items, each) is not None:
            continue
        made = _tool(items, each, _conditions(registered, each))
        if isinstance(made, Tool):
            tools.append(made)
        else:
            unreadable.append(made)
    first = next((registered[each.type][0] for each in group if each.type in registered), None)
    spot = first if first is not None else _Registration(group[0].path, group[0].node, ())
    return Registry(spot.path, spot.node, group[0].trait, tuple(tools), tuple(unreadable), seen)


def _conditions(registered: Registered, made: Implementation) -> tuple[Condition, ...]:
    return min((place.conditions for place in registered.get(made.type, ())), key=len, default=())


def _with_adapted(
    items: Items, made: Registry, group: list[Implementation], registered: Registered, others: dict[Key, Registry]
) -> Registry:
    """Add the tools of another trait that an adapter passes on."""
    for each in group:
        inner = others.get(_adapts(items, each) or "")
        if inner is None or inner.trait == made.trait or each.type not in registered:
            continue
        outer = _conditions(registered, each)
        tools = (replace(tool, conditions=(*outer, *tool.conditions)) for tool in inner.tools)
        made = replace(made, tools=(*made.tools, *tools), unreadable=(*made.unreadable, *inner.unreadable))
    return made


def _adapts(items: Items, made: Implementation) -> Key | None:
    """Give the trait of the tool that an implementation takes its name from."""
    body = child(made.methods["name"], "body")
    passed = re.search(r"self\s*\.\s*(\w+)\s*\.\s*name\s*\(", string_of(body)) if body is not None else None
    struct = items.resolve((made.type,), made.path, "struct", near=made.node) if passed is not None else None
    if passed is None or not isinstance(struct, Item):
        return None
    fields = child(struct.node, "body")
    for part in fields.named_children if fields is not None else ():
        type_ = child(part, "type")
        if type_ is not None and string_of(child(part, "name") or part) == passed[1]:
            named = re.search(r"\bdyn\s+([\w:]+)", string_of(type_))
            if named is not None:
                return trait_of(items, struct.path, tuple(named[1].split("::")), struct.node)
    return None


def _tool(items: Items, made: Implementation, conditions: tuple[Condition, ...]) -> Tool | Opaque:
    name = _answer(items, made, "name")
    span = items.span(made.path, made.node)
    if not isinstance(name, Text):
        reason = name.reason if isinstance(name, Opaque) else "it is not a string"
        return Opaque(f"a tool is listed whose name cannot be read: {reason}", span)
    description = _answer(items, made, "description")
    schema, parameters = _schema(items, made)
    title = _answer(items, made, "title") if made.trait == BASE or items.mentioning(ASKING) else None
    return Tool(
        name=name,
        span=span,
        description=description if isinstance(description, Text | Opaque) else None,
        title=title if isinstance(title, Text | Opaque) else None,
        input_schema=schema,
        output_schema=_output(items, made) if made.trait == BASE else None,
        annotations=_annotations(items, made),
        parameters=parameters,
        conditions=conditions,
        handler=_handler(items, made, parameters),
        type=_written_type(items, made),
    )


def _written_type(items: Items, made: Implementation) -> Text | None:
    """Give the name of the type, of one that tells itself how it is called."""
    type_, body = child(made.node, "type"), child(made.methods["name"], "body") or child(made.methods["name"], "value")
    fixed = body is not None and b"self" not in (body.text or b"")
    return Text(made.type, items.span(made.path, type_)) if type_ is not None and fixed else None


def _answer(items: Items, made: Implementation, *names: str) -> object:
    """Read what a method without arguments, or a constant, gives."""
    member = next((made.methods[name] for name in names if name in made.methods), None)
    body = (child(member, "body") or child(member, "value")) if member is not None else None
    return Folder(items).fold(body, Place(made.path, {})) if body is not None else None


def _schema(items: Items, made: Implementation) -> tuple[Schema | Opaque | None, tuple[Parameter, ...] | Opaque]:
    names = ("input_schema", "schema", "parameters", "parameters_schema")
    value, span = _answer(items, made, *names), items.span(made.path, made.node)
    if value is not None:
        return schemas.of_value(items, value, span)
    named = _named_type(made, ARGUMENTS)
    if named is None:
        return (None, ()) if not made.methods.keys() & set(names) else _unknown(items, made)
    if made.trait == BASE:
        return schemas.of_value(items, OfType(named[1], made.path), span)
    return associated.input_of(items, named[1], made.path, named[0], span)


ARGUMENTS = frozenset({"Parameter", "Parameters", "Params", "Args", "Input", "RequestArgs"})
BASE = "ToolBase"
"""rmcp's own trait, which the project does not declare."""


def _named_type(made: Implementation, names: frozenset[str]) -> tuple[str, Node] | None:
    """Give the first of the names that an implementation says a type for, and the type."""
    body = child(made.node, "body")
    for part in body.named_children if body is not None else ():
        name, type_ = string_of(child(part, "name") or part), child(part, "type")
        if part.type == "type_item" and name in names and type_ is not None:
            return name, type_
    return None


def _output(items: Items, made: Implementation) -> Schema | Opaque | None:
    """Give the schema of `type Output`, or what `output_schema()` gives in its stead."""
    span = items.span(made.path, made.node)
    if "output_schema" in made.methods:
        value = _answer(items, made, "output_schema")
        return schemas.of_value(items, value, span, output=True)[0] if value is not None else None
    named = _named_type(made, frozenset({"Output"}))
    return schemas.of_type(items, named[1], made.path, way="output") if named is not None else None


def _unknown(items: Items, made: Implementation) -> tuple[Opaque, Opaque]:
    opaque = Opaque("its schema is made at run time", items.span(made.path, made.node))
    return opaque, opaque


def _annotations(items: Items, made: Implementation) -> dict[str, object] | Opaque | None:
    body = child(made.methods.get("annotations"), "body")
    last = result_of(body) if body is not None else None
    if last is None:
        return Opaque("the annotations are made by code", items.span(made.path, body)) if body is not None else None
    value = Maker(items).annotations(last, Place(made.path, {}))
    if isinstance(value, dict):
        return next((part for part in value.values() if isinstance(part, Opaque)), None) or dict(value)
    return value if value is None or isinstance(value, Opaque) else None


def _handler(items: Items, made: Implementation, parameters: tuple[Parameter, ...] | Opaque) -> Handler | None:
    name = next((name for name in made.methods if name in ANSWERS), None)
    if name is None:
        return None
    node = made.methods[name]
    text = items.text(made.path, child(node, "name") or node)
    capped = Flag(lambda: requests.capped(items, node, made.path, parameters))
    taken = Intakes(items, node, made.path)
    return Handler(
        text,
        items.span(made.path, node),
        exits_of(items, node, made.path),
        capped,
        acts=acts_of(items, node, made.path),
        write_mark=_write_mark(items, made),
        intakes=taken.listed,
        followed=taken.followed,
        omissions=taken.omissions,
        hints=taken.hints,
    )


def _write_mark(items: Items, made: Implementation) -> Text | None:
    """Give the method by which a tool says that it writes; one that says no is no mark."""
    method = next((made.methods[name] for name in MARKING if name in made.methods), None)
    body = child(method, "body")
    if method is None or body is None or re.fullmatch(r"\{\s*false\s*\}", string_of(body)) is not None:
        return None
    return items.text(made.path, child(method, "name") or method)


def _registrations(items: Items, types: set[str]) -> Registered:
    """Find where values of the types are put among the tools."""
    found: Registered = {}
    names = b"|".join(sorted(re.escape(name.encode()) for name in types))
    wanted = re.compile(
        rb"(?:\b(?:Arc|Box|Rc)::new|\.(?:register|push|add|insert|with_)\w*)\s*(?:::<|\()\s*<?(?:\w+::)*(?:"
        + names
        + rb")\b"
    )
    for path in items.mentioning(wanted) if types else ():
        for node, anchor in _calls(items, path, items.root(path), None, types):
            for name in _registered_types(items, path, node):
                if name in types and not in_test(anchor or node):
                    found.setdefault(name, []).append(_registration(items, path, node, anchor))
    return found


def _registration(items: Items, path: str, node: Node, anchor: Node | None) -> _Registration:
    source = items.sources[path]
    outer = anchor or node
    conditions = (*conditions_of_callers(items, outer), *conditions_of(source, outer))
    return _Registration(path, outer, (*conditions, *conditions_of(source, node)) if anchor is not None else conditions)


def _calls(
    items: Items, path: str, node: Node, anchor: Node | None, types: set[str]
) -> Iterator[tuple[Node, Node | None]]:
    """Find the calls in a file, those in the tokens of `vec!` too."""
    for part in matches(node, "rust", "constructions"):
        if "call" in part:
            yield part["call"], anchor
        elif (macro := part.get("macro")) is not None and any(name in string_of(macro) for name in types):
            tree = next((each for each in macro.named_children if each.type == "token_tree"), None)
            for element in tokens.elements(items.sources[path], tree) if tree is not None else ():
                for call, _ in _calls(items, path, element, anchor, types):
                    yield call, anchor or macro


def _registered_types(items: Items, path: str, call: Node) -> Iterator[str]:
    """Name the types whose values a call shares or adds."""
    function = child(call, "function")
    if function is None:
        return
    if function.type == "generic_function" and ADDING.fullmatch(segments_of_method(function)):
        types = child(function, "type_arguments")
        yield from (segments(part)[-1] for part in (types.named_children if types is not None else ()))
    names = segments(function) if function.type == "scoped_identifier" else ()
    adding = function.type == "field_expression" and ADDING.fullmatch(string_of(child(function, "field") or call))
    if adding or (names[-1:] == ("new",) and names[-2:-1] and names[-2] in SHARED):
        for argument in arguments_of(call):
            named = _type_of_value(items, path, argument)
            if named is not None:
                yield named


def segments_of_method(function: Node) -> str:
    """Name the method that a call with type arguments calls."""
    inner = child(function, "function")
    return string_of(child(inner, "field") or inner or function)


def _type_of_value(items: Items, path: str, value: Node) -> str | None:
    """Name the type of `X`, `X::new(..)`, `X { .. }`."""
    if value.type == "struct_expression":
        name = child(value, "name")
        return _last(items, path, segments(name)) if name is not None else None
    if value.type == "call_expression":
        function = child(value, "function")
        names = segments(function) if function is not None and function.type == "scoped_identifier" else ()
        if function is not None and function.type == "identifier":
            return _last(items, path, segments(function))
        if names[-1:] == ("new",) and len(names) > 1 and names[-2] in SHARED:
            return None
        return _last(items, path, names[:-1]) if len(names) > 1 else None
    if value.type in ("try_expression", "await_expression") and value.named_children:
        return _type_of_value(items, path, value.named_children[0])
    if value.type == "identifier" and (given := local(value)) is not None:
        return _type_of_value(items, path, given)
    if value.type in ("identifier", "scoped_identifier"):
        return _last(items, path, segments(value))
    return None


def _last(items: Items, path: str, names: tuple[str, ...]) -> str | None:
    if not names:
        return None
    used = items.uses(path).names.get(names[0]) if len(names) == 1 else None
    return used[-1] if used is not None else names[-1]
