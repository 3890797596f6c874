"""A report ↔ bytes that may lie on a disk: JSON of a closed set of types, each of which is plain data.

What is none is refused with TypeError, and bytes from elsewhere with ValueError: nothing is imported or called by a name
in them. Rules are named by their slugs, and what plans a fix is asked for its plan.
"""

import json
from collections.abc import Callable
from dataclasses import fields
from enum import StrEnum
from functools import partial
from typing import Any

from reviewer.fixes.model import FixPlan, Rewrite
from reviewer.report.model import (
    Cost,
    Finding,
    Maturity,
    Open,
    Outcome,
    Report,
    SectionReport,
    ServerReport,
    ToolScore,
    Verdict,
)
from reviewer.rules import SECTIONS, Rule, Section, Severity, load
from reviewer.source import Opaque, Span, Text

DEEPEST = 200
"""How deep values may lie in each other: as deep as Python's own stack bears by far."""

CLASSES: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        *(Cost, Finding, Maturity, Opaque, Open, Outcome, Report, ServerReport, SectionReport, ToolScore),
        *(FixPlan, Rewrite, Span),
    )
}
"""What is kept part by part."""

NAMES = {each: name for name, each in CLASSES.items()}

CHOICES: dict[str, type[StrEnum]] = {each.__name__: each for each in (Severity, Verdict)}
"""What is kept as one of few words."""

PLAIN = frozenset({str, int, float, bool, type(None)})


def encode(value: Any) -> bytes:
    """Return bytes of which `decode` makes the same value. Raises TypeError if a part of it is of a type that is not kept."""
    try:
        return json.dumps(_Encoder().encode(value, 0), separators=(",", ":")).encode()
    except (RecursionError, ValueError):
        raise TypeError("it lies too deep, or is too large") from None


def decode(data: bytes) -> Any:
    """Return the value that bytes were made of. Raises ValueError if they were not made by `encode`."""
    try:
        return _decode(json.loads(data), 0)
    except (TypeError, KeyError, IndexError, AttributeError, RecursionError, StopIteration) as error:
        raise ValueError("not an encoded report") from error


class _Encoder:
    def __init__(self) -> None:
        self._plans: dict[int, tuple[Any, Any]] = {}
        """What each planner gave, by its identity, with the planner, which must live as long."""

    def encode(self, value: Any, depth: int) -> Any:
        kind = value.__class__
        if kind in PLAIN:
            return value
        if depth > DEEPEST:
            raise TypeError("it lies too deep")
        inner = [self.encode(each, depth + 1) for each in _list_parts(value, kind)]
        if kind in NAMES:
            return [NAMES[kind], *inner]
        if kind in (tuple, list, frozenset, dict):
            return [kind.__name__, *inner]
        if kind is Text:
            return ["Text", str.__str__(value), *inner]
        if kind is Rule:
            return ["Rule", value.slug]
        if kind is Section:
            return ["Section", value.number]
        if isinstance(value, StrEnum) and kind in CHOICES.values():
            return [kind.__name__, value.value]
        if callable(value):
            return ["plan", self._encode_plan(value, depth)]
        raise TypeError(f"{kind.__name__} is not kept")

    def _encode_plan(self, planner: Any, depth: int) -> Any:
        if id(planner) not in self._plans:
            try:
                plan = planner()
            except Exception:  # whoever shows or applies fixes asks again, and says what failed
                raise TypeError("what plans a fix fails") from None
            self._plans[id(planner)] = planner, self.encode(plan, depth + 1)
        return self._plans[id(planner)][1]


def _list_parts(value: Any, kind: type) -> Any:
    if kind is Text:
        return (value.span,)
    if kind in NAMES and hasattr(kind, "__dataclass_fields__"):
        return [getattr(value, each.name) for each in fields(value)]
    if kind in NAMES or kind in (tuple, list):
        return value
    if kind is frozenset:
        return sorted(value)
    return [part for pair in value.items() for part in pair] if kind is dict else ()


def _decode(given: Any, depth: int) -> Any:
    if given.__class__ in PLAIN:
        return given
    if given.__class__ is not list or depth > 2 * DEEPEST:
        raise ValueError("not an encoded report")
    name, *rest = given
    if name == "Rule":
        return load()[rest[0]]
    if name == "Section":
        return next(each for each in SECTIONS if each.number == rest[0])
    if name in CHOICES:
        return CHOICES[name](rest[0])
    parts = [_decode(each, depth + 1) for each in rest]
    if name in CLASSES:
        return CLASSES[name](*parts)
    return COLLECTIONS[name](parts)


def _build_text(parts: list[Any]) -> Text:
    text, span = parts
    return Text(text, span)


def _build_planner(parts: list[Any]) -> Callable[[], FixPlan | None]:
    (plan,) = parts
    return partial(_get, plan)


def _get(plan: FixPlan | None) -> FixPlan | None:
    return plan


COLLECTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "list": list,
    "frozenset": frozenset,
    "dict": lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
    "Text": _build_text,
    "plan": _build_planner,
}
