"""Of which classes an exception is, and which clauses catch it."""

from collections.abc import Iterator

from reviewer.code.events import Context
from reviewer.code.program import Program
from reviewer.code.values import Class, Instance, Library, Value


def collect_kinds(value: Value) -> tuple[Class | Library, ...]:
    """Return the classes of which a value may be an object; a class stands for an object of it, as in `raise KeyError`."""
    found = (each.of if isinstance(each, Instance) else each for each in value.things)
    return tuple(each for each in found if isinstance(each, Class | Library))


def iter_ancestors(program: Program, kind: Class | Library) -> Iterator[Class | Library]:
    """Yield a class and those that it descends from, each once."""
    seen: set[Class | Library] = set()
    pending = [kind]
    while pending:
        current = _get_canonical(program, pending.pop())
        if current not in seen:
            seen.add(current)
            yield current
            pending += program.find_parents(current)


def _get_canonical(program: Program, kind: Class | Library) -> Class | Library:
    """Return a library's class by the one path under which all its names are known."""
    model = program.models.find_model(kind.path) if isinstance(kind, Library) else None
    return Library(model.type) if model is not None and model.type else kind


def collect_caught_types(program: Program, context: Context) -> frozenset[Class | Library]:
    """Return the classes that a clause names, also in a tuple that has a name."""
    values = [part for each in context.types for part in ((each.contents or {}).values() or (each,))]
    return frozenset(_get_canonical(program, kind) for each in values for kind in collect_kinds(each))


ANYTHING = frozenset({Library("builtins.Exception"), Library("builtins.BaseException")})
"""The classes of all exceptions."""


def takes_any(program: Program, clause: Context) -> bool:
    """Return whether a clause takes exceptions of any kind."""
    kinds = collect_caught_types(program, clause)
    return not kinds or not kinds.isdisjoint(ANYTHING)


def is_caught(program: Program, context: Context, kind: Class | Library) -> bool:
    """Return whether a circumstance catches an exception of a class: a `try` around it, or a manager that suppresses."""
    if context.condition == "catches":
        return not context.types or not collect_caught_types(program, context).isdisjoint(iter_ancestors(program, kind))
    return not collect_suppressed_types(program, context).isdisjoint(iter_ancestors(program, kind))


def collect_suppressed_types(program: Program, context: Context) -> frozenset[Class | Library]:
    """Return the classes of exceptions that a manager surely takes, or a `finally` that leaves: `with suppress(KeyError)`."""
    if context.condition not in ("manager", "ensures"):
        return frozenset()
    return frozenset(_get_canonical(program, kind) for each in context.types for kind in collect_kinds(each))
