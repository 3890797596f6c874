"""The calendar itself."""

from typing import Any

from clinic.models import Slot, Visit


class Calendar:
    def __init__(self) -> None:
        self.visits: list[Visit] = []
        self.slots: list[Slot] = []

    def find(self, patient: str) -> list[dict[str, Any]]:
        found = [dict(visit) for visit in self.visits if patient in visit["patient"]]
        return sorted(found, key=lambda visit: visit["starts"])

    def cancel(self, visit: int) -> bool:
        before = len(self.visits)
        self.visits = [each for each in self.visits if each["id"] != visit]
        return len(self.visits) < before

    def next_slot(self, doctor: str) -> Slot | None:
        return next((slot for slot in self.slots if slot["doctor"] == doctor), None)
