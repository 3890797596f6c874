"""Truncation envelopes of a Python server: those that its functions make, and the types of such that it declares."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from reviewer.behaviour.answer_size import envelopes as behaviour
from reviewer.behaviour.answer_size.envelopes import MARK
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.facts import DomainType, Envelope
from reviewer.languages.nodes import find_child
from reviewer.languages.python.behaviour.name_resolution import iter_own_modules
from reviewer.languages.python.declarations.schemas import build_model_schema
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import Const, External, PyClass, PyInstance, PyMapping, PyValue
from reviewer.languages.python.project.modules import PyModule
from reviewer.source import Span, Text


def iter_envelopes(run: Evaluator, functions: EntryPoints) -> Iterator[Envelope]:
    """Yield the envelopes that code makes, and the declared types of envelopes, made or not."""
    yield from behaviour.iter_envelopes(functions)
    for module in iter_own_modules(run, MARK.encode()):
        for name, value in list(run.evaluate_module(module).names.items()):
            keys, span = _find_declared_keys(run, module, value) or (frozenset(), None)
            if MARK in keys and span is not None:
                yield Envelope(Text(name, span), keys)


def _find_declared_keys(run: Evaluator, module: PyModule, value: PyValue) -> tuple[frozenset[str], Span] | None:
    """Return the names under which an object of a type has its entries, and where the module declares the type."""
    match value:
        case PyClass() if value.scope.module is module:
            schema, _ = build_model_schema(run, value, "", module.locate(value.node))
            keys = schema.get("properties", {}) if isinstance(schema, dict) else {}
            return frozenset(keys), module.locate(find_child(value.node, "name") or value.node)
        case PyInstance(made_by=External(path=path), args=[_, PyMapping() as entries]) if path.endswith(".TypedDict"):
            return frozenset(str(key.value) for key, _ in entries.entries if isinstance(key, Const)), value.span
    return None


def with_shortened(functions: EntryPoints, types: Iterable[DomainType]) -> Iterator[DomainType]:
    """Yield types with the fields taken for bounded that code replaces where they are too large."""
    names = behaviour.collect_shortened_fields(functions)
    for each in types:
        parts = (replace(part, bounded=True) if part.name in names else part for part in each.fields)
        yield replace(each, fields=tuple(parts))
