"""Whether what stands between a request and a server checks who calls: whether it reads a credential and can refuse."""

import re
from collections.abc import Callable, Iterator

from reviewer.behaviour.values.names import split_words
from reviewer.behaviour.values.texts import iter_parts, iter_written_texts
from reviewer.code.events import Called, Event, Occurrence, Raised, Returned, Tested, Trace
from reviewer.code.ir import Code
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import (
    ABSENT,
    Class,
    ConditionalValue,
    Function,
    Instance,
    Library,
    Made,
    Negation,
    Relation,
    Term,
    Value,
    name_of,
    strip_negations,
)
from reviewer.text.patterns import pattern

ARGUMENTS = frozenset({"auth", "authenticate", "token_verifier", "auth_server_provider", "auth_provider"})
"""Names under which the SDKs are told what checks credentials."""

LAYERS = frozenset({"middleware", "dependencies", "dispatch", "backend", "dependency", "cls"})
"""Names under which frameworks are told what looks at requests."""

READS = pattern(
    r"\bauthorization\b|\bbearer\b|\bapi[-_]?key\b|^x-[\w-]*(?:key|token|auth)|^[\w-]*(?:token|secret)$", re.IGNORECASE
)
"""What a credential is called: the name of a header, of a scheme, of an entry."""

TYPES = pattern(r"Authorization|Bearer|BasicAuth|APIKey|OAuth2|HTTPBasic")
"""Types of parameters that frameworks fill with the credential of a request."""

# The names of the two statuses that refuse a caller, in both languages' libraries.
REFUSES = pattern(r"UNAUTHORIZED$|FORBIDDEN$|HTTP_40[13]", re.IGNORECASE)
# Words in names of a project's own functions and errors that refuse.
REFUSING = frozenset("unauthorized forbidden reject rejected refuse refused deny denied challenge".split())

STATUSES = frozenset({401, 403})
"""The statuses of HTTP by which a call is refused for who makes it (RFC 9110, 15.5.2 and 15.5.4)."""

METHODS = (
    "__call__", "dispatch", "authenticate", "on_request", "on_message", "handle_request",
    "call", "authorize", "validate", "from_request_parts", "layer", "new_transform",
)  # fmt: skip
"""Methods by which frameworks let an object look at requests, or make what does: of Starlette, FastMCP, tower and axum."""

DEEPEST = 8
"""Nested layers that are searched for a check; those that contain themselves end it. The tests of the rules have up to 3."""


class Layers:
    """What is known of layers: those of the project are run, others are looked up in the tables of models."""

    def __init__(self, program: Program, run: Callable[[Function], Trace]) -> None:
        self._program, self._run = program, run
        self._models: Models = program.models
        self._known: dict[Code, bool | None] = {}

    def check(self, layer: Value, deep: int = DEEPEST) -> bool | None:
        """Return whether a layer checks credentials, None if that cannot be told."""
        found = list(self._iter_checks(layer, deep)) if deep else [None]
        return True if True in found else None if None in found else False

    def _iter_checks(self, layer: Value, deep: int) -> Iterator[bool | None]:
        if isinstance(layer.meaning, ConditionalValue):
            yield from (self.check(each, deep - 1) for each in (layer.meaning.then, layer.meaning.otherwise))
            return
        if layer.constants is not None:
            return
        known = [self._find_for_thing(each, layer) for each in layer.things]
        if known and not all(each is None for each in known):
            yield from known
            yield from self._iter_inside(layer, deep)
        elif isinstance(layer.meaning, Made) and layer.meaning.by not in ("item", "element"):
            yield self._evaluate_operation(layer.meaning, deep)
        elif layer.contents:
            yield from (self.check(each, deep - 1) for each in layer.contents.values())
        else:
            yield None

    def _iter_inside(self, layer: Value, deep: int) -> Iterator[bool | None]:
        """Yield the facts about the layers in a library's object: `Middleware(Check, token=token)`."""
        for key, each in (layer.contents or {}).items():
            name = name_of(key)
            if name in LAYERS or isinstance(name, int):
                yield self.check(each, deep - 1)

    def _find_for_thing(self, thing: object, layer: Value) -> bool | None:
        match thing:
            case Function():
                return self._checks(thing) if thing.code.kind != "class" else None
            case Class():
                return self._find_for_class(Instance(thing), layer)
            case Instance(of=Class()):
                return self._find_for_class(thing, layer)
            case Instance(of=Library(path)) | Library(path):
                if path in ("list", "tuple"):
                    return False  # what is in it is looked at
                by = layer.meaning.by if isinstance(layer.meaning, Made) else path
                return self._find_for_library(by if by in self._models.rows else path)
        return None

    def _find_for_library(self, path: str) -> bool | None:
        model = self._models.rows.get(path)
        return None if model is None else "checks credentials" in model.acts

    def _evaluate_operation(self, made: Made, deep: int) -> bool | None:
        """Return the facts about a layer that a library's function made or one of its methods returned."""
        known = self._find_for_library(made.by)
        if known or not made.of:
            return known
        if "wraps" in self._models.get_model(made.by).acts:
            found = [self.check(each, deep - 1) for each in made.of]
            return True if True in found else None if None in found else False
        owner = made.by.rpartition(".")[0]
        is_method = not owner or any(
            isinstance(each, Instance) and each.of == Library(owner) for each in made.of[0].things
        )
        return self.check(made.of[0], deep - 1) if known is None and is_method else known

    def _find_for_class(self, made: Instance, layer: Value) -> bool | None:
        """Return whether a method checks by which a class looks at requests; one without such methods looks at none."""
        found: list[bool | None] = []
        for name in METHODS:
            method = self._program.find_method(made, name)
            for each in method.things if method is not None else ():
                if isinstance(each, Function):
                    found.append(self._checks(Function(each.code, layer, each.captured), makes=name == "layer"))
                elif isinstance(each, Library) and name in ("__call__", "dispatch"):
                    found.append(self._find_for_library(each.path.rpartition(".")[0]))
        return True if True in found else None if None in found and False not in found else False

    def _checks(self, function: Function, *, makes: bool = False) -> bool | None:
        """Return whether a function reads a credential and can refuse, or makes an object whose methods do."""
        if function.code not in self._known:
            self._known[function.code] = False
            trace = self._run(function)
            self._known[function.code] = _reads_and_refuses(trace, self._models)
            if makes and trace.result is not None and not self._known[function.code]:
                things = [
                    each for each in trace.result.things if isinstance(each, Instance) and isinstance(each.of, Class)
                ]
                self._known[function.code] = self.check(trace.result._replace(things=tuple(things))) if things else None
        return self._known[function.code]


def _reads_and_refuses(trace: Trace, models: Models) -> bool:
    reads = any(TYPES.search(each.type.text) for each in trace.code.parameters if each.type is not None)
    refuses = False
    events = list(trace.iter_occurrences())
    for occurrence in events:
        event = occurrence.event
        reads = reads or _reads(event)
        refuses = refuses or _refuses(event)
    return reads and refuses and not _lets_through(trace, events, models)


def _lets_through(trace: Trace, events: list[Occurrence], models: Models) -> bool:
    """Return whether a request passes without a credential: if it has none, or whatever the comparison's result.

    A request that is rejected on one side of a test is checked there, by something else.
    """
    passing = [each.event for each in events if _passes_on(each, trace.code, models)]
    refusing = [each.event for each in events if _refuses(each.event)]
    tests = [(each, each.event) for each in events if isinstance(each.event, Tested)]
    asked = {event.value.term: event for each, event in tests if _is_of_credential(each, event.value)}
    for term, event in asked.items():
        ways = [_find_told(each, event) for each in passing]
        refused = [_find_told(each, event) for each in refusing]
        if True in ways and False in ways and True not in refused and False not in refused:
            return True
        absent = _evaluate_when_absent(event.value)
        for each, way in zip(passing, ways, strict=True):
            is_only = all(_find_told(each, other) is None for key, other in asked.items() if key != term)
            if absent is not None and way is absent and is_only and absent not in refused:
                return True
    return False


def _passes_on(here: Occurrence, layer: Code, models: Models) -> bool:
    """Return whether a call passes a layer's request on unchanged: to the next layer, or to code that was not found."""
    event = here.event
    if not isinstance(event, Called) or event.followed:
        return False
    is_known = models.find_model(event.path) is not None and not event.path.endswith("Next.run")
    return not is_known and any(_is_handed(here.trace_source(each)[1].term, layer) for each in event.arguments)


def _is_handed(term: Term, layer: Code) -> bool:
    """Return whether a value is what a layer is handed, and not the object that it is a method of."""
    match term:
        case ("parameter", Code() as code, variable) if code is layer:
            own = (each for each in code.parameters if each.name in ("self", "cls") or each.kind == "receiver")
            return all(variable not in (each.variable, each.name, code.parameters.index(each)) for each in own)
    return False


def _is_of_credential(here: Occurrence, test: Value) -> bool:
    """Return whether a test is about what was read under the name of a credential."""
    value, _ = strip_negations(test)
    sides = value.operands if isinstance(value.meaning, Relation) else (value,)
    read = [each for side in sides for each in iter_parts(here, side)]
    named = (text for _, each in read for text in _iter_said(each))
    return any(
        READS.search(text) for text in (*named, *(text for side in sides for text in iter_written_texts(here, side)))
    )


def _find_told(event: Event, test: Tested) -> bool | None:
    """Return how a test came out where something happens in the same function, None if it tells nothing there."""
    if event.code is not test.code:
        return None
    value, holds = strip_negations(test.value)
    for each in event.iter_outwards():
        if each.condition == "test" and each.value is not None:
            other, other_holds = strip_negations(each.value, each.holds)
            if other.term == value.term:
                return other_holds is holds
    fact = event.facts.get(value.term)
    truth = fact.truth if fact is not None else None
    return None if truth is None else truth is holds


def _evaluate_when_absent(test: Value) -> bool | None:
    """Return the result of a test if there is no credential; None if it tests something else."""
    value, holds = strip_negations(test)
    match value.meaning:
        case Relation("present" | "in" | "succeeds", _, _):
            return not holds
        case Relation("is" | "==", _, Value() as right) if right.constants == ABSENT:
            return holds
    return None


def _reads(event: Event) -> bool:
    named = isinstance(event, Called) and "bearer" in split_words(event.path.rpartition(".")[2])
    return named or (
        isinstance(event, Called | Tested)
        and any(READS.search(each) for value in event.values for each in _iter_said(value))
    )


def _refuses(event: Event) -> bool:
    match event:
        case Raised():
            return True
        case Returned(value=value):
            return value.failure is not None or any(REFUSES.search(each) for each in _iter_said(value))
        case Called(path=path):
            if not REFUSING.isdisjoint(split_words(path.rpartition(".")[2])):
                return True
            return any(value.constant is not None and value.constant[1] in STATUSES for value in event.values) or any(
                REFUSES.search(each) for value in event.values for each in _iter_said(value)
            )
    return False


def _iter_said(value: Value, deep: int = 4) -> Iterator[str]:
    """Yield the texts and names that a value consists of, or that a test compares."""
    for _, each in value.constants or ():
        if isinstance(each, str):
            yield each
        elif isinstance(each, bytes):
            yield each.decode("utf-8", "replace")
    yield from (each.path.rpartition(".")[2] for each in value.things if isinstance(each, Library))
    if isinstance(value.term, tuple) and value.term[:1] == ("global",) and isinstance(value.term[-1], tuple):
        yield str(value.term[-1][-1])
    if deep:
        for part in (value.contents or {}).values():  # `(StatusCode::UNAUTHORIZED, "no token").into_response()`
            yield from _iter_said(part, deep - 1)
        match value.meaning:
            case Negation(operand):
                yield from _iter_said(operand, deep - 1)
            case Relation(_, left, right):
                yield from (each for side in (left, right) if side is not None for each in _iter_said(side, deep - 1))
            case Made("item" | "text", parts):  # `headers["authorization"]`, and a text with gaps
                yield from (each for part in parts if part.constants is not None for each in _iter_said(part, deep - 1))
            case Made(by, of) if of and by.startswith("."):
                yield by[1:]  # `request.headers.authorization`
