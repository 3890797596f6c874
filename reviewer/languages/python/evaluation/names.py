"""What a name, an import or an attribute means."""

import builtins
import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.declarations.sdks import INNER, LOWER, is_made, is_server
from reviewer.languages.python.evaluation import configuration, models, resources, signatures
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.possible_values import map_alternatives
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    CallArguments,
    Const,
    External,
    Method,
    ModuleValue,
    PyClass,
    PyFunction,
    PyInstance,
    PyItems,
    PyMapping,
    PyPending,
    PyScope,
    PyUnknown,
    PyValue,
    mark_assumed,
    to_text,
)
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.types.functions import find_docstring, find_raw_class_docstring
from reviewer.source import Span

BUILTINS = frozenset(name for name in vars(builtins) if not name.startswith("_")) - frozenset(
    "copyright credits help license".split()
)
"""The names of Python itself, without those that only its prompt has."""


def resolve_name(run: Evaluator, name: str, scope: PyScope, node: Node) -> PyValue:
    """Find a name as Python does: from the inner scope outward, class bodies only from within."""
    inner: PyScope | None = scope
    first = True
    while inner is not None:
        if name in inner.names and (first or not inner.is_class):
            earlier = inner.look_up(name, run.moment) if run.moment is not None else None
            return earlier if earlier is not None and not isinstance(earlier, PyPending) else _settle(run, inner, name)
        first = False
        inner = inner.parent
    span = scope.module.locate(node)
    if name == "__file__":
        return resources.build_path(scope.module.path, span)
    if name in BUILTINS:
        return External(f"builtins.{name}", span)
    stars = find_module_scope(scope).stars
    if len(stars) == 1:
        return External(f"{next(iter(stars))}.{name}", span)
    return PyUnknown(f"`{name}` is not defined in what was read", span)


def find_module_scope(scope: PyScope) -> PyScope:
    """Return the scope of the module that a scope lies in."""
    while scope.parent is not None:
        scope = scope.parent
    return scope


def _settle(run: Evaluator, scope: PyScope, name: str) -> PyValue:
    """Resolve an import when its name is first used."""
    value = scope.names[name]
    if isinstance(value, PyPending):
        scope.names[name] = PyUnknown(f"`{name}` is imported in a circle", value.span)
        value = scope.names[name] = resolve_member(run, value.module, value.name, value.span)
    return value


def resolve_member(run: Evaluator, module: PyModule, name: str, span: Span) -> PyValue:
    """Find a name of a module: what its body binds, or a submodule."""
    scope = run.evaluate_module(module)
    if name in scope.names:
        return _settle(run, scope, name)
    below = find_submodule(run, module, name)
    if below is not None:
        run.evaluate_import(below)
        return ModuleValue(below)
    star = next(iter(scope.stars), None)
    if star is not None:
        return External(f"{star}.{name}", span)
    return PyUnknown(f"`{name}` is not defined in {module.path}", span)


def find_submodule(run: Evaluator, module: PyModule, name: str) -> PyModule | None:
    """Find a module directly inside a package."""
    if not module.is_package:
        return None
    found = next((each for each in run.modules.list_submodules(module) if each.parts[-1] == name), None)
    return found or run.modules.find_namespace((*module.parts, name))


def resolve_attribute(run: Evaluator, receiver: PyValue, name: str, span: Span) -> PyValue:
    """Find an attribute of a value."""
    receiver = models.open_schema(run, receiver)
    if isinstance(receiver, PyUnknown) and receiver.assumed is not None:
        return mark_assumed(receiver.reason, span, resolve_attribute(run, receiver.assumed, name, span))
    match receiver:
        case ModuleValue():
            return _evaluate_for_module(run, receiver, name, span)
        case External(path):
            return External(f"{path}.{name}", span)
        case PyClass():
            return _evaluate_for_named_class(run, receiver, name, span)
        case PyInstance():
            return resolve_instance_attribute(run, receiver, name, span)
        case PyFunction():
            return _evaluate_for_function(run, receiver, name, span)
        case Method(function=function) if function is not None:
            return _evaluate_for_function(run, function, name, span)
        case PyItems(names=names) if name in names:
            return receiver.items[names.index(name)]
        case PyItems() | PyMapping() | Const() | PyUnknown():
            return Method(receiver, name, span)
        case Alternatives():
            return map_alternatives(run, receiver, span, lambda each: resolve_attribute(run, each, name, span))
        case _:
            return PyUnknown(f"`.{name}` is known at run time only", span)


def build_namespace(run: Evaluator, value: PyValue, span: Span) -> PyMapping | None:
    """Return the names of a module, a class or an object of the project, with what they stand for."""
    match value:
        case ModuleValue(module):
            found = {
                name: run.resolve_member(module, name, each.span) if isinstance(each, PyPending) else each
                for name, each in run.evaluate_module(module).names.items()
            }
        case PyInstance(made_by=PyClass()):
            found = value.attributes
        case PyClass():
            found = value.names
        case _:
            return None
    return PyMapping([(Const(name, span), each) for name, each in found.items()], span)


def _evaluate_for_module(run: Evaluator, value: ModuleValue, name: str, span: Span) -> PyValue:
    if name == "__name__":
        return Const(run.modules.format_import_name(value.module), span)
    if name == "__dict__":
        return build_namespace(run, value, span) or Method(value, name, span)
    return Method(value, name, span) if name == "__path__" else resolve_member(run, value.module, name, span)


def _evaluate_for_named_class(run: Evaluator, cls: PyClass, name: str, span: Span) -> PyValue:
    if name in ("model_fields", "__pydantic_fields__") and models.is_model(cls):
        return models.evaluate_model_fields(run, cls, span)
    if name == "__module__":
        return Const(run.modules.format_import_name(cls.scope.module), span)
    if name == "__dict__":
        return build_namespace(run, cls, span) or Method(cls, name, span)
    if name == "__doc__" and name not in cls.names:
        return _evaluate_class_docstring(cls, span)
    return resolve_class_attribute(cls, name, span)


PLAIN_BASES = frozenset(
    {"builtins.object", "abc.ABC", "typing.Protocol", "typing.Generic", "typing_extensions.Protocol"}
)
"""Bases that give a class without a docstring none. An enumeration, a named tuple or a model may be given one."""


def _evaluate_class_docstring(cls: PyClass, span: Span) -> PyValue:
    """Return a class's own docstring, which it inherits from no base; unknown where a decorator or a base may write one."""
    text = find_raw_class_docstring(cls)
    if text is not None:
        return Const(str(text), text.span)
    parent = cls.node.parent
    is_marked = parent is not None and parent.type == "decorated_definition"
    if is_marked or not PLAIN_BASES.issuperset(base.partition("[")[0] for base in cls.list_external_bases()):
        return PyUnknown(f"what stands in for the docstring that `{cls.name}` lacks", span)
    return Const(None, span)


def find_loaded_module(run: Evaluator, key: PyValue, scope: PyScope, *, own: bool) -> PyValue | None:
    """Return the module of `sys.modules[name]`; `own` tells that the name is the `__name__` of the file itself."""
    name = to_text(key)
    module = scope.module if own else run.modules.resolve(name, scope.module) if name is not None else None
    return ModuleValue(module) if module is not None else None


def resolve_class_attribute(cls: PyClass, name: str, span: Span) -> PyValue:
    """Find an attribute of a class; a member of an enumeration is an object of it."""
    if name == "__name__":
        return Const(cls.name, span)
    found = cls.find_attribute(name)
    if found is None:
        return Method(cls, name, span)
    if is_enum(cls) and not isinstance(found, PyFunction):
        return PyInstance(cls, [], {}, span, {"value": found, "name": Const(name, span)})
    if isinstance(found, PyFunction) and is_decorated(found, "classmethod"):
        return Method(cls, name, span, found)
    return found


def resolve_instance_attribute(run: Evaluator, instance: PyInstance, name: str, span: Span) -> PyValue:
    """Find an attribute of an object."""
    receiver = instance.seen_from or instance
    if name in instance.attributes and instance.seen_from is None:
        return models.open_schema(run, instance.attributes[name])
    if is_made(instance):
        made_of = instance.find_argument("fn", 0)
        if name == "fn" and made_of is not None:
            return made_of
        tool = run.as_tool(instance)
        return resolve_instance_attribute(run, tool, name, span) if tool is not None else Method(receiver, name, span)
    if name in INNER | LOWER and is_server(instance):
        return instance
    if name == "_tools" and is_server(instance):
        return Method(instance, name, span)
    if instance.path in (signatures.SIGNATURE, signatures.PARAMETER) and (name == "empty" or name.isupper()):
        return External(f"{instance.path}.{name}", span)
    found = resources.resolve_attribute(instance, name, span)
    if found is not None:
        return found
    if isinstance(instance.made_by, External):
        given = instance.keywords.get(name) if instance.seen_from is None else None
        return given or Method(receiver, name, span)
    if name == "__class__":
        return instance.made_by
    configured = configuration.evaluate_setting(instance, name)
    if configured is not None:
        return configured
    return _evaluate_for_its_class(run, instance, name, span)


def _evaluate_for_its_class(run: Evaluator, instance: PyInstance, name: str, span: Span) -> PyValue:
    """Find what the class of an object says of an attribute: a method, a property, the default of a field."""
    receiver = instance.seen_from or instance
    if name == "__doc__" and isinstance(instance.made_by, PyClass) and name not in instance.made_by.names:
        return _evaluate_class_docstring(instance.made_by, span)
    found = instance.made_by.find_attribute(name) if isinstance(instance.made_by, PyClass) else None
    if found is None:
        return Method(receiver, name, span)
    if not isinstance(found, PyFunction):
        default = evaluate_field_default(run, found)
        known = not instance.open or isinstance(default, PyClass) or _is_fixed(instance.made_by, name)
        return default if known else PyUnknown(f"the field `{name}` of an object that a run makes", span, default)
    if is_decorated(found, "property", "cached_property"):
        return run.call(Method(receiver, name, span, found), CallArguments([], {}, span))
    return found if is_decorated(found, "staticmethod") else Method(receiver, name, span, found)


def _is_fixed(cls: PyValue, name: str) -> bool:
    """Return whether a class gives an attribute a value that none of its modules sets in an object, and no call of it either.

    A name with a type may be a field that a call of the class fills: of a dataclass, of a model.
    """
    if not isinstance(cls, PyClass):
        return False
    set_anew = re.compile(rb"\." + name.encode() + rb"\b\s*(?::[^=\n]+)?[-+|]?=(?!=)")
    lineage = list(cls.iter_lineage())
    return not any(set_anew.search(each.scope.module.source.data) for each in lineage) and any(
        find_child(part, "left") is not None
        and decode_node(find_child(part, "left") or part) == name
        and find_child(part, "type") is None
        for each in lineage
        for part in _iter_assignments(each)
    )


def _iter_assignments(cls: PyClass) -> Iterator[Node]:
    for statement in list_children(find_child(cls.node, "body")):
        for part in list_children(statement) if statement.type == "expression_statement" else ():
            if part.type == "assignment":
                yield part


def evaluate_field_default(run: Evaluator, found: PyValue) -> PyValue:
    """Return the value of a field of a dataclass or model for which no argument was passed."""
    if not isinstance(found, PyInstance) or found.path not in (*models.FIELDS, "dataclasses.field"):
        return found
    factory = found.keywords.get("default_factory")
    if factory is not None:
        return run.call(factory, CallArguments([], {}, found.span))
    return found.find_argument("default", None if found.path == "dataclasses.field" else 0) or found


def _evaluate_for_function(run: Evaluator, function: PyFunction, name: str, span: Span) -> PyValue:
    if name in function.attributes:
        return function.attributes[name]
    shown = function.unwrap()
    if name in shown.attributes:
        return shown.attributes[name]
    if name in ("__name__", "__qualname__"):
        qualified = f"{shown.cls.name}.{shown.name}" if shown.cls is not None and name == "__qualname__" else shown.name
        return Const(qualified, span)
    if name == "__module__":
        return Const(run.modules.format_import_name(shown.scope.module), span)
    if name == "__annotations__":
        return signatures.collect_annotations(run, function, span) or PyUnknown("rewritten annotations", span)
    if name == "__doc__":
        text = find_docstring(shown)
        return Const(str(text), text.span) if text is not None else Const(None, span)
    if name == "__wrapped__" and function.wraps is not None:
        return function.wraps
    if name == "fn":  # no function has it: it is a tool of fastmcp 2, which the decorator made of the function
        return function
    return Method(function, name, span)


def is_enum(cls: PyClass) -> bool:
    """Return whether a class is an enumeration."""
    return any(base.startswith("enum.") or base.endswith(("StrEnum", ".Enum")) for base in cls.list_external_bases())


def is_decorated(function: PyFunction, *names: str) -> bool:
    """Return whether a function carries one of these decorators, by the last part of their names."""
    parent = function.node.parent
    if parent is None or parent.type != "decorated_definition":
        return False
    decorators = [
        decode_node(part).lstrip("@").partition("(")[0].strip()
        for part in list_children(parent)
        if part.type == "decorator"
    ]
    return any(decorator.rpartition(".")[2] in names for decorator in decorators)
