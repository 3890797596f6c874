"""Credentials that stand in what is logged: by themselves, in a text, or in headers that are logged as a whole."""

import re
from collections.abc import Iterator

from reviewer.behaviour.arguments.inputs import CLIENTS
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.security.checks import is_field
from reviewer.behaviour.values.names import names_credential, split_words
from reviewer.behaviour.values.texts import collect_compositions, goes_on
from reviewer.code.acts import LOGGING, collect_acts
from reviewer.code.events import Called, Event, Occurrence, Trace
from reviewer.code.library_types import find_types
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import ConditionalValue, Instance, Library, Made, Negation, Relation, Value, get_term_head
from reviewer.source import Text
from reviewer.text.patterns import pattern

HEADERS = frozenset(
    {"authorization", "proxy-authorization", "x-api-key", "api-key", "apikey", "private-token", "x-auth-token"}
)
"""The headers in which a credential is sent."""

SAID = pattern(
    r"(?:passw(?:or)?d|(?:api|access|private)[ _-]?key|(?:access|refresh|bearer|api|auth)[ _-]?token)"
    r"['\"]?\s*[:=]\s*['\"]?$",
    re.IGNORECASE,
)
"""What stands in a text before a credential and says that it is one; behind `secret:` stands the name of one as often."""

PASSWORDS = frozenset({"password", "passwd", "passphrase"})
"""Words of names that say of what a client sends, too, that it opens something."""

DEEPEST = 6
"""Nested values of a log call that are searched: fields, copies and entries.

13 of 40 servers came to the end of it; twice as many change no finding.
"""


def iter_logged_credentials(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the calls that log a credential; `about` is its name."""
    for here in trace.iter_matching(_logs, program, kinds=(Called,)):
        event = here.event
        if isinstance(event, Called) and here.is_possible():
            given = (*event.arguments, *event.named.values())
            name = next(
                (name for each in given if (name := _find_logged_name(here, each, program.models, DEEPEST))), ""
            )
            if name:
                yield RunFinding("logs credential", here, about=Text(name, event.text.span))


def _logs(event: Event, program: Program) -> bool:
    return (
        isinstance(event, Called) and not event.followed and not LOGGING.isdisjoint(collect_acts(event, program.models))
    )


def _find_logged_name(here: Occurrence, value: Value, models: Models, deep: int) -> str:
    """Return the name of a credential that is certainly logged; empty if there is none."""
    if not deep:
        return ""
    here, value = here.trace_source(value)
    match value.meaning:
        case Made(by, (inner, *_)) if "serialises" in models.get_model(by).acts or by == "builtins.dict":
            return _find_logged_name(here, inner, models, deep - 1)
    if value.contents and not goes_on(value):
        return _get_held(here, value, models, deep)
    for text in collect_compositions(here, value, models) if not _is_of_part(here, value, DEEPEST) else ():
        before = ""
        for part in text:
            if part.text is None:
                name = _get_credential(part.here, part.value, before, models)
                if not name and part.value.term != value.term:
                    name = _find_logged_name(part.here, part.value, models, deep - 1)
                if name:
                    return name
            before = part.text or ""
    return ""


def _get_held(here: Occurrence, value: Value, models: Models, deep: int) -> str:
    """Return the name of a credential that an object holds which is logged as a whole."""
    is_keys_only = isinstance(value.meaning, Made) and models.get_model(value.meaning.by).returns == "elements"
    for key, each in (value.contents or {}).items() if not is_keys_only else ():
        named = key if isinstance(key, str) else ""
        if named.lower() in HEADERS and _is_unknown(here, each, models):
            return named
        is_read = _is_unknown(here, each, models) and any(_iter_names(here, each, models, DEEPEST))
        if is_read and _is_credential(named, _is_sent(here, each)):
            return named
        if found := _find_logged_name(here, each, models, deep - 1):
            return found
    return ""


TELLING = frozenset({"present", "absent", "kind", "length", "empty", "shortened", "cut"})
"""What models call functions that tell something of a text and not the text."""


def _is_unknown(here: Occurrence, value: Value, models: Models) -> bool:
    """Return whether a value is not written in the code, not shortened, and no answer to a question about another."""
    here, value = here.trace_source(value)
    if isinstance(value.meaning, Relation | Negation):
        return False
    if isinstance(value.meaning, Made) and (
        models.get_model(value.meaning.by).returns in TELLING or value.meaning.by == "length"
    ):
        return False
    return value.constants is None and not any(each.origin == "cut" for each in here.resolve_labels(value))


def _is_of_part(here: Occurrence, value: Value, deep: int) -> bool:
    """Return whether a text is made of a part of a list, which may leave a credential out: `" ".join(command[:4])`."""
    here, value = here.trace_source(value)
    if get_term_head(value.term) == "part":
        return True
    inner = value.meaning.of if isinstance(value.meaning, Made) and deep else ()
    return any(_is_of_part(here, each, deep - 1) for each in inner)


def _get_credential(here: Occurrence, value: Value, before: str, models: Models) -> str:
    """Return the name by which a part of a text is a credential, or what stands before it says that it is one."""
    here, value = here.trace_source(value)
    kinds = {each.of.path for each in value.things if isinstance(each, Instance) and isinstance(each.of, Library)}
    if not _is_unknown(here, value, models) or not find_types("hidden").isdisjoint(kinds):
        return ""
    names = list(_iter_names(here, value, models, DEEPEST))
    if names and SAID.search(before):
        return names[0]
    is_sent = _is_sent(here, value)
    return next((each for each in names if _is_credential(each, is_sent)), "")


def _is_sent(here: Occurrence, value: Value) -> bool:
    return any(each.origin in CLIENTS for each in here.resolve_labels(value))


def _is_credential(name: str, is_sent: bool) -> bool:
    """Return whether a name is that of a credential; of what a client sends, a key or a token may be that of a thing."""
    return names_credential(name) and (
        not split_words(name).isdisjoint(PASSWORDS) if is_sent else name.lower() != "token"
    )


def _iter_names(here: Occurrence, value: Value, models: Models, deep: int) -> Iterator[str]:
    """Yield the name of what a value is as it is: a variable of the environment, a field, an argument of the call."""
    here, value = here.trace_source(value)
    match value.meaning if deep else None:
        case Made("item", (_, key)) if key.text is not None:
            yield key.text
        case Made(by, (name, *_)) if "environment" in models.get_model(by).labels and name.text is not None:
            yield name.text
        case Made(by, (_,)) if is_field(value):
            yield by[1:]
        case Made("joined", of):
            for each in of:
                yield from _iter_names(here, each, models, deep - 1)
        case ConditionalValue(_, then, otherwise):
            for each in (then, otherwise):
                yield from _iter_names(here, each, models, deep - 1)
        case None:
            yield from (
                each.name
                for each in here.resolve_labels(value)
                if each.origin == "argument" and value.term == ("argument", each.name)
            )
