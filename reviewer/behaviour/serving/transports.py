"""What a server is served on, where it listens, and who may call there."""

from collections.abc import Iterable, Iterator
from dataclasses import field

from reviewer.behaviour.security.addresses import is_loopback
from reviewer.behaviour.security.credentials import ARGUMENTS, Layers
from reviewer.behaviour.serving.endings import find_quiet_end
from reviewer.behaviour.serving.host_checks import explain_any_host
from reviewer.behaviour.serving.opening_calls import LETTING
from reviewer.behaviour.serving.process_start import ProcessStart
from reviewer.behaviour.serving.streams import find_standard_input, is_piped, iter_event_streams
from reviewer.behaviour.serving.transport_flow import CHECKING, TransportFlow
from reviewer.behaviour.serving.transport_values import (
    ServingEvent,
    collect_held,
    find_field,
    find_source,
    iter_transport_names,
)
from reviewer.behaviour.values.callers import find_run_start
from reviewer.behaviour.values.possible_texts import PossibleTexts, Texts
from reviewer.code.acts import REST, collect_acts
from reviewer.code.events import Called, Entered, Occurrence, Returned, Stored, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import NO_ROW, ActName, Models
from reviewer.code.program import Program
from reviewer.code.values import ABSENT, Instance, Library, Made, Value, find_original_term, is_function
from reviewer.facts import CallEntry, Server, Transport, TransportKind
from reviewer.records import dataclass
from reviewer.source import Opaque, Text, count_common_parts
from reviewer.text.patterns import pattern

ACTS: dict[ActName, TransportKind] = {"serves stdio": "stdio", "serves sse": "sse", "serves http": "streamable-http"}
NAMES: dict[str, TransportKind] = {
    "stdio": "stdio",
    "sse": "sse",
    "streamable-http": "streamable-http",
    "streamable_http": "streamable-http",
    "http": "streamable-http",
    "httpstream": "streamable-http",
}
"""How the SDKs name transports."""

TELLING = frozenset[ActName](
    {*ACTS, *LETTING, "serves", "serves by name", "listens", "mounts", "wraps", "checks hosts", "declares option"}
)
"""What is done on the way to where something is served."""

# Arguments that say where a server listens or whom it lets in.
SETTINGS = CHECKING | {"host"}
HOSTS = frozenset({"host", "hostname"})
"""How the argument is called that is the address."""
# What belongs to a client listens nowhere.
CLIENT = pattern(r"\w*Client\w*\.\w+$")
PARTIAL = "functools.partial"


@dataclass(eq=False)
class _Served:
    """A place that serves, over all ways to it."""

    code: Code
    at: Site
    kinds: dict[TransportKind, bool] = field(default_factory=dict)
    """What is served, with whether that is sure."""
    ways: list[Occurrence] = field(default_factory=list)
    options: list[Value] = field(default_factory=list)
    """The objects that tell an SDK what to serve, made here."""

    @property
    def name(self) -> str:
        """The place, as the labels of values have it."""
        return f"{self.code.source.path}:{self.at.start}"


def iter_served(start: ProcessStart, servers: Iterable[Server]) -> Iterator[tuple[Transport, Code, Site]]:
    """Yield the transports of a project, each with its code and place, in source order."""
    found = _Transports(start)
    entries = [each.entry for each in servers if each.entry is not None]
    for place in sorted(found.served.values(), key=lambda each: (each.code.source.path, each.at.start)):
        text = place.code.extract_text(place.at)
        for kind, sure in sorted(place.kinds.items()):
            auth, local, any_origin = found.find_protection(place) if kind != "stdio" else (None, None, None)
            chosen = (len(place.kinds) > 1 and not place.options) or not sure
            near = [each for each in entries if start.may_serve(text.span.path, each.span.path)]
            any_host = (
                explain_any_host(place.ways, found.letting["lets in any host"], start)
                if kind != "stdio" and not found.checks_hosts
                else ""
            )
            entry = _find_entry(text.span.path, near)
            ends = find_quiet_end(place.ways, start.traces, start.program)
            yield (
                Transport(
                    kind, text, auth, local, chosen, entry, any_host=any_host, any_origin=any_origin, quiet_end=ends
                ),
                place.code,
                place.at,
            )


def _find_entry(path: str, entries: list[CallEntry]) -> CallEntry | None:
    """Return where the calls come in that a file's transports serve: the one in the file, or nearest to it."""
    found = [each for each in entries if each.span.path == path]
    nearest = max((_count_shared_folders(path, each.span.path) for each in entries), default=0)
    found = found or [each for each in entries if _count_shared_folders(path, each.span.path) == nearest]
    is_one = len({each.name.span for each in found}) == 1
    return next((each for each in found if each.isolation is None), found[0]) if is_one else None


def _count_shared_folders(one: str, other: str) -> int:
    """Return how many folders two paths share."""
    return count_common_parts(one.split("/")[:-1], other.split("/")[:-1])


class _Transports:
    """The transports of a project, and what becomes of them."""

    def __init__(self, start: ProcessStart) -> None:
        self._start = start
        self._models: Models = start.program.models
        self._layers = Layers(start.program, start.run)
        traces = start.traces
        told = [each for trace in traces for each in trace.iter_occurrences(self._enters) if each.is_possible()]
        self._possible = PossibleTexts(self._models, told, start.collect_options())
        self._events = [
            ServingEvent(each, each.event, collect_acts(each.event, self._models), collect_held(each))
            for each in told
            if isinstance(each.event, Called | Stored | Returned)
        ]
        self._entered = frozenset((each.event.code, each.event.at) for each in told if isinstance(each.event, Entered))
        calls = [(each, each.event) for each in self._events if isinstance(each.event, Called)]
        self._filled = frozenset(event.result.term for _, event in calls if event.path == PARTIAL)
        self.letting = {
            each: {find_original_term(event.result.term): event for known, event in calls if each in known.acts}
            for each in LETTING
        }
        self.checks_hosts = any("checks hosts" in known.acts for known, _ in calls)
        self.served: dict[str, _Served] = {}
        for known, event in calls:
            if not event.followed and not _is_on_itself(known.occurrence, event):
                self._take(
                    known, event, self._collect_kinds(known, event) or self._collect_handed_transports(known, event)
                )
                for value in event.values:
                    self._take_options(known, value)
                stream = find_standard_input(event)
                if stream is not None:
                    self._find_taken(known, stream, "stdio")
        for code, at in iter_event_streams((event for known, event in calls if "mounts" in known.acts), start.run):
            found = _Served(code, at, {"sse": True})
            self.served.setdefault(found.name, found)
        self._drop(
            {
                label
                for trace in traces
                for each in start.list_lasting_values(trace)
                for label in iter_transport_names(each.labels)
            }
        )

    def _enters(self, event: Entered, _: object) -> bool:
        """Return whether a function does anything that tells of transports, or calls one that does."""
        return event.trace.reaches(_configures_serving, self._start.program)

    def _take(self, known: ServingEvent, event: Called, kinds: dict[TransportKind, bool]) -> None:
        """Take down a call that serves, or makes what does."""
        if kinds:
            found = _Served(event.code, event.at)
            found = self.served.setdefault(found.name, found)
            found.kinds |= {kind: found.kinds.get(kind, True) and sure for kind, sure in kinds.items()}
            found.ways.append(known.occurrence)

    def _take_options(self, known: ServingEvent, value: Value) -> None:
        """Take down the options of a server that are handed to what serves it: those of rust-mcp-sdk."""
        found = self._find_taken(known, value, "streamable-http") if self._is_of_options(value) else None
        if found is not None:
            found.options.append(value)
            sse = find_field(value, "sse_support")
            if self._start.offers("sse", found.code.source.path) and (sse is None or sse.constant != (bool, False)):
                found.kinds["sse"] = True

    def _find_taken(self, known: ServingEvent, value: Value, kind: TransportKind) -> _Served | None:
        """Take down what serves where a value was made."""
        match find_source(known.occurrence, value):
            case (_, Code() as code, Site() as at):
                found = _Served(code, at, {kind: True})
                found = self.served.setdefault(found.name, found)
                found.ways.append(known.occurrence)
                return found
        return None

    def _is_of_options(self, value: Value) -> bool:
        types = (each.of for each in value.things if isinstance(each, Instance) and isinstance(each.of, Library))
        models = (self._models.find_model(each.path) for each in types)
        return any(each is not None and {"serves http", "serves sse"} <= {*each.acts} for each in models)

    def _collect_kinds(self, known: ServingEvent, event: Called) -> dict[TransportKind, bool]:
        """Return the transports that a call serves, each with whether that is certain."""
        if event.callee.term in self._filled:
            return {}  # told where it was filled in
        acts = dict.fromkeys((ACTS[each] for each in known.acts if each in ACTS), True)
        told = event.named.get("transport") or find_field(event.named.get("kwargs"), "transport")
        model = self._models.find_model(event.path)
        if "serves by name" in known.acts and model is not None:
            is_thread = not {"target", "kwargs"}.isdisjoint(event.named)
            if self._start.program.names_in_objects:
                told = event.named.get(model.keyword)
            else:
                told = told or (event.find_argument(model.of) if not is_thread else None)
            if told is None and "stdio" in acts and {"host", "port", "path"} & event.named.keys():
                return {}
        elif not event.path.startswith(".run"):
            told = None
        if is_piped(event):
            acts["stdio"] = True
        return self._collect_named_transports(known, told) if told is not None else acts

    def _collect_handed_transports(self, known: ServingEvent, event: Called) -> dict[TransportKind, bool]:
        """Return the transports that a function passed on serves: `Thread(target=mcp.run_sse_async)`."""
        told = event.named.get("transport") or find_field(event.named.get("kwargs"), "transport")
        for value in (*event.arguments, *event.named.values()):
            for thing in value.things:
                model = self._models.get_model(thing.path) if isinstance(thing, Library) else NO_ROW
                if "serves" in model.acts:
                    if "serves by name" in model.acts:
                        return self._collect_named_transports(known, told) if told is not None else {}
                    return dict.fromkeys((ACTS[each] for each in model.acts if each in ACTS), True)
        return {}

    def _collect_named_transports(self, known: ServingEvent, told: Value) -> dict[TransportKind, bool]:
        texts: Texts = self._possible.evaluate(known.occurrence, told)
        kinds = {NAMES[each.lower()] for each in texts.found if each.lower() in NAMES}
        return dict.fromkeys(sorted(kinds), texts.sure)

    def _drop(self, lasting: set[str]) -> None:
        """Remove what is never served: an application that is dropped, and the objects that a client is made from."""
        used = lasting.union(*(each.held for each in self._events))
        for known in self._events:
            if isinstance(known.event, Called) and CLIENT.search(known.event.path):
                for name in known.held:
                    self.served.pop(name, None)
        for name, each in list(self.served.items()):
            ways = [way.event.path for way in each.ways if isinstance(way.event, Called)]
            if name not in used and ways and all(path.endswith("_app") for path in ways):
                del self.served[name]

    def find_protection(self, served: _Served) -> tuple[Text | Opaque | None, bool | None, Text | None]:
        """Return the check of a request's credential, whether only this machine can send one, and the layer that allows
        any page.
        """
        if served.options:
            told = (find_field(each, key) for each in served.options for key in ARGUMENTS)
            is_told = any(each is not None and each.constants != ABSENT for each in told)
            found = [
                self._is_loopback(served.ways[0], host) for each in served.options if (host := find_field(each, "host"))
            ]
            return Text("auth", served.code.extract_text(served.at).span) if is_told else None, _find_all(found), None
        flow = TransportFlow(
            served.name, self._events, self._layers, self._start, self._entered, self.letting["lets in any page"]
        )
        for occurrence in served.ways:
            flow.begin(occurrence)
        flow.follow()
        own = [each for each in served.ways if "listens" in collect_acts(each.event, self._models)]
        auth: Text | Opaque | None = flow.auth
        if auth is None and not own and not flow.is_served:
            auth = Opaque("it is not seen where it is served", served.code.extract_text(served.at).span)
        listening = [*own, *(each.occurrence for each in flow.listening)]
        if not listening:
            begun = {find_run_start(each) for each in served.ways}
            nearby = (each for each in self._events if "listens" in each.acts and not each.held)
            listening = [each.occurrence for each in nearby if find_run_start(each.occurrence) in begun]
        found = [local for each in listening for local in self._iter_locality(each, flow, of_server=each in own)]
        return auth, _find_all(found) if found or own or flow.listening else None, flow.any_origin

    def _iter_locality(self, occurrence: Occurrence, flow: TransportFlow, *, of_server: bool) -> Iterator[bool | None]:
        """Yield whether only this machine can call, for each address that is told; none if it is the library's default."""
        hosts = list(self._iter_hosts(occurrence, flow, of_server=of_server))
        if not hosts and "listens everywhere" in collect_acts(occurrence.event, self._models):
            yield False
        for where, each in hosts:
            yield self._is_loopback(where, each) if each is not None else None

    def _iter_hosts(
        self, occurrence: Occurrence, flow: TransportFlow, *, of_server: bool
    ) -> Iterator[tuple[Occurrence, Value | None]]:
        """Yield the addresses: an argument of a call that serves or listens, or a server option; None for one that is
        not seen.
        """
        event = occurrence.event
        assert isinstance(event, Called)
        model, asked = self._models.get_model(event.path), event.named.get("host")
        if asked is None and model.keyword in HOSTS:
            asked = event.find_argument(model.of, model.keyword)
        if asked is not None and (is_function(asked) or asked.constants == ABSENT):
            asked = None  # what is called back stands where an address may be left out
        if asked is None and self._start.program.names_in_objects:
            inner = (part for each in event.arguments for part in (each.contents or {}).values())
            asked = next((host for each in inner for key in HOSTS if (host := find_field(each, key)) is not None), None)
        server = event.receiver if of_server else None
        if asked is not None:
            yield occurrence, asked
        else:
            yield from (
                (occurrence, each)
                for each in (*flow.iter_stored_values("host"), find_field(server, "host"))
                if each is not None
            )
        is_open = (
            asked is None and "transport" in event.named and bool(event.arguments)
        )  # `run(transport="http", **options)`
        if is_open or find_field(server, REST) is not None:
            yield occurrence, None

    def _is_loopback(self, occurrence: Occurrence, value: Value) -> bool | None:
        return is_loopback(occurrence, value, self._possible)


def _find_all(found: list[bool | None]) -> bool | None:
    return False if False in found else None if None in found else True


def _configures_serving(trace: Trace, program: Program) -> bool:
    """Return whether a function serves, listens, lays something around an application, or sets who may call and where."""
    return not trace.acts.isdisjoint(TELLING) or any(
        (isinstance(each, Stored) and each.key is not None and each.key.text in SETTINGS)
        or (
            isinstance(each, Called)
            and not each.followed
            and (
                is_piped(each)
                or find_standard_input(each) is not None
                or any(True for value in each.values for _ in iter_transport_names(value.labels))
            )
        )
        for each in trace.events
    )


def _is_on_itself(occurrence: Occurrence, event: Called) -> bool:
    """Return whether a method of the server's own class, without a known caller, delegates to its own object."""
    receiver = event.receiver
    if receiver is None or occurrence.caller is not None:
        return False
    is_base = isinstance(receiver.meaning, Made) and receiver.meaning.by.endswith("super")
    return is_base or receiver.term == ("new", event.code, Site(0, 0))
