"""§9 of the checklist, in Python."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

DESCRIPTIONS = "archive/mcp/descriptions.py"
ALBUMS = "archive/albums/actions.py"
SERVER = "archive/mcp/server.py"
TASK = "tasks/server.py"
CATALOG = "tasks/catalog.py"
GARDEN = "garden/server.py"
AT = (DESCRIPTIONS, 'ALBUM = """')
AT_TASK = (TASK, 'DESCRIPTION = """')
WHEN = "\nWhen to use: the user looks for a picture, or an album has to go.\n"
BOTH = """
- action (required): task.verb. Call {action:"help"} for the full catalog.
- params (optional): action-specific. Call {action:"schema", params:{action:"X"}} for shape.
"""

ELEMENTS = [
    mutant("four-elements", "python_dispatch", "without when to use", (DESCRIPTIONS, WHEN, ""), at=AT),
    mutant("four-elements", "python_dispatch", "without limitations", (DESCRIPTIONS, "\nLimitations: 60 calls a minute. album.purge asks the user first.\n", ""), at=AT),
    mutant("four-elements", "python_dispatch", "replaced in the listing", (SERVER, "description=descriptions.ALBUM,", 'description=descriptions.ALBUM.replace("When to use: ", ""),'), at=((SERVER, 'types.Tool(name="album"'), AT)),
    mutant("four-elements", "python_single", "label with nothing behind it", (TASK, "Limitations: local only; task.delete asks the user first.\n", "Limitations:\n"), at=AT_TASK),
    mutant("four-elements", "python_single", "without parameters", (TASK, "\nParameters:\n", "\nHow to call it\n"), at=AT_TASK),
    mutant("four-elements", "python_fastmcp", "docstring of one line", (GARDEN, '''
    """sensor: Tell how moist the soil is at one sensor.

    When to use: the user asks whether to water.
    Parameters:
    - sensor (required): the sensor's name.
    - fields (optional): the fields to keep.
    Limitations: a reading is up to ten minutes old.
    """
''', '    """sensor: Tell how moist the soil is at one sensor."""  # ⚑')),
    mutant("four-elements", "python_fastmcp", "description over the docstring", (GARDEN, "@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))", '@mcp.tool(description="Moisture.", annotations=ToolAnnotations(readOnlyHint=True))  # ⚑')),
    mutant("four-elements", "python_lowlevel", "joined without limits", ("clinic/tools.py", """
            "- fields (optional): the fields to keep.\\n"
            "Limitations: looks four weeks ahead."
""", '            "- fields (optional): the fields to keep."'), at=("clinic/tools.py", '"slot: Tell when a doctor is free next.')),
]

DRIFT = [
    mutant("description-drift", "python_dispatch", "line that differs", (DESCRIPTIONS, "- album.list: List albums by title", "- album.list: List all albums"), at=AT),
    mutant("description-drift", "python_dispatch", "name missing", (DESCRIPTIONS, "- album.get: Give one album\n", ""), at=AT),
    mutant("description-drift", "python_dispatch", "name too many", (DESCRIPTIONS, "- album.get: Give one album\n", "- album.get: Give one album\n- album.bind: Bind an album\n"), at=AT),
    mutant("description-drift", "python_dispatch", "catalog changed", (ALBUMS, '"Give one album"', '"Give one album with its photographs"'), at=AT),
    mutant("description-drift", "python_single", "line that differs", (TASK, "- task.add: Add a task\n", "- task.add: Add a task for tomorrow\n"), at=AT_TASK),
    mutant("description-drift", "python_single", "description in a constant of the catalog", (CATALOG, '"Add a task"', "ADDS"), (CATALOG, "ACTIONS: list", 'ADDS = "Adds " + "a task"\nACTIONS: list'), at=AT_TASK),
    mutant("description-drift", "python_single", "new row", (CATALOG, '    ActionSpec("task.delete",', '    ActionSpec("task.done", "Tick a task off", params=(ID,), idempotent=True),\n    ActionSpec("task.delete",'),
           ("tasks/handlers.py", '    "task.delete": delete_task,', '    "task.done": get_task,\n    "task.delete": delete_task,'), at=AT_TASK),
]

UNNAMED = [
    mutant("help-and-schema-not-named", "python_single", "neither", (TASK, BOTH, "- action (required): task.verb.\n- params (optional): action-specific."), at=AT_TASK),
    mutant("help-and-schema-not-named", "python_single", "no help", (TASK, 'task.verb. Call {action:"help"} for the full catalog.', "task.verb."), at=AT_TASK),
    mutant("help-and-schema-not-named", "python_single", "no schema", (TASK, 'action-specific. Call {action:"schema", params:{action:"X"}} for shape.', "action-specific."), at=AT_TASK),
    mutant("help-and-schema-not-named", "python_single", "words, not actions", (TASK, BOTH, "- action (required): task.verb. Glad to help.\n- params (optional): follows its own schema."), at=AT_TASK),
    mutant("help-and-schema-not-named", "python_single", "taken out by code", (TASK, '"""\n\n\nclass Confirm', '""".replace(\'Call {action:"help"} for the full catalog.\', "")\n\n\nclass Confirm'), at=AT_TASK),
]

HARMLESS = [
    harmless("four-elements", "python_dispatch", "labels in bold", (DESCRIPTIONS, WHEN, "\n**When to use:** the user looks for a picture, or an album has to go.\n")),
    harmless("four-elements", "python_fastmcp", "cleaned by inspect", (GARDEN, "@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))", "@mcp.tool(description=SENSOR, annotations=ToolAnnotations(readOnlyHint=True))"), (GARDEN, "class Confirm(BaseModel):", '''
SENSOR = inspect.cleandoc("""
    sensor: Tell how moist the soil is at one sensor.

    When to use: the user asks whether to water.
    Parameters:
    - sensor (required): the sensor's name.
    Limitations: a reading is up to ten minutes old.
""")


class Confirm(BaseModel):
'''), (GARDEN, "import os\n", "import inspect\nimport os\n")),
    harmless("description-drift", "python_single", "dashes and backticks", (TASK, "- task.add: Add a task\n", "* `task.add` – Add a task.\n")),
    harmless("description-drift", "python_single", "made of the catalog", (TASK, "Actions:\n- task.list: List open tasks by day\n- task.get: Give one task with its description\n- task.add: Add a task\n- task.delete: Delete a task for good\n", "Actions:\n"),
             (TASK, "class Confirm(BaseModel):", 'DESCRIPTION += "\\n".join(f"- {row.name}: {row.description}" for row in ACTIONS)\n\n\nclass Confirm(BaseModel):')),
    harmless("help-and-schema-not-named", "python_single", "as JSON", (TASK, BOTH, '- action (required): task.verb. {"action": "help"} gives the full catalog.\n- params (optional): action-specific; {"action": "schema", "params": {"action": "X"}} gives the shape.')),
]

MUTANTS = [*ELEMENTS, *DRIFT, *UNNAMED, *HARMLESS]
