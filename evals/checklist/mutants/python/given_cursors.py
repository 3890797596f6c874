"""§1 of the checklist, in Python: cursors that cannot be read."""
# ruff: noqa: E501

from mutation import Mutant, harmless, mutant

LIVE = "python_lowlevel_live"
PAGING = "workshop/paging.py"
MAIN = "workshop/main.py"
REFUSED = '        raise BadCursorError("the cursor cannot be read; begin without one") from error'
STALE = '        raise BadCursorError("the cursor is of another list; begin without one")'
READ = """
    try:
        position = json.loads(base64.urlsafe_b64decode(cursor))
        offset = int(position["offset"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadCursorError("the cursor cannot be read; begin without one") from error
    if position.get("check") != check:
        raise BadCursorError("the cursor is of another list; begin without one")
    return offset
"""
CATCH = "    except (ValueError, KeyError, TypeError) as error:\n" + REFUSED
CALL = "@app.call_tool()"
PAGED = """
@app.list_resources()
async def resources(request: ListResourcesRequest) -> ListResourcesResult:
{}
    return ListResourcesResult(resources=shelves.resources(start))


@app.call_tool()
"""


def again(name: str, *edits: tuple[str, str]) -> Mutant:
    """A cursor that cannot be read is the first page."""
    return mutant("cursor-restarts", LIVE, name, *((PAGING, old, new) for old, new in edits))


RESTARTS = [
    again("returned", (CATCH, "    except (ValueError, KeyError, TypeError):\n        return 0  # ⚑")),
    again("everything caught", (CATCH, "    except Exception:\n        return 0  # ⚑")),
    again(
        "assigned",
        (
            READ,
            "    try:\n        offset = int(base64.urlsafe_b64decode(cursor))\n    except ValueError:\n        offset = 0  # ⚑\n    return offset",
        ),
    ),
    again(
        "passed over",
        (
            READ,
            "    offset = 0\n    try:\n        offset = int(base64.urlsafe_b64decode(cursor))  # ⚑\n    except ValueError:\n        pass\n    return offset",
        ),
    ),
    again(
        "suppressed",
        (
            READ,
            "    offset = 0\n    with suppress(ValueError):\n        offset = int(base64.urlsafe_b64decode(cursor))  # ⚑\n    return offset",
        ),
        ("import base64\n", "import base64\nfrom contextlib import suppress\n"),
    ),
    again("looked at first", (READ, "    return int(cursor) if cursor.isdigit() else 0  # ⚑")),
    again("looked at in an if", (READ, "    if not cursor.isdigit():\n        return 0  # ⚑\n    return int(cursor)")),
    again("stale", (STALE, "        return 0  # ⚑")),
    again("not found", (READ, "    return next((at for at, row in enumerate(ROWS) if row == cursor), 0)  # ⚑")),
    again("not kept", (READ, "    return OFFSETS.get(cursor, 0)  # ⚑")),
]


def fault(name: str, lines: str) -> Mutant:
    """The list of tools ends as a fault of the server."""
    return mutant(
        "cursor-panics",
        LIVE,
        name,
        (MAIN, CALL, PAGED.format(lines)),
        (
            MAIN,
            "import CallToolResult, TextContent, Tool\n",
            "import CallToolResult, ListResourcesRequest, ListResourcesResult, TextContent, Tool\n",
        ),
    )


PANICS = [
    fault("int", "    cursor = request.params.cursor\n    start = int(cursor) if cursor else 0  # ⚑"),
    fault("straight from the request", "    start = int(request.params.cursor or 0)  # ⚑"),
    fault(
        "base64",
        "    cursor = request.params.cursor\n    start = int.from_bytes(base64.b64decode(cursor)) if cursor else 0  # ⚑",
    ),
    fault("json", '    cursor = request.params.cursor\n    start = json.loads(cursor)["offset"] if cursor else 0  # ⚑'),
    fault(
        "another name",
        "    given = request.params.cursor\n    start = 0\n    if given is not None:\n        start = int(given)  # ⚑",
    ),
    fault(
        "hexadecimal",
        "    cursor = request.params.cursor\n    start = int.from_bytes(bytes.fromhex(cursor)) if cursor else 0  # ⚑",
    ),
]

CAUGHT = "    cursor = request.params.cursor\n    try:\n        start = int(cursor) if cursor else 0\n    except ValueError as error:\n        raise McpError(ErrorData(code=INVALID_PARAMS, message='invalid cursor')) from error"
HARMLESS = [
    harmless(
        "cursor-restarts",
        LIVE,
        "refused in an if",
        (PAGING, READ, "    if not cursor.isdigit():\n        raise BadCursorError(cursor)\n    return int(cursor)"),
    ),
    harmless(
        "cursor-restarts",
        LIVE,
        "none is the first",
        (PAGING, "    if cursor is None:\n        return 0\n", "    if not cursor:\n        return 0\n"),
    ),
    harmless(
        "cursor-restarts",
        LIVE,
        "nothing and then refused",
        (
            PAGING,
            READ,
            "    try:\n        offset = int(cursor)\n    except ValueError:\n        offset = None\n    if offset is None:\n        raise BadCursorError(cursor)\n    return offset",
        ),
    ),
    harmless("cursor-panics", LIVE, "refused", (MAIN, CALL, PAGED.format(CAUGHT))),
    harmless(
        "cursor-panics",
        LIVE,
        "by a helper that refuses",
        (MAIN, CALL, PAGED.format("    start = decode_cursor(request.params.cursor, 0)")),
    ),
    harmless("cursor-panics", LIVE, "one page", (MAIN, CALL, PAGED.format("    start = 0"))),
]

MUTANTS = [*RESTARTS, *PANICS, *HARMLESS]
