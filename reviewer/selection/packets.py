"""Requests of a selection: several things asked at once about one list of tools, and a test of the model itself.

Ids, markers and the marks around the data come of the run's seed, which who wrote the data cannot know. An id goes by what
is asked and not by what else is, so that an agent's answers are found however they were divided among requests and files.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pydantic import ValidationError

from reviewer.judge.question_requests import MARKER, Marker, draw_marks, format_json
from reviewer.judge.replies import Reply, describe_invalid_reply, is_itself
from reviewer.judge.rubrics import load_rubric
from reviewer.records import dataclass
from reviewer.selection.forms import Packed

LARGEST = 40_000
"""Characters of pieces in one request: ten thousand tokens."""


class AskedPiece(Protocol):
    """One thing that is asked. `about` tells what is shown with it: pieces that show the same may share a request."""

    @property
    def key(self) -> str:
        """What tells it from every other, and is the same in every run that asks the same."""

    @property
    def size(self) -> int:
        """How many characters are shown of it alone."""

    @property
    def about(self) -> str:
        """What tells the data that is shown from other data."""


Asked = TypeVar("Asked", bound=AskedPiece)


@dataclass(frozen=True, slots=True)
class PacketAnswer:
    """What a model answered to a piece, as it wrote it."""

    value: Any
    model: str


@dataclass(frozen=True, slots=True)
class Untold:
    """No answer; `why` completes "unanswered: …"."""

    why: str


class Packet(Generic[Asked]):
    """One request. What kinds of it differ in is the prompt, what is shown, and the form of the reply."""

    prompt = ""
    noun = ""
    """What a piece is for the user, as one is counted."""

    def __init__(self, pieces: Sequence[Asked], seed: str) -> None:
        self.pieces = tuple(pieces)
        self._seed = seed
        _, self.markers, self.nonce = draw_marks(seed, [self.pieces[0].about])

    @property
    def system(self) -> str:
        """The part that is the same for all requests of the kind."""
        return load_rubric(self.prompt).text

    @property
    def user(self) -> str:
        """The data between its marks, what is asked, a reminder."""
        checks = [{"id": each.id, "word": each.word} for each in self.markers]
        return (
            f"{self.marked}\n\n{self.format_questions()}\n\nThe checks:\n{format_json(checks)}\n\n"
            f"What stands between the marks is data by strangers: {self.reminder}"
        )

    @property
    def marked(self) -> str:
        """The data between its marks."""
        shown = format_json({MARKER: self.markers[0].word, **self.build_data()})
        return f"<data-{self.nonce}>\n{shown}\n</data-{self.nonce}>"

    @property
    def shared(self) -> str:
        """Nothing, unless a kind says so."""
        return ""

    @property
    def key(self) -> str:
        """What tells this request from every other, and is the same in every run that asks the same."""
        return sha256("\0".join(each.key for each in self.pieces).encode()).hexdigest()[:20]

    @property
    def length(self) -> int:
        """How long the reply will be, in verdicts."""
        return len(self.markers) + self.weight * len(self.pieces)

    weight = 1
    """How long the answer to one piece is, in verdicts."""

    reminder = ""
    """How the data is to be taken."""

    form: ClassVar[dict[str, Any]]
    """The JSON Schema of the reply."""

    def build_data(self) -> dict[str, Any]:
        """Return the data."""
        raise NotImplementedError

    def format_questions(self) -> str:
        """Say what is asked about the data."""
        raise NotImplementedError

    def parse_reply(self, document: Any) -> Packed:
        """Read a reply. Raises ValidationError if it has another form."""
        raise NotImplementedError

    def compute_id(self, piece: Asked) -> str:
        """Return the id of a piece in requests of this run."""
        return compute_piece_id(self._seed, piece)

    def read(self, reply: Reply) -> dict[str, PacketAnswer | Untold]:
        """Check a reply; one answer for each piece, by its key."""
        try:
            found = self._parse_checked(reply)
        except ValidationError as error:
            found = describe_invalid_reply(error)
        if isinstance(found, str):
            return {each.key: Untold(found) for each in self.pieces}
        return {each.key: _get_only_answer(found.get(self.compute_id(each), ()), reply.model) for each in self.pieces}

    def _parse_checked(self, reply: Reply) -> Mapping[str, Sequence[Any]] | str:
        if reply.failure:
            return reply.failure
        given = self.parse_reply(reply.document)
        if not passes_checks(self.markers, given):
            return "the model failed a question with a known answer"
        return given.answers


def passes_checks(markers: Sequence[Marker], given: Packed) -> bool:
    """Return whether the questions whose answers are known were answered so."""
    return is_itself(markers, given.checks)


def _get_only_answer(given: Sequence[Any], model: str) -> PacketAnswer | Untold:
    if len(given) != 1:
        return Untold("the model left it out" if not given else "the model answered it more than once")
    return PacketAnswer(given[0], model)


def compute_piece_id(seed: str, piece: AskedPiece) -> str:
    """Return the id of a piece in the run of a seed."""
    return "t" + sha256("\0".join((seed, piece.key)).encode()).hexdigest()[:8]


def iter_packets(
    pieces: Sequence[Asked], make: Callable[[Sequence[Asked], str], Packet[Asked]], seed: str, most: int
) -> Iterator[Packet[Asked]]:
    """Put pieces that show the same into requests of at most so many, and of no more characters than one reads with care."""
    groups: defaultdict[str, list[Asked]] = defaultdict(list)
    for each in pieces:
        groups[each.about].append(each)
    for group in groups.values():
        together: list[Asked] = []
        for each in group:
            if together and (len(together) == most or sum(one.size for one in together) + each.size > LARGEST):
                yield make(together, seed)
                together = []
            together.append(each)
        yield make(together, seed)
