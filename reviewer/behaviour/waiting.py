"""What surely lasts: commands that take their time, in code that tells nobody how far it is."""

import re
from collections.abc import Iterator

from reviewer.behaviour.commands import commands, known_words
from reviewer.behaviour.findings import Finding
from reviewer.behaviour.programs import LONG
from reviewer.code.acts import acts_of
from reviewer.code.events import Called, Occurrence, Trace
from reviewer.code.program import Program

TELLING = re.compile(rb"progress|notify_|report_status|\.info\(|send_log", re.IGNORECASE)
"""What shows that code tells a client how far it is."""


def long_commands(trace: Trace, program: Program) -> Iterator[Finding]:
    """Yield the commands that are waited for and take their time, whatever they are given."""
    for each in trace.occurrences(lambda event, _: "runs command" in event.trace.acts):
        acts = acts_of(each.event, program.models) if isinstance(each.event, Called) else ()
        if "runs command" not in acts or ("blocks" not in acts and "waits" not in acts):
            continue
        if each.is_under("task") or each.is_under("thread") or _tells(each) or not each.is_possible():
            continue
        if any(LONG.match(" ".join(known_words(words))) for words in commands(each, program.models)):
            yield Finding("waits", each)


def _tells(occurrence: Occurrence) -> bool:
    """Return whether a function on the way tells the client how far it is."""
    current: Occurrence | None = occurrence
    while current is not None:
        code = current.event.code
        if TELLING.search(code.source.data, code.at.start, code.at.end) is not None:
            return True
        current = current.caller
    return False
