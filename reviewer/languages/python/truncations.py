"""What stands for a text or an answer too large: truncation envelopes, overflow actions."""

from collections.abc import Iterator

from reviewer.facts import Envelope
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.source import Text


def envelopes(run: Evaluator, module: Module) -> Iterator[Envelope]:
    """Find objects with `_truncated`."""
    yield from ()


def overflows(run: Evaluator, module: Module) -> Iterator[Text]:
    """Find the action names that `_overflow_action` is given."""
    yield from ()
