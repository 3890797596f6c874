"""The JSON objects that code builds, key by key: in the tokens of `json!`, by `insert`, by index, in struct literals."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust import attributes, tokens
from reviewer.languages.rust.bindings import arguments_of, binding
from reviewer.languages.rust.callees import below, called, last_segment, receiver
from reviewer.languages.rust.folding import Folder, Place
from reviewer.languages.rust.items import Items, in_test
from reviewer.source import Source, Text

SILENT = frozenset(
    "trace debug info warn error event span instrument println eprintln print eprint log assert assert_eq assert_ne "
    "debug_assert debug_assert_eq debug_assert_ne matches panic unreachable todo bail ensure".split()
)
"""Macros whose tokens are no part of an answer."""

UNITS = frozenset({"function_item", "const_item", "static_item", "source_file"})
INSERTING = frozenset({"insert", "shift_insert"})
FILLING = frozenset({"or_insert", "or_insert_with"})


class Given(NamedTuple):
    """An expression with the macro around it, if it stands among a macro's tokens; `tree` tells that it is an object there."""

    node: Node
    anchor: Node | None = None
    tree: bool = False


@dataclass(slots=True)
class Written:
    """One object as far as one stretch of code builds it; `name` is the variable that holds it, if it has one."""

    path: str
    at: Node
    given: dict[str, Given]
    anchor: Node | None = None
    name: str | None = None
    shape: "Shape | None" = None

    @property
    def unit(self) -> Node:
        """The function or constant that it stands in."""
        return unit_of(self.anchor or self.at)


@dataclass(frozen=True, slots=True)
class Shape:
    """A struct as it is serialized: the names of its fields in JSON by their names in Rust."""

    name: str
    path: str
    node: Node
    keys: dict[str, str]


def unit_of(node: Node) -> Node:
    """Give the function, the constant or the file that a node stands in."""
    current = node
    while current.type not in UNITS and (above := parent_of(current)) is not None:
        current = above
    return current


def spelled(items: Items, key: str) -> tuple[list[str], list[Shape]]:
    """Name the files that may write a key, as a literal, by a constant or by a struct's field, and give those structs."""
    word = re.escape(key).encode()
    plain = items.mentioning(re.compile(rb"(?<!\w)" + word + rb"(?!\w)"))
    constant = re.compile(rb"\b(?:const|static)\s+(\w+)\s*:[^;=]*=\s*\"" + word + rb"\"")
    names = {each for path in plain for each in constant.findall(items.sources[path].data)}
    shapes = [shape for path in plain for shape in _shapes(items, path) if key in shape.keys.values()]
    names |= {shape.name.encode() for shape in shapes}
    used = re.compile(rb"\b(?:" + b"|".join(sorted(map(re.escape, names))) + rb")\b") if names else None
    further = items.mentioning(used) if used is not None else []
    return [path for path in items.sources if path in {*plain, *further}], shapes


def _shapes(items: Items, path: str) -> Iterator[Shape]:
    for (kind, _), found in items.of_file(path).items():
        for item in found if kind == "struct" else ():
            shape = shape_of(path, item.node)
            if shape is not None:
                yield shape


def shape_of(path: str, struct: Node) -> Shape | None:
    """Read how a struct's fields are named in JSON; None for one without named fields."""
    name, body = child(struct, "name"), child(struct, "body")
    if name is None or body is None or body.type != "field_declaration_list":
        return None
    case = _serde(struct, "rename_all")
    keys = {}
    for part in body.named_children:
        field_name = child(part, "name") if part.type == "field_declaration" else None
        if field_name is not None and not _skipped(part):
            plain = string_of(field_name).removeprefix("r#")
            keys[plain] = _serde(part, "rename") or _cased(plain, case)
    return Shape(string_of(name), path, struct, keys)


def _serde(node: Node, name: str) -> str | None:
    """Give a text that `#[serde(name = ..)]` or `#[serde(name(serialize = ..))]` gives."""
    for mark in attributes.before(node):
        argument = mark.argument(name) if mark.name == "serde" else None
        if argument is None:
            continue
        inner = next((each for each in tokens.arguments(argument.nested) if each.name == "serialize"), argument)
        if inner.tokens:
            return string_of(inner.tokens[0]).strip('"')
    return None


def _skipped(node: Node) -> bool:
    marks = [mark for mark in attributes.before(node) if mark.name == "serde"]
    return any(mark.argument(name) is not None for mark in marks for name in ("skip", "skip_serializing"))


def _cased(name: str, case: str | None) -> str:
    if case == "camelCase":
        head, *rest = name.split("_")
        return head + "".join(part.capitalize() for part in rest)
    if case == "kebab-case":
        return name.replace("_", "-")
    if case in ("UPPERCASE", "SCREAMING_SNAKE_CASE"):
        return name.upper()
    return "".join(part.capitalize() for part in name.split("_")) if case == "PascalCase" else name


def written(items: Items, key: str, within: list[tuple[str, Node]] | None = None) -> Iterator[Written]:
    """Find the objects that are given a key, in the whole project outside of tests or in some stretches of it."""
    paths, shapes = spelled(items, key)
    for path, root in within if within is not None else [(path, items.root(path)) for path in paths]:
        if path in paths:
            for found in Reader(items, path, shapes).read(root):
                if key in found.given and not in_test(found.anchor or found.at):
                    yield found


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the objects of one file."""

    items: Items
    path: str
    shapes: list[Shape] = field(default_factory=list)

    def read(self, root: Node) -> Iterator[Written]:
        """Give every object that is built below a node, the entries that are set one by one joined by their variable."""
        loose: dict[tuple[object, ...], Written] = {}
        for node, anchor in expanded(self.items, self.path, root):
            if node.type == "token_tree":
                yield from self._of_tokens(node, anchor)
            elif node.type == "struct_expression":
                yield from self._of_struct(node, anchor)
            elif node.type == "array_expression":
                yield from self._of_pairs(node, anchor)
            elif node.type in ("call_expression", "assignment_expression"):
                for name, keys, given in self._aliased(node, anchor):
                    self._join(loose, name, keys, Written(self.path, node, {}, anchor, name), given)
        yield from loose.values()

    def _join(
        self, loose: dict[tuple[object, ...], Written], name: str, keys: list[str], made: Written, given: Given
    ) -> None:
        """Add what is set at a path of keys to the objects that the variable holds."""
        holder = _binding_of(name, made.at, made.anchor), made.unit.start_byte
        for depth, key in enumerate(keys):
            group = loose.setdefault((name, *holder, *keys[:depth]), replace(made, given={}))
            group.given.setdefault(key, given)

    def key(self, node: Node | None, anchor: Node | None) -> Text | None:
        """Read an expression that gives a key."""
        if node is None:
            return None
        value = Folder(self.items).fold(node, Place(self.path, {}, anchor))
        return value if isinstance(value, Text) else None

    def _of_tokens(self, tree: Node, anchor: Node | None) -> Iterator[Written]:
        given: dict[str, Given] = {}
        for part in tokens.split(tokens.inner(tree)):
            colon = next((at for at, token in enumerate(part) if token.type == ":"), None)
            key = self._token_key(part[:colon], anchor) if colon else None
            if key is not None and colon is not None:
                value = self.value(part[colon + 1 :], anchor)
                if value is not None:
                    given[key] = value
        if given:
            yield Written(self.path, tree, given, anchor)

    def _token_key(self, part: list[Node], anchor: Node | None) -> Text | None:
        if len(part) == 1 and part[0].type == "token_tree":
            part = tokens.inner(part[0])
        return self.key(tokens.expression(self.items.sources[self.path], part), anchor)

    def value(self, part: list[Node], anchor: Node | None) -> Given | None:
        """Read the tokens of a value: an object, or an expression."""
        if len(part) == 1 and part[0].type == "token_tree" and string_of(part[0]).startswith("{"):
            return Given(part[0], anchor, True)
        node = tokens.expression(self.items.sources[self.path], part)
        return Given(node, anchor) if node is not None else None

    def _of_struct(self, node: Node, anchor: Node | None) -> Iterator[Written]:
        name, body = child(node, "name"), child(node, "body")
        shape = self._shape(node, last_segment(name) if name is not None else "")
        if shape is None or body is None:
            return
        given: dict[str, Given] = {}
        for part in body.named_children:
            field_name = child(part, "field") or (part.named_children[0] if part.named_children else None)
            if part.type in ("field_initializer", "shorthand_field_initializer") and field_name is not None:
                key = shape.keys.get(string_of(field_name))
                if key is not None:
                    given[key] = Given(child(part, "value") or field_name, anchor)
            elif part.type == "base_field_initializer":
                given.update({key: Given(part, anchor) for key in shape.keys.values() if key not in given})
        yield Written(self.path, node, given, anchor, None, shape)

    def _shape(self, node: Node, name: str) -> Shape | None:
        if name == "Self":
            around: Node | None = node
            while around is not None and around.type != "impl_item":
                around = parent_of(around)
            type_ = child(around, "type")
            name = last_segment(type_) if type_ is not None else name
        return next((shape for shape in self.shapes if shape.name == name), None)

    def _of_pairs(self, node: Node, anchor: Node | None) -> Iterator[Written]:
        given: dict[str, Given] = {}
        for part in node.named_children:
            pair = part.named_children if part.type == "tuple_expression" else []
            key = self.key(pair[0], anchor) if len(pair) == 2 else None
            if key is not None:
                given[key] = Given(pair[1], anchor)
        if given:
            yield Written(self.path, node, given, anchor)

    def _aliased(self, node: Node, anchor: Node | None) -> Iterator[tuple[str, list[str], Given]]:
        """Read what is set, also by a name that stands for a place in an object: `let meta = &mut value["_meta"]`."""
        for name, keys, given in self._set(node, anchor):
            yield name, keys, given
            for place in _places(name, node, anchor):
                before = self.keys_of(place, anchor)
                if before:
                    yield base_of(place), [*before, *keys], given

    def _set(self, node: Node, anchor: Node | None) -> Iterator[tuple[str, list[str], Given]]:
        """Read `map.insert(key, value)`, `map.entry(key).or_insert(value)` and `value[key] = ..`."""
        if node.type == "assignment_expression":
            left, right = child(node, "left"), child(node, "right")
            path = self.keys_of(left, anchor) if left is not None else []
            if path and left is not None and right is not None:
                yield base_of(left), path, Given(right, anchor)
            return
        method, given, on = called(node), arguments_of(node), receiver(node)
        if method in INSERTING and on is not None and len(given) == 2:
            key = self.key(given[0], anchor)
            if key is not None:
                yield base_of(on), [*self.keys_of(on, anchor), key], Given(given[1], anchor)
        elif method in FILLING and on is not None and called(on) == "entry" and given and arguments_of(on):
            keys = self.keys_of(on, anchor)
            if keys:
                yield base_of(on), keys, Given(given[0], anchor)

    def keys_of(self, node: Node, anchor: Node | None) -> list[str]:
        """Read the keys by which a place is reached: `v["_meta"]["id"]`, `v.pointer_mut("/_meta/id")`."""
        found: list[str] = []
        for part in below(node):
            if part.type == "index_expression" and len(part.named_children) == 2:
                key = self.key(part.named_children[1], anchor)
                found += [key] if key is not None else []
            elif called(part) in ("pointer_mut", "get_mut", "entry") and arguments_of(part):
                key = self.key(arguments_of(part)[0], anchor)
                found += [each for each in reversed(key.split("/")) if each] if key is not None else []
        return found[::-1]


def base_of(node: Node) -> str:
    """Name the variable that a place lies in: `value` of `value["a"]`, of `value.as_object_mut().unwrap()`."""
    while node.type not in ("identifier", "self"):
        inside = receiver(node) or child(node, "value") or next(iter(node.named_children), None)
        if inside is None:
            break
        node = inside
    return string_of(node)


def _places(name: str, node: Node, anchor: Node | None) -> Iterator[Node]:
    """Give the expressions that a name may stand for: what a `let` or a pattern binds it to."""
    found = binding(name, node, anchor)
    if found is not None and found[0] is not None:
        yield found[0]
    elif found is not None:
        yield from matched(name, anchor or node)


def _binding_of(name: str, node: Node, anchor: Node | None) -> int:
    found = binding(name, node, anchor)
    return found[0].start_byte if found is not None and found[0] is not None else -1


def expanded(items: Items, path: str, root: Node) -> Iterator[tuple[Node, Node | None]]:
    """Give the nodes below one, and those that the tokens of macros read as, each with the macro that it stands in."""
    source = items.sources[path]
    pending: list[tuple[Node, Node | None]] = [(root, None)]
    while pending:
        node, anchor = pending.pop()
        yield node, anchor
        if node.type == "macro_invocation":
            tree = next((part for part in node.named_children if part.type == "token_tree"), None)
            if tree is None or last_segment(child(node, "macro") or node) in SILENT:
                continue
            pending += [(part, anchor or node) for part in reversed(_read(source, tree))]
        elif node.type == "token_tree":
            pending += [(part, anchor) for part in reversed(_values(source, node))]
        else:
            pending += [(part, anchor) for part in reversed(node.named_children)]


def _read(source: Source, tree: Node) -> list[Node]:
    """Read a macro's tokens: an object as it is, anything else as expressions."""
    parts = tokens.inner(tree)
    if string_of(tree).startswith("{") or (len(parts) == 1 and parts[0].type == "token_tree"):
        return [tree if string_of(tree).startswith("{") else parts[0]]
    read = (tokens.expression(source, part) for part in tokens.split(parts))
    return [node for node in read if node is not None]


def _values(source: Source, tree: Node) -> list[Node]:
    """Read what stands in an object's or a list's tokens."""
    found = []
    for part in tokens.split(tokens.inner(tree)):
        colon = next((at for at, token in enumerate(part) if token.type == ":"), -1)
        value = part[colon + 1 :]
        if len(value) == 1 and value[0].type == "token_tree":
            found.append(value[0])
        elif value:
            node = tokens.expression(source, value)
            found += [node] if node is not None and node.type != "token_tree" else []
    return found


def matched(name: str, node: Node) -> Iterator[Node]:
    """Give what is matched where a pattern binds a name: `match result { Ok(value) => .. }`, `if let Ok(value) = result`."""
    wanted = re.compile(rf"\b{re.escape(name)}\b")
    current: Node | None = node
    while current is not None and current.type != "function_item":
        pattern = child(current, "pattern") if current.type in ("match_arm", "for_expression") else None
        condition = child(current, "condition") if current.type == "if_expression" else None
        if condition is not None and condition.type == "let_condition":
            bound, value = child(condition, "pattern"), child(condition, "value")
            if bound is not None and value is not None and wanted.search(string_of(bound)):
                yield value
                return
        if pattern is not None and wanted.search(string_of(pattern)):
            match = current.parent.parent if current.parent is not None and current.type == "match_arm" else current
            value = child(match, "value")
            if value is not None:
                yield value
            return
        current = parent_of(current)
