"""Abstract runs of the functions of a project: what a tool's function does with the arguments of a call."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from tree_sitter import Node

from reviewer.behaviour.arguments.inputs import INPUT, build_input_object
from reviewer.behaviour.concurrency.polling import SIGNAL
from reviewer.behaviour.failures.boundaries import NEAR, NEARBY, is_cut
from reviewer.code import ir
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.run import Run, RunBounds
from reviewer.code.state import Facts, State
from reviewer.code.values import Label, Value, build_argument, build_constant
from reviewer.languages.nodes import find_nearest_of_kinds
from reviewer.languages.typescript.lowering.functions import CLASSES
from reviewer.languages.typescript.lowering.scopes import FUNCTIONS
from reviewer.languages.typescript.project.modules import Modules, ScriptModule
from reviewer.languages.typescript.project.program import TypeScriptProgram
from reviewer.records import dataclass
from reviewer.source import Span

RUNNING = tuple(sorted(FUNCTIONS - CLASSES))
"""The types of nodes that are functions."""

CONTEXT = Value(("request", "extra"), frozenset({Label("request", "extra")}))
"""What FastMCP hands to a function beside the arguments: the session, and what reports progress."""

ABORTED = Value(("request", "signal"), frozenset({SIGNAL}))
EXTRA = CONTEXT._replace(contents={"signal": ABORTED, ("signal",): ABORTED})
"""What the SDK hands to a handler beside the arguments: the signal of a cancellation, the session, what sends notifications."""


@dataclass(frozen=True, slots=True)
class FunctionPlace:
    """A function of the project and the module that it stands in."""

    module: ScriptModule
    node: Node

    @property
    def key(self) -> tuple[str, int]:
        """What tells it from others."""
        return self.module.path, self.node.start_byte


@dataclass(eq=False)
class Handlers:
    """The functions to which the calls of tools come.

    `inputs` are those that are tools, by path and first byte, each with whether it is handed arguments; `dispatchers` those
    that take the calls of all.
    """

    modules: Modules
    program: TypeScriptProgram
    inputs: dict[tuple[str, int], bool] = field(default_factory=dict)
    dispatchers: list[FunctionPlace] = field(default_factory=list)

    def place_at(self, span: Span) -> FunctionPlace | None:
        """Return the function that a place lies in."""
        module = self.modules.by_path.get(span.path)
        if module is None:
            return None
        node = module.root.descendant_for_byte_range(*module.source.reach(span))
        found = find_nearest_of_kinds(node, *RUNNING)
        return FunctionPlace(module, found) if found is not None else None

    def find_code(self, place: FunctionPlace) -> ir.Code:
        """Return the code of a function."""
        return self.program.find_code_at(place.module.path, place.node)

    def is_dispatcher(self, place: FunctionPlace) -> bool:
        """Return whether a function takes the calls of all tools."""
        return any(each.key == place.key for each in self.dispatchers)

    def build_arguments(self, place: FunctionPlace, tool: str = "", sent: Value = INPUT) -> dict[ir.Variable, Value]:
        """Return the arguments that a client sends: all in one object, or the request; any value for a function that is
        no handler.
        """
        taken = [each for each in self.find_code(place).parameters if each.kind == "normal"]
        if self.is_dispatcher(place):
            given: tuple[Value, ...] = (build_request(tool, sent), EXTRA)
        elif place.key in self.inputs:
            beside = EXTRA if self.program.hands_signal(self.find_code(place)) else CONTEXT
            given = (sent, beside) if self.inputs[place.key] else (beside,)
        else:
            return {each.variable: build_argument(each.name) for each in taken if each.name}
        return {each.variable: value for each, value in zip(taken, given, strict=False)}

    def trace_of(self, place: FunctionPlace, tool: str = "") -> Trace:
        """Return the trace of a function for arguments of any value, made once for each function and tool."""
        key = (self.find_code(place), tool)
        if key not in self.program.traces:
            run = Interpreter(self.program, summaries=self.program.summaries, tool=tool)
            self.program.traces[key] = run.start(key[0], self.build_arguments(place, tool), State())
        return self.program.traces[key]

    def trace_near(self, place: FunctionPlace) -> Trace:
        """Return the trace of a function; if it is too large, followed only as far as most error boundaries are."""
        whole = self.trace_of(place)
        if not is_cut(whole):
            return whole
        key = (whole.code, NEAR)
        if key not in self.program.traces:
            self.program.traces[key] = self.trace_within(place, NEARBY)
        return self.program.traces[key]

    def trace_within(self, place: FunctionPlace, bounds: RunBounds) -> Trace:
        """Return the trace of a function, followed within some bounds."""
        run = Interpreter(self.program, bounds, self.program.summaries)
        return run.start(self.find_code(place), self.build_arguments(place), State())

    def rerun(self, place: FunctionPlace, tool: str = "") -> Callable[[Run, Facts], Trace]:
        """Return a callable that runs a function again, as `trace_of` does, in a run that knows more."""
        code, given = self.find_code(place), self.build_arguments(place, tool)
        return lambda run, facts: run.start(code, dict(given), State(facts=facts))

    def iter_functions(self, module: ScriptModule, places: Iterable[tuple[int, int]]) -> Iterator[FunctionPlace]:
        """Yield the innermost functions of a module in which some stretches of bytes lie, each once."""
        seen: set[int] = set()
        for start, end in places:
            node = find_nearest_of_kinds(module.root.descendant_for_byte_range(start, end), *RUNNING)
            if node is not None and node.start_byte not in seen:
                seen.add(node.start_byte)
                yield FunctionPlace(module, node)


def build_request(tool: str, sent: Value = INPUT) -> Value:
    """Return the request by which a client calls a tool; any, if it has no name."""
    name = build_constant(tool) if tool else Value(("request", "name"), INPUT.labels)
    params = build_input_object("params", {"name": name, "arguments": sent})
    return build_input_object("request", {"method": build_constant("tools/call"), "params": params})
