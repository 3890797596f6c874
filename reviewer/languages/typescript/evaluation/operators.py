"""What operators make of values: sums, comparisons, find_truth, texts."""

from typing import Any

from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    Arr,
    Cls,
    Const,
    Either,
    Func,
    Lib,
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

LONGEST = 2**20
"""Characters of a text that is put together."""


def find_truth(value: TsValue) -> bool | None:
    """Return whether a value is true, None if that cannot be told."""
    value = strip_conditions(value)
    match value:
        case Const(value=plain):
            return bool(plain) and plain == plain and not value.assumed if not value.assumed else None
        case Obj() | Arr() | Func() | Cls() | TsSchema() | Namespace():
            return True
        case Either():
            found = {find_truth(each) for _, each in value.options}
            return found.pop() if len(found) == 1 else None
    return None


def to_string(value: Any) -> str:
    """Return a constant as JavaScript writes it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return str(value)


def concatenate(values: list[TsValue], place: TsPlace) -> TsValue:
    """Return the text that some values make one after another."""
    texts: list[str] = []
    assumed = ""
    for each in values:
        value, reason = settle(each)
        assumed = assumed or reason
        if isinstance(value, Arr) and not value.hidden:
            inner = [strip_conditions(one) for one in value.items]
            if all(isinstance(one, Const) for one in inner):
                texts.append(",".join(to_string(one.value) for one in inner if isinstance(one, Const)))
                continue
        if not isinstance(value, Const):
            reason = value.reason if isinstance(value, TsUnknown) else ONLY_A_RUN
            return TsUnknown(reason, place)
        texts.append("undefined" if value.is_undefined else to_string(value.value))
    if sum(map(len, texts)) > LONGEST:
        return TsUnknown("it is too large", place)
    return Const("".join(texts), place, assumed=assumed)


def combine(operator: str, left: TsValue, right: TsValue, place: TsPlace) -> TsValue:
    """Return the result of an operation on two values."""
    if isinstance(left, Either) or isinstance(right, Either):
        plain = [settle(each)[0] for each in (left, right)]
        if any(isinstance(each, TsUnknown) for each in plain) and len(list(iter_options(left))) <= 4:
            options = [
                ((*one, *other), combine(operator, a, b, place))
                for one, a in iter_options(left)
                for other, b in iter_options(right)
            ]
            return join(options)
    one, other = settle(left)[0], settle(right)[0]
    if operator == "+" and any(isinstance(each, Const) and isinstance(each.value, str) for each in (one, other)):
        return concatenate([left, right], place)
    if not isinstance(one, Const) or not isinstance(other, Const):
        unknown = next((each for each in (one, other) if isinstance(each, TsUnknown)), None)
        return TsUnknown(unknown.reason if unknown is not None else ONLY_A_RUN, place)
    a, b = one.value, other.value
    if isinstance(a, str) or isinstance(b, str) or a is None or b is None:
        return TsUnknown(ONLY_A_RUN, place)
    try:
        return Const(_compute(operator, a, b), place)
    except (ArithmeticError, ValueError, TypeError):
        return TsUnknown(ONLY_A_RUN, place)


def _compute(operator: str, a: Any, b: Any) -> int | float:
    if abs(a) > 2**60 or abs(b) > 2**60:
        raise ValueError(operator)
    match operator:
        case "+":
            return a + b  # type: ignore[no-any-return]
        case "-":
            return a - b  # type: ignore[no-any-return]
        case "*":
            return a * b  # type: ignore[no-any-return]
        case "/":
            found = a / b
            return int(found) if float(found).is_integer() else found
        case "%":
            return a % b  # type: ignore[no-any-return]
        case "**" if abs(a) < 1000 and 0 <= b < 20:
            return a**b  # type: ignore[no-any-return]
        case "|":
            return int(a) | int(b)
        case "&":
            return int(a) & int(b)
        case "<<" if 0 <= b < 32:
            return int(a) << int(b)
    raise ValueError(operator)


def compare(operator: str, left: TsValue, right: TsValue, place: TsPlace) -> TsValue:
    """Return whether two values compare so."""
    one, other = strip_conditions(left), strip_conditions(right)
    if isinstance(one, Either) or isinstance(other, Either):
        found = {
            each.value if isinstance(each, Const) else None
            for _, a in iter_options(one)
            for _, b in iter_options(other)
            for each in [compare(operator, a, b, place)]
        }
        return Const(bool(found.pop())) if len(found) == 1 and None not in found else TsUnknown(ONLY_A_RUN, place)
    if operator == "in" and isinstance(other, Obj | Arr) and isinstance(one, Const):
        return _test_contained(one, other, place)
    if operator == "is":
        if isinstance(one, Const):
            return Const(one.value is None) if not one.assumed else TsUnknown(ONLY_A_RUN, place)
        return TsUnknown(ONLY_A_RUN, place) if isinstance(one, TsUnknown | TsMade | Lib) else Const(False)
    if isinstance(one, Const) and isinstance(other, Const):
        a, b = one.value, other.value
        try:
            if operator == "==":
                return Const(a == b and isinstance(a, bool) == isinstance(b, bool))
            return Const(a < b if operator == "<" else a <= b)  # type: ignore[operator]
        except TypeError:
            return TsUnknown(ONLY_A_RUN, place)
    if operator == "==" and one is other and not isinstance(one, TsUnknown):
        return Const(True)
    return TsUnknown(ONLY_A_RUN, place)


def _test_contained(one: Const, other: "Obj | Arr", place: TsPlace) -> TsValue:
    if isinstance(other, Obj):
        held = to_string(one.value) in other.entries
        return Const(held) if held or not other.hidden else TsUnknown(ONLY_A_RUN, place)
    items = [strip_conditions(each) for each in other.items]
    if any(isinstance(each, Const) and each.value == one.value for each in items):
        return Const(True)
    is_known = not other.hidden and all(isinstance(each, Const) for each in items)
    return Const(False) if is_known else TsUnknown(ONLY_A_RUN, place)


TYPES = {"string": str, "number": (int, float), "boolean": bool}


def test_kind(value: TsValue, kind: TsValue | None, name: str, place: TsPlace) -> TsValue:
    """Return whether a value is of a type: by the name that `typeof` gives, or of a class."""
    value = strip_conditions(value)
    if kind is None:
        match value:
            case Const() if not value.assumed:
                plain = value.value
                is_truth = isinstance(plain, bool)
                if name == "number" and is_truth:
                    return Const(False)
                if name in TYPES:
                    return Const(isinstance(plain, TYPES[name]))  # type: ignore[arg-type]
                return Const(name == "object" and plain is None and not value.is_undefined)
            case Func() | Cls():
                return Const(name == "function")
            case Obj() | Arr() | TsSchema() | Namespace():
                return Const(name == "object")
        return TsUnknown(ONLY_A_RUN, place)
    if isinstance(value, TsSchema):
        return Const(isinstance(kind, Lib) and kind.name.startswith("Zod")) if isinstance(kind, Lib) else Const(False)
    if isinstance(value, Obj) and isinstance(kind, Cls):
        cls: TsValue | None = value.made_by
        while isinstance(cls, Cls):
            if cls is kind or cls.code is kind.code:
                return Const(True)
            cls = cls.base
        return Const(False)
    return Const(False) if isinstance(value, Const) else TsUnknown(ONLY_A_RUN, place)
