"""Errors whose text names where a server's files lie."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain
from types import MappingProxyType

from reviewer.behaviour.answers import Answers, answers_of, is_error, is_handed_on, tells_failure
from reviewer.behaviour.failures import failures, initial_calls, leaves, made_failures
from reviewer.behaviour.findings import Finding
from reviewer.behaviour.paths import is_absolute, is_place
from reviewer.behaviour.texts import DEEPEST
from reviewer.code.acts import acts_of
from reviewer.code.events import Called, Caught, Context, Occurrence, Raised, Returned, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.kinds import ancestry, caught_types, is_caught, kinds_of, takes_any
from reviewer.code.program import Program
from reviewer.code.values import Choice, Class, Library, Made, Term, Value, made_as
from reviewer.patterns import pattern

Part = tuple[Occurrence, Value]
"""A value that stands in a text, with the call whose function has it."""


def leaked_paths(trace: Trace, program: Program) -> Iterator[Finding]:
    """Yield the errors, raised or answered, whose text shows an absolute path, or what the system says of one."""
    answers, failed = answers_of(trace, program), made_failures(trace)
    telling = _telling_clauses(trace, program, answers)
    for each in trace.occurrences():
        said = chain(_said(trace, program, answers, each, telling), _why(program, each, failed))
        if any(_is_leak(trace, program, *part) for part in said):
            yield Finding("leaks path", each)


def _telling_clauses(trace: Trace, program: Program, answers: Answers) -> Mapping[Code, list[Site]]:
    """Return the clauses that tell the client what the exception says that they take."""
    found: defaultdict[Code, list[Site]] = defaultdict(list)
    for each in trace.occurrences(kinds=(Raised, Returned)):
        handling = [
            (here.event.code, around)
            for here in each.outwards()
            for around in here.event.outwards()
            if around.condition == "handles" and around.value is not None
        ]
        terms = {value.term for _, value in _said(trace, program, answers, each)} if handling else set()
        for code, around in handling:
            if around.value is not None and around.value.term in terms:
                found[code].append(around.at)
    return found


def _is_told(
    program: Program, occurrence: Occurrence, kind: Class | Library, telling: Mapping[Code, list[Site]]
) -> bool:
    """Return whether the clause that takes an exception tells the client what it says."""
    for here in occurrence.outwards():
        for around in here.event.outwards():
            if around.condition == "catches" and is_caught(program, around, kind):
                clauses = telling.get(here.event.code, ())
                return any(around.at.holds(each) for each in clauses)
    return False


def _said(
    trace: Trace,
    program: Program,
    answers: Answers,
    occurrence: Occurrence,
    telling: Mapping[Code, list[Site]] = MappingProxyType({}),
) -> Iterator[Part]:
    """Yield what stands in the text of an error that the client is shown."""
    event = occurrence.event
    if isinstance(event, Raised) and event.value is not None:
        kinds = kinds_of(event.value)
        if any(leaves(program, occurrence, each) or _is_told(program, occurrence, each, telling) for each in kinds):
            for here, part in _texts(trace, program, occurrence, event.value):
                yield from _shown(program, here, part, DEEPEST)
    elif isinstance(event, Returned) and tells_failure(occurrence, event.value, program.models):
        if not is_handed_on(event.value) and answers.is_answer(occurrence):
            yield from _shown(program, occurrence, event.value, DEEPEST)
    elif isinstance(event, Returned) and event.value.failure is None and is_error(event.value, program.models):
        if not is_handed_on(event.value) and answers.is_answer(occurrence):
            yield from _worded(program, occurrence, event.value, DEEPEST)


def _why(program: Program, occurrence: Occurrence, failed: set[Term]) -> Iterator[Part]:
    """Yield what stands in the text of a failure of the handler, where that is made: by `Err(..)`, by a closure."""
    event = occurrence.event
    if not isinstance(event, Returned):
        return
    own = [each for each in failures(event.value) if each.term == made_as(each.term)]
    for each in (*own, event.value) if event.value.failure is None else own:
        if each.term in failed:
            yield from _worded(program, occurrence, each, DEEPEST)


def _worded(program: Program, occurrence: Occurrence, error: Value, deep: int) -> Iterator[Part]:
    """Yield what stands in the text of an error, also of one that another holds."""
    here, error = occurrence.source(error)
    yield from _shown(program, here, error, DEEPEST)
    inner: tuple[Value, ...] = tuple((error.contents or {}).values())
    if isinstance(error.meaning, Made) and error.meaning.by not in TEXTUAL:
        inner = (*inner, *error.meaning.of)
    for each in inner if deep else ():
        yield from _worded(program, here, each, deep - 1)


def _texts(trace: Trace, program: Program, occurrence: Occurrence, error: Value) -> Iterator[Part]:
    """Yield what the text of an exception is made of; a class of the project hands it to the class that it extends."""
    here, error = occurrence.source(error)
    if any(isinstance(each, Class) for each in kinds_of(error)):
        begun = initial_calls(trace, program, error)
        yield from ((each, part) for each in begun for part in _arguments(each))
        yield from ((here, part) for key, part in (error.contents or {}).items() if not begun and key == ("0",))
    elif isinstance(error.meaning, Made):
        yield from ((here, each) for each in error.meaning.of)


def _arguments(occurrence: Occurrence) -> tuple[Value, ...]:
    event = occurrence.event
    return (*event.arguments, *event.named.values()) if isinstance(event, Called) else ()


def _shown(program: Program, occurrence: Occurrence, value: Value, deep: int) -> Iterator[Part]:
    """Yield the values that stand in a text or an answer."""
    here, value = occurrence.source(value)
    yield here, value
    inner: tuple[Value, ...] = tuple((value.contents or {}).values()) if not is_place(value) else ()
    match value.meaning:
        case Choice(then=then, otherwise=otherwise):
            inner = (*inner, then, otherwise)
        case Made(by, of) if by in TEXTUAL or program.models.row(by).returns in ("text", "same text"):
            inner = of
    if deep and not is_absolute(here, value, program.models):
        for each in inner:
            yield from _shown(program, here, each, deep - 1)


TEXTUAL = frozenset({"text", "+", "%"})
"""Operators that put their operands into a text."""


def _is_leak(trace: Trace, program: Program, here: Occurrence, value: Value) -> bool:
    if isinstance(value.meaning, Made) and value.meaning.by == "repr":
        return is_absolute(*here.source(value.meaning.of[0]), program.models)
    if isinstance(value.meaning, Made) and value.meaning.by == "chain":
        return CHAINING.search(here.event.code.source.data) is not None and _is_reason(here, value.meaning.of[0])
    if isinstance(value.meaning, Made) and value.meaning.by in (".filename", ".filename2"):
        value = value.meaning.of[0]
    return is_absolute(here, value, program.models) or _names_file(trace, program, here, value)


CHAINING = pattern(rb"\b(?:anyhow|eyre)\b")
"""What names the libraries whose errors write all that brought them about where they are told to: `{error:#}`."""


def _is_reason(occurrence: Occurrence, value: Value) -> bool:
    """Return whether a value is why something failed: an exception, or the text that was put before it: `.context("..")`."""
    return value.text is not None or any(each.origin == "exception" for each in occurrence.labels(value))


def _names_file(trace: Trace, program: Program, here: Occurrence, value: Value) -> bool:
    """Return whether a value is an exception that was caught, and tells of a file that an absolute path names."""
    found = ((there, each) for there in here.outwards() for each in there.event.outwards() if _handles(each, value))
    there, handling = next(found, None) or _taken(trace, value)
    if there is None or handling is None:
        return False
    tried = [each for each in trace.occurrences(kinds=(Called,)) if _is_tried(each, there.event.code, handling)]
    if takes_any(program, handling):
        tried = [each for each in tried if each.event.code is there.event.code]
        may_fail = {each.event.at for each in tried if "fails" in acts_of(each.event, program.models)}
        if len(may_fail) > MOST:
            return False
    elif not any(SYSTEM in ancestry(program, each) for each in caught_types(program, handling)):
        return False
    return any(_opens(each, program) for each in tried)


def _taken(trace: Trace, value: Value) -> tuple[Occurrence, Context] | tuple[None, None]:
    """Return the clause that took an exception, of which something is told after it; None if there is none."""
    term = made_as(value.term)
    if not isinstance(term, tuple) or term[:1] != ("caught",):
        return None, None
    for each in trace.occurrences(kinds=(Caught,)):
        if isinstance(each.event, Caught) and each.event.value.term == term:
            return each, Context("handles", each.event.at, each.event.value, types=each.event.types)
    return None, None


SYSTEM = Library("builtins.OSError")
"""The class of exceptions that tell of a file."""

MOST = 3
"""Calls in a `try` that may fail, of which a clause that takes anything most likely takes what the system says of a file."""


def _handles(circumstance: Context, value: Value) -> bool:
    return (
        circumstance.condition == "handles" and circumstance.value is not None and circumstance.value.term == value.term
    )


def _is_tried(occurrence: Occurrence, code: Code, handling: Context) -> bool:
    """Return whether a call is made in the `try` that a clause of a function belongs to, or by what is called there."""
    around = (
        each.at
        for here in occurrence.outwards()
        if here.event.code is code
        for each in here.event.outwards()
        if each.condition == "catches"
    )
    return any(each.holds(handling.at) for each in around)


ON_FILES = frozenset(
    {"opens file", "reads file", "lists directory", "writes file", "makes directory", "deletes file", "blocks briefly"}
)


def _opens(occurrence: Occurrence, program: Program) -> bool:
    """Return whether a call works on a file that an absolute path names."""
    event = occurrence.event
    assert isinstance(event, Called)
    if ON_FILES.isdisjoint(acts_of(event, program.models)):
        return False
    given = (*event.arguments[:1], *((event.receiver,) if event.receiver is not None else ()))
    return any(is_absolute(occurrence, each, program.models) for each in given)
