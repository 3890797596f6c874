"""What the beekeeper wrote down."""

from typing import Any

HIVES: list[dict[str, Any]] = [{"id": 1, "stand": "meadow", "frames": 9}, {"id": 2, "stand": "wood", "frames": 7}]
VISITS: list[dict[str, Any]] = [{"hive": 1, "day": "2024-05-02", "queen": True, "note": "calm"}]
JARS: list[dict[str, Any]] = [{"batch": 4, "kind": "linden", "grams": 500}]
