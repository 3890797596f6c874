"""What words mean in the names and texts of a server's code, whatever language it is written in."""

import re

CHOICE = re.compile(r"action|\bname\b|\btool(?:_name)?\b")
"""What a test is about that chooses by action or by tool."""

CHOOSING = re.compile(r"action|name|tool|command|operation")
"""The words in the name of what is chosen by."""

CHECKS = re.compile(r"auth|bearer|jwt|token|api_?key|oidc|credential", re.IGNORECASE)
"""The words in the names of what checks a credential."""

META_ACTIONS = frozenset({"help", "schema"})
"""The actions of every catalog, beside those of its domain."""

TEXT_WORDS = frozenset(
    "text body content string str json html md markdown raw payload output stdout stderr diff patch snippet transcript "
    "serialized rendered preview message summary description excerpt readme dump line".split()
)
"""Last words of names that one text has, and no list."""


def names_a_text(name: str) -> bool:
    """Tell whether a name, `content_md`, is that of a single text."""
    return name.lower().rpartition("_")[2] in TEXT_WORDS
