"""Changes of the list of tools: where code makes one, and whether clients are told on every way on which it ends."""

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import NamedTuple

from reviewer.behaviour.serving.announcements import (
    CHANGE_HANDLER,
    announces,
    iter_advertisements,
    iter_announcements,
    iter_forwards,
    tells,
)
from reviewer.behaviour.serving.audiences import is_never_filled
from reviewer.behaviour.serving.kept_listeners import classify_keeping
from reviewer.behaviour.values.callers import Started
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.names import split_words
from reviewer.behaviour.values.texts import iter_parts
from reviewer.code import ir
from reviewer.code.acts import collect_acts, find_modelled_return
from reviewer.code.events import (
    Called,
    Entered,
    Event,
    Looped,
    Occurrence,
    Origins,
    Returned,
    Stored,
    Tested,
    Trace,
    exclude,
)
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import infer_presence
from reviewer.code.values import (
    Class,
    ConditionalValue,
    Instance,
    Library,
    Made,
    Relation,
    Term,
    Value,
    find_original_term,
    get_term_head,
)
from reviewer.facts import Advertisement, Announcement, ListChanges, ToolChange
from reviewer.records import dataclass
from reviewer.source import Span, Text

NAMES = frozenset(
    "send_tool_list_changed notify_tool_list_changed notify_tools_list_changed notify_tools_changed bind_peer_notifier "
    "ToolListChangedNotification ToolsListChanged listChanged list_changed tools_changed NotificationOptions "
    "create_initialization_options enable_tools enable_tool_list_changed ToolsCapability add_tool remove_tool add_route "
    "remove_route disable_route enable_route _tool_manager sendToolListChanged".split()
)
"""The words of the protocol and of SDKs where something is said of changes of the tools, or changes them."""

HANDING = frozenset({"send_notification", "_send_notification", "forward_notification"})
"""The words of SDKs that send whatever notification they are handed."""

CHANGING = frozenset({"appended", "extended", "removed", "emptied", "written", "kept entry", "retained"})
"""What models call functions that change which elements or entries their operand has."""

READING = frozenset({"elements", "collected", "values", "entries", "keys", "contains", "entry", "mapped", "filtered"})
"""What models call functions by which a list is made of elements, or by which it is decided what is listed."""

VIEWING = READING | {"sorted", "numbered", "copied"}
"""What models call functions that give the elements of what a loop goes through, in whatever order."""

TELLING = frozenset(
    {"notify", "notifies", "notifier", "announce", "announces", "broadcast", "publish", "emit", "changed"}
)
"""Words in the name of code that is not there, and that may tell clients."""

ACTS = frozenset({"announces tools", "changes tools"})
"""The acts of which it matters who asks for them."""


def list_changes(
    functions: EntryPoints, listings: Iterable[Trace], *, is_told: bool, is_unread: bool = False
) -> Iterator[ListChanges]:
    """Yield how a project advertises and announces changes of its tools, if it does.

    `is_told` is whether an SDK notifies clients of changes itself. `is_unread` is whether the tools are only known at
    run time, so that any change of the listed data counts.
    """
    program, starts = functions.program, functions.iter_leading
    changes = Changes(program, listings)
    found = [each for each in starts(NAMES, ACTS) if each.is_called]
    changing = [*found, *(starts(changes.fields) if is_unread and changes.fields else ())]
    promises = _collect_once(each for start in found for each in iter_advertisements(start.trace, program))
    by_start = [(start, list(iter_announcements(start.trace, program))) for start in found]
    sending = [each for _, there in by_start for each in there]
    handed: dict[Span, Text] = {}
    if sending and not promises:
        others = starts(frozenset({"capabilities"}))
        promises = _collect_once(each for start in others for each in iter_advertisements(start.trace, program))
    elif not sending:
        others = starts(HANDING)
        handed = {each.span: each for start in others for each in iter_forwards(start.trace, program)}
    answering = frozenset(code for start in found if start.answers for code in start.trace.collect_codes())
    heard, kept = [], []
    for start, there in by_start:
        became = (
            classify_keeping(start.trace.code, functions) if there and start.is_reached and not start.answers else None
        )
        heard += there if became != "lost" else []
        kept.append(became is not None or not there or start.answers)
    changes.is_told_elsewhere = any(code not in answering for code, _ in heard)
    changes.are_called = all(kept)
    made = () if is_told else _collect_changes(changing, changes)
    promises = () if is_told and not sending else promises  # the SDK keeps what it promises
    if sending or made or any(each.claims is not False for each in promises):
        reached = any(start.is_reached and there for start, there in by_start)
        announcements = _join(each for _, each in sending)
        deserted = _find_deserted(announcements, functions) if reached else ""
        yield ListChanges(promises, announcements, made, tuple(handed.values()), is_reached=reached, deserted=deserted)


def _find_deserted(announcements: Iterable[Announcement], functions: EntryPoints) -> str:
    """Return the field that holds all clients which are told of changes, if no code puts one there; empty otherwise."""
    names = {each.audience for each in announcements}
    name = names.pop() if len(names) == 1 else ""
    return name if name and is_never_filled(name, functions) else ""


def _collect_once(found: Iterable[Advertisement]) -> tuple[Advertisement, ...]:
    return tuple({each.text.span: each for each in found}.values())


def _join(found: Iterable[Announcement]) -> tuple[Announcement, ...]:
    """Return each place once: with a loop that one way there has, and the setting that all ask."""
    places: dict[Span, Announcement] = {}
    for each in found:
        before = places.setdefault(each.text.span, each)
        switch = before.switch if each.switch is not None else None
        audience = each.audience if each.audience == before.audience else ""
        places[each.text.span] = Announcement(each.text, before.every or each.every, switch, each.advertised, audience)
    return tuple(places.values())


def _collect_changes(found: list[Started], changes: "Changes") -> tuple[ToolChange, ...]:
    """Return the changes that are made while the server runs."""
    told: dict[Span, ToolChange] = {}
    for start in found:
        for change in changes.iter_changes(start):
            if change.text.span not in told or change.announced is False:
                told[change.text.span] = change
    return tuple(told.values())


class ListChange(NamedTuple):
    """A place that changes the list; `is_told` is None where only code that is not there can tell."""

    text: Text
    is_told: bool | None


@dataclass(slots=True)
class _Pending:
    """A change that has not been announced yet."""

    text: Text
    event: Event
    is_doubtful: bool = False
    told: list[Event] = field(default_factory=list)


class Changes:
    """The changes that functions make."""

    def __init__(self, program: Program, listings: Iterable[Trace]) -> None:
        self._program, self._models = program, program.models
        self._held = frozenset(place for trace in listings for place in _iter_listed_places(trace, program.models))
        self._changing: set[Event] = set()
        self._answers = False
        """Whether the function answers clients: objects that it creates are gone when it is called again."""
        self._known: dict[int, tuple[Trace, tuple[ListChange, ...]]] = {}
        self._waking: dict[int, tuple[Trace, bool]] = {}
        self.is_told_elsewhere = False
        """Whether code that clients do not call announces changes: then only a change that wakes no other code is
        unannounced.
        """
        self.are_called = False
        """Whether the project keeps all such code to be called: a change that is only stored does not wake it."""

    @property
    def fields(self) -> frozenset[str]:
        """The names of the fields that hold what is listed."""
        places = [each for each in self._held if isinstance(each, tuple) and each[0] == "field"]
        return frozenset(str(each[-1]) for each in places)

    def iter_changes(self, start: Started) -> Iterator[ToolChange]:
        """Yield the changes that a function makes, or what it calls, where a client calls it, or it goes on beside clients."""
        self._answers = start.answers
        found = (
            each
            for each in start.trace.iter_occurrences(self._may_change, kinds=(Called, Stored))
            if self._changes(each)
        )
        self._changing = {each.event for each in found if start.answers or _is_live(each)}
        self._known, self._waking = {}, {}
        told: dict[object, ToolChange] = {}
        for change in self._collect_list_changes(start.trace) if self._changing else ():
            before = told.get(change.text.span)
            if before is None or (before.announced is not False and change.is_told is False):
                told[change.text.span] = ToolChange(change.text, change.is_told)
        yield from told.values()

    def _may_change(self, event: Entered, _: Origins) -> bool:
        return "changes tools" in event.trace.acts or (bool(self._held) and event.trace.reaches(_writes, self._program))

    def _changes(self, here: Occurrence) -> bool:
        """Return whether an event changes the list of tools by itself."""
        match here.event:
            case Called(followed=False, path=path) if path.rpartition(".")[0] in TABLES:
                return path.rpartition(".")[2] in WRITING
            case Called(followed=False, receiver=Value() as receiver) as event:
                if "changes tools" in collect_acts(event, self._models):
                    return _is_server(here, receiver, self._models)
                return self._models.get_model(event.path).returns in CHANGING and self._is_held(here, receiver)
            case Stored(owner=owner):
                return self._is_held(here, owner) or any(
                    isinstance(each, Library) and each.path in TABLES for each in owner.things
                )
        return False

    def _is_held(self, here: Occurrence, value: Value) -> bool:
        if not self._held or value.duplicate is not None:
            return False
        kept = _find_kept(here, value, self._models, lasts=not self._answers)
        return kept is not None and kept.place in self._held

    def _collect_list_changes(self, trace: Trace) -> tuple[ListChange, ...]:
        known = self._known.get(id(trace))
        if known is None:
            self._known[id(trace)] = (trace, ())
            known = self._known[id(trace)] = (trace, tuple(self._look(trace)))
        return known[1]

    def _look(self, trace: Trace) -> Iterator[ListChange]:
        """Yield the changes that a function makes, with whether clients have been told when it comes back."""
        pending: list[_Pending] = []
        announced: list[Event] = []
        waking = [each for each in trace.events if self._may_wake(each)] if self.is_told_elsewhere else []
        ended: list[tuple[_Pending, bool]] = []
        for event in trace.events:
            inner = self._collect_list_changes(event.trace) if isinstance(event, Entered) else ()
            if self._announces(event):
                announced.append(event)
                for each in pending:
                    if not exclude(each.event, event):
                        each.told.append(event)
            for change in inner:
                if change.is_told:
                    yield change
                else:
                    pending.append(
                        _Pending(change.text, event, change.is_told is None, _collect_in_same_loop(event, announced))
                    )
            if event in self._changing:
                pending.append(_Pending(event.text, event, False, _collect_in_same_loop(event, announced)))
            elif self._may_announce(event):
                for each in pending:
                    each.is_doubtful = True
            if isinstance(event, Returned) and event.value.failure is None:
                ended += [
                    (each, _is_told(each, event))
                    for each in pending
                    if not exclude(each.event, event) and not _is_empty_removal(each.event, event)
                ]
        for each in pending:
            each.is_doubtful |= any(not exclude(each.event, other) for other in waking)
            untold = [told for one, told in ended if one is each and not told]
            is_told = not untold and bool(each.told)
            yield ListChange(each.text, True if is_told else None if each.is_doubtful or trace.omissions else False)

    def _announces(self, event: Event) -> bool:
        if isinstance(event, Entered):
            return event.trace.reaches(tells, self._program)
        return not isinstance(event, Returned) and announces(event, self._models)

    def _may_announce(self, event: Event) -> bool:
        """Return whether code that is not there may tell clients: by its name, or because it is handed their session."""
        if not isinstance(event, Called) or event.followed or self._models.find_model(event.path) is not None:
            return False
        name = event.path.rpartition(".")[2]
        return not TELLING.isdisjoint(split_words(name)) or any(_is_session(each) for each in event.values[1:])

    def _may_wake(self, event: Event) -> bool:
        """Return whether other code may notice an event: by a message, a task, a stored value or an unknown function."""
        match event:
            case Entered(trace=trace):
                if id(trace) not in self._waking:
                    self._waking[id(trace)] = (trace, False)
                    is_waking = bool(trace.omissions) or any(map(self._may_wake, trace.events))
                    self._waking[id(trace)] = (trace, is_waking)
                return self._waking[id(trace)][1]
            case Stored(owner=owner):
                return not self.are_called and event not in self._changing and not _is_made_here(owner)
            case Called(followed=False, path=path):
                if event in self._changing or (self.are_called and path.startswith(SDKS)):
                    return False  # what SDKs call of the project stands in their models
                return self._models.find_model(path) is None or not WAKING.isdisjoint(collect_acts(event, self._models))
        return False


SDKS = ("rmcp.", "mcp.", "fastmcp.")
"""How paths begin of what the SDKs have."""


def _is_empty_removal(change: Event, end: Event) -> bool:
    """Return whether it is known at the end that there was nothing to remove, so that nothing changed."""
    return isinstance(change, Called) and infer_presence(change.result, end.facts) is False


WAKING = frozenset({"wakes", "spawns task", "spawns thread", "notifies"})
"""The acts by which other code learns that something has happened."""


def _is_made_here(owner: Value) -> bool:
    """Return whether what is written into is an object of a function's own."""
    term = find_original_term(owner.term)
    return isinstance(term, tuple) and term[:1] in (("new",), ("call",), ("told",))


def _is_told(pending: _Pending, end: Event) -> bool:
    return any(not exclude(each, end) for each in pending.told)


def _collect_in_same_loop(event: Event, announced: list[Event]) -> list[Event]:
    """Return the announcements before a change in the same loop, which follow the change of the previous iteration."""
    loops = {each.at for each in event.iter_outwards() if each.condition == "loop"}
    return [
        each for each in announced if any(part.at in loops for part in each.iter_outwards() if part.condition == "loop")
    ]


# Arguments by which a handler reaches the session of its client.
SESSIONS = frozenset({"ctx", "context", "session", "peer"})


def _is_session(value: Value) -> bool:
    return any(each.origin == "argument" and each.name in SESSIONS for each in value.labels)


def _writes(trace: Trace, program: Program) -> bool:
    """Return whether a function changes an object by itself."""
    for each in trace.events:
        if isinstance(each, Stored):
            return True
        if isinstance(each, Called) and program.models.get_model(each.path).returns in CHANGING:
            return True
    return False


def _is_live(here: Occurrence) -> bool:
    """Return whether something is done again and again beside the calls of clients: in a task, or for every change."""
    is_endless = False
    for each in here.iter_outwards():
        if CHANGE_HANDLER.match(each.event.code.name):
            return True
        for around in each.event.iter_outwards():
            is_endless |= around.condition == "loop" and _goes_on(each.event.code, around.at)
            if is_endless and around.condition in ("task", "thread"):
                return True
    return False


def _goes_on(code: ir.Code, at: ir.Site) -> bool:
    """Return whether a loop goes through no sequence that is there when it begins."""
    found = (each for each in ir.iter_statements(code.body) if isinstance(each, ir.Loop) and each.at == at)
    return any(each.over is None or each.is_async for each in found)


class LastingObject(NamedTuple):
    """Something that is there before a call and after it: what tells it from all else, and what it is called."""

    place: Term
    name: str


DEEPEST = 12
"""How many parts of parts are looked through for what holds a value: `self.state.registry.tools.write().await`."""

GUARDING = frozenset(
    "read write lock borrow borrow_mut blocking_read blocking_write blocking_lock load get_mut".split()
)
"""Methods by which something gives what it guards, where its type is not known."""

LASTING = frozenset({"global", "made with", "parameter", "argument", "request"})
"""The first parts of terms of values that a function did not create itself, if it has no known caller."""


def _find_kept(here: Occurrence, value: Value, models: Models, *, lasts: bool = False) -> LastingObject | None:
    """Return the object, or its owner, that a function did not create itself, or that `lasts` as long; else None.

    It is identified by its own term, or by its field: of a type, or of the object whose method the run began with.
    """
    found: LastingObject | None = None
    for _ in range(DEEPEST):
        here, value = here.trace_source(value)
        term = find_original_term(value.term)
        if not isinstance(term, tuple):
            return None
        if _is_lasting(term) or (term[0] in LASTING and here.caller is None):
            return found or LastingObject(term, str(term[-1]))
        owner = _find_holder(value, models)
        if owner is None:
            return found if lasts and term[0] == "new" else None
        if found is None and term[0] == "field":
            found = LastingObject(("field", _type_of(*here.trace_source(owner)), term[2]), str(term[2]))
        value = owner
    return None


def _find_holder(value: Value, models: Models) -> Value | None:
    """Return the value that a value is a part of, or guarded by; else None.

    A lock whose holder panicked returns the guarded value as the reason of its failure.
    """
    if isinstance(value.meaning, ConditionalValue):
        instead = find_original_term(value.meaning.otherwise.term)
        return value.meaning.then if get_term_head(instead) == "reason" else None
    if not isinstance(value.meaning, Made) or not value.meaning.of:
        return None
    by, term = value.meaning.by, value.term
    is_part = isinstance(term, tuple) and term[:1] in (("field",), ("item",), ("element",))
    is_given = models.get_model(by).returns in ("receiver", "cloned", "entry", "sure")
    return value.meaning.of[0] if is_part or is_given or by.rpartition(".")[2] in GUARDING else None


def _type_of(here: Occurrence, owner: Value) -> Term:
    """Return the class of an object; of one that nothing is known of, that of the function that the run began with."""
    known = [each.of for each in _collect_objects(owner) if isinstance(each.of, Class)]
    return known[0] if known else here.event.code.owner


def _collect_objects(value: Value) -> list[Instance]:
    """Return the objects that a value may be, or gives when it is asked for what it guards."""
    return [each.within or each for each in value.things if isinstance(each, Instance)]


def _is_lasting(term: Term) -> bool:
    """Return whether a value is there before a call and after it: of a module, or made with an object."""
    if not isinstance(term, tuple) or not term:
        return False
    if term[0] == "new":
        return isinstance(term[1], ir.Code) and (term[1].name == "__init__" or term[1].kind in ("module", "class"))
    return term[0] in ("global", "made with")


MANAGERS = frozenset({"fastmcp.FastMCP._tool_manager", "mcp.server.mcpserver.MCPServer._tool_manager"})
"""What servers of SDKs hold their tools with."""

TABLES = frozenset({*(f"{each}._tools" for each in MANAGERS), "rmcp.handler.server.router.tool.ToolRouter.map"})
"""The tables in which SDKs keep tools, which code reaches into where the SDK has no function for it."""

WRITING = frozenset("pop popitem clear update setdefault insert remove retain entry extend".split())
"""The methods of tables that change which entries there are."""

SERVERS = frozenset("mcp server app fastmcp srv router".split())
"""Words of what a server, or what holds its tools, is called of which nothing else is known."""


def _is_server(here: Occurrence, value: Value, models: Models) -> bool:
    """Return whether a value is a server of an SDK that is there before a call, or is called so where nothing else is known."""
    kept = _find_kept(here, value, models)
    if kept is None:
        return False
    if value.things:
        paths = [each.of.path.lower() for each in _collect_objects(value) if isinstance(each.of, Library)]
        paths += [each.path.lower() for each in value.things if isinstance(each, Library) and each.path in MANAGERS]
        return any(part in path for path in paths for part in ("mcp", "router"))
    return not SERVERS.isdisjoint(split_words(kept.name))


def _iter_listed_places(trace: Trace, models: Models) -> Iterator[Term]:
    """Yield the objects from which a function that lists tools takes its list or chooses its items, and that it did not
    create.
    """
    for each in trace.iter_occurrences():
        is_given = each.caller is None and (isinstance(each.event, Returned) or _fills(each.event, models))
        for value in _iter_read_values(each, models):
            kept = _find_kept(each, value, models)
            if kept is not None and (is_given or "tool" in f"{kept.name} {_get_said(each.event, models)}".lower()):
                yield kept.place


def _iter_viewed_values(here: Occurrence, value: Value, models: Models) -> Iterator[Value]:
    """Yield a value, and what it gives the elements of: `self.recipes.values().cloned()`."""
    for _ in range(DEEPEST):
        yield value
        _, value = here.trace_source(value)
        if models.get_maker_model(value).returns not in VIEWING or not value.operands:
            return
        value = value.operands[0]


def _fills(event: Event, models: Models) -> bool:
    """Return whether a handler goes through what it lists, or puts all of it behind what it lists already."""
    is_put = isinstance(event, Called) and models.get_model(event.path).returns in ("extended", "appended")
    return is_put or isinstance(event, Looped)


def _get_said(event: Event, models: Models) -> str:
    """Return the text of the value that is read at an event, except a single entry that is read by key."""
    return "" if isinstance(event, Called) and find_modelled_return(event, models) == "entry" else event.text


def _iter_read_values(here: Occurrence, models: Models) -> Iterator[Value]:
    match here.event:
        case Returned(value=value) if here.caller is None:
            yield from (part for _, part in iter_parts(here, value))
        case Returned(value=value):
            yield value
        case Looped(value=value):
            yield value
            if models.get_maker_model(value).returns in VIEWING:
                yield from value.operands[:1]
        case Tested(value=Value(meaning=Relation("in", _, Value() as right))):
            yield right
        case Called(followed=False, receiver=Value() as receiver, path=path, arguments=arguments):
            if models.get_model(path).returns in READING:
                yield receiver
            elif models.get_model(path).returns in ("extended", "appended"):
                yield from (part for each in arguments for part in _iter_viewed_values(here, each, models))
