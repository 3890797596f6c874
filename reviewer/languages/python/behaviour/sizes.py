"""The size of a page in Python code: which expressions give it, how it is tested, and what numbers it meets."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import BESIDE, child, children, parent_of, string_of, walk, walk_without
from reviewer.languages.pages import is_page_size, limits_otherwise
from reviewer.languages.python.behaviour import scopes
from reviewer.languages.python.behaviour.following import Place, assigned, callee
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.values import Const, Scope

SIGNS = frozenset({"<", ">", "<=", ">=", "==", "not in", "in"})
BOUNDS = frozenset("max min cap most ceiling maximum minimum upper lower bound".split())
FAILURE = re.compile(
    r"^\W*(?:error|invalid|\w*(?:error|invalid|fail|refuse|reject)\w*\()|[\"']error[\"']\s*:|is_?error\s*=\s*True", re.I
)
OWN_FRAME = frozenset({"function_definition", "class_definition", "lambda"})


def below(node: Node) -> Iterator[Node]:
    """Give a node and all it holds, functions defined in it left out."""
    return walk_without(node, OWN_FRAME | BESIDE)


def called(call: Node | None) -> str:
    """Give the last name of what is called."""
    function = child(call, "function") if call is not None else None
    return string_of(child(function, "attribute") or function) if function is not None else ""


def arguments_of(call: Node) -> list[Node]:
    """Give the arguments of a call."""
    given = child(call, "arguments")
    return children(given) if given is not None and given.type == "argument_list" else []


LEVELS = 30
"""How many expressions are read within one another."""


class Sizes:
    """What of one function is the size of a page."""

    def __init__(self, run: Evaluator, function: Node, scope: Scope) -> None:
        self.run, self.function, self.scope = run, function, scope
        self.names: set[str] = set()
        self._level = 0
        name = string_of(child(function, "name") or function)
        self.is_other = limits_otherwise(name) or limits_otherwise(_class_of(function))
        if is_page_size(name) or _validates_size(function):
            listed = child(function, "parameters")
            self.names |= {
                string_of(part if part.type == "identifier" else child(part, "name") or children(part)[0])
                for part in (children(listed) if listed is not None else [])
                if part.type in ("identifier", "typed_parameter", "default_parameter", "typed_default_parameter")
            } - {"self", "cls", "params", "arguments", "args", "request"}
        self._inside = list(below(body)) if (body := child(function, "body")) is not None else []
        for node in self._inside:
            value = scopes.value_of(node) if node.type in scopes.ASSIGNING else None
            target = scopes.target_of(node) if value is not None else None
            if node.type == "match_statement" and self.gives(child(node, "subject")):
                self.names |= _captured(node)
            if value is not None and target is not None and target.type == "identifier" and self.gives(value):
                self.names.add(string_of(target))

    @property
    def nodes(self) -> list[Node]:
        """All of the function's body."""
        return self._inside

    def gives(self, node: Node | None) -> bool:
        """Tell whether an expression gives the size of a page."""
        if node is None or self._level > LEVELS:
            return False
        self._level += 1
        try:
            return self._gives(node)
        finally:
            self._level -= 1

    def _gives(self, node: Node) -> bool:
        match node.type:
            case "identifier":
                name = string_of(node)
                return not name.isupper() and (name in self.names or is_page_size(name))
            case "attribute":
                return is_page_size(string_of(child(node, "attribute") or node)) and not limits_otherwise(
                    string_of(node)
                )
            case "subscript":
                key, held = child(node, "subscript"), child(node, "value")
                middle = held is not None and called(held) == "sorted" and self._of_sorted(held)
                return middle or (key is not None and is_page_size(string_value(key) or ""))
            case "parenthesized_expression" | "await":
                return self.gives(children(node)[0])
            case "boolean_operator":
                return self.gives(child(node, "left"))
            case "named_expression":
                return any(self.gives(child(node, part)) for part in ("name", "value"))
            case "conditional_expression":
                return any(self.gives(part) for part in (children(node)[0], children(node)[-1]))
            case "call":
                return self._of_call(node)
        return False

    def _of_sorted(self, call: Node) -> bool:
        """Tell whether the middle of three is taken, one of which is a size: `sorted((1, limit, 100))[1]`."""
        return any(self.gives(part) for each in arguments_of(call) for part in children(each))

    def _of_call(self, call: Node) -> bool:
        name, given = called(call), arguments_of(call)
        if name in ("min", "max", "int", "abs"):
            return any(self.gives(each) for each in given)
        key = next((text for each in given if (text := string_value(each)) is not None), None)
        return is_page_size(key) if key is not None else is_page_size(name) and name[:1].islower()

    def number(self, node: Node | None) -> int | None:
        """Read a number that is known before any run."""
        if node is None or any(part.type == "identifier" and self._is_local(part) for part in walk(node)):
            return None
        if node.type not in ("integer", "identifier", "attribute", "binary_operator", "parenthesized_expression"):
            return None
        value = self.run.value(node, self.scope)
        return value.value if isinstance(value, Const) and type(value.value) is int else None

    def _is_local(self, name: Node) -> bool:
        text = string_of(name)
        listed = child(self.function, "parameters")
        if listed is not None and any(part.type == "identifier" and string_of(part) == text for part in walk(listed)):
            return True
        return any(
            text in scopes.names_in(scopes.target_of(node)) for node in self._inside if node.type in scopes.BINDING
        )

    def test(self, condition: Node | None) -> Node | None:
        """Find the part of a condition that tests whether a size lies within bounds."""
        for node in below(condition) if condition is not None else ():
            if node.type == "comparison_operator" and self._compares(node):
                return node
            if node.type == "call" and self._asks_helper(node):
                return node
            given = assigned(string_of(node), node) if node.type == "identifier" and node == condition else None
            if given is not None and given.type in ("comparison_operator", "not_operator", "boolean_operator"):
                return self.test(given)
        return None

    def _compares(self, node: Node) -> bool:
        sides = children(node)
        signs = [" ".join(string_of(part).split()) for part in node.children if part not in sides]
        if not any(self.gives(side) for side in sides) or not SIGNS.intersection(signs):
            return False
        others = [side for side in sides if not self.gives(side)]
        if {"in", "not in"} & set(signs):
            return all(called(side) == "range" for side in others if side.type == "call") and others[0].type == "call"
        return all(self.is_bound(side) for side in others) and (signs != ["=="] or self.number(others[0]) == 0)

    def is_bound(self, node: Node) -> bool:
        """Tell whether an expression is a fixed bound: a number, a constant, something named as a bound."""
        last = string_of(node).rsplit(".", 1)[-1]
        return self.number(node) is not None or last.isupper() or bool(BOUNDS.intersection(last.lower().split("_")))

    def _asks_helper(self, call: Node) -> bool:
        helper = self.helper(call)
        return (
            helper is not None and any(has_test(node) for node in below(helper.node)) and not any(refusing(helper.node))
        )

    def helper(self, call: Node) -> Place | None:
        """Give the project's function that a call hands a size to."""
        if not any(self.gives(each) for each in arguments_of(call)):
            return None
        return callee(self.run, call, self.scope)


def _captured(match: Node) -> set[str]:
    """Name what the patterns of a match capture whole."""
    body = child(match, "body")
    patterns = [part for clause in children(body) for part in children(clause)] if body is not None else []
    return {string_of(each) for each in patterns if each.type == "case_pattern" and string_of(each).isidentifier()} - {
        "_"
    }


def _class_of(function: Node) -> str:
    above = function.parent
    while above is not None and above.type != "class_definition":
        above = parent_of(above)
    return string_of(child(above, "name") or function) if above is not None else ""


def decorators_of(function: Node) -> list[str]:
    """Give the source of the decorators of a function or a class."""
    above = function.parent
    if above is None or above.type != "decorated_definition":
        return []
    return [string_of(part) for part in children(above) if part.type == "decorator"]


def _validates_size(function: Node) -> bool:
    for text in decorators_of(function):
        if "validator" in text and any(is_page_size(name) for name in re.findall(r"[\"'](\w+)[\"']", text)):
            return True
    return False


def has_test(node: Node) -> bool:
    """Tell whether a node compares something with a bound, and not only a length or zero."""
    if node.type != "comparison_operator":
        return False
    sides = [string_of(part) for part in children(node)]
    signs = [string_of(part) for part in node.children if part not in children(node)]
    return bool({"<", ">", "<=", ">="}.intersection(signs)) and not any(
        side.startswith("len(") or side == "0" for side in sides
    )


def refuses(block: Node | None) -> bool:
    """Tell whether a block ends in a failure."""
    if block is None:
        return False
    if block.type == "else_clause":
        return refuses(child(block, "body"))
    last = children(block)[-1] if children(block) else None
    if last is None:
        return False
    value = string_of(children(last)[0]) if last.type == "return_statement" and children(last) else ""
    return last.type == "raise_statement" or FAILURE.search(value) is not None


def refusing(function: Node) -> Iterator[Node]:
    """Find the conditions and assertions of a function by which it refuses."""
    body = child(function, "body")
    return (node for node in below(body) if _may_refuse(node)) if body is not None else iter(())


def _may_refuse(node: Node) -> bool:
    if node.type == "assert_statement":
        return True
    if node.type == "if_statement" and any(refuses(part) for part in node.children_by_field_name("alternative")):
        return True
    if node.type == "if_statement" and _refuses_after(node):
        return True
    return node.type in ("if_statement", "elif_clause", "case_clause") and refuses(child(node, "consequence"))


def _refuses_after(node: Node) -> bool:
    """Tell whether a branch that returns is followed by a failure, as `if limit <= MAX: return limit` and `raise` are."""
    block, after = child(node, "consequence"), node.next_named_sibling
    last = children(block)[-1] if block is not None and children(block) else None
    returns = last is not None and last.type == "return_statement"
    return (
        returns
        and after is not None
        and after.type == "raise_statement"
        and not node.children_by_field_name("alternative")
    )
