"""The `fields` that a client asks for: filtered by hand, or never looked at."""

from collections.abc import Iterator

from reviewer.facts import Projection
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module


def projections(run: Evaluator, module: Module) -> Iterator[Projection]:
    """Find handlers that filter keys themselves or ignore the argument."""
    yield from ()
