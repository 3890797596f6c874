"""Tables of actions: arrays of objects with a name, and objects of such by name, that are named for actions."""

from collections.abc import Iterator

from reviewer.facts import Action, Catalog, RowType, ToolParameter
from reviewer.languages.catalogs import infer_domain, names_catalog
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    Arr,
    Cls,
    Const,
    Obj,
    TsSchema,
    TsValue,
    settle,
    strip_conditions,
    to_text_or_opaque,
)
from reviewer.languages.typescript.project.modules import Modules
from reviewer.source import Opaque, Span, Text


def iter_catalogs(run: Evaluator, modules: Modules) -> Iterator[Catalog]:
    """Yield the tables of actions, each where it is written: a module that another one gives on has none of its own."""
    for module in modules.iter_own():
        for name, variable in module.code.scope.variables.items() if b"destructive" in module.source.data else ():
            if names_catalog(name):
                table = strip_conditions(run.evaluate_module(module).held.get(variable) or Const(None))
                if isinstance(table, Arr | Obj):
                    yield from _iter_for_table(table, module.path, module.source.find_line_span(1))


def _iter_for_table(table: Arr | Obj, path: str, span: Span) -> Iterator[Catalog]:
    """Read a table of objects, at least one of which says whether it is destructive."""
    rows = list(_iter_rows(table))
    place = table.place.span if table.place is not None else span
    read = [action for row, given in rows if (action := _read_action(row, given, place)) is not None]
    if read and any("destructive" in given for _, given in rows):
        types = {id(row.made_by): _build_row_type(row.made_by) for row, _ in rows if row.made_by is not None}
        is_open = bool(table.hidden) or len(read) < _count_held(table)
        yield Catalog(infer_domain(path), place, tuple(read), is_open, tuple(types.values()))


def _iter_rows(table: Arr | Obj) -> Iterator[tuple[Obj, dict[str, TsValue]]]:
    """Yield the rows with what they hold; one that stands under a name, and has none of its own, is of that name."""
    held = [(None, each) for each in table.items] if isinstance(table, Arr) else list(table.entries.items())
    for key, each in held:
        row = strip_conditions(each)
        if isinstance(row, Obj):
            named: dict[str, TsValue] = {"name": Const(key, row.place)} if key is not None else {}
            yield row, named | row.entries


def _count_held(table: Arr | Obj) -> int:
    return len(table.items) if isinstance(table, Arr) else len(table.entries)


def _build_row_type(cls: Cls) -> RowType:
    span = cls.code.source.stretch(cls.code.at.start, cls.code.at.end)
    return RowType(Text(cls.code.name, span), frozenset(cls.members))


def _read_action(row: Obj, given: dict[str, TsValue], around: Span) -> Action | None:
    """Return the action that a row is, None if its name cannot be read."""
    span = row.place.span if row.place is not None else around
    name = to_text_or_opaque(given.get("name"), span)
    if not isinstance(name, Text):
        return None
    return Action(
        name=name,
        span=span,
        description=to_text_or_opaque(given.get("description"), span),
        destructive=_read_flag(given.get("destructive"), span),
        parameters=_read_parameters(given, span),
        returns=to_text_or_opaque(given.get("returns"), span),
        idempotent=_read_flag(given.get("idempotent"), span),
    )


def _read_flag(value: TsValue | None, span: Span) -> bool | Opaque | None:
    """Return a flag of a row; None if the row says nothing of it."""
    settled = settle(value)[0] if value is not None else None
    if settled is None or (isinstance(settled, Const) and not isinstance(settled.value, bool)):
        return None
    if isinstance(settled, Const) and isinstance(settled.value, bool):
        return settled.value
    return Opaque("the flag is known at run time only", span)


def _read_parameters(given: dict[str, TsValue], span: Span) -> tuple[ToolParameter, ...] | Opaque:
    """Return the parameters that a row lists; a schema of a library, or another list, may tell them unseen."""
    listed = given.get("params", given.get("parameters"))
    if listed is None:
        held = any(isinstance(strip_conditions(each), Arr | Obj | TsSchema) for each in given.values())
        return Opaque("what holds the parameters is not known", span) if held else ()
    table = strip_conditions(listed)
    if not isinstance(table, Arr) or table.hidden:
        return Opaque(f"the parameters are not read: {ONLY_A_RUN}", span)
    found = []
    for each in table.items:
        row = strip_conditions(each)
        entries = row.entries if isinstance(row, Obj) else {"name": row}
        place = row.place.span if isinstance(row, Obj) and row.place is not None else span
        name = to_text_or_opaque(entries.get("name"), place)
        if not isinstance(name, Text):
            return Opaque(f"the parameters are not read: {ONLY_A_RUN}", span)
        required = _read_flag(entries.get("required"), place)
        found.append(
            ToolParameter(
                name,
                place,
                to_text_or_opaque(entries.get("description"), place),
                True if required is None else required,
            )
        )
    return tuple(found)
