"""The tools that are there from the beginning."""

from mcp.types import Tool

SEARCH = Tool(
    name="search_parts",
    description=(
        "parts: Search the shelves for parts by a word.\n\n"
        "When to use: the user asks what is in stock.\n"
        "Parameters:\n- word (required): a word of the part's name.\n- limit, cursor: standard pagination.\n"
        "Limitations: knows counted boxes only."
    ),
    inputSchema={
        "type": "object",
        "properties": {
            "word": {"type": "string", "description": "A word of the part's name"},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "description": "At most so many: 20 if absent, never over 100",
            },
            "cursor": {"type": "string", "description": "The next_cursor of the page before"},
        },
        "required": ["word"],
    },
)
LIST = Tool(
    name="list_names",
    description=(
        "names: List the names of all parts.\n\n"
        "When to use: the user does not know what a part is called.\n"
        "Parameters:\n- limit, cursor: standard pagination.\n"
        "Limitations: names only."
    ),
    inputSchema={
        "type": "object",
        "properties": {
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "description": "At most so many: 20 if absent, never over 100",
            },
            "cursor": {"type": "string", "description": "The next_cursor of the page before"},
        },
    },
)
COUNT = Tool(
    name="count_stock",
    description=(
        "stock: Count the boxes anew, one after the other.\n\n"
        "When to use: the stock is said to be wrong.\n"
        "Parameters:\n- boxes (required): the names of the boxes.\n"
        "Limitations: takes a second for each box; progress is sent to clients that ask for it."
    ),
    inputSchema={
        "type": "object",
        "properties": {
            "boxes": {"type": "array", "items": {"type": "string"}, "description": "The names of the boxes"}
        },
        "required": ["boxes"],
    },
)
PLUG = Tool(
    name="plug_machines",
    description=(
        "machines: Plug machines in; each becomes a tool of its own.\n\n"
        "When to use: the user wants to work with a machine that is no tool yet.\n"
        "Parameters:\n- machines (required): the machines' names.\n"
        "Limitations: the new tools are listed a moment later."
    ),
    inputSchema={
        "type": "object",
        "properties": {
            "machines": {"type": "array", "items": {"type": "string"}, "description": "The machines' names"}
        },
        "required": ["machines"],
    },
)
