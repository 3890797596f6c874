"""What the SDK and frameworks do with calls: which make a server, register a tool, or set what answers a request."""

from collections.abc import Iterable
from dataclasses import field

from reviewer.facts import Condition
from reviewer.languages.typescript.evaluation.builtin import list_items, spread_into
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    UNDEFINED,
    Arr,
    Const,
    Func,
    Lib,
    Obj,
    TsMade,
    TsPlace,
    TsSchema,
    TsUnknown,
    TsValue,
    iter_options,
    join,
    settle,
    strip_conditions,
)
from reviewer.languages.typescript.evaluation.zod import read_shape
from reviewer.records import dataclass
from reviewer.text.patterns import pattern

PACKAGES = ("@modelcontextprotocol/sdk", "@modelcontextprotocol/server")
"""The packages of the SDK, of release 1 and 2."""
HIGH, LOW = "McpServer", "Server"
"""The SDK's two classes of servers: one keeps the tools itself, the other is told what answers `tools/list`."""
FASTMCP, TMCP, XMCP, MCP_FRAMEWORK = "fastmcp", "tmcp", "xmcp", "mcp-framework"
"""The packages of other frameworks."""
FAST = "FastMCP"
FRAMEWORKS = {FASTMCP: FAST, TMCP: HIGH, MCP_FRAMEWORK: "MCPServer"}
"""The classes of servers of those that have one."""
SERVERS = frozenset({HIGH, LOW, *FRAMEWORKS.values()})
INNER = frozenset({"server", "experimental", "tasks"})
"""What of a server stands for it."""
REGISTERING = frozenset({"tool", "registerTool", "registerToolTask"})
"""The methods by which a server is told one tool."""
PROMPTING = frozenset({"prompt", "registerPrompt"})
"""The methods by which a server is told a prompt."""
ADDING = {
    **{each: {"addTool": False, "addTools": True} for each in (FASTMCP, MCP_FRAMEWORK, "")},
    TMCP: {"tool": False, "tools": True},
}
"""The methods by which a framework's server is told tools as objects, and whether they take several; without a name: of one that
only a run knows.
"""
CALLED = {FASTMCP: {"parameters": "inputSchema"}, TMCP: {"schema": "inputSchema"}}
"""How the parts of such an object are called in a list of tools, if otherwise."""
HANDLERS = frozenset({"mcp-handler", "@vercel/mcp-adapter"})
"""Packages whose `createMcpHandler` makes a server of the SDK for each request, and has a function add the tools."""
COMPATIBLE = frozenset({"normalizeObjectSchema", "toJsonSchemaCompat"})
"""Functions of the SDK by which it makes a JSON Schema of a schema of either release of zod."""
LISTS = frozenset({"ListToolsRequestSchema", "tools/list"})
"""How a request handler is said to answer `tools/list`: release 1 takes the schema, release 2 the method."""
CALLS = frozenset({"CallToolRequestSchema", "tools/call"})
"""How a request handler is said to answer `tools/call`."""
REGISTERED = "RegisteredTool"
STDIO = "StdioServerTransport"
SIGNS = pattern(
    rb"modelcontextprotocol|[\"'](?:fastmcp|tmcp|tmcp/tool|mcp-framework|mcp-handler|@vercel/mcp-adapter)[\"']"
    rb"|\bregisterTool\b|\bListToolsRequestSchema\b|\bMcpServer\b"
)
"""What a file holds that has a part in declaring tools."""
DECLARING = pattern(
    rb"\bregisterTool\b|\.tools?\(|\.addTools?\(|\bListToolsRequestSchema\b|tools/list|\bcreateMcpHandler\("
    rb"|\bnew (?:(?:Mcp)?Server\(|FastMCP\b|MCPServer\b)"
)
"""What a function holds that declares tools."""
TYPES = pattern(r"\b(?:McpServer|Server|FastMCP)\b")
"""How the type of a parameter is named that is handed a server."""
OF_TMCP = pattern(rb"[\"']tmcp[\"']")
"""An import of tmcp: its class of servers is called as the SDK's is."""
ANY_SERVER = TsMade(Lib("@modelcontextprotocol/sdk/server/mcp.js", (HIGH,)))
"""The server that a function without a known caller receives."""
ANY_OF_FRAMEWORKS = {name: TsMade(Lib(name, (cls,))) for name, cls in FRAMEWORKS.items()}
"""The same, of a framework."""


def find_any_server(kind: str, source: bytes) -> TsMade | None:
    """Return the server that a parameter of a type stands for, None if it stands for none."""
    found = TYPES.search(kind.partition("<")[0])
    if found is None:
        return None
    if found[0] == FAST:
        return ANY_OF_FRAMEWORKS[FASTMCP]
    return ANY_OF_FRAMEWORKS[TMCP] if OF_TMCP.search(source) is not None else ANY_SERVER


@dataclass(eq=False)
class Registration:
    """One call that registers a tool. `parts` are those of its configuration, by name."""

    server: TsMade | None
    name: TsValue
    parts: dict[str, TsValue]
    handler: TsValue | None
    place: TsPlace
    conditions: tuple[Condition, ...]
    unread: str = ""
    """Why its configuration cannot be read."""
    is_removed: bool = False
    framework: str = ""
    """The framework that is told it, which makes schemas in its own way; empty for the SDK."""


@dataclass(eq=False)
class Answering:
    """A function that answers a request of a server: `tools/list`, or `tools/call`."""

    server: TsMade | None
    function: TsValue
    place: TsPlace
    conditions: tuple[Condition, ...]


@dataclass(eq=False)
class Survey:
    """What was declared while a project was evaluated."""

    servers: list[TsMade] = field(default_factory=list)
    registrations: list[Registration] = field(default_factory=list)
    listings: list[Answering] = field(default_factory=list)
    callings: list[Answering] = field(default_factory=list)
    prompts: list[TsValue] = field(default_factory=list)
    """The functions that make prompts."""
    stdio: list[TsPlace] = field(default_factory=list)
    """Where the transport of stdio is made."""

    def answer_call(
        self, run: Evaluator, owner: TsValue, name: str, args: list[TsValue], place: TsPlace
    ) -> TsValue | None:
        """Return the result of a call of the SDK, and record what it declares; None for any other call."""
        if isinstance(owner, Lib):
            return self._make(run, owner, args, place) if not name else None
        if isinstance(owner, TsMade) and owner.by.name == REGISTERED:
            return self._change(run, owner, name)
        server = find_server(owner)
        if server is None and not (isinstance(owner, TsUnknown) and _looks_like_sdk(name, args, place)):
            return None
        framework = find_framework(server, place)
        if server is not None and framework == TMCP and name == "withContext":
            return server
        several = ADDING[framework].get(name) if args else None
        if several is not None:
            given = list_items(run, args[0], place)[0] if several else [((), args[0])]
            for conditions, each in given:
                with run.with_conditions(conditions):
                    self.add(run, server, framework, each, place, args[1] if len(args) > 1 and not several else None)
            return TsUnknown("it gives nothing", place)
        if name in REGISTERING:
            return self._register(run, server, name, args, place)
        if name in PROMPTING and server is not None and args:
            self.prompts.append(args[-1])
        if name == "start" and server is not None and server.by.name == FAST:
            self._start(args, place)
        if name == "setRequestHandler" and len(args) > 1:
            self._answer(run, server, args, place)
            return TsUnknown("it gives nothing", place)
        return None

    def _make(self, run: Evaluator, made: Lib, args: list[TsValue], place: TsPlace) -> TsValue | None:
        if made.module in HANDLERS and made.name in ("createMcpHandler", "default"):
            return self._make_for_handler(run, made, args, place)
        if made.module.partition("/")[0] == TMCP and made.name == "defineTool" and args:
            whole = Obj({}, place, conditions=run.conditions)
            spread_into(run, whole, args[0], place)
            whole.entries["execute"] = args[1] if len(args) > 1 else UNDEFINED
            return whole
        if FRAMEWORKS.get(made.module) != made.name and not made.module.startswith(PACKAGES):
            return None
        if made.name == "parse" and len(made.names) > 1 and made.names[-2].endswith("Schema") and args:
            return args[0]  # `ToolSchema.parse({…})` gives what it is given
        if made.name in COMPATIBLE and args:
            schema = settle(args[0])[0]
            schema = TsSchema(read_shape(run, schema, place), place) if isinstance(schema, Obj) else schema
            return schema if made.name == "normalizeObjectSchema" else TsMade(made, (schema, *args[1:]), place)
        if made.name == STDIO:
            self.stdio.append(place)
        if made.name not in SERVERS:
            return None
        server = TsMade(made, tuple(args), place)
        self.servers.append(server)
        return server

    def _make_for_handler(self, run: Evaluator, made: Lib, args: list[TsValue], place: TsPlace) -> TsValue:
        """Return the handler of requests, of a server that a function is handed to add tools to it."""
        told = [settle(each)[0] for each in args[1:]]
        infos = [each.entries["serverInfo"] for each in told if isinstance(each, Obj) and "serverInfo" in each.entries]
        server = TsMade(Lib(ANY_SERVER.by.module, (HIGH,)), tuple(infos[:1]), place)
        self.servers.append(server)
        if args:
            run.call(args[0], [server], place)
        return TsMade(made, tuple(args), place)

    def _change(self, run: Evaluator, owner: TsMade, name: str) -> TsValue | None:
        """Take down what is done to a tool after it was registered."""
        if name in ("disable", "remove"):
            for each in self.registrations:
                if each.place == owner.place:
                    more = tuple(one for one in run.conditions if one not in each.conditions)
                    each.is_removed = not more
                    each.conditions = (*each.conditions, *more)
        return TsUnknown("it gives nothing", owner.place)

    def _register(
        self, run: Evaluator, server: TsMade | None, method: str, args: list[TsValue], place: TsPlace
    ) -> TsValue:
        name = args[0] if args else TsUnknown("it has no name", place)
        handler = args[-1] if len(args) > 1 and _is_function(args[-1]) else None
        given = args[1:-1] if handler is not None else args[1:]
        parts, unread = (_read_config(given) if method == "registerTool" else _sort_out(given)) if given else ({}, "")
        self.registrations.append(Registration(server, name, parts, handler, place, run.conditions, unread))
        return TsMade(Lib("", (REGISTERED,)), (), place)

    def add(
        self,
        run: Evaluator,
        server: TsMade | None,
        framework: str,
        given: TsValue,
        place: TsPlace,
        handler: TsValue | None = None,
    ) -> None:
        """Take down one tool of a framework, which is told it as an object."""
        for conditions, each in merge_alternatives(given):
            told = (*run.conditions, *conditions)
            if not isinstance(each, Obj):
                reason = each.reason if isinstance(each, TsUnknown) else "it is known at run time only"
                self.registrations.append(Registration(server, TsUnknown(reason, place), {}, None, place, told, reason))
                continue
            called = CALLED.get(framework, {})
            parts = {called.get(key, key): run.read_entry(value, each, place) for key, value in each.entries.items()}
            name, own = parts.pop("name", TsUnknown("it has no name", place)), parts.pop("execute", None)
            where = each.place or place
            if framework == TMCP:
                parts.setdefault("title", parts.get("description", UNDEFINED))
                told = (*told, *_tell_enabled(parts.get("enabled"), where))
            function = handler if handler is not None else own
            self.registrations.append(
                Registration(server, name, parts, function, where, told, each.hidden, framework=framework)
            )

    def _start(self, args: list[TsValue], place: TsPlace) -> None:
        """Take down the transport that FastMCP is started with, if that is stdio, as it is where none is said."""
        options = settle(args[0])[0] if args else Obj({}, place)
        if not isinstance(options, Obj) or options.hidden:
            return
        said = strip_conditions(options.entries.get("transportType", Const("stdio")))
        if isinstance(said, Const) and said.value == "stdio":
            self.stdio.append(place)

    def _answer(self, run: Evaluator, server: TsMade | None, args: list[TsValue], place: TsPlace) -> None:
        asked = strip_conditions(args[0])
        name = asked.name if isinstance(asked, Lib) else str(asked.value) if isinstance(asked, Const) else ""
        found = Answering(server, args[1], place, run.conditions)
        if name in LISTS:
            self.listings.append(found)
        elif name in CALLS:
            self.callings.append(found)


def find_framework(server: TsMade | None, place: TsPlace) -> str:
    """Return the framework that a server is of, empty for the SDK; that of the file, where the server is unknown."""
    if server is None:
        return TMCP if OF_TMCP.search(place.source.data) is not None else ""
    return server.by.module if server.by.module in FRAMEWORKS else ""


def _tell_enabled(given: TsValue | None, place: TsPlace) -> tuple[Condition, ...]:
    """Return the condition of a tool that is listed only if a function says so."""
    plain = settle(given)[0] if given is not None else UNDEFINED
    return () if isinstance(plain, Const) and plain.is_undefined else (Condition("enabled()", place.span),)


def merge_alternatives(given: TsValue) -> list[tuple[tuple[Condition, ...], TsValue]]:
    """Return the alternatives of a tool that is told as an object; those of one name are one tool, of several parts."""
    options = list(iter_options(given))
    names = {
        name.value if isinstance(name := strip_conditions(each.entries.get("name", UNDEFINED)), Const) else None
        for _, each in options
        if isinstance(each, Obj)
    }
    if len(options) < 2 or len(names) != 1 or None in names or not all(isinstance(each, Obj) for _, each in options):
        return options
    told = [(conditions, each) for conditions, each in options if isinstance(each, Obj)]
    merged = Obj({}, told[0][1].place, next((each.hidden for _, each in told if each.hidden), ""))
    for key in dict.fromkeys(key for _, each in told for key in each.entries):
        merged.entries[key] = join([(conditions, each.entries.get(key, UNDEFINED)) for conditions, each in told])
    shared = tuple(one for one in told[0][0] if all(one in conditions for conditions, _ in told))
    return [(shared, merged)]


def find_server(value: TsValue) -> TsMade | None:
    """Return the server that a value is, or that it is the inner one of; None if it is none."""
    while isinstance(value, TsMade) and value.by.name in INNER and isinstance(value.on, TsMade):
        value = value.on
    return value if isinstance(value, TsMade) and value.by.name in SERVERS and value.on is None else None


def _looks_like_sdk(name: str, args: list[TsValue], place: TsPlace) -> bool:
    """Return whether a method of something unknown is called as only a server's is."""
    if len(args) < 2 or SIGNS.search(place.source.data) is None:
        return False
    if name == "setRequestHandler":
        return isinstance(strip_conditions(args[0]), Lib)
    return name in REGISTERING and _is_function(args[-1]) and not _is_function(args[0])


def _is_function(value: TsValue) -> bool:
    return any(isinstance(each, Func) for _, each in iter_options(value)) or (
        isinstance(value, TsUnknown | TsMade) and not isinstance(value, Const)
    )


def _read_config(given: list[TsValue]) -> tuple[dict[str, TsValue], str]:
    config, _ = settle(given[0])
    if isinstance(config, Obj):
        return dict(config.entries), config.hidden
    return {}, config.reason if isinstance(config, TsUnknown) else "its configuration is known at run time only"


def _sort_out(given: list[TsValue]) -> tuple[dict[str, TsValue], str]:
    """Return the arguments of `tool(name, description?, shape or annotations?, annotations?, function)` by name."""
    parts: dict[str, TsValue] = {}
    rest = list(given)
    first = settle(rest[0])[0]
    is_unseen = isinstance(first, TsUnknown | TsMade | Lib)
    if is_unseen and len(rest) == 1:
        return {"description": rest[0], "inputSchema": TsUnknown("only a run tells what the second argument is")}, ""
    if is_unseen or (isinstance(first, Const) and isinstance(first.value, str)):
        parts["description"] = rest.pop(0)
    if rest and is_shape(rest[0]):
        parts["inputSchema"] = rest.pop(0)
    if rest:
        parts["annotations"] = rest.pop(0)
    return parts, ""


def is_shape(value: TsValue) -> bool:
    """Return whether a value is a raw shape, or a schema, and no annotations: an empty object is a shape."""
    value = settle(value)[0]
    if isinstance(value, Obj):
        inner: Iterable[TsValue] = map(strip_conditions, value.entries.values())
        return not value.entries or any(isinstance(each, TsSchema) for each in inner) or bool(value.hidden)
    return isinstance(value, TsSchema | TsUnknown | Arr)
