"""Abstract runs of the functions of a project: what they do with the arguments of a tool's call."""

from collections.abc import Callable, Iterable, Iterator

from reviewer.behaviour.arguments.inputs import INPUT, build_input_object
from reviewer.behaviour.failures.boundaries import NEAR, NEARBY, is_cut
from reviewer.behaviour.fields.asked_fields import REQUEST, names_fields
from reviewer.behaviour.paging.asked_pages import PageRequest
from reviewer.code import ir
from reviewer.code.decoding import decode_arguments
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.library_types import find_types
from reviewer.code.run import Run, RunBounds
from reviewer.code.state import Facts, State
from reviewer.code.values import (
    Class,
    Instance,
    Key,
    Label,
    Library,
    Term,
    Value,
    build_argument,
    build_constant,
    nest_term,
)
from reviewer.facts import Server
from reviewer.languages.rust.project.items import RustItem, RustItems, memoize
from reviewer.languages.rust.project.meanings import Declared
from reviewer.languages.rust.project.name_resolution import find_function_at
from reviewer.languages.rust.project.program import RustProgram
from reviewer.schema.rust.marks import collect_derived_traits
from reviewer.source import Span
from reviewer.text.patterns import pattern


@memoize
def get_program(items: RustItems) -> RustProgram:
    """Return the project as an abstract run asks for it, the same each time."""
    return RustProgram(items)


def trace_of(items: RustItems, function: RustItem) -> Trace:
    """Return the trace of a function for arguments of any value, made once for each function."""
    return _trace(items, function, "")


def trace_near(items: RustItems, function: RustItem) -> Trace:
    """Return the trace of a function; if it is too large, followed only as far as most error boundaries are."""
    whole = trace_of(items, function)
    if not is_cut(whole):
        return whole
    program = get_program(items)
    code = program.find_code_at(function.path, function.node)
    key = (code, NEAR)
    if key not in program.traces:
        program.traces[key] = trace_code(Interpreter(program, NEARBY, program.summaries), code)
    return program.traces[key]


def trace_of_call(items: RustItems, dispatcher: RustItem, tool: str) -> Trace:
    """Return the trace, for one tool with any arguments, of a function that receives the calls of all tools."""
    return _trace(items, dispatcher, tool)


def trace_of_method(items: RustItems, method: RustItem) -> Trace:
    """Return the trace of a method called on a request, whose fields are the arguments of the call."""
    return _trace(items, method, OWN)


OWN = "self"
"""What stands for the name of a tool where a request is its own object."""


def _trace(items: RustItems, function: RustItem, tool: str) -> Trace:
    program = get_program(items)
    code = program.find_code_at(function.path, function.node)
    key = (code, tool)
    if key not in program.traces:
        name = tool if tool != OWN else ""
        program.traces[key] = trace_code(Interpreter(program, summaries=program.summaries, tool=name), code, tool)
    return program.traces[key]


def rerun(items: RustItems, function: RustItem, tool: str = "") -> Callable[[Run, Facts], Trace]:
    """Return a callable that runs a function again, as `trace_of` does, or `trace_of_call` for a tool, in a run that
    knows more.
    """
    code = get_program(items).find_code_at(function.path, function.node)

    def start(run: Run, facts: Facts) -> Trace:
        given, state = build_client_arguments(run, code, tool)
        state.facts = facts
        return run.start(code, given, state)

    return start


def trace_code(run: Run, code: ir.Code, tool: str = "") -> Trace:
    """Return the trace of a function that a client calls; for one tool, if it is named."""
    given, state = build_request_receiver(run, code) if tool == OWN else build_client_arguments(run, code, tool)
    return run.start(code, given, state)


def iter_handlers(items: RustItems, servers: Iterable[Server]) -> Iterator[RustItem]:
    """Yield the functions to which the calls of tools come, each once.

    They are those that are tools, those that choose by a tool's name or by a method of JSON-RPC, and those that take the calls of
    a server.
    """
    seen: set[tuple[str, int]] = set()
    for span in (span for server in servers for span in _iter_places(server)):
        function = find_function_at(items, span)
        if function is not None and (function.path, function.node.start_byte) not in seen:
            seen.add((function.path, function.node.start_byte))
            yield function


def _iter_places(server: Server) -> Iterator[Span]:
    yield from (each.code.span for each in server.tools if each.code is not None)
    if server.entry is not None:
        yield server.entry.span
    if not server.framework:
        yield server.span


def build_client_arguments(run: Run, code: ir.Code, tool: str = "") -> tuple[dict[ir.Variable, Value], State]:
    """Return the arguments that a client sends: a value of unknown content for each parameter, or each field of a request.

    The parameter that holds a tool's call is known by its type: a request of an SDK, or JSON. The others hold nothing
    of it.
    """
    state, call = State(), _ToolCall(tool, INPUT, is_message=ir.collect_names(code.body) >= MESSAGE)
    taken = [(each, _type_of(run, code, each)) for each in code.parameters if each.kind == "normal"]
    ways: tuple[Callable[[ir.CodeParameter, Instance | None], Value | None], ...] = (
        lambda each, made: _request(run, code, each, made, state) if _is_wrapped(each) else None,
        lambda each, made: call.supply_argument(each, made) or _find_message(run, each, made, call, state),
        lambda each, made: _request(run, code, each, made, state) if _is_read(run, made) else None,
        lambda each, made: _build_server_value(each.name, made) if _is_own(each) else _get_argument(each.name, made),
    )
    for way in ways:
        found = ((each, way(each, made)) for each, made in taken)
        given = {each.variable: value for each, value in found if value is not None}
        if given:
            return given, state
    return {}, state


SendArgument = Callable[[str, Instance | None], Value]
"""Says what a client sends under a name, for an object of a type if that is known."""


def build_supposed_arguments(
    run: Run, code: ir.Code, named: SendArgument, whole: Value
) -> tuple[dict[ir.Variable, Value], State]:
    """Return the arguments that a client sends under an assumption about each name; `whole` holds all of them."""
    state, call = State(), _ToolCall("", whole)
    given: dict[ir.Variable, Value] = {}
    for each in code.parameters:
        if each.kind == "normal":
            made = _type_of(run, code, each)
            given[each.variable] = (
                call.supply_argument(each, made)
                or (_build_server_value(each.name, made) if _is_own(each) else None)
                or _find_supposed_request(run, code, each, made, state, named)
                or named(each.name, made)
            )
    return given, state


def trace_of_asked(items: RustItems, function: RustItem) -> tuple[bool, Trace]:
    """Return whether a function is handed anything of a client, and what it does where a client may ask for fields."""
    program = get_program(items)
    code = program.find_code_at(function.path, function.node)
    run = Interpreter(
        program, RunBounds(statements=6_000), program.summaries
    )  # they are used near to where they come in

    def supply_value(name: str, made: Instance | None) -> Value:
        given = _get_argument(name, made)
        return given if names_fields(name) else given._replace(contents=REQUEST)

    given, state = build_supposed_arguments(run, code, supply_value, INPUT._replace(contents=REQUEST))
    for each in code.parameters:
        made = _type_of(run, code, each) if each.kind == "receiver" else None
        if made is not None and isinstance(made.of, Class) and "fields" in program.list_fields(made.of):
            request = _find_supposed_request(run, code, each, made, state, supply_value)
            given |= {each.variable: request} if request is not None else {}
    return bool(given), run.start(code, given, state)


def trace_of_action(items: RustItems, function: RustItem, action: str) -> Trace:
    """Return the trace of a function for a call of one action."""
    program = get_program(items)
    code = program.find_code_at(function.path, function.node)
    run, request = Interpreter(program, summaries=program.summaries), PageRequest(action)

    def supply_value(name: str, made: Instance | None) -> Value:
        found = request[name]
        return found if made is None or found.constants is not None else found._replace(things=(made,))

    given, state = build_supposed_arguments(run, code, supply_value, INPUT._replace(contents=request))
    return run.start(code, given, state)


def _find_supposed_request(
    run: Run, code: ir.Code, parameter: ir.CodeParameter, made: Instance | None, state: State, named: SendArgument
) -> Value | None:
    """Return a request whose fields are what is supposed, None if a parameter is of no type of the project that has fields."""
    names = run.program.list_fields(made.of) if made is not None and isinstance(made.of, Class) else ()
    if made is None or not names:
        return None
    return _wrap(_build_supposed_object(run, ("argument", code, parameter.variable), made, state, named), state)


NESTED = 3
"""How deep requests in what a call is handed on with are looked into: a context, the request in it, its page."""


def _build_supposed_object(
    run: Run, term: Term, made: Instance, state: State, named: SendArgument, deep: int = NESTED
) -> Value:
    """Return an object whose fields are what is supposed, also those of a request in it, which is what is read from data."""
    request = Value(term, things=(made,))
    held: dict[Key, Value] = {}
    for name in run.program.list_fields(made.of) if isinstance(made.of, Class) else ():
        kind = run.program.resolve_field_type(made, name)
        if kind is not None and deep > 0 and _is_read(run, kind):
            held[(name,)] = _build_supposed_object(run, ("field", nest_term(term), name), kind, state, named, deep - 1)
        else:
            held[(name,)] = named(name, kind)
    state.heap[term] = held
    return request


def takes_input(items: RustItems, function: RustItem, tool: str = "") -> bool:
    """Return whether a function is handed the arguments of a call in one object: of one tool's, if that is named."""
    program = get_program(items)
    code = program.find_code_at(function.path, function.node)
    given, _ = build_client_arguments(Interpreter(program), code, tool)
    terms = [each.term for each in given.values() if each.constants is None]
    return any(each[:1] != ("argument",) for each in terms if isinstance(each, tuple))


def build_request_receiver(run: Run, code: ir.Code) -> tuple[dict[ir.Variable, Value], State]:
    """Return the parameters of a method called on a request: the receiver is the request's object."""
    state = State()
    given = {}
    for each in code.parameters:
        made = _type_of(run, code, each) if each.kind == "receiver" else None
        if made is not None:
            given[each.variable] = decode_arguments(run, None, state, code, each.at, INPUT, made)
    return given, state


def _type_of(run: Run, code: ir.Code, parameter: ir.CodeParameter) -> Instance | None:
    return run.program.resolve_type(parameter.type, code) if parameter.type is not None else None


def _is_wrapped(parameter: ir.CodeParameter) -> bool:
    return parameter.type is not None and PARAMETERS.match(parameter.type.text) is not None


def _is_read(run: Run, made: Instance | None) -> bool:
    """Return whether objects of a type are read from data, by code that is derived."""
    if made is None or not isinstance(made.of, Class) or not isinstance(made.of.handle, Declared):
        return False
    return "Deserialize" in collect_derived_traits(made.of.handle.node) and bool(run.program.find_entry_names(made.of))


WRAPPED = Value(("wrapper", "input"), INPUT.labels, contents={("0",): INPUT})
"""It as `Parameters` holds it."""

TABLE = (Instance(Library("serde_json.Map")),)
"""What a request of rmcp holds its arguments in, other than a message of JSON: its index is a panic where there is no entry."""

PARAMETERS = pattern(r"(?:\w+\s*::\s*)*Parameters\s*<")
"""The type in which an SDK hands over a request that is read from the arguments of a call."""
# SDKs and the crates of MCP's schema differ in how the name of the request ends.
REQUESTS = pattern(r"(?:^|\W)CallToolRequest(?:Params?|ParamsInner|MethodParams)?$")
# Where one tool's call is followed, the first text that a function takes is the tool's name: `call(name, arguments)`.
TEXT = pattern(r"\b(?:str|String)\b")


MESSAGE = frozenset({"params", "arguments"})
"""The keys by which code comes to the arguments in a JSON-RPC message: what reads both is handed the whole of it."""


class _ToolCall:
    """A call of a tool as it comes in, of any if the name is empty; as a JSON-RPC message where that is told."""

    def __init__(self, tool: str, whole: Value, *, is_message: bool = False) -> None:
        self._is_one, self._whole, self._is_message = bool(tool), whole, is_message
        name = build_constant(tool) if tool else Value(("request", "name"), frozenset({Label("request", "name")}))
        self._fields = {"name": name, "arguments": whole}
        self._message = {**self._fields, "params": build_input_object("params", self._fields)}
        if tool:
            self._message["method"] = build_constant("tools/call")
        self._texts = 0

    def supply_argument(self, parameter: ir.CodeParameter, made: Instance | None) -> Value | None:
        """Return the argument of a parameter from the call; None if its type does not determine it."""
        written = parameter.type.text if parameter.type is not None else ""
        path = made.of.path if made is not None and isinstance(made.of, Library) else ""
        if REQUESTS.search(path) or (made is None and REQUESTS.search(written)):
            table = self._whole._replace(things=TABLE) if not self._whole.things else self._whole
            return build_input_object("request", {**self._message, "arguments": table})._replace(
                things=(made,) if made is not None else ()
            )
        if path in find_types("object of JSON", "value of JSON"):
            is_whole = self._is_message or (self._is_one and not self._texts)
            is_wrapped = parameter.type is not None and "Parameters" in parameter.type.text
            whole = WRAPPED if is_wrapped and self._whole is INPUT else self._whole
            return build_input_object("message", self._message) if is_whole else whole
        if self._is_one and not self._texts and parameter.type is not None and TEXT.search(parameter.type.text):
            self._texts += 1
            return self._fields["name"]
        return None

    def find_field(self, name: str) -> Value | None:
        """Return a field of a request of the project's own type; None if only the tool knows it."""
        return self._message.get(name) if self._is_one else None


CONTEXT = pattern(
    r"Context|Ctx|\bPeer\b|\bState\b|Extension|Extensions|\bMeta\b|CancellationToken|Session|Server|Client|Service|Store|"
    r"Manager|Registry|Config|Settings|Runtime|Progress|Sender|Receiver|Conn|Pool|Repo|Engine|Handle"
)
"""Types of parameters that hold what the server has itself."""

ASKED = pattern(r"Params|Args|Arguments|Input|Request(?!Context)|Parameters|\bValue\b|JsonObject|^&?\s*(?:str|String)$")
"""Types of parameters that hold what a call was given, whatever else their names say."""


def _is_own(parameter: ir.CodeParameter) -> bool:
    """Return whether a parameter holds what the server has itself, and nothing that a client sends."""
    written = parameter.type.text if parameter.type is not None else ""
    return ASKED.search(written) is None and CONTEXT.search(written) is not None


def _build_server_value(name: str, made: Instance | None) -> Value:
    """Return the value that a server passes to a handler in addition to the arguments."""
    given = _get_argument(name, made)
    return given._replace(labels=frozenset({Label("request", name)}))


def _get_argument(name: str, made: Instance | None) -> Value:
    return build_argument(name)._replace(things=(made,) if made is not None else ())


def _find_message(
    run: Run, parameter: ir.CodeParameter, made: Instance | None, call: _ToolCall, state: State
) -> Value | None:
    """Return the whole call as an object of the project's own, None if a parameter is of no type that has its parts."""
    names = run.program.list_fields(made.of) if made is not None and isinstance(made.of, Class) else ()
    held: dict[Key, Value] = {(name,): value for name in names if (value := call.find_field(name)) is not None}
    if made is None or not held:
        return None
    message = Value(("message", parameter.variable), INPUT.labels, things=(made,))
    state.heap[message.term] = held
    return _wrap(message, state)


def _request(run: Run, code: ir.Code, parameter: ir.CodeParameter, made: Instance | None, state: State) -> Value:
    """Return the arguments as they are handed over: as an object of a type, if its name says one of the project."""
    request = INPUT
    if made is not None and isinstance(made.of, Class):
        request = decode_arguments(run, None, state, code, parameter.at, INPUT, made)
    return _wrap(request, state)


def _wrap(request: Value, state: State) -> Value:
    """Return the wrapper by which an object is passed, with the object as its field 0: `Parameters(request)`."""
    wrapper = request._replace(term=("wrapper", request.term))
    state.heap[wrapper.term] = {**state.read_contents(request), ("0",): request}
    return wrapper
