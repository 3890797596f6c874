"""Where a name of a function's body comes from: the dotted path of what is called, made or imported outside the project."""

from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, string_of
from reviewer.languages.python.behaviour.following import arguments, callee, enclosing, scope
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.imports import bind_from_import, bind_import
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Alternatives, Class, External, Instance, Partial, Scope, Value, assumed

DEEPEST = 6
"""How many names are followed from an expression to what it comes from."""


def names_at(run: Evaluator, module: Module, node: Node) -> Scope:
    """Give the names that hold in a function: those of its module, and what it imports itself."""
    unit = enclosing(node)
    outer = scope(run, module)
    if unit is None or b"import " not in (unit.text or b""):
        return outer
    key = (module.path, unit.start_byte)
    if key not in run.local_names:
        inner = Scope(module, outer)
        for each in of_kinds(unit, "python", "import_statement", "import_from_statement"):
            (bind_import if each.type == "import_statement" else bind_from_import)(run, each, inner)
        run.local_names[key] = inner
    return run.local_names[key]


def path_of(run: Evaluator, node: Node | None, within: Scope, depth: int = 0) -> str:
    """Give the dotted path of something from outside the project, empty if it is none: `time.sleep`, `httpx.Client().get`.

    What a call gives has `()` after the path of what is called.
    """
    if node is None or depth > DEEPEST:
        return ""
    match node.type:
        case "identifier":
            return _of_name(run, node, within, depth)
        case "attribute":
            return _of_attribute(run, node, within, depth)
        case "call":
            return _of_call(run, node, within, depth)
        case "await" | "parenthesized_expression" | "as_pattern":
            return path_of(run, next(iter(children(node)), None), within, depth)
        case "binary_operator":
            left = path_of(run, child(node, "left"), within, depth + 1)
            return left if left.startswith("pathlib.") else ""
        case "boolean_operator" | "conditional_expression":
            ends = (children(node)[0], children(node)[-1])
            return next((path for each in ends if (path := path_of(run, each, within, depth + 1))), "")
    return ""


def _of_call(run: Evaluator, call: Node, within: Scope, depth: int) -> str:
    function = child(call, "function")
    path = path_of(run, function, within, depth + 1)
    given = arguments(call)[0]
    if path == "builtins.getattr" and len(given) > 1 and (name := string_value(given[1])) is not None:
        base = path_of(run, given[0], within, depth + 1)
        return f"{base}.{name}" if base else ""
    if path in ("builtins.__import__", "importlib.import_module") and given:
        return string_value(given[0]) or ""
    if path == "functools.partial" and given:
        return path_of(run, given[0], within, depth + 1)
    if path:
        return f"{path}()"
    place = callee(run, call, within)
    returns = child(place.node, "return_type") if place is not None else None
    return _annotated(run, returns, scope(run, place.module), depth) if place is not None else ""


def _of_attribute(run: Evaluator, node: Node, within: Scope, depth: int) -> str:
    owner, name = child(node, "object"), child(node, "attribute")
    if owner is None or name is None:
        return ""
    if string_of(owner) in ("self", "cls"):
        value = attribute_value(node, string_of(name))
        if value is None:
            return ""
        return _annotated(run, value, within, depth) if value.type == "type" else path_of(run, value, within, depth + 1)
    base = path_of(run, owner, within, depth + 1)
    if base:
        return f"{base}.{string_of(name)}"
    return _outside(run.value(node, within)) if owner.type in ("identifier", "attribute") and _is_free(owner) else ""


def _is_free(node: Node) -> bool:
    """Tell whether no function around binds the first name of an expression."""
    first = node
    while first.type == "attribute" and child(first, "object") is not None:
        first = children(first)[0]
    return first.type == "identifier" and given_to(string_of(first), first) is None


def _of_name(run: Evaluator, node: Node, within: Scope, depth: int) -> str:
    name = string_of(node)
    value = given_to(name, node)
    if value is None:
        found = _outside(run.lookup(name, within, node))
        return "builtins.__import__" if not found and name == "__import__" else found
    if value.id == node.id or value.type == "unknown":
        return ""
    return _annotated(run, value, within, depth) if value.type == "type" else path_of(run, value, within, depth + 1)


def _annotated(run: Evaluator, node: Node | None, within: Scope, depth: int) -> str:
    """Give the path of an object that is declared to be of a type."""
    inner = bare_type(node)
    path = path_of(run, inner, within, depth + 1) if inner is not None else ""
    return f"{path}()" if path else ""


def bare_type(node: Node | None) -> Node | None:
    """Give the name of a type without `Optional`, `Annotated` and `| None`."""
    while node is not None and node.type not in ("identifier", "attribute"):
        if node.type == "binary_operator":
            sides = [side for side in children(node) if side.type != "none"]
            node = sides[0] if len(sides) == 1 else None
        elif node.type == "generic_type":
            held = children(node)
            wraps = string_of(held[0]) in (
                "Optional",
                "Annotated",
                "Final",
                "ClassVar",
                "AsyncIterator",
                "AsyncGenerator",
            )
            node = next(iter(children(held[-1])), None) if wraps else held[0]
        elif node.type == "subscript":
            wraps = string_of(children(node)[0]).rpartition(".")[2] in ("Optional", "Annotated", "Final", "ClassVar")
            node = children(node)[1 if wraps else 0]
        else:
            node = next(iter(children(node)), None)
    return node


def given_to(name: str, node: Node) -> Node | None:
    """Give what the function around a node last gave a name before it, or the type of a parameter.

    A node that is no expression stands for what cannot be told; None if no function binds the name.
    """
    unit = enclosing(node)
    while unit is not None:
        found = _bound_in(name, unit, node)
        if found is not None:
            return found
        unit = enclosing(unit)
    return None


def _bound_in(name: str, unit: Node, node: Node) -> Node | None:
    bound = bindings(unit).get(name, ())
    found = next((each for each in reversed(bound) if each.since <= node.start_byte), None)
    return found.value if found is not None else _parameter(name, unit)


class Binding(NamedTuple):
    """What a function binds a name to; the target itself where the value cannot be told. It holds since a byte."""

    value: Node
    since: int


@lru_cache(maxsize=2048)
def bindings(unit: Node) -> dict[str, list[Binding]]:
    """Give what a function binds, by name and in order, without the functions in it."""
    found: dict[str, list[Binding]] = {}
    for each in of_kinds(unit, "python", *BINDING):
        target, value = _target(each)
        if target is None or enclosing(each) != unit:
            continue
        loops = each.type in ("for_statement", "for_in_clause")
        since = each.end_byte if each.type in ("assignment", "named_expression") else each.start_byte + 1
        if target.type == "identifier" and value is not None:
            found.setdefault(string_of(target), []).append(Binding(target if loops else value, since))
        elif target.type in ("pattern_list", "tuple_pattern"):
            for part in children(target):
                found.setdefault(string_of(part), []).append(Binding(target, since))
    return found


BINDING = ("assignment", "named_expression", "as_pattern", "for_statement", "for_in_clause")


def _target(node: Node) -> tuple[Node | None, Node | None]:
    if node.type == "as_pattern":
        alias = child(node, "alias")
        inner = next(iter(children(alias)), alias) if alias is not None else None
        return inner, children(node)[0] if children(node) else None
    if node.type == "named_expression":
        return child(node, "name"), child(node, "value")
    return child(node, "left"), child(node, "right") or child(node, "type")


def _parameter(name: str, unit: Node) -> Node | None:
    """Give the type of a parameter, or the parameter itself if it has none."""
    return _parameters(unit).get(name)


@lru_cache(maxsize=2048)
def _parameters(unit: Node) -> dict[str, Node]:
    """Give the types of a function's parameters, or the parameters themselves that have none."""
    listed = child(unit, "parameters")
    found: dict[str, Node] = {}
    for part in children(listed) if listed is not None else ():
        head = part if part.type == "identifier" else child(part, "name") or next(iter(children(part)), part)
        head = children(head)[0] if head.type.endswith("splat_pattern") and children(head) else head
        found.setdefault(string_of(head), child(part, "type") or head)
    return found


def attribute_value(node: Node, name: str) -> Node | None:
    """Give what the class around a node gives one of its attributes, or the type that it declares for it."""
    around = enclosing(node, "class_definition")
    return _attributes(around).get(name) if around is not None else None


@lru_cache(maxsize=128)
def _attributes(around: Node) -> dict[str, Node]:
    """Give what a class gives its attributes: the first value that is not None, else the type."""
    values: dict[str, Node] = {}
    types: dict[str, Node] = {}
    for each in of_kinds(around, "python", "assignment"):
        left, value, kind = child(each, "left"), child(each, "right"), child(each, "type")
        if left is None or enclosing(each, "class_definition") != around:
            continue
        is_own = string_of(left).startswith("self.")
        name = string_of(left).removeprefix("self.")
        if kind is not None:
            types.setdefault(name, kind)
        if is_own and value is not None and value.type != "none":
            values.setdefault(name, value)
    return types | values


def _outside(value: Value) -> str:
    plain = assumed(value)[0]
    match plain:
        case External(path):
            return path
        case Instance(made_by=External(path)):
            return f"{path}()"
        case Partial(callee=inner):
            return _outside(inner)
        case Alternatives(values=values):
            return next((path for each in values if (path := _outside(each))), "")
    return ""


def class_of(run: Evaluator, node: Node, within: Scope, depth: int = 0) -> Class | None:
    """Give the project's class that an object is of, by how it was made or declared."""
    if depth > DEEPEST:
        return None
    match node.type:
        case "await" | "parenthesized_expression":
            return class_of(run, children(node)[0], within, depth + 1) if children(node) else None
        case "call":
            made = _class_named(run, child(node, "function"), within)
            return made if made is not None else _returned_class(run, node, within)
        case "identifier":
            value = given_to(string_of(node), node)
            if value is None:
                return _class_of_value(run.lookup(string_of(node), within, node))
        case "attribute":
            owner, name = child(node, "object"), child(node, "attribute")
            is_own = owner is not None and string_of(owner) in ("self", "cls")
            if not is_own or name is None:
                return _class_of_value(run.value(node, within)) if owner is not None and _is_free(node) else None
            value = attribute_value(node, string_of(name))
        case _:
            return None
    if value is None or value.id == node.id:
        return None
    if value.type == "type":
        return _class_named(run, bare_type(value), within)
    return class_of(run, value, within, depth + 1)


def _returned_class(run: Evaluator, call: Node, within: Scope) -> Class | None:
    place = callee(run, call, within)
    returns = bare_type(child(place.node, "return_type")) if place is not None else None
    return _class_named(run, returns, scope(run, place.module)) if place is not None else None


def _class_named(run: Evaluator, node: Node | None, within: Scope) -> Class | None:
    if node is None or node.type not in ("identifier", "attribute") or "(" in string_of(node):
        return None
    value = run.lookup(string_of(node), within, node) if node.type == "identifier" else run.value(node, within)
    return value if isinstance(value, Class) else None


def _class_of_value(value: Value) -> Class | None:
    plain = assumed(value)[0]
    return plain.made_by if isinstance(plain, Instance) and isinstance(plain.made_by, Class) else None
