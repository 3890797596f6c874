"""Where the tree's Rust files declare what. A file is parsed at most once, and only if its bytes say it can matter."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property, wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from tree_sitter import Node

from reviewer.caching import cache_latest
from reviewer.files.storage import Manifest
from reviewer.languages.nodes import (
    decode_node,
    find_child,
    find_descendants_at,
    find_parent,
    iter_matches_at,
    locate_node,
    locate_text,
    parse_bounded,
)
from reviewer.languages.prefilter import Prefilter
from reviewer.languages.rust.macros import as_written, expand_macros
from reviewer.languages.rust.project.dependencies import Version, find_version, parse_version
from reviewer.languages.rust.project.modules import (
    build_crate_path,
    build_module_path,
    find_crate_folder,
    is_among,
    iter_test_files,
)
from reviewer.languages.rust.project.uses import Uses, read_segments, read_use
from reviewer.languages.rust.syntax.attributes import GAP
from reviewer.languages.rust.syntax.keyword_nodes import find_keyword_nodes
from reviewer.progress import Progress, Stage, ignore_progress
from reviewer.records import dataclass
from reviewer.source import Opaque, Source, Span, Text
from reviewer.text.patterns import pattern

# Any word of a head may be the type or the trait that is looked for.
WORD = pattern(rb"\w+", re.ASCII)
HEADS = (pattern(rb"impl\b[^{};]*"), pattern(rb"trait\b[^{};]*"))
"""What stands before the braces of blocks: it tells by bytes whether a file is worth parsing for a type or a trait."""
# `cfg(test)` also within `all(..)`, and test attributes by their path: `#[tokio::test]`. `any(test, ..)` is also built
# without tests.
TEST = pattern(r"#!?\[\s*(?:cfg\s*\(\s*(?:all\s*\(\s*)?test\b|(?:\w+\s*::\s*)*test\b)")
# Items within which declarations stand that belong to the module around or to a type.
CONTAINERS = frozenset({"mod_item", "impl_item", "trait_item", "foreign_mod_item"})
NAMED = {
    "function_item": "fn",
    "function_signature_item": "signature",
    "struct_item": "struct",
    "union_item": "struct",
    "enum_item": "enum",
    "const_item": "const",
    "static_item": "const",
    "type_item": "type",
    "trait_item": "trait",
    "macro_definition": "macro",
}
WORDS = {
    "fn": (b"fn",),
    "signature": (b"fn",),
    "struct": (b"struct", b"union"),
    "enum": (b"enum",),
    "const": (b"const", b"static"),
    "type": (b"type",),
    "trait": (b"trait",),
    "macro": (b"macro_rules!",),
}
"""The words with which a declaration of a kind begins."""

DECLARATIONS = {
    word: pattern(word + rb"(?!\s+(?:fn|unsafe|async|extern)\b)\s+(?:mut\s+)?(?:r#)?(\w+)", re.ASCII)
    for words in WORDS.values()
    for word in words
}
"""What stands for each of them; one by one, because a search for a fixed beginning is far quicker than for alternatives."""

# Crates on which servers build. A path into one leads out of the tree, whatever declaration of the same name the
# project has.
OUTSIDE = frozenset(
    "std core alloc rmcp serde serde_json schemars tokio chrono uuid url rust_mcp_sdk tracing anyhow futures axum".split()
)
PRELUDE = frozenset(
    "Arc Box Rc Vec String Option Some HashMap BTreeMap HashSet BTreeSet VecDeque Mutex RwLock RefCell Cell Instant Duration "
    "PathBuf Path SystemTime OnceLock LazyLock Cow AtomicBool AtomicUsize AtomicU64 Value Map Default Into From Ok Err".split()
)
"""Types of the standard library, as whose methods nothing of the project is called."""


@dataclass(frozen=True, slots=True)
class RustItem:
    """One declaration and the file it stands in."""

    path: str
    node: Node
    source: Source

    @property
    def name(self) -> str:
        """The name that is declared."""
        name = find_child(self.node, "name")
        return decode_node(name).removeprefix("r#") if name is not None else ""

    @property
    def span(self) -> Span:
        """The place of the declaration, without its attributes."""
        return locate_node(self.source, self.node)


class RustItems:
    """All Rust files under one root that are not test code, with their macros expanded, and the declarations in them.

    `unwritten` are the uses of macros that declare tools and whose definitions were not found.
    """

    def __init__(
        self,
        sources: dict[str, Source],
        manifests: dict[str, Manifest] | None = None,
        file_text: Callable[[str], str | None] = lambda _place: None,
        sdk: dict[str, str] | None = None,
        progress: Progress = ignore_progress,
    ) -> None:
        tests = tuple(name for path, source in sources.items() for name in iter_test_files(path, source.data))
        own = {path: source for path, source in sources.items() if not is_among(path, tests)}
        self.sources, self.unwritten = expand_macros(own)
        self._prefilter = Prefilter(self.sources)
        self._progress = progress
        self.manifests = manifests or {}
        self.file_text = file_text
        self._given = {
            name: version for name, each in (sdk or {}).items() if (version := parse_version(each)) is not None
        }
        self._roots: dict[str, Node] = {}
        self._declared: dict[str, dict[tuple[str, str], list[RustItem]]] = {}
        self._declaring: dict[tuple[str, tuple[str, ...], str], list[str]] = {}
        self._headed: dict[str, frozenset[bytes]] = {}
        self._uses: dict[str, Uses] = {}
        self._versions: dict[tuple[str, str], Version | None] = {}
        self._kinds: dict[tuple[str, tuple[str, ...]], list[Node]] = {}
        self.kept: dict[Any, Any] = {}

    def parse_root(self, path: str) -> Node:
        """Parse a file when it is first asked for."""
        if path not in self._roots:
            self._progress(Stage.READING_RUST_FILES, len(self._roots), len(self.sources))
            self._roots[path] = parse_bounded(self.sources[path], "rust")
        return self._roots[path]

    def parse_unexpanded(self, path: str) -> tuple[Source, Node]:
        """Return a file as it was written, before its macros were, and its root."""
        source = as_written(self.sources[path])
        return source, self.parse_root(path) if source is self.sources[path] else parse_bounded(source, "rust")

    def find_nodes(self, path: str, *kinds: str) -> list[Node]:
        """Find a file's nodes of some kinds, in order."""
        key = (path, kinds)
        if key not in self._kinds:
            self._kinds[key] = find_keyword_nodes(self.parse_root(path), self.sources[path].data, kinds)
        return self._kinds[key]

    def iter_matches_near(self, path: str, name: str, words: re.Pattern[bytes]) -> Iterator[dict[str, Node]]:
        """Run a query on a file where some words stand that no match can do without."""
        places = (hit.span() for hit in words.finditer(self.sources[path].data))
        return iter_matches_at(self.parse_root(path), "rust", name, places)

    def find_nodes_near(self, path: str, words: re.Pattern[bytes], *kinds: str) -> list[Node]:
        """Find a file's nodes of some kinds in which some words stand, in order."""
        places = (hit.span() for hit in words.finditer(self.sources[path].data))
        return find_descendants_at(self.parse_root(path), "rust", places, *kinds)

    def list_parsed(self) -> list[str]:
        """Name the files parsed so far."""
        return sorted(self._roots)

    def find_matching(self, pattern: re.Pattern[bytes]) -> list[str]:
        """Name the files whose bytes match."""
        return self._prefilter.find_matching(pattern)

    def find_functions(self, name: str) -> list[RustItem]:
        """Find the functions and methods of a name that have a body."""
        return self.find_declared(name, "fn")

    def find_constants(self, name: str) -> list[RustItem]:
        """Find the constants and statics of a name."""
        return self.find_declared(name, "const")

    def find_declared(self, name: str, *kinds: str) -> list[RustItem]:
        """Find what is declared by a name, outside of functions and of test code."""
        return [
            item for path in self.find_declaring(name, *kinds) for item in self.find_declared_in(path, name, *kinds)
        ]

    def find_declared_in(self, path: str, name: str, *kinds: str) -> list[RustItem]:
        """Find what one file declares by a name."""
        table = self.list_declarations(path)
        return [item for kind in kinds for item in table.get((kind, name), ())]

    def find_declaring(self, name: str, *kinds: str, owner: str = "") -> list[str]:
        """Name the files whose bytes declare a name, for a type or trait `owner` only those with an impl that speaks of it."""
        asked = (name, kinds, owner)
        if asked not in self._declaring:
            key = name.encode()
            words = dict.fromkeys(word for kind in kinds for word in WORDS[kind])
            paths = dict.fromkeys(path for word in words for path in self._names.get((word, key), ()))
            found = sorted(paths, key=self._order.__getitem__) if len(words) > 1 else list(paths)
            self._declaring[asked] = [
                each for each in found if not owner or owner.encode() in self._collect_heads(each)
            ]
        return self._declaring[asked]

    def is_declared(self, name: str) -> bool:
        """Tell, without parsing anything, whether some file may declare a name."""
        return name.encode() in self._known

    @cached_property
    def _known(self) -> frozenset[bytes]:
        return frozenset(name for _, name in self._names)

    def _collect_candidates(self, names: tuple[str, ...], kinds: tuple[str, ...]) -> list[RustItem]:
        """Find what is declared by a path's last name; a type's methods only where its name stands in an impl."""
        if len(names) < 2 or not names[-2][:1].isupper():
            return self.find_declared(names[-1], *kinds)
        paths = self.find_declaring(names[-1], *kinds, owner=names[-2])
        return [item for path in paths for item in self.find_declared_in(path, names[-1], *kinds)]

    def list_declarations(self, path: str) -> dict[tuple[str, str], list[RustItem]]:
        """List a file's declarations by kind and name."""
        if path not in self._declared:
            table: dict[tuple[str, str], list[RustItem]] = {}
            for node in _iter_declarations(self.parse_root(path)):
                item = RustItem(path, node, self.sources[path])
                table.setdefault((NAMED[node.type], item.name), []).append(item)
            self._declared[path] = table
        return self._declared[path]

    def read_uses(self, path: str) -> Uses:
        """Say what the `use` declarations of a file bring in."""
        if path not in self._uses:
            found = self._uses[path] = Uses()
            for each in self.find_nodes(path, "use_declaration"):
                read_use(each, found)
        return self._uses[path]

    def resolve(
        self, names: tuple[str, ...], path: str, *kinds: str, near: Node | None = None
    ) -> RustItem | Opaque | None:
        """Find the declaration that a path means in a file, or None if it lies outside of the tree.

        The same module comes first, then what `use` brings in, then a name that is unique in the tree.
        """
        names = tuple(name for name in names if name not in ("self", "Self"))
        if not names:
            return None
        used = self.read_uses(path).names.get(names[0])
        full = (*used, *names[1:]) if used is not None and used != names else names
        if len(full) > 1 and (full[0] in OUTSIDE or full[-2] in PRELUDE):
            return None
        found = [item for item in self._collect_candidates(full, kinds) if _answers_to(item, full)]
        if len(found) < 2:
            return found[0] if found else None
        return self._build_nearest(found, full, path, near)

    def _build_nearest(
        self, found: list[RustItem], names: tuple[str, ...], path: str, near: Node | None
    ) -> RustItem | Opaque:
        here = build_module_path(path)
        around = _collect_inner_modules(near) if near is not None else ()
        scores = [_score(item, names[:-1], path, (*here, *around)) for item in found]
        best = [item for item, score in zip(found, scores, strict=True) if score == max(scores)]
        first = best[0]
        if all(item.path == first.path and item.node.parent == first.node.parent for item in best):
            return first  # alternatives under #[cfg]
        return Opaque(f"`{names[-1]}` is declared {len(best)} times", first.span)

    def locate_text(self, path: str, node: Node) -> Text:
        """Return the source of a node."""
        return locate_text(self.sources[path], node)

    def locate_node(self, path: str, node: Node) -> Span:
        """Return the place of a node."""
        return locate_node(self.sources[path], node)

    def find_version(self, path: str, crate: str) -> Version | None:
        """Return major and minor version of a crate that a file is compiled against, or None if nothing tells."""
        if crate in self._given:
            return self._given[crate]
        key = (self.find_package_folder(path) or "", crate)
        if key not in self._versions:
            self._versions[key] = find_version(self.manifests, path, crate)
        return self._versions[key]

    def find_package_folder(self, path: str) -> str | None:
        """Name the folder of the nearest Cargo.toml above a file; the root's is the empty string."""
        parts = path.split("/")[:-1]
        folders = ("/".join(parts[:end]) for end in range(len(parts), -1, -1))
        return next((folder for folder in folders if f"{folder}/Cargo.toml".lstrip("/") in self.manifests), None)

    @cached_property
    def _names(self) -> dict[tuple[bytes, bytes], list[str]]:
        found: dict[tuple[bytes, bytes], list[str]] = {}
        for path, source in self.sources.items():
            for declared in _collect_declared_in(source):
                found.setdefault(declared, []).append(path)
        return found

    @cached_property
    def _order(self) -> dict[str, int]:
        return {path: place for place, path in enumerate(self.sources)}

    def _collect_heads(self, path: str) -> frozenset[bytes]:
        """Return the words that stand in the heads of a file's impls and traits."""
        if path not in self._headed:
            heads = [head for each in HEADS for head in each.findall(self.sources[path].data)]
            self._headed[path] = frozenset(WORD.findall(b" ".join(heads)))
        return self._headed[path]


_declared: WeakKeyDictionary[Source, list[tuple[bytes, bytes]]] = WeakKeyDictionary()


def _collect_declared_in(source: Source) -> list[tuple[bytes, bytes]]:
    """Return the words and names of a file's declarations, read once for all who read the same source."""
    if source not in _declared:
        found = ((word, set(pattern.findall(source.data))) for word, pattern in DECLARATIONS.items())
        _declared[source] = [(word, name) for word, names in found for name in names]
    return _declared[source]


T = TypeVar("T")


def memoize(read: Callable[[RustItems], T]) -> Callable[[RustItems], T]:
    """Make what reads the whole tree read it a single time."""

    @wraps(read)
    def read_once(items: RustItems) -> T:
        if read not in items.kept:
            items.kept[read] = read(items)
        found: T = items.kept[read]
        return found

    return read_once


def is_in_test(node: Node) -> bool:
    """Return whether a node lies in a `#[cfg(test)]` item or in a `#[test]` function."""
    current: Node | None = node
    while current is not None:
        if (current.type in CONTAINERS or current.type in NAMED) and _is_test(current):
            return True
        current = find_parent(current)
    return False


def iter_attributes_before(node: Node) -> Iterator[Node]:
    """Yield the attributes that stand over a node, last to first, whatever stands between."""
    before = node.prev_sibling
    while before is not None and (before.type in GAP or before.type == "visibility_modifier"):
        if before.type == "attribute_item":
            yield before
        before = before.prev_sibling


@cache_latest(maxsize=4096)
def _is_test(node: Node) -> bool:
    return any(TEST.match(decode_node(attribute)) for attribute in iter_attributes_before(node))


def _iter_declarations(node: Node) -> Iterator[Node]:
    for part in node.named_children:
        if part.type in NAMED and find_child(part, "name") is not None and not _is_test(part):
            yield part
        if part.type in CONTAINERS and not _is_test(part):
            body = find_child(part, "body")
            if body is not None:
                yield from _iter_declarations(body)
        elif part.type == "ERROR":
            yield from _iter_declarations(part)


def _collect_inner_modules(node: Node) -> tuple[str, ...]:
    """Return the names of the modules within the file that a node stands in, and of the impl's type."""
    names = []
    parent = node.parent
    while parent is not None:
        name = find_child(parent, "name") if parent.type == "mod_item" else None
        if parent.type == "impl_item":
            name = find_child(parent, "type")
        if name is not None:
            names.append(read_segments(name)[-1] if read_segments(name) else decode_node(name))
        parent = find_parent(parent)
    return tuple(reversed(names))


def _answers_to(item: RustItem, names: tuple[str, ...]) -> bool:
    """Return whether what stands in an impl block is asked for by its type's name, and only that."""
    around = item.node.parent.parent if item.node.parent is not None else None
    by_type = len(names) > 1 and names[-2][:1].isupper()
    if around is None or around.type not in ("impl_item", "trait_item"):
        return not by_type
    owner = find_child(around, "type") or find_child(around, "name")
    return by_type and owner is not None and read_segments(owner)[-1:] == names[-2:-1]


def _score(item: RustItem, qualifier: tuple[str, ...], path: str, here: tuple[str, ...]) -> tuple[int, int, int]:
    """Rank a candidate: by how much of the written path its module answers to, then by how near it is."""
    module = (*build_module_path(item.path), *_collect_inner_modules(item.node))
    shared = _find_same(here, module)
    if qualifier[:1] in (("self",), ("super",)) or not qualifier:
        local = qualifier
        while local[:1] in (("self",), ("super",)):
            here, local = (here[:-1] if local[0] == "super" else here), local[1:]
        wanted = (*here, *local)
        return _find_same(wanted, module) if qualifier else 0, int(item.path == path), shared * 2 - len(module)
    if qualifier[0] == "crate":
        inside = (*build_crate_path(item.path), *_collect_inner_modules(item.node))
        whole = _find_same(qualifier[1:], inside) == len(qualifier) - 1 and find_crate_folder(
            item.path
        ) == find_crate_folder(path)
        return int(whole) * len(qualifier), 0, -len(inside)
    tail = _find_same(qualifier[::-1], module[::-1])
    return tail or int(qualifier[-1] in module), 0, shared * 2 - len(module)


def _find_same(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Count the segments that two paths begin with alike."""
    length = 0
    while length < min(len(one), len(other)) and one[length] == other[length]:
        length += 1
    return length
