"""What the annotations of a tool say to the client."""

from reviewer.facts import Json, Tool
from reviewer.rules.shared.definitions import find_fault, is_entry
from reviewer.source import Span, Text


def read_hints(tool: Tool) -> Json | None:
    """Return the annotations, empty if there are none; None if they are there and cannot be read."""
    if not is_entry(tool) or find_fault(tool, "annotations") is not None:
        return None
    given = {} if tool.annotations is None else tool.annotations
    return given if isinstance(given, dict) else None


def lacks(tool: Tool, hint: str) -> bool:
    """Return whether the annotations leave a hint out."""
    given = read_hints(tool)
    return given is not None and hint not in given


def reads_only(tool: Tool) -> bool:
    """Return whether the tool says that it changes nothing: the other hints mean nothing then."""
    given = read_hints(tool)
    return given is not None and given.get("readOnlyHint") is True


def place(tool: Tool) -> Text | Span:
    """Return where a flaw of the whole tool stands: at its name."""
    return tool.name if isinstance(tool.name, Text) else tool.span
