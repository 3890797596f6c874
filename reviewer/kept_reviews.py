"""What a review came to, kept by what it came from: a review of the same is answered without reading code again.

The files are found and read as ever, and so is the configuration; an answer holds for exactly these. What else a review asked for
is asked again, by the questions that are kept with the answer (`reviewer.files.recording`). Nothing is kept of a review that a
budget cut, that has gaps, or that a judge, a live server or a comparison took part in.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from os import environ
from pathlib import Path

from reviewer.budget import Budget, spending
from reviewer.config import Flags, FoundConfiguration
from reviewer.files.cache import DISABLING, EntryFolder, lies_apart
from reviewer.files.discovery import Tree
from reviewer.files.recording import Asked, RecordedStorage, digest_bytes, digest_text, has_same_answers
from reviewer.files.storage import read_manifest
from reviewer.installation.identity import digest_program
from reviewer.judge.settings import NOBODY
from reviewer.records import dataclass
from reviewer.report.encoding import decode, encode
from reviewer.report.model import Report

FOLDER = "reviews-1"
"""Entries of another form lie in another folder."""


@dataclass(frozen=True, slots=True)
class KeptReview:
    """A report before baselines and fixes, and what is known besides it."""

    report: Report
    ran: tuple[str, ...]
    """The rules that ran."""


@dataclass(eq=False, slots=True)
class Place:
    """Where the answer to one review is kept, or would be. `storage` has what it asked for besides the files of the tree.

    `manifests` are digests of those of the tree, which are read again whenever somebody asks for them.
    """

    folder: EntryFolder
    key: str
    storage: RecordedStorage
    tree: Tree
    manifests: tuple[str, ...]

    def keep(self, review: KeptReview, budget: Budget) -> None:
        """Keep what the review came to, if it is whole, plain data to the last, and its files were the same all the while."""
        if budget.is_exhausted or review.report.unreviewed or self.manifests != _digest_manifests(self.tree):
            return
        report = replace(review.report, root=None, folder="")
        with suppress(TypeError), spending(budget):
            entry = encode((self.storage.asked, report, review.ran))
            if not budget.is_exhausted:  # a fix may be planned only now
                self.folder.write(self.key, entry)


def find_kept_review(tree: Tree, found: FoundConfiguration, flags: Flags) -> tuple[KeptReview | None, Place | None]:
    """Return the review of a tree, if it is kept and still holds, else where it is to be kept; neither if nothing is.

    From now on the tree notes what it is asked.
    """
    if not flags.cached or environ.get(DISABLING) or not tree.is_on_disk or flags.judge.resolve_auto().name != "none":
        return None, None
    folder = EntryFolder.open(FOLDER, apart_from=[tree.root])
    if folder is None:
        return None, None
    manifests = _digest_manifests(tree)
    try:
        key = digest_review(tree, found, flags, manifests)
    except OSError:  # this program's own files are not to be looked at
        return None, None
    kept = _parse_entry(folder.read(key))
    if kept is not None and has_same_answers(tree.storage, kept[0]):
        return KeptReview(*kept[1:]), None
    return None, Place(folder, key, tree.record(), tree, manifests)


def can_keep_reviews(folders: Iterable[Path]) -> bool:
    """Return whether there is a folder for reviews apart from all that are reviewed together."""
    try:
        return lies_apart(folders)
    except (RuntimeError, ValueError):
        return False


def _parse_entry(data: bytes | None) -> tuple[tuple[Asked, ...], Report, tuple[str, ...]] | None:
    """Return the request, the report and the rules that ran; None for an entry that has another form."""
    try:
        given = decode(data) if data is not None else None
    except ValueError:
        return None
    if not isinstance(given, tuple) or [type(each) for each in given] != [tuple, Report, tuple]:
        return None
    asked, report, ran = given
    if any([type(part) for part in each] != [str, str, int, str] for each in asked if isinstance(each, tuple)):
        return None
    return (asked, report, ran) if all(isinstance(each, tuple) for each in asked) else None


def digest_review(tree: Tree, found: FoundConfiguration, flags: Flags, manifests: Iterable[str]) -> str:
    """Return a digest of all that decides what a review comes to, but for what it asks for while it goes on.

    Neither the way to the root is in it, nor what the caller may say otherwise of the same review.
    """
    digest = sha256()
    for part in (*_iter_parts(tree, found, flags), *manifests):
        digest.update(f"{len(part)} {part}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _iter_parts(tree: Tree, found: FoundConfiguration, flags: Flags) -> Iterator[str]:
    yield digest_program()
    yield repr(replace(flags, judge=NOBODY, config=None, within=None))
    yield repr((found.configuration, found.file.name if found.file is not None else None, found.unopened))
    yield repr((tree.broken, tree.broken_scripts, tree.gaps, tree.unread, tree.skipped))
    if any(each == "__init__.py" for each in (*tree.sources, *(one.span.path for one in tree.broken))):
        # Then the root is a package, which is imported by a name that lies around it.
        from reviewer.languages.python.project.modules import find_root_name  # loads what parses

        yield repr(find_root_name(tree.root))
    for path, source in tree.sources.items():
        yield f"{path}\0{digest_bytes(source.data)}\0{source.is_as_stored}"


def _digest_manifests(tree: Tree) -> tuple[str, ...]:
    return tuple(f"{path}\0{digest_text(read_manifest(each))}" for path, each in tree.manifests.items())
