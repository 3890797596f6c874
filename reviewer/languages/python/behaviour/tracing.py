"""Abstract runs of the functions of a project: what a tool's function does with the arguments of a call."""

from collections.abc import Callable

from tree_sitter import Node

from reviewer.behaviour.arguments.inputs import INPUT, build_input_object
from reviewer.behaviour.failures.boundaries import NEAR, NEARBY, is_cut
from reviewer.behaviour.serving.conversations import infer_roles
from reviewer.code import ir
from reviewer.code.events import Trace
from reviewer.code.heap import Heap
from reviewer.code.interpreter import Interpreter
from reviewer.code.parts import fill_default
from reviewer.code.run import Run, RunBounds
from reviewer.code.state import Facts, KnownFact, State
from reviewer.code.summaries import Summaries
from reviewer.code.values import Class, Key, Term, Value, build_argument, build_constant
from reviewer.languages.python.behaviour.name_resolution import FunctionPlace
from reviewer.languages.python.behaviour.validated_fields import find_validated_interval
from reviewer.languages.python.declarations.by_hand import collect_call_handlers
from reviewer.languages.python.declarations.handlers import find_partial
from reviewer.languages.python.evaluation import values
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.project.program import PythonProgram
from reviewer.source import Text

Held = dict[Term, dict[Key, Value]]

THERE: Facts = {(each,): KnownFact(truth=True, present=True) for each in ("message", "params")}
"""What a client that calls a tool sends for sure: `message.get("params") or {}`."""

REQUEST = frozenset({"ctx", "context", "request_context"})
"""What the parameter is called that stands before those of a call."""


def get_program(run: Evaluator) -> PythonProgram:
    """Return the project as an abstract run asks for it, the same each time."""
    found = run.done.get(PROGRAM)
    if not isinstance(found, PythonProgram):
        found = run.done[PROGRAM] = PythonProgram(run)
    return found


PROGRAM = ("", -1)
"""Where the evaluator keeps the program: no function begins there."""


def trace_of(run: Evaluator, module: PyModule, function: Node) -> Trace:
    """Return the trace of a function for arguments of any value, made once for each function."""
    code = get_program(run).find_code_at(module, function)
    return _trace(run, FunctionPlace(function, module), "", lambda: (build_client_arguments(code), None))


def trace_of_fields(run: Evaluator, module: PyModule, function: Node) -> tuple[Trace, dict[str, Text | None]]:
    """Return the trace of a function with separate values for the fields of its models.

    With it come the fields, as `query.limit`, each with the place where the model sets its default.
    """
    program = get_program(run)
    code = program.find_code_at(module, function)
    given, held, fields = build_client_arguments(code), dict[Term, dict[Key, Value]](), dict[str, Text | None]()
    for each in code.parameters:
        made = program.resolve_type(each.type, code) if each.type is not None and each.variable in given else None
        cls = made.of if made is not None else None
        if made is not None and isinstance(cls, Class) and _is_read_into(program, cls):
            whole = given[each.variable] = given[each.variable]._replace(things=(made,))
            held[whole.term] = {}
            for name in program.list_fields(cls):
                kind = program.resolve_field_type(made, name)
                part = build_argument(f"{each.name}.{name}")._replace(things=(kind,) if kind is not None else ())
                if program.checks(cls, name):
                    part = part._replace(interval=find_validated_interval(program, cls, name, part))
                held[whole.term][(name,)] = fill_default(part, program.find_default(cls, name))
                fields[f"{each.name}.{name}"] = program.locate_default(cls, name)
    key = (code, "fields")
    if fields and key not in program.traces:
        run.start()
        one = Interpreter(program, RunBounds(), program.summaries)
        program.traces[key] = run_function(run, FunctionPlace(function, module), given, one, {}, held)
    return program.traces[key] if fields else trace_of(run, module, function), fields


def _is_read_into(program: PythonProgram, cls: Class) -> bool:
    """Return whether the fields of a class are read from the arguments of a call, each under its own name."""
    made = cls.handle
    if not isinstance(made, values.PyClass) or program.find_constructor(cls) is not None:
        return False
    return bool(program.list_fields(cls)) and not any(
        b"alias" in (each.node.text or b"") for each in made.iter_lineage()
    )


def trace_near(run: Evaluator, place: FunctionPlace) -> Trace:
    """Return the trace of a function; if it is too large, followed only as far as most error boundaries are."""
    whole = trace_of(run, place.module, place.node)
    if not is_cut(whole):
        return whole
    program = get_program(run)
    code = program.find_code_at(place.module, place.node)
    key = (code, NEAR)
    if key not in program.traces:
        program.traces[key] = trace_with(run, place, build_client_arguments(code), program.summaries, NEARBY)
    return program.traces[key]


def trace_of_call(run: Evaluator, dispatcher: FunctionPlace, tool: str) -> Trace:
    """Return the trace, for one tool with any arguments, of a function that receives the calls of all tools."""
    return _trace(run, dispatcher, tool, lambda: _call(run, dispatcher, tool))


def trace_of_method(run: Evaluator, method: FunctionPlace, tool: str) -> Trace:
    """Return the trace of a tool's method for any arguments, which its first parameter holds."""
    code = get_program(run).find_code_at(method.module, method.node)
    taken = [each for each in code.parameters if each.name not in ("self", "cls")]
    return _trace(run, method, tool, lambda: ({each.variable: INPUT for each in taken[:1]}, None))


def _trace(
    run: Evaluator, place: FunctionPlace, tool: str, give: Callable[[], tuple[dict[ir.Variable, Value], Held | None]]
) -> Trace:
    """Return the trace of a function for a tool, made once; `give` returns its arguments and what they hold."""
    program = get_program(run)
    code = program.find_code_at(place.module, place.node)
    key = (code, tool)
    if key not in program.traces:
        given, held = give()
        run.start()
        one = Interpreter(program, summaries=program.summaries, tool=tool)
        program.traces[key] = run_function(run, place, given, one, {} if held is None else dict(THERE), held)
    return program.traces[key]


def rerun(run: Evaluator, place: FunctionPlace, tool: str) -> Callable[[Run, Facts], Trace]:
    """Return a callable that runs a function again, as `trace_of` does, or `trace_of_call` for a tool, in a run that
    knows more.
    """
    code = get_program(run).find_code_at(place.module, place.node)
    given, held = _call(run, place, tool) if tool else (build_client_arguments(code), None)
    if held is None:
        return lambda one, facts: run_function(run, place, given, one, facts)
    return lambda one, facts: run_function(run, place, given, one, {**THERE, **facts}, dict(held))


def trace_with(
    run: Evaluator,
    place: FunctionPlace,
    given: dict[ir.Variable, Value],
    summaries: Summaries,
    bounds: RunBounds | None = None,
) -> Trace:
    """Return the trace of a function for some argument values."""
    run.start()
    return run_function(run, place, given, Interpreter(get_program(run), bounds or RunBounds(), summaries), {})


def run_function(
    run: Evaluator,
    place: FunctionPlace,
    given: dict[ir.Variable, Value],
    one: Run,
    facts: Facts,
    held: dict[Term, dict[Key, Value]] | None = None,
) -> Trace:
    """Return the trace of a run that begins with a function, or a method on an object that it creates or on its class.

    `held` are the entries of objects in the arguments.
    """
    code = get_program(run).find_code_at(place.module, place.node)
    state = State(heap=Heap(held), facts=facts)
    first = code.parameters[0] if code.parameters else None
    cls = get_program(run).find_enclosing_class(place.module, place.node) if first is not None else None
    if cls is not None and first is not None and first.name in ("self", "cls"):
        made = (
            one.make_receiver(cls, code, state)
            if first.name == "self"
            else Value(("class", cls), things=(cls,), certain=True)
        )
        given = {**given, first.variable: made}
    return one.start(code, given, state)


def build_client_arguments(code: ir.Code, named: Callable[[str], Value] = build_argument) -> dict[ir.Variable, Value]:
    """Return the arguments that a client sends: a value of unknown content for each parameter."""
    return {
        each.variable: named(each.name)
        for each in code.parameters
        if each.kind in ("normal", "named", "positional") and each.name not in ("self", "cls")
    }


def _call(run: Evaluator, place: FunctionPlace, tool: str) -> tuple[dict[ir.Variable, Value], Held | None]:
    """Return the arguments that a server passes to the function that receives calls: name and arguments, or one object with both.

    If it reads messages itself, the second part has the contents of the objects made from them.
    """
    code = get_program(run).find_code_at(place.module, place.node)
    name = build_constant(tool) if tool else Value(("request", "name"), INPUT.labels)
    is_message = (place.module.path, place.node.start_byte) in collect_call_handlers(run)
    known = infer_roles(trace_of(run, place.module, place.node)) if is_message else {}
    if known:
        params = build_input_object("params", {"name": name, "arguments": INPUT})
        fields = {"method": build_constant("tools/call"), "params": params, "id": Value(("request", "id"))}
        values = {"method": fields["method"], "message": build_input_object("message", fields), "params": params}
        own = build_client_arguments(code)
        given = {
            each: values[known[value.term]] if value.term in known else Value(("handed", value.term))
            for each, value in own.items()
        }
        made = known.keys() - {each.term for each in own.values()}
        return given, {each: dict(values[known[each]].contents or {}) for each in made}
    request = build_input_object(
        "request",
        {"name": name, "arguments": INPUT, "params": build_input_object("params", {"name": name, "arguments": INPUT})},
    )
    taken = [each for each in code.parameters if each.name not in ("self", "cls") and each.name not in REQUEST]
    before = find_partial(run, place.module.path, place.node.start_byte)
    if before is not None:
        taken = [each for each in taken[len(before.args) :] if each.name not in before.keywords]
    if len(taken) == 1:
        return {taken[0].variable: request}, None
    return {each.variable: value for each, value in zip(taken, (name, INPUT), strict=False)}, None
