"""Where Python code sends progress: in what tools do, and in functions that nobody is seen to call."""

from collections.abc import Iterator

from reviewer.behaviour import progress as analysis
from reviewer.facts import Progress, Server
from reviewer.languages.python.behaviour.following import own
from reviewer.languages.python.behaviour.leading import traces_to
from reviewer.languages.python.behaviour.tracing import program_of
from reviewer.languages.python.evaluator import Evaluator

NAMES = frozenset({"report_progress", "send_progress_notification", "ProgressNotificationParams", "progressToken"})


def progress(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[Progress]:
    """Find where progress is sent."""
    found = traces_to(run, servers, NAMES) if any(True for _ in own(run, *(each.encode() for each in NAMES))) else ()
    program = program_of(run)
    yield from analysis.distinct(each for start in found for each in analysis.progress(start.trace, program))
