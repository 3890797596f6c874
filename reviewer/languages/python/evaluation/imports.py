"""Imports: which module or outside name they bind, and what a star brings."""

from collections.abc import Iterator
from itertools import islice

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.names import find_submodule
from reviewer.languages.python.evaluation.values import (
    Const,
    External,
    ModuleValue,
    PyItems,
    PyPending,
    PyScope,
    PyUnknown,
    PyValue,
)
from reviewer.languages.python.project.modules import PyModule
from reviewer.source import Span
from reviewer.text.patterns import pattern

# Modules that a project does not define, even where it has a copy of one, or a package `mcp` of its own: `mcp` alone is
# not enough.
FRAMEWORK_ROOTS = tuple(
    "mcp.server mcp.types mcp.shared mcp.client mcp_types pydantic typing typing_extensions".split()
)


def resolve_framework_path(dotted: str) -> str | None:
    """Return the canonical path of a framework's module, however it is vendored, or None if the project may define it."""
    parts = dotted.split(".")
    if "fastmcp" in parts and dotted[:11] != "mcp.server.":
        return ".".join(parts[parts.index("fastmcp") :])
    if dotted == "mcp" or any(dotted == root or dotted.startswith(root + ".") for root in FRAMEWORK_ROOTS):
        return dotted
    return None


def bind_import(run: Evaluator, node: Node, scope: PyScope) -> None:
    """Bind the names of `import a.b` and `import a.b as c`."""
    for part in node.children_by_field_name("name"):
        alias = find_child(part, "alias")
        dotted = decode_node(find_child(part, "name") or part)
        bound = decode_node(alias) if alias is not None else dotted.partition(".")[0]
        target = dotted if alias is not None else bound
        value = _evaluate_module_value(run, target, scope, scope.module.locate(part))
        if isinstance(value, ModuleValue):
            _take_effect(run, value.module, bound, scope)
        whole = (
            run.modules.resolve(dotted, scope.module)
            if target != dotted and resolve_framework_path(dotted) is None
            else None
        )
        if whole is not None and isinstance(value, External):
            above = run.modules.find_namespace(whole.parts[: -dotted.count(".")])
            value = ModuleValue(above) if above is not None else value
        if whole is not None:
            run.evaluate_import(whole, for_effect=True)
        scope.names[bound] = value


def _take_effect(run: Evaluator, module: PyModule, bound: str, scope: PyScope, *, names_module: bool = True) -> None:
    """Evaluate a module that is imported for what it does then: its name is used nowhere, or a package gathers its modules."""
    importer = scope.module
    if not (importer.is_package and importer.path in run.effective):
        if importer.is_package and not names_module:
            return  # what a package exports
        found = _iter_uses(bound.encode(), importer.source.data, with_attribute=names_module)
        if len(list(islice(found, 2))) > (0 if names_module else 1):
            return
    run.evaluate_import(module, for_effect=True)


# What goes on as a word is a longer name.
WORD = pattern(rb"\w")
# After a module's name, a dot and a letter take something out of it; `1.` and `...` do not.
ATTRIBUTE = pattern(rb"\.[^\W\d]")
# Behind a dot it is the attribute of something else.
BEFORE = pattern(rb"[\w.]$")


def _iter_uses(name: bytes, data: bytes, *, with_attribute: bool) -> Iterator[int]:
    """Yield where a name stands by itself, or only where an attribute of it is taken; no pattern is made for each name."""
    start = data.find(name)
    while start >= 0:
        end = start + len(name)
        is_used = ATTRIBUTE.match(data, end) if with_attribute else not WORD.match(data, end)
        if is_used and not (start and BEFORE.match(data[start - 1 : start])):
            yield start
        start = data.find(name, end)


def _evaluate_module_value(run: Evaluator, dotted: str, scope: PyScope, span: Span) -> PyValue:
    path = resolve_framework_path(dotted)
    module = run.modules.resolve(dotted, scope.module) if path is None else None
    if module is None or module is scope.module:
        return External(path or dotted, span)
    run.evaluate_import(module)
    return ModuleValue(module)


def bind_from_import(run: Evaluator, node: Node, scope: PyScope) -> None:
    """Bind the names of `from a import b as c` and of `from a import *`."""
    origin = find_child(node, "module_name")
    if origin is None:
        return
    module, dotted = _collect_origin(run, origin, scope)
    if module is not None:
        run.evaluate_import(module)
    if list_children(node)[-1].type == "wildcard_import":
        _bind_star(run, module, dotted, scope, scope.module.locate(node))
        return
    span = scope.module.locate(node)
    for part in node.children_by_field_name("name"):
        aliased = part.type == "aliased_import"
        name = decode_node((find_child(part, "name") if aliased else None) or part)
        bound = decode_node((find_child(part, "alias") if aliased else None) or part)
        value = scope.names[bound] = _evaluate_imported(run, module, dotted, name, scope, span)
        inner = value.module if isinstance(value, ModuleValue | PyPending) else module
        below = find_submodule(run, module, name) if module is not None else None
        if inner is not None and inner is not scope.module:
            _take_effect(run, below or inner, bound, scope, names_module=below is not None or inner is not module)


def _evaluate_imported(
    run: Evaluator, module: PyModule | None, dotted: str, name: str, scope: PyScope, span: Span
) -> PyValue:
    if module is None or name == "fastmcp":
        vendored = resolve_framework_path(f"{dotted.strip('.')}.{name}") if name == "fastmcp" else None
        whole = f"{dotted}.{name}"
        found = run.modules.resolve(whole, scope.module) if module is None and vendored is None else None
        if found is None and module is None and resolve_framework_path(whole) is None:
            found = run.modules.find_namespace(tuple(whole.split(".")))
        if found is not None:
            run.evaluate_import(found)
            return ModuleValue(found)
        if module is None or vendored is not None:
            return External(vendored or f"{dotted}.{name}", span)
    below = find_submodule(run, module, name)
    if below is not None:
        run.evaluate_import(below)
    if module is scope.module:
        itself = PyUnknown(f"`{name}` is imported from the module itself", span)
        return ModuleValue(below) if below is not None else itself
    return PyPending(module, name, span)


def _collect_origin(run: Evaluator, node: Node, scope: PyScope) -> tuple[PyModule | None, str]:
    text = decode_node(node)
    dotted = text.lstrip(".")
    level = len(text) - len(dotted)
    path = resolve_framework_path(dotted) if dotted else None
    if path is not None and (not level or path.startswith("fastmcp")):
        return None, path
    if level:
        return run.modules.resolve_relative(level, dotted, scope.module), dotted or "."
    return run.modules.resolve(dotted, scope.module), dotted


def _bind_star(run: Evaluator, module: PyModule | None, dotted: str, scope: PyScope, span: Span) -> None:
    """Bind what `from module import *` gives: what `__all__` lists, or every public name."""
    if module is None:
        scope.stars[dotted] = External(dotted, span)
        return
    run.evaluate_import(module, for_effect=True)
    origin = run.evaluate_module(module)
    exported = origin.names.get("__all__")
    listed = (
        {each.value for each in exported.items if isinstance(each, Const)} if isinstance(exported, PyItems) else None
    )
    is_sure = exported is None or (
        isinstance(exported, PyItems) and not exported.open and len(exported.items) == len(listed or ())
    )
    for name, value in list(origin.names.items()):
        if (name in listed) if listed is not None and is_sure else not name.startswith("_"):
            doubtful = not is_sure and name in scope.names and name not in (listed or ())
            bound = PyUnknown(f"whether `from {dotted} import *` binds it", span) if doubtful else value
            run.bind(scope, name, bound)
    for missing in (listed or set()) - origin.names.keys():
        below = find_submodule(run, module, str(missing))
        if below is not None:
            scope.names[str(missing)] = ModuleValue(below)
