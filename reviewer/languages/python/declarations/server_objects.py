"""Servers that code makes, with the tools, the handlers and the providers that their constructors take."""

from reviewer.languages.python.declarations import providers, revisions
from reviewer.languages.python.declarations.registering import register
from reviewer.languages.python.declarations.sdks import is_provider
from reviewer.languages.python.evaluation import resources
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    PyGuarded,
    PyInstance,
    PyItems,
    strip_conditions,
    to_text,
)


def note_server(run: "Evaluator", server: PyInstance, arguments: CallArguments) -> None:
    """Keep a server that was made, with the tools or the list handler that its constructor takes.

    The same call that is evaluated twice makes the same server.
    """
    kept = run.providers if is_provider(server) else run.servers
    same = next((each for each in kept if each.span == server.span and _find_name(each) == _find_name(server)), None)
    run.same_server[id(server)] = same or server
    run.made.append(server)
    if same is not None or run.listed is not None:
        return
    kept.append(server)
    revisions.note_class(run, server)
    providers.note_folder(run, server, arguments)
    for name in ("middleware", "transforms"):
        listed = arguments.keywords.get(name)
        for each in listed.items if isinstance(listed, PyItems) else ():
            providers.transform(run, server, each, arguments.span)
    tools = arguments.keywords.get("tools")
    for tool in tools.items if isinstance(tools, PyItems) else ():
        with run.with_conditions(*(tool.conditions if isinstance(tool, PyGuarded) else ())):
            register(run, server, strip_conditions(tool), {}, arguments)
    providers.attach_all(run, server, arguments)
    handler = arguments.keywords.get("on_list_tools")
    if handler is not None and arguments.scope is not None:
        run.listings.append((server, handler, run.conditions, arguments.scope.module))
    handler = arguments.keywords.get("on_call_tool")
    if handler is not None:  # the SDK 2 makes errors of the protocol of what leaves it
        run.callings.append(handler)
        run.bare.append(handler)


def _find_name(server: PyInstance) -> str | None:
    given = server.find_argument("name", 0) or server
    text = to_text(given)
    return str(text) if text is not None else resources.place_of(given)
