"""What the parts of an evaluation share: its state, and the ways from each part to the others.

No part is imported here, so that each may import this; `project_evaluator.py` puts them together. Evaluation is bounded: in
steps, in depth of calls and in rounds of a loop. What lies beyond a bound is Unknown.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import field
from typing import Any

from tree_sitter import Node

from reviewer.budget import BOUNDS, REASONS, Budget, Resource, get_budget
from reviewer.facts import Condition, Hole, Schema, Tool
from reviewer.files.discovery import Tree
from reviewer.languages.nodes import decode_node
from reviewer.languages.python.declarations.registrations import Mount, ProviderFolder, Registration, Revision
from reviewer.languages.python.evaluation.amounts import FREE, TOO_LARGE, estimate_size, is_sendable, is_too_large
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    PyClass,
    PyFunction,
    PyInstance,
    PyScope,
    PyUnknown,
    PyValue,
    assume_default,
)
from reviewer.languages.python.project.modules import Modules, PyModule
from reviewer.records import dataclass
from reviewer.source import Opaque, Span, Text

STEPS = BOUNDS["steps"].share
"""Expressions evaluated from one starting point: a module's body, a function without a caller, a tool's declaration."""
PATIENCE = 250_000
"""Expressions of a module's body, or of a function without a caller, after the last one that declared something.

Code that declares nothing for so long, such as an interpreter of programs, is the project's work and not its
declarations.
"""
DEPTH = 14
"""Nested calls; a deeper result is unknown. The deepest registration in 40 servers went through 13."""
RECURSION = 6
"""Nested calls of the same function: code that rewrites schemas recurses once for each level of them.

One of 40 servers came to the end of it.
"""


@dataclass(frozen=True, slots=True)
class AttributeWrite:
    """A write to an attribute, with what was there before."""

    holder: PyInstance | PyFunction
    name: str
    before: PyValue | None


@dataclass(slots=True)
class BlockOutcome:
    """What a block came to: the values it may return, and whether it surely ends there (`return`, `raise`, `continue`).

    `is_undecided` tells of an `if` that only a run can decide whether its first branch is taken, `likely` whether it is if
    nothing is configured. Where `assumed` names what decides, the first value is the one that is returned then.
    """

    values: list[PyValue]
    ended: bool = False
    broke: bool = False
    is_undecided: bool = False
    likely: bool | None = None
    assumed: str | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the returned value is known if nothing is configured."""
        return len(self.values) < 2 or self.assumed is not None


@dataclass(eq=False)
class Assumptions:
    """What a client is supposed to ask for, and what was seen meanwhile."""

    asking: str | None = None
    """The method, None if nothing is supposed."""
    told: list[PyValue] = field(default_factory=list)
    """What was told under `tools` while the list of tools is asked for."""
    defined: list[PyFunction] = field(default_factory=list)
    """The functions that were defined."""
    answering: list[PyValue] = field(default_factory=list)
    """What was put under the name of the method."""
    calling: list[PyValue] = field(default_factory=list)
    """What was put under the name of the method by which tools are called, over all."""
    watched: PyClass | None = None
    """A class whose objects are kept in `seen`, while code is evaluated that makes some."""
    seen: list[PyInstance] = field(default_factory=list)


@dataclass(eq=False)
class Evaluator(ABC):
    """Evaluates the modules of one project; `registrations` and the other lists are what comes of it."""

    modules: Modules
    files: Tree
    registrations: list[Registration] = field(default_factory=list)
    servers: list[PyInstance] = field(default_factory=list)
    providers: list[PyInstance] = field(default_factory=list)
    """What holds tools for the servers it is given to."""
    folders: list[ProviderFolder] = field(default_factory=list)
    listings: list[tuple[PyInstance | None, PyValue, tuple[Condition, ...], PyModule]] = field(default_factory=list)
    callings: list[PyValue] = field(default_factory=list)
    """What servers are told to call for the calls of all tools."""
    bare: list[PyValue] = field(default_factory=list)
    """Those of them that stand in a server's own table, with nothing of an SDK around them."""
    replaced: list[tuple[Text, Text]] = field(default_factory=list)
    """The names of objects in whose place in a table one of another class was put, where both say them."""
    mounts: list[Mount] = field(default_factory=list)
    namespaces: list[Mount] = field(default_factory=list)
    """The prefixes that servers and providers put before all their names, each as a mount on itself."""
    starts: set[tuple[str, int]] = field(default_factory=set)
    """The calls that start a server, by path and first byte."""
    unlisted: list[tuple[PyInstance, Opaque]] = field(default_factory=list)
    """What the list handlers of servers keep to run time."""
    revisions: list[Revision] = field(default_factory=list)
    action_specs: list[tuple[PyInstance, PyModule]] = field(default_factory=list)
    classes: list[PyClass] = field(default_factory=list)
    """Every class of the project, in the order of definition."""
    dynamic: set[str] = field(default_factory=set)
    """The files that code imports by name."""
    effective: set[str] = field(default_factory=set)
    """The files that are imported for what they do when they are, and not for their names."""
    entered: set[tuple[str, int]] = field(default_factory=set)
    fruitful: set[tuple[str, int]] = field(default_factory=set)
    """The functions during whose calls tools were declared or changed, by file and first byte."""
    uncalled: dict[Condition, PyFunction] = field(default_factory=dict)
    """The functions that were called with stand-ins, for want of a call, by what is said of the tools that this declared."""
    conditions: tuple[Condition, ...] = ()
    turn: tuple[int, ...] = ()
    """The rounds of the loops that are being gone through, the innermost last."""
    same_server: dict[int, PyInstance] = field(default_factory=dict)
    """The first server that a call made, by the identity of each that the same call made again."""
    made: list[PyInstance] = field(default_factory=list)
    """Every server that was made, kept so that identities stay unique."""

    literals: dict[int, tuple[Node, Const]] = field(default_factory=dict)
    """What literals came to, by the identity of their nodes, which are kept so that identities stay unique."""
    memory: dict[tuple[object, ...], PyValue] = field(default_factory=dict)
    """What calls gave that declared nothing, by function and arguments; `kept` keeps those alive."""
    kept: list[PyValue] = field(default_factory=list)

    types: dict[int, Any] = field(default_factory=dict)
    rebuilt: list[PyClass] = field(default_factory=list)
    """Classes, aliases and type variables that were rebuilt as real types, by the identity of the value."""

    cut: dict[tuple[str, Resource], Span] = field(default_factory=dict)
    """Where a bound ended an evaluation, or where that began if it was in another file, by the file and by what was spent."""

    schemas: dict[int, Schema] = field(default_factory=dict)
    """The schemas that values stand for, by identity."""
    done: dict[tuple[str, int], Any] = field(default_factory=dict)
    """What was read of what functions do, by file and first byte."""
    listed: list[PyValue] | None = None
    """The tools that a server lists, while code that rewrites the list is evaluated."""
    read_tool: Callable[[Registration], Tool | Opaque] | None = None
    """Reads a registration, for code that looks at what it has registered."""
    supposed: Assumptions = field(default_factory=Assumptions)
    """What a client is supposed to ask for, while code is evaluated that reads requests itself, and what it is told."""
    closures: dict[tuple[str, int], list[PyFunction]] = field(default_factory=dict)
    """The functions that calls of other functions defined, by file and first byte: one for each call."""
    clock: int = 0
    """How many names were bound anew so far; tells moments apart."""
    moment: int | None = None
    """The moment as of which names are looked up, None for now."""
    is_assuming: bool = False
    """Whether values are given as they are if nothing is configured; `reasons` collects what that decided."""
    reasons: list[str] = field(default_factory=list)
    writes: list[list[AttributeWrite]] = field(default_factory=list)
    """What was written to attributes on each branch of the undecided tests that are being evaluated, the innermost last."""
    created_in_branches: list[list[PyInstance]] = field(default_factory=list)
    """The objects that were created in the branches of undecided tests that are being evaluated, which the other branch lacks."""
    reading: list[PyModule] = field(default_factory=list)
    """The modules whose bodies are being evaluated, the innermost last."""
    undecided_branches: int = 0
    """How many tests were met that only a run can decide."""
    met: int = 0
    """How many values were met that depend on configuration."""

    _registered: set[tuple[object, ...]] = field(default_factory=set)
    _scopes: dict[str, PyScope] = field(default_factory=dict)
    saturated: set[tuple[str, int]] = field(default_factory=set)
    """Functions that were called again and declared only what they had declared before."""

    budget: Budget = field(default_factory=get_budget)
    """The budget of the review, which holds for what is read of its servers later, too."""
    _steps: int = 0
    _limit: int = STEPS
    _begun: Span | None = None
    """Where the current evaluation began; None if that is unknown."""
    _heard: int = 0
    """How much was declared when the limit was set."""
    _nesting: int = 0
    _stack: list[PyFunction] = field(default_factory=list)

    @abstractmethod
    def evaluate_module(self, module: PyModule) -> PyScope:
        """Return a module's names, evaluating its body when first asked."""

    @abstractmethod
    def evaluate(self, node: Node, scope: PyScope) -> PyValue:
        """Evaluate an expression."""

    @abstractmethod
    def execute(self, block: list[Node], scope: PyScope) -> BlockOutcome:
        """Execute statements."""

    @abstractmethod
    def execute_body(self, block: list[Node], scope: PyScope, span: Span) -> PyValue:
        """Execute a function's body and give what it returns."""

    @abstractmethod
    def evaluate_comprehension(self, node: Node, scope: PyScope) -> PyValue:
        """Evaluate a comprehension."""

    @abstractmethod
    def call(self, callee: PyValue, arguments: CallArguments) -> PyValue:
        """Call a value."""

    @abstractmethod
    def make(self, cls: PyClass, arguments: CallArguments) -> PyValue:
        """Make an instance of a class of the project."""

    @abstractmethod
    def resolve_name(self, name: str, scope: PyScope, node: Node) -> PyValue:
        """Find what a name means."""

    @abstractmethod
    def resolve_member(self, module: PyModule, name: str, span: Span) -> PyValue:
        """Find a name of a module."""

    @abstractmethod
    def resolve_attribute(self, receiver: PyValue, name: str, node: Node, scope: PyScope) -> PyValue:
        """Find an attribute of a value."""

    @abstractmethod
    def as_tool(self, made: PyInstance) -> PyInstance | None:
        """Return the tool that `Tool.from_function(...)` makes as an object, for code that looks into it before it adds it."""

    @abstractmethod
    def read_model_schema(self, cls: PyClass, path: str, span: Span) -> tuple[Any, Hole | None]:
        """Return the result of `Model.model_json_schema()`, or the hole at `path` if it is unknown."""

    def evaluate_import(self, module: PyModule, *, for_effect: bool = False) -> None:
        """Evaluate a module where it is imported, if that may declare something, or if it is imported for nothing else."""
        if for_effect:
            self.effective.add(module.path)
        if module.may_declare or for_effect:
            self.evaluate_module(module)

    def limit_value(self, value: PyValue, node: Node, scope: PyScope) -> PyValue:
        """Return a value that an expression made, unless it is too large, or more than the budget affords."""
        if is_too_large(value):
            return self.build_unknown(TOO_LARGE, node, scope)
        if isinstance(value, Const) and isinstance(value.value, str) and not is_sendable(value.value):
            return self.build_unknown("a string with a lone surrogate, which no server can send", node, scope)
        size = estimate_size(value)
        return (
            value if size <= FREE or self.budget.affords("bytes", size) else self.stop_evaluation("bytes", node, scope)
        )

    def stop_evaluation(self, resource: Resource, node: Node, scope: PyScope) -> PyUnknown:
        """Note that a bound ends the evaluation here, and give what stands for the value."""
        here = scope.module.locate(node)
        at = here if self._begun is None or self._begun.path == here.path else self._begun
        self.cut.setdefault((at.path, resource), at)
        return self.build_unknown(REASONS[resource], node, scope)

    def bind(self, scope: PyScope, name: str, value: PyValue) -> None:
        """Bind a name, and remember what it meant before."""
        if name in scope.names:
            self.clock += 1
            scope.before.setdefault(name, []).append((self.clock, scope.names[name]))
        scope.names[name] = value

    @contextmanager
    def as_of(self, moment: int | None) -> Iterator[None]:
        """Look names up as they were at a moment."""
        before, self.moment = self.moment, moment
        try:
            yield
        finally:
            self.moment = before

    def write(self, holder: PyInstance | PyFunction, name: str, value: PyValue) -> None:
        """Set an attribute of an object, so that an undecided test can take it back."""
        if self.writes:
            self.writes[-1].append(AttributeWrite(holder, name, holder.attributes.get(name)))
        holder.attributes[name] = value

    def evaluate_assuming(self, evaluate: Callable[[], PyValue]) -> tuple[PyValue, str | None]:
        """Evaluate under the assumption that nothing is configured; give the value and what was assumed for it."""
        with self.assuming(True):
            before = len(self.reasons)
            value, reason = assume_default(evaluate())
            reasons = self.reasons[before:]
            del self.reasons[before:]
        return value, reasons[0] if reasons else reason

    @contextmanager
    def assuming(self, yes: bool) -> Iterator[None]:
        """Evaluate with or without the assumption that nothing is configured."""
        before, self.is_assuming = self.is_assuming, yes
        try:
            yield
        finally:
            self.is_assuming = before

    def build_unknown(self, reason: str, node: Node, scope: PyScope) -> PyUnknown:
        """Say that a node's value is not to be known."""
        return PyUnknown(reason, scope.module.locate(node))

    @property
    def declared(self) -> int:
        """Count what was declared so far, to tell whether a call declared something."""
        return (
            len(self.registrations) + len(self.made) + len(self.listings) + len(self.mounts) + len(self.starts)
            + len(self.action_specs) + len(self.supposed.told)
        )  # fmt: skip

    @property
    def _fruit(self) -> int:
        """Count what tells of tools so far: what declares them, and what changes or hides them."""
        declaring = len(self.registrations) + len(self.listings) + len(self.mounts) + len(self.folders)
        return declaring + len(self.revisions) + len(self.namespaces) + len(self.unlisted)

    def start(self, most: int = STEPS, begun: Span | None = None) -> None:
        """Begin at another starting point, `begun`, with steps of its own; `most` of them while nothing is declared."""
        self._steps, self._limit, self._heard, self._begun = 0, most, self.declared, begun

    def step(self) -> bool:
        """Count a step; tell whether it may be taken."""
        self._steps += 1
        if self._steps > self._limit and self.declared > self._heard:
            self._limit, self._heard = min(self._steps + PATIENCE, STEPS), self.declared
        return self._steps <= self._limit and self.budget.affords("steps")

    @property
    def exhausted(self) -> bool:
        """Whether the bound of steps is reached."""
        return self._steps > self._limit or self.budget.count_remaining("steps") < 1

    def with_conditions(self, *conditions: Condition) -> AbstractContextManager[None]:
        """Evaluate under further conditions."""
        if not conditions:
            return nullcontext()
        return self.only_under((*self.conditions, *(each for each in conditions if each not in self.conditions)))

    @contextmanager
    def only_under(self, conditions: tuple[Condition, ...]) -> Iterator[None]:
        """Evaluate under these conditions instead of the present ones."""
        before, self.conditions = self.conditions, conditions
        try:
            yield
        finally:
            self.conditions = before

    @contextmanager
    def inside(self, function: PyFunction) -> Iterator[bool]:
        """Enter a function's body, or yield False where depth or recursion forbids it."""
        key = (function.scope.module.path, function.node.start_byte)
        if (
            key in self.saturated
            or len(self._stack) >= DEPTH
            or sum(each.node == function.node for each in self._stack) > RECURSION
        ):
            yield False
            return
        self._stack.append(function)
        self.entered.add(key)
        before, fruit = len(self.registrations), self._fruit
        try:
            yield True
        finally:
            self._stack.pop()
            made = self.registrations[before:]
            if self._fruit > fruit:
                self.fruitful.add(key)
            if len(made) > 1 and all(each.is_repeated for each in made):
                self.saturated.add(key)

    def register(self, made: Registration) -> None:
        """Keep a tool that is handed to a server."""
        name = made.keywords.get("name")
        shown = made.function.unwrap() if isinstance(made.function, PyFunction) else None
        key = (
            id(made.server),
            made.node.start_byte,
            made.module.path,
            (shown.scope.module.path, shown.node.start_byte) if shown is not None else id(made.function),
            str(name.value) if isinstance(name, Const) else None,
        )
        made.is_repeated = key in self._registered
        self._registered.add(key)
        self.registrations.append(made)

    def build_condition(self, text: str, node: Node, scope: PyScope) -> Condition:
        """Make a condition from the source of a test."""
        source = " ".join(decode_node(node).split())
        return Condition(
            f"{text} {source}" if len(source) <= 80 else f"{text} {source[:77]}...",
            scope.module.locate(node),
            self.turn,
        )

    @contextmanager
    def turning(self, index: int) -> Iterator[None]:
        """Go through one round of a loop."""
        before, self.turn = self.turn, (*self.turn, index)
        try:
            yield
        finally:
            self.turn = before
