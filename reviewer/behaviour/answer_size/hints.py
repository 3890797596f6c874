"""The fixed texts by which a tool's own code says how to get the rest of an answer that is not all there is."""

import re
from collections.abc import Iterator

from reviewer.code import ir
from reviewer.source import Text
from reviewer.text.patterns import pattern

MORE = (
    r"(?:see|show|get|fetch|for|list|return|load|retrieve|find) more"
    r"|more(?!\s+(?!results?|items|entries|rows|matches|hits|pages?|records|lines|of|than|at|specific|with|by|if|and|or)\w)"
)
"""More of an answer, and of nothing else: `add more nodes` is advice on something."""

HINT = pattern(
    r"\b(?:narrow|refine|restrict|be more specific|more specific|too many|reduce the)\b"
    rf"|\b(?:use|try|raise|increase|add|set|pass|give|ask)\b[^.]{{0,40}}\b(?:{MORE}|rest|fewer|further|next|filter|smaller|limit)\b",
    re.IGNORECASE,
)
"""A text that says how to get at what was left out."""

# A text says how to get the rest only if it speaks of results or of making them fewer; "use the id" alone is no such hint.
ABOUT_LESS = pattern(
    r"\b(?:narrow|refine|results?|matches|items|entries|rows|hits|more|truncated|showing|shown|list|output|overflow|page)\b",
    re.IGNORECASE,
)


def is_hint(text: str) -> bool:
    """Return whether a fixed text says how to get at what was left out of an answer."""
    words = len(text.split())
    return (
        "{" not in text and 2 <= words <= 40 and HINT.search(text) is not None and ABOUT_LESS.search(text) is not None
    )


def iter_hints(code: ir.Code, within: ir.Site) -> Iterator[Text]:
    """Yield the fixed texts by which a part of a function says how to get at what was left out."""
    for each in ir.iter_codes(code):
        body = list(ir.iter_statements(each.body))
        refusals = [one.at for one in body if _refuses(one)]
        for constant in (found for one in body for found in _iter_texts(one)):
            said = constant.value if within.holds(constant.at) else None
            if isinstance(said, str) and is_hint(said) and not any(at.holds(constant.at) for at in refusals):
                yield Text(said, each.locate(constant.at))


def _iter_texts(statement: ir.Statement) -> Iterator[ir.Constant]:
    """Yield the texts in a statement, except documentation and the parts of a composed text."""
    pending = [] if isinstance(statement, ir.Evaluate) else [*ir.iter_operands(statement)]
    while pending:
        each = pending.pop()
        if isinstance(each, ir.Constant):
            yield each
        elif not isinstance(each, ir.Interpolation | ir.Arithmetic):
            pending += ir.iter_operands(each)


def _refuses(statement: ir.Statement) -> bool:
    """Return whether a statement raises an error, or makes one."""
    match statement:
        case ir.Call(callee=ir.Global(path=path)):
            return any("rror" in each for each in path)
        case ir.Call(callee=ir.Field(owner=owner, name=name)):
            return "rror" in name or (isinstance(owner, ir.Global) and any("rror" in each for each in owner.path))
    return isinstance(statement, ir.Raise)
