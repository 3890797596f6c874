"""Values → JSON, with a hole where something cannot be read."""

import math
from typing import Any

from reviewer.facts import Hole
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.models import MODEL_SCHEMA
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    Const,
    PyClass,
    PyInstance,
    PyItems,
    PyMapping,
    PyUnknown,
    PyValue,
    assume_default,
    to_text,
)
from reviewer.records import dataclass
from reviewer.source import Opaque, Span

MISSING = object()
PROTOCOL = ("mcp.types.", "mcp_types.")
"""Where the objects of the protocol come from: an icon, a set of annotations."""
# Far deeper than a schema is, far shallower than Python's stack.
NESTING = 100


@dataclass(eq=False)
class Jsonable:
    """Turns values into JSON; models become their schemas where the source asks for them."""

    run: Evaluator
    _left: int = 50_000
    _depth: int = 0

    def read(self, value: PyValue) -> tuple[Any, list[Hole]]:
        """Return the JSON of a value and its holes; None with one hole of an empty path if nothing can be read."""
        holes: list[Hole] = []
        document = self._convert_value(value, "", holes)
        return (None if document is MISSING else document), holes

    def _convert_value(self, value: PyValue, path: str, holes: list[Hole]) -> Any:
        self._left -= 1
        if self._left < 0 or self._depth > NESTING:
            holes.append(_build_hole(path, value, "too large to be read"))
            return MISSING
        self._depth += 1
        try:
            return self._convert_part(value, path, holes)
        finally:
            self._depth -= 1

    def _convert_part(self, value: PyValue, path: str, holes: list[Hole]) -> Any:
        match value:
            case Const(value=plain) if not isinstance(plain, bytes | complex):
                return None if isinstance(plain, float) and not math.isfinite(plain) else plain  # as on the wire
            case PyItems(items=items, open=is_open):
                if is_open:
                    holes.append(_build_hole(path, value, "there may be more items at run time"))
                read = [
                    self._convert_value(each, f"{path}.{index}".lstrip("."), holes) for index, each in enumerate(items)
                ]
                return [each for each in read if each is not MISSING]
            case PyMapping(entries=entries, open=is_open):
                if is_open:
                    holes.append(_build_hole(path, value, "there may be more keys at run time"))
                return self._collect_object(entries, path, holes)
            case PyUnknown() | Alternatives() if assume_default(value)[1] is not None:
                settled, reason = assume_default(value)
                holes.append(Hole(path, Opaque(str(reason), value.span), assumed=True))
                return self._convert_part(settled, path, holes)
            case PyInstance(path=name, attributes={"document": document}) if name == MODEL_SCHEMA:
                return self._convert_part(document, path, holes)
            case PyInstance(path=name, args=[PyClass() as cls]) if name == MODEL_SCHEMA:
                return self._get_model(cls, value, path, holes)
            case PyInstance(path=name, args=[], keywords=keywords) if name.startswith(PROTOCOL):
                listed: list[tuple[PyValue, PyValue]] = [
                    (Const(_format_wire(key), value.span), each) for key, each in keywords.items()
                ]
                return self._collect_object(listed, path, holes)
            case _:
                text = to_text(value)
                if text is not None:
                    return str(text)
                if isinstance(value, PyInstance) and "value" in value.attributes:
                    return self._convert_value(value.attributes["value"], path, holes)
                holes.append(_build_hole(path, value, getattr(value, "reason", "it is known at run time only")))
                return MISSING

    def _collect_object(self, entries: list[tuple[PyValue, PyValue]], path: str, holes: list[Hole]) -> dict[str, Any]:
        document: dict[str, Any] = {}
        for key, each in entries:
            name = to_text(key)
            if name is None:
                holes.append(_build_hole(path, each, "a key is known at run time only"))
                continue
            read = self._convert_value(each, f"{path}.{name}".lstrip("."), holes)
            if read is not MISSING:
                document[str(name)] = read
        return document

    def _get_model(self, cls: PyClass, value: PyInstance, path: str, holes: list[Hole]) -> Any:
        document, hole = self.run.read_model_schema(cls, path, value.span)
        if hole is not None:
            holes.append(hole)
        return document if hole is None else MISSING


def _format_wire(name: str) -> str:
    """Return the name that a field of a protocol's object has on the wire."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _build_hole(path: str, value: PyValue, reason: str) -> Hole:
    return Hole(path, Opaque(reason, getattr(value, "span", None) or Span("", 1, 1, 1, 1)))
