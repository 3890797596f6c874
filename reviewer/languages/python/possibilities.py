"""The texts that an expression may come to: what is written, what defaults say, what a command line or a type lets in."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import arguments, below, called, callee, enclosing, receiver, scope
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Alternatives, Class, Instance, Value, assumed, text_of_value

DEPTH = 5
ENVIRONMENT = frozenset({"getenv", "get", "pop", "setdefault"})
UNCHANGED = frozenset({"lower", "strip", "casefold", "str", "cast", "get_value"})
LITERAL = re.compile(r"Literal\[([^\]]*)\]")
QUOTED = re.compile(r"""["']([^"']*)["']""")


class Texts(NamedTuple):
    """What a run may choose among; `sure` tells that it is the one text, and nothing chooses."""

    found: frozenset[str]
    sure: bool


NOTHING = Texts(frozenset(), False)


def texts(run: Evaluator, node: Node | None, module: Module, depth: int = DEPTH) -> Texts:
    """Give the texts that an expression may come to; none if nothing tells."""
    if node is None or depth == 0:
        return NOTHING
    match node.type:
        case "string" | "concatenated_string":
            value = string_value(node)
            return Texts(frozenset({value}), True) if value is not None else NOTHING
        case "parenthesized_expression" | "await":
            return _joined(run, children(node)[:1], module, depth)
        case "conditional_expression":
            return _joined(run, [children(node)[0], children(node)[-1]], module, depth)
        case "boolean_operator":
            return _joined(run, children(node), module, depth)
        case "call":
            return _of_call(run, node, module, depth)
        case "identifier":
            return _of_name(run, node, module, depth)
        case "attribute":
            return _of_attribute(run, node, module)
        case "subscript":
            return (
                _joined(run, [child(node, "value")], module, depth) if b"environ" not in (node.text or b"") else NOTHING
            )
    return NOTHING


def _joined(run: Evaluator, nodes: Sequence[Node | None], module: Module, depth: int) -> Texts:
    ways = [texts(run, each, module, depth - 1) for each in nodes]
    found = frozenset(text for way in ways for text in way.found)
    return Texts(found, len(found) == 1 and all(way.sure for way in ways))


def _of_call(run: Evaluator, call: Node, module: Module, depth: int) -> Texts:
    """Read the default of an environment variable, and what leaves a text as it is."""
    positional, keywords = arguments(call)
    name, on = called(call), receiver(call)
    if name in ENVIRONMENT and (name == "getenv" or (on is not None and b"environ" in (on.text or b""))):
        default = texts(run, keywords.get("default") or next(iter(positional[1:]), None), module, depth - 1)
        return default._replace(sure=False)
    if name in UNCHANGED or name[:1].isupper():
        inner = on if on is not None and not positional else next(iter(positional[-1:]), None)
        return texts(run, inner, module, depth - 1)
    place = callee(run, call, scope(run, module))
    body = child(place.node, "body") if place is not None else None
    return (
        _joined(run, list(returned(body)), place.module, depth) if body is not None and place is not None else NOTHING
    )


def _of_name(run: Evaluator, name: Node, module: Module, depth: int) -> Texts:
    """Read a local name: what is assigned to it, or what its parameter takes."""
    said, unit = string_of(name), enclosing(name)
    while unit is not None:
        given = _assigned(unit, said)
        if given:
            return _joined(run, given, module, depth)
        parameter = _parameter(unit, said)
        if parameter is not None:
            return _of_parameter(run, unit, parameter, said, module, depth)
        unit = enclosing(unit)
    value = _of_value(run.lookup(said, scope(run, module), name))
    given = _assigned(module.root, said)
    return value if value.found else _joined(run, given, module, depth)


def _assigned(unit: Node, name: str) -> list[Node]:
    body = child(unit, "body") or unit
    found = []
    for each in below(body, frozenset({"function_definition", "lambda", "class_definition"})):
        left, right = child(each, "left"), child(each, "right")
        if each.type == "assignment" and left is not None and right is not None and string_of(left) == name:
            found.append(right)
    return found


def _parameter(unit: Node, name: str) -> Node | None:
    listed = child(unit, "parameters")
    for part in children(listed) if listed is not None else ():
        head = child(part, "name") or (children(part)[0] if children(part) else part)
        if string_of(head) == name:
            return part
    return None


def _of_parameter(run: Evaluator, unit: Node, parameter: Node, name: str, module: Module, depth: int) -> Texts:
    """Read what a parameter may be: its default, the choices of its type or of its option, what callers hand over."""
    kind, default = child(parameter, "type"), child(parameter, "value")
    found = set(_of_type(run, kind, module))
    found |= texts(run, _default(default), module, depth - 1).found if default is not None else set()
    above = unit.parent
    if above is not None and above.type == "decorated_definition":
        for each in below(above, frozenset({"function_definition"})):
            found |= _of_option(run, each, name, module)
    elif not found:
        found |= _handed(run, unit, parameter, module, depth)
    return Texts(frozenset(found), False)


def _default(value: Node) -> Node:
    """Look into `typer.Option("stdio", ..)`."""
    positional, keywords = arguments(value) if value.type == "call" else ([], {})
    return keywords.get("default") or (
        positional[0] if positional and called(value) in ("Option", "Argument", "Field") else value
    )


def _handed(run: Evaluator, unit: Node, parameter: Node, module: Module, depth: int) -> set[str]:
    """Give what the module's own calls hand over for a parameter."""
    listed = child(unit, "parameters")
    names = [part for part in children(listed) if string_of(part) not in ("self", "cls")] if listed is not None else []
    if parameter not in names:
        return set()
    index, key = names.index(parameter), string_of(child(parameter, "name") or parameter)
    found: set[str] = set()
    for each in below(module.root):
        if each.type == "call" and called(each) == string_of(child(unit, "name") or unit):
            positional, keywords = arguments(each)
            given = keywords.get(key) or next(iter(positional[index : index + 1]), None)
            found |= texts(run, given, module, depth - 1).found
    return found


def _of_type(run: Evaluator, kind: Node | None, module: Module) -> Iterator[str]:
    """Read the members of a `Literal[..]` or of an enumeration."""
    if kind is None:
        return
    written = LITERAL.search(string_of(kind))
    if written is not None:
        yield from QUOTED.findall(written[1])
        return
    for part in below(kind):
        if part.type == "identifier" and string_of(part)[:1].isupper():
            value = run.lookup(string_of(part), scope(run, module), part)
            if isinstance(value, Class) and any(base.startswith("enum.") for base in value.outer_bases()):
                yield from (text for each in value.names.values() if (text := text_of_value(each)) is not None)
            else:
                given = _assigned(module.root, string_of(part))
                yield from (
                    text
                    for each in given
                    if b"Literal" in (each.text or b"")
                    for text in QUOTED.findall(string_of(each))
                )


def _of_option(run: Evaluator, call: Node, name: str, module: Module) -> set[str]:
    """Read the choices and the default of the option that a command line has for a name."""
    positional, keywords = arguments(call) if call.type == "call" else ([], {})
    flags = [string_value(each) or "" for each in positional if each.type == "string"]
    if (
        name not in {flag.lstrip("-").replace("-", "_") for flag in flags}
        and string_value(keywords.get("dest") or call) != name
    ):
        return set()
    found = set(texts(run, keywords.get("default"), module, 2).found)
    choices = keywords.get("choices") or keywords.get("type")
    if choices is not None:
        found |= {text for each in below(choices) if each.type == "string" and (text := string_value(each)) is not None}
        found |= set(_of_type(run, choices, module))
        if choices.type == "identifier":
            found |= {
                text for each in _assigned(module.root, string_of(choices)) for text in QUOTED.findall(string_of(each))
            }
    return found


def _of_attribute(run: Evaluator, node: Node, module: Module) -> Texts:
    """Read `args.transport`, `settings.transport` and members of enumerations."""
    value = _of_value(run.value(node, scope(run, module)))
    if value.found and value.sure:
        return value
    name = string_of(child(node, "attribute") or node)
    found = set(value.found)
    for each in below(module.root):
        if each.type == "call" and called(each) == "add_argument":
            found |= _of_option(run, each, name, module)
    found |= set(_of_field(run, name, module))
    return Texts(frozenset(found), False)


def _of_field(run: Evaluator, name: str, module: Module) -> Iterator[str]:
    """Read what the settings of the project let a field be."""
    written = re.compile(rb"^\s+" + re.escape(name.encode()) + rb"\s*:\s*([^\n=]*)=?([^\n]*)$", re.MULTILINE)
    for other in run.modules.by_path.values():
        for kind, default in written.findall(other.source.data) if b"ettings" in other.source.data else ():
            choices = LITERAL.search(kind.decode(errors="replace"))
            yield from QUOTED.findall(choices[1]) if choices is not None else ()
            yield from QUOTED.findall(default.decode(errors="replace"))[:1]


def _of_value(value: Value) -> Texts:
    """Read a value of the evaluation, also one that holds if nothing is configured."""
    if isinstance(value, Alternatives):
        ways = [_of_value(each) for each in value.values]
        return Texts(frozenset(text for way in ways for text in way.found), False)
    plain, reason = assumed(value)
    if isinstance(plain, Instance) and "value" in plain.attributes:
        plain = plain.attributes["value"]
    text = text_of_value(plain)
    return Texts(frozenset({str(text)}), reason is None) if text is not None else NOTHING
