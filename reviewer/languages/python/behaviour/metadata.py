"""`_meta` of answers: where the guard puts the request's id into it, and where code takes it out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.following import (
    arguments,
    assigned,
    below,
    called,
    callee,
    enclosing,
    is_parameter,
    own,
    receiver,
    scope,
    text,
)
from reviewer.languages.python.behaviour.written import base_of, keys_of, read, spelled
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Scope
from reviewer.source import Text

META = "_meta"
IDENTITY = "request_id"
EMPTY = frozenset({"None", '""', "''", "{}", "dict()"})
BRANCHES = frozenset({"if_statement", "elif_clause"})
FORM = re.compile(r"isinstance|\bdict\b|Mapping|is (?:not )?None|hasattr|_meta|META|\bnot\s+\w+$|\btype\(")
SOMETIMES = re.compile(r"debug|environ|getenv|verbose|\bFalse\b", re.IGNORECASE)
ASKED = re.compile(r"param|arg|input|request|\breq\b|body|incoming|query")
KEPT = frozenset({"!=", "is not"})
GUARD = "respond"
MADE = re.compile(r"\b(?:asdict|vars|model_dump|to_dict|as_dict|_asdict)\(|\.__dict__\b")
"""What makes a dict of an object of the domain, which no guard has signed."""
UNDERSCORED = re.compile(rb"startswith\(\s*[\"']_[\"']")
DEPTH = 2
"""How many calls and names are followed."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A function, and the module that it stands in."""

    module: Module
    node: Node


def request_id(run: Evaluator, module: Module, function: Node) -> Text | None:
    """Find where a guard puts `_meta.request_id` into the answer: itself, or in what it calls."""
    found = _marked(run, _reach(run, _Stretch(module, function)))
    if found is None:
        return None
    stretch, value = found
    calls = [each for each in below(function) if called(each) == string_of(child(stretch.node, "name") or stretch.node)]
    first = value if stretch.node == function else min(calls, key=lambda each: each.start_byte, default=function)
    if _escapes(run, module, function, first.start_byte):
        return None
    return Text(string_of(value), stretch.module.span(value))


def _marked(run: Evaluator, reach: list[_Stretch]) -> tuple[_Stretch, Node] | None:
    """Find the first stretch that puts the id into every answer, and by what."""
    for stretch in reach:
        for found in read(run, stretch.module, stretch.node):
            inner = found.inner.get(META)
            for given in (inner.given.get(IDENTITY), *inner.again.get(IDENTITY, ())) if inner is not None else ():
                if given is not None and _is_said(given) and _is_certain(given):
                    return stretch, given
            for given in (found.given.get(META), *found.again.get(META, ())):
                if given is not None and _is_certain(given) and _holds(run, stretch.module, given):
                    return stretch, given
    return None


def _reach(run: Evaluator, start: _Stretch, depth: int = DEPTH) -> list[_Stretch]:
    """Give a function and those of the project that it calls whatever the value and the settings."""
    found = [start]
    for call in below(start.node) if depth else ():
        place = callee(run, call, scope(run, start.module)) if call.type == "call" and _is_certain(call) else None
        if place is not None and all(place.node != each.node for each in found):
            found += _reach(run, _Stretch(place.module, place.node), depth - 1)
    return found


def _is_certain(node: Node) -> bool:
    """Tell whether something happens in every setting, and to every answer that is a dict."""
    current: Node | None = node
    while current is not None and current.type != "function_definition":
        above = current.parent
        test = child(above, "condition") if above is not None and above.type in BRANCHES else None
        if (
            test is not None
            and above is not None
            and current != test
            and not _holds_always(above, current, string_of(test))
        ):
            return False
        current = above
    return True


def _holds_always(branch: Node, way: Node, test: str) -> bool:
    """Tell whether one way of a branch is taken for every dict, or another one marks as well."""
    if SOMETIMES.search(test):
        return False
    others = [part for part in children(branch) if part != way and part.type in ("block", "else_clause", "elif_clause")]
    return FORM.search(test) is not None or any(META in string_of(part) or "META" in string_of(part) for part in others)


def _escapes(run: Evaluator, module: Module, function: Node, marked_at: int) -> bool:
    """Tell whether the guard gives an answer back before it puts the id in."""
    for each in below(function, frozenset({"lambda"})):
        value = next(iter(children(each)), None) if each.type == "return_statement" else None
        if value is None or each.start_byte >= marked_at or _is_certain(each):
            continue
        if value.type == "identifier" or _is_bare(run, module, value):
            return True
    return False


def _is_bare(run: Evaluator, module: Module, value: Node) -> bool:
    """Tell whether a call surely gives an answer without the id."""
    place = callee(run, value, scope(run, module)) if value.type == "call" else None
    return place is not None and _marked(run, _reach(run, _Stretch(place.module, place.node))) is None


def _is_said(value: Node) -> bool:
    return string_of(value) not in EMPTY


def _holds(run: Evaluator, module: Module, value: Node, depth: int = 0) -> bool:
    """Tell whether the value of `_meta` has the request's id, also if only a caller knows the value."""
    for each in read(run, module, value):
        if IDENTITY in each.given:
            return _is_said(each.given[IDENTITY])
        if each.open:
            return True
    if value.type == "identifier":
        return _named(run, module, value, depth)
    if depth > DEPTH:
        return False
    for node in below(value):
        place = callee(run, node, scope(run, module)) if node.type == "call" else None
        body = child(place.node, "body") if place is not None else None
        if place is not None and body is not None and _holds(run, place.module, body, depth + 1):
            return True
        if node.type == "identifier" and node != value and _named(run, module, node, depth + 1):
            return True
    return False


def _named(run: Evaluator, module: Module, name: Node, depth: int) -> bool:
    unit, written = enclosing(name), string_of(name)
    for each in read(run, module, unit) if unit is not None else ():
        if each.name == written and IDENTITY in each.given and _is_said(each.given[IDENTITY]):
            return True
    given = assigned(written, name)
    if given is not None:
        return depth <= DEPTH and _holds(run, module, given, depth + 1)
    return depth == 0 and is_parameter(written, name)  # handed in: only a caller knows


def strips(run: Evaluator) -> Iterator[Text]:
    """Find where `_meta` is taken out of an answer."""
    further = own(run, b"startswith(")
    for module in dict.fromkeys(
        [*spelled(run, META), *(each for each in further if UNDERSCORED.search(each.source.data))]
    ):
        within = scope(run, module)
        for node in below(module.root):
            if _strips(run, node, within):
                yield Text(string_of(node), module.span(node))


def _strips(run: Evaluator, node: Node, within: Scope) -> bool:
    match node.type:
        case "call":
            on = receiver(node)
            key = text(run, next(iter(arguments(node)[0]), None), within) if called(node) == "pop" else None
            return key == META and on is not None and not _is_asked(on) and not _put_back(run, node, within)
        case "delete_statement":
            parts = [part for part in children(node) if part.type == "subscript"]
            return any(
                keys_of(run, part, within)[-1:] == [META] and not _is_asked(part) and not _put_back(run, node, within)
                for part in parts
            )
        case "assignment":
            left, right = child(node, "left"), child(node, "right")
            if left is None or right is None or left.type != "subscript" or string_of(right) not in EMPTY:
                return False
            return keys_of(run, left, within)[-1:] == [META] and not _is_asked(left) and string_of(right) == "None"
        case "dictionary_comprehension":
            return not _is_no_answer(node) and any(_leaves_out(run, part, within) for part in below(node))
        case "generator_expression":
            made = node.parent is not None and called(node.parent) in ("dict", "OrderedDict")
            return made and not _is_no_answer(node) and any(_leaves_out(run, part, within) for part in below(node))
        case "dict_pattern":
            return any(part.type == "splat_pattern" for part in children(node)) and any(
                text(run, part, within) == META for part in children(node) if part.type == "string"
            )
        case "if_statement":
            return _skips(run, node, within)
    return False


def _is_asked(node: Node) -> bool:
    return ASKED.search(base_of(node)) is not None


def _is_no_answer(comprehension: Node) -> bool:
    """Tell whether what a comprehension goes through has not passed the guard: a request, an object of the domain."""
    clause = next((part for part in children(comprehension) if part.type == "for_in_clause"), None)
    source = child(clause, "right") if clause is not None else None
    if source is None:
        return False
    if ASKED.search(string_of(source)) is not None:
        return True
    made = [source]
    for name in [each for each in below(source) if each.type == "identifier"]:
        given = assigned(string_of(name), comprehension)
        made += [given] if given is not None else []
    if any(called(each) == GUARD for part in made for each in below(part)):
        return False
    return _is_handed_to_guard(comprehension) or any(MADE.search(string_of(part)) is not None for part in made)


def _is_handed_to_guard(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type not in ("block", "function_definition", "lambda"):
        if called(above) == GUARD:
            return True
        above = parent_of(above)
    return False


def _put_back(run: Evaluator, node: Node, within: Scope) -> bool:
    """Tell whether the same function writes `_meta` anew after it took it out."""
    unit = enclosing(node)
    found = read(run, within.module, unit) if unit is not None else ()
    return any(META in each.given and each.given[META].start_byte > node.end_byte for each in found)


def _leaves_out(run: Evaluator, node: Node, within: Scope) -> bool:
    """Tell whether a condition keeps everything but `_meta`."""
    parts = children(node)
    if node.type == "comparison_operator" and len(parts) == 2:
        operators = {string_of(part) for part in node.children if not part.is_named or part.type in KEPT}
        if "!=" in operators:
            return any(text(run, part, within) == META for part in parts)
        if "not in" in operators:
            return _is_of(run, parts[1], within)
    if node.type == "binary_operator" and string_of(child(node, "operator") or node) == "-":
        return _is_of(run, child(node, "right"), within)
    if node.type == "not_operator" and parts and called(parts[0]) == "startswith":
        return text(run, next(iter(arguments(parts[0])[0]), None), within) in ("_", "_m")
    return False


def _is_of(run: Evaluator, node: Node | None, within: Scope) -> bool:
    """Tell whether a collection that is written names `_meta`."""
    listed = node is not None and node.type in ("set", "tuple", "list", "identifier")
    if node is None or not listed:
        return False
    given = node
    if node.type == "identifier":
        given = assigned(string_of(node), node) or next(_assigned_at_top(within.module, string_of(node)), node)
    return any(text(run, part, within) == META for part in below(given) if part.type in ("string", "identifier"))


def _assigned_at_top(module: Module, name: str) -> Iterator[Node]:
    for statement in children(module.root):
        each = next(iter(children(statement)), None) if statement.type == "expression_statement" else None
        left = child(each, "left") if each is not None and each.type == "assignment" else None
        right = child(each, "right")
        if left is not None and right is not None and string_of(left) == name:
            yield right


def _skips(run: Evaluator, node: Node, within: Scope) -> bool:
    """Tell whether a loop goes past `_meta`: `if key == "_meta": continue`."""
    test, body = child(node, "condition"), child(node, "consequence")
    if test is None or body is None or test.type != "comparison_operator" or string_of(body).strip() != "continue":
        return False
    loop = enclosing(node, "for_statement")
    source = child(loop, "right")
    same = any(string_of(part) == "==" for part in test.children)
    return (
        same
        and any(text(run, part, within) == META for part in children(test))
        and source is not None
        and ASKED.search(string_of(source)) is None
    )
