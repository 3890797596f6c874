"""Places that ask the user before an action is carried out."""

from collections.abc import Iterator

from reviewer.facts import Elicitation
from reviewer.languages.rust.items import Items


def elicitations(items: Items) -> Iterator[Elicitation]:
    """Find where a user is asked."""
    yield from ()
