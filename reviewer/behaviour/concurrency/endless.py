"""Requests and commands that a tool waits for, with nothing that bounds how long."""

from collections.abc import Iterator
from typing import NamedTuple

from reviewer.behaviour.effects.commands import Command, Gap, collect_commands, collect_known_words
from reviewer.behaviour.effects.programs import ABOUT_ITSELF, LONG, asks_about_itself, is_quick
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code.acts import bounds_of, collect_acts
from reviewer.code.events import Called, Context, Entered, Event, Occurrence, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Model, Models
from reviewer.code.values import ConditionalValue, Instance, Library, Made, Term, Value, find_original_term
from reviewer.facts import Wait
from reviewer.source import Text

ENDLESS = "waits endlessly"
REACHING = frozenset({ENDLESS, "network", "runs command", "spawns process"})


def iter_endless_waits(entry_points: EntryPoints) -> Iterator[Wait]:
    """Yield the requests and the commands that nothing ends in time."""
    clients = _Clients(entry_points)
    for tool, trace in entry_points.iter_calls():
        if not trace.acts.isdisjoint(REACHING):
            yield from _iter_in_trace(tool, trace, entry_points.program.models, clients)


def _iter_in_trace(tool: str, trace: Trace, models: Models, clients: "_Clients") -> Iterator[Wait]:
    def enters(event: Entered, _: object) -> bool:
        return not event.trace.acts.isdisjoint(REACHING)

    for each in trace.iter_occurrences(enters, kinds=(Called,)):
        event = each.event
        model = models.find_model(event.path) if isinstance(event, Called) else None
        if not isinstance(event, Called) or model is None or not (ENDLESS in model.acts or model.also):
            continue
        acts = collect_acts(event, models)
        made = _find_client(event.receiver, models) if event.receiver is not None else None
        if ENDLESS not in acts:
            client = (
                clients.find_endless_client(made, event, model) if ENDLESS in model.acts and made is not None else None
            )
            if client is None:
                continue
        else:
            client = _place(made, each) if made is not None else None
        if not each.is_possible() or is_short(each, acts, models) or _is_ended(each, trace, models):
            continue
        if made is not None and _is_begun(made, models):
            client = None
        through = tuple(place.text for place in each.build_call_path())
        is_request = "network" in acts and "runs command" not in acts
        yield Wait("request" if is_request else "command", event.text, tool, event.path, through, client)


def _find_client(value: Value, models: Models) -> Value | None:
    """Return the client by which a request is made, or the request builder if there is no client; None if there is
    neither.
    """
    match value.meaning:
        case ConditionalValue(then=then, otherwise=otherwise):
            there = [each for each in (then, otherwise) if each.failure is None and each.library_types]
            return _find_client(there[0], models) if there else value
        case Made(by, (owner, *_)) if by.rpartition(".")[0] in owner.library_types:
            row = models.find_model(by)
            return _find_client(owner, models) if row is not None and row.keyword in REQUESTING else value
    return value if value.library_types else None


REQUESTING = frozenset({"url", "method", "parts"})
"""The arguments that rows name of what begins a request."""


def _is_begun(made: Value, models: Models) -> bool:
    """Return whether what a request is made with is only that request: `ureq::get(url)`, which the library makes by itself."""
    row = models.find_model(made.meaning.by) if isinstance(made.meaning, Made) else None
    return row is not None and row.keyword in REQUESTING


def _place(made: Value, occurrence: Occurrence) -> Text | None:
    """Return the place where an object was created; None if that code was not found."""
    match find_original_term(occurrence.trace_source(made)[1].term):
        case ("call", Code() as code, Site() as at):
            return code.extract_text(at)
    return None


def is_short(occurrence: Occurrence, acts: frozenset[str], models: Models) -> bool:
    """Return whether a command is always the same and soon over: it asks for a version, a setting, the state of a host."""
    found = collect_commands(occurrence, models) if "runs command" in acts else []
    return bool(found) and not any(_may_last(words) for words in found)


def is_over_at_once(occurrence: Occurrence, acts: frozenset[str], models: Models) -> bool:
    """Return whether a command ends at once, whatever else it is told."""
    found = collect_commands(occurrence, models) if "runs command" in acts else []
    return bool(found) and all(_is_quick(words) for words in found)


def _is_quick(words: Command) -> bool:
    return is_quick(collect_known_words(words)) or asks_about_itself(words)


def _may_last(words: Command) -> bool:
    """Return whether a command takes its time, or depends on what only a run tells, and is none that ends at once."""
    if _is_quick(words):
        return False
    is_fixed = Gap.GIVEN not in words and Gap.UNKNOWN not in words
    return LONG.match(" ".join(collect_known_words(words))) is not None or not (is_fixed or words[-1] in ABOUT_ITSELF)


def _is_ended(occurrence: Occurrence, trace: Trace, models: Models) -> bool:
    """Return whether what waits is ended after a time, or with something else that is waited for, or was ended before."""
    if any(_limits(each, models) for each in occurrence.iter_circumstances()):
        return True
    for here in occurrence.iter_outwards():
        for each in here.find_own_trace(trace).events:
            if isinstance(each, Called) and _ends(each, here, models):
                return True
            if isinstance(each, Entered) and _was_ended(each, here.event):
                return True
    return False


def was_ended(trace: Trace, occurrence: Occurrence, models: Models) -> bool:
    """Return whether the process that something waits for was ended before in the same function: it is over at once."""
    event = occurrence.event
    waited = event.receiver if isinstance(event, Called) else None
    return waited is not None and any(
        isinstance(each, Called)
        and each.receiver is not None
        and each.receiver.term == waited.term
        and each.at.end <= event.at.start
        and "ends process" in collect_acts(each, models)
        for each in occurrence.find_own_trace(trace).events
    )


def _was_ended(call: Entered, event: Event) -> bool:
    """Return whether a helper that was handed a process before ended it: who waits for it then does not wait long."""
    waited = event.receiver if isinstance(event, Called) else None
    is_before = "ends process" in call.trace.acts and call.at.end <= event.at.start
    return is_before and waited is not None and waited.term in {each.term for each in call.given.values()}


def _limits(circumstance: Context, models: Models) -> bool:
    """Return whether what is done under something ends after a time, or goes on while the call does not wait for it."""
    if circumstance.condition in ("timed", "task", "signal"):
        return True
    value = circumstance.value if circumstance.condition == "manager" else None
    made = models.find_model(value.meaning.by) if value is not None and isinstance(value.meaning, Made) else None
    return made is not None and "limits time" in made.acts


def _ends(call: Called, here: Occurrence, models: Models) -> bool:
    """Return whether a call bounds what is done at a place: it waits for that and for something else, or for a time."""
    acts = collect_acts(call, models)
    event = here.event
    if "ends process" in acts:
        return call.at.end <= event.at.start
    is_select = call.path.endswith("select!") and len(call.arguments) > 1
    if not is_select and "limits time" not in acts:
        return False
    if call.at.holds(event.at):
        return call.at != event.at
    return isinstance(event, Called) and any(_is_made_of(each, event.result.term) for each in call.values)


DEEPEST = 4
"""How many calls a future passes before something waits for it: `Box::pin(request.send().fuse())` is two."""


def _is_made_of(value: Value, term: Term, deep: int = DEEPEST) -> bool:
    if value.term == term:
        return True
    of = value.meaning.of if deep and isinstance(value.meaning, Made) else ()
    return any(_is_made_of(each, term, deep - 1) for each in of)


class _Making(NamedTuple):
    """A client that the project makes, and whether it was told what bounds its requests."""

    path: str
    text: Text
    is_bounded: bool | None


class _Clients:
    """The clients that a project creates.

    One of unknown origin is one of its file's, or of the project's if its file creates none.
    """

    def __init__(self, entry_points: EntryPoints) -> None:
        self._entry_points = entry_points
        self._found: dict[str, list[_Making]] = {}

    def find_endless_client(self, client: Value, event: Called, model: Model) -> Text | None:
        """Return the place where a client without a timeout is created; None if the request may use another one."""
        kinds = client.library_types
        if len(kinds) != 1:
            return None
        if event.is_open or bounds_of(
            event.receiver or client, model.timeout, self._entry_points.program.models, event.facts
        ):
            return None
        if any(name in event.named or (name.isdigit() and int(name) < len(event.arguments)) for name in model.timeout):
            return None
        made = self._collect_made_clients(kinds[0], model)
        near = [each for each in made if each.path == event.code.source.path] or made
        return near[0].text if near and all(each.is_bounded is False for each in near) else None

    def _collect_made_clients(self, kind: str, model: Model) -> list[_Making]:
        if kind not in self._found:
            self._found[kind] = list(self._iter_made(kind, model))
        return self._found[kind]

    def _iter_made(self, kind: str, model: Model) -> Iterator[_Making]:
        models = self._entry_points.program.models
        seen = set[tuple[str, int]]()
        for trace in self._entry_points.iter_traces_around(kind.rpartition(".")[2]):
            calls = [each for each in trace.events if isinstance(each, Called) and not each.followed]
            for each in calls:
                is_one = any(isinstance(one, Instance) and one.of == Library(kind) for one in each.result.things)
                is_derived = any(
                    kind in given.library_types for given in each.values
                )  # its bounds are those of the other
                row = models.find_model(each.path) if is_one and not is_derived else None
                key = (each.code.source.path, each.at.start)
                if row is not None and row.returns == "new" and key not in seen:
                    seen.add(key)
                    told = (one.receiver for one in calls if one.receiver is not None)
                    later = (one for one in told if one.term == each.result.term)
                    found = [bounds_of(one, model.timeout, models, each.facts) for one in (each.result, *later)]
                    is_bounded = True if True in found else found[0]
                    yield _Making(each.code.source.path, each.text, is_bounded)
