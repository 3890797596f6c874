"""What runs when a tool is called: what its function takes and gives, and act by act what it does."""

from collections.abc import Callable, Iterable
from typing import Literal, get_args

from reviewer.facts.lazy import Lazy
from reviewer.records import dataclass
from reviewer.source import Text

ActKind = Literal[
    "blocks",
    "blocks briefly",
    "holds thread",
    "prints",
    "writes",
    "deletes",
    "runs",
    "may change",
    "changes memory",
    "raises",
    "panics",
    "panics by fault",
    "ends server",
    "indexes",
    "slices",
    "fails empty",
    "fails protocol",
    "is protocol's",
    "answers unknown",
    "succeeds in error",
    "swallows failure",
    "claims success",
    "loses cause",
    "writes object",
    "drops reason",
    "ignores error",
    "leaves out argument",
    "leaves out failed",
    "needs argument",
    "misses case",
    "counts page",
    "replaces unreadable",
    "leaves temporary",
    "breaks json",
    "limits without wait",
    "misfits failure",
    "leaks path",
    "tells credential",
    "logs credential",
    "tells exception",
    "swallows cancellation",
    "ignores cancellation",
    "spawns",
    "never ends",
    "never runs",
    "never awaited",
    "cannot work",
    "outlives",
    "holds guard",
    "holds unsent guard",
    "holds span",
    "holds write lock",
    "waits",
    "tells no progress",
    "drops overflow",
    "says nothing of rest",
    "hints at rest",
    "answers all rows",
    "answers whole file",
    "answers whole output",
    "answers whole page",
    "answers whole object",
    "answers whole list",
]
"""What an act is.

- `blocks`: a call that blocks the thread of the event loop. `blocks briefly`: one to the file system, which is over soon.
  `holds thread`: a call that would block it, in a tool that is a plain function, which some SDKs run in a thread of its own.
- `prints`: text goes to the standard output.
- `writes`, `deletes`, `runs`: a file, a database or a remote thing is changed, is removed, a command is run that changes
  something or is whatever the caller says. Logs, caches and temporary files do not count, nor does what only asks.
- `may change`: anything by which something may be otherwise after the call, or of which nobody can say; told once. A tool whose
  code has none surely only reads.
- `changes memory`: what all calls share in memory is otherwise after the call, and is none of what a server keeps house by.
- `limits without wait`: an answer asks to try later and does not say when.
- `misfits failure`: an answer that says by `ok` whether the call succeeded says something else beside; `about` is what, as in
  `FailureAnswer`, or `no code` where an issue has none.
- `raises`: an exception leaves the function; `about` names its class.
- `panics`: code that ends in a panic for some input; `indexes`: an index that nothing checked; `slices`: a text cut by bytes;
  `about` is where the call's arguments, or the outside, surely decide, None if that cannot be told. `panics by fault`: what
  panics only where the program itself is wrong, a lock whose holder panicked, something made sure of that nobody asked.
- `ends server`: the process of the server is ended by the call.
- `fails empty`: nothing found is answered with an error; `about` is the test of a list that surely was looked for.
  `fails protocol`: a tool builds an error of the protocol. `is protocol's`: one whose code says that the call cannot be made.
  `answers unknown`: a call of a tool that there is not is answered with a success.
- `succeeds in error`: the text of an error is given back as a success; `about` is the field that says so, if it has one.
- `swallows failure`: nothing is answered where an operation outside failed, as if there was nothing; `about` is the operation.
- `claims success`: a call says that all was done where the one change that it makes may have failed; `about` is the change.
- `writes object`: an answer, or a text in it, is a list or a mapping as the language itself writes it, and not as JSON.
- `loses cause`: an operation outside failed, and neither the answer nor a log says why; `about` is the operation.
- `drops reason`: another host refused what a client asked for, and the body of its response, which says why, is not read.
- `ignores error`: something is read of what a function gives as if that had succeeded, though what it gives may say that it
  failed; `about` is the call.
- `leaves out argument`: a call is not handed an argument that nearly the same call is handed in the other branch of a test;
  `about` is its name, at that call.
- `leaves out failed`: an element is left out of the answer because an operation failed for it; `about` is the operation.
- `needs argument`: the call fails because an argument is absent, whatever else it is given; `about` is the argument's name.
- `misses case`: an argument is compared as it was sent, after a check that takes it in any case; `about` is where that
  refuses others.
- `counts page`: the answer calls a total what is the length of a page, and says nowhere that there is more.
- `replaces unreadable`: an argument that cannot be read is replaced, and the call goes on; `about` is the argument's name.
- `leaves temporary`: a temporary file is made that is there after the call, and nobody is told of it.
- `breaks json`: a text is given back that is no JSON any more if what a failure says has a quotation mark in it.
- `leaks path`: the text of an error names an absolute path; `about` is the expression of the path.
- `tells credential`: a request has a credential of the server in its address, and the client is told what the request's failure
  says, which names that; `about` is the name of the credential.
- `logs credential`: a credential is written to a log; `about` is its name.
- `tells exception`: the client is told what an exception says that may be of any kind.
- `swallows cancellation`: a handler of exceptions takes the cancellation and goes on.
- `ignores cancellation`: long work that looks at no cancellation though it is handed one, or that no cancellation comes to.
- `never runs`: a call of an `async` function whose result nothing awaits; `never awaited`: one that runs all the same and may
  fail, of which nobody learns.
- `cannot work`: a call that fails whenever control comes there; `about` says why, at what is called.
- `spawns`: a task is begun that nobody waits for or cancels. `never ends`: work is begun whose loop, `about`, nothing leaves, and
  which nobody can end. `outlives`: a command that goes on after the call is cancelled.
- `holds guard`: a lock is held over an await; `about` is where it was taken. `holds unsent guard`: one that the compiler lets
  stay on its thread only, in code that others may run on any. `holds span`: a span of the log is kept entered.
  `holds write lock`: a lock of tasks is held alone while another host is asked or a command runs.
- `waits`: the call surely lasts: it asks again and again until something is done, or waits for a job or a command that takes
  its time; and no code on the way there tells the client how far it is.
- `drops overflow`: what a guard says of the elements that it left out comes into no answer, or without the field in `about`.
  `says nothing of rest`: it says it with an empty hint, with a total that is only what is shown, or, `rest`, not at all where
  it knows that there is one; `about` names which.
  `hints at rest`: it says it with a fixed hint, which is `about`.
- `answers all rows`: a statement is run that the client writes, and all rows that it gives are the answer.
- `answers whole file`, `output`, `page`, `object`, `list`: all is the answer that a file holds, that a command printed, that a
  reply of another host says as a text or as an object, or all elements of what was read; `about` is the act if the client decides
  what is read.
"""


@dataclass(frozen=True, slots=True)
class Act:
    """Something that the code of a tool does, in its own function or in one of the project that it calls.

    `text` is the expression, where it stands; `through` are the calls that lead there from the handler, outermost first;
    `about` is a second place that belongs to it, as its kind says.
    """

    kind: ActKind
    text: Text
    through: tuple[Text, ...] = ()
    about: Text | None = None


class Acts(Lazy[Act]):
    """What some code does, of which only those kinds are looked for that somebody asks for.

    `find` gives the acts of some kinds in their order, and may give others as well.
    """

    __slots__ = ("_look", "_of")

    def __init__(self, find: Callable[[frozenset[ActKind]], Iterable[Act]] = lambda _kinds: ()) -> None:
        super().__init__(lambda: find(frozenset(get_args(ActKind))))
        self._look = find
        self._of: dict[tuple[ActKind, ...], tuple[Act, ...]] = {}

    def select_kinds(self, *kinds: ActKind) -> tuple[Act, ...]:
        """Return the acts of some kinds."""
        if kinds not in self._of:
            self._of[kinds] = tuple(act for act in self._look(frozenset(kinds)) if act.kind in kinds)
        return self._of[kinds]


@dataclass(frozen=True, slots=True)
class HandlerArgument:
    """One argument of a handler's function as it is written, injected ones left out.

    `type` is its annotation; `model` tells whether that is a type with fields: a model, a dataclass, a typed dict; None if only
    code outside the project tells. `checks` tells whether that type bounds and describes its fields by itself, as a model does,
    and a standard dataclass or a typed dict does not. `of` says which class it is, whatever names it goes by, empty if it is none
    of the project. `default` is what stands for it, as it is written. `is_whole` is whether its fields are the arguments of the
    tool, so that a client does not see its name.
    """

    name: Text
    type: Text | None = None
    model: bool | None = False
    default: Text | None = None
    checks: bool | None = None
    of: str = ""
    is_whole: bool = False
