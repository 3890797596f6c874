"""A selection from beginning to end: tasks are made or given, tools are chosen for them, variant by variant."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from reviewer.judge.question_requests import CodeOf
from reviewer.records import dataclass
from reviewer.selection.asking import Asking
from reviewer.selection.choosing import ChoicePacket, Offering, build_offerings, read_choice
from reviewer.selection.comparing import SelectionComparison
from reviewer.selection.making import NarrowTaskPacket, TaskPacket, read_tasks, request_tasks
from reviewer.selection.offered import Offered, iter_lots, list_rewritten, list_unchanged, list_without, order_tools
from reviewer.selection.packets import PacketAnswer
from reviewer.selection.scores import Result, score_choices
from reviewer.selection.tasks import Judgement, Rejected, Task
from reviewer.selection.together import Connected, merge_tools

PASSES = 2
"""How often tasks are asked for: once more for those that do not count."""

AS_IT_IS, WITHOUT, REWRITTEN = "as it is", "without", "rewritten"
"""The variants, by the names that a report tells them by."""


@dataclass(frozen=True, slots=True)
class SelectionPlan:
    """What is asked for: tasks for each tool, orders of the tools, whether descriptions are taken away, and the new texts.

    `lots` takes descriptions away of a part of the tools at once: so many parts, each tool by itself if None. `variant` is how
    the result is called of the descriptions as they are.

    `beside` are other servers whose tools stand in the same list, `server` the name of this one among them; `hidden` shows
    neutral labels in the place of names, and `narrow` asks for tasks that one tool alone serves.
    """

    tasks: int = 3
    seed: int = 0
    orders: int = 3
    taken_away: bool = False
    lots: int | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    variant: str = AS_IT_IS
    beside: tuple[Connected, ...] = ()
    server: str = "server"
    hidden: bool = False
    narrow: bool = False

    def list_all(self, tools: Sequence[Offered]) -> list[Offered]:
        """Return all tools that are listed, the server's own first."""
        return merge_tools(tools, self.server, self.beside)


@dataclass(frozen=True, slots=True)
class MadeTasks:
    """The tasks that count, and those that do not. A tool without an answer has one without text, that says why."""

    tasks: tuple[Task, ...]
    rejected: tuple[Rejected, ...] = ()


@dataclass(frozen=True, slots=True)
class SelectionResults:
    """All results, the one of the descriptions as they are first. `untested` are tools without a task.

    `listed` are all tools that stood in one list, those of other servers too; `hidden` says that no names were shown.
    """

    tools: tuple[Offered, ...]
    tasks: tuple[Task, ...]
    results: tuple[Result, ...]
    rejected: tuple[Rejected, ...] = ()
    compared: SelectionComparison | None = None
    base: str = ""
    listed: tuple[Offered, ...] = ()
    hidden: bool = False

    @property
    def others(self) -> dict[str, list[str]]:
        """The names that choices have for the tools of other servers, by their servers."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for each in self.listed:
            if each.server:
                found[each.server].append(each.name)
        return dict(found)

    @property
    def untested(self) -> list[str]:
        """The tools without a task."""
        tested = {each.tool for each in self.tasks}
        return [each.name for each in self.tools if each.name not in tested]

    @property
    def unmade(self) -> Counter[str]:
        """Why there are no tasks for tools that were asked for and not answered, with how many tools these are."""
        untested = set(self.untested)
        return Counter(
            {each.tool: each.why for each in self.rejected if not each.text and each.tool in untested}.values()
        )

    @property
    def open_choices(self) -> Counter[str]:
        """Why there is no choice, with how often that is so."""
        return sum((each.unanswered for each in self.every), Counter())

    @property
    def is_whole(self) -> bool:
        """Whether there are tasks for all tools that were asked for, and a choice for each in every variant."""
        return bool(self.tasks) and not self.unmade and not self.open_choices

    @property
    def every(self) -> list[Result]:
        """All results, those that were compared with too."""
        return [*self.results, *([self.compared.before] if self.compared is not None else [])]


def make_tasks(
    tools: Sequence[Offered], code: CodeOf, plan: SelectionPlan, asking: Asking, given: Sequence[Task] = ()
) -> MadeTasks:
    """Have tasks made for the tools that have none among those given, and once more for those of them that do not count."""
    every = plan.list_all(tools)
    judgement = Judgement(tools, frozenset(each.name for each in every))
    has = {each.tool for each in given}
    without_any = [each for each in every if not each.server and each.name not in has]
    open_ = request_tasks(without_any, every, code, plan.tasks, narrow=plan.narrow)
    kept: defaultdict[str, list[Task]] = defaultdict(list)
    rejected: list[Rejected] = []
    for _ in range(PASSES):
        answers = asking(open_, NarrowTaskPacket if plan.narrow else TaskPacket)
        again = []
        for each in open_:
            answer = answers[each.key]
            good, bad = read_tasks(each, answer, judgement, kept[each.tool.name])
            kept[each.tool.name] += good
            rejected += bad
            if isinstance(answer, PacketAnswer) and bad:
                again.append(replace(each, count=len(bad), rejected=tuple(bad)))
        open_ = again
        if not open_:
            break
    made_ = [task for tool in tools for task in kept[tool.name]]
    return MadeTasks(tuple(made_), tuple(rejected))


def iter_variants(
    tools: Sequence[Offered], tasks: Sequence[Task], plan: SelectionPlan
) -> Iterator[tuple[str, list[Offering]]]:
    """Yield each variant with its offerings, for which tools are chosen."""
    orders = [order_tools(plan.list_all(tools), plan.seed, number) for number in range(plan.orders)]
    hidden = plan.hidden
    yield plan.variant, build_offerings(tasks, [list_unchanged(each, plan.variant, hidden=hidden) for each in orders])
    if plan.taken_away:
        yield (
            WITHOUT,
            [
                offering
                for names in iter_lots(tools, plan.lots)
                for offering in build_offerings(
                    [each for each in tasks if each.tool in names],
                    [list_without(each, names, hidden=hidden) for each in orders],
                )
            ],
        )
    if plan.texts:
        yield REWRITTEN, build_offerings(tasks, [list_rewritten(each, plan.texts, hidden=hidden) for each in orders])


def choose(tools: Sequence[Offered], tasks: Sequence[Task], plan: SelectionPlan, asking: Asking) -> list[Result]:
    """Have tools chosen for tasks in all variants. What two variants show alike is asked once."""
    planned, every = list(iter_variants(tools, tasks, plan)), plan.list_all(tools)
    answers = asking([each for _, listed in planned for each in listed], ChoicePacket)
    return [
        score_choices(
            name,
            [each.task for each in listed],
            [read_choice(answers[each.key], each.listing) for each in listed],
            every,
        )
        for name, listed in planned
    ]


def select_choosable(tools: Sequence[Offered], tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks whose tool is there."""
    there = {each.name for each in tools}
    return [each for each in tasks if each.tool in there]
