"""Source files → facts, one adapter per language. An adapter runs nothing of what it reads and raises for nothing it meets."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reviewer.budget import UNBOUNDED, Budget, current, spending
from reviewer.facts import Lazy, Listing, Project
from reviewer.failures import contained
from reviewer.files import Tree
from reviewer.progress import Progress, silent


def read(tree: Tree, sdk: dict[str, str] | None = None, progress: Progress = silent) -> Project:
    """Read every server in the tree, within the budget that holds, or one of the tree's own.

    `sdk` are versions of frameworks that the caller says, by distribution.
    """
    project = Project(broken=tuple(tree.broken))
    with spending(Budget.of(tree.size) if current() is UNBOUNDED else current()):
        for adapter in _adapters(tree):
            with contained(f"the {adapter.__name__.rpartition('.')[2].capitalize()} files were not reviewed"):
                project = project.merged(adapter.read(tree, sdk or {}, progress))
    broken = tuple(sorted(project.broken, key=lambda each: each.span))
    return replace(project, broken=broken, listings=Lazy(lambda: _listings(tree, project)))


def _listings(tree: Tree, project: Project) -> Iterator[Listing]:
    from reviewer.languages.documents import listings

    return listings(tree, project)


def _adapters(tree: Tree) -> Iterator[Any]:
    """Load the adapters that the tree has files for."""
    if tree.of(".py"):
        from reviewer.languages import python

        yield python
    if tree.of(".rs"):
        from reviewer.languages import rust

        yield rust
