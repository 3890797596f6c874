"""Cursors that are nothing but a place in something that may change until they come back."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.pages import BY_QUERY, TIED, is_next_cursor, is_position, is_size
from reviewer.languages.nodes import child, children, of_kinds, string_of
from reviewer.languages.python.behaviour.following import (
    Place,
    arguments,
    assignments,
    called,
    callee,
    enclosing,
    is_parameter,
    own,
    receiver,
)
from reviewer.languages.python.behaviour.following import scope as scope_of
from reviewer.languages.python.behaviour.surroundings import Site, callers, plain
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.source import Text

ENCODING = frozenset(
    "str repr int dumps b64encode urlsafe_b64encode standard_b64encode b32encode b85encode hexlify bytes format quote max min "
    "dict TextContent hex".split()
)
"""What puts a value into another form."""
OF_A_TEXT = frozenset("encode decode rstrip strip hex to_bytes zfill lower upper join format".split())
GATHERING = frozenset("sorted list tuple reversed enumerate filter map".split())
FIXED = frozenset("list tuple dictionary set string integer list_comprehension".split())
EMPTY = r"(?:\s*:[^=\n]+)?\s*=\s*(?:\[\]|\{\}|dict\(\)|list\(\)|set\(\)|defaultdict\(|OrderedDict\(\)|deque\()"
"""What begins with nothing, and so must change before there is anything to page."""
CHANGING = r"\.(?:append|extend|insert|pop|remove|clear|update|setdefault|add|discard|popitem|sort)\("
DEPTH = 5
"""How many names and calls are followed."""


class Bare:
    """Reads what a cursor is made of, and what it pages."""

    def __init__(self, run: Evaluator) -> None:
        self._run = run

    def of(self, made: Node, module: Module) -> Text | None:
        """Give the expression of a cursor that is only a place, where what it pages surely may change."""
        sites = [Site(made, module)]
        parted = list(self._parted(made, module))
        if made.type == "block":
            found = self._of_function(made, module)
            sites += callers(self._run, made.parent) if made.parent is not None else []
        elif parted:
            found = next(filter(None, (self._place(each.node, each.module, 1) for each in parted)), None)
            sites += parted
        else:
            found = self._place(made, module, 0)
        if found is None or not any(self._may_change(site) for site in sites):
            return None
        return Text(string_of(found.node), found.module.span(found.node))

    def _parted(self, made: Node, module: Module) -> Iterator[Site]:
        """Find the cursor's part of what a function of the project gives: `rows, next_cursor = page(..)`."""
        targets = child(made.parent, "left") if made.parent is not None else None
        call = _unwrapped(made)
        if targets is None or targets.type not in ("pattern_list", "tuple_pattern") or call.type != "call":
            return
        at = next((i for i, each in enumerate(children(targets)) if is_next_cursor(string_of(each))), None)
        place = callee(self._run, call, scope_of(self._run, module))
        for each in of_kinds(place.node, "python", "return_statement") if place is not None else ():
            value = next(iter(children(each)), None)
            parts = children(value) if value is not None and value.type in ("expression_list", "tuple") else []
            if place is not None and at is not None and at < len(parts):
                yield Site(parts[at], place.module)

    def _of_function(self, body: Node, module: Module) -> Site | None:
        """Read a function that makes cursors: what it returns, of places alone."""
        found = None
        for each in of_kinds(body, "python", "return_statement"):
            value = next(iter(children(each)), None)
            if value is None or value.type == "none" or enclosing(each) != body.parent:
                continue
            found = self._place(value, module, 0)
            if found is None:
                return None
        return found

    def _place(self, node: Node, module: Module, depth: int) -> Site | None:
        """Give where a value is made that is a place and nothing besides."""
        if depth > DEPTH:
            return None
        inner = _unwrapped(node)
        if inner.type == "call" and (place := self._entered(inner, module)) is not None:
            return self._through(place, inner, module, depth)
        if inner.type == "identifier":
            given = assignments(string_of(inner), inner)
            kept = [each for each in given if each.type not in ("none",)]
            if len(kept) == 1:
                return self._place(kept[0], module, depth + 1)
        return Site(inner, module) if self._is_bare(inner, module, depth) else None

    def _entered(self, call: Node, module: Module) -> Place | None:
        return None if called(call) in ENCODING | OF_A_TEXT else callee(self._run, call, scope_of(self._run, module))

    def _through(self, place: Place, call: Node, module: Module, depth: int) -> Site | None:
        """Follow a call into the project whose arguments are places, to what the function makes of them."""
        positional, keywords = arguments(call)
        body = child(place.node, "body")
        given = [*positional, *keywords.values()]
        if body is None or not given or not all(self._is_bare(each, module, depth + 1) for each in given):
            return None
        values = [children(each)[0] for each in of_kinds(body, "python", "return_statement") if children(each)]
        found = [self._place(each, place.module, depth + 1) for each in values if each.type != "none"]
        return found[0] if found and None not in found else None

    def _is_bare(self, node: Node, module: Module, depth: int = 0) -> bool:
        """Tell whether an expression is made of places and sizes alone, a place among them."""
        leaves = list(self._leaves(node, module, depth))
        return None not in leaves and True in leaves

    def _leaves(self, node: Node, module: Module, depth: int) -> Iterator[bool | None]:
        """Give for each part of an expression whether it is a place; None for what is neither that nor a size."""
        node = _unwrapped(node)
        parts: list[Node] | None = None
        match node.type:
            case "integer" | "none" | "true" | "false":
                yield False
            case "identifier":
                yield self._of_name(node, module, depth)
            case "attribute":
                name = string_of(child(node, "attribute") or node)
                yield True if is_position(name) else (False if is_size(name) else None)
            case "binary_operator" | "parenthesized_expression" | "interpolation" | "tuple" | "list":
                parts = [each for each in children(node) if each.type not in ("format_specifier", "type_conversion")]
            case "string" | "concatenated_string":
                parts = of_kinds(node, "python", "interpolation")
            case "dictionary":
                yield from self._of_pairs(node, module, depth)
            case "call":
                yield from self._of_call(node, module, depth)
            case _:
                yield None
        for part in parts or ():
            yield from self._leaves(part, module, depth)

    def _of_name(self, name: Node, module: Module, depth: int) -> bool | None:
        said = string_of(name)
        given = assignments(said, name)
        if given and depth < DEPTH and not any(_is_read(each) for each in given):
            ways = [self._is_bare(each, module, depth + 1) or _is_number(each) for each in given]
            return all(ways) if all(ways) else (False if is_size(said) else None)
        if is_position(said):
            return True
        return False if is_size(said) else None

    def _of_pairs(self, node: Node, module: Module, depth: int) -> Iterator[bool | None]:
        for pair in children(node):
            key, value = child(pair, "key"), child(pair, "value")
            name = string_value(key) if key is not None else None
            if pair.type != "pair" or value is None or name is None or not (is_position(name) or is_size(name)):
                yield None
            else:
                yield from self._leaves(value, module, depth)

    def _of_call(self, call: Node, module: Module, depth: int) -> Iterator[bool | None]:
        positional, keywords = arguments(call)
        on, name = receiver(call), called(call)
        if name == "len" and on is None:
            yield False
        elif on is not None and name in OF_A_TEXT:
            yield from self._leaves(on, module, depth)
        elif name in ENCODING:
            given = positional if name != "dict" else []
            for each in given:
                yield from self._leaves(each, module, depth)
            if name == "dict":
                yield None if positional or not all(is_position(key) or is_size(key) for key in keywords) else False
                for each in keywords.values():
                    yield from self._leaves(each, module, depth)
        elif (place := self._entered(call, module)) is not None and depth < DEPTH:
            yield self._through(place, call, module, depth + 1) is not None or None
        else:
            yield None

    def _may_change(self, site: Site) -> bool:
        """Tell whether the code around cuts its page out of something that surely may be another at the next call."""
        function = enclosing(site.node) if site.node.type != "block" else site.node.parent
        if function is None or TIED.search(plain(function)) is not None:
            return False
        if BY_QUERY.search(string_of(function)) is not None:
            return True
        for cut in of_kinds(function, "python", "subscript"):
            part, over = child(cut, "subscript"), child(cut, "value")
            if part is None or part.type != "slice" or over is None:
                continue
            spoken = [string_of(each) for each in of_kinds(part, "python", "identifier", "attribute")]
            if any(is_position(each.rpartition(".")[2]) for each in spoken) and self._changes(over, site.module, 0):
                return True
        return False

    def _changes(self, over: Node, module: Module, depth: int) -> bool:
        """Tell whether what is paged may change: what a call gives, an attribute, a variable of the module that is changed."""
        over = _unwrapped(over)
        if depth > DEPTH:
            return False
        if over.type in ("list_comprehension", "generator_expression"):
            sources = [child(each, "right") for each in of_kinds(over, "python", "for_in_clause")]
            return any(self._changes(each, module, depth + 1) for each in sources[:1] if each is not None)
        if over.type == "call":
            return self._call_changes(over, module, depth)
        if over.type in ("attribute", "subscript"):
            base = over
            while base.type in ("attribute", "subscript") and children(base):
                base = children(base)[0]
            return string_of(base) == "self" and over.type == "attribute" and self._is_changed(over, module)
        if over.type != "identifier":
            return False
        given = assignments(string_of(over), over)
        if given:
            return any(self._changes(each, module, depth + 1) for each in given)
        if is_parameter(string_of(over), over):
            return self._handed(over, module, depth)
        return self._is_changed(over, module)

    def _call_changes(self, call: Node, module: Module, depth: int) -> bool:
        on, name = receiver(call), called(call)
        if on is not None and name in ("values", "items", "keys", "copy"):
            return self._changes(on, module, depth + 1)
        given = arguments(call)[0]
        if name in GATHERING and given:
            return self._changes(given[-1] if name in ("filter", "map") else given[0], module, depth + 1)
        place = callee(self._run, call, scope_of(self._run, module))
        body = child(place.node, "body") if place is not None else None
        if place is None or body is None:
            return on is not None and string_of(on).split(".")[0].split("(")[0] not in ("re", "json", "itertools")
        values = [children(each)[0] for each in of_kinds(body, "python", "return_statement") if children(each)]
        return any(self._changes(each, place.module, depth + 1) for each in values)

    def _handed(self, name: Node, module: Module, depth: int) -> bool:
        """Tell whether a caller hands in what may change."""
        function = enclosing(name)
        listed = child(function, "parameters") if function is not None else None
        if function is None or listed is None:
            return False
        names = [
            string_of(child(each, "name") or (each if each.type == "identifier" else children(each)[0]))
            for each in children(listed)
        ]
        names = [each for each in names if each not in ("self", "cls")]
        for site in callers(self._run, function):
            positional, keywords = arguments(site.node)
            handed = dict(zip(names, positional, strict=False)) | keywords
            value = handed.get(string_of(name))
            if value is not None and self._changes(value, site.module, depth + 1):
                return True
        return False

    def _is_changed(self, name: Node, module: Module) -> bool:
        """Tell whether the project changes what a name or an attribute holds after it was made."""
        last = re.escape(string_of(name).rpartition(".")[2])
        changed = re.compile(
            rf"\b{last}(?:{CHANGING}|{EMPTY}|\[[^\]\n]*\]\s*=[^=]|\s*\+=)|\bdel\s+(?:\w+\.)*{last}\[".encode()
        )
        return any(
            changed.search(each.source.data) for each in own(self._run, string_of(name).rpartition(".")[2].encode())
        )


def _unwrapped(node: Node) -> Node:
    """Take off what only chooses between a value and none, awaits it, or gives it a name."""
    while True:
        inner = children(node)
        is_choice = node.type == "conditional_expression" and len(inner) == 3
        is_plain = node.type in ("parenthesized_expression", "await") and len(inner) == 1
        if is_plain or (is_choice and _is_nothing(inner[2])):
            node = inner[0]
        elif is_choice and _is_nothing(inner[0]):
            node = inner[2]
        elif node.type == "boolean_operator" and len(inner) == 2:
            node = inner[1] if string_of(child(node, "operator") or node) == "and" else inner[0]
        else:
            return node


def _is_nothing(node: Node) -> bool:
    return string_of(node) in ("None", '""', "''")


def _is_number(node: Node) -> bool:
    return node.type == "integer"


def _is_read(node: Node) -> bool:
    """Tell whether a name is bound to what comes in: the place that an earlier cursor told."""
    return (
        re.search(r"cursor|token|\bint\(|params|arguments|request|decode", string_of(node), re.IGNORECASE) is not None
    )
