"""What is sent to a model at once, whatever is asked in it: all that a backend and a cost budget need to know of it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from reviewer.judge.replies import Reply

Notify = Callable[[str], None]
"""Takes a line for the user."""


class ModelRequest(Protocol):
    """One request. `key` tells it from every other of a run."""

    @property
    def system(self) -> str:
        """What is asked, the same for all requests of a kind."""

    @property
    def user(self) -> str:
        """What it is asked about."""

    @property
    def shared(self) -> str:
        """How `user` begins in further requests too, for the provider's cache; empty if in none."""

    @property
    def form(self) -> dict[str, Any]:
        """The JSON Schema of the reply."""

    @property
    def length(self) -> int:
        """How long the reply will be, in verdicts."""

    @property
    def key(self) -> str:
        """What tells this request from every other, and is the same in every run that shows the same."""


Sent = TypeVar("Sent", bound=ModelRequest)


class Sends(Protocol):
    """Sends requests of any kind to a model and gives each with its reply, in whatever order they come."""

    def __call__(self, requests: Sequence[Sent], /) -> Iterable[tuple[Sent, Reply]]:
        """Send requests. It never raises for what a model or a network does."""
