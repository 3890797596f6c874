"""What a server is served on, where it listens, and who may call there."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Protocol

from reviewer.behaviour.security.addresses import is_loopback
from reviewer.behaviour.security.credentials import ARGUMENTS, LAYERS, Layers
from reviewer.behaviour.serving.endings import find_quiet_end
from reviewer.behaviour.serving.streams import find_standard_input, is_piped, iter_event_streams
from reviewer.behaviour.values.callers import find_run_start
from reviewer.behaviour.values.possible_texts import PossibleTexts, Texts
from reviewer.code.acts import REST, collect_acts
from reviewer.code.events import Called, Entered, Event, Occurrence, Returned, Stored, Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Code, Site
from reviewer.code.models import NO_ROW, ActName, Models
from reviewer.code.program import Program
from reviewer.code.values import (
    ABSENT,
    Class,
    Function,
    Instance,
    Label,
    Library,
    Made,
    Term,
    Value,
    find_original_term,
    get_term_head,
)
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
}
"""How the SDKs name transports."""

LETTING = frozenset[ActName]({"lets in any host", "lets in any page"})
"""What opens a server by a switch of its own."""

TELLING = frozenset[ActName](
    {*ACTS, *LETTING, "serves", "serves by name", "listens", "mounts", "wraps", "declares option"}
)
"""What is done on the way to where something is served."""

CHECKING = ARGUMENTS | {f"_{each}" for each in ARGUMENTS}
# Arguments that say where a server listens or whom it lets in.
SETTINGS = CHECKING | {"host"}
# What belongs to a client listens nowhere.
CLIENT = pattern(r"\w*Client\w*\.\w+$")
PARTIAL = "functools.partial"


class ProcessStart(Protocol):
    """Where processes of a project begin, as one language knows it."""

    program: Program

    @cached_property
    def traces(self) -> list[Trace]:
        """What the functions and modules do that lead to what may serve, each by the highest that leads there."""
        return list(self._iter_traces())

    def _iter_traces(self) -> Iterator[Trace]:
        """Yield these."""

    def run(self, function: Function) -> Trace:
        """Return the trace of a function for arguments of any value."""
        parameters, receiver = function.code.parameters, function.receiver
        given = {parameters[0].variable: receiver} if receiver is not None and parameters else {}
        return Interpreter(self.program, summaries=self.program.summaries).start(function.code, given)

    def list_lasting_values(self, trace: Trace) -> Iterable[Value]:
        """Return the values that a module holds when it has been run."""
        return ()

    def collect_options(self) -> Mapping[str, Iterable[str]]:
        """Return the texts that options of a command line may be, by name, where no call declares them."""
        return {}

    def may_serve(self, path: str, other: str) -> bool:
        """Return whether what is served in one file may be a server of another."""
        return True

    def offers(self, kind: TransportKind, path: str) -> bool:
        """Return whether the SDK that a file is built with has a transport at all."""
        return True

    def release(self, library: str, path: str) -> tuple[int, ...] | None:
        """Return the newest release of a library with which a file is certainly built; None if that is unknown."""
        return None

    def mentions(self, pattern: re.Pattern[bytes]) -> bool:
        """Return whether anything in the code of the project matches."""
        return True


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


@dataclass(eq=False)
class _Known:
    """An occurrence, with what it does and the labels of the transports that its values hold."""

    occurrence: Occurrence
    event: Event
    acts: frozenset[ActName]
    held: frozenset[str]

    @cached_property
    def parts(self) -> frozenset[Term]:
        """The terms of its values and of what they hold, as they were made."""
        return frozenset(
            _get_source(self.occurrence, part) for value in self.event.values for part in _iter_parts(value)
        )


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
            any_host = found.explain_any_host(place) if kind != "stdio" else ""
            entry = _find_entry(text.span.path, near)
            ends = find_quiet_end(place.ways, start.traces, start.program)
            yield (
                Transport(
                    kind, text, auth, local, chosen, entry, any_host=any_host, any_origin=any_origin, quiet_end=ends
                ),
                place.code,
                place.at,
            )


HOSTS = pattern(
    rb"(?i:(?<!disable_)allowed_?hosts|allowed_?origins|trusted_?host|transport_?security|rebinding)|header::(?:HOST|ORIGIN)\b"
    rb"|(?i:headers?\b[^\n]{0,30}[\"'](?:host|origin)[\"'])"
)
"""What stands in code that looks at the host that a request is for, or at the page that it comes from."""


LOOKS = pattern(rb"(?i:trusted_?host)|header::(?:HOST|ORIGIN)\b|(?i:headers?\b[^\n]{0,30}[\"'](?:host|origin)[\"'])")
"""That of it which is a look of one's own, beside what an SDK is told."""


def _format_untold(way: Occurrence, start: ProcessStart) -> str:
    event = way.event
    checks_host = start.program.models.get_model(event.path).checks_host if isinstance(event, Called) else ""
    if not isinstance(event, Called) or not checks_host:
        return ""
    library, _, since = checks_host.partition(" ")
    if not since:
        is_told = library in event.named or event.is_open or REST in event.named
        return "" if is_told else f"`{library}` is not set"
    release = start.release(library, event.code.source.path)
    if release is None or release >= tuple(map(int, since.split("."))):
        return ""
    return f"{library} has checked it since {since}, but this server uses {'.'.join(map(str, release))}"


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
        self._events = [_Known(each, each.event, collect_acts(each.event, self._models), _collect_held(each)) for each in told
                        if isinstance(each.event, Called | Stored | Returned)]  # fmt: skip
        self._entered = frozenset((each.event.code, each.event.at) for each in told if isinstance(each.event, Entered))
        calls = [(each, each.event) for each in self._events if isinstance(each.event, Called)]
        self._filled = frozenset(event.result.term for _, event in calls if event.path == PARTIAL)
        self._letting = {
            each: {find_original_term(event.result.term): event for known, event in calls if each in known.acts}
            for each in LETTING
        }
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
                for label in _iter_names(each.labels)
            }
        )

    def _enters(self, event: Entered, _: object) -> bool:
        """Return whether a function does anything that tells of transports, or calls one that does."""
        return event.trace.reaches(_configures_serving, self._start.program)

    def _take(self, known: _Known, event: Called, kinds: dict[TransportKind, bool]) -> None:
        """Take down a call that serves, or makes what does."""
        if kinds:
            found = _Served(event.code, event.at)
            found = self.served.setdefault(found.name, found)
            found.kinds |= {kind: found.kinds.get(kind, True) and sure for kind, sure in kinds.items()}
            found.ways.append(known.occurrence)

    def _take_options(self, known: _Known, value: Value) -> None:
        """Take down the options of a server that are handed to what serves it: those of rust-mcp-sdk."""
        found = self._find_taken(known, value, "streamable-http") if self._is_of_options(value) else None
        if found is not None:
            found.options.append(value)
            sse = _find_field(value, "sse_support")
            if self._start.offers("sse", found.code.source.path) and (sse is None or sse.constant != (bool, False)):
                found.kinds["sse"] = True

    def _find_taken(self, known: _Known, value: Value, kind: TransportKind) -> _Served | None:
        """Take down what serves where a value was made."""
        match _get_source(known.occurrence, value):
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

    def _collect_kinds(self, known: _Known, event: Called) -> dict[TransportKind, bool]:
        """Return the transports that a call serves, each with whether that is certain."""
        if event.callee.term in self._filled:
            return {}  # told where it was filled in
        acts = dict.fromkeys((ACTS[each] for each in known.acts if each in ACTS), True)
        told = event.named.get("transport") or _find_field(event.named.get("kwargs"), "transport")
        model = self._models.find_model(event.path)
        if "serves by name" in known.acts and model is not None:
            is_thread = not {"target", "kwargs"}.isdisjoint(event.named)
            told = told or (event.find_argument(model.of) if not is_thread else None)
            if told is None and "stdio" in acts and {"host", "port", "path"} & event.named.keys():
                return {}
        elif not event.path.startswith(".run"):
            told = None
        if is_piped(event):
            acts["stdio"] = True
        return self._collect_named_transports(known, told) if told is not None else acts

    def _collect_handed_transports(self, known: _Known, event: Called) -> dict[TransportKind, bool]:
        """Return the transports that a function passed on serves: `Thread(target=mcp.run_sse_async)`."""
        told = event.named.get("transport") or _find_field(event.named.get("kwargs"), "transport")
        for value in (*event.arguments, *event.named.values()):
            for thing in value.things:
                model = self._models.get_model(thing.path) if isinstance(thing, Library) else NO_ROW
                if "serves" in model.acts:
                    if "serves by name" in model.acts:
                        return self._collect_named_transports(known, told) if told is not None else {}
                    return dict.fromkeys((ACTS[each] for each in model.acts if each in ACTS), True)
        return {}

    def _collect_named_transports(self, known: _Known, told: Value) -> dict[TransportKind, bool]:
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

    def explain_any_host(self, served: _Served) -> str:
        """Return why a transport certainly accepts requests for any host; empty if it does not, or that is unknown."""
        switches = [self._format_switched(each) for each in served.ways]
        if switches and all(switches):
            return f"`{switches[0]}` turns its check off" if not self._start.mentions(LOOKS) else ""
        found = {_format_untold(each, self._start) for each in served.ways}
        return found.pop() if len(found) == 1 and "" not in found and not self._start.mentions(HOSTS) else ""

    def _format_switched(self, way: Occurrence) -> str:
        """Return the setting that certainly turns off an SDK's check of hosts, from all arguments of a serving call."""
        letting = self._letting["lets in any host"]
        found = next(
            (one for each in way.event.values if (one := _find_opening_call(way, each, letting)) is not None), None
        )
        if found is None:
            return ""
        chain = "".join(str(found.text).split())
        return f"{found.path.rpartition('.')[2]}{chain[chain.rfind('(') :]}"

    def find_protection(self, served: _Served) -> tuple[Text | Opaque | None, bool | None, Text | None]:
        """Return the check of a request's credential, whether only this machine can send one, and the layer that allows
        any page.
        """
        if served.options:
            told = (_find_field(each, key) for each in served.options for key in ARGUMENTS)
            is_told = any(each is not None and each.constants != ABSENT for each in told)
            found = [
                self._is_loopback(served.ways[0], host)
                for each in served.options
                if (host := _find_field(each, "host"))
            ]
            return Text("auth", served.code.extract_text(served.at).span) if is_told else None, _find_all(found), None
        flow = _Flow(
            served.name, self._events, self._layers, self._start, self._entered, self._letting["lets in any page"]
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
        hosts = [host for each in listening for host in self._iter_hosts(each, flow, of_server=each in own)]
        found = [self._is_loopback(occurrence, each) if each is not None else None for occurrence, each in hosts]
        return auth, _find_all(found) if hosts or own or flow.listening else None, flow.any_origin

    def _iter_hosts(
        self, occurrence: Occurrence, flow: "_Flow", *, of_server: bool
    ) -> Iterator[tuple[Occurrence, Value | None]]:
        """Yield the addresses: an argument of a call that serves or listens, or a server option; None for one that is
        not seen.
        """
        event = occurrence.event
        assert isinstance(event, Called)
        model, asked = self._models.get_model(event.path), event.named.get("host")
        if asked is None and model.keyword == "host":
            asked = event.find_argument(model.of)
        server = event.receiver if of_server else None
        if asked is not None:
            yield occurrence, asked
        else:
            yield from (
                (occurrence, each)
                for each in (*flow.iter_stored_values("host"), _find_field(server, "host"))
                if each is not None
            )
        is_open = (
            asked is None and "transport" in event.named and bool(event.arguments)
        )  # `run(transport="http", **options)`
        if is_open or _find_field(server, REST) is not None:
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
                or any(True for value in each.values for _ in _iter_names(value.labels))
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


def _find_field(value: Value | None, name: str) -> Value | None:
    """Return the field of an object, or the argument for it; for several possible objects the field of one if all may
    have it.
    """
    found: Value | None = None
    if value is not None and value.contents:
        found = value.contents.get((name,)) or value.contents.get(name)
    sides = value.ways if value is not None and found is None else ()
    return next(
        (each for side in sides if (each := _find_field(side, name)) is not None and each.constants != ABSENT), found
    )


def _iter_names(labels: Iterable[Label]) -> Iterator[str]:
    return (each.name for each in labels if each.origin == "transport")


def _collect_held(occurrence: Occurrence) -> frozenset[str]:
    """Return the transports that the values of an event hold."""
    return frozenset(
        name for value in occurrence.event.values for name in _iter_names(_collect_all_labels(occurrence, value))
    )


def _collect_all_labels(occurrence: Occurrence, value: Value) -> frozenset[Label]:
    """Return where a value comes from, and what a function that it is has of the variables around it."""
    labels = occurrence.resolve_labels(value)
    for each in value.things:
        if isinstance(each, Function):
            for inner in (*(each.captured or {}).values(), *((each.receiver,) if each.receiver is not None else ())):
                labels |= occurrence.resolve_labels(inner)
    return labels


class _Flow:
    """One transport on its way to where it is served: what holds it, and what is laid around that."""

    def __init__(
        self,
        name: str,
        events: list[_Known],
        layers: Layers,
        start: ProcessStart,
        entered: frozenset[tuple[Code, Site]],
        letting: "_Letting",
    ) -> None:
        self._name, self._events, self._layers, self._start, self._entered = name, events, layers, start, entered
        self._letting = letting
        self._holders: set[Term] = set()
        self._made: set[Term] = set()
        self._wrappers: list[Called] = []
        """Functions of others that are handed what holds the transport, and may give it with something around."""

        self.auth: Text | Opaque | None = None
        self.any_origin: Text | None = None
        self.is_served = False
        self.listening: list[_Known] = []

    def begin(self, occurrence: Occurrence) -> None:
        """Begin with a call that serves, or makes what does: its server, and what it is told itself."""
        event = occurrence.event
        assert isinstance(event, Called)
        server = occurrence.trace_source(event.receiver)[1] if event.receiver is not None else None
        if server is not None and not server.certain and not _is_library(server):
            self._tell(Opaque("it is not seen how the server is made", event.text.span))
        for value in event.values:
            if any(isinstance(each, Instance | Library) for each in value.things):
                self._made.add(_get_source(occurrence, value))
            told = (
                key for key in CHECKING if (given := _find_field(value, key)) is not None and given.constants != ABSENT
            )
            for key in told:
                self._tell(Text(key, event.text.span))
            if _find_field(value, REST) is not None:
                self._tell(Opaque("arguments that only a run can tell", event.text.span))
        self._note_named_arguments(occurrence, event)

    def _note_named_arguments(self, occurrence: Occurrence, event: Called) -> None:
        for key, value in event.named.items():
            if key in CHECKING and value.constants != ABSENT:
                self._tell(event.text)
            elif key in ("middleware", "dependencies"):
                self._judge(occurrence, value, event)

    def follow(self) -> None:
        """Find all that holds the transport, then what is laid around it."""
        before = -1
        while before != len(self._holders):
            before = len(self._holders)
            for each in self._events:
                if isinstance(each.event, Called) and not each.event.followed and self._holds_application(each):
                    self._pass(each, each.event)
        for each in self._events:
            if isinstance(each.event, Called) and each.event.followed:
                if (each.event.code, each.event.at) not in self._entered and self._holds_application(each):
                    self._tell(Opaque("a call that was not followed is handed it", each.event.text.span))
            elif isinstance(each.event, Called):
                self._meet(each, each.event)
            elif isinstance(each.event, Stored) and each.event.key is not None and each.event.key.text in CHECKING:
                if each.event.value.constants != ABSENT and self._is_server(each.occurrence, each.event.owner):
                    self._tell(each.event.text)
        handed = frozenset[Term]().union(*(each.parts for each in self._events if "serves" in each.acts))
        for event in self._wrappers:
            if find_original_term(event.result.term) in handed:
                self._tell(Opaque(f"`{event.path}` lies outside of the project", event.text.span))

    def _holds_application(self, known: _Known) -> bool:
        return self._name in known.held or not known.parts.isdisjoint(self._holders) or self._is_handler(known)

    def _is_handler(self, known: _Known) -> bool:
        """Return whether a function is mounted or served that passes requests on to the transport."""
        return not known.acts.isdisjoint(("mounts", "serves")) and any(
            self._name in _collect_reached_names(self._start.run(thing))
            for value in known.event.values
            for thing in value.things
            if isinstance(thing, Function)
        )

    def _pass(self, known: _Known, event: Called) -> None:
        if event.receiver is not None and not _is_library(event.receiver):
            self._holders.add(_get_source(known.occurrence, event.receiver))
        if event.result.constants is None:
            self._holders.add(find_original_term(event.result.term))

    def _meet(self, known: _Known, event: Called) -> None:
        """Look at a call for what it lays around the transport."""
        occurrence = known.occurrence
        self._wrap(known, event)
        if not self._holds_application(known):
            if find_original_term(event.result.term) in self._holders:
                self._note_named_arguments(occurrence, event)
            return
        self._note_named_arguments(occurrence, event)
        if "lets in any page" in known.acts:
            self.any_origin = event.text
        if "serves" in known.acts:
            self.is_served = True
            held = (occurrence.trace_source(each)[1] for each in event.values if self._holds_server(occurrence, each))
            if any(get_term_head(each.term) == "new" and not each.things for each in held):
                self._tell(Opaque("a type that is not of the project holds it", event.text.span))
        if "listens" in known.acts:
            self.listening.append(known)
        for value in event.values if not known.acts.isdisjoint(("mounts", "serves")) else ():
            if any(isinstance(each, Function) for each in value.things) and self._layers.check(value):
                self._tell(event.text)
        if any(isinstance(each, Class) for each in event.callee.things):
            self._judge(occurrence, event.callee, event)
        elif not known.acts and event.path and not event.path.startswith("."):
            is_function = event.receiver is None or _is_library(event.receiver)
            if is_function and self._start.program.models.find_model(event.path) is None:
                self._wrappers.append(event)

    def _wrap(self, known: _Known, event: Called) -> None:
        """Look at what is added to an application or a server, by a method or a decorator."""
        receiver, decorated = event.receiver, event.callee.meaning
        if isinstance(decorated, Made) and decorated.of and decorated.by.endswith(".middleware"):
            receiver = decorated.of[0]
        elif "wraps" not in known.acts or receiver is None:
            return
        services = (each for each in event.arguments if not any(isinstance(thing, Function) for thing in each.things))
        if any(
            self._holds_server(known.occurrence, each) for each in services
        ):  # `ServiceBuilder::new().layer(a).service(s)`
            self._judge(known.occurrence, receiver, event)
            return
        is_made = (
            _get_source(known.occurrence, receiver) in self._made or find_original_term(receiver.term) in self._holders
        )
        if is_made or self._holds_server(known.occurrence, receiver):
            for key, value in (*enumerate(event.arguments), *event.named.items()):
                if isinstance(key, int) or key in LAYERS:
                    self._judge(known.occurrence, value, event)

    def _holds_server(self, occurrence: Occurrence, value: Value) -> bool:
        return (
            self._name in _iter_names(_collect_all_labels(occurrence, value))
            or _get_source(occurrence, value) in self._holders
        )

    def iter_stored_values(self, name: str) -> Iterator[Value]:
        """Yield the values stored under a name in the server or its settings."""
        for each in self._events:
            event = each.event
            if isinstance(event, Stored) and event.key is not None and event.key.text == name:
                if self._is_server(each.occurrence, event.owner):
                    yield event.value

    def _is_server(self, occurrence: Occurrence, owner: Value) -> bool:
        inner = (
            owner.meaning.of if isinstance(owner.meaning, Made) and owner.meaning.by.endswith("settings") else (owner,)
        )
        return any(_get_source(occurrence, each) in self._made for each in inner)

    def _judge(self, occurrence: Occurrence, layer: Value, event: Called) -> None:
        if "lets in any page" in collect_acts(event, self._start.program.models):
            self.any_origin = event.text
        elif self.any_origin is None:
            letting = _find_opening_call(occurrence, layer, self._letting)
            self.any_origin = letting.text if letting is not None else None
        found = self._layers.check(occurrence.trace_source(layer)[1])
        if found:
            self._tell(event.text)
        elif found is None:
            self._tell(Opaque(f"`{' '.join(event.text.split())[:80]}` lies outside of the project", event.text.span))

    def _tell(self, found: Text | Opaque) -> None:
        if self.auth is None or (isinstance(found, Text) and isinstance(self.auth, Opaque)):
            self.auth = found


_Letting = Mapping[Term, Called]
"""What calls gave that let something in, each with the call."""


def _find_opening_call(here: Occurrence, value: Value, letting: _Letting, deep: int = 8) -> Called | None:
    """Return the call that opens what a value is, on all ways: the one that made it, or one that it was told before others."""
    here, value = here.trace_source(value)
    known = letting.get(find_original_term(value.term))
    if known is not None or not deep:
        return known
    if value.ways:
        found = [_find_opening_call(here, each, letting, deep - 1) for each in value.ways]
        return found[0] if all(found) else None
    told = value.meaning.of[:1] if isinstance(value.meaning, Made) else ()
    for each in (*told, *(value.contents or {}).values()):
        within = _find_opening_call(here, each, letting, deep - 1)
        if within is not None:
            return within
    return None


def _is_library(value: Value) -> bool:
    return any(isinstance(each, Library) for each in value.things)


def _get_source(occurrence: Occurrence, value: Value) -> Term:
    return find_original_term(occurrence.trace_source(value)[1].term)


def _iter_parts(value: Value, deep: int = 4) -> Iterator[Value]:
    """Yield a value and what it holds that takes requests: the routes of an application in a list, and not its lifespan."""
    yield value
    for key, each in (value.contents or {}).items() if deep else ():
        if key != ("lifespan",):
            yield from _iter_parts(each, deep - 1)


def _collect_reached_names(trace: Trace) -> frozenset[str]:
    return frozenset(
        name for each in trace.iter_occurrences() for value in each.event.values for name in _iter_names(value.labels)
    )
