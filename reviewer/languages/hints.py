"""The words by which a hint says how to get the rest of an answer that is not all there is."""

import re

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


def is_hint(text: str) -> bool:
    """Tell whether a fixed text says how to get at what was left out of an answer."""
    words = len(text.split())
    return (
        "{" not in text and 2 <= words <= 40 and HINT.search(text) is not None and ABOUT_LESS.search(text) is not None
    )
