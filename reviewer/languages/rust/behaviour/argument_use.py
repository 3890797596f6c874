"""Which arguments a tool's code reads: of the object that holds those of a call, of a request, or of loose parameters."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from tree_sitter import Node

from reviewer.behaviour.answer_size.hints import iter_hints
from reviewer.behaviour.arguments.argument_use import ArgumentUses
from reviewer.behaviour.arguments.readings import NOTHING, CodeReading, FoundUses, read_of
from reviewer.behaviour.arguments.taken_arguments import Taking
from reviewer.code.events import Event, Trace
from reviewer.code.ir import Site
from reviewer.facts import ArgumentUse, Lazy
from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.behaviour.tracing import (
    get_program,
    takes_input,
    trace_of,
    trace_of_call,
    trace_of_method,
)
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.languages.rust.project.name_resolution import list_parameters
from reviewer.schema.rust.marks import name_of, read_marks
from reviewer.source import Text


class RustFunctionReading(CodeReading):
    """What a tool's own function reads of what it is handed: the object of all arguments, a request made of them, or each.

    `beside` are the other functions of the same tool: what is handed the input there may read of it what this one does not.
    `loose` are the parameters that the SDK fills each with an argument.
    """

    def __init__(
        self, items: RustItems, function: Node, path: str, beside: Iterable[Node] = (), loose: Sequence[Node] = ()
    ) -> None:
        super().__init__(lambda: get_program(items))
        self._items, self._loose, self._beside = items, loose, beside
        self._function = RustItem(path, function, items.sources[path])

    @cached_property
    def _trace(self) -> Trace | None:
        return trace_of(self._items, self._function)

    @property
    def hints(self) -> Sequence[Text]:
        """What it says to a client that gets less than there is."""
        node = self._function.node
        code = get_program(self._items).find_code_at(self._function.path, node)
        return Lazy(lambda: iter_hints(code, Site(*node.byte_range)))

    @cached_property
    def _read(self) -> FoundUses:
        if find_child(self._function.node, "body") is None or self._found is None:
            return NOTHING
        if self._loose:
            return tuple(self._iter_for_parameters(self._found.taken)), True
        if not takes_input(self._items, self._function):
            return (), not list_parameters(self._function.node)
        found, is_complete = read_of(self._found)
        return found, is_complete and self._reads_all({str(each.name) for each in found})

    def _iter_for_parameters(self, taken: Mapping[str, Taking]) -> Iterator[ArgumentUse]:
        folder = ConstantFolder(self._items)
        for each in self._loose:
            pattern = find_child(each, "pattern") or each
            key = name_of(pattern, read_marks(folder, self._function.path, each), None)
            read = taken.get(decode_node(pattern).removeprefix("mut "))
            yield read.build_argument_use(key) if read is not None else ArgumentUse(key, idle=True)

    def _reads_all(self, names: set[str]) -> bool:
        """Return whether the functions beside it read nothing of the input that it does not."""
        for each in self._beside:
            function = RustItem(self._function.path, each, self._function.source)
            if takes_input(self._items, function):
                found, is_complete = read_of(ArgumentUses(trace_of(self._items, function), self._program()))
                if not is_complete or not names.issuperset(str(one.name) for one in found):
                    return False
        return True


class RustMethodReading(CodeReading):
    """What a method reads of the request that it is called on, whose fields are the arguments."""

    def __init__(self, items: RustItems, method: Node, path: str) -> None:
        super().__init__(lambda: get_program(items))
        self._items, self._method = items, RustItem(path, method, items.sources[path])

    @cached_property
    def _trace(self) -> Trace | None:
        return trace_of_method(self._items, self._method)


class RustCallReading(CodeReading):
    """What is read of the arguments of a call of one tool, which an `arm` answers.

    `ways` are the functions that may take the calls of all tools, the outermost first; `others` the arms of other tools.
    """

    def __init__(
        self, items: RustItems, arm: Node, path: str, tool: str, ways: Sequence[RustItem], others: Iterable[Node]
    ) -> None:
        super().__init__(lambda: get_program(items))
        self._items, self._arm, self._path, self._tool = items, arm, path, tool
        self._ways, self._others = ways, others

    @cached_property
    def _trace(self) -> Trace | None:
        ways = (each for each in self._ways if takes_input(self._items, each, self._tool))
        traces = (trace_of_call(self._items, each, self._tool) for each in ways)
        return next((each for each in traces if self._reaches_arm(each)), None)

    def trace_alone(self) -> Trace | None:
        """Return the trace for the tool that enters no arm of another one; None if the run does not distinguish them."""
        return self._trace

    def _reaches_arm(self, trace: Trace) -> bool:
        """Return whether a run comes to the arm, and to that of no other tool."""
        events = [event for each in trace.list_traces() if each.code.source.path == self._path for event in each.events]
        return any(_is_within(self._arm, each) for each in events) and not any(
            _is_within(other, each) for other in self._others for each in events
        )


def _is_within(arm: Node, event: Event) -> bool:
    """Return whether something is done in an arm; to ask for its pattern is not."""
    node = find_child(arm, "value") or arm
    return node.start_byte <= event.at.start < node.end_byte
