"""What the tools give."""

from typing import Annotated

from pydantic import BaseModel, Field


class Truncated:
    """Marks a text that is shortened when it is large."""

    def __init__(self, full_action: str) -> None:
        self.full_action = full_action


class Plant(BaseModel):
    id: str
    name: str
    bed: int
    photo_url: str
    notes: Annotated[str, Truncated("read_plant"), Field(description="What the gardener wrote")]


class Reading(BaseModel):
    sensor: str
    moisture: float
    raw: str = Field(max_length=512)
