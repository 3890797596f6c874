"""What is laid around the functions of tools: by what their exceptions are answered for."""

from reviewer.facts import Tool, Wrapper
from reviewer.rules.shared.words.identifiers import split_words

ERRORS = frozenset(
    "error errors exception exceptions fail failure failures safe safely guard catch catches resilient".split()
)
"""What a decorator from elsewhere is called that may answer for exceptions."""


def collect_wrappers(tool: Tool) -> tuple[Wrapper, ...]:
    """Return the wrappers of a tool's function, outermost first."""
    return tuple(tool.handler.wrappers) if tool.handler is not None else ()


def collect_catching_wrappers(tool: Tool) -> list[Wrapper]:
    """Return the wrappers that handle a tool's exceptions, outermost first."""
    return [each for each in collect_wrappers(tool) if each.catches and not each.outside]


def is_handled_in_part(tool: Tool) -> bool:
    """Return whether a decorator answers for exceptions of some kinds at least."""
    return any(each.catches_some and not each.outside for each in collect_wrappers(tool))


def find_catching_decorator(tool: Tool) -> str | None:
    """Name the decorator that answers for a tool's exceptions, None if it has none."""
    return next((each.name for each in collect_catching_wrappers(tool)), None)


def is_handled(tool: Tool) -> bool | None:
    """Return whether a decorator answers for a tool's exceptions; None if one may, which is not of the project."""
    if find_catching_decorator(tool) is not None:
        return True
    unknown = any(
        each.catches is None and not ERRORS.isdisjoint(split_words(each.name)) for each in collect_wrappers(tool)
    )
    return None if unknown else False


def may_be_handled(tool: Tool) -> bool:
    """Return whether a decorator answers, may answer, or would answer if it stood in its place."""
    return is_handled(tool) is not False or any(each.catches and each.outside for each in collect_wrappers(tool))
