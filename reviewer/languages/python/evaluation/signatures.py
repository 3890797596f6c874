"""Signatures as values: what `inspect.signature` answers for a function, and what code that rewrites one makes of it."""

from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    External,
    Method,
    PyFunction,
    PyGuarded,
    PyInstance,
    PyItems,
    PyMapping,
    PyScope,
    PyUnknown,
    PyValue,
    assume_default,
    mark_assumed,
    strip_conditions,
    to_text,
)
from reviewer.languages.python.types.functions import SignatureKind, SignatureParameter, read_signature
from reviewer.records import dataclass
from reviewer.source import Span

SIGNATURE = "inspect.Signature"
PARAMETER = "inspect.Parameter"
EMPTY = frozenset({"inspect.Parameter.empty", "inspect.Signature.empty", "inspect._empty"})
"""What stands for "no annotation" and "no default"."""
KINDS: dict[SignatureKind, str] = {
    "positional-only": "POSITIONAL_ONLY",
    "normal": "POSITIONAL_OR_KEYWORD",
    "keyword-only": "KEYWORD_ONLY",
    "args": "VAR_POSITIONAL",
    "kwargs": "VAR_KEYWORD",
}
COPIED = ("__name__", "__doc__", "__signature__", "__annotations__")
"""What `functools.wraps` takes over from the function that is wrapped."""


@dataclass(frozen=True, slots=True)
class SignaturePart:
    """One parameter or field, evaluated. Quoted types in `annotation` are looked up in `scope`."""

    name: str
    kind: SignatureKind
    span: Span
    scope: PyScope
    annotation: PyValue | None = None
    default: PyValue | None = None


def evaluate_part(run: Evaluator, part: SignatureParameter, scope: PyScope, moment: int | None) -> SignaturePart:
    """Evaluate a parameter or a field as it was written, at the moment of the definition."""
    with run.as_of(moment):
        annotation = run.evaluate(part.annotation, scope) if part.annotation is not None else None
        default = run.evaluate(part.default, scope) if part.default is not None else None
    return SignaturePart(part.name, part.kind, scope.module.locate(part.node), scope, annotation, default)


def find_assigned_attribute(function: PyFunction, name: str) -> PyValue | None:
    """Return the value that code assigns to an attribute of a function, or of the one it wraps; None if there is none."""
    layer: PyFunction | None = function
    while layer is not None:
        if name in layer.attributes:
            return layer.attributes[name]
        layer = layer.wraps
    return None


def find_doubt(function: PyFunction, name: str) -> str | None:
    """Return the condition of an assignment to an attribute of a function that makes its value uncertain; None if there
    is none.
    """
    layer: PyFunction | None = function
    while layer is not None:
        if name in layer.doubts:
            return layer.doubts[name]
        layer = layer.wraps
    return None


def list_parts(run: Evaluator, function: PyFunction) -> list[SignaturePart] | None:
    """Return the parameters that `inspect.signature` shows, or None where code sets a signature that cannot be read."""
    rewritten = _rewrite(function)
    shown = function.unwrap()
    if rewritten is None:
        return [evaluate_part(run, each, shown.scope, shown.moment) for each in read_signature(shown)]
    if not isinstance(rewritten, PyInstance) or rewritten.path != SIGNATURE:
        return None
    listed = rewritten.attributes.get("parameters")
    if not isinstance(listed, PyMapping) or listed.open:
        return None
    read = [_read_parameter(strip_conditions(each), shown) for _, each in listed.entries]
    return [each for each in read if each is not None] if None not in read else None


def apply_wraps(wrapper: PyFunction, subject: PyValue | None) -> PyFunction:
    """Return the wrapper that `functools.wraps(subject)` makes: without text and parameters if the subject was not
    read.
    """
    wrapped = subject.function if isinstance(subject, Method) else subject
    attributes = dict(wrapper.attributes)
    if not isinstance(wrapped, PyFunction):
        at = wrapper.scope.module.locate(wrapper.node)
        outer = wrapped.path if isinstance(wrapped, External) else None
        reason = wrapped.reason if isinstance(wrapped, PyUnknown) else "it is known at run time only"
        unread = PyUnknown(f"`{outer}` is not in what was read" if outer else reason, at)
        attributes |= dict.fromkeys(COPIED, unread)
        attributes |= {"__name__": Const(wrapped.name, at)} if isinstance(wrapped, External) else {}
        wrapped = None
    return PyFunction(
        wrapper.name, wrapper.node, wrapper.scope, wrapper.cls, wrapped, attributes, wrapper.conditions, wrapper.moment
    )


def _rewrite(function: PyFunction) -> PyValue | None:
    """Return the signature that code sets, as it is if nothing is configured."""
    found = find_assigned_attribute(function, "__signature__")
    return assume_default(found)[0] if found is not None else None


def _read_parameter(value: PyValue, shown: PyFunction) -> SignaturePart | None:
    """Read an `inspect.Parameter`."""
    if not isinstance(value, PyInstance) or value.path != PARAMETER:
        return None
    name = to_text(value.attributes.get("name", value))
    if name is None:
        return None
    kind = value.attributes.get("kind")
    kinds = {constant: each for each, constant in KINDS.items()}
    read = kinds.get(kind.name, "normal") if isinstance(kind, External) else "normal"
    span = value.span
    return SignaturePart(
        str(name), read, span, shown.scope, _find_given(value, "annotation"), _find_given(value, "default")
    )


def _find_given(value: PyInstance, name: str) -> PyValue | None:
    found = value.attributes.get(name)
    return None if found is None or is_empty(found) else found


def is_empty(value: PyValue) -> bool:
    """Return whether a value is `inspect.Parameter.empty` or one of its other names."""
    return isinstance(value, External) and value.path in EMPTY


def inspect_signature(run: Evaluator, value: PyValue | None, span: Span) -> PyValue | None:
    """Return the result of `inspect.signature(value)`, or None if only a run can tell."""
    function = value.function if isinstance(value, Method) else value
    if not isinstance(function, PyFunction):
        return None
    found = list_parts(run, function)
    if found is None:
        return None
    kept = found[1:] if isinstance(value, Method) and found else found
    return _build_signature([_build_parameter(each) for each in kept], _evaluate_returned(run, function), span)


def _evaluate_returned(run: Evaluator, function: PyFunction) -> PyValue:
    rewritten = _rewrite(function)
    if isinstance(rewritten, PyInstance) and "return_annotation" in rewritten.attributes:
        return rewritten.attributes["return_annotation"]
    shown = function.unwrap()
    patched = shown.attributes.get("__annotations__")
    if patched is not None:
        return _evaluate_patched(patched, shown.scope.module.locate(shown.node))
    node = shown.node.child_by_field_name("return_type")
    with run.as_of(shown.moment):
        return run.evaluate(node, shown.scope) if node is not None else _empty(shown.scope.module.locate(shown.node))


def _evaluate_patched(annotations: PyValue, span: Span) -> PyValue:
    """Return the `return` of annotations that a decorator has written anew; only a run tells it if that depends on one."""
    entries = annotations.entries if isinstance(annotations, PyMapping) and not annotations.open else None
    found = [value for key, value in entries or () if not isinstance(key, Const) or key.value == "return"]
    if entries is None or isinstance(found[-1] if found else None, PyGuarded):
        return PyUnknown("annotations that a decorator rewrites", span)
    if any(not isinstance(key, Const) for key, _ in entries):
        return PyUnknown("annotations under names that only a run can tell", span)
    return found[-1] if found else _empty(span)


def return_annotation(run: Evaluator, function: PyFunction) -> PyValue | None:
    """Return the annotation of what a function returns, None if it has none."""
    found = _evaluate_returned(run, function)
    return None if is_empty(found) else found


def _empty(span: Span) -> PyValue:
    return External("inspect.Parameter.empty", span)


def _build_parameter(part: SignaturePart) -> PyInstance:
    attributes: dict[str, PyValue] = {
        "name": Const(part.name, part.span),
        "kind": External(f"{PARAMETER}.{KINDS[part.kind]}", part.span),
        "annotation": part.annotation or _empty(part.span),
        "default": part.default or _empty(part.span),
    }
    return PyInstance(External(PARAMETER, part.span), [], {}, part.span, attributes)


def _build_signature(parameters: list[PyInstance], returned: PyValue, span: Span) -> PyInstance:
    entries: list[tuple[PyValue, PyValue]] = [(each.attributes["name"], each) for each in parameters]
    attributes: dict[str, PyValue] = {"parameters": PyMapping(entries, span), "return_annotation": returned}
    return PyInstance(External(SIGNATURE, span), [], {}, span, attributes)


def make_parameter(arguments: CallArguments) -> PyValue:
    """Take `inspect.Parameter(name, kind, default=, annotation=)`."""
    attributes = {
        "name": arguments.get("name", 0) or _empty(arguments.span),
        "kind": arguments.get("kind", 1) or External(f"{PARAMETER}.POSITIONAL_OR_KEYWORD", arguments.span),
        "annotation": arguments.keywords.get("annotation") or _empty(arguments.span),
        "default": arguments.keywords.get("default") or _empty(arguments.span),
    }
    return PyInstance(External(PARAMETER, arguments.span), [], {}, arguments.span, attributes)


def make_signature(arguments: CallArguments) -> PyValue | None:
    """Take `inspect.Signature(parameters, return_annotation=)`."""
    written = arguments.get("parameters", 0)
    listed, reason = assume_default(written) if written is not None else (None, None)
    given = listed.items if isinstance(listed, PyItems) and not listed.open else [] if listed is None else None
    parameters = [each for each in given or [] if isinstance(each, PyInstance)]
    if given is None or len(parameters) != len(given):
        return None
    returned = arguments.keywords.get("return_annotation") or _empty(arguments.span)
    made = _build_signature(parameters, returned, arguments.span)
    return mark_assumed(reason, arguments.span, made) if reason is not None else made


def evaluate_replace(instance: PyInstance, arguments: CallArguments) -> PyValue | None:
    """Take `signature.replace(...)` and `parameter.replace(...)`."""
    changes = dict(arguments.keywords)
    reason: str | None = None
    listed = changes.get("parameters")
    if listed is not None:
        answer = make_signature(CallArguments([listed], {}, arguments.span))
        made, reason = assume_default(answer) if answer is not None else (None, None)
        if not isinstance(made, PyInstance):
            return None
        changes["parameters"] = made.attributes["parameters"]
    changed = PyInstance(instance.made_by, [], {}, arguments.span, {**instance.attributes, **changes})
    return mark_assumed(reason, arguments.span, changed) if reason is not None else changed


def collect_annotations(run: Evaluator, function: PyFunction, span: Span) -> PyValue | None:
    """Return the value of `function.__annotations__`: a dict by name, with `return`."""
    found = list_parts(run, function)
    if found is None:
        return None
    entries: list[tuple[PyValue, PyValue]] = [
        (Const(each.name, each.span), each.annotation) for each in found if each.annotation is not None
    ]
    returned = return_annotation(run, function)
    if returned is not None:
        entries.append((Const("return", span), returned))
    return PyMapping(entries, span)
