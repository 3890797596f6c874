"""What a tool may claim of itself for certain: its name and its code say the same."""

from reviewer.facts import Tool
from reviewer.rules.shared.acts.destruction import find_destructive_verb
from reviewer.rules.shared.acts.effects import find_effect_verb
from reviewer.rules.shared.acts.handler_effects import CHANGING, iter_acts
from reviewer.source import Text


def must_change(tool: Tool) -> bool:
    """Return whether a tool certainly changes something. Code alone is no proof: it may write a file of its own."""
    return (
        isinstance(tool.name, Text)
        and find_effect_verb(tool.name) is not None
        and any(True for _ in iter_acts(tool.code, *CHANGING))
    )


def must_delete(tool: Tool) -> bool:
    """Return whether a tool certainly destroys something: by an unambiguous name, or by name and code."""
    if not isinstance(tool.name, Text) or find_destructive_verb(tool.name) is None:
        return False
    return find_destructive_verb(tool.name, surely=True) is not None or any(
        True for _ in iter_acts(tool.code, "deletes")
    )
