"""Values that readers of source stumble over, as they are spelled; shared by the generators."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from forms import forms

T = TypeVar("T")
TEXTS = forms("values", "texts")
PATTERNS = forms("values", "patterns")
NAMES = forms("values", "names")
KEYS = forms("values", "keys")


def some(random: Random, parts: Sequence[T], most: int) -> list[T]:
    """Return up to `most` of the parts, in any order, with repeats."""
    return [random.choice(parts) for _ in range(random.randint(0, most))]


def chance(random: Random, percent: float) -> bool:
    """Return whether a thing that happens so often happens now."""
    return random.random() * 100 < percent
