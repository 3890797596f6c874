"""Tables of actions: `ActionSpec(...)` objects, wherever they are made, and tables of dicts or of objects by name that are
named for actions."""

import re
from collections.abc import Iterator

from reviewer.facts import (
    Action,
    Catalog,
    RowType,
    ToolParameter,
)
from reviewer.languages.catalogs import infer_domain, names_catalog
from reviewer.languages.nodes import decode_node, find_child, locate_text
from reviewer.languages.python.behaviour import name_resolution
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    Const,
    External,
    PyClass,
    PyFunction,
    PyInstance,
    PyItems,
    PyMapping,
    PyValue,
    strip_conditions,
    to_text,
    to_text_or_opaque,
)
from reviewer.source import Opaque, Text
from reviewer.text.patterns import pattern

# Fields as an annotation or an assignment declares them, also those that `__init__` sets.
FIELD = pattern(r"^[ \t]+(?:self\.)?(\w+)[ \t]*[:=](?!=)", re.MULTILINE)
MAKING = (b"ActionSpec(", b"destructive")


def iter_catalogs(run: Evaluator) -> Iterator[Catalog]:
    """Group the `ActionSpec(...)` objects by the module that holds them."""
    by_module: dict[str, list[Action]] = {}
    types: dict[str, dict[int, RowType]] = {}
    unread: set[str] = set()
    for module in name_resolution.iter_own_modules(run, *MAKING):
        name_resolution.load_scope(run, module)
    for module in name_resolution.iter_own_modules(
        run, *_collect_makers(run)
    ):  # they make rows by what others declare, and name no field of a row
        name_resolution.load_scope(run, module)
    for made, module in run.action_specs:
        action = _find_action(made)
        if action is not None:
            by_module.setdefault(module.path, []).append(action)
            if isinstance(made.made_by, PyClass):
                types.setdefault(module.path, {})[id(made.made_by)] = _build_row_type(made.made_by)
        else:
            unread.add(module.path)
    for path, actions in by_module.items():
        yield Catalog(
            infer_domain(path), actions[0].span, tuple(actions), path in unread, tuple(types.get(path, {}).values())
        )
    for module in name_resolution.iter_own_modules(run, b"destructive"):
        for name, value in name_resolution.load_scope(run, module).names.items():
            if names_catalog(name) and isinstance(value, PyItems | PyMapping):
                yield from _iter_for_table(value, module.path)


def _collect_makers(run: Evaluator) -> tuple[bytes, ...]:
    """Return the names of the classes and functions that rows are declared with: a file that calls one may contain
    rows.
    """
    rows = (made.made_by for made, _ in run.action_specs)
    modules = {each.scope.module.path: each.scope.module for each in rows if isinstance(each, PyClass)}
    names = (
        name
        for module in modules.values()
        for name, value in run.evaluate_module(module).names.items()
        if isinstance(value, PyClass | PyFunction) and value.scope.module is module
    )
    return tuple(name.encode() + b"(" for name in names)


def _build_row_type(cls: PyClass) -> RowType:
    source = cls.scope.module.source
    fields = (name for each in cls.iter_lineage() for name in FIELD.findall(decode_node(each.node)))
    return RowType(locate_text(source, find_child(cls.node, "name") or cls.node), frozenset(fields))


def _iter_for_table(table: PyItems | PyMapping, path: str) -> Iterator[Catalog]:
    """Read a table of dicts, or of objects by their action's name, at least one of which says whether it is destructive."""
    rows = list(_iter_rows(table))
    read = [action for action in map(_find_action, rows) if action is not None]
    if read and any(_find_flag(row, "destructive") is not None for row in rows):
        types = {id(row.made_by): _build_row_type(row.made_by) for row in rows if isinstance(row.made_by, PyClass)}
        yield Catalog(
            infer_domain(path), table.span, tuple(read), table.open or len(read) < len(rows), tuple(types.values())
        )


def _iter_rows(table: PyItems | PyMapping) -> Iterator[PyInstance]:
    """Yield the rows of a list of dicts with a name, and of a dict of dicts or objects by name; others name themselves."""
    held: list[tuple[PyValue | None, PyValue]] = (
        [(None, each) for each in table.items]
        if isinstance(table, PyItems)
        else [(key, each) for key, each in table.entries]
    )
    for key, each in held:
        row = strip_conditions(each)
        if isinstance(row, PyMapping):
            given = {str(name.value): strip_conditions(value) for name, value in row.entries if isinstance(name, Const)}
            named = given if key is None else {"name": key, **given}
            yield PyInstance(External("dict", row.span), [], named, row.span, attributes=named)
        elif isinstance(row, PyInstance) and isinstance(row.made_by, PyClass) and key is not None:
            if "name" not in row.attributes:
                yield PyInstance(row.made_by, [], {}, row.span, attributes={"name": key, **row.attributes})


def _find_action(made: PyInstance) -> Action | None:
    name = to_text(made.attributes["name"]) if "name" in made.attributes else None
    if name is None:
        return None
    return Action(
        name=name,
        span=made.span,
        description=to_text_or_opaque(made.attributes.get("description"), made.span),
        destructive=_find_flag(made, "destructive"),
        parameters=_collect_parameters(made.attributes.get("params", made.attributes.get("parameters")), made),
        returns=to_text_or_opaque(made.attributes.get("returns"), made.span),
        idempotent=_find_flag(made, "idempotent"),
    )


def _find_flag(made: PyInstance, name: str) -> bool | Opaque | None:
    """Read a flag of a row, or what its class says where the row says nothing; None is none."""
    value = made.attributes.get(name)
    if value is None and isinstance(made.made_by, PyClass):
        value = made.made_by.find_attribute(name)
    if value is None or (isinstance(value, Const) and not isinstance(value.value, bool)):
        return None
    if isinstance(value, Const) and isinstance(value.value, bool):
        return value.value
    return Opaque("the flag is known at run time only", made.span)


def _collect_parameters(value: PyValue | None, made: PyInstance) -> tuple[ToolParameter, ...] | Opaque:
    if value is None:
        held = any(isinstance(strip_conditions(each), PyItems | PyMapping) for each in made.attributes.values())
        return Opaque("what holds the parameters is not known", made.span) if held else ()
    if not isinstance(value, PyItems) or value.open:
        return Opaque("the parameters are known at run time only", made.span)
    found = []
    for item in value.items:
        name = to_text(item)
        description: Text | Opaque | None = None
        required: bool | Opaque = True
        if isinstance(item, PyInstance):
            name = to_text(item.attributes["name"]) if "name" in item.attributes else None
            description = to_text_or_opaque(item.attributes.get("description"), item.span)
            given = item.attributes.get("required")
            required = given.value if isinstance(given, Const) and isinstance(given.value, bool) else True
        if name is None:
            return Opaque("the parameters are known at run time only", made.span)
        found.append(ToolParameter(name, getattr(item, "span", made.span), description, required))
    return tuple(found)
