"""Cursors that clients give: how code reads one, and what it does with one that is garbled or stale."""

import re
from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from reviewer.behaviour.names import parts_of
from reviewer.facts import GivenCursor
from reviewer.languages.nodes import Nest, child, children, of_kinds, string_of
from reviewer.languages.pages import is_given_cursor, reads_cursor
from reviewer.languages.python.behaviour.following import arguments, called, callee, receiver
from reviewer.languages.python.behaviour.following import scope as scope_of
from reviewer.languages.python.behaviour.scopes import names_in
from reviewer.languages.python.behaviour.surroundings import leaves, names, plain
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.source import Text

SIGNS = re.compile(rb"cursor|page_?token|continuation", re.IGNORECASE)
TEXTUAL = frozenset(
    "isdigit isnumeric isdecimal isalnum strip encode decode split partition rpartition rsplit startswith endswith replace lower "
    "removeprefix removesuffix rstrip lstrip get offset model_dump model_dump_json isascii".split()
)
"""What is done with a cursor that is a text or a message; the cursors of databases have other methods."""
DECODING = frozenset(
    "int float b64decode urlsafe_b64decode standard_b64decode loads fromhex unhexlify UUID decode partition split rpartition "
    "unpack model_validate_json model_validate index parse from_bytes decrypt unsign fromisoformat b32decode b85decode "
    "literal_eval".split()
)
CHECKING = re.compile(
    r"\.is(?:digit|numeric|decimal|alnum)\(|\bmatch\(|fullmatch\(|startswith\(|\bin\b|len\(|[<>]|!=|isinstance\(|\bverify|\bvalid"
)
LISTING = frozenset({"list_tools", "list_resources", "list_prompts", "list_resource_templates"})
START = frozenset(
    {
        "offset",
        "start",
        "first",
        "skip",
        "page",
        "position",
        "begin",
        "index",
        "at",
        "after",
        "since",
        "cursor",
        "begins",
    }
)
ZERO = re.compile(r"^\(?\s*(?:0|0\.0|1|None|\"\"|''|b\"\")\s*\)?$")


def given_cursors(run: Evaluator, module: Module) -> Iterator[GivenCursor]:
    """Find where a module reads cursors of clients."""
    if SIGNS.search(module.source.data) is None:
        return
    for function in of_kinds(module.root, "python", "function_definition"):
        reading = _Reading(run, module, function)
        if reading.reads:
            yield reading.fact()


class _Reading:
    """One function, and what of it comes from a cursor that it is given."""

    def __init__(self, run: Evaluator, module: Module, function: Node) -> None:
        self.run = run
        self.module = module
        self.function = function

    @cached_property
    def reads(self) -> bool:
        """Whether it takes a cursor apart, and that of a client, not of a database."""
        if SIGNS.search(self.function.text or b"") is None or self._is_of_database:
            return False
        held = (string_of(child(each, "attribute") or each) for each in self._nodes("attribute"))
        if not self._from_client and not any(map(is_given_cursor, held)):
            return False
        return any(self._decodes(each) for each in self._nodes("call", "subscript")) or bool(list(self._looked_up()))

    def fact(self) -> GivenCursor:
        """Say what becomes of a cursor that cannot be read."""
        again = next(self._restarts(), None)
        if again is not None:
            return GivenCursor(self._text(again), "restarts")
        fault = next(self._faults(), None)
        return GivenCursor(
            self._text(fault or child(self.function, "name") or self.function), "panics" if fault else "refused"
        )

    def _text(self, node: Node) -> Text:
        return Text(string_of(node), self.module.span(node))

    def _nodes(self, *kinds: str) -> list[Node]:
        """Find the nodes of some kinds that are the function's own."""
        body = child(self.function, "body")
        found = of_kinds(body, "python", *kinds) if body is not None else []
        return [each for each in found if self._nest.around(each) == self.function]

    @cached_property
    def _nest(self) -> Nest:
        return Nest(self.function, "python", "function_definition")

    @cached_property
    def _from_client(self) -> set[str]:
        """Name the parameters and variables that hold a cursor as it was given."""
        name = string_of(child(self.function, "name") or self.function)
        listed = child(self.function, "parameters")
        given = (
            [
                names_in(
                    child(part, "name") or (part if part.type == "identifier" else next(iter(children(part)), part))
                )
                for part in children(listed)
            ]
            if listed is not None
            else []
        )
        handed = {each for part in given for each in part} - {"self", "cls"}
        found = {each for each in handed if is_given_cursor(each)}
        if reads_cursor(name):
            found |= {each for each in handed if not {"limit", "size", "rows", "items"} & parts_of(each)}
        for each in self._nodes("assignment", "named_expression"):
            target, value = child(each, "left") or child(each, "name"), child(each, "right") or child(each, "value")
            if target is not None and value is not None and any(is_given_cursor(one) for one in names_in(target)):
                found |= names_in(target)
            if target is not None and value is not None and self._takes_key(value):
                found |= names_in(target)
        return found | (
            {"arguments"} if any(self._takes_key(each) for each in self._nodes("call", "subscript")) else set()
        )

    def _takes_key(self, value: Node) -> bool:
        """Tell whether an expression is what a request holds under a cursor's name."""
        keys = (
            [string_value(each) for each in of_kinds(value, "python", "string")]
            if value.type in ("call", "subscript")
            else []
        )
        return (
            len(keys) > 0
            and is_given_cursor(keys[0] or "")
            and value.type in ("call", "subscript")
            and called(value) in ("", "get", "pop")
        )

    @cached_property
    def _is_of_database(self) -> bool:
        text = plain(self.function)
        if re.search(r"\.\s*cursor\s*\(|\bconnect\(", text) is not None:
            return True
        used = re.findall(r"\bcursor\s*\.\s*(\w+)", text)
        return any(each not in TEXTUAL and is_method for each in used for is_method in (f"cursor.{each}(" in text,))

    @cached_property
    def _derived(self) -> dict[str, Node]:
        """Map the names that are made of the cursor to what makes them."""
        found: dict[str, Node] = {}
        for each in self._nodes("assignment", "named_expression"):
            target, value = child(each, "left") or child(each, "name"), child(each, "right") or child(each, "value")
            if value is not None and not _is_fetched(value) and self._speaks(value, set(found)):
                found |= dict.fromkeys(sorted(names_in(target)), value)
        return found

    def _speaks(self, node: Node | None, more: set[str] | None = None) -> bool:
        """Tell whether an expression speaks of the cursor, or of what is made of it."""
        if node is None:
            return False
        said = names(node) | {
            string_of(child(each, "attribute") or each) for each in of_kinds(node, "python", "attribute")
        }
        known = (self._from_client - {"arguments"}) | (more if more is not None else set(self._derived))
        keys = (string_value(each) or "" for each in of_kinds(node, "python", "string"))
        return bool(said & known) or any(is_given_cursor(each) for each in said) or any(map(is_given_cursor, keys))

    def _decodes(self, node: Node) -> bool:
        """Tell whether something takes the cursor apart, and may fail."""
        if node.type == "subscript":
            value = child(node, "value")
            return (
                value is not None and value.type != "identifier" and self._speaks(value) and called(value) in DECODING
            )
        if called(node) not in DECODING:
            helper = callee(self.run, node, scope_of(self.run, self.module))
            named = helper is not None and reads_cursor(string_of(child(helper.node, "name") or node))
            return named and any(self._speaks(each) for each in arguments(node)[0])
        return any(
            self._speaks(each)
            for each in (*arguments(node)[0], *arguments(node)[1].values(), receiver(node))
            if each is not None
        )

    def _looked_up(self) -> Iterator[Node]:
        """Find where the cursor is looked for among what there is, and the first page taken if it is not found."""
        for call in self._nodes("call"):
            given = arguments(call)[0]
            if (
                called(call) in ("get", "pop")
                and len(given) == 2
                and given[0].type != "string"
                and self._is_near(given[0])
            ):
                if string_of(given[1]) in ("0", "1"):
                    yield call
            if called(call) == "next" and len(given) == 2 and self._speaks(given[0]) and _is_start(given[1]):
                yield call

    def _is_near(self, key: Node) -> bool:
        """Tell whether a key is the cursor, or made of it at once: what is found by way of it is another thing."""
        return self._speaks(key, {name for name, value in self._derived.items() if self._speaks(value, set())})

    def _restarts(self) -> Iterator[Node]:
        """Find what takes a cursor that cannot be read for none."""
        yield from self._looked_up()
        for each in self._nodes("try_statement"):
            yield from self._of_try(each)
        for each in self._nodes("with_statement"):
            if "suppress(" in string_of(each).splitlines()[0] and self._decoded_in(child(each, "body")):
                yield from self._pre_assigned(each, child(each, "body"))
        for each in self._nodes("conditional_expression"):
            yield from self._of_conditional(each)
        for each in self._nodes("if_statement"):
            yield from self._of_if(each)
        for each in self._nodes("boolean_operator"):
            yield from self._of_or(each)

    def _decoded_in(self, block: Node | None) -> bool:
        return block is not None and any(self._decodes(each) for each in of_kinds(block, "python", "call", "subscript"))

    def _of_try(self, statement: Node) -> Iterator[Node]:
        body = child(statement, "body")
        if not self._decoded_in(body):
            return
        for clause in children(statement):
            block = children(clause)[-1] if clause.type == "except_clause" and children(clause) else None
            if block is None or block.type != "block" or of_kinds(block, "python", "raise_statement"):
                continue
            yield from self._beginnings(block)
            if plain(block).strip() in ("pass", "..."):
                yield from self._pre_assigned(statement, body)

    def _beginnings(self, block: Node, *, failed: bool = True) -> Iterator[Node]:
        """Find what in a block sets the first page: an assignment, or what is returned; nothing stands for it after a failure."""
        for each in of_kinds(block, "python", "assignment", "return_statement"):
            value = child(each, "right") or next(iter(children(each)), None)
            if not failed and not _is_number(value):
                continue
            if each.type == "assignment" and _is_start(value):
                name = names_in(child(each, "left"))
                if (name & set(self._derived) or any(START & parts_of(one) for one in name)) and not self._refused(
                    name, each
                ):
                    yield each
            if each.type == "return_statement" and children(each) and self._is_first(children(each)[0]):
                yield each

    def _refused(self, name: set[str], node: Node) -> bool:
        """Tell whether what is set to nothing is refused afterwards."""
        tests = (each for each in self._nodes("if_statement") if each.start_byte > node.end_byte)
        for test in tests:
            block = child(test, "consequence")
            if names(child(test, "condition")) & name and block is not None and leaves(block):
                return True
        return False

    def _is_first(self, value: Node) -> bool:
        """Tell whether a returned value is the first page's: a number, a tuple or an object that begins with one."""
        if string_of(value) == "None":
            return any(True for _ in self._nulled())
        if _is_start(value):
            return True
        if value.type in ("expression_list", "tuple"):
            return bool(children(value)) and string_of(children(value)[0]) in ("0", "1")
        if value.type == "dictionary":
            pairs = [each for each in children(value) if each.type == "pair"]
            return any(string_of(child(each, "value") or each) == "0" for each in pairs)
        given = arguments(value) if value.type == "call" else ([], {})
        return any(
            string_of(each) == "0"
            for each in (*given[0][:1], *(one for key, one in given[1].items() if START & parts_of(key)))
        )

    def _nulled(self) -> Iterator[Node]:
        """Find calls of this function where nothing is taken for the first page: `decode(cursor) or 0`."""
        name = string_of(child(self.function, "name") or self.function)
        for each in of_kinds(self.module.root, "python", "boolean_operator"):
            left, right = child(each, "left"), child(each, "right")
            if (
                any(called(one) == name for one in of_kinds(left or each, "python", "call"))
                and right is not None
                and _is_start(right)
            ):
                yield each

    def _pre_assigned(self, statement: Node, body: Node | None) -> Iterator[Node]:
        """Find the beginning that is set before a block that may fail to set another."""
        changed = (
            {name for each in of_kinds(body, "python", "assignment") for name in names_in(child(each, "left"))}
            if body is not None
            else set()
        )
        for each in self._nodes("assignment"):
            if (
                each.end_byte <= statement.start_byte
                and names_in(child(each, "left")) & changed
                and _is_start(child(each, "right"))
            ):
                if not self._refused(names_in(child(each, "left")), statement):
                    yield statement if body is None else body

    def _of_conditional(self, node: Node) -> Iterator[Node]:
        parts = children(node)
        if len(parts) != 3:
            return
        first, test, other = parts
        way = next(
            (one for one, two in ((first, other), (other, first)) if _is_number(two) and self._speaks(one)), None
        )
        if way is not None and self._checks(test):
            yield node

    def _checks(self, test: Node) -> bool:
        """Tell whether a test asks more of the cursor than whether there is one."""
        if not self._speaks(test):
            return False
        if CHECKING.search(
            re.sub(
                r"\bis not None\b|\bis None\b|\b(?:not )?in \(\s*None[^)]*\)|!= (?:None|\"\"|'')", "", string_of(test)
            )
        ):
            return re.search(r"[\"']\w*cursor\w*[\"'] (?:not )?in\b", string_of(test)) is None
        said = names(test) & set(self._derived)
        return any(called(self._derived[name]) in ("match", "fullmatch", "search") for name in said)

    def _of_if(self, statement: Node) -> Iterator[Node]:
        test, block = child(statement, "condition"), child(statement, "consequence")
        if test is None or block is None or not self._checks(test):
            return
        if self._decoded_in(block) or names(test) & self._from_client:
            alternatives = [each for each in children(statement) if each.type == "else_clause"]
            for each in alternatives:
                yield from self._beginnings(each, failed=False)
            if not alternatives and not leaves(block) and self._decoded_in(block):
                yield from self._pre_assigned(statement, block)
        if not of_kinds(block, "python", "raise_statement") and not self._decoded_in(block):
            yield from self._beginnings(block, failed=False)

    def _of_or(self, node: Node) -> Iterator[Node]:
        left, right = child(node, "left"), child(node, "right")
        if left is None or right is None or string_of(child(node, "operator") or node) != "or" or not _is_start(right):
            return
        if called(left) in ("get", "pop") and arguments(left)[0] and arguments(left)[0][0].type != "string":
            if self._speaks(arguments(left)[0][0]):
                yield node

    def _faults(self) -> Iterator[Node]:
        """Find what fails as a fault of the server in a list of the protocol, which no tool's error stands for."""
        above = self.function.parent
        marks = (
            [string_of(each) for each in children(above)[:-1]]
            if above is not None and above.type == "decorated_definition"
            else []
        )
        name = string_of(child(self.function, "name") or self.function)
        if not any(re.search(rf"\.(?:{'|'.join(LISTING)})\b", mark) for mark in marks) and not self._is_handed(name):
            return
        if of_kinds(self.function, "python", "raise_statement", "try_statement"):
            return
        for each in self._nodes("call"):
            if (
                called(each) in DECODING
                and called(each) not in ("split", "partition", "rpartition", "decode")
                and self._decodes(each)
            ):
                yield each

    def _is_handed(self, name: str) -> bool:
        given = of_kinds(self.module.root, "python", "keyword_argument")
        return any(
            string_of(child(each, "name") or each) in {f"on_{one}" for one in LISTING}
            and string_of(child(each, "value") or each) == name
            for each in given
        )


def _is_fetched(value: Node) -> bool:
    """Tell whether a value is what somebody else answers to a cursor, and not read out of it."""
    call = next(iter(children(value)), value) if value.type == "await" else value
    return value.type == "await" and called(call) not in DECODING and not reads_cursor(called(call))


def _is_number(value: Node | None) -> bool:
    """Tell whether a value is the number of the first page."""
    return value is not None and string_of(value) in ("0", "1", "(0)")


def _is_start(value: Node | None) -> bool:
    """Tell whether a value is that of the first page."""
    return value is not None and ZERO.match(string_of(value)) is not None
