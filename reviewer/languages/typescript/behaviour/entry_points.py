"""The functions where calls come in that lead to one of a project: those of tools, or those that take the calls of all."""

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from reviewer.behaviour.security.consent import TOLD
from reviewer.behaviour.values.callers import Started
from reviewer.behaviour.values.entry_points import ALONE, CallHandler, EntryPoint, RunFrom
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Code, Global
from reviewer.code.state import State
from reviewer.facts import Guard, Server
from reviewer.languages.call_chains import CALLING, SearchedFiles, iter_starts
from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds
from reviewer.languages.typescript.behaviour.tracing import RUNNING, FunctionPlace, Handlers
from reviewer.languages.typescript.project.modules import ScriptModule
from reviewer.source import Span, Text


class TypeScriptEntryPoints:
    """The functions of a project where calls come in."""

    refusals = TOLD
    sending_progress = frozenset({"sendNotification", "notifications/progress", "reportProgress"})

    def __init__(self, handlers: Handlers, servers: tuple[Server, ...]) -> None:
        self._handlers, self._servers = handlers, servers
        self.program = handlers.program

    def find_code(self, span: Span) -> Code | None:
        """Return the function that begins at a place."""
        place = self._handlers.place_at(span)
        return self._handlers.find_code(place) if place is not None else None

    def find_constant(self, name: Global, code: Code) -> Text | None:
        """Return where a module says what a name is that a function reads, None if that is a function, a class or a module."""
        module = self._handlers.modules.by_path.get(code.source.path)
        variable = module.code.scope.variables.get(name.path[0]) if module is not None else None
        if module is None or variable is None:
            return None
        found = re.search(
            rb"^(?:export\s+)?(?:const|let|var)\s+" + re.escape(name.path[0].encode()) + rb"\b",
            module.source.data,
            re.MULTILINE,
        )
        node = module.root.descendant_for_byte_range(*found.span()) if found is not None else None
        if node is None or node.type not in ("lexical_declaration", "variable_declaration", "export_statement"):
            return None
        return Text(decode_node(node), module.locate(node))

    def trace(self, span: Span) -> Trace | None:
        """Return the trace of the function around a place; None if there is none."""
        place = self._handlers.place_at(span)
        return self._handlers.trace_of(place) if place is not None else None

    def trace_of_action(self, span: Span, action: str) -> Trace | None:
        """Return the trace of the function around a place, for any action."""
        return self.trace(span)

    def trace_of_tool(self, span: Span, tool: str) -> Trace | None:
        """Return the trace, for one tool, of the function around a place that receives the calls of all tools."""
        place = self._handlers.place_at(span)
        return self._handlers.trace_of(place, tool) if place is not None else None

    def rerun(self, span: Span, tool: str = "") -> RunFrom | None:
        """Return a callable that runs the function around a place again, for a tool if it is named; None if there is
        none.
        """
        place = self._handlers.place_at(span)
        return self._handlers.rerun(place, tool) if place is not None else None

    def answers_for(self, span: Span) -> bool:
        """Return whether the SDK makes results of the exceptions that leave a function: of those that are tools."""
        place = self._handlers.place_at(span)
        return place is not None and place.key in self._handlers.inputs

    def trace_nearby(self, span: Span) -> Trace | None:
        """Return the trace of the function around a place with few nested calls followed; None if there is none."""
        place = self._handlers.place_at(span)
        return self._handlers.trace_near(place) if place is not None else None

    def iter_methods(self, name: str) -> Iterator[Span]:
        """Yield where the project has methods of a name."""
        for module, places in self._iter_holding(name):
            for each in places:
                node = module.root.descendant_for_byte_range(*each)
                above = node.parent if node is not None else None
                if above is not None and above.type == "method_definition" and find_child(above, "name") == node:
                    yield module.locate(above)

    def iter_traces(self) -> Iterator[Trace]:
        """Yield the traces of the functions that receive the calls of tools."""
        seen: set[tuple[str, int]] = set()
        for place, _, _ in self._iter_named_tools():
            if place.key not in seen:
                seen.add(place.key)
                yield self._handlers.trace_of(place)

    def iter_calls(self) -> Iterator[tuple[str, Trace]]:
        """Yield each tool's name and the trace of its call."""
        for place, tool, name in self._iter_named_tools():
            yield name, self._handlers.trace_of(place, tool)

    def iter_takers(self, guards: Iterable[Guard]) -> Iterator[CallHandler]:
        """Yield nothing: no function of the fields is looked for yet."""
        return iter(())

    def iter_places(self) -> Iterator[tuple[FunctionPlace, str]]:
        """Yield the functions of tools, and those that take the calls of all with the name of each, once for each of them."""
        seen: set[tuple[tuple[str, int], str]] = set()
        for place, tool, _ in self._iter_named_tools():
            if (place.key, tool) not in seen:
                seen.add((place.key, tool))
                yield place, tool

    def matches(self, sign: re.Pattern[bytes]) -> bool:
        """Return whether an expression matches in the source of the project."""
        return any(sign.search(each.source.data) is not None for each in self._handlers.modules.by_path.values())

    def mentions(self, *words: str) -> bool:
        """Return whether any of some words stands in the project."""
        return any(True for _ in self._iter_holding(*words))

    def asks(self) -> bool:
        """Return whether anything in the project may ask the user."""
        return self.mentions("elicitInput", "elicitation/create")

    def iter_key_traces(self, key: str) -> Iterator[Trace]:
        """Yield the traces of the functions that read or write a key."""
        for module, places in self._iter_holding(key):
            for each in self._handlers.iter_functions(module, places):
                yield self._handlers.trace_of(each)

    def iter_leading(self, names: frozenset[str], acts: frozenset[str] | None = frozenset()) -> Iterator[Started]:
        """Yield the traces of functions that may reach a call, or a text, of some names; from their callers on if it
        does some acts, or if `acts` is None.
        """
        modules, handlers = self._handlers.modules.by_path, self._handlers

        def trace(path: str, node: Node) -> Trace:
            return handlers.trace_of(FunctionPlace(modules[path], node))

        def trace_calls(path: str, node: Node) -> Trace:
            return handlers.trace_within(FunctionPlace(modules[path], node), CALLING)

        files = SearchedFiles(
            lambda words: [module.path for module, _ in self._iter_holding(*(each.decode() for each in words))],
            lambda path: modules[path].source.data,
            lambda path: modules[path].root,
            frozenset(RUNNING),
            trace,
            trace_calls,
            lambda _: True,
            lambda *_: True,
        )
        yield from iter_starts(files, names, self.iter_traces(), acts)
        for module, places in self._iter_holding(*names):
            if any(self._is_outside(module, each) for each in places):
                yield Started(Interpreter(self.program, CALLING).start(module.code, {}, State()))

    def _is_outside(self, module: ScriptModule, at: tuple[int, int]) -> bool:
        """Return whether a place of a module lies in none of its functions, so that the body of the module does it."""
        return find_nearest_of_kinds(module.root.descendant_for_byte_range(*at), *RUNNING) is None

    def iter_traces_around(self, *words: str) -> Iterator[Trace]:
        """Yield the traces of the functions that contain one of some words, followed as far as `ALONE`."""
        for module, places in self._iter_holding(*words):
            yield Interpreter(self.program, ALONE).start(module.code, {}, State())
            for each in self._handlers.iter_functions(module, places):
                yield self._handlers.trace_within(each, ALONE)

    def iter_tools(self) -> Iterator[EntryPoint]:
        """Yield the functions of tools, and those that take the calls of all."""
        for place, tool, _ in self._iter_named_tools():
            yield EntryPoint(self._handlers.trace_of(place, tool), self._handlers.rerun(place, tool))

    def find_entry_points(self, code: Code) -> list[EntryPoint]:
        """Return the functions of tools that lead to a function; none if that cannot be told."""
        return [each for each in self.iter_tools() if code in each.trace.collect_codes()]

    def _iter_named_tools(self) -> Iterator[tuple[FunctionPlace, str, str]]:
        """Yield the functions of tools, and those that take the calls of all with the name of each; and the tools' names."""
        for tool in (tool for server in self._servers for tool in server.tools if isinstance(tool.name, Text)):
            place = self._handlers.place_at(tool.code.span) if tool.code is not None else None
            if place is not None:
                name = str(tool.name)
                yield place, name if self._handlers.is_dispatcher(place) else "", name

    def _iter_holding(self, *words: str) -> Iterator[tuple[ScriptModule, list[tuple[int, int]]]]:
        """Yield the modules in which one of some words stands, and where; none if there are no words."""
        if not words:
            return  # a pattern of none would match at each byte
        word = re.compile(b"|".join(re.escape(each.encode()) for each in sorted(words)))
        for module in self._handlers.modules.iter_own():
            places = [found.span() for found in word.finditer(module.source.data)]
            if places:
                yield module, places
