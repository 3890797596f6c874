"""What is kept, and what is sent."""

from typing import Annotated, TypedDict

from clinic.marks import truncated


class Visit(TypedDict):
    id: int
    patient: str
    starts: str
    report: Annotated[str, truncated("find_visits")]
    notes: Annotated[str, truncated("find_visits")]


class Slot(TypedDict):
    doctor: str
    starts: str
