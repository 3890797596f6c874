"""What was declared → Server facts: the tools of each server, in the order of their registration."""

from collections.abc import Iterable

from reviewer.budget import REASONS, get_budget
from reviewer.facts import Server, Tool
from reviewer.facts.tools import UNLISTED
from reviewer.failures import contained
from reviewer.languages.typescript.declarations.releases import SDK, SDK_2, Releases
from reviewer.languages.typescript.declarations.sdk import (
    FASTMCP,
    FRAMEWORKS,
    XMCP,
    Answering,
    Survey,
)
from reviewer.languages.typescript.declarations.tools import ToolReader
from reviewer.languages.typescript.evaluation.builtin import list_items
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    Obj,
    TsMade,
    TsUnknown,
    iter_options,
    settle,
    to_text_or_opaque,
)
from reviewer.source import Opaque, Span, Text


class ServerReader:
    """Reads the servers of one evaluation."""

    def __init__(self, run: Evaluator, found: Survey, releases: Releases) -> None:
        self._run, self._found = run, found
        self._reader = ToolReader(run, releases)

    def read(self) -> tuple[Server, ...]:
        """Return every server, and the tools whose server only a run can tell."""
        made = [each for each in self._found.servers if each.place is not None]
        sole = made[0] if len({each.place for each in made}) == 1 else None
        groups: dict[TsMade | None, list[Tool | Opaque]] = {each: [] for each in made}
        for server, tool in self._iter_tools():
            server = server if server in groups else sole
            groups.setdefault(server, []).append(tool)
        loose = groups.pop(None, [])
        servers = [self._build(server, tools) for server, tools in _merge_runs(groups)]
        servers += [self._build_loose(loose)] if loose else []
        told = [each for each in servers if each.tools]
        return tuple(told or servers)

    def _iter_tools(self) -> Iterable[tuple[TsMade | None, Tool | Opaque]]:
        """Yield the tools that were registered, and those of lists: a server that answers the list itself has both."""
        known: set[tuple[TsMade | None, str]] = set()
        for made in self._found.registrations:
            if made.is_removed:
                continue
            if not get_budget().affords("tools"):
                yield made.server, Opaque(REASONS["tools"], made.place.span)
                return
            with contained("a tool was not reviewed", made.place.span):
                found = self._reader.read(made)
                known.add((made.server, str(found.name)))
                yield made.server, found
        for listing in self._found.listings:
            with contained("a list of tools was not reviewed", listing.place.span):
                for tool in self._read_listing(listing):
                    is_known = isinstance(tool, Tool) and (listing.server, str(tool.name)) in known
                    if not is_known or listing.server is None:
                        yield listing.server, tool

    def _read_listing(self, listing: Answering) -> Iterable[Tool | Opaque]:
        """Return the tools that a handler of `tools/list` gives."""
        with self._run.with_conditions(listing.conditions):
            answer = self._run.call(listing.function, [TsUnknown("a client sends it")] * 2, listing.place)
        for conditions, each in iter_options(answer):
            given = settle(each)[0]
            tools = given.entries.get("tools") if isinstance(given, Obj) else None
            if tools is None:
                reason = given.reason if isinstance(given, TsUnknown) else "it gives no list of tools"
                yield Opaque(reason, listing.place.span)
                continue
            items, hidden = list_items(self._run, tools, listing.place)
            for told, item in items:
                if not get_budget().affords("tools"):
                    yield Opaque(REASONS["tools"], listing.place.span)
                    return
                yield self._reader.read_listed(item, listing.place, (*listing.conditions, *conditions, *told))
            if hidden:
                yield Opaque(hidden, listing.place.span)

    def _build(self, made: TsMade, found: list[Tool | Opaque]) -> Server:
        assert made.place is not None
        place = made.place
        tools, hidden = _sort(found)
        if not tools and not hidden:
            hidden.append(Opaque(UNLISTED, place.span))
        given = settle(made.args[0])[0] if made.args else None
        name = given.entries.get("name") if isinstance(given, Obj) else given
        return Server(
            name=to_text_or_opaque(name, place.span),
            language="typescript",
            framework=_name_framework(made.by.module),
            span=place.span,
            tools=tuple(tools),
            unreadable=tuple(dict.fromkeys(hidden)),
        )

    def _build_loose(self, found: list[Tool | Opaque]) -> Server:
        tools, hidden = _sort(found)
        span = tools[0].span if tools else hidden[0].span
        return Server(None, "typescript", SDK, span, tuple(tools), None, tuple(hidden))


def _merge_runs(
    groups: dict[TsMade | None, list[Tool | Opaque]],
) -> list[tuple[TsMade, list[Tool | Opaque]]]:
    """Return each server with its tools. One that code made several times is one, unless its tools are others each time."""
    kept: list[tuple[TsMade, list[Tool | Opaque]]] = []
    for server, tools in groups.items():
        assert server is not None
        own = {_identify(each) for each in tools}
        for at, (other, told) in enumerate(kept):
            known = {_identify(each) for each in told}
            if other.place == server.place and (own <= known or known <= own):
                kept[at] = (
                    server,
                    [*told, *tools],
                )  # what its last run was told is taken, as an earlier one may not know it
                break
        else:
            kept.append((server, tools))
    return kept


def _identify(tool: Tool | Opaque) -> tuple[Span, str]:
    return tool.span, str(tool.name) if isinstance(tool, Tool) and isinstance(tool.name, Text) else ""


def _name_framework(module: str) -> str:
    """Return the framework that a server's class belongs to; Python has a framework of the same name."""
    if module == FASTMCP:
        return "fastmcp (TypeScript)"
    if module in FRAMEWORKS or module == XMCP:
        return module
    return SDK_2 if module.startswith(SDK_2) else SDK


def _sort(found: list[Tool | Opaque]) -> tuple[list[Tool], list[Opaque]]:
    """Return tools and unreadable parts separately; code that is evaluated twice registers once, under the fewest
    conditions.
    """
    tools: dict[tuple[Span, str], Tool] = {}
    hidden: list[Opaque] = []
    for each in found:
        if isinstance(each, Opaque):
            hidden.append(each)
            continue
        key = _identify(each)
        before = tools.get(key)
        if before is None or len(each.conditions) < len(before.conditions):
            tools[key] = each
    return list(tools.values()), hidden
