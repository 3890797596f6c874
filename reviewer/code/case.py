"""One call of a library's function: what it is given, and where it stands."""

from reviewer.code import ir
from reviewer.code.given import Given
from reviewer.code.models import Model
from reviewer.code.parts import join_values, with_held_labels
from reviewer.code.run import Activation, Run
from reviewer.code.state import State
from reviewer.code.values import ELEMENT, NONE, TUPLE, Instance, Label, Library, Value, build_unknown


class Case:
    """One call of a library's function."""

    __slots__ = ("activation", "at", "given", "model", "receiver", "run", "state", "term")

    def __init__(
        self,
        run: Run,
        activation: Activation,
        state: State,
        at: ir.Site,
        model: Model,
        receiver: Value | None,
        given: Given,
    ) -> None:
        self.run = run
        self.activation = activation
        self.state = state
        self.at = at
        self.model = model
        self.receiver = receiver
        self.given = given
        self.term = ("call", activation.code, at)

    @property
    def own(self) -> Value | None:
        """The object that it is a method of, None if it is a function of a module or of a class."""
        return self.receiver if self.model.path.startswith(".") or _is_data(self.receiver) else None

    @property
    def operands(self) -> tuple[Value, ...]:
        """The receiver, if it is a method of a value, and the arguments that are given by position."""
        own = self.own
        return (own, *self.given.positional) if own is not None else self.given.positional

    @property
    def handed(self) -> tuple[Value, ...]:
        """The operands, with any element of those of unknown number: `join(root, *parts)`."""
        return (*self.operands, *((self.given.rest,) if self.given.rest is not None else ()))

    @property
    def subject(self) -> Value:
        """What the model speaks of: the operand number `on`, the receiver or the first argument if it says none."""
        operands = self.operands
        if self.model.on < len(operands):
            return operands[self.model.on]
        return build_unknown("the call does not say it", (self.term, "subject"))

    @property
    def argument(self) -> Value | None:
        """The argument that the model speaks of."""
        if self.model.keyword in self.given.collect_named():
            return self.given.collect_named()[self.model.keyword]
        given = self.given.positional
        return given[self.model.of] if self.model.of < len(given) else None

    @property
    def has_elements(self) -> bool:
        """Whether elements of the subject were seen: it is a sequence, and no value that may be absent."""
        subject = self.subject
        if isinstance(subject.term, tuple) and subject.term[:1] == ("range",):
            return True
        held = self.state.read_contents(subject)
        if subject.things and all(isinstance(each, Instance) and each.of == TUPLE for each in subject.things):
            return False  # a pair has no methods that go through its parts
        if subject.things and any(isinstance(key, str) for key in held):
            return False  # an object with entries is gone through by what one of its methods gives, of which no type is known
        return any(key == ELEMENT or not isinstance(key, tuple) for key in held)

    @property
    def labels(self) -> frozenset[Label]:
        """Where all that the call is given comes from."""
        receiver = (self.receiver,) if self.receiver is not None else ()
        rest = (self.given.rest,) if self.given.rest is not None else ()
        values = (*self.given.positional, *self.given.collect_named().values(), *rest, *receiver)
        return frozenset[Label]().union(*(with_held_labels(each, self.state).labels for each in values))

    def apply(self, function: Value, *values: Value) -> Value | None:
        """Return the result of a function that the call received; None if it never returns."""
        return self.call(function, Given(values))

    def call(self, function: Value, given: Given, at: ir.Site | None = None) -> Value | None:
        """Return the result, for some arguments, of a function that the call received; None if it never returns."""
        path = next((each.path for each in function.things if isinstance(each, Library)), "")
        return self.run.call_value(self.activation, self.state, at or self.at, function, None, path, given)

    def return_nothing(self) -> Value:
        """Return the result of a function without a value; if its result says whether it failed, that."""
        if self.model.path.startswith(".") or "fails" in self.model.acts:
            return Value(self.term, self.labels, unknown="only a run tells")
        return NONE

    def build_sequence(self, element: Value | None, labels: frozenset[Label]) -> Value:
        """Return a new sequence of which one element stands for all, None if it has none."""
        self.state.heap[self.term] = {ELEMENT: element} if element is not None else {}
        return Value(self.term, labels, unknown="it is gone through")

    def join_all(self, values: "list[Value]") -> Value | None:
        """Return the value that is one of some, None if there are none."""
        if not values:
            return None
        found = values[0]
        for number, other in enumerate(values[1:]):
            found = join_values((self.term, "either", number), found, other)
        return found


def _is_data(value: Value | None) -> bool:
    """Return whether a value is an object, and no module or class whose function is called."""
    return value is not None and not any(isinstance(each, Library) for each in value.things)


def build_library_instance(path: str) -> tuple[Instance, ...]:
    """Return an object of a library's class."""
    return (Instance(Library(path)),)
