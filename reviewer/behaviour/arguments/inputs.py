"""What values come surely from the arguments of a call, or from outside: of a file, the environment, the network."""

from collections.abc import Mapping

from reviewer.behaviour.effects.commands import BESIDE
from reviewer.behaviour.security.checks import is_field
from reviewer.code.events import Decoded, Entered, Event, Occurrence, Origins, Trace
from reviewer.code.library_types import find_types
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import (
    ClientArguments,
    ConditionalValue,
    Instance,
    Key,
    Label,
    Library,
    Made,
    Origin,
    Term,
    Value,
    find_original_term,
    get_term_head,
)
from reviewer.source import Text

DEEPEST = 8
"""How many steps a value is followed to what it comes from. A chain of methods that somebody wrote is shorter."""

OUTSIDE = frozenset[Origin]({"environment", "file", "network", "input"})
"""Where what a library's function gives may come from that may also be missing there."""

CLIENTS = frozenset[Origin]({"argument", "request"})
"""Where what a client sends comes from."""

WHOLE = Label("request", "arguments")
"""The label of the object that holds all arguments of a call, and of values made from it as a whole."""

INPUT = Value(("input",), frozenset({WHOLE}), contents=ClientArguments())
"""The object that holds the arguments of a call."""

MADE = frozenset({"call", "unknown", "reason", "join", "constant", "new", "global", "library", "returns"})
"""How the terms of values begin that code made, of which nothing is told that says of what."""


def build_input_object(name: str, fields: Mapping[str, Value]) -> Value:
    """Return an object that a client sends with some fields, which are also entries."""
    contents: dict[Key, Value] = dict(fields.items())
    contents.update({(key,): value for key, value in fields.items()})
    return Value((name,), INPUT.labels, contents=contents)


def hands_over(_: Entered, origins: Origins) -> bool:
    """Return whether a call hands over what a client sends."""
    return any(each.origin in CLIENTS for labels in origins.values() for each in labels)


def find_origin(occurrence: Occurrence, value: Value, program: Program, deep: int = DEEPEST) -> Label | None:
    """Return the label of the input that a value is, is part of, or was read from; None if it may be something else.

    The result of code that was not found, made from an argument, is no input: that code may have checked it.
    """
    here, value = occurrence.trace_source(value)
    if not deep:
        return None
    match value.meaning:
        case ConditionalValue(_, then, otherwise):
            sides = [each for each in (then, otherwise) if each.failure is None and not _is_written(each)]
            found = [find_origin(here, each, program, deep - 1) for each in sides]
            return found[0] if found and all(each is not None for each in found) else None
        case Made(by, of):
            return _find_for_made(here, value, by, of, program, deep)
        case None:
            return _find_for_leaf(here, value)
    return None


def _is_written(value: Value) -> bool:
    """Return whether a value is all written in the code: a constant, or an empty object that stands for none."""
    return value.constants is not None or (value.certain and not value.labels and bool(value.things))


def _find_for_made(
    here: Occurrence, value: Value, by: str, of: tuple[Value, ...], program: Program, deep: int
) -> Label | None:
    if by in ("element", "item") or is_field(value):
        return find_origin(here, of[0], program, deep - 1)
    model = program.models.find_model(by)
    if model is None or by.endswith("!"):
        return None
    outside = next((Label(each) for each in model.labels if each in OUTSIDE), None)
    if outside is not None or any(each != "order" for each in model.labels):
        return outside if "fails" in model.acts else None
    return find_origin(here, of[0], program, deep - 1) if of else None


def _find_for_leaf(here: Occurrence, value: Value) -> Label | None:
    if _find_term_root(value.term) in MADE or value.constants is not None:
        return None
    return next(
        (each for each in sorted(here.resolve_labels(value)) if each.origin == "argument" or each == WHOLE), None
    )


def _find_term_root(term: Term) -> object:
    """Return how a term begins; for a part of what a function of the project gave, how that was made there."""
    first, is_given_back = term, False
    while isinstance(term, tuple) and len(term) > 1 and term[0] in PARTS:
        is_given_back = is_given_back or term[0] == "via"
        term = term[2] if term[0] == "via" and len(term) > 2 else term[1]
    found = term if is_given_back else first
    while isinstance(found, tuple) and found:
        found = found[0]  # what a call makes besides its result has a term that begins with that of the call
    return found


PARTS = frozenset({"via", "item", "field", "element", "part", "pieces"})
"""How the terms of values begin that are parts of another, or that came back from a function of the project."""


def find_measured(value: Value) -> Value | None:
    """Return the value whose length another is; None if it is no length."""
    return value.meaning.of[0] if isinstance(value.meaning, Made) and value.meaning.by == "length" else None


def is_length(value: Value) -> bool:
    """Return whether a number is how long something is, or how many elements it has."""
    return find_measured(value) is not None or get_term_head(find_original_term(value.term)) == "length"


def is_given(occurrence: Occurrence, value: Value) -> bool:
    """Return whether a value is an argument itself: one of the call, or a field of the request that holds them."""
    here, value = occurrence.trace_source(value)
    if is_field(value) and isinstance(value.meaning, Made):
        return is_given(here, value.meaning.of[0])
    return value.meaning is None and _find_for_leaf(here, value) is not None


def locate_input(trace: Trace, event: Event, label: Label | None) -> Text | None:
    """Return the place of what decides whether something fails: where an argument is declared, else what is done itself."""
    if label is None:
        return None
    return (_place_of(trace, label) if label.origin in CLIENTS else None) or event.text


def _place_of(trace: Trace, label: Label) -> Text | None:
    """Return where an argument is declared: the field of the request, or the type of the parameter; None if it is not seen."""
    for each in trace.events:
        if isinstance(each, Decoded):
            found = next((key for _, keys in each.entries for key in keys if str(key) == label.name), None)
            if found is not None:
                return found
    named = [each for each in trace.code.parameters if each.kind == "normal" and each.type is not None]
    meant = [each for each in named if each.name == label.name] or (named if len(named) == 1 else [])
    return trace.code.extract_text(meant[0].type.at) if meant and meant[0].type is not None else None


HOLDING = frozenset({"builtins.str", "list", "tuple", "dict", "set"})
"""Types that any text may be a part of, beside those of texts. What is of another type, such as a number, is one of few."""


def find_argument_name(here: Occurrence, value: Value, models: Models) -> str:
    """Return the name of the argument that a value is, or is a part of; empty if it is none, or cannot be any text."""
    here, value = here.trace_source(value)
    kinds = [each.of for each in value.things if isinstance(each, Instance)]
    if any(
        not isinstance(each, Library) or each.path not in find_types("text", "path", "URL") | HOLDING for each in kinds
    ):
        return ""
    return _find_argument_name(here, value, models, DEEPEST)


def _find_argument_name(here: Occurrence, value: Value, models: Models, deep: int) -> str:
    here, value = here.trace_source(value)
    match value.term:
        case ("argument", str() as name):
            return name if name not in BESIDE else ""
    match value.meaning if deep else None:
        case Made("item" | "element", (owner, *key)):
            of_client = isinstance(owner.contents, ClientArguments) or _find_argument_name(
                here, owner, models, deep - 1
            )
            return (next((each.text for each in key if each.text), None) or str(of_client or "")) if of_client else ""
        case Made(by, (owner, *separator)) if (
            model := models.find_model(by)
        ) is not None and model.returns == "pieces":
            is_of_path = any("/" in (each.text or "") for each in separator)
            return "" if is_of_path else _find_argument_name(here, owner, models, deep - 1)
        case Made(by, (owner, *_)) if is_field(value):
            return by[1:] if _find_argument_name(here, owner, models, deep - 1) else ""
    return ""
