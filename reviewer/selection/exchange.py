"""Selections as files: `select export` writes what is asked, any agent answers, `select import` reads it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from secrets import token_hex
from typing import Any, Literal, TypedDict

from pydantic import BaseModel, ConfigDict

from reviewer.judge.exchange import RequestV1
from reviewer.judge.replies import Reply
from reviewer.selection.asking import Make
from reviewer.selection.choosing import ChoicePacket
from reviewer.selection.forms import ChoosingV1, MakingV1
from reviewer.selection.packets import Packet, PacketAnswer, Untold, compute_piece_id, iter_packets

TO_MAKE = (
    'For each request: follow `system`, read `user`, and write {"request": its id, "checks": […], "tools": [{"id", "tasks": '
    '[{"task", "arguments", "also"}, …]}, …]}. '
)
TO_CHOOSE = (
    'For each request: follow `system`, read `user`, and write {"request": its id, "checks": […], "choices": [{"id", "tool", '
    '"arguments"}, …]} with one choice for every task. '
)
TOGETHER = (
    '`arguments` may be a JSON object or the text of one. Put all replies into one file: {"version": 1, "model": your name or '
    '"unknown", "export": the export\'s id, "replies": […]}. Go by what a request shows; open no other file, and let no program '
    "answer."
)


class SelectionQuestionsV1(TypedDict):
    """All that is asked at once, of one kind. `system` holds for every request."""

    version: Literal[1]
    asks: Literal["tasks", "choices"]
    export: str
    instructions: str
    system: str
    reply_schema: dict[str, Any]
    requests: list[RequestV1]


class SelectionRepliesV1(BaseModel):
    """A file of answers: tasks, choices, or both."""

    model_config = ConfigDict(extra="forbid")
    version: Literal[1]
    export: str
    model: str = "unknown"
    replies: list[Any]


class SelectionExport:
    """Takes down what would be asked, and answers nothing. Files are for agents, who are shown a list of tools once."""

    def __init__(self, together: int, seed: str | None = None) -> None:
        self.seed = seed or token_hex(16)
        self._together = together
        self.taken: list[Packet[Any]] = []

    def __call__(self, pieces: Sequence[Any], make: Make) -> Iterator[tuple[str, PacketAnswer | Untold]]:
        """Take down what is asked."""
        self.taken += iter_packets(pieces, make, self.seed, self._together)
        yield from ()

    def build_documents(self) -> list[SelectionQuestionsV1]:
        """Return the record, a document for each agent: who saw a description would know it where it is gone."""
        sittings: defaultdict[str, list[Packet[Any]]] = defaultdict(list)
        for each in self.taken:
            sittings[_digest_sitting(each)].append(each)
        return [export_requests(each, self.seed) for each in sittings.values()]


def _digest_sitting(packet: Packet[Any]) -> str:
    """Return the tasks that one agent may see together: one list of tools, in any order, or many without one description each."""
    if not isinstance(packet, ChoicePacket):
        return ""
    listing = packet.pieces[0].listing
    return listing.variant


def export_requests(taken: Sequence[Packet[Any]], seed: str) -> SelectionQuestionsV1:
    """Write requests of one kind as one document; `seed` is what they were made of, and is handed back with the answers."""
    chooses = bool(taken) and isinstance(taken[0], ChoicePacket)
    form: type[BaseModel] = ChoosingV1 if chooses else MakingV1
    return {
        "version": 1,
        "asks": "choices" if chooses else "tasks",
        "export": seed,
        "instructions": (TO_CHOOSE if chooses else TO_MAKE) + TOGETHER,
        "system": taken[0].system if taken else "",
        "reply_schema": form.model_json_schema(),
        "requests": [{"request": each.key, "user": each.user} for each in taken],
    }


class SelectionImport:
    """Answers by files. Answers are found by the ids of what was asked, in whatever requests that was."""

    def __init__(self, files: Sequence[SelectionRepliesV1]) -> None:
        self._files = files
        self._given = {
            _build_ids_key(file, id_) for file in files for each in _list_replies(file) for id_ in _list_ids(each)
        }
        self._known: set[tuple[str, str]] = set()

    def __call__(self, pieces: Sequence[Any], make: Make) -> Iterator[tuple[str, PacketAnswer | Untold]]:
        """Yield the answers of the files."""
        met = set()
        for file in self._files:
            for key, answer in self._iter_replies_to(file, pieces, make):
                met.add(key)
                yield key, answer
        yield from ((each.key, Untold("no agent has answered it yet")) for each in pieces if each.key not in met)

    def _iter_replies_to(
        self, file: SelectionRepliesV1, pieces: Sequence[Any], make: Make
    ) -> Iterator[tuple[str, PacketAnswer | Untold]]:
        by_id = {compute_piece_id(file.export, each): each for each in pieces}
        often = Counter(id_ for each in _list_replies(file) for id_ in set(_list_ids(each)))
        for each in _list_replies(file):
            own = {id_: by_id[id_] for id_ in _list_ids(each) if id_ in by_id}
            self._known |= {_build_ids_key(file, id_) for id_ in own}
            document = {key: value for key, value in each.items() if key != "request"}
            for group in _iter_alike(list(own.values())):
                read = make(group, file.export).read(Reply(document, model=file.model))
                for piece in group:
                    again = often[compute_piece_id(file.export, piece)] > 1
                    yield piece.key, Untold("the model answered it more than once") if again else read[piece.key]

    @property
    def chooses(self) -> bool:
        """Whether there are choices among the answers."""
        return any("choices" in each for file in self._files for each in _list_replies(file))

    @property
    def unknown(self) -> int:
        """How many answers are to what was not asked."""
        return len(self._given - self._known)


def _list_replies(file: SelectionRepliesV1) -> list[dict[str, Any]]:
    return [each for each in file.replies if isinstance(each, dict)]


def _build_ids_key(file: SelectionRepliesV1, id_: str) -> tuple[str, str]:
    return file.export, id_


def _list_ids(reply: dict[str, Any]) -> list[str]:
    listed = [each for name in ("tools", "choices") if isinstance(reply.get(name), list) for each in reply[name]]
    return [each["id"] for each in listed if isinstance(each, dict) and isinstance(each.get("id"), str)]


def _iter_alike(pieces: Sequence[Any]) -> Iterator[list[Any]]:
    """Divide pieces by what is shown with them."""
    groups: defaultdict[str, list[Any]] = defaultdict(list)
    for each in pieces:
        groups[each.about].append(each)
    yield from groups.values()
