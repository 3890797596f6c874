"""Abstract runs of the functions of a project: what they do with the arguments of a tool's call."""

from collections.abc import Iterable, Iterator

from reviewer.code import ir
from reviewer.code.events import Trace
from reviewer.code.interpreter import Run
from reviewer.code.state import State
from reviewer.code.values import ANY, Class, Instance, Key, Label, Value
from reviewer.facts import Server
from reviewer.languages.rust.behaviour.isolation import function_at
from reviewer.languages.rust.items import Item, Items, once
from reviewer.languages.rust.program import RustProgram
from reviewer.source import Span


@once
def program_of(items: Items) -> RustProgram:
    """Return the project as an abstract run asks for it, the same each time."""
    return RustProgram(items)


def trace_of(items: Items, function: Item) -> Trace:
    """Return what a function does when it is called with anything, once for each function."""
    program = program_of(items)
    code = program.code_at(function.path, function.node)
    if code not in program.traces:
        program.traces[code] = traced(Run(program, summaries=program.summaries), code)
    return program.traces[code]


def traced(run: Run, code: ir.Code) -> Trace:
    """Return what a function does when a client calls it."""
    given, state = arguments(run, code)
    return run.start(code, given, state)


def handlers(items: Items, servers: Iterable[Server]) -> Iterator[Item]:
    """Yield the functions to which the calls of tools come, each once.

    They are those that are tools, those that choose by a tool's name or by a method of JSON-RPC, and those that take the calls of
    a server.
    """
    seen: set[tuple[str, int]] = set()
    for span in (span for server in servers for span in _places(server)):
        function = function_at(items, span)
        if function is not None and (function.path, function.node.start_byte) not in seen:
            seen.add((function.path, function.node.start_byte))
            yield function


def _places(server: Server) -> Iterator[Span]:
    yield from (each.code.span for each in server.tools if each.code is not None)
    if server.entry is not None:
        yield server.entry.span
    if not server.framework:
        yield server.span


def arguments(run: Run, code: ir.Code) -> tuple[dict[ir.Variable, Value], State]:
    """Return what a client hands over: anything, under the name of each parameter, or of each field of a request."""
    state = State()
    given = {
        each.variable: _request(run, code, each, state) or _argument(each.name, None)
        for each in code.parameters
        if each.kind == "normal"
    }
    return given, state


def _argument(name: str, made: Instance | None) -> Value:
    things = (made,) if made is not None else ()
    return Value(("argument", name), frozenset({Label("argument", name)}), interval=ANY, things=things)


def _request(run: Run, code: ir.Code, parameter: ir.Parameter, state: State) -> Value | None:
    """Return a request whose fields are the arguments, None if a parameter is of no type of the project that has fields.

    What hands it over may be a wrapper around it, whose field 0 it is: `Parameters(request)`.
    """
    made = run.program.typed(parameter.type, code) if parameter.type is not None else None
    names = run.program.fields(made.of) if made is not None and isinstance(made.of, Class) else ()
    if made is None or not names:
        return None
    request = Value(("argument", code, parameter.variable), things=(made,))
    fields: dict[Key, Value] = {(name,): _argument(name, run.program.field_type(made, name)) for name in names}
    state.heap[request.term] = fields
    wrapper = Value(("wrapper", request.term), things=(made,))
    state.heap[wrapper.term] = {("0",): request, **fields}
    return wrapper
