"""Tasks: what a user says, the tool that it needs, the call that is right; and what a task must hold to count."""

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, RootModel

from reviewer.files.discovery import CannotReviewError
from reviewer.files.storage import replace_file
from reviewer.judge.documents import read_document
from reviewer.judge.quotes import normalize_text
from reviewer.records import dataclass
from reviewer.selection.arguments import check_arguments, iter_untold
from reviewer.selection.offered import Offered
from reviewer.selection.words import extract_stems, measure_overlap, names

Json = dict[str, Any]

LONGEST = 1000
"""Characters of a task: one or two sentences, and the values that they tell."""

MOST_REPEATED = 0.4
"""The part of a task's words that its tool may say of itself: two of five, for some things have one name only. It is a choice
and no measurement: with less, few tasks are left; with more, one who matches words needs no understanding."""

KNOWN_TO_MANY = 1 / 3
"""A word that so large a part of the tools say of themselves is the server's, and tells none of them from the others."""


class TaskV1(BaseModel):
    """One task of a file."""

    model_config = ConfigDict(extra="forbid")
    id: str
    task: str
    tool: str
    arguments: dict[str, Any]
    also: list[str] = []
    by: str = ""


class TasksV1(BaseModel):
    """A file of tasks: `also` names other tools that are as right, `by` says who wrote a task."""

    model_config = ConfigDict(extra="forbid")
    version: Literal[1]
    tasks: list[TaskV1]


class TextsV1(RootModel[dict[str, str]]):
    """A file of other descriptions, by the names of tools."""


@dataclass(frozen=True, slots=True)
class Task:
    """One task. `also` are other tools that are equally right, `by` is the model or agent that wrote it."""

    id: str
    text: str
    tool: str
    arguments: Json
    also: tuple[str, ...] = ()
    by: str = ""

    @property
    def right(self) -> frozenset[str]:
        """The tools that are right."""
        return frozenset((self.tool, *self.also))


@dataclass(frozen=True, slots=True)
class Rejected:
    """A task that does not count, and why."""

    tool: str
    text: str
    why: str


class Judgement:
    """Decides which tasks count, by all the tools of a server; `listed` names them and those that stand beside them."""

    def __init__(self, tools: Sequence[Offered], listed: Collection[str]) -> None:
        self._listed = listed
        self._tools = {each.name: each for each in tools}
        said = [set(extract_stems(_format_told(each))) for each in tools]
        often = Counter(word for words in said for word in words)
        self._allowed = {word for word, count in often.items() if count > max(1, len(tools) * KNOWN_TO_MANY)}
        self._allowed |= {
            word for each in tools for name in _list_properties(each.schema) for word in extract_stems(name)
        }

    def find_defect(self, task: Task) -> str | None:
        """Say why a task does not count; None if it does."""
        return self._find_fault_of_task(task) or self._find_fault_of_arguments(task)

    def _find_fault_of_task(self, task: Task) -> str | None:
        tool = self._tools[task.tool]
        if not task.text.strip() or len(task.text) > LONGEST:
            return f"it has no text, or more than {LONGEST} characters"
        if not all(line.isprintable() for line in task.text.split("\n")):
            return "it has characters that cannot be seen"
        named = next((name for name in self._tools if names(_without_values(task), name)), None)
        if named is not None:
            return f"it names the tool `{named}`"
        values = {word for value in _list_texts(task.arguments) for word in extract_stems(value)}
        share = measure_overlap(task.text, _format_told(tool), self._allowed | values)
        if share > MOST_REPEATED:
            return f"{share:.0%} of its words are the tool's own"
        return None

    def _find_fault_of_arguments(self, task: Task) -> str | None:
        tool = self._tools[task.tool]
        found = check_arguments(task.arguments, tool.schema)
        if found.said == "invalid":
            return f"its arguments are not valid: {found.why}"
        properties = _list_properties(tool.schema)
        strange = next((name for name in task.arguments if properties and name not in properties), None)
        if strange is not None:
            return f"`{strange}` is no argument of the tool"
        hidden = next(iter_untold(task.arguments, tool.schema, task.text), None)
        if hidden is not None:
            return f"it does not tell the value of `{hidden}`"
        unknown = next((name for name in task.also if name not in self._listed), None)
        return f"there is no tool `{unknown}`" if unknown is not None else None


def _format_told(tool: Offered) -> str:
    """Return the text of a tool about itself."""
    return f"{tool.name} {tool.title} {tool.description}"


def _list_properties(schema: Json | None) -> Sequence[str]:
    named = (schema or {}).get("properties")
    return list(named) if isinstance(named, dict) else []


def _list_texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in _list_texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in _list_texts(each)]
    return [str(value)]


def _without_values(task: Task) -> str:
    """Return a task without the values that it tells: a file may be called as a tool is."""
    text = normalize_text(task.text)
    for value in sorted(_list_texts(task.arguments), key=len, reverse=True):
        if value:
            text = text.replace(normalize_text(value), " ")
    return text


def read(file: Path) -> list[Task]:
    """Read a file of tasks. Raises CannotReviewError if it is none."""
    listed = [
        Task(each.id, each.task, each.tool, each.arguments, tuple(each.also), each.by)
        for each in read_document(TasksV1, file).tasks
    ]
    twice = next((id_ for id_, count in Counter(each.id for each in listed).items() if count > 1), None)
    if twice is not None:
        raise CannotReviewError(f"{file}: two tasks have the id `{twice}`")
    return listed


def write(file: Path, tasks: Sequence[Task]) -> None:
    """Write a file of tasks. Raises CannotReviewError if that cannot be."""
    listed = [
        TaskV1(id=each.id, task=each.text, tool=each.tool, arguments=each.arguments, also=list(each.also), by=each.by)
        for each in tasks
    ]
    try:
        replace_file(file, (TasksV1(version=1, tasks=listed).model_dump_json(indent=1) + "\n").encode())
    except OSError as error:
        raise CannotReviewError(f"{file}: cannot be written: {(error.strerror or str(error)).lower()}") from None


def is_unique(tasks: Sequence[Task], text: str) -> bool:
    """Return whether no task says the same."""
    return all(normalize_text(each.text).casefold() != normalize_text(text).casefold() for each in tasks)
