"""§5 of the checklist, in Python: rows of the catalog and what is done with them."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

SERVER = "archive/mcp/server.py"
DESCRIPTIONS = "archive/mcp/descriptions.py"
ELICITATION = "archive/mcp/elicitation.py"
LETTERS = "archive/letters/actions.py"
ALBUMS = "archive/albums/actions.py"
HANDLERS = "archive/letters/handlers.py"
TASK = "tasks/server.py"
CATALOG = "tasks/catalog.py"
GARDEN = "garden/server.py"
ASK = """
    if is_destructive(CATALOGS.get(name, ()), action):
        await confirmed(server.request_context.session, action)
"""
TASK_ASK = """
    if any(row.name == action and row.destructive for row in ACTIONS):
        answer = await context.elicit(f"Really {action}?", schema=Confirm)
        if answer.action != "accept" or not answer.data.confirm:
            raise ToolError("the user did not confirm")
"""
AT_ROW = (LETTERS, 'name="letter.delete"')
AT_TASK = (CATALOG, '"task.delete"')

OTHERS = ("destructive-without-elicitation",)
UNASKED = [
    mutant("destructive-without-elicitation", "python_dispatch", "not called", (SERVER, ASK, ""), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "python_dispatch", "logged only", (SERVER, ASK, '    if is_destructive(CATALOGS.get(name, ()), action):\n        print("destructive", action)'), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "python_dispatch", "asks for the others", (SERVER, ASK, ASK.replace("if is_", "if not is_").replace("action):", "action):  # ⚑")), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "python_dispatch", "goes on after no",
           (ELICITATION, '        raise ToolError("refused", "the user did not confirm")', '        print("the user did not confirm")  # ⚑'), at=(AT_ROW, (ELICITATION, 'if answer.action != "accept"')), also=OTHERS),
    mutant("destructive-without-elicitation", "python_dispatch", "errors swallowed", (SERVER, ASK, """
    if is_destructive(CATALOGS.get(name, ()), action):
        with contextlib.suppress(Exception):  # ⚑
            await confirmed(server.request_context.session, action)  # ⚑
"""), (SERVER, "import json\n", "import contextlib\nimport json\n"), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "python_dispatch", "a function of that name that never asks",
           (ELICITATION, """
    answer = await session.elicit(message=f"`{action}` cannot be undone. Go on?", requestedSchema=CONFIRM)
    if answer.action != "accept" or not (answer.content or {}).get("confirm"):
        raise ToolError("refused", "the user did not confirm")
""", '    if not action:\n        raise ToolError("refused", f"{session} was not asked")'), at=AT_ROW, also=OTHERS),
    mutant("destructive-without-elicitation", "python_single", "not asked", (TASK, TASK_ASK, ""), at=AT_TASK),
    mutant("destructive-without-elicitation", "python_single", "answer not looked at", (TASK, TASK_ASK, """
    if any(row.name == action and row.destructive for row in ACTIONS):
        await context.elicit(f"Really {action}?", schema=Confirm)  # ⚑
"""), at=AT_TASK),
    mutant("destructive-without-elicitation", "python_single", "asked after", (TASK, TASK_ASK, ""),
           (TASK, "        return await dispatch(action, request)", '        answer = await dispatch(action, request)\n        await context.elicit("Was that right?", schema=Confirm)  # ⚑\n        return answer'), at=AT_TASK),
]

WITHOUT_IDEMPOTENT = [
    mutant("destructive-without-idempotent", "python_single", "keyword left out", (CATALOG, "destructive=True, idempotent=True)", "destructive=True)  # ⚑"), at=AT_TASK),
    mutant("destructive-without-idempotent", "python_single", "none", (CATALOG, "destructive=True, idempotent=True)", "destructive=True, idempotent=None)  # ⚑"), at=AT_TASK),
    mutant("destructive-without-idempotent", "python_dispatch", "default of the class", ("archive/core/actions.py", "    destructive: bool\n    idempotent: bool\n    params: tuple[ParamSpec, ...]\n    returns: str\n",
           '    destructive: bool\n    idempotent: bool | None = None\n    params: tuple[ParamSpec, ...] = ()\n    returns: str = ""\n'),
           (LETTERS, "        destructive=True,\n        idempotent=True,\n", "        destructive=True,\n"), at=AT_ROW),
    mutant("destructive-without-idempotent", "python_fastmcp", "hint left out", (GARDEN, "ToolAnnotations(destructiveHint=True, idempotentHint=True)", "ToolAnnotations(destructiveHint=True)"), at=(GARDEN, "async def clear_schedule")),
    mutant("destructive-without-idempotent", "python_fastmcp", "hint in a dict", (GARDEN, "annotations=ToolAnnotations(destructiveHint=True, idempotentHint=True)", 'annotations={"destructiveHint": True}'),
           at=(GARDEN, "async def clear_schedule")),
    mutant("destructive-without-idempotent", "python_lowlevel", "hint left out", ("clinic/tools.py", "ToolAnnotations(destructiveHint=True, idempotentHint=True)", "ToolAnnotations(destructiveHint=True)"),
           at=("clinic/tools.py", 'name="cancel_appointment"')),
]

NOT_MARKED = [
    mutant("destructive-not-marked", "python_dispatch", "false", (LETTERS, "destructive=True,", "destructive=False,"), at=AT_ROW),
    mutant("destructive-not-marked", "python_dispatch", "positional", (ALBUMS, '"Purge an album with all its photographs", True, False,', '"Purge an album with all its photographs", False, False,'), at=(ALBUMS, "album.purge")),
    mutant("destructive-not-marked", "python_dispatch", "constant that is false", (LETTERS, "destructive=True,", "destructive=HARMFUL,"), (LETTERS, "ACTIONS = (", "HARMFUL = not True\nACTIONS = ("), at=AT_ROW),
    mutant("destructive-not-marked", "python_single", "left to the default", (CATALOG, "destructive=True, idempotent=True)", "idempotent=True)"), at=AT_TASK),
    mutant("destructive-not-marked", "python_single", "a new row", (CATALOG, '    ActionSpec("task.delete",', '    ActionSpec("task.wipe", "Wipe all tasks", idempotent=True),  # ⚑\n    ActionSpec("task.delete",'),
           ("tasks/handlers.py", '    "task.delete": delete_task,', '    "task.wipe": delete_task,\n    "task.delete": delete_task,'), (TASK, "- task.delete: Delete", "- task.wipe: Wipe all tasks\n- task.delete: Delete")),
    mutant("destructive-not-marked", "python_fastmcp", "said to be harmless", (GARDEN, "ToolAnnotations(destructiveHint=True, idempotentHint=True))\nasync def clear_schedule(", "ToolAnnotations(readOnlyHint=True))\nasync def delete_schedule("),
           at=(GARDEN, "async def delete_schedule")),
]

DIFFER = [
    mutant("catalog-and-dispatch-differ", "python_dispatch", "arm without a row", (HANDLERS, "        case unknown:\n", """
        case "letter.count":  # ⚑
            return respond(action, {"count": len(store.everything())})
        case unknown:
""")),
    mutant("catalog-and-dispatch-differ", "python_dispatch", "row without an arm", (ALBUMS, '    ActionSpec("album.purge",', '    ActionSpec("album.rename", "Rename an album", False, True, BY_ID, "Album"),  # ⚑\n    ActionSpec("album.purge",'),
           (DESCRIPTIONS, "- album.purge: Purge", "- album.rename: Rename an album\n- album.purge: Purge")),
    mutant("catalog-and-dispatch-differ", "python_dispatch", "misspelt arm", (HANDLERS, 'case "letter.transcribe":', 'case "letter.transscribe":  # ⚑'), at=(LETTERS, 'name="letter.transcribe"')),
    mutant("catalog-and-dispatch-differ", "python_dispatch", "one of two patterns", (HANDLERS, 'case "letter.get":', 'case "letter.get" | "letter.show":  # ⚑')),
    mutant("catalog-and-dispatch-differ", "python_single", "row of the table gone", ("tasks/handlers.py", '    "task.add": add_task,\n', ""), at=(CATALOG, '"task.add"')),
    mutant("catalog-and-dispatch-differ", "python_single", "row of the table more", ("tasks/handlers.py", '    "task.add": add_task,\n', '    "task.add": add_task,\n    "task.append": add_task,  # ⚑\n')),
]

HARMLESS = [
    harmless("destructive-without-idempotent", "python_single", "said to be not", (CATALOG, "destructive=True, idempotent=True)", "destructive=True, idempotent=False)")),
    harmless("destructive-without-idempotent", "python_fastmcp", "hints in a dict", (GARDEN, "annotations=ToolAnnotations(destructiveHint=True, idempotentHint=True)", 'annotations={"destructiveHint": True, "idempotentHint": False}')),
    harmless("catalog-and-dispatch-differ", "python_dispatch", "names in constants", ("archive/albums/handlers.py", '    elif action == "album.get":', "    elif action == GET:"),
             ("archive/albums/handlers.py", "async def run(", 'GET = "album.get"\n\n\nasync def run(')),
    harmless("catalog-and-dispatch-differ", "python_single", "table filled by a decorator", ("tasks/handlers.py", '    "task.add": add_task,\n', ""), ("tasks/handlers.py", "async def dispatch(", """
def handles(action: str) -> Callable[..., Any]:
    def register(function: Callable[[Request], Awaitable[dict[str, Any]]]) -> Callable[..., Any]:
        HANDLERS[action] = function
        return function

    return register


@handles("task.add")
async def add_again(request: Request) -> dict[str, Any]:
    return await add_task(request)


async def dispatch(
""".rstrip())),
    harmless("destructive-without-elicitation", "python_dispatch", "set of names", (SERVER, ASK, """
    destructive = {spec.name for rows in CATALOGS.values() for spec in rows if spec.destructive}
    if action in destructive:
        await confirmed(server.request_context.session, action)
""")),
    harmless("destructive-without-elicitation", "python_single", "match on the answer", (TASK, TASK_ASK, """
    if next((row.destructive for row in ACTIONS if row.name == action), False):
        match await context.elicit(f"Really {action}?", schema=Confirm):
            case answer if answer.action == "accept" and answer.data.confirm:
                pass
            case _:
                raise ToolError("the user did not confirm")
""")),
    harmless("destructive-not-marked", "python_dispatch", "a noun, not a verb", (LETTERS, 'name="letter.transcribe",', 'name="letter.deletion_date",'), (HANDLERS, 'case "letter.transcribe":', 'case "letter.deletion_date":'),
             (DESCRIPTIONS, "- letter.transcribe: Write", "- letter.deletion_date: Write")),
]

MUTANTS = [*UNASKED, *WITHOUT_IDEMPOTENT, *NOT_MARKED, *DIFFER, *HARMLESS]
