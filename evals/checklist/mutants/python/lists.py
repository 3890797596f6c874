"""§1 of the checklist, in Python: lists without pages."""

from mutation import harmless, mutant

ACTIONS = "archive/letters/actions.py"
LETTERS = "archive/letters/handlers.py"
ALBUMS = "archive/albums/handlers.py"
SERVER = "archive/mcp/server.py"
TASKS = "tasks/handlers.py"
GARDEN = "garden/server.py"
LETTER_LIST = """
            page = Page.read(params)
            letters = store.letters(page.limit, page.offset)
            items = [letter.model_dump(mode="json") for letter in letters]
            return respond(action, {"items": items, "next_cursor": page.next(len(items), "year"), "total": None})
"""
ALBUM_LIST = """
    page = Page.read(params)
    albums = sorted(shelf.values(), key=lambda album: album.title)
    items = [asdict(album) for album in albums[page.offset : page.offset + page.limit]]
    return respond(action, {"items": items, "next_cursor": page.next(len(items), "title"), "total": len(albums)})
"""
TASK_LIST = """
    limit = max(1, min(request["limit"] or 20, 100))
    offset = decode(request["cursor"])
    rows = sorted(TASKS.values(), key=lambda task: (task.day, task.id))
    items = [asdict(task) for task in rows[offset : offset + limit]]
    following = encode(offset + limit) if offset + limit < len(rows) else None
    return respond("task.list", {"items": items, "next_cursor": following, "total": len(rows)}, request["fields"])
"""
PLANT_LIST = """
    items, next_cursor = window(limit, cursor).cut([plant.model_dump() for plant in plants])
    return respond("list_plants", {"items": items, "next_cursor": next_cursor, "total": len(plants)}, fields)
"""
VISITS = """
    first, size = offset(arguments), page_size(arguments)
    items = found[first : first + size]
    following = cursor(first + size, "starts") if first + size < len(found) else None
    page = {"items": items, "next_cursor": following, "total": len(found)}
"""
NO_PAGE_IN_SCHEMA = (
    SERVER,
    """
        "limit": {"type": "integer", "description": "At most so many"},
        "cursor": {"type": "string", "description": "The next_cursor of the page before"},
""",
    "",
)
LETTER_ROW = """
        name="letter.list",
        description="List letters, oldest first",
        destructive=False,
        idempotent=True,
        params=PAGE,
"""
ALSO = ("list-returns-everything", "schema-not-canonical", "list-without-cursor")

WITHOUT_CURSOR = [
    mutant(
        "list-without-cursor",
        "python_dispatch",
        "row and schema",
        (ACTIONS, LETTER_ROW, LETTER_ROW.replace("PAGE", "()").replace('list",', 'list",  # ⚑')),
        NO_PAGE_IN_SCHEMA,
        also=ALSO,
    ),
    mutant(
        "list-without-cursor",
        "python_dispatch",
        "positional row",
        (
            "archive/albums/actions.py",
            '"List albums by title", False, True, PAGE, "Page[Album]"',
            '"List albums by title", False, True, BY_ID[:0], "Page[Album]"',
        ),
        NO_PAGE_IN_SCHEMA,
        at=("archive/albums/actions.py", "album.list"),
        also=ALSO,
    ),
    mutant(
        "list-without-cursor",
        "python_dispatch",
        "row and handler",
        (ACTIONS, LETTER_ROW, LETTER_ROW.replace("PAGE", "()").replace('list",', 'list",  # ⚑')),
        (
            LETTERS,
            LETTER_LIST,
            """
            items = [letter.model_dump(mode="json") for letter in store.everything()]
            return respond(action, {"items": items, "next_cursor": None, "total": len(items)})
""",
        ),
        at=(LETTERS, 'case "letter.list"'),
        instead=("list-returns-everything",),
    ),
    mutant(
        "list-without-cursor",
        "python_fastmcp",
        "parameters gone",
        (
            GARDEN,
            """
    fields: Fields = None,
    limit: Limit = None,
    cursor: Cursor = None,
""",
            "    fields: Fields = None,",
        ),
        (
            GARDEN,
            PLANT_LIST,
            """
    items = [plant.model_dump() for plant in plants]
    return respond("list_plants", {"items": items, "next_cursor": None, "total": len(plants)}, fields)
""",
        ),
        at=(GARDEN, "async def list_plants"),
    ),
    mutant(
        "list-without-cursor",
        "python_fastmcp",
        "one input model without them",
        (
            GARDEN,
            """
    bed: Annotated[int | None, Field(description="Only plants of this bed")] = None,
    fields: Fields = None,
    limit: Limit = None,
    cursor: Cursor = None,
""",
            "    bed: Bed = None,\n    fields: Fields = None,",
        ),
        (
            GARDEN,
            "class Confirm(BaseModel):",
            """
Bed = Annotated[int | None, Field(description="Only plants of this bed")]


class Confirm(BaseModel):
""",
        ),
        (
            GARDEN,
            PLANT_LIST,
            """
    return respond("list_plants", {"items": [plant.model_dump() for plant in plants]}, fields)
""",
        ),
        at=(GARDEN, "async def list_plants"),
    ),
    mutant(
        "list-without-cursor",
        "python_lowlevel",
        "listing of its own name",
        ("clinic/tools.py", 'name="find_visits",', 'name="list_visits",  # ⚑'),
        (
            "clinic/tools.py",
            """
                "limit": {"type": "integer", "description": "At most so many"},
                "cursor": {"type": "string", "description": "The next_cursor of the page before"},
""",
            "",
        ),
        ("clinic/main.py", VISITS, '    page = {"items": found, "next_cursor": None, "total": len(found)}'),
        ("clinic/main.py", 'if name == "find_visits":', 'if name == "list_visits":'),
    ),
]

EVERYTHING = [
    mutant(
        "list-returns-everything",
        "python_dispatch",
        "everything from the store",
        (
            LETTERS,
            LETTER_LIST,
            """
            items = [letter.model_dump(mode="json") for letter in store.everything()]
            return respond(action, {"items": items, "next_cursor": None, "total": len(items)})
""",
        ),
        at=(LETTERS, 'case "letter.list"'),
    ),
    mutant(
        "list-returns-everything",
        "python_dispatch",
        "helper without a slice",
        (
            ALBUMS,
            ALBUM_LIST,
            """
    albums = sorted(shelf.values(), key=lambda album: album.title)
    return respond(action, {"items": [asdict(album) for album in albums], "next_cursor": None, "total": len(albums)})
""",
        ),
        at=(ALBUMS, 'if action == "album.list"'),
    ),
    mutant(
        "list-returns-everything",
        "python_dispatch",
        "a page that nobody looks at",
        (
            ALBUMS,
            ALBUM_LIST,
            """
    _page = Page.read(params)
    items = list(map(asdict, shelf.values()))
    return respond(action, {"items": items, "next_cursor": None, "total": len(items)})
""",
        ),
        at=(ALBUMS, 'if action == "album.list"'),
    ),
    mutant(
        "list-returns-everything",
        "python_single",
        "comprehension over the table",
        (
            TASKS,
            TASK_LIST,
            """
    rows = [asdict(task) for _, task in sorted(TASKS.items())]
    return respond("task.list", dict(items=rows, next_cursor=None, total=len(rows)), request["fields"])
""",
        ),
        at=((TASKS, "async def list_tasks"), (TASKS, '"task.list": list_tasks')),
    ),
    mutant(
        "list-returns-everything",
        "python_single",
        "lambda in the table",
        (TASKS, '"task.list": list_tasks,', '"task.list": lambda request: everything(request),  # ⚑'),
        (
            TASKS,
            "HANDLERS: dict",
            """
async def everything(request: Request) -> dict[str, Any]:
    return respond("task.list", {"items": [asdict(task) for task in TASKS.values()]}, request["fields"])


HANDLERS: dict
""".rstrip(),
        ),
        at=(TASKS, "async def everything"),
    ),
    mutant(
        "list-returns-everything",
        "python_fastmcp",
        "arguments unused",
        (
            GARDEN,
            PLANT_LIST,
            """
    items = [plant.model_dump() for plant in plants]
    return respond("list_plants", {"items": items, "next_cursor": None, "total": len(items)}, fields)
""",
        ),
        at=(GARDEN, "async def list_plants"),
    ),
    mutant(
        "list-returns-everything",
        "python_fastmcp",
        "arguments deleted",
        (
            GARDEN,
            PLANT_LIST,
            """
    del limit, cursor
    items = [*map(lambda plant: plant.model_dump(), plants)]
    return respond("list_plants", {"items": items, "next_cursor": None, "total": len(items)}, fields)
""",
        ),
        at=(GARDEN, "async def list_plants"),
    ),
    mutant(
        "list-returns-everything",
        "python_lowlevel",
        "found as it is",
        ("clinic/main.py", VISITS, '    page = {"items": found, "next_cursor": None, "total": len(found)}'),
        at=("clinic/main.py", 'if name == "find_visits"'),
    ),
]

HARMLESS = [
    harmless(
        "list-without-cursor",
        "python_dispatch",
        "row that leaves the page to the tool",
        (ACTIONS, LETTER_ROW, LETTER_ROW.replace("PAGE", "()")),
    ),
    harmless(
        "list-without-cursor",
        "python_dispatch",
        "tuple of its own",
        (ACTIONS, LETTER_ROW, LETTER_ROW.replace("PAGE", "(*PAGE, BY_ID[0])")),
    ),
    harmless(
        "list-returns-everything",
        "python_single",
        "islice",
        (
            TASKS,
            """
    items = [asdict(task) for task in rows[offset : offset + limit]]
""",
            "    items = [asdict(task) for task in islice(rows, offset, offset + limit)]",
        ),
        (TASKS, "from dataclasses import asdict\n", "from dataclasses import asdict\nfrom itertools import islice\n"),
    ),
    harmless(
        "list-returns-everything",
        "python_fastmcp",
        "arguments handed on whole",
        (
            GARDEN,
            PLANT_LIST,
            """
    page = paged(plants, limit=limit, cursor=cursor)
    return respond("list_plants", page, fields)
""",
        ),
        (
            GARDEN,
            "class Confirm(BaseModel):",
            """
def paged(plants: list[Any], **asked: Any) -> dict[str, Any]:
    items, next_cursor = window(asked["limit"], asked["cursor"]).cut([plant.model_dump() for plant in plants])
    return {"items": items, "next_cursor": next_cursor, "total": len(plants)}


class Confirm(BaseModel):
""",
        ),
    ),
]

MUTANTS = [*WITHOUT_CURSOR, *EVERYTHING, *HARMLESS]
