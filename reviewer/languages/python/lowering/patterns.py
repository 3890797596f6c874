"""`match`: each case is tests on the subject, then what its pattern binds, then its body.

| pattern | test | binds |
|---|---|---|
| `7`, `"a"`, `Color.RED` | `==`; `is` for None, True and False | |
| `"a" \\| "b"` | `in` a tuple | |
| `A() \\| B(x)` | those of one alternative after the other | what the one that fits binds |
| `x`, `_`, `*_` | none | `x` |
| `Point(0, y=b)` | of the class; of its fields, `0` for the first by place | |
| `str(x)` | of the class | the subject, for the types of which Python says so |
| `[a, *b]`, `(a, b)` | of `collections.abc.Sequence`; of the length; of the elements | |
| `{"k": a, **b}` | of `collections.abc.Mapping`; whether it has the keys; of the values | `b`: a copy without the keys |
"""

from collections.abc import Sequence as Several
from dataclasses import dataclass, field

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.nodes import BESIDE
from reviewer.languages.python.lowering.conditions import NESTED_TESTS, guard, negated
from reviewer.languages.python.lowering.expressions import signed
from reviewer.languages.python.lowering.frame import NESTED, TOO_DEEP, Frame, named, site, statement
from reviewer.languages.python.lowering.scopes import captures
from reviewer.languages.python.lowering.targets import bind

_WHOLE = frozenset(
    {"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"}
)
"""The classes whose pattern takes the subject itself by place."""


@dataclass(slots=True)
class Fit:
    """What must hold so that a pattern fits, and what it binds then.

    A test is a value, or alternatives of which one must hold. A binding without a name takes an entry from the mapping
    that was bound before.
    """

    tests: "list[ir.Expression | list[Fit]]" = field(default_factory=list)
    bindings: list[tuple[str, ir.Expression]] = field(default_factory=list)


@statement("match_statement")
def _match(frame: Frame, node: Node) -> None:
    subjects = node.children_by_field_name("subject")
    body = node.child_by_field_name("body")
    cases = [] if body is None else [each for each in named(body) if each.type == "case_clause"]
    if not subjects:
        frame.evaluate(frame.not_lowered(node))
        return
    at, label = site(node), ir.Label()
    subject = _subject(frame, [each for each in subjects if each.is_named])
    bound = {name for case in cases for name in captures(case, frame.file.data)}
    if any(isinstance(each, ir.Read | ir.Global) and _name(each) in bound for each in (subject, *ir.expressions(subject))):
        subject = frame.assign(subject)
    if frame.depth >= NESTED:
        frame.emit(ir.Evaluate(at, frame.unknown(node, TOO_DEEP)))
        return
    frame.depth += 1
    frame.enter(ir.Block(at, label, ()))
    for place, case in enumerate(cases):
        _case(frame, case, subject, None if place + 1 == len(cases) else label)
    frame.leave()
    frame.depth -= 1


def _subject(frame: Frame, nodes: list[Node]) -> ir.Expression:
    """Return what is matched: a variable, or a tuple of variables."""
    if len(nodes) == 1 and nodes[0].type not in ("tuple", "expression_list"):
        return frame.repeatable(frame.expression(nodes[0]))
    whole = ir.Site(nodes[0].start_byte, nodes[-1].end_byte)
    parts = nodes if len(nodes) > 1 else named(nodes[0])
    values = frame.operands(parts)
    if any(isinstance(each, ir.Spread) for each in values):
        return frame.assign(ir.Sequence(whole, "tuple", tuple(values)))
    return ir.Sequence(whole, "tuple", tuple(frame.repeatable(each) for each in values))


def _name(value: ir.Read | ir.Global) -> str:
    return value.variable.name if isinstance(value, ir.Read) else value.path[0]


def _case(frame: Frame, case: Node, subject: ir.Expression, label: ir.Label | None) -> None:
    """Lower one case; its end leaves the whole statement."""
    at = site(case)
    patterns = [each for each in named(case) if each.type == "case_pattern"]
    condition = case.child_by_field_name("guard")
    fit = Fit()
    if len(patterns) == 1 and not any(each.type == "," for each in case.children):
        _fit(frame, patterns[0], subject, fit)
    else:
        _sequence(frame, case, patterns, subject, fit)
    entered = _enter(frame, at, fit)
    _bind(frame, at, fit)
    if condition is not None and named(condition):
        entered += guard(frame, named(condition)[0])
    frame.block(case.child_by_field_name("consequence"))
    if label is not None:
        frame.leave_for(at, label)
    frame.leave(entered)


def _enter(frame: Frame, at: ir.Site, fit: Fit) -> int:
    """Let what follows run only if a pattern fits. Return how many statements were entered."""
    plain = [each for each in fit.tests if isinstance(each, ir.Expression)]
    if len(plain) == len(fit.tests) <= NESTED_TESTS:
        for test in plain:
            frame.enter(ir.If(test.at, test, ()), "then")
        return len(plain)
    label = ir.Label()
    frame.enter(ir.Block(at, label, ()))
    for test in fit.tests:
        _require(frame, at, test, label)
    return 1


def _require(frame: Frame, at: ir.Site, test: "ir.Expression | list[Fit]", label: ir.Label) -> None:
    if isinstance(test, ir.Expression):
        frame.emit(ir.If(test.at, negated(test), (ir.Break(test.at, label),)))
        return
    fits = ir.Label()
    frame.enter(ir.Block(at, fits, ()))
    for each in test:
        entered = _enter(frame, at, each)
        _bind(frame, at, each)
        frame.emit(ir.Break(at, fits))
        frame.leave(entered)
    frame.emit(ir.Break(at, label))
    frame.leave()


def _bind(frame: Frame, at: ir.Site, fit: Fit) -> None:
    for name, value in fit.bindings:
        if name:
            bind(frame, name, value.at, value)
        else:
            frame.emit(ir.Delete(at, value))


def _fit(frame: Frame, node: Node, subject: ir.Expression, fit: Fit) -> None:  # noqa: C901, PLR0912  # one case for each form
    """Add what a pattern asks and binds."""
    if frame.depth >= NESTED:
        fit.tests.append(frame.unknown(node, TOO_DEEP))
        return
    frame.depth += 1
    inside = [each for each in node.children if each.type not in BESIDE]
    kind = node.type
    at = site(node)
    if kind in ("case_pattern", "tuple_pattern") and _is_group(kind, inside):
        _fit(frame, inside[-1 if kind == "case_pattern" else 1], subject, fit)
    elif kind == "_" or frame.file.text(node) == "_":
        pass
    elif kind == "identifier" or (kind == "dotted_name" and len(inside) == 1):
        fit.bindings.append((frame.file.text(node), _again(frame, subject, at)))
    elif kind == "as_pattern":
        _as(frame, node, subject, fit)
    elif kind == "union_pattern":
        _union(frame, node, [each for each in inside if each.type != "|"], subject, fit)
    elif kind == "class_pattern":
        _class(frame, node, subject, fit)
    elif kind == "dict_pattern":
        _mapping(frame, node, subject, fit)
    elif kind in ("list_pattern", "tuple_pattern"):
        _sequence(frame, node, [each for each in inside if each.is_named], subject, fit)
    else:
        fit.tests.append(_equals(frame, node, subject))
    frame.depth -= 1


def _is_group(kind: str, inside: list[Node]) -> bool:
    """Return whether a pattern is only what is in it: `(pattern)`."""
    if kind == "case_pattern":
        return len(inside) == 1
    return len(inside) == 3 and inside[1].is_named and not _is_star(inside[1])


def _is_star(node: Node) -> bool:
    return node.type == "splat_pattern" or (node.child_count == 1 and node.children[0].type == "splat_pattern")


def _again(frame: Frame, subject: ir.Expression, at: ir.Site) -> ir.Expression:
    """Return the value of a subject, or of a part of one, as a node of its own."""
    match subject:
        case ir.Read(variable=variable):
            return ir.Read(at, variable)
        case ir.Item(owner=owner, key=key):
            return ir.Item(at, _again(frame, owner, at), frame.again(key))
        case ir.Field(owner=owner, name=name):
            return ir.Field(at, _again(frame, owner, at), name)
        case ir.Sequence(kind=kind, elements=elements):
            return ir.Sequence(at, kind, tuple(_again(frame, each, at) for each in elements))
        case _:
            return frame.again(subject)


def _value(frame: Frame, node: Node) -> ir.Expression | None:
    """Return the value of a literal or a dotted name in a pattern; None if it is neither."""
    inside = [each for each in node.children if each.type not in BESIDE]
    at = site(node)
    match node.type:
        case "case_pattern" if len(inside) == 1:
            return _value(frame, inside[0]) if inside[0].is_named else None
        case "case_pattern" if inside and inside[0].type == "-":
            return signed(frame, node, "-", frame.expression(inside[1]))
        case "dotted_name" if len(inside) > 1:
            names = [each for each in inside if each.type == "identifier"]
            value = frame.read(names[0])
            for name in names[1:]:
                value = ir.Field(ir.Site(at.start, name.end_byte), value, frame.file.text(name))
            return value
        case "complex_pattern":
            return _complex(frame, node, inside)
        case "integer" | "float" | "string" | "concatenated_string" | "true" | "false" | "none" | "attribute":
            return frame.expression(node)
        case _:
            return None


def _complex(frame: Frame, node: Node, inside: list[Node]) -> ir.Expression:
    """Lower `-1 + 2j`, which stands in one row."""
    numbers = [each for each in inside if each.is_named]
    signs = [each.type for each in inside if not each.is_named]
    if len(numbers) != 2 or not signs:
        return frame.not_lowered(node)
    first, second = (frame.expression(each) for each in numbers)
    if len(signs) == 2:
        first = signed(frame, numbers[0], signs[0], first)
    return ir.Arithmetic(site(node), "-" if signs[-1] == "-" else "+", first, second)


def _equals(frame: Frame, node: Node, subject: ir.Expression) -> ir.Expression:
    at = site(node)
    value = _value(frame, node)
    if value is None:
        return frame.not_lowered(node)
    is_single = isinstance(value, ir.Constant) and (value.value is None or isinstance(value.value, bool))
    return ir.Comparison(at, "is" if is_single else "==", _again(frame, subject, at), value)


def _as(frame: Frame, node: Node, subject: ir.Expression, fit: Fit) -> None:
    inside = named(node)
    _fit(frame, inside[0], subject, fit)
    alias = inside[-1]
    if len(inside) == 2 and frame.file.text(alias) != "_":
        fit.bindings.append((frame.file.text(alias), _again(frame, subject, site(alias))))


def _union(frame: Frame, node: Node, patterns: list[Node], subject: ir.Expression, fit: Fit) -> None:
    literals = [_value(frame, each) for each in patterns if each.type not in ("none", "true", "false")]
    at = site(node)
    if len(literals) == len(patterns) and None not in literals:
        several = ir.Sequence(at, "tuple", tuple(each for each in literals if each is not None))
        fit.tests.append(ir.Comparison(at, "in", _again(frame, subject, at), several))
        return
    alternatives = []
    for each in patterns:
        alternative = Fit()
        _fit(frame, each, subject, alternative)
        alternatives.append(alternative)
    fit.tests.append(alternatives)


def _class(frame: Frame, node: Node, subject: ir.Expression, fit: Fit) -> None:
    head, *arguments = named(node)
    at = site(node)
    kind = _value(frame, head) if head.child_count > 1 else frame.named(frame.file.text(head), site(head))
    if kind is None:
        fit.tests.append(frame.not_lowered(node))
        return
    fit.tests.append(ir.IsKind(at, _again(frame, subject, at), kind))
    takes_whole = isinstance(kind, ir.Global) and kind.path[0] in _WHOLE
    for place, argument in enumerate(arguments):
        here = site(argument)
        name, pattern, aliases = _keyword(frame, argument)
        if name is not None:
            owner: ir.Expression = ir.Field(here, _again(frame, subject, here), name)
        elif takes_whole:
            owner = subject
        else:
            owner = ir.Field(here, _again(frame, subject, here), str(place))
        if pattern is not None:
            _fit(frame, pattern, owner, fit)
        fit.bindings += [(frame.file.text(alias), _again(frame, owner, site(alias))) for alias in aliases]


def _keyword(frame: Frame, argument: Node) -> tuple[str | None, Node | None, list[Node]]:
    """Return the name and the pattern of an argument of a class's pattern, and what it is bound to beside.

    The grammar takes `name=pattern as alias` for `(name=pattern) as alias`.
    """
    aliases: list[Node] = []
    inner = argument
    while inner.type in ("case_pattern", "as_pattern") and named(inner):
        if inner.type == "as_pattern" and len(named(inner)) == 2:
            aliases.append(named(inner)[1])
        inner = named(inner)[0]
    if inner.type != "keyword_pattern":
        return None, argument, []
    parts = [each for each in inner.children if each.type not in BESIDE]
    pattern = parts[-1] if len(parts) > 2 else None
    return frame.file.text(parts[0]), pattern, aliases


def _sequence(frame: Frame, node: Node, patterns: Several[Node], subject: ir.Expression, fit: Fit) -> None:
    at = site(node)
    star = next((place for place, each in enumerate(patterns) if _is_star(each)), None)
    if isinstance(subject, ir.Sequence) and star is None and len(subject.elements) == len(patterns):
        for pattern, element in zip(patterns, subject.elements, strict=True):
            _fit(frame, pattern, element, fit)
        return
    kind = ir.Import(at, "collections.abc", "Sequence")
    fit.tests.append(ir.IsKind(at, _again(frame, subject, at), kind))
    length = ir.Length(at, _again(frame, subject, at))
    count = ir.Constant(at, len(patterns) - (star is not None))
    if star is None:
        fit.tests.append(ir.Comparison(at, "==", length, count))
    elif count.value:
        fit.tests.append(ir.Comparison(at, "<=", count, length))
    for place, pattern in enumerate(patterns):
        here = site(pattern)
        owner = _again(frame, subject, here)
        if place == star:
            after = len(patterns) - 1 - place
            low = ir.Constant(here, place) if place else None
            high = ir.Constant(here, -after) if after else None
            _rest(frame, pattern, ir.Slice(here, owner, low, high), fit)
        else:
            from_end = star is not None and place > star
            key = ir.Constant(here, place - len(patterns) if from_end else place)
            _fit(frame, pattern, ir.Item(here, owner, key), fit)


def _rest(frame: Frame, pattern: Node, value: ir.Expression, fit: Fit) -> str:
    """Bind what `*name` or `**name` takes; return the name, which is empty for `*_`."""
    splat = pattern if pattern.type == "splat_pattern" else pattern.children[0]
    name = frame.file.text(splat.children[-1]) if splat.child_count > 1 else "_"
    if name == "_":
        return ""
    fit.bindings.append((name, value))
    return name


def _mapping(frame: Frame, node: Node, subject: ir.Expression, fit: Fit) -> None:
    at = site(node)
    fit.tests.append(ir.IsKind(at, _again(frame, subject, at), ir.Import(at, "collections.abc", "Mapping")))
    keys: list[ir.Expression] = []
    for key, pattern in zip(
        node.children_by_field_name("key"), node.children_by_field_name("value"), strict=False
    ):
        here = site(pattern)
        value = _value(frame, key)
        if value is None:
            value = frame.not_lowered(key)
        keys.append(value)
        fit.tests.append(ir.Comparison(site(key), "in", _again(frame, value, value.at), _again(frame, subject, at)))
        _fit(frame, pattern, ir.Item(here, _again(frame, subject, here), value), fit)
    for each in named(node):
        if _is_star(each):
            here = site(each)
            spread = ir.Spread(here, _again(frame, subject, here))
            name = _rest(frame, each, ir.Record(here, None, ((None, spread),)), fit)
            if name:
                variable = frame.scope.bind(name)
                owner = ir.Global(here, (name,)) if variable is None else ir.Read(here, variable)
                fit.bindings += [("", ir.Item(here, frame.again(owner), _again(frame, key, here))) for key in keys]
