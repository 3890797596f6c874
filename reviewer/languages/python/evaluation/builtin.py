"""What Python's own functions and methods give for values that can be told: one table of the functions, one of methods."""

from collections.abc import Callable

from reviewer.languages.python.declarations import tool_values
from reviewer.languages.python.evaluation import containers, introspection, models, resources, signatures, texts
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    External,
    Method,
    PyClass,
    PyFunction,
    PyInstance,
    PyItems,
    PyMapping,
    PyValue,
)

FUNCTIONS: dict[str, Callable[[Evaluator, CallArguments], PyValue | None]] = {
    **texts.FUNCTIONS,
    **containers.FUNCTIONS,
    **introspection.FUNCTIONS,
    **resources.FUNCTIONS,
}


def call(run: Evaluator, callee: External, arguments: CallArguments) -> PyValue | None:
    """Call a function from outside the project; None if nothing is known of it."""
    if callee.path in containers.KINDS:
        return containers.evaluate_container(containers.KINDS[callee.path], run, arguments)
    first = arguments.positional[0] if arguments.positional else None
    if callee.path.startswith("builtins.str.") and isinstance(first, Const):
        rest = CallArguments(arguments.positional[1:], arguments.keywords, arguments.span)
        return texts.call_method(Method(first, callee.name, callee.span), rest)
    form = FUNCTIONS.get(callee.path)
    return form(run, arguments) if form is not None else None


def can_evaluate(callee: External) -> bool:
    """Return whether a function from outside the project is one whose result follows from its arguments."""
    return callee.path in containers.KINDS or callee.path in FUNCTIONS


def call_method(run: Evaluator, method: Method, arguments: CallArguments) -> PyValue | None:
    """Call a method of a built-in type; None if nothing is known of it."""
    match method.receiver:
        case Const(value=str()):
            return texts.call_method(method, arguments)
        case PyItems():
            return containers.call_items_method(run, method.receiver, method.name, arguments)
        case PyMapping():
            return containers.call_mapping_method(run, method.receiver, method.name, arguments)
        case PyClass():
            return _find_class_method(run, method.receiver, method.name, arguments)
        case PyInstance():
            return _find_object_method(run, method.receiver, method.name, arguments)
        case PyFunction() if method.name == "__get__":
            return method.receiver
        case _:
            return None


def _find_class_method(run: Evaluator, cls: PyClass, name: str, arguments: CallArguments) -> PyValue | None:
    if name in ("model_json_schema", "schema"):
        return PyInstance(External("pydantic.BaseModel.model_json_schema", arguments.span), [cls], {}, arguments.span)
    tool = next(
        (base for base in cls.list_external_bases() if base.endswith(("tools.FunctionTool", "tools.Tool"))), None
    )
    if name == "from_function" and tool is not None:
        maker = External(f"{tool}.from_function", arguments.span)
        return PyInstance(maker, arguments.positional, arguments.keywords, arguments.span, open=arguments.open)
    return introspection.evaluate_subclasses(run, cls) if name == "__subclasses__" else None


def _find_object_method(run: Evaluator, instance: PyInstance, name: str, arguments: CallArguments) -> PyValue | None:
    if instance.path in (signatures.SIGNATURE, signatures.PARAMETER):
        return signatures.evaluate_replace(instance, arguments) if name == "replace" else None
    if instance.path == models.FIELD_INFO:
        return Const(models.is_required(instance), arguments.span) if name == "is_required" else None
    if instance.path == tool_values.TOOL and name in ("model_copy", "copy", "to_mcp_tool"):
        return tool_values.copy_tool(instance, arguments)
    if name == "model_dump":
        return containers.as_dict(run, CallArguments([instance], {}, arguments.span))
    return resources.call_method(run, instance, name, arguments)
