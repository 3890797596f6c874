"""How exceptions become answers: which classes the code tells apart that answers for them, and with what it answers for each.

For that it is run on suppositions: that what was caught is of a class, or of none that the code asks for.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property

from reviewer.behaviour.failures.error_boundaries import is_caught as is_failure
from reviewer.behaviour.values.decorators import ExceptionClause
from reviewer.behaviour.values.texts import iter_parts, iter_written_texts
from reviewer.code import ir
from reviewer.code.events import Called, Context, Entered, Indexed, Looped, Occurrence, Raised, Returned, Tested, Trace
from reviewer.code.heap import Heap
from reviewer.code.interpreter import Interpreter
from reviewer.code.kinds import ANYTHING, is_caught, iter_ancestors
from reviewer.code.program import Program
from reviewer.code.run import RunBounds
from reviewer.code.state import KnownFact, State
from reviewer.code.summaries import Summaries
from reviewer.code.values import (
    Class,
    Instance,
    Key,
    Library,
    Made,
    Term,
    Value,
    build_constant,
)

CaughtType = Class | Library

NAMING = (Tested, Called, Indexed, Looped)
"""The events in which code asks of which class something is: a test, a call, a look into a table."""

NO_ATTRIBUTE = {".hasattr": (build_constant(False), KnownFact(truth=False))}
"""What code is told of an exception that has nothing but what every exception has."""


class FailureMapping:
    """What some clauses, and the functions that they hand it to, make of what they catch."""

    def __init__(self, clauses: Iterable[ExceptionClause], program: Program) -> None:
        self.clauses = tuple(clauses)
        self.program = program
        self.registered: frozenset[str] = frozenset()
        """The names of classes for which a function of its own is registered."""
        self._worlds: dict[tuple[ExceptionClause, CaughtType | None, bool], Trace] = {}

    @cached_property
    def kinds(self) -> dict[CaughtType, None]:
        """The classes of exceptions that it has a branch for, as it names them."""
        found = [kind for each in self._named for kind in _iter_classes(each) if self.is_exception(kind)]
        return dict.fromkeys(kind for kind in found if kind not in ANYTHING)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of classes of exceptions by which it asks for them, as texts."""
        texts = {each.text or "" for each in self._named}
        said = frozenset(each for each in texts if each.endswith(("Error", "Exception")) and each.isidentifier())
        return said | self.registered

    @cached_property
    def _named(self) -> list[Value]:
        found = [kind for each in self.clauses if not each.takes_any(self.program) for kind in each.types]
        for clause in self.clauses:
            for each in self.iter_handled(clause, clause.trace):
                if isinstance(each.event, NAMING):
                    found += each.event.values
        return [part for each in found for part in _iter_within(each)]

    def is_exception(self, kind: CaughtType) -> bool:
        """Return whether a class is one of exceptions: by what is known of it, or of a library's base, or by its name."""
        if isinstance(kind, Class):
            return any(self.is_exception(each) for each in self.program.find_parents(kind))
        extends = self.program.models.get_model(kind.path).extends
        return kind.path.endswith(("Error", "Exception")) or (extends != "" and self.is_exception(Library(extends)))

    def covers(self, kind: CaughtType) -> bool:
        """Return whether it has a branch for a class, or for one that this descends from."""
        return any(each in self.kinds or name_of(each) in self.names for each in iter_ancestors(self.program, kind))

    def iter_handled(self, clause: ExceptionClause, trace: Trace) -> Iterator[Occurrence]:
        """Yield the occurrences of a clause, and what it says about the failure, in a run of the function that contains
        it.
        """
        for each in trace.iter_occurrences():
            if not all(_passes_caught(here.caller) for here in each.iter_outwards() if here.caller is not None):
                continue
            outermost = list(each.iter_outwards())[-1].event
            if any(around.condition == "handles" and around.at == clause.at for around in outermost.iter_outwards()):
                yield each

    def iter_answers(self, clause: ExceptionClause, trace: Trace) -> Iterator[tuple[Occurrence, Value]]:
        """Yield the values that a clause and the functions it calls return or raise, in a run of the function that
        contains it.
        """
        for each in self.iter_handled(clause, trace):
            if isinstance(each.event, Returned | Raised) and each.event.values:
                yield each, each.event.values[0]

    def is_mapped(self, kind: Class) -> bool:
        """Return whether an exception of a class is answered otherwise than one that is of no class which is asked for."""
        clause = self.find_clause(kind)
        if clause is None or kind in self.kinds or kind.name in self.names or not clause.takes_any(self.program):
            return True
        said, usual = (frozenset(self._iter_said(clause, self.trace_supposing(clause, each))) for each in (kind, None))
        return not said or bool(said - usual) or any(self._has(kind, each[1:]) for each in said if _is_code(each))

    def find_clause(self, kind: CaughtType | None) -> ExceptionClause | None:
        """Return the clause that takes exceptions of a class, or of any class."""
        for each in self.clauses:
            context = Context("catches", each.at, types=each.types)
            if each.takes_any(self.program) or (kind is not None and is_caught(self.program, context, kind)):
                return each
        return None

    def _iter_said(self, clause: ExceptionClause, trace: Trace) -> Iterator[str]:
        """Yield the words, and the fields, that are in what a clause answers: a message of several words is no code."""
        for here, value in self.iter_answers(clause, trace):
            yield from (each for each in iter_written_texts(here, value) if " " not in each)

    def _has(self, kind: Class, name: str) -> bool:
        """Return whether an exception of a class brings something along under a name."""
        made = self.program.find_constructor(kind)
        calls = ir.iter_calls(made.body) if made is not None else ()
        given = {argument.name for each in calls for argument in each.arguments}
        return made is not None and (name in given or name in ir.collect_names(made.body))

    @cached_property
    def is_coded(self) -> bool:
        """Whether its answer contains a code."""
        return any("code" in each.lower() for clause in self.clauses for each in self._iter_words(clause))

    def _iter_words(self, clause: ExceptionClause) -> Iterator[str]:
        """Yield the names in what a clause answers: of entries, of fields, of classes."""
        for here, value in self.iter_answers(clause, clause.trace):
            for _, part in iter_parts(here, value):
                yield from (str(key) for key in part.contents or ())
                yield from (part.meaning.by,) if isinstance(part.meaning, Made) else ()
                yield from (each.name for each in map(find_class, part.things) if isinstance(each, Class))

    @cached_property
    def sets(self) -> dict[Class, None]:
        """The enumerations, or other classes, of which members are in its answers."""
        values = (each for clause in self.clauses for each in self.iter_answers(clause, clause.trace))
        things = (thing for each in values for _, part in iter_parts(*each) for thing in part.things)
        made = (each.of for each in things if isinstance(each, Instance))
        return dict.fromkeys(each for each in made if isinstance(each, Class) and not self.is_exception(each))

    @cached_property
    def envelope(self) -> frozenset[str]:
        """The fields of the object of the project that it answers with, none if it is no such object."""
        for clause in self.clauses:
            for here, value in self.iter_answers(clause, clause.trace):
                for made in map(find_class, value.things if here.caller is None else ()):
                    if isinstance(made, Class) and not self.is_exception(made):
                        return frozenset(self.program.list_fields(made))
        return frozenset()

    @cached_property
    def teller(self) -> ir.Code | ExceptionClause:
        """The function that tells the exceptions apart: the first that is handed one of any class, else the first clause."""
        for clause in self.clauses:
            for each in self.iter_handled(clause, clause.trace) if clause.takes_any(self.program) else ():
                event = each.event
                if isinstance(event, Entered) and any(_is_untold(each, value) for value in event.given.values()):
                    return event.trace.code
        return self.clauses[0]

    def iter_codes(self) -> Iterator[ir.Code]:
        """Yield the functions that it consists of."""
        for clause in self.clauses:
            yield clause.trace.code
            for each in self.iter_handled(clause, clause.trace):
                if isinstance(each.event, Entered):
                    yield each.event.trace.code

    def trace_supposing(self, clause: ExceptionClause, kind: CaughtType | None, *, lacking: bool = False) -> Trace:
        """Return the run of a clause's function for an exception of a class, or of none that the clause tests.

        With `lacking` the exception has nothing that may be left out when it is created.
        """
        key = (clause, kind, lacking)
        if key not in self._worlds:
            term: Term = ("caught", clause.trace.code, clause.at)
            above = frozenset(iter_ancestors(self.program, kind)) if kind is not None else frozenset()
            named = frozenset(self.kinds)
            fact = KnownFact(
                present=True, kinds=(above & named) | ({kind} if kind is not None else set()), others=named - above
            )
            held: dict[Key, Value] = (
                {("args",): build_constant("")} if lacking and kind is None else {}
            )  # a sequence of nothing
            if lacking and kind is not None:
                held |= {(each,): build_constant(None) for each in self.collect_optional_fields(kind)}
            replies = NO_ATTRIBUTE if lacking and kind is None else {}
            taking = clause.place if clause.ends_behind else None
            run = Interpreter(self.program, RunBounds(), Summaries(), replies, {term: fact}, taking=taking)
            self._worlds[key] = run.start(clause.trace.code, {}, State(heap=Heap({term: held}), facts={term: fact}))
        return self._worlds[key]

    def collect_optional_fields(self, kind: CaughtType) -> frozenset[str]:
        """Return the fields of an exception that are None unless it was told otherwise where it was made."""
        made = self.program.find_constructor(kind) if isinstance(kind, Class) else None
        if made is None:
            rows = self.program.models.rows.items()
            own = f"{kind.path}." if isinstance(kind, Library) else "?"
            return frozenset(
                path.removeprefix(own) for path, row in rows if row.returns == "nothing" and path.startswith(own)
            )
        absent = {each.variable for each in made.parameters if _is_none(each.default)}
        return frozenset(
            each.place.name
            for each in ir.iter_statements(made.body)
            if isinstance(each, ir.Store) and isinstance(each.place, ir.Field)
            if _is_none(each.value) or (isinstance(each.value, ir.Read) and each.value.variable in absent)
        )


def _is_none(expression: ir.Expression | None) -> bool:
    return isinstance(expression, ir.Constant) and expression.value is None


def name_of(kind: CaughtType) -> str:
    """Return the name of a class."""
    return kind.name if isinstance(kind, Class) else kind.path.rpartition(".")[2]


def find_class(thing: object) -> object:
    """Return of what class an object is."""
    return thing.of if isinstance(thing, Instance) else None


def _iter_classes(value: Value) -> Iterator[CaughtType]:
    return (each for each in value.things if isinstance(each, Class | Library))


DEEPEST = 4
"""How many values inside values are looked through: a condition of a test of an element of a row."""


def _iter_within(value: Value, deep: int = DEEPEST) -> Iterator[Value]:
    """Yield a value, and those that it asks, holds or has keys of."""
    yield value
    for each in (*(value.contents or {}).values(), *value.operands) if deep else ():
        yield from _iter_within(each, deep - 1)


def _passes_caught(call: Occurrence) -> bool:
    """Return whether a call hands over what was caught, or something of it."""
    given = call.event.given.values() if isinstance(call.event, Entered) else ()
    return any(each.origin == "exception" for value in given for each in call.resolve_labels(value))


def is_caught_in(here: Occurrence, value: Value) -> bool:
    """Return whether a value is what a clause caught."""
    return is_failure(here.trace_source(value)[1])


def _is_untold(here: Occurrence, value: Value) -> bool:
    """Return whether a value was caught and its class was not tested."""
    fact = here.event.facts.get(value.term)
    return is_caught_in(here, value) and (fact is None or not fact.kinds)


def _is_code(said: str) -> bool:
    """Return whether a field is called so that it may hold the code of a failure."""
    return said.startswith(".") and (said in (".issue", ".kind") or "code" in said)
