"""§15 of the checklist, in Python: what looks like a change of the tools that clients are not told of, and is none."""
# ruff: noqa: E501

from mutants.python.changes import ANNOUNCING, CHANGED, GUARD, LIVE, MAIN, OPTIONS, PLUGGED, SEND, WAIT
from mutation import harmless

MUTANTS = [
    harmless(
        "list-change-not-announced",
        LIVE,
        "another dict",
        (MAIN, "    check = mark(query", "    SEEN[query] = shelves.version\n    check = mark(query"),
        (MAIN, "shelves = Shelves()", "SEEN: dict[str, int] = {}\nshelves = Shelves()"),
    ),
    harmless(
        "list-change-not-announced",
        LIVE,
        "at start",
        (
            MAIN,
            "def main() -> None:\n",
            "def main() -> None:\n    TOOLS.update({tool.name: tool for tool in (machine('saw'),)})\n",
        ),
    ),
    harmless(
        "list-change-not-announced",
        LIVE,
        "a list of the function",
        (
            MAIN,
            '    return {"plugged": arguments["machines"]}',
            '    plugged = []\n    plugged.extend(arguments["machines"])\n    return {"plugged": plugged}',
        ),
    ),
    harmless(
        "list-change-never-sent",
        LIVE,
        "by a wrapper",
        (ANNOUNCING, SEND, "            await told(session)"),
        (
            ANNOUNCING,
            "class Announcer:",
            "async def told(session: ServerSession) -> None:\n    await session.send_tool_list_changed()\n\n\nclass Announcer:",
        ),
    ),
    harmless(
        "list-change-never-sent",
        LIVE,
        "nothing promised",
        (MAIN, OPTIONS, "NotificationOptions(tools_changed=bool(settings.ANNOUNCE))"),
    ),
    harmless(
        "list-change-never-sent",
        LIVE,
        "handed on",
        (
            ANNOUNCING,
            SEND,
            "            notification = told()\n            await session.send_notification(notification)",
        ),
        (
            ANNOUNCING,
            "class Announcer:",
            "def told() -> ServerNotification:\n    return ServerNotification(ToolListChangedNotification())\n\n\nclass Announcer:",
        ),
        (
            ANNOUNCING,
            "from mcp.server.session import ServerSession\n",
            "from mcp.server.session import ServerSession\nfrom mcp.types import ServerNotification, ToolListChangedNotification\n",
        ),
    ),
    harmless(
        "list-change-not-advertised",
        LIVE,
        "promised always",
        (MAIN, OPTIONS, "NotificationOptions(tools_changed=True)"),
    ),
    harmless(
        "list-change-not-advertised", LIVE, "by position", (MAIN, OPTIONS, "NotificationOptions(False, False, True)")
    ),
    harmless(
        "list-change-not-advertised",
        LIVE,
        "set on the options",
        (
            MAIN,
            "    options = app.create_initialization_options(" + OPTIONS + ")",
            "    wanted = NotificationOptions()\n    wanted.tools_changed = settings.ANNOUNCE\n    options = app.create_initialization_options(wanted)",
        ),
    ),
    harmless(
        "list-change-not-debounced",
        LIVE,
        "over the sessions",
        (ANNOUNCING, SEND, "            told = session\n            await told.send_tool_list_changed()"),
    ),
    harmless(
        "list-change-not-debounced",
        LIVE,
        "with call_later",
        (ANNOUNCING, WAIT, "        await asyncio.wait_for(self._quiet(), None)\n"),
        (
            ANNOUNCING,
            "    async def _tell(self)",
            "    async def _quiet(self) -> None:\n        await asyncio.sleep(settings.QUIET_SECONDS)\n\n    async def _tell(self)",
        ),
    ),
    harmless(
        "list-change-not-debounced",
        LIVE,
        "once after the loop",
        (MAIN, CHANGED, "    if TOOLS:\n        announcer.changed()\n" + PLUGGED),
    ),
    harmless(
        "list-change-not-switchable",
        LIVE,
        "asked where it is sent",
        (ANNOUNCING, GUARD, ""),
        (ANNOUNCING, SEND, "            if settings.ANNOUNCE:\n                await session.send_tool_list_changed()"),
    ),
    harmless(
        "list-change-not-switchable",
        LIVE,
        "asked by the caller",
        (ANNOUNCING, GUARD, ""),
        (
            ANNOUNCING,
            "        self._waiting = asyncio.create_task(self._tell())",
            "        if settings.ANNOUNCE:\n            self._waiting = asyncio.create_task(self._tell())",
        ),
    ),
    harmless(
        "list-change-not-switchable",
        LIVE,
        "from the environment",
        (ANNOUNCING, "        if not settings.ANNOUNCE:", '        if os.environ.get("WORKSHOP_ANNOUNCE") == "0":'),
        (ANNOUNCING, "import asyncio\n", "import asyncio\nimport os\n"),
    ),
]
