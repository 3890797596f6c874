"""Places that catch an exception and answer in a handler's stead."""

from collections.abc import Iterator

from reviewer.facts import (
    Rescue,
)
from reviewer.languages.nodes import matches, string_of
from reviewer.languages.python import exits
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.source import Text

LEAKS = (b"format_exc(", b"format_exception(")


def rescues(_run: Evaluator, module: Module) -> Iterator[Rescue]:
    """Find `except` clauses that answer, and those that answer with the traceback."""
    if not any(leak in module.source.data for leak in LEAKS):
        return
    for found in matches(module.root, "python", "rescues"):
        clause = found["clause"]
        leak = next(
            (value for value in exits.returned(clause) if any(each in (value.text or b"") for each in LEAKS)), None
        )
        yield Rescue(module.span(clause), Text(string_of(leak), module.span(leak)) if leak is not None else None)
