"""§15 of the checklist, in Python: what clients are told of changes of the tools."""
# ruff: noqa: E501

from mutation import mutant

LIVE = "python_lowlevel_live"
MAIN = "workshop/main.py"
ANNOUNCING = "workshop/announcing.py"
SEND = "            await session.send_tool_list_changed()"
CHANGED = '    announcer.changed()\n    return {"plugged": arguments["machines"]}'
PLUGGED = '    return {"plugged": arguments["machines"]}'
OPTIONS = "NotificationOptions(tools_changed=settings.ANNOUNCE)"
PUT = "        TOOLS[tool.name] = tool"
GUARD = "        if not settings.ANNOUNCE:\n            return\n"
WAIT = "        await asyncio.sleep(settings.QUIET_SECONDS)\n"
UNTOLD = ("list-change-never-sent",)


def silent(name: str, new: str, *more: tuple[str, str, str]):
    """Nothing tells of the tools that are plugged in."""
    return mutant(
        "list-change-not-announced",
        LIVE,
        name,
        (MAIN, CHANGED, PLUGGED),
        (MAIN, PUT, new),
        (ANNOUNCING, SEND, "            session.touched = True"),
        *more,
        also=UNTOLD,
    )


ANNOUNCED = [
    silent("under its name", "        TOOLS[tool.name] = tool  # ⚑"),
    silent("update", "        TOOLS.update({tool.name: tool})  # ⚑"),
    silent("setdefault", "        TOOLS.setdefault(tool.name, tool)  # ⚑"),
    silent("taken away", "        TOOLS.pop(tool.name, None)  # ⚑"),
    silent("del", "        del TOOLS[tool.name]  # ⚑"),
    silent(
        "two calls deep",
        "        keep(tool)",
        (
            MAIN,
            "async def over_stdio()",
            "def keep(tool: Tool) -> None:\n    put(tool.name, tool)\n\n\ndef put(name: str, tool: Tool) -> None:\n    TOOLS[name] = tool  # ⚑\n\n\nasync def over_stdio()",
        ),
    ),
    mutant(
        "list-change-not-announced",
        LIVE,
        "what tells is never called",
        (MAIN, CHANGED, PLUGGED),
        (MAIN, PUT, "        TOOLS[tool.name] = tool  # ⚑"),
        (ANNOUNCING, "        self._waiting = asyncio.create_task(self._tell())", "        self._waiting = None"),
        also=UNTOLD,
    ),
]

NEVER = [
    mutant(
        "list-change-never-sent",
        LIVE,
        "promised and only logged",
        (MAIN, OPTIONS, "NotificationOptions(tools_changed=True)  # ⚑"),
        (ANNOUNCING, SEND, '            log.info("the tools of %s have changed", session)'),
        (ANNOUNCING, "import asyncio\n", "import asyncio\nimport logging\n"),
        (ANNOUNCING, "class Announcer:", 'log = logging.getLogger("tools")\n\n\nclass Announcer:'),
        also=("list-change-not-announced",),
    ),
    mutant(
        "list-change-never-sent",
        LIVE,
        "all three promised",
        (MAIN, OPTIONS, "NotificationOptions(prompts_changed=False, resources_changed=False, tools_changed=True)  # ⚑"),
        (ANNOUNCING, SEND, "            await session.send_resource_list_changed()"),
        also=("list-change-not-announced",),
    ),
    mutant(
        "list-change-never-sent",
        LIVE,
        "a constant",
        (MAIN, OPTIONS, "NotificationOptions(tools_changed=PROMISED)  # ⚑"),
        (MAIN, "shelves = Shelves()", "PROMISED = True\nshelves = Shelves()"),
        (ANNOUNCING, SEND, "            await session.send_ping()"),
        also=("list-change-not-announced",),
    ),
    mutant(
        "list-change-never-sent",
        LIVE,
        "imported by another name",
        (
            MAIN,
            "app.create_initialization_options(" + OPTIONS + ")",
            "app.create_initialization_options(notification_options=wanted())",
        ),
        (
            MAIN,
            "async def over_stdio()",
            "def wanted() -> NotificationOptions:\n    return NotificationOptions(tools_changed=True)  # ⚑\n\n\nasync def over_stdio()",
        ),
        (ANNOUNCING, SEND, "            await session.send_prompt_list_changed()"),
        also=("list-change-not-announced",),
    ),
    mutant(
        "list-change-never-sent",
        LIVE,
        "what sends is dead code",
        (MAIN, OPTIONS, "NotificationOptions(tools_changed=True)  # ⚑"),
        (ANNOUNCING, "        self._waiting = asyncio.create_task(self._tell())", "        self._waiting = None"),
        also=("list-change-not-announced",),
    ),
    mutant(
        "list-change-never-sent",
        LIVE,
        "a hand-written answer",
        (MAIN, "app.create_initialization_options(" + OPTIONS + ")", "hello()"),
        (
            MAIN,
            "async def over_stdio()",
            'def hello() -> dict[str, Any]:\n    return {"capabilities": {"tools": {"listChanged": True}}, "serverInfo": {"name": "workshop"}}  # ⚑\n\n\nasync def over_stdio()',
        ),
        (ANNOUNCING, SEND, "            session.touched = True"),
        also=("list-change-not-announced",),
    ),
    mutant(
        "list-change-never-sent",
        LIVE,
        "set afterwards",
        (MAIN, "app.create_initialization_options(" + OPTIONS + ")", "app.create_initialization_options(changes)"),
        (MAIN, "    async with stdio_server()", "    changes.tools_changed = True  # ⚑\n    async with stdio_server()"),
        (MAIN, "shelves = Shelves()", "changes = NotificationOptions()\nshelves = Shelves()"),
        (ANNOUNCING, SEND, "            session.touched = True"),
        also=("list-change-not-announced",),
    ),
]

SENDING = "            await session.send_tool_list_changed()  # ⚑"


def unpromised(name: str, options: str, *more: tuple[str, str, str], send: str = SENDING):
    """The notification is sent, and the capabilities say nothing of it."""
    return mutant(
        "list-change-not-advertised",
        LIVE,
        name,
        (MAIN, "app.create_initialization_options(" + OPTIONS + ")", options),
        (ANNOUNCING, SEND, send),
        *more,
    )


ADVERTISED = [
    unpromised("no options at all", "app.create_initialization_options()"),
    unpromised("empty options", "app.create_initialization_options(NotificationOptions())"),
    unpromised("refused", "app.create_initialization_options(NotificationOptions(tools_changed=False))"),
    unpromised("others promised", "app.create_initialization_options(NotificationOptions(prompts_changed=True))"),
    unpromised(
        "a constant",
        "app.create_initialization_options(NotificationOptions(tools_changed=PROMISED))",
        (MAIN, "shelves = Shelves()", "PROMISED = False\nshelves = Shelves()"),
    ),
    unpromised(
        "as a notification",
        "app.create_initialization_options()",
        (
            ANNOUNCING,
            "from mcp.server.session import ServerSession\n",
            "from mcp.server.session import ServerSession\nfrom mcp.types import ServerNotification, ToolListChangedNotification\n",
        ),
        send='            await session.send_notification(ServerNotification(ToolListChangedNotification(method="notifications/tools/list_changed")))  # ⚑',
    ),
    unpromised(
        "by its name",
        "app.create_initialization_options()",
        send='            await getattr(session, "send_tool_list_changed")()  # ⚑',
    ),
]


LOOP = (
    '    for name in arguments["machines"]:\n        tool = machine(name)\n        TOOLS[tool.name] = tool\n' + CHANGED
)
ASYNC = ("return plug_machines(arguments)", "return await plug_machines(arguments)")
DEF = ("def plug_machines(arguments", "async def plug_machines(arguments")
ON = "if settings.ANNOUNCE:"


def looped(name: str, head: str, send: str, *more: tuple[str, str, str]):
    """The tool tells of each machine for itself."""
    body = f"{head}\n        tool = machine(name)\n        TOOLS[tool.name] = tool\n{send}\n{PLUGGED}"
    return mutant(
        "list-change-not-debounced",
        LIVE,
        name,
        (MAIN, LOOP, body),
        (MAIN, *ASYNC),
        (MAIN, "\n" + DEF[0], "\n" + DEF[1]),
        *more,
    )


EACH = '    for name in arguments["machines"]:'
DEBOUNCED = [
    looped(
        "for each machine",
        EACH + "  # ⚑",
        f"        {ON}\n            await app.request_context.session.send_tool_list_changed()",
    ),
    looped(
        "a name for the session",
        '    session = app.request_context.session\n    for name in arguments["machines"]:  # ⚑',
        f"        {ON}\n            await session.send_tool_list_changed()",
    ),
    looped(
        "while there are some",
        '    waiting = list(arguments["machines"])\n    while waiting:  # ⚑\n        name = waiting.pop()',
        f"        {ON}\n            await app.request_context.session.send_tool_list_changed()",
    ),
    looped(
        "a helper in the loop",
        EACH,
        "        await tell()  # ⚑",
        (
            MAIN,
            "async def over_stdio()",
            f"async def tell() -> None:\n    {ON}\n        await app.request_context.session.send_tool_list_changed()\n\n\nasync def over_stdio()",
        ),
    ),
    looped(
        "as a notification",
        EACH + "  # ⚑",
        f"        {ON}\n            await app.request_context.session.send_notification(ServerNotification(ToolListChangedNotification()))",
        (
            MAIN,
            "from mcp.types import CallToolResult, TextContent, Tool\n",
            "from mcp.types import CallToolResult, ServerNotification, TextContent, Tool, ToolListChangedNotification\n",
        ),
    ),
    mutant(
        "list-change-not-debounced",
        LIVE,
        "straight from the callback",
        (ANNOUNCING, WAIT, ""),
        (ANNOUNCING, "    async def _tell(self)", "    async def on_change(self)  # ⚑".replace("  # ⚑", "")),
        (ANNOUNCING, "create_task(self._tell())", "create_task(self.on_change())"),
        at=(ANNOUNCING, "async def on_change(self)"),
    ),
    mutant(
        "list-change-not-debounced",
        LIVE,
        "a queue of changes",
        (
            ANNOUNCING,
            WAIT,
            "        while True:  # ⚑\n            await self._changes.get()\n            await self._each()\n\n    async def _each(self) -> None:\n",
        ),
        (
            ANNOUNCING,
            "        self._waiting: asyncio",
            "        self._changes: asyncio.Queue[str] = asyncio.Queue()\n        self._waiting: asyncio",
        ),
        at=(ANNOUNCING, "            await self._each()"),
    ),
]


def unswitched(name: str, *edits: tuple[str, str, str]):
    """No setting keeps the server from telling."""
    return mutant(
        "list-change-not-switchable", LIVE, name, (MAIN, OPTIONS, "NotificationOptions(tools_changed=True)"), *edits
    )


SWITCHED = [
    unswitched("never asked", (ANNOUNCING, GUARD, ""), (ANNOUNCING, SEND, SENDING)),
    unswitched(
        "asks for sessions",
        (ANNOUNCING, GUARD, "        if not self._sessions:\n            return\n"),
        (ANNOUNCING, SEND, SENDING),
    ),
    unswitched(
        "only the delay is set",
        (ANNOUNCING, GUARD, ""),
        (ANNOUNCING, SEND, SENDING),
        (ANNOUNCING, "class Announcer:", "GAP = settings.QUIET_SECONDS\n\n\nclass Announcer:"),
    ),
    unswitched(
        "only said",
        (ANNOUNCING, GUARD, "        print(settings.ANNOUNCE, flush=False, file=open('/dev/null', 'w'))\n"),
        (ANNOUNCING, SEND, SENDING),
    ),
    unswitched(
        "while there is something",
        (
            ANNOUNCING,
            GUARD,
            "        if self._waiting is not None and self._waiting.done():\n            self._waiting = None\n",
        ),
        (ANNOUNCING, SEND, SENDING),
    ),
    unswitched(
        "as a notification",
        (ANNOUNCING, GUARD, ""),
        (ANNOUNCING, SEND, "            await session.send_notification(ToolListChangedNotification())  # ⚑"),
        (
            ANNOUNCING,
            "from mcp.server.session import ServerSession\n",
            "from mcp.server.session import ServerSession\nfrom mcp.types import ToolListChangedNotification\n",
        ),
    ),
]

MUTANTS = [*ANNOUNCED, *NEVER, *ADVERTISED, *DEBOUNCED, *SWITCHED]
