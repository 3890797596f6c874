"""Suppression comments: `mcp-review: ignore[slug, slug] reason`, the same in every language."""

import re

from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

# The brackets are required, so that no comment suppresses every rule, and prose about the tool suppresses none.
PATTERN = pattern(r"mcp-review:\s*ignore\[(?P<slugs>[^\]\n]*)\](?P<reason>[^\n]*)")


def parse(comment: Text) -> tuple[tuple[Text, ...], Text | None] | None:
    """Read the slugs and the reason of a suppression, or None if the comment is none."""
    found = PATTERN.search(comment)
    if found is None:
        return None
    reason = found["reason"].strip().removesuffix("*/").strip()
    slugs = tuple(
        Text(slug.group(), _build_part_span(comment, found.start("slugs") + slug.start(), slug.group()))
        for slug in re.finditer(r"[^\s,]+", found["slugs"])
    )
    return slugs, Text(reason, comment.span) if reason and not reason.startswith("#") and not reason.startswith(
        "//"
    ) else None


def _build_part_span(comment: Text, start: int, text: str) -> Span:
    span = comment.span
    return Span(span.path, span.line, span.column + start, span.line, span.column + start + len(text))
