"""Rust source → facts: what the attributes, macros and list functions of its servers declare. Nothing is compiled."""

from reviewer.facts import Project
from reviewer.files.discovery import Tree
from reviewer.progress import Progress, ignore_progress


def read(tree: Tree, sdk: dict[str, str] | None = None, progress: Progress = ignore_progress) -> Project:
    """Read every Rust server in the tree. `sdk` are versions that the caller says, by crate."""
    from reviewer.languages.rust.reading import (
        read_servers,
    )  # a fix needs the syntax alone, a small part of the imports

    return read_servers(tree, sdk, progress)
