"""What the documents of a project say of its tools."""

from dataclasses import dataclass

from reviewer.source import Text


@dataclass(frozen=True, slots=True)
class Listing:
    """The tables and lists of a project's documents in which most names are tools of its servers.

    `unknown` are the names there that no tool has and no source file holds; `missing` the tools that no document names, where
    the documents list most of the others. `tools` are the names of all tools, and `listed` those that stand in the lists.
    """

    tools: tuple[Text, ...]
    listed: tuple[Text, ...] = ()
    unknown: tuple[Text, ...] = ()
    missing: tuple[Text, ...] = ()
