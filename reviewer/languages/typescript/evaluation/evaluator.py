"""The parts of an evaluation, as they know it: `ProjectEvaluator` joins them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import field

from reviewer.code import ir
from reviewer.facts import Condition
from reviewer.languages.typescript.evaluation.activations import TsActivation, TsLeaving, Written
from reviewer.languages.typescript.evaluation.values import Cls, Env, Func, TsPlace, TsValue
from reviewer.languages.typescript.project.modules import Imported, Modules, ScriptModule
from reviewer.records import dataclass

Hook = Callable[["Evaluator", TsValue, str, list[TsValue], TsPlace], TsValue | None]
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
    cut: dict[str, TsPlace] = field(default_factory=dict)
    """The files in which evaluation ended early, and where."""
    written: Written | None = None
    """What a branch wrote that is being run; None outside of one."""

    @abstractmethod
    def evaluate_module(self, module: ScriptModule) -> Env:
        """Return the variables of a module, which is run when it is first asked for."""

    @abstractmethod
    def evaluate_import(
        self, given: Imported, importer: ScriptModule, seen: frozenset[tuple[str, str]] = frozenset()
    ) -> TsValue:
        """Return the value of an import."""

    @abstractmethod
    def evaluate_name(self, name: str, module: ScriptModule) -> TsValue:
        """Return the value of a name of a module."""

    @abstractmethod
    def evaluate(self, activation: TsActivation, expression: ir.Expression) -> TsValue:
        """Return the value of an expression."""

    @abstractmethod
    def run_body(self, activation: TsActivation, body: ir.Body) -> TsLeaving | None:
        """Run some statements; return how they were left, None if they came to their end."""

    @abstractmethod
    def assign(self, env: Env, variable: ir.Variable, value: TsValue) -> None:
        """Give a variable a value, in the run that has it."""

    @abstractmethod
    def export(self, module: ScriptModule, name: str, seen: frozenset[tuple[str, str]] = frozenset()) -> TsValue | None:
        """Return the export of a module under a name; None if it has none."""

    @abstractmethod
    def list_exports(self, module: ScriptModule, deep: int = 8) -> list[str]:
        """Return the names that a module gives, as an object of them has them: in the order of the alphabet."""

    @abstractmethod
    def call(self, callee: TsValue, args: list[TsValue], place: TsPlace, this: TsValue | None = None) -> TsValue:
        """Return the result of a call."""

    @abstractmethod
    def call_method(self, owner: TsValue, name: str, args: list[TsValue], place: TsPlace) -> TsValue:
        """Return the result of a call of a method."""

    @abstractmethod
    def make(self, cls: Cls, args: list[TsValue], place: TsPlace) -> TsValue:
        """Return an object of a class."""

    @abstractmethod
    def hand_out(self, args: Iterable[TsValue]) -> None:
        """Record functions that are passed to unseen code."""

    @abstractmethod
    def with_conditions(self, conditions: tuple[Condition, ...]) -> AbstractContextManager[None]:
        """Evaluate something that happens only under some conditions."""

    @abstractmethod
    def read(self, owner: TsValue, name: str, place: TsPlace) -> TsValue:
        """Return the member of an object."""

    @abstractmethod
    def read_entry(self, value: TsValue, owner: TsValue, place: TsPlace) -> TsValue:
        """Return the value of an entry; one that a function gives is computed."""

    @abstractmethod
    def write(self, owner: TsValue, name: str, value: TsValue) -> None:
        """Let an object hold a value under a name."""
