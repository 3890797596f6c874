"""Cursors that are nothing but a place in something that may change until they come back."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.pages import BY_QUERY, TIED, is_next_cursor, is_position, is_size
from reviewer.languages.nodes import child, of_kinds, string_of, text_of
from reviewer.languages.rust import tokens
from reviewer.languages.rust.behaviour.outcomes import tails
from reviewer.languages.rust.behaviour.surroundings import callees, callers, names, plain
from reviewer.languages.rust.bindings import arguments_of, binding
from reviewer.languages.rust.callees import called, function_around, last_segment, receiver
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.literals import string_value
from reviewer.source import Text

Site = tuple[Node, str]
FORMS = frozenset(
    "to_string to_owned into as_bytes into_bytes clone as_str unwrap expect to_le_bytes to_be_bytes to_vec unwrap_or_default "
    "try_into as_deref as_ref ok trim_end_matches saturating_add wrapping_add checked_add min max saturating_sub".split()
)
"""Methods that put a value into another form, or add to a place."""
ENCODING = frozenset("encode Some Ok from to_string to_vec encode_config to_value format new to_string_pretty".split())
"""Functions, and methods of an engine, that do so with what they are handed."""
CHOOSING = frozenset({"then", "then_some"})
WRAPPING = frozenset(
    {"parenthesized_expression", "reference_expression", "try_expression", "await_expression", "type_cast_expression"}
)
IN_TEXT = re.compile(r"\{(\w+)[:}]")
GATHERING = frozenset(
    "iter into_iter iter_mut filter map filter_map cloned copied collect values keys into_values into_keys clone to_vec as_slice "
    "enumerate rev flatten sorted take unwrap expect unwrap_or_default as_ref sort chars lines".split()
)
LOCKING = frozenset("lock read write borrow load load_full blocking_lock blocking_read read_recursive".split())
MUTATING = (
    r"\s*\.\s*(?:push|insert|remove|retain|clear|extend|drain|pop|write\s*\(|lock\s*\(|borrow_mut|truncate|swap_remove"
    r"|append|store)"
)
CUTS = ("call_expression", "index_expression")
DEPTH = 5
"""How many names and calls are followed."""


class Bare:
    """Reads what a cursor is made of, and what it pages; `anchor` is where a macro's tokens stand."""

    def __init__(self, items: Items, anchor: Node) -> None:
        self._items = items
        self._anchor = anchor

    def of(self, made: Node, path: str) -> Text | None:
        """Give the expression of a cursor that is only a place, where what it pages surely may change."""
        function = self._anchor if self._anchor.type == "function_item" else function_around(self._anchor)
        parted = list(self._parted(made, path))
        found = self._place(made, path, 0) if not parted else None
        sites = [(function, path)] if function is not None else []
        for part, maker, at in parted:
            found = found or Bare(self._items, maker)._place(part, at, 1)
            sites.append((maker, at))
        if found is None:
            return None
        if made.type == "block" and function is not None:
            sites += [
                (user, at) for call, at in callers(self._items, function, path) if (user := function_around(call))
            ]
        if not any(self._may_change(*site) for site in sites):
            return None
        return text_of(self._items.sources[found[1]], found[0])

    def _parted(self, made: Node, path: str) -> Iterator[tuple[Node, Node, str]]:
        """Find the cursor's part of a tuple that a function of the project gives: `let (rows, next_cursor) = page(..)`."""
        pattern = child(made.parent, "pattern") if made.parent is not None else None
        while made.type in ("try_expression", "await_expression") and made.named_children:
            made = made.named_children[0]
        if pattern is None or pattern.type != "tuple_pattern" or made.type != "call_expression":
            return
        at = next((i for i, each in enumerate(pattern.named_children) if is_next_cursor(string_of(each))), None)
        named = self._items.functions(called(made) or "") if receiver(made) is not None else []
        found = callees(self._items, made, path) or (named if len(named) == 1 else [])
        for each in found[:1] if at is not None else ():
            body = child(each.node, "body")
            for value in tails(body) if body is not None else ():
                if value.type == "tuple_expression" and at is not None and at < len(value.named_children):
                    yield value.named_children[at], each.node, each.path

    def _place(self, node: Node, path: str, depth: int) -> Site | None:
        """Give where a value is made that is a place and nothing besides."""
        if depth > DEPTH:
            return None
        node = self._unwrapped(node)
        if node.type == "block":
            found = [self._place(each, path, depth + 1) for each in tails(node) if not _is_none(each)]
            return found[0] if found and None not in found else None
        if node.type == "identifier" and not is_position(string_of(node)):
            given = binding(string_of(node), node, self._anchor)
            if given is not None and given[0] is not None:
                return self._place(given[0], path, depth + 1)
        if node.type == "call_expression" and not self._is_form(node):
            return self._through(node, path, depth)
        leaves = list(self._leaves(node, path, depth))
        return (node, path) if None not in leaves and True in leaves else None

    def _is_form(self, call: Node) -> bool:
        name = called(call) or ""
        return name in ENCODING or (receiver(call) is not None and name in FORMS | CHOOSING)

    def _through(self, call: Node, path: str, depth: int) -> Site | None:
        """Follow a call into the project whose arguments are places, to what the function makes of them."""
        given = arguments_of(call)
        leaves = [leaf for each in given for leaf in self._leaves(each, path, depth + 1)]
        if not given or None in leaves or True not in leaves:
            return None
        for each in callees(self._items, call, path)[:1]:
            body = child(each.node, "body")
            inner = Bare(self._items, each.node)
            return inner._place(body, each.path, depth + 1) if body is not None else None
        return None

    def _unwrapped(self, node: Node) -> Node:
        """Take off what only chooses between a value and none."""
        while True:
            if node.type in WRAPPING and node.named_children:
                node = child(node, "value") or node.named_children[-1]
            elif node.type == "call_expression" and called(node) in CHOOSING and arguments_of(node):
                inner = arguments_of(node)[0]
                node = child(inner, "body") or inner
            elif node.type == "call_expression" and called(node) == "Some" and arguments_of(node):
                node = arguments_of(node)[0]
            elif node.type == "if_expression":
                ways = [each for each in tails(node) if not _is_none(each)]
                if len(ways) != 1:
                    return node
                node = ways[0]
            else:
                return node

    def _leaves(self, node: Node, path: str, depth: int) -> Iterator[bool | None]:
        """Give for each part of an expression whether it is a place; None for what is neither that nor a size."""
        node = self._unwrapped(node)
        match node.type:
            case "integer_literal":
                yield False
            case "identifier" | "shorthand_field_initializer":
                yield self._of_name(node, path, depth)
            case "field_expression":
                name = string_of(child(node, "field") or node)
                yield True if is_position(name) else (False if is_size(name) else None)
            case "binary_expression":
                for each in (child(node, "left"), child(node, "right")):
                    yield from self._leaves(each, path, depth) if each is not None else ()
            case "macro_invocation":
                yield from self._of_macro(node, path, depth)
            case "struct_expression":
                body = child(node, "body")
                for each in body.named_children if body is not None else ():
                    yield from self._of_field(each, path, depth)
            case "call_expression":
                yield from self._of_call(node, path, depth)
            case _:
                yield None

    def _of_field(self, each: Node, path: str, depth: int) -> Iterator[bool | None]:
        name, value = child(each, "field") or each, child(each, "value") or each
        if not (is_position(string_of(name)) or is_size(string_of(name))):
            yield None
        yield from self._leaves(value, path, depth)

    def _of_name(self, name: Node, path: str, depth: int) -> bool | None:
        said = string_of(name)
        found = binding(said, name, self._anchor)
        given = found[0] if found is not None else None
        if given is not None and depth < DEPTH and not _is_read(given):
            leaves = list(self._leaves(given, path, depth + 1))
            if None not in leaves:
                return True in leaves
            if not is_position(said):
                return False if is_size(said) else None
        if is_position(said):
            return True
        return False if is_size(said) else None

    def _of_macro(self, macro: Node, path: str, depth: int) -> Iterator[bool | None]:
        """Read `format!(..)` and `json!(..)`, whose keys must be those of places too."""
        name = last_segment(child(macro, "macro") or macro)
        tree = next((each for each in macro.named_children if each.type == "token_tree"), None)
        if name not in ("format", "json") or tree is None:
            yield None
            return
        parts = tokens.inner(tree)
        if name == "json" and len(parts) == 1 and parts[0].type == "token_tree":
            parts = tokens.inner(parts[0])
        for each in tokens.split(parts):
            key = string_value(each[0]) if each[0].type == "string_literal" else None
            if name == "json" and key is not None and len(each) > 2:
                yield False if is_position(key) or is_size(key) else None
                each = each[2:]
            elif key is not None:
                yield from (True if is_position(one) else None for one in IN_TEXT.findall(string_of(each[0])))
                continue
            value = tokens.expression(self._items.sources[path], each)
            yield from self._leaves(value if len(each) > 1 and value is not None else each[0], path, depth)

    def _of_call(self, call: Node, path: str, depth: int) -> Iterator[bool | None]:
        on, name, given = receiver(call), called(call) or "", arguments_of(call)
        if name == "len" and on is not None:
            yield False
        elif on is not None and name in FORMS:
            yield from self._leaves(on, path, depth)
            for each in given if name.endswith(("add", "sub", "min", "max")) else ():
                yield from self._leaves(each, path, depth)
        elif name in ENCODING and given:
            yield from self._leaves(given[0], path, depth)
        else:
            yield self._through(call, path, depth + 1) is not None or None

    def _may_change(self, function: Node, path: str) -> bool:
        """Tell whether code cuts its page out of something that surely may be another at the next call."""
        if TIED.search(plain(function)) is not None:
            return False
        if (
            BY_QUERY.search(" ".join(string_of(each) for each in of_kinds(function, "rust", "string_content")))
            is not None
        ):
            return True
        cuts = [
            *map(_cut, of_kinds(function, "rust", *CUTS)),
            *map(_cut_in_macro, of_kinds(function, "rust", "token_tree")),
        ]
        for over, place in cuts:
            if over is not None and place is not None and self._changes(over, path, 0):
                spoken = [string_of(each) for each in of_kinds(place, "rust", "identifier", "field_identifier")]
                if any(map(is_position, spoken)):
                    return True
        return False

    def _changes(self, over: Node, path: str, depth: int) -> bool:
        """Tell whether what is paged may change: what a call gives, what stands behind a lock, a field that is changed."""
        if depth > DEPTH:
            return False
        while over.type in WRAPPING and over.named_children:
            over = over.named_children[-1]
        if over.type == "call_expression":
            on, name = receiver(over), called(over) or ""
            if name in LOCKING and on is not None and not arguments_of(over):
                return True
            if on is not None and name in GATHERING:
                return self._changes(on, path, depth)
            return self._call_changes(over, path, depth)
        if over.type == "field_expression":
            name = string_of(child(over, "field") or over)
            changed = re.compile(rf"\b{re.escape(name)}{MUTATING}".encode())
            return any(True for _ in self._items.mentioning(changed))
        if over.type != "identifier" or string_of(over).isupper():
            return False
        found = binding(string_of(over), over, None)
        if found is not None and found[0] is not None:
            return self._changes(found[0], path, depth + 1)
        return self._handed(over, path, depth)

    def _call_changes(self, call: Node, path: str, depth: int) -> bool:
        found = callees(self._items, call, path)
        if not found:
            return not any(
                string_of(each).isupper() and len(string_of(each)) > 2 for each in of_kinds(call, "rust", "identifier")
            )
        bodies = [(body, each.path) for each in found if (body := child(each.node, "body")) is not None]
        return any(self._changes(value, at, depth + 1) for body, at in bodies for value in tails(body))

    def _handed(self, name: Node, path: str, depth: int) -> bool:
        """Tell whether a caller hands in what may change."""
        function = function_around(name)
        listed = child(function, "parameters") if function is not None else None
        if function is None or listed is None:
            return False
        kept = [each for each in listed.named_children if each.type == "parameter"]
        at = next((i for i, each in enumerate(kept) if string_of(name) in names(child(each, "pattern"))), None)
        for call, where in callers(self._items, function, path) if at is not None else ():
            given = arguments_of(call)
            if at is not None and at < len(given) and self._changes(given[at], where, depth + 1):
                return True
        return False


def _cut(node: Node) -> tuple[Node | None, Node | None]:
    """Give what a cut is made in, and what says where it begins: `rows.iter().skip(start)`, `rows[start..end]`."""
    if node.type == "index_expression":
        parts = node.named_children
        is_range = len(parts) == 2 and parts[1].type == "range_expression"
        return (parts[0], parts[1]) if is_range else (None, None)
    given = arguments_of(node)
    if called(node) == "skip" or (called(node) == "get" and given and given[0].type == "range_expression"):
        return receiver(node), (given[0] if given else None)
    return None, None


def _cut_in_macro(tree: Node) -> tuple[Node | None, Node | None]:
    """Read a cut among the tokens of a macro: `json!({ "items": rows[start..end] })`."""
    before = tree.prev_sibling
    if before is None or re.match(r"[\[(]\s*[\w.]+\s*\.\.", string_of(tree)) is None:
        return None, None
    if string_of(tree).startswith("[") and before.type == "identifier":
        return before, tree
    dot = before.prev_sibling if string_of(before) == "get" else None
    return (dot.prev_sibling, tree) if dot is not None else (None, None)


def _is_none(node: Node) -> bool:
    return string_of(node) in ("None", "String::new()", '""', "Value::Null", "Ok(None)")


def _is_read(value: Node) -> bool:
    """Tell whether a name is bound to what comes in: the place that an earlier cursor told."""
    return (
        re.search(r"cursor|token|parse|params|arguments|request|decode|input|args", string_of(value), re.I) is not None
    )
