"""What lies in the workshop."""

from typing import Any

from mcp.types import Tool


class Shelves:
    """The parts, and a number that changes with them."""

    def __init__(self) -> None:
        self.version = 0
        self._parts: list[dict[str, Any]] = []

    def find(self, word: str) -> list[dict[str, Any]]:
        return [part for part in self._parts if word in part["name"]]

    def sorted_names(self) -> list[str]:
        return sorted(part["name"] for part in self._parts)

    async def count_box(self, name: str) -> int:
        self.version += 1
        return sum(part["name"] == name for part in self._parts)


def machine(name: str) -> Tool:
    return Tool(
        name=f"run_{name}",
        description=(
            f"machine: Run the {name} of the workshop.\n\n"
            "When to use: a part is to be worked on.\n"
            "Parameters:\n- part (required): the part's name.\n"
            "Limitations: one part at a time."
        ),
        inputSchema={
            "type": "object",
            "properties": {"part": {"type": "string", "description": "The part's name"}},
            "required": ["part"],
        },
    )
