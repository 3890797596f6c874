"""What was declared → Server facts: the tools of each server, in the order of their registration."""

import re
from collections.abc import Iterable, Iterator

from reviewer.budget import REASONS, get_budget
from reviewer.code import ir
from reviewer.facts import Server, Tool
from reviewer.facts.tools import UNLISTED
from reviewer.failures import contained
from reviewer.languages.typescript.declarations.releases import SDK, SDK_2, Releases
from reviewer.languages.typescript.declarations.sdk import (
    DECLARING,
    FASTMCP,
    FRAMEWORKS,
    SIGNS,
    XMCP,
    Answering,
    Survey,
    find_any_server,
)
from reviewer.languages.typescript.declarations.tools import ToolReader
from reviewer.languages.typescript.evaluation.builtin import list_items
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    Cls,
    Func,
    Obj,
    TsMade,
    TsPlace,
    TsUnknown,
    TsValue,
    iter_options,
    settle,
    to_text_or_opaque,
)
from reviewer.languages.typescript.project.modules import Modules, ScriptModule
from reviewer.progress import Progress, Stage, iter_with_progress
from reviewer.source import Opaque, Span, Text

NOBODY = "no call of its function was found"
HIGHEST = 4
"""How many callers are climbed from a function that declares tools."""

MOST_WAITING = 500
"""How many functions passed to unseen code are run for what they declare. 40 servers had up to 219."""


def evaluate_modules(run: Evaluator, found: Survey, progress: Progress) -> None:
    """Evaluate the modules that take part in declaring tools, and the functions in them without a known caller."""
    seeds = collect_seeds(run.modules)
    for module in iter_with_progress(seeds, Stage.READING_TYPESCRIPT_FILES, progress):
        with contained("a file was not evaluated", module.source.find_line_span(1)):
            run.evaluate_module(module)
    paths = frozenset(each.path for each in seeds)
    _run_waiting(run, paths)
    for value in _iter_uncalled(run, seeds):
        is_dead = bool(found.registrations or found.listings) and _takes_server(value)
        if value.code not in run.entered and not is_dead:
            with contained("a function was not evaluated", TsPlace(value.code.source, value.code.at).span):
                _enter(run, value)
            _run_waiting(run, paths)


def collect_seeds(modules: Modules) -> list[ScriptModule]:
    """Return the modules that have a part in declaring tools, and those that import one of these."""
    own = list(modules.iter_own())
    seeds = {each.path: each for each in own if SIGNS.search(each.source.data) is not None}
    rest = [each for each in own if each.path not in seeds] if seeds else []
    grown = True
    while grown:
        grown = False
        for each in list(rest):
            imported = (one.module for one in each.imports.values())
            found = (modules.resolve(name, each.path) for name in (*imported, *each.bare_imports, *each.stars))
            if any(one is not None and one.path in seeds for one in found):
                seeds[each.path] = each
                rest.remove(each)
                grown = True
    return [each for each in own if each.path in seeds]


def _run_waiting(run: Evaluator, paths: frozenset[str]) -> None:
    """Run the functions of some files that were passed to unseen code."""
    for _ in range(MOST_WAITING):
        if not run.waiting:
            return
        function, conditions = run.waiting.pop(0)
        if function.code not in run.entered and function.code.source.path in paths:
            with contained("a function was not evaluated", function.place.span), run.with_conditions(conditions):
                run.call(function, build_unseen_arguments(function.code), function.place)


def _read_source(value: "Func | Cls") -> bytes:
    at = value.code.at
    return value.code.source.data[at.start : at.end]


def _iter_uncalled(run: Evaluator, seeds: list[ScriptModule]) -> Iterator["Func | Cls"]:
    """Yield the functions and classes of modules that lead to declarations, those first that lead to others."""
    named = [
        (name, each)
        for module in seeds
        for name, value in _iter_named(run, module)
        for each in ([value] if isinstance(value, Func | Cls) else _list_functions(value))
        if each.code.source is module.source
    ]
    levels = [[(name, each) for name, each in named if DECLARING.search(_read_source(each)) is not None]]
    known = {each.code for _, each in levels[0]}
    for _ in range(HIGHEST):
        names = {name.encode() for name, _ in levels[-1] if name.isidentifier()}
        if not names:
            break
        calling = re.compile(rb"\b(?:" + b"|".join(sorted(names)) + rb")\b")
        level = [(name, each) for name, each in named if each.code not in known and calling.search(_read_source(each))]
        known |= {each.code for _, each in level}
        levels.append(level)
    for level in reversed(levels):
        yield from (each for _, each in level)


def _iter_named(run: Evaluator, module: ScriptModule) -> Iterator[tuple[str, TsValue]]:
    held = run.evaluate_module(module).held
    for name, variable in module.code.scope.variables.items():
        if variable in held:
            yield name, held[variable]


def _list_functions(value: TsValue) -> list["Func | Cls"]:
    return [each for each in value.entries.values() if isinstance(each, Func | Cls)] if isinstance(value, Obj) else []


def _takes_server(value: "Func | Cls") -> bool:
    """Return whether a function receives a server: if the project creates one, no caller is needed to pass it."""
    code = value.code if isinstance(value, Func) else value.code.made
    return code is not None and any(isinstance(each, TsMade) for each in build_unseen_arguments(code))


def _enter(run: Evaluator, value: "Func | Cls") -> None:
    if isinstance(value, Func):
        run.call(value, build_unseen_arguments(value.code), value.place)
        return
    methods = [
        each for each in value.members.values() if isinstance(each, Func) and DECLARING.search(_read_source(each))
    ]
    own = value.code.made
    if all(each.code in run.entered for each in methods) and (own is None or own in run.entered):
        return
    made = run.make(value, build_unseen_arguments(own) if own is not None else [], _place(value))
    for each in methods:
        if each.code.role == "method" and each.code not in run.entered:
            bound = Func(each.code, each.env, None if each.code.is_static else made, each.home)
            run.call(bound, build_unseen_arguments(each.code), bound.place)


def _place(value: Cls) -> TsPlace:
    return TsPlace(value.code.source, value.code.at)


def build_unseen_arguments(code: ir.Code) -> list[TsValue]:
    """Return the arguments of a function without a known caller: a server, by the type of the parameter."""
    found: list[TsValue] = []
    for each in code.parameters:
        if each.kind != "receiver":
            server = find_any_server(each.type.text, code.source.data) if each.type is not None else None
            found.append(server if server is not None else TsUnknown(NOBODY))
    return found


class ServerReader:
    """Reads the servers of one evaluation."""

    def __init__(self, run: Evaluator, found: Survey, releases: Releases) -> None:
        self._run, self._found = run, found
        self._reader = ToolReader(run, releases)

    def read(self) -> tuple[Server, ...]:
        """Return every server, and the tools whose server only a run can tell."""
        places: dict[TsPlace, list[TsMade]] = {}
        for each in self._found.servers:
            if each.place is not None:
                places.setdefault(each.place, []).append(each)
        sole = next(iter(places)) if len(places) == 1 else None
        groups: dict[TsPlace | None, list[Tool | Opaque]] = {place: [] for place in places}
        for place, tool in self._iter_tools():
            place = place if place in groups else sole
            groups.setdefault(place, []).append(tool)
        servers = []
        for place, tools in groups.items():
            if place is not None:
                servers.append(self._build(place, places[place][-1], tools))
            elif tools:
                servers.append(self._build_loose(tools))
        told = [each for each in servers if each.tools]
        return tuple(told or servers)

    def _iter_tools(self) -> Iterable[tuple[TsPlace | None, Tool | Opaque]]:
        for made in self._found.registrations:
            if made.is_removed:
                continue
            if not get_budget().affords("tools"):
                yield made.server.place if made.server is not None else None, Opaque(REASONS["tools"], made.place.span)
                return
            with contained("a tool was not reviewed", made.place.span):
                yield made.server.place if made.server is not None else None, self._reader.read(made)
        for listing in self._found.listings:
            with contained("a list of tools was not reviewed", listing.place.span):
                for tool in self._read_listing(listing):
                    yield listing.server.place if listing.server is not None else None, tool

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

    def _build(self, place: TsPlace, made: TsMade, found: list[Tool | Opaque]) -> Server:
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
        key = (each.span, str(each.name) if isinstance(each.name, Text) else "")
        before = tools.get(key)
        if before is None or len(each.conditions) < len(before.conditions):
            tools[key] = each
    return list(tools.values()), hidden
