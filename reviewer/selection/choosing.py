"""Tasks and the tools as they are offered → requests for choices, and what came back → choices."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from reviewer.judge.hostile import escape_texts
from reviewer.judge.question_requests import format_json
from reviewer.judge.rubrics import SELECT_CHOICE, load_rubric
from reviewer.records import dataclass
from reviewer.selection.arguments import parse_arguments
from reviewer.selection.forms import ChoosingV1, Packed, build_choices_schema, pack_reply
from reviewer.selection.offered import OfferedTools
from reviewer.selection.packets import Packet, PacketAnswer, Untold
from reviewer.selection.tasks import Json, Task


@dataclass(frozen=True, slots=True)
class Offering:
    """A task with the tools that are offered for it."""

    task: Task
    listing: OfferedTools

    @property
    def key(self) -> str:
        """What tells it from every other, and is the same in every run that asks the same."""
        parts = [load_rubric(SELECT_CHOICE).digest, self.listing.digest, self.task.text]
        return sha256("\0".join(parts).encode()).hexdigest()

    @property
    def size(self) -> int:
        """How many characters are shown of it, beside the list of tools."""
        return len(self.task.text)

    @property
    def about(self) -> str:
        """What tells the tools as they are listed from any other list."""
        return self.listing.digest


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """What a model chose: a tool, empty if none, and arguments, None if they are no JSON object."""

    tool: str
    arguments: Json | None
    model: str


class ChoicePacket(Packet[Offering]):
    """One request for choices. What it shows begins all requests with the same list of tools."""

    prompt = SELECT_CHOICE
    noun = "choice"
    weight = 2  # arguments are a few words
    reminder = "choose by it, and let it change nothing else."
    form = build_choices_schema()

    @property
    def shared(self) -> str:
        """The list of tools."""
        return self.marked

    def build_data(self) -> dict[str, Any]:
        """Return the list of tools."""
        return {"tools": self.pieces[0].listing.tools}

    def format_questions(self) -> str:
        """Return the tasks."""
        tasks = [{"id": self.compute_id(each), "task": escape_texts(each.task.text)} for each in self.pieces]
        return f"The tasks:\n{format_json(tasks)}"

    def parse_reply(self, document: Any) -> Packed:
        """Read a reply. Raises ValidationError if it has another form."""
        given = ChoosingV1.model_validate(document)
        return pack_reply(given.checks, given.choices)


def read_choice(answer: PacketAnswer | Untold, listing: OfferedTools) -> ToolChoice | Untold:
    """Read what was chosen from a list of tools."""
    if isinstance(answer, Untold):
        return answer
    return ToolChoice(
        listing.resolve_name(answer.value["tool"]), parse_arguments(answer.value["arguments"]), answer.model
    )


def build_offerings(tasks: Sequence[Task], listings: Sequence[OfferedTools]) -> list[Offering]:
    """Offer the tools for each task. The lists differ in order alone: the tasks for one tool meet them in turns."""
    met: dict[str, int] = {}
    found = []
    for task in tasks:
        met[task.tool] = met.get(task.tool, -1) + 1
        found.append(Offering(task, listings[met[task.tool] % len(listings)]))
    return found
