"""The tools of several servers in one list, as an agent has them that is connected to all: whose name is whose."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from reviewer.facts import Project
from reviewer.records import dataclass
from reviewer.selection.offered import Offered, offer_tools
from reviewer.source import Text

JOINS = "__"
"""What stands between the names of a server and of its tool, where two servers have a tool of one name."""


@dataclass(frozen=True, slots=True)
class Connected:
    """One server that an agent is connected to."""

    name: str
    tools: tuple[Offered, ...]


def connect_server(project: Project, folder: str) -> Connected:
    """Return the tools of a project, under the name that its server has, or that of its folder."""
    named = {str(each.name) for each in project.servers if isinstance(each.name, Text)}
    said = named.pop() if len(named) == 1 else folder
    return Connected(re.sub(r"[^\w-]+", "_", said).strip("_") or "server", tuple(offer_tools(project)))


def merge_tools(own: Sequence[Offered], name: str, others: Sequence[Connected]) -> list[Offered]:
    """Put tools of a server and of others in one list, the server's own first.

    Names that several have are shown with their server's before them, as hosts do; who has its own name keeps it here, so that
    tasks and rewrites find it.
    """
    often = Counter([*(each.name for each in own), *(each.name for one in others for each in one.tools)])
    taken = set(often)

    def build_label(server: str, tool: str) -> str:
        label, number = f"{server}{JOINS}{tool}", 1
        while label in taken:  # two servers may be called alike
            number += 1
            label = f"{server}_{number}{JOINS}{tool}"
        taken.add(label)
        return label

    found = [replace(each, label=build_label(name, each.name)) if often[each.name] > 1 else each for each in own]
    for one in others:
        for each in one.tools:
            known = build_label(one.name, each.name) if often[each.name] > 1 else each.name
            found.append(replace(each, name=known, own=each.name, server=one.name))
    return found
