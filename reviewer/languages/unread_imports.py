"""Source files that cannot be read and that a server imports: a part of it that was not reviewed."""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from reviewer.failures import Unreviewed
from reviewer.files.discovery import SCRIPTS, Tree
from reviewer.source import Opaque, Source


def iter_broken(tree: Tree, found: Iterable[Opaque], declaring: Collection[str]) -> Iterator[Opaque]:
    """Return the broken imports of a tree, with those found while it was read.

    `declaring` are the files that declare servers, and what they import must be read.
    Scripts are left out where servers are written in other languages alone: those belong to a page, which is no part of a server.
    """
    lost = {each.span.path for each in tree.broken if not isinstance(each, Unreviewed)}
    wanted = {path for path in lost if path.endswith(".rs") and _is_module(tree, path)}
    python = {path for path in lost if path.endswith(".py")}
    if python:
        wanted |= python & _collect_imported_files(tree, python, declaring)
    has_scripts = not declaring or any(path.endswith(SCRIPTS) for path in declaring)
    scripts = tree.broken_scripts if has_scripts else []
    for each in (*tree.broken, *scripts, *(one for one in found if has_scripts or not one.span.path.endswith(SCRIPTS))):
        yield Unreviewed(each.reason, each.span) if each.span.path in wanted and each.span.path in lost else each


def _collect_imported_files(tree: Tree, lost: Iterable[str], declaring: Iterable[str]) -> set[str]:
    """Return the Python files that a start of the servers may import, as if nothing stood in those that are lost."""
    from reviewer.languages.python.project import reach
    from reviewer.languages.python.project.modules import Modules

    sources: Mapping[str, Source] = {**tree.select_suffix(".py"), **{path: Source(path, b"") for path in lost}}
    modules = Modules(
        dict(sources),
        is_project=any("/" not in name for name in tree.manifests if not name.endswith(".json")),
        root=tree.root,
    )
    return reach.collect_reachable_files(
        modules, [modules.by_path[path] for path in declaring if path in modules.by_path]
    )


def _is_module(tree: Tree, path: str) -> bool:
    """Return whether a Rust file is declared as a module by one beside it or above it."""
    folder, name = posixpath.split(path)
    if name == "mod.rs":
        folder, name = posixpath.split(folder)
    declared = re.compile(rb"\bmod\s+%s\s*;" % re.escape(name.removesuffix(".rs").encode("utf-8", "replace")))
    near = (
        source
        for own, source in tree.select_suffix(".rs").items()
        if posixpath.dirname(own) == folder or own.removesuffix(".rs") == folder
    )
    return any(declared.search(source.data) is not None for source in near)
