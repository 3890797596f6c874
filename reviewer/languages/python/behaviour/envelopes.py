"""Truncation envelopes of a Python server: those that its functions make, and the types of such that it declares."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from reviewer.behaviour import envelopes as behaviour
from reviewer.behaviour.envelopes import MARK, OVERFLOW
from reviewer.facts import DomainType, Envelope, Server
from reviewer.languages.nodes import child
from reviewer.languages.python.behaviour.entrances import Entrances
from reviewer.languages.python.behaviour.following import own
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.schemas import of_model
from reviewer.languages.python.values import Class, Const, External, Instance, Mapping, Value
from reviewer.source import Span, Text


def envelopes(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[Envelope]:
    """Yield the envelopes that code makes, and the declared types of envelopes, made or not."""
    entrances = Entrances(run, servers)
    yield from behaviour.envelopes(entrances.naming(MARK), entrances.program)
    for module in own(run, MARK.encode()):
        for name, value in list(run.scope_of(module).names.items()):
            keys, span = _declared(run, module, value) or (frozenset(), None)
            if MARK in keys and span is not None:
                yield Envelope(Text(name, span), keys)


def _declared(run: Evaluator, module: Module, value: Value) -> tuple[frozenset[str], Span] | None:
    """Return the names under which an object of a type has its entries, and where the module declares the type."""
    match value:
        case Class() if value.scope.module is module:
            schema, _ = of_model(run, value, "", module.span(value.node))
            keys = schema.get("properties", {}) if isinstance(schema, dict) else {}
            return frozenset(keys), module.span(child(value.node, "name") or value.node)
        case Instance(made_by=External(path=path), args=[_, Mapping() as entries]) if path.endswith(".TypedDict"):
            return frozenset(str(key.value) for key, _ in entries.entries if isinstance(key, Const)), value.span
    return None


def with_shortened(run: Evaluator, servers: tuple[Server, ...], types: Iterable[DomainType]) -> Iterator[DomainType]:
    """Yield types with the fields taken for bounded that code replaces where they are too large."""
    names = behaviour.shortened_fields(Entrances(run, servers))
    for each in types:
        parts = (replace(part, bounded=True) if part.name in names else part for part in each.fields)
        yield replace(each, fields=tuple(parts))


def overflow_actions(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[Text]:
    """Yield the names of actions that answers name as the next step."""
    entrances = Entrances(run, servers)
    yield from behaviour.overflow_actions(entrances.naming(OVERFLOW), entrances.program)
