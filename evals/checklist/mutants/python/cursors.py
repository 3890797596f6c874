"""§1 of the checklist, in Python: where a page begins."""
# ruff: noqa: E501

from mutation import harmless, mutant

PAGE = "archive/core/page.py"
LETTERS = "archive/letters/handlers.py"
TASKS = "tasks/handlers.py"

CURSORS = [
    mutant(
        "cursor-not-deterministic",
        "python_dispatch",
        "random id inside",
        (
            PAGE,
            'position = json.dumps({"offset": offset, "sort_key": sort_key}, sort_keys=True)',
            'position = json.dumps({"offset": offset, "sort_key": sort_key, "id": str(uuid.uuid4())})  # ⚑',
        ),
        (PAGE, "import json\n", "import json\nimport uuid\n"),
        at=(PAGE, "return base64.urlsafe_b64encode"),
    ),
    mutant(
        "cursor-not-deterministic",
        "python_dispatch",
        "clock imported by another name",
        (
            PAGE,
            'position = json.dumps({"offset": offset, "sort_key": sort_key}, sort_keys=True)',
            'made = now()  # ⚑\n    position = json.dumps({"offset": offset, "sort_key": sort_key, "made": made}, sort_keys=True)  # ⚑',
        ),
        (
            PAGE,
            "from dataclasses import dataclass\n",
            "from dataclasses import dataclass\nfrom time import time as now\n",
        ),
        at=(PAGE, "return base64.urlsafe_b64encode"),
    ),
    mutant(
        "cursor-not-deterministic",
        "python_dispatch",
        "hash of a text",
        (PAGE, '"sort_key": sort_key}, sort_keys=True)', '"sort_key": hash(sort_key)}, sort_keys=True)  # ⚑'),
        at=(PAGE, "return base64.urlsafe_b64encode"),
    ),
    mutant(
        "cursor-not-deterministic",
        "python_single",
        "secret token",
        (
            TASKS,
            'return base64.urlsafe_b64encode(json.dumps({"offset": offset, "sort_key": "day"}).encode()).decode()',
            'token = secrets.token_urlsafe(8)  # ⚑\n    return base64.urlsafe_b64encode(f"{offset}:{token}".encode()).decode()  # ⚑',
        ),
        (TASKS, "import json\n", "import json\nimport secrets\n"),
    ),
    mutant(
        "cursor-not-deterministic",
        "python_fastmcp",
        "order of a set",
        (
            "garden/pages.py",
            'return b64encode(json.dumps({"offset": offset, "sort_key": "name"}).encode()).decode()',
            'return b64encode(json.dumps({"offset": offset, "at": id(cursor_at), "when": datetime.now().isoformat()}).encode()).decode()  # ⚑',
        ),
        (
            "garden/pages.py",
            "from collections.abc import Sequence\n",
            "from collections.abc import Sequence\nfrom datetime import datetime\n",
        ),
    ),
    mutant(
        "cursor-not-deterministic",
        "python_lowlevel",
        "random in the mark",
        (
            "clinic/paging.py",
            'mark = {"offset": position, "sort_key": sort_key}',
            "mark = dict(offset=position, sort_key=sort_key, salt=random.random())  # ⚑",
        ),
        ("clinic/paging.py", "import json\n", "import json\nimport random\n"),
        at=("clinic/paging.py", "return base64.b64encode"),
    ),
    mutant(
        "cursor-not-deterministic",
        "python_lowlevel",
        "counter of the process",
        (
            "clinic/paging.py",
            'mark = {"offset": position, "sort_key": sort_key}',
            'mark = {"offset": position, "sort_key": sort_key, "serial": next(SERIAL)}  # ⚑',
        ),
        ("clinic/paging.py", "import base64\nimport json\n", "import base64\nimport itertools\nimport json\n"),
        ("clinic/paging.py", "USUAL, MOST = 20, 100\n", "USUAL, MOST = 20, 100\nSERIAL = itertools.count()\n"),
        at=("clinic/paging.py", "return base64.b64encode"),
    ),
]

HARMLESS = [
    harmless(
        "cursor-not-deterministic",
        "python_dispatch",
        "random id beside the cursor",
        (
            LETTERS,
            'items = [letter.model_dump(mode="json") for letter in letters]',
            'items = [letter.model_dump(mode="json") | {"link": uuid.uuid4().hex} for letter in letters]',
        ),
        (LETTERS, "from collections.abc import Mapping\n", "import uuid\nfrom collections.abc import Mapping\n"),
    ),
]

MUTANTS = [*CURSORS, *HARMLESS]
