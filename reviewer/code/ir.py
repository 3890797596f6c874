"""The intermediate representation: what a function does, in few forms and no language.

Every language is lowered to it, so that each analysis is written once. The normal form:

- A call, an `await`, a `yield` and whatever else may run other code is a statement, which binds a temporary. Expressions have no
  effect, so their order does not matter. (They may still fail: an index, a field, a division.)
- There is no conditional expression, short-circuit, `match`, `if let`, `let … else`, `?`, comprehension or assignment in an
  expression: all are `If`, `Loop`, `Block` and `Assign` on temporaries.
- A name is a `Variable`, one for each binding: shadowed names are distinct. What is not bound in the function, or in one around
  it, is a `Global`, and the language says what it means.
- A wrapper that only tells whether there is a value is transparent: `Some(x)` and `Ok(x)` are `x`, `None` is the constant, and
  `if let Some(x) = y` tests `y` for presence. `Err(e)` is a `Failure`. References, dereferences and conversions that keep the
  value are gone.
- Comparisons are `<`, `<=`, `==`, `is` and `in`; the others are these, turned round or negated.
- What cannot be lowered is `Unknown`: its parts are still there and still evaluated, its result is unknown.

Every node has its place, the bytes from `start` to before `end` in the file of its `Code`. Nodes are not changed once they are
made; they are compared by identity. (They are not frozen: a frozen dataclass takes three times as long to make, and a review
makes a node for every third byte that tools reach.)
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from types import EllipsisType
from typing import Literal, NamedTuple

from reviewer.records import dataclass
from reviewer.source import Source, Span, Text


class Site(NamedTuple):
    """The bytes from `start` to before `end` in the file of a `Code`.

    `round` tells apart what one place does again: a pipeline calls its steps one after another from the same place.
    """

    start: int
    end: int
    round: int = 0

    def holds(self, other: "Site") -> bool:
        """Return whether another place lies in it."""
        return self.start <= other.start and other.end <= self.end


class Variable:
    """One binding of a name: a parameter, a local, or a temporary, whose name is empty. Compared by identity.

    `type` is what a local is declared to be, None if nobody says it; that of a parameter stands in its `CodeParameter`. `scope`
    is the block at whose end what it holds is freed, None in a language that does so when nobody has it any more.
    """

    __slots__ = ("name", "scope", "type")

    def __init__(self, name: str = "", type: "TypeName | None" = None) -> None:
        self.name = name
        self.scope: Site | None = None
        self.type = type

    def __repr__(self) -> str:
        return self.name or f"t{id(self) % 10_000}"


class JumpLabel:
    """What a `Break` or a `Continue` leaves or goes on with: a loop or a block. Compared by identity."""

    __slots__ = ()


# Expressions: without effect.


@dataclass(slots=True, eq=False)
class Expression:
    """Something that has a value."""

    at: Site


@dataclass(slots=True, eq=False)
class Constant(Expression):
    """A value that is written there. `...` stands for Python's `...`."""

    value: bool | int | float | complex | str | bytes | EllipsisType | None


@dataclass(slots=True, eq=False)
class Read(Expression):
    """The value of a variable: one of the function itself, or of a function around it."""

    variable: Variable


@dataclass(slots=True, eq=False)
class Global(Expression):
    """A name that no function around binds: of the module, of another one, of the language. `path` is as it is written.

    `self.x` is no global; `module.function` is a `Field` of one in Python, where a module is a value, and in Rust
    `module::function` is one of two parts. A macro is named with its `!`.
    """

    path: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Import(Expression):
    """What an import in a function binds: a module, or `name` of it. `module` is dotted, with the dots of a relative import."""

    module: str
    name: str | None = None


@dataclass(slots=True, eq=False)
class Field(Expression):
    """An attribute or a field of a value. The fields of a tuple are named by their number."""

    owner: Expression
    name: str


@dataclass(slots=True, eq=False)
class Item(Expression):
    """An element of a value by its key or its place: `owner[key]`."""

    owner: Expression
    key: Expression


@dataclass(slots=True, eq=False)
class Slice(Expression):
    """A part of a sequence or of a text, from `low` to before `high`; None is the beginning, or the end."""

    owner: Expression
    low: Expression | None
    high: Expression | None
    step: Expression | None = None


@dataclass(slots=True, eq=False)
class Length(Expression):
    """How many elements a value has: what a pattern of a sequence asks. (`len(x)` and `x.len()` are calls.)"""

    operand: Expression


@dataclass(slots=True, eq=False)
class Range(Expression):
    """The numbers from `low` to before `high`, by itself, as an index, or as what is looped over."""

    low: Expression | None
    high: Expression | None


ArithmeticOperator = Literal["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"]
ComparisonOperator = Literal["<", "<=", "==", "is", "in"]


@dataclass(slots=True, eq=False)
class Arithmetic(Expression):
    """An operation on two values. A change of sign is a subtraction from 0."""

    operator: ArithmeticOperator
    left: Expression
    right: Expression


@dataclass(slots=True, eq=False)
class Comparison(Expression):
    """Whether two values compare so."""

    operator: ComparisonOperator
    left: Expression
    right: Expression


@dataclass(slots=True, eq=False)
class Not(Expression):
    """The negation of a value's truth."""

    operand: Expression


def negate(test: Expression) -> Expression:
    """Return the negation of a test; that of a negation is what it negates."""
    return test.operand if isinstance(test, Not) else Not(test.at, test)


@dataclass(slots=True, eq=False)
class IsPresent(Expression):
    """Whether a value is there, and is no failure: what `if let Some(x)` asks. `is not None` compares."""

    operand: Expression


@dataclass(slots=True, eq=False)
class Succeeds(Expression):
    """Whether a value is no failure: what `if let Ok(x)` and a `?` ask. What succeeded may hold nothing, as in `Ok(None)`.

    `is_outer` says that what it holds is asked as well, as in `Ok(Err(e))`: true of what holds no other result.
    """

    operand: Expression
    is_outer: bool = False


@dataclass(slots=True, eq=False)
class ResultOf(Expression):
    """What a value is that is no failure: itself, unless it holds another result, as what comes of a task does."""

    operand: Expression


@dataclass(slots=True, eq=False)
class IsKind(Expression):
    """Whether a value is of a type or a variant: `isinstance`, `case Point()`, `Shape::Circle(..) =>`."""

    operand: Expression
    kind: Expression


@dataclass(slots=True, eq=False)
class Failure(Expression):
    """A value that says that something failed, and why: `Err(reason)`."""

    reason: Expression


@dataclass(slots=True, eq=False)
class ReasonOf(Expression):
    """Why a value is a failure: what `Err(reason) =>` and `unwrap_err()` bind."""

    operand: Expression


@dataclass(slots=True, eq=False)
class Interpolation(Expression):
    """A text put together of parts: an f-string, `format!`. `specifiers` say how each part is converted: `!r`, `:?`, `.2f`."""

    parts: tuple[Expression, ...]
    specifiers: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Sequence(Expression):
    """A list, a tuple, a set or an array of elements. A `Spread` element stands for all elements of its operand."""

    kind: Literal["list", "tuple", "set"]
    elements: tuple[Expression, ...]


@dataclass(slots=True, eq=False)
class Spread(Expression):
    """All elements or entries of a value, among others: `*rest`, `**rest`, `..base`. Stands only where others say so."""

    operand: Expression


@dataclass(slots=True, eq=False)
class Record(Expression):
    """Values by key: a dictionary, a JSON object, a struct or an enum's variant with its fields.

    `kind` names the struct or the variant, None for a dictionary. An entry without a key is a `Spread`; the later entry holds.
    """

    kind: Expression | None
    entries: tuple[tuple[Expression | None, Expression], ...]


@dataclass(slots=True, eq=False)
class Closure(Expression):
    """A function as a value: a lambda, a closure, a function or a class that is defined there.

    An `async` block is one too, which is awaited and not called.
    """

    code: "Code"


@dataclass(slots=True, eq=False)
class Cast(Expression):
    """A value as another type that may hold another value: `x as u8`. `kind` is the type as written."""

    operand: Expression
    kind: str


@dataclass(slots=True, eq=False)
class Unknown(Expression):
    """Something that is not lowered: its parts are evaluated, its value is unknown. `reason` is the kind of syntax."""

    parts: tuple[Expression, ...]
    reason: str


# Statements.


@dataclass(slots=True, eq=False)
class Statement:
    """Something that is done."""

    at: Site


Body = tuple[Statement, ...]


@dataclass(slots=True, eq=False)
class Assign(Statement):
    """Give a variable a value."""

    target: Variable
    value: Expression


@dataclass(slots=True, eq=False)
class Store(Statement):
    """Write a value to a place that is no variable: a `Field`, an `Item`, a `Slice`, a `Global`, or all of what a call gave."""

    place: Expression
    value: Expression


@dataclass(slots=True, eq=False)
class Append(Statement):
    """Add an element to a sequence, or an entry to a record if it has a key: what a comprehension does with each."""

    owner: Variable
    value: Expression
    key: Expression | None = None


@dataclass(slots=True, eq=False)
class Delete(Statement):
    """Take an element, a field or a name away: Python's `del`."""

    place: Expression


@dataclass(slots=True, eq=False)
class Argument:
    """An argument of a call: by place, by name, or a `Spread` of either (`**rest` has the name `**`)."""

    value: Expression
    name: str | None = None


@dataclass(slots=True, eq=False)
class Call(Statement):
    """Call something; the result goes to `target`, which is a temporary of its own.

    A method is called on a `Field`. Only what is written as a call is one: not `__enter__`, `drop`, or the `into` of a `?`.
    `types` are the types that the call says it is for: `parse::<Limit>()`. What it gives and nothing takes is freed at the end of
    `lasts`, in a language that does so.
    """

    target: Variable
    callee: Expression
    arguments: tuple[Argument, ...]
    types: "tuple[TypeName, ...]" = ()
    lasts: Site | None = None


@dataclass(slots=True, eq=False)
class Await(Statement):
    """Wait for a value to be there."""

    target: Variable
    operand: Expression


@dataclass(slots=True, eq=False)
class Yield(Statement):
    """Give a value to who iterates, all elements of one if `every`; what is sent back goes to `target`."""

    target: Variable
    value: Expression
    every: bool = False


@dataclass(slots=True, eq=False)
class If(Statement):
    """Run one body or the other, by the truth of a value. `whole` is what it is a branch of, such as a `match`."""

    test: Expression
    then: Body
    otherwise: Body = ()
    whole: Site | None = None


@dataclass(slots=True, eq=False)
class Loop(Statement):
    """Run a body again and again, until a `Break`; with `over`, once for each of its elements, which goes to `element`.

    `while test` is a loop that breaks where the test fails. `otherwise` runs where no `Break` ended it.
    """

    label: JumpLabel
    body: Body
    over: Expression | None = None
    element: Variable | None = None
    is_async: bool = False
    otherwise: Body = ()


@dataclass(slots=True, eq=False)
class Block(Statement):
    """Run a body once; a `Break` with its label leaves it. A language that frees values does so at its end."""

    label: JumpLabel
    body: Body


@dataclass(slots=True, eq=False)
class With(Statement):
    """Run a body within what a context manager sets up and takes down; what it gives goes to `target`.

    It is not broken down into its calls: whether it suppresses exceptions, holds a lock or limits time is known with its value.
    """

    manager: Expression
    target: Variable
    body: Body
    is_async: bool = False


@dataclass(slots=True, eq=False)
class Catch:
    """What is run if an exception of one of some types is raised: of all, if there is none. `is_group` is Python's `except*`."""

    at: Site
    types: tuple[Expression, ...]
    variable: Variable | None
    body: Body
    is_group: bool = False


@dataclass(slots=True, eq=False)
class Try(Statement):
    """Run a body; if it raises, the first catch that fits, else `otherwise`; `always` at last, however it was left."""

    body: Body
    catches: tuple[Catch, ...]
    otherwise: Body = ()
    always: Body = ()


@dataclass(slots=True, eq=False)
class Return(Statement):
    """Leave the function with a value. The end of a function returns nothing, or what its last expression gives.

    `error` is the type of errors that a failure is made into on the way, None if it leaves as it is.
    """

    value: Expression
    error: "TypeName | None" = None


@dataclass(slots=True, eq=False)
class Raise(Statement):
    """Raise an exception: again the one that is being handled, if `value` is None."""

    value: Expression | None
    cause: Expression | None = None


@dataclass(slots=True, eq=False)
class Break(Statement):
    """Leave a loop or a block."""

    label: JumpLabel


@dataclass(slots=True, eq=False)
class Continue(Statement):
    """Go on with the next round of a loop."""

    label: JumpLabel


@dataclass(slots=True, eq=False)
class Evaluate(Statement):
    """Evaluate an expression for nothing: a bare name, a docstring, an attribute; it may still fail.

    `holds` says that it is surely true there, though nobody asks: the pattern of a last arm.
    """

    value: Expression
    holds: bool = False


# Functions.


@dataclass(slots=True, eq=False)
class TypeName:
    """A type as it is written: an annotation. The language says what it means."""

    at: Site
    text: str


@dataclass(slots=True, eq=False)
class CodeParameter:
    """A parameter of a function. `default` is evaluated where the function is made.

    `name` is what callers call it; patterns have none, and are taken apart at the beginning of the body. `is_by_reference`
    tells that the function may leave another value in the caller's place.
    """

    at: Site
    name: str
    variable: Variable
    type: TypeName | None = None
    default: Expression | None = None
    kind: Literal["positional", "normal", "named", "rest", "named rest", "receiver"] = "normal"
    is_by_reference: bool = False


CodeKind = Literal["function", "closure", "async block", "module", "class"]


class Code:
    """A function, a closure, an `async` block, or what a module or a class does when it is made: one body that runs by itself.

    `around` is the code that it is written in, whose variables it may read. `owner` is the type that it is a method of, as the
    language names it, empty if it is none. The body is lowered by `lower` when it is first asked for, so that what no tool
    reaches costs nothing; `unknown` is what in it could not be lowered. `bases` are those of a class, with its keywords; like
    defaults, they are evaluated where it is made.
    """

    __slots__ = (
        "_body", "_is_generator", "_lower", "_texts", "around", "at", "bases", "closures", "is_async", "kind", "name", "owner",
        "parameters", "reads", "returns", "source", "unknown",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        kind: CodeKind,
        source: Source,
        at: Site,
        lower: "Callable[[Code], Body]",
        *,
        around: "Code | None" = None,
        owner: str = "",
        is_async: bool = False,
    ) -> None:
        self.name = name
        self.kind = kind
        self.source = source
        self.at = at
        self.around = around
        self.owner = owner
        self.is_async = is_async
        self._is_generator = False
        self.parameters: tuple[CodeParameter, ...] = ()
        self.bases: tuple[Argument, ...] = ()
        self.returns: TypeName | None = None
        self.unknown: list[Unknown] = []
        self.reads: frozenset[Variable] | None = None
        self.closures: tuple[Code, ...] | None = None
        self._lower = lower
        self._body: Body | None = None
        self._texts: dict[Site, Text] = {}

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name or 'at'} {self.source.path}:{self.at.start}>"

    @property
    def body(self) -> Body:
        """What it does. `unknown` holds once it was asked for."""
        if self._body is None:
            self._body = ()  # for whoever asks while it is lowered
            self._body = WholeBody(self._lower(self))
        return self._body

    @property
    def is_generator(self) -> bool:
        """Whether it yields values, which only its body tells."""
        return bool(self.body) and self._is_generator

    def mark_generator(self) -> None:
        """Mark the code as a generator, on behalf of the lowering."""
        self._is_generator = True

    def locate(self, at: Site) -> Span:
        """Return the place of a node."""
        return self.source.stretch(at.start, at.end)

    def extract_text(self, at: Site) -> Text:
        """Return the source of a node, with its place. Analyses ask for that of a call some twenty times, so it is kept."""
        found = self._texts.get(at)
        if found is None:
            found = Text(self.source.data[at.start : at.end].decode("utf-8", "replace"), self.locate(at))
            self._texts[at] = found
        return found


class WholeBody(tuple[Statement, ...]):
    """The body of a function, with what analyses look for in it: they ask for one function's statements some hundred times."""

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Its statements and those of all bodies in it, in the order of the source."""
        return tuple(_walk(self))

    @cached_property
    def calls(self) -> "Mapping[Site, list[Call]]":
        """The calls that are written in it, by their places."""
        found: dict[Site, list[Call]] = {}
        for each in self.statements:
            if isinstance(each, Call):
                found.setdefault(each.at, []).append(each)
        return found

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of what its statements read or hand over, those of closures included."""
        return frozenset(_iter_names(self))


def iter_bodies(statement: Statement) -> Iterator[Body]:
    """Yield the bodies directly in a statement, in the order of the source."""
    match statement:
        case If():
            yield statement.then
            yield statement.otherwise
        case Loop():
            yield statement.body
            yield statement.otherwise
        case Block() | With():
            yield statement.body
        case Try():
            yield statement.body
            for each in statement.catches:
                yield each.body
            yield statement.otherwise
            yield statement.always


def iter_statements(body: Body) -> Iterator[Statement]:
    """Yield the statements of a body and of all bodies in it, in the order of the source; those of closures are left out."""
    return iter(body.statements) if isinstance(body, WholeBody) else _walk(body)


def _walk(body: Body) -> Iterator[Statement]:
    pending = list(reversed(body))
    while pending:
        each = pending.pop()
        yield each
        pending += [inner for part in reversed(list(iter_bodies(each))) for inner in reversed(part)]


def iter_reachable(body: Body) -> Iterator[Statement]:
    """Yield the statements of a body and of all bodies in it, without those after one that leaves the body for sure."""
    for each in body:
        yield each
        for part in iter_bodies(each):
            yield from iter_reachable(part)
        if isinstance(each, Return | Raise | Break | Continue):
            return


def iter_calls(body: Body, at: Site | None = None) -> Iterator[Call]:
    """Yield the calls that are written in a body, in the order of the source; those of one place if it is given."""
    if at is not None and isinstance(body, WholeBody):
        return iter(body.calls.get(at, ()))
    return (each for each in iter_statements(body) if isinstance(each, Call) and at in (None, each.at))


_PARTS: dict[type, tuple[str, ...]] = {
    Field: ("owner",),
    Item: ("owner", "key"),
    Slice: ("owner", "low", "high", "step"),
    Length: ("operand",),
    Range: ("low", "high"),
    Arithmetic: ("left", "right"),
    Comparison: ("left", "right"),
    Not: ("operand",),
    IsPresent: ("operand",),
    Succeeds: ("operand",),
    ResultOf: ("operand",),
    IsKind: ("operand", "kind"),
    Failure: ("reason",),
    ReasonOf: ("operand",),
    Spread: ("operand",),
    Cast: ("operand",),
    Interpolation: ("parts",),
    Sequence: ("elements",),
    Unknown: ("parts",),
    Assign: ("value",),
    Store: ("place", "value"),
    Append: ("key", "value"),
    Delete: ("place",),
    Call: ("callee",),
    Await: ("operand",),
    Yield: ("value",),
    If: ("test",),
    Loop: ("over",),
    With: ("manager",),
    Return: ("value",),
    Raise: ("value", "cause"),
    Evaluate: ("value",),
}
"""The fields that hold expressions, by the class of the node."""


def iter_operands(node: Expression | Statement) -> Iterator[Expression]:
    """Yield the expressions directly in an expression or a statement, without those of the bodies in it."""
    for name in _PARTS.get(type(node), ()):
        part = getattr(node, name)
        if isinstance(part, Expression):
            yield part
        elif part is not None:
            yield from part
    if isinstance(node, Record):
        yield from (node.kind,) if node.kind is not None else ()
        for key, value in node.entries:
            yield from (key, value) if key is not None else (value,)
    elif isinstance(node, Call):
        yield from (each.value for each in node.arguments)
    elif isinstance(node, Try):
        yield from (kind for each in node.catches for kind in each.types)


def iter_expressions(node: Expression | Statement) -> Iterator[Expression]:
    """Yield all expressions in an expression or a statement, without those of the bodies in it; the node itself is left out."""
    pending = list(iter_operands(node))
    while pending:
        each = pending.pop()
        yield each
        pending += iter_operands(each)


def collect_names(body: Body) -> frozenset[str]:
    """Return the names of what statements read or hand over: of variables, fields and entries, those of closures included."""
    return body.names if isinstance(body, WholeBody) else frozenset(_iter_names(body))


def _iter_names(body: Body) -> Iterator[str]:
    pending = [body]
    while pending:
        for statement in iter_statements(pending.pop()):
            if isinstance(statement, Call):
                yield from (each.name for each in statement.arguments if each.name is not None)
            for each in iter_expressions(statement):
                match each:
                    case Read():
                        yield each.variable.name
                    case Field():
                        yield each.name
                    case Constant(value=str() as text):
                        yield text
                    case Closure():
                        pending.append(each.code.body)


def collect_read_variables(code: Code) -> frozenset[Variable]:
    """Return the variables that a code and those in it read, found once."""
    if code.reads is None:
        _look_through(code)
    return code.reads or frozenset()


def _look_through(code: Code) -> None:
    """Note which codes are in a code, and what they and it read: each expression is looked at once."""
    found: set[Variable] = set()
    inner: list[Code] = []
    for statement in iter_statements(code.body):
        for each in iter_expressions(statement):
            if isinstance(each, Read):
                found.add(each.variable)
            elif isinstance(each, Closure):
                inner.append(each.code)
    made_with = [parameter.default for parameter in code.parameters if parameter.default is not None]
    made_with += [base.value for base in code.bases]
    parts = (part for value in made_with for part in (value, *iter_expressions(value)))
    code.closures = (*inner, *(part.code for part in parts if isinstance(part, Closure)))
    code.reads = frozenset(found.union(*map(collect_read_variables, code.closures)))


def collect_handed_on(code: Code) -> frozenset[Variable]:
    """Return the variables that a code reads for more than one of their fields or methods, and those that codes in it read."""
    found = {variable for part in iter_codes(code) if part is not code for variable in collect_read_variables(part)}
    for statement in iter_statements(code.body):
        pending: list[Expression | Statement] = [statement]
        while pending:
            node = pending.pop()
            inner = list(iter_operands(node))
            found.update(each.variable for each in inner if isinstance(each, Read) and not isinstance(node, Field))
            pending += inner
    return frozenset(found)


def iter_codes(code: Code) -> Iterator[Code]:
    """Yield a code and all closures in it, and in these."""
    pending = [code]
    while pending:
        current = pending.pop()
        yield current
        if current.closures is None:
            _look_through(current)
        pending += current.closures or ()
