"""Shares with what chance leaves open of them."""

from math import comb, sqrt

from reviewer.records import dataclass

Z = 1.959964
"""Of the normal distribution, for an interval that holds the true share in 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, None of nothing."""
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds between which the true share lies in 95 of 100 cases (Wilson's score interval)."""
        if not self.of:
            return 0.0, 1.0
        share, square = self.count / self.of, Z * Z
        middle = (share + square / (2 * self.of)) / (1 + square / self.of)
        half = Z / (1 + square / self.of) * sqrt(share * (1 - share) / self.of + square / (4 * self.of**2))
        return max(0.0, middle - half), min(1.0, middle + half)


def compute_p_value(lost: int, won: int) -> float:
    """Return how probable it is that of so many tasks with another outcome at least `lost` are lost by chance alone (sign
    test)."""
    changed = lost + won
    ways: int = sum(comb(changed, each) for each in range(lost, changed + 1))
    return float(ways / 2**changed)
