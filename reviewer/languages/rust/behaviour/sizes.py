"""The size of a page in Rust code: which expressions give it, how it is tested, and what numbers it meets."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.pages import is_page_size, limits_otherwise
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour import scopes
from reviewer.languages.rust.behaviour.outcomes import REFUSALS
from reviewer.languages.rust.bindings import arguments_of, local
from reviewer.languages.rust.callees import arms_of, below, called, constant, last_segment, owner, receiver, targets
from reviewer.languages.rust.folding import Folder, Place
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.literals import string_value
from reviewer.languages.rust.tokens import first_of_macro

AROUND = frozenset(
    "reference_expression parenthesized_expression try_expression await_expression type_cast_expression unary_expression".split()
)
KEEPING = frozenset(
    "unwrap_or unwrap_or_default unwrap_or_else unwrap expect map and_then map_or map_or_else filter ok_or ok_or_else ok or "
    "or_else cloned copied clone as_u64 as_i64 as_str as_ref as_deref parse into try_into clamp min max to_owned transpose "
    "saturating_sub saturating_add abs then_some then checked_sub map_err context with_context get unsigned_abs as_number "
    "is_some_and is_none_or".split()
)
"""Methods that give the size they are called on, in another form or within bounds."""

FORMS = frozenset("Some Ok from try_from min max".split())
SIGNS = frozenset({"<", ">", "<=", ">=", "=="})
ERRORS = frozenset("error invalid refuse reject bad_request invalid_params invalid_param".split())
BOUNDS = frozenset("max min cap most ceiling maximum minimum upper lower bound range allowed".split())


LEVELS = 30
"""How many expressions are read within one another."""


class Sizes:
    """What of one function is the size of a page."""

    def __init__(self, items: Items, function: Node, path: str, known: frozenset[str] = frozenset()) -> None:
        self.items, self.path, self.function = items, path, function
        self.names: set[str] = set(known)
        self._level = 0
        name = string_of(child(function, "name") or function)
        of = owner(function) or ""
        self.is_other = limits_otherwise(name) or limits_otherwise(of)
        if is_page_size(name) or is_page_size(of):
            self.names |= _scalars(function)
        self._learn()

    def _learn(self) -> None:
        """Note the names that sizes are given, in the order of the code."""
        for node in below(self.function):
            match node.type:
                case "let_declaration" | "let_condition":
                    pattern, value = child(node, "pattern"), child(node, "value")
                    if value is not None and pattern is not None and self.gives(value):
                        self.names |= scopes.names_in(pattern) if pattern.type != "tuple_pattern" else set()
                case "closure_expression":
                    call = node.parent.parent if node.parent is not None else None
                    on = receiver(call) if call is not None and call.type == "call_expression" else None
                    if call is not None and on is not None and called(call) in KEEPING and self.gives(on):
                        self.names |= scopes.names_in(child(node, "parameters"))
                case "match_arm":
                    pattern, value = child(node, "pattern"), _scrutinee(node)
                    if value is not None and pattern is not None and self.gives(value) and not is_error(pattern):
                        self.names |= scopes.names_in(pattern)

    def gives(self, node: Node) -> bool:
        """Tell whether an expression gives the size of a page."""
        if self._level > LEVELS:
            return False
        self._level += 1
        try:
            return self._gives(node)
        finally:
            self._level -= 1

    def _gives(self, node: Node) -> bool:
        current: Node | None = node
        while current is not None:
            match current.type:
                case kind if kind in AROUND:
                    current = child(current, "value") or (
                        current.named_children[-1] if current.named_children else None
                    )
                case "call_expression":
                    done, current = self._of_call(current)
                    if done is not None:
                        return done
                case "index_expression":
                    key = string_value(current.named_children[-1])
                    return key is not None and is_page_size(key)
                case "field_expression":
                    field = string_of(child(current, "field") or current)
                    return is_page_size(field) and not limits_otherwise(string_of(current))
                case "identifier":
                    name = string_of(current)
                    return not name.isupper() and (name in self.names or is_page_size(name))
                case _:
                    return False
        return False

    def _of_call(self, call: Node) -> tuple[bool | None, Node | None]:
        """Tell whether a call gives a size, or where to look further."""
        name, given, on = called(call) or "", arguments_of(call), receiver(call)
        keys = [key for each in given if (key := string_value(each)) is not None]
        if keys and name not in ("expect", "context", "ok_or", "with_context"):
            return is_page_size(keys[0].removeprefix("/")), None
        if on is not None:
            return (None, on) if name in KEEPING else (is_page_size(name) and not given, None)
        if name in FORMS and given:
            return any(self.gives(each) for each in given), None
        return is_page_size(name), None

    def number(self, node: Node | None) -> int | None:
        """Read a number that is known before any run."""
        if node is None or self._level > LEVELS:
            return None
        self._level += 1
        try:
            return self._number(node)
        finally:
            self._level -= 1

    def _number(self, node: Node) -> int | None:
        if node.type in ("parenthesized_expression", "type_cast_expression", "reference_expression"):
            return self.number(child(node, "value") or node.named_children[0])
        if node.type == "binary_expression":
            return self._calculated(node)
        if node.type == "call_expression" and len(arguments_of(node)) == 1 and called(node) in ("from", "Some", "new"):
            return self.number(arguments_of(node)[0])
        if node.type == "call_expression" and called(node) in ("into", "get", "unwrap") and receiver(node) is not None:
            return self.number(receiver(node))
        if node.type == "closure_expression":
            return self.number(child(node, "body"))
        if node.type == "block" and len(node.named_children) == 1:
            return self.number(node.named_children[0])
        named = constant(self.items, node, self.path)
        if named is not None and named[0].type == "binary_expression":
            return self.number(named[0])
        value = Folder(self.items).fold(node, Place(self.path, {}))
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def _calculated(self, node: Node) -> int | None:
        left, right = self.number(child(node, "left")), self.number(child(node, "right"))
        sign = child(node, "operator")
        if left is None or right is None or sign is None or max(abs(left), abs(right)) > 10**9:
            return None
        return {"*": left * right, "+": left + right, "-": left - right}.get(string_of(sign))

    def test(self, condition: Node | None) -> Node | None:
        """Find the part of a condition that tests whether a size lies within bounds."""
        for node in below(condition) if condition is not None else ():
            if self._compares(node) or self._contains(node) or self._asks_helper(node) or self._matches(node):
                return node
            given = local(node) if node.type == "identifier" and node == condition else None
            if given is not None and given.type in ("binary_expression", "call_expression", "unary_expression"):
                return self.test(given)
            if node.type == "macro_invocation" and last_segment(child(node, "macro") or node) == "matches":
                asked = first_of_macro(self.items.sources[self.path], node)
                if asked is not None and self.gives(asked) and ".." in string_of(node):
                    return node
        return None

    def _matches(self, node: Node) -> bool:
        """Tell it of `if let 101.. = limit`."""
        pattern, value = child(node, "pattern"), child(node, "value")
        ranged = node.type == "let_condition" and pattern is not None and ".." in string_of(pattern)
        return ranged and value is not None and self.gives(value)

    def _compares(self, node: Node) -> bool:
        sign, left, right = child(node, "operator"), child(node, "left"), child(node, "right")
        if node.type != "binary_expression" or sign is None or left is None or right is None:
            return False
        if string_of(sign) not in SIGNS:
            return False
        for one, other in ((left, right), (right, left)):
            if self.gives(one) and self.is_bound(other):
                return string_of(sign) != "==" or self.number(other) == 0
        return False

    def is_bound(self, node: Node) -> bool:
        """Tell whether an expression is a fixed bound: a number, a constant, something named as a bound."""
        if self.number(node) is not None:
            return True
        last = string_of(node).rsplit("::", 1)[-1].rsplit(".", 1)[-1].split(" as ")[0].strip()
        return (last.isupper() and last != "MAX") or bool(BOUNDS.intersection(last.lower().split("_")))

    def _contains(self, node: Node) -> bool:
        on = receiver(node) if node.type == "call_expression" and called(node) == "contains" else None
        return on is not None and any(self.gives(each) for each in arguments_of(node))

    def _asks_helper(self, node: Node) -> bool:
        """Tell whether a function of the project tests the size: `in_range(limit)`."""
        if node.type != "call_expression" or not any(self.gives(each) for each in arguments_of(node)):
            return False
        return any(
            string_of(child(each.node, "return_type") or each.node) == "bool" and has_test(each.node)
            for each in targets(self.items, node, self.path)
        )


def _scrutinee(arm: Node) -> Node | None:
    above = arm.parent.parent if arm.parent is not None else None
    return child(above, "value") if above is not None and above.type == "match_expression" else None


def is_error(pattern: Node) -> bool:
    """Tell whether a pattern takes a failure."""
    return string_of(pattern).startswith("Err")


def _scalars(function: Node) -> set[str]:
    """Name the parameters of a function that may be numbers."""
    listed = child(function, "parameters")
    parts = [part for part in listed.named_children if part.type == "parameter"] if listed is not None else []
    return {
        name
        for part in parts
        if not string_of(child(part, "type") or part)
        .lstrip("&")
        .startswith(("Value", "Map", "str", "dyn", "serde_json"))
        for name in scopes.names_in(child(part, "pattern"))
    }


def has_test(function: Node) -> bool:
    """Tell whether a function compares one of its names with a bound that is no type's own."""
    for node in below(function):
        sign = child(node, "operator") if node.type == "binary_expression" else None
        if sign is not None and string_of(sign) in ("<", ">", "<=", ">="):
            sides = [string_of(part) for part in (child(node, "left"), child(node, "right")) if part is not None]
            if not any("MAX" in side.split("::") or "len()" in side or side == "0" for side in sides):
                return True
        if node.type == "call_expression" and called(node) == "contains":
            on = receiver(node)
            if on is not None and ".." in string_of(on):
                return True
        if node.type == "range_pattern":
            return True
    return False


def refuses(block: Node | None, level: int = 0) -> bool:
    """Tell whether a block ends in an error."""
    if block is None or level > LEVELS:
        return False
    if block.type in ("block", "else_clause"):
        parts = [part for part in block.named_children if not part.type.endswith("_comment")]
        return bool(parts) and refuses(parts[-1], level + 1)
    if block.type in ("expression_statement", "return_expression", "parenthesized_expression"):
        return bool(block.named_children) and refuses(block.named_children[0], level + 1)
    if block.type == "macro_invocation":
        return last_segment(child(block, "macro") or block) in REFUSALS
    if block.type != "call_expression":
        return False
    name = called(block) or ""
    if name in ("Ok", "into"):
        inner = receiver(block) or next(iter(arguments_of(block)), None)
        return inner is not None and refuses(inner, level + 1)
    return name == "Err" or bool(ERRORS.intersection([name, *name.split("_")]))


def refusing(function: Node) -> Iterator[Node]:
    """Find the conditions, matches, assertions and chains of a function by which it refuses."""
    return (node for node in below(function) if _may_refuse(node))


def _may_refuse(node: Node) -> bool:
    match node.type:
        case "if_expression":
            ways = child(node, "consequence"), child(node, "alternative")
            return any(refuses(way) for way in ways) or refuses_after(node)
        case "match_expression":
            return any(refuses(child(arm, "value")) for arm in arms_of(node))
        case "macro_invocation":
            return last_segment(child(node, "macro") or node) in ("ensure", "assert")
        case "call_expression":
            return called(node) in ("ok_or", "ok_or_else")
        case "let_declaration":
            return refuses(child(node, "alternative"))
    return False


def refuses_after(node: Node) -> bool:
    """Tell whether a branch that returns is followed by an error, as `if limit <= MAX { return Ok(limit) } Err(..)` is."""
    block = child(node, "consequence")
    parts = [part for part in block.named_children if not part.type.endswith("_comment")] if block is not None else []
    statement = node.parent if node.parent is not None and node.parent.type == "expression_statement" else node
    after = statement.next_named_sibling
    returns = bool(parts) and string_of(parts[-1]).startswith("return")
    return returns and child(node, "alternative") is None and after is not None and refuses(after)
