"""Temporary files that remain after a call, without a use."""

import re
from collections.abc import Iterator

from reviewer.behaviour.findings import RunFinding
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Event, Occurrence, Returned, Stored, Trace
from reviewer.code.ir import Call, Code, Try, iter_statements
from reviewer.code.program import Program
from reviewer.code.values import Value, get_term_head
from reviewer.text.patterns import pattern

AWAY = pattern(
    r"(?:\A|\.)(?:os|shutil|Path)\.(?:replace|move)\Z|(?:clean|remove_|unlink|delete|rmtree|rename|register|callback|finali[sz]e|schedul)\w*\Z",
    re.IGNORECASE,
)
"""Functions that may take a file away, or see to it that somebody does."""


def iter_left_files(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where a temporary file is made that no way without a failure takes away, and that no answer and no object names."""
    if not trace.leads_to(_leaves, program):
        return
    if any(_ends_by_taking_away(code) for code in trace.collect_codes()):
        return
    made = list[Occurrence]()
    for each in trace.iter_occurrences(kinds=(Called, Stored)):
        event = each.event
        if isinstance(event, Stored):
            if _is_temporary(event.value) and not _is_local(event.owner):
                return
        elif isinstance(event, Called):
            if not each.is_under("handles") and _takes_away(event, program):
                return
            if _leaves(event, program) and each.is_possible():
                made.append(each)
    if not any(_is_told(each, inner is trace) for inner in trace.list_traces() for each in inner.events):
        yield from (RunFinding("leaves temporary", each) for each in made)


def _is_told(event: Event, is_answer: bool) -> bool:
    """Return whether an answer names a temporary file, or a field of what a function gives does."""
    if not isinstance(event, Returned):
        return False
    return (is_answer and _is_temporary(event.value)) or any(map(_is_temporary, (event.value.contents or {}).values()))


def _leaves(event: Event, program: Program) -> bool:
    """Return whether a call makes a file that is left, and not beside another in whose place it is put."""
    if not isinstance(event, Called):
        return False
    return "leaves temporary" in collect_acts(event, program.models) and "dir" not in event.named and not event.is_open


def _ends_by_taking_away(code: Code) -> bool:
    """Return whether a function calls at last what may take a file away, where what it holds then is not known to be there."""
    last = (
        each for whole in iter_statements(code.body) if isinstance(whole, Try) for each in iter_statements(whole.always)
    )
    return any(isinstance(each, Call) and AWAY.search(code.extract_text(each.callee.at)) is not None for each in last)


def _takes_away(event: Called, program: Program) -> bool:
    return "deletes file" in collect_acts(event, program.models) or AWAY.search(event.path) is not None


def _is_temporary(value: Value) -> bool:
    """Return whether a value may name a temporary file: no host and no program gave it."""
    origins = {each.origin for each in value.labels}
    return "temporary" in origins and origins.isdisjoint(("network", "command"))


def _is_local(owner: Value) -> bool:
    """Return whether an object is one that the function makes itself, a list or a table."""
    return get_term_head(owner.term) == "new"
