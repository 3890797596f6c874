"""What a loop over a value meets: the elements of containers, texts and enumerations, each with what it depends on."""

from collections.abc import Sequence

from tree_sitter import Node

from reviewer.facts import Condition
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.names import is_enum
from reviewer.languages.python.evaluation.possible_values import flatten_alternatives
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    Const,
    PyClass,
    PyFunction,
    PyGuarded,
    PyInstance,
    PyItems,
    PyMapping,
    PyScope,
    PyUnknown,
    PyValue,
    strip_conditions,
    to_key,
)

SEVERAL = 8
"""The most containers of which a loop may visit one; of more the elements are left unknown, because each is compared with all.
40 servers had up to 4.
"""


def list_bare_elements(value: PyValue) -> list[PyValue] | None:
    """Return the elements that a loop over a value visits; None if only a run can tell."""
    found = list_elements(value)
    return [strip_conditions(each) for each in found] if found is not None else None


def list_elements(value: PyValue) -> list[PyValue] | None:
    """Return the elements that a loop over a value visits, each with its conditions; None if only a run can tell."""
    match value:
        case PyItems(items=items, open=False):
            return list(items)
        case PyMapping(entries=entries, open=False):
            return [PyGuarded(key, each.conditions) if isinstance(each, PyGuarded) else key for key, each in entries]
        case Const(value=str() as text) if len(text) < 1000:
            return [Const(letter, value.span) for letter in text]
        case PyClass() if is_enum(value):
            return list_enum_members(value)
        case PyInstance(made_by=PyClass() as cls) if any(
            base.endswith(".NamedTuple") for base in cls.list_external_bases()
        ):
            return list(value.attributes.values())
        case _:
            return None


def list_known_elements(value: PyValue) -> list[PyValue] | None:
    """Return the elements that a loop over a container of more certainly visits; None if none is known."""
    if isinstance(value, PyItems) and value.open and value.items:
        return list(value.items)
    if isinstance(value, PyMapping) and value.open and value.entries:
        return [PyGuarded(key, each.conditions) if isinstance(each, PyGuarded) else key for key, each in value.entries]
    if isinstance(value, PyUnknown | Alternatives):
        return _find_for_either(value)
    return list_elements(value)


def join_known_elements(values: Sequence[PyValue]) -> tuple[list[PyValue], bool] | None:
    """Return the known entries of several containers, one after another, and whether there may be more; None if nothing is known.

    A list of which a part comes from elsewhere at run time still has the elements that the source writes down.
    """
    parts = [(list_known_elements(each), not is_closed(each)) for each in values]
    if all(known is None for known, _ in parts) and not any(_is_list(each) for each in values):
        return None
    return [each for known, _ in parts for each in known or ()], any(is_open for _, is_open in parts)


def _is_list(value: PyValue) -> bool:
    return isinstance(value, PyItems | PyMapping)


def is_closed(value: PyValue) -> bool:
    """Return whether a loop meets nothing but what is known of a container."""
    several = flatten_alternatives((value,), SEVERAL)
    return all(list_elements(each) is not None for each in several) if several else list_elements(value) is not None


def _find_for_either(value: PyUnknown | Alternatives) -> list[PyValue] | None:
    """Return the elements that a loop over one of several containers may visit, each once.

    An element that not all of them contain depends on the choice.
    """
    parts = [list_elements(each) for each in flatten_alternatives((value,), SEVERAL)]
    met: dict[object, tuple[PyValue, int]] = {}
    times: dict[object, int] = {}
    for way, part in enumerate(parts):
        for each in part or ():
            key = _get_identity(each)
            met.setdefault(key, (each, way))
            times[key] = times.get(key, 0) + 1
    sure = len(parts) if len(parts) > 1 else None
    return [
        each if times[key] == sure else _build_given(each, _build_choice(value, way))
        for key, (each, way) in met.items()
    ] or None


def _build_choice(value: PyUnknown | Alternatives, way: int) -> Condition:
    """Say what decides which container it is."""
    reason = value.reason if isinstance(value, PyUnknown) else value.assumed
    return Condition(f"as {reason} says" if reason is not None else "one of several", value.span, (way,))


def _get_identity(value: PyValue) -> object:
    key = to_key(strip_conditions(value))
    return key if key is not None else id(strip_conditions(value))


def _build_given(value: PyValue, condition: Condition) -> PyGuarded:
    further = value.conditions if isinstance(value, PyGuarded) else ()
    return PyGuarded(strip_conditions(value), (condition, *further))


def list_enum_members(cls: PyClass) -> list[PyValue]:
    """Return the members of an enumeration in order."""
    span = cls.scope.module.locate(cls.node)
    return [
        PyInstance(cls, [], {}, span, {"value": each, "name": Const(name, span)})
        for name, each in cls.names.items()
        if not name.startswith("_") and not isinstance(each, PyFunction | PyClass)
    ]


def stretch(run: Evaluator, node: Node, scope: PyScope) -> slice | None:
    """Read `1:2` as a slice; None if a bound can only be told by a run, or no list has it."""
    bounds: list[int | None] = [None]
    for part in node.children:
        if part.type == ":":
            bounds.append(None)
            continue
        value = run.evaluate(part, scope)
        if not isinstance(value, Const) or not isinstance(value.value, int | None):
            return None
        bounds[-1] = value.value
    return None if len(bounds) > 2 and bounds[2] == 0 else slice(*bounds)
