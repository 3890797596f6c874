"""What Python's own functions and methods give for values that can be told: text, containers, a few modules."""

import inspect
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.facts import Condition
from reviewer.languages.python import models, signatures
from reviewer.languages.python.functions import cleaned, docstring
from reviewer.languages.python.modules import Module
from reviewer.languages.python.names import is_enum
from reviewer.languages.python.values import (
    Arguments,
    Class,
    Const,
    Decorator,
    External,
    Function,
    Guarded,
    Instance,
    Items,
    Mapping,
    Method,
    ModuleValue,
    Partial,
    Scope,
    Unknown,
    Value,
    bare,
    guarded,
    text_of_value,
)
from reviewer.source import Span

if TYPE_CHECKING:
    from reviewer.languages.python.evaluator import Evaluator

TEXT_METHODS = frozenset(
    [
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "title",
        "capitalize",
        "replace",
        "removeprefix",
        "removesuffix",
        "join",
        "split",
        "splitlines",
        "startswith",
        "endswith",
        "swapcase",
        "casefold",
        "partition",
        "rpartition",
        "format",
    ]
)
CONTAINERS = {
    "builtins.list": "list",
    "builtins.tuple": "tuple",
    "builtins.set": "set",
    "builtins.frozenset": "set",
    "builtins.sorted": "list",
}


def call(run: "Evaluator", callee: External, arguments: Arguments) -> Value | None:
    """Call a function from outside the project; None if nothing is known of it."""
    first = arguments.get("", 0)
    if callee.path in CONTAINERS:
        return _container(CONTAINERS[callee.path], first, arguments)
    form = FUNCTIONS.get(callee.path)
    return form(run, arguments) if form is not None else None


def knows(callee: External) -> bool:
    """Tell whether a function from outside the project is one whose result follows from its arguments."""
    return callee.path in CONTAINERS or callee.path in FUNCTIONS


def _container(kind: str, first: Value | None, arguments: Arguments) -> Value | None:
    if first is None:
        return Items(kind, [], arguments.span)  # type: ignore[arg-type]
    items = elements(first)
    return Items(kind, items, arguments.span) if items is not None else None  # type: ignore[arg-type]


def iterated(value: Value) -> list[Value] | None:
    """Give what a loop over a value meets, or None if only a run can tell."""
    found = elements(value)
    return [bare(each) for each in found] if found is not None else None


def elements(value: Value) -> list[Value] | None:
    """Give what a loop over a value meets, each with the conditions under which it does."""
    match value:
        case Items(items=items, open=False):
            return list(items)
        case Mapping(entries=entries, open=False):
            return [key for key, _ in entries]
        case Class() if is_enum(value):
            return [
                Instance(
                    value, [], {}, value.scope.module.span(value.node), {"value": each, "name": Const(name, each.span)}
                )
                for name, each in value.names.items()
                if isinstance(each, Const) and not name.startswith("_")
            ]
        case _:
            return None


def _cleaned(transform: Callable[[str], str]) -> Callable[["Evaluator", Arguments], Value | None]:
    def form(_run: "Evaluator", arguments: Arguments) -> Value | None:
        text = text_of_value(arguments.positional[0]) if arguments.positional else None
        return Const(transform(text), text.span) if text is not None else None

    return form


def _string(_run: "Evaluator", arguments: Arguments) -> Value | None:
    first = arguments.get("", 0)
    if first is None:
        return Const("", arguments.span)
    text = text_of_value(first)
    if text is not None:
        return Const(str(text), text.span)
    return (
        Const(str(first.value), arguments.span)
        if isinstance(first, Const) and not isinstance(first.value, bytes)
        else None
    )


def _dict(_run: "Evaluator", arguments: Arguments) -> Value | None:
    first = arguments.get("", 0)
    entries: list[tuple[Value, Value]] = []
    if isinstance(first, Mapping):
        entries += first.entries
    elif first is not None:
        return None
    entries += [(Const(name, arguments.span), value) for name, value in arguments.keywords.items()]
    return Mapping(entries, arguments.span, arguments.open or (isinstance(first, Mapping) and first.open))


def _getattr(run: "Evaluator", arguments: Arguments) -> Value | None:
    name = text_of_value(arguments.positional[1]) if len(arguments.positional) > 1 else None
    if name is None or arguments.node is None or arguments.scope is None:
        return None
    return run.attribute(arguments.positional[0], name, arguments.node, arguments.scope)


def _replace(_run: "Evaluator", arguments: Arguments) -> Value | None:
    """Copy an object of the project with some fields changed, as `dataclasses.replace` does."""
    first = arguments.get("", 0)
    if not isinstance(first, Instance) or arguments.open:
        return None
    return Instance(
        first.made_by, first.args, first.keywords, first.span, {**first.attributes, **arguments.keywords}, first.open
    )


def _dir(_run: "Evaluator", arguments: Arguments) -> Value | None:
    """List the attributes of an object of the project, by name as `dir` does."""
    first = arguments.get("", 0)
    if isinstance(first, Instance) and isinstance(first.made_by, Class):
        names = {*first.attributes, *(name for cls in first.made_by.lineage() for name in cls.names)}
    elif isinstance(first, Class):
        names = {name for cls in first.lineage() for name in cls.names}
    else:
        return None
    return Items("list", [Const(name, arguments.span) for name in sorted(names)], arguments.span)


def _hasattr(run: "Evaluator", arguments: Arguments) -> Value | None:
    """Tell whether a function or an object of the project has an attribute; others may have it."""
    first, name = (
        arguments.get("", 0),
        text_of_value(arguments.positional[1]) if len(arguments.positional) > 1 else None,
    )
    target = first.function if isinstance(first, Method) else first
    if name == TOOL_MARK and not isinstance(target, Function):
        return Const(False, arguments.span)
    if (
        name is None
        or not isinstance(target, Function | Instance | Class)
        or (isinstance(target, Instance) and target.path)
    ):
        return None
    if isinstance(target, Function):
        layers = [target]
        while layers[-1].wraps is not None:
            layers.append(layers[-1].wraps)
        return Const(
            any(str(name) in layer.attributes for layer in layers) or str(name) in FUNCTION_ATTRIBUTES, arguments.span
        )
    known = str(name) in target.attributes if isinstance(target, Instance) else False
    cls = target.made_by if isinstance(target, Instance) else target
    found = isinstance(cls, Class) and cls.lookup(str(name)) is not None
    return Const(True, arguments.span) if known or found else None


def _setattr(run: "Evaluator", arguments: Arguments) -> Value | None:
    name = text_of_value(arguments.positional[1]) if len(arguments.positional) > 2 else None
    target = arguments.positional[0] if arguments.positional else None
    if name is not None and isinstance(target, Instance | Function):
        run.write(target, str(name), arguments.positional[2])
    return Const(None, arguments.span)


def _documentation(run: "Evaluator", arguments: Arguments) -> Value | None:
    first = arguments.get("", 0)
    text = docstring(first.original()) if isinstance(first, Function) else None
    return Const(str(cleaned(text)), text.span) if text is not None else None


def _enumerate(_run: "Evaluator", arguments: Arguments) -> Value | None:
    items = iterated(arguments.positional[0]) if arguments.positional else None
    if items is None:
        return None
    pairs: list[Value] = [
        Items("tuple", [Const(index, item.span), item], arguments.span)
        for index, item in enumerate(items)
        if hasattr(item, "span")
    ]
    return Items("list", pairs, arguments.span)


def _zip(_run: "Evaluator", arguments: Arguments) -> Value | None:
    columns = [iterated(each) for each in arguments.positional]
    if any(column is None for column in columns):
        return None
    rows = zip(*(column for column in columns if column is not None), strict=False)
    return Items("list", [Items("tuple", list(row), arguments.span) for row in rows], arguments.span)


def _length(_run: "Evaluator", arguments: Arguments) -> Value | None:
    items = iterated(arguments.positional[0]) if arguments.positional else None
    return Const(len(items), arguments.span) if items is not None else None


def _partial(_run: "Evaluator", arguments: Arguments) -> Value | None:
    if not arguments.positional:
        return None
    return Partial(arguments.positional[0], tuple(arguments.positional[1:]), arguments.keywords, arguments.span)


def _wraps(_run: "Evaluator", arguments: Arguments) -> Value | None:
    return Decorator("wraps", arguments.positional[0], {}, arguments.span) if arguments.positional else None


def _import_module(run: "Evaluator", arguments: Arguments) -> Value | None:
    name = text_of_value(arguments.positional[0]) if arguments.positional else None
    if name is None or arguments.scope is None:
        return None
    importer = arguments.scope.module
    level = len(name) - len(name.lstrip("."))
    module = run.modules.relative(level, name.lstrip("."), importer) if level else run.modules.resolve(name, importer)
    if module is None:
        return External(str(name), arguments.span)
    run.dynamic.add(module.path)
    run.imported(module)
    return ModuleValue(module)


def _first(_run: "Evaluator", arguments: Arguments) -> Value | None:
    """Stand for calls that give back what they take: `typing.cast(T, x)` its second, `asyncio.run(x)` its first."""
    return arguments.positional[-1] if arguments.positional else None


def _is_callable(_run: "Evaluator", arguments: Arguments) -> Value | None:
    first = arguments.get("", 0)
    if isinstance(first, Const | Function | Method):
        return Const(not isinstance(first, Const), arguments.span)
    return None


TOOL_MARK = "__fastmcp__"
"""What fastmcp sets on the functions that its free `@tool` decorates, and nobody on anything else."""
FUNCTION_ATTRIBUTES = frozenset({"__name__", "__qualname__", "__doc__", "__module__", "__annotations__", "__call__"})
TYPES = {"str": str, "int": int, "float": float, "bool": bool, "bytes": bytes}


def _isinstance(_run: "Evaluator", arguments: Arguments) -> Value | None:
    if len(arguments.positional) != 2:
        return None
    value, kind = arguments.positional
    plain = TYPES.get(kind.name) if isinstance(kind, External) and kind.path.startswith("builtins.") else None
    if plain is None or not isinstance(value, Const | Function | Method):
        return None
    return Const(isinstance(value, Const) and isinstance(value.value, plain), arguments.span)


def _signature(run: "Evaluator", arguments: Arguments) -> Value | None:
    return signatures.of_callable(run, arguments.get("obj", 0), arguments.span)


def _annotations(run: "Evaluator", arguments: Arguments) -> Value | None:
    first = arguments.get("obj", 0)
    return signatures.annotations(run, first, arguments.span) if isinstance(first, Function) else None


def _modules(run: "Evaluator", arguments: Arguments) -> Value | None:
    """Give what `pkgutil.iter_modules` and `walk_packages` find under the packages whose `__path__` is handed over."""
    path = arguments.get("path", 0)
    package = path.receiver if isinstance(path, Method) else None
    if not isinstance(package, ModuleValue):
        return None
    prefix = text_of_value(arguments.get("prefix", 1) or Const("", arguments.span))
    return (
        None if prefix is None else Items("list", _below(run, package.module, str(prefix), arguments), arguments.span)
    )


def _below(run: "Evaluator", package: Module, prefix: str, arguments: Arguments) -> list[Value]:
    found: list[Value] = []
    deep = isinstance(arguments.scope, Scope) and b"walk_packages" in (
        arguments.node.text or b"" if arguments.node else b""
    )
    for each in sorted(run.modules.below(package), key=lambda module: module.parts):
        name: Value = Const(f"{prefix}{each.parts[-1]}", arguments.span)
        is_package: Value = Const(each.is_package, arguments.span)
        found.append(
            Instance(
                External("pkgutil.ModuleInfo", arguments.span),
                [],
                {},
                arguments.span,
                {"name": name, "ispkg": is_package, "module_finder": Unknown("the finder", arguments.span)},
            )
        )
        if deep and each.is_package:
            found += _below(run, each, f"{prefix}{each.parts[-1]}.", arguments)
    return found


FUNCTIONS: dict[str, Callable[["Evaluator", Arguments], Value | None]] = {
    "builtins.isinstance": _isinstance,
    "builtins.callable": _is_callable,
    "inspect.isroutine": _is_callable,
    "inspect.isfunction": _is_callable,
    "inspect.cleandoc": _cleaned(inspect.cleandoc),
    "textwrap.dedent": _cleaned(textwrap.dedent),
    "inspect.getdoc": _documentation,
    "inspect.signature": _signature,
    "inspect.Signature": lambda _run, arguments: signatures.make_signature(arguments),
    "inspect.Parameter": lambda _run, arguments: signatures.make_parameter(arguments),
    "inspect.get_annotations": _annotations,
    "typing.get_type_hints": _annotations,
    "pkgutil.iter_modules": _modules,
    "pkgutil.walk_packages": _modules,
    "builtins.str": _string,
    "builtins.dict": _dict,
    "builtins.getattr": _getattr,
    "builtins.setattr": _setattr,
    "builtins.dir": _dir,
    "dataclasses.replace": _replace,
    "copy.replace": _replace,
    "builtins.hasattr": _hasattr,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.len": _length,
    "functools.partial": _partial,
    "functools.wraps": _wraps,
    "importlib.import_module": _import_module,
    "typing.cast": _first,
    "asyncio.run": _first,
    "anyio.run": _first,
    "copy.deepcopy": _first,
    "copy.copy": _first,
}


def call_method(run: "Evaluator", method: Method, arguments: Arguments) -> Value | None:
    """Call a method of a built-in type; None if nothing is known of it."""
    match method.receiver:
        case Const(value=str()):
            return _text_method(method, arguments)
        case Items():
            return _items_method(method.receiver, method.name, arguments, run.conditions)
        case Mapping():
            return _mapping_method(method.receiver, method.name, arguments, run.conditions)
        case Class() if method.name in ("model_json_schema", "schema"):
            return Instance(
                External("pydantic.BaseModel.model_json_schema", arguments.span), [method.receiver], {}, arguments.span
            )
        case Instance(path=signatures.SIGNATURE | signatures.PARAMETER) if method.name == "replace":
            return signatures.replaced(method.receiver, arguments)
        case Instance(path=models.FIELD_INFO) if method.name == "is_required":
            return Const(models.is_required(method.receiver), arguments.span)
        case Function() if method.name == "__get__":
            return method.receiver
        case _:
            return None


def _text_method(method: Method, arguments: Arguments) -> Value | None:
    receiver = method.receiver
    if method.name not in TEXT_METHODS or not isinstance(receiver, Const) or not isinstance(receiver.value, str):
        return None
    plain = [_plain(value) for value in arguments.positional]
    keywords = {name: _plain(value) for name, value in arguments.keywords.items()}
    if any(isinstance(value, Unknown) for value in (*plain, *keywords.values())) or arguments.open:
        return None
    if (
        method.name == "format"
        and any(sign in receiver.value for sign in (":", "!", ".", "["))
        and _formats(receiver.value)
    ):
        return None
    try:
        result = getattr(receiver.value, method.name)(*plain, **keywords)
    except (TypeError, ValueError, KeyError, IndexError):
        return None
    if isinstance(result, list | tuple):
        return Items("list", [Const(part, receiver.span) for part in result], receiver.span)
    return Const(result, receiver.span)


def _formats(template: str) -> bool:
    """Tell whether a template's fields hold more than plain names: a width could ask for gigabytes."""
    fields = [part.partition("}")[0] for part in template.replace("{{", "").split("{")[1:]]
    return any(sign in field for field in fields for sign in ":!.[")


def _plain(value: Value) -> object:
    if isinstance(value, Const):
        return value.value
    text = text_of_value(value)
    if text is not None:
        return str(text)
    if isinstance(value, Items) and not value.open:
        return [_plain(item) for item in value.items]
    return Unknown("not a constant", getattr(value, "span", None) or _nowhere())


def _nowhere() -> Span:
    return Span("", 1, 1, 1, 1)


def _items_method(items: Items, name: str, arguments: Arguments, conditions: tuple[Condition, ...]) -> Value | None:
    first = arguments.get("", 0)
    if name in ("append", "add") and first is not None:
        items.items.append(guarded(first, conditions, items.under))
    elif name == "insert" and len(arguments.positional) > 1:
        at = arguments.positional[0]
        index = at.value if isinstance(at, Const) and isinstance(at.value, int) else len(items.items)
        items.items.insert(index, guarded(arguments.positional[1], conditions, items.under))
    elif name in ("extend", "update") and first is not None:
        more = elements(first)
        items.items += [guarded(each, conditions, items.under) for each in more or []]
        items.open |= more is None
    elif name == "copy":
        return Items(items.kind, list(items.items), items.span, items.open)
    elif name in ("remove", "pop", "clear", "discard"):
        items.open = True
    else:
        return None
    return Const(None, arguments.span)


def _shown(name: str, key: Value, value: Value) -> Value:
    """Give what `items()`, `keys()` or `values()` shows of one entry, under the entry's own conditions."""
    inner = bare(value)
    shown = (
        Items("tuple", [key, inner], getattr(key, "span", None) or _nowhere())
        if name == "items"
        else key
        if name == "keys"
        else inner
    )
    return Guarded(shown, value.conditions) if isinstance(value, Guarded) else shown


def _update(mapping: Mapping, arguments: Arguments, conditions: tuple[Condition, ...]) -> None:
    first = arguments.get("", 0)
    if isinstance(first, Mapping):
        for key, value in first.entries:
            mapping.put(key, value, conditions)
    mapping.open |= arguments.open or (first is not None and not (isinstance(first, Mapping) and not first.open))
    for name, value in arguments.keywords.items():
        mapping.put(Const(name, arguments.span), value, conditions)


def _mapping_method(
    mapping: Mapping, name: str, arguments: Arguments, conditions: tuple[Condition, ...]
) -> Value | None:
    if name in ("items", "keys", "values"):
        return Items("list", [_shown(name, *entry) for entry in mapping.entries], mapping.span, mapping.open)
    first = arguments.get("", 0)
    if name == "get" and isinstance(first, Const) and not mapping.open:
        return mapping.get(first.value) or arguments.get("", 1) or Const(None, arguments.span)
    if name == "update":
        _update(mapping, arguments, conditions)
        return Const(None, arguments.span)
    if name == "setdefault" and isinstance(first, Const) and len(arguments.positional) > 1 and not mapping.open:
        if mapping.get(first.value) is None:
            mapping.put(first, arguments.positional[1], conditions)
        return mapping.get(first.value)
    if name == "pop" and isinstance(first, Const) and not mapping.open and not conditions[len(mapping.under) :]:
        found = mapping.get(first.value) or arguments.get("", 1)
        kept = [
            entry for entry in mapping.entries if not (isinstance(entry[0], Const) and entry[0].value == first.value)
        ]
        mapping.entries[:] = kept
        return found
    if name == "copy":
        return Mapping(list(mapping.entries), mapping.span, mapping.open)
    return None
