"""Lists, tuples, sets and dicts: what iterates over them, changes them, and makes others of them."""

from collections.abc import Callable
from typing import Any

from reviewer.languages.python.evaluation import assumptions
from reviewer.languages.python.evaluation.amounts import ELEMENT, LARGEST, estimate_size
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.iterations import (
    is_closed,
    join_known_elements,
    list_bare_elements,
    list_elements,
    list_known_elements,
)
from reviewer.languages.python.evaluation.models import MODEL_SCHEMA, is_model, open_schema
from reviewer.languages.python.evaluation.operators import decide_truth
from reviewer.languages.python.evaluation.texts import to_plain
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    PyClass,
    PyGuarded,
    PyInstance,
    PyItems,
    PyMapping,
    PyUnknown,
    PyValue,
    guard_value,
    strip_conditions,
    to_key,
)
from reviewer.source import Span

KINDS = {"builtins.list": "list", "builtins.tuple": "tuple", "builtins.set": "set", "builtins.frozenset": "set"}


def evaluate_container(kind: str, run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `list(x)`, `tuple(x)`, `set(x)`."""
    first = arguments.get("", 0)
    if first is None:
        return PyItems(kind, [], arguments.span, under=run.conditions)  # type: ignore[arg-type]
    if isinstance(first, PyItems) and first.open:
        return PyItems(kind, list(first.items), arguments.span, True, run.conditions)  # type: ignore[arg-type]
    if isinstance(first, PyMapping) and first.open and first.entries:
        return PyItems(kind, list_known_elements(first) or [], arguments.span, True, run.conditions)  # type: ignore[arg-type]
    items = list_elements(first)
    return PyItems(kind, items, arguments.span, under=run.conditions) if items is not None else None  # type: ignore[arg-type]


def make_dict(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `dict(x, key=value)`."""
    first = open_schema(run, arguments.positional[0]) if arguments.positional else None
    made = PyMapping([], arguments.span, arguments.open, run.conditions)
    if isinstance(first, PyMapping):
        made.entries += first.entries
        made.open |= first.open
    elif first is not None:
        pairs = list_bare_elements(first)
        parts = [list_bare_elements(pair) for pair in pairs or ()]
        if pairs is None or any(part is None or len(part) != 2 for part in parts):
            return None
        for part in parts:
            made.put(part[0], part[1], run.conditions)  # type: ignore[index]  # None was ruled out
    for name, value in arguments.keywords.items():
        made.put(Const(name, arguments.span), value, run.conditions)
    return made


def from_keys(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `dict.fromkeys(keys, value)`."""
    keys = list_bare_elements(arguments.positional[0]) if arguments.positional else None
    value = arguments.get("value", 1) or Const(None, arguments.span)
    if keys is None:
        return None
    made = PyMapping([], arguments.span, under=run.conditions)
    for key in keys:
        made.put(key, value, run.conditions)
    return made


def evaluate_sorted(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `sorted(x, key=..., reverse=...)`; where the keys are no data, or there may be more, the order is not known."""
    first = arguments.positional[0] if arguments.positional else None
    if isinstance(first, PyItems) and first.open:
        return PyItems("set", list(first.items), arguments.span, True)
    items = list_elements(first) if first is not None else None
    if items is None:
        return None
    key, back = arguments.keywords.get("key"), arguments.keywords.get("reverse")
    keys = [
        run.call(key, CallArguments([strip_conditions(each)], {}, arguments.span)) if key else strip_conditions(each)
        for each in items
    ]
    order = _order([to_plain(each) for each in keys], back=isinstance(back, Const) and bool(back.value))
    if order is None:
        return PyItems("set", items, arguments.span)
    return PyItems("list", [items[index] for index in order], arguments.span)


def _order(keys: list[Any], *, back: bool = False) -> list[int] | None:
    """Return the places of keys in their order, None if they cannot be compared."""
    if any(isinstance(each, PyUnknown) for each in keys):
        return None
    try:
        return sorted(range(len(keys)), key=keys.__getitem__, reverse=back)
    except TypeError:
        return None


def _sort(items: PyItems, arguments: CallArguments) -> None:
    order = _order([to_plain(strip_conditions(each)) for each in items.items]) if not arguments.keywords else None
    if order is None:
        items.kind = "set"
    else:
        items.items[:] = [items.items[index] for index in order]


def evaluate_reversed(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `reversed(x)`."""
    items, is_open = _find_known(arguments.positional[0] if arguments.positional else None)
    return PyItems("list", items[::-1], arguments.span, is_open) if items is not None else None


def evaluate_enumerate(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `enumerate(x, start)`."""
    items = list_bare_elements(arguments.positional[0]) if arguments.positional else None
    start = arguments.get("start", 1)
    first = start.value if isinstance(start, Const) and isinstance(start.value, int) else 0
    if items is None:
        return None
    pairs = [
        PyItems("tuple", [Const(index, arguments.span), item], arguments.span)
        for index, item in enumerate(items, first)
    ]
    return PyItems("list", list(pairs), arguments.span)


def evaluate_zip(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `zip(x, y)`."""
    columns = [list_bare_elements(each) for each in arguments.positional]
    if any(column is None for column in columns):
        return None
    rows = zip(*(column for column in columns if column is not None), strict=False)
    return PyItems("list", [PyItems("tuple", list(row), arguments.span) for row in rows], arguments.span)


def evaluate_chain(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `itertools.chain(x, y)`."""
    found = join_known_elements(arguments.positional)
    return PyItems("list", found[0], arguments.span, found[1]) if found is not None else None


def evaluate_chain_from_iterable(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `itertools.chain.from_iterable(xs)`, and `sum(xs, [])`."""
    outer, is_open = _find_known(arguments.positional[0] if arguments.positional else None)
    made = join_known_elements([strip_conditions(each) for each in outer]) if outer is not None else None
    return PyItems("list", made[0], arguments.span, made[1] or is_open) if made is not None else None


def evaluate_sum(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `sum(xs, [])`, which joins lists."""
    start = arguments.get("start", 1)
    return evaluate_chain_from_iterable(run, arguments) if isinstance(start, PyItems) and not start.items else None


def _find_known(value: PyValue | None) -> tuple[list[PyValue] | None, bool]:
    """Return the known entries of a container, None if nothing is known, and whether there may be more."""
    return (None, True) if value is None else (list_known_elements(value), not is_closed(value))


def evaluate_filter(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `filter(test, x)`."""
    items, is_open = _find_known(arguments.positional[1] if len(arguments.positional) == 2 else None)
    if items is None:
        return None
    test = arguments.positional[0]
    kept = []
    for each in items:
        value = (
            strip_conditions(each)
            if isinstance(test, Const)
            else run.call(test, CallArguments([strip_conditions(each)], {}, arguments.span))
        )
        known = decide_truth(value)
        is_open |= known is None
        if known is not False:
            kept.append(each)
    return PyItems("list", kept, arguments.span, is_open)


def evaluate_map(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `map(function, x)`."""
    items, is_open = _find_known(arguments.positional[1] if len(arguments.positional) == 2 else None)
    if items is None:
        return None
    made: list[PyValue] = []
    for each in items:
        handed = CallArguments([strip_conditions(each)], {}, arguments.span, node=arguments.node, scope=arguments.scope)
        value = run.call(arguments.positional[0], handed)
        made.append(PyGuarded(value, each.conditions) if isinstance(each, PyGuarded) else value)
    return PyItems("list", made, arguments.span, is_open)


def evaluate_len(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `len(x)`."""
    items = list_elements(arguments.positional[0]) if arguments.positional else None
    if items is None or any(isinstance(each, PyGuarded) for each in items):
        return None
    return Const(len(items), arguments.span)


def evaluate_next(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `next(x, default)` for the first element."""
    items = list_elements(arguments.positional[0]) if arguments.positional else None
    if items is None or any(isinstance(each, PyGuarded) for each in items[:1]):
        return None
    return items[0] if items else arguments.get("", 1)


def build_quantifier(*, by: bool) -> Callable[[Evaluator, CallArguments], PyValue | None]:
    """Make a built-in of `any` (decided by a true element) or `all` (by a false one)."""

    def evaluate_quantifier(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
        first = arguments.get("", 0)
        items = first.items if isinstance(first, PyItems) else list_elements(first) if first is not None else None
        if items is None:
            return None
        known = [None if isinstance(each, PyGuarded) else decide_truth(each) for each in items]
        if by in known:
            return Const(by, arguments.span)
        unsure = None in known or (isinstance(first, PyItems) and first.open)
        return None if unsure else Const(not by, arguments.span)

    return evaluate_quantifier


def evaluate_reduce(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `reduce(function, x)`, and with where it begins."""
    given = arguments.positional
    items = list_elements(given[1]) if len(given) in (2, 3) else None
    if items is None or any(isinstance(each, PyGuarded) for each in items):
        return None
    values = [*given[2:], *items]
    found = values[0] if values else None
    for each in values[1:]:
        assert found is not None
        found = run.call(given[0], CallArguments([found, each], {}, arguments.span))
    return found


def copy_within_budget(run: Evaluator, value: PyValue) -> PyValue | None:
    """Copy containers at the cost of what they hold; None if that is more than the budget affords."""
    copies: dict[int, PyValue] = {}
    made = copy_containers(value, copies)
    return made if run.budget.affords("bytes", sum(map(estimate_size, copies.values()))) else None


def copy_containers(value: PyValue, copies: dict[int, PyValue] | None = None) -> PyValue:
    """Copy containers, which the caller may change; one that stands in several places stays one."""
    copies = {} if copies is None else copies
    if id(value) in copies:
        return copies[id(value)]
    if isinstance(value, PyItems):
        items = copies[id(value)] = PyItems(value.kind, [], value.span, value.open, value.under, value.names)
        items.items += [copy_containers(each, copies) for each in value.items]
        return items
    if isinstance(value, PyMapping):
        mapping = copies[id(value)] = PyMapping([], value.span, value.open, value.under)
        mapping.entries += [(key, copy_containers(each, copies)) for key, each in value.entries]
        return mapping
    if isinstance(value, PyGuarded):
        return PyGuarded(copy_containers(value.value, copies), value.conditions)
    if isinstance(value, PyInstance) and value.path == MODEL_SCHEMA:
        attributes = {name: copy_containers(each, copies) for name, each in value.attributes.items()}
        return PyInstance(value.made_by, value.args, value.keywords, value.span, attributes)
    return value


def has_room(run: Evaluator, container: PyItems | PyMapping, added: int) -> bool:
    """Return whether a list or a dict may grow by so many elements, and take them from the budget."""
    held = container.items if isinstance(container, PyItems) else container.entries
    return len(held) + added <= LARGEST and run.budget.affords("bytes", ELEMENT * added)


def extend(run: Evaluator, items: PyItems, more: list[PyValue] | None) -> None:
    """Add to a list what is known of it under the present conditions; what is unknown or too much leaves it open."""
    if more is None or not has_room(run, items, len(more)):
        items.open = True
    else:
        items.items += [guard_value(each, run.conditions, items.under) for each in more]


def call_items_method(run: Evaluator, items: PyItems, name: str, arguments: CallArguments) -> PyValue | None:
    """Call a method of a list, tuple or set."""
    first, conditions = arguments.get("", 0), run.conditions
    if name in ("append", "add") and first is not None:
        extend(run, items, [first])
    elif name == "insert" and len(arguments.positional) > 1:
        at = arguments.positional[0]
        index = at.value if isinstance(at, Const) and isinstance(at.value, int) else len(items.items)
        items.items.insert(index, guard_value(arguments.positional[1], conditions, items.under))
    elif name in ("extend", "update") and first is not None:
        more, is_open = _find_known(first)
        extend(run, items, more)
        items.open |= is_open
    elif name == "copy":
        return PyItems(items.kind, list(items.items), items.span, items.open, items.under)
    elif name == "union":
        joined, is_open = join_known_elements([items, *arguments.positional]) or ([], True)
        return PyItems("set", joined, items.span, is_open)
    elif name in ("reverse", "sort"):
        _sort(items, arguments) if name == "sort" else items.items.reverse()
    elif name in ("remove", "pop", "clear", "discard"):
        items.open = True
    else:
        return None
    return Const(None, arguments.span)


def call_mapping_method(run: Evaluator, mapping: PyMapping, name: str, arguments: CallArguments) -> PyValue | None:
    """Call a method of a dict."""
    first, conditions = arguments.get("", 0), run.conditions
    if name in ("items", "keys", "values"):
        return PyItems("list", [_show(name, *entry) for entry in mapping.entries], mapping.span, mapping.open)
    if name == "update":
        _update(run, mapping, arguments)
        return Const(None, arguments.span)
    if name == "copy":
        return PyMapping(list(mapping.entries), mapping.span, mapping.open, mapping.under)
    first = assumptions.choose_key(run, mapping, first) if first is not None else None
    if first is None or to_key(first) is None or mapping.open:
        return None
    found = mapping.look_up(first)
    if name == "get":
        return found or arguments.get("", 1) or Const(None, arguments.span)
    if name == "setdefault" and len(arguments.positional) > 1:
        if found is None:
            mapping.put(first, arguments.positional[1], conditions)
        return mapping.look_up(first)
    if name == "pop" and not conditions[len(mapping.under) :]:
        mapping.remove(first)
        return found or arguments.get("", 1)
    return None


def _show(name: str, key: PyValue, value: PyValue) -> PyValue:
    """Return the item of `items()`, `keys()` or `values()` for one entry, under the entry's own conditions."""
    inner = strip_conditions(value)
    span = getattr(key, "span", None) or Span("", 1, 1, 1, 1)
    shown = PyItems("tuple", [key, inner], span) if name == "items" else key if name == "keys" else inner
    return PyGuarded(shown, value.conditions) if isinstance(value, PyGuarded) else shown


def _update(run: Evaluator, mapping: PyMapping, arguments: CallArguments) -> None:
    first = arguments.get("", 0)
    named: list[tuple[PyValue, PyValue]] = [
        (Const(name, arguments.span), each) for name, each in arguments.keywords.items()
    ]
    given = [*(first.entries if isinstance(first, PyMapping) else ()), *named]  # a dict may be updated with itself
    mapping.open |= arguments.open or (first is not None and not (isinstance(first, PyMapping) and not first.open))
    if not has_room(run, mapping, len(given)):
        mapping.open = True
        return
    for key, value in given:
        mapping.put(key, value, run.conditions)


def as_dict(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `dataclasses.asdict(x)` and `model.model_dump()`."""
    first = arguments.get("", 0)
    if not isinstance(first, PyInstance) or not isinstance(first.made_by, PyClass):
        return None
    is_open = is_model(first.made_by) or any(isinstance(each, PyUnknown) for each in first.attributes.values())
    entries: list[tuple[PyValue, PyValue]] = [
        (Const(name, first.span), each) for name, each in first.attributes.items()
    ]
    return PyMapping(entries, first.span, is_open)


def _copy(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `copy.copy(x)` and `copy.deepcopy(x)`."""
    return copy_within_budget(run, arguments.positional[0]) if arguments.positional else None


FUNCTIONS: dict[str, Callable[[Evaluator, CallArguments], PyValue | None]] = {
    "builtins.dict": make_dict,
    "builtins.dict.fromkeys": from_keys,
    "builtins.sorted": evaluate_sorted,
    "builtins.reversed": evaluate_reversed,
    "builtins.enumerate": evaluate_enumerate,
    "builtins.zip": evaluate_zip,
    "builtins.filter": evaluate_filter,
    "builtins.map": evaluate_map,
    "functools.reduce": evaluate_reduce,
    "builtins.sum": evaluate_sum,
    "builtins.len": evaluate_len,
    "builtins.next": evaluate_next,
    "builtins.iter": lambda _run, arguments: arguments.get("", 0),
    "builtins.any": build_quantifier(by=True),
    "builtins.all": build_quantifier(by=False),
    "itertools.chain": evaluate_chain,
    "itertools.chain.from_iterable": evaluate_chain_from_iterable,
    "dataclasses.asdict": as_dict,
    "copy.deepcopy": _copy,
    "copy.copy": _copy,
    "types.MappingProxyType": lambda _run, arguments: arguments.get("", 0),
}
