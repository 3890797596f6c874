"""Functions that choose by a tool's name, as the function under `@server.call_tool()` does."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from tree_sitter import Node

from reviewer.behaviour.values.decorators import ExceptionClause, iter_clauses_around
from reviewer.caching import cache
from reviewer.code.ir import Site
from reviewer.facts import Acts, Handler, Lazy, Server, Tool
from reviewer.languages.nodes import decode_node, find_child, find_descendants, list_children
from reviewer.languages.python.behaviour import argument_use, effects, handling
from reviewer.languages.python.behaviour.choices import iter_table_arms
from reviewer.languages.python.behaviour.error_boundaries import iter_clauses
from reviewer.languages.python.behaviour.isolation import iter_dispatchers
from reviewer.languages.python.behaviour.name_resolution import (
    FunctionPlace,
    find_enclosing,
    iter_descendants,
    iter_own_modules,
    load_scope,
    read_string,
    resolve_callee,
)
from reviewer.languages.python.behaviour.name_resolution import find_nodes_with as nodes_near
from reviewer.languages.python.behaviour.tracing import trace_of, trace_of_call, trace_of_method
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import PyFunction
from reviewer.languages.python.project.modules import PyModule
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

# One side of the comparison has to speak of a tool's name. The other is one of the names that are known, which as plain
# words are compared with other things as well.
CHOOSING = pattern(r"name|tool")
# Methods are looked for in the text: of which object, the abstract run would have to tell.
CALLED = pattern(rb"\.(\w+)\(")
# A dispatcher's parameter is `name` in the SDK's own signature; projects write `tool_name` for it.
BY_NAME = pattern(r"^(?:\w+\.)*(?:tool_?)?name$")


class ToolAnswering(NamedTuple):
    """The code that answers a tool, and what answers for it where it fails."""

    module: PyModule
    name: Text
    body: Node
    error_boundaries: Iterable[ExceptionClause] = ()


def iter_tool_branches(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[Handler]:
    """Yield the branches on the names of tools of which nothing else tells the code."""
    names = _without_handler(servers)
    for module, name, body in _iter_branches(
        run, iter_own_modules(run, *_collect_signs(names)) if names else (), names
    ):
        yield Handler(name, module.locate(body))


def with_branches(run: Evaluator, seeds: list[PyModule], servers: tuple[Server, ...]) -> tuple[Server, ...]:
    """Return the servers, their tools with the branch that answers each where no function of its own does."""
    names = _without_handler(tuple(each for each in servers if each.language == "python"))
    if not names:
        return servers
    signs = _collect_signs(names)
    near = [
        each for each in handling.find_handler_modules(run, seeds) if any(sign in each.source.data for sign in signs)
    ]
    places = list(iter_dispatchers(run))
    central = cache(partial(_collect_central, run, places))
    found: dict[str, list[Handler]] = {}
    for module, name, body, error_boundaries in (
        *_iter_chosen(run, near, names),
        *_iter_table_handlers(run, places),
        *_iter_rows(run, near, names),
        *_iter_sole(places, names),
    ):
        read = argument_use.PythonCallReading(run, module, body, _find_dispatcher(places, module), str(name))
        acts = effects.collect_block_acts(
            run, module, body, Lazy(partial(_collect_error_boundaries, error_boundaries, central, module))
        )
        found.setdefault(str(name), []).append(_get_branch_of(name, module.locate(body), acts, read))
    led, reached = (
        partial(_find_dispatched_handler, run, places, central),
        partial(_select_reached_branches, run, places),
    )
    return tuple(
        replace(each, tools=tuple(_with_branch(tool, found, led, reached) for tool in each.tools)) for each in servers
    )


NO_TOOL = "a tool that is not declared"
"""A name that no tool has: what its call leads to, the calls of all tools lead to."""


def _find_dispatched_handler(
    run: Evaluator, places: list[FunctionPlace], central: Callable[[PyModule], tuple[ExceptionClause, ...]], tool: Tool
) -> Handler | None:
    """Return the function that takes the calls of all tools, as what it does for one, if a run follows what it hands on.

    However it finds what answers the tool: by a table of objects, a search, the name of a method. Of several such functions
    that serve the same tools by several transports, the SDK's own comes before what reads requests itself.
    """
    here = [each for each in places if each.module.path == tool.span.path]
    if len(here) > 1 or not isinstance(tool.name, Text):
        return None
    asked = here or sorted(places, key=lambda each: not each.is_decorated)
    for place in asked:
        body = find_child(place.node, "body")
        read = (
            argument_use.PythonCallReading(run, place.module, body, place, str(tool.name)) if body is not None else None
        )
        is_led = read is not None and (read.is_led or read.leads_beyond(trace_of_call(run, place, NO_TOOL)))
        if body is not None and read is not None and is_led:
            own = _find_method(run, asked[0], central, tool.name) if len(asked) == 1 and not read.followed else None
            if own is not None and own.followed:
                return (
                    own  # it says what is read where the way there does not: a search ends in an error for other names
                )
            return _get_branch_of(
                tool.name, place.module.locate(body), effects.collect_call_acts(run, place, str(tool.name)), read
            )
    return _find_method(run, asked[0], central, tool.name) if len(asked) == 1 else None


def _find_method(
    run: Evaluator, dispatcher: FunctionPlace, central: Callable[[PyModule], tuple[ExceptionClause, ...]], name: Text
) -> Handler | None:
    """Return the method that answers a tool: of the class that says its name, the only one that the dispatcher's file calls.

    It takes something beside its object, as no method does by which a tool is only described.
    """
    module = run.modules.by_path.get(name.span.path)
    start = module.source.reach(name.span)[0] if module is not None else 0
    node = module.root.descendant_for_byte_range(start, start + 1) if module is not None else None
    cls = find_enclosing(node, "class_definition") if node is not None else None
    if module is None or cls is None:
        return None
    called = {each[1] for each in CALLED.finditer(dispatcher.module.source.data)}
    found = [
        each
        for part in list_children(find_child(cls, "body"))
        for each in (find_child(part, "definition") if part.type == "decorated_definition" else part,)
        if each is not None and each.type == "function_definition" and _takes_input(each)
        if (find_child(each, "name") or each).text in called
    ]
    body = find_child(found[0], "body") if len(found) == 1 else None
    if body is None:
        return None
    read = argument_use.PythonMethodReading(run, module, body, FunctionPlace(found[0], module), str(name))
    error_boundaries = Lazy(partial(_collect_error_boundaries, (), central, dispatcher.module))
    acts = effects.collect_block_acts(
        run, module, body, error_boundaries, partial(trace_of_method, run, FunctionPlace(found[0], module), str(name))
    )
    return _get_branch_of(name, module.locate(body), acts, read)


def _takes_input(function: Node) -> bool:
    """Return whether a method takes something beside its object."""
    listed = find_child(function, "parameters")
    return listed is not None and len(list_children(listed)) > 1


def _get_branch_of(name: Text, span: Span, acts: Acts, read: argument_use.PythonCallReading) -> Handler:
    """Return the code that answers a tool, with what it does and what it reads of the arguments."""
    return read.attach_to_handler(Handler(name, span, acts=acts, hints=read.hints))


def _with_branch(
    tool: Tool,
    found: dict[str, list[Handler]],
    led: Callable[[Tool], Handler | None],
    reached: Callable[[str, list[Handler]], list[Handler]],
) -> Tool:
    """Return a tool with its branch: the one in its own file, or the only one, or what a run comes to with its name.

    Where several files choose by the name, as the old way to serve beside the new one does, it is the one that calls come to.
    """
    if tool.handler is not None or not isinstance(tool.name, Text):
        return tool
    branches = found.get(str(tool.name), [])
    here = [each for each in branches if each.span.path == tool.span.path]
    if not here and len({each.span.path for each in branches}) > 1:
        branches = reached(str(tool.name), branches)
    chosen = here[:1] or (branches if len({each.span.path for each in branches}) == 1 else [])[:1]
    return replace(tool, branch=chosen[0] if chosen else led(tool))


def _select_reached_branches(
    run: Evaluator, places: list[FunctionPlace], tool: str, branches: list[Handler]
) -> list[Handler]:
    """Return those of the branches of a tool that lie in what the functions do that take its calls."""
    within = {
        (code.source.path, code.at.start, code.at.end)
        for place in places
        for code in trace_of_call(run, place, tool).collect_codes()
    }
    return [each for each in branches if any(_lies(run, each, *part) for part in within)]


def _lies(run: Evaluator, branch: Handler, path: str, start: int, end: int) -> bool:
    """Return whether a branch lies within some bytes of a file."""
    return branch.span.path == path and start <= run.modules.by_path[path].source.reach(branch.span)[0] < end


def _without_handler(servers: tuple[Server, ...]) -> set[str]:
    return {
        str(tool.name)
        for server in servers
        for tool in server.tools
        if tool.handler is None and isinstance(tool.name, Text) and tool.name
    }


def _collect_signs(names: set[str]) -> list[bytes]:
    return [quote + name.encode("utf-8", "surrogatepass") + quote for name in names for quote in (b'"', b"'")]


def _iter_branches(
    run: Evaluator, modules: Iterable[PyModule], names: set[str]
) -> Iterator[tuple[PyModule, Text, Node]]:
    for module in modules:
        found: dict[int, list[tuple[Text, Node]]] = {}
        for node in find_descendants(module.root, "python", "if_statement", "elif_clause", "case_clause"):
            for name, body in _iter_branch(run, module, node):
                unit = find_enclosing(node)
                if name in names and unit is not None:
                    found.setdefault(unit.start_byte, []).append((name, body))
        for branches in found.values():
            if len({str(name) for name, _ in branches}) >= min(2, len(names)):
                yield from ((module, name, body) for name, body in branches)


def _iter_chosen(run: Evaluator, modules: Iterable[PyModule], names: set[str]) -> Iterator[ToolAnswering]:
    for module, name, body in _iter_branches(run, modules, names):
        around = find_enclosing(body)
        yield ToolAnswering(module, name, body, _iter_around(run, module, around, body) if around is not None else ())


def _iter_around(run: Evaluator, module: PyModule, function: Node, node: Node) -> Iterator[ExceptionClause]:
    """Yield the clauses around a node of a function."""
    yield from iter_clauses_around(trace_of(run, module, function), Site(*node.byte_range))


def _iter_table_handlers(run: Evaluator, places: list[FunctionPlace]) -> Iterator[ToolAnswering]:
    """Yield the functions that stand under the names of tools in a table which a dispatcher looks them up in."""
    for place in places:
        body, error_boundaries = find_child(place.node, "body"), Lazy(partial(_iter_handing_on, run, place))
        for arm in iter_table_arms(run, body, load_scope(run, place.module), BY_NAME) if body is not None else ():
            if arm.function is not None:
                yield from (
                    ToolAnswering(arm.function.scope.module, name, arm.body, error_boundaries) for name in arm.names
                )


def _iter_rows(run: Evaluator, modules: Iterable[PyModule], names: set[str]) -> Iterator[ToolAnswering]:
    """Yield the functions that stand in one object with the name of a tool: `Tool(name="read", handler=read)`."""
    signs = tuple(_collect_signs(names))
    for module in modules:
        for call in nodes_near(module, signs, "call"):
            given = [
                find_child(each, "value")
                for each in list_children(find_child(call, "arguments"))
                if each.type == "keyword_argument"
            ]
            said = [
                (each, read_string(run, each, load_scope(run, module)))
                for each in given
                if each is not None and each.type == "string"
            ]
            named = [Text(name, module.locate(each)) for each, name in said if name in names]
            found = [
                run.evaluate(each, load_scope(run, module))
                for each in given
                if each is not None and each.type == "identifier"
            ]
            functions = [each.unwrap() for each in found if isinstance(each, PyFunction)]
            body = find_child(functions[0].node, "body") if len(functions) == len(named) == 1 else None
            if body is not None:
                yield ToolAnswering(functions[0].scope.module, named[0], body)


def _collect_central(run: Evaluator, places: list[FunctionPlace], module: PyModule) -> tuple[ExceptionClause, ...]:
    """Return the clauses of the one dispatcher of a module, or of the project, which calls what answers a tool."""
    place = _find_dispatcher(places, module)
    return tuple(iter_clauses(run, place)) if place is not None else ()


def _find_dispatcher(places: list[FunctionPlace], module: PyModule) -> FunctionPlace | None:
    """Return the one function of a module, or of the project, that takes the calls of all tools."""
    here = [place for place in places if place.module is module] or places
    return here[0] if len(here) == 1 else None


def _collect_error_boundaries(
    own: Iterable[ExceptionClause], central: Callable[[PyModule], tuple[ExceptionClause, ...]], module: PyModule
) -> list[ExceptionClause]:
    """Return the clauses that handle failures of a tool's code, each once."""
    return list({(each.trace.code, each.at): each for each in (*own, *central(module))}.values())


def _iter_handing_on(run: Evaluator, place: FunctionPlace) -> Iterator[ExceptionClause]:
    """Yield the clauses around the calls by which a dispatcher hands the arguments on, to functions that it looked up."""
    listed = find_child(place.node, "parameters")
    last = list_children(listed)[-1:] if listed is not None else []
    taken = {decode_node(find_child(each, "name") or next(iter(list_children(each)), each)) for each in last}
    for call in find_descendants(place.node, "python", "call"):
        function, handed = find_child(call, "function"), find_child(call, "arguments")
        is_looked_up = function is not None and function.type in ("identifier", "subscript", "call")
        given = find_descendants(handed, "python", "identifier") if handed is not None and is_looked_up else ()
        if (
            any(decode_node(each) in taken for each in given)
            and resolve_callee(run, call, load_scope(run, place.module)) is None
        ):
            yield from _iter_around(run, place.module, place.node, call)


def _iter_sole(places: list[FunctionPlace], names: set[str]) -> Iterator[ToolAnswering]:
    """Yield the whole dispatcher of a project that has but one tool without a function of its own."""
    body = find_child(places[0].node, "body") if len(names) == len(places) == 1 else None
    if body is not None:
        name, place = next(iter(names)), places[0]
        yield ToolAnswering(place.module, Text(name, place.module.locate(place.node)), body)


def _iter_branch(run: Evaluator, module: PyModule, node: Node) -> Iterator[tuple[Text, Node]]:
    """Yield the texts that `if name == "..":` or `case "..":` compares with, each with its code."""
    body = find_child(node, "consequence")
    if body is None:
        return
    if node.type in ("if_statement", "elif_clause"):
        test = find_child(node, "condition")
        sides = list_children(test) if test is not None and test.type == "comparison_operator" else []
        same = test is not None and any(decode_node(part) == "==" for part in test.children)
        if len(sides) == 2 and same and any(CHOOSING.search(decode_node(side)) for side in sides):
            for side in sides:
                said = (
                    read_string(run, side, load_scope(run, module))
                    if side.type in ("string", "attribute", "identifier")
                    else None
                )
                if said is not None:
                    yield Text(said, module.locate(side)), body
    elif node.type == "case_clause":
        for part in list_children(node):
            for each in iter_descendants(part) if part.type == "case_pattern" else ():
                said = read_string(run, each, load_scope(run, module)) if each.type == "string" else None
                if said is not None:
                    yield Text(said, module.locate(each)), body
