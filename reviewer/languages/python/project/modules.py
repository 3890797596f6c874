"""The modules of a project: their names, their syntax (parsed once, when first asked for), and which one an import means."""

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import field
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

from tree_sitter import Node

from reviewer.files.discovery import is_aside
from reviewer.languages.nodes import parse_bounded
from reviewer.languages.prefilter import Prefilter, mentions
from reviewer.records import dataclass
from reviewer.source import Source, Span, count_common_parts
from reviewer.text.patterns import pattern

GENERATING = (b".from_openapi(", b".from_fastapi(", b".as_proxy(", b"FastApiMCP(", b"mcp_server=True")
"""What makes a server whose tools are written nowhere."""

DECLARING = (
    b"FastMCP(",
    b"FastMCP[",
    b"MCPServer(",
    b"Server(",
    b"Server[",
    b"Tool(",
    b".tool",
    b"@tool",
    b"add_tool",
    b"list_tools",
    b"import_server",
    b"LocalProvider(",
    b"FileSystemProvider(",
    b"add_provider(",
    b".register_all(",
    *GENERATING,
    b"ActionSpec(",
    b"def respond(",
)
"""What a file holds that declares tools or answers for them, found by a byte search before anything is parsed."""

# A server imports an SDK or names the protocol. Files without the word are not asked for declarations.
PROTOCOL = pattern(rb"mcp", re.IGNORECASE)

PATH = pattern(rb"\bsys\.path\.(?:insert|append|extend)\(")
"""What lets a script import modules of another folder by themselves."""


@dataclass(eq=False)
class PyModule:
    """One file. `parts` is its path as dotted parts from the reviewed root, without `__init__`."""

    source: Source
    parts: tuple[str, ...]
    is_package: bool
    is_user: bool = False
    """Whether it uses functions of another project module that declare tools."""
    sites: list[Node] | None = field(default=None, repr=False)
    """Where tools may be declared in it, once that was asked for."""
    _root: Node | None = field(default=None, repr=False)
    _spans: dict[int, tuple[Node, Span]] = field(default_factory=dict, repr=False)
    _mentioned: dict[re.Pattern[bytes], bool] = field(default_factory=dict, repr=False)

    @property
    def path(self) -> str:
        """The file, relative to the reviewed root."""
        return self.source.path

    @property
    def root(self) -> Node:
        """The syntax of the whole file."""
        if self._root is None:
            self._root = parse_bounded(self.source, "python")
        return self._root

    @property
    def is_parsed(self) -> bool:
        """Whether the file was of interest so far."""
        return self._root is not None

    @cached_property
    def is_aside(self) -> bool:
        """Whether the file is a copy of what others wrote."""
        return is_aside(self.path)

    @property
    def may_declare(self) -> bool:
        """Whether the file is worth evaluating for itself; others are when something is imported from them."""
        return self.is_user or self._declares

    @cached_property
    def _declares(self) -> bool:
        data = self.source.data
        if self.is_aside:
            return False
        return (b"mcp" in data or b"MCP" in data) and any(sign in data for sign in DECLARING)

    @cached_property
    def speaks_mcp(self) -> bool:
        """Whether the file mentions the protocol at all."""
        return mentions(self.source.data, PROTOCOL)

    def mentions(self, pattern: re.Pattern[bytes]) -> bool:
        """Return whether the file's bytes match, searched once however many of its functions are looked through."""
        if pattern not in self._mentioned:
            self._mentioned[pattern] = mentions(self.source.data, pattern)
        return self._mentioned[pattern]

    def locate(self, node: Node) -> Span:
        """Return the place of a node of this file."""
        known = self._spans.get(node.id)
        if known is None:
            known = self._spans[node.id] = (node, self.source.to_span(node.start_point, node.end_point))
        return known[1]


class Modules:
    """All Python files under the root."""

    def __init__(self, sources: dict[str, Source], *, is_project: bool = False, root: Path | None = None) -> None:
        """Take the files; `is_project` tells that the root holds a project's manifest, so that it is no package itself."""
        self._is_project = is_project
        self._own = find_root_name(root) if root is not None and "__init__.py" in sources and not is_project else ()
        self.by_path: dict[str, PyModule] = {}
        self._by_last: defaultdict[str, list[PyModule]] = defaultdict(list)
        self._namespaces: dict[tuple[str, ...], PyModule] = {}
        for path, source in sources.items():
            *folders, name = path.split("/")
            is_package = name == "__init__.py"
            parts = tuple(folders) if is_package else (*folders, name.removesuffix(".py"))
            module = PyModule(source, parts, is_package)
            self.by_path[path] = module
            if parts:
                self._by_last[parts[-1]].append(module)
        self._prefilter = Prefilter(sources)
        self.imports: dict[PyModule, list[Any]] = {}
        """What `reach` read of what modules import: several starts are followed along the same imports."""

    def find_containing(self, words: Iterable[bytes]) -> list[PyModule]:
        """Return the modules whose bytes hold one of some words."""
        return [self.by_path[path] for path in self._prefilter.find_containing(words)]

    def mention(self, pattern: re.Pattern[bytes]) -> bool:
        """Return whether the bytes of any module match."""
        return bool(self._prefilter.find_matching(pattern))

    def find_protocol_modules(self) -> list[PyModule]:
        """Return the modules that mention the protocol at all."""
        return [self.by_path[path] for path in self._prefilter.find_matching(PROTOCOL)]

    def resolve(self, dotted: str, importer: PyModule) -> PyModule | None:
        """Find the module that an absolute import means: the one that ends in `dotted` and is nearest to the importer."""
        parts = tuple(dotted.split("."))
        if parts[0] in sys.stdlib_module_names:
            return None
        found = [module for module in self._by_last[parts[-1]] if self._is_reachable(module, parts, importer)]
        if not found and self._own and parts[: len(self._own)] == self._own:
            return self._find_below_root(parts[len(self._own) :])
        return max(
            found,
            key=lambda module: (count_common_parts(module.parts, importer.parts), -len(module.parts)),
            default=None,
        )

    def _find_below_root(self, parts: tuple[str, ...]) -> PyModule | None:
        """Find a module by its path below the root, which is a package."""
        if not parts:
            return self.by_path.get("__init__.py")
        return next((each for each in self._by_last[parts[-1]] if each.parts == parts), None) or self.find_namespace(
            parts
        )

    def _is_reachable(self, module: PyModule, parts: tuple[str, ...], importer: PyModule) -> bool:
        """Return whether a module can be imported as `parts`: from a source root, or from the folder of a script beside it."""
        if module.parts[-len(parts) :] != parts:
            return False
        above = module.parts[: -len(parts)]
        beside = above == (importer.parts if importer.is_package else importer.parts[:-1])
        return (
            beside or not self._is_in_package(above, importer) or (bool(above) and _puts_on_path(importer, above[-1]))
        )

    def _is_in_package(self, folder: tuple[str, ...], importer: PyModule) -> bool:
        """Return whether a folder is a package or lies in one: nothing below it is imported by a name that begins there.

        To what lies in it itself, a folder without an `__init__.py` may be where its own project begins.
        """
        if not folder:
            return "__init__.py" in self.by_path and not self._is_project
        within = importer.parts[: len(folder)] == folder
        ends = range(len(folder) if within else 1, len(folder) + 1)
        return any("/".join((*folder[:end], "__init__.py")) in self.by_path for end in ends)

    def format_import_name(self, module: PyModule) -> str:
        """Return the name by which a module is imported: from the outermost package that it lies in."""
        outer = [package.parts for package in self.list_enclosing_packages(module)]
        start = min((len(parts) for parts in outer), default=len(module.parts)) - 1
        return ".".join(module.parts[max(start, 0) :])

    def find_by_name(self, dotted: str) -> PyModule | None:
        """Find the module of a dotted name, from whichever source root."""
        parts = tuple(dotted.split("."))
        found = [module for module in self._by_last[parts[-1]] if module.parts[-len(parts) :] == parts]
        return min(found, key=lambda module: len(module.parts), default=None)

    @cached_property
    def _folders(self) -> set[tuple[str, ...]]:
        """The folders that hold modules at any depth, as dotted parts."""
        return {each.parts[:end] for each in self.by_path.values() for end in range(1, len(each.parts))}

    def find_namespace(self, parts: tuple[str, ...]) -> PyModule | None:
        """Return the package that a folder without `__init__.py` stands for, if there are modules below it."""
        if parts not in self._folders:
            return None
        if parts not in self._namespaces:
            self._namespaces[parts] = PyModule(Source("/".join((*parts, "__init__.py")), b""), parts, True)
        return self._namespaces[parts]

    def find_package(self, folder: str) -> PyModule | None:
        """Return the package that a folder of the tree is."""
        return self.by_path.get(f"{folder}/__init__.py") or self.find_namespace(tuple(folder.split("/")))

    def list_package_modules(self, module: PyModule) -> list[PyModule]:
        """Return the modules at any depth of the package that a module is, or lies in."""
        package = module.parts if module.is_package else module.parts[:-1]
        below = (each for each in self.by_path.values() if package and each.parts[: len(package)] == package)
        return [each for each in below if each.parts[-1].isidentifier()]

    def list_enclosing_packages(self, module: PyModule) -> list[PyModule]:
        """Return the packages that a module lies in."""
        parts = module.parts[:-1]
        inits = ("/".join((*parts[:end], "__init__.py")) for end in range(len(parts), 0, -1))
        return [self.by_path[path] for path in inits if path in self.by_path]

    def resolve_relative(self, level: int, dotted: str, importer: PyModule) -> PyModule | None:
        """Find the module that a relative import means."""
        base = importer.parts if importer.is_package else importer.parts[:-1]
        if level - 1 > len(base):
            return None
        parts = (*base[: len(base) - level + 1], *(dotted.split(".") if dotted else ()))
        return self._find_below_root(parts)

    def list_submodules(self, package: PyModule) -> list[PyModule]:
        """Return the modules directly inside a package, by name."""
        return list(self._by_folder.get(package.parts, ()))

    @cached_property
    def _by_folder(self) -> dict[tuple[str, ...], list[PyModule]]:
        found: dict[tuple[str, ...], list[PyModule]] = {}
        for each in self.by_path.values():
            if each.parts:
                found.setdefault(each.parts[:-1], []).append(each)
        return found


def find_root_name(root: Path) -> tuple[str, ...]:
    """Return the name by which a package is imported that is the root itself: its folder's, after those of packages around it."""
    folder = root.resolve()
    around = takewhile(lambda each: (each / "__init__.py").is_file(), folder.parents)
    return (*reversed([each.name for each in around]), folder.name)


def _puts_on_path(importer: "PyModule", folder: str) -> bool:
    """Return whether a script changes where modules are looked for, and names a folder: `ROOT / "src"`."""
    data = importer.source.data
    return PATH.search(data) is not None and re.search(rb"[\"'/]%s[\"'/]" % os.fsencode(folder), data) is not None
