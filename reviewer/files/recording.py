"""What was asked of a storage and what it answered, so that another run can tell whether it would be told the same.

What was not there counts as well as what was, and what a folder held. Only digests are kept, and nothing of a file's text.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Any, TypeVar, cast

from reviewer.files.storage import (
    UNREADABLE,
    DiskManifest,
    FolderEntry,
    Manifest,
    OuterIgnore,
    Storage,
    TooLargeError,
    read_manifest,
)

T = TypeVar("T")

Asked = tuple[str, str, int, str]
"""A question by its name, the place that it speaks of, the most bytes that were wanted, and a digest of the answer."""

QUESTIONS: dict[str, Callable[[Storage, str, int], Any]] = {
    "list folder": lambda storage, place, _most: storage.list_folder(place),
    "read": lambda storage, place, most: storage.read(place, most),
    "open manifest": lambda storage, place, _most: storage.open_manifest(place),
    "leads out": lambda storage, place, _most: storage.leads_out(place),
    "leads nowhere": lambda storage, place, _most: storage.leads_nowhere(place),
    "is folder": lambda storage, place, _most: storage.is_folder(place),
    "find text": lambda storage, place, most: storage.find_text(place, most),
    "outer ignores": lambda storage, _place, _most: [*storage.iter_outer_ignores()],
    "submodules": lambda storage, _place, _most: storage.list_submodules(),
}
"""All that a storage can be asked."""


class RecordedStorage:
    """A storage that notes what it is asked, and a digest of each answer."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._asked: dict[tuple[str, str, int], str] = {}

    @property
    def asked(self) -> tuple[Asked, ...]:
        """All that was asked so far, each once."""
        return tuple((*question, answer) for question, answer in self._asked.items())

    def list_folder(self, folder: str) -> list[FolderEntry]:
        """List a folder, sorted by name. Raises OSError."""
        return cast("list[FolderEntry]", self._ask("list folder", folder))

    def read(self, name: str, most: int) -> bytes:
        """Return a file's bytes. Raises OSError, and TooLargeError if they are more than `most`."""
        return cast(bytes, self._ask("read", name, most))

    def open_manifest(self, name: str) -> Manifest:
        """Return a file that may be read later. Raises OSError and TooLargeError."""
        return cast(Manifest, self._ask("open manifest", name))

    def leads_out(self, link: str) -> bool:
        """Return whether a link leads out of the root."""
        return cast(bool, self._ask("leads out", link))

    def leads_nowhere(self, link: str) -> bool:
        """Return whether there is nothing at the end of a link."""
        return cast(bool, self._ask("leads nowhere", link))

    def is_folder(self, link: str) -> bool:
        """Return whether a link leads to a folder."""
        return cast(bool, self._ask("is folder", link))

    def find_text(self, place: str, most: int) -> str | None:
        """Return the text of any file, None if there is none below the root. Raises one of UNREADABLE."""
        return cast("str | None", self._ask("find text", place, most))

    def iter_outer_ignores(self) -> Iterator[OuterIgnore]:
        """Return the ignore files between the checkout's top and the root, outermost first."""
        return iter(cast("list[OuterIgnore]", self._ask("outer ignores")))

    def list_submodules(self) -> frozenset[str]:
        """Return the folders below the root of which git knows that they are other repositories, without a slash at the end."""
        return cast("frozenset[str]", self._ask("submodules"))

    def _ask(self, question: str, place: str = "", most: int = 0) -> Any:
        answer, error = _get_answer(self._storage, question, place, most)
        self._asked[question, place, most] = _digest(answer if error is None else error)
        if error is not None:
            raise error
        return answer


def has_same_answers(storage: Storage, asked: Iterable[Asked]) -> bool:
    """Return whether a storage answers each question as it was answered before; nothing out of its root is asked for."""
    for question, place, most, before in asked:
        if question not in QUESTIONS or (question != "find text" and _leads_out(place)):
            return False
        answer, error = _get_answer(storage, question, place, most)
        if _digest(answer if error is None else error) != before:
            return False
    return True


def _leads_out(place: str) -> bool:
    """Return whether a place is none below a root; a text is looked for by the storage itself, which tells."""
    return os.path.isabs(place) or ".." in place.split("/")


def _get_answer(storage: Storage, question: str, place: str, most: int) -> tuple[Any, Exception | None]:
    try:
        return QUESTIONS[question](storage, place, most), None
    except UNREADABLE as error:
        return None, error


def _digest(answer: Any) -> str:
    """Return a digest of an answer; of an error, the part that a report may show."""
    if isinstance(answer, bytes):
        return digest_bytes(answer)
    if isinstance(answer, DiskManifest):
        return f"manifest {digest_text(read_manifest(answer))}"
    if isinstance(answer, frozenset):
        answer = sorted(answer)
    elif isinstance(answer, TooLargeError):
        answer = "too large", answer.size
    elif isinstance(answer, OSError):
        answer = "not read", answer.errno, answer.strerror
    elif isinstance(answer, UnicodeDecodeError):
        answer = "not UTF-8"
    return f"{type(answer).__name__} {digest_text(repr(answer))}"


def digest_bytes(data: bytes) -> str:
    """Return a digest of bytes."""
    return sha256(data).hexdigest()


def digest_text(text: str) -> str:
    """Return a digest of a text, which may have halves of characters in it."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
