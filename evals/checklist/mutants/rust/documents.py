"""§5 of the profiles, beside Rust: documents that list tools."""

from mutation import harmless, mutant

README = "README.md"
TREES = "src/tools/trees.rs"
TABLE = """
# Orchard

| Tool | What it does |
| --- | --- |
| `harvests` | Lists the harvests |
| `read_notes` | Reads the notes |
| `list_photos` | Lists the photos |
| `press_report` | Reports what was pressed |
| `list_trees` | Lists the trees |
| `find_trees` | Finds trees |
| `read_tree` | Reads one |
| `plant_tree` | Plants one |
| `fell_tree` | Fells one |
"""
LIST = """
* `search_bells` searches bells
* `cast_bell` casts one
* `read_note` reads a note
* `keep_note` keeps a note
"""

MUTANTS = [
    mutant(
        "documents-and-source-differ",
        "rust_orchard_trait",
        "a tool that was taken out",
        (README, None, TABLE + "| `graft_tree` | Grafts one | ⚑\n"),
    ),
    mutant(
        "documents-and-source-differ",
        "rust_orchard_trait",
        "a tool that came later",
        (README, None, TABLE.replace("| `fell_tree` | Fells one |\n", "")),
        at=(TREES, '"fell_tree"'),
    ),
    mutant(
        "documents-and-source-differ",
        "rust_orchard_trait",
        "a tool under its old name",
        (README, None, TABLE.replace("| `press_report` | Reports", "| `press_reports` | ⚑Reports")),
    ),
    mutant(
        "documents-and-source-differ",
        "rust_foundry_trait",
        "a list",
        (README, None, LIST + "* `melt_bell` melts one ⚑\n"),
    ),
    mutant(
        "documents-and-source-differ",
        "rust_foundry_trait",
        "items over several lines",
        (
            README,
            None,
            """
- `cast_bell`:
  casts one
- `search_bells`:
  searches bells
- `read_note`:
  reads a note

- `keep_note`:
  keeps a note
- `melt_bell`: ⚑
  melts one
""",
        ),
    ),
    mutant(
        "documents-and-source-differ",
        "rust_foundry_trait",
        "headings under a heading",
        (
            README,
            None,
            """
# Foundry

## Tools

### `cast_bell`

Casts one.

### `search_bells`

Searches them.

### `read_note`

Reads it.

### `keep_note`

Keeps it.

### `melt_bell` ⚑

Melts one.

## Build
""",
        ),
    ),
    harmless("documents-and-source-differ", "rust_orchard_trait", "a table of all tools", (README, None, TABLE)),
    harmless(
        "documents-and-source-differ",
        "rust_foundry_trait",
        "a list of all tools, and one of options",
        (README, None, LIST + "\nOptions:\n\n- `--host_name` where\n- `dry_run` changes nothing\n"),
    ),
    harmless(
        "documents-and-source-differ",
        "rust_foundry_trait",
        "headings of other things",
        (README, None, LIST + "\n## `foundry.toml`\n\n### `bell_list`\n\n### `cooling_days`\n"),
    ),
]
