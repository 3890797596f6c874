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

from collections.abc import Callable
from dataclasses import field

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import NESTED, NESTED_TESTS, TOO_DEEP, to_site
from reviewer.languages.nodes import BESIDE
from reviewer.languages.python.lowering.conditions import guard
from reviewer.languages.python.lowering.expressions import apply_sign
from reviewer.languages.python.lowering.files import list_children
from reviewer.languages.python.lowering.frame import PythonFrame, register_statement
from reviewer.languages.python.lowering.scopes import iter_captures
from reviewer.languages.python.lowering.targets import bind
from reviewer.records import dataclass

_WHOLE = frozenset({"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"})
"""The classes whose pattern takes the subject itself by place."""


# Patterns that are values, for which `==` tells. A dotted name is one; a bare name binds.
_LITERALS = frozenset({"attribute", "concatenated_string", "false", "float", "integer", "none", "string", "true"})
Pattern = list[Node]
"""The nodes that a pattern consists of: one, or a sign and a number."""


@dataclass(slots=True)
class PatternFit:
    """What must hold so that a pattern fits, and what it binds then.

    A test is a value, or alternatives of which one must hold. A binding without a name takes an entry from the mapping
    that was bound before.
    """

    tests: "list[ir.Expression | list[PatternFit]]" = field(default_factory=list)
    bindings: list[tuple[str, ir.Expression]] = field(default_factory=list)


@register_statement("match_statement")
def _match(frame: PythonFrame, node: Node) -> None:
    subjects = node.children_by_field_name("subject")
    body = node.child_by_field_name("body")
    cases = [] if body is None else [each for each in list_children(body) if each.type == "case_clause"]
    if not subjects:
        frame.evaluate(frame.lower_unsupported(node))
        return
    at, label = to_site(node), ir.JumpLabel()
    subject = _lower_subject(frame, [each for each in subjects if each.is_named])
    bound = {name for case in cases for name in iter_captures(case, frame.file.data)}
    if any(
        isinstance(each, ir.Read | ir.Global) and _get_name(each) in bound
        for each in (subject, *ir.iter_expressions(subject))
    ):
        subject = frame.assign(subject)
    if frame.depth >= NESTED:
        frame.emit(ir.Evaluate(at, frame.lower_unknown(node, TOO_DEEP)))
        return
    frame.depth += 1
    if len(cases) > 1:
        frame.enter(ir.Block(at, label, ()))
    for place, case in enumerate(cases):
        _lower_case(frame, case, subject, at, None if place + 1 == len(cases) else label)
    if len(cases) > 1:
        frame.leave()
    frame.depth -= 1


def _lower_subject(frame: PythonFrame, nodes: list[Node]) -> ir.Expression:
    """Return the subject of a match: a variable, or a tuple of variables."""
    if len(nodes) == 1 and nodes[0].type not in ("tuple", "expression_list"):
        return frame.make_repeatable(frame.lower_expression(nodes[0]))
    whole = ir.Site(nodes[0].start_byte, nodes[-1].end_byte)
    parts = nodes if len(nodes) > 1 else list_children(nodes[0])
    values = frame.lower_operands(parts)
    if any(isinstance(each, ir.Spread) for each in values):
        return frame.assign(ir.Sequence(whole, "tuple", tuple(values)))
    return ir.Sequence(whole, "tuple", tuple(frame.make_repeatable(each) for each in values))


def _get_name(value: ir.Read | ir.Global) -> str:
    return value.variable.name if isinstance(value, ir.Read) else value.path[0]


def _lower_case(
    frame: PythonFrame, case: Node, subject: ir.Expression, whole: ir.Site, label: ir.JumpLabel | None
) -> None:
    """Lower one case; its end leaves the whole statement."""
    at = to_site(case)
    patterns = [each for each in list_children(case) if each.type == "case_pattern"]
    condition = case.child_by_field_name("guard")
    fit = PatternFit()
    if len(patterns) == 1 and not any(each.type == "," for each in case.children):
        _fit(frame, patterns, subject, fit)
    else:
        _lower_sequence(frame, case, patterns, subject, fit)
    entered = _enter(frame, at, fit, whole)
    _bind(frame, at, fit)
    if condition is not None and list_children(condition):
        entered += guard(frame, list_children(condition)[0])
    frame.block(case.child_by_field_name("consequence"))
    if label is not None:
        frame.leave_for(at, label)
    frame.leave(entered)


def _enter(frame: PythonFrame, at: ir.Site, fit: PatternFit, whole: ir.Site | None = None) -> int:
    """Let what follows run only if a pattern fits. Return how many statements were entered."""
    plain = [each for each in fit.tests if isinstance(each, ir.Expression)]
    if len(plain) == len(fit.tests) <= NESTED_TESTS and not frame.is_deep:
        for each in plain:
            frame.enter(ir.If(each.at, each, (), (), whole), "then")
        return len(plain)
    label = ir.JumpLabel()
    frame.enter(ir.Block(at, label, ()))
    for test in fit.tests:
        _require(frame, at, test, label)
    return 1


def _require(frame: PythonFrame, at: ir.Site, test: "ir.Expression | list[PatternFit]", label: ir.JumpLabel) -> None:
    if isinstance(test, ir.Expression):
        frame.emit(ir.If(test.at, ir.negate(test), (ir.Break(test.at, label),)))
        return
    fits = ir.JumpLabel()
    frame.enter(ir.Block(at, fits, ()))
    for each in test:
        entered = _enter(frame, at, each)
        _bind(frame, at, each)
        frame.emit(ir.Break(at, fits))
        frame.leave(entered)
    frame.emit(ir.Break(at, label))
    frame.leave()


def _bind(frame: PythonFrame, at: ir.Site, fit: PatternFit) -> None:
    for name, value in fit.bindings:
        if name:
            bind(frame, name, value.at, value)
        else:
            frame.emit(ir.Delete(at, value))


def _fit(frame: PythonFrame, pattern: Pattern, subject: ir.Expression, fit: PatternFit) -> None:
    """Add what a pattern asks and binds."""
    pattern = _unwrap(pattern)
    node = pattern[-1]
    if frame.depth >= NESTED:
        fit.tests.append(frame.lower_unknown(node, TOO_DEEP))
        return
    frame.depth += 1
    kind, at = node.type, to_site(node)
    is_name = kind == "identifier" or (kind == "dotted_name" and node.child_count == 1)
    if is_name and frame.file.decode_text(node) != "_":
        fit.bindings.append((frame.file.decode_text(node), _lower_again(frame, subject, at)))
    elif kind in _FITS:
        _FITS[kind](frame, node, subject, fit)
    elif not is_name and kind != "_":
        fit.tests.append(_lower_equals(frame, pattern, subject))
    frame.depth -= 1


def _unwrap(pattern: Pattern) -> Pattern:
    """Return a pattern without what only holds it: `(pattern)`."""
    while len(pattern) == 1:
        inside = _get_inside(pattern[0])
        kind = pattern[0].type
        if kind == "case_pattern" and inside:
            pattern = inside
        elif kind == "tuple_pattern" and len(inside) == 3 and inside[1].is_named and not _is_star(inside[1]):
            pattern = [inside[1]]
        else:
            break
    return pattern


def _get_inside(node: Node) -> Pattern:
    return [each for each in node.children if each.type not in BESIDE]


def _is_star(node: Node) -> bool:
    return node.type == "splat_pattern" or (node.child_count == 1 and node.children[0].type == "splat_pattern")


def _lower_again(frame: PythonFrame, subject: ir.Expression, at: ir.Site) -> ir.Expression:
    """Return the value of a subject, or of a part of one, as a node of its own."""
    match subject:
        case ir.Read(variable=variable):
            return ir.Read(at, variable)
        case ir.Item(owner=owner, key=key):
            return ir.Item(at, _lower_again(frame, owner, at), frame.copy_repeatable(key))
        case ir.Field(owner=owner, name=name):
            return ir.Field(at, _lower_again(frame, owner, at), name)
        case ir.Sequence(kind=kind, elements=elements):
            return ir.Sequence(at, kind, tuple(_lower_again(frame, each, at) for each in elements))
        case _:
            return frame.copy_repeatable(subject)


def _lower_value(frame: PythonFrame, pattern: Pattern) -> ir.Expression | None:
    """Return the value of a literal or a dotted name in a pattern; None if it is neither."""
    pattern = _unwrap(pattern)
    node = pattern[-1]
    if len(pattern) == 2 and pattern[0].type == "-":
        value = apply_sign(frame, node, "-", frame.lower_expression(node))
        value.at = ir.Site(pattern[0].start_byte, node.end_byte)
        return value
    if node.type == "dotted_name" and node.child_count > 1:
        return _lower_dotted(frame, node)
    if node.type == "complex_pattern":
        return _lower_complex(frame, node, _get_inside(node))
    return frame.lower_expression(node) if node.type in _LITERALS and len(pattern) == 1 else None


def _lower_dotted(frame: PythonFrame, node: Node) -> ir.Expression:
    first, *names = [each for each in node.children if each.type == "identifier"]
    value = frame.read(first)
    for name in names:
        value = ir.Field(ir.Site(first.start_byte, name.end_byte), value, frame.file.decode_text(name))
    return value


def _lower_complex(frame: PythonFrame, node: Node, inside: list[Node]) -> ir.Expression:
    """Lower `-1 + 2j`, which stands in one row."""
    numbers = [each for each in inside if each.is_named]
    signs = [each.type for each in inside if not each.is_named]
    if len(numbers) != 2 or not signs:
        return frame.lower_unsupported(node)
    first, second = (frame.lower_expression(each) for each in numbers)
    if len(signs) == 2:
        first = apply_sign(frame, numbers[0], signs[0], first)
    return ir.Arithmetic(to_site(node), "-" if signs[-1] == "-" else "+", first, second)


def _lower_equals(frame: PythonFrame, pattern: Pattern, subject: ir.Expression) -> ir.Expression:
    value = _lower_value(frame, pattern)
    if value is None:
        return frame.lower_unsupported(pattern[-1])
    is_single = isinstance(value, ir.Constant) and (value.value is None or isinstance(value.value, bool))
    return ir.Comparison(value.at, "is" if is_single else "==", _lower_again(frame, subject, value.at), value)


def _as(frame: PythonFrame, node: Node, subject: ir.Expression, fit: PatternFit) -> None:
    inside = list_children(node)
    _fit(frame, inside[:1], subject, fit)
    alias = inside[-1]
    if len(inside) == 2 and frame.file.decode_text(alias) != "_":
        fit.bindings.append((frame.file.decode_text(alias), _lower_again(frame, subject, to_site(alias))))


def _lower_union(frame: PythonFrame, node: Node, subject: ir.Expression, fit: PatternFit) -> None:
    patterns: list[Pattern] = [[]]
    for each in _get_inside(node):
        if each.type == "|":
            patterns.append([])
        else:
            patterns[-1].append(each)
    patterns = [each for each in patterns if each]
    at = to_site(node)
    if not any(_unwrap(each)[-1].type in ("none", "true", "false") for each in patterns):
        literals = [value for value in (_lower_value(frame, each) for each in patterns) if value is not None]
        if len(literals) == len(patterns):
            several = ir.Sequence(at, "tuple", tuple(literals))
            fit.tests.append(ir.Comparison(at, "in", _lower_again(frame, subject, at), several))
            return
    alternatives = []
    for pattern in patterns:
        alternative = PatternFit()
        _fit(frame, pattern, subject, alternative)
        alternatives.append(alternative)
    fit.tests.append(alternatives)


def _lower_class(frame: PythonFrame, node: Node, subject: ir.Expression, fit: PatternFit) -> None:
    head, *arguments = list_children(node)
    at = to_site(node)
    kind = _lower_dotted(frame, head) if head.child_count else frame.read(head)
    fit.tests.append(ir.IsKind(at, _lower_again(frame, subject, at), kind))
    takes_whole = isinstance(kind, ir.Global) and kind.path[0] in _WHOLE
    for place, argument in enumerate(arguments):
        here = to_site(argument)
        name, pattern, aliases = _collect_keyword(frame, argument)
        if name is not None:
            owner: ir.Expression = ir.Field(here, _lower_again(frame, subject, here), name)
        elif takes_whole:
            owner = subject
        else:
            owner = ir.Field(here, _lower_again(frame, subject, here), str(place))
        if pattern:
            _fit(frame, pattern, owner, fit)
        fit.bindings += [
            (frame.file.decode_text(alias), _lower_again(frame, owner, to_site(alias))) for alias in aliases
        ]


def _collect_keyword(frame: PythonFrame, argument: Node) -> tuple[str | None, Pattern, list[Node]]:
    """Return the name and the pattern of an argument of a class's pattern, and what it is bound to beside.

    The grammar takes `name=pattern as alias` for `(name=pattern) as alias`.
    """
    aliases: list[Node] = []
    inner = argument
    while inner.type in ("case_pattern", "as_pattern") and list_children(inner):
        if inner.type == "as_pattern" and len(list_children(inner)) == 2:
            aliases.append(list_children(inner)[1])
        inner = list_children(inner)[0]
    if inner.type != "keyword_pattern":
        return None, [argument], []
    name, _, *pattern = _get_inside(inner)
    return frame.file.decode_text(name), pattern, aliases


def _lower_list(frame: PythonFrame, node: Node, subject: ir.Expression, fit: PatternFit) -> None:
    _lower_sequence(frame, node, list_children(node), subject, fit)


def _lower_sequence(
    frame: PythonFrame, node: Node, patterns: list[Node], subject: ir.Expression, fit: PatternFit
) -> None:
    at = to_site(node)
    star = next((place for place, each in enumerate(patterns) if _is_star(each)), None)
    if isinstance(subject, ir.Sequence) and star is None and len(subject.elements) == len(patterns):
        for pattern, element in zip(patterns, subject.elements, strict=True):
            _fit(frame, [pattern], element, fit)
        return
    kind = ir.Import(at, "collections.abc", "Sequence")
    fit.tests.append(ir.IsKind(at, _lower_again(frame, subject, at), kind))
    length = ir.Length(at, _lower_again(frame, subject, at))
    count = ir.Constant(at, len(patterns) - (star is not None))
    if star is None:
        fit.tests.append(ir.Comparison(at, "==", length, count))
    elif count.value:
        fit.tests.append(ir.Comparison(at, "<=", count, length))
    for place, pattern in enumerate(patterns):
        here = to_site(pattern)
        owner = _lower_again(frame, subject, here)
        if place == star:
            after = len(patterns) - 1 - place
            low = ir.Constant(here, place) if place else None
            high = ir.Constant(here, -after) if after else None
            _bind_rest(frame, pattern, ir.Slice(here, owner, low, high), fit)
        else:
            from_end = star is not None and place > star
            key = ir.Constant(here, place - len(patterns) if from_end else place)
            _fit(frame, [pattern], ir.Item(here, owner, key), fit)


def _bind_rest(frame: PythonFrame, pattern: Node, value: ir.Expression, fit: PatternFit) -> str:
    """Bind what `*name` or `**name` takes; return the name, which is empty for `*_`."""
    splat = pattern if pattern.type == "splat_pattern" else pattern.children[0]
    name = frame.file.decode_text(splat.children[-1]) if splat.child_count > 1 else "_"
    if name == "_":
        return ""
    fit.bindings.append((name, value))
    return name


def _lower_mapping(frame: PythonFrame, node: Node, subject: ir.Expression, fit: PatternFit) -> None:
    at = to_site(node)
    fit.tests.append(ir.IsKind(at, _lower_again(frame, subject, at), ir.Import(at, "collections.abc", "Mapping")))
    keys: list[ir.Expression] = []
    for key, pattern in _collect_entries(node):
        here = to_site(pattern)
        value = _lower_value(frame, key)
        if value is None:
            value = frame.lower_unsupported(key[-1])
        keys.append(value)
        fit.tests.append(
            ir.Comparison(value.at, "in", _lower_again(frame, value, value.at), _lower_again(frame, subject, at))
        )
        _fit(frame, [pattern], ir.Item(here, _lower_again(frame, subject, here), value), fit)
    for each in list_children(node):
        if _is_star(each):
            here = to_site(each)
            spread = ir.Spread(here, _lower_again(frame, subject, here))
            name = _bind_rest(frame, each, ir.Record(here, None, ((None, spread),)), fit)
            if name:
                variable = frame.scope.bind(name)
                owner = ir.Global(here, (name,)) if variable is None else ir.Read(here, variable)
                fit.bindings += [
                    ("", ir.Item(here, frame.copy_repeatable(owner), _lower_again(frame, key, here))) for key in keys
                ]


def _collect_entries(node: Node) -> list[tuple[Pattern, Node]]:
    """Return the keys of a mapping's pattern with their patterns."""
    found: list[tuple[Pattern, Node]] = []
    key: Pattern = []
    for each in _get_inside(node):
        if each.type == "case_pattern" and key:
            found.append((key, each))
            key = []
        elif each.is_named or each.type == "-":
            key.append(each)
        elif each.type == ",":
            key = []
    return found


_FITS: dict[str, Callable[[PythonFrame, Node, ir.Expression, PatternFit], None]] = {
    "as_pattern": _as,
    "class_pattern": _lower_class,
    "dict_pattern": _lower_mapping,
    "list_pattern": _lower_list,
    "tuple_pattern": _lower_list,
    "union_pattern": _lower_union,
}
