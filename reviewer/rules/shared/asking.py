"""What rules that ask a judge have in common: of which texts there is something to ask, and what a label leaves to ask."""

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import declare_option
from reviewer.rules.shared.words.elements import extract_element
from reviewer.rules.shared.words.english import is_english
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.source import Text

MOST = 40
"""Questions of one kind within one tool: who sees the first ones answered knows what to do with the others."""


@dataclass(frozen=True)
class Labels:
    """What a profile may set for the rules of the four elements."""

    labelled: bool = declare_option(
        False, "Ask only what stands behind the element's label, for another rule reports labels that are missing."
    )


def find_judgeable_text(tool: Tool) -> Text | None:
    """Return the description if it says something of its own: no placeholder, not only the tool's name."""
    name = tool.name if isinstance(tool.name, Text) else ""
    return tool.said if tool.said is not None and extract_substance(tool.said, name) else None


def find_text_for_element(tool: Tool, name: str, options: Labels) -> Text | None:
    """Return the description if one of its four elements is to be judged."""
    said = find_judgeable_text(tool)
    return None if said is None or (options.labelled and extract_element(said, name) is None) else said


def is_foreign(text: str) -> bool:
    """Return whether a text says something in a language that the word lists do not know."""
    return bool(text) and not is_english(text)
