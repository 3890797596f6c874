"""What a server says of changes of its tools: where it tells clients to expect them, and where it tells of one."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import takewhile

from reviewer.behaviour.progress.loops import (
    Around,
    LoopSite,
    LoopVariables,
    extract_first_line,
    is_made_in,
    iter_loops_around,
    paces,
)
from reviewer.behaviour.progress.passing import Tests
from reviewer.behaviour.progress.written import leaves_after, locate_method_call, read_text
from reviewer.behaviour.serving.audiences import find_audience
from reviewer.behaviour.values.names import split_words
from reviewer.behaviour.values.texts import iter_parts
from reviewer.code import ir
from reviewer.code.acts import LOGGING, collect_acts
from reviewer.code.events import Called, Event, Occurrence, Returned, Stored, Tested, Trace
from reviewer.code.models import Models
from reviewer.code.program import Program, find_once
from reviewer.code.state import infer_constants
from reviewer.code.values import Function, Made, Term, Value, get_term_head, strip_negations
from reviewer.facts import Advertisement, Announcement
from reviewer.source import Text
from reviewer.text.patterns import pattern

METHOD = "notifications/tools/list_changed"
KEYS = ("listChanged", "list_changed", "tools_changed")
"""What the protocol and SDKs call it that the list of tools may change."""

CAPABILITIES = frozenset({"ToolsCapability", "ToolsCapabilities", "ToolCapability", "ServerCapabilitiesTools"})
"""What SDKs call the part of the capabilities that says it."""

# The acts of library models by which a server speaks of changes of its tools.
ACTS = frozenset({"announces tools", "advertises tools", "notifies"})

SIGNS = tuple(each.encode() for each in KEYS)
"""The same keys as bytes. A file that contains none of them is not parsed."""

SETTINGS = frozenset(
    "settings setting config configuration cfg options opts env environ getenv flag flags feature features notify notifies "
    "notification notifications announce announces announcement announcements enabled enable disabled disable quiet silent "
    "muted args cli var".split()
)
"""Words in a condition that asks how the server is configured."""

CHANGE_HANDLER = pattern(
    r"^_*(?:(?:handle_|on_|dispatch_|process_)+(?:\w+_)?(?:change|changes|changed|modified|created|deleted|moved|event"
    r"|events|any_event|update|updated|reload|reloaded|added|removed))$|^(?:handle_event|dispatch)$"
)
"""The name of what is called for every single change."""

SUBSCRIBING = pattern(
    r"^(?:(?:set_|add_)?(?:on_)?(?:change|changes|changed|update|event)s?(?:_(?:handler|listener|callback|hook|observer))?"
    r"|on_\w*(?:change|changed|update|updated|added|removed|event|reload)|subscribe\w*|watch|observe|connect|listen"
    r"|(?:add|register)_\w*(?:listener|callback|hook|observer|handler|subscriber|watcher)|set_notifier)$"
)
"""What a function that is called for every single change is handed to."""


def announces(event: Event, models: Models) -> bool:
    """Return whether an event tells clients that the tools have changed: by a method for that, or by the notification's name."""
    if not isinstance(event, Called):
        return isinstance(event, Returned) and _holds_method(event.value)
    acts = frozenset[str]() if event.followed else collect_acts(event, models)
    if "announces tools" in acts or not acts.isdisjoint(LOGGING):
        return "announces tools" in acts
    is_asked = models.get_model(event.path).returns in ("truth", "contains")
    if is_asked or any(isinstance(thing, Function) for each in event.values for thing in each.things):
        return False  # it is compared, or a function is named by it
    return any(each.text == METHOD or _holds_method(each) for each in event.values)


def _holds_method(value: Value) -> bool:
    return any(each.text == METHOD for each in (value.contents or {}).values())


def tells(trace: Trace, program: Program) -> bool:
    """Return whether a function, or what it calls, tells clients that the tools have changed."""
    return "announces tools" in trace.acts or any(announces(each, program.models) for each in trace.events)


def _speaks(trace: Trace, program: Program) -> bool:
    """Return whether a function may say something of changes of the tools."""
    source = trace.code.source
    return not trace.acts.isdisjoint(ACTS) or find_once(
        program, source, "announces", lambda: any(each in source.data for each in SIGNS)
    )


def _iter_occurrences(trace: Trace, program: Program) -> Iterator[Occurrence]:
    return trace.iter_occurrences(lambda event, _: event.trace.reaches(_speaks, program))


def iter_announcements(trace: Trace, program: Program) -> Iterator[tuple[ir.Code, Announcement]]:
    """Yield where a function, or what it calls, tells clients of a change, with the function that does."""
    models = program.models
    found = [each for each in _iter_occurrences(trace, program) if announces(each.event, models)]
    ways = _PathsTo(trace, models) if found else None
    seen = {(each.event.code, each.event.at) for each in found}
    for each in found:
        if ways is None or any(
            (caller.event.code, caller.event.at) in seen for caller in list(each.iter_outwards())[1:]
        ):
            continue
        acts = collect_acts(each.event, models) if isinstance(each.event, Called) else ()
        every, switch = ways.find_loop(each), ways.switch(each)
        yield (
            each.event.code,
            Announcement(each.event.text, every, switch, "advertises tools" in acts, find_audience(each)),
        )


class _PathsTo:
    """On which ways a function comes to a place."""

    def __init__(self, trace: Trace, models: Models) -> None:
        self._models = models
        self._events = [each.event for each in trace.iter_occurrences()]
        self._tests = Tests(trace, LoopVariables(trace, models), models)

    def find_loop(self, send: Occurrence) -> Text | None:
        """Return the loop, or the function that is called for every change, by which clients are told of each, without a wait."""
        codes: set[ir.Code] = set()
        loops = {
            each.inner.event: each for each in reversed(list(iter_loops_around(send))) if self._goes_on(send, each)
        }
        for here in send.iter_outwards():
            code = here.event.code
            codes.add(code)
            if any(
                paces(each, self._models) for each in self._events if isinstance(each, Called) and each.code in codes
            ):
                return self._find_each_later(here, list(loops.values()))
            if here.event in loops:
                around = loops[here.event]
                return extract_first_line(*around.loop) if here is send else here.event.text
            if CHANGE_HANDLER.match(code.name):
                return extract_first_line(code, code.at)
            if code.kind == "closure" and self._is_subscribed(here):
                return code.extract_text(code.at)
            if code.kind != "closure" and self._is_hook(code) and not self._gathers(here):
                return extract_first_line(code, code.at)
        return None

    def _find_each_later(self, paced: Occurrence, loops: list[Around]) -> Text | None:
        """Return the call that begins a task for each change, which waits and then tells of it, whatever others do; None if not.

        Where the function that begins them ends an earlier one, or asks anything but a setting, it gathers changes, as a loop
        does that waits itself. A task that waits in each round of an endless loop is one for all changes.
        """
        above = {each.event for each in list(paced.iter_outwards())[1:]}
        if any(each.inner.event not in above for each in loops):
            return None
        for call in paced.iter_outwards():
            inside = list(takewhile(lambda each: each.condition != "task", call.event.iter_outwards()))
            if any(each.condition == "loop" and each.value is None for each in inside):
                return None
            if len(inside) == len(list(call.event.iter_outwards())):
                continue
            own = (each for each in self._events if each.code is call.event.code)
            if call is paced and not any(each.at == call.event.at and self._begins_later(each) for each in own):
                continue
            return None if self._gathers(call) else call.event.text
        return None

    def _gathers(self, call: Occurrence) -> bool:
        """Return whether the function around a call ends what an earlier call began, or asks anything but a setting."""
        # The tests of the loops around it only end them.
        around = [each.at for each in call.event.iter_outwards() if each.condition == "loop"]
        return any(
            (isinstance(each, Called) and "cancels" in collect_acts(each, self._models))
            or (
                isinstance(each, Tested)
                and not any(each.at.start < at.start + len(extract_first_line(call.event.code, at)) for at in around)
                and not _asks_settings(call, each.value, each.text)
            )
            for each in self._events
            if each.code is call.event.code
        )

    def _begins_later(self, event: Event) -> bool:
        """Return whether a call begins a task when some time has passed: `call_later`."""
        return (
            isinstance(event, Called)
            and paces(event, self._models)
            and "spawns task" in self._models.get_model(event.path).acts
        )

    def _goes_on(self, send: Occurrence, around: Around) -> bool:
        """Return whether the rounds of a loop tell the same clients, one after the other."""
        receiver = send.event.receiver if isinstance(send.event, Called) else None
        if receiver is not None and _changes_per_iteration(send, receiver, around.loop, self._models):
            return False
        return not leaves_after(around.inner.event.code, around.inner.event.at, around.loop.at)

    def _is_subscribed(self, here: Occurrence) -> bool:
        """Return whether a closure is handed over to be called for each change: where it is called, or where it is written."""
        code = here.event.code
        if here.caller is None:
            return code.around is not None and any(
                SUBSCRIBING.match(_name_subscription(_find_callee_name(call), _read_first_text(call)))
                for call in _iter_handing_calls(code.around.body, code)
            )
        caller = here.caller.event
        handed = (each for each in self._events if isinstance(each, Called) and each.at == caller.at)
        return any(SUBSCRIBING.match(_name_handing(each)) for each in handed if each.code is caller.code)

    def _is_hook(self, code: ir.Code) -> bool:
        """Return whether a function is handed over by its name, or as a method, to be called for each change."""
        return any(
            isinstance(thing, Function) and thing.code is code
            for each in self._events
            if isinstance(each, Called) and SUBSCRIBING.match(_name_handing(each)) is not None
            for value in (*each.arguments, *each.named.values())
            for thing in value.things
        )

    def switch(self, send: Occurrence) -> Text | None:
        """Return the condition on a setting without which control does not come to a place."""
        for here in send.iter_outwards():
            for at, test in self._tests.iter_deciding_tests(here):
                if _asks_settings(here, test, here.event.code.extract_text(at)):
                    return here.event.code.extract_text(at)
        return None


def _iter_handing_calls(body: ir.Body, closure: ir.Code) -> Iterator[ir.Call]:
    """Yield the calls that a closure is handed to where it is written."""
    for call in ir.iter_calls(body):
        if any(isinstance(each.value, ir.Closure) and each.value.code is closure for each in call.arguments):
            yield call


def _name_handing(event: Called) -> str:
    given = event.find_argument(0)
    return _name_subscription(event.path.rpartition(".")[2], given.text if given is not None else None)


def _name_subscription(name: str, given: str | None) -> str:
    """Return the name of a function that is handed another, with the event that it is told as a text: `on_change`."""
    return f"on_{given}" if name in NAMED and given is not None else name


NAMED = frozenset({"on", "addListener", "addEventListener"})
"""Methods that are told for which event they call what they are handed."""


def _read_first_text(call: ir.Call) -> str | None:
    first = call.arguments[0].value if call.arguments else None
    return first.value if isinstance(first, ir.Constant) and isinstance(first.value, str) else None


def _find_callee_name(call: ir.Call) -> str:
    match call.callee:
        case ir.Field(name=name) | ir.Global(path=(*_, name)):
            return name
    return ""


def _asks_settings(here: Occurrence, test: Value, text: str) -> bool:
    asked, _ = strip_negations(test, True)
    if asked.constants is not None or any(each.origin == "argument" for each in here.resolve_labels(test)):
        return False  # what is written there is no setting
    return any(not SETTINGS.isdisjoint(split_words(word)) for word in re.findall(r"\w+", text))


def _changes_per_iteration(here: Occurrence, value: Value, loop: LoopSite, models: Models) -> bool:
    """Return whether a value is another one in each round of a loop, and no part of what is the same in all of them."""
    here, value = here.trace_source(value)
    if not is_made_in(here, value.term, loop):
        return False
    match value.meaning:
        case Made("element", (owner, *_)):
            return _walks_owner(value.term, loop) or _changes_per_iteration(here, owner, loop, models)
        case Made(by, (owner, *_)):
            is_part = models.get_model(by).returns in SAME
            return not (by.startswith(".") or is_part) or _changes_per_iteration(here, owner, loop, models)
    return True


# What models call functions that give a part of what they are given, or what it holds in another container.
SAME = frozenset({"element", "nth", "receiver", "cloned", "copied", "collected", "elements", "values"})


def _walks_owner(element: Term, loop: LoopSite) -> bool:
    """Return whether a loop goes through what an element is of, and not only takes it in each round."""
    loops = [each for each in ir.iter_statements(loop.code.body) if isinstance(each, ir.Loop)]
    if any(each.over is None and each.at == loop.at for each in loops):
        return False  # it goes round by a test, and what is gone through in it is of another loop
    heads = [each.over.at for each in loops if each.over is not None]
    heads = [each for each in heads if loop.at.holds(each)][:1]
    at = element[-1] if isinstance(element, tuple) else None
    return at == loop.at or any(isinstance(at, ir.Site) and each.holds(at) for each in heads)


def iter_advertisements(trace: Trace, program: Program) -> Iterator[Advertisement]:
    """Yield where a function, or what it calls, tells clients whether the tools may change."""
    models = program.models
    found = [each.event for each in _iter_occurrences(trace, program)]
    calls = [each for each in found if isinstance(each, Called) and _is_advertisement(collect_acts(each, models))]
    claims = [(each, *said) for each in calls if (said := _claim(each, models)) is not None]
    promised = {each.result.term for each, claim, _ in claims if claim}
    serving = {
        at
        for each in found
        if isinstance(each, Called) and "serves" in collect_acts(each, models)
        for at in _collect_tests(each)
    }
    for each, claim, is_chosen in claims:
        if claim is False and each.result.term in promised:
            continue  # what is built says it later
        is_tested = claim is True and not _collect_tests(each) <= serving
        yield Advertisement(locate_method_call(each), None if is_tested else claim, is_tested or is_chosen)
    for event in found:
        if (
            isinstance(event, Stored)
            and event.key is not None
            and event.key.text in KEYS
            and "tool" in event.text.lower()
        ):
            is_handed = _is_handed(event)
            yield Advertisement(event.text, None if is_handed else _find_truth(event.value, event), not is_handed)
    for code in trace.collect_codes():
        yield from find_once(program, code, "advertised", partial(_collect_all_written, code, program))


def _collect_all_written(code: ir.Code, program: Program) -> tuple[Advertisement, ...]:
    data = code.source.data
    if not find_once(
        program, code.source, "advertises", lambda: any(each in data for each in (*SIGNS, b"capabilities"))
    ):
        return ()
    return tuple(
        each for statement in ir.iter_statements(code.body) for each in _iter_written(code, statement, program)
    )


def _is_handed(event: Stored) -> bool:
    """Return whether what is written is a parameter: not all who call the function need be seen."""
    written = next(
        (
            each.value
            for each in ir.iter_statements(event.code.body)
            if each.at == event.at and isinstance(each, ir.Store)
        ),
        None,
    )
    return written is not None and _is_parameter(written, event.code)


def _is_parameter(value: ir.Expression, code: ir.Code) -> bool:
    return isinstance(value, ir.Read) and any(each.variable is value.variable for each in code.parameters)


def _is_advertisement(acts: frozenset[str]) -> bool:
    """Return whether a call says that the tools may change: what tells of a change says so only of itself."""
    return "advertises tools" in acts and "announces tools" not in acts


def _collect_tests(event: Event) -> frozenset[ir.Site]:
    """Return the tests that decide whether something happens, but for those of what is written there."""
    around = (each for each in event.iter_outwards() if each.condition == "test")
    return frozenset(each.at for each in around if each.value is None or each.value.constants is None)


def _claim(event: Called, models: Models) -> tuple[bool | None, bool] | None:
    """Return the `listChanged` that a call advertises, and whether the project chose it; None if its argument
    says it.
    """
    model = models.find_model(event.path)
    if model is None or not model.keyword:
        return True, False
    given = event.find_argument(model.of, model.keyword, *KEYS)
    if given is None:
        return False, False
    if given.contents or given.things:
        return None
    head = get_term_head(given.term)
    if head in ("entry", "field"):
        return None, True  # of an object of settings only the usual value is known
    return _find_truth(given, event), head not in ("parameter", "argument")


def _find_truth(value: Value, event: Event) -> bool | None:
    known = infer_constants(value, event.facts)
    return bool(next(iter(known))[1]) if known is not None and len(known) == 1 else None


def _iter_written(
    code: ir.Code, node: ir.Statement | ir.Expression, program: Program, under: tuple[str, ...] = ()
) -> Iterator[Advertisement]:
    """Yield the capabilities of object literals: `{"tools": {"listChanged": true}}`, `ToolsCapability { list_changed: None }`.

    `under` are the names of the keys around the node, the innermost last.
    """
    if isinstance(node, ir.Assign | ir.Store):
        under = (node.target.name if isinstance(node, ir.Assign) else _get_key_of(node.place),)
    if not isinstance(node, ir.Record):
        for each in ir.iter_operands(node):
            yield from _iter_written(code, each, program, under)
        return
    said = next(((key, value) for key, value in node.entries if read_text(key) in KEYS), None)
    kind = code.extract_text(node.kind.at).rpartition("::")[2] if node.kind is not None else ""
    if kind in CAPABILITIES:
        claim = _find_constant(said[1], code, program) if said is not None else False
        yield Advertisement(code.extract_text(node.at), claim, said is not None and not _is_parameter(said[1], code))
    elif said is not None and said[0] is not None and under[-1:] == ("tools",):
        at = ir.Site(said[0].at.start, said[1].at.end)
        yield Advertisement(
            code.extract_text(at), _find_constant(said[1], code, program), not _is_parameter(said[1], code)
        )
    elif under[-2:] == ("capabilities", "tools"):
        yield Advertisement(code.extract_text(node.at), False)
    for key, value in node.entries:
        yield from _iter_written(code, value, program, (*under, read_text(key)))


def _get_key_of(place: ir.Expression) -> str:
    match place:
        case ir.Item(key=key):
            return read_text(key)
        case ir.Field(name=name):
            return name
    return ""


def _find_constant(value: ir.Expression, code: ir.Code, program: Program) -> bool | None:
    """Return whether an expression is certainly true or certainly false; None if only a run tells."""
    if isinstance(value, ir.Constant):
        return bool(value.value)
    known = program.resolve_name(value, code) if isinstance(value, ir.Global) else None
    return bool(known.constant[1]) if known is not None and known.constant is not None else None


def iter_forwards(trace: Trace, program: Program) -> Iterator[Text]:
    """Yield where a function, or what it calls, sends notifications of which only a run tells the kind."""
    for each in _iter_occurrences(trace, program):
        if isinstance(each.event, Called) and "notifies" in collect_acts(each.event, program.models):
            model = program.models.find_model(each.event.path)
            given = each.event.find_argument(0, "notification") if model is not None else None
            if (
                given is not None
                and model is not None
                and model.keyword == "notification"
                and not _has_kind(each, given)
            ):
                yield each.event.text


def _has_kind(occurrence: Occurrence, notification: Value) -> bool:
    for _, part in iter_parts(occurrence, notification):
        kinds = part.library_types
        made = part.meaning.by if isinstance(part.meaning, Made) else ""
        if any("Notification" in each for each in (made, *kinds)) or (part.text or "").startswith("notifications/"):
            return True
    return False
