"""What is planted where."""

from garden.models import Plant, Reading


class Beds:
    def __init__(self) -> None:
        self._plants: dict[str, Plant] = {}
        self._readings: dict[str, Reading] = {}
        self._schedule: list[tuple[int, str]] = []

    def plants(self, bed: int | None) -> list[Plant]:
        rows = (plant for plant in self._plants.values() if bed is None or plant.bed == bed)
        return sorted(rows, key=lambda plant: plant.name)

    def reading(self, sensor: str) -> Reading | None:
        return self._readings.get(sensor)

    def clear_schedule(self) -> int:
        count = len(self._schedule)
        self._schedule.clear()
        return count
