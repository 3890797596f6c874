"""Where the token of a progress notification comes from: the client's request, or what the server makes up."""

from collections.abc import Iterator
from typing import Literal

from reviewer.code.events import Occurrence
from reviewer.code.models import Model, Models
from reviewer.code.state import infer_constants, infer_truth
from reviewer.code.values import ConditionalValue, Made, Relation, Term, Value

TokenOrigin = Literal["client", "made", "none", "unknown"]

TOKENS = frozenset({"progressToken", "progress_token", "get_progress_token"})
"""What SDKs and the protocol call the token that a client puts into `_meta`."""

OTHERS = frozenset({"request_id", "requestId", "client_id", "session_id"})
"""What else a request bears that names something, and no token."""

IDS = frozenset({"rmcp.service.RequestContext.id"})
"""The fields of SDKs that hold the id of a request."""

# Labels of what a server makes up: no client can know such a token.
MAKING = frozenset({"random", "time", "identity"})

JOINING = frozenset({"text", "+"})
"""By what a text is joined of parts: a token is the client's only if no part of it was made up."""

DEEPEST = 8
"""Nested values that are searched for a token: request, context and metadata are three, which is the most in 40 servers."""


def classify_token(here: Occurrence, value: Value, models: Models, deep: int = DEEPEST) -> TokenOrigin:
    """Return where a token comes from; where it is one of two, and one of them is made up, it is."""
    here, value = here.trace_source(value)
    constants = infer_constants(value, here.event.facts)
    if constants is not None:
        is_there = infer_truth(value, here.event.facts) is True
        kept = [each for _, each in constants if each is not None and (each or not is_there)]
        return "made" if kept else "none"
    named = _get_name(value)
    if named in TOKENS:
        return "client"
    if named in OTHERS or (isinstance(value.meaning, Made) and value.meaning.by in IDS) or _is_argument(value):
        return "made"
    if not deep:
        return "unknown"
    found = _get_for_meaning(here, value, models, deep)
    if found == "unknown" and any(each.origin in MAKING for each in here.resolve_labels(value)):
        return "made"
    return found


def _is_argument(value: Value) -> bool:
    """Return whether a value is an argument of the tool, by another name than one for tokens: the token is in `_meta`."""
    match value.term:
        case ("argument", str() as name):
            return "token" not in name.lower()
    return False


def _get_name(value: Value) -> str:
    """Return the name of the field, the entry or the method that a value is."""
    match value.meaning:
        case Made("item", (_, key)):
            return key.text or ""
        case Made(by):
            return by.rpartition(".")[2] if "." in by else ""
    term = value.term
    if isinstance(term, tuple) and term[:1] == ("library",):
        return str(term[1]).rpartition(".")[2]
    return str(term[2]) if isinstance(term, tuple) and len(term) == 3 and term[0] == "field" else ""


def _get_for_meaning(here: Occurrence, value: Value, models: Models, deep: int) -> TokenOrigin:
    match value.meaning:
        case ConditionalValue(_, then, otherwise):
            return _get_one_of(
                [classify_token(here, each, models, deep - 1) for each in _collect_sides(here, value, then, otherwise)]
            )
        case Made("joined", of):
            return _get_one_of([classify_token(here, each, models, deep - 1) for each in of])
        case Made(by) if "counts" in _get_model(by, models).acts:
            return "made"
        case Made(by, of) if by in JOINING or _get_model(by, models).returns == "text":
            return _join(here, of, models, deep)
    held = list((value.contents or {}).values())
    return classify_token(here, held[0], models, deep - 1) if len(held) == 1 else "unknown"


def find_made_part(here: Occurrence, value: Value, models: Models) -> Value:
    """Return the one of several values that a token may be that is made up, as the caller has it that hands it on."""
    here, value = here.trace_source(value)
    for _ in range(DEEPEST):
        match value.meaning:
            case ConditionalValue(_, then, otherwise):
                parts = _collect_sides(here, value, then, otherwise)
            case Made("joined", of):
                parts = of
            case _:
                break
        made = next((each for each in parts if classify_token(here, each, models) == "made"), None)
        if made is None:
            break
        here, value = here.trace_source(made)
    return value


def _collect_sides(here: Occurrence, value: Value, then: Value, otherwise: Value) -> tuple[Value, ...]:
    """Return which of two a value may be where it is used: no text or number that is false where it is true."""
    if infer_truth(value, here.event.facts) is not True:
        return then, otherwise
    return tuple(each for each in (then, otherwise) if infer_truth(each, here.event.facts) is not False)


def _get_model(path: str, models: Models) -> Model:
    return (models.find_model(path) if "." in path else None) or Model(path)


def _get_one_of(found: list[TokenOrigin]) -> TokenOrigin:
    for each in ("made", "unknown", "client"):
        if each in found:
            return each
    return "none"


def _join(here: Occurrence, parts: tuple[Value, ...], models: Models, deep: int) -> TokenOrigin:
    """Return where a text comes from that is put together: one with something that is written is no token of a client."""
    found = [classify_token(here, each, models, deep - 1) for each in parts]
    if "client" in found:
        return "client"
    return "made" if "made" in found else "unknown"


def is_looked_at(occurrence: Occurrence, value: Value) -> bool:
    """Return whether anything asked, before a token is used, for it or for what it comes from, such as a request's `_meta`."""
    here: Occurrence | None = occurrence
    holder: Value | None = None
    while here is not None:
        holder = _find_holder(value) or holder
        known = {*_iter_behind(value), *(_iter_behind(holder) if holder is not None else ())}
        facts = here.event.facts
        if any(term in known or _speaks_of(term, known) for term, fact in facts.items() if _is_told(fact)):
            return True
        if here.caller is not None:
            _, value = here.trace_source(value)
            holder = here.trace_source(holder)[1] if holder is not None else None
        here = here.caller
    return False


def _find_holder(value: Value) -> Value | None:
    """Return the object that holds a value: there is one only where there is a token, if it was made of that."""
    is_held = isinstance(value.term, tuple) and value.term[0] in ("entry", "field")
    return Value(value.term[1]) if is_held and isinstance(value.term, tuple) else None


def _is_told(fact: object) -> bool:
    return getattr(fact, "truth", None) is not None or getattr(fact, "present", None) is not None


def _speaks_of(term: object, known: set[Term]) -> bool:
    if not isinstance(term, tuple):
        return False
    return any(each in known or _speaks_of(each, known) for each in term[1:])


def _iter_behind(value: Value, deep: int = DEEPEST) -> Iterator[Term]:
    """Yield a value, the objects whose field it is, and what decides that it is this one."""
    yield value.term
    yield from _iter_owners(value.term)
    if not deep:
        return
    match value.meaning:
        case ConditionalValue(test, then, otherwise):
            for each in (test, then, otherwise):
                yield from _iter_behind(each, deep - 1)
        case Relation(left=left):
            yield from _iter_behind(left, deep - 1)
        case Made(by, of) if by.startswith(".") or "." in by or by in ("item", "joined", "text"):
            for each in of:
                if each.constants is None:
                    yield from _iter_behind(each, deep - 1)


def _iter_owners(term: Term) -> Iterator[Term]:
    """Yield the objects of a library that one is a part of, by its path."""
    if isinstance(term, tuple) and term[:1] == ("library",):
        path = str(term[1])
        while "." in path:
            path = path.rpartition(".")[0]
            yield "library", path
