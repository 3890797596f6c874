"""Two results on the same tasks → how many fewer are right, and whether that is more than chance."""

from collections.abc import Iterator

from reviewer.records import dataclass
from reviewer.selection.scores import Result
from reviewer.selection.shares import Share, compute_p_value

CHANCE = 0.05
"""How probable it may be that as many tasks are lost by chance, for a fall to count as one."""


@dataclass(frozen=True, slots=True)
class SelectionComparison:
    """Two results on the tasks that both have a choice for; `lost` are right before and wrong now, `won` the other way."""

    before: Result
    now: Result
    lost: tuple[str, ...]
    won: tuple[str, ...]

    @property
    def chance(self) -> float:
        """How probable it is that so many or more are lost by chance alone, of those whose outcome is another."""
        return compute_p_value(len(self.lost), len(self.won))

    @property
    def fell(self) -> bool:
        """Whether fewer are right, and that is more than chance."""
        return len(self.lost) > len(self.won) and self.chance < CHANCE

    @property
    def shares(self) -> tuple[Share, Share]:
        """How many tools are right before, and now."""
        return self.before.right, self.now.right

    @property
    def confusions(self) -> Iterator[tuple[str, str, int]]:
        """Which tool is now taken for which more often than before, and how often."""
        known = {(tool, other): count for tool, other, count in self.before.confusions}
        yield from (
            (tool, other, count) for tool, other, count in self.now.confusions if count > known.get((tool, other), 0)
        )


def compare_results(before: Result, now: Result) -> SelectionComparison:
    """Compare two results on the tasks that were answered in both."""
    then = {each.task.id: each for each in before.answered}
    both = [each for each in now.answered if each.task.id in then]
    lost = tuple(each.task.id for each in both if then[each.task.id].is_right and not each.is_right)
    won = tuple(each.task.id for each in both if not then[each.task.id].is_right and each.is_right)
    ids = [each.task.id for each in both]
    return SelectionComparison(before.select_outcomes(ids), now.select_outcomes(ids), lost, won)
