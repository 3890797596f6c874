"""The words by which an answer tells that it is not all there is, and by which a hint says how to get the rest."""

import re

TELLING = re.compile(
    r"(?:^|_|\b)(?:total|totals|truncated?|overflow(?:ed|s)?|omitted|remaining|more|next|cursor|hint|shown|showing|limited|"
    r"partial|count|has_?more|hidden|capped|matches_found|of|page|pages|cut|rest|skipped|complete|incomplete)(?:$|_|\b)",
    re.IGNORECASE,
)
"""In a key, a name or a text of an answer."""

MORE = (
    r"(?:see|show|get|fetch|for|list|return|load|retrieve|find) more"
    r"|more(?!\s+(?!results?|items|entries|rows|matches|hits|pages?|records|lines|of|than|at|specific|with|by|if|and|or)\w)"
)
"""More of an answer, and of nothing else: `add more nodes` is advice on something."""

HINT = re.compile(
    r"\b(?:narrow|refine|restrict|be more specific|more specific|too many|reduce the)\b"
    rf"|\b(?:use|try|raise|increase|add|set|pass|give|ask)\b[^.]{{0,40}}\b(?:{MORE}|rest|fewer|further|next|filter|smaller|limit)\b",
    re.IGNORECASE,
)
"""A text that says how to get at what was left out."""

ABOUT_LESS = re.compile(
    r"\b(?:narrow|refine|results?|matches|items|entries|rows|hits|more|truncated|showing|shown|list|output|overflow|page)\b",
    re.IGNORECASE,
)

SMALL = 3
"""Of so few things a list is a sample, and not cut for its size."""


def is_hint(text: str) -> bool:
    """Tell whether a fixed text says how to get at what was left out of an answer."""
    words = len(text.split())
    return (
        "{" not in text and 2 <= words <= 40 and HINT.search(text) is not None and ABOUT_LESS.search(text) is not None
    )
