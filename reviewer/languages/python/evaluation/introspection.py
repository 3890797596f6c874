"""Code that looks at code: attributes by name, kinds of values, members of modules and classes, signatures, imports."""

from collections.abc import Callable

from reviewer.languages.python.evaluation import kinds, names, resources, signatures
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    Decorator,
    External,
    Method,
    ModuleValue,
    Partial,
    PyClass,
    PyFunction,
    PyInstance,
    PyItems,
    PyMapping,
    PyUnknown,
    PyValue,
    to_text,
)
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.types.functions import clean_docstring, find_docstring

TOOL_MARK = "__fastmcp__"
"""The attribute that fastmcp alone sets, on the functions that its free `@tool` decorates."""
# What every function has, beside what the project's code sets on it.
FUNCTION_ATTRIBUTES = frozenset({"__name__", "__qualname__", "__doc__", "__module__", "__annotations__", "__call__"})


def get_attribute(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `getattr(x, name, default)`."""
    name = to_text(arguments.positional[1]) if len(arguments.positional) > 1 else None
    if name is None or arguments.scope is None or arguments.node is None:
        return None
    default = arguments.get("default", 2)
    if default is not None and _has(run, arguments.positional[0], str(name)) is False:
        return default
    return run.resolve_attribute(arguments.positional[0], name, arguments.node, arguments.scope)


def evaluate_hasattr(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `hasattr(x, name)`."""
    name = to_text(arguments.positional[1]) if len(arguments.positional) > 1 else None
    known = _has(run, arguments.positional[0], str(name)) if name is not None else None
    return Const(known, arguments.span) if known is not None else None


def _has(run: Evaluator, value: PyValue, name: str) -> bool | None:
    """Return whether a value has an attribute, as far as its code tells."""
    target = value.function if isinstance(value, Method) else value
    match target:
        case PyFunction():
            return name in FUNCTION_ATTRIBUTES or signatures.find_assigned_attribute(target, name) is not None
        case ModuleValue(module):
            return name in run.evaluate_module(module).names
        case PyInstance(made_by=PyClass() as cls):
            known = name in target.attributes or cls.find_attribute(name) is not None
            return True if known else False if not cls.list_external_bases() or name == TOOL_MARK else None
        case PyClass():
            known = target.find_attribute(name) is not None
            return True if known else False if not target.list_external_bases() or name == TOOL_MARK else None
        case Const() | PyItems() | PyMapping():
            return False if name.startswith("_") else None
        case _:
            return False if name == TOOL_MARK else None


def set_attribute(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `setattr(x, name, value)`."""
    name = to_text(arguments.positional[1]) if len(arguments.positional) > 2 else None
    target = arguments.positional[0] if arguments.positional else None
    if name is not None and isinstance(target, PyInstance | PyFunction):
        run.write(target, str(name), arguments.positional[2])
    return Const(None, arguments.span)


def evaluate_replace(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Copy an object of the project with some fields changed, as `dataclasses.replace` does."""
    first = arguments.get("", 0)
    if not isinstance(first, PyInstance) or arguments.open:
        return None
    return PyInstance(
        first.made_by, first.args, first.keywords, first.span, {**first.attributes, **arguments.keywords}, first.open
    )


def evaluate_dir(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """List the attributes of an object of the project, by name as `dir` does."""
    first = arguments.get("", 0)
    if isinstance(first, PyInstance) and isinstance(first.made_by, PyClass):
        names = {*first.attributes, *(name for cls in first.made_by.iter_lineage() for name in cls.names)}
    elif isinstance(first, PyClass):
        names = {name for cls in first.iter_lineage() for name in cls.names}
    elif isinstance(first, ModuleValue):
        names = set(_run.evaluate_module(first.module).names)
    else:
        return None
    return PyItems("list", [Const(name, arguments.span) for name in sorted(names)], arguments.span)


def evaluate_vars(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `vars(x)`, and `globals()` where nothing is handed over."""
    first = arguments.get("", 0)
    if first is None and arguments.scope is not None:
        first = ModuleValue(arguments.scope.module)
    return names.build_namespace(run, first, arguments.span) if first is not None else None


def evaluate_getmembers(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `inspect.getmembers(x, predicate)`, in the order of names."""
    first = arguments.get("", 0)
    names = evaluate_dir(run, arguments)
    if names is None or first is None or arguments.node is None or arguments.scope is None:
        return None
    assert isinstance(names, PyItems)
    predicate = arguments.get("predicate", 1)
    found: list[PyValue] = []
    for name in names.items:
        text = to_text(name)
        value = run.resolve_attribute(first, str(text), arguments.node, arguments.scope)
        kept = True
        if predicate is not None:
            answer = run.call(
                predicate, CallArguments([value], {}, arguments.span, node=arguments.node, scope=arguments.scope)
            )
            kept = not (isinstance(answer, Const) and not answer.value)
        if kept:
            found.append(PyItems("tuple", [name, value], arguments.span))
    return PyItems("list", found, arguments.span)


def evaluate_getdoc(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `inspect.getdoc(function)`."""
    first = arguments.get("", 0)
    function = first.function if isinstance(first, Method) else first
    if not isinstance(function, PyFunction):
        return None
    assigned = signatures.find_assigned_attribute(function, "__doc__")
    if assigned is not None:
        return None
    text = find_docstring(function.unwrap())
    return Const(str(clean_docstring(text)), text.span) if text is not None else Const(None, arguments.span)


def evaluate_is_coroutine(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `inspect.iscoroutinefunction(function)`."""
    first = arguments.get("", 0)
    function = first.function if isinstance(first, Method) else first
    if isinstance(function, PyClass | ModuleValue | Const | PyItems | PyMapping):
        return Const(False, arguments.span)
    if not isinstance(function, PyFunction):
        return None
    return Const((function.node.text or b"").startswith(b"async"), arguments.span)


def evaluate_type(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `type(x)` of an object of the project."""
    first = arguments.positional[0] if len(arguments.positional) == 1 else None
    return first.made_by if isinstance(first, PyInstance) and isinstance(first.made_by, PyClass) else None


def evaluate_subclasses(run: Evaluator, cls: PyClass) -> PyValue:
    """Take `cls.__subclasses__()`, in the order in which they were defined."""
    span = cls.scope.module.locate(cls.node)
    return PyItems("list", [each for each in run.classes if any(base is cls for base in each.bases)], span)


def evaluate_partial(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `functools.partial(function, ...)`."""
    if not arguments.positional:
        return None
    return Partial(arguments.positional[0], tuple(arguments.positional[1:]), arguments.keywords, arguments.span)


def evaluate_wraps(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `functools.wraps(function)`."""
    return Decorator("wraps", arguments.positional[0], {}, arguments.span) if arguments.positional else None


def evaluate_update_wrapper(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `functools.update_wrapper(wrapper, wrapped)`."""
    if len(arguments.positional) < 2:
        return None
    decorator = Decorator("wraps", arguments.positional[1], {}, arguments.span)
    return run.call(decorator, CallArguments(arguments.positional[:1], {}, arguments.span))


def build_getter(name: str) -> Callable[[Evaluator, CallArguments], PyValue | None]:
    """Make a built-in of `operator.itemgetter` and `attrgetter` for one key: what they give asks for it."""

    def evaluate_getter(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
        key = arguments.positional[0] if len(arguments.positional) == 1 else None
        return Partial(External(name, arguments.span), (key,), {}, arguments.span) if key is not None else None

    return evaluate_getter


def evaluate_itemgetter(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Return the element of a dict or a list under a key."""
    key, holder = arguments.positional[0], arguments.positional[1]
    if isinstance(holder, PyMapping):
        return holder.look_up(key)
    if isinstance(holder, PyItems) and isinstance(key, Const) and isinstance(key.value, int) and not holder.open:
        return holder.items[key.value] if -len(holder.items) <= key.value < len(holder.items) else None
    return None


def evaluate_attrgetter(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Return the attribute of an object."""
    name, holder = to_text(arguments.positional[0]), arguments.positional[1]
    return names.resolve_attribute(run, holder, str(name), arguments.span) if name is not None else None


def import_module(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `importlib.import_module(name, package)`."""
    name = to_text(arguments.positional[0]) if arguments.positional else None
    if name is None or arguments.scope is None:
        return None
    importer = arguments.scope.module
    level = len(name) - len(name.lstrip("."))
    module = (
        run.modules.resolve_relative(level, name.lstrip("."), importer)
        if level
        else run.modules.resolve(name, importer)
    )
    if module is None:
        return External(str(name), arguments.span)
    run.dynamic.add(module.path)
    run.evaluate_import(module, for_effect=True)
    return ModuleValue(module)


def evaluate_signature(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `inspect.signature(function)`."""
    return signatures.inspect_signature(run, arguments.get("obj", 0), arguments.span)


def evaluate_type_hints(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `typing.get_type_hints(function)`."""
    first = arguments.get("obj", 0)
    return signatures.collect_annotations(run, first, arguments.span) if isinstance(first, PyFunction) else None


def build_module_walker(*, deep: bool) -> Callable[[Evaluator, CallArguments], PyValue | None]:
    """Make a built-in of `pkgutil.iter_modules` or, going deep, `walk_packages`."""

    def evaluate_modules(run: Evaluator, arguments: CallArguments) -> PyValue | None:
        path = arguments.get("path", 0)
        if isinstance(path, PyItems) and path.items:
            path = path.items[0]
        holder = path.receiver if isinstance(path, Method) else None
        place = resources.place_of(path)
        package = (
            holder.module if isinstance(holder, ModuleValue) else run.modules.find_package(place) if place else None
        )
        prefix = to_text(arguments.get("prefix", 1) or Const("", arguments.span))
        if package is None or prefix is None:
            return None
        return PyItems("list", _collect_below(run, package, str(prefix), arguments, deep=deep), arguments.span)

    return evaluate_modules


def _collect_below(
    run: Evaluator, package: PyModule, prefix: str, arguments: CallArguments, *, deep: bool
) -> list[PyValue]:
    found: list[PyValue] = []
    for each in sorted(run.modules.list_submodules(package), key=lambda module: module.parts):
        found.append(_build_module_info(each, prefix, arguments))
        if deep and each.is_package:
            found += _collect_below(run, each, f"{prefix}{each.parts[-1]}.", arguments, deep=deep)
    return found


def _build_module_info(module: PyModule, prefix: str, arguments: CallArguments) -> PyItems:
    """Return one entry of `iter_modules`: a tuple of finder, name and whether it is a package, with names."""
    span = arguments.span
    parts: list[PyValue] = [
        PyUnknown("the finder", span),
        Const(f"{prefix}{module.parts[-1]}", span),
        Const(module.is_package, span),
    ]
    return PyItems("tuple", parts, span, names=("module_finder", "name", "ispkg"))


def pass_through(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Stand for calls that give back what they take: `typing.cast(T, x)` its second, `asyncio.run(x)` its first."""
    return arguments.positional[-1] if arguments.positional else None


FUNCTIONS: dict[str, Callable[[Evaluator, CallArguments], PyValue | None]] = {
    "builtins.getattr": get_attribute,
    "builtins.hasattr": evaluate_hasattr,
    "builtins.setattr": set_attribute,
    "builtins.dir": evaluate_dir,
    "builtins.vars": evaluate_vars,
    "builtins.globals": evaluate_vars,
    "builtins.isinstance": kinds.evaluate_isinstance,
    "builtins.type": evaluate_type,
    "builtins.issubclass": kinds.evaluate_issubclass,
    "builtins.callable": kinds.build_kind_test(PyFunction, Method, PyClass),
    "inspect.isroutine": kinds.build_kind_test(PyFunction, Method),
    "inspect.isfunction": kinds.build_kind_test(PyFunction),
    "inspect.ismethod": kinds.build_kind_test(Method),
    "inspect.isclass": kinds.build_kind_test(PyClass),
    "inspect.iscoroutinefunction": evaluate_is_coroutine,
    "asyncio.iscoroutinefunction": evaluate_is_coroutine,
    "inspect.getmembers": evaluate_getmembers,
    "inspect.getdoc": evaluate_getdoc,
    "inspect.signature": evaluate_signature,
    "inspect.Signature": lambda _run, arguments: signatures.make_signature(arguments),
    "inspect.Parameter": lambda _run, arguments: signatures.make_parameter(arguments),
    "inspect.get_annotations": evaluate_type_hints,
    "typing.get_type_hints": evaluate_type_hints,
    "pkgutil.iter_modules": build_module_walker(deep=False),
    "pkgutil.walk_packages": build_module_walker(deep=True),
    "importlib.import_module": import_module,
    "dataclasses.replace": evaluate_replace,
    "copy.replace": evaluate_replace,
    "mcp_review.listed": lambda _run, arguments: arguments.positional[0] if arguments.positional else None,
    "operator.itemgetter": build_getter("mcp_review.got_item"),
    "operator.attrgetter": build_getter("mcp_review.got_attribute"),
    "mcp_review.got_item": evaluate_itemgetter,
    "mcp_review.got_attribute": evaluate_attrgetter,
    "functools.partial": evaluate_partial,
    "functools.wraps": evaluate_wraps,
    "functools.update_wrapper": evaluate_update_wrapper,
    **dict.fromkeys(("typing.cast", "asyncio.run", "anyio.run", "inspect.unwrap"), pass_through),
}
