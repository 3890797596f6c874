"""Success results of the protocol that code builds itself, and code that takes `_meta` out of one."""

from collections.abc import Iterator

from reviewer.facts import Answer
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.source import Text


def answers(run: Evaluator, module: Module) -> Iterator[Answer]:
    """Find where a success result is built."""
    yield from ()


def strips(run: Evaluator, module: Module) -> Iterator[Text]:
    """Find where `_meta` is taken out."""
    yield from ()
