"""Which functions are a server's tools, and which of them an event of the entry point runs."""

from collections.abc import Collection, Iterator

from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code.events import Called, Entered, Event
from reviewer.code.ir import Code
from reviewer.code.kinds import iter_ancestors
from reviewer.code.program import Program
from reviewer.code.values import Class, Function, Instance, Library
from reviewer.facts import CallEntry, Server
from reviewer.source import Text


def collect_tools(server: Server, entry: CallEntry, functions: EntryPoints) -> set[Code]:
    """Return the functions of a server's tools: those that were found, and methods of their types that are handed arguments."""
    own = functions.find_code(entry.span)
    trace = functions.trace(entry.span) if own is not None else None
    if trace is None:
        return set()
    spans = dict.fromkeys(each.code.span for each in server.tools if each.code is not None)
    found = {code for each in spans if (code := functions.find_code(each)) is not None} - {own}
    if found and not functions.program.raises:
        return found
    types = set(_iter_types(server, functions))
    for each in trace.iter_occurrences(kinds=(Called,)) if types else ():
        assert isinstance(each.event, Called)
        if any(value.labels for value in (*each.event.arguments, *each.event.named.values())):
            found |= {code for code in _collect_callees(each.event) if _find_owner(code, functions.program) in types}
    return found - {own}


def _iter_types(server: Server, functions: EntryPoints) -> Iterator[tuple[str, str]]:
    """Yield the types of tools, each with its file: those that are known, and those a method of which says the name of a tool."""
    for tool in server.tools:
        if isinstance(tool.type, Text):
            yield str(tool.type), tool.type.span.path
        elif isinstance(tool.name, Text):
            naming = functions.trace(tool.name.span)
            owner = _find_owner(naming.code, functions.program) if naming is not None else None
            yield from [owner] if owner is not None else ()


def _collect_callees(event: Called) -> set[Code]:
    """Return the functions of the project that a call may enter."""
    return {each.code for each in event.callee.things if isinstance(each, Function)}


def _find_owner(code: Code, program: Program) -> tuple[str, str] | None:
    """Return the name of the type that a function is a method of, and the file."""
    cls = program.find_receiver_class(code)
    name = code.owner or (cls.name if cls is not None else "")
    return (name, code.source.path) if name else None


def collect_runs(event: Event, codes: Collection[Code], program: Program) -> set[Code]:
    """Return which of some functions an event runs, or may: also of an object of which only the type is known, or nothing."""
    if isinstance(event, Entered):
        return {event.trace.code} & set(codes)
    if not isinstance(event, Called):
        return set()
    found = _collect_callees(event) & set(codes)
    if (
        found
        or event.receiver is None
        or _collect_callees(event)
        or not program.raises
        or not event.path.startswith(".")
    ):
        return found
    kinds = [each.of for each in event.receiver.things if isinstance(each, Instance)]
    named = (each for each in codes if event.path == f".{each.name}")
    return {each for each in named if all(_may_be(kind, each, program) for kind in kinds)}


def _may_be(kind: Class | Library, code: Code, program: Program) -> bool:
    """Return whether what is declared to be of a class may be of the one that a function is a method of."""
    own = program.find_receiver_class(code)
    return own is not None and (kind in iter_ancestors(program, own) or PROTOCOL in iter_ancestors(program, kind))


PROTOCOL = Library("typing.Protocol")
"""What a class descends from that others need not to descend from."""
