"""How servers that speak JSON-RPC themselves answer: which methods they know, whom they answer, which version they agree to."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from reviewer.behaviour.boundaries import is_cut
from reviewer.behaviour.comparisons import relations
from reviewer.behaviour.inputs import CLIENTS
from reviewer.behaviour.texts import LARGEST, parts
from reviewer.code.events import Called, Entered, Occurrence, Returned, Tested, Trace
from reviewer.code.interpreter import Run
from reviewer.code.ir import Code, codes
from reviewer.code.program import Program
from reviewer.code.state import Fact, Facts, failure_of
from reviewer.code.values import Key, Label, Made, Term, Value
from reviewer.facts import Conversation
from reviewer.source import Text

BEGINNING = "initialize"
SERVING = frozenset({"tools/list", "tools/call"})
"""What whoever asks for the method of a request asks for, beside others."""

NOTIFICATION = "notifications/cancelled"
"""A notification that every client may send, and that few servers know."""

UNKNOWN = "mcp-review/unknown"
"""A method that no server has."""

VERSION = "protocolVersion"


VERSIONS = frozenset[Key]({VERSION, (VERSION,), ("protocol_version",)})
"""Under what it is told: a key, or a field of an object that is serialized."""

RESPONDING = frozenset[Key]({"result", "error"})
LOOKING = frozenset({"contains", "any", "find", "position", "index", "eq"})
"""Methods by which something is looked for among some, by the last part of their path."""


class Loop(NamedTuple):
    """A function that may choose by the method of a request, what it does, and what runs it again in a run that knows more."""

    trace: Trace
    again: Callable[[Run, Facts], Trace]


def conversations(loops: Iterable[Loop], program: Program) -> Iterator[Conversation]:
    """Yield how each function answers that chooses by the method of a request, in one value for all methods."""
    for trace, again in loops:
        chosen: defaultdict[Term, dict[str, Occurrence]] = defaultdict(dict)
        for here in trace.occurrences(lambda event, _: False, kinds=(Tested,)):
            for each in relations(here.event.values[0]):
                if each.operator == "==" and each.right is not None and each.right.text is not None:
                    chosen[each.left.term].setdefault(each.right.text, here)
        for term, known in chosen.items():
            if BEGINNING in known and not SERVING.isdisjoint(known) and _tells_version(trace):
                supposed = _Supposed(term, _ids(trace), again, program)
                yield Conversation(
                    known[BEGINNING].event.text,
                    frozenset(known),
                    not is_cut(trace),
                    _answered(supposed),
                    _echoed(trace, term),
                    frozenset(_codes(supposed)),
                )


class _Supposed(NamedTuple):
    """A function that chooses by the method of a request, which is `method`, to be run for one that is supposed."""

    method: Term
    ids: set[Term]
    again: Callable[[Run, Facts], Trace]
    program: Program

    def ends(self, method: str, *, has_id: bool) -> list[Returned]:
        """Return where it is left for a method, with an id or without, and does not fail."""
        asked = Fact(equal=frozenset({(str, method)}), present=True)
        facts: Facts = {**{each: Fact(present=has_id) for each in self.ids}, self.method: asked}
        trace = self.again(Run(self.program, summaries=self.program.summaries), facts)
        ends = [each for each in trace.events if isinstance(each, Returned) and each.code is trace.code]
        if not has_id and any(each.value.term in self.ids for each in ends):
            return []  # it is left by `?` where there is no id
        return [each for each in ends if failure_of(each.value, each.facts) is not True]


def _answered(supposed: _Supposed) -> Text | None:
    """Return what answers a notification that nobody asked to be answered, where every way through the function does."""
    ends = supposed.ends(NOTIFICATION, has_id=False) if supposed.ids else []
    return ends[-1].text if ends and all(map(_is_response, ends)) else None


def _codes(supposed: _Supposed) -> Iterator[int]:
    """Yield the codes of the errors that a request is answered with whose method nobody knows."""
    for end in supposed.ends(UNKNOWN, has_id=True):
        for part in _objects(end):
            error = (part.contents or {}).get("error")
            code = (error.contents or {}).get("code") if error is not None else None
            if code is not None and code.constant is not None and isinstance(code.constant[1], int):
                yield code.constant[1]


def _objects(end: Returned) -> Iterator[Value]:
    """Yield what is returned and what it is made of, by each of the ways on which it may be made."""
    waiting = [end.value]
    for number in range(LARGEST):
        if number >= len(waiting):
            return
        for _, part in parts(Occurrence(end), waiting[number]):
            yield part
            waiting += part.ways


def _is_response(end: Returned) -> bool:
    """Return whether what is returned is a response of JSON-RPC, or the text of one."""
    held = (part.contents or {} for _, part in parts(Occurrence(end), end.value))
    return any("jsonrpc" in each and not RESPONDING.isdisjoint(each) for each in held)


SENT = Label("argument", "id")
"""Where the id comes from of a message that a function is handed as a whole."""


def _ids(trace: Trace) -> set[Term]:
    """Return the values that are the id of a request: what a function takes by that name of what a client sends."""
    found: set[Term] = set()
    for event in trace.events:
        if isinstance(event, Called | Tested | Returned):
            results = (event.result,) if isinstance(event, Called) else ()
            if isinstance(event, Called) and any(each.text == "id" for each in event.arguments):
                found.add(event.result.term)  # what a function of the library gives of the object under that name
            for value in (*event.values, *results):
                for _, part in parts(Occurrence(event), value):
                    if _is_id(part):
                        found |= {part.term, SENT} if part.labels == {SENT} else {part.term}
    return found


def _is_id(value: Value) -> bool:
    if isinstance(value.meaning, Made) and not value.contents:
        return value.meaning.by == ".id" or any(each.text == "id" for each in value.meaning.of)
    return value.labels == {SENT} and not value.contents


def _echoed(trace: Trace, method: Term) -> Text | None:
    """Return where the version that a client asks for is told as the one that was agreed to, whatever it is."""
    for here in trace.occurrences():
        if isinstance(here.event, Entered):
            continue
        for value in here.event.values:
            for there, part in parts(here, value):
                told = (part.contents or {}).get(VERSION)
                if told is not None and any(each.origin in CLIENTS for each in there.labels(told)):
                    return None if _is_compared(trace, there.event.code, method) else here.event.text
    return None


def _tells_version(trace: Trace) -> bool:
    """Return whether a version of the protocol is told: a function that only logs requests asks for their methods too."""
    values = ((here, value) for here in trace.occurrences() for value in here.event.values)
    held = (part.contents or {} for here, value in values for _, part in parts(here, value))
    return any(not VERSIONS.isdisjoint(each) for each in held)


def _is_compared(trace: Trace, code: Code, method: Term) -> bool:
    """Return whether the function that tells the version looks for it among some, or compares it with one."""
    own = set(codes(code))
    for here in trace.occurrences(kinds=(Tested, Called)):
        event = here.event
        if event.code in own:
            if isinstance(event, Called) and event.path.rpartition(".")[2] in LOOKING:
                return True
            asked = relations(event.value) if isinstance(event, Tested) else ()
            if any(each.operator in ("in", "==") and each.left.term != method for each in asked):
                return True
    return False
