"""What is laid around a transport between where it is made and where it is served: credentials, layers, other applications."""

from collections.abc import Iterator

from reviewer.behaviour.security.credentials import ARGUMENTS, LAYERS, Layers
from reviewer.behaviour.serving.opening_calls import OpeningCalls, find_opening_call
from reviewer.behaviour.serving.process_start import ProcessStart
from reviewer.behaviour.serving.transport_values import (
    ServingEvent,
    collect_all_labels,
    find_field,
    find_source,
    is_library,
    iter_transport_names,
)
from reviewer.code.acts import REST, collect_acts
from reviewer.code.events import Called, Occurrence, Stored, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.values import (
    ABSENT,
    Class,
    Function,
    Instance,
    Library,
    Made,
    Term,
    Value,
    find_original_term,
    get_term_head,
    is_function,
)
from reviewer.source import Opaque, Text

CHECKING = ARGUMENTS | {f"_{each}" for each in ARGUMENTS}
"""Arguments that give a server its check of credentials, and the private attributes in which FastMCP keeps them."""


class TransportFlow:
    """One transport on its way to where it is served: what holds it, and what is laid around that."""

    def __init__(
        self,
        name: str,
        events: list[ServingEvent],
        layers: Layers,
        start: ProcessStart,
        entered: frozenset[tuple[Code, Site]],
        letting: OpeningCalls,
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
        self.listening: list[ServingEvent] = []

    def begin(self, occurrence: Occurrence) -> None:
        """Begin with a call that serves, or makes what does: its server, and what it is told itself."""
        event = occurrence.event
        assert isinstance(event, Called)
        server = occurrence.trace_source(event.receiver)[1] if event.receiver is not None else None
        if server is not None and not server.certain and not is_library(server):
            self._tell(Opaque("it is not seen how the server is made", event.text.span))
        for value in event.values:
            if any(isinstance(each, Instance | Library) for each in value.things):
                self._made.add(find_source(occurrence, value))
            told = [
                (key, given)
                for each in self._list_settings(value)
                for key in CHECKING
                if (given := find_field(each, key))
            ]
            for key in (key for key, given in told if given.constants != ABSENT):
                self._tell(Text(key, event.text.span))
            if find_field(value, REST) is not None:
                self._tell(Opaque("arguments that only a run can tell", event.text.span))
        self._note_named_arguments(occurrence, event)

    def _list_settings(self, value: Value) -> tuple[Value, ...]:
        """Return an object, and those that it was made with if they hold its settings: `new FastMCP({ authenticate })`."""
        held = value.contents or {}
        is_apart = self._start.program.names_in_objects
        return (
            value,
            *(each for key, each in held.items() if is_apart and isinstance(key, tuple) and key[0].isdigit()),
        )

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

    def _holds_application(self, known: ServingEvent) -> bool:
        return self._name in known.held or not known.parts.isdisjoint(self._holders) or self._is_handler(known)

    def _is_handler(self, known: ServingEvent) -> bool:
        """Return whether a function is mounted or served that passes requests on to the transport."""
        return not known.acts.isdisjoint(("mounts", "serves")) and any(
            self._name in _collect_reached_names(self._start.run(thing))
            for value in known.event.values
            for thing in value.things
            if isinstance(thing, Function)
        )

    def _pass(self, known: ServingEvent, event: Called) -> None:
        if event.receiver is not None and not is_library(event.receiver):
            self._holders.add(find_source(known.occurrence, event.receiver))
        if event.result.constants is None:
            self._holders.add(find_original_term(event.result.term))

    def _meet(self, known: ServingEvent, event: Called) -> None:
        """Look at a call for what it lays around the transport."""
        occurrence = known.occurrence
        self._wrap(known, event)
        if not self._holds_application(known):
            if find_original_term(event.result.term) in self._holders:
                self._note_named_arguments(occurrence, event)
            return
        self._note_named_arguments(occurrence, event)
        if "mounts" in known.acts:
            self._meet_between(occurrence, event)
        if "lets in any page" in known.acts:
            self.any_origin = event.text
        if "serves" in known.acts:
            self.is_served = True
            held = (occurrence.trace_source(each)[1] for each in event.values if self._holds_server(occurrence, each))
            if any(get_term_head(each.term) == "new" and not each.things for each in held):
                self._tell(Opaque("a type that is not of the project holds it", event.text.span))
        if "listens" in known.acts:
            self.listening.append(known)
        if not known.acts.isdisjoint(("mounts", "serves")):
            self._meet_functions(known, event)
        if any(isinstance(each, Class) for each in event.callee.things):
            self._judge(occurrence, event.callee, event)
        elif not known.acts and event.path and not event.path.startswith("."):
            is_function = event.receiver is None or is_library(event.receiver)
            if is_function and self._start.program.models.find_model(event.path) is None:
                self._wrappers.append(event)

    def _meet_functions(self, known: ServingEvent, event: Called) -> None:
        """Look at the functions that are mounted or served, unless something else is mounted beside the transport."""
        handed = (*event.arguments, *event.named.values())
        is_led_on = "mounts" not in known.acts or any(self._leads_on(known.occurrence, each) for each in handed)
        for value in event.values if is_led_on else ():
            if any(isinstance(each, Function) for each in value.things) and self._layers.check(value):
                self._tell(event.text)

    def _meet_between(self, occurrence: Occurrence, event: Called) -> None:
        """Look at what stands before that which takes the requests, and after the path: `post("/mcp", check, handle)`."""
        places = [place for place, each in enumerate(event.arguments) if self._leads_on(occurrence, each)]
        first = 0 if event.arguments and is_function(event.arguments[0]) else 1
        for each in event.arguments[first : places[-1]] if places else ():
            self._judge(occurrence, each, event)

    def _leads_on(self, occurrence: Occurrence, value: Value) -> bool:
        """Return whether what is mounted passes requests on to the transport."""
        return self._holds_server(occurrence, value) or any(
            self._name in _collect_reached_names(self._start.run(each))
            for each in value.things
            if isinstance(each, Function)
        )

    def _wrap(self, known: ServingEvent, event: Called) -> None:
        """Look at what is added to an application or a server, by a method or a decorator."""
        receiver, decorated = event.receiver, event.callee.meaning
        if isinstance(decorated, Made) and decorated.of and decorated.by.endswith(".middleware"):
            receiver = decorated.of[0]
        elif "wraps" not in known.acts or receiver is None:
            return
        if "mounts" in known.acts and any(self._leads_on(known.occurrence, each) for each in event.arguments):
            return  # it lies between the path and what is mounted there
        services = (each for each in event.arguments if not any(isinstance(thing, Function) for thing in each.things))
        if any(
            self._holds_server(known.occurrence, each) for each in services
        ):  # `ServiceBuilder::new().layer(a).service(s)`
            self._judge(known.occurrence, receiver, event)
            return
        is_made = (
            find_source(known.occurrence, receiver) in self._made or find_original_term(receiver.term) in self._holders
        )
        if is_made or self._holds_server(known.occurrence, receiver):
            for key, value in (*enumerate(event.arguments), *event.named.items()):
                if isinstance(key, int) or key in LAYERS:
                    self._judge(known.occurrence, value, event)

    def _holds_server(self, occurrence: Occurrence, value: Value) -> bool:
        return (
            self._name in iter_transport_names(collect_all_labels(occurrence, value))
            or find_source(occurrence, value) in self._holders
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
        return any(find_source(occurrence, each) in self._made for each in inner)

    def _judge(self, occurrence: Occurrence, layer: Value, event: Called) -> None:
        if "lets in any page" in collect_acts(event, self._start.program.models):
            self.any_origin = event.text
        elif self.any_origin is None:
            letting = find_opening_call(occurrence, layer, self._letting)
            self.any_origin = letting.text if letting is not None else None
        found = self._layers.check(occurrence.trace_source(layer)[1])
        if found:
            self._tell(event.text)
        elif found is None:
            self._tell(Opaque(f"`{' '.join(event.text.split())[:80]}` lies outside of the project", event.text.span))

    def _tell(self, found: Text | Opaque) -> None:
        if self.auth is None or (isinstance(found, Text) and isinstance(self.auth, Opaque)):
            self.auth = found


def _collect_reached_names(trace: Trace) -> frozenset[str]:
    return frozenset(
        name
        for each in trace.iter_occurrences()
        for value in each.event.values
        for name in iter_transport_names(value.labels)
    )
