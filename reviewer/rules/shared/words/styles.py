"""The styles that names are written in."""

import re
from collections.abc import Iterable
from typing import Literal

from reviewer.caching import cache_latest
from reviewer.text.patterns import pattern

NameStyle = Literal["snake_case", "kebab-case", "camelCase", "PascalCase", "UPPER_CASE", "object.operation"]
# Two underscores in `snake_case` set a name apart from its prefix, as in `proxy__load`, and clients write `mcp__server__tool`.
STYLES: dict[NameStyle, re.Pattern[str]] = {
    "snake_case": pattern(r"[a-z][a-z0-9]*(__?[a-z0-9]+)*"),
    "kebab-case": pattern(r"[a-z][a-z0-9]*(-[a-z0-9]+)*"),
    "camelCase": pattern(r"[a-z][a-z0-9]*([A-Z][a-z0-9]*)*"),
    "PascalCase": pattern(r"[A-Z][A-Z0-9]*[a-z][A-Za-z0-9]*"),
    "UPPER_CASE": pattern(r"[A-Z][A-Z0-9]+(_[A-Z0-9]+)*"),
    "object.operation": pattern(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+"),
}


@cache_latest(maxsize=8192)
def classify_style(name: str) -> NameStyle | None:
    """Return the style that a name is written in; None if it shows none, as a single lower-case word does."""
    fitting = [style for style, form in STYLES.items() if form.fullmatch(name)]
    return fitting[0] if len(fitting) == 1 else None


def find_commonest_style(names: Iterable[str]) -> tuple[NameStyle, bool] | None:
    """Return the style that most names show, the first of several, and whether more than half of those that show one have it."""
    styles = [style for style in map(classify_style, names) if style is not None]
    if not styles:
        return None
    style = max(dict.fromkeys(styles), key=styles.count)
    return style, styles.count(style) * 2 > len(styles)
