"""Assignments: to names, attributes, elements and several of them at once; `:=`, `+=`, `del`."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import NESTED, TOO_DEEP, to_site
from reviewer.languages.nodes import BESIDE
from reviewer.languages.python.lowering.expressions import chain, strip_parentheses
from reviewer.languages.python.lowering.files import list_children
from reviewer.languages.python.lowering.frame import PythonFrame, register_expression, register_statement, strip_star

# A target of several parts is read as a pattern at times and as an expression at others, as in `for` and `del`.
SEVERAL = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "expression_list", "tuple", "list"})
# Targets that are part of an object, which is evaluated once and then written.
_PLACES = frozenset({"attribute", "subscript"})
# The same star, in a pattern and in an expression.
_STARRED = frozenset({"list_splat_pattern", "list_splat"})
_IN_PLACE: dict[str, ir.ArithmeticOperator] = {
    "+=": "+", "-=": "-", "*=": "*", "/=": "/", "//=": "//", "%=": "%", "**=": "**", "@=": "@", "&=": "&", "|=": "|",
    "^=": "^", "<<=": "<<", ">>=": ">>",
}  # fmt: skip


def bind(frame: PythonFrame, name: str, at: ir.Site, value: ir.Expression) -> None:
    """Give a name a value."""
    variable = frame.scope.bind(name)
    if variable is None:
        frame.emit(ir.Store(at, ir.Global(at, (name,)), value))
    else:
        frame.emit(ir.Assign(at, variable, value))


def bind_variable(frame: PythonFrame, target: Node) -> ir.Variable | None:
    """Return the variable that a target is; None if it is an attribute, a global, or several."""
    return (
        frame.scope.bind(frame.file.decode_text(target))
        if target.type == "identifier" and target.child_count == 0
        else None
    )


def assign(frame: PythonFrame, target: Node, value: ir.Expression, at: ir.Site) -> None:
    """Give what stands on the left side a value, which is used once, before anything else."""
    inner = strip_parentheses(target)
    if inner is None:
        frame.evaluate(frame.lower_unsupported(target))
    elif inner.type == "identifier":
        bind(frame, frame.file.decode_text(inner), at, value)
    elif inner.type in SEVERAL:
        _unpack(frame, inner, value, at)
    elif inner.type in _PLACES:
        start, effects, walruses = len(frame.out), frame.effects, frame.walruses
        place, _ = strip_star(chain(frame, inner))
        if frame.effects != effects:
            value = frame.keep([value], start, names=frame.walruses != walruses)[0]
        frame.emit(ir.Store(at, place, value))
    else:
        frame.evaluate(frame.lower_unsupported(inner))


def _unpack(frame: PythonFrame, node: Node, value: ir.Expression, at: ir.Site) -> None:
    """Lower `a, *b, c = value`."""
    if frame.depth >= NESTED:
        frame.evaluate(frame.lower_unknown(node, TOO_DEEP))
        return
    frame.depth += 1
    targets = list_children(node)
    if isinstance(value, ir.Sequence) and _pairs(targets, value):
        values = list(value.elements)
        if len(values) > 1:
            values = _lower_kept(frame, targets, values)
        for target, each in zip(targets, values, strict=True):
            assign(frame, target, each, at)
    else:
        _take_apart(frame, targets, value, at)
    frame.depth -= 1


def _take_apart(frame: PythonFrame, targets: list[Node], value: ir.Expression, at: ir.Site) -> None:
    if not (isinstance(value, ir.Read) and not value.variable.name):
        value = frame.assign(value)
    star = next((place for place, each in enumerate(targets) if _is_starred(each)), None)
    for place, target in enumerate(targets):
        owner, here = frame.copy_repeatable(value), to_site(target)
        if star is None or place < star:
            assign(frame, target, ir.Item(here, owner, ir.Constant(here, place)), at)
        elif place > star:
            assign(frame, target, ir.Item(here, owner, ir.Constant(here, place - len(targets))), at)
        elif list_children(target):
            after = len(targets) - 1 - star
            low = ir.Constant(here, star) if star else None
            high = ir.Constant(here, -after) if after else None
            inner = list_children(target)[0] if target.type in _STARRED else target
            assign(frame, inner, ir.Slice(here, owner, low, high), at)


def _is_starred(target: Node) -> bool:
    while target.type in _PLACES and target.children:
        target = target.children[0]
    return target.type in _STARRED


def _pairs(targets: list[Node], value: ir.Sequence) -> bool:
    """Return whether each target has an element of its own."""
    return (
        value.kind != "set"
        and len(targets) == len(value.elements)
        and not any(_is_starred(each) for each in targets)
        and not any(isinstance(each, ir.Spread) for each in value.elements)
    )


def _lower_kept(frame: PythonFrame, targets: list[Node], values: list[ir.Expression]) -> list[ir.Expression]:
    """Return values that do not change while the targets are assigned one after the other."""
    names = {frame.file.decode_text(each) for each in targets if each.type == "identifier"}
    only_names = len(names) == len(targets)
    kept = []
    for place, value in enumerate(values):
        is_free = place == 0 or (not _reads(value, names) and (only_names or frame.is_stable(value)))
        kept.append(value if is_free else frame.assign(value))
    return kept


def _reads(value: ir.Expression, names: set[str]) -> bool:
    return any(
        isinstance(each, ir.Closure)
        or (isinstance(each, ir.Read) and each.variable.name in names)
        or (isinstance(each, ir.Global) and each.path[0] in names)
        for each in (value, *ir.iter_expressions(value))
    )


@register_statement("expression_statement")
def _lower_expressions(frame: PythonFrame, node: Node) -> None:
    parts = node.children
    for each in parts if len(parts) == 1 else list_children(node):
        kind = each.type
        if kind == "assignment":
            _lower_assignment(frame, each)
        elif kind == "augmented_assignment":
            _lower_augmented_assignment(frame, each)
        else:
            frame.evaluate(frame.lower_expression(each))


def _lower_assignment(frame: PythonFrame, node: Node) -> None:
    """Lower `a = b = value`."""
    at = to_site(node)
    targets: list[Node] = []
    right: Node | None = node
    while right is not None and right.type == "assignment":
        if right.children:
            targets.append(right.children[0])
        right = right.child_by_field_name("right")
    if right is None:
        for target in targets:  # of an annotation without a value
            if target.type in _PLACES:
                frame.evaluate(frame.lower_expression(target.children[0]))
        return
    if right.type == "augmented_assignment":  # broken
        _lower_augmented_assignment(frame, right)
        return
    value = frame.lower_expression(right)
    if len(targets) > 1 and not isinstance(value, ir.Constant) and not _is_temporary(value):
        value = frame.assign(value)
    for place, target in enumerate(targets):
        assign(frame, target, value if place == 0 else frame.copy_repeatable(value), at)
    annotation = node.child_by_field_name("type")
    made = frame.out[-1] if annotation is not None and frame.out else None
    if annotation is not None and isinstance(made, ir.Assign) and made.target.name:
        made.target.type = ir.TypeName(to_site(annotation), frame.file.decode_text(annotation))


def _is_temporary(value: ir.Expression) -> bool:
    return isinstance(value, ir.Read) and not value.variable.name


def _lower_augmented_assignment(frame: PythonFrame, node: Node) -> None:
    """Lower `place += value`; what the place is is evaluated once."""
    parts = [each for each in node.children if each.type not in BESIDE]
    operator = _IN_PLACE.get(parts[1].type) if len(parts) == 3 else None
    target = strip_parentheses(parts[0]) if operator is not None else None
    if operator is None or target is None:
        frame.evaluate(frame.lower_unsupported(node))
        return
    at, here = to_site(node), to_site(target)
    if target.type == "identifier":
        name = frame.file.decode_text(target)
        left, right = frame.pair(target, parts[2])
        bind(frame, name, at, ir.Arithmetic(at, operator, left, right))
        return
    place = chain(frame, target) if target.type in _PLACES else frame.lower_expression(target)
    old: ir.Expression
    again: ir.Expression
    match place:
        case ir.Field(owner=owner, name=name):
            owner = frame.make_repeatable(owner)
            old = ir.Field(here, owner, name)
            again = ir.Field(here, frame.copy_repeatable(owner), name)
        case ir.Item(owner=owner, key=key):
            owner, key = frame.make_repeatable(owner), frame.make_repeatable(key)
            old = ir.Item(here, owner, key)
            again = ir.Item(here, frame.copy_repeatable(owner), frame.copy_repeatable(key))
        case ir.Slice(owner=owner, low=low, high=high, step=step):
            owner = frame.make_repeatable(owner)
            bounds = [None if each is None else frame.make_repeatable(each) for each in (low, high, step)]
            old = ir.Slice(here, owner, *bounds)
            again = ir.Slice(
                here,
                frame.copy_repeatable(owner),
                *(None if each is None else frame.copy_repeatable(each) for each in bounds),
            )
        case _:
            frame.evaluate(frame.lower_unknown(node, node.type, tuple(frame.lower_operands([parts[2]]))))
            return
    left, right = frame.lower_after(old, parts[2])
    frame.emit(ir.Store(at, again, ir.Arithmetic(at, operator, left, right)))


@register_expression("named_expression")
def _lower_walrus(frame: PythonFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    if len(parts) != 2 or parts[0].type != "identifier":
        return frame.lower_unsupported(node)
    value = frame.lower_expression(parts[1])
    name, at = frame.file.decode_text(parts[0]), to_site(node)
    variable = frame.scope.find_binder().bind(name)
    frame.effects += 1
    frame.walruses += 1
    if variable is None:
        value = frame.make_repeatable(value)
        frame.emit(ir.Store(at, ir.Global(at, (name,)), value))
        return frame.copy_repeatable(value)
    frame.emit(ir.Assign(at, variable, value))
    return ir.Read(at, variable)


@register_statement("delete_statement")
def _delete(frame: PythonFrame, node: Node) -> None:
    pending = list(reversed(list_children(node)))
    while pending:
        each = pending.pop()
        if each.type in SEVERAL or each.type == "parenthesized_expression":
            pending += reversed(list_children(each))
        elif each.type == "identifier":
            frame.scope.bind(frame.file.decode_text(each))
            frame.emit(ir.Delete(to_site(node), frame.read(each)))
        else:
            place = chain(frame, each) if each.type in _PLACES else frame.lower_expression(each)
            frame.emit(ir.Delete(to_site(node), place))


def enter_loop(frame: PythonFrame, node: Node, left: Node, over: ir.Expression) -> ir.JumpLabel:
    """Enter a loop over a value, whose elements go to a target."""
    label, at = ir.JumpLabel(), to_site(node)
    is_async = bool(node.children) and node.children[0].type == "async"
    element = bind_variable(frame, left)
    if element is not None:
        frame.enter(ir.Loop(at, label, (), over, element, is_async))
        return label
    element = ir.Variable()
    frame.enter(ir.Loop(at, label, (), over, element, is_async))
    assign(frame, left, ir.Read(to_site(left), element), to_site(left))
    return label
