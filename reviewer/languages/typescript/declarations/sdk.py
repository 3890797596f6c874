"""What the SDK of TypeScript and FastMCP do with calls: which make a server, register a tool, or set what answers a request."""

from collections.abc import Iterable
from dataclasses import field

from reviewer.facts import Condition
from reviewer.languages.typescript.evaluation.builtin import list_items
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
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
    settle,
    strip_conditions,
)
from reviewer.records import dataclass
from reviewer.text.patterns import pattern

PACKAGES = ("@modelcontextprotocol/sdk", "@modelcontextprotocol/server")
"""The packages of the SDK, of release 1 and 2."""
HIGH, LOW = "McpServer", "Server"
"""The SDK's two classes of servers: one keeps the tools itself, the other is told what answers `tools/list`."""
FASTMCP, FAST = "fastmcp", "FastMCP"
"""The package of another framework, and its class of servers, which is told each tool as one object."""
SERVERS = frozenset({HIGH, LOW, FAST})
INNER = frozenset({"server", "experimental", "tasks"})
"""What of a server stands for it."""
REGISTERING = frozenset({"tool", "registerTool", "registerToolTask"})
"""The methods by which a server is told one tool."""
ADDING = frozenset({"addTool", "addTools"})
"""The methods by which a server of FastMCP is told tools."""
CALLED = {"parameters": "inputSchema"}
"""How the parts of such an object are called in a list of tools, if otherwise."""
LISTS = frozenset({"ListToolsRequestSchema", "tools/list"})
"""How a request handler is said to answer `tools/list`: release 1 takes the schema, release 2 the method."""
CALLS = frozenset({"CallToolRequestSchema", "tools/call"})
"""How a request handler is said to answer `tools/call`."""
REGISTERED = "RegisteredTool"
STDIO = "StdioServerTransport"
SIGNS = pattern(rb"modelcontextprotocol|[\"']fastmcp[\"']|\bregisterTool\b|\bListToolsRequestSchema\b|\bMcpServer\b")
"""What a file holds that has a part in declaring tools."""
DECLARING = pattern(
    rb"\bregisterTool\b|\.tool\(|\.addTools?\(|\bListToolsRequestSchema\b|tools/list|\bnew (?:(?:Mcp)?Server\(|FastMCP\b)"
)
"""What a function holds that declares tools."""
TYPES = pattern(r"\b(?:McpServer|Server|FastMCP)\b")
"""How the type of a parameter is named that is handed a server."""
ANY_SERVER = TsMade(Lib("@modelcontextprotocol/sdk/server/mcp.js", (HIGH,)))
"""The server that a function without a known caller receives."""


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
    is_of_fastmcp: bool = False
    """Whether FastMCP is told it, which makes schemas in its own way."""


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
    stdio: list[TsPlace] = field(default_factory=list)
    """Where the transport of stdio is made."""

    def answer_call(
        self, run: Evaluator, owner: TsValue, name: str, args: list[TsValue], place: TsPlace
    ) -> TsValue | None:
        """Return the result of a call of the SDK, and record what it declares; None for any other call."""
        if isinstance(owner, Lib):
            return self._make(owner, args, place) if not name else None
        if isinstance(owner, TsMade) and owner.by.name == REGISTERED:
            return self._change(run, owner, name)
        server = find_server(owner)
        if server is None and not (isinstance(owner, TsUnknown) and _looks_like_sdk(name, args, place)):
            return None
        if name in REGISTERING:
            return self._register(run, server, name, args, place)
        if name in ADDING and args:
            given = [((), args[0])] if name == "addTool" else list_items(run, args[0], place)[0]
            for conditions, each in given:
                self._add(run, server, each, place, conditions)
            return TsUnknown("it gives nothing", place)
        if name == "start" and server is not None and server.by.name == FAST:
            self._start(args, place)
        if name == "setRequestHandler" and len(args) > 1:
            self._answer(run, server, args, place)
            return TsUnknown("it gives nothing", place)
        return None

    def _make(self, made: Lib, args: list[TsValue], place: TsPlace) -> TsValue | None:
        if made.module != FASTMCP and not made.module.startswith(PACKAGES):
            return None
        if made.name == "parse" and len(made.names) > 1 and made.names[-2].endswith("Schema") and args:
            return args[0]  # `ToolSchema.parse({…})` gives what it is given
        if made.name == STDIO:
            self.stdio.append(place)
        if made.name not in SERVERS:
            return None
        server = TsMade(made, tuple(args), place)
        self.servers.append(server)
        return server

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

    def _add(
        self, run: Evaluator, server: TsMade | None, given: TsValue, place: TsPlace, on: tuple[Condition, ...]
    ) -> None:
        """Take down one tool of FastMCP."""
        for conditions, each in iter_options(given):
            told = (*run.conditions, *on, *conditions)
            if not isinstance(each, Obj):
                reason = each.reason if isinstance(each, TsUnknown) else "it is known at run time only"
                self.registrations.append(Registration(server, TsUnknown(reason, place), {}, None, place, told, reason))
                continue
            parts = {CALLED.get(key, key): value for key, value in each.entries.items()}
            name, handler = parts.pop("name", TsUnknown("it has no name", place)), parts.pop("execute", None)
            where = each.place or place
            made = Registration(server, name, parts, handler, where, told, each.hidden, is_of_fastmcp=True)
            self.registrations.append(made)

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
