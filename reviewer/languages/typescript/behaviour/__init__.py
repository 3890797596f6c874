"""What a server's code does beside declaring tools: what is laid out here is only which function each call comes to."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial

from reviewer.behaviour import project
from reviewer.behaviour.answer_size.envelopes import iter_envelopes
from reviewer.behaviour.answer_size.hints import iter_hints
from reviewer.behaviour.answer_size.signing import with_signs
from reviewer.behaviour.arguments.readings import CodeReading, FoundUses
from reviewer.behaviour.effects.handler_effects import KINDS, iter_effects
from reviewer.behaviour.handlers import with_arms, with_functions
from reviewer.behaviour.progress.notifications import iter_progress_places
from reviewer.behaviour.project import SyntaxFacts, collect_facts
from reviewer.behaviour.results.exits import with_ways
from reviewer.behaviour.serving import list_changes
from reviewer.code.events import Trace
from reviewer.code.ir import Site
from reviewer.facts import Act, ActKind, Acts, Handler, Lazy, ListChanges, Project, Schema, Server, Tool, Transport
from reviewer.languages.typescript.behaviour.catalogs import iter_catalogs
from reviewer.languages.typescript.behaviour.dispatches import iter_dispatches, iter_guards
from reviewer.languages.typescript.behaviour.entry_points import TypeScriptEntryPoints
from reviewer.languages.typescript.behaviour.paging import iter_cursors, iter_given_cursors, iter_limits
from reviewer.languages.typescript.behaviour.tracing import FunctionPlace, Handlers
from reviewer.languages.typescript.declarations.sdk import LOW, Survey
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import Func, iter_options
from reviewer.languages.typescript.project.modules import Modules
from reviewer.languages.typescript.project.program import TypeScriptProgram
from reviewer.languages.typescript.project.start import iter_transports
from reviewer.source import Span, Text

ELSEWHERE: frozenset[ActKind] = frozenset({"swallows cancellation", "never runs"})
"""Acts that there are only in other languages: here a signal tells of a cancellation, and no exception, and a call of an `async`
function runs whether anything waits for it or not."""


class FunctionReading(CodeReading):
    """What a function reads of the arguments of a call of one tool; of any, if that has no name."""

    def __init__(self, handlers: Handlers, place: FunctionPlace, tool: Tool) -> None:
        super().__init__(lambda: handlers.program)
        self._handlers, self._place, self._declared = handlers, place, tool
        self._tool = str(tool.name) if handlers.is_dispatcher(place) else ""

    @cached_property
    def _trace(self) -> Trace | None:
        return self._handlers.trace_of(self._place, self._tool)

    @cached_property
    def _read(self) -> FoundUses:
        """What is read: an argument that the SDK fills in by its schema never takes a default of the code.

        A wrapper that takes whatever it is called with hands it to a function that only its closure knows.
        """
        found, is_complete = super()._read
        is_complete = is_complete and all(
            each.kind != "rest" for each in self._handlers.find_code(self._place).parameters
        )
        schema = self._declared.input_schema if not self._tool else None
        properties = schema.document.get("properties") if isinstance(schema, Schema) else None
        filled = (
            {name for name, each in properties.items() if "default" in each} if isinstance(properties, dict) else ()
        )
        return tuple(replace(each, defaults=()) if each.name in filled else each for each in found), is_complete

    def attach_to_handler(self, handler: Handler) -> Handler:
        """Return the code with what it does and reads."""
        code, node = self._handlers.find_code(self._place), self._place.node
        known = super().attach_to_handler(handler)
        return replace(
            known,
            acts=Acts(self._iter_acts),
            hints=Lazy(lambda: iter_hints(code, Site(*node.byte_range))),
        )

    def _iter_acts(self, kinds: frozenset[ActKind]) -> Iterable[Act]:
        trace = self._trace
        return iter_effects(trace, self._handlers.program, (kinds & KINDS) - ELSEWHERE) if trace is not None else ()


def read(run: Evaluator, modules: Modules, found: Survey, servers: tuple[Server, ...]) -> Project:
    """Read the behaviour of the functions to which the calls of tools come."""
    handlers = _collect_handlers(modules, found)
    served = tuple(_with_handlers(each, handlers, found) for each in servers)
    entry_points = TypeScriptEntryPoints(handlers, served)
    prompts = partial(_iter_prompts, found, handlers)
    tables = collect_facts(lambda: iter_catalogs(run, modules), "action catalogs")
    bounds = with_signs(collect_facts(lambda: iter_guards(handlers), "what bounds answers"), entry_points)
    choices = collect_facts(lambda: iter_dispatches(handlers, tables), "dispatchers")
    if bounds or choices:
        known = with_ways(entry_points, bounds)
        choices, served = tuple(with_arms(choices, known)), tuple(with_functions(served, known))
    analysed = project.read(entry_points, SyntaxFacts(served, tables, bounds, choices, (), prompts, tuple))
    served = analysed.servers
    return replace(
        analysed,
        transports=collect_facts(lambda: _iter_transports(found, handlers.program, served), "transports"),
        envelopes=Lazy(lambda: iter_envelopes(entry_points)),
        limits=Lazy(lambda: collect_facts(lambda: iter_limits(entry_points), "page sizes")),
        cursors=Lazy(lambda: collect_facts(lambda: iter_cursors(entry_points, served), "cursors that are made")),
        given_cursors=Lazy(
            lambda: collect_facts(lambda: iter_given_cursors(handlers, entry_points), "cursors of clients")
        ),
        list_changes=Lazy(lambda: _iter_list_changes(found, handlers, entry_points)),
        progress=Lazy(lambda: iter_progress_places(entry_points)),
    )


def _collect_handlers(modules: Modules, found: Survey) -> Handlers:
    handlers = Handlers(modules, TypeScriptProgram(modules))
    for made in found.registrations:
        for function in _iter_functions(made.handler):
            handlers.inputs[function.place.source.path, function.place.at.start] = "inputSchema" in made.parts
            place = handlers.place_at(function.place.span) if not made.framework else None
            if place is not None:
                handlers.program.signalled.add(handlers.find_code(place))
    for each in found.callings:
        for function in _iter_functions(each.function):
            place = handlers.place_at(function.place.span)
            if place is not None and not handlers.is_dispatcher(place):
                handlers.dispatchers.append(place)
                handlers.program.signalled.add(handlers.find_code(place))
    return handlers


def _iter_functions(value: object) -> Iterator[Func]:
    if value is not None:
        yield from (each for _, each in iter_options(value) if isinstance(each, Func))  # type: ignore[arg-type]


def _with_handlers(server: Server, handlers: Handlers, found: Survey) -> Server:
    """Return a server, its tools with what their functions do; those of a low-level one are answered by one function."""
    near = [each for each in handlers.dispatchers if each.module.path == server.span.path] or handlers.dispatchers
    sole = near[0] if len(near) == 1 else None
    return replace(server, tools=tuple(_with_handler(each, handlers, sole) for each in server.tools))


def _with_handler(tool: Tool, handlers: Handlers, dispatcher: FunctionPlace | None) -> Tool:
    if tool.handler is not None:
        place = handlers.place_at(tool.handler.span)
        reading = FunctionReading(handlers, place, tool) if place is not None else None
        return replace(tool, handler=reading.attach_to_handler(tool.handler)) if reading is not None else tool
    if dispatcher is None or not isinstance(tool.name, Text):
        return tool
    span = dispatcher.module.locate(dispatcher.node)
    reading = FunctionReading(handlers, dispatcher, tool)
    return replace(tool, branch=reading.attach_to_handler(Handler(Text(str(tool.name), span), span, raises=True)))


def _iter_prompts(found: Survey, handlers: Handlers) -> Iterator[Trace]:
    """Yield the traces of the functions that make prompts."""
    for function in (each for made in found.prompts for each in _iter_functions(made)):
        place = handlers.place_at(function.place.span)
        if place is not None:
            yield handlers.trace_of(place)


def _iter_list_changes(found: Survey, handlers: Handlers, entry_points: TypeScriptEntryPoints) -> Iterable[ListChanges]:
    """Return how changes of the tools are announced. Servers of which the SDK keeps the tools tell clients by themselves."""
    if not entry_points.mentions(*list_changes.NAMES) and not found.listings:
        return ()
    answering = (each for one in found.listings for each in _iter_functions(one.function))
    places = (place for each in answering if (place := handlers.place_at(each.place.span)) is not None)
    is_told = any(each.by.name != LOW for each in found.servers)
    return list_changes.list_changes(entry_points, map(handlers.trace_of, places), is_told=is_told)


def _iter_transports(found: Survey, program: TypeScriptProgram, servers: tuple[Server, ...]) -> Iterator[Transport]:
    """Yield the transports that the code makes; those that no run came to are named alone."""
    seen: set[Span] = set()
    for each in iter_transports(program, servers):
        seen.add(each.text.span)
        yield each
    for place in dict.fromkeys(found.stdio):
        if not any(each.holds(place.span) or place.span.holds(each) for each in seen):
            yield Transport("stdio", Text(place.text, place.span))
