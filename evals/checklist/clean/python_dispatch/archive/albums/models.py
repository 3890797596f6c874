"""What the actions give."""

from dataclasses import dataclass
from typing import Annotated

from archive.core.truncate import Truncated


@dataclass
class Album:
    id: str
    title: str
    photographs: int
    description: Annotated[str, Truncated("album.get")] = ""
