"""What some code reads of the arguments of a call, found when it is first asked for."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from reviewer.behaviour.answer_size.omissions import iter_omissions
from reviewer.behaviour.arguments.argument_use import ArgumentUses
from reviewer.behaviour.failures.refusals import Refusals
from reviewer.code.events import Trace
from reviewer.code.program import Program
from reviewer.code.values import Plain
from reviewer.facts import ArgumentUse, Flag, Handler, Lazy, Omission
from reviewer.source import Text

FoundUses = tuple[tuple[ArgumentUse, ...], bool]
"""What is read, and whether nothing else is."""

NOTHING: FoundUses = ((), False)


class CodeReading:
    """What some code reads; how it is run, a language says."""

    def __init__(self, program: Callable[[], Program]) -> None:
        self._program = program

    @property
    def listed(self) -> Sequence[ArgumentUse]:
        """The arguments that it reads."""
        return Lazy(lambda: self._read[0])

    @property
    def followed(self) -> Flag:
        """Whether it reads no other arguments."""
        return Flag(lambda: self._read[1])

    @property
    def omissions(self) -> Sequence[Omission]:
        """The lists that it cuts."""
        return Lazy(lambda: iter_omissions(self._trace, self._program()) if self._trace is not None else ())

    def find_refusal(self, argument: str, value: Plain) -> Text | None:
        """Return where a call always fails in which an argument is some value, None if it may do its work."""
        return self._refusals.locate_refusal(argument, value) if self._refusals is not None else None

    @cached_property
    def _refusals(self) -> Refusals | None:
        return Refusals(self._trace, self._program()) if self._trace is not None else None

    def attach_to_handler(self, handler: Handler) -> Handler:
        """Return the code with what it reads."""
        return replace(
            handler,
            argument_uses=self.listed,
            followed=self.followed,
            omissions=self.omissions,
            refuses=self.find_refusal,
        )

    @cached_property
    def _trace(self) -> Trace | None:
        """What the code does when it is called, None if that cannot be told."""
        return None

    @cached_property
    def _found(self) -> ArgumentUses | None:
        """What becomes of the arguments, looked through once."""
        return ArgumentUses(self._trace, self._program()) if self._trace is not None else None

    @cached_property
    def _read(self) -> FoundUses:
        return read_of(self._found) if self._found is not None else NOTHING


def read_of(found: ArgumentUses) -> FoundUses:
    """Return the arguments that are read from an object that holds all arguments of a call."""
    return tuple(
        each.build_argument_use(Text(name, each.at.span)) for name, each in found.taken.items()
    ), found.is_complete
