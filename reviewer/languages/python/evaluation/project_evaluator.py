"""The evaluation of a project: the parts that `Evaluator` leads to, put together."""

from typing import Any

from tree_sitter import Node

from reviewer.facts import Hole
from reviewer.failures import contained
from reviewer.languages.nodes import list_children
from reviewer.languages.python.declarations import registering
from reviewer.languages.python.evaluation import calls, comprehensions, expressions, names, statements
from reviewer.languages.python.evaluation.evaluator import PATIENCE, BlockOutcome, Evaluator
from reviewer.languages.python.evaluation.values import (
    UNSURE,
    CallArguments,
    PyClass,
    PyInstance,
    PyScope,
    PyValue,
    assume_default,
)
from reviewer.languages.python.project.modules import PyModule
from reviewer.source import Span

NESTING = 90
"""Expressions inside expressions, over all calls: Python's own stack bounds it."""

MAKING = frozenset(
    "binary_operator unary_operator call string concatenated_string list tuple expression_list set dictionary subscript"
    " list_comprehension set_comprehension generator_expression dictionary_comprehension".split()
)
"""Expressions that make a value; others give one that was made before."""


class ProjectEvaluator(Evaluator):
    """Evaluates the modules of one project."""

    def evaluate_module(self, module: PyModule) -> PyScope:
        """Return a module's names, evaluating its body when first asked."""
        scope = self._scopes.get(module.path)
        if scope is None:
            scope = self._scopes[module.path] = PyScope(module)
            before = self._steps, self._limit, self._heard, self._begun
            self.start(PATIENCE, module.source.find_line_span(1))
            unread = contained("the file was not read to its end", module.source.find_line_span(1))
            self.reading.append(module)
            with unread, self.only_under(()), self.budget.share("bytes"):
                self.execute(list_children(module.root), scope)
            self.reading.pop()
            self._steps, self._limit, self._heard, self._begun = before
        return scope

    def evaluate(self, node: Node, scope: PyScope) -> PyValue:
        """Evaluate an expression."""
        if not self.step():
            return self.stop_evaluation("steps", node, scope)
        if self._nesting > NESTING:
            return self.build_unknown("an expression that is nested too deeply", node, scope)
        self._nesting += 1
        try:
            value = expressions.evaluate(self, node, scope)
        finally:
            self._nesting -= 1
        if node.type in MAKING:
            value = self.limit_value(value, node, scope)
        if not isinstance(value, UNSURE):
            return value
        plain, reason = assume_default(value)
        if reason is None:
            return value
        self.met += 1
        if not self.is_assuming:
            return value
        self.reasons.append(reason)
        return plain

    def execute(self, block: list[Node], scope: PyScope) -> BlockOutcome:
        """Execute statements."""
        return statements.execute(self, block, scope)

    def execute_body(self, block: list[Node], scope: PyScope, span: Span) -> PyValue:
        """Execute a function's body and give what it returns."""
        return statements.execute_body(self, block, scope, span)

    def evaluate_comprehension(self, node: Node, scope: PyScope) -> PyValue:
        """Evaluate a comprehension."""
        return comprehensions.evaluate_comprehension(self, node, scope)

    def call(self, callee: PyValue, arguments: CallArguments) -> PyValue:
        """Call a value."""
        return calls.call(self, callee, arguments)

    def make(self, cls: PyClass, arguments: CallArguments) -> PyValue:
        """Make an instance of a class of the project."""
        return calls.instantiate(self, cls, arguments)

    def resolve_name(self, name: str, scope: PyScope, node: Node) -> PyValue:
        """Find what a name means."""
        return names.resolve_name(self, name, scope, node)

    def resolve_member(self, module: PyModule, name: str, span: Span) -> PyValue:
        """Find a name of a module."""
        return names.resolve_member(self, module, name, span)

    def resolve_attribute(self, receiver: PyValue, name: str, node: Node, scope: PyScope) -> PyValue:
        """Find an attribute of a value."""
        return names.resolve_attribute(self, receiver, name, scope.module.locate(node))

    def as_tool(self, made: PyInstance) -> PyInstance | None:
        """Return the tool that `Tool.from_function(...)` makes as an object, for code that looks into it before it adds it."""
        return registering.as_tool(self, made)

    def read_model_schema(self, cls: PyClass, path: str, span: Span) -> tuple[Any, Hole | None]:
        """Return the result of `Model.model_json_schema()`, or the hole at `path` if it is unknown."""
        from reviewer.languages.python.declarations.schemas import (
            build_model_schema,  # pydantic: most reviews ask for no schema here
        )

        return build_model_schema(self, cls, path, span)
