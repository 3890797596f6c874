"""What becomes of the user's answer: the branch that goes on although the user did not accept."""

import re
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from tree_sitter import Node

from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import Place, below, called
from reviewer.languages.python.modules import Module

ACCEPTED = re.compile(r"accept|confirmed|approved|\bTrue\b|\byes\b|proceed", re.IGNORECASE)
REFUSED = re.compile(r"declin|cancel|reject|denied|refus|\bFalse\b|\bNone\b|\bno\b", re.IGNORECASE)
UNASKED = re.compile(r"support|capab|unavailable|failed|timeout", re.IGNORECASE)
PASSED = frozenset({"await", "parenthesized_expression", "attribute", "subscript"})
CARRIERS = frozenset("isinstance bool getattr create_task ensure_future wait_for shield".split())
ENDING = frozenset({"return_statement", "raise_statement", "break_statement", "continue_statement"})
LOGGING = re.compile(r"^(log\w*\.|logging\.|ctx\.|context\.)?(debug|info|warning|error|exception|print|log)$")
SUPPRESSING = re.compile(r"^(async )?with\s[^:]*\bsuppress\(")
BROAD = re.compile(r"^except\s*(:|\*?\s*(Base)?Exception\b|.*(Error|Refused|Denied|Declined|Cancelled))", re.DOTALL)


class Leading(Protocol):
    """Tells whether a call leads to the code that carries actions out, and which function it enters."""

    def leads(self, call: Node, module: Module) -> bool:
        """Tell whether a call leads there."""

    def target(self, call: Node, module: Module) -> Place | None:
        """Find the function of the project that a call enters."""


class _Answer(NamedTuple):
    """An expression that stands for the answer, and whether it is turned by `not`."""

    node: Node
    turned: bool = False


def goes_on(search: Leading, call: Node, function: Place) -> Node | None:
    """Find the branch in a function that goes on although the user did not accept, None if there is none."""
    reading = _Reading(search, function, call)
    return reading.follow(_Answer(call)) or reading.caught()


def _is_target(name: Node) -> bool:
    """Tell whether a name is given another value there."""
    above = name.parent
    return above is not None and above.type == "assignment" and child(above, "left") == name


def _shadows(binding: Node, use: Node) -> bool:
    """Tell whether every way to a use leads through a later binding of the same name."""
    block = binding.parent.parent if binding.parent is not None else None
    return block is not None and block.start_byte <= binding.end_byte <= use.start_byte < block.end_byte


class _Reading:
    """Follows one answer through the function in which it is asked for."""

    def __init__(self, search: Leading, function: Place, call: Node) -> None:
        self.search = search
        self.function = function
        self.call = call
        self.followed: set[int] = set()

    def follow(self, answer: _Answer) -> Node | None:
        """Climb from an expression to what takes it."""
        node, above = answer.node, answer.node.parent
        if above is None or node.id in self.followed:
            return None
        self.followed.add(node.id)
        if above.type in PASSED:
            return self.follow(answer._replace(node=above))
        if above.type == "not_operator":
            return self.follow(_Answer(above, not answer.turned))
        if above.type == "call":
            return self.follow(answer._replace(node=above)) if child(above, "function") == node else None
        step = getattr(self, f"_of_{above.type}", None)
        found: Node | None = step(above, answer) if step is not None else None
        return found

    def caught(self) -> Node | None:
        """Find an `except` around the question that goes on where a refusal was raised."""
        node = self.call
        while node.parent is not None and node != self.function.node:
            above = node.parent
            if above.type == "with_statement" and SUPPRESSING.search(string_of(above)) and self._leads_after(above):
                return above
            if above.type == "try_statement" and child(above, "body") == node:
                for clause in children(above):
                    body = next((part for part in children(clause) if part.type == "block"), None)
                    broad = clause.type == "except_clause" and BROAD.match(string_of(clause)) is not None
                    if broad and body is not None and self._continues(body):
                        return clause
            node = above
        return None

    def _of_argument_list(self, above: Node, answer: _Answer) -> Node | None:
        call = above.parent
        if call is None or called(call) not in CARRIERS:
            return None
        text = string_of(above)
        other = called(call) == "isinstance" and REFUSED.search(text) is not None and ACCEPTED.search(text) is None
        return self.follow(_Answer(call, answer.turned != other))

    def _of_comparison_operator(self, above: Node, answer: _Answer) -> Node | None:
        sign, text = string_of(child(above, "operators") or above), string_of(above).replace(string_of(answer.node), "")
        against = sign in ("!=", "not in", "is not")
        other = REFUSED.search(text) is not None and ACCEPTED.search(text) is None
        return self.follow(_Answer(above, answer.turned != (other != against)))

    def _of_boolean_operator(self, above: Node, answer: _Answer) -> Node | None:
        return self.follow(answer._replace(node=above))

    def _of_named_expression(self, above: Node, answer: _Answer) -> Node | None:
        return self.follow(answer._replace(node=above)) or self._by_name(
            child(above, "name"), above, answer, bound=True
        )

    def _of_expression_statement(self, above: Node, answer: _Answer) -> Node | None:
        place = self.search.target(self.call, self.function.module)
        body = child(place.node, "body") if place is not None else None
        if body is None or string_of(answer.node).startswith(("asyncio.", "create_task", "ensure_future")):
            return answer.node
        return answer.node if any(True for _ in returned(body)) else None

    def _of_assignment(self, above: Node, answer: _Answer) -> Node | None:
        return self._by_name(child(above, "left"), above, answer, bound=False)

    def _by_name(self, name: Node | None, binding: Node, answer: _Answer, *, bound: bool) -> Node | None:
        if name is None or name.type != "identifier":
            return None
        uses = list(self._uses(binding, string_of(name)))
        found = next((found for use in uses if (found := self.follow(answer._replace(node=use))) is not None), None)
        return found or (binding if not uses and not bound else None)

    def _uses(self, binding: Node, name: str) -> Iterator[Node]:
        """Find where a bound answer is looked at after it was bound; a log of it is no look."""
        later = [
            part
            for part in below(self.function.node)
            if part.type == "identifier" and part.start_byte >= binding.end_byte and string_of(part) == name
        ]
        anew = [part.parent for part in later if part.parent is not None and _is_target(part)]
        for part in later:
            if _is_target(part) or any(_shadows(other, part) for other in anew):
                continue
            around = part.parent
            while around is not None and around.type not in ("call", "block"):
                around = parent_of(around)
            logged = around is not None and around.type == "call" and child(around, "function") is not None
            if not logged or LOGGING.match(string_of(child(around, "function") or part)) is None:
                yield part

    def _of_if_statement(self, above: Node, answer: _Answer) -> Node | None:
        if child(above, "condition") != answer.node:
            return None
        first = child(above, "consequence")
        other = next(iter(above.children_by_field_name("alternative")), None)
        if answer.turned:
            return above if first is not None and self._continues(first) else None
        if other is not None:
            return other if other.type == "else_clause" and self._continues(other) else None
        ends = first is not None and self._ends(first)
        return above if not ends and self._leads_after(above) else None

    def _of_elif_clause(self, above: Node, answer: _Answer) -> Node | None:
        first = child(above, "consequence")
        refused = child(above, "condition") == answer.node and answer.turned
        return above if refused and first is not None and self._continues(first) else None

    def _of_match_statement(self, above: Node, answer: _Answer) -> Node | None:
        body = child(above, "body")
        for clause in children(body) if body is not None else ():
            pattern = next((part for part in children(clause) if part.type == "case_pattern"), None)
            code = child(clause, "consequence")
            if pattern is None or code is None or UNASKED.search(string_of(pattern)) is not None:
                continue
            refusal = string_of(pattern) == "_" or REFUSED.search(string_of(pattern)) is not None
            if refusal and self._continues(code):
                return clause
        return None

    def _continues(self, branch: Node) -> bool:
        """Tell whether a branch carries the action out, or falls through to where it is done or the function ends well."""
        if self._leads(branch):
            return True
        good = [value for value in returned(branch) if string_of(value) == "True"]
        return bool(good) or (not self._ends(branch) and self._leads_after(branch))

    def _ends(self, branch: Node) -> bool:
        """Tell whether a branch leaves the way."""
        return any(part.type in ENDING or called(part) in ("exit", "abort") for part in below(branch))

    def _leads(self, branch: Node) -> bool:
        """Tell whether a branch carries the action out, under no further test."""
        plain = below(branch, frozenset({"if_statement", "match_statement", "lambda", "function_definition"}))
        return any(each.type == "call" and self.search.leads(each, self.function.module) for each in plain)

    def _leads_after(self, node: Node) -> bool:
        """Tell whether the function goes on to the dispatch after a node, or ends there as if all were well."""
        rest = [each for each in below(self.function.node) if each.start_byte >= node.end_byte]
        if any(each.type == "call" and self.search.leads(each, self.function.module) for each in rest):
            return True
        values = [string_of(value) for each in rest if each.type == "return_statement" for value in children(each)]
        body = child(self.function.node, "body")
        given = any(True for _ in returned(body)) if body is not None else False
        raised = any(each.type == "raise_statement" for each in rest)
        return "True" in values or (not given and not raised)
