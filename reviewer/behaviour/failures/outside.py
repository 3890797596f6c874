"""Calls that fail for reasons outside: requests, statements, commands, and clients of libraries without a model."""

from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Event
from reviewer.code.program import Program

OUTSIDE = frozenset({"network", "executes sql", "reads database", "runs command"})
"""Acts that fail for reasons outside. That a file cannot be read is no failure where it need not be there, as a cache."""


def asks_outside(event: Event, program: Program) -> bool:
    """Return whether an event is a call that fails for reasons outside."""
    return isinstance(event, Called) and is_outside(event, program)


def is_outside(event: Called, program: Program) -> bool:
    """Return whether a call fails for reasons outside: as its row says, or as what a client does whose library has no row."""
    if not OUTSIDE.isdisjoint(collect_acts(event, program.models)):
        return True
    receiver = event.receiver
    if not program.raises or receiver is None or event.followed or program.models.find_model(event.path) is not None:
        return False
    is_kept = isinstance(receiver.term, tuple) and receiver.term[:1] in KEPT
    kinds = receiver.library_types
    return is_kept and any("." in each and not program.is_standard(each) for each in kinds)


KEPT = (("global",), ("field",), ("captured",), ("parameter",))
"""The first parts of the terms of what a server keeps between calls, as it does its clients."""
