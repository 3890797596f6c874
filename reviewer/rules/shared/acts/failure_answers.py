"""What the answers of a server to failures get wrong, for rules that look for one fault of them."""

from collections.abc import Iterator

from reviewer.facts import ErrorMapping, Server
from reviewer.rules.shared.acts.handler_effects import iter_acts, iter_handlers
from reviewer.source import Span, Text


def are_looked_at(told: ErrorMapping | Server) -> bool:
    """Return whether answers to failures are: those of a decorator, or in Rust, which has no exceptions, those of all code."""
    return isinstance(told, ErrorMapping) or (told.language == "rust" and any(iter_handlers(told)))


def iter_written_faults(server: Server) -> Iterator[tuple[str, Text]]:
    """Yield the faults of the error responses that tools write out, each fault of a place once."""
    seen = set[tuple[str, Span]]()
    for act in (act for each in iter_handlers(server) for act in iter_acts(each, "misfits failure")):
        fault = str(act.about)
        if (fault, act.text.span) not in seen:
            seen.add((fault, act.text.span))
            yield fault, act.text
