"""What is written: names, members, patterns that take a value apart, `+=`, `++`."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import NESTED, TOO_DEEP, to_site
from reviewer.languages.typescript.lowering.expressions import ARITHMETIC, get_operator, read_name
from reviewer.languages.typescript.lowering.files import list_children
from reviewer.languages.typescript.lowering.frame import TypeScriptFrame, register_expression

PLACES = frozenset({"member_expression", "subscript_expression"})
"""What a value can be written to that is no variable."""
NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern", "type_identifier"})
"""The nodes that are a name and nothing else."""
SEVERAL = frozenset({"object_pattern", "array_pattern"})
"""The patterns that take a value apart."""
_ASSERTED = frozenset({"parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression"})
"""What may stand around a target, and changes only its type."""


def bind(
    frame: TypeScriptFrame, name: str, at: ir.Site, value: ir.Expression, type_: ir.TypeName | None = None
) -> None:
    """Give a name a value."""
    variable = frame.scope.find(name)
    if variable is None:
        frame.emit(ir.Store(at, ir.Global(at, (name,)), value))
        return
    if type_ is not None:
        variable.type = type_
    frame.emit(ir.Assign(at, variable, value))


def assign(frame: TypeScriptFrame, target: Node, value: ir.Expression, at: ir.Site) -> None:
    """Give what stands on the left side a value, which is used once, before anything else."""
    while target.type in _ASSERTED and list_children(target):
        target = list_children(target)[0]
    kind = target.type
    if kind in NAMES:
        bind(frame, frame.file.decode_text(target), at, value)
    elif kind in SEVERAL:
        _take_apart(frame, target, value, at)
    elif kind in ("assignment_pattern", "object_assignment_pattern"):
        _assign_with_default(frame, target, value)
    elif kind in PLACES:
        start, effects = len(frame.out), frame.effects
        place = frame.lower_expression(target)
        if frame.effects != effects:
            value = frame.keep([value], start)[0]
        frame.effects += 1
        frame.emit(ir.Store(at, place, value))
    else:
        frame.evaluate(frame.lower_unsupported(target))


def _assign_with_default(frame: TypeScriptFrame, target: Node, value: ir.Expression) -> None:
    """Lower `a = 1` in a pattern: what it is if nothing is there."""
    left, default = target.child_by_field_name("left"), target.child_by_field_name("right")
    if left is None or default is None:
        frame.evaluate(frame.lower_unsupported(target))
        return
    at, found = to_site(target), ir.Variable()
    value = frame.make_repeatable(value)
    frame.enter(ir.If(at, ir.Comparison(at, "is", value, ir.Constant(at, None)), ()), "then")
    frame.emit(ir.Assign(to_site(default), found, frame.lower_expression(default)))
    frame.turn("otherwise")
    frame.emit(ir.Assign(at, found, frame.copy_repeatable(value)))
    frame.leave()
    assign(frame, left, ir.Read(at, found), at)


def _take_apart(frame: TypeScriptFrame, node: Node, value: ir.Expression, at: ir.Site) -> None:
    """Lower `{a, b: c, ...rest} = value` and `[a, , ...rest] = value`."""
    if frame.depth >= NESTED:
        frame.evaluate(frame.lower_unknown(node, TOO_DEEP))
        return
    frame.depth += 1
    value = frame.make_repeatable(value)
    if node.type == "array_pattern":
        for place, each in _iter_places(node):
            site = to_site(each)
            if each.type == "rest_pattern":
                part: ir.Expression = ir.Slice(site, frame.copy_repeatable(value), ir.Constant(site, place), None)
                each = list_children(each)[0] if list_children(each) else each
            else:
                part = ir.Item(site, frame.copy_repeatable(value), ir.Constant(site, place))
            assign(frame, each, part, site)
    else:
        taken: list[ir.Expression] = []
        for each in list_children(node):
            _assign_entry(frame, each, value, taken)
    frame.depth -= 1


def _iter_places(node: Node) -> list[tuple[int, Node]]:
    """Return the parts of a pattern of an array with their places; some are left out."""
    found, place = [], 0
    for each in node.children:
        if each.type == ",":
            place += 1
        elif each.is_named and each.type != "comment":
            found.append((place, each))
    return found


def _assign_entry(frame: TypeScriptFrame, entry: Node, value: ir.Expression, taken: list[ir.Expression]) -> None:
    """Lower a part of a pattern of an object; `taken` are the keys before it, which the rest is without."""
    at = to_site(entry)
    if entry.type == "rest_pattern":
        inner = list_children(entry)
        if inner:
            rest = frame.assign(ir.Record(at, None, ((None, ir.Spread(at, frame.copy_repeatable(value))),)))
            for known in taken:
                frame.emit(ir.Delete(at, ir.Item(at, frame.copy_repeatable(rest), frame.copy_repeatable(known))))
            assign(frame, inner[0], rest, at)
        return
    target, key = entry, entry
    if entry.type == "pair_pattern":
        key = entry.child_by_field_name("key") or entry
        target = entry.child_by_field_name("value") or entry
    elif entry.type == "object_assignment_pattern":
        key = entry.child_by_field_name("left") or entry
    if key.type == "computed_property_name" and list_children(key):
        computed = frame.make_repeatable(frame.lower_expression(list_children(key)[0]))
        taken.append(computed)
        part: ir.Expression = ir.Item(at, frame.copy_repeatable(value), frame.copy_repeatable(computed))
    else:
        taken.append(ir.Constant(to_site(key), read_name(frame, key)))
        part = ir.Field(at, frame.copy_repeatable(value), read_name(frame, key))
    assign(frame, target, part, at)


@register_expression("assignment_expression")
def _lower_assignment(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return frame.lower_unsupported(node)
    value = frame.make_repeatable(frame.lower_expression(right))
    frame.effects += 1
    assign(frame, left, value, to_site(node))
    return frame.copy_repeatable(value)


_CHOICES = frozenset({"&&=", "||=", "??="})
"""The operators that write only where a test of the old value says so."""


@register_expression("augmented_assignment_expression")
def _lower_augmented(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = get_operator(node)
    if left is None or right is None:
        return frame.lower_unsupported(node)
    at = to_site(node)
    place = _lower_place(frame, left)
    if operator in _CHOICES:
        before = frame.assign(place)
        test: ir.Expression = ir.Read(at, before.variable)
        if operator == "??=":
            test = ir.Comparison(at, "is", test, ir.Constant(at, None))
        elif operator == "||=":
            test = ir.Not(at, test)
        frame.effects += 1
        frame.enter(ir.If(at, test, ()), "then")
        value = frame.make_repeatable(frame.lower_expression(right))
        _write(frame, left, place, value, at)
        frame.emit(ir.Assign(at, before.variable, frame.copy_repeatable(value)))
        frame.leave()
        return ir.Read(at, before.variable)
    arithmetic = ARITHMETIC.get(operator.removesuffix("="))
    first, second = frame.lower_after(place, right)
    if arithmetic is None:
        return frame.lower_unknown(node, f"augmented {operator}", (first, second))
    value = frame.assign(ir.Arithmetic(at, arithmetic, first, second))
    frame.effects += 1
    _write(frame, left, place, value, at)
    return frame.copy_repeatable(value)


def _lower_place(frame: TypeScriptFrame, left: Node) -> ir.Expression:
    """Lower what is read and then written: its owner and its key are evaluated once."""
    place = frame.lower_expression(left)
    match place:
        case ir.Field(owner=owner):
            return ir.Field(place.at, frame.make_repeatable(owner), place.name)
        case ir.Item(owner=owner, key=key):
            return ir.Item(place.at, frame.make_repeatable(owner), frame.make_repeatable(key))
    return place


def _write(frame: TypeScriptFrame, left: Node, place: ir.Expression, value: ir.Expression, at: ir.Site) -> None:
    match place:
        case ir.Field(owner=owner, name=name):
            frame.emit(
                ir.Store(at, ir.Field(place.at, frame.copy_repeatable(owner), name), frame.copy_repeatable(value))
            )
        case ir.Item(owner=owner, key=key):
            again = ir.Item(place.at, frame.copy_repeatable(owner), frame.copy_repeatable(key))
            frame.emit(ir.Store(at, again, frame.copy_repeatable(value)))
        case ir.Read(variable=variable):
            frame.emit(ir.Assign(at, variable, frame.copy_repeatable(value)))
        case ir.Global():
            frame.emit(ir.Store(at, frame.copy_repeatable(place), frame.copy_repeatable(value)))
        case _:
            frame.evaluate(frame.lower_unknown(left, left.type, (place,)))


@register_expression("update_expression")
def _lower_update(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    """Lower `i++` and `--i`."""
    argument = node.child_by_field_name("argument")
    if argument is None:
        return frame.lower_unsupported(node)
    at, place = to_site(node), _lower_place(frame, argument)
    before = frame.assign(place)
    sign: ir.ArithmeticOperator = "+" if get_operator(node) == "++" else "-"
    after = frame.assign(ir.Arithmetic(at, sign, ir.Read(at, before.variable), ir.Constant(at, 1)))
    frame.effects += 1
    _write(frame, argument, place, after, at)
    is_before = node.children[0].id != argument.id
    return frame.copy_repeatable(after if is_before else before)
