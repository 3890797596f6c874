"""The files of a tree → the Rust servers in them, what their code does, and what of it could not be read."""

from dataclasses import replace

from reviewer.facts import Project
from reviewer.failures import Unreviewed
from reviewer.files.discovery import Tree, is_aside
from reviewer.languages.nodes import NOT_UNDERSTOOD, find_first_error, locate_node
from reviewer.languages.rust import behaviour
from reviewer.languages.rust.declarations.servers import find_servers
from reviewer.languages.rust.project.items import RustItems
from reviewer.languages.rust.project.undeclared import find_undeclared_files
from reviewer.languages.rust.syntax.brackets import is_nested_too_deeply
from reviewer.progress import Progress, Stage, ignore_progress
from reviewer.source import Opaque


def build_index(
    tree: Tree, sdk: dict[str, str] | None = None, progress: Progress = ignore_progress
) -> tuple[RustItems, tuple[Opaque, ...]]:
    """Return the index of the project's own files that are compiled, and those that nest too deep to be read."""
    manifests = {name: path for name, path in tree.manifests.items() if name.endswith(("Cargo.toml", "Cargo.lock"))}
    own = {path: source for path, source in tree.select_suffix(".rs").items() if not is_aside(path)}
    dead = find_undeclared_files(own, manifests, tree.skipped)
    own = {path: source for path, source in own.items() if path not in dead}
    deep = {path: source for path, source in own.items() if is_nested_too_deeply(source.data)}
    readable = {path: source for path, source in own.items() if path not in deep}
    unread = (
        Unreviewed("code is nested too deeply; the file was not read", each.find_line_span(1)) for each in deep.values()
    )
    return RustItems(readable, manifests, tree.find_text, sdk or {}, progress), tuple(unread)


def read_servers(tree: Tree, sdk: dict[str, str] | None = None, progress: Progress = ignore_progress) -> Project:
    """Read every Rust server in the tree. `sdk` are versions that the caller says, by crate."""
    items, unread = build_index(tree, sdk, progress)
    project = behaviour.read(items, find_servers(items))
    progress(Stage.READING_RUST_FILES, len(items.sources), len(items.sources))  # the rest is read if a rule asks
    return replace(project, broken=(*project.broken, *_collect_broken(items), *items.unwritten, *unread))


def _collect_broken(items: RustItems) -> tuple[Opaque, ...]:
    """Name the files that were read in spite of a syntax error; what a macro gives may be anything."""
    files = (items.parse_unexpanded(path) for path in items.list_parsed())
    errors = ((source, find_first_error(root)) for source, root in files)
    return tuple(Opaque(NOT_UNDERSTOOD, locate_node(source, error)) for source, error in errors if error is not None)
