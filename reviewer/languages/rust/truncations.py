"""What stands for a text or an answer too large: truncation envelopes, overflow actions."""

from collections.abc import Iterator

from reviewer.facts import Envelope
from reviewer.languages.rust.items import Items
from reviewer.source import Text


def envelopes(items: Items) -> Iterator[Envelope]:
    """Find objects with `_truncated`."""
    yield from ()


def overflows(items: Items) -> Iterator[Text]:
    """Find the action names that `_overflow_action` is given."""
    yield from ()
