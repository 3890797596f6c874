"""Python source → facts, by evaluating the code that declares tools symbolically. Nothing of it runs."""

from reviewer.facts import Project
from reviewer.files.discovery import Tree
from reviewer.progress import Progress, ignore_progress


def read(tree: Tree, sdk: dict[str, str] | None = None, progress: Progress = ignore_progress) -> Project:
    """Read every Python server in the tree. `sdk` are versions that the caller says, by distribution."""
    from reviewer.languages.python.reading import (
        read_servers,
    )  # a fix needs the syntax alone, a small part of the imports

    return read_servers(tree, sdk, progress)
