"""Page sizes: how code treats the `limit` that a client asks for, and what numbers it knows for it."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Limit
from reviewer.languages.nodes import child, children, string_of, walk
from reviewer.languages.pages import is_page_size, limits_otherwise
from reviewer.languages.python.behaviour import scopes
from reviewer.languages.python.behaviour.following import arguments, callee
from reviewer.languages.python.behaviour.following import scope as scope_of
from reviewer.languages.python.behaviour.sizes import (
    Sizes,
    arguments_of,
    below,
    called,
    decorators_of,
    has_test,
    refuses,
    refusing,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import signature
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Function
from reviewer.numerals import integer
from reviewer.source import Text

SIZES = re.compile(rb"limit|page_size|per_page|max_results|max_items|pagesize", re.IGNORECASE)
REFUSING_FIELD = re.compile(r"\b(?:le|lt)\s*=|\b(?:Le|Lt|Interval)\(")
FIELD_DEFAULT = re.compile(r"\bField\(\s*(?:default\s*=\s*)?(\d+)\s*[,)]|\bdefault\s*=\s*(\d+)\s*[,)]")
BOUNDING = frozenset({"call", "boolean_operator", "conditional_expression", "subscript"})
MODELS = re.compile(r"BaseModel|Model\b|Args\b|Params\b|Input\b|Request\b|TypedDict|Struct\b")


def limits(run: Evaluator, module: Module) -> Iterator[Limit]:
    """Find where a page size is clamped, defaulted or rejected."""
    if SIZES.search(module.source.data) is None:
        return
    for node in walk(module.root):
        if node.type == "function_definition" and (SIZES.search(node.text or b"") or decorators_of(node)):
            yield from _of_function(Sizes(run, node, scope_of(run, module)))
        elif node.type == "class_definition" and _is_model(node):
            yield from _of_class(run, node, module)


def _of_function(sizes: Sizes) -> Iterator[Limit]:
    """Find what one function does, unless it speaks of bytes or of another thing that is limited."""
    found = () if sizes.is_other else _in_function(sizes)
    yield from (limit for limit in found if limit.way == "rejected" or not limits_otherwise(limit.text))


def _in_function(sizes: Sizes) -> Iterator[Limit]:
    for test in _rejections(sizes):
        yield Limit(_name(sizes, test), _text(sizes, test), "rejected")
    yield from _clamps(sizes)
    yield from _conditions(sizes)
    if any("tool" in text for text in decorators_of(sizes.function)) or _takes_action(sizes.function):
        listed = child(sizes.function, "parameters")
        for part in children(listed) if listed is not None else ():
            yield from _of_declaration(sizes, child(part, "name"), child(part, "type"), child(part, "value"))


def _takes_action(function: Node) -> bool:
    listed = child(function, "parameters")
    return listed is not None and re.search(r"\baction\b", string_of(listed)) is not None


def _text(sizes: Sizes, node: Node) -> Text:
    return Text(string_of(node), sizes.scope.module.span(node))


def _name(sizes: Sizes, node: Node) -> Text:
    """Name the size that an expression speaks of."""
    for part in walk(node):
        if part.type == "identifier" and is_page_size(string_of(part)) and not string_of(part).isupper():
            return _text(sizes, part)
        key = string_value(part) if part.type == "string" else None
        if key is not None and is_page_size(key):
            return Text(key, sizes.scope.module.span(part))
    return Text("limit", sizes.scope.module.span(node))


def _rejections(sizes: Sizes) -> Iterator[Node]:
    for node in refusing(sizes.function):
        test: Node | None = None
        if node.type in ("if_statement", "elif_clause"):
            test = sizes.test(child(node, "condition"))
        elif node.type == "assert_statement":
            test = sizes.test(children(node)[0])
        elif node.type == "case_clause":
            test = sizes.test(child(node, "guard"))
        if test is not None:
            yield test
    for node in sizes.nodes:
        helper = sizes.helper(node) if node.type == "call" else None
        name = string_of(child(helper.node, "name") or node) if helper is not None else ""
        if helper is None and node.type == "call" and _refuses_by_key(sizes, node):
            yield node
        if helper is None or is_page_size(name) or limits_otherwise(name):
            continue  # what is named for sizes is told where it tests
        about = _parameter(sizes, node, helper.node)
        if about is None or is_page_size(about):
            continue
        tests = (part for test in refusing(helper.node) for part in _condition_of(test) if has_test(part))
        if any(about in re.findall(r"\w+", string_of(part)) for part in tests):
            yield node


def _refuses_by_key(sizes: Sizes, call: Node) -> bool:
    """Tell whether a call names the size to a function that reads it by that key and refuses some: `bounded(params, "limit")`."""
    positional, keywords = arguments(call)
    keys = (string_value(each) for each in [*positional, *keywords.values()] if each.type == "string")
    helper = callee(sizes.run, call, sizes.scope) if any(is_page_size(key or "") for key in keys) else None
    if helper is None or limits_otherwise(string_of(child(helper.node, "name") or call)):
        return False
    function = helper.function or Function("", helper.node, scope_of(sizes.run, helper.module))
    parts = [part for part in signature(function) if part.name not in ("self", "cls")]
    given = {part.name: value for part, value in zip(parts, positional, strict=False)} | keywords
    key = next((name for name, value in given.items() if is_page_size(string_value(value) or "")), None)
    body = child(helper.node, "body")
    if key is None or body is None:
        return False
    absent = {part.name for part in parts if part.name not in given and _is_none(part.default)}
    absent |= {name for name, value in given.items() if _is_none(value)}
    read = {
        name
        for node in below(body)
        if node.type in scopes.ASSIGNING and _reads(scopes.value_of(node), key)
        for name in scopes.names_in(scopes.target_of(node))
    }
    tests = (part for test in refusing(helper.node) for part in _condition_of(test) if has_test(part))
    return any(
        (_reads(part, key) or read & _words(part)) and not absent & _words(part)  # no bound is given, so none is kept
        for part in tests
    )


def _is_none(node: Node | None) -> bool:
    return node is not None and node.type == "none"


def _words(node: Node) -> set[str]:
    return {string_of(part) for part in walk(node) if part.type == "identifier"}


def _reads(node: Node | None, key: str) -> bool:
    """Tell whether an expression takes what is held under a key: `params.get(key)`, `params[key]`."""
    for part in walk(node) if node is not None else ():
        taken = child(part, "subscript") if part.type == "subscript" else None
        if taken is None and called(part) in ("get", "pop", "getattr"):
            taken = next((each for each in arguments_of(part) if string_of(each) == key), None)
        if taken is not None and string_of(taken) == key:
            return True
    return False


def _parameter(sizes: Sizes, call: Node, function: Node) -> str | None:
    """Name the parameter by which a function takes the size that it is handed."""
    given = arguments_of(call)
    place = next((at for at, each in enumerate(given) if sizes.gives(each) and each.type != "keyword_argument"), None)
    listed = child(function, "parameters")
    parts = children(listed) if listed is not None else []
    names = [string_of(child(part, "name") or (children(part) or [part])[0]) for part in parts]
    names = [name for name in names if name not in ("self", "cls")]
    return names[place] if place is not None and place < len(names) else None


def _condition_of(node: Node) -> Iterator[Node]:
    part = child(node, "condition") or child(node, "guard")
    return below(part if part is not None else node)


def _clamps(sizes: Sizes) -> Iterator[Limit]:
    """Find the outermost expressions that bound a size or stand in for one that is not given."""
    end = 0
    for node in sizes.nodes:
        if node.start_byte < end or node.type not in BOUNDING:
            continue
        if not sizes.gives(node):
            continue
        parts = list(walk(node))
        caps = [cap for part in parts if (cap := _cap(sizes, part)) is not None]
        given = [default for part in parts if (default := _default(sizes, part)) is not None]
        if caps or given:
            end = node.end_byte
            yield Limit(
                _name(sizes, node), _text(sizes, node), "clamped", given[0] if given else None, min(caps, default=None)
            )


def _cap(sizes: Sizes, node: Node) -> int | None:
    if node.type == "call" and called(node) == "min" and sizes.gives(node):
        return next((found for each in arguments_of(node) if (found := sizes.number(each)) is not None), None)
    if node.type == "call" and called(node) == "sorted":
        numbers = [sizes.number(part) for each in arguments_of(node) for part in children(each)]
        return max((number for number in numbers if number is not None), default=None)
    if node.type != "conditional_expression" or not sizes.gives(node):
        return None
    first, condition, other = children(node)[:3]
    if sizes.test(condition) is None:
        return None
    number = next((each for part in (first, other) if (each := sizes.number(part)) is not None), None)
    return number if number is not None and number > 1 else None


def _default(sizes: Sizes, node: Node) -> int | None:
    if node.type == "boolean_operator" and sizes.gives(child(node, "left")):
        operator = child(node, "operator")
        return sizes.number(child(node, "right")) if operator is not None and string_of(operator) == "or" else None
    if node.type == "conditional_expression" and sizes.gives(node):
        first, condition, other = children(node)[:3]
        if "None" in string_of(condition):
            return next((found for each in (first, other) if (found := sizes.number(each)) is not None), None)
    given = arguments_of(node) if node.type == "call" else []
    if called(node) in ("get", "pop", "getattr") and len(given) > 1 and sizes.gives(node):
        return sizes.number(given[-1])
    return None


def _conditions(sizes: Sizes) -> Iterator[Limit]:
    """Find `if limit > 100: limit = 100` and `if limit is None: limit = 20`."""
    for node in sizes.nodes:
        block = child(node, "consequence") if node.type in ("if_statement", "elif_clause") else None
        parts = children(block) if block is not None else []
        if block is None or refuses(block) or len(parts) != 1 or parts[0].type != "expression_statement":
            continue
        assigned, condition = children(parts[0])[0], child(node, "condition")
        number = sizes.number(child(assigned, "right")) if assigned.type == "assignment" else None
        if number is None or not sizes.gives(child(assigned, "left")) or condition is None:
            continue
        test, text = sizes.test(condition), string_of(condition)
        if test is not None and ">" in text:
            yield Limit(_name(sizes, node), _text(sizes, condition), "clamped", None, number)
        elif ("None" in text or text.startswith("not ")) and any(sizes.gives(part) for part in walk(condition)):
            yield Limit(_name(sizes, node), _text(sizes, condition), "clamped", number)


def _of_declaration(sizes: Sizes, name: Node | None, kind: Node | None, value: Node | None) -> Iterator[Limit]:
    """Read a parameter or a field that is a page's size: what it is by default, and whether the framework refuses others."""
    if name is None or not is_page_size(string_of(name)):
        return
    named, marks = _text(sizes, name), [part for part in (kind, value) if part is not None]
    marks += [part for part in (_alias(sizes, kind),) if part is not None]
    if any(REFUSING_FIELD.search(string_of(part)) is not None for part in marks):
        yield Limit(named, Text(string_of(name.parent or name), named.span), "rejected")
    number = sizes.number(value)
    if number is None and value is not None and (found := FIELD_DEFAULT.search(string_of(value))) is not None:
        number = integer(found[1] or found[2])
    if number is not None and value is not None:
        yield Limit(named, _text(sizes, value), "clamped", number)


def _alias(sizes: Sizes, kind: Node | None) -> Node | None:
    """Give what a type's name stands for, if the module gives it one: `Limit = Annotated[int, Field(le=100)]`."""
    named = string_of(kind) if kind is not None else ""
    for node in children(sizes.scope.module.root) if named else ():
        only = children(node)[0] if node.type == "expression_statement" and children(node) else None
        left = child(only, "left") if only is not None and only.type == "assignment" else None
        if left is not None and string_of(left) == named:
            return child(only, "right")
    return None


def _is_model(node: Node) -> bool:
    bases, name = child(node, "superclasses"), string_of(child(node, "name") or node)
    if limits_otherwise(name) or re.search(r"Settings|Config", name):
        return False
    marked = any("dataclass" in text for text in decorators_of(node))
    return marked or (bases is not None and MODELS.search(string_of(bases)) is not None)


def _of_class(run: Evaluator, node: Node, module: Module) -> Iterator[Limit]:
    body = child(node, "body")
    for part in children(body) if body is not None else ():
        only = children(part)[0] if part.type == "expression_statement" and children(part) else None
        if only is not None and only.type == "assignment" and child(only, "type") is not None:
            sizes = Sizes(run, node, scope_of(run, module))
            yield from _of_declaration(sizes, child(only, "left"), child(only, "type"), child(only, "right"))
