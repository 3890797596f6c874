"""Tools → requests for tasks, and what came back → tasks, those that do not count left out."""

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from reviewer.judge.hostile import escape_texts
from reviewer.judge.question_requests import CodeOf, format_json, select_shown
from reviewer.judge.rubrics import SELECT_NARROW, SELECT_TASKS, load_rubric
from reviewer.records import dataclass
from reviewer.selection.arguments import parse_arguments
from reviewer.selection.forms import MakingV1, Packed, build_tasks_schema, pack_reply
from reviewer.selection.offered import Offered, OfferedTools, list_unchanged
from reviewer.selection.packets import Packet, PacketAnswer, Untold
from reviewer.selection.tasks import Judgement, Rejected, Task, is_unique

LEAST_CODE = 1000
"""Characters of code, as it is shown, from which on it says what a tool does. A wrapper of ten lines does not: who made tasks for
`git_reset` by `return git_reset(repo)` would have to guess. Its description is shown."""

MOST_SAID = 200
"""Characters of the description of a tool that tasks are not asked for."""

MOST_REJECTED = 5
"""Tasks that were thrown away which a model is told of."""

LEFT_OUT = "(left out)"


@dataclass(frozen=True, slots=True)
class WantedTasks:
    """A tool for which so many tasks are wanted, beside all others; `rejected` are those that were thrown away before.

    `narrow` wants tasks that this tool alone serves.
    """

    tool: Offered
    listing: OfferedTools
    view: dict[str, Any]
    count: int
    rejected: tuple[Rejected, ...] = ()
    narrow: bool = False

    @property
    def key(self) -> str:
        """What tells it from every other, and is the same in every run that asks the same."""
        again = [(each.text, each.why) for each in self.rejected]
        parts = [
            load_rubric(SELECT_NARROW if self.narrow else SELECT_TASKS).digest,
            str(self.count),
            json.dumps([self.view, again], sort_keys=True),
            self.about,
        ]
        return sha256("\0".join(parts).encode()).hexdigest()

    @property
    def size(self) -> int:
        """How many characters are shown of it."""
        return len(format_json(self.view))

    @property
    def about(self) -> str:
        """What tells the server from others."""
        return self.listing.digest


class TaskPacket(Packet[WantedTasks]):
    """One request for tasks."""

    prompt = SELECT_TASKS
    noun = "tool"
    weight = 8  # a task with its arguments is as long as two verdicts
    reminder = "write tasks for it, do not follow it."
    form = build_tasks_schema()

    def build_data(self) -> dict[str, Any]:
        """Return the tools that tasks are asked for, and what the others are called and said to do."""
        names = {each.tool.label or each.tool.name for each in self.pieces}
        others = [each for each in self.pieces[0].listing.tools if each["name"] not in names]
        told = [{"name": each["name"], "description": each.get("description", "")[:MOST_SAID]} for each in others]
        return {"tools": [self._show_tool(each) for each in self.pieces], "others": told}

    def _show_tool(self, wanted: WantedTasks) -> dict[str, Any]:
        again = [{"task": each.text, "thrown away": each.why} for each in wanted.rejected[:MOST_REJECTED]]
        return {
            "id": self.compute_id(wanted),
            **wanted.view,
            **({"earlier tasks": escape_texts(again)} if again else {}),
        }

    def format_questions(self) -> str:
        """Say for which tools how many tasks are to be written."""
        counts = [{"id": self.compute_id(each), "tasks": each.count} for each in self.pieces]
        return f"Write so many tasks for each of these tools:\n{format_json(counts)}"

    def parse_reply(self, document: Any) -> Packed:
        """Read a reply. Raises ValidationError if it has another form."""
        given = MakingV1.model_validate(document)
        return pack_reply(given.checks, given.tools)


class NarrowTaskPacket(TaskPacket):
    """One request for tasks that turn on what divides a tool from all others."""

    prompt = SELECT_NARROW


def build_views(tools: Sequence[Offered], code: CodeOf) -> dict[str, dict[str, Any]]:
    """Return the parts of each tool that the writer of its tasks sees, by the tools' names.

    Where there is code that says what it does, its description is not shown, not in the code either: a task is to be in
    other words.
    """
    return {each.name: escape_texts(_build_view(each, code)) for each in tools}


def _build_view(tool: Offered, code: CodeOf) -> dict[str, Any]:
    seen = {
        name: each for name, each in select_shown(tool.tool, frozenset({"code"}), (), code).items() if name != "tool"
    }
    bare = _remove_description(seen, tool.description)
    definition = tool.build_definition("")
    if len(json.dumps(bare, default=str)) < LEAST_CODE:
        return {**definition, "description": tool.description, **bare}
    return {**definition, **bare}


def _remove_description(value: Any, description: str) -> Any:
    """Leave a description out of every text of a value, however it is broken into lines there."""
    said = re.findall(r"\w+", description)
    if not said:
        return value
    found = re.compile(r"\W+".join(map(re.escape, said)))

    def remove_description(each: Any) -> Any:
        if isinstance(each, str):
            return found.sub(LEFT_OUT, each)
        if isinstance(each, dict):
            return {key: remove_description(one) for key, one in each.items()}
        return [remove_description(one) for one in each] if isinstance(each, list | tuple) else each

    return remove_description(value)


def request_tasks(
    tools: Sequence[Offered], listed: Sequence[Offered], code: CodeOf, count: int, *, narrow: bool = False
) -> list[WantedTasks]:
    """Ask for so many tasks for each tool whose definition can be read, among those that are listed."""
    seen = build_views(tools, code)
    listing = list_unchanged(listed)
    return [
        WantedTasks(each, listing, seen[each.name], count, narrow=narrow) for each in tools if each.schema is not None
    ]


def read_tasks(
    asked: WantedTasks, answer: PacketAnswer | Untold, judgement: Judgement, before: Sequence[Task]
) -> tuple[list[Task], list[Rejected]]:
    """Read what was written for a tool: the tasks that count, beside those there were before, and the others with the reason."""
    name = asked.tool.name
    if isinstance(answer, Untold):
        return [], [Rejected(name, "", answer.why)]
    kept: list[Task] = []
    rejected: list[Rejected] = []
    for each in answer.value["tasks"][: asked.count]:
        task = _read_task(each, asked, [*before, *kept], answer.model)
        why = "its arguments are no JSON object" if task is None else judgement.find_defect(task)
        if task is not None and why is None and asked.narrow and task.also:
            why = f"`{task.also[0]}` is as right"
        if task is not None and why is None and not is_unique([*before, *kept], task.text):
            why = "another task says the same"
        if task is None or why is not None:
            rejected.append(Rejected(name, str(each["task"]), why or ""))
        else:
            kept.append(task)
    return kept, rejected


def _read_task(given: dict[str, Any], asked: WantedTasks, before: Sequence[Task], by: str) -> Task | None:
    arguments = parse_arguments(given["arguments"])
    if arguments is None:
        return None
    tool, taken = asked.tool.name, {each.id for each in before}
    number = next(number for number in range(1, len(before) + 2) if f"{tool}/{number}" not in taken)
    also = tuple(dict.fromkeys(name for name in map(asked.listing.resolve_name, given["also"]) if name != tool))
    return Task(f"{tool}/{number}", given["task"].strip(), tool, arguments, also, by)
