"""A value → JSON as it is sent, and the parts of it that cannot be told."""

from typing import Any

from reviewer.facts import Hole
from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    SYMBOL,
    Arr,
    Const,
    Func,
    Maybe,
    Obj,
    TsPlace,
    TsUnknown,
    TsValue,
    settle,
)
from reviewer.source import Opaque, Span

DEEPEST = 60
"""Objects in objects that are looked at. One that holds itself has no end."""


class Absent:
    """What stands for an entry that is not sent: `undefined`, a function."""


def to_json(value: TsValue | None, span: Span) -> tuple[Any, tuple[Hole, ...]]:
    """Return a value as JSON, without the parts that cannot be told; None where there is nothing."""
    holes: list[Hole] = []
    found = _convert(value, (), span, holes)
    return (None if isinstance(found, Absent) else found), tuple(holes)


def _convert(value: TsValue | None, path: tuple[str, ...], span: Span, holes: list[Hole]) -> Any:
    if isinstance(value, Maybe):
        holes.append(Hole(".".join(path), Opaque(f"it is there only if `{value.conditions[-1].text}`", span), True))
    value, assumed = settle(value) if value is not None else (None, "")
    place = (
        value.place.span
        if isinstance(value, Const | Obj | Arr | TsUnknown) and isinstance(value.place, TsPlace)
        else span
    )
    if assumed:
        holes.append(Hole(".".join(path), Opaque(assumed, place), assumed=True))
    match value:
        case None | Func():
            return Absent()
        case Const():
            return Absent() if value.is_undefined else value.value
        case Obj() if len(path) < DEEPEST and value.made_by is None:
            if value.hidden:
                holes.append(Hole(".".join(path), Opaque(value.hidden, place)))
            parts = (
                (key, _convert(each, (*path, key), place, holes))
                for key, each in value.entries.items()
                if not key.startswith(SYMBOL)
            )
            return {key: each for key, each in parts if not isinstance(each, Absent)}
        case Arr() if len(path) < DEEPEST:
            if value.hidden:
                holes.append(Hole(".".join(path), Opaque(value.hidden, place)))
            found = [_convert(each, (*path, str(at)), place, holes) for at, each in enumerate(value.items)]
            return [None if isinstance(each, Absent) else each for each in found]
    reason = value.reason if isinstance(value, TsUnknown) else ONLY_A_RUN
    holes.append(Hole(".".join(path), Opaque(reason, place)))
    return Absent()
