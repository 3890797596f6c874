"""How servers that speak JSON-RPC themselves answer: which methods they know, whom they answer, which version they agree to."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from reviewer.behaviour.arguments.comparisons import iter_relations
from reviewer.behaviour.arguments.inputs import CLIENTS
from reviewer.behaviour.failures.boundaries import is_cut
from reviewer.behaviour.results.answers import index_by_name
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.texts import LARGEST, iter_parts
from reviewer.code.events import Called, Entered, Occurrence, Raised, Returned, Tested, Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Code, Site, iter_codes
from reviewer.code.program import Program
from reviewer.code.run import Run
from reviewer.code.state import Facts, KnownFact, infer_failure
from reviewer.code.values import ABSENT, Key, Label, Made, Relation, Term, Value
from reviewer.facts import Conversation
from reviewer.source import Text
from reviewer.text.patterns import pattern

# The two methods that the protocol lets a client call before it is initialized.
BEGINNING, PING = "initialize", "ping"
LISTING = "tools/list"
SERVING = frozenset({LISTING, "tools/call"})
"""The methods that code tests together with others when it dispatches on the method of a request."""

NOTIFICATION = "notifications/cancelled"
"""A notification that every client may send, and that few servers know."""

UNKNOWN = "mcp-review/unknown"
"""A method that no server has."""

NOT_FOUND = -32601
"""The error code that tells a client that a method does not exist."""

VERSION = "protocolVersion"


VERSIONS = frozenset[Key]({VERSION, (VERSION,), ("protocol_version",)})
"""Under what it is told: a key, or a field of an object that is serialized."""

RESPONDING = frozenset[Key]({"result", "error"})
"""The members of a JSON-RPC message that answers a request: what is written with one of them is no notification."""

LOOKING = frozenset({"contains", "any", "find", "position", "index", "eq"})
"""Methods by which something is looked for among some, by the last part of their path."""


HIGHEST = 2
"""How many calls above a function a test of a message's id is searched for: one call reads the message, one passes it
on.
"""

MOST = 12
"""Functions that may call another. The loop that reads messages is called by one or two; what more call has a common name."""


class MessageLoop(NamedTuple):
    """A function that may choose by the method of a request, what it does, and what runs it again in a run that knows more."""

    trace: Trace
    again: Callable[[Run, Facts], Trace]


def iter_conversations(loops: Iterable[MessageLoop], entry_points: EntryPoints) -> Iterator[Conversation]:
    """Yield how each function answers that chooses by the method of a request, in one value for all methods."""
    for loop in loops:
        for term, known in _choose(loop.trace).items():
            if BEGINNING in known and not SERVING.isdisjoint(known) and _tells_version(loop.trace):
                yield _build_conversation(loop, term, known, entry_points)


def _choose(trace: Trace) -> dict[Term, dict[str, Occurrence]]:
    """Return the texts that values are compared with by a function, each with where."""
    chosen: defaultdict[Term, dict[str, Occurrence]] = defaultdict(dict)
    for here in trace.iter_occurrences(lambda event, _: False, kinds=(Tested,)):
        for each in iter_relations(here.event.values[0]):
            if each.operator == "==" and each.right is not None and each.right.text is not None:
                chosen[each.left.term].setdefault(each.right.text, here)
    return chosen


Role = Literal["method", "message", "params"]


def infer_roles(trace: Trace) -> dict[Term, Role]:
    """Return the values that are a message of JSON-RPC, its method or its `params`, by what a function asks of them."""
    found: dict[Term, Role] = {}
    for event in trace.events:
        for relation in iter_relations(event.value) if isinstance(event, Tested) else ():
            if relation.operator == "==" and relation.right is not None and relation.right.text in SERVING:
                holders = {
                    each.term for part in _collect_with_operands(relation.left) for each in iter_holders(part, "method")
                }
                found |= dict.fromkeys(holders, "message") if holders else {relation.left.term: "method"}
    if "message" not in found.values():
        asked = [part for event in trace.events for value in event.values for part in _collect_with_operands(value)]
        holders = {each.term for part in asked for each in iter_holders(part, "arguments")}
        found |= dict.fromkeys(holders & {each.term for part in asked for each in iter_holders(part, "name")}, "params")
    return found


def iter_holders(value: Value, name: str) -> Iterator[Value]:
    """Yield the object of which a value is the entry or the field of some name."""
    match value.meaning:
        case Made("item", (holder, key)) if key.text == name:
            yield holder
        case Made(by, (holder, *_)) if by == f".{name}":
            yield holder


def _build_conversation(
    loop: MessageLoop, method: Term, known: dict[str, Occurrence], entry_points: EntryPoints
) -> Conversation:
    code = loop.trace.code
    supposed = _Supposed(method, _collect_ids(loop.trace), loop.again, entry_points.program)
    unknown, listed = supposed.run(UNKNOWN, has_id=True), supposed.run(LISTING, has_id=True)
    answered, methods = _find_notification_answer(supposed), frozenset(known)
    above = _find_above(code, entry_points) if answered is not None or PING not in methods else ()
    methods |= {each for trace in above or () for texts in _choose(trace).values() for each in texts}
    return Conversation(
        known[BEGINNING].event.text,
        methods,
        not is_cut(loop.trace) and above is not None,
        None if above is None or any(_asks_for_id(each, code) for each in above) else answered,
        _find_echoed_version(loop.trace, method),
        frozenset(_iter_codes(_iter_responses(unknown))),
        bool(supposed.ids) and _is_unanswered(unknown, listed),
        _find_other_id(listed) if supposed.ids else None,
    )


def _find_above(code: Code, entry_points: EntryPoints) -> list[Trace] | None:
    """Return the traces of the functions that mention a function, and of their callers; None if there are too many."""
    found: dict[Code, Trace] = {}
    pending = [code]
    for _ in range(HIGHEST):
        fresh: list[Code] = []
        for each in pending:
            near = {trace.code: trace for trace in entry_points.iter_traces_around(each.name)}
            alike = [other for other in near if other.name == each.name and other is not each]
            for other, trace in near.items():
                if other not in found and other is not code and other.name != each.name:
                    if not alike or other.source.path == each.source.path:
                        found[other] = trace
                        fresh.append(other)
            if len(found) > MOST:
                return None
        pending = [each for each in fresh if each.kind != "module" and each.name != "main"]
    return list(found.values())


class _Supposed(NamedTuple):
    """A function that chooses by the method of a request, which is `method`, to be run for one that is supposed."""

    method: Term
    ids: set[Term]
    again: Callable[[Run, Facts], Trace]
    program: Program

    def run(self, method: str, *, has_id: bool) -> Trace:
        """Return the run for a message with a method, with or without an id."""
        asked = KnownFact(equal=frozenset({(str, method)}), present=True)
        facts: Facts = {**{each: KnownFact(present=has_id) for each in self.ids}, self.method: asked}
        return self.again(Interpreter(self.program, summaries=self.program.summaries), facts)

    def collect_successful_exits(self, trace: Trace, *, has_id: bool) -> list[Returned]:
        """Return where a run is left, and does not fail."""
        ends = [each for each in trace.events if isinstance(each, Returned) and each.code is trace.code]
        if not has_id and any(each.value.term in self.ids for each in ends):
            return []  # it is left by `?` where there is no id
        return [each for each in ends if infer_failure(each.value, each.facts) is not True]


def _find_notification_answer(supposed: _Supposed) -> Text | None:
    """Return the response to a notification, if every path through the function sends one; else None."""
    if not supposed.ids:
        return None
    trace = supposed.run(NOTIFICATION, has_id=False)
    ends = supposed.collect_successful_exits(trace, has_id=False)
    if ends and all(any(True for _ in _iter_among(Occurrence(each), each.value)) for each in ends):
        return max(
            reversed(ends), key=lambda each: NOT_FOUND in _iter_codes(_iter_among(Occurrence(each), each.value))
        ).text
    told = [here for here, _ in _iter_responses(trace) if isinstance(here.event, Called)]
    return told[0].event.text if told and not _asks_for_id(trace) else None


def _is_unanswered(unknown: Trace, listed: Trace) -> bool:
    """Return whether no path answers a request with an unknown method, while one with a known method is answered."""
    if is_cut(unknown) or any(True for _ in _iter_responses(unknown)) or not any(True for _ in _iter_responses(listed)):
        return False
    return not _collect_failures(unknown) - _collect_failures(listed)


def _collect_failures(trace: Trace) -> set[tuple[Code, Site]]:
    """Return where a function is left that fails, or may: somebody may answer for it."""
    left = (each for each in trace.events if isinstance(each, Raised | Returned) and each.code is trace.code)
    return {
        (each.code, each.at)
        for each in left
        if isinstance(each, Raised)
        or (each.value.constants != ABSENT and infer_failure(each.value, each.facts) is not False)
    }


def _find_other_id(listed: Trace) -> Text | None:
    """Return a response to a request that has another id than this, if that is a constant."""
    for here, response in _iter_responses(listed):
        held = index_by_name(response)
        result, given = held.get("result"), held.get("id")
        is_told = result is not None and result.constant is None
        if is_told and given is not None and given.constant is not None:
            return here.event.text
    return None


def _iter_codes(responses: Iterable[tuple[Occurrence, Value]]) -> Iterator[int]:
    """Yield the codes of the errors among some responses."""
    for _, response in responses:
        error = index_by_name(response).get("error")
        code = index_by_name(error).get("code") if error is not None else None
        if code is not None and code.constant is not None and isinstance(code.constant[1], int):
            yield code.constant[1]


def _iter_responses(trace: Trace) -> Iterator[tuple[Occurrence, Value]]:
    """Yield the responses that a function returns, or hands to a function of a library, each with where."""
    for here in trace.iter_occurrences(kinds=(Called, Returned)):
        if isinstance(here.event, Called) or here.event.code is trace.code:
            for value in here.event.values if here.is_possible() else ():
                yield from _iter_among(here, value)


def _iter_among(here: Occurrence, value: Value) -> Iterator[tuple[Occurrence, Value]]:
    """Yield the responses that a value is, or is made of."""
    return ((here, each) for each in _iter_objects(here, value) if _is_response(each))


def _iter_objects(here: Occurrence, value: Value) -> Iterator[Value]:
    """Yield a value and what it is made of, by each of the ways on which it may be made."""
    waiting = [value]
    for number in range(LARGEST):
        if number >= len(waiting):
            return
        for _, part in iter_parts(here, waiting[number]):
            yield part
            waiting += part.ways


def _is_response(value: Value) -> bool:
    """Return whether a value is a response of JSON-RPC."""
    held = index_by_name(value) if value.contents else {}
    return "jsonrpc" in held and not RESPONDING.isdisjoint(held)


def _asks_for_id(trace: Trace, beside: Code | None = None) -> bool:
    """Return whether a function looks whether a message has an id, or whether its method is that of a notification.

    What one of the functions does that it calls is left out.
    """
    for here in trace.iter_occurrences(
        lambda event, _: event.trace.code is not beside, kinds=(Tested, Called, Returned)
    ):
        event = here.event
        if isinstance(event, Called) and STARTING.search(event.path) and any(map(_is_notice, event.arguments)):
            return True
        for part in (part for value in event.values for part in _collect_with_operands(value)):
            if isinstance(part.meaning, Relation) and any(each.text == "id" or _is_id(each) for each in part.operands):
                return True
            if isinstance(event, Tested) and _is_id(part):
                return True
    return False


def _collect_with_operands(value: Value) -> list[Value]:
    """Return a value and what its truth depends on, or it is made of."""
    found = [value]
    for each in found:
        found += each.operands if len(found) < LARGEST else ()
    return found


# How both languages test how a text begins: servers tell notices, which need no answer, from requests by it.
STARTING = pattern(r"\bstarts_?with$")


def _is_notice(value: Value) -> bool:
    return value.text is not None and "notifications/".startswith(value.text[:13]) and len(value.text) > 5


SENT = Label("argument", "id")
"""Where the id comes from of a message that a function is handed as a whole."""


def _collect_ids(trace: Trace) -> set[Term]:
    """Return the values that are the id of a request: what a function takes by that name of what a client sends."""
    found: set[Term] = set()
    for event in trace.events:
        if isinstance(event, Called | Tested | Returned):
            results = (event.result,) if isinstance(event, Called) else ()
            if isinstance(event, Called) and any(each.text == "id" for each in event.arguments):
                found.add(event.result.term)  # what a function of the library gives of the object under that name
            for value in (*event.values, *results):
                for _, part in iter_parts(Occurrence(event), value):
                    if _is_id(part):
                        found |= {part.term, SENT} if part.labels == {SENT} else {part.term}
    return found


def _is_id(value: Value) -> bool:
    if isinstance(value.meaning, Made) and not value.contents:
        return value.meaning.by == ".id" or any(each.text == "id" for each in value.meaning.of)
    return value.labels == {SENT} and not value.contents


def _find_echoed_version(trace: Trace, method: Term) -> Text | None:
    """Return where the version that a client asks for is told as the one that was agreed to, whatever it is."""
    for here in trace.iter_occurrences():
        if isinstance(here.event, Entered):
            continue
        for value in here.event.values:
            for there, part in iter_parts(here, value):
                told = (part.contents or {}).get(VERSION)
                if told is not None and any(each.origin in CLIENTS for each in there.resolve_labels(told)):
                    return None if _is_compared(trace, there.event.code, method) else here.event.text
    return None


def _tells_version(trace: Trace) -> bool:
    """Return whether a version of the protocol is told: a function that only logs requests asks for their methods too."""
    values = ((here, value) for here in trace.iter_occurrences() for value in here.event.values)
    held = (part.contents or {} for here, value in values for _, part in iter_parts(here, value))
    return any(not VERSIONS.isdisjoint(each) for each in held)


def _is_compared(trace: Trace, code: Code, method: Term) -> bool:
    """Return whether the function that tells the version looks for it among some, or compares it with one."""
    own = set(iter_codes(code))
    for here in trace.iter_occurrences(kinds=(Tested, Called)):
        event = here.event
        if event.code in own:
            if isinstance(event, Called) and event.path.rpartition(".")[2] in LOOKING:
                return True
            asked = iter_relations(event.value) if isinstance(event, Tested) else ()
            if any(each.operator in ("in", "==") and each.left.term != method for each in asked):
                return True
    return False
