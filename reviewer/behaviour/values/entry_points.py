"""What analyses of a whole project ask of a language: the functions where calls come in, and those that lead to some place."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from reviewer.behaviour.values.callers import Started
from reviewer.code.events import Trace
from reviewer.code.ir import Code, Global
from reviewer.code.program import Program
from reviewer.code.run import Run, RunBounds
from reviewer.code.state import Facts, KnownFact
from reviewer.code.values import Value
from reviewer.facts import Guard
from reviewer.source import Span, Text

ALONE = RunBounds(depth=2, statements=2_000)
"""How far a function is followed of which only what it does itself is of interest."""

RunFrom = Callable[[Run, Facts], Trace]
"""Runs the function where the calls of a client come in, with what is known of values from the beginning."""

Replies = Mapping[str, tuple[Value, KnownFact]]
"""What a question gives where the user does not agree, and what is known of that, by the act or the method."""


class EntryPoint(NamedTuple):
    """A function where calls come in: what it does with any, and what runs it again with something known."""

    trace: Trace
    start: RunFrom


class CallHandler(NamedTuple):
    """A function that calls of tools come to, and what it does with whatever a client sends.

    `declared` is where its code declares the fields that a client may ask for, `offered` where the schema of a tool does, whose
    call it takes in one object; None where neither is seen. `is_open` tells that a client may send it anything.
    """

    trace: Trace
    declared: Text | None = None
    offered: Text | None = None
    is_open: bool = False


class EntryPoints(Protocol):
    """The functions of a project where calls come in, and others, as its language finds them."""

    @property
    def program(self) -> Program:
        """The project, as the run asks for it."""

    @property
    def refusals(self) -> tuple[Replies, ...]:
        """What a question gives where the user does not agree, one after another."""

    def find_code(self, span: Span) -> Code | None:
        """Return the function that begins at a place."""

    def find_constant(self, name: Global, code: Code) -> Text | None:
        """Return where the project says what a name is that a function reads, None if that is a function, a class or a module."""

    def trace(self, span: Span) -> Trace | None:
        """Return the trace of the function around a place; None if there is none."""

    def trace_of_action(self, span: Span, action: str) -> Trace | None:
        """Return the trace of the function around a place for a call of one action; None if there is none."""

    def trace_of_tool(self, span: Span, tool: str) -> Trace | None:
        """Return the trace, for one tool, of the function around a place that receives the calls of all tools."""

    def rerun(self, span: Span, tool: str = "") -> RunFrom | None:
        """Return a callable that runs the function around a place again, for a tool if it is named; None if there is
        none.
        """

    def answers_for(self, span: Span) -> bool:
        """Return whether the caller of the function around a place turns its exceptions into results."""

    def trace_nearby(self, span: Span) -> Trace | None:
        """Return the trace of the function around a place with few nested calls followed; None if there is none."""

    def iter_methods(self, name: str) -> Iterator[Span]:
        """Yield where the project has methods of a name."""

    def iter_traces(self) -> Iterator[Trace]:
        """Yield the traces of the functions that receive the calls of tools."""

    def iter_calls(self) -> Iterator[tuple[str, Trace]]:
        """Yield each tool's name and the trace of its call; the name is empty for functions that receive the calls of
        several.
        """

    def iter_takers(self, guards: Iterable[Guard]) -> Iterator[CallHandler]:
        """Yield the functions that speak of the fields, are told them, or call a guard."""

    @property
    def sending_progress(self) -> frozenset[str]:
        """The names by which the SDKs of the language send progress."""

    def mentions(self, *words: str) -> bool:
        """Return whether any of some words stands in the project."""

    def iter_key_traces(self, key: str) -> Iterator[Trace]:
        """Yield the traces of the functions that lead to code that reads or writes a key, however the key is named."""

    def iter_leading(self, names: frozenset[str], acts: frozenset[str] | None = frozenset()) -> Iterator[Started]:
        """Yield the traces of functions that may reach a call, or a text, of some names; from their callers on if it
        does some acts, or if `acts` is None.
        """

    def asks(self) -> bool:
        """Return whether anything in the project may ask the user."""

    def iter_traces_around(self, *words: str) -> Iterator[Trace]:
        """Yield the traces of the functions that contain one of some words, followed as far as `ALONE`."""

    def iter_tools(self) -> Iterator[EntryPoint]:
        """Yield the functions of tools, whatever they lead to."""

    def find_entry_points(self, code: Code) -> Sequence[EntryPoint]:
        """Return the functions where calls come in that lead to one, none if that cannot be told."""
