"""The modules of a project: what each imports and exports, and which file an import means."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, NamedTuple

from tree_sitter import Node

from reviewer.files.discovery import SCRIPTS, TYPED, Tree, is_aside
from reviewer.languages.nodes import decode_node, parse_bounded
from reviewer.languages.typescript.lowering import lower_module
from reviewer.languages.typescript.lowering.files import TypeScriptCode, has_token, list_children
from reviewer.languages.typescript.lowering.literals import read_string
from reviewer.languages.typescript.lowering.scopes import iter_bound
from reviewer.languages.typescript.lowering.statements import DEFAULT, iter_imports
from reviewer.languages.typescript.project.locks import Lock, LockRequest, iter_lock_names, parse_lock
from reviewer.languages.typescript.project.manifests import iter_above, parse_commented_json
from reviewer.records import dataclass
from reviewer.source import Opaque, Source, Span

WRITTEN = {".js": (".ts", ".tsx"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}
"""How a file may be called in the source that is called so once it is compiled."""

BUILT = frozenset({"dist", "build", "out", "lib"})
"""Folders with what was compiled, where the source is there as well."""

LARGEST = 2**18
"""Bytes. A larger file of JavaScript is no source that a person wrote, but a bundle of many."""

INDEX = "index"
UNLOCKED = "the lock file cannot be read, so releases are taken from package.json"
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
"""What the names of files end in that hold types alone."""


class Imported(NamedTuple):
    """A name of another module, None if it is that module itself."""

    module: str
    name: str | None


TYPE_ONLY = frozenset({"interface_declaration", "type_alias_declaration", "ambient_declaration"})
"""Declarations of which nothing is left when the code runs."""


class Export(NamedTuple):
    """What a module gives under a name: a name of its own, or of another module."""

    local: str = ""
    of: Imported | None = None


@dataclass(eq=False)
class ScriptModule:
    """One file of TypeScript or JavaScript."""

    path: str
    source: Source

    @cached_property
    def root(self) -> Node:
        """Its syntax tree."""
        return parse_bounded(self.source, "typescript")

    @cached_property
    def code(self) -> TypeScriptCode:
        """What it does when it is imported."""
        return lower_module(self.source, self.root)

    @cached_property
    def imports(self) -> Mapping[str, Imported]:
        """What the names mean that it imports."""
        found: dict[str, Imported] = {}
        for each in self.root.named_children:
            if each.type == "import_statement" and not has_token(each, "type"):
                for name, module, given in iter_imports(each, self.source.data):
                    found[name] = Imported(module, given)
        return found

    @cached_property
    def bare_imports(self) -> tuple[str, ...]:
        """The modules that it imports for what they do, and names nothing of."""
        statements = (each for each in self.root.named_children if each.type == "import_statement")
        return tuple(
            read_string(source, self.source.data)
            for each in statements
            if (source := each.child_by_field_name("source")) is not None
            and not any(part.type == "import_clause" for part in each.named_children)
        )

    @cached_property
    def _told(self) -> tuple[Mapping[str, Export], tuple[str, ...]]:
        return _collect_exports(self.root, self.source.data, self.imports)

    @property
    def exports(self) -> Mapping[str, Export]:
        """What it gives to others, by name."""
        return self._told[0]

    @property
    def stars(self) -> tuple[str, ...]:
        """The modules of which it gives all."""
        return self._told[1]

    def locate(self, node: Node) -> Span:
        """Return the place of a node."""
        return self.source.to_span(node.start_point, node.end_point)


def _collect_exports(
    root: Node, data: bytes, imports: Mapping[str, Imported]
) -> tuple[Mapping[str, Export], tuple[str, ...]]:
    found: dict[str, Export] = {}
    stars: list[str] = []
    for each in root.named_children:
        if each.type != "export_statement" or (
            has_token(each, "type") and each.child_by_field_name("declaration") is None
        ):
            continue
        source = each.child_by_field_name("source")
        module = read_string(source, data) if source is not None else ""
        if has_token(each, "default", "="):
            found[DEFAULT] = Export(DEFAULT)
        declaration = each.child_by_field_name("declaration")
        if declaration is not None and declaration.type not in TYPE_ONLY and not has_token(each, "default"):
            found |= {name: Export(name) for name in _iter_declared(declaration, data)}
        if source is not None and any(part.type == "*" for part in each.children):
            stars.append(module)
        for part in list_children(each):
            if part.type == "namespace_export":
                found |= {decode_node(name): Export(of=Imported(module, None)) for name in part.named_children[:1]}
            for one in list_children(part) if part.type == "export_clause" else ():
                name, alias = one.child_by_field_name("name"), one.child_by_field_name("alias")
                if name is None or has_token(one, "type"):
                    continue
                local = decode_node(name)
                of = Imported(module, local) if source is not None else imports.get(local)
                found[decode_node(alias or name)] = Export("" if of is not None else local, of)
    return found, tuple(stars)


def _iter_declared(declaration: Node, data: bytes) -> Iterator[str]:
    name = declaration.child_by_field_name("name")
    if name is not None:
        yield decode_node(name)
    for each in list_children(declaration):
        if each.type == "variable_declarator":
            yield from iter_bound(each.child_by_field_name("name"), data)


@dataclass(eq=False)
class Modules:
    """All modules of a tree, by path, and what its manifests say of the names in imports."""

    tree: Tree
    by_path: dict[str, ScriptModule] = field(default_factory=dict)
    bundles: list[Source] = field(default_factory=list)
    """Files that are no source that a person wrote, and are not read."""
    _resolved: dict[tuple[str, str], ScriptModule | None] = field(default_factory=dict)
    _read: dict[str, Any] = field(default_factory=dict)
    _locks: dict[str, Lock | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path, source in self.tree.sources.items():
            if not path.endswith(SCRIPTS) or path.endswith(DECLARATIONS):
                continue
            if not path.endswith(TYPED) and len(source.data) > LARGEST:
                self.bundles.append(source)
            else:
                self.by_path[path] = ScriptModule(path, source)

    def iter_own(self) -> Iterator[ScriptModule]:
        """Yield the modules that are searched for servers."""
        is_compiled = any(path.endswith(TYPED) for path in self.by_path)
        for each in self.by_path.values():
            folders = each.path.split("/")[:-1]
            if not is_aside(each.path) and not (
                is_compiled and not each.path.endswith(TYPED) and not BUILT.isdisjoint(folders)
            ):
                yield each

    def resolve(self, name: str, importer: str) -> ScriptModule | None:
        """Return the module of the project that an import means, None if it means none."""
        key = (name, posixpath.dirname(importer))
        if key not in self._resolved:
            places = self._iter_places(name, key[1])
            self._resolved[key] = next((found for each in places if (found := self._find_at(each)) is not None), None)
        return self._resolved[key]

    def find_json(self, name: str, importer: str) -> Any:
        """Return the value of a file of JSON that is imported, None if it cannot be read."""
        if not name.endswith(".json") or not name.startswith("."):
            return None
        place = posixpath.normpath(posixpath.join(posixpath.dirname(importer), name))
        text = self.tree.find_text(place) if not place.startswith("..") else None
        return _parse_json_or_none(text) if text is not None else None

    def _find_at(self, place: str) -> ScriptModule | None:
        """Return the module that lies at a place, whose ending may be left out, or another once it is compiled."""
        if place.startswith(".."):
            return None
        place = "" if place == "." else place
        if place in self.by_path:
            return self.by_path[place]
        stem, ending = posixpath.splitext(place)
        names = [stem + each for each in WRITTEN.get(ending, ())]
        names += [place + each for each in SCRIPTS]
        names += [posixpath.join(place, INDEX + each) for each in SCRIPTS]
        return next((self.by_path[each] for each in names if each in self.by_path), None)

    def _iter_places(self, name: str, folder: str) -> Iterator[str]:
        if name.startswith("."):
            yield posixpath.normpath(posixpath.join(folder, name))
            return
        for above in iter_above(folder):
            yield from self._iter_aliased(name, above)
        yield from self._iter_of_package(name)

    def _iter_aliased(self, name: str, folder: str) -> Iterator[str]:
        """Yield the paths that a name may mean by the `paths` of a tsconfig.json and `imports` of a package.json in a folder."""
        options = self._read_manifest(posixpath.join(folder, "tsconfig.json")).get("compilerOptions")
        options = options if isinstance(options, dict) else {}
        told = options.get("baseUrl")
        base = told if isinstance(told, str) else "."
        paths = options.get("paths")
        given = [(key, each) for key, each in paths.items()] if isinstance(paths, dict) else []
        imports = self._read_manifest(posixpath.join(folder, "package.json")).get("imports")
        own = [(key, each) for key, each in imports.items()] if isinstance(imports, dict) else []
        for key, targets, start in ((*each, base) for each in given):
            yield from _match(name, key, targets, posixpath.join(folder, start))
        for key, targets in own:
            for each in _match(name, key, _flatten(targets), folder):
                yield each
                yield re.sub(r"(^|/)(?:dist|build|lib|out)/", r"\1src/", each, count=1)
        if options.get("baseUrl"):
            yield posixpath.normpath(posixpath.join(folder, base, name))

    def _iter_of_package(self, name: str) -> Iterator[str]:
        """Yield the paths that a name may mean that is that of another package of the repository."""
        for path in self.tree.manifests:
            if posixpath.basename(path) != "package.json":
                continue
            called, folder = self._read_manifest(path).get("name"), posixpath.dirname(path)
            if not isinstance(called, str) or not (name == called or name.startswith(f"{called}/")):
                continue
            rest = name[len(called) :].lstrip("/")
            if rest:
                yield posixpath.join(folder, "src", rest)
                yield posixpath.join(folder, rest)
            else:
                main = self._read_manifest(path).get("main")
                yield posixpath.join(folder, "src")
                yield posixpath.normpath(posixpath.join(folder, main if isinstance(main, str) else "."))
                yield folder

    def _read_manifest(self, path: str) -> dict[str, Any]:
        path = path.lstrip("/")
        if path not in self._read:
            self._read[path] = {}
            manifest = self.tree.manifests.get(path)
            if manifest is not None:
                try:
                    read = _parse_json_or_none(manifest.read_text("utf-8", "replace"))
                except OSError:
                    read = None
                self._read[path] = read if isinstance(read, dict) else {}
        found: dict[str, Any] = self._read[path]
        return found

    def find_package(self, path: str) -> tuple[str, dict[str, Any]] | None:
        """Return the folder and the package.json nearest above a file."""
        for folder in iter_above(posixpath.dirname(path)):
            place = posixpath.join(folder, "package.json")
            if place in self.tree.manifests:
                return folder, self._read_manifest(place)
        return None

    def find_locked_version(self, package: str, folder: str, wanted: str) -> str | None:
        """Return the release of a package that a folder gets by the nearest lock file above it, None if that is not said."""
        for above in iter_above(folder):
            manifest = self._read_manifest(posixpath.join(above, "package.json"))
            names = (posixpath.join(above, each) for each in iter_lock_names(manifest.get("packageManager")))
            place = next((each for each in names if each in self.tree.manifests), None)
            if place is None:
                continue
            owner = self._read_manifest(posixpath.join(folder, "package.json")).get("name")
            own = folder.removeprefix(above).lstrip("/")
            return self._find_in_lock(place, LockRequest(package, own, str(owner), wanted))
        return None

    def _find_in_lock(self, path: str, request: LockRequest) -> str | None:
        """Return the releases of a lock file; None if it cannot be read, which is named."""
        try:
            if path not in self._locks:
                self._locks[path] = None
                text = self.tree.manifests[path].read_text("utf-8", "replace")
                self._locks[path] = parse_lock(posixpath.basename(path), text)
            lock = self._locks[path]
            return lock.find_version(request) if lock is not None else None
        except (OSError, ValueError) as error:
            why = str(error) if isinstance(error, ValueError) else (error.strerror or "").lower()
            self._locks[path] = None
            self.tree.gaps[path] = Opaque(f"{UNLOCKED}: {why}", Span(path, 1, 1, 1, 1))
            return None


def _flatten(targets: Any) -> list[str]:
    if isinstance(targets, dict):
        return [each for part in targets.values() for each in _flatten(part)]
    return [targets] if isinstance(targets, str) else list(targets) if isinstance(targets, list) else []


def _match(name: str, key: str, targets: Any, folder: str) -> Iterator[str]:
    """Yield the places that a pattern as `@/*` gives a name."""
    before, star, after = key.partition("*")
    if name != key if not star else not (name.startswith(before) and name.endswith(after)):
        return
    middle = name[len(before) : len(name) - len(after)] if star else ""
    for each in targets if isinstance(targets, list) else []:
        if isinstance(each, str):
            yield posixpath.normpath(posixpath.join(folder, each.replace("*", middle)))


def _parse_json_or_none(text: str) -> Any:
    try:
        return parse_commented_json(text)
    except ValueError:
        return None
