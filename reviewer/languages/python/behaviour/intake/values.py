"""What becomes of an argument: what stands in where it is not given, what bounds it, what it cuts."""

from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Given
from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import arguments, below, called, callee, number, text
from reviewer.languages.python.behaviour.intake.frames import DEEPEST, Frame, handed
from reviewer.languages.python.behaviour.textual import is_textual
from reviewer.languages.traced import Traced

CONVERTING = frozenset("int str float bool abs round".split())
CUTTING = frozenset("islice head nlargest nsmallest".split())
LONGEST = 40
COMPARING = frozenset({"<", ">", "<=", ">=", "in", "not in"})
"""Signs of a comparison that bounds what it compares."""


class _State(NamedTuple):
    """What happened to a value so far."""

    stood_in: bool = False
    bounded: bool = False
    computed: bool = False


class Values(Traced):
    """Follows one argument on all its ways."""

    def trace(self, node: Node, frame: Frame, other: Node | None) -> None:
        """Follow a value from where it is taken; `other` is what stands in for it there."""
        given = self._scalar(other, frame) if other is not None else None
        if given is not None:
            self._defaults.append(given)
        elif other is not None and string_of(other) != "None":
            self._lost = True
        self._follow(node, frame, _State(stood_in=other is not None and string_of(other) != "None"))

    def of_name(self, name: str, frame: Frame, *, given: bool) -> None:
        """Follow a parameter; `given` tells that its declaration says what stands in for it."""
        self._named(name, frame, _State(stood_in=given), 0)

    def _named(self, name: str, frame: Frame, state: _State, since: int) -> None:
        state = self._conditions(name, frame, state, since)
        for node in frame.code.uses(name, since):
            self._follow(node, frame, state)

    def _conditions(self, name: str, frame: Frame, state: _State, since: int) -> _State:
        """Read `if limit is None: limit = 20` and `if limit > 100: limit = 100`; give what happened to the value."""
        for node in frame.code.replaced.get(name, ()):
            if node.start_byte < since:
                continue
            condition, block = child(node, "condition"), child(node, "consequence")
            value = child(children(children(block)[0])[0], "right") if block is not None else None
            said = string_of(condition) if condition is not None else ""
            found = self._scalar(value, frame) if value is not None else None
            if ">" in said:
                self._caps += [found] if found is not None else []
                state = state._replace(bounded=True)
            elif found is not None and not state.stood_in and (said in (f"not {name}", f"{name} is None")):
                self._defaults.append(found)
                state = state._replace(stood_in=True)
                self._seen |= {
                    (each.id, frame.depth)
                    for each in frame.code.nodes
                    if node.start_byte <= each.start_byte < node.end_byte
                }
        return state

    def _follow(self, node: Node, frame: Frame, state: _State) -> None:
        for _ in range(LONGEST):
            above = node.parent
            if above is None or (node.id, frame.depth) in self._seen:
                return
            self._seen.add((node.id, frame.depth))
            step = self._step(node, above, frame, state)
            if step is None:
                return
            node, state = step

    def _step(self, node: Node, above: Node, frame: Frame, state: _State) -> tuple[Node, _State] | None:
        """Go one expression outward; None where this way ends."""
        match above.type:
            case "parenthesized_expression" | "await":
                return above, state
            case "boolean_operator":
                return self._or(node, above, frame, state)
            case "conditional_expression":
                return self._chosen(node, above, frame, state)
            case "argument_list" if above.parent is not None:
                return self._handed(node, above.parent, frame, state)
            case "binary_operator":
                if string_of(child(above, "operator") or above) in ("+", "-", "*"):
                    return above, state._replace(computed=True)
                self._lose(state)
            case "assignment" | "named_expression":
                self._bound(node, above, frame, state)
            case "expression_list" | "tuple":
                self._in_tuple(node, above, frame, state)
            case "keyword_argument" if above.parent is not None and above.parent.parent is not None:
                self._enter(node, above.parent.parent, frame, state)
            case "slice":
                self._sliced(node, above, frame, state)
            case "comparison_operator" | "match_statement":
                self._compares(node, above, frame, state)
            case _:
                self._lose(state)
        return None

    def _or(self, node: Node, either: Node, frame: Frame, state: _State) -> tuple[Node, _State] | None:
        if string_of(child(either, "operator") or either) != "or" or child(either, "left") != node:
            self._lose(state)
            return None
        right = child(either, "right")
        found = self._scalar(right, frame) if right is not None else None
        if found is not None and not state.stood_in:
            self._defaults.append(found)
        return either, state._replace(stood_in=state.stood_in or found is not None)

    def _chosen(self, node: Node, choice: Node, frame: Frame, state: _State) -> tuple[Node, _State] | None:
        """Read `limit if limit is not None else 20`, and `100 if limit > 100 else limit`."""
        first, condition, other = children(choice)[:3]
        if node == condition:
            self._asked = True
            return None
        beside = other if node == first else first
        found, said = self._scalar(beside, frame), string_of(condition)
        if found is not None and (">" in said or "<" in said) and string_of(node) in said:
            self._cap(found, choice, state)
            return choice, state._replace(bounded=True)
        if found is not None and not state.stood_in:
            self._defaults.append(found)
        elif not state.stood_in:
            self._lost = True
        return choice, state._replace(stood_in=True)

    def _handed(self, node: Node, call: Node, frame: Frame, state: _State) -> tuple[Node, _State] | None:
        name, given = called(call), arguments(call)[0]
        if name in CONVERTING or name == "max":
            return call, state
        if name == "min":
            for each in given:
                if each != node and "len(" not in string_of(each):
                    self._cap(self._scalar(each, frame), call, state)
                    state = state._replace(bounded=True)
            return call, state
        most = None if name in CUTTING else self._clamped(node, call, frame)
        if most is not None:
            self._cap(self._scalar(*most), call, state)
            return call, state._replace(bounded=True)
        if name in CUTTING and not state.bounded:
            self._cuts(call, given[0] if given else call, frame)
        elif name not in CUTTING:
            self._enter(node, call, frame, state)
        return None

    def _cap(self, most: Given | None, at: Node, state: _State) -> None:
        """Keep a bound of the value itself; one of what is computed from it, or told beside nothing, is another number's."""
        if most is not None and not state.computed and not _is_beside_nothing(at):
            self._caps.append(most)

    def _clamped(self, node: Node, call: Node, frame: Frame) -> tuple[Node, Frame] | None:
        """Give the bound that a call hands, beside a value, to a function of the project that gives the least of the two."""
        found = callee(frame.run, call, frame.within)
        body = child(found.node, "body") if found is not None else None
        if found is None or body is None or b"min(" not in (body.text or b""):
            return None
        given = handed(frame.run, found.node, found.module, call)
        held = next((name for name, value in given.items() if value == node), None)
        gives = list(returned(body)) if held is not None else []
        most = _least(gives[0], held) if len(gives) == 1 and held is not None else None
        if most is None or string_of(most) in given:
            return (given[string_of(most)], frame) if most is not None else None
        return most, Frame(frame.run, found.module, body, call=call, above=frame)

    def _enter(self, node: Node, call: Node, frame: Frame, state: _State) -> None:
        """Follow a value into the function that it is handed to."""
        found = callee(frame.run, call, frame.within) if frame.depth < DEEPEST else None
        body = child(found.node, "body") if found is not None else None
        if found is None or body is None or frame.runs(body):
            self._lose(state)
            return
        given = handed(frame.run, found.node, found.module, call)
        held = next((name for name, value in given.items() if value == node), None)
        if held is None:
            self._lose(state)
            return
        self._named(held, Frame(frame.run, found.module, body, call=call, above=frame), state, 0)

    def _bound(self, node: Node, assignment: Node, frame: Frame, state: _State) -> None:
        target = child(assignment, "left") or child(assignment, "name")
        if target is None or target.type != "identifier":
            self._lose(state)
            return
        state = self._conditions(string_of(target), frame, state, assignment.end_byte)
        for each in frame.code.uses(string_of(target), assignment.end_byte):
            self._follow(each, frame, state)

    def _in_tuple(self, node: Node, row: Node, frame: Frame, state: _State) -> None:
        """Follow one place of `first, size = .., ..`."""
        assignment = row.parent
        target = child(assignment, "left") if assignment is not None and assignment.type == "assignment" else None
        names = children(target) if target is not None and target.type in ("pattern_list", "tuple_pattern") else []
        place = next((at for at, part in enumerate(children(row)) if part == node), 0)
        if assignment is None or place >= len(names) or names[place].type != "identifier":
            self._lose(state)
            return
        for each in frame.code.uses(string_of(names[place]), assignment.end_byte):
            self._follow(each, frame, state)

    def _sliced(self, node: Node, slice_: Node, frame: Frame, state: _State) -> None:
        above = slice_.parent
        colon = next((part for part in slice_.children if part.type == ":"), None)
        ends = colon is not None and node.start_byte >= colon.end_byte
        if above is not None and ends and not state.bounded:
            self._cuts(above, child(above, "value") or above, frame)
        self._lose(state)

    def _cuts(self, cut: Node, base: Node, frame: Frame) -> None:
        """Keep the first cut of a list; a text that is cut is no list."""
        if self._cut is None and not is_textual(base):
            self._cut = frame.text(cut)

    def _compares(self, node: Node, test: Node, frame: Frame, state: _State) -> None:
        others = [part for part in children(test) if part != node]
        said = " ".join(string_of(part) for part in others)
        if said == "None":
            return
        if "len(" in said and any(sign in string_of(test) for sign in "<>="):
            self._free = self._free or not state.bounded
            block = child(test.parent, "consequence")
            if block is not None and "break" in string_of(block) and not state.bounded:
                counted = next((each for part in others for each in below(part) if called(each) == "len"), test)
                self._cuts(test, next(iter(arguments(counted)[0]), test), frame)
        else:
            self._asked = True
            signs = (part.type in COMPARING for part in test.children)
            self._compared = self._compared or test.type == "match_statement" or any(signs)
        self._lose(state)

    def _scalar(self, node: Node | None, frame: Frame) -> Given | None:
        """Read a plain value."""
        if node is None:
            return None
        if node.type in ("true", "false"):
            return Given(node.type == "true", frame.text(node))
        value = number(frame.run, node, frame.within)
        if value is not None:
            return Given(value, frame.text(node))
        said = text(frame.run, node, frame.within)
        return Given(said, frame.text(node)) if said is not None else None


def _least(node: Node, name: str) -> Node | None:
    """Give what `min` gives at most instead of a name: of `max(1, min(n, most))` it is `most`."""
    if node.type != "call" or called(node) not in {"min", "max", *CONVERTING}:
        return None
    given = arguments(node)[0]
    if called(node) == "min" and any(_is_of(each, name) for each in given):
        return next((each for each in given if not _is_of(each, name)), None)
    return next((found for each in given if (found := _least(each, name)) is not None), None)


def _is_of(node: Node, name: str) -> bool:
    """Tell whether an expression is a name, or is made of it by `max` and conversions: `max(least, int(n))`."""
    if node.type == "call" and called(node) in {"max", *CONVERTING}:
        return any(_is_of(each, name) for each in arguments(node)[0])
    return node.type == "identifier" and string_of(node) == name


def _is_beside_nothing(node: Node) -> bool:
    """Tell whether a value stands in an answer that holds nothing: `{"limit": min(limit, 100), "results": []}`."""
    while (above := parent_of(node)) is not None and above.type in ("argument_list", "call"):
        node = above
    pair = node.parent
    if pair is None or pair.type != "pair" or pair.parent is None:
        return False
    values = [child(each, "value") for each in children(pair.parent)]
    return any(each is not None and each.type == "list" and not children(each) for each in values)
