"""What ends the process of the server while a call is answered: calls that exit, exceptions that no clause for errors takes."""

from collections.abc import Iterator

from reviewer.behaviour.failures.exceptions import leaves
from reviewer.behaviour.findings import RunFinding
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Entered, Occurrence, Raised, Trace
from reviewer.code.kinds import collect_kinds
from reviewer.code.program import Program
from reviewer.code.values import Library

EXIT = Library("builtins.SystemExit")
"""What Python's `sys.exit` raises: no `except Exception` takes it, and an event loop hands it on."""

# Acts after which no code of the process runs, so no clause can catch them.
ENDING = frozenset({"exits", "aborts"})


def iter_ended_servers(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the calls that end the process in a tool call, if nothing catches that on the way."""
    for each in trace.iter_occurrences(lambda event, _: _may_end(event, program), kinds=(Called, Raised)):
        if _ends(each, program) and each.is_possible():
            yield RunFinding("ends server", each)


def _may_end(event: Entered, program: Program) -> bool:
    return not ENDING.isdisjoint(event.trace.acts) or event.trace.leads_to(_raises_exit, program)


def _raises_exit(event: object, _program: Program) -> bool:
    return isinstance(event, Raised) and event.value is not None and EXIT in collect_kinds(event.value)


def _ends(here: Occurrence, program: Program) -> bool:
    if isinstance(here.event, Raised):
        return _raises_exit(here.event, program) and leaves(program, here, EXIT)
    acts = collect_acts(here.event, program.models) if isinstance(here.event, Called) else frozenset()
    if "exits" in acts and program.raises:
        return leaves(program, here, EXIT)
    return not ENDING.isdisjoint(acts)
