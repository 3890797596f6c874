"""What becomes of a value that was taken out of an input: what stands in for it, what bounds it, what it cuts."""

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Given
from reviewer.languages.nodes import child, identifiers, parent_of, string_of
from reviewer.languages.rust.behaviour.intake.callees import callees
from reviewer.languages.rust.behaviour.intake.frames import (
    AROUND,
    DEEPEST,
    Frame,
    name_of,
    parameters_of,
)
from reviewer.languages.rust.behaviour.intake.scalars import (
    breaks,
    gives_back,
    is_length,
    is_ordered,
    is_range_test,
    scalar,
)
from reviewer.languages.rust.behaviour.intake.steps import macro_around
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.behaviour.scopes import names_in
from reviewer.languages.rust.behaviour.textual import is_textual
from reviewer.languages.rust.bindings import arguments_of, result_of
from reviewer.languages.rust.callees import arms_of, below, called, last_segment, owner, receiver
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.tokens import first_of_macro
from reviewer.languages.traced import Traced

KEEPING = frozenset(
    "unwrap expect map and_then filter ok_or ok_or_else ok cloned copied clone as_u64 as_i64 as_f64 as_str as_bool as_ref "
    "as_deref parse into try_into to_owned to_string trim transpose max abs map_err context with_context flatten "
    "saturating_sub saturating_add saturating_mul unsigned_abs as_number to_lowercase then_some as_array inspect".split()
)
"""Methods that give a value in another form."""

STANDING_IN = frozenset("unwrap_or unwrap_or_else map_or map_or_else or or_else".split())
ASKING = frozenset("is_some is_none is_null is_ok is_some_and is_none_or is_string is_number is_boolean".split())
BOUNDING = frozenset({"min", "clamp"})
CUTTING = frozenset({"take", "truncate"})
TEXTS = frozenset("chars bytes char_indices graphemes".split())
COMPARING = frozenset("< > <= >= == !=".split())
ASSERTING = frozenset({"ensure", "assert"})
"""Macros that refuse where their first argument does not hold."""
ENDINGS: dict[str, int | bool | str] = {"as_u64": 0, "as_i64": 0, "as_bool": False, "as_str": ""}
BRANCHES = frozenset({"if_expression", "else_clause", "match_arm", "match_block", "match_expression"})
LONGEST = 40
"""How many steps are followed in one function."""


class _State(NamedTuple):
    """What happened to a value so far."""

    stood_in: bool = False
    bounded: bool = False
    kind: str = ""


class Values(Traced):
    """Follows one value on all its ways."""

    def __init__(self, items: Items) -> None:
        super().__init__()
        self._items = items

    def trace(self, node: Node, frame: Frame) -> None:
        """Follow a value from where it is taken."""
        self._follow(node, frame, _State())

    def _follow(self, node: Node, frame: Frame, state: _State) -> None:
        for _ in range(LONGEST):
            above = node.parent
            if above is None or (node.id, frame.depth) in self._seen:
                return
            self._seen.add((node.id, frame.depth))
            step = self._step(node, above, frame, state)
            if step is None:
                return
            node, frame, state = step

    def _step(self, node: Node, above: Node, frame: Frame, state: _State) -> tuple[Node, Frame, _State] | None:
        """Go one expression outward; None where this way ends."""
        kind = above.type
        if kind in AROUND or kind in BRANCHES or kind == "expression_statement":
            return self._around(node, above, frame, state)
        if kind == "field_expression":
            return self._called_on(above, frame, state)
        if kind == "arguments" and above.parent is not None:
            return self._given_to(node, above.parent, frame, state)
        if kind in ("block", "return_expression"):
            return self._out_of(above, frame, state)
        if kind == "binary_expression":
            return self._computed(node, above, frame, state)
        if kind == "closure_expression" and child(above, "body") == node:
            return self._in_closure(above, frame, state)
        if kind in ("let_declaration", "let_condition"):
            self._named(above, frame, state)
        elif kind == "range_expression":
            self._ranged(above, frame, state)
        elif kind == "tuple_expression":
            self._in_tuple(node, above, frame, state)
        elif kind in ("field_initializer", "shorthand_field_initializer"):
            self._kept(node, above, frame, state)
        elif kind == "token_tree":
            self._asserted(node, frame, state)
        else:
            self._lose(state)
        return None

    def _around(self, node: Node, above: Node, frame: Frame, state: _State) -> tuple[Node, Frame, _State] | None:
        if above.type == "match_expression" and child(above, "value") == node:
            return self._matched(above, frame, state)
        if above.type == "if_expression" and child(above, "condition") == node:
            self._lose(state)
            return None
        if above.type == "expression_statement" and node.type not in ("if_expression", "match_expression", "block"):
            self._lose(state) if node.type != "return_expression" else None
            return None
        return above, frame, state

    def _called_on(self, access: Node, frame: Frame, state: _State) -> tuple[Node, Frame, _State] | None:
        call, name = access.parent, string_of(child(access, "field") or access)
        if call is not None and call.type == "generic_function":
            call = parent_of(call)
        if call is None or call.type != "call_expression" or receiver(call) is None:
            self._lose(state)
            return None
        given = arguments_of(call)
        if name in STANDING_IN:
            state = self._stand_in(name, given, frame, state)
        elif name == "unwrap_or_default":
            state = self._by_kind(call, frame, state)
        elif name in BOUNDING:
            state = self._bound(given[-1:] if name == "clamp" else given, frame, state)
        elif name in ASKING:
            return None
        elif name in KEEPING:
            state = self._within(given, frame, state)._replace(kind=name if name in ENDINGS else state.kind)
        else:
            self._lose(state)
            return None
        return call, frame, state

    def _within(self, closures: list[Node], frame: Frame, state: _State) -> _State:
        """Look for bounds in the closures that a value passes."""
        for each in closures:
            for part in below(each):
                if part.type == "call_expression" and called(part) in BOUNDING:
                    state = self._bound(arguments_of(part)[-1:], frame, state)
                elif part.type == "binary_expression":
                    compares = string_of(child(part, "operator") or part) in COMPARING
                    self._compared = self._compared or compares
                    self._lost = self._lost or (not compares and not state.stood_in)
        return state

    def _stand_in(self, name: str, given: list[Node], frame: Frame, state: _State) -> _State:
        value = scalar(self._items, given[0], frame) if given else None
        if state.stood_in:
            return state
        if value is not None:
            self._defaults.append(value)
        elif name in ("or", "or_else"):
            return state
        else:
            self._lost = True
        return self._within(given[1:], frame, state)._replace(stood_in=True)

    def _by_kind(self, call: Node, frame: Frame, state: _State) -> _State:
        if state.kind not in ENDINGS and not state.stood_in:
            self._lost = True
        elif not state.stood_in:
            self._defaults.append(Given(ENDINGS[state.kind], self._items.text(frame.path, call)))
        return state._replace(stood_in=True)

    def _bound(self, given: list[Node], frame: Frame, state: _State) -> _State:
        """Note the bound of `min(..)`; the length of the list itself is none."""
        for each in given:
            if is_length(each):
                continue
            value = scalar(self._items, each, frame)
            if value is not None:
                self._caps.append(value)
            return state._replace(bounded=True)
        return state

    def _matched(self, match: Node, frame: Frame, state: _State) -> tuple[Node, Frame, _State]:
        """Follow `match value { Some(n) => n, None => 20 }`."""
        for arm in arms_of(match):
            pattern, value = child(arm, "pattern"), child(arm, "value")
            if pattern is None or value is None:
                continue
            if string_of(pattern) in ("None", "_") and not state.stood_in:
                self._default_of(value, frame)
            if ".." in string_of(pattern) or child(pattern, "condition") is not None:
                self._compared = True
        return match, frame, state._replace(stood_in=True)

    def _default_of(self, value: Node, frame: Frame) -> None:
        if value.type in ("return_expression", "macro_invocation") or string_of(value).startswith("Err("):
            return
        found = scalar(self._items, value, frame)
        if found is not None:
            self._defaults.append(found)
        else:
            self._lost = True

    def _given_to(self, node: Node, call: Node, frame: Frame, state: _State) -> tuple[Node, Frame, _State] | None:
        name, given = called(call) or "", arguments_of(call)
        if name in ("Some", "Ok", "from", "try_from", "max"):
            return call, frame, state
        if name in BOUNDING:
            return call, frame, self._bound([each for each in given if each != node], frame, state)
        if name in CUTTING and receiver(call) is not None:
            self._cuts(call, frame, state)
            return None
        self._compared = self._compared or is_range_test(call)
        place = next((at for at, each in enumerate(given) if each == node), 0)
        found = callees(self._items, call, frame) if call.type == "call_expression" and frame.depth < DEEPEST else []
        if len(found) != 1 or frame.runs(found[0].node):
            self._lose(state)
            return None
        parameters = parameters_of(found[0].node)
        held = name_of(parameters[place]) if place < len(parameters) else None
        inner = Frame(found[0].node, found[0].path, frozenset(), {}, call, frame)
        body = inner.body
        if held is None or body is None:
            self._lose(state)
            return None
        for use in identifiers(body, held):
            if origin(use) is None:
                self._follow(use, inner, state)
        return None

    def _cuts(self, cut: Node, frame: Frame, state: _State) -> None:
        """Keep the first cut of a list; a text that is cut is no list."""
        on = receiver(cut) or child(cut, "value") or next(iter(cut.named_children), cut)
        texts = any(f".{each}(" in string_of(on) for each in TEXTS) or is_textual(on)
        if not state.bounded and self._cut is None and not texts:
            self._cut = self._items.text(frame.path, cut)

    def _out_of(self, above: Node, frame: Frame, state: _State) -> tuple[Node, Frame, _State] | None:
        """Go on where a block, or the call of the function, gives the value."""
        if above.type == "block" and above != frame.body:
            return above, frame, state
        if frame.above is None or frame.call is None:
            self._lose(state)
            return None
        return frame.call, frame.above, state

    def _in_closure(self, closure: Node, frame: Frame, state: _State) -> tuple[Node, Frame, _State] | None:
        """Go on with the chain that a closure's value becomes part of: `value.as_u64().or_else(|| value.as_str()..)`."""
        call = closure.parent.parent if closure.parent is not None else None
        if call is not None and call.type == "call_expression" and called(call) in STANDING_IN | KEEPING:
            return call, frame, state
        self._lose(state)
        return None

    def _computed(self, node: Node, above: Node, frame: Frame, state: _State) -> tuple[Node, Frame, _State] | None:
        sign = string_of(child(above, "operator") or above)
        if sign in ("+", "-", "*"):
            return above, frame, state
        other = next((part for part in above.named_children if part != node), above)
        if sign in COMPARING and not is_length(other):
            self._asked = True
            self._compared = self._compared or sign not in ("==", "!=")
            self._cap_of_test(node, above, sign, frame)
        elif sign in COMPARING and not state.bounded:
            self._free = True
            if breaks(above) and not is_textual(receiver(other) or other):
                self._cut = self._cut or self._items.text(frame.path, above)
        self._lose(state)
        return None

    def _asserted(self, token: Node, frame: Frame, state: _State) -> None:
        """Read `ensure!(n <= 100)` and `assert!((1..=100).contains(&n))`."""
        macro = macro_around(token)
        if macro is not None and last_segment(child(macro, "macro") or macro) in ASSERTING:
            condition = first_of_macro(self._items.sources[frame.path], macro)
            named = (part for part in below(condition) if string_of(part) == string_of(token)) if condition else ()
            self._compared = self._compared or any(map(is_ordered, named))
        self._lose(state)

    def _cap_of_test(self, node: Node, test: Node, sign: str, frame: Frame) -> None:
        """Read `if n > 100 { 100 } else { n }`."""
        left, right, choice = child(test, "left"), child(test, "right"), test.parent
        taken = child(choice, "consequence") if choice is not None and choice.type == "if_expression" else None
        result = result_of(taken) if taken is not None else None
        if result is not None and result.type == "assignment_expression":
            result = child(result, "right")
        if left != node or sign not in (">", ">=") or right is None or result is None:
            return
        value = scalar(self._items, result, frame)
        if value is not None:
            self._caps.append(value)

    def _named(self, binding: Node, frame: Frame, state: _State) -> None:
        """Follow the name that a value is bound to."""
        pattern, choice = child(binding, "pattern"), binding.parent
        names = names_in(pattern)
        if pattern is None or len(names) != 1 or pattern.type == "struct_pattern":
            self._lose(state)
            return
        if binding.type == "let_condition":
            otherwise = child(choice, "alternative") if choice is not None else None
            inner = next(iter(otherwise.named_children), None) if otherwise is not None else None
            if inner is not None and not state.stood_in:
                self._default_of(inner, frame)
            elif not state.stood_in and not gives_back(choice, frame):
                self._lost = True
        for use in self._uses(binding, next(iter(names)), frame):
            plain = pattern.type in ("identifier", "mut_pattern")
            self._follow(use, frame, state if plain else state._replace(stood_in=True))

    def _uses(self, binding: Node, name: str, frame: Frame) -> Iterator[Node]:
        value = child(binding, "value")
        for use in frame.named(name):
            if use.start_byte >= binding.end_byte:
                given = origin(use)
                if given is not None and given.values and given.values[0] == value:
                    yield use

    def _ranged(self, range_: Node, frame: Frame, state: _State) -> None:
        index = range_.parent
        if index is not None and index.type == "index_expression":
            self._cuts(index, frame, state)
        self._lose(state)

    def _in_tuple(self, node: Node, tuple_: Node, frame: Frame, state: _State) -> None:
        """Follow one place of a tuple into the pattern that takes it apart."""
        place = next((at for at, part in enumerate(tuple_.named_children) if part == node), 0)
        current: Node | None = tuple_
        while current is not None and current.type != "let_declaration":
            current = current.parent if current.type in BRANCHES | {"tuple_expression", "block"} else None
        pattern = child(current, "pattern")
        if current is None or pattern is None or pattern.type != "tuple_pattern":
            self._lose(state)
            return
        parts = pattern.named_children
        name = string_of(parts[place]) if place < len(parts) else ""
        for use in self._uses(current, name, frame):
            self._follow(use, frame, state)

    def _kept(self, node: Node, initializer: Node, frame: Frame, state: _State) -> None:
        """Follow a value that a field keeps to where the methods of its type use it."""
        literal = initializer.parent.parent if initializer.parent is not None else None
        type_ = last_segment(child(literal, "name") or initializer) if literal is not None else ""
        of = owner(frame.function) if type_ == "Self" else type_
        field = string_of(child(initializer, "field") or node)
        if initializer.type == "shorthand_field_initializer":
            field = string_of(node)
        for function in self._methods(of or "", frame):
            inner = Frame(function, frame.path, frozenset())
            for use in below(function):
                if use.type == "field_expression" and string_of(use) == f"self.{field}":
                    self._follow(use, inner, state)
        self._lose(state)

    def _methods(self, type_: str, frame: Frame) -> Iterator[Node]:
        for block in self._items.of_kinds(frame.path, "impl_item"):
            named = child(block, "type")
            body = child(block, "body")
            if (
                named is not None
                and body is not None
                and last_segment(named) == type_
                and child(block, "trait") is None
            ):
                yield from (part for part in body.named_children if part.type == "function_item")
