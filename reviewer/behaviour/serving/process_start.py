"""Where the processes of a project begin, as each language knows it: what is run, and what surrounds the run."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Protocol

from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.program import Program
from reviewer.code.values import Function, Value
from reviewer.facts import TransportKind


class ProcessStart(Protocol):
    """Where processes of a project begin, as one language knows it."""

    program: Program

    @cached_property
    def traces(self) -> list[Trace]:
        """All of `_iter_traces`, made once."""
        return list(self._iter_traces())

    def _iter_traces(self) -> Iterator[Trace]:
        """Yield the traces of the functions and modules that lead to what may serve, each by the highest that leads there."""

    def run(self, function: Function) -> Trace:
        """Return the trace of a function for arguments of any value."""
        parameters, receiver = function.code.parameters, function.receiver
        given = {parameters[0].variable: receiver} if receiver is not None and parameters else {}
        return Interpreter(self.program, summaries=self.program.summaries).start(function.code, given)

    def list_lasting_values(self, trace: Trace) -> Iterable[Value]:
        """Return the values that a module holds when it has been run."""
        return ()

    def collect_options(self) -> Mapping[str, Iterable[str]]:
        """Return the texts that options of a command line may be, by name, where no call declares them."""
        return {}

    def may_serve(self, path: str, other: str) -> bool:
        """Return whether what is served in one file may be a server of another."""
        return True

    def offers(self, kind: TransportKind, path: str) -> bool:
        """Return whether the SDK that a file is built with has a transport at all."""
        return True

    def release(self, library: str, path: str) -> tuple[int, ...] | None:
        """Return the newest release of a library with which a file is certainly built; None if that is unknown."""
        return None

    def mentions(self, pattern: re.Pattern[bytes]) -> bool:
        """Return whether anything in the code of the project matches."""
        return True
