"""Calls: of the project's functions and classes, of methods of built-in types, and of what lies outside the project."""

from collections.abc import Callable

from reviewer.budget import REASONS
from reviewer.languages.nodes import find_child, list_children
from reviewer.languages.python.declarations import frameworks, mixins
from reviewer.languages.python.declarations.sdks import is_server
from reviewer.languages.python.declarations.server_objects import note_server
from reviewer.languages.python.evaluation import assumptions, builtin, configuration
from reviewer.languages.python.evaluation.containers import copy_within_budget
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.iterations import list_bare_elements
from reviewer.languages.python.evaluation.names import evaluate_field_default, is_enum
from reviewer.languages.python.evaluation.possible_values import map_alternatives
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    CallArguments,
    Const,
    Decorator,
    External,
    Method,
    Partial,
    PyClass,
    PyFunction,
    PyInstance,
    PyItems,
    PyMapping,
    PyScope,
    PyUnknown,
    PyValue,
    TypeForm,
    assume_default,
    mark_assumed,
)
from reviewer.languages.python.types.functions import read_fields, read_signature


def call(run: Evaluator, callee: PyValue, arguments: CallArguments) -> PyValue:
    """Call a value; the result of what cannot be followed is Unknown."""
    assumptions.note_call(run, arguments)
    match callee:
        case PyFunction():
            return _call_function(run, callee, arguments)
        case Method(receiver=receiver, function=function) if function is not None:
            return _call_function(run, function, _with_receiver(receiver, arguments))
        case Method():
            return _call_method(run, callee, arguments)
        case PyClass():
            return run.make(callee, arguments)
        case External():
            return _call_external(run, callee, arguments)
        case TypeForm(origin=External() | PyClass() as origin):
            return call(run, origin, arguments)
        case Decorator():
            return frameworks.decorate(run, callee, arguments)
        case Partial(inner, args, keywords):
            merged = CallArguments(
                [*args, *arguments.positional], {**keywords, **arguments.keywords}, arguments.span, arguments.open
            )
            merged.node, merged.scope = arguments.node, arguments.scope
            return call(run, inner, merged)
        case PyInstance(made_by=PyClass()):
            return _call_instance(run, callee, arguments)
        case Alternatives():
            return map_alternatives(run, callee, arguments.span, lambda each: call(run, each, arguments))
        case PyUnknown(reason, assumed=inner):
            made = call(run, inner, arguments) if inner is not None else PyUnknown(reason, arguments.span)
            return mark_assumed(reason, arguments.span, made)
        case _:
            return PyUnknown("the result of a call that only a run can tell", arguments.span)


def _call_instance(run: Evaluator, instance: PyInstance, arguments: CallArguments) -> PyValue:
    cls = instance.made_by
    method = cls.find_attribute("__call__") if isinstance(cls, PyClass) else None
    if isinstance(method, PyFunction):
        return _call_function(run, method, _with_receiver(instance, arguments))
    return PyUnknown(f"what `{cls.name}` objects do when called", arguments.span)


def _evaluate_member(cls: PyClass, arguments: CallArguments) -> PyValue:
    """Return the member of an enumeration that has a value."""
    wanted = arguments.get("value", 0)
    plain = wanted.attributes.get("value", wanted) if isinstance(wanted, PyInstance) else wanted
    for member in list_bare_elements(cls) or []:
        value = member.attributes["value"] if isinstance(member, PyInstance) else None
        if isinstance(value, Const) and isinstance(plain, Const) and value.value == plain.value:
            return member
    return PyUnknown(f"which `{cls.name}` it is", arguments.span)


def _with_receiver(receiver: PyValue, arguments: CallArguments, *, bare: bool = False) -> CallArguments:
    """Hand an object over before the arguments, or, `bare`, alone."""
    return CallArguments(
        [receiver, *([] if bare else arguments.positional)],
        {} if bare else arguments.keywords,
        arguments.span,
        arguments.open,
        arguments.node,
        arguments.scope,
    )


def _call_external(run: Evaluator, callee: External, arguments: CallArguments) -> PyValue:
    known = frameworks.call_external(run, callee, arguments)
    if known is None:
        known = configuration.call(callee, arguments)
    if known is None:
        known = builtin.call(run, callee, arguments)
    if known is None and builtin.can_evaluate(callee):
        known = _call_with_assumptions(arguments, lambda handed: builtin.call(run, callee, handed))
    if known is not None:
        return known
    return PyInstance(callee, arguments.positional, arguments.keywords, arguments.span, open=arguments.open)


def _call_method(run: Evaluator, method: Method, arguments: CallArguments) -> PyValue:
    known = frameworks.call_method(run, method, arguments)
    if known is None:
        known = mixins.call_method(run, method, arguments)
    if known is None:
        known = configuration.call_method(method, arguments)
    if known is None:
        known = builtin.call_method(run, method, arguments)
    if known is None and isinstance(method.receiver, Const):
        known = _call_with_assumptions(arguments, lambda handed: builtin.call_method(run, method, handed))
    return known if known is not None else PyUnknown(f"the result of `.{method.name}()`", arguments.span)


def _call_with_assumptions(arguments: CallArguments, ask: Callable[[CallArguments], PyValue | None]) -> PyValue | None:
    """Call what runs no code of the project with arguments as they are if nothing is configured."""
    reasons: list[str] = []

    def settle(value: PyValue) -> PyValue:
        plain, reason = assume_default(value)
        reasons.extend([reason] if reason is not None else [])
        return plain

    handed = CallArguments(
        [settle(each) for each in arguments.positional],
        {name: settle(each) for name, each in arguments.keywords.items()},
        arguments.span,
        arguments.open,
        arguments.node,
        arguments.scope,
    )
    result = ask(handed) if reasons else None
    return mark_assumed(reasons[0], arguments.span, result) if result is not None else None


def _call_function(run: Evaluator, function: PyFunction, arguments: CallArguments) -> PyValue:
    """Call a function of the project; a call that declared nothing gives for the same arguments what it gave before."""
    key = _collect_memory_key(run, function, arguments)
    if key in run.memory:
        return _evaluate_again(run, run.memory[key], arguments)
    before = run.declared
    with run.assuming(False), run.as_of(None):
        value = _enter_function(run, function, arguments)
    is_plain = not isinstance(value, PyInstance) or not arguments.positional
    if run.declared == before and is_plain and not _keeps_state(value):
        run.memory[key] = _evaluate_again(run, value, arguments)
        run.kept += (function, *arguments.positional, *arguments.keywords.values())
    return value


def _evaluate_again(run: Evaluator, value: PyValue, arguments: CallArguments) -> PyValue:
    """Return the result of a call as another call makes it: containers are others."""
    made = copy_within_budget(run, value)
    return made if made is not None else PyUnknown(REASONS["bytes"], arguments.span)


def _keeps_state(value: PyValue) -> bool:
    """Return whether functions that a call made keep a container of that call: another call makes them another one."""
    made = value.items if isinstance(value, PyItems) else [value]
    scopes = [each.scope for each in made if isinstance(each, PyFunction) and each.scope.owner is not None]
    return any(isinstance(each, PyItems | PyMapping) for scope in scopes for each in scope.names.values())


def _collect_memory_key(run: Evaluator, function: PyFunction, arguments: CallArguments) -> tuple[object, ...]:
    handed = [("", value) for value in arguments.positional] + sorted(arguments.keywords.items())
    return (
        run.supposed.asking,
        id(run.supposed.watched),
        id(function),
        arguments.open,
        tuple(arguments.bound),
        *((name, _get_identity(value)) for name, value in handed),
    )


def _get_identity(value: PyValue) -> object:
    if isinstance(value, Const):
        return (type(value.value), value.value)
    return "unknown" if isinstance(value, PyUnknown) and value.assumed is None else id(value)


def _enter_function(run: Evaluator, function: PyFunction, arguments: CallArguments) -> PyValue:
    body = find_child(function.node, "body")
    if body is None:
        return PyUnknown(f"`{function.name}` has no body", arguments.span)
    with run.inside(function) as entered:
        if not entered:
            return PyUnknown(f"calls of `{function.name}` nest too deep", arguments.span)
        scope = PyScope(function.scope.module, function.scope, owner=function)
        _bind(run, function, arguments, scope)
        if function.node.type == "lambda":
            return run.evaluate(body, scope)
        return run.execute_body(list_children(body), scope, arguments.span)


def _bind(run: Evaluator, function: PyFunction, arguments: CallArguments, scope: PyScope) -> None:
    """Bind parameters to what is handed over, to their defaults, or to Unknown."""
    positional = list(arguments.positional)
    keywords = dict(arguments.keywords)
    for parameter in read_signature(function):
        if parameter.kind == "args":
            value: PyValue = PyItems("tuple", positional, arguments.span, arguments.open)
            positional = []
        elif parameter.kind == "kwargs":
            entries: list[tuple[PyValue, PyValue]] = [
                (Const(name, arguments.span), each) for name, each in keywords.items()
            ]
            value = PyMapping(entries, arguments.span, arguments.open)
        elif positional and parameter.kind != "keyword-only":
            value = positional.pop(0)
        elif parameter.name in keywords:
            value = keywords.pop(parameter.name)
        elif parameter.name in arguments.bound:
            value = arguments.bound[parameter.name]
        elif configuration.OPTION + parameter.name in function.attributes:
            value = function.attributes[configuration.OPTION + parameter.name]
        elif parameter.default is not None and not arguments.open:
            with run.as_of(function.moment):
                value = configuration.evaluate_option(run.evaluate(parameter.default, function.scope))
        else:
            value = PyUnknown(f"the argument `{parameter.name}` of `{function.name}`", arguments.span)
        scope.names[parameter.name] = value


def _fill(run: Evaluator, cls: PyClass, instance: PyInstance, names: list[str]) -> None:
    """Give an object the defaults of its fields, each made once; settings are left to their reading."""
    if configuration.SETTINGS in cls.list_external_bases():
        return
    for name in names:
        default = cls.find_attribute(name) if name not in instance.attributes else None
        if default is not None and not isinstance(default, PyFunction):
            instance.attributes[name] = evaluate_field_default(run, default)


def instantiate(run: Evaluator, cls: PyClass, arguments: CallArguments) -> PyValue:
    """Make an instance of a class of the project, running its `__init__` or setting its fields."""
    if is_enum(cls):
        return _evaluate_member(cls, arguments)
    instance = PyInstance(cls, arguments.positional, arguments.keywords, arguments.span, open=arguments.open)
    if run.created_in_branches:
        run.created_in_branches[-1].append(instance)
    if is_server(instance):
        note_server(run, instance, arguments)
    if cls is run.supposed.watched:
        run.supposed.seen.append(instance)
    initialize = cls.find_attribute("__init__")
    names = (
        [field.name for ancestor in reversed(list(cls.iter_lineage())) for field in read_fields(ancestor)]
        if not isinstance(initialize, PyFunction)
        else []
    )
    is_row = cls.name.endswith("ActionSpec") or ("destructive" in names and "name" in names)
    if is_row and arguments.scope is not None:
        # a row that a function makes belongs where it is called: `@vessel.action("vessel.list", ..)`
        run.action_specs.append((instance, run.reading[-1] if run.reading else arguments.scope.module))
    if isinstance(initialize, PyFunction):
        _call_function(run, initialize, _with_receiver(instance, arguments))
        return instance
    instance.attributes |= dict(zip(names, arguments.positional, strict=False))
    instance.attributes |= arguments.keywords
    _fill(run, cls, instance, names)
    prepare = cls.find_attribute("__post_init__")
    if isinstance(prepare, PyFunction):
        _call_function(run, prepare, _with_receiver(instance, arguments, bare=True))
    return instance
