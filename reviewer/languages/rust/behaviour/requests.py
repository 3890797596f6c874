"""What code looks at of a client's request: which parts it reads, and where it hands the whole on.

A binding that nothing uses is no look, nor is what only a log says. Where it cannot be told, the code is taken to look.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.behaviour.names import parts_of
from reviewer.behaviour.pages import PAGING, Topic
from reviewer.facts import Parameter
from reviewer.languages.caps import is_capped, is_kept_short
from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.behaviour import scopes
from reviewer.languages.rust.behaviour.said import constructs, identifiers, is_endless, is_idle, is_value, texts
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import below, called, qualifier, receiver, targets
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.literals import string_value
from reviewer.languages.vocabulary import CHOICE
from reviewer.source import Opaque

DEPTH = 2
"""How many calls into the project are followed with a request in hand."""

HELD = re.compile(rb"\bself\s*\.\s*(\w+)(?!\w|\s*\()")
"""A field that a method looks at."""

AROUND = frozenset(
    "reference_expression parenthesized_expression try_expression await_expression type_cast_expression "
    "unary_expression mut_pattern".split()
)
THROUGH = AROUND | {"field_expression", "call_expression", "arguments"}
SAME = frozenset(
    "clone cloned as_ref as_mut unwrap expect unwrap_or_default unwrap_or unwrap_or_else ok ok_or ok_or_else map_err "
    "context with_context take borrow as_deref to_owned and_then map inner validate".split()
)
"""Methods that give the request itself, or something made of it."""

INERT = frozenset("len is_empty is_null is_some is_none is_object drop size_of_val type_name keys eq to_string".split())
WRAPPERS = frozenset({"Ok", "Some", "new", "pin"})
ONWARD = frozenset("next cursor encode has more token after total is last of for".split())
"""The words of methods that tell where the next page begins, and cut nothing."""

NESTED = frozenset("params arguments args input page paging pagination query request inner options opts filter".split())
ANSWERED = re.compile(r"\"(?:items|results|next_?cursor|total|data)\"\s*:", re.IGNORECASE)
"""The keys of an answer, by which it is told from what is sent to another server."""

CUT = re.compile(
    r"\.\s*(?:take|skip|truncate|step_by|chunks)\s*\(\s*(?!\w+::MAX)[\w(&]|[\w)]\s*\[[^\[\]\"]*\.\.[^\[\]\"]*\]|\.\s*get\s*\([^()]*\.\."
)
"""A cut in the tokens of a macro."""

LIMIT_IN_SQL = re.compile(r"\bLIMIT\s+[\d{?:$%]")
NO_REQUEST = re.compile(
    r"^&?(?:'\w+\s+)?(?:mut\s+)?(?:dyn\s+)?(?:str|String|bool|char|[iuf](?:8|16|32|64|size)|(?:Option<)?(?:String|&str|bool|[iuf](?:8|16|32|64|size))>?"
    r"|Vec<String>|\w*(?:Client|Context|Peer|State|Store|Pool|Config|Service|Server|Registry)\b.*|RequestContext<.*)$"
)


def objects_of(function: Node) -> frozenset[str]:
    """Name the parameters of a function that may hold a request."""
    found: set[str] = set()
    listed = child(function, "parameters")
    for part in listed.named_children if listed is not None else ():
        pattern, kind = child(part, "pattern"), child(part, "type")
        if part.type == "parameter" and pattern is not None and kind is not None:
            parted = any(each.type == "struct_pattern" for each in below(pattern))
            if not parted and NO_REQUEST.match(string_of(kind)) is None and string_of(pattern) != "action":
                found |= scopes.names_in(pattern)
    return frozenset(found)


def looks(items: Items, function: Node, path: str, topic: Topic) -> bool:
    """Tell whether a function looks at a matter of its request."""
    body = child(function, "body")
    return body is not None and Look(items, path, topic).at([body], objects_of(function))


def capped(items: Items, function: Node, path: str, parameters: tuple[Parameter, ...] | Opaque) -> bool:
    """Tell whether a tool's function cuts the list that it gives: as it is asked to, or on its own where nobody can ask."""
    if isinstance(parameters, Opaque) or any(PAGING.names(each.name) for each in parameters):
        return looks(items, function, path, PAGING)
    source = items.sources.get(path)
    held = HELD.findall(function.text or b"") if source is not None else []
    return is_capped(function.text) or any(is_kept_short(each.decode(), [source.data]) for each in held if source)


class Arms:
    """The arms of a function that chooses by action: what an arm looks at itself, and the code around for all of them."""

    def __init__(self, items: Items, choice: Node, path: str, topic: Topic) -> None:
        function = scopes.function_around(choice)
        body = child(function, "body") if function is not None else None
        self._look = Look(items, path, topic)
        self._known = function is not None and body is not None
        nodes = [body] if body is not None else []
        chosen = frozenset(_choices(body)) if body is not None else frozenset()
        around = scopes.Code(nodes, chosen)
        given = objects_of(function) if function is not None else frozenset[str]()
        self._objects = self._look.objects_in(scopes.Code(nodes), given)
        self._hot = frozenset(
            name
            for each in around.lets
            if (value := child(each, "value")) is not None
            and self._look.within(scopes.Code([value], chosen), self._objects)
            for name in scopes.names_in(child(each, "pattern")) - self._objects
        )
        self._around = self._look.within(around, self._objects)

    def look(self, answer: Node | None) -> bool:
        """Tell whether the matter is looked at on the way through an arm."""
        if answer is None or not self._known or self._around:
            return True
        return self._look.at([answer], self._objects, self._hot)


def _choices(body: Node) -> Iterator[int]:
    """Find the blocks of a function that only some actions reach."""
    for node in below(body):
        test = child(node, "value") if node.type == "match_expression" else None
        test = child(node, "condition") if node.type == "if_expression" else test
        if test is not None and CHOICE.search(string_of(test)) is not None:
            inner = child(node, "body") or child(node, "consequence")
            if inner is not None:
                yield inner.id


@dataclass(frozen=True, slots=True)
class Look:
    """Looks for one matter in one file; `depth` counts the calls that led there."""

    items: Items
    path: str
    topic: Topic
    depth: int = 0

    def at(self, nodes: list[Node], objects: frozenset[str], hot: frozenset[str] = frozenset()) -> bool:
        """Tell whether code looks at the matter; `objects` are names of requests, `hot` of what was read of one."""
        code = scopes.Code(nodes)
        return self.within(code, self.objects_in(code, objects), hot)

    def within(self, code: scopes.Code, objects: frozenset[str], hot: frozenset[str] = frozenset()) -> bool:
        """Tell it of code that was read already."""
        if code.handed_cursors:
            return True
        return any(self._says(node, code, objects, hot) for node in code.alive)

    def objects_in(self, code: scopes.Code, objects: frozenset[str]) -> frozenset[str]:
        """Add the names that code gives to requests, or to what it makes of one."""
        known = set(objects)
        for each in code.lets:
            pattern, value = child(each, "pattern"), child(each, "value")
            if pattern is not None and value is not None and pattern.type in ("identifier", "tuple_struct_pattern"):
                kind = child(each, "type")
                made = kind is not None and self._is_made(string_of(kind))
                if any(made or self._ends_in(name, value) for name in identifiers(value, known)):
                    known |= scopes.names_in(pattern)
        return frozenset(known)

    def _ends_in(self, name: Node, value: Node) -> bool:
        """Tell whether a request comes out of an expression as a request."""
        end = self._climbed(name)
        return end is not None and end.start_byte <= value.start_byte and end.end_byte >= value.end_byte

    def _climbed(self, name: Node) -> Node | None:
        """Follow a request outward as long as it stays one; None where a part of it is taken."""
        node = name
        while (above := parent_of(node)) is not None:
            if above.type in AROUND:
                node = above
            elif above.type == "field_expression" and child(above, "value") == node:
                outer = self._of_field(above)
                if outer is None:
                    return None
                node = outer
            elif above.type == "arguments" and above.parent is not None and self._keeps(above.parent):
                node = above.parent
            else:
                return node
        return node

    def _of_field(self, access: Node) -> Node | None:
        """Give what `request.x` or `request.x()` comes to if that is a request again."""
        name = string_of(child(access, "field") or access)
        call = access.parent
        if call is not None and call.type == "call_expression" and child(call, "function") == access:
            keys = texts(arguments_of(call))
            again = name in SAME or name.startswith(("into", "as_", "to_")) or bool(NESTED.intersection(keys))
            return call if again and name not in INERT and (not keys or NESTED.intersection(keys)) else None
        return access if name.isdigit() or name in NESTED else None

    def _keeps(self, call: Node) -> bool:
        """Tell whether a call makes of a request another form of it: `from_value(params)`, `Page::read(params)`."""
        name, of = called(call), qualifier(call)
        if name is None or texts(arguments_of(call)):
            return False
        if name in WRAPPERS or name.startswith(("from_", "deserialize")):
            return True
        found = targets(self.items, call, self.path)
        kinds = [string_of(kind) for each in found if (kind := child(each.node, "return_type")) is not None]
        if found:
            return bool(kinds) and all(self._is_made(kind) for kind in kinds)
        return of is not None and of[:1].isupper() and of not in ("Value", "String")

    def _is_made(self, kind: str) -> bool:
        """Tell whether a return type is one that the project declares."""
        inner = re.sub(r"^(?:\w+::)*(?:Result|Option)\s*<\s*([\w:]+).*$", r"\1", kind, flags=re.DOTALL).split("::")[-1]
        return (
            inner == "Self" or re.fullmatch(r"[A-Z]", inner) is not None or bool(self.items.declared(inner, "struct"))
        )

    def _says(self, node: Node, code: scopes.Code, objects: frozenset[str], hot: frozenset[str]) -> bool:
        match node.type:
            case "identifier" | "self":
                name = string_of(node)
                if name in objects and is_value(node):
                    return self._handed(node)
                return not code.binds(node) and is_value(node) and self._speaks(node, name, hot)
            case "call_expression":
                return self._cuts(node, code)
            case "macro_invocation":
                return CUT.search(string_of(node)) is not None
            case "index_expression":
                return any(part.type == "range_expression" for part in node.named_children)
            case "field_expression":
                return self._reads(node, code, objects)
            case "string_literal" | "raw_string_literal":
                return self._asked(node, code)
        return False

    def _speaks(self, node: Node, name: str, hot: frozenset[str]) -> bool:
        above = node.parent
        if name in hot:
            return True
        if name.isupper() or not self.topic.names(name) or above is None or child(above, "function") == node:
            return False
        before = node.prev_sibling
        if (
            above.type == "token_tree"
            and before is not None
            and before.type == ":"
            and ANSWERED.search(string_of(above))
        ):
            return False  # the value of a key in an answer is said, not handed on
        return above.type != "macro_invocation"

    def _handed(self, name: Node) -> bool:
        """Tell whether a request that stands somewhere is looked at for the matter, or handed on whole."""
        node = self._climbed(name)
        if node is None:
            return self._part(name)
        above = node.parent
        match above.type if above is not None else "":
            case "arguments" if above is not None and above.parent is not None:
                return self._taken(above.parent, node)
            case "let_declaration" | "let_condition" if above is not None:
                return self._destructured(child(above, "pattern"))
            case "index_expression" if above is not None:
                key = string_value(above.named_children[-1])
                return key is None or self.topic.asks(key)
            case "token_tree":
                return self._in_macro(node)
            case "expression_statement" | "binary_expression" | "assignment_expression":
                return False
        return True

    def _part(self, name: Node) -> bool:
        """Tell whether the part of a request that is taken belongs to the matter."""
        node = name
        while (above := parent_of(node)) is not None:
            if above.type == "field_expression" and self._of_field(above) is None:
                return self._taken_part(above)
            if above.type not in THROUGH:
                return True
            node = above
        return True

    def _taken_part(self, access: Node) -> bool:
        name, call = string_of(child(access, "field") or access), access.parent
        if call is None or call.type != "call_expression" or child(call, "function") != access:
            return self.topic.asks(name)
        given = arguments_of(call)
        keys = texts(given)
        if keys:
            return any(self.topic.asks(key) for key in keys)
        if self.topic.names(name):
            return not parts_of(name) <= ONWARD
        return bool(given) and name not in INERT and not parts_of(name) <= ONWARD

    def _taken(self, call: Node, given: Node) -> bool:
        """Tell whether a function that is handed a request looks at the matter."""
        name, keys = called(call), texts(arguments_of(call))
        if keys:
            return any(self.topic.asks(key) for key in keys)
        if name is None or self.topic.names(name):
            return True
        if name in INERT:
            return False
        found = targets(self.items, call, self.path)
        apart = _taken_apart(call) if not found else None
        if apart is not None:
            return self._destructured(apart)
        if not found or self.depth >= DEPTH:
            return True
        place = next((at for at, each in enumerate(arguments_of(call)) if each == given), 0)
        return any(self._followed(each.node, each.path, place) for each in found)

    def _followed(self, function: Node, path: str, place: int) -> bool:
        listed, body = child(function, "parameters"), child(function, "body")
        parameters = [part for part in listed.named_children if part.type == "parameter"] if listed is not None else []
        pattern = child(parameters[place], "pattern") if place < len(parameters) else None
        if pattern is None or body is None:
            return True
        if self._destructured(pattern) and pattern.type != "identifier":
            return True
        return Look(self.items, path, self.topic, self.depth + 1).at([body], frozenset(scopes.names_in(pattern)))

    def _destructured(self, pattern: Node | None) -> bool:
        """Tell whether a pattern takes the matter out of a request; a name that begins with `_` takes nothing."""
        for part in below(pattern) if pattern is not None else ():
            name = child(part, "name") if part.type == "field_pattern" else None
            if name is not None and self.topic.asks(string_of(name)):
                inner = child(part, "pattern")
                return inner is None or not string_of(inner).startswith("_")
        return False

    def _in_macro(self, name: Node) -> bool:
        after = name.next_sibling
        if after is None or after.type not in (".", "token_tree"):
            return True
        if after.type == ".":
            field = after.next_sibling
            return field is None or self.topic.asks(string_of(field)) or string_of(field) in SAME
        return self.topic.asks(string_of(after))

    def _cuts(self, call: Node, code: scopes.Code) -> bool:
        """Tell whether a call cuts a list or pages it: `.take(n)`, `paginate(&items, ..)`."""
        name, given = called(call), arguments_of(call)
        if name is None or not given or any(is_endless(each, code) for each in given):
            return False
        if all(is_idle(each, code) for each in given):
            return False
        if name == "get" and any(each.type == "range_expression" for each in given):
            return True
        return (name in self.topic.cuts and receiver(call) is not None) or self._is_helper(call, name)

    def _is_helper(self, call: Node, name: str) -> bool:
        """Tell whether a function's name speaks of the matter; one that only tells the next cursor hands nothing on."""
        if not self.topic.names(name) or name in constructs(call):
            return False
        return not (parts_of(name) <= ONWARD or parts_of(name) & {"encode", "decode", "next"})

    def _reads(self, access: Node, code: scopes.Code, objects: frozenset[str]) -> bool:
        """Tell whether a field of something from outside is read that belongs to the matter."""
        above = access.parent
        if above is not None and above.type == "call_expression" and child(above, "function") == access:
            return False
        if above is not None and above.type == "assignment_expression" and child(above, "left") == access:
            return False
        root: Node | None = access
        while root is not None and root.type == "field_expression":
            root = child(root, "value")
        name = string_of(root) if root is not None and root.type in ("identifier", "self") else ""
        if root is None or not name or name in objects or code.binds(root):
            return False
        return self.topic.names(string_of(child(access, "field") or access))

    def _asked(self, text: Node, code: scopes.Code) -> bool:
        """Tell whether a text names a part of the matter where code reads or sends it."""
        value, above = string_value(text) or "", text.parent
        if LIMIT_IN_SQL.search(value) is not None:
            return True
        if above is None or not re.fullmatch(r"/?[\w-]{1,30}", value) or not self.topic.asks(value):
            return False
        if above.type not in ("arguments", "tuple_expression", "array_expression"):
            return False
        others = [part for part in above.named_children if part != text]
        return not others or not all(is_idle(each, code) or each.type == "string_literal" for each in others)


def _taken_apart(call: Node) -> Node | None:
    """Give the pattern by which the result of a call is taken apart."""
    node = call
    while (above := parent_of(node)) is not None and above.type in AROUND:
        node = above
    above = node.parent
    pattern = child(above, "pattern") if above is not None and above.type == "let_declaration" else None
    return pattern if pattern is not None and pattern.type == "struct_pattern" else None
