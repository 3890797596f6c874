"""Errors whose text names where a server's files lie."""

from collections.abc import Iterator

from reviewer.behaviour.failures.error_texts import ErrorTexts
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.security.paths import is_absolute, is_place
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Caught, Context, Occurrence, Trace
from reviewer.code.ir import Code
from reviewer.code.kinds import collect_caught_types, iter_ancestors, takes_any
from reviewer.code.program import Program
from reviewer.code.values import Library, Made, Value, find_original_term
from reviewer.text.patterns import pattern


def iter_leaked_paths(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the errors, raised or answered, whose text shows an absolute path, or what the system says of one."""

    def decide_descent(here: Occurrence, value: Value) -> tuple[bool, bool]:
        return not is_place(value), not is_absolute(here, value, program.models)

    texts = ErrorTexts(trace, program, decide_descent)
    for each in trace.iter_occurrences():
        if any(_is_leak(trace, program, *part) for part in texts.iter_parts(each)):
            yield RunFinding("leaks path", each)


def _is_leak(trace: Trace, program: Program, here: Occurrence, value: Value) -> bool:
    if isinstance(value.meaning, Made) and value.meaning.by == "repr":
        return is_absolute(*here.trace_source(value.meaning.of[0]), program.models)
    if isinstance(value.meaning, Made) and value.meaning.by == "chain":
        return CHAINING.search(here.event.code.source.data) is not None and _is_reason(here, value.meaning.of[0])
    if isinstance(value.meaning, Made) and value.meaning.by in (".filename", ".filename2"):
        value = value.meaning.of[0]
    return is_absolute(here, value, program.models) or _names_file(trace, program, here, value)


CHAINING = pattern(rb"\b(?:anyhow|eyre)\b")
"""What names the libraries whose errors write all that brought them about where they are told to: `{error:#}`."""


def _is_reason(occurrence: Occurrence, value: Value) -> bool:
    """Return whether a value is why something failed: an exception, or the text that was put before it: `.context("..")`."""
    return value.text is not None or any(each.origin == "exception" for each in occurrence.resolve_labels(value))


def _names_file(trace: Trace, program: Program, here: Occurrence, value: Value) -> bool:
    """Return whether a value is an exception that was caught, and tells of a file that an absolute path names."""
    found = (
        (there, each) for there in here.iter_outwards() for each in there.event.iter_outwards() if _handles(each, value)
    )
    there, handling = next(found, None) or _collect_taken(trace, value)
    if there is None or handling is None:
        return False
    tried = [each for each in trace.iter_occurrences(kinds=(Called,)) if _is_tried(each, there.event.code, handling)]
    if takes_any(program, handling):
        tried = [each for each in tried if each.event.code is there.event.code]
        may_fail = {each.event.at for each in tried if "fails" in collect_acts(each.event, program.models)}
        if len(may_fail) > MOST:
            return False
    elif not any(SYSTEM in iter_ancestors(program, each) for each in collect_caught_types(program, handling)):
        return False
    return any(_opens(each, program) for each in tried)


def _collect_taken(trace: Trace, value: Value) -> tuple[Occurrence, Context] | tuple[None, None]:
    """Return the clause that caught an exception whose text is used after it; None if there is none."""
    term = find_original_term(value.term)
    if not isinstance(term, tuple) or term[:1] != ("caught",):
        return None, None
    for each in trace.iter_occurrences(kinds=(Caught,)):
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
        for here in occurrence.iter_outwards()
        if here.event.code is code
        for each in here.event.iter_outwards()
        if each.condition == "catches"
    )
    return any(each.holds(handling.at) for each in around)


# Acts on files, whose errors may name the path.
ON_FILES = frozenset(
    {"opens file", "reads file", "lists directory", "writes file", "makes directory", "deletes file", "blocks briefly"}
)


def _opens(occurrence: Occurrence, program: Program) -> bool:
    """Return whether a call works on a file that an absolute path names."""
    event = occurrence.event
    assert isinstance(event, Called)
    if ON_FILES.isdisjoint(collect_acts(event, program.models)):
        return False
    given = (*event.arguments[:1], *((event.receiver,) if event.receiver is not None else ()))
    return any(is_absolute(occurrence, each, program.models) for each in given)
