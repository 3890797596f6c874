"""What JavaScript's own objects have and do: arrays, texts, `Object`, `JSON`, maps and sets, promises."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from reviewer.facts import Condition
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.jsonable import to_json
from reviewer.languages.typescript.evaluation.operators import compare, concatenate, find_truth, to_string
from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    SYMBOL,
    UNDEFINED,
    Arr,
    Cls,
    Const,
    Either,
    Func,
    Lib,
    Maybe,
    Namespace,
    Obj,
    TsMade,
    TsPlace,
    TsSchema,
    TsUnknown,
    TsValue,
    iter_options,
    join,
    settle,
    strip_conditions,
)
from reviewer.languages.typescript.project.modules import Imported

CONFIGURED = frozenset({"process.env", "import.meta.env", "Deno.env", "Bun.env"})
"""What holds the variables of the environment."""

MOST = 5_000
"""Elements of an array that are gone through."""

ITERATING = frozenset({"map", "forEach", "filter", "flatMap", "find", "some", "every"})
"""Methods of arrays that call a function for each element: of an array that only a run knows, for one that is unknown."""

Items = list[tuple[tuple[Condition, ...], TsValue]]


def from_json(data: Any, conditions: tuple[Condition, ...]) -> TsValue:
    """Return the contents of a JSON document, as a value."""
    if isinstance(data, dict):
        return Obj({key: from_json(each, conditions) for key, each in data.items()}, conditions=conditions)
    if isinstance(data, list):
        return Arr([from_json(each, conditions) for each in data], conditions=conditions)
    return Const(data)


def list_items(run: Evaluator, value: TsValue, place: TsPlace) -> tuple[Items, str]:
    """Return the elements of what can be gone through, with what holds where each is there, and why there may be more."""
    found: Items = []
    hidden = ""
    for conditions, each in iter_options(value):
        match each:
            case Arr(items=items):
                for item in items[:MOST]:
                    found += (
                        [((*conditions, *item.conditions), item.value)]
                        if isinstance(item, Maybe)
                        else [(conditions, item)]
                    )
                hidden = hidden or each.hidden
            case Const(value=str() as text):
                found += [(conditions, Const(letter, place)) for letter in text[:MOST]]
            case Const():
                continue
            case _:
                hidden = each.reason if isinstance(each, TsUnknown) else ONLY_A_RUN
    return found, hidden


def list_entries(run: Evaluator, value: TsValue, place: TsPlace) -> tuple[list[tuple[str, TsValue]], str]:
    """Return the entries of an object, and why there may be more; of one of several objects, each with its condition."""
    either, value = strip_conditions(value), settle(value)[0]
    match value:
        case TsUnknown() if isinstance(either, Either):
            return _list_entries_of_options(run, either, place)
        case Obj():
            told = [(key, each) for key, each in value.entries.items() if not key.startswith(SYMBOL)]
            return [(key, run.read_entry(each, value, place)) for key, each in told], value.hidden
        case Namespace(module=module):
            names = run.list_exports(module)
            return [(name, found) for name in names if (found := run.export(module, name)) is not None], ""
        case Arr():
            return [(str(at), each) for at, each in enumerate(value.items)], value.hidden
        case Cls():
            return [(key, each) for key, each in value.members.items() if not isinstance(each, Func)], ""
        case Const():
            return [], ""
    return [], value.reason if isinstance(value, TsUnknown) else ONLY_A_RUN


def _list_entries_of_options(run: Evaluator, value: Either, place: TsPlace) -> tuple[list[tuple[str, TsValue]], str]:
    found: list[tuple[str, TsValue]] = []
    reasons = ""
    for conditions, each in iter_options(value):
        entries, hidden = list_entries(run, each, place)
        reasons = reasons or hidden
        found += [(key, _wrap_conditions(one, conditions)) for key, one in entries]
    return found, reasons


def spread_into(run: Evaluator, made: Obj, value: TsValue, place: TsPlace) -> None:
    """Lay the entries of a value over those of an object that is being made."""
    options = list(iter_options(value))
    for conditions, each in options:
        entries, hidden = list_entries(run, each, place)
        made.hidden = made.hidden or hidden
        for key, one in entries:
            is_sure = not conditions or len(options) == 1
            made.entries[key] = one if is_sure and not conditions else Maybe(strip_conditions(one), conditions)


def read(owner: Lib, name: str, place: TsPlace) -> TsValue | None:
    """Return the member of an object of the language, if more is known about it than its name."""
    if owner.path in CONFIGURED:
        return TsUnknown(f"the variable `{name}` of the environment says it", place, is_configured=True)
    if owner.path in ("process", "import.meta", "globalThis", "os") and name in (
        "argv",
        "platform",
        "cwd",
        "url",
        "dirname",
    ):
        return TsUnknown(ONLY_A_RUN, place)
    if owner.path == "Number" and name == "MAX_SAFE_INTEGER":
        return Const(2**53 - 1, place)
    return None


def read_member(run: Evaluator, owner: TsValue, name: str, place: TsPlace) -> TsValue | None:
    """Return the member of a text, an array or a function."""
    match owner:
        case Arr(kind="list") if name == "length" and not owner.hidden:
            return Const(len(owner.items), place)
        case Arr() if name == "size" and not owner.hidden:
            return Const(len(owner.items), place)
        case Const(value=str() as text) if name == "length":
            return Const(len(text), place)
        case Func() if name == "name":
            return Const(owner.code.name, place)
    return None


def read_item(run: Evaluator, owner: TsValue, key: TsValue, place: TsPlace) -> TsValue:
    """Return the entry of an object under a key, or the element of an array at an index."""
    owner, key = strip_conditions(owner), strip_conditions(key)
    if isinstance(key, Either):
        return join([(conditions, read_item(run, owner, each, place)) for conditions, each in key.options])
    if isinstance(owner, Either):
        return join([(conditions, read_item(run, each, key, place)) for conditions, each in owner.options])
    if not isinstance(key, Const) or key.value is None:
        reason = key.reason if isinstance(key, TsUnknown) else ONLY_A_RUN
        return TsUnknown(reason, place)
    if isinstance(owner, Arr) and isinstance(key.value, int):
        if 0 <= key.value < len(owner.items):
            return owner.items[key.value]
        return TsUnknown(owner.hidden, place) if owner.hidden else UNDEFINED
    if isinstance(owner, Const) and isinstance(owner.value, str) and isinstance(key.value, int):
        return Const(owner.value[key.value], place) if 0 <= key.value < len(owner.value) else UNDEFINED
    return run.read(owner, to_string(key.value), place)


def cast(run: Evaluator, value: TsValue, kind: str, place: TsPlace) -> TsValue:
    """Return a value as a number, its type's name, or its keys."""
    value = settle(value)[0]
    if kind == "keys":
        entries, hidden = list_entries(run, value, place)
        return Arr([Const(key, place) for key, _ in entries], place, hidden, run.conditions)
    if kind == "number":
        return _to_number(value, place)
    if kind == "typeof":
        name = _name_type(value)
        return Const(name, place) if name else TsUnknown(ONLY_A_RUN, place)
    return TsUnknown(ONLY_A_RUN, place)


def _name_type(value: TsValue) -> str:
    match value:
        case Const(value=str()):
            return "string"
        case Const(value=bool()):
            return "boolean"
        case Const(value=int() | float()):
            return "number"
        case Const():
            return "undefined" if value.is_undefined else "object"
        case Func() | Cls():
            return "function"
        case Obj() | Arr() | TsSchema() | Namespace():
            return "object"
    return ""


def _to_number(value: TsValue, place: TsPlace) -> TsValue:
    if isinstance(value, Const):
        try:
            if isinstance(value.value, str):
                number = float(value.value or 0)
                return Const(int(number) if number.is_integer() else number, place)
            return Const(value.value if value.value is not None else 0, place)
        except (ValueError, OverflowError):
            return TsUnknown(ONLY_A_RUN, place)
    return TsUnknown(value.reason if isinstance(value, TsUnknown) else ONLY_A_RUN, place)


def call(run: Evaluator, callee: Lib, args: list[TsValue], place: TsPlace) -> TsValue:
    """Return the result of a function of the language or a library."""
    build = _FUNCTIONS.get(callee.path)
    if build is not None:
        return build(run, args, place)
    run.hand_out(args)
    return TsMade(callee, tuple(args), place)


def _get_first(args: list[TsValue]) -> TsValue:
    return args[0] if args else UNDEFINED


def _build_truth(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    told = find_truth(_get_first(args))
    return Const(told, place) if told is not None else TsUnknown(ONLY_A_RUN, place)


def _build_map(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    items, hidden = list_items(run, _get_first(args), place)
    return Arr([_wrap_conditions(each, conditions) for conditions, each in items], place, hidden, run.conditions, "map")


def _build_set(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    items, hidden = list_items(run, _get_first(args), place)
    found = Arr([], place, hidden, run.conditions, "set")
    for conditions, each in items:
        _add_once(found, _wrap_conditions(each, conditions), place)
    return found


def _build_promise(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    executor = strip_conditions(_get_first(args))
    if isinstance(executor, Func):
        run.call(executor, [TsUnknown(ONLY_A_RUN), TsUnknown(ONLY_A_RUN)], place)
    return TsUnknown(ONLY_A_RUN, place)


def _build_error(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    return Obj({"message": _get_first(args)}, place, conditions=run.conditions)


def _require(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    told = strip_conditions(_get_first(args))
    module = run.modules.by_path.get(place.source.path)
    if not isinstance(told, Const) or not isinstance(told.value, str) or module is None:
        return TsUnknown(ONLY_A_RUN, place)
    return run.evaluate_import(Imported(told.value, None), module)


def _wrap_conditions(value: TsValue, conditions: tuple[Condition, ...]) -> TsValue:
    return Maybe(value, conditions) if conditions else value


def _add_once(found: Arr, value: TsValue, place: TsPlace) -> None:
    plain = strip_conditions(value)
    for each in found.items:
        same = compare("==", strip_conditions(each), plain, place)
        if isinstance(same, Const) and same.value is True:
            return
    found.items.append(value)


def call_method(run: Evaluator, owner: TsValue, name: str, args: list[TsValue], place: TsPlace) -> TsValue | None:
    """Return the result of a method of the language; None if it is none."""
    match owner:
        case Arr(kind="list"):
            return _call_of(_ARRAYS, run, owner, name, args, place)
        case Arr():
            return _call_of(_TABLES, run, owner, name, args, place)
        case Const(value=str()):
            return _call_text(run, owner, name, args, place)
        case Const(value=int() | float()) if name in ("toString", "toLocaleString", "toFixed"):
            return concatenate([owner], place) if name == "toString" else TsUnknown(ONLY_A_RUN, place)
        case Lib():
            found = _STATICS.get(f"{owner.path}.{name}")
            return found(run, args, place) if found is not None else None
        case Obj() if name in ("hasOwnProperty",) and args:
            return compare("in", args[0], owner, place)
    if (
        name in ITERATING
        and isinstance(owner, TsUnknown | TsMade)
        and args
        and isinstance(strip_conditions(args[0]), Func)
    ):
        reason = owner.reason if isinstance(owner, TsUnknown) else ONLY_A_RUN
        _apply_to_each(run, Arr([], place, reason, run.conditions), args, place)
        return TsUnknown(reason, place, isinstance(owner, TsUnknown) and owner.is_configured)
    if name in ("then", "finally") and args:
        function = strip_conditions(args[0])
        if isinstance(function, Func):
            return run.call(function, [owner] if name == "then" else [], place)
    if name == "catch" and isinstance(owner, Const | Obj | Arr | TsUnknown):
        return owner
    return None


BuiltinMethod = Callable[[Evaluator, Arr, list[TsValue], TsPlace], TsValue]


def _call_of(
    table: dict[str, BuiltinMethod], run: Evaluator, owner: Arr, name: str, args: list[TsValue], place: TsPlace
) -> TsValue | None:
    method = table.get(name)
    return method(run, owner, args, place) if method is not None else None


def _make_array(run: Evaluator, items: Iterable[TsValue], owner: Arr, place: TsPlace) -> Arr:
    return Arr(list(items), place, owner.hidden, run.conditions)


def _apply_to_each(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> list[tuple[TsValue, TsValue]]:
    """Return the elements of an array, each with what a function makes of it."""
    function = args[0] if args else UNDEFINED
    found: list[tuple[TsValue, TsValue]] = []
    items, hidden = list_items(run, owner, place)
    for number, (conditions, each) in enumerate(items):
        with run.with_conditions(conditions):
            made = run.call(function, [each, Const(number), owner], place)
        found.append((_wrap_conditions(each, conditions), _wrap_conditions(made, conditions)))
    if hidden:
        condition = Condition(f"each of `{place.text[:60]}`", place.span)
        with run.with_conditions((condition,)):
            run.call(function, [TsUnknown(hidden, place), TsUnknown(ONLY_A_RUN), owner], place)
    return found


def _map(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    return _make_array(run, (made for _, made in _apply_to_each(run, owner, args, place)), owner, place)


def _call_for_each(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    _apply_to_each(run, owner, args, place)
    return UNDEFINED


def _filter(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    kept: list[TsValue] = []
    for each, made in _apply_to_each(run, owner, args, place):
        told = find_truth(made)
        if told is None:
            condition = Condition(" ".join(place.text.split())[-80:], place.span)
            kept.append(
                Maybe(strip_conditions(each), (*(each.conditions if isinstance(each, Maybe) else ()), condition))
            )
        elif told:
            kept.append(each)
    return _make_array(run, kept, owner, place)


def _map_and_flatten(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    return _flatten(
        run, _make_array(run, (made for _, made in _apply_to_each(run, owner, args, place)), owner, place), [], place
    )


def _flatten(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    found = _make_array(run, (), owner, place)
    for each in owner.items:
        plain = strip_conditions(each)
        if isinstance(plain, Arr | Either):
            items, hidden = list_items(run, each, place)
            found.items += [_wrap_conditions(item, conditions) for conditions, item in items]
            found.hidden = found.hidden or hidden
        else:
            found.items.append(each)
    return found


def _concatenate_arrays(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    return _flatten(run, _make_array(run, [*owner.items, *args], owner, place), [], place)


def _push(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    more = tuple(each for each in run.conditions if each not in owner.conditions)
    owner.items += [_wrap_conditions(each, more) for each in args]
    return TsUnknown(ONLY_A_RUN, place)


def _push_front(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    more = tuple(each for each in run.conditions if each not in owner.conditions)
    owner.items[:0] = [_wrap_conditions(each, more) for each in args]
    return TsUnknown(ONLY_A_RUN, place)


def _join(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    if owner.hidden or any(isinstance(each, Maybe) for each in owner.items):
        return TsUnknown(owner.hidden or ONLY_A_RUN, place)
    between = args[0] if args else Const(",")
    parts = [part for each in owner.items for part in (between, each)]
    return concatenate(parts[1:], place) if parts else Const("", place)


def _slice(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    plain = [
        each.value for each in map(strip_conditions, args) if isinstance(each, Const) and isinstance(each.value, int)
    ]
    if len(plain) != len(args) or owner.hidden:
        return TsUnknown(ONLY_A_RUN, place)
    start, end = plain[0] if plain else 0, plain[1] if len(plain) > 1 else None
    return _make_array(run, owner.items[start:end], owner, place)


def _find(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    for each, made in _apply_to_each(run, owner, args, place):
        told = find_truth(made)
        if told is None:
            return TsUnknown(ONLY_A_RUN, place)
        if told:
            return each
    return TsUnknown(owner.hidden, place) if owner.hidden else UNDEFINED


def _test(wanted: bool) -> BuiltinMethod:
    def run_test(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
        told = [find_truth(made) for _, made in _apply_to_each(run, owner, args, place)]
        if wanted in told:
            return Const(wanted, place)
        return TsUnknown(ONLY_A_RUN, place) if None in told or owner.hidden else Const(not wanted, place)

    return run_test


def _reduce(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    items = [strip_conditions(each) for each in owner.items]
    if owner.hidden or not args:
        return TsUnknown(owner.hidden or ONLY_A_RUN, place)
    if len(args) < 2 and not items:
        return TsUnknown(ONLY_A_RUN, place)
    found = args[1] if len(args) > 1 else items.pop(0)
    for number, each in enumerate(items):
        found = run.call(args[0], [found, each, Const(number), owner], place)
    return found


def _test_membership(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    return compare("in", args[0] if args else UNDEFINED, owner, place)


def _get_at(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    return read_item(run, owner, args[0] if args else UNDEFINED, place)


def _sort(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    plain = [each.value for each in map(strip_conditions, owner.items) if isinstance(each, Const)]
    if not args and len(plain) == len(owner.items) and all(isinstance(each, str) for each in plain):
        owner.items.sort(key=lambda each: str(strip_conditions(each).value))  # type: ignore[attr-defined]
    return owner


def _reverse(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    owner.items.reverse()
    return owner


def _return_owner(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    return owner


def _pair_with_indices(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    pairs = (Arr([Const(at), each], place, conditions=run.conditions) for at, each in enumerate(owner.items))
    return _make_array(run, pairs, owner, place)


_ARRAYS: dict[str, BuiltinMethod] = {
    "map": _map, "forEach": _call_for_each, "filter": _filter, "flatMap": _map_and_flatten, "flat": _flatten,
    "concat": _concatenate_arrays, "push": _push, "unshift": _push_front, "join": _join, "slice": _slice, "find": _find,
    "some": _test(True), "every": _test(False), "reduce": _reduce, "includes": _test_membership, "at": _get_at,
    "sort": _sort, "toSorted": _sort, "reverse": _reverse, "values": _return_owner, "entries": _pair_with_indices,
}  # fmt: skip


# Maps and sets.


def _set(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    more = tuple(each for each in run.conditions if each not in owner.conditions)
    pair = Arr(list(args[:2]), place, conditions=run.conditions)
    kept = []
    for each in owner.items:
        held = strip_conditions(each)
        key = strip_conditions(held.items[0]) if isinstance(held, Arr) and held.items else UNDEFINED
        same = compare("==", key, strip_conditions(args[0]) if args else UNDEFINED, place)
        if not (isinstance(same, Const) and same.value is True and not more):
            kept.append(each)
    owner.items = [*kept, _wrap_conditions(pair, more)]
    return owner


def _add(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    more = tuple(each for each in run.conditions if each not in owner.conditions)
    for each in args[:1]:
        _add_once(owner, _wrap_conditions(each, more), place)
    return owner


def _get(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    wanted = strip_conditions(args[0]) if args else UNDEFINED
    unsure = bool(owner.hidden)
    for each in owner.items:
        held = strip_conditions(each)
        key = strip_conditions(held.items[0]) if isinstance(held, Arr) and held.items else UNDEFINED
        same = compare("==", key, wanted, place)
        if isinstance(same, Const) and same.value is True and isinstance(held, Arr):
            return held.items[1]
        unsure = unsure or not isinstance(same, Const)
    return TsUnknown(owner.hidden or ONLY_A_RUN, place) if unsure else UNDEFINED


def _test_key(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    if owner.kind == "set":
        return _test_membership(run, owner, args, place)
    found = _get(run, owner, args, place)
    return found if isinstance(found, TsUnknown) else Const(found is not UNDEFINED, place)


def _build_column_reader(at: int) -> BuiltinMethod:
    def read_column(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
        if owner.kind == "set":
            return _make_array(run, owner.items, owner, place)
        found: list[TsValue] = []
        for each in owner.items:
            held = strip_conditions(each)
            if isinstance(held, Arr) and len(held.items) > at:
                found.append(_wrap_conditions(held.items[at], each.conditions if isinstance(each, Maybe) else ()))
        return _make_array(run, found, owner, place)

    return read_column


def _call_for_each_entry(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    for each in owner.items:
        held = strip_conditions(each)
        conditions = each.conditions if isinstance(each, Maybe) else ()
        given = [held.items[1], held.items[0]] if isinstance(held, Arr) and owner.kind == "map" else [held, held]
        with run.with_conditions(conditions):
            run.call(args[0] if args else UNDEFINED, given, place)
    return UNDEFINED


def _as_list(run: Evaluator, owner: Arr, args: list[TsValue], place: TsPlace) -> TsValue:
    return _make_array(run, owner.items, owner, place)


_TABLES: dict[str, BuiltinMethod] = {
    "set": _set, "add": _add, "get": _get, "has": _test_key, "keys": _build_column_reader(0),
    "values": _build_column_reader(1), "entries": _as_list, "forEach": _call_for_each_entry,
}  # fmt: skip


# Texts.


def _call_text(run: Evaluator, owner: Const, name: str, args: list[TsValue], place: TsPlace) -> TsValue | None:
    text = str(owner.value)
    plain = [each.value if isinstance(each, Const) else each for each in (settle(arg)[0] for arg in args)]
    change = _TEXTS.get(name)
    if change is None:
        return TsUnknown(ONLY_A_RUN, place) if name in _OF_TEXTS else None
    if any(isinstance(each, TsValue) for each in plain):
        return TsUnknown(ONLY_A_RUN, place)
    try:
        found = change(text, *plain)
    except (TypeError, ValueError, IndexError):
        return TsUnknown(ONLY_A_RUN, place)
    if isinstance(found, list):
        return Arr([Const(each, place) for each in found], place, conditions=run.conditions)
    return Const(found, place, assumed=owner.assumed)


def _slice_text(text: str, start: int = 0, end: int | None = None) -> str:
    return text[start:end]


def _cut_text(text: str, start: int = 0, end: int | None = None) -> str:
    start, end = max(start, 0), len(text) if end is None else max(end, 0)
    return text[min(start, end) : max(start, end)]


def _split_text(text: str, at: str | None = None) -> list[str]:
    return [text] if at is None else list(text) if at == "" else text.split(at)


_TEXTS: dict[str, Callable[..., Any]] = {
    "toLowerCase": str.lower, "toUpperCase": str.upper, "toLocaleLowerCase": str.lower, "toLocaleUpperCase": str.upper,
    "trim": str.strip, "trimStart": str.lstrip, "trimEnd": str.rstrip, "toString": str, "valueOf": str,
    "slice": _slice_text, "substring": _cut_text, "split": _split_text, "charAt": lambda text, at=0: text[at : at + 1],
    "startsWith": str.startswith, "endsWith": str.endswith, "includes": lambda text, part: part in text,
    "indexOf": str.find, "repeat": lambda text, times: text * times if len(text) * times < 2**20 else text[:0],
    "replace": lambda text, old, new: text.replace(str(old), new, 1), "replaceAll": lambda text, old, new: text.replace(old, new),
    "padStart": lambda text, width, fill=" ": text.rjust(width, fill) if width < 1000 else text,
    "padEnd": lambda text, width, fill=" ": text.ljust(width, fill) if width < 1000 else text,
    "concat": lambda text, *more: text + "".join(map(to_string, more)),
}  # fmt: skip
_OF_TEXTS = frozenset({"match", "matchAll", "search", "normalize", "localeCompare", "codePointAt", "charCodeAt", "at"})
"""Methods of texts whose results are not worked out: to know them as such tells an unknown text from an unknown method."""


# What `Object`, `Array`, `JSON` and `Promise` do.


def _list_keys(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    entries, hidden = list_entries(run, args[0] if args else UNDEFINED, place)
    return Arr([Const(key, place) for key, _ in entries], place, hidden, run.conditions)


def _list_values(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    entries, hidden = list_entries(run, args[0] if args else UNDEFINED, place)
    return Arr([each for _, each in entries], place, hidden, run.conditions)


def _list_entry_pairs(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    entries, hidden = list_entries(run, args[0] if args else UNDEFINED, place)
    pairs: list[TsValue] = [
        _wrap_conditions(
            Arr([Const(key, place), strip_conditions(each)], place, conditions=run.conditions),
            each.conditions if isinstance(each, Maybe) else (),
        )
        for key, each in entries
    ]
    return Arr(pairs, place, hidden, run.conditions)


def _build_from_entries(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    items, hidden = list_items(run, args[0] if args else UNDEFINED, place)
    made = Obj({}, place, hidden, conditions=run.conditions)
    for conditions, each in items:
        key = strip_conditions(each.items[0]) if isinstance(each, Arr) and len(each.items) > 1 else UNDEFINED
        if isinstance(each, Arr) and isinstance(key, Const) and key.value is not None:
            made.entries[to_string(key.value)] = _wrap_conditions(each.items[1], conditions)
        else:
            made.hidden = made.hidden or ONLY_A_RUN
    return made


def _assign_entries(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    target = strip_conditions(args[0]) if args else UNDEFINED
    for each in args[1:]:
        if isinstance(target, Obj):
            spread_into(run, target, each, place)
        else:
            entries, _ = list_entries(run, each, place)
            for key, one in entries:
                run.write(target, key, one)
    return target


def _return_first(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    return args[0] if args else UNDEFINED


def _build_array(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    items, hidden = list_items(run, args[0] if args else UNDEFINED, place)
    made = Arr([_wrap_conditions(each, conditions) for conditions, each in items], place, hidden, run.conditions)
    return _map(run, made, args[1:], place) if len(args) > 1 else made


def _test_array(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    value = strip_conditions(args[0]) if args else UNDEFINED
    return (
        TsUnknown(ONLY_A_RUN, place)
        if isinstance(value, TsUnknown | TsMade | Lib | Either)
        else Const(isinstance(value, Arr) and value.kind == "list", place)
    )


def _write_json(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    found, holes = to_json(args[0] if args else None, place.span)
    if holes or (len(args) > 1 and not (isinstance(args[1], Const) and args[1].value is None)):
        return TsUnknown(holes[0].opaque.reason if holes else ONLY_A_RUN, place)
    indent = args[2].value if len(args) > 2 and isinstance(args[2], Const) else None
    wide = indent if isinstance(indent, int | str) and not isinstance(indent, bool) else None
    try:
        text = json.dumps(found, ensure_ascii=False, indent=wide, separators=None if wide else (",", ":"))
    except (ValueError, RecursionError):
        return TsUnknown(ONLY_A_RUN, place)
    return Const(text, place)


def _parse(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    text = strip_conditions(args[0]) if args else UNDEFINED
    if isinstance(text, Const) and isinstance(text.value, str):
        try:
            return from_json(json.loads(text.value), run.conditions)
        except (ValueError, RecursionError):
            pass
    return TsUnknown(ONLY_A_RUN, place)


_STATICS: dict[str, Callable[[Evaluator, list[TsValue], TsPlace], TsValue]] = {
    "Object.keys": _list_keys, "Object.values": _list_values, "Object.entries": _list_entry_pairs,
    "Object.fromEntries": _build_from_entries, "Object.assign": _assign_entries, "Object.freeze": _return_first,
    "Array.from": _build_array, "Array.isArray": _test_array, "JSON.stringify": _write_json, "JSON.parse": _parse,
    "Promise.resolve": _return_first, "Promise.all": _return_first,
    "String.raw": lambda run, args, place: TsUnknown(ONLY_A_RUN, place),
}  # fmt: skip

_FUNCTIONS: dict[str, Callable[[Evaluator, list[TsValue], TsPlace], TsValue]] = {
    "String": lambda run, args, place: concatenate([_get_first(args)], place),
    **dict.fromkeys(
        ("Number", "parseInt", "parseFloat"), lambda run, args, place: _to_number(settle(_get_first(args))[0], place)
    ),
    "Boolean": _build_truth,
    **dict.fromkeys(("Map", "WeakMap"), _build_map),
    "Set": _build_set,
    "Array": lambda run, args, place: Arr([], place, "" if not args else ONLY_A_RUN, run.conditions),
    "Object": lambda run, args, place: args[0] if args else Obj({}, place, conditions=run.conditions),
    **dict.fromkeys(("Error", "TypeError", "RangeError"), _build_error),
    "Promise": _build_promise,
    **dict.fromkeys(("require", "import"), _require),
    "Symbol": lambda run, args, place: TsUnknown("it is a symbol", place),
    "structuredClone": _return_first,
}
"""What functions of the language give."""
