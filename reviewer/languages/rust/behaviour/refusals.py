"""What becomes of the user's answer: the branch that goes on although the user did not accept."""

import re
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import below, called, last_segment, targets
from reviewer.languages.rust.items import Item, Items

ACCEPTED = re.compile(
    r"Accept|Confirmed|Approved|Allow|Proceed|\btrue\b|\bYes\b|^Ok\s*\(\s*Some\s*\(|^Some\s*\(|^Ok\s*\(\s*\(\)"
)
REFUSED = re.compile(
    r"Declin|Cancel|Reject|Denied|Refus|\bfalse\b|\bNone\b|^Err\b|^_$|^Ok\s*\(\s*_\s*\)|^Some\s*\(\s*_\s*\)|\bNo\b"
)
UNASKED = re.compile(r"Support|Capab|Unavailable|Failed|Timeout")
GOOD = re.compile(
    r"^(true|\(\)|Ok\s*\(\s*(\(\)|true)\s*\)|Some\s*\(\s*true\s*\)|[\w:]*(Confirmed|Accepted|Approved|Proceed|Allowed))$"
)
TELLING = re.compile(r"^(\w+::)*Result\s*<\s*(bool|(\w+::)*Option)\b")
ENDING = frozenset({"return_expression", "break_expression", "continue_expression"})
BRANCHING = frozenset(
    "expression_statement block if_expression else_clause match_arm match_block match_expression unsafe_block".split()
)
CARRIERS = frozenset("spawn spawn_local spawn_blocking timeout timeout_at pin Ok Some".split())
"""Calls that give the answer that they are handed."""

REFUSING = frozenset({"Err", "error", "exit"})
RAISING = frozenset({"bail", "panic", "unreachable", "ensure", "todo", "unimplemented"})
PASSED = frozenset({"await_expression", "parenthesized_expression", "reference_expression", "type_cast_expression"})
LOGGING = re.compile(r"^(tracing::|log::)?(info|warn|error|debug|trace|println|eprintln|dbg|event)$")
SAME = frozenset(
    "map_err context with_context inspect inspect_err or_else boxed into as_ref instrument unwrap expect".split()
)
TYPED = frozenset({"elicit", "elicit_with_timeout", "elicit_with_tools"})
"""The SDK's methods that give an error where the user declines."""


class Leading(Protocol):
    """Tells whether a call leads to the code that carries actions out."""

    @property
    def items(self) -> Items:
        """The project."""

    def leads(self, call: Node, path: str) -> bool:
        """Tell whether a call leads there."""


class _Answer(NamedTuple):
    """An expression that stands for the answer: whether `?` has dealt with a refusal, and whether it is turned by `!`."""

    node: Node
    refused: bool = False
    turned: bool = False


def goes_on(search: Leading, call: Node, function: Item) -> Node | None:
    """Find the branch in a function that goes on although the user did not accept, None if there is none."""
    return _Reading(search, function, call).follow(_Answer(call))


class _Reading:
    """Follows one answer through the function in which it is asked for."""

    def __init__(self, search: Leading, function: Item, call: Node) -> None:
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
        if above.type == "try_expression":
            return self.follow(answer._replace(node=above, refused=answer.refused or self._tells_by_error()))
        if above.type == "unary_expression" and string_of(above).startswith("!"):
            return self.follow(answer._replace(node=above, turned=not answer.turned))
        step = getattr(self, f"_of_{above.type}", None)
        found: Node | None = step(above, answer) if step is not None else None
        return found

    def _tells_by_error(self) -> bool:
        """Tell whether what was called gives an error where the user declines."""
        name = called(self.call)
        return name in TYPED or (
            name is not None and not name.startswith(("create_elicitation", "request_elicitation"))
        )

    def _of_field_expression(self, above: Node, answer: _Answer) -> Node | None:
        method = above.parent
        if method is None or method.type != "call_expression" or child(method, "function") != above:
            return self.follow(answer._replace(node=above))
        name, given = called(method), arguments_of(method)
        if (
            name in ("unwrap_or", "unwrap_or_else")
            and given
            and re.search(r"\btrue\b", string_of(given[0])) is not None
        ):
            return method
        if name in ("is_err", "is_none", "is_err_and"):
            return self.follow(_Answer(method, answer.refused, not answer.turned))
        return self.follow(answer._replace(node=method))

    def _of_arguments(self, above: Node, answer: _Answer) -> Node | None:
        call = above.parent
        return self.follow(answer._replace(node=call)) if call is not None and called(call) in CARRIERS else None

    def _of_binary_expression(self, above: Node, answer: _Answer) -> Node | None:
        sign, text = string_of(child(above, "operator") or above), string_of(above)
        if sign in ("==", "!="):
            other = (REFUSED.search(text) is not None and ACCEPTED.search(text) is None) != (sign == "!=")
            return self.follow(_Answer(above, answer.refused, answer.turned != other))
        return self.follow(answer._replace(node=above)) if sign in ("&&", "||") else None

    def _of_expression_statement(self, above: Node, answer: _Answer) -> Node | None:
        dropped = above.children[-1].type == ";"
        return answer.node if dropped and not (answer.refused and not self._tells_by_value()) else None

    def _tells_by_value(self) -> bool:
        """Tell whether what was called gives more than an error: a yes or no that has to be looked at."""
        reached = targets(self.search.items, self.call, self.function.path)
        return any(TELLING.match(string_of(child(each.node, "return_type") or each.node)) for each in reached)

    def _of_let_declaration(self, above: Node, answer: _Answer) -> Node | None:
        pattern, other = child(above, "pattern"), child(above, "alternative")
        if pattern is None or child(above, "value") != answer.node:
            return None
        if other is not None:
            return other if self._leads(other) else None
        name = string_of(pattern)
        if pattern.type != "identifier" and name != "_":
            return None
        uses = list(self._uses(above, name)) if name != "_" else []
        found = next((found for use in uses if (found := self.follow(answer._replace(node=use))) is not None), None)
        return found or (above if not uses and not answer.refused else None)

    def _uses(self, declaration: Node, name: str) -> Iterator[Node]:
        """Find where a bound answer is looked at after it was bound; a log of it is no look."""
        for part in below(declaration.parent or declaration):
            if part.start_byte < declaration.end_byte or part.type != "identifier" or string_of(part) != name:
                continue
            around = part.parent
            while around is not None and around.type == "token_tree":
                around = parent_of(around)
            macro = child(around, "macro") if around is not None and around.type == "macro_invocation" else None
            if macro is None:
                yield part
            elif LOGGING.match(string_of(macro)) is None and around is not None:
                yield around

    def _of_match_expression(self, above: Node, answer: _Answer) -> Node | None:
        body = child(above, "body")
        if child(above, "value") != answer.node or body is None:
            return None
        for arm in body.named_children:
            pattern, value = child(arm, "pattern"), child(arm, "value")
            if arm.type == "match_arm" and pattern is not None and value is not None:
                text = " ".join(string_of(pattern).split())
                if _is_refusal(text) and self._continues(value, above):
                    return arm
                found = self._inner(pattern, value)
                if found is not None:
                    return found
        return None

    def _inner(self, pattern: Node, value: Node) -> Node | None:
        """Follow what an arm binds: `Ok(result) => match result.action { .. }`."""
        bound = re.fullmatch(r"(?:Ok|Some)\s*\(\s*(?:Some\s*\(\s*)?(\w+)[\s)]*", string_of(pattern))
        for part in below(value) if bound is not None else ():
            if part.type == "identifier" and bound is not None and string_of(part) == bound[1]:
                found = self.follow(_Answer(part, refused=True))
                if found is not None:
                    return found
        return None

    def _of_let_condition(self, above: Node, answer: _Answer) -> Node | None:
        pattern, choice = child(above, "pattern"), above.parent
        while choice is not None and choice.type == "let_chain":
            choice = parent_of(choice)
        if pattern is None or choice is None or choice.type != "if_expression":
            return None
        refusal = _is_refusal(string_of(pattern))
        if refusal == (ACCEPTED.search(string_of(pattern)) is not None):
            return None
        return self._chosen(choice, refusal)

    def _of_if_expression(self, above: Node, answer: _Answer) -> Node | None:
        return self._chosen(above, answer.turned) if child(above, "condition") == answer.node else None

    def _chosen(self, choice: Node, refusal: bool) -> Node | None:
        """Look at the branch that a refusal takes: the first one, the other one, or the code after both."""
        first, other = child(choice, "consequence"), child(choice, "alternative")
        if refusal:
            return choice if first is not None and self._continues(first, choice) else None
        if other is not None:
            return other if self._continues(other, choice) else None
        ends = first is not None and self._ends(first)
        return choice if not ends and self._is_statement(choice) and self._leads_after(choice) else None

    def _continues(self, branch: Node, whole: Node) -> bool:
        """Tell whether a branch carries the action out, or gives a good value, or falls through to where it is done."""
        if self._leads(branch):
            return True
        if self._ends(branch):
            return False
        last = branch
        while last.type in ("block", "else_clause", "expression_statement") and last.named_children:
            last = last.named_children[-1]
        if self._is_statement(whole):
            return self._leads_after(whole)
        text = " ".join(string_of(last).split())
        return GOOD.match(text) is not None or re.fullmatch(r"\{\s*\}", text) is not None

    def _is_statement(self, whole: Node) -> bool:
        """Tell whether the value of a branching is of no use to anything."""
        node, above = whole, whole.parent
        while above is not None and above.type in BRANCHING:
            if above.type == "expression_statement" and above.children[-1].type == ";":
                return True
            if above.type == "block" and node.next_named_sibling is not None:
                return True
            node, above = above, parent_of(above)
        return False

    def _ends(self, branch: Node) -> bool:
        """Tell whether a branch leaves the way: by an end, an error, or an answer that says so."""
        for part in below(branch):
            if part.type in ENDING or part.type == "try_expression":
                return True
            if part.type == "call_expression" and called(part) in REFUSING:
                return True
            if part.type == "macro_invocation" and last_segment(child(part, "macro") or part) in RAISING:
                return True
        return False

    def _leads(self, branch: Node) -> bool:
        """Tell whether a branch carries the action out, under no further test."""
        plain = below(branch, frozenset({"if_expression", "match_expression", "closure_expression"}))
        return any(each.type == "call_expression" and self.search.leads(each, self.function.path) for each in plain)

    def _leads_after(self, node: Node) -> bool:
        """Tell whether the function goes on to the dispatch after a node, or gives its good value."""
        body = child(self.function.node, "body")
        for each in below(body) if body is not None else ():
            if each.start_byte >= node.end_byte:
                if each.type == "call_expression" and self.search.leads(each, self.function.path):
                    return True
                if GOOD.match(string_of(each)) is not None and each.parent == body:
                    return True
        return False


def _is_refusal(pattern: str) -> bool:
    """Tell whether a pattern takes the answers of users who did not accept."""
    guarded = re.search(r"\bif\b(.*)", pattern)
    if guarded is not None:
        return re.search(r"!\s*\w", guarded[1]) is not None and ACCEPTED.search(pattern) is not None
    if UNASKED.search(pattern) is not None and re.search(r"Declin|Cancel", pattern) is None:
        return False
    if re.search(r"\bfalse\b|Declin|Cancel", pattern):
        return True
    return REFUSED.search(pattern) is not None and ACCEPTED.search(pattern) is None
