"""What the parts of an abstract run share: its state, and the ways from each part to the others.

No part is imported here, so that each may import this; `interpreter.py` puts them together.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import field
from typing import Any

from reviewer.budget import REASONS, get_budget
from reviewer.code import ir
from reviewer.code.events import CodePlace, Context, ContextKind, Event, NotFollowed, Trace
from reviewer.code.given import Given
from reviewer.code.program import Program
from reviewer.code.state import Facts, KnownFact, State
from reviewer.code.summaries import Summaries
from reviewer.code.values import Class, Value
from reviewer.failures import Unreviewed, note_unreviewed
from reviewer.records import dataclass

TOO_LONG = REASONS["visits"]
"""Why the rest of a function was left out, and nothing can be said of what is not done."""


@dataclass(slots=True)
class Left:
    """A block that is gone through, what surrounds it, and the tests of whatever left it so far: `a or b` is lowered so."""

    label: ir.JumpLabel
    context: Context | None
    tests: list[Context] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RunBounds:
    """How far one run goes."""

    depth: int = 12
    """Calls inside calls. Measured in docs/program-model.md."""
    statements: int = 20_000
    """Statements in all, those of called functions and of both rounds of a loop included. One takes about 100 µs."""


@dataclass(slots=True, eq=False)
class Activation:
    """One function while it is run: where control goes that leaves its statements."""

    code: ir.Code
    around: tuple[ir.Code, ...] = ()
    """The functions that are being run and led here, the outermost first."""
    is_on_loop: bool = False
    """Whether an event loop surely runs on the thread of the function."""
    context: Context | None = None
    captured: dict[ir.Variable, Value] = field(default_factory=dict)
    returns: list[tuple[Value, State, Context | None]] = field(default_factory=list)
    raised: list[tuple[Value | None, State]] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    exits: dict[ir.JumpLabel, list[State]] = field(default_factory=dict)
    resumed: dict[ir.JumpLabel, list[State]] = field(default_factory=dict)
    sure: set[ir.Site] = field(default_factory=set)
    """The calls that cannot fail there, though they may elsewhere."""
    round: int = 0
    """Which round of a pipeline it is, whose steps one place calls one after another; 0 outside of those."""
    blocks: list[Left] = field(default_factory=list)
    """The blocks that are being gone through, the outermost first."""
    variants: dict[ir.Code, set[Hashable]] = field(default_factory=dict)
    """With what each function was called that it calls, by the keys of the summaries."""

    def build_context(self, condition: ContextKind, at: ir.Site, **fields: Any) -> Context:
        """Return the circumstances inside one more."""
        return Context(condition, at, around=self.context, **fields)


@dataclass(eq=False)
class Run(ABC):
    """One abstract run, from one function."""

    program: Program
    bounds: RunBounds = field(default_factory=RunBounds)
    summaries: Summaries = field(default_factory=Summaries)
    """What functions do with what they are given; several runs may share it."""
    replies: Mapping[str, tuple[Value, KnownFact]] = field(default_factory=dict)
    """What library functions give that do something, with what is known of it, by the act or the method's name."""
    known: Facts = field(default_factory=dict)
    """What is known of values from where they are made, in whatever function that is."""
    tool: str = ""
    """The name of the tool that is called, where the run is of one of those that a function takes the calls of."""
    supposed: frozenset[ir.Code] = frozenset()
    """Functions that are not followed: what they give is unknown, and they may fail."""
    taking: CodePlace | None = None
    """The clause that is supposed to take what is raised: what its function does after the `try` is still its answer."""
    events: list[Event] = field(default_factory=list)
    omissions: list[NotFollowed] = field(default_factory=list)
    unreached: list[ir.Statement] = field(default_factory=list)
    """What no way through this function led to, as far as could be told: not what is written to be dead."""
    guessed: set[ir.Statement] = field(default_factory=set)
    """Tests of which the run tells how they end by what it makes of values, and not by what is written."""
    spent: int = 0
    quiet: int = 0
    """How many first rounds of loops are being gone through in this function, whose events do not count."""

    def emit(self, event: Event) -> None:
        """Report an event."""
        if not self.quiet:
            self.events.append(event)

    def omit(self, activation: Activation, at: ir.Site, reason: str) -> None:
        """Report that something was not followed."""
        found = NotFollowed(CodePlace(activation.code, at), reason)
        if found not in self.omissions:
            self.omissions.append(found)

    def note_exhausted(self, activation: Activation) -> None:
        """Report that the review has nothing left to spend on what a function does that the run began with."""
        began = (*activation.around, activation.code)[0]
        note_unreviewed(Unreviewed(f"not followed further: {TOO_LONG}", began.locate(began.at)))

    def leave_out(self, body: ir.Body) -> None:
        """Take down that control never comes to some statements."""
        if not self.quiet:
            self.unreached += body

    def affords(self) -> bool:
        """Return whether one more statement may be run, and count it."""
        self.spent += 1
        return self.spent <= self.bounds.statements and get_budget().affords("visits", 5)

    @abstractmethod
    def start(self, code: ir.Code, given: dict[ir.Variable, Value], state: State | None = None) -> Trace:
        """Run a function with some values; parameters that have none take their defaults, or are unknown."""

    @abstractmethod
    def find_variables(self, code: ir.Code) -> dict[ir.Variable, Value]:
        """Return the variables of a function at its end, for any arguments; none if control never gets there."""

    @abstractmethod
    def make_receiver(self, cls: Class, code: ir.Code, state: State) -> Value:
        """Return an object of a class as it is before a function is run with it, whatever it was made with."""

    @abstractmethod
    def call_value(
        self,
        activation: Activation,
        state: State,
        at: ir.Site,
        callee: Value,
        receiver: Value | None,
        path: str,
        given: Given,
    ) -> Value | None:
        """Return the result of a call of a value; None if it never returns."""

    @abstractmethod
    def wait(self, activation: Activation, state: State, value: Value, at: ir.Site) -> Value | None:
        """Return the result of an await of a value; None if it never ends."""

    @abstractmethod
    def run_body(self, activation: Activation, code: ir.Code, state: State) -> tuple[Value | None, State | None]:
        """Run the body of a code; return what it gives and the state after it, None if it never comes to its end."""


def is_whole(trace: Trace) -> bool:
    """Return whether all was run that a function comes to."""
    return all(each.reason != TOO_LONG for each in trace.iter_omissions())
