"""The list of tools, written by hand."""

from mcp.types import Tool, ToolAnnotations

FIELDS = {"type": "array", "items": {"type": "string"}, "description": "The fields to keep"}

TOOLS = [
    Tool(
        name="find_visits",
        description=(
            "visits: Find the visits of a patient, earliest first.\n"
            "When to use: the user asks when somebody came or comes.\n"
            "Parameters:\n"
            "- patient (required): a part of the name.\n"
            "- fields, limit, cursor: standard pagination/projection.\n"
            "Limitations: knows this clinic only."
        ),
        inputSchema={
            "type": "object",
            "properties": {
                "patient": {"type": "string", "description": "A part of the name"},
                "fields": FIELDS,
                "limit": {"type": "integer", "description": "At most so many"},
                "cursor": {"type": "string", "description": "The next_cursor of the page before"},
            },
            "required": ["patient"],
        },
    ),
    Tool(
        name="next_slot",
        description=(
            "slot: Tell when a doctor is free next.\n"
            "When to use: the user wants to see a doctor.\n"
            "Parameters:\n"
            "- doctor (required): the doctor's name.\n"
            "- fields (optional): the fields to keep.\n"
            "Limitations: looks four weeks ahead."
        ),
        inputSchema={
            "type": "object",
            "properties": {
                "doctor": {"type": "string", "description": "The doctor's name"},
                "fields": FIELDS,
            },
            "required": ["doctor"],
        },
    ),
    Tool(
        name="cancel_appointment",
        description=(
            "appointment: Cancel an appointment for good.\n"
            "When to use: the patient cannot come.\n"
            "Parameters:\n"
            "- id (required): the appointment's id.\n"
            "- fields (optional): the fields to keep.\n"
            "Limitations: cannot be undone; the user is asked first."
        ),
        inputSchema={
            "type": "object",
            "properties": {
                "id": {"type": "integer", "description": "The appointment's id"},
                "fields": FIELDS,
            },
            "required": ["id"],
        },
        annotations=ToolAnnotations(destructiveHint=True, idempotentHint=True),
    ),
]
