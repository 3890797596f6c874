"""The code that a call of a tool reaches, function by function, that first which says most of what the call does.

First comes the function of the tool itself. The others stand by how near they are to it and by what they do themselves: changes
before what is only read, that before checks and limits. What nearly all tools of a server reach, a client or a check of each
path, stands last: it says least of this tool. Of a function that takes the calls of all tools, the branches of others are left
out, and so is the tool's description where it stands in its code: who judges is shown it anyway.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from functools import partial

from reviewer.behaviour.security.restrictions import BUILT_IN
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code import ir
from reviewer.code.acts import collect_acts
from reviewer.code.calls import RECURSION
from reviewer.code.events import Called, Cut, Entered, Raised, Returned, Tested, Trace
from reviewer.code.models import ActName
from reviewer.code.program import Program, find_once
from reviewer.code.state import infer_truth
from reviewer.facts import CodePiece, Lazy, Server, Tool
from reviewer.failures import iter_until_failure
from reviewer.records import dataclass
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

CHANGES: frozenset[ActName] = frozenset(
    {
        "posts", "requests by method", "changes remote", "deletes remote", "writes file", "writes open file", "makes directory",
        "deletes file", "leaves temporary", "sets permissions", "runs command", "runs shell", "ends process", "executes sql",
        "commits", "evaluates code", "elicits", "samples",
    }
)  # fmt: skip
"""Acts that change something or ask the user: what a client must know before a call, so the judge sees this code first."""

READS: frozenset[ActName] = frozenset(
    {
        "network", "opens file", "reads file", "lists directory", "reads database", "deserialises", "reads body", "parses",
        "reads few rows",
    }
)  # fmt: skip
"""Acts that yield the content of an answer. A judge sees code with one of them after the code that changes something."""

BOUNDS: frozenset[ActName] = frozenset(
    {"cuts", "bounds rows", "limits time", "validates", "checks path", "sanitises path", "checks credentials", "orders"}
)
"""What limits an answer, or decides whether there is one."""

SHARED = 0.75
"""The part of a server's tools that makes a function one of nearly all: a check that a few tools go without is in it."""

FEW = 4
"""Tools.

A function that fewer of them reach is never shared by nearly all: a server with fewer tools is shown whole, since its code
fits into `FIRST` characters (judge/slices.py).
"""

LONGEST = 600
"""Characters of a constant that are shown: a table of a dozen rows. A longer one is data."""

LOGGER = "getLogger("
"""What makes a logger, which nearly every module has, and which says nothing of a call."""

SAID = pattern(rb"\w")
"""What stands between two branches, and says something."""

MOST_OUTSIDE = 12
"""Names of library functions, and of unfollowed calls, that a judge is shown per function.

The tests of the rules have up to 5.
"""


@dataclass(slots=True)
class _ReachedFunction:
    """A function that is reached: by how many calls at least, and all that runs of it."""

    code: ir.Code
    distance: int
    traces: list[Trace] = field(default_factory=list)


def with_reached(servers: Iterable[Server], entry_points: EntryPoints) -> Iterator[Server]:
    """Yield servers, their tools with the code that a call of each reaches, which is looked for when somebody asks."""
    for server in servers:
        reached = _Reached(server, entry_points)
        yield replace(
            server, tools=tuple(replace(each, reached=reached.build_lazy_pieces(each)) for each in server.tools)
        )


class _Reached:
    """What the tools of one server reach."""

    def __init__(self, server: Server, entry_points: EntryPoints) -> None:
        self._server, self._entry_points = server, entry_points
        self._shared: frozenset[ir.Code] | None = None
        self._read: dict[ir.Code, list[tuple[Text, str]]] = {}

    def build_lazy_pieces(self, tool: Tool) -> Lazy[CodePiece]:
        failing = "not shown to a judge: the code that a tool reaches"
        return Lazy(lambda: tuple(iter_until_failure(lambda: self.iter_pieces(tool), failing)))

    def iter_pieces(self, tool: Tool) -> Iterator[CodePiece]:
        """Yield the functions that a call of a tool reaches and the constants that they read, what says most first."""
        trace = self._trace(tool)
        if trace is None:
            return
        program = self._entry_points.program
        reached = list(_collect_functions(trace).values())
        first, *others = [each for each in reached if not any(_lies_in(each.code, other.code) for other in reached)]
        others.sort(key=lambda each: self._place(each, program))
        listed = [first, *others]
        names = self._names if tool.handler is None else frozenset[str]()
        known: set[Span] = set()
        for each in listed:
            yield _build_piece(each, program, tool, names)
            for text, name in self._collect_constants(each.code):
                if text.span not in known:
                    known.add(text.span)
                    yield CodePiece(name, text.span, (text,))
        yield from self._iter_wrappers(tool, {each.code for each in listed})

    def _place(self, function: _ReachedFunction, program: Program) -> tuple[bool, bool, int]:
        """Return by what a function is put in order; one that stands for the tool's own comes before all others."""
        far = function.distance
        return function.code in self._of_all, far > 0, 2 * far - _get_weight(function, program)

    @property
    def _names(self) -> frozenset[str]:
        return frozenset(str(each.name) for each in self._server.tools if isinstance(each.name, Text))

    @property
    def _of_all(self) -> frozenset[ir.Code]:
        """The functions that nearly all tools reach."""
        if self._shared is None:
            traces = [trace for each in self._server.tools if (trace := self._trace(each)) is not None]
            counts = Counter(code for each in traces for code in each.collect_codes())
            least = max(FEW, SHARED * len(traces))
            self._shared = frozenset(code for code, count in counts.items() if count >= least)
        return self._shared

    def _trace(self, tool: Tool) -> Trace | None:
        """Return the trace of a tool's call; None if its entry point was not found."""
        if tool.handler is not None:
            return self._entry_points.trace(tool.handler.span)
        entry = tool.branch.span if tool.branch is not None else None
        entry = entry or (self._server.entry.span if self._server.entry is not None else None)
        named = isinstance(tool.name, Text)
        return self._entry_points.trace_of_tool(entry, str(tool.name)) if entry is not None and named else None

    def _collect_constants(self, code: ir.Code) -> list[tuple[Text, str]]:
        """Return the constants of the project that a function reads, with their names."""
        if code not in self._read:
            named = ((self._entry_points.find_constant(name, code), name.path[-1]) for name in _read_names(code))
            kept = [(text, name) for text, name in named if text is not None and len(text) <= LONGEST]
            self._read[code] = [(text, name) for text, name in kept if LOGGER not in text]
        return self._read[code]

    def _iter_wrappers(self, tool: Tool, known: set[ir.Code]) -> Iterator[CodePiece]:
        """Yield the functions that wrap the function of a tool."""
        for each in tool.handler.wrappers if tool.handler is not None else ():
            code = self._entry_points.find_code(each.definition) if each.definition is not None else None
            if code is not None and code not in known:
                known.add(code)
                yield _build_piece(_ReachedFunction(code, 0), self._entry_points.program, tool, frozenset())


def _collect_functions(trace: Trace) -> dict[ir.Code, _ReachedFunction]:
    """Return the functions that one comes to by calls, in the order in which it comes to them, nearest first."""
    found: dict[ir.Code, _ReachedFunction] = {}
    seen: set[int] = set()
    waiting = deque([(trace, 0)])
    while waiting:
        current, distance = waiting.popleft()
        if id(current) in seen:
            continue
        seen.add(id(current))
        found.setdefault(current.code, _ReachedFunction(current.code, distance)).traces.append(current)
        handed_on = [(each, _gives(current, each)) for each in current.events if isinstance(each, Entered)]
        waiting.extendleft(reversed([(each.trace, distance) for each, gives in handed_on if gives]))
        waiting.extend((each.trace, distance + 1) for each, gives in handed_on if not gives)
    return found


def _gives(trace: Trace, call: Entered) -> bool:
    """Return whether what a call gives is what the function gives: it stands for the function, and is as near as that."""
    return any(isinstance(each, Returned) and call.at in (each.value.giver, each.given) for each in trace.events)


def _lies_in(code: ir.Code, other: ir.Code) -> bool:
    """Return whether a function is written in another."""
    return code is not other and code.source is other.source and other.at.holds(code.at) and code.at != other.at


def _get_weight(function: _ReachedFunction, program: Program) -> int:
    """Return how much a function says of what a call does, by what it does itself: two count as one call."""
    return max(find_once(program, each, WEIGHT, partial(_get_weight_of, each, program)) for each in function.traces)


WEIGHT = "how much it says"


def _get_weight_of(trace: Trace, program: Program) -> int:
    acts = frozenset[ActName]().union(*(collect_acts(each, program.models) for each in trace.events))
    if acts & CHANGES:
        return 4
    if acts & READS:
        return 3
    return 2 if acts & BOUNDS or any(isinstance(each, Cut | Raised) for each in trace.events) else 0


def _read_names(code: ir.Code) -> Iterator[ir.Global]:
    """Yield the names that a function reads and nothing in it binds."""
    for each in ir.iter_codes(code):
        nodes = (part for statement in ir.iter_statements(each.body) for part in ir.iter_expressions(statement))
        defaults = (part.default for part in each.parameters if part.default is not None)
        yield from (node for node in (*nodes, *defaults) if isinstance(node, ir.Global))


def _build_piece(function: _ReachedFunction, program: Program, tool: Tool, names: frozenset[str]) -> CodePiece:
    code = function.code
    hidden = [*_iter_others(function, str(tool.name), names)] if names else []
    said = tool.said.span if tool.said is not None else None
    if said is not None and code.locate(code.at).holds(said):
        hidden.append(ir.Site(*code.source.reach(said)))
    whole = _lower_whole(code)
    parts = tuple(code.extract_text(each) for each in _iter_visible_sites(whole, _iter_merged_sites(code, hidden)))
    return CodePiece(
        _format_name(code, program),
        code.locate(whole),
        parts,
        code.extract_text(_lower_head(code)),
        tuple(_iter_outside(function, program)),
        _collect_unfollowed_calls(function),
    )


def _format_name(code: ir.Code, program: Program) -> str:
    """Name a function, with the type that it is a method of."""
    made = program.find_receiver_class(code)
    owner = code.owner or (made.name if made is not None else "")
    return f"{owner}.{code.name}" if owner else code.name


def _lower_whole(code: ir.Code) -> ir.Site:
    """Return the place of a function with what it is indented by."""
    before = code.source.data[: code.at.start]
    line = before.rfind(b"\n") + 1
    return ir.Site(line, code.at.end) if not before[line:].strip() else code.at


def _lower_head(code: ir.Code) -> ir.Site:
    """Return the head of a function: all before its body, to the end of a line."""
    declared = [
        *(each.at.end for each in code.parameters),
        *((code.returns.at.end,) if code.returns is not None else ()),
    ]
    end = code.source.data.find(b"\n", max([code.at.start, *declared]))
    return ir.Site(code.at.start, min(end, code.at.end) if end >= 0 else code.at.end)


def _iter_outside(function: _ReachedFunction, program: Program) -> Iterator[str]:
    """Yield the names of library functions that a function calls, without those of the language."""
    seen: dict[str, None] = {}
    for trace in function.traces:
        for event in trace.events:
            if isinstance(event, Called) and event.written and not event.followed and event.path:
                owner, _, _ = event.path.partition(".")
                if owner and "." in event.path and owner not in BUILT_IN and not program.is_standard(event.path):
                    seen[event.path] = None
    yield from list(seen)[:MOST_OUTSIDE]


def _collect_unfollowed_calls(function: _ReachedFunction) -> tuple[str, ...]:
    """Return the calls of project functions in a function that were not followed, because they are too deep or too
    large.
    """
    left = (each for trace in function.traces for each in trace.omissions if each.reason != RECURSION)
    return tuple(dict.fromkeys(each.place.text.partition("(")[0].strip() for each in left))[:MOST_OUTSIDE]


def _iter_others(function: _ReachedFunction, tool: str, names: frozenset[str]) -> Iterator[ir.Site]:
    """Yield the branches that are for other tools: the name of this one decides a test that names one.

    What control never comes to, as what stands after the branch that answers, is for others too where it names others alone.
    """
    own = _quote([tool])
    quoted = _quote(names)
    truths: dict[ir.Site, set[bool | None]] = {}
    for trace in function.traces:
        for event in trace.events:
            if isinstance(event, Tested) and event.code is function.code:
                truths.setdefault(event.at, set()).add(infer_truth(event.value, event.facts))
    for each in ir.iter_statements(function.code.body):
        if not isinstance(each, ir.If) or not any(name in function.code.extract_text(each.test.at) for name in quoted):
            continue
        told = truths.get(each.test.at)
        then, otherwise = [[part.at for part in ir.iter_statements(body)] for body in (each.then, each.otherwise)]
        if then and (
            told == {False}
            or (told is None and not any(name in function.code.extract_text(each.test.at) for name in own))
        ):
            yield ir.Site(each.at.start, max(at.end for at in then))
        elif otherwise and told == {True}:
            yield ir.Site(min(at.start for at in otherwise), max(at.end for at in otherwise))


def _quote(names: Iterable[str]) -> list[str]:
    return [f"{mark}{each}{mark}" for each in names for mark in "\"'"]


def _iter_merged_sites(code: ir.Code, hidden: Iterable[ir.Site]) -> Iterator[ir.Site]:
    """Yield places that are left out, those as one between which nothing is said."""
    last: ir.Site | None = None
    for each in sorted(hidden):
        if last is not None and not SAID.search(code.source.data[last.end : each.start]):
            last = ir.Site(last.start, max(last.end, each.end))
            continue
        if last is not None:
            yield last
        last = each
    if last is not None:
        yield last


def _iter_visible_sites(whole: ir.Site, hidden: Iterable[ir.Site]) -> Iterator[ir.Site]:
    """Yield the visible parts of a function, in order."""
    place = whole.start
    for each in sorted(hidden):
        if each.start > place:
            yield ir.Site(place, each.start)
        place = max(place, each.end)
    if place < whole.end:
        yield ir.Site(place, whole.end)
