"""What a text says of the steps around a call, and which tools need none."""

import re

from reviewer.caching import cache
from reviewer.facts import Tool
from reviewer.rules.shared.acts.destruction import READING
from reviewer.rules.shared.acts.effects import find_effect_verb, stem_verbs
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.verbs import stem_verb
from reviewer.source import Text
from reviewer.text.patterns import pattern

CALLING = "call|use|run|invoke|do|try|get|fetch|check|read|list|search"
"""Verbs by which a text says that a tool is called, or what for: `first list the boards`."""

NO_TOOL = r"(?!(?:this|it|the|an?|to|when|for|if|in)\b)"
"""Words behind such a verb that are the name of no tool."""

ORDER = pattern(
    rf"""\b(?:
        before | afterwards? | after | then | instead | alternatively | alternatives? | prerequisites? | requires?
        | prior\s+to | rather\s+than | finally | subsequently | in\s+advance | beforehand | must\s+(?:first|already)
        | next\s+(?:step|call|use)s? | follow[\s-]?up | once\s+(?!(?:per|a|every|only|and)\b)
        | (?:if|when|where|unless)\b[^.]{{0,60}}\balready | (?:{CALLING})\s[^.;\n]{{0,60}}\bfirst | first,?\s+(?:{CALLING})
        | (?:use|see)\s+(?:\w+\s+){{1,3}}tools?\s+(?:for|to)
        | (?:use|call|run|see|try)\s+{NO_TOOL}[\w.-]+\s+(?:for|to|when|if|first|before|after)
        | prefer\s+(?!(?:this|it)\b)\w+ | preferred\s+(?:over|to) | (?:invoke|see\s+also)\s+\w+
    )\b | (?:^|[.!?\n]\s*)(?:first|next)\b,?""",
    re.VERBOSE | re.IGNORECASE,
)
"""What speaks of an order, a condition or another way: the words and patterns of LLM-013 of the original validator, without
what speaks of this call alone ("once per day", "use this for"); by the letter a few of those count, too."""

CALLED = r"[`'\"/]{0}[`'\"(]|\b(?:use|call|run|see|try|with|via)\s+{0}\b|\b{0}\s+tool\b"
"""How a text means a tool whose name is an everyday word: in quotation marks, behind a verb of calling, or as "the … tool"."""

COMING_FROM_ELSEWHERE = frozenset("id ids uid uuid guid handle token session cursor ref key hash sha slug".split())
"""What the name of a required parameter has in it that another call has to give first: what reads and takes none stands
alone."""


def is_read_only(tool: Tool, said: str) -> bool:
    """Return whether a tool only reads: by its hint, by its name, or by how its text begins its sentences."""
    marked = tool.annotations.get("readOnlyHint") if isinstance(tool.annotations, dict) else None
    name = tool.name if isinstance(tool.name, Text) else ""
    if isinstance(marked, bool) or find_effect_verb(name) is not None:
        return marked is True
    begins = {stem_verb(begin.lower()) for begin in re.findall(r"(?:^|[.!?\n])\s*([A-Za-z]+)", said)}
    return bool(READING & set(split_words(name))) or (
        bool(READING & begins) and not stem_verbs(tool.said or "") & load_lexicon("effects")
    )


def is_independent(tool: Tool, said: str) -> bool:
    """Return whether a tool only reads, and takes nothing that has to come from another call."""
    return is_read_only(tool, said) and not any(
        COMING_FROM_ELSEWHERE & set(split_words(part.name)) for part in tool.arguments if part.required
    )


def mentions(text: str, names: set[str]) -> bool:
    """Return whether a text speaks of a tool; an everyday word is its name only where it is marked or called."""
    said = {word.strip(".-") for word in re.findall(r"[\w.-]+", text.lower())} & names
    return any(not name.isalpha() or _compile_mention_pattern(name).search(text) for name in said)


@cache
def _compile_mention_pattern(name: str) -> re.Pattern[str]:
    return re.compile(CALLED.format(name), re.IGNORECASE)
