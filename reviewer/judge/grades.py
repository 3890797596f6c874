"""Grades of a description, 1 to 5 in six dimensions, which a judge gives beside its verdicts.

A verdict says whether something is wanting, a grade how well it is told: for the comparison of two versions or two servers. The
dimensions are those of the jury of arXiv 2602.14878, so that the grades can be measured against it.
"""

from collections.abc import Sequence

from reviewer.records import dataclass

DIMENSIONS = ("purpose", "usage", "limitations", "parameters", "examples", "completeness")
"""The six components of descriptions in arXiv 2602.14878, so that grades can be compared with its jury's."""


@dataclass(frozen=True, slots=True)
class Grades:
    """The grades of one description, in the order of `DIMENSIONS`, and who gave them."""

    values: tuple[int, ...]
    model: str

    @property
    def mean(self) -> float:
        """The mean of the six, 1 to 5."""
        return sum(self.values) / len(self.values)


def compute_means(graded: Sequence[Grades]) -> dict[str, float]:
    """Return the mean of each dimension over some tools."""
    columns = zip(*(each.values for each in graded), strict=True)
    return {name: sum(column) / len(column) for name, column in zip(DIMENSIONS, columns, strict=True)}
