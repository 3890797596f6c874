"""Where code changes the list of tools, and whether clients are told on every way on which it ends."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from reviewer.behaviour.names import parts_of
from reviewer.behaviour.texts import parts
from reviewer.code.acts import acts_of
from reviewer.code.events import Called, Entered, Event, Returned, Stored, Trace
from reviewer.code.ir import Code
from reviewer.code.program import Program
from reviewer.code.values import Instance, Library, Term, Value, made_as
from reviewer.facts import ToolChange
from reviewer.source import Text

CHANGING = frozenset({"appended", "extended", "removed", "emptied", "written", "kept entry"})
"""What models call functions that change which elements or entries their operand has."""

TELLING = frozenset(
    {"notify", "notifies", "notifier", "announce", "announces", "broadcast", "publish", "emit", "changed"}
)
"""Words in the name of code that is not there, and that may tell clients."""


class Change(NamedTuple):
    """A place that changes the list; `is_told` is None where only code that is not there can tell."""

    text: Text
    is_told: bool | None


@dataclass(slots=True)
class _Pending:
    """A change of which nobody has been told so far."""

    text: Text
    event: Event
    is_doubtful: bool = False
    told: list[Event] = field(default_factory=list)


class Changes:
    """The changes that functions make, each function looked through once."""

    def __init__(self, program: Program, held: Iterable[Term]) -> None:
        self._program, self._models = program, program.models
        self._held = frozenset(held)
        self._known: dict[int, tuple[Trace, tuple[Change, ...]]] = {}

    def of(self, trace: Trace) -> Iterator[ToolChange]:
        """Yield the changes that a function makes, or what it calls, when a client calls it."""
        found: dict[object, ToolChange] = {}
        for each in self._of(trace):
            before = found.get(each.text.span)
            if before is None or (before.announced is not False and each.is_told is False):
                found[each.text.span] = ToolChange(each.text, each.is_told)
        yield from found.values()

    def _of(self, trace: Trace) -> tuple[Change, ...]:
        known = self._known.get(id(trace))
        if known is None:
            self._known[id(trace)] = (trace, ())
            known = self._known[id(trace)] = (trace, tuple(self._look(trace)))
        return known[1]

    def _look(self, trace: Trace) -> Iterator[Change]:
        """Yield the changes that a function makes, with whether clients have been told when it comes back."""
        pending: list[_Pending] = []
        announced: list[Event] = []
        ended: list[tuple[_Pending, bool]] = []
        for event in trace.events:
            inner = self._of(event.trace) if isinstance(event, Entered) else ()
            if self._announces(event):
                announced.append(event)
                for each in pending:
                    if not _exclude(each.event, event):
                        each.told.append(event)
            for change in inner:
                if change.is_told:
                    yield change
                else:
                    pending.append(
                        _Pending(change.text, event, change.is_told is None, _in_same_loop(event, announced))
                    )
            text = self._changed(event)
            if text is not None:
                pending.append(_Pending(text, event, False, _in_same_loop(event, announced)))
            elif self._may_announce(event):
                for each in pending:
                    each.is_doubtful = True
            if isinstance(event, Returned):
                ended += [(each, _is_told(each, event)) for each in pending if not _exclude(each.event, event)]
        for each in pending:
            untold = [told for one, told in ended if one is each and not told]
            is_told = not untold and bool(each.told)
            yield Change(each.text, True if is_told else None if each.is_doubtful or trace.omissions else False)

    def _announces(self, event: Event) -> bool:
        if isinstance(event, Entered):
            return "announces tools" in event.trace.acts
        if not isinstance(event, Called) or event.followed:
            return False
        return "announces tools" in acts_of(event, self._models) or any(
            "tools/list_changed" in text for value in event.values for text in _texts_of(value)
        )

    def _may_announce(self, event: Event) -> bool:
        """Return whether code that is not there may tell clients: by its name, or because it is handed their session."""
        if not isinstance(event, Called) or event.followed or self._models.of(event.path) is not None:
            return False
        name = event.path.rpartition(".")[2]
        return not TELLING.isdisjoint(parts_of(name)) or any(_is_session(each) for each in event.values[1:])

    def _changed(self, event: Event) -> Text | None:
        """Return what changes the list of tools by itself, None if an event does not."""
        match event:
            case Called(followed=False):
                if "changes tools" in acts_of(event, self._models) and _is_server(event.receiver):
                    return event.text
                model = self._models.of(event.path)
                if model is not None and model.returns in CHANGING and self._is_held(event.receiver):
                    return event.text
            case Stored(owner=owner) if self._is_held(owner) and event.key is not None:
                return event.text
        return None

    def _is_held(self, value: Value | None) -> bool:
        return value is not None and made_as(value.term) in self._held


def _is_told(pending: _Pending, end: Event) -> bool:
    return any(not _exclude(each, end) for each in pending.told)


def _in_same_loop(event: Event, announced: list[Event]) -> list[Event]:
    """Return what tells clients before a change in the same loop, and so after that of the round before."""
    loops = {each.at for each in event.outwards() if each.condition == "loop"}
    return [each for each in announced if any(part.at in loops for part in each.outwards() if part.condition == "loop")]


def _exclude(one: Event, other: Event) -> bool:
    """Return whether two events of a function never happen both: tests tell the opposite there."""
    for term, fact in one.facts.items():
        known = other.facts.get(term)
        if known is not None and fact.truth is not None and known.truth is (not fact.truth):
            return True
    return False


SERVERS = frozenset("mcp server app fastmcp mcp_server srv _mcp _server _mcp_server".split())
"""What a server is called of which nothing else is known."""


def _is_server(value: Value | None) -> bool:
    """Return whether a value is a server of an SDK, or is called so where nothing else is known."""
    if value is None:
        return False
    if value.things:
        made = [each.of.path for each in value.things if isinstance(each, Instance) and isinstance(each.of, Library)]
        return any(part in path.lower() for path in made for part in ("mcp", "router"))
    name = value.term[-1] if isinstance(value.term, tuple) else ""
    return isinstance(name, str) and name in SERVERS


SESSIONS = frozenset({"ctx", "context", "session", "peer"})


def _is_session(value: Value) -> bool:
    return any(each.origin == "argument" and each.name in SESSIONS for each in value.labels)


def held_by(trace: Trace) -> Iterator[Term]:
    """Yield what a function that lists tools gives its list from: what it did not make itself."""
    for each in trace.occurrences():
        if isinstance(each.event, Returned) and each.caller is None:
            for _, part in parts(each, each.event.value):
                term = made_as(part.term)
                if _is_lasting(term):
                    yield term


def _is_lasting(term: Term) -> bool:
    """Return whether a value is there before a call and after it: of a module, or made with an object."""
    if not isinstance(term, tuple) or not term:
        return False
    if term[0] == "new":
        return isinstance(term[1], Code) and (term[1].name == "__init__" or term[1].kind in ("module", "class"))
    return term[0] in ("global", "made with")


def _texts_of(value: Value) -> Iterator[str]:
    if value.text is not None:
        yield value.text
    for each in (value.contents or {}).values():
        if each.text is not None:
            yield each.text
