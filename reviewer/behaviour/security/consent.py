"""Whether the user is asked before an action is carried out, and whether a refusal keeps it from being carried out.

What code does for an action is what a run of it does in which that action is chosen; what it does where the user refuses is what
a run does in which every question is answered so. What is called in both is called whatever the user says.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reviewer.behaviour.arguments import inputs
from reviewer.behaviour.effects.changes import deletes
from reviewer.behaviour.values.entry_points import EntryPoint, EntryPoints, Replies, RunFrom
from reviewer.behaviour.values.names import split_words
from reviewer.code.acts import collect_acts, find_modelled_return
from reviewer.code.events import Called, CodePlace, Entered, Event, Indexed, Occurrence, Tested, Trace
from reviewer.code.focus import Focused
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Call, Code, iter_statements
from reviewer.code.library_types import find_types
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import Facts, KnownFact, infer_truth
from reviewer.code.values import (
    ELEMENT,
    NONE,
    Class,
    ClientArguments,
    ConditionalValue,
    Function,
    Instance,
    Key,
    Label,
    Library,
    Made,
    Negation,
    Relation,
    Term,
    Value,
    build_constant,
    build_unknown,
    name_of,
)
from reviewer.facts import Catalog, Consent, Dispatch, Guard

ANSWER = frozenset((Label("answer"),))

FAILED: Replies = {
    "elicits": (
        Value(("reply", "failure"), ANSWER, failure=build_unknown("the user says why", ("reply",), ANSWER)),
        KnownFact(),
    ),
    ".create_elicitation": (
        Value(
            ("reply", "result"), ANSWER, things=(Instance(Library("rmcp.model.CreateElicitationResult")),), certain=True
        ),
        KnownFact(truth=True, present=True),
    ),
}
"""A question that fails where the user does not agree, or gives an object that says so in its own words."""


def _tell(action: str) -> Replies:
    held: dict[Key, Value] = {
        ("action",): build_constant(action).with_labels(ANSWER),
        ("data",): NONE,
        ("content",): NONE,
    }
    made = (Instance(Library("mcp.types.ElicitResult")),)
    reply = Value(("reply", action), ANSWER, things=made, certain=True, contents=held)
    return {
        "elicits": (reply, KnownFact(truth=True, present=True, others=frozenset(map(Library, find_types("consent")))))
    }


TOLD = (_tell("decline"), _tell("cancel"))
"""A question that gives an object whose `action` says what the user did."""


class Unticked(ClientArguments):
    """What a form holds that a user sends back with nothing agreed to: whatever is asked of it is false."""

    def __getitem__(self, key: Key) -> Value:
        if not isinstance(name_of(key), str) or key == ELEMENT:
            raise KeyError(key)
        return build_constant(False).with_labels(ANSWER)


FORM = Value(("reply", "form"), ANSWER, certain=True, contents=Unticked())
SENT = KnownFact(truth=True, present=True, failed=False)
DENIED_IN_RESULT: Replies = {
    "elicits": (
        TOLD[0]["elicits"][0]._replace(
            term=("reply", "sent"),
            contents={("action",): build_constant("accept").with_labels(ANSWER), ("data",): FORM, ("content",): FORM},
        ),
        SENT,
    )
}
"""A question that asks for a yes or a no, and is answered no: the form is sent back, and the user does not agree."""

CLIENTS = frozenset({"ctx", "context", "peer", "session"})
"""What the object is called by which a client is spoken to, where its type is not known."""
SPEAKING = ("Context", "Peer", "Session", "ServerSession", "RequestContext")
"""The types of such objects."""

AGREEING = frozenset(
    "confirm confirmed confirmation consent approve approved approval agree agreed acknowledge sure force".split()
)
"""Words of arguments by which a client says that the user agrees, and of functions that ask for it."""

TAKING = frozenset({"removed", "emptied", "retained", "shortened"})
"""What models call functions that take something out of their operand."""

ASIDE = frozenset({"logs", "logs to client", "prints", "prints to stderr", "reports progress", "notifies"})
"""What a call does that is neither a question nor an action."""


class AskedAction(NamedTuple):
    """An action, the place where the choice among actions is made, and the functions that only form answers.

    Where nothing but a test of the name tells that a choice is made there, `choosing` are the labels of that name.
    """

    action: str
    dispatcher: Code
    guards: frozenset[Code]
    choosing: frozenset[Label] | None = None


def iter_consents(
    language: EntryPoints, catalogs: Iterable[Catalog], dispatches: Iterable[Dispatch], guards: Iterable[Guard]
) -> Iterator[Consent]:
    """Yield how each destructive action is carried out, from each function where calls come in."""
    rows = [row for table in catalogs for row in table.actions]
    destructive = list(dict.fromkeys(str(row.name) for row in rows if row.destructive is True))
    if not destructive:
        return
    names = frozenset(str(row.name) for row in rows)
    forming = frozenset(code for each in guards if (code := language.find_code(each.span)) is not None)
    told: set[str] = set()
    for dispatch in dispatches:
        code = language.find_code(dispatch.span)
        named = {str(arm.name) for arm in dispatch.arms}.intersection(destructive)
        if code is not None and named:
            told |= named
            ways = [(each, find_choosing_value(each.trace, names)) for each in language.find_entry_points(code)]
            for name in sorted(named):
                yield from _iter_for_action(language, AskedAction(name, code, forming), ways)
    left = [name for name in destructive if name not in told]
    if left and language.asks():
        chosen = [
            (each, value)
            for each in language.iter_tools()
            if (value := find_choosing_value(each.trace, names)) is not None
        ]
        for name in left:
            for entry_point, value in chosen:
                asked = AskedAction(name, entry_point.trace.code, forming, value.labels)
                yield determine_consent(entry_point.start, language, asked, value)
            if not chosen:
                yield Consent(name)


def _iter_for_action(
    language: EntryPoints, asked: AskedAction, ways: list[tuple[EntryPoint, Value | None]]
) -> Iterator[Consent]:
    if not ways:
        yield Consent(asked.action)
    for entry_point, chosen in ways:
        if chosen is None:
            yield Consent(asked.action)
        else:
            yield determine_consent(entry_point.start, language, asked, chosen)


def find_choosing_value(trace: Trace, names: frozenset[str]) -> Value | None:
    """Return the value by which one of some actions is chosen, as the outermost function has it that does."""
    for each in trace.iter_occurrences():
        for chosen in _iter_choosing_values(each.event, names):
            _, value = each.trace_source(chosen)
            if value.constant is None:
                return value
    return None


def _iter_choosing_values(event: Event, names: frozenset[str]) -> Iterator[Value]:
    match event:
        case Tested():
            yield from _iter_compared_values(event.value, names, 3)
        case Indexed() if _names_one(event.owner, names):
            yield event.key
        case Called(receiver=Value() as owner) if _names_one(owner, names):
            yield from event.arguments[:1]


def _iter_compared_values(value: Value, names: frozenset[str], deep: int) -> Iterator[Value]:
    """Yield the values that a test compares with the names of actions."""
    match value.meaning:
        case Relation("==", left, Value() as right):
            yield from (one for one, other in ((left, right), (right, left)) if other.text in names)
        case Relation("in", left, Value() as right) if _names_one(right, names):
            yield left
        case Negation(operand) if deep:
            yield from _iter_compared_values(operand, names, deep - 1)
        case ConditionalValue(test, then, otherwise) if deep:
            for each in (test, then, otherwise):
                yield from _iter_compared_values(each, names, deep - 1)


def _names_one(table: Value, names: frozenset[str]) -> bool:
    return any(key in names or each.text in names for key, each in (table.contents or {}).items())


def determine_consent(start: RunFrom, language: EntryPoints, asked: AskedAction, chosen: Value) -> Consent:
    """Return how an action is carried out, `chosen` being the value by which it is chosen among others."""
    facts: Facts = {chosen.term: KnownFact(truth=True, present=True, equal=frozenset(((str, asked.action),)))}
    program = language.program
    focused = Focused(program, asked.action)
    plain = _BranchTrace(start(Interpreter(focused, known=facts), facts), program.models, asked)
    needed = {_place(each) for each in plain.collect_carrying_calls()}
    questions = tuple(dict.fromkeys(_find_answering_call(each).event.text for each in plain.questions))
    if not needed or not plain.enters:
        return Consent(asked.action, questions, None)
    replies = [*(language.refusals if questions else language.refusals[:1])]
    replies += filter(None, (_build_denial(each.event, program) for each in plain.questions[:1]))
    found = [
        _goes_on(
            _BranchTrace(start(Interpreter(focused, known=facts, replies=each), facts), program.models, asked), needed
        )
        for each in replies
    ]
    goes_on = True if True in found else None if None in found else False
    return Consent(asked.action, questions, goes_on)


def _build_denial(question: Event, program: Program) -> Replies | None:
    """Return that a form for yes or no is sent back with no; None if a question has no such form."""
    if not isinstance(question, Called):
        return None
    if not program.raises:
        calls = (
            each for each in iter_statements(question.code.body) if isinstance(each, Call) and each.at == question.at
        )
        forms = [program.resolve_type(kind, question.code) for each in calls for kind in each.types]
        form = next((each for each in forms if each is not None and isinstance(each.of, Class)), None)
        names = program.list_fields(form.of) if form is not None and isinstance(form.of, Class) else ()
        if form is None or not any(program.resolve_field_type(form, name) is None for name in names):
            return None  # numbers, texts and enumerations have types here, a bool has none
        held: dict[Key, Value] = {(name,): build_constant(False).with_labels(ANSWER) for name in names}
        reply = Value(("reply", "form"), ANSWER, things=(form,), certain=True, contents=held)
        return {"elicits": (reply, SENT._replace(kinds=frozenset((form.of,))))}
    given = (*question.arguments, *question.named.values())
    kinds = [each for value in given for each in value.things if isinstance(each, Class)]
    typed = (program.resolve_field_type(Instance(kind), name) for kind in kinds for name in program.list_fields(kind))
    properties = ((value.contents or {}).get("properties") for value in given)
    parts = (each for value in properties if value is not None for each in (value.contents or {}).values())
    written = ((each.contents or {}).get("type") for each in parts)
    is_asked = any(map(_is_bool, typed)) or any(each is not None and each.text == "boolean" for each in written)
    return DENIED_IN_RESULT if is_asked else None


def _is_bool(made: Instance | None) -> bool:
    return made is not None and isinstance(made.of, Library) and made.of.path.rpartition(".")[2] == "bool"


def _goes_on(refused: "_BranchTrace", needed: set[CodePlace]) -> bool | None:
    """Return whether an action is carried out although the user refuses, None if only a run tells."""
    reached = [each for each in refused.found if _place(each) in needed]
    if not needed <= {_place(each) for each in reached}:
        return False
    return None if any(refused.is_open(each) for each in reached) else True


def _find_answering_call(question: Occurrence) -> Occurrence:
    """Return the call that gives the answer to a question, as far as helpers hand it on."""
    here = question
    while here.caller is not None and isinstance(here.caller.event, Entered):
        given = here.caller.event.trace.result
        if given is None or ANSWER.isdisjoint(given.labels):
            break
        here = here.caller
    return here


def _place(occurrence: Occurrence) -> CodePlace:
    return CodePlace(occurrence.event.code, occurrence.event.at)


class _BranchTrace:
    """What is done on the way of one run."""

    def __init__(self, trace: Trace, models: Models, asked: AskedAction) -> None:
        self._trace, self._models, self._asked = trace, models, asked
        self.found = list(trace.iter_occurrences(lambda event, _: event.trace.code not in asked.guards))
        self.enters = trace.code is asked.dispatcher or any(
            isinstance(each.event, Entered) and each.event.trace.code is asked.dispatcher for each in self.found
        )
        self._asking = {
            (each.event.code, each.event.at)
            for each in self.found
            if isinstance(each.event, Entered)
            and ("elicits" in each.event.trace.acts or each.event.trace.code is asked.dispatcher)
        }
        """The calls of what asks, or of what chooses the action."""
        self.questions = [each for each in self.found if "elicits" in collect_acts(each.event, self._models)]
        self._undecided = {
            (each.event.code, each.event.value.term)
            for each in self.found
            if isinstance(each.event, Tested) and infer_truth(each.event.value, each.event.facts) is None
        }

    def collect_carrying_calls(self) -> list[Occurrence]:
        """Return the calls that carry the action out.

        They are named like it, else all of what is not there to be read and may be one, else what takes something out of what is
        kept.
        """
        calls = [each for each in self.found if self._may_carry_out(each)]
        verb = split_words(self._asked.action.rpartition(".")[2])
        named = [each for each in calls if verb & split_words(_get_called_name(each))]
        foreign = [each for each in calls if self._is_foreign(each) and self._is_chosen(each)]
        return named or foreign or [each for each in calls if self._takes_out(each)]

    def _may_carry_out(self, occurrence: Occurrence) -> bool:
        event = occurrence.event
        if not isinstance(event, Called) or split_words(_get_called_name(occurrence)) & AGREEING:
            return False
        return (
            not collect_acts(occurrence.event, self._models) & {"elicits", *ASIDE}
            and (event.code, event.at) not in self._asking
        )

    def _is_chosen(self, occurrence: Occurrence) -> bool:
        """Return whether a called function may be the action: a test of an action's name chose it, or something
        certainly does.
        """
        event, choosing = occurrence.event, self._asked.choosing
        return choosing is None or (
            isinstance(event, Called) and not choosing.isdisjoint(occurrence.resolve_labels(event.callee))
        )

    def _takes_out(self, occurrence: Occurrence) -> bool:
        event = occurrence.event
        if not isinstance(event, Called):
            return False
        is_taken = find_modelled_return(event, self._models) in TAKING and event.receiver is not None
        is_own = event.receiver is None or not _is_sent(occurrence, event.receiver)
        return (is_taken and is_own) or deletes(occurrence, collect_acts(occurrence.event, self._models), self._models)

    def _is_foreign(self, occurrence: Occurrence) -> bool:
        event = occurrence.event
        if not isinstance(event, Called) or any(isinstance(each, Class) for each in event.callee.things):
            return False  # what is only made does nothing
        return not event.followed and self._models.find_model(event.path) is None

    def is_open(self, carried: Occurrence) -> bool:
        """Return whether only a run tells if it comes to a call: what it depends on may be the user's agreement."""
        here = self._collect_open_conditions(carried)
        others = {(code, term, not truth) for code, term, truth in here}
        is_before = True
        for each in self.found:
            if each is carried:
                is_before = False
            elif "elicits" in collect_acts(each.event, self._models):
                where = self._collect_open_conditions(each)
                if where - here if is_before else where & others:
                    return True
            elif is_before and (self._may_ask(each) or self._is_open_test(each)):
                return True
        return False

    def _collect_open_conditions(self, occurrence: Occurrence) -> set[tuple[Code, Term, bool]]:
        """Return the results of undecided tests on the path to an event."""
        return {
            (event.code, term, fact.truth)
            for event in (each.event for each in occurrence.iter_outwards())
            for term, fact in event.facts.items()
            if fact.truth is not None and (event.code, term) in self._undecided
        }

    def _is_open_test(self, occurrence: Occurrence) -> bool:
        """Return whether an open test asks what the user said."""
        event = occurrence.event
        if not isinstance(event, Tested):
            return False
        if (event.code, event.value.term) not in self._undecided:
            return False
        if not ANSWER.isdisjoint(occurrence.resolve_labels(event.value)):
            return True
        # what the call itself says, the model says: a user is asked by no argument
        return _speaks_of_consent(occurrence, event.value) and not _is_read(event.value)

    def _may_ask(self, occurrence: Occurrence) -> bool:
        """Return whether a call is of code that is not there, and that may ask the user or look at the answer."""
        if not self._is_foreign(occurrence):
            return False
        event = occurrence.event
        return bool(split_words(_get_called_name(occurrence)) & AGREEING) or any(
            not ANSWER.isdisjoint(occurrence.resolve_labels(each)) or _speaks(occurrence, each) for each in event.values
        )


def _speaks_of_consent(here: Occurrence, value: Value) -> bool:
    words = (*(each.name for each in here.resolve_labels(value)), *_iter_words(value, 4))
    return any(split_words(each) & AGREEING for each in words)


def _is_read(value: Value) -> bool:
    """Return whether a value is an argument or an entry of them, or whether that is there or true; no other call made it."""
    match value.meaning:
        case Negation(operand):
            return _is_read(operand)
        case Relation(left=left, right=right):
            return _is_read(left) and (right is None or right.constants is not None)
        case ConditionalValue(test, then, otherwise):
            return all(each.constants is not None or _is_read(each) for each in (test, then, otherwise))
    term = value.term
    while isinstance(term, tuple) and len(term) > 1 and term[0] in ("item", "entry", "field"):
        term = term[1]
    return isinstance(term, tuple) and term[:1] in (("argument",), ("parameter",))


def _is_sent(here: Occurrence, value: Value) -> bool:
    """Return whether a value comes of what a client sends."""
    return any(each.origin in inputs.CLIENTS for each in here.resolve_labels(value))


def _get_called_name(occurrence: Occurrence) -> str:
    """Return the last name of what is called."""
    event = occurrence.event
    assert isinstance(event, Called)
    functions = [each.code.name for each in event.callee.things if isinstance(each, Function)]
    if functions:
        return functions[0]
    return event.path.rpartition(".")[2] or str(event.text).partition("(")[0].rpartition(".")[2]


def _speaks(occurrence: Occurrence, value: Value) -> bool:
    """Return whether a value is the object by which a client is spoken to."""
    paths = value.library_types
    if any(path.endswith(SPEAKING) for path in paths):
        return True
    return any(each.origin == "argument" and each.name in CLIENTS for each in occurrence.resolve_labels(value))


def _iter_words(value: Value, deep: int) -> Iterator[str]:
    """Yield the names and texts that a value is made by."""
    if value.text is not None:
        yield value.text
    if isinstance(value.meaning, Made):
        yield value.meaning.by
    for each in value.operands if deep else ():
        yield from _iter_words(each, deep - 1)
