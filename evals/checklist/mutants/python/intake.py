"""What tools take out of their input, in Python: names, defaults, greatest values, limits."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

APIARY, CLINIC = "python_apiary_trait", "python_lowlevel"
HIVES, HONEY, PAGES = (f"apiary/{name}.py" for name in ("hives", "honey", "pages"))
MAIN, TOOLS, PAGING = (f"clinic/{name}.py" for name in ("main", "tools", "paging"))
STAND = '    stand: Annotated[str | None, Field(description="Only hives of this stand")] = None,\n'
WORDS = '    words: Annotated[str, Field(description="What the note of the visit holds")],\n'
KEPT = "    kept = found[: min(max_results, 40)]\n"
SIZE = "    size = max(1, min(limit, MOST))\n"
GRAMS = "    if grams is None:\n        grams = 500\n"
LIMIT = '                "limit": {"type": "integer", "description": "At most so many"},\n'
ID = '                "id": {"type": "integer", "description": "The appointment\'s id"},\n'
SLOT = '                "doctor": {"type": "string", "description": "The doctor\'s name"},\n'
READ = '    limit = arguments.get("limit", USUAL)\n    if limit > MOST:\n        limit = MOST\n    return limit if limit > 0 else 1\n'
DOCTOR = '        slot = calendar.next_slot(arguments["doctor"])\n'
UNREAD = ("argument-never-read",)
HOUSE = ("limit-default-differs", "list-returns-everything")

NOT_DECLARED = [
    mutant("argument-not-declared", CLINIC, "another name", (MAIN, DOCTOR, '        slot = calendar.next_slot(arguments["name"])  # ⚑\n'), also=UNREAD),
    mutant("argument-not-declared", CLINIC, "one more by get", (MAIN, '    found = calendar.find(arguments["patient"])\n', '    found = calendar.find(arguments["patient"], arguments.get("since"))  # ⚑\n')),
    mutant("argument-not-declared", CLINIC, "key in a constant", (MAIN, '    cancelled = calendar.cancel(arguments["id"])\n', "    cancelled = calendar.cancel(arguments[ID])\n"), (MAIN, "async def cancel_appointment", 'ID = "appointment"\n\n\nasync def cancel_appointment'), at=(MAIN, "calendar.cancel(arguments[ID])"), also=UNREAD),
    mutant("argument-not-declared", CLINIC, "in a helper of another file", (PAGING, '    limit = arguments.get("limit", USUAL)\n', '    limit = arguments.get("page_size", USUAL)  # ⚑\n'), also=(*UNREAD, *HOUSE)),
    mutant("argument-not-declared", CLINIC, "the schema has another", (TOOLS, '"doctor": {"type": "string", "description": "The doctor\'s name"},\n                "fields": FIELDS,\n            },\n            "required": ["doctor"]', '"physician": {"type": "string", "description": "The doctor\'s name"},\n                "fields": FIELDS,\n            },\n            "required": ["physician"]'), at=(MAIN, '        slot = calendar.next_slot(arguments["doctor"])'), also=UNREAD),
    mutant("argument-not-declared", CLINIC, "popped off a copy", (MAIN, DOCTOR, '        asked = dict(arguments)\n        slot = calendar.next_slot(asked.pop("doctor"), asked.pop("week", 0))  # ⚑\n')),
    mutant("argument-not-declared", CLINIC, "a helper that is told the key", (MAIN, DOCTOR, '        slot = calendar.next_slot(required(arguments, "doctor"), required(arguments, "room"))  # ⚑\n'), (MAIN, "def find_visits", 'def required(given: dict[str, Any], key: str) -> Any:\n    return given[key]\n\n\ndef find_visits')),
    harmless("argument-not-declared", CLINIC, "two spellings", (MAIN, DOCTOR, '        slot = calendar.next_slot(arguments.get("doctor") or arguments["physician"])\n')),
    harmless("argument-not-declared", CLINIC, "refused where it is given", (MAIN, DOCTOR, '        if "doctor_id" in arguments:\n            raise LookupError("give doctor, not doctor_id")\n' + DOCTOR)),
    harmless("argument-not-declared", CLINIC, "key of a row", (MAIN, '    following = cursor', '    starts = items[0]["starts"] if items else None\n    log.debug("from %s", starts)\n    following = cursor')),
]

NEVER_READ = [
    mutant("argument-never-read", APIARY, "one more", (HIVES, STAND, STAND + '    frames: Annotated[int | None, Field(description="Only hives of so many frames")] = None,  # ⚑\n')),
    mutant("argument-never-read", APIARY, "no longer read", (HIVES, "if stand in (None, hive[\"stand\"])]", "if hive]"), at=(HIVES, STAND.rstrip())),
    mutant("argument-never-read", APIARY, "let go", (HIVES, '    seen = [each for each in VISITS if each["hive"] == hive] if visits else []\n', '    del visits\n    seen = [each for each in VISITS if each["hive"] == hive]\n'), at=(HIVES, "    visits: Annotated[bool")),
    mutant("argument-never-read", APIARY, "read of another object only", (HONEY, 'if kind in (None, jar["kind"])]', 'if jar["kind"]]'), at=(HONEY, '    kind: Annotated[str | None, Field')),
    mutant("argument-never-read", APIARY, "written over", (HONEY, GRAMS, ""), (HONEY, '"grams": grams}', '"grams": 500}'), at=(HONEY, "    grams: Annotated[int | None")),
    mutant("argument-never-read", CLINIC, "declared by hand", (TOOLS, ID, ID + '                "reason": {"type": "string", "description": "Why it is cancelled"},  # ⚑\n')),
    mutant("argument-never-read", CLINIC, "read under another name", (TOOLS, '"patient": {"type": "string", "description": "A part of the name"},', '"patient": {"type": "string", "description": "A part of the name"},\n                "since": {"type": "string", "description": "Only visits since this day"},  # ⚑'), (MAIN, '    found = calendar.find(arguments["patient"])\n', '    found = calendar.find(arguments["patient"])\n    log.debug("since %s", found[0].get("since") if found else None)\n')),
    harmless("argument-never-read", APIARY, "handed on with all others", (HIVES, STAND, STAND + '    frames: Annotated[int | None, Field(description="Only hives of so many frames")] = None,\n'), (HIVES, "    found = [hive for hive in HIVES if stand", "    asked = locals()\n    found = [hive for hive in HIVES if asked and stand")),
    harmless("argument-never-read", APIARY, "read in a function within", (HIVES, "    found = [hive for hive in HIVES if stand in (None, hive[\"stand\"])]\n", "    def matches(hive: dict[str, Any]) -> bool:\n        return stand in (None, hive[\"stand\"])\n\n    found = list(filter(matches, HIVES))\n")),
    harmless("argument-never-read", CLINIC, "the whole input goes on", (TOOLS, ID, ID + '                "reason": {"type": "string", "description": "Why it is cancelled"},\n'), (MAIN, '    cancelled = calendar.cancel(arguments["id"])\n', "    cancelled = json.loads(json.dumps(arguments))\n")),
]

DEFAULTS = [
    mutant("default-differs", APIARY, "text and signature", (HIVES, 'Field(description="How many hives (default 20, max 100)")] = 20,', 'Field(description="How many hives (default 50, max 100)")] = 20,  # ⚑')),
    mutant("default-differs", APIARY, "signature and text", (HIVES, 'Field(description="Whether to tell of its visits (default true)")] = True,', 'Field(description="Whether to tell of its visits (default true)")] = False,  # ⚑')),
    mutant("default-differs", APIARY, "by or", (HONEY, "SHOWN = 25", "SHOWN = 10"), at=(HONEY, "    size = limit or SHOWN")),
    mutant("default-differs", APIARY, "by a condition", (HONEY, "        grams = 500\n", "        grams = 250  # ⚑\n")),
    mutant("default-differs", APIARY, "by a conditional expression", (HONEY, "    size = limit or SHOWN\n", "    size = limit if limit is not None else 20  # ⚑\n")),
    mutant("default-differs", CLINIC, "in a schema by hand", (TOOLS, SLOT, SLOT + '                "weeks": {"type": "integer", "default": 4, "description": "How far to look"},\n'), (MAIN, DOCTOR, '        slot = calendar.next_slot(arguments["doctor"], arguments.get("weeks", 2))  # ⚑\n')),
    mutant("default-differs", CLINIC, "in a text by hand", (TOOLS, SLOT, SLOT + '                "weeks": {"type": "integer", "description": "How far to look (defaults to 4)"},\n'), (MAIN, DOCTOR, '        weeks = arguments.get("weeks") or 2  # ⚑\n        slot = calendar.next_slot(arguments["doctor"], weeks)\n')),
    harmless("default-differs", APIARY, "the same in other words", (HONEY, "How many jars; 25 by default", "How many jars. Defaults to 25.")),
    harmless("default-differs", APIARY, "another unit", (HONEY, "How much the jar holds (default: 500)", "How much the jar holds (default: 1 pound)")),
    harmless("default-differs", APIARY, "known at run time only", (HONEY, "        grams = 500\n", '        grams = JARS[-1]["grams"]\n')),
]

CAPS = [
    mutant("cap-differs", APIARY, "in a helper of another file", (PAGES, "MOST = 100", "MOST = 60"), at=(PAGES, "    size = max(1, min(limit")),
    mutant("cap-differs", APIARY, "another number", (HIVES, KEPT, "    kept = found[: min(max_results, 20)]  # ⚑\n")),
    mutant("cap-differs", APIARY, "another in the text", (HIVES, "How many visits, at most 40", "How many visits, at most 400"), at=(HIVES, KEPT.rstrip())),
    mutant("cap-differs", APIARY, "by a condition", (HIVES, KEPT, "    if max_results > 30:\n        max_results = 30  # ⚑\n    kept = found[:max_results]\n")),
    mutant("cap-differs", APIARY, "in the schema", (HONEY, "    size = limit or SHOWN\n", "    size = min(limit or SHOWN, 30)  # ⚑\n")),
    mutant("cap-differs", APIARY, "text and schema", (HONEY, 'Field(description="How many jars; 25 by default", ge=1, le=50)] = None,', 'Field(description="How many jars (1-80); 25 by default", ge=1, le=50)] = None,  # ⚑')),
    harmless("cap-differs", APIARY, "the same in other words", (HIVES, "How many visits, at most 40", "How many visits (1-40)")),
    harmless("cap-differs", APIARY, "the length of the list", (HIVES, KEPT, "    kept = found[: min(max_results, 40, len(found))]\n")),
    harmless("cap-differs", APIARY, "a number of something else", (HIVES, "What the note of the visit holds", "What the note of the visit holds, up to 80 letters")),
]

LIMITS = [
    mutant("limit-unbounded", APIARY, "no bound", (HIVES, KEPT, "    kept = found[:max_results]  # ⚑\n")),
    mutant("limit-unbounded", APIARY, "no bound in a helper", (PAGES, SIZE, "    size = max(1, limit)\n"), at=(PAGES, "    shown = rows[offset")),
    mutant("limit-unbounded", APIARY, "no bound in the schema", (HONEY, ", ge=1, le=50)]", ", ge=1)]"), at=(HONEY, '    return {"jars": jars[:size]')),
    mutant("limit-unbounded", APIARY, "islice", (HIVES, KEPT, "    kept = list(islice(found, max_results))  # ⚑\n"), (HIVES, "from typing import Annotated, Any\n", "from itertools import islice\nfrom typing import Annotated, Any\n")),
    mutant("limit-unbounded", APIARY, "a loop that ends at it", (HIVES, KEPT, "    kept = []\n    for each in found:\n        if len(kept) >= max_results:  # ⚑\n            break\n        kept.append(each)\n")),
    mutant("limit-unbounded", APIARY, "by a name in between", (HIVES, KEPT, "    most = int(max_results)\n    kept = found[0:most]  # ⚑\n")),
    mutant("limit-unbounded", CLINIC, "by a dict", (PAGING, READ, '    return int(arguments.get("limit", USUAL))\n'), (MAIN, "    first, size = offset(arguments), page_size(arguments)\n    items = found[first : first + size]\n", '    first, size = offset(arguments), arguments.get("limit", 20)\n    items = found[first : first + size]  # ⚑\n'), (MAIN, "from clinic.paging import cursor, offset, page_size", "from clinic.paging import cursor, offset")),
    harmless("limit-unbounded", APIARY, "refused if it is too large", (HIVES, KEPT, '    if max_results > 40:\n        raise ToolError("max_results is at most 40")\n    kept = found[:max_results]\n')),
    harmless("limit-unbounded", APIARY, "by a conditional expression", (HIVES, KEPT, "    most = 40 if max_results > 40 else max_results\n    kept = found[:most]\n")),
    harmless("limit-unbounded", APIARY, "bounded in the schema", (HIVES, 'Field(description="How many visits, at most 40")]', 'Field(description="How many visits", le=40)]'), (HIVES, KEPT, "    kept = found[:max_results]\n")),
]

MUTANTS = [*NOT_DECLARED, *NEVER_READ, *DEFAULTS, *CAPS, *LIMITS]
