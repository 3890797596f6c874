"""§1 of the checklist, in Python: how long a page is."""

from mutation import harmless, mutant

PAGE = "archive/core/page.py"
TASKS = "tasks/handlers.py"
GARDEN = "garden/server.py"
LIMIT_READ = 'limit = max(1, min(int(params.get("limit") or DEFAULT_LIMIT), MAX_LIMIT))'
TASK_LIMIT = 'limit = max(1, min(request["limit"] or 20, 100))'
GARDEN_SIZE = "size = USUAL if limit is None else sorted((1, limit, MOST))[1]"
CLINIC_SIZE = """
    if limit > MOST:
        limit = MOST
    return limit if limit > 0 else 1
"""

REJECTED = [
    mutant(
        "limit-rejected",
        "python_dispatch",
        "if raise",
        (
            PAGE,
            LIMIT_READ,
            """
limit = int(params.get("limit") or DEFAULT_LIMIT)
        if limit > MAX_LIMIT:  # ⚑
            raise ToolError("invalid_param", "`limit` is over 100")
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "python_dispatch",
        "chained comparison",
        (
            PAGE,
            LIMIT_READ,
            """
limit = int(params.get("limit") or DEFAULT_LIMIT)
        if not 1 <= limit <= MAX_LIMIT:  # ⚑
            raise ToolError("invalid_param", "`limit` is out of range")
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "python_dispatch",
        "walrus",
        (
            PAGE,
            LIMIT_READ,
            """
if (limit := int(params.get("limit", DEFAULT_LIMIT))) not in range(1, MAX_LIMIT + 1):  # ⚑
            raise ToolError("invalid_param", "`limit` is out of range")
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "python_dispatch",
        "post init",
        (PAGE, LIMIT_READ, 'limit = int(params.get("limit") or DEFAULT_LIMIT)'),
        (
            PAGE,
            "    @classmethod\n    def read(",
            """
    def __post_init__(self) -> None:
        if self.limit < 1 or self.limit > MAX_LIMIT:  # ⚑
            raise ToolError("invalid_param", "`limit` is out of range")

    @classmethod
    def read(
""".rstrip(),
        ),
    ),
    mutant(
        "limit-rejected",
        "python_dispatch",
        "helper of another module",
        (PAGE, LIMIT_READ, 'limit = bounded(params, "limit", DEFAULT_LIMIT, MAX_LIMIT)  # ⚑'),
        (
            PAGE,
            "from archive.core.errors import ToolError",
            "from archive.core.bounds import bounded\nfrom archive.core.errors import ToolError",
        ),
        (
            "archive/core/bounds.py",
            None,
            """
from collections.abc import Mapping
from typing import Any

from archive.core.errors import ToolError


def bounded(params: Mapping[str, Any], name: str, default: int, most: int) -> int:
    number = int(params.get(name, default))
    if number > most:
        raise ToolError("invalid_param", f"`{name}` is over {most}")
    return number
""",
        ),
        at=("archive/core/bounds.py", "if number > most"),
    ),
    mutant(
        "limit-rejected",
        "python_dispatch",
        "match with a guard",
        (
            PAGE,
            LIMIT_READ,
            """
match params.get("limit"):
            case None:
                limit = DEFAULT_LIMIT
            case int(limit) if limit > MAX_LIMIT:  # ⚑
                raise ToolError("invalid_param", "`limit` is over 100")
            case limit:
                limit = int(limit)
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "python_single",
        "assert",
        (
            TASKS,
            TASK_LIMIT,
            """
limit = request["limit"] or 20
    assert 0 < limit <= 100, "limit must be between 1 and 100"  # ⚑
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "python_single",
        "constraint in the signature",
        (
            "tasks/server.py",
            'limit: Annotated[int | None, Field(description="At most so many")] = None,',
            'limit: Annotated[int | None, Field(ge=1, le=100, description="At most so many")] = None,  # ⚑',
        ),
        also=("schema-not-canonical",),
    ),
    mutant(
        "limit-rejected",
        "python_fastmcp",
        "in the tool",
        (
            GARDEN,
            "plants = beds.plants(bed)",
            """
if limit is not None and (limit < 1 or limit > 100):  # ⚑
        raise ValueError("limit must be between 1 and 100")
    plants = beds.plants(bed)
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "python_fastmcp",
        "decorator-free checker",
        (
            "garden/pages.py",
            GARDEN_SIZE,
            """
size = checked(USUAL if limit is None else limit)
""",
        ),
        (
            "garden/pages.py",
            "def window(",
            """
def checked(limit: int) -> int:
    if limit > MOST:  # ⚑
        raise ValueError(f"limit is at most {MOST}")
    return limit


def window(
""".rstrip(),
        ),
    ),
    mutant(
        "limit-rejected",
        "python_lowlevel",
        "raise instead of the cap",
        (
            "clinic/paging.py",
            CLINIC_SIZE,
            """
    if limit > MOST or limit < 1:  # ⚑
        raise LookupError("limit is out of range")
    return limit
""",
        ),
    ),
    mutant(
        "limit-rejected",
        "python_lowlevel",
        "maximum in the schema",
        (
            "clinic/tools.py",
            '"limit": {"type": "integer", "description": "At most so many"},',
            '"limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "At most so many"},  # ⚑',
        ),
    ),
]

DEFAULTS = [
    mutant(
        "limit-default-differs",
        "python_dispatch",
        "constant default",
        (PAGE, "DEFAULT_LIMIT = 20", "DEFAULT_LIMIT = 10"),
        at=(PAGE, "limit = max(1,"),
    ),
    mutant(
        "limit-default-differs",
        "python_dispatch",
        "constant cap",
        (PAGE, "MAX_LIMIT = 100", "MAX_LIMIT = 500"),
        at=(PAGE, "limit = max(1,"),
    ),
    mutant(
        "limit-default-differs",
        "python_single",
        "literals",
        (TASKS, TASK_LIMIT, 'limit = max(1, min(request["limit"] or 50, 200))  # ⚑'),
    ),
    mutant(
        "limit-default-differs",
        "python_lowlevel",
        "pair of constants",
        ("clinic/paging.py", "USUAL, MOST = 20, 100", "USUAL, MOST = 20, 250"),
        at=("clinic/paging.py", "if limit > MOST"),
    ),
    mutant(
        "limit-default-differs",
        "python_fastmcp",
        "default of the parameter",
        (GARDEN, "limit: Limit = None,", "limit: Limit = 50,  # ⚑"),
        at=("garden/pages.py", "size = USUAL if limit is None"),
    ),
]

HARMLESS = [
    harmless(
        "limit-default-differs",
        "python_dispatch",
        "numbers in the call",
        (PAGE, LIMIT_READ, 'limit = min(max(int(params.get("limit", 20)), 1), 100)'),
    ),
    harmless(
        "limit-rejected",
        "python_dispatch",
        "if over the cap the cap",
        (
            PAGE,
            LIMIT_READ,
            """
limit = int(params.get("limit") or DEFAULT_LIMIT)
        if limit > MAX_LIMIT:
            limit = MAX_LIMIT
        elif limit < 1:
            limit = 1
""",
        ),
    ),
    harmless(
        "limit-rejected",
        "python_dispatch",
        "wrong type refused",
        (
            PAGE,
            LIMIT_READ,
            """
asked = params.get("limit", DEFAULT_LIMIT)
        if not isinstance(asked, int):
            raise ToolError("invalid_param", "`limit` is no number")
        limit = min(max(asked, 1), MAX_LIMIT)
""",
        ),
    ),
    harmless(
        "limit-rejected",
        "python_lowlevel",
        "another number refused",
        (
            "clinic/calendar.py",
            "before = len(self.visits)",
            """
if visit < 1 or visit > 10_000_000:
            raise LookupError("no such visit")
        before = len(self.visits)
""",
        ),
    ),
]

MUTANTS = [*REJECTED, *DEFAULTS, *HARMLESS]
