"""Where code keeps only the beginning of a list or a text and answers with it: of what, and how much of that."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Literal, NamedTuple

from reviewer.behaviour.arguments.argument_values import iter_alternatives
from reviewer.behaviour.arguments.inputs import CLIENTS, find_origin
from reviewer.behaviour.security.checks import is_field
from reviewer.behaviour.values.names import names_a_text, names_many
from reviewer.code import ir
from reviewer.code.contents import LETTER
from reviewer.code.events import Cut, Occurrence, Returned, Trace
from reviewer.code.library_types import find_type_names
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import infer_interval
from reviewer.code.values import (
    ELEMENT,
    Instance,
    Key,
    Label,
    Library,
    Made,
    Term,
    Value,
    find_original_term,
    get_term_head,
)
from reviewer.source import Text

CutKind = Literal["list", "text", "lines", ""]
"""What is cut: a list, a text by its letters, or one by its lines or words; empty if nothing tells."""

VIEWS = frozenset("elements collected values turned sorted copied mapped filtered numbered chained pieces".split())
"""What models call functions that give the elements of what they are given, or something for each."""

OF_BOTH = frozenset({"truncate", "split_off", "slice", "substring", "subarray"})
"""Methods that texts and bytes have as well as lists, in Rust and in JavaScript: where nothing tells the type, only the name of
what is cut can. Seen in a file server that reads a file in chunks: `chunk.slice(0, read)`."""

DEEPEST = 12
"""How many functions a list is followed through that give its elements. A chain of methods has four or five."""


class KeptPart(NamedTuple):
    """A cut, and what it leaves something of: as its function has it, and what that gives the elements of."""

    occurrence: Occurrence
    event: Cut
    sources: tuple[tuple[Occurrence, Value], ...]
    models: Models

    @property
    def most(self) -> float:
        """How many elements or letters are left at most, where there are more."""
        here, size = self.occurrence.trace_source(self.event.size)
        whole = [find_original_term(value.term) for _, value in self.sources]
        return min(_get_highest(each, at, whole) for at, each in ((self.occurrence, self.event.size), (here, size)))

    @property
    def text(self) -> Text:
        """The expression that cuts; of methods that are called on lines of their own, the one that does."""
        code, at = self.event.code, self.event.at
        for each in ir.iter_calls(code.body, at):
            if isinstance(each.callee, ir.Field):
                method = code.extract_text(ir.Site(each.callee.owner.at.end, at.end))
                space = len(method) - len(method.lstrip())
                return (
                    code.extract_text(ir.Site(each.callee.owner.at.end + space, at.end))
                    if "\n" in method[:space]
                    else self.event.text
                )
        return self.event.text

    def is_sent(self, program: Program) -> bool:
        """Return whether a client sent what is cut, which has the rest of it then."""
        return _is_sent(*self.sources[-1], program)

    def is_asked_for(self, program: Program) -> bool:
        """Return whether no more was looked for than a client asked for, or so many of the first in an order."""
        return (self.event.is_stop or self.event.ranks) and _is_sent(self.occurrence, self.event.size, program)

    @property
    def is_page(self) -> bool:
        """Whether the beginning was left out before: a client that chooses where a page begins knows that there are
        other items.
        """
        terms = (find_original_term(value.term) for _, value in self.sources)
        return any(isinstance(term, tuple) and term[:1] == ("part",) and term[2] is not None for term in terms)


def _is_sent(here: Occurrence, value: Value, program: Program) -> bool:
    found = find_origin(here, value, program)
    return found is not None and found.origin in CLIENTS


def _get_highest(size: Value, at: Occurrence, whole: Sequence[Term]) -> float:
    """Return how large a size is at most, where it is not the length of something itself."""
    sizes = [each for each in iter_alternatives(size) if not _is_length_of(each, whole)]
    return max((_get_letters(each, at) for each in sizes or [size]), default=inf)


def _get_letters(size: Value, at: Occurrence) -> float:
    """Return how large a size is at most, in letters where it is the place of one in a text, which counts bytes."""
    most = infer_interval(size, at.event.facts).high
    return most / LETTER if _is_place_of_letter(size) else most


def _is_place_of_letter(size: Value) -> bool:
    return isinstance(size.meaning, Made) and size.meaning.by == "counted"


def _is_length_of(size: Value, whole: Sequence[Term]) -> bool:
    made = size.meaning
    return isinstance(made, Made) and made.by == "length" and find_original_term(made.of[0].term) in whole


def collect_cut_labels(values: Iterable[frozenset[Label]]) -> frozenset[Label]:
    """Return the labels of what is left of something in what some labels are of."""
    return frozenset(each for labels in values for each in labels if each.origin == "cut")


def iter_answers(trace: Trace) -> Iterator[Returned]:
    """Yield the values that the function of a trace returns, except failures."""
    yield from (each for each in trace.events if isinstance(each, Returned) and each.value.failure is None)


def iter_cuts(trace: Trace, labels: frozenset[Label], models: Models) -> Iterator[KeptPart]:
    """Yield the cuts that leave what has one of some labels."""
    for each in trace.iter_occurrences(kinds=(Cut,)) if labels else ():
        if isinstance(each.event, Cut) and each.event.label in labels:
            yield KeptPart(each, each.event, tuple(_iter_sources(each, each.event.owner, models)), models)


def _iter_sources(here: Occurrence, value: Value, models: Models) -> Iterator[tuple[Occurrence, Value]]:
    """Yield a value, and what it gives the elements of, each with the call whose function has it."""
    for _ in range(DEEPEST):
        yield here, value
        here, value = here.trace_source(value)
        yield here, value
        pieces = (value.contents or {}).get(ELEMENT) if _is_pieces(value) else None
        made = pieces.meaning if pieces is not None else value.meaning
        model = models.find_model(made.by) if isinstance(made, Made) else None
        if not isinstance(made, Made) or model is None or model.returns not in VIEWS or not made.of:
            return
        value = made.of[0]


def _is_pieces(value: Value) -> bool:
    return get_term_head(find_original_term(value.term)) == "pieces"


def classify_cut(kept: KeptPart, longest: float = inf) -> CutKind:
    """Return the kind of the value that is cut: by its type and origin, else by the place of the cut, else by its name.

    If only the name says that it is a list, it counts as one only up to `longest` elements: a text may have more
    letters.
    """
    is_gone_through = False
    for here, value in kept.sources:
        found = _get_kind(value, kept.models) or _test(here, value)
        if found:
            return found
        is_gone_through = is_gone_through or isinstance(value.meaning, Made)
    name, is_called = _name_of(kept.event.code, kept.event.at)
    if kept.most > DIGITS and _is_formatted(kept.event.code, kept.event.at):
        return "text"
    if names_a_text(name) or _is_place_of_letter(kept.event.size):
        return "text"
    if names_many(name) and not is_called and longest < kept.most < inf:
        return "text"
    return "list" if names_many(name) or is_called else ""


DIGITS = 17
"""Digits that a float has at most: a precision that is more is of a text, as in `{text:.500}`."""


def _is_formatted(code: ir.Code, at: ir.Site) -> bool:
    """Return whether what is cut at a place is a part of a text that a format puts together."""
    parts = (
        part
        for statement in ir.iter_statements(code.body)
        for each in ir.iter_expressions(statement)
        if isinstance(each, ir.Interpolation)
        for part in each.parts
    )
    return any(part.at == at for part in parts)


LINE = 80
"""Characters that a line is taken for."""


def compute_max_characters(kept: KeptPart) -> float:
    """Return how many characters of a text are left at most."""
    return kept.most * (LINE if classify_cut(kept) == "lines" else 1)


def _get_kind(value: Value, models: Models) -> CutKind:
    if _is_pieces(value):
        return "lines"
    if isinstance(value.meaning, Made) and not is_field(value):
        if value.meaning.by == "text" or models.has_trait(value.meaning.by, "letters", "raw bytes"):
            return "text"
    kinds = [each for each in value.things if isinstance(each, Instance)]
    if any(
        isinstance(each.of, Library)
        and each.of.path.rpartition(".")[2] in find_type_names("text", "bytes", "text buffer")
        for each in kinds
    ):
        return "text"
    if any(each.element is not None for each in kinds) or any(map(_is_place, value.contents or ())):
        return "list"
    return ""


def _test(here: Occurrence, value: Value) -> CutKind:
    """Return the kind that a test determined for a value: `isinstance(value, str)`."""
    fact = here.event.facts.get(value.term)
    kinds = [each.path for each in fact.kinds if isinstance(each, Library)] if fact is not None else []
    for each in here.event.iter_outwards():
        test = each.value if each.condition == "test" and each.holds else None
        made = test.meaning if test is not None else None
        if isinstance(made, Made) and len(made.of) > 1 and made.of[0].term == value.term:
            kinds += [thing.path for thing in made.of[1].things if isinstance(thing, Library)]
    return (
        "text"
        if any(each.rpartition(".")[2] in find_type_names("text", "bytes", "text buffer") for each in kinds)
        else ""
    )


def _is_place(key: Key) -> bool:
    return key == ELEMENT or isinstance(key, int)


def _name_of(code: ir.Code, at: ir.Site) -> tuple[str, bool]:
    """Return how it is called what is cut at a place, and whether a function of a library cuts it that cuts lists."""
    for statement in ir.iter_statements(code.body):
        if isinstance(statement, ir.Call) and statement.at == at:
            method = statement.callee.name if isinstance(statement.callee, ir.Field) else ""
            return _get_name(code, _lower_operand(statement)), method not in OF_BOTH
        if isinstance(statement, ir.Delete) and statement.at == at and isinstance(statement.place, ir.Slice):
            return _get_name(code, statement.place.owner), False
        for each in ir.iter_expressions(statement):
            if isinstance(each, ir.Slice | ir.Item) and each.at == at:
                return _get_name(code, each.owner), False
    return "", False


def _lower_operand(call: ir.Call) -> ir.Expression | None:
    """Return the object on which a method is called, or the first argument of a function."""
    if isinstance(call.callee, ir.Field) and not isinstance(call.callee.owner, ir.Global | ir.Import):
        return call.callee.owner
    return call.arguments[0].value if call.arguments else None


def _get_name(code: ir.Code, expression: ir.Expression | None) -> str:
    """Return the name of a variable, a field, an entry, or of the function that gives a value."""
    for _ in range(DEEPEST):
        match expression:
            case ir.Read(variable=variable) if variable.name:
                return variable.name
            case ir.Read(variable=variable):
                expression = _lower_given(code, variable)
            case ir.Field(name=name):
                return name
            case ir.Item(key=ir.Constant(value=str() as name)):
                return name
            case ir.Item(owner=owner):
                expression = owner
            case ir.Global(path=path):
                return path[-1]
            case _:
                return ""
    return ""


def _lower_given(code: ir.Code, variable: ir.Variable) -> ir.Expression | None:
    """Return the expression that is assigned to a temporary; for a call, the called expression."""
    for each in ir.iter_statements(code.body):
        match each:
            case ir.Call(target=target, callee=callee) if target is variable:
                return callee
            case ir.Await(target=target, operand=operand) if target is variable:
                return operand
            case ir.Assign(target=target, value=value) if target is variable:
                return value
    return None
