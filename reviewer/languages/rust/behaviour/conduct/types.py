"""What type an expression is of, as far as it is written: a declared type, a constructor, a field, what a function gives.

Types are texts as they stand in the source, without references, sharing pointers, locks and what `?` or `.await` takes off.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.implementations import Implementations
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.callees import called, last_segment, owner, receiver
from reviewer.languages.rust.items import Item, Items
from reviewer.languages.rust.uses import segments

DEPTH = 5
"""Steps from an expression to where its type is written."""

LIFETIME = re.compile(r"&\s*(?:'\w+\s*)?(?:mut\s+)?|'\w+\s*,?\s*|\bdyn\s+|\bimpl\s+|\bmut\s+")
HOLDER = re.compile(
    r"^(?:\w+\s*::\s*)*(?:Arc|Box|Rc|Result|Option|Mutex|RwLock|RefCell|Cell|OnceLock|OnceCell|LazyLock|Lazy|Cow|Pin|State|"
    r"Extension|Parameters|Json|MutexGuard|RwLockReadGuard|RwLockWriteGuard|Ref|RefMut)\s*<(.*)>$",
    re.DOTALL,
)
PASSING = frozenset(
    "unwrap expect clone as_ref as_mut lock read write borrow borrow_mut await map_err context with_context ok ok_or "
    "ok_or_else unwrap_or_default unwrap_or_else to_owned blocking_lock cloned copied as_deref get_or_init iter".split()
)
"""Methods that give what they are called on, as far as the type inside counts."""

TEXTS = frozenset(
    "to_string as_str trim trim_start trim_end to_lowercase to_uppercase to_ascii_lowercase to_ascii_uppercase replace repeat "
    "to_string_lossy strip_prefix strip_suffix into_string trim_matches trim_start_matches trim_end_matches".split()
)
"""Methods that give a text."""

COMMON = frozenset(
    "get get_mut insert remove push pop len is_empty iter iter_mut into_iter next map filter find read write lock send recv "
    "join clone new default from into as_str as_ref contains contains_key keys values entry extend drain clear first last "
    "split lines parse to_string build run start stop close flush wait kill spawn output status load store swap take replace "
    "call execute name description handle process init update delete set add count min max sort path open create exists "
    "query prepare commit fetch text json bytes body headers url host port with_context context unwrap expect ok err "
    "and_then or_else await poll serialize deserialize fmt eq cmp hash drop deref borrow retain append truncate resize "
    "abort cancel cancelled notify subscribe connect accept bind listen shutdown display parent file_name extension "
    "metadata is_file is_dir components strip_prefix starts_with ends_with chars bytes trim collect fold any all position "
    "skip step_by zip enumerate rev chain cycle sum product nth peek copied cloned search index list".split()
)
"""Methods whose names so many types have that a name alone tells nothing."""


class Typed(NamedTuple):
    """A type as it is written, and the file where it is."""

    text: str
    path: str


@lru_cache(maxsize=8192)
def bare(text: str) -> str:
    """Take off references and what only holds a value: `&Arc<Mutex<Store>>` is `Store`."""
    text = " ".join(LIFETIME.sub("", text).split())
    held = HOLDER.match(text)
    while held is not None:
        text = _first(held[1])
        held = HOLDER.match(text)
    return text


def _first(arguments: str) -> str:
    """Give the first of some type arguments."""
    depth = 0
    for at, sign in enumerate(arguments):
        depth += (sign in "<([") - (sign in ">)]")
        if sign == "," and depth == 0:
            return arguments[:at].strip()
    return arguments.strip()


def name_of(text: str) -> str:
    """Give the last name of a type, without its arguments: `Vec` of `std::vec::Vec<u8>`."""
    return bare(text).partition("<")[0].rpartition("::")[2].strip()


class Types:
    """Reads the types of expressions of one function."""

    def __init__(self, items: Items, path: str, function: Node | None) -> None:
        self._items = items
        self._path = path
        self._function = function
        self._known: dict[tuple[str, int], Typed | None] = {}

    def of(self, node: Node, depth: int = 0) -> Typed | None:
        """Give the type of an expression, or None if it is not written."""
        if depth > DEPTH:
            return None
        match node.type:
            case "self":
                whose = owner(self._function) if self._function is not None else None
                return Typed(whose, self._path) if whose else None
            case "identifier":
                return self._of_name(node, depth)
            case "string_literal" | "raw_string_literal":
                return Typed("str", self._path)
            case "field_expression":
                return self._of_field(node, depth)
            case "struct_expression":
                return self._written(child(node, "name"))
            case "call_expression":
                return self._of_call(node, depth)
            case "macro_invocation":
                made = {"format": "String", "vec": "Vec", "json": "Value"}.get(
                    last_segment(child(node, "macro") or node)
                )
                return Typed(made, self._path) if made is not None else None
            case "reference_expression" | "try_expression" | "await_expression" | "parenthesized_expression":
                inner = [part for part in node.named_children if part.type != "mutable_specifier"]
                return self.of(inner[0], depth) if inner else None
            case "unary_expression":
                return self.of(node.named_children[0], depth) if node.named_children else None
            case "array_expression":
                return Typed("[array]", self._path)
        return None

    def _written(self, type_: Node | None, path: str = "") -> Typed | None:
        return Typed(string_of(type_), path or self._path) if type_ is not None else None

    def _of_name(self, name: Node, depth: int) -> Typed | None:
        key = (string_of(name), name.start_byte)
        if key not in self._known:
            self._known[key] = None  # a name bound to itself has no type
            self._known[key] = self._bound(name, depth)
        return self._known[key]

    def _bound(self, name: Node, depth: int) -> Typed | None:
        found = origin(name)
        if found is None:
            return self._of_parameter(string_of(name))
        value = found.values[0]
        let = value.parent
        declared = child(let, "type") if let is not None and let.type == "let_declaration" else None
        if declared is not None and string_of(child(let, "pattern") or name).removeprefix("mut ") == string_of(name):
            return self._written(declared)
        taken = re.fullmatch(r"(?:(?:Some|Ok)\s*\(\s*)?(?:ref\s+)?(?:mut\s+)?\w+\s*\)?", found.pattern)
        return self.of(value, depth + 1) if taken is not None else None

    def _of_parameter(self, name: str) -> Typed | None:
        for part, type_ in parameters_of(self._function):
            if name == part:
                return self._written(type_)
            if re.search(rf"\(\s*{re.escape(name)}\s*\)", part):
                return Typed(bare(string_of(type_)), self._path)
        return self._constant(name)

    def _constant(self, name: str) -> Typed | None:
        if not name.isupper():
            return None
        found = self._items.resolve((name,), self._path, "const")
        return self._written(child(found.node, "type"), found.path) if isinstance(found, Item) else None

    def _of_field(self, node: Node, depth: int) -> Typed | None:
        on, field = child(node, "value"), child(node, "field")
        whole = self.of(on, depth + 1) if on is not None else None
        if whole is None or field is None:
            return None
        struct = declared(self._items, whole)
        body = child(struct.node, "body") if struct is not None else None
        for part in body.named_children if body is not None else ():
            name = child(part, "name") if part.type == "field_declaration" else None
            if struct is not None and name is not None and string_of(name) == string_of(field):
                return self._written(child(part, "type"), struct.path)
        return None

    def _of_call(self, call: Node, depth: int) -> Typed | None:
        name, on = called(call), receiver(call)
        if on is not None and name in TEXTS:
            return Typed("String", self._path)
        if name == "collect":
            found = re.search(r"collect\s*::\s*<\s*(?:Result\s*<\s*|Option\s*<\s*)?([\w:]+)", string_of(call))
            return Typed(found[1], self._path) if found is not None else None
        for target in self.targets(call, depth + 1):
            given = child(target.node, "return_type")
            if given is None:
                return None
            text = bare(string_of(given))
            return Typed(owner(target.node) or text, target.path) if text == "Self" else Typed(text, target.path)
        if on is not None:
            return self.of(on, depth + 1) if name in PASSING else None
        return self._constructed(call, name or "", depth)

    def _constructed(self, call: Node, name: str, depth: int) -> Typed | None:
        function = child(call, "function")
        path = segments(function) if function is not None and function.type != "field_expression" else ()
        if len(path) < 2 or not path[-2][:1].isupper():
            return None
        given = child(call, "arguments")
        if path[-2] in ("Arc", "Box", "Rc", "Mutex", "RwLock") and given is not None and given.named_children:
            return self.of(given.named_children[0], depth + 1)
        made = name in ("new", "default", "open", "create", "connect") or name.startswith(("from", "with", "new_"))
        whose = owner(self._function) if path[-2] == "Self" and self._function is not None else path[-2]
        return Typed(whose, self._path) if made and whose else None

    def targets(self, call: Node, depth: int = 0) -> list[Item]:
        """Find the one function of the project that a call surely means, none if it is not told."""
        on = receiver(call)
        if on is None:
            return self._function_called(call)
        name = called(call) or ""
        if not self._items.is_declared(name) or depth > DEPTH:
            return []
        of = self.of(on, depth)
        if of is not None:
            return _methods(self._items, of, name)
        if name in COMMON:
            return []
        found = [each for each in self._items.functions(name) if owner(each.node) is not None]
        return found if len(found) == 1 else []

    def _function_called(self, call: Node) -> list[Item]:
        function = child(call, "function")
        if function is not None and function.type == "generic_function":
            function = child(function, "function")
        return self.named(function) if function is not None else []

    def named(self, function: Node) -> list[Item]:
        """Find the one function of the project that a name or a path surely means."""
        if function.type not in ("identifier", "scoped_identifier"):
            return []
        names = segments(function)
        if not self.may_name(function):
            return []
        if len(names) > 1 and names[-2] == "Self" and self._function is not None:
            whose = owner(self._function)
            return _methods(self._items, Typed(whose, self._path), names[-1]) if whose else []
        found = self._items.resolve(names, self._path, "fn", near=function)
        return [found] if isinstance(found, Item) and self._is_meant(found.path, names) else []

    def may_name(self, function: Node) -> bool:
        """Tell, without parsing any other file, whether a name or a path may mean a function of the project."""
        names = segments(function)
        if not self._items.is_declared(names[-1]) and names[-1] not in self._items.uses(self._path).names:
            return False
        if names[0] == "self" or "Self" in names:
            return True
        return any(self._is_meant(path, names) for path in self._items.declaring(self._whole(names)[-1], "fn"))

    def _whole(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Give a path with what `use` says of its first name."""
        return (*self._items.uses(self._path).names.get(names[0], names[:1]), *names[1:])

    def _is_meant(self, path: str, names: tuple[str, ...]) -> bool:
        """Tell whether a path of names may lead to what a file declares by the last of them."""
        full = self._whole(names)
        if len(full) == 1:
            return path == self._path or bool(self._items.uses(self._path).globs)
        if full[0] in ("crate", "self", "super") or full[-2][:1].isupper():
            return True
        return full[-2] in path.removesuffix(".rs").replace("-", "_").split("/") or full[0] in _crates(self._items)


def _crates(items: Items) -> frozenset[str]:
    """Name the folders of the project's crates, as code names crates."""
    key = "crates of the project"
    if key not in items.kept:
        folders = (path.rpartition("/")[0].rpartition("/")[2] for path in items.manifests)
        items.kept[key] = frozenset(each.replace("-", "_") for each in folders if each)
    found: frozenset[str] = items.kept[key]
    return found


def parameters_of(function: Node | None) -> list[tuple[str, Node]]:
    """Give the parameters of a function: how each is bound, and its type."""
    listed = child(function, "parameters")
    found = []
    for part in listed.named_children if listed is not None else ():
        pattern, type_ = child(part, "pattern"), child(part, "type")
        if part.type == "parameter" and pattern is not None and type_ is not None:
            found.append((string_of(pattern).removeprefix("mut "), type_))
    return found


def declared(items: Items, of: Typed) -> Item | None:
    """Find the declaration of a type of the project."""
    name = name_of(of.text)
    if not name or not items.is_declared(name):
        return None
    names = tuple(part.strip() for part in bare(of.text).partition("<")[0].split("::"))
    found = items.resolve(names, of.path, "struct", "enum", "trait", "type")
    return found if isinstance(found, Item) else None


def _methods(items: Items, of: Typed, name: str) -> list[Item]:
    """Find the method of a name that a type has, or the only type that implements a trait."""
    whose = name_of(of.text)
    if not whose:
        return []
    whose = items.uses(of.path).names.get(whose, (whose,))[-1]
    found = _of_owner(items, whose, name, of.path)
    bodied = [each for each in found if child(each.node, "body") is not None]
    if bodied or not items.declared(whose, "trait"):
        return bodied
    types = {each.type for each in Implementations.of(items).by_trait(items.declared(whose, "trait")[0])}
    return _of_owner(items, types.pop(), name, of.path) if len(types) == 1 else []


def _of_owner(items: Items, whose: str, name: str, path: str) -> list[Item]:
    files = items.declaring(name, "fn", owner=whose)
    found = [each for file in files for each in items.declared_in(file, name, "fn") if owner(each.node) == whose]
    if len(found) > 1:
        near = [each for each in found if each.path == path] or [
            each for each in found if items.package_folder(each.path) == items.package_folder(path)
        ]
        found = near
    return found if len(found) == 1 else []
