"""Grades of a description, 1 to 5 in six dimensions, which a judge gives beside its verdicts.

A verdict says whether something is wanting, a grade how well it is told: for the comparison of two versions or two servers. The
dimensions are those of the jury of arXiv 2602.14878, so that the grades can be measured against it.
"""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from reviewer.records import dataclass

Grade = Literal[1, 2, 3, 4, 5]
DIMENSIONS = ("purpose", "usage", "limitations", "parameters", "examples", "completeness")


class GradesV1(BaseModel):
    """The grades of one tool as a model writes them; `tool` is its number in the request."""

    model_config = ConfigDict(extra="forbid")
    tool: int
    purpose: Grade
    usage: Grade
    limitations: Grade
    parameters: Grade
    examples: Grade
    completeness: Grade


@dataclass(frozen=True, slots=True)
class Grades:
    """The grades of one description, in the order of `DIMENSIONS`, and who gave them."""

    values: tuple[int, ...]
    model: str

    @property
    def mean(self) -> float:
        """The mean of the six, 1 to 5."""
        return sum(self.values) / len(self.values)


def read(document: Any, model: str) -> dict[int, Grades]:
    """Return the grades of a reply by the tools' numbers; what is not of the form, or is there twice, is left out."""
    given = document.get("grades") if isinstance(document, dict) else None
    found: dict[int, list[Grades]] = {}
    for each in given if isinstance(given, list) else ():
        try:
            graded = GradesV1.model_validate(each)
        except ValidationError:
            continue
        values = tuple(getattr(graded, name) for name in DIMENSIONS)
        found.setdefault(graded.tool, []).append(Grades(values, model))
    return {tool: one for tool, (one, *others) in found.items() if not others}


def means(graded: Sequence[Grades]) -> dict[str, float]:
    """Return the mean of each dimension over some tools."""
    columns = zip(*(each.values for each in graded), strict=True)
    return {name: sum(column) / len(column) for name, column in zip(DIMENSIONS, columns, strict=True)}
