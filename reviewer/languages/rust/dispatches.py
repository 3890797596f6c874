"""Functions that choose by an action's name, and the functions that bound an answer."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Dispatch, Guard, Handler
from reviewer.languages.nodes import child, matches, span_of, string_of, text_of
from reviewer.languages.rust import outcomes
from reviewer.languages.rust.callees import called, constant, last_segment, receiver
from reviewer.languages.rust.items import Items, in_test
from reviewer.languages.rust.literals import string_value
from reviewer.languages.rust.sightings import marks, sighted
from reviewer.source import Opaque, Text

MATCHING = re.compile(rb"match\s[^{};]*action")
RESPONDING = marks(rb"fn\s+respond\b", rb"action\s*:\s*&\s*(?:'\w+\s+)?str\s*,\s*\w+\s*:\s*[\w:]*Value\b")
ANSWER = re.compile(r"Result|Value|Json|Response|Content|Output")
NO_ANSWER = re.compile(r"Result\s*<\s*(\(\)|bool|&|[iu](8|16|32|64|size)\b)")
ACTION = re.compile(r"(^|[^a-z])action(?!s)")
ASKED = re.compile(r"param|arg|input|request|body")
LONGEST_CLIMB = 64


def dispatches(items: Items) -> Iterator[Dispatch]:
    """Find the functions that match on an action's name: in two arms at least, or in one and refuse all other names."""
    for path in items.mentioning(MATCHING):
        yield from _dispatches_in(items, path)


def _dispatches_in(items: Items, path: str) -> Iterator[Dispatch]:
    source = items.sources[path]
    choices: dict[int, tuple[Node, list[_Choice]]] = {}
    for found in matches(items.root(path), "rust", "dispatches"):
        function = _function(found["match"])
        if function is None or not ACTION.search(string_of(found["scrutinee"])) or not _answers(function):
            continue
        earlier = choices.setdefault(function.id, (function, []))[1]
        if not any(choice.holds(found["match"]) for choice in earlier):
            earlier.append(_choice(items, found["match"], found["body"], path))
    for function, chosen in choices.values():
        name = child(function, "name")
        arms = tuple(arm for choice in chosen for arm in choice.arms)
        known = len(arms) > 1 or (len(arms) == 1 and any(choice.closed for choice in chosen))
        if name is not None and known and not in_test(function):
            yield Dispatch(text_of(source, name), span_of(source, function), arms)


class _Choice(NamedTuple):
    """One match by action: its arms, their nodes, and whether every other action is refused."""

    arms: list[Handler]
    nodes: list[Node]
    closed: bool

    def holds(self, match: Node) -> bool:
        """Tell whether another match lies within an arm."""
        return any(arm.start_byte <= match.start_byte < arm.end_byte for arm in self.nodes)


def _choice(items: Items, match: Node, body: Node, path: str) -> _Choice:
    outer = _outer(items, match, path)
    found = _Choice([], [], any(_refuses_rest(items, arm, path) for arm in body.named_children))
    for arm, names in _literal_arms(items, body, path):
        value = child(arm, "value")
        ways = outcomes.exits_below(items, value, path, outer) if value is not None else ()
        found.nodes.append(arm)
        found.arms.extend(Handler(name, span_of(items.sources[path], arm), ways) for name in names)
    return found


def _refuses_rest(items: Items, arm: Node, path: str) -> bool:
    """Tell whether an arm takes whatever is left and has nothing but errors for it."""
    pattern, value = child(arm, "pattern"), child(arm, "value")
    if pattern is None or value is None:
        return False
    return re.fullmatch(r"_|[a-z_]\w*", string_of(pattern)) is not None and not outcomes.exits_below(items, value, path)


def _function(node: Node) -> Node | None:
    above = node.parent
    while above is not None and above.type != "function_item":
        above = above.parent
    return above


def _answers(function: Node) -> bool:
    """Tell whether a function gives an answer back, and not only what it knows of an action."""
    kind = child(function, "return_type")
    text = string_of(kind) if kind is not None else ""
    return ANSWER.search(text) is not None and NO_ANSWER.search(text) is None


def _literal_arms(items: Items, body: Node, path: str) -> Iterator[tuple[Node, list[Text]]]:
    for arm in body.named_children:
        pattern = child(arm, "pattern") if arm.type == "match_arm" else None
        names = [name for each in _alternatives(pattern) if isinstance(name := _name(items, each, path), Text)]
        if names:
            yield arm, names


def _alternatives(pattern: Node | None) -> Iterator[Node]:
    """Give the alternatives of a pattern without its guard."""
    for part in pattern.named_children[:1] if pattern is not None else ():
        yield from _ored(part)


def _ored(part: Node) -> Iterator[Node]:
    if part.type != "or_pattern":
        yield part
        return
    for each in part.named_children:
        yield from _ored(each)


def _name(items: Items, pattern: Node, path: str) -> Text | None:
    """Read a string literal or the name of a constant, also within `Some(..)`."""
    if pattern.type == "tuple_struct_pattern" and len(pattern.named_children) == 2:
        return _name(items, pattern.named_children[1], path)
    name: str | Opaque | None = string_value(pattern)
    if pattern.type in ("identifier", "scoped_identifier") and last_segment(pattern).isupper():
        value = constant(items, pattern, path)
        name = items.text_of_const(*value) if value is not None else None
    return Text(name, span_of(items.sources[path], pattern)) if isinstance(name, str) else None


def _outer(items: Items, match: Node, path: str) -> tuple[str, ...]:
    """Name what the value of a match passes after the match, outermost first."""
    passed: tuple[str, ...] = ()
    node = match
    for _ in range(LONGEST_CLIMB):
        above = node.parent
        if above is None or above.type in ("function_item", "closure_expression"):
            return passed
        if above.type == "let_declaration":
            return (*_of_uses(items, above, path), *passed)
        if above.type == "arguments" and above.parent is not None:
            name = called(above.parent)
            passed = (name, *passed) if name is not None and name not in outcomes.WRAPPERS else passed
            above = above.parent
        elif above.type == "field_expression" and above.parent is not None and above.parent.type == "call_expression":
            passed = (*_added(items, above.parent, path), *passed)
            above = above.parent
        node = above
    return passed


def _added(items: Items, call: Node, path: str) -> tuple[str, ...]:
    """Name what a method adds to the value it is called on."""
    value = receiver(call)
    ways = outcomes.through(items, call, path)
    before = outcomes.through(items, value, path) if value is not None else ()
    return ways[: len(ways) - len(before)]


def _of_uses(items: Items, declaration: Node, path: str) -> tuple[str, ...]:
    """Name what a bound value passes where the function ends in it."""
    pattern, block = child(declaration, "pattern"), declaration.parent
    if pattern is None or pattern.type != "identifier" or block is None:
        return ()
    name = re.compile(rf"\b{re.escape(string_of(pattern))}\b")
    uses = [each for each in outcomes.tails(block) if name.search(string_of(each))]
    return outcomes.through(items, uses[0], path) if len(uses) == 1 else ()


def guards(items: Items) -> Iterator[Guard]:
    """Find the functions of the shape `respond(action, value)`."""
    for path in sighted(items, RESPONDING):
        for found in matches(items.root(path), "rust", "guards"):
            function, name = found["function"], found["name"]
            if not in_test(function) and _guards(function, string_of(name)):
                yield Guard(text_of(items.sources[path], name), span_of(items.sources[path], function))


def _guards(function: Node, name: str) -> bool:
    listed = child(function, "parameters")
    parameters = [part for part in listed.named_children if part.type == "parameter"] if listed is not None else []
    if len(parameters) < 2:
        return False
    if name == "respond":
        return True
    kinds = [string_of(child(part, "type") or part).split("::")[-1] for part in parameters[:2]]
    names = [string_of(child(part, "pattern") or part) for part in parameters[:2]]
    given = child(function, "return_type")
    return (
        names[0] == "action"
        and kinds[0].startswith("&")
        and kinds[1] == "Value"
        and ASKED.search(names[1]) is None
        and given is not None
        and string_of(given).split("::")[-1] == "Value"
    )
