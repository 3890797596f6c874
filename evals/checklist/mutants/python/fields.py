"""§2 of the checklist, in Python."""
# ruff: noqa: E501

from mutation import harmless, mutant

SERVER = "archive/mcp/server.py"
RESPOND = "archive/core/respond.py"
LETTERS = "archive/letters/handlers.py"
ALBUMS = "archive/albums/handlers.py"
TASKS = "tasks/handlers.py"
GARDEN = "garden/server.py"
CLINIC = "clinic/main.py"
READ = """
    fields = arguments.get("fields")
    call = Call(uuid.uuid4().hex, tuple(fields) if fields is not None else None)
"""
GET = """
            letter = store.letter(required(params, "id"))
            return respond(action, letter.model_dump(mode="json"))
"""
SLOT = 'return guard.respond(name, dict(slot or {}), arguments.get("fields"))'

IGNORED = [
    mutant(
        "fields-ignored",
        "python_dispatch",
        "not read",
        (SERVER, READ, "    call = Call(uuid.uuid4().hex)  # ⚑"),
        at=(SERVER, '"fields": {"type"'),
    ),
    mutant(
        "fields-ignored",
        "python_dispatch",
        "read and dropped",
        (
            SERVER,
            READ,
            '    _ = arguments.get("fields")\n    call = Call(request_id=uuid.uuid4().hex, fields=None)  # ⚑',
        ),
        at=(SERVER, '"fields": {"type"'),
    ),
    mutant(
        "fields-ignored",
        "python_dispatch",
        "guard that does not project",
        (RESPOND, "answer = projected(value, call.fields)", "answer = value  # ⚑"),
        at=(RESPOND, "def respond("),
    ),
    mutant(
        "fields-ignored",
        "python_single",
        "none to the guard",
        (
            TASKS,
            'return respond("task.get", asdict(task), request["fields"])',
            'return respond("task.get", asdict(task), None)  # ⚑',
        ),
        at=(TASKS, "async def get_task"),
    ),
    mutant(
        "fields-ignored",
        "python_single",
        "not in the request",
        ("tasks/server.py", '"fields": fields, "limit"', '"fields": None, "limit"'),
        at=("tasks/server.py", "fields: Annotated["),
    ),
    mutant(
        "fields-ignored",
        "python_fastmcp",
        "argument unused",
        (
            GARDEN,
            'return respond("read_sensor", reading.model_dump(), fields)',
            'return respond("read_sensor", reading.model_dump())  # ⚑',
        ),
        at=((GARDEN, "async def read_sensor"), (GARDEN, 'description="The sensor\'s name")],\n    fields')),
    ),
    mutant(
        "fields-ignored",
        "python_fastmcp",
        "argument overwritten",
        (
            GARDEN,
            'return respond("clear_schedule", {"cleared": cleared}, fields)',
            'del fields\n    return respond("clear_schedule", {"cleared": cleared}, fields=None)  # ⚑',
        ),
        at=(GARDEN, "async def clear_schedule"),
    ),
    mutant(
        "fields-ignored",
        "python_lowlevel",
        "none in one branch",
        (CLINIC, SLOT, "return guard.respond(name, dict(slot or {}), None)  # ⚑"),
        at=(CLINIC, 'if name == "next_slot"'),
    ),
    mutant(
        "fields-ignored",
        "python_lowlevel",
        "constant in the helper",
        (
            CLINIC,
            'return guard.respond("find_visits", page, arguments.get("fields"))',
            'return guard.respond("find_visits", page, ALL)  # ⚑',
        ),
        (CLINIC, "CONFIRM = {", 'ALL = ("*",)\nCONFIRM = {'),
        at=(CLINIC, 'if name == "find_visits"'),
    ),
]

BY_HAND = [
    mutant(
        "fields-filtered-by-hand",
        "python_dispatch",
        "comprehension in an arm",
        (
            LETTERS,
            GET,
            """
            letter = store.letter(required(params, "id")).model_dump(mode="json")
            fields = params.get("fields") or list(letter)
            return respond(action, {key: value for key, value in letter.items() if key in fields})  # ⚑
""",
        ),
    ),
    mutant(
        "fields-filtered-by-hand",
        "python_dispatch",
        "model_dump include",
        (
            LETTERS,
            GET,
            """
            letter = store.letter(required(params, "id"))
            return respond(action, letter.model_dump(mode="json", include=set(params["fields"])))  # ⚑
""",
        ),
    ),
    mutant(
        "fields-filtered-by-hand",
        "python_dispatch",
        "pop in a loop",
        (
            ALBUMS,
            "    return respond(action, asdict(album))",
            """
    shown = asdict(album)
    for key in list(shown):
        if key not in params.get("fields", shown):  # ⚑
            shown.pop(key)  # ⚑
    return respond(action, shown)
""",
        ),
        at=(ALBUMS, "for key in list(shown)"),
    ),
    mutant(
        "fields-filtered-by-hand",
        "python_single",
        "helper",
        (
            TASKS,
            'return respond("task.get", asdict(task), request["fields"])',
            'return respond("task.get", picked(asdict(task), request["fields"]), None)',
        ),
        (
            TASKS,
            "async def add_task(",
            """
def picked(row: dict[str, Any], names: list[str] | None) -> dict[str, Any]:
    return dict(filter(lambda pair: pair[0] in names, row.items())) if names else row  # ⚑


async def add_task(
""".rstrip(),
        ),
        also=("fields-ignored",),
    ),
    mutant(
        "fields-filtered-by-hand",
        "python_fastmcp",
        "built from the names",
        (
            GARDEN,
            'return respond("read_sensor", reading.model_dump(), fields)',
            'shown = {name: getattr(reading, name) for name in fields} if fields else reading.model_dump()  # ⚑\n    return respond("read_sensor", shown)',
        ),
        also=("fields-ignored",),
    ),
    mutant(
        "fields-filtered-by-hand",
        "python_lowlevel",
        "assignments in a loop",
        (
            CLINIC,
            SLOT,
            """
shown: dict[str, Any] = {}
        for key in arguments.get("fields") or ():  # ⚑
            if slot and key in slot:
                shown[key] = slot[key]  # ⚑
        return guard.respond(name, shown, None)
""",
        ),
        also=("fields-ignored",),
    ),
]

HARMLESS = [
    harmless(
        "fields-filtered-by-hand",
        "python_dispatch",
        "keys of its own choice",
        (
            ALBUMS,
            "return respond(action, asdict(album))",
            'return respond(action, {key: value for key, value in asdict(album).items() if not key.startswith("_")})',
        ),
    ),
    harmless(
        "fields-ignored",
        "python_dispatch",
        "walrus",
        (
            SERVER,
            READ,
            """
    call = Call(uuid.uuid4().hex, tuple(wanted) if (wanted := arguments.get("fields")) else None)
""",
        ),
    ),
    harmless(
        "fields-ignored",
        "python_lowlevel",
        "arguments taken apart",
        (
            CLINIC,
            SLOT,
            """
match arguments:
            case {"fields": list(names)}:
                return guard.respond(name, dict(slot or {}), names)
            case _:
                return guard.respond(name, dict(slot or {}), None)
""",
        ),
    ),
]

MUTANTS = [*IGNORED, *BY_HAND, *HARMLESS]
