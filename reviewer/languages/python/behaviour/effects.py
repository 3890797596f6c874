"""What happens when a tool is called: its own function and those of the project that it calls, act by act."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from tree_sitter import Node

from reviewer.behaviour.effects.handler_effects import KINDS, iter_effects
from reviewer.behaviour.results.outcomes import iter_outcomes
from reviewer.behaviour.results.payloads import iter_payloads
from reviewer.behaviour.values.decorators import ExceptionClause
from reviewer.code.events import Trace
from reviewer.code.ir import Site
from reviewer.code.values import Class
from reviewer.facts import Act, ActKind, Acts, FunctionOutcome, Lazy
from reviewer.languages.nodes import decode_node, find_child, find_descendants
from reviewer.languages.python.behaviour.name_resolution import FunctionPlace, find_enclosing
from reviewer.languages.python.behaviour.tracing import get_program, trace_of, trace_of_call
from reviewer.languages.python.behaviour.wrapping import iter_layer_clauses, iter_layer_traces
from reviewer.languages.python.evaluation import values
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import PyFunction
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.types.functions import read_fields
from reviewer.source import Text
from reviewer.text.patterns import pattern

ANSWERS: frozenset[ActKind] = frozenset({"succeeds in error"})
"""What is done by what answers a failure, and is no matter of the block that failed."""


def collect_function_acts(run: Evaluator, function: PyFunction) -> Acts:
    """Return the acts of a tool's function."""
    shown = function.unwrap()
    body = find_child(shown.node, "body")
    error_boundaries = Lazy(lambda: iter_layer_clauses(run, function))
    if body is None:
        return Acts()
    found = collect_block_acts(run, shown.scope.module, body, error_boundaries)
    return (
        Acts(lambda kinds: chain(found.select_kinds(*kinds), _iter_for_layers(run, function, kinds & LAID)))
        if function.wraps
        else found
    )


LAID: frozenset[ActKind] = frozenset({"blocks", "prints", "swallows cancellation"})
"""What a decorator does around each call as if the function did it; what it writes is no change that the tool makes."""


def _iter_for_layers(run: Evaluator, function: PyFunction, kinds: frozenset[ActKind]) -> Iterator[Act]:
    for trace in iter_layer_traces(run, function) if kinds else ():
        yield from iter_effects(trace, get_program(run), kinds)


def iter_function_outcomes(run: Evaluator, function: PyFunction) -> Iterator[FunctionOutcome]:
    """Yield the kinds of what a tool's function answers, and of what is answered for it where it fails."""
    shown = function.unwrap()
    if shown.node.type == "function_definition" and not _yields(shown.node):
        yield from iter_outcomes(trace_of(run, shown.scope.module, shown.node), get_program(run))
    for each in iter_layer_clauses(run, function):
        yield from iter_outcomes(each.trace, get_program(run), each.at)


INWARD = frozenset("domain dto entity entities vendor payload raw response resp upstream api".split())
"""What is called so is of the inner or the foreign side, and no answer unless the tool declares it as one."""

# The names in a return annotation: a class that the tool declares as its answer is no inner one.
NAME = pattern(r"\w+")


def iter_returned_payloads(run: Evaluator, function: PyFunction, *, filling_models: bool = False) -> Iterator[Text]:
    """Yield the expressions by which a tool's function hands a payload on: as it came, or as a whole into a model."""
    if function.node.type != "function_definition":
        return
    annotation = find_child(function.node, "return_type")
    said = set(NAME.findall(decode_node(annotation))) if annotation is not None else set()

    def is_inner(kind: Class) -> bool:
        return kind.name not in said and _is_inner(kind)

    found = iter_payloads(trace_of(run, function.scope.module, function.node), get_program(run), is_inner)
    yield from (each.at for each in found if each.fills_model is filling_models)


def _is_inner(kind: Class) -> bool:
    """Return whether a class with fields is called, or lies, on the inner or the foreign side."""
    cls, named = kind.handle, kind.name.lower()
    if not isinstance(cls, values.PyClass) or not read_fields(cls):
        return False
    lies = {part.lower().strip("_") for part in cls.scope.module.parts}
    return not INWARD.isdisjoint(lies) or named.endswith(("dto", "entity", "payload", "domain"))


def _yields(node: Node) -> bool:
    return any(True for _ in find_descendants(node, "python", "yield"))


def collect_block_acts(
    run: Evaluator,
    module: PyModule,
    body: Node,
    error_boundaries: Iterable[ExceptionClause] = (),
    trace: Callable[[], Trace] | None = None,
) -> Acts:
    """Return the acts of a block that answers a tool or an action, with the `error_boundaries` that handle its failures.

    `trace` returns the trace of its function, if its arguments are known better than that they exist.
    """

    def iter_acts(kinds: frozenset[ActKind]) -> Iterator[Act]:
        if kinds & KINDS:
            yield from _iter_effects(run, module, body, kinds, trace)
        if kinds & ANSWERS:
            for each in error_boundaries:
                if _is_called(run, module, body, each):
                    continue  # who calls it may ask what it answers: looked at with the block
                yield from iter_effects(each.trace, get_program(run), kinds & ANSWERS, each.at)

    return Acts(iter_acts)


def collect_call_acts(run: Evaluator, dispatcher: FunctionPlace, tool: str) -> Acts:
    """Return the acts, for one tool, of a function that receives the calls of all tools."""
    return Acts(
        lambda kinds: iter_effects(trace_of_call(run, dispatcher, tool), get_program(run), kinds & (KINDS | ANSWERS))
    )


def _is_called(run: Evaluator, module: PyModule, body: Node, clause: ExceptionClause) -> bool:
    """Return whether the function that a clause stands in is called by the one of a block."""
    own, other = find_enclosing(body), clause.trace.code
    if own is None or own.type != "function_definition":
        return False
    trace = trace_of(run, module, own)
    return other is not trace.code and other in trace.collect_codes()


def _iter_effects(
    run: Evaluator, module: PyModule, body: Node, kinds: frozenset[ActKind], trace: Callable[[], Trace] | None
) -> Iterator[Act]:
    function = find_enclosing(body)
    if function is not None and function.type == "function_definition":
        within = Site(body.start_byte, body.end_byte)
        found = trace() if trace is not None else trace_of(run, module, function)
        for act in iter_effects(found, get_program(run), kinds, within):
            if act.kind != "prints" or not _runs_elsewhere(run, act):
                yield act


def _runs_elsewhere(run: Evaluator, act: Act) -> bool:
    """Return whether nothing can import the module of an act, and it serves nothing itself: as the plugin of an editor does."""
    module = run.modules.by_path.get(act.text.span.path)
    return module is not None and not module.parts[-1].isidentifier() and b".run(" not in module.source.data
