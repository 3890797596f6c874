"""What code serves by hand: requests from the standard input, and event streams beside a route that takes the messages."""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from reviewer.code.events import Called, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.values import Function, Made, Value
from reviewer.text.patterns import pattern

# The route that the SDKs of the HTTP+SSE transport (protocol 2024-11-05) use for the stream.
SSE_PATH = pattern(r"(^|/)sse/?$")
# The route that those SDKs name for the client's messages.
MESSAGES = pattern(r"(^|/)messages?/?$")
ENDPOINT = pattern(r"^endpoint$|event:\s*endpoint")
"""What tells the client where to send its messages: only this transport has it."""

# axum's response for event streams, as a return type names it.
STREAM = pattern(r"\bSse\b")
STREAMING = pattern(r"(^|\.)Sse\.new$|(^|\.)sse\.reply$")
"""The type of an event stream, and what makes one: of axum and of warp."""

# The methods by which Rust reads lines from the standard input.
READING = frozenset({"lines", "read_line", "read_until"})
BY_HAND = pattern(rb"\"(jsonrpc|tools/call)\"")
"""What a file holds that answers the protocol without an SDK."""

RunFunction = Callable[[Function], Trace]


class Route(NamedTuple):
    """A path of an application and what answers there."""

    path: str
    handler: Value
    code: Code
    at: Site

    @property
    def posts(self) -> bool:
        """Whether it accepts POST requests."""
        return any(
            isinstance(each, Made) and each.by.rpartition(".")[2] == "post" for each in _iter_meanings(self.handler)
        )


def is_piped(event: Called) -> bool:
    """Return whether a call is handed the standard input and the standard output to serve on."""
    pairs = [tuple((each.contents or {}).values()) for each in event.arguments]
    if event.path.rpartition(".")[0].endswith("Transport"):
        pairs.append(event.arguments)
    kinds = ([_get_stream(each) for each in pair] for pair in pairs)
    return any(two == ("Stdin", "Stdout") for pair in kinds for two in pairwise(pair))


def find_standard_input(event: Called) -> Value | None:
    """Return the standard input if a call reads requests from it by hand."""
    owner, _, name = event.path.rpartition(".")
    read = event.receiver if name in READING else event.find_argument(0) if owner.endswith("Reader") else None
    found = _find_input(read) if read is not None else None
    return found if found is not None and BY_HAND.search(event.code.source.data) is not None else None


def _get_stream(value: Value) -> str:
    return next(iter(value.library_types), "").rpartition(".")[2]


def _find_input(value: Value, deep: int = 4) -> Value | None:
    """Return the standard input that a value is, or that a reader reads."""
    inner = value.meaning.of if deep and isinstance(value.meaning, Made) else ()
    return (
        value
        if _get_stream(value) == "Stdin"
        else next(filter(None, (_find_input(each, deep - 1) for each in inner)), None)
    )


def iter_event_streams(calls: Iterable[Called], run: RunFunction) -> Iterator[tuple[Code, Site]]:
    """Yield the routes by which a function serves SSE on its own."""
    routes: dict[Code, list[Route]] = {}
    for event in calls:
        path = event.find_argument(0)
        if event.path.rpartition(".")[2] == "route" and len(event.arguments) > 1 and path is not None and path.text:
            found = Route(path.text, event.arguments[1], event.code, _place(event))
            routes.setdefault(event.code, []).append(found)
    for beside in routes.values():
        taking = [each for each in beside if each.posts and MESSAGES.search(each.path)]
        for each in beside if taking else ():
            # A route that takes the messages too is the one endpoint of Streamable HTTP, whatever stands beside it.
            handlers = (thing for value in _iter_values(each.handler) for thing in value.things)
            if each not in taking and any(
                _serves_events(each, run(one)) for one in handlers if isinstance(one, Function)
            ):
                yield each.code, each.at


def _serves_events(route: Route, trace: Trace) -> bool:
    """Return whether a handler answers with the events of the transport, by the route's name or by what it says."""
    calls = [each.event for each in trace.iter_occurrences() if isinstance(each.event, Called)]
    said = {text for event in calls for value in event.values if (text := value.text) is not None}
    declared = trace.code.returns.text if trace.code.returns is not None else ""
    is_stream = STREAM.search(declared) or "text/event-stream" in said or any(STREAMING.search(e.path) for e in calls)
    told = not route.posts and any(ENDPOINT.search(each) for each in said)
    return bool(is_stream) and (told or SSE_PATH.search(route.path) is not None)


def _place(event: Called) -> Site:
    """Return where a route is added: without the chain of calls before it."""
    match event.receiver.term if event.receiver is not None else None:
        case ("call", code, Site(end=before)) if code is event.code:
            rest = event.code.source.data[before : event.at.end]
            return Site(event.at.end - len(rest.lstrip()), event.at.end)
    return event.at


def _iter_values(value: Value) -> Iterator[Value]:
    yield value
    for each in value.meaning.of if isinstance(value.meaning, Made) else ():
        yield from _iter_values(each)


def _iter_meanings(value: Value) -> Iterator[object]:
    return (each.meaning for each in _iter_values(value))
