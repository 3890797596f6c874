"""§5 of the checklist, in Python: tools, their schemas and their descriptions."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

SERVER = "archive/mcp/server.py"
DESCRIPTIONS = "archive/mcp/descriptions.py"
TASK = "tasks/server.py"
GARDEN = "garden/server.py"
TOOLS = """
    return [
        types.Tool(name="letter", description=descriptions.LETTER, inputSchema=SCHEMA),
        types.Tool(name="album", description=descriptions.ALBUM, inputSchema=SCHEMA),
    ]
"""
OTHER = (DESCRIPTIONS, 'ALBUM = """album: Look', '''
LETTER_LIST = """letters: List letters, oldest first.

When to use: the user asks what there is.
Parameters:
- limit, cursor (optional): the page. Call {action:"help"} or {action:"schema"} of letter for more.
Limitations: 60 calls a minute.
"""

ALBUM = """album: Look
'''.rstrip())
ALSO = ("description-without-help", "description-drift", "schema-not-canonical", "tool-name-style", "list-without-cursor", "list-returns-everything", "catalog-and-dispatch-differ", "fields-ignored")
FIELDS_ROW = '        "fields": {"type": "array", "items": {"type": "string"}, "description": "The fields to keep"},\n'
LETTER_TOOL = 'types.Tool(name="letter"'

SEVERAL = [
    mutant("several-tools-per-domain", "python_dispatch", "domain and operation", (SERVER, TOOLS, """
    return [
        types.Tool(name="letter", description=descriptions.LETTER, inputSchema=SCHEMA),  # ⚑
        types.Tool(name="letter_list", description=descriptions.LETTER_LIST, inputSchema=SCHEMA),  # ⚑
        types.Tool(name="album", description=descriptions.ALBUM, inputSchema=SCHEMA),
    ]
"""), OTHER, also=ALSO),
    mutant("several-tools-per-domain", "python_dispatch", "comprehension over names", (SERVER, TOOLS, """
    texts = {"letter_get": descriptions.LETTER, "letter_list": descriptions.LETTER_LIST, "album": descriptions.ALBUM}  # ⚑
    return [types.Tool(name=name, description=text, inputSchema=SCHEMA) for name, text in texts.items()]  # ⚑
"""), OTHER, also=ALSO),
    mutant("several-tools-per-domain", "python_dispatch", "camel case, appended", (SERVER, TOOLS, """
    tools = [types.Tool(name="album", description=descriptions.ALBUM, inputSchema=SCHEMA)]
    tools.append(types.Tool(name="getLetter", description=descriptions.LETTER, inputSchema=SCHEMA))  # ⚑
    tools += [types.Tool(name="listLetters", description=descriptions.LETTER_LIST, inputSchema=SCHEMA)]  # ⚑
    return tools
"""), OTHER, also=ALSO),
    mutant("several-tools-per-domain", "python_fastmcp", "another tool of the domain", (GARDEN, "@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))", '''
@mcp.tool()
async def get_plant(
    plant: Annotated[str, Field(description="The plant's id")],
    fields: Fields = None,
) -> dict[str, Any]:
    """plant: Tell all about one plant.

    When to use: the user asks about one plant.
    Parameters:
    - plant (required): the plant's id.
    Limitations: knows planted beds only.
    """
    found = [each.model_dump() for each in beds.plants(None) if each.id == plant]
    return respond("get_plant", {"plant": found}, fields)


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
'''), at=(GARDEN, "async def list_plants")),
    mutant("several-tools-per-domain", "python_fastmcp", "registered by a call", (GARDEN, "def main() -> None:", '''
async def remember(fields: Fields = None) -> dict[str, Any]:
    """schedule: Tell the watering schedule.

    When to use: the user asks when the beds are watered.
    Parameters:
    - fields (optional): the fields to keep.
    Limitations: none known.
    """
    return respond("schedule.get", {}, fields)


mcp.add_tool(remember, name="get_schedule")  # ⚑


def main() -> None:
'''), at=(GARDEN, "async def clear_schedule"), also=ALSO),
    mutant("several-tools-per-domain", "python_lowlevel", "one more in the list", ("clinic/tools.py", '    Tool(\n        name="cancel_appointment",', """
    Tool(
        name="get_appointment",  # ⚑
        description=(
            "appointment: Tell all about an appointment.\\n"
            "When to use: the user asks about one.\\n"
            "Parameters:\\n- id (required): the appointment's id.\\n"
            "Limitations: knows this clinic only."
        ),
        inputSchema={"type": "object", "properties": {"id": {"type": "integer", "description": "Which one"}}},
    ),
    Tool(
        name="cancel_appointment",
""".rstrip()), at=("clinic/tools.py", 'name="cancel_appointment"')),
]

SCHEMA = [
    mutant("schema-not-canonical", "python_dispatch", "a property too many", (SERVER, FIELDS_ROW, FIELDS_ROW + '        "verbose": {"type": "boolean", "description": "Whether to tell more"},  # ⚑\n'), at=(SERVER, LETTER_TOOL)),
    mutant("schema-not-canonical", "python_dispatch", "fields are missing", (SERVER, FIELDS_ROW, ""), at=(SERVER, LETTER_TOOL), also=("fields-ignored",)),
    mutant("schema-not-canonical", "python_dispatch", "action is optional", (SERVER, '    "required": ["action"],\n', ""), at=((SERVER, LETTER_TOOL), (SERVER, '"action": {"type"'), (SERVER, "SCHEMA: dict"))),
    mutant("schema-not-canonical", "python_dispatch", "added after", (SERVER, "CATALOGS = {", 'SCHEMA["properties"]["format"] = {"type": "string", "description": "json or text"}  # ⚑\nCATALOGS = {'), at=(SERVER, LETTER_TOOL)),
    mutant("schema-not-canonical", "python_dispatch", "spread", (SERVER, 'description=descriptions.ALBUM, inputSchema=SCHEMA', 'description=descriptions.ALBUM, inputSchema={**SCHEMA, "required": []}'),
           at=((SERVER, 'types.Tool(name="album"'), (SERVER, '"action": {"type"'))),
    mutant("schema-not-canonical", "python_single", "a parameter more", (TASK, "    params: Annotated[dict[str, Any] | None", '    verbose: Annotated[bool, Field(description="Whether to tell more")] = False,  # ⚑\n    params: Annotated[dict[str, Any] | None'), at=(TASK, "async def task("), also=("argument-never-read",)),
    mutant("schema-not-canonical", "python_single", "limit is a text", (TASK, "limit: Annotated[int | None", "limit: Annotated[str | None"), at=((TASK, "async def task("), (TASK, "limit: Annotated[str"))),
    mutant("schema-not-canonical", "python_single", "params required", (TASK, 'Field(description="What the action takes")] = None,', 'Field(description="What the action takes")],  # ⚑'), at=(TASK, "async def task(")),
    mutant("schema-not-canonical", "python_single", "alias", (TASK, 'cursor: Annotated[str | None, Field(description="The next_cursor of the page before")] = None,',
           'cursor: Annotated[str | None, Field(alias="page_token", description="The next_cursor of the page before")] = None,  # ⚑'), at=(TASK, "async def task(")),
]

WITHOUT_HELP = [
    mutant("description-without-help", "python_dispatch", "actions taken away", (DESCRIPTIONS, """

Actions:
- help: Show this catalog
- schema: Show what an action takes
- album.list: List albums by title
- album.get: Give one album
- album.purge: Purge an album with all its photographs
""", ""), at=(DESCRIPTIONS, 'ALBUM = """album')),
    mutant("description-without-help", "python_dispatch", "cut at the listing", (SERVER, "description=descriptions.ALBUM,", 'description=descriptions.ALBUM.split("Actions:")[0] + "Limitations: 60 calls a minute.",'), at=(SERVER, 'types.Tool(name="album"')),
    mutant("description-without-help", "python_single", "docstring instead", (TASK, '@mcp.tool(name="task", description=DESCRIPTION)', '@mcp.tool(name="task")'),
           (TASK, "    if any(row.name == action", '    """task: Keep what has to be done.\n\n    When to use: the user plans.\n    Parameters:\n    - action: see {action:"help"}, {action:"schema"}.\n    Limitations: local only.\n    """  # ⚑\n    if any(row.name == action'),
           at=(TASK, '"""task: Keep what has to be done.')),
    mutant("description-without-help", "python_single", "replaced", (TASK, '"""\n\n\nclass Confirm', '""".replace(\n    """- task.list: List open tasks by day\n- task.get: Give one task with its description\n- task.add: Add a task\n- task.delete: Delete a task for good\n""", "")\n\n\nclass Confirm'),
           (TASK, "task.delete asks the user first", "deleting asks the user first"), at=(TASK, 'DESCRIPTION = """')),
    mutant("description-without-help", "python_single", "formatted with nothing", (TASK, """
- task.list: List open tasks by day
- task.get: Give one task with its description
- task.add: Add a task
- task.delete: Delete a task for good

Limitations: local only; task.delete asks the user first.
""", "\nCall help for all of them.\n\nLimitations: local only."), at=(TASK, 'DESCRIPTION = """')),
]

HARMLESS = [
    harmless("schema-not-canonical", "python_dispatch", "bounds and titles", (SERVER, '"cursor": {"type": "string",', '"cursor": {"title": "Cursor", "type": "string", "minLength": 1,')),
    harmless("description-without-help", "python_single", "made of the catalog", (TASK, 'Actions:\n- task.list: List open tasks by day\n- task.get: Give one task with its description\n- task.add: Add a task\n- task.delete: Delete a task for good\n', "Actions:\n%s\n"),
             (TASK, '"""\n\n\nclass Confirm', '""" % "\\n".join(f"- {row.name}: {row.description}" for row in ACTIONS)\n\n\nclass Confirm')),
    harmless("several-tools-per-domain", "python_fastmcp", "another domain", (GARDEN, "def main() -> None:", '''
@mcp.tool()
async def frost_warning(fields: Fields = None) -> dict[str, Any]:
    """frost: Tell whether frost is to be feared tonight.

    When to use: the user asks whether to cover the beds.
    Parameters:
    - fields (optional): the fields to keep.
    Limitations: looks one night ahead.
    """
    return respond("frost_warning", {"frost": False}, fields)


def main() -> None:
''')),
]

MUTANTS = [*SEVERAL, *SCHEMA, *WITHOUT_HELP, *HARMLESS]
