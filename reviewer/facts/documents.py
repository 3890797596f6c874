"""What the documents of a project say of its tools, of its settings and of how it is started."""

from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches

from reviewer.source import Text


@dataclass(frozen=True, slots=True)
class DocumentListing:
    """The tables, lists and headings of one document that name the tools of the project's servers.

    `unknown` are the names there, and in calls that the document shows, that no tool has and no source file holds; `missing` the
    tools that no document names, of a server most of whose tools this one lists. `tools` are the names of all tools, and `listed`
    those that stand in the lists.
    `counts` are the numbers of tools that the document gives and that are those of no server.
    `parameters` are names that the document gives a tool as parameters, with the tool's name and the names of those it has.
    """

    path: str
    tools: tuple[Text, ...]
    listed: tuple[Text, ...] = ()
    unknown: tuple[Text, ...] = ()
    missing: tuple[Text, ...] = ()
    parameters: tuple[tuple[Text, str, tuple[str, ...]], ...] = ()
    counts: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class UnreadFields:
    """The fields of a type of configuration that documents tell how to set, and that no code reads."""

    type: str
    fields: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class DocumentedSettings:
    """What a project's documents and manifests give as settings of its servers.

    `read` are the environment variables whose names some code of the project holds, `unread` the places of the others. `fields`
    are those of types of configuration.
    """

    read: tuple[str, ...]
    unread: tuple[Text, ...]
    fields: tuple[UnreadFields, ...] = ()


@dataclass(frozen=True, slots=True)
class BrokenStart:
    """What is to start a program of the project and cannot; `why` completes "… cannot work: …".

    `cause` is what they have in common that are told once; where it is empty, those of one text and one reason are. `is_old`
    tells that it is a version which is too old: whoever has a newer one is none the worse; `is_late` that it fails when all has
    run to its end.
    """

    text: Text
    why: str
    cause: str = ""
    is_old: bool = False
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class BrokenLinks:
    """The links of one document to files of the project that are not there."""

    path: str
    targets: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class LooseRequirement:
    """A requirement that lets in a `release` of an SDK which lacks what the file `path` imports: `missing`."""

    text: Text
    release: str
    missing: str
    path: str


@dataclass(frozen=True, slots=True)
class Mention:
    """The names that texts in one source file give as tools and that no tool has, each with the tool it is near to, if any."""

    path: str
    names: tuple[tuple[Text, str], ...]


def find_nearest(name: str, tools: Collection[str]) -> tuple[str, ...]:
    """Return the tool that a name may have become, if any: one of nearly the same letters, or one that has all of its words."""
    words = _collect_words(name)
    close = get_close_matches(name, tools, 1, 0.8)
    return tuple(close or [each for each in tools if len(words) > 1 and words <= _collect_words(each)][:1])


def _collect_words(name: str) -> set[str]:
    return set(name.replace("-", "_").lower().split("_"))
