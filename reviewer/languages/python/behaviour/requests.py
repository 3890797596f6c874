"""What code looks at of a client's request: which parts it reads, and where it hands the whole on.

An assignment that nothing uses is no look, nor is what only a log says. Where it cannot be told, the code is taken to look.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.behaviour.names import parts_of
from reviewer.behaviour.pages import Topic
from reviewer.languages.nodes import child, children, parent_of, string_of, walk
from reviewer.languages.python.behaviour import scopes
from reviewer.languages.python.behaviour.following import callee
from reviewer.languages.python.behaviour.following import scope as scope_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import signature
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.values import Class, Function, Scope
from reviewer.languages.vocabulary import CHOICE

DEPTH = 2
"""How many calls into the project are followed with a request in hand."""

FOLLOWED = 6
"""How many names are followed to what they are assigned."""

AROUND = frozenset({"parenthesized_expression", "await", "dictionary_splat", "list_splat"})
SAME = frozenset("model_dump dict copy items params arguments args request query input root data".split())
MAKING = frozenset("model_validate parse_obj validate_python model_construct structure convert dict from_dict".split())
INERT = frozenset("len isinstance bool repr str type hasattr callable id print".split())
ONWARD = frozenset("next cursor encode has more token after total is last of for decode".split())
OTHERS = frozenset("self cls action client ctx context state db conn session store service app mcp server name".split())
SCALAR = re.compile(
    r"^(?:Annotated\[)?(?:Optional\[|Union\[|Literal\[|[\[\]|,\s]|str|int|float|bool|bytes|list|set|None)+\b"
)
ANSWERED = re.compile(r"[\"'](?:items|results|next_?cursor|total|data)[\"']\s*:", re.IGNORECASE)
"""The keys of an answer, by which it is told from what is sent to another server."""

LIMIT_IN_SQL = re.compile(r"\bLIMIT\s+[\d?:$%{]")


def objects_of(function: Function) -> frozenset[str]:
    """Name the parameters of a function that may hold a request."""
    found = set()
    for part in signature(function):
        kind = string_of(part.annotation) if part.annotation is not None else ""
        if (
            part.name not in OTHERS
            and SCALAR.match(kind) is None
            and not kind.endswith(("Context", "Client", "Session"))
        ):
            found.add(part.name)
    return frozenset(found)


def looks(run: Evaluator, function: Function, topic: Topic) -> bool:
    """Tell whether a function looks at a matter of its request."""
    body = child(function.node, "body")
    names = frozenset(part.name for part in signature(function))
    objects = objects_of(function) - {name for name in names if topic.names(name)}
    return body is not None and Look(run, function.scope, topic).at([body], objects)


class Arms:
    """The arms of a function that chooses by action: what an arm looks at itself, and the code around for all of them."""

    def __init__(self, run: Evaluator, function: Node, scope: Scope, topic: Topic) -> None:
        body = child(function, "body")
        nodes = [body] if body is not None else []
        own = Function("", function, scope)
        self._look = Look(run, scope, topic)
        around = scopes.Code(nodes, frozenset(_choices(body)) if body is not None else frozenset())
        given = objects_of(own) - {part.name for part in signature(own) if topic.names(part.name)}
        self._objects = self._look.objects_in(scopes.Code(nodes), given)
        self._hot = frozenset(
            name
            for each in around.assignments
            if (value := scopes.value_of(each)) is not None and self._look.at([value], self._objects)
            for name in scopes.names_in(scopes.target_of(each))
        )
        self._around = self._look.within(around, self._objects)

    def look(self, body: Node) -> bool:
        """Tell whether the matter is looked at on the way through an arm."""
        return self._around or self._look.at([body], self._objects, self._hot)


def _choices(body: Node) -> Iterator[int]:
    """Find the blocks of a function that only some actions reach."""
    for node in walk(body):
        inner = child(node, "body") if node.type == "match_statement" else None
        test = child(node, "subject")
        if node.type in ("if_statement", "elif_clause"):
            inner, test = child(node, "consequence"), child(node, "condition")
        if inner is not None and test is not None and CHOICE.search(string_of(test)) is not None:
            yield inner.id


@dataclass(frozen=True, slots=True)
class Look:
    """Looks for one matter in the code of one scope; `depth` counts the calls that led there."""

    run: Evaluator
    scope: Scope
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
        for each in code.assignments:
            target, value = scopes.target_of(each), scopes.value_of(each)
            if target is not None and value is not None and target.type == "identifier":
                names = (part for part in walk(value) if part.type == "identifier" and string_of(part) in known)
                ends = [self._climbed(name) for name in names if _is_value(name)]
                if any(end is not None and end.start_byte <= value.start_byte for end in ends):
                    known.add(string_of(target))
        return frozenset(known)

    def _climbed(self, name: Node) -> Node | None:
        """Follow a request outward as long as it stays one; None where a part of it is taken."""
        node = name
        while (above := parent_of(node)) is not None:
            if above.type in AROUND or (above.type == "boolean_operator" and child(above, "left") == node):
                node = above
            elif above.type == "attribute" and child(above, "object") == node:
                call = above.parent
                if string_of(child(above, "attribute") or above) not in SAME:
                    return None
                is_called = call is not None and call.type == "call" and child(call, "function") == above
                node = call if is_called and call is not None else above
            elif above.type == "argument_list" and above.parent is not None and self._keeps(above.parent):
                node = above.parent
            else:
                return node
        return node

    def _keeps(self, call: Node) -> bool:
        """Tell whether a call makes of a request another form of it: `ListArgs(**params)`, `parse(params)`."""
        name, function = _called(call), child(call, "function")
        if name is None or function is None or _texts(call):
            return False
        if name in MAKING:
            return True
        found = self._meant(function)
        if isinstance(found, Function):
            kind = child(found.node, "return_type")
            made = self._meant(children(kind)[0]) if kind is not None and children(kind) else None
            return isinstance(made, Class)
        return isinstance(found, Class)

    def _meant(self, name: Node) -> object:
        """Give what a plain name means, or one of a module."""
        if name.type == "identifier":
            return self.run.lookup(string_of(name), self.scope, name)
        holder = child(name, "object") if name.type == "attribute" else None
        plain = holder is not None and holder.type == "identifier" and string_of(holder) in _names_of(self.scope)
        return self.run.value(name, self.scope) if plain else None

    def _says(self, node: Node, code: scopes.Code, objects: frozenset[str], hot: frozenset[str]) -> bool:
        match node.type:
            case "identifier":
                name = string_of(node)
                if not _is_value(node):
                    return False
                if name in objects and name not in hot:
                    return self._handed(node)
                return name in hot or (not code.binds(node) and self._speaks(node, name))
            case "call":
                return self._cuts(node, code)
            case "slice":
                return bool(children(node))
            case "attribute":
                return self._reads(node, code, objects)
            case "string":
                return LIMIT_IN_SQL.search(string_of(node)) is not None
            case "keyword_argument":
                name, value = string_of(child(node, "name") or node), child(node, "value")
                return value is not None and self.topic.names(name) and not _is_idle(value, code) and not _echoes(node)
        return False

    def _speaks(self, node: Node, name: str) -> bool:
        above = node.parent
        if name.isupper() or not self.topic.names(name) or above is None or child(above, "function") == node:
            return False
        return not _echoes(node)

    def _handed(self, name: Node) -> bool:
        """Tell whether a request that stands somewhere is looked at for the matter, or handed on whole."""
        node = self._climbed(name)
        if node is None:
            return self._part(name)
        above = node.parent
        match above.type if above is not None else "":
            case "argument_list" if above is not None and above.parent is not None:
                return self._taken(above.parent, node)
            case "subscript" if above is not None:
                key = child(above, "subscript")
                value = string_value(key) if key is not None else None
                return value is None or self.topic.asks(value)
            case "assignment" | "named_expression" | "expression_statement" | "not_operator" | "comparison_operator":
                return False
            case "if_statement" | "elif_clause" | "boolean_operator":
                return False
        return True

    def _part(self, name: Node) -> bool:
        """Tell whether the part of a request that is taken belongs to the matter."""
        node: Node | None = name.parent
        while node is not None and node.type != "attribute":
            node = parent_of(node)
        while node is not None and string_of(child(node, "attribute") or node) in SAME:
            node = parent_of(node)
            while node is not None and node.type in ("call", *AROUND):
                node = parent_of(node)
        if node is None or node.type != "attribute":
            return True
        part, call = string_of(child(node, "attribute") or node), node.parent
        if call is None or call.type != "call" or child(call, "function") != node:
            return self.topic.asks(part)
        keys = _texts(call)
        if keys:
            return any(self.topic.asks(key) for key in keys)
        if parts_of(part) <= ONWARD:
            return False
        return self.topic.names(part) or bool(_arguments(call))

    def _taken(self, call: Node, given: Node) -> bool:
        """Tell whether a function that is handed a request looks at the matter."""
        name, function, keys = _called(call), child(call, "function"), _texts(call)
        if keys:
            return any(self.topic.asks(key) for key in keys)
        if name is None or function is None or self.topic.names(name):
            return True
        if name in INERT:
            return False
        found = callee(self.run, call, self.scope)
        body = child(found.node, "body") if found is not None else None
        if found is None or body is None or self.depth >= DEPTH or given.type in AROUND - {"await"}:
            return True
        parts = signature(found.function or Function("", found.node, scope_of(self.run, found.module)))
        names = [part.name for part in parts if part.name not in ("self", "cls")]
        place = next((at for at, each in enumerate(_arguments(call)) if each == given), 0)
        if place >= len(names):
            return True
        inner = Look(self.run, scope_of(self.run, found.module), self.topic, self.depth + 1)
        return inner.at([body], frozenset({names[place]}))

    def _cuts(self, call: Node, code: scopes.Code) -> bool:
        """Tell whether a call cuts a list or pages it: `islice(found, n)`, `paginate(items, ..)`."""
        name, given = _called(call), _arguments(call)
        if name == "locals" and not given:
            return True
        if name is None or not given or all(_is_idle(each, code) for each in given):
            return False
        if name in self.topic.cuts:
            return True
        return self.topic.names(name) and not (
            parts_of(name) <= ONWARD or parts_of(name) & {"encode", "decode", "next"}
        )

    def _reads(self, access: Node, code: scopes.Code, objects: frozenset[str]) -> bool:
        """Tell whether an attribute of something from outside is read that belongs to the matter."""
        above = access.parent
        if above is not None and (child(above, "function") == access or child(above, "left") == access):
            return False
        root: Node | None = access
        while root is not None and root.type == "attribute":
            root = child(root, "object")
        if root is None or root.type != "identifier" or string_of(root) in objects or code.binds(root):
            return False
        return self.topic.names(string_of(child(access, "attribute") or access)) and not _echoes(access)


def _names_of(scope: Scope | None) -> set[str]:
    found: set[str] = set()
    while scope is not None:
        found |= scope.names.keys()
        scope = scope.parent
    return found


def _is_value(name: Node) -> bool:
    """Tell whether an identifier is a value, and not an attribute, a keyword or a target."""
    above = name.parent
    if above is None:
        return False
    if above.type == "attribute":
        return child(above, "object") == name
    if above.type == "keyword_argument":
        return child(above, "value") == name
    target = scopes.target_of(above) if above.type in scopes.BINDING else None
    return target != name and above.type not in ("pattern_list", "tuple_pattern", "parameters", "lambda_parameters")


def _echoes(node: Node) -> bool:
    """Tell whether a value is only said in an answer: the plain value of a key, or the argument of `dict`."""
    above = node.parent
    if above is None or above.type != "pair" or child(above, "value") != node or above.parent is None:
        return False
    return ANSWERED.search(string_of(above.parent)) is not None


def _called(call: Node) -> str | None:
    function = child(call, "function")
    if function is None:
        return None
    return string_of(child(function, "attribute") or function)


def _arguments(call: Node) -> list[Node]:
    given = child(call, "arguments")
    return children(given) if given is not None else []


def _texts(call: Node) -> list[str]:
    """Give the string literals among the arguments of a call."""
    return [value for each in _arguments(call) if (value := string_value(each)) is not None]


def _is_idle(node: Node, code: scopes.Code, depth: int = 0) -> bool:
    """Tell whether a value says nothing of a page: none, zero, or a name that is bound to one."""
    if node.type == "keyword_argument":
        node = child(node, "value") or node
    if node.type == "none" or string_of(node) in ("0", '""', "''", "sys.maxsize", "math.inf"):
        return True
    given = code.given(string_of(node)) if node.type == "identifier" else None
    return given is not None and depth < FOLLOWED and _is_idle(given, code, depth + 1)
