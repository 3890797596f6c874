"""What the documents of a project say of its tools, of its settings and of how it is started."""

from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches

from reviewer.source import Text


@dataclass(frozen=True, slots=True)
class DocumentListing:
    """The tables, lists and headings of one document that name the tools of the project's servers.

    `unknown` are the names in them, and in example calls, that no tool has and no source file contains; `missing` the
    tools that no document names, of a server most of whose tools this one lists. `tools` are the names of all tools,
    and `listed` those in the lists. `counts` are the stated numbers of tools that match no server. `parameters` are
    names that the document gives as parameters of a tool, with the tool's name and the parameters that it has.
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
    """The settings of servers in a project's documents and manifests.

    `read` are the environment variables whose names are in the code, `unread` the places of the others. `fields` are
    those of configuration types.
    """

    read: tuple[str, ...]
    unread: tuple[Text, ...]
    fields: tuple[UnreadFields, ...] = ()


@dataclass(frozen=True, slots=True)
class BrokenStart:
    """A documented way to start a program of the project that cannot work; `why` completes "… cannot work: …".

    Those with the same `cause` are reported once; without a cause, those with the same text and reason. `is_old` is
    whether it is a version that is too old, which harms no user of a newer one; `is_late` whether it fails only after
    all has run.
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
