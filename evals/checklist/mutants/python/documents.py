"""§5 of the profiles, beside Python: documents that list tools."""
# ruff: noqa: E501

from mutation import harmless, mutant

README = "README.md"
SERVER = "kiln/server.py"
TOOLS = "docs/tools.md"
TABLE = """
# Kiln

| Tool | What it does |
| --- | --- |
| `list_plans` | Lists the plans |
| `read_plan` | Reads one |
| `simulate_plan` | Simulates one |
| `plan_history` | Tells what was fired |
| `gas_price` | Tells the price of gas |
| `save_plan` | Saves one |
| `delete_plan` | Deletes one |
| `watch_kiln` | Watches the kiln |
"""
LIST = """
## Tools

- `list_hives`: lists the hives
- `read_hive`: reads one
- `find_visits`: finds the visits of a hive
- `list_jars`: lists the jars
- `fill_jar`: fills one
"""

MUTANTS = [
    mutant(
        "documents-and-source-differ",
        "python_kiln_trait",
        "a tool that was taken out, in a table",
        (README, None, TABLE + "| `burn_plan` | Burns one | ⚑\n"),
    ),
    mutant(
        "documents-and-source-differ",
        "python_kiln_trait",
        "a tool that came later",
        (README, None, TABLE.replace("| `gas_price` | Tells the price of gas |\n", "")),
        at=(SERVER, "def gas_price("),
    ),
    mutant(
        "documents-and-source-differ",
        "python_kiln_trait",
        "a tool under its old name",
        (README, None, TABLE.replace("| `watch_kiln` | Watches the kiln |", "| `watch_kilns` | Watches the kiln | ⚑")),
    ),
    mutant(
        "documents-and-source-differ",
        "python_kiln_trait",
        "rows in bold, with parentheses",
        (
            README,
            None,
            TABLE.replace("`list_plans`", "**`list_plans`**").replace("`read_plan`", "`read_plan(name)`")
            + "| **`burn_plan(name)`** | Burns one | ⚑\n",
        ),
    ),
    mutant(
        "documents-and-source-differ",
        "python_apiary_trait",
        "a list in docs/",
        (TOOLS, None, LIST + "- `sell_jar`: sells it ⚑\n"),
    ),
    mutant(
        "documents-and-source-differ",
        "python_apiary_trait",
        "a numbered list with links",
        (
            TOOLS,
            None,
            """
1. [`list_hives`](#hives) lists hives
2. [`read_hive`](#hive) reads one
3. [`find_visits`](#visits) finds visits
4. [`list_jars`](#jars) lists jars
5. [`fill_jar`](#fill) fills one

6. [`sell_jar`](#sell) sells one ⚑
""",
        ),
    ),
    mutant(
        "documents-and-source-differ",
        "python_apiary_trait",
        "headings",
        (
            TOOLS,
            None,
            """
# Tools

## `list_hives`

Lists hives.

## `read_hive`

Reads one.

## `find_visits`

Finds visits.

## `list_jars`

Lists jars.

## `fill_jar`

Fills one.

## `sell_jar` ⚑

Sells one.
""",
        ),
    ),
    harmless("documents-and-source-differ", "python_kiln_trait", "a table of all tools", (README, None, TABLE)),
    harmless(
        "documents-and-source-differ",
        "python_kiln_trait",
        "a few tools for instance",
        (
            README,
            None,
            """
# Kiln

Begin with these:

- `list_plans` lists the plans
- `read_plan` reads one
- `simulate_plan` simulates one
""",
        ),
    ),
    harmless(
        "documents-and-source-differ",
        "python_kiln_trait",
        "a tool that only a sentence names",
        (
            README,
            None,
            TABLE.replace("| `gas_price` | Tells the price of gas |\n", "") + "\nAsk `gas_price` before you fire.\n",
        ),
    ),
    harmless(
        "documents-and-source-differ",
        "python_kiln_trait",
        "tables of settings",
        (
            README,
            None,
            TABLE
            + "\n| Setting | Default |\n| --- | --- |\n| `kiln_host` | localhost |\n| `kiln_port` | 80 |\n| `kiln_fuel` | gas |\n",
        ),
    ),
    harmless(
        "documents-and-source-differ",
        "python_apiary_trait",
        "what the shell prints",
        (TOOLS, None, LIST + "\n```\n- `sell_jar`\n```\n"),
    ),
]
