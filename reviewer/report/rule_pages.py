"""The address of a rule's page, if the environment says where the pages are published."""

import os

from reviewer.text.patterns import pattern

VARIABLE = "MCP_REVIEW_RULE_PAGES"
"""The environment variable with the address of a rule's page, in which `{rule}` stands for its slug.

The reviewed project cannot set it: a link in a comment leads where the one who runs the review wants, or nowhere.
"""

ADDRESS = pattern(r"https://[A-Za-z0-9._~:/?=&%@+-]*\{rule\}[A-Za-z0-9._~:/?=&%@+-]*")
"""What needs no escape in any format."""


def find_page(slug: str) -> str | None:
    """Return the address of a rule's page, None if it is not known."""
    template = os.environ.get(VARIABLE, "")
    return template.replace("{rule}", slug) if ADDRESS.fullmatch(template) else None
