"""Choices → how many were right: the tool, the call, its arguments; and which tool is taken for which."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from reviewer.records import dataclass
from reviewer.selection.arguments import Validity, check_arguments, iter_differences
from reviewer.selection.choosing import ToolChoice
from reviewer.selection.offered import Offered
from reviewer.selection.packets import Untold
from reviewer.selection.shares import Share
from reviewer.selection.tasks import Task


@dataclass(frozen=True, slots=True)
class ChoiceOutcome:
    """What was chosen for a task. `different` says where the arguments differ from those that were expected.

    `validity` is None where no tool was chosen, `different` where it is not the tool that the arguments were expected for.
    """

    task: Task
    choice: ToolChoice | Untold
    validity: Validity | None = None
    different: tuple[str, ...] | None = None

    @property
    def is_answered(self) -> bool:
        """Whether there was a choice."""
        return isinstance(self.choice, ToolChoice)

    @property
    def tool(self) -> str:
        """The tool that was chosen, empty if none."""
        return self.choice.tool if isinstance(self.choice, ToolChoice) else ""

    @property
    def is_right(self) -> bool:
        """Whether the tool is right."""
        return self.is_answered and self.tool in self.task.right


def score_choice(task: Task, choice: ToolChoice | Untold, tools: Mapping[str, Offered]) -> ChoiceOutcome:
    """Compare a choice with what was expected."""
    if isinstance(choice, Untold) or not choice.tool:
        return ChoiceOutcome(task, choice)
    found = tools.get(choice.tool)
    if found is None:
        return ChoiceOutcome(task, choice, Validity("invalid", "there is no such tool"))
    said = check_arguments(choice.arguments, found.schema)
    if choice.tool != task.tool:
        return ChoiceOutcome(task, choice, said)
    if choice.arguments is None:
        return ChoiceOutcome(task, choice, said, ("the arguments are no JSON object",))
    return ChoiceOutcome(
        task, choice, said, tuple(sorted(iter_differences(task.arguments, choice.arguments, found.schema)))
    )


@dataclass(frozen=True, slots=True)
class Result:
    """The outcomes of one variant: `as it is`, `without`, `rewritten`, or a base."""

    variant: str
    outcomes: tuple[ChoiceOutcome, ...]

    @property
    def answered(self) -> list[ChoiceOutcome]:
        """The tasks for which there was a choice."""
        return [each for each in self.outcomes if each.is_answered]

    @property
    def unanswered(self) -> Counter[str]:
        """Why there was none for the others."""
        return Counter(each.choice.why for each in self.outcomes if isinstance(each.choice, Untold))

    @property
    def right(self) -> Share:
        """For how many tasks the tool is right."""
        return _count_share(each.is_right for each in self.answered)

    @property
    def valid(self) -> Share:
        """How many of the calls the tools' schemas take, of those that can be checked. No call is none."""
        checked = [each.validity for each in self.answered if each.validity is not None]
        return _count_share(each.said == "valid" for each in checked if each.said != "unknown")

    @property
    def exact(self) -> Share:
        """How many of the calls of the expected tool have the expected arguments."""
        return _count_share(not each.different for each in self.answered if each.different is not None)

    @property
    def confusions(self) -> list[tuple[str, str, int]]:
        """Which tool is taken for which, and how often: the expected one, the one that was chosen, empty if none."""
        counts = Counter((each.task.tool, each.tool) for each in self.answered if not each.is_right)
        return [
            (tool, other, count)
            for (tool, other), count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        ]

    @property
    def by_tool(self) -> dict[str, Share]:
        """For how many tasks of each tool the tool is right."""
        groups: defaultdict[str, list[bool]] = defaultdict(list)
        for each in self.answered:
            groups[each.task.tool].append(each.is_right)
        return {tool: _count_share(each) for tool, each in groups.items()}

    @property
    def models(self) -> list[str]:
        """Who chose."""
        return sorted({each.choice.model for each in self.outcomes if isinstance(each.choice, ToolChoice)})

    def select_outcomes(self, ids: Iterable[str]) -> "Result":
        """Return the outcomes of some tasks."""
        wanted = set(ids)
        return Result(self.variant, tuple(each for each in self.outcomes if each.task.id in wanted))


def score_choices(
    variant: str, tasks: Sequence[Task], choices: Sequence[ToolChoice | Untold], tools: Sequence[Offered]
) -> Result:
    """Compare choices with what was expected, task by task."""
    named = {each.name: each for each in tools}
    return Result(
        variant, tuple(score_choice(task, choice, named) for task, choice in zip(tasks, choices, strict=True))
    )


def _count_share(given: Iterable[bool]) -> Share:
    listed = list(given)
    return Share(sum(listed), len(listed))
