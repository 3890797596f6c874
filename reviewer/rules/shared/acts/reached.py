"""Where the arguments of a call come, for rules on what their text can do there."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from reviewer.facts import Part, Project, Sink, Tool, UncheckedReach
from reviewer.facts.parts import list_types
from reviewer.rules import Flaw, Question, ShownContext
from reviewer.rules.shared.asking import MOST
from reviewer.rules.shared.values.limits import has_named_values, is_anchored
from reviewer.rules.shared.words.helps import choose_help
from reviewer.rules.shared.words.identifiers import format_sharing, shorten_code
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern


def iter_reach_flaws(
    project: Project,
    sink: Sink,
    tells: Callable[[UncheckedReach], str],
    help: dict[str, str],
    counts: Callable[[UncheckedReach, Tool | None], bool] = lambda _reach, _tool: True,
    cause: str = "",
    is_minor: Callable[[UncheckedReach], bool] = lambda _: False,
) -> Iterator[Flaw | Question]:
    """Yield one flaw for all that an argument of a tool comes to, at the first of these places.

    What a schema says of an argument restricts it as well. With a `cause`, one is told of all arguments. Where something on
    the way may keep the argument from that, a judge is asked whether it does.
    """
    tools = index_tools_by_name(project)
    causes: dict[object, list[UncheckedReach]] = {}
    callers: dict[object, set[str]] = {}
    for each, tool in collect_free_reaches(project, sink):
        if counts(each, tool):
            callers.setdefault(each.span, set()).add(each.tool)
            causes.setdefault((each.arguments, each.tool), []).append(each)
    said = set[object]()
    for first, *others in causes.values():
        if said.isdisjoint(each.span for each in (first, *others)):
            related = tuple(sorted({each.span for each in others} - {first.span}))
            message = f"{tells(first)}: {_format_way(first)}{format_sharing(len(callers[first.span]) - 1)}"
            tool, minor = tools.get(first.tool), is_minor(first)
            yield Flaw(
                first.text, message, choose_help(help, first.span.path), tool, related=related, cause=cause, minor=minor
            )
        said.update(each.span for each in (first, *others))
    asked = dict[object, Question]()
    for each, tool in collect_free_reaches(project, sink, tested=True):
        if each.tested is not None and tool is not None and counts(each, tool) and each.span not in said:
            about = f"{' and '.join(each.arguments)}: {shorten_code(each.text)}"
            message = f"{tells(each)}: {_format_way(each)}; `{shorten_code(each.tested)}` does not prevent it"
            shows = frozenset[ShownContext](("schema", "code"))
            near = tuple(step.span for step in (*each.through, each.tested))
            question = Question(
                each.text, tool, message, choose_help(help, each.span.path), shows, about, rubric=UNSURE, near=near
            )
            asked.setdefault((each.arguments, each.tool), question)
    yield from list(asked.values())[:MOST]


UNSURE = "unsure-check"
"""The rubric of whether something on the way to a place keeps an argument from doing harm there."""


def collect_free_reaches(
    project: Project, sink: Sink, *, tested: bool = False
) -> list[tuple[UncheckedReach, Tool | None]]:
    """Return where arguments come of which the schema does not say what they may be, with their tools.

    With `tested` it is those that something on the way may restrict, or a decorator whose name says that it checks.
    """
    tools = index_tools_by_name(project)
    found = ((each, tools.get(each.tool)) for each in project.reaches if each.sink == sink)
    left = [(each, tool) for each, tool in found if not _is_restricted(each, tool, tools.values())]
    met = [(replace(each, tested=each.tested or _find_decorator(tool)), tool) for each, tool in left]
    return [(each, tool) for each, tool in met if (each.tested is not None) is tested]


def find_reaching_tool(project: Project, span: Span) -> Tool | None:
    """Return the first tool by whose call the code of a place is come to, None if none is known to."""
    tools = (tool for server in project.servers for tool in server.tools)
    return next((tool for tool in tools if any(each.span.holds(span) for each in tool.reached)), None)


def index_tools_by_name(project: Project) -> dict[str, Tool]:
    """Return the tools whose names can be read, by these."""
    tools = (tool for server in project.servers for tool in server.tools)
    return {str(tool.name): tool for tool in tools if isinstance(tool.name, Text)}


def has_code(project: Project) -> bool:
    """Return whether the code of a server was read, and not only its definitions."""
    return any(each.language != "definitions" and each.tools for each in project.servers)


def format_arguments(reach: UncheckedReach) -> str:
    """Return the arguments as a message names them."""
    return " and ".join(f"`{each}`" for each in reach.arguments)


def format_subject(reach: UncheckedReach, one: str, several: str) -> str:
    """Return the arguments with the verb that fits one or several of them, as a message begins."""
    return f"{format_arguments(reach)} {several if len(reach.arguments) > 1 else one}"


def _format_way(reach: UncheckedReach) -> str:
    """Return the way from an argument to the call: `name → save → open(path)`."""
    steps = (
        shorten_code(each.partition("(")[0].split()[-1], 40) for each in reach.through if each.partition("(")[0].split()
    )
    return f"`{' → '.join((*reach.arguments[:1], *steps, shorten_code(reach.text)))}`"


CHECKING = pattern(r"valid|check|sanit|safe|secur|confine|allow|guard|inside|within|restrict", re.IGNORECASE)
"""Names of decorators that check what a tool is given."""


def _find_decorator(tool: Tool | None) -> Text | None:
    """Return a tool's decorator that by its name may check the arguments: decorators are not followed here."""
    wrappers = tool.handler.wrappers if tool is not None and tool.handler is not None else ()
    return next((each.text for each in wrappers if CHECKING.search(each.name)), None)


def _is_restricted(reach: UncheckedReach, tool: Tool | None, tools: Iterable[Tool]) -> bool:
    """Return whether the schema says of all arguments what they may be."""
    among = tuple(tools) if tool is None else (tool,)
    parts = [[part for one in among for part in _collect_named_parts(one, each)] for each in reach.arguments]
    known = [part for found in parts for part in found]
    if not known and any(one.arguments for one in among):
        return True  # it is no argument of a tool, but something that the server hands its function
    return bool(known) and all(map(_has_closed_form, known))


def _collect_named_parts(tool: Tool, name: str) -> list[Part]:
    return [each for each in tool.arguments if each.name == name]


def _has_closed_form(part: Part) -> bool:
    """Return whether what a schema lets through for a part is no free text."""
    forms = [form for form in part.forms if not {"array", "object"}.intersection(list_types(form))]
    return bool(forms) and all(
        "string" not in list_types(form) or is_anchored(form.get("pattern")) or has_named_values(form) for form in forms
    )
