"""The catalog of the domain."""

from archive.core.actions import BY_ID, PAGE, ActionSpec, ParamSpec

ACTIONS = [
    ActionSpec("help", "Show this catalog", False, True, (), "Catalog"),
    ActionSpec(
        "schema",
        "Show what an action takes",
        False,
        True,
        (ParamSpec("action", "string", True, "Which action"),),
        "Schema",
    ),
    ActionSpec("album.list", "List albums by title", False, True, PAGE, "Page[Album]"),
    ActionSpec("album.get", "Give one album", False, True, BY_ID, "Album"),
    ActionSpec("album.purge", "Purge an album with all its photographs", True, False, BY_ID, "Album"),
]
