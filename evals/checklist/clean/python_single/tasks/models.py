"""What the actions give."""

from dataclasses import dataclass
from typing import Annotated


class Truncated:
    """Marks a text that is shortened when it is large."""


@dataclass
class Task:
    id: int
    title: str
    day: str
    description: Annotated[str, Truncated()]
