"""The `fields` that a client asks for and that no code looks at."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.pages import FIELDS
from reviewer.facts import Dispatch, Guard, Projection, Server, Tool
from reviewer.languages.nodes import child, parent_of, string_of, text_of
from reviewer.languages.rust.behaviour import requests, scopes
from reviewer.languages.rust.behaviour.handling import files, handling
from reviewer.languages.rust.bindings import arguments_of, local
from reviewer.languages.rust.callees import below, called, owner, targets
from reviewer.languages.rust.items import Item, Items, in_test
from reviewer.languages.rust.literals import string_value
from reviewer.source import Text

LISTS = re.compile(r"String|\bstr\b|Fields|Value|Projection")
READ = re.compile(
    rb"\.\s*fields\b|\"/?fields\"\s*(?:\)|,|\])|\bfields\s*:\s*(?:Option|Vec|&|HashSet|BTreeSet|Fields)|\bFIELDS?_KEY\b"
)
NOTHING = re.compile(
    r"(?:\w+::)*None(?:::<.*>)?|(?:Some\()?&?(?:vec!)?\s*\[\s*(?:String::from\()?\"\*\"(?:\.\w+\(\))?\)?\s*\]\)?|&?(?:mut\s+)?(?:\[\s*\]|vec!\s*\[\s*\]|(?:Vec|HashSet|BTreeSet)(?:::<[^>]*>)?::new\(\))"
    r"|(?:\w+::)*(?:default|all|none|everything)\(\)|&?\[\s*\"\*\"(?:\.into\(\)|\.to_string\(\))?\s*\]|(?:\w+::)*Null"
)
TAKEN = re.compile(r"\"fields\"|\.\s*fields\b")
META = re.compile(r"\b(?:help|schema)(?:_\w+)?\b|_(?:help|schema)\b|catalog|ACTIONS\b", re.IGNORECASE)


def unread(
    items: Items,
    servers: tuple[Server, ...],
    dispatches: tuple[Dispatch, ...],
    guards: tuple[Guard, ...],
    central: list[Item],
) -> Iterator[Projection]:
    """Find the arguments, the fields of requests, the arms and the calls that pass over what was asked for.

    `central` are the functions of a guard that does filter: what one of them leaves to another is no concern.
    """
    run = handling(items)
    near = [path for path in files(items) if b"fields" in items.sources[path].data]
    handlers = {each.span for each in dispatches} | {guard.span for guard in guards}
    handlers |= {tool.handler.span for server in servers for tool in server.tools if tool.handler is not None}
    excused = {each.span for each in central} - handlers
    functions = [
        (path, node, items.span(path, node)) for path in near for node in _of_kind(items, path, "function_item")
    ]
    found = {
        span: told_here
        for path, node, span in functions
        if span not in excused and (told_here := list(_of_function(items, node, path, span in handlers)))
        if run.holds(path, node)
    }
    told = [string_of(node) for _, node, span in functions if found.get(span)]
    yield from (each for several in found.values() for each in several)
    for path in near:
        for struct in _of_kind(items, path, "struct_item"):
            if b"fields" not in (struct.text or b""):
                continue
            names = _named(items, {string_of(child(struct, "name") or struct)})
            passed_over = (
                [] if any(names.search(text) for text in told) else list(_of_struct(items, struct, path, near))
            )
            for each in passed_over if passed_over and run.holds(path, struct) else ():
                told.append(str(each.text))
                yield each
    if not told and any("fields" in map(str, _parameters(tool)) for each in servers for tool in each.tools):
        yield from _of_contexts(items, near, guards)
    yield from _of_defaults(items, near, guards)
    yield from _of_schemas(items, servers)


def _of_kind(items: Items, path: str, kind: str) -> Iterator[Node]:
    return (node for node in items.of_kinds(path, kind) if not in_test(node))


def _of_function(items: Items, function: Node, path: str, is_handler: bool) -> Iterator[Projection]:
    body = child(function, "body")
    if body is None or "fields" not in string_of(function):
        return
    own = _parameter(function)
    if own is not None:
        code = scopes.Code([body])
        if not any(string_of(node) == string_of(own) for node in code.alive if node.type in scopes.NAMES):
            if not any(re.search(rf"\{{{re.escape(string_of(own))}[:}}]", string_of(node)) for node in code.alive):
                yield Projection(text_of(items.sources[path], own), "ignored")
                return
    for let in _forgotten(body):
        yield Projection(text_of(items.sources[path], let), "ignored")
    withheld = list(_withheld(items, function, body, path))
    for call in withheld:
        yield Projection(text_of(items.sources[path], call), "ignored")
    if is_handler and own is not None:
        yield from _of_arms(items, body, path, withheld)


def _forgotten(body: Node) -> Iterator[Node]:
    """Find the bindings of the fields of a request that nothing uses."""
    code = scopes.Code([body])
    alive = {node.id for node in code.alive}
    for each in code.lets:
        pattern, value = child(each, "pattern"), child(each, "value")
        if pattern is not None and value is not None and each.id not in alive:
            if string_of(pattern).strip("_") == "fields" and TAKEN.search(string_of(value)) is not None:
                yield each


def _parameter(function: Node) -> Node | None:
    """Give the name of the parameter that takes the fields."""
    listed = child(function, "parameters")
    for part in listed.named_children if listed is not None else ():
        pattern, kind = child(part, "pattern"), child(part, "type")
        if pattern is not None and kind is not None and string_of(pattern).lstrip("_") == "fields":
            return pattern if LISTS.search(string_of(kind)) is not None else None
    return None


def _of_arms(items: Items, body: Node, path: str, withheld: list[Node]) -> Iterator[Projection]:
    """Find the arms that pass over the fields, where others look at them."""
    for match in below(body):
        value, choices = child(match, "value"), child(match, "body")
        if match.type != "match_expression" or value is None or choices is None or "action" not in string_of(value):
            continue
        look = requests.Arms(items, match, path, FIELDS, frozenset())
        arms = [arm for arm in choices.named_children if arm.type == "match_arm" and _is_action(arm)]
        looks = [look.look(child(arm, "value")) for arm in arms]
        if not any(looks):
            continue
        for arm, looked in zip(arms, looks, strict=True):
            pattern = child(arm, "pattern")
            told = any(arm.start_byte <= call.start_byte < arm.end_byte for call in withheld)
            if not looked and not told and pattern is not None:
                yield Projection(text_of(items.sources[path], pattern), "ignored")


def _is_action(arm: Node) -> bool:
    """Tell whether an arm answers an action of its own, and neither help nor an error."""
    pattern, value = child(arm, "pattern"), child(arm, "value")
    if pattern is None or value is None or META.search(string_of(pattern)) is not None:
        return False
    named = any(string_value(part) is not None for part in below(pattern))
    return named and re.match(r"(?:return\s+)?Err\(", string_of(value)) is None


def _withheld(items: Items, function: Node, body: Node, path: str) -> Iterator[Node]:
    """Find calls that give nothing where a function of the project takes the fields."""
    listed = child(function, "parameters")
    if listed is None or META.search(string_of(child(function, "name") or function)) is not None:
        return
    if re.search(r"\baction\b|\bfields\b|\bParameters\b", string_of(listed)) is None:
        return
    for call in below(body):
        given = arguments_of(call) if call.type == "call_expression" else []
        if not any(_is_nothing(each) for each in given) or _is_meta(call, given, body):
            continue
        found = targets(items, call, path)
        if not found and called(call) == "respond":
            found = items.functions("respond")
        for target in found:
            place = _place(target.node)
            if place is not None and place < len(given) and _is_nothing(given[place]):
                yield call
                break


def _is_nothing(value: Node) -> bool:
    """Tell whether an argument asks for no fields, also by a name that is bound to nothing."""
    given = local(value) if value.type == "identifier" else None
    return NOTHING.fullmatch(string_of(value if given is None else given)) is not None


def _place(function: Node) -> int | None:
    """Tell at which place a function takes the fields."""
    listed = child(function, "parameters")
    parts = [part for part in listed.named_children if part.type == "parameter"] if listed is not None else []
    own = _parameter(function)
    return (
        next((at for at, part in enumerate(parts) if child(part, "pattern") == own), None) if own is not None else None
    )


def _is_meta(call: Node, given: list[Node], body: Node) -> bool:
    """Tell whether a call answers help, a schema or an error, which have no fields to choose from."""
    if any(META.search(string_of(each)) for each in given):
        return True
    node: Node | None = call
    while node is not None and node != body:
        said = child(node, "pattern") if node.type == "match_arm" else child(node, "condition")
        if said is not None and META.search(string_of(said)) is not None:
            return True
        node = parent_of(node)
    return False


def _of_struct(items: Items, struct: Node, path: str, near: list[str]) -> Iterator[Projection]:
    """Find the field of a request that nothing reads."""
    body, name = child(struct, "body"), child(struct, "name")
    for part in body.named_children if body is not None else ():
        field, kind = child(part, "name"), child(part, "type")
        if part.type != "field_declaration" or field is None or kind is None or name is None:
            continue
        if string_of(field) not in ("fields", "_fields") or not re.search(r"String|\bstr\b|Fields", string_of(kind)):
            continue
        others = _holders(items, near) - {string_of(name)}
        names, further = _named(items, {string_of(name)}), _named(items, others)
        if not any(_reads(items, each, names, others, further, string_of(field)) for each in items.sources):
            yield Projection(text_of(items.sources[path], field), "ignored")


def _named(items: Items, names: set[str]) -> re.Pattern[str]:
    """Give what finds the name of a struct, or another that a `type` or a `use .. as` gives it."""
    either = "|".join(map(re.escape, sorted(names))) or r"(?!)"
    found = set(names)
    for path in items.mentioning(re.compile(rf"\b(?:{either})\s*(?:;|as\b)".encode())):
        for node in items.of_kinds(path, "type_item", "use_as_clause"):
            of, also = child(node, "type") or child(node, "path"), child(node, "name") or child(node, "alias")
            if of is not None and also is not None and string_of(of).split("::")[-1] in names:
                found.add(string_of(also))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(found))) or either})\b")


def _holders(items: Items, near: list[str]) -> set[str]:
    """Name the structs that have a field of the name."""
    found = set()
    for path in near:
        for (kind, name), declared in items.of_file(path).items():
            if kind == "struct" and any(re.search(r"\bfields\s*:", string_of(each.node)) for each in declared):
                found.add(name)
    return found


def _reads(
    items: Items, path: str, struct: re.Pattern[str], others: set[str], further: re.Pattern[str], field: str
) -> bool:
    """Tell whether a file reads the field of a struct, or of one that nobody can tell from it."""
    data = items.sources[path].data
    if field.encode() not in data:
        return False
    for node in _mentions(items, path, field):
        if not _is_read(node, field):
            continue
        around = scopes.function_around(node)
        own = owner(around) if around is not None and string_of(node).startswith("self.") else None
        if own is not None and own in others:
            continue
        text = string_of(around) if around is not None else ""
        block = around.parent.parent if around is not None and around.parent is not None else None
        if block is not None and block.type == "impl_item":
            text += string_of(child(block, "type") or block)[:80]
        if struct.search(text) is not None or further.search(text) is None:
            return True
    return False


def _mentions(items: Items, path: str, field: str) -> Iterator[Node]:
    """Give the nodes that speak of a field by its name, each with the node that it is a part of."""
    for hit in re.finditer(rb"\b" + field.encode() + rb"\b", items.sources[path].data):
        node = items.root(path).descendant_for_byte_range(*hit.span())
        yield from (each for each in (node, node.parent if node is not None else None) if each is not None)


def _is_read(node: Node, field: str) -> bool:
    above = node.parent
    if node.type == "field_expression" and string_of(child(node, "field") or node) == field:
        return above is None or not (
            (above.type == "assignment_expression" and child(above, "left") == node)
            or (above.type == "call_expression" and child(above, "function") == node)
        )
    if node.type == "field_pattern" and string_of(child(node, "name") or node) == field:
        inner = child(node, "pattern")
        return inner is None or not string_of(inner).startswith("_")
    if node.type == "string_literal" and string_value(node) == field and above is not None:
        return above.type in ("arguments", "index_expression", "array_expression")
    if node.type == "identifier" and string_of(node) == field and above is not None and above.type == "token_tree":
        before = node.prev_sibling
        return before is not None and before.type == "."
    return False


def _parameters(tool: Tool) -> list[Text]:
    return [each.name for each in tool.parameters] if isinstance(tool.parameters, tuple) else []


def _of_contexts(items: Items, near: list[str], guards: tuple[Guard, ...]) -> Iterator[Projection]:
    """Find what a guard is told about each call, where no code ever puts the fields in."""
    if items.mentioning(re.compile(rb"\.\s*fields\s*=[^=]")):
        return
    for path in dict.fromkeys(guard.span.path for guard in guards if guard.span.path in near):
        for struct in _of_kind(items, path, "struct_item"):
            name = string_of(child(struct, "name") or struct)
            if re.search(r"\bfields\s*:[^,]*(?:String|str)\b", string_of(struct)) is None:
                continue
            made = [
                (where, node)
                for where in items.mentioning(re.compile(rf"\b(?:{re.escape(name)}|Self)\s*\{{".encode()))
                for node in _of_kind(items, where, "struct_expression")
                if string_of(child(node, "name") or node).split("::")[-1] in (name, "Self")
            ]
            own = [(where, node) for where, node in made if _is_made(node, name)]
            if own and all(_is_made_without(node) for _, node in own):
                yield from (Projection(text_of(items.sources[where], node), "ignored") for where, node in own)


def _is_made(node: Node, name: str) -> bool:
    """Tell whether an expression makes a struct of a name, also as `Self`."""
    said = string_of(child(node, "name") or node).split("::")[-1]
    around = scopes.function_around(node)
    return said == name or (said == "Self" and around is not None and owner(around) == name)


def _is_made_without(node: Node) -> bool:
    """Tell whether a struct is made with no fields: `fields: None`, `..Context::default()`."""
    body = child(node, "body")
    for part in body.named_children if body is not None else ():
        value = child(part, "value")
        if part.type == "shorthand_field_initializer" and string_of(part) == "fields":
            return False
        if part.type == "field_initializer" and string_of(child(part, "field") or part) == "fields":
            return value is not None and NOTHING.fullmatch(string_of(value)) is not None
        if part.type == "base_field_initializer" and not string_of(part).endswith("default()"):
            return False
    return True


def _of_defaults(items: Items, near: list[str], guards: tuple[Guard, ...]) -> Iterator[Projection]:
    """Find calls that hand a guard an empty request, where the function around them has one that was asked."""
    holders, names = _holders(items, near), {str(guard.name) for guard in guards}
    either = "|".join(map(re.escape, sorted(holders)))
    empty = re.compile(rf"&?\s*(?:\w+::)*({either})::(?:default|new)\(\)")
    for path in items.mentioning(re.compile(rf"\b(?:{either})::(?:default|new)\(".encode())) if either else ():
        for call in items.of_kinds(path, "call_expression"):
            given = arguments_of(call) if called(call) in names and not in_test(call) else []
            made = [found[1] for each in given if (found := empty.fullmatch(string_of(each)))]
            around = scopes.function_around(call)
            listed = child(around, "parameters") if around is not None else None
            if not made or around is None or listed is None or _is_meta(call, given, around):
                continue
            if re.search(rf"\b{re.escape(made[0])}\b", string_of(listed)) is not None:
                yield Projection(text_of(items.sources[path], call), "ignored")


def _of_schemas(items: Items, servers: tuple[Server, ...]) -> Iterator[Projection]:
    """Find dispatching tools whose schema takes the fields, where no code of the project reads any."""
    tools = [tool for server in servers if server.language == "rust" for tool in server.tools]
    asked = [
        parameter.name
        for tool in tools
        if isinstance(tool.parameters, tuple) and any(each.name == "action" for each in tool.parameters)
        for parameter in tool.parameters
        if parameter.name == "fields"
    ]
    if asked and not items.mentioning(READ):
        told: set[Text] = set()
        for name in asked:
            if not any(name.span == each.span for each in told):
                told.add(name)
                yield Projection(name, "ignored")
