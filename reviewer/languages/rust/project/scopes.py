"""What a path means where it is written: `use`, `crate::`, `super::`, `Self::`, globs, re-exports, the prelude, other crates."""

from __future__ import annotations

from functools import cached_property

from tree_sitter import Node

from reviewer.code.primitives import PRIMITIVES
from reviewer.languages.nodes import decode_node, find_child, find_parent
from reviewer.languages.rust.project.items import NAMED, RustItems
from reviewer.languages.rust.project.meanings import (
    Declared,
    Meaning,
    Outside,
    PathPlace,
    RustModule,
    RustScope,
    TypeMember,
    collect_bounds,
    map_variants,
    read_scope,
    resolve_module,
)
from reviewer.languages.rust.project.uses import UsePath, read_segments
from reviewer.text import toml
from reviewer.text.patterns import pattern

PRELUDE: dict[str, UsePath] = {
    "String": ("string", "String"),
    "Vec": ("vec", "Vec"),
    "Box": ("boxed", "Box"),
    "Option": ("option", "Option"),
    "Some": ("option", "Option", "Some"),
    "None": ("option", "Option", "None"),
    "Result": ("result", "Result"),
    "Ok": ("result", "Result", "Ok"),
    "Err": ("result", "Result", "Err"),
    "drop": ("mem", "drop"),
    "ToString": ("string", "ToString"),
    "ToOwned": ("borrow", "ToOwned"),
    "Default": ("default", "Default"),
    "Clone": ("clone", "Clone"),
    "Iterator": ("iter", "Iterator"),
    "IntoIterator": ("iter", "IntoIterator"),
    "Extend": ("iter", "Extend"),
    "Ord": ("cmp", "Ord"),
    "PartialOrd": ("cmp", "PartialOrd"),
    **{name: ("convert", name) for name in ("From", "Into", "TryFrom", "TryInto", "AsRef", "AsMut")},
    **{name: ("ops", name) for name in ("Fn", "FnMut", "FnOnce", "Drop")},
    **{name: (name,) for name in PRIMITIVES},
}
"""What every module sees without a `use`, below `std`."""

# `std` re-exports the other two, and models have its paths.
SAME = frozenset({"std", "core", "alloc"})
# Items in which a further name may be looked up: an associated function, a variant, a constant.
CONTAINERS = frozenset({"struct", "enum", "trait", "type"})
LOCAL = pattern(rb"\buse\s+[\w:{][\w:{},*\s#]*;|\b(?:struct|enum|union|trait|type)\s+\w+\s*[<{(;=:]")
"""How items begin that a function has for itself; what words of a text look like them costs no more than a look."""
DEEPEST = 40
"""How often one name is looked up through another: `use` of `use`. Nobody re-exports a name half as often."""


Seen = frozenset[tuple[RustScope, str]]
"""The names that are being looked up, each by what its scope says that it uses."""


class Scopes:
    """What the names of a project mean. Files are parsed when a path leads there."""

    def __init__(self, items: RustItems) -> None:
        self.items = items
        self._scopes: dict[tuple[str, int], RustScope] = {}
        self._places: dict[tuple[str, int, int], PathPlace] = {}
        self._known: dict[tuple[PathPlace, UsePath], Meaning | None] = {}
        self._variants: dict[Declared, dict[str, Node]] = {}
        self._modules: dict[tuple[RustModule, str], list[RustScope]] = {}
        self._targets: dict[tuple[RustScope, UsePath], Meaning | None] = {}
        self._insides: dict[RustScope, PathPlace] = {}
        self._owners: dict[tuple[str, int], Declared | Outside | None] = {}

    @cached_property
    def _files(self) -> dict[RustModule, list[str]]:
        found: dict[RustModule, list[str]] = {}
        for path in self.items.sources:
            found.setdefault(resolve_module(path), []).append(path)
        return found

    @cached_property
    def _crates(self) -> dict[str, str]:
        """The folders of the crates, by the names that other crates call them."""
        found: dict[str, str] = {}
        for path, manifest in self.items.manifests.items():
            try:
                written = toml.parse_toml(manifest.read_text("utf-8", "replace"))
            except (OSError, ValueError):
                continue
            for part in (written.get("package"), written.get("lib")):
                name = part.get("name") if isinstance(part, dict) else None
                if isinstance(name, str):
                    found[name.replace("-", "_")] = path.removesuffix("Cargo.toml")
        return found

    def place(self, path: str, start: int, end: int) -> PathPlace:
        """Return where the code between two bytes of a file stands."""
        key = (path, start, end)
        if key not in self._places:
            node = self.items.parse_root(path).descendant_for_byte_range(start, end)
            self._places[key] = self._place(path, node)
        return self._places[key]

    def place_of(self, path: str, node: Node) -> PathPlace:
        """Return where a node of a file stands."""
        return self.place(path, node.start_byte, node.end_byte)

    def _place(self, path: str, node: Node | None) -> PathPlace:
        outermost: Node | None = None
        around: Node | None = None
        inner: list[str] = []
        bounds: dict[str, Node | None] = {}
        while node is not None:
            if node.type == "function_item":
                outermost = node
            elif node.type in ("impl_item", "trait_item") and around is None:
                around = node
            elif node.type == "mod_item":
                inner.insert(0, decode_node(find_child(node, "name") or node))
            if node.type in ("function_item", "impl_item", "trait_item"):
                bounds = {**collect_bounds(node), **bounds}
            node = find_parent(node)
        file = resolve_module(path)
        module = RustModule(file.crate, (*file.names, *inner))
        local: tuple[RustScope, ...] = ()
        if (
            outermost is not None
            and (body := find_child(outermost, "body")) is not None
            and LOCAL.search(body.text or b"")
        ):
            local = (self._get_scope(path, body, module, deep=True),)
        return PathPlace(path, module, local, around, bounds)

    def _get_scope(self, path: str, node: Node, module: RustModule, *, deep: bool = False) -> RustScope:
        key = (path, node.id)
        if key not in self._scopes:
            self._scopes[key] = read_scope(path, node, module, deep=deep)
        return self._scopes[key]

    def find_scopes(self, module: RustModule, near: str = "") -> list[RustScope]:
        """Return the items of a module, those of the file `near` first; none if there is no such module."""
        key = (module, near)
        if key not in self._modules:
            files = sorted(self._files.get(module, ()), key=lambda path: path != near)
            found = [self._get_scope(path, self.items.parse_root(path), module) for path in files]
            if module.names:
                outer = self.find_scopes(RustModule(module.crate, module.names[:-1]), near)
                bodies = [(each.path, each.inner.get(module.names[-1])) for each in outer]
                found += [self._get_scope(path, body, module) for path, body in bodies if body is not None]
            self._modules[key] = found
        return self._modules[key]

    def map_variants(self, declared: Declared) -> dict[str, Node]:
        """Return the variants of an enum, by name; of anything else, none."""
        if declared not in self._variants:
            self._variants[declared] = map_variants(declared.node)
        return self._variants[declared]

    def resolve_in_module(self, module: RustModule, name: str) -> Meaning | None:
        """Return the meaning of a name in a module."""
        return self._find_along(module, (name,), "", frozenset())

    def resolve(self, names: UsePath, place: PathPlace) -> Meaning | None:
        """Return the meaning of a path where it is written; None if it is unknown."""
        key = (place, names)
        if key not in self._known:
            self._known[key] = None  # for aliases of each other
            self._known[key] = self._resolve(names, place, frozenset())
        return self._known[key]

    def _resolve(self, names: UsePath, place: PathPlace, seen: Seen, *, is_last: bool = True) -> Meaning | None:
        """Return the meaning of a path; `is_last` is whether no names follow, so that it may be a function or a
        constant.
        """
        if not names or len(seen) > DEEPEST:
            return None
        head, rest = names[0], names[1:]
        if head in ("crate", "$crate"):
            return self._find_along(RustModule(place.module.crate), rest, place.path, seen, is_last=is_last)
        if head == "self":
            return self._find_along(place.module, rest, place.path, seen, is_last=is_last)
        if head == "super":
            module = place.module
            while names and names[0] in ("super", "self"):
                module = RustModule(module.crate, module.names[:-1]) if names[0] == "super" else module
                names = names[1:]
            return self._find_along(module, names, place.path, seen, is_last=is_last)
        if head == "Self":
            owner = self.resolve_self_type(place)
            return self._find_along(owner, rest, place.path, seen) if owner is not None else None
        if head in place.bounds:
            trait = place.bounds[head]
            around = PathPlace(place.path, place.module, place.local)
            bound = self._resolve(read_segments(trait), around, seen) if trait is not None else None
            return self._find_along(bound, rest, place.path, seen) if bound is not None else None
        scopes = [*place.local, *self.find_scopes(place.module, place.path)]
        found = self._find_among(scopes, head, seen, is_last=is_last and not rest)
        if found is None:
            return self._find_elsewhere(names, place, seen)
        return self._find_along(found, rest, place.path, seen, is_last=is_last)

    def _find_among(self, scopes: list[RustScope], name: str, seen: Seen, *, is_last: bool) -> Meaning | None:
        """Return the meaning of a name in some scopes: what they declare or import, then what their `*` imports have.

        Each scope is searched once, however many lead there: modules often import all of each other. At the end of a
        path a function is preferred to a module of the same name.
        """
        visited: set[RustScope] = set()
        module: RustModule | None = None
        while scopes:
            visited.update(scopes)
            for each in scopes:
                found = self._resolve_in_scope(each, name, seen, is_last=is_last)
                if isinstance(found, RustModule) and is_last:
                    module = module or found
                elif found is not None:
                    return found
            beyond: list[RustScope] = []
            for owner in (owner for each in scopes for owner in self._collect_globs(each)):
                if isinstance(owner, Declared) and owner.kind == "enum" and name in self.map_variants(owner):
                    return TypeMember(owner, name)
                if isinstance(owner, RustModule):
                    beyond += self.find_scopes(owner)
            scopes = [each for each in dict.fromkeys(beyond) if each not in visited]
        return module

    def _resolve_in_scope(self, scope: RustScope, name: str, seen: Seen, *, is_last: bool) -> Meaning | None:
        """Return the meaning of a name that a scope declares or imports."""
        found = self._find_declared(scope, name, is_last=is_last)
        used = scope.uses.names.get(name)
        is_found = found is not None and not (isinstance(found, RustModule) and is_last)
        if is_found or used is None or (scope, name) in seen:
            return found
        meant = self._resolve(used, self._get_inside(scope), seen | {(scope, name)}, is_last=is_last)
        if meant is None and len(used) == 1:
            return found or Outside(used)  # `use serde_json as json`
        return meant or found

    def _collect_globs(self, scope: RustScope) -> list[Meaning]:
        """Return the modules and types of which a scope imports everything (`*`)."""
        found: list[Meaning] = []
        for glob in scope.uses.globs:
            key = (scope, glob)
            if key not in self._targets:
                self._targets[key] = None  # for whoever asks while it is found
                found_there = self._resolve(glob, self._get_inside(scope), frozenset(), is_last=False)
                is_crate = len(glob) == 1 and glob[0] not in ("self", "super", "crate")
                self._targets[key] = Outside(glob) if found_there is None and is_crate else found_there
            target = self._targets[key]
            if target is not None:
                found.append(target)
        return found

    def _get_inside(self, scope: RustScope) -> PathPlace:
        if scope not in self._insides:
            local = () if scope in self.find_scopes(scope.module, scope.path) else (scope,)
            self._insides[scope] = PathPlace(scope.path, scope.module, local)
        return self._insides[scope]

    def _find_declared(self, scope: RustScope, name: str, *, is_last: bool) -> Meaning | None:
        nodes = sorted(
            scope.items.get(name, []), key=lambda each: NAMED[each.type] == "macro"
        )  # macros have names of their own
        module = RustModule(scope.module.crate, (*scope.module.names, name))
        is_module = name in scope.inner or module in self._files
        containers = [each for each in nodes if NAMED[each.type] in CONTAINERS]
        if not is_last and not containers and is_module:
            return module
        chosen = next(iter((nodes if is_last else containers) or nodes), None)
        if chosen is not None:
            return Declared(scope.path, chosen.start_byte, name, chosen)
        return module if is_module else None

    def _find_along(
        self, found: Meaning, names: UsePath, path: str, seen: Seen, *, is_last: bool = True
    ) -> Meaning | None:
        """Return the meaning of the further names of a path after that of the first ones."""
        current: Meaning | None = found
        for place, name in enumerate(names):
            match current:
                case RustModule():
                    is_end = is_last and place == len(names) - 1
                    current = self._find_among(self.find_scopes(current, path), name, seen, is_last=is_end)
                case Outside():
                    current = Outside((*current.path, name))
                case Declared() if current.kind == "type":
                    target = self.resolve_alias(current)
                    current = self._find_along(target, (name,), path, seen) if target is not None else None
                case Declared() if current.kind in CONTAINERS:
                    current = TypeMember(current, name)
                case _:
                    return None
        return current

    def _find_elsewhere(self, names: UsePath, place: PathPlace, seen: Seen) -> Meaning | None:
        """Return the meaning of a path whose first name the module does not have."""
        head, rest = names[0], names[1:]
        if head in SAME and rest:
            return Outside(("std", *rest))
        if head in self._crates and rest:
            folder = self._crates[head]
            return self._find_along(RustModule(folder), rest, f"{folder}src/lib.rs", seen)
        if head in PRELUDE:
            return Outside(("std", *PRELUDE[head], *rest))
        if head[:1].isupper():
            return self._find_for_library(names, place)
        return Outside(names) if rest else None

    def _find_for_library(self, names: UsePath, place: PathPlace) -> Outside | None:
        """Return the meaning of a path whose first name only a `*` can import: from the one library of which all is
        imported. What an import names is of no `*`, also if a macro declares it and nothing of it is seen.
        """
        scopes = self.find_scopes(place.module, place.path)
        if any(names[0] in each.uses.names for each in (*place.local, *scopes)):
            return None
        found = {each for scope in scopes for each in self._collect_globs(scope) if isinstance(each, Outside)}
        return Outside((*found.pop().path, *names)) if len(found) == 1 else None

    def resolve_self_type(self, place: PathPlace) -> Declared | Outside | None:
        """Return the type that `Self` is: that of the `impl` around, or the trait."""
        block = place.around
        if block is None:
            return None
        if block.type == "trait_item":
            return Declared(place.path, block.start_byte, decode_node(find_child(block, "name") or block), block)
        key = (place.path, block.start_byte)
        if key not in self._owners:
            kind = find_child(block, "type")
            around = PathPlace(place.path, place.module, place.local)
            found = self._resolve(read_segments(kind), around, frozenset()) if kind is not None else None
            self._owners[key] = found if isinstance(found, Declared | Outside) else None
        return self._owners[key]

    def resolve_alias(self, declared: Declared) -> Meaning | None:
        """Return the meaning of a `type` alias."""
        kind = find_child(declared.node, "type")
        names = read_segments(kind) if kind is not None else ()
        if not names or names == (declared.name,):
            return None
        return self.resolve(names, self.place_of(declared.path, declared.node))
