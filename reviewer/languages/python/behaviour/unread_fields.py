"""The `fields` that a client asks for and that no code looks at."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.pages import FIELDS
from reviewer.facts import Dispatch, Guard, Projection, Server
from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour import requests, scopes
from reviewer.languages.python.behaviour.following import (
    Place,
    arguments,
    assigned,
    below,
    called,
    callee,
    is_parameter,
)
from reviewer.languages.python.behaviour.following import scope as scope_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.source import Span, Text

READ = re.compile(
    rb"[\"']fields[\"']\s*(?:\)|,|\]|in\b)|\*\*\w*(?:arg|param|request|input|kw)\w*|model_validate|parse_obj|from_dict|validate_python"
)
"""What takes the fields out of the arguments of a call, or the arguments as a whole apart."""

NOTHING = re.compile(
    r"None|\(\s*[\"']\*[\"']\s*,\s*\)|\[\s*\]|\(\s*\)|set\(\)|\[\s*[\"']\*[\"']\s*,?\s*\]|list\(\)|tuple\(\)"
)
ASKED = re.compile(r"[\"']fields[\"']|\bfields\b")
TAKEN = re.compile(r"[\"']fields[\"']|\.fields\b")
TAKES = re.compile(rb"\.\s*fields\b|getattr\(|\basdict\(\s*(?:call|context|ctx)|\bcase\s+\w+\(|__dict__|astuple")
"""What takes the fields out of an object."""

PUT = re.compile(rb"\.\s*fields\s*=[^=]|\breplace\([^()]*\bfields\s*=|setattr\(")

META = re.compile(r"\b(?:help|schema)(?:_\w+)?\b|_(?:help|schema)\b|catalog|ACTIONS\b", re.IGNORECASE)
"""What speaks of help and schemas, whose answers have no fields to choose from."""


def unread(
    run: Evaluator,
    near: list[Module],
    servers: tuple[Server, ...],
    dispatches: tuple[Dispatch, ...],
    guards: tuple[Guard, ...],
    central: list[Place],
) -> Iterator[Projection]:
    """Find the arguments, the arms and the calls that pass over what was asked for.

    `central` are the functions of a guard that does filter: what one of them leaves to another is no concern.
    """
    handlers = {each.name.span for each in dispatches} | {guard.name.span for guard in guards}
    tools = [tool for server in servers for tool in server.tools]
    handlers |= {tool.handler.name.span for tool in tools if tool.handler is not None}
    inner = {(place.module.path, place.node.start_byte) for place in central}
    calls = [(module, call) for module in near for call in _guard_calls(run, module, guards)]
    given = [_is_without(call) or not _gives_nothing(run, call, module) for module, call in calls]
    told: set[Span] = set()
    for module in near:
        for node in below(module.root):
            name = child(node, "name") if node.type == "function_definition" else None
            excused = (module.path, node.start_byte) in inner and module.span(name or node) not in handlers
            if name is not None and parameter(node) is not None and not excused:
                found = list(_of_function(run, node, module, module.span(name) in handlers))
                told |= {module.span(node)} if found else set()
                yield from found
            elif name is not None and not excused:
                yield from _of_locals(node, module)
    for (module, call), gives in zip(calls, given, strict=True):
        at = module.span(call)
        if not gives and any(given) and not any(each.holds(at) for each in told) and not _is_meta(call, module.root):
            yield Projection(Text(string_of(call), at), "ignored")
    if any(each.name == "fields" for tool in tools if isinstance(tool.parameters, tuple) for each in tool.parameters):
        yield from _of_contexts(near, guards)
    asked = [
        each.name
        for tool in tools
        if tool.handler is None
        and isinstance(tool.parameters, tuple)
        and any(each.name == "action" for each in tool.parameters)
        for each in tool.parameters
        if each.name == "fields"
    ]
    if asked and not any(READ.search(module.source.data) for module in near):
        yield from (Projection(name, "ignored") for name in {name.span: name for name in asked}.values())


def _of_contexts(near: list[Module], guards: tuple[Guard, ...]) -> Iterator[Projection]:
    """Find what a guard is told about each call, where the fields are never put in or never taken out."""
    for guard in guards:
        module = next((each for each in near if each.path == guard.name.span.path), None)
        for declared in below(module.root) if module is not None else ():
            names = _declared(declared) if declared.type == "class_definition" else []
            if "fields" not in names:
                continue
            if not any(TAKES.search(each.source.data) for each in near):
                yield Projection(guard.name, "ignored")
                continue
            name = string_of(child(declared, "name") or declared)
            made = [(each, call) for each in near for call in below(each.root) if called(call) == name]
            later = any(PUT.search(each.source.data) for each in near)
            if made and not later and all(_is_made_without(call, names.index("fields")) for _, call in made):
                yield from (Projection(Text(string_of(call), each.span(call)), "ignored") for each, call in made)


def _declared(declared: Node) -> list[str]:
    """Name the fields that the annotations of a class give; those of another type than texts are no wishes."""
    body = child(declared, "body")
    parts = [each for line in children(body) for each in children(line)] if body is not None else []
    noted = [each for each in parts if each.type == "assignment" and child(each, "type") is not None]
    texts = {each.id for each in noted if re.search(r"\bstr\b", string_of(child(each, "type") or each)) is not None}
    names = [(each, string_of(child(each, "left") or each)) for each in noted]
    return [name if name != "fields" or each.id in texts else "" for each, name in names]


def _is_made_without(call: Node, at: int) -> bool:
    positional, keywords = arguments(call)
    if any(each.type in ("list_splat", "dictionary_splat") for each in positional) or "**" in string_of(call):
        return False
    given = keywords.get("fields", positional[at] if at < len(positional) else None)
    return given is None or NOTHING.fullmatch(string_of(given)) is not None


def _guard_calls(run: Evaluator, module: Module, guards: tuple[Guard, ...]) -> Iterator[Node]:
    """Find the calls of guards that take the fields."""
    names = {str(guard.name) for guard in guards}
    for call in below(module.root):
        if call.type == "call" and called(call) in names:
            place = callee(run, call, scope_of(run, module))
            if place is not None and parameter(place.node) is not None:
                yield call


def _of_locals(function: Node, module: Module) -> Iterator[Projection]:
    """Find the fields that are read of a request and then forgotten."""
    body = child(function, "body")
    code = scopes.Code([body]) if body is not None else None
    alive = {node.id for node in code.alive} if code is not None else set()
    for each in code.assignments if code is not None else ():
        target, value = scopes.target_of(each), scopes.value_of(each)
        if (
            target is not None
            and value is not None
            and each.id not in alive
            and string_of(target).strip("_") == "fields"
        ):
            if TAKEN.search(string_of(value)) is not None:
                yield Projection(Text(string_of(each), module.span(each)), "ignored")


def parameter(function: Node) -> Node | None:
    """Give the name of the parameter that takes the fields."""
    listed = child(function, "parameters")
    for part in children(listed) if listed is not None else ():
        name = child(part, "name") or (part if part.type == "identifier" else None)
        if part.type == "typed_parameter" and children(part):
            name = children(part)[0]
        if name is not None and string_of(name).strip("_") == "fields":
            return name
    return None


def _of_function(run: Evaluator, function: Node, module: Module, is_handler: bool) -> Iterator[Projection]:
    own, body = parameter(function), child(function, "body")
    if own is None or body is None or _is_stub(body):
        return
    code = scopes.Code([body])
    used = any(node.type == "identifier" and string_of(node) in (string_of(own), "locals") for node in code.alive)
    if not used:
        yield Projection(Text(string_of(own), module.span(own)), "ignored")
        return
    withheld = list(_withheld(run, body, module))
    for call in withheld:
        yield Projection(Text(string_of(call), module.span(call)), "ignored")
    if is_handler:
        yield from _of_arms(run, function, module, withheld)


def _is_stub(body: Node) -> bool:
    """Tell whether a body does nothing: a protocol's method, an abstract one."""
    parts = [
        part
        for part in children(body)
        if not (part.type == "expression_statement" and children(part)[0].type == "string")
    ]
    return all(string_of(part) in ("...", "pass") or part.type == "raise_statement" for part in parts)


def _withheld(run: Evaluator, body: Node, module: Module) -> Iterator[Node]:
    """Find calls that give nothing where a function of the project takes the fields."""
    for call in below(body):
        if (
            call.type == "call"
            and not _is_meta(call, body)
            and not _is_without(call)
            and _gives_nothing(run, call, module)
        ):
            yield call


def _gives_nothing(run: Evaluator, call: Node, module: Module) -> bool:
    """Tell whether a call gives nothing where a function of the project takes the fields."""
    place = callee(run, call, scope_of(run, module))
    own = parameter(place.node) if place is not None else None
    if place is None or own is None:
        return False
    positional, keywords = arguments(call)
    if any(each.type in ("list_splat", "dictionary_splat") for each in positional):
        return False
    names = _names(place)
    at = names.index(string_of(own)) if string_of(own) in names else len(positional)
    given = keywords.get(string_of(own), positional[at] if at < len(positional) else None)
    if given is not None and given.type == "identifier":
        given = assigned(string_of(given), given) or _constant(string_of(given), given, module) or given
    return given is None or NOTHING.fullmatch(string_of(given)) is not None


def _constant(name: str, node: Node, module: Module) -> Node | None:
    """Give what a module's only assignment binds a name to."""
    if is_parameter(name, node):
        return None
    lines = (each for part in children(module.root) if part.type == "expression_statement" for each in children(part))
    given = [scopes.value_of(each) for each in lines if each.type == "assignment" and _is_left(each, name)]
    return given[0] if len(given) == 1 else None


def _is_left(assignment: Node, name: str) -> bool:
    target = scopes.target_of(assignment)
    return target is not None and string_of(target) == name


def _names(place: Place) -> list[str]:
    listed = child(place.node, "parameters")
    parts = children(listed) if listed is not None else []
    names = [string_of(child(part, "name") or (children(part) or [part])[0]) for part in parts]
    return [name for name in names if name not in ("self", "cls", "*", "/")]


def _is_meta(call: Node, body: Node) -> bool:
    if META.search(string_of(call)) is not None:
        return True
    node: Node | None = call
    while node is not None and node != body:
        said = child(node, "condition") or (children(node)[0] if node.type == "case_clause" else None)
        if said is not None and META.search(string_of(said)) is not None:
            return True
        node = parent_of(node)
    return False


def _is_without(call: Node) -> bool:
    """Tell whether a call stands where a branch before it has found that a client asks for no fields."""
    node = call
    while node.parent is not None and node.type != "function_definition":
        above = node.parent
        if above.type in ("if_statement", "conditional_expression") and ASKED.search(_test(above)) is not None:
            return True
        before = children(above)[: children(above).index(node)] if above.type == "block" else []
        if node.type == "case_clause":
            before = [each for each in children(above) if each.type == "case_clause" and each != node]
        if any(ASKED.search(_test(each)) is not None and "return" in string_of(each) for each in before):
            return True
        node = above
    return False


def _test(branch: Node) -> str:
    """Give the text of what a branch asks for."""
    if branch.type == "case_clause":
        return " ".join(string_of(part) for part in children(branch) if part.type in ("case_pattern", "if_clause"))
    if branch.type == "conditional_expression":
        return string_of(children(branch)[1])
    test = child(branch, "condition") if branch.type == "if_statement" else None
    return string_of(test) if test is not None else ""


def _of_arms(run: Evaluator, function: Node, module: Module, withheld: list[Node]) -> Iterator[Projection]:
    """Find the arms that pass over the fields, where others look at them."""
    look = requests.Arms(run, function, scope_of(run, module), FIELDS, frozenset())
    arms = [arm for arm in _arms(function) if META.search(string_of(arm[0])) is None]
    looks = [look.look(body) for _, body in arms]
    if not any(looks):
        return
    for (test, body), looked in zip(arms, looks, strict=True):
        told = any(body.start_byte <= call.start_byte < body.end_byte for call in withheld)
        answers = any(part.type == "return_statement" for part in below(body))
        if not looked and not told and answers:
            yield Projection(Text(string_of(test), module.span(test)), "ignored")


def _arms(function: Node) -> Iterator[tuple[Node, Node]]:
    """Find the tests for one action's name, each with what it leads to."""
    for node in below(function):
        test, body = child(node, "condition"), child(node, "consequence")
        if node.type == "case_clause" and body is not None:
            patterns = [part for part in children(node) if part.type == "case_pattern"]
            if patterns and re.search(r"[\"']", string_of(patterns[0])):
                yield patterns[0], body
        elif node.type in ("if_statement", "elif_clause") and test is not None and body is not None:
            if re.search(r"\baction\b\s*(?:==|in)", string_of(test)):
                yield test, body
