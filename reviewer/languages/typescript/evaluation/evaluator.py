"""The parts of an evaluation, as they know it: `ProjectEvaluator` joins them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import field

from reviewer.code import ir
from reviewer.facts import Condition
from reviewer.languages.typescript.evaluation.values import Cls, Env, Func, Place, Value
from reviewer.languages.typescript.project.modules import Imported, Modules, ScriptModule
from reviewer.records import dataclass

Hook = Callable[["Evaluator", Value, str, list[Value], Place], Value | None]
"""What knows the SDK: given an object, or what is called, the name of the method, and the arguments. None if it does not."""


@dataclass(eq=False)
class Evaluator(ABC):
    """Evaluates the modules of one project."""

    modules: Modules
    hook: Hook
    conditions: tuple[Condition, ...] = ()
    entered: set[ir.Code] = field(default_factory=set)
    """The functions that were run."""
    waiting: list[tuple[Func, tuple[Condition, ...]]] = field(default_factory=list)
    """Functions that were passed to unseen code, which may call them."""
    cut: dict[str, Place] = field(default_factory=dict)
    """The files in which evaluation ended early, and where."""

    @abstractmethod
    def evaluate_module(self, module: ScriptModule) -> Env:
        """Return the variables of a module, which is run when it is first asked for."""

    @abstractmethod
    def evaluate_import(
        self, given: Imported, importer: ScriptModule, seen: frozenset[tuple[str, str]] = frozenset()
    ) -> Value:
        """Return the value of an import."""

    @abstractmethod
    def export(self, module: ScriptModule, name: str, seen: frozenset[tuple[str, str]] = frozenset()) -> Value | None:
        """Return the export of a module under a name; None if it has none."""

    @abstractmethod
    def list_exports(self, module: ScriptModule, deep: int = 8) -> list[str]:
        """Return the names that a module gives, as an object of them has them: in the order of the alphabet."""

    @abstractmethod
    def call(self, callee: Value, args: list[Value], place: Place, this: Value | None = None) -> Value:
        """Return the result of a call."""

    @abstractmethod
    def make(self, cls: Cls, args: list[Value], place: Place) -> Value:
        """Return an object of a class."""

    @abstractmethod
    def hand_out(self, args: Iterable[Value]) -> None:
        """Record functions that are passed to unseen code."""

    @abstractmethod
    def with_conditions(self, conditions: tuple[Condition, ...]) -> AbstractContextManager[None]:
        """Evaluate something that happens only under some conditions."""

    @abstractmethod
    def read(self, owner: Value, name: str, place: Place) -> Value:
        """Return what an object has under a name."""

    @abstractmethod
    def read_entry(self, value: Value, owner: Value, place: Place) -> Value:
        """Return what an entry holds; one that a function gives is asked for."""

    @abstractmethod
    def write(self, owner: Value, name: str, value: Value) -> None:
        """Let an object hold a value under a name."""
