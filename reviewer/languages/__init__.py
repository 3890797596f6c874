"""Source files → facts, one adapter per language. An adapter runs nothing of what it reads and raises for nothing it meets."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reviewer.budget import UNBOUNDED, Budget, get_budget, spending
from reviewer.facts import (
    BrokenLinks,
    BrokenStart,
    Catalog,
    DocumentedSettings,
    DocumentListing,
    Guard,
    Lazy,
    LooseRequirement,
    Mention,
    Project,
    Server,
    Tool,
)
from reviewer.failures import contained
from reviewer.files.discovery import NAMES, SCRIPTS, Tree
from reviewer.languages.identifiers import spell_out
from reviewer.languages.unread_imports import iter_broken
from reviewer.progress import Progress, ignore_progress


def read(tree: Tree, sdk: dict[str, str] | None = None, progress: Progress = ignore_progress) -> Project:
    """Read every server in the tree, within the budget that holds, or one of the tree's own.

    `sdk` are versions of frameworks that the caller says, by distribution.
    """
    project = Project()
    with spending(Budget.from_size(tree.size) if get_budget() is UNBOUNDED else get_budget()):
        with contained("names in unusual Unicode forms were not read"):
            spell_out(tree)
        for adapter in _iter_adapters(tree):
            with contained(f"the {NAMES[adapter.__name__.rpartition('.')[2]]} files were not reviewed"):
                project = project.merge_with(adapter.read(tree, sdk or {}, progress))
    broken = tuple(
        sorted(iter_broken(tree, project.broken, _collect_declaring_files(project)), key=lambda each: each.span)
    )
    return replace(
        project,
        broken=broken,
        listings=Lazy(lambda: _iter_listings(tree, project)),
        settings=Lazy(lambda: _iter_settings(tree, project)),
        broken_starts=Lazy(lambda: (*_iter_broken_starts(tree, project), *project.broken_starts)),
        mentions=Lazy(lambda: _iter_mentions(tree, project)),
        broken_links=Lazy(lambda: _iter_broken_links(tree)),
        loose_requirements=Lazy(lambda: _iter_loose_requirements(tree, project)),
    )


def _collect_declaring_files(project: Project) -> set[str]:
    """Return the files in which servers, tools and action catalogs are declared."""
    tools = (tool for server in project.servers for tool in server.tools)
    parts: tuple[Server | Tool | Catalog | Guard, ...] = (*project.servers, *tools, *project.catalogs, *project.guards)
    return {each.span.path for each in parts}


def _iter_listings(tree: Tree, project: Project) -> Iterator[DocumentListing]:
    from reviewer.languages.documents import iter_listings

    return iter_listings(tree, project)


def _iter_settings(tree: Tree, project: Project) -> Iterator[DocumentedSettings]:
    from reviewer.languages.settings import iter_settings

    return iter_settings(tree, project)


def _iter_broken_starts(tree: Tree, project: Project) -> Iterator[BrokenStart]:
    from reviewer.languages.start_commands import iter_broken_starts

    return iter_broken_starts(tree, project)


def _iter_mentions(tree: Tree, project: Project) -> Iterator[Mention]:
    from reviewer.languages.mentions import iter_mentions

    return iter_mentions(tree, project)


def _iter_broken_links(tree: Tree) -> Iterator[BrokenLinks]:
    from reviewer.languages.links import iter_broken_links

    return iter_broken_links(tree)


def _iter_loose_requirements(tree: Tree, project: Project) -> Iterator[LooseRequirement]:
    if not tree.select_suffix(".py"):  # what reads Python is not loaded for it
        return iter(())
    from reviewer.languages.loose_requirements import iter_loose_requirements

    return iter_loose_requirements(tree, project)


def _iter_adapters(tree: Tree) -> Iterator[Any]:
    """Load the adapters that the tree has files for."""
    if tree.select_suffix(".py"):
        from reviewer.languages import python

        yield python
    if tree.select_suffix(".rs"):
        from reviewer.languages import rust

        yield rust
    if any(tree.select_suffix(each) for each in SCRIPTS):
        from reviewer.languages import typescript

        yield typescript
