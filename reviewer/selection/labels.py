"""Labels that say nothing in the place of tools' names: what is left to choose by is the description and the schema."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Named(Protocol):
    """A tool with its name, and with its server's name and what it is called there if that is not the measured one."""

    @property
    def name(self) -> str:
        """The name that it is known by."""

    @property
    def server(self) -> str:
        """Whose it is."""

    @property
    def own(self) -> str:
        """How it is called there."""


def assign_labels(tools: Sequence[Named]) -> dict[str, str]:
    """Return for each tool of a list a label that says nothing, by its name."""
    return {each.name: f"tool_{number}" for number, each in enumerate(tools, 1)}


def hide_names(shown: Mapping[str, Any], tool: Named, labels: Mapping[str, str], tools: Sequence[Named]) -> Any:
    """Show a tool by its label alone: without its title, and where its server's texts name a tool by this one's label."""
    siblings = {each.own or each.name: labels[each.name] for each in tools if each.server == tool.server}
    found = re.compile("|".join(_mention(name) for name in sorted(siblings, key=len, reverse=True)))

    def replace_names(value: Any) -> Any:
        if isinstance(value, str):
            return found.sub(lambda match: siblings[match[0]], value)
        if isinstance(value, dict):
            return {key: replace_names(each) for key, each in value.items()}
        return [replace_names(each) for each in value] if isinstance(value, list | tuple) else value

    schema = {key: each for key, each in shown["inputSchema"].items() if key != "title"}
    rest = {key: each for key, each in shown.items() if key not in ("title", "inputSchema")}
    return {**replace_names(rest), "name": labels[tool.name], "inputSchema": replace_names(schema)}


def _mention(name: str) -> str:
    """Find a name in a text; one that is a plain word only where it is marked as a name."""
    written = re.escape(name)
    return rf"(?<=[`'\"]){written}(?=[`'\"(])" if name.isalpha() and name.islower() else rf"(?<!\w){written}(?!\w)"
