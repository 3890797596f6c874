"""Patterns: what a value is tested for, and which names are bound to which of its parts.

A name in lower case binds; one in upper case, or a path, is a constant (`MAX`) or a variant (`Shape::Square`). `Some(p)` and
`Ok(p)` test for presence, `None` and `Err(p)` for its lack. One in another asks for more: in `Ok(None)` the value is None, in
`Some(Err(e))` it is neither there nor None.
"""

from collections.abc import Callable
from dataclasses import field

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering.frame import DEEPEST, TOO_DEEP, RustFrame, find_first_child, list_children
from reviewer.languages.rust.lowering.names import lower_global, read_path
from reviewer.records import dataclass

SUCCEEDING = frozenset({("Ok",), ("Result", "Ok")})
"""The variants of the standard library are in the prelude, and named with their enum as well; so are those below."""
EXTRACTING = frozenset({"State", "Extension"})
"""What axum hands an object of the server's own in; its type is taken for that of the object itself."""
HOLDING = SUCCEEDING | {("Some",), ("Option", "Some")}
"""Patterns whose part is the value itself, which is all that a run knows of what an `Option` or a `Result` holds."""
FAILING = frozenset({("Err",), ("Result", "Err")})
"""What matches a failure: its part is the reason."""
ABSENT = frozenset({("None",), ("Option", "None")})
"""What matches only where nothing is there."""
# Patterns that say how a value is taken, and nothing of what it has to be.
TRANSPARENT = frozenset({"reference_pattern", "ref_pattern", "mut_pattern", "match_pattern", "parenthesized_pattern"})
LITERALS = frozenset(
    {
        "integer_literal", "float_literal", "string_literal", "raw_string_literal", "char_literal", "boolean_literal",
        "negative_literal",
    }
)  # fmt: skip
# `..` and `mut` test nothing; any other kind without a handler makes the test unknown.
SKIPPED = frozenset({"remaining_field_pattern", "mutable_specifier"})


@dataclass(slots=True)
class PatternBinding:
    """A name that a pattern binds to a part of the value."""

    name: str
    variable: ir.Variable
    value: ir.Expression
    at: ir.Site


@dataclass(slots=True)
class Pattern:
    """What a value must be, and the names that are bound if it is. A test of several patterns is that one of them fits."""

    tests: "list[ir.Expression | list[Pattern]]" = field(default_factory=list)
    bindings: list[PatternBinding] = field(default_factory=list)

    def collect_names(self) -> dict[str, ir.Variable]:
        """Return the names that it binds."""
        found = {each.name: each.variable for each in self.bindings}
        for test in self.tests:
            if isinstance(test, list):
                for each in test:
                    found.update(each.collect_names())
        return found

    def list_bindings(self) -> list[tuple[ir.Variable, ir.Expression]]:
        """Return the variables of the names, apart from those of alternatives, and what they are bound to."""
        return [(each.variable, each.value) for each in self.bindings]

    def declare(self, frame: RustFrame) -> None:
        """Let the names mean their variables from here."""
        for name, variable in self.collect_names().items():
            frame.bind(name, variable)

    def assign(self, frame: RustFrame) -> None:
        """Give the variables their values, apart from those of alternatives."""
        for each in self.bindings:
            frame.out.append(ir.Assign(each.at, each.variable, each.value))


def read_pattern(
    frame: RustFrame, node: Node, value: ir.Expression, *, nested: bool = False, exact: bool = False
) -> Pattern:
    """Read a pattern that a value is matched with.

    `nested` says that a `Some` or an `Ok` around it was seen, `exact` that nothing but names is to be bound: a `let`.
    """
    return _Reading(frame, exact=exact).read(node, value, nested=nested)


def is_name(text: str) -> bool:
    """Return whether an identifier in a pattern binds rather than names a constant or a variant."""
    return not text[:1].isupper()


def is_either(node: Node) -> bool:
    """Return whether a pattern is one of several that bind names."""
    while _is_around(node) and (inner := _find_inside(node)) is not None:
        node = inner
    return node.type == "or_pattern"


def _is_around(node: Node) -> bool:
    """Return whether a pattern is no more than the one in it, such as one in brackets: a tuple of one part has a comma."""
    return node.type in TRANSPARENT or (
        node.type == "tuple_pattern"
        and len(_collect_elements(node)) == 1
        and all(each.type != "," for each in node.children)
    )


def is_constant(text: str) -> bool:
    """Return whether a name is one of a constant and not of a variant."""
    return text.isupper() and (len(text) > 1 or text in ("N", "M"))


class _Reading:
    def __init__(self, frame: RustFrame, *, exact: bool) -> None:
        self.frame = frame
        self.exact = exact
        self.shared: dict[str, ir.Variable] = {}
        self.found = Pattern()
        self._handlers: dict[str, Callable[[Node, ir.Expression, bool], None]] = {
            "identifier": self._bind_name,
            "tuple_struct_pattern": self._read_variant,
            "struct_pattern": self._read_struct,
            "tuple_pattern": self._read_tuple,
            "or_pattern": self._read_alternatives,
            "scoped_identifier": self._read_constant,
            "generic_pattern": self._read_constant,
            "captured_pattern": self._read_captured,
            "range_pattern": self._read_range,
            "slice_pattern": self._read_slice,
        }

    def read(self, node: Node, value: ir.Expression, *, nested: bool) -> Pattern:
        self._read_node(node, value, nested)
        return self.found

    def _test(self, test: ir.Expression) -> None:
        if not self.exact:
            self.found.tests.append(test)

    def _bind(self, node: Node, value: ir.Expression) -> None:
        name = self.frame.name(node)
        variable = self.shared.get(name)
        if variable is None:
            variable = self.shared[name] = ir.Variable(name)
        self.found.bindings.append(PatternBinding(name, variable, value, to_site(node)))

    def _read_node(self, node: Node, value: ir.Expression, nested: bool) -> None:
        frame = self.frame
        kind = node.type
        while _is_around(node):
            inner = _find_inside(node)
            if inner is None:
                return
            node, kind = inner, inner.type
        if frame.depth >= DEEPEST:
            self._test(frame.lower_unknown(node, TOO_DEEP))
            return
        frame.depth += 1
        handler = self._handlers.get(kind)
        if handler is not None:
            handler(node, value, nested)
        elif kind == "boolean_literal":
            self._test(value if node.end_byte - node.start_byte == len("true") else ir.Not(to_site(node), value))
        elif kind in LITERALS:
            self._test(ir.Comparison(to_site(node), "==", value, lower_literal(frame, node)))
        elif kind != "_" and kind not in SKIPPED:
            self._test(frame.lower_unknown(node, kind))
        frame.depth -= 1

    def _read_tuple(self, node: Node, value: ir.Expression, nested: bool) -> None:
        self._read_fields(_collect_elements(node), value)

    def _read_captured(self, node: Node, value: ir.Expression, nested: bool) -> None:
        parts = _collect_elements(node)
        for each in parts[:1]:
            self._bind(each, value)
        for each in parts[1:]:
            self._read_node(each, value, nested)

    def _bind_name(self, node: Node, value: ir.Expression, nested: bool) -> None:
        name = self.frame.decode_text(node)
        if name and (is_name(name) or self.exact):
            self._bind(node, value)
        else:
            self._read_constant(node, value, nested)

    def _read_constant(self, node: Node, value: ir.Expression, nested: bool) -> None:
        at = to_site(node)
        parts = read_path(self.frame, node)
        if parts in ABSENT:
            self._test(_lower_none(at, value) if nested else ir.Not(at, ir.IsPresent(at, value)))
        elif parts and is_constant(parts[-1]):
            self._test(ir.Comparison(at, "==", value, self.frame.lower_expression(node)))
        else:
            self._test(ir.IsKind(at, value, lower_global(self.frame, node)))

    def _read_variant(self, node: Node, value: ir.Expression, nested: bool) -> None:
        at = to_site(node)
        kind = node.child_by_field_name("type")
        elements = [each for each in _collect_elements(node) if kind is None or each.start_byte >= kind.end_byte]
        parts = read_path(self.frame, kind) if kind is not None else ()
        if parts in HOLDING and len(elements) == 1:
            is_outer = _tests_presence(self.frame, elements[0])
            if parts in SUCCEEDING:
                self._test(ir.Succeeds(at, value, is_outer))
                value = ir.ResultOf(at, value)
            elif not is_outer:
                self._test(ir.IsPresent(at, value))
            self._read_node(elements[0], value, True)
        elif parts in FAILING and len(elements) == 1:
            self._test(ir.Not(at, ir.Succeeds(at, value)))
            self._read_node(elements[0], ir.ReasonOf(at, value), False)
        elif parts and parts[-1] in EXTRACTING and len(elements) == 1:
            self._read_node(elements[0], value, False)
        else:
            if kind is not None:
                self._test(ir.IsKind(at, value, lower_global(self.frame, kind)))
            self._read_fields(elements, value)

    def _read_fields(self, elements: list[Node], value: ir.Expression) -> None:
        """Read the patterns of a tuple's fields; those after a `..` are counted from the end only if the tuple is there."""
        known = value.elements if isinstance(value, ir.Sequence) else None
        rest = next((index for index, each in enumerate(elements) if _is_rest(each)), len(elements))
        for index, each in enumerate(elements):
            if index < rest:
                part = known[index] if known is not None and index < len(known) else _lower_field(value, index, each)
                self._read_node(each, part, False)
            elif index > rest and known is not None and len(elements) - index <= len(known):
                self._read_node(each, known[index - len(elements)], False)
            elif index > rest:
                last = ir.Unknown(to_site(each), (value,), "tuple_pattern")
                self.frame.code.unknown.append(last)
                self._read_node(each, last, False)

    def _read_struct(self, node: Node, value: ir.Expression, nested: bool) -> None:
        kind = node.child_by_field_name("type")
        if kind is not None:
            self._test(ir.IsKind(to_site(node), value, lower_global(self.frame, kind)))
        for each in list_children(node):
            if each.type != "field_pattern":
                continue
            name = each.child_by_field_name("name")
            inner = each.child_by_field_name("pattern")
            if name is None:
                continue
            part = ir.Field(to_site(each), value, self.frame.name(name))
            if inner is not None:
                self._read_node(inner, part, False)
            else:
                self._bind(name, part)

    def _read_alternatives(self, node: Node, value: ir.Expression, nested: bool) -> None:
        parts = _collect_alternatives(node)
        if all(each.type in LITERALS and each.type != "boolean_literal" for each in parts):
            constants = tuple(lower_literal(self.frame, each) for each in parts)
            at = to_site(node)
            self._test(ir.Comparison(at, "in", value, ir.Sequence(at, "tuple", constants)))
            return
        around = self.found
        found: list[Pattern] = []
        for each in parts:
            self.found = Pattern()
            self._read_node(each, value, nested)
            found.append(self.found)
        self.found = around
        if any(not each.tests and not each.bindings for each in found):
            return
        if self.exact or not all(each.tests for each in found):
            around.bindings += found[0].bindings
        else:
            around.tests.append(found)

    def _read_range(self, node: Node, value: ir.Expression, nested: bool) -> None:
        at = to_site(node)
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        inclusive = not any(each.type == ".." for each in node.children)
        if left is not None:
            self._test(ir.Comparison(at, "<=", lower_literal(self.frame, left), value))
        if right is not None:
            self._test(ir.Comparison(at, "<=" if inclusive else "<", value, lower_literal(self.frame, right)))

    def _read_slice(self, node: Node, value: ir.Expression, nested: bool) -> None:
        at = to_site(node)
        elements = _collect_elements(node)
        rest = next((index for index, each in enumerate(elements) if _is_rest(each)), None)
        least = ir.Constant(at, len(elements) - (rest is not None))
        length = ir.Length(at, value)
        self._test(ir.Comparison(at, "==", length, least) if rest is None else ir.Comparison(at, "<=", least, length))
        for index, each in enumerate(elements):
            place = to_site(each)
            after = len(elements) - index
            from_end = ir.Arithmetic(place, "-", length, ir.Constant(place, after))
            if rest is None or index < rest:
                self._read_node(each, ir.Item(place, value, ir.Constant(place, index)), False)
            elif index > rest:
                self._read_node(each, ir.Item(place, value, from_end), False)
            elif each.type == "captured_pattern":
                high = ir.Arithmetic(place, "-", length, ir.Constant(place, after - 1)) if after > 1 else None
                low = ir.Constant(place, index) if index else None
                self._bind(_collect_elements(each)[0], ir.Slice(place, value, low, high))


def lower_literal(frame: RustFrame, node: Node) -> ir.Expression:
    """Lower a literal or a constant in a pattern."""
    if node.type != "negative_literal":
        return frame.lower_expression(node)
    inner = find_first_child(node)
    value = frame.lower_expression(inner) if inner is not None else None
    if isinstance(value, ir.Constant) and isinstance(value.value, (int, float)):
        return ir.Constant(to_site(node), -value.value)
    return frame.lower_unknown(node, node.type)


def _lower_none(at: ir.Site, value: ir.Expression) -> ir.Expression:
    return ir.Comparison(at, "is", value, ir.Constant(at, None))


def _lower_field(value: ir.Expression, index: int, node: Node) -> ir.Expression:
    return ir.Field(to_site(node), value, str(index))


def _collect_elements(node: Node) -> list[Node]:
    """Return the patterns in one, `_` among them, which is no named node."""
    return [
        each
        for each in node.children
        if (each.is_named and each.type not in ("line_comment", "block_comment", "mutable_specifier"))
        or each.type == "_"
    ]


def _find_inside(node: Node) -> Node | None:
    return next((each for each in _collect_elements(node) if each.type != "attribute_item"), None)


def _is_rest(node: Node) -> bool:
    if node.type == "captured_pattern":
        return any(each.type == "remaining_field_pattern" for each in node.named_children)
    return node.type == "remaining_field_pattern"


def _collect_alternatives(node: Node) -> list[Node]:
    found: list[Node] = []
    pending = [node]
    while pending:
        each = pending.pop()
        if each.type == "or_pattern":
            pending += reversed(_collect_elements(each))
        else:
            found.append(each)
    return found


def _tests_presence(frame: RustFrame, node: Node) -> bool:
    """Return whether a pattern in a `Some` or an `Ok` tests for presence, or its lack, itself."""
    if node.type in ("identifier", "scoped_identifier"):
        return read_path(frame, node) in ABSENT
    kind = node.child_by_field_name("type") if node.type == "tuple_struct_pattern" else None
    return kind is not None and read_path(frame, kind) in HOLDING | FAILING
