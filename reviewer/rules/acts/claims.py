"""What a tool may claim of itself for certain: its name and its code say the same."""

from reviewer.facts import Tool
from reviewer.rules.acts.destruction import destroys
from reviewer.rules.acts.effects import effect
from reviewer.rules.acts.handler_effects import CHANGING, acts
from reviewer.source import Text


def surely_changes(tool: Tool) -> bool:
    """Return whether a tool surely changes something. Code alone does not tell: what it writes may be a file of its own."""
    return (
        isinstance(tool.name, Text) and effect(tool.name) is not None and any(True for _ in acts(tool.code, *CHANGING))
    )


def surely_deletes(tool: Tool) -> bool:
    """Return whether something is surely lost by a tool: its name leaves no doubt, or its code does what its name says."""
    if not isinstance(tool.name, Text) or destroys(tool.name) is None:
        return False
    return destroys(tool.name, surely=True) is not None or any(True for _ in acts(tool.code, "deletes"))
