"""Places that ask the user before an action is carried out."""

from collections.abc import Iterator

from reviewer.facts import Elicitation
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module


def elicitations(run: Evaluator, module: Module) -> Iterator[Elicitation]:
    """Find where a user is asked."""
    yield from ()
