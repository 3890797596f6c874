"""What the actions give."""

from typing import Annotated

from pydantic import BaseModel, HttpUrl

from archive.core.truncate import Truncated


class Letter(BaseModel):
    id: str
    sender: str
    year: int
    scan_url: HttpUrl
    text: Annotated[str, Truncated(full_action="letter.get")]
    notes: Annotated[str | None, Truncated(full_action="letter.get")] = None


class Deleted(BaseModel):
    id: str
    sender: str
