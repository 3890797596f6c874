"""Handlers that answer `tools/list` themselves: evaluated last, when all that they refer to is known."""

from reviewer.facts import Condition
from reviewer.failures import contained
from reviewer.languages.python import handlers, revisions
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.frameworks import Registration, is_tool_object
from reviewer.languages.python.modules import Module
from reviewer.languages.python.sdks import is_low_level
from reviewer.languages.python.values import (
    Alternatives,
    Arguments,
    Const,
    Function,
    Guarded,
    Instance,
    Items,
    Method,
    Unknown,
    Value,
    bare,
)
from reviewer.source import Opaque, Span


def resolve(run: Evaluator) -> None:
    """Turn what each list handler returns into registrations, or into a note that it cannot be read."""
    for server, handler, conditions, module in list(run.listings):
        function = handler.function if isinstance(handler, Method) else handler
        if not isinstance(function, Function) or server is None:
            continue
        if not is_low_level(server):
            revisions.by_handler(run, server, function)
            continue
        arguments = Arguments([], {}, module.span(function.node), node=function.node, scope=function.scope)
        run.start()
        with contained("tools that this function lists may be missing", arguments.span), run.only_under(conditions):
            answer = run.call(handler, arguments)
            _take(run, server, handlers.unwrapped(answer), conditions, function, module)


def _take(
    run: Evaluator,
    server: Instance,
    answer: Value,
    conditions: tuple[Condition, ...],
    function: Function,
    module: Module,
) -> None:
    place = function.scope.module.span(function.node)
    match answer:
        case Instance(keywords={"tools": inner}):
            _take(run, server, inner, conditions, function, module)
        case Instance() if is_tool_object(answer):
            run.register(Registration(server, answer, {}, function.node, module, conditions, answer))
        case Items(items=items, open=is_open):
            for item in items:
                further = item.conditions if isinstance(item, Guarded) else ()
                _take(run, server, bare(item), (*conditions, *further), function, module)
            if is_open:
                _note(run, server, "lists more tools at run time", answer.span)
        case Alternatives(values=values, span=span):
            for index, value in enumerate(_distinct(values)):
                # No list has the tools of two answers, so each answer is a condition of its own.
                choice = (Condition("one of several answers", span, (index,)),) if len(values) > 1 else ()
                _take(run, server, value, (*conditions, *choice), function, module)
        case Const():
            return
        case Unknown(reason=reason, span=span):
            _note(run, server, f"lists tools at run time: {reason}", span if span.path else place)
        case _:
            _note(run, server, "lists tools at run time", place)


def _distinct(values: tuple[Value, ...]) -> list[Value]:
    found: list[Value] = []
    for value in values:
        if not any(value is other for other in found) and not isinstance(value, Const):
            found.append(value)
    return found


def _note(run: Evaluator, server: Instance, reason: str, span: Span) -> None:
    run.unlisted.append((server, Opaque(reason, span)))
