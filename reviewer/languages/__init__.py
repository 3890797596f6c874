"""Source files → facts, one adapter per language. An adapter runs nothing of what it reads and raises for nothing it meets."""

from collections.abc import Iterator
from dataclasses import replace

from reviewer.facts import Language, Project
from reviewer.files import Tree
from reviewer.languages import python, rust
from reviewer.source import Source


def relevant(tree: Tree) -> Iterator[tuple[Language, Source]]:
    """Give the files that a byte search finds worth parsing for themselves."""
    yield from (("python", source) for source in python.relevant(tree))
    yield from (("rust", source) for source in rust.relevant(tree))


def read(tree: Tree) -> Project:
    """Read every server in the tree."""
    project = Project(broken=tuple(tree.broken))
    if tree.of(".py"):
        project = project.merged(python.read(tree))
    if tree.of(".rs"):
        project = project.merged(rust.read(tree))
    return replace(project, broken=tuple(sorted(project.broken, key=lambda each: each.span)))
