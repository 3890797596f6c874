"""§1 of the checklist, in Python: cursors that are bare places or no secret, and pages of several sizes."""
# ruff: noqa: E501

from mutation import Mutant, harmless, mutant

LIVE = "python_lowlevel_live"
PAGING = "workshop/paging.py"
MAIN = "workshop/main.py"
TOOLS = "workshop/tools.py"
PAGE = """
def page(found: list[Any], arguments: dict[str, Any], query: str) -> dict[str, Any]:
    check = mark(query, shelves.version)
    first, size = decode_cursor(arguments.get("cursor"), check), page_size(arguments)
    items = found[first : first + size]
    following = encode_cursor(first + size, check) if first + size < len(found) else None
    return {"items": items, "next_cursor": following, "total": len(found)}
"""
ENCODE = """
def encode_cursor(offset: int, check: int) -> str:
    return base64.urlsafe_b64encode(json.dumps({"offset": offset, "check": check}).encode()).decode()
"""
DECODE = """
def decode_cursor(cursor: str | None, check: int) -> int:
    if cursor is None:
        return 0
    try:
        position = json.loads(base64.urlsafe_b64decode(cursor))
        offset = int(position["offset"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadCursorError("the cursor cannot be read; begin without one") from error
    if position.get("check") != check:
        raise BadCursorError("the cursor is of another list; begin without one")
    return offset
"""
PLAIN = """
def decode_cursor(cursor: str | None) -> int:
    if cursor is None:
        return 0
    try:
        return int(json.loads(base64.urlsafe_b64decode(cursor))["offset"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadCursorError("the cursor cannot be read; begin without one") from error
"""
HEAD = """
def page(found: list[Any], arguments: dict[str, Any], query: str) -> dict[str, Any]:
    first, size = decode_cursor(arguments.get("cursor")), page_size(arguments)
    items = found[first : first + size]
"""
MOST = """
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "description": "At most so many: 20 if absent, never over 100",
            },
            "cursor": {"type": "string", "description": "The next_cursor of the page before"},
        },
        "required": ["word"],
"""


def bare(name: str, lines: str, encode: str = "") -> Mutant:
    """The cursor is where the page ended, and no more."""
    lines += "" if "⚑" in lines + encode else "  # ⚑"
    edits = [
        (MAIN, PAGE, HEAD + lines + '\n    return {"items": items, "next_cursor": following, "total": len(found)}')
    ]
    edits += [(PAGING, DECODE, PLAIN)] + ([(PAGING, ENCODE, encode)] if encode else [])
    return mutant("cursor-not-bound", LIVE, name, *edits)


def tied(name: str, lines: str, encode: str = "") -> Mutant:
    """The cursor says more."""
    edits = [
        (MAIN, PAGE, HEAD + lines + '\n    return {"items": items, "next_cursor": following, "total": len(found)}')
    ]
    edits += [(PAGING, DECODE, PLAIN)] + ([(PAGING, ENCODE, encode)] if encode else [])
    return harmless("cursor-not-bound", LIVE, name, *edits)


BARE = [
    bare("a number as text", "    following = str(first + size) if first + size < len(found) else None"),
    mutant(
        "cursor-not-bound",
        LIVE,
        "a number given straight",
        (
            MAIN,
            PAGE,
            HEAD + '    return {"items": items, "next_cursor": f"{first + len(items)}", "total": len(found)}  # ⚑',
        ),
        (PAGING, DECODE, PLAIN),
    ),
    bare(
        "base64 by a helper",
        "    following = encode_cursor(first + size) if first + size < len(found) else None",
        "def encode_cursor(offset: int) -> str:\n    return base64.urlsafe_b64encode(str(offset).encode()).decode()  # ⚑",
    ),
    bare(
        "json by a helper",
        "    after = first + size\n    following = encode_cursor(after) if after < len(found) else None",
        'def encode_cursor(offset: int) -> str:\n    payload = {"offset": offset}\n    return base64.urlsafe_b64encode(json.dumps(payload).encode()).decode()  # ⚑',
    ),
    bare(
        "with the size",
        '    following = None\n    if first + size < len(found):\n        following = json.dumps({"offset": first + size, "limit": size})',
    ),
    bare(
        "named early",
        "    end = first + size\n    next_cursor = str(end)  # ⚑\n    following = next_cursor if end < len(found) else None",
    ),
    bare("in hexadecimal", "    following = hex(first + size) if first + size < len(found) else None"),
]

TIED = [
    tied(
        "with the query",
        '    following = json.dumps({"offset": first + size, "query": query}) if first + size < len(found) else None',
    ),
    tied(
        "with the version", '    following = f"{shelves.version}:{first + size}" if first + size < len(found) else None'
    ),
    tied("by the last name", '    following = items[-1]["name"] if first + size < len(found) else None'),
    tied(
        "with a checksum",
        "    following = encode_cursor(first + size, mark(query, shelves.version)) if first + size < len(found) else None",
    ),
]


def told(name: str, old: str, new: str, at: str = "") -> Mutant:
    """Clients are told what a cursor is made of."""
    return mutant("cursor-not-opaque", LIVE, name, (TOOLS, old, new), at=(TOOLS, at) if at else ())


BEFORE = '            "cursor": {"type": "string", "description": "The next_cursor of the page before"},\n        },\n        "required": ["word"],'


def described(name: str, schema: str) -> Mutant:
    """The schema tells it."""
    return told(name, BEFORE, f'            "cursor": {schema},  # ⚑\n        }},\n        "required": ["word"],')


OPAQUE = [
    described("an offset", '{"type": "string", "description": "Offset of the first part"}'),
    described("said of it", '{"type": "string", "description": "The cursor is a zero-based offset"}'),
    described("base64", '{"type": "string", "description": "Base64-encoded offset"}'),
    described("a page", '{"type": "string", "description": "Page number, as text"}'),
    described("a number", '{"type": "integer", "minimum": 0, "description": "The next_cursor of the page before"}'),
    told(
        "reckoned",
        '"Limitations: knows counted boxes only."',
        '"Limitations: knows counted boxes only. Add limit to the cursor for the next page."',
        '    description=(\n        "parts:',
    ),
    described("in brackets", '{"type": "string", "description": "Pagination cursor (numeric offset)"}'),
]

QUIET = [
    harmless(
        "cursor-not-opaque",
        LIVE,
        "said to be opaque",
        (
            TOOLS,
            BEFORE,
            BEFORE.replace(
                "The next_cursor of the page before",
                "Opaque, whatever offset is in it: the next_cursor of the page before",
            ),
        ),
    ),
    harmless(
        "cursor-not-opaque",
        LIVE,
        "said not to be one",
        (
            TOOLS,
            BEFORE,
            BEFORE.replace("The next_cursor of the page before", "The next_cursor of the page before; it is no offset"),
        ),
    ),
    harmless(
        "cursor-not-opaque",
        LIVE,
        "may be null",
        (TOOLS, BEFORE, BEFORE.replace('"type": "string"', '"type": ["string", "null"]')),
    ),
]


def sized(name: str, new: str) -> Mutant:
    """The search has pages of another size."""
    return mutant("page-caps-differ", LIVE, name, (TOOLS, MOST, new), also=("cap-differs", "default-differs"))


def limit(inner: str) -> str:
    """Write the search's arguments with another limit."""
    return MOST.replace(
        MOST[MOST.index('            "limit"') : MOST.index('            "cursor"')],
        f'            "limit": {inner},  # ⚑\n',
    )


SIZES = [
    sized("a smaller maximum", limit('{"type": "integer", "minimum": 1, "maximum": 50, "description": "How many"}')),
    sized("a larger maximum", limit('{"type": "integer", "minimum": 1, "maximum": 500, "description": "How many"}')),
    sized(
        "an exclusive one",
        limit('{"type": "integer", "minimum": 1, "exclusiveMaximum": 41, "description": "How many"}'),
    ),
    sized("in the text", limit('{"type": "integer", "description": "How many, at most 30"}')),
    sized("a range in the text", limit('{"type": "integer", "description": "Between 1 and 60"}')),
    sized(
        "another default",
        limit('{"type": "integer", "minimum": 1, "maximum": 100, "default": 50, "description": "How many"}'),
    ),
    sized(
        "another default in the text",
        limit('{"type": "integer", "minimum": 1, "maximum": 100, "description": "How many (default 10)"}'),
    ),
]

ALIKE = [
    harmless(
        "page-caps-differ",
        LIVE,
        "in other words",
        (
            TOOLS,
            MOST,
            limit('{"type": "integer", "minimum": 1, "maximum": 100, "description": "How many, up to 100"}').replace(
                "  # ⚑", ""
            ),
        ),
    ),
    harmless(
        "page-caps-differ",
        LIVE,
        "an exclusive end",
        (
            TOOLS,
            MOST,
            limit('{"type": "integer", "minimum": 1, "exclusiveMaximum": 101, "description": "How many"}').replace(
                "  # ⚑", ""
            ),
        ),
    ),
    harmless(
        "page-caps-differ",
        LIVE,
        "in the text alone",
        (TOOLS, MOST, limit('{"type": "integer", "description": "How many, at most 100"}').replace("  # ⚑", "")),
    ),
]

MUTANTS = [*BARE, *TIED, *OPAQUE, *QUIET, *SIZES, *ALIKE]
