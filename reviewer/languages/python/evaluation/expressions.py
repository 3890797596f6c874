"""Expressions → values."""

from collections.abc import Callable, Iterator

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, find_children, list_children, name_of, parse
from reviewer.languages.python.evaluation import assumptions, literals, models, operators
from reviewer.languages.python.evaluation.amounts import LONGEST, TOO_LARGE, is_too_long
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.iterations import is_closed, list_known_elements, stretch
from reviewer.languages.python.evaluation.names import find_loaded_module, is_enum, resolve_class_attribute
from reviewer.languages.python.evaluation.operators import format_short
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    External,
    Plain,
    PyClass,
    PyFunction,
    PyInstance,
    PyItems,
    PyMapping,
    PyScope,
    PyUnknown,
    PyValue,
    TypeForm,
    mark_assumed,
    strip_conditions,
    to_text,
)
from reviewer.source import Source, Span

CONSTANTS = {"true": True, "false": False, "none": None}


def evaluate(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    """Evaluate an expression; what is not understood is Unknown with its source as the reason."""
    form = FORMS.get(node.type)
    if form is not None:
        before = run.met
        value = form(run, node, scope)
        if isinstance(value, PyUnknown) and value.assumed is None and run.met != before and node.type in LIFTED:
            return _evaluate_assumed(run, form, node, scope, value)
        return value
    return run.build_unknown(f"`{format_short(node)}` is known at run time only", node, scope)


LIFTED = frozenset("binary_operator unary_operator comparison_operator string concatenated_string subscript".split())
"""Expressions whose value follows from what their operands are assumed to be."""


def _evaluate_assumed(
    run: Evaluator, form: Callable[[Evaluator, Node, PyScope], PyValue], node: Node, scope: PyScope, value: PyUnknown
) -> PyValue:
    """Evaluate an expression anew, its operands as they are if nothing is configured."""
    if run.is_assuming:
        return value
    plain, reason = run.evaluate_assuming(lambda: form(run, node, scope))
    return mark_assumed(reason, value.span, plain) if reason is not None else value


def evaluate_quoted(run: Evaluator, source: str, span: Span, scope: PyScope) -> PyValue:
    """Evaluate an annotation that is written as a string; its places are those within the string."""
    root = parse(Source(span.path, source.encode()), "python")
    statement = list_children(root)[0] if list_children(root) else None
    if statement is None or not list_children(statement) or root.has_error:
        return PyUnknown("a quoted type that does not parse", span)
    return run.evaluate(list_children(statement)[0], scope)


def _evaluate_identifier(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    return run.resolve_name(name_of(node), scope, node)


def _evaluate_constant(_run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    return Const(CONSTANTS[node.type], scope.module.locate(node))


def _evaluate_literal(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    """Evaluate a literal; one that is always the same is read once."""
    known = run.literals.get(node.id)
    if known is not None:
        return known[1]
    if node.type == "string" and any(part.type == "interpolation" for part in list_children(node)):
        return _format(run, node, scope)
    value = literals.evaluate_constant(node)
    if value is None and node.type == "string":
        return _format(run, node, scope)
    if value is None:
        return run.build_unknown("a literal that does not parse or cannot be written out", node, scope)
    constant = Const(value, scope.module.locate(node))
    run.literals[node.id] = (node, constant)
    return constant


def _format(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    """Evaluate an f-string."""
    opening = decode_node(node.children[0]) if node.children else '"'
    parts = []
    for part in list_children(node):
        if part.type == "string_content":
            text: str | PyUnknown | None = literals.unescape_literal(decode_node(part), opening)
        elif part.type == "interpolation":
            text = _evaluate_interpolation(run, part, scope)
        else:
            continue
        if isinstance(text, PyUnknown):
            return text
        if text is None:
            return run.build_unknown(f"an f-string over `{format_short(part)}`", node, scope)
        parts.append(text)
    return _evaluate_concatenation(run, parts, node, scope)


def _evaluate_concatenation(run: Evaluator, parts: list[str], node: Node, scope: PyScope) -> PyValue:
    if sum(map(len, parts)) > LONGEST:
        return run.build_unknown(TOO_LARGE, node, scope)
    return Const("".join(parts), scope.module.locate(node))


def _evaluate_interpolation(run: Evaluator, part: Node, scope: PyScope) -> str | PyUnknown | None:
    """Return the text of `{expression}`, Unknown if it is too large; a conversion or a format is left to run time."""
    expression = find_child(part, "expression")
    if (
        expression is None
        or find_child(part, "format_specifier") is not None
        or find_child(part, "type_conversion") is not None
    ):
        return None
    value = run.evaluate(expression, scope)
    if isinstance(value, Const) and not isinstance(value.value, bytes):
        return str(value.value)
    if is_too_long(value):
        return value
    text = to_text(value)
    return str(text) if text is not None else None


def _evaluate_concatenated(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    parts = [run.evaluate(part, scope) for part in list_children(node) if part.type == "string"]
    texts = []
    for part in parts:
        if not isinstance(part, Const):
            return part
        texts.append(str(part.value))
    return _evaluate_concatenation(run, texts, node, scope)


def _get_items(kind: str) -> Callable[[Evaluator, Node, PyScope], PyValue]:
    def evaluate_items(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
        items = PyItems(kind, [], scope.module.locate(node), under=run.conditions)  # type: ignore[arg-type]
        for part in list_children(node):
            if part.type == "list_splat":
                _extend(items, run.evaluate(list_children(part)[0], scope))
            else:
                items.items.append(run.evaluate(part, scope))
        return items

    return evaluate_items


def _extend(items: PyItems, more: PyValue) -> None:
    items.items += list_known_elements(more) or []
    items.open |= not is_closed(more)


def _evaluate_mapping(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    mapping = PyMapping([], scope.module.locate(node), under=run.conditions)
    for part in list_children(node):
        if part.type == "pair":
            key, value = find_child(part, "key"), find_child(part, "value")
            if key is not None and value is not None:
                mapping.entries.append((run.evaluate(key, scope), run.evaluate(value, scope)))
                assumptions.note(run, *mapping.entries[-1])
        elif part.type == "dictionary_splat":
            more = models.open_schema(run, run.evaluate(list_children(part)[0], scope))
            if isinstance(more, PyMapping):
                for name, each in more.entries:
                    mapping.put(name, each, mapping.under)
                mapping.open |= more.open
            else:
                mapping.open = True
    return mapping


def _evaluate_parenthesized(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    inner = list_children(node)
    return run.evaluate(inner[0], scope) if inner else run.build_unknown("an empty expression", node, scope)


def _evaluate_attribute(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    receiver, name = find_children(node, "object", "attribute")
    if receiver is None or name is None:
        return run.build_unknown("an expression that does not parse", node, scope)
    return run.resolve_attribute(run.evaluate(receiver, scope), name_of(name), node, scope)


def _evaluate_subscript(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    receiver = find_child(node, "value")
    if receiver is None:
        return run.build_unknown("an expression that does not parse", node, scope)
    origin = models.open_schema(run, run.evaluate(receiver, scope))
    written = node.children_by_field_name("subscript")
    if len(written) == 1 and written[0].type == "slice":
        cut = _slice(run, origin, written[0], scope)
        return (
            cut
            if cut is not None
            else run.build_unknown(f"`{format_short(node)}` is known at run time only", node, scope)
        )
    arguments = [run.evaluate(part, scope) for part in written]
    is_loaded = isinstance(origin, External) and origin.path == "sys.modules" and len(written) == 1
    found = (
        find_loaded_module(run, arguments[0], scope, own=decode_node(written[0]) == "__name__")
        if is_loaded
        else _find_element(origin, assumptions.choose_key(run, origin, arguments[0]))
        if arguments
        else None
    )
    if found is not None:
        return found
    if isinstance(origin, External) and origin.path == "os.environ":
        return run.build_unknown(f"the environment says `{format_short(node)}`", node, scope)
    if isinstance(origin, External | PyClass | TypeForm):
        return TypeForm(origin, tuple(arguments), scope.module.locate(node))
    return run.build_unknown(f"`{format_short(node)}` is known at run time only", node, scope)


def _find_element(origin: PyValue, key: PyValue) -> PyValue | None:
    """Return an element of a list, tuple, dict, text or enumeration, if it can be told which one."""
    if isinstance(origin, PyMapping):
        return origin.look_up(key) if not origin.open else None
    plain: Plain = str(text) if (text := to_text(key)) is not None else key.value if isinstance(key, Const) else None
    if plain is None:
        return None
    if isinstance(origin, PyItems) and not origin.open and isinstance(plain, int):
        return strip_conditions(origin.items[plain]) if -len(origin.items) <= plain < len(origin.items) else None
    if isinstance(origin, Const) and isinstance(origin.value, str) and isinstance(plain, int):
        return Const(origin.value[plain], origin.span) if -len(origin.value) <= plain < len(origin.value) else None
    if isinstance(origin, PyClass) and isinstance(plain, str) and is_enum(origin):
        return resolve_class_attribute(origin, plain, origin.scope.module.locate(origin.node))
    return None


def _slice(run: Evaluator, origin: PyValue, node: Node, scope: PyScope) -> PyValue | None:
    """Return a part of a list, tuple or text whose bounds can be told."""
    cut = stretch(run, node, scope)
    if cut is None:
        return None
    if isinstance(origin, PyItems) and not origin.open:
        return PyItems(origin.kind, origin.items[cut], origin.span, under=run.conditions)
    if isinstance(origin, Const) and isinstance(origin.value, str):
        return Const(origin.value[cut], origin.span)
    return None


def _call(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    function, arguments = find_child(node, "function"), find_child(node, "arguments")
    if function is None or arguments is None:
        return run.build_unknown("an expression that does not parse", node, scope)
    if function.type == "identifier" and decode_node(function) == "super":
        return _evaluate_super(run, node, scope)
    if arguments.type == "generator_expression":
        handed = CallArguments([run.evaluate(arguments, scope)], {}, scope.module.locate(node), node=node, scope=scope)
    else:
        handed = evaluate_arguments(run, arguments, node, scope)
    return run.call(run.evaluate(function, scope), handed)


def _evaluate_super(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    """Return the object of the running method as an instance of its class's first base."""
    handed = [run.evaluate(part, scope) for part in list_children(find_child(node, "arguments") or node)]
    method = scope
    while method.parent is not None and (method.owner is None or method.owner.cls is None):
        method = method.parent
    cls = handed[0] if len(handed) == 2 else method.owner.cls if method.owner is not None else None
    receiver = handed[1] if len(handed) == 2 else next(iter(method.names.values()), None)
    if not isinstance(cls, PyClass) or not isinstance(receiver, PyInstance) or not cls.bases:
        return run.build_unknown("`super()` is known at run time only", node, scope)
    base = cls.bases[0]
    if not isinstance(base, PyClass | External):
        return run.build_unknown("`super()` is known at run time only", node, scope)
    real = receiver.seen_from or receiver
    return PyInstance(base, receiver.args, receiver.keywords, receiver.span, receiver.attributes, seen_from=real)


def evaluate_arguments(run: Evaluator, arguments: Node, node: Node, scope: PyScope) -> CallArguments:
    """Evaluate the arguments of a call."""
    handed = CallArguments([], {}, scope.module.locate(node), node=node, scope=scope)
    for part in list_children(arguments):
        if part.type == "keyword_argument":
            name, value = find_child(part, "name"), find_child(part, "value")
            if name is not None and value is not None:
                handed.keywords[decode_node(name)] = run.evaluate(value, scope)
        elif part.type in ("list_splat", "dictionary_splat"):
            _spread(handed, run.evaluate(list_children(part)[0], scope))
        else:
            handed.positional.append(run.evaluate(part, scope))
    return handed


def _spread(handed: CallArguments, value: PyValue) -> None:
    if isinstance(value, PyItems) and not value.open:
        handed.positional += [strip_conditions(each) for each in value.items]
    elif isinstance(value, PyMapping):
        handed.keywords |= {str(key.value): each for key, each in value.entries if isinstance(key, Const)}
        handed.open |= value.open
    else:
        handed.open = True


def _evaluate_lambda(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    return PyFunction("<lambda>", node, scope, moment=run.clock)


def _await(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    return (
        run.evaluate(list_children(node)[0], scope)
        if list_children(node)
        else run.build_unknown("an empty await", node, scope)
    )


def _evaluate_named(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    name, value = find_child(node, "name"), find_child(node, "value")
    if name is None or value is None:
        return run.build_unknown("an expression that does not parse", node, scope)
    found = scope.names[decode_node(name)] = run.evaluate(value, scope)
    return found


def _evaluate_comprehension(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    return run.evaluate_comprehension(node, scope)


def _type(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    inner = next(iter(list_children(node)), None)
    return run.evaluate(inner, scope) if inner is not None else run.build_unknown("an empty type", node, scope)


def _evaluate_generic_type(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    """Evaluate `list[int]` where the grammar sees a type rather than a subscript."""
    origin = run.evaluate(list_children(node)[0], scope)
    arguments = (
        [run.evaluate(part, scope) for part in list_children(list_children(node)[1])]
        if len(list_children(node)) > 1
        else []
    )
    return TypeForm(origin, tuple(arguments), scope.module.locate(node))


def _evaluate_union_type(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    span = scope.module.locate(node)
    return TypeForm(
        External("typing.Union", span), tuple(run.evaluate(part, scope) for part in _iter_union_members(node)), span
    )


def _iter_union_members(node: Node) -> Iterator[Node]:
    """Yield the members of a union: the grammar takes everything after a generic type for one operand."""
    if node.type == "type" and len(list_children(node)) == 1:
        yield from _iter_union_members(list_children(node)[0])
    elif node.type == "union_type" or (node.type == "binary_operator" and decode_node(node.children[1]) == "|"):
        for part in list_children(node):
            yield from _iter_union_members(part)
    else:
        yield node


def _evaluate_ellipsis(_run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    return External("builtins.Ellipsis", scope.module.locate(node))


FORMS: dict[str, Callable[[Evaluator, Node, PyScope], PyValue]] = {
    "identifier": _evaluate_identifier,
    "true": _evaluate_constant,
    "false": _evaluate_constant,
    "none": _evaluate_constant,
    "string": _evaluate_literal,
    "integer": _evaluate_literal,
    "float": _evaluate_literal,
    "concatenated_string": _evaluate_concatenated,
    "list": _get_items("list"),
    "tuple": _get_items("tuple"),
    "expression_list": _get_items("tuple"),
    "set": _get_items("set"),
    "dictionary": _evaluate_mapping,
    "parenthesized_expression": _evaluate_parenthesized,
    "attribute": _evaluate_attribute,
    "subscript": _evaluate_subscript,
    "call": _call,
    **operators.FORMS,
    "lambda": _evaluate_lambda,
    "await": _await,
    "named_expression": _evaluate_named,
    "list_comprehension": _evaluate_comprehension,
    "set_comprehension": _evaluate_comprehension,
    "generator_expression": _evaluate_comprehension,
    "dictionary_comprehension": _evaluate_comprehension,
    "type": _type,
    "generic_type": _evaluate_generic_type,
    "union_type": _evaluate_union_type,
    "member_type": _type,
    "ellipsis": _evaluate_ellipsis,
}
