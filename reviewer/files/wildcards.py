"""Expressions of ignore patterns, so written that matching a name does not go back and forth between their stars."""

from reviewer.text.patterns import pattern

_ANY = r"\[\^/\]\*"
"""How a star of an ignore pattern is written as a regular expression."""

_ATOM = pattern(r"\\[^\d]|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\\[\]/().*+?{}|^$]")
"""What matches one character: it escaped, a set, or itself."""

_STAR = pattern(rf"{_ANY}((?:(?!{_ANY})(?:{_ATOM.pattern}))*)(?={_ANY})")
"""A star and the letters after it, each an atom of one character, up to the next star of the same component."""


_ANYWHERE = "^(?:.+/)?"
"""How `**/` at the beginning of an ignore pattern is written."""

_GAP = "(?:/.+)?/"
"""How `/**/` within an ignore pattern is written."""


def without_backtracking(expression: str) -> str:
    """Return an expression that matches alike and takes what stands between two wildcards where it first stands.

    The later wildcard covers whatever follows, so no other place has to be tried. Trying them all takes a time that grows with
    the length of the name to the power of the wildcards.
    """
    return _format_between_gaps(_STAR.sub(lambda found: rf"(?>[^/]*?{_format_within_component(found[1])})", expression))


def _format_between_gaps(expression: str) -> str:
    """Take the components between two `**` where they first stand."""
    first, *inner = expression.split(_GAP)
    if not inner:
        return expression
    last = inner.pop()
    anchor = "^(?:.+?/)??" if first.startswith(_ANYWHERE) else ""
    head = f"(?>{anchor}{first.removeprefix(_ANYWHERE)}(?=/))"
    return f"{head}{''.join(f'(?>(?:/.+?)??/{each}(?=/))' for each in inner)}{_GAP}{last}"


def _format_within_component(atoms: str) -> str:
    """Return atoms of which none takes a slash, as git reads sets of letters."""
    return _ATOM.sub(lambda found: f"(?!/){found[0]}" if found[0].startswith("[") else found[0], atoms)
