"""How tools answer: what a function says that it gives, what is laid around it, and how exceptions become answers."""

from collections.abc import Sequence
from typing import Literal

from reviewer.facts.schemas import Schema
from reviewer.records import dataclass
from reviewer.source import Span, Text

OutcomeKind = Literal["text", "number", "truth", "nothing", "list", "mapping", "model"]
"""What kind of value a function gives: `model` is an object of a class with fields, which is no mapping."""


@dataclass(frozen=True, slots=True)
class FunctionOutcome:
    """A value of which the kind is sure that the function of a tool gives on some way, by the expression `text`.

    `inner` is the expression of a helper or a decorator that gives it, where that is another; `name` is the class of a model.
    `parses` tells that a text may stand for something else: a number. `element` is the class whose objects all elements of a list
    are, empty if there is no such class.
    """

    kind: OutcomeKind
    text: Text
    inner: Text | None = None
    name: str = ""
    parses: bool = False
    element: str = ""


@dataclass(frozen=True, slots=True)
class ReturnedValue:
    """What the function of a tool says that it gives.

    `text` is the annotation as written, None if there is none. `model` tells that it names its fields, None if that cannot be
    told; `plain` is the part of the annotation that names none. `later` is the schema that later releases of the SDK make of it
    and hold answers against, where the one that is used makes none.
    """

    text: Text | None = None
    model: bool | None = None
    plain: str = ""
    later: Schema | None = None


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Something that is laid around the function of a tool: a decorator, or a function that it passes before it is registered.

    `text` is how it is written, `name` the function that it comes to; `definition` is the place of that function, None if it
    is not of the project. `outside` tells that it stands above what registers the tool, which so never sees it. `wraps` tells
    that it puts another function in place of the one it is given, `catches` that this one answers for what the inner one
    raises; both are None if that cannot be told. `catches_some` tells that it answers for exceptions of some kinds at least.
    """

    text: Text
    name: str
    definition: Span | None = None
    outside: bool = False
    wraps: bool | None = None
    catches: bool | None = None
    catches_some: bool = False


FaultKind = Literal["assert", "missing", "none", "index", "key", "parse", "number", "member"]
"""What can go wrong in code that answers for an exception.

- `assert`: a condition that need not hold. `missing`: an attribute that not every exception there has.
- `none`: a value is used that may be None. `index`, `key`: an element is taken that may not be there.
- `parse`: a text is read as JSON, `number` as a number, that may be none. `member`: a member of an enumeration is looked up.
"""


@dataclass(frozen=True, slots=True)
class MapperFault:
    """An expression that can itself raise where an exception is answered for; `certain` that some exception makes it raise."""

    kind: FaultKind
    text: Text
    certain: bool = False


@dataclass(frozen=True, slots=True)
class IssueCode:
    """A code that answers to failures may carry; `given` tells that some code of the project gives it."""

    name: Text
    given: bool = True


@dataclass(frozen=True, slots=True)
class ExceptionType:
    """An exception class of the project.

    `mapped` tells that the mapping answers it otherwise than an unknown one, or that nothing raises it; `raised` that some
    code makes one.
    """

    name: Text
    mapped: bool
    raised: bool


FailureMisfit = Literal["success", "no issue", "result", "no wait"]
"""What is wrong with an answer to a failure.

- `success`: it says that the call succeeded. `no issue`: it has a list for what went wrong, and nothing in it.
- `result`: it gives a result as well. `no wait`: it asks to try later, and does not say when.
"""


@dataclass(frozen=True, slots=True)
class FailureAnswer:
    """An answer to a failure that does not fit it."""

    fault: FailureMisfit
    text: Text


@dataclass(frozen=True, slots=True)
class ErrorMapping:
    """Where the exceptions of tools become answers: what one error decorator does with what it catches.

    `decorator` is the place of the decorator's function, `name` the function that tells the exceptions apart. `covered` are
    the names of the exception classes that it has a branch for, with all that descend from them. `leak` is the expression by
    which the text of an exception that it does not know reaches the client. `envelope` are the fields of the object that it
    answers with, empty if it gives none of the project's, `misfits` the
    answers that do not fit a failure; `coded` tells that it gives a code with what it says.
    """

    name: Text
    span: Span
    decorator: Span
    covered: frozenset[str] = frozenset()
    exceptions: Sequence[ExceptionType] = ()
    codes: Sequence[IssueCode] = ()
    faults: Sequence[MapperFault] = ()
    leak: Text | None = None
    misfits: Sequence[FailureAnswer] = ()
    envelope: frozenset[str] = frozenset()
    coded: bool = True
