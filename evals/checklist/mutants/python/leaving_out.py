"""What tools leave out of their answers, and which of them nobody registers, in Python."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

SERVER = "python_apiary_trait"
HIVES, HONEY, PAGES, MAIN = (f"apiary/{name}.py" for name in ("hives", "honey", "pages", "main"))
FOUND = """\
    kept = found[: min(max_results, 40)]
    answer: dict[str, Any] = {"visits": kept, "total": len(found)}
    if len(kept) < len(found):
        answer["hint"] = "Give more words, or raise max_results for the rest."
    return answer
"""
JARS = '    return {"jars": jars[:size], "total": len(jars)}\n'
HINT = '"Give more words, or raise max_results for the rest."'
SWARM = '''\
"""Tools for swarms."""

from typing import Any

from mcp.types import ToolAnnotations

from apiary.app import mcp
from apiary.store import HIVES


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
def count_swarms() -> dict[str, Any]:  # ⚑
    """Count the swarms that could come of the hives."""
    return {"swarms": len(HIVES)}
'''
QUIET = SWARM.replace("  # ⚑", "")
IMPORTS = "from apiary import hives, honey\n"

UNTOLD = [
    mutant("overflow-without-hint", SERVER, "cut and told by nothing", (HONEY, JARS, '    return {"jars": jars[:size]}  # ⚑\n')),
    mutant("overflow-without-hint", SERVER, "given back", (HONEY, "def list_jars(", "def list_jars("), (HONEY, JARS, '    kept = jars[:size]  # ⚑\n    return {"kind": kind, "jars": kept}\n')),
    mutant("overflow-without-hint", SERVER, "by islice", (HIVES, FOUND, '    return {"visits": list(islice(found, min(max_results, 40)))}  # ⚑\n'), (HIVES, "from typing import Annotated, Any\n", "from itertools import islice\nfrom typing import Annotated, Any\n")),
    mutant("overflow-without-hint", SERVER, "a fixed number", (HIVES, "    seen = [each for each in VISITS if each[\"hive\"] == hive] if visits else []\n", "    rows = [each for each in VISITS if each[\"hive\"] == hive] if visits else []\n    seen = rows[:30]  # ⚑\n")),
    mutant("overflow-without-hint", SERVER, "in a comprehension", (HONEY, JARS, '    return {"jars": [jar["batch"] for jar in jars[:size]]}  # ⚑\n')),
    mutant("overflow-without-hint", SERVER, "a number in a constant", (HONEY, JARS, '    jars.sort(key=lambda jar: jar["grams"])\n    first = jars[:SHOWN]  # ⚑\n    answer = {"jars": first, "asked": size}\n    return answer\n')),
    harmless("overflow-without-hint", SERVER, "a flag alone", (HONEY, JARS, '    return {"jars": jars[:size], "truncated": len(jars) > size}\n')),
    harmless("overflow-without-hint", SERVER, "only in the log", (HONEY, JARS, '    logging.debug("first: %s", jars[:20])\n    return {"jars": jars[:size], "total": len(jars)}\n'), (HONEY, "from typing import Annotated, Any\n", "import logging\nfrom typing import Annotated, Any\n")),
    harmless("overflow-without-hint", SERVER, "the best three", (HONEY, JARS, '    return {"jars": jars[:3]} if limit is None else {"jars": jars[:size], "total": len(jars)}\n')),
]

HINTS = [
    mutant("overflow-hint-names-no-parameter", SERVER, "narrow your search", (HIVES, HINT, '"Too many visits, narrow your search."  # ⚑')),
    mutant("overflow-hint-names-no-parameter", SERVER, "to a helper", (HIVES, '"Ask for one stand with stand=meadow, or go on with offset."', '"List truncated. Be more specific."'), at=(HIVES, "    return page(found, limit")),
    mutant("overflow-hint-names-no-parameter", SERVER, "a parameter of another tool", (HIVES, HINT, '"Showing some items only, narrow them with stand=wood."  # ⚑')),
    mutant("overflow-hint-names-no-parameter", SERVER, "the word of the trade", (HIVES, HINT, '"Refine the filters to see fewer items."  # ⚑')),
    mutant("overflow-hint-names-no-parameter", SERVER, "two strings in a row", (HIVES, HINT, '(\n            "Too many results for one answer: "\n            "restrict the search."\n        )'), at=(HIVES, '            "Too many results')),
    mutant("overflow-hint-names-no-parameter", SERVER, "in the literal", (HONEY, JARS, '    note = "Use a smaller filter for fewer jars and results."  # ⚑\n    return {"jars": jars[:size], "total": len(jars), "note": note}\n')),
    harmless("overflow-hint-names-no-parameter", SERVER, "names one in other words", (HIVES, HINT, '"Narrow by words, or ask for more with max_results."')),
    harmless("overflow-hint-names-no-parameter", SERVER, "made at run time", (HIVES, HINT, 'f"Showing {len(kept)} items, narrow by {sorted(READS.model_fields)[0]}."')),
    harmless("overflow-hint-names-no-parameter", SERVER, "a failure's", (HIVES, 'f"there is no hive {hive}; list_hives names them"', '"Too many results of that name, narrow your search"')),
]

UNREGISTERED = [
    mutant("tool-never-registered", SERVER, "a new module", ("apiary/swarms.py", None, SWARM)),
    mutant("tool-never-registered", SERVER, "no longer imported", (MAIN, IMPORTS, "from apiary import hives\n"), (MAIN, "MODULES = (hives, honey)", "MODULES = (hives,)"), at=(HONEY, "def list_jars(")),
    mutant("tool-never-registered", SERVER, "commented out", (MAIN, IMPORTS, "from apiary import hives  # , honey\n"), (MAIN, "MODULES = (hives, honey)", "MODULES = (hives,)"), at=(HONEY, "def list_jars(")),
    mutant("tool-never-registered", SERVER, "imported by a forgotten module", ("apiary/swarms.py", None, SWARM), ("apiary/all_of_them.py", None, '"""All modules of tools."""\n\nfrom apiary import swarms\n\nMODULES = (swarms,)')),
    mutant("tool-never-registered", SERVER, "in a folder of its own", ("apiary/more/__init__.py", None, '"""More tools."""'), ("apiary/more/swarms.py", None, SWARM)),
    mutant("tool-never-registered", SERVER, "for type checkers only", ("apiary/swarms.py", None, SWARM), (MAIN, IMPORTS, "from typing import TYPE_CHECKING\n\n" + IMPORTS), (MAIN, "MODULES = (hives, honey)", "if TYPE_CHECKING:\n    from apiary import swarms\n\nMODULES = (hives, honey)")),
    harmless("tool-never-registered", SERVER, "imported", ("apiary/swarms.py", None, QUIET), (MAIN, IMPORTS, "from apiary import hives, honey, swarms\n"), (MAIN, "(hives, honey)", "(hives, honey, swarms)")),
    harmless("tool-never-registered", SERVER, "imported in a function", ("apiary/swarms.py", None, QUIET), (MAIN, "    mcp.run()\n", "    from apiary import swarms\n\n    assert swarms\n    mcp.run()\n")),
    harmless("tool-never-registered", SERVER, "imported by name", ("apiary/swarms.py", None, QUIET), (MAIN, "    mcp.run()\n", '    import_module("apiary.swarms")\n    mcp.run()\n'), (MAIN, IMPORTS, "from importlib import import_module\n\n" + IMPORTS)),
]

MUTANTS = [*UNTOLD, *HINTS, *UNREGISTERED]
