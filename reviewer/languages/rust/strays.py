"""Declarations that rmcp passes over in silence, or makes something else of than they say."""

from collections.abc import Iterator

from reviewer.facts import Stray
from reviewer.languages.rust.items import Items


def strays(items: Items) -> Iterator[Stray]:
    """Find declarations that come to nothing or to something else."""
    yield from ()
