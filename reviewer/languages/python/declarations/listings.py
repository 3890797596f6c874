"""Handlers that answer `tools/list` themselves: evaluated last, when all that they refer to is known."""

from dataclasses import field

from tree_sitter import Node

from reviewer.budget import ExhaustedError
from reviewer.facts import Condition
from reviewer.failures import contained
from reviewer.languages.python.declarations import handlers, revisions
from reviewer.languages.python.declarations.registrations import Registration
from reviewer.languages.python.declarations.sdks import is_low_level, is_tool_object
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    CallArguments,
    Const,
    External,
    PyGuarded,
    PyInstance,
    PyItems,
    PyMapping,
    PyUnknown,
    PyValue,
    strip_conditions,
)
from reviewer.languages.python.project.modules import PyModule
from reviewer.records import dataclass
from reviewer.source import Opaque, Span

TOOL = "mcp.types.Tool"
"""What stands for a tool that is written as a dict."""


def resolve(run: Evaluator) -> None:
    """Turn what each list handler returns into registrations, or into a note that it cannot be read."""
    for server, handler, conditions, module in list(run.listings):
        function = handlers.resolve_function(handler)
        if function is None or server is None:
            continue
        if not is_low_level(server):
            revisions.note_handler(run, server, function)
            continue
        arguments = CallArguments([], {}, module.locate(function.node), node=function.node, scope=function.scope)
        run.start()
        with contained("tools that this function lists may be missing", arguments.span), run.only_under(conditions):
            answer = run.call(handler, arguments)
            PythonListing(run, server, function.node, function.scope.module).take(
                handlers.unwrap_envelope(answer), conditions
            )


@dataclass(frozen=True, slots=True)
class PythonListing:
    """The tools that a function answers with, or another piece of code."""

    run: Evaluator
    server: PyInstance
    node: Node
    module: PyModule
    _noted: set[Opaque] = field(default_factory=set)

    def take(self, answer: PyValue, conditions: tuple[Condition, ...]) -> None:
        """Register the tools of an answer, and note what of it cannot be read.

        Raises ExhaustedError: an answer of a few lines can hold itself a billion times.
        """
        if not self.run.step():
            raise ExhaustedError("steps")
        match answer:
            case PyInstance(keywords={"tools": inner}):
                self.take(inner, conditions)
            case PyInstance() if is_tool_object(answer):
                self._register(answer, conditions)
            case PyMapping():
                self._write(answer, conditions)
            case PyItems(items=items, open=is_open):
                for item in items:
                    further = item.conditions if isinstance(item, PyGuarded) else ()
                    self.take(strip_conditions(item), (*conditions, *further))
                if is_open:
                    self._note("lists more tools at run time", answer.span)
            case Alternatives(values=values, span=span):
                for index, value in enumerate(_collect_distinct(values)):
                    # No list has the tools of two answers, so each answer is a condition of its own.
                    choice = (Condition("one of several answers", span, (index,)),) if len(values) > 1 else ()
                    self.take(value, (*conditions, *choice))
            case Const():
                return
            case PyUnknown(reason=reason, span=span):
                self._note(f"lists tools at run time: {reason}", span if span.path else self._place())
            case _:
                self._note("lists tools at run time", self._place())

    def _write(self, answer: PyMapping, conditions: tuple[Condition, ...]) -> None:
        """Take a dict: a tool that is written as one, or an answer that holds a list of tools."""
        tools = answer.get("tools")
        if answer.get("name") is not None:
            parts = {str(key.value): strip_conditions(value) for key, value in answer.entries if isinstance(key, Const)}
            self._register(PyInstance(External(TOOL, answer.span), [], parts, answer.span), conditions)
        elif tools is not None:
            self.take(tools, conditions)
        elif answer.open:
            self._note("lists tools at run time: a dict that only a run can tell", answer.span)

    def _register(self, tool: PyInstance, conditions: tuple[Condition, ...]) -> None:
        made = Registration(self.server, tool, {}, self.node, self.module, conditions, tool, answer=self)
        self.run.register(made)

    def _place(self) -> Span:
        return self.module.locate(self.node)

    def _note(self, reason: str, span: Span) -> None:
        note = Opaque(reason, span)
        if note not in self._noted:
            self._noted.add(note)
            self.run.unlisted.append((self.server, note))


def _collect_distinct(values: tuple[PyValue, ...]) -> list[PyValue]:
    found: list[PyValue] = []
    for value in values:
        if not any(value is other for other in found) and not isinstance(value, Const):
            found.append(value)
    return found
