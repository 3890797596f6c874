"""The functions where calls come in that lead to one of a project: those of tools, or those that nothing else calls."""

import re
from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node

from reviewer.behaviour.fields.asked_fields import REQUEST, find_field_declaration, names_fields
from reviewer.behaviour.paging.asked_pages import ENVELOPES, PageRequest, names_action
from reviewer.behaviour.security.consent import TOLD
from reviewer.behaviour.values.callers import Started, find_highest_callers, find_uncalled_callers
from reviewer.behaviour.values.entry_points import ALONE, CallHandler, EntryPoint, RunFrom
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Code, Global, Variable
from reviewer.code.run import RunBounds
from reviewer.code.summaries import Summaries
from reviewer.code.values import Value
from reviewer.facts import Guard, Server
from reviewer.languages.call_chains import CALLING, SearchedFiles, iter_starts
from reviewer.languages.nodes import decode_node, find_child, find_descendants, find_parent, list_children
from reviewer.languages.python.behaviour.isolation import is_bare, iter_dispatchers, place_at
from reviewer.languages.python.behaviour.name_resolution import (
    FunctionPlace,
    find_assigned_value,
    find_enclosing,
    find_nodes_with,
    is_parameter,
    iter_descendants,
    iter_own_modules,
    load_scope,
    resolve_callee,
)
from reviewer.languages.python.behaviour.tracing import (
    build_client_arguments,
    get_program,
    rerun,
    trace_near,
    trace_of,
    trace_of_call,
    trace_of_method,
    trace_with,
)
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import Const
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.project.reach import collect_script_functions
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

FUNCTION = "function_definition"
FUNCTIONS = frozenset({FUNCTION, "lambda"})
FIELDS = b"fields"
ASKED = pattern(rb"[\"'](?:fields|projection)[\"']|\.fields\b|[(,]\s*_?(?:fields|projection)\s*[:=,)]")
"""What a function holds that takes the fields, or is handed them."""


BOUNDS = RunBounds(statements=6_000)
"""How far the fields are followed: they are used near to where they come in, or handed to a guard."""


class PythonEntryPoints:
    """The functions of a project where calls come in."""

    refusals = TOLD
    sending_progress = frozenset(
        {"report_progress", "send_progress_notification", "ProgressNotificationParams", "progressToken"}
    )

    def __init__(self, run: Evaluator, servers: tuple[Server, ...], near: Sequence[PyModule] = ()) -> None:
        self._run, self._servers, self._near = run, servers, near
        self.program = get_program(run)

    def find_code(self, span: Span) -> Code | None:
        """Return the function that begins at a place."""
        place = place_at(self._run, span)
        return self.program.find_code_at(place.module, place.node) if place is not None else None

    def find_constant(self, name: Global, code: Code) -> Text | None:
        """Return where a module says what a name is: the last assignment of its own module, or the line of what is imported."""
        module = self._run.modules.by_path.get(code.source.path)
        if module is None:
            return None
        own = [
            each
            for each in list_children(module.root)
            if each.type == "expression_statement" and _gives(each, name.path[0])
        ]
        if own:
            return Text(decode_node(own[-1]), module.locate(own[-1]))
        found = self._run.resolve_name(name.path[0], self._run.evaluate_module(module), module.root)
        held = self._run.modules.by_path.get(found.span.path) if isinstance(found, Const) else None
        if held is None or not isinstance(found, Const):
            return None
        line = held.source.find_line_span(found.span.line)
        return Text(held.source.data.split(b"\n")[line.line - 1].decode("utf-8", "replace").rstrip("\r"), line)

    def trace(self, span: Span) -> Trace | None:
        """Return the trace of the function around a place; None if there is none."""
        place = place_at(self._run, span)
        return trace_of(self._run, place.module, place.node) if place is not None else None

    def trace_of_action(self, span: Span, action: str) -> Trace | None:
        """Return the trace of the function around a place for a call of one action; None if there is none."""
        place = place_at(self._run, span)
        if place is None:
            return None
        code = self.program.find_code_at(place.module, place.node)
        request = PageRequest(action)
        given = {
            each: _infer_sent_value(each, value, code, request) for each, value in build_client_arguments(code).items()
        }
        return trace_with(self._run, place, given, self.program.summaries)

    def trace_of_tool(self, span: Span, tool: str) -> Trace | None:
        """Return the trace, for one tool, of the function around a place that receives the calls of all tools or
        answers it.
        """
        place = place_at(self._run, span)
        if place is None or any(each.node == place.node for each in iter_dispatchers(self._run)):
            return trace_of_call(self._run, place, tool) if place is not None else None
        is_method = find_enclosing(place.node, "class_definition") is not None
        return trace_of_method(self._run, place, tool) if is_method else trace_of_call(self._run, place, tool)

    def rerun(self, span: Span, tool: str = "") -> RunFrom | None:
        """Return a callable that runs the function around a place again, for a tool if it is named; None if there is
        none.
        """
        place = place_at(self._run, span)
        return rerun(self._run, place, tool) if place is not None else None

    def answers_for(self, span: Span) -> bool:
        """Return whether the SDK makes results of the exceptions that leave a function: not where code stands in its place."""
        place = place_at(self._run, span)
        return place is not None and not is_bare(self._run, place)

    def trace_nearby(self, span: Span) -> Trace | None:
        """Return the trace of the function around a place with few nested calls followed; None if there is none."""
        place = place_at(self._run, span)
        return trace_near(self._run, place) if place is not None else None

    def iter_methods(self, name: str) -> Iterator[Span]:
        """Yield where the project has methods of a name."""
        for module in iter_own_modules(self._run, b"def " + name.encode()):
            for node in find_descendants(module.root, "python", "function_definition"):
                if (
                    decode_node(find_child(node, "name") or node) == name
                    and find_enclosing(node, "class_definition") is not None
                ):
                    yield module.locate(node)

    def iter_traces(self) -> Iterator[Trace]:
        """Yield the traces of the functions that receive the calls of tools."""
        places = ((place.module, place.node) for place, _, _ in self._iter_tools())
        for module, node in dict.fromkeys(
            [*places, *((each.module, each.node) for each in iter_dispatchers(self._run))]
        ):
            yield trace_of(self._run, module, node)

    def iter_calls(self) -> Iterator[tuple[str, Trace]]:
        """Yield each tool's name and the trace of its call; the name is empty for functions that receive the calls of
        all.
        """
        led = list(self._iter_tools())
        for place, tool, name in led:
            yield name, trace_of_call(self._run, place, tool) if tool else trace_of(self._run, place.module, place.node)
        for place in () if led else iter_dispatchers(self._run):
            yield "", trace_of_call(self._run, place, "")

    def iter_takers(self, guards: Iterable[Guard]) -> Iterator[CallHandler]:
        """Yield the functions that speak of the fields that a client asks for, are told them, or call a guard."""
        if not any(FIELDS in module.source.data for module in self._near):
            return
        speaking = re.compile(b"|".join([ASKED.pattern, *(rb"\b%s\(" % each.name.encode() for each in guards)]))
        for module in self._near:
            for node in find_descendants(module.root, "python", "function_definition"):
                if speaking.search(node.text or b""):
                    yield self._build_taker(FunctionPlace(node, module))
        for tool in (tool for server in self._servers for tool in server.tools if tool.handler is None):
            listed = tool.parameters if isinstance(tool.parameters, tuple) else ()
            declared = next((each.name for each in listed if each.name == "fields"), None)
            for place in iter_dispatchers(self._run) if declared is not None and isinstance(tool.name, Text) else ():
                yield CallHandler(trace_of_call(self._run, place, str(tool.name)), offered=declared)

    def _build_taker(self, place: FunctionPlace) -> CallHandler:
        code = self.program.find_code_at(place.module, place.node)
        given = {
            each: value if names_fields(each.name) else value._replace(contents=REQUEST)
            for each, value in build_client_arguments(code).items()
        }
        trace = trace_with(self._run, place, given, self.program.summaries, BOUNDS)
        return CallHandler(trace, find_field_declaration(self.program, code), is_open=bool(given))

    def mentions(self, *words: str) -> bool:
        """Return whether any of some words stands in the project."""
        return any(True for _ in iter_own_modules(self._run, *(each.encode() for each in words)))

    def asks(self) -> bool:
        """Return whether anything in the project may ask the user."""
        return self.mentions("elicit")

    def iter_key_traces(self, key: str) -> Iterator[Trace]:
        """Yield the traces of the functions that lead to code that reads or writes a key, literally or by a constant."""
        constant = re.compile(
            rb"^\s*(\w+)\s*(?::[^=\n]+)?=\s*[\"']" + re.escape(key.encode()) + rb"[\"']", re.MULTILINE
        )
        plain = list(iter_own_modules(self._run, key.encode()))
        words = (key.encode(), *{name for module in plain for name in constant.findall(module.source.data)})
        places = [
            FunctionPlace(each, module)
            for module in iter_own_modules(self._run, *words)
            for each in find_nodes_with(module, words, FUNCTION)
        ]
        tops = [top for each in places for top in self._collect_highest(each)]
        for top in {(each.module.path, each.node.start_byte): each for each in tops}.values():
            yield trace_of(self._run, top.module, top.node)

    def iter_leading(self, names: frozenset[str], acts: frozenset[str] | None = frozenset()) -> Iterator[Started]:
        """Yield the traces of functions that may reach a call, or a text, of some names; from their callers on if it
        does some acts, or if `acts` is None.
        """
        run, modules = self._run, self._run.modules.by_path

        def trace_partly(path: str, node: Node) -> Trace:
            given = build_client_arguments(self.program.find_code_at(modules[path], node))
            return trace_with(run, FunctionPlace(node, modules[path]), given, self.program.summaries, CALLING)

        scripts = collect_script_functions(run.modules, run.files.manifests.values())
        files = SearchedFiles(
            lambda words: [each.path for each in iter_own_modules(run, *words)],
            lambda path: modules[path].source.data,
            lambda path: modules[path].root,
            FUNCTIONS,
            lambda path, node: trace_of(run, modules[path], node),
            trace_partly,
            lambda _: True,
            lambda path, node: _is_entered(node) or (path, _find_name(node)) in scripts,
        )
        yield from iter_starts(files, names, self.iter_traces(), acts)

    def iter_traces_around(self, *words: str) -> Iterator[Trace]:
        """Yield the traces of the functions that contain one of some words, followed as far as `ALONE`."""
        signs = tuple(each.encode() for each in words)
        whole = re.compile(rb"\b(?:" + b"|".join(map(re.escape, signs)) + rb")\b")
        for module in iter_own_modules(self._run, *signs):
            if whole.search(module.source.data) is None:
                continue
            yield Interpreter(self.program, ALONE).start(self.program.find_module_code(module), {})
            for node in find_nodes_with(module, signs, FUNCTION):
                if whole.search(node.text or b"") is None:
                    continue
                given = build_client_arguments(self.program.find_code_at(module, node))
                yield trace_with(self._run, FunctionPlace(node, module), given, Summaries(), ALONE)

    def iter_tools(self) -> Iterator[EntryPoint]:
        """Yield the functions of tools, and those that take the calls of all."""
        yield from (self._build_entry_point(place, tool) for place, tool, _ in self._iter_tools())

    def find_entry_points(self, code: Code) -> list[EntryPoint]:
        """Return the tools that lead to a function, else what nothing else calls; none if that cannot be told."""
        found: list[EntryPoint] = []
        is_led = False
        for place, tool, _ in self._iter_tools():
            entry_point = self._build_entry_point(place, tool)
            if code in entry_point.trace.collect_codes():
                is_led = True
                above = [] if tool or place.is_decorated else self._collect_above(entry_point.trace.code)
                found += [self._build_entry_point(each, "") for each in above] or [entry_point]
        return found if is_led else [self._build_entry_point(each, "") for each in self._collect_above(code)]

    def _build_entry_point(self, place: FunctionPlace, tool: str) -> EntryPoint:
        run = self._run
        trace = trace_of_call(run, place, tool) if tool else trace_of(run, place.module, place.node)
        return EntryPoint(trace, rerun(run, place, tool))

    def _iter_tools(self) -> Iterator[tuple[FunctionPlace, str, str]]:
        """Yield the functions of tools, and those that take the calls of all with the name of each; and the tools' names."""
        central = list(iter_dispatchers(self._run))
        for tool in (tool for server in self._servers for tool in server.tools if isinstance(tool.name, Text)):
            name = str(tool.name)
            place = place_at(self._run, tool.code.span) if tool.code is not None else None
            if tool.handler is None and place is not None and any(place.node == each.node for each in central):
                place = None
            yield from [(place, "", name)] if place is not None else [(each, name, name) for each in central]

    def _collect_above(self, code: Code) -> list[FunctionPlace]:
        """Return the functions that lead to one and that nothing else calls; none if it is handed on as a value."""
        module = self._run.modules.by_path[code.source.path]
        node = module.root.descendant_for_byte_range(code.at.start, code.at.end)
        return self._collect_callers_above(FunctionPlace(node, module)) if node is not None else []

    def _collect_callers_above(self, place: FunctionPlace) -> list[FunctionPlace]:
        return find_uncalled_callers(place, self._find_callers, lambda each: (each.module.path, each.node.start_byte))

    def _collect_highest(self, place: FunctionPlace) -> list[FunctionPlace]:
        return find_highest_callers(place, self._find_callers, lambda each: (each.module.path, each.node.start_byte))

    def _find_callers(self, place: FunctionPlace) -> list[FunctionPlace] | None:
        """Return the functions that call one by its name, None if others may: its name stands elsewhere than in calls."""
        name = decode_node(find_child(place.node, "name") or place.node)
        is_method = find_enclosing(place.node, "class_definition") is not None
        found: list[FunctionPlace] = []
        for module in iter_own_modules(self._run, name.encode()):
            for node in iter_descendants(module.root):
                if (
                    node.type != "identifier"
                    or decode_node(node) != name
                    or _is_declared(node)
                    or _is_local(name, node)
                ):
                    continue
                call = _call_of(node)
                if call is None:
                    return None
                target = resolve_callee(self._run, call, load_scope(self._run, module))
                if target is None and is_method:
                    return None
                around = find_enclosing(call)
                is_it = target is not None and target.node == place.node
                if is_it and around is not None and around != place.node:
                    found.append(FunctionPlace(around, module))
        return found


OWN = frozenset("client ctx context session db conn connection store service app server state action".split())
"""What a parameter is called that holds what the server has itself."""

SCALAR = pattern(
    r"^(?:(?:Annotated|Optional|Union|Literal|list|List|set)\[|[\[\]|,\s]|str|int|float|bool|bytes|None)+\b|.*(?:Context|Client|Session)\b"
)
"""The types of parameters that hold no request."""


def _infer_sent_value(variable: Variable, value: Value, code: Code, request: PageRequest) -> Value:
    """Return the value that a client sends in a parameter: the requested action, all arguments, or one of them."""
    if names_action(variable.name):
        return request[variable.name]
    if any(each.name in ENVELOPES for each in code.parameters):
        return request.build_field(variable.name)
    kinds = [each.type.text for each in code.parameters if each.variable is variable and each.type is not None]
    is_plain = any(SCALAR.match(each) for each in kinds) or variable.name in OWN
    return value if is_plain else request.build_whole(variable.name)


def _gives(statement: Node, name: str) -> bool:
    """Return whether a statement of a module assigns a name by itself."""
    assignment = statement.named_children[0] if statement.named_children else None
    left = find_child(assignment, "left") if assignment is not None and assignment.type == "assignment" else None
    return left is not None and left.type == "identifier" and decode_node(left) == name


def _is_local(name: str, node: Node) -> bool:
    """Return whether a name stands for something of the function around."""
    return is_parameter(name, node) or find_assigned_value(name, node) is not None


# In these a name is defined, imported, or that of an argument: it calls nothing, and hands nothing on.
DECLARING = frozenset({"function_definition", "aliased_import", "dotted_name", "keyword_argument"})


def _is_declared(node: Node) -> bool:
    """Return whether a name is written where it is defined, imported or that of an argument."""
    above = find_parent(node)
    return above is not None and above.type in DECLARING


def _call_of(name: Node) -> Node | None:
    """Return the call of what a name stands for, None if it is not called."""
    above = find_parent(name)
    whole = (
        above if above is not None and above.type == "attribute" and find_child(above, "attribute") == name else name
    )
    call = find_parent(whole)
    return call if call is not None and call.type == "call" and find_child(call, "function") == whole else None


def _is_entered(function: Node) -> bool:
    """Return whether something may call a function without its name: a decorator, a library, Python itself."""
    above, name = function.parent, find_child(function, "name")
    if above is None or above.type == "decorated_definition" or (name is not None and _is_special(name)):
        return True
    return find_child(above.parent, "superclasses") is not None


def _find_name(function: Node) -> str:
    name = find_child(function, "name")
    return decode_node(name) if name is not None else ""


def _is_special(name: Node) -> bool:
    return (name.text or b"").startswith(b"__")
