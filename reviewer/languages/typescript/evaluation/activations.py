"""One run of a code, and how control leaves a body of it."""

from dataclasses import field
from typing import Literal, NamedTuple

from reviewer.code import ir
from reviewer.facts import Condition
from reviewer.languages.typescript.evaluation.values import Env, TsPlace, TsValue
from reviewer.languages.typescript.lowering.files import TypeScriptCode
from reviewer.records import dataclass


class TsLeaving(NamedTuple):
    """How control leaves a body before its end."""

    kind: Literal["return", "raise", "break", "continue"]
    label: ir.JumpLabel | None = None


Written = dict[tuple[int, ir.Variable], tuple[Env, TsValue | None, TsValue]]
"""Variables that a branch wrote, by the environment and the variable: what they held before, and hold now."""


@dataclass(eq=False, slots=True)
class TsActivation:
    """One run of a code."""

    code: TypeScriptCode
    env: Env
    returns: list[tuple[tuple[Condition, ...], TsValue]] = field(default_factory=list)
    exits: dict[ir.JumpLabel, list[tuple[Written, tuple[Condition, ...]]]] = field(default_factory=dict)
    start: tuple[Condition, ...] = ()
    """The conditions under which it was entered."""
    pushed: list[tuple[ir.JumpLabel | None, Condition]] = field(default_factory=list)
    """Conditions that hold since a branch left: until the label's statement ends, or the function."""

    def locate(self, node: ir.Expression | ir.Statement) -> TsPlace:
        """Return where an expression or a statement of the code is written."""
        return TsPlace(self.code.source, node.at)
