"""What tools wait for, for rules on calls that nothing ends."""

import re
from collections.abc import Iterator

from reviewer.facts import Project, Wait
from reviewer.rules import Flaw
from reviewer.rules.shared.acts.handler_effects import format_reach
from reviewer.rules.shared.acts.reached import index_tools_by_name
from reviewer.rules.shared.words.helps import choose_help
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.text.patterns import pattern

TIMED = pattern(r"timeout|time_limit|deadline", re.IGNORECASE)
"""Names of decorators that end a tool's call after a time."""


def iter_endless_flaws(project: Project, kind: str, help: dict[str, str]) -> Iterator[Flaw]:
    """Yield one flaw for each client, or each library that needs none, at the first of its calls that nothing ends."""
    tools = index_tools_by_name(project)
    causes: dict[object, list[Wait]] = {}
    for each in project.waits:
        tool = tools.get(each.tool)
        wrappers = tool.handler.wrappers if tool is not None and tool.handler is not None else ()
        if each.kind == kind and not any(TIMED.search(one.name) for one in wrappers):
            cause = each.client.span if each.client is not None and kind == "request" else each.library.split(".")[0]
            causes.setdefault(cause, []).append(each)
    for first, *others in causes.values():
        related = tuple(sorted({each.text.span for each in others} - {first.text.span}))
        by = format_reach(first.tool, first.through) if first.tool else ""
        made = first.client if kind == "request" else None
        of = f"`{shorten_code(made, 60)}` has no timeout: " if made is not None else ""
        said = f"{of}`{shorten_code(first.text)}` can wait forever{by}"
        help_text = choose_help(help, first.text.span.path)
        yield Flaw(made or first.text, said, help_text, tools.get(first.tool), related=related)
