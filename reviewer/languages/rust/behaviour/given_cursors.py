"""Cursors that clients give: how code reads one, and what it does with one that is garbled or stale."""

import re
from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from reviewer.behaviour.names import parts_of
from reviewer.facts import GivenCursor
from reviewer.languages.needles import mentions
from reviewer.languages.nodes import Nest, child, of_kinds, string_of, text_of
from reviewer.languages.pages import is_given_cursor, reads_cursor
from reviewer.languages.rust.behaviour.handling import handling
from reviewer.languages.rust.behaviour.outcomes import tails
from reviewer.languages.rust.behaviour.scopes import names_in
from reviewer.languages.rust.behaviour.surroundings import leaves, plain
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, constant, receiver, targets
from reviewer.languages.rust.items import Item, Items, in_test

SIGNS = re.compile(rb"cursor|page_token|continuation", re.IGNORECASE)
GIVEN = re.compile(
    rb"(?:cursor|page_token|continuation\w*)\s*:\s*&?\s*(?:'\w+\s+)?(?:Option\s*<|str\b|String)|\.cursor\b(?!\s*\()|\"(?:cursor|page_token)\""
    rb"|(?:decode|parse|read|offset_of|from)_cursor|page_token|continuation_token"
)
"""What a file holds in which a cursor of a client is read."""
OTHERS = re.compile(
    r"\b(?:Query|Tree|Io)Cursor\b|\bCursor\s*(?:<|::\s*(?:new|default))|\.walk\(\)|cursor_position|cursor\s*\.\s*(?:goto|node|seek|read|write|set_"
    r"|position|advance|move|next|into_inner|get_ref|get_mut|remaining|row|column)\b|text_cursor|mouse",
)
"""Cursors of trees, buffers, databases and screens."""
DECODING = re.compile(
    r"\b(?:parse|decode|decode_config|from_slice|from_str|from_utf8|from_hex|parse_str|split_once|strip_prefix|rsplit_once|nth|checked_\w+"
    r"|from_value|from_base64|try_from|try_into|decrypt|verify|deserialize|from_bytes|binary_search\w*|position|find|rposition|get|ok)\s*(?:::\s*<[^()]*>)?\s*\("
    r"|\bstr::parse\b|\bfrom_str\b"
)
DROPPING = frozenset({"unwrap_or", "unwrap_or_default", "unwrap_or_else", "map_or", "map_or_else", "map_or_default"})
NUMBER = re.compile(r"^(?:&\s*(?:mut\s+)?)?(?:[iuf]\d+|usize|isize)$")
SURE = frozenset({"unwrap", "expect", "unwrap_unchecked"})
SEARCHING = re.compile(r"\b(?:position|find|rposition|binary_search\w*|get|find_map)\s*(?:::\s*<[^()]*>)?\s*\(")
ZERO = re.compile(
    r"^(?:\(?\s*(?:0|0[ui]\w+|0_[ui]\w+|1)\s*\)?|Default::default\(\)|\w+::(?:default|start|first|begin|beginning|zero|new)\(\)|None|Some\(0\)|\w+::(?:START|FIRST|ZERO|default))$"
)
START = frozenset({"offset", "start", "first", "skip", "page", "position", "begin", "index", "at", "after", "from"})
NOTHING = re.compile(r"^\s*(?:(?:Some\()?(?:\w+::)*Err\b.*|None|_)\s*$", re.DOTALL)
AROUND = frozenset(
    {
        "field_expression",
        "call_expression",
        "try_expression",
        "await_expression",
        "parenthesized_expression",
        "reference_expression",
    }
)


def given_cursors(items: Items) -> Iterator[GivenCursor]:
    """Find where code that tools' calls run through reads cursors of clients."""
    run = handling(items)
    for path in run.files:
        if not mentions(items.sources[path].data, GIVEN):
            continue
        for function in items.of_kinds_near(path, SIGNS, "function_item"):
            reading = _Reading(items, path, function)
            found = reading.fact() if reading.reads and not in_test(function) else None
            # What tools lead to is asked for last: that is dear where a tree is large.
            if found is not None and (found.way == "refused" or run.holds(path, function)):
                yield found


def faults(items: Items, path: str, function: Node | None) -> frozenset[tuple[int, int]]:
    """Give the stretches in bytes where a function panics on a garbled cursor: none if that is not what it is told of."""
    if function is None or re.search(rb"cursor|page_token|continuation", function.text or b"", re.IGNORECASE) is None:
        return frozenset()
    reading = _Reading(items, path, function)
    found = reading.panics if reading.reads and next(reading.again(), None) is None else ()
    return frozenset((each.start_byte, each.end_byte) for each in found)


class _Reading:
    """One function, and what of it comes from a cursor that it is given."""

    def __init__(self, items: Items, path: str, function: Node) -> None:
        self.items = items
        self.path = path
        self.function = function
        self.name = string_of(child(function, "name") or function)

    @cached_property
    def reads(self) -> bool:
        """Whether it takes a cursor apart that is one of pages."""
        text = plain(self.function)
        if OTHERS.search(text) is not None or not re.search(r"cursor|page_token|continuation", text, re.I):
            return False
        return DECODING.search(text) is not None or any(self._may_fail(each) for each in self._nodes("call_expression"))

    def fact(self) -> GivenCursor:
        """Say what becomes of a cursor that cannot be read."""
        source = self.items.sources[self.path]
        again = next(self.again(), None)
        if again is not None:
            return GivenCursor(text_of(source, again), "restarts")
        fault = next(self.panics, None)
        return GivenCursor(
            text_of(source, fault or child(self.function, "name") or self.function), "panics" if fault else "refused"
        )

    def _nodes(self, *kinds: str) -> list[Node]:
        body = child(self.function, "body")
        found = of_kinds(body, "rust", *kinds) if body is not None else []
        return [each for each in found if self._nest.around(each) == self.function]

    @cached_property
    def _nest(self) -> Nest:
        return Nest(self.function, "rust", "function_item")

    @cached_property
    def _from_client(self) -> set[str]:
        """Name the parameters that hold a cursor though they are called otherwise: those of `decode_cursor(text)`."""
        listed = child(self.function, "parameters")
        if listed is None or not reads_cursor(self.name):
            return set()
        return names_in(listed) - {"self", "limit", "size", "rows", "items"}

    @cached_property
    def _own(self) -> set[str]:
        """Name what is called a cursor and is a number or another thing of the function's own, as one that walks a text is."""
        found = set()
        for each in self._nodes("let_declaration"):
            value = child(each, "value")
            if value is None or not re.search(r"cursor|page_token|continuation", string_of(value), re.IGNORECASE):
                found |= names_in(child(each, "pattern"))
        listed = child(self.function, "parameters")
        for part in listed.named_children if listed is not None else ():
            if NUMBER.match(string_of(child(part, "type") or part)):
                found |= names_in(child(part, "pattern"))
        return found

    @cached_property
    def _derived(self) -> set[str]:
        """Name what is made of the cursor."""
        found: set[str] = set()
        for each in self._nodes("let_declaration", "let_condition"):
            value = child(each, "value")
            if value is not None and self._speaks(value, found):
                found |= names_in(child(each, "pattern"))
        return found

    def _speaks(self, node: Node | None, more: set[str] | None = None) -> bool:
        """Tell whether an expression speaks of the cursor, or of what is made of it."""
        if node is None:
            return False
        known = self._from_client | (more if more is not None else self._derived)
        said = of_kinds(node, "rust", "identifier", "field_identifier")
        for each in said:
            name = string_of(each)
            if name in known and each.type == "identifier":
                return True
            if is_given_cursor(name) and (each.type == "field_identifier" or name not in self._own):
                return not (each.parent is not None and child(each.parent, "function") == each)
        return any(is_given_cursor(string_of(each)) for each in of_kinds(node, "rust", "string_content"))

    def _may_fail(self, node: Node) -> bool:
        """Tell whether an expression takes the cursor apart, so that it may be found garbled or stale."""
        if not self._speaks(node):
            return False
        text = string_of(node)
        if re.search(r"\bget\s*\(\s*\"", text):
            text = re.sub(r"\bget\s*\(\s*\"[^\"]*\"\s*\)", "", text)
        if DECODING.search(text):
            return True
        return any(self._reads_by_function(each) for each in of_kinds(node, "rust", "call_expression"))

    def _reads_by_function(self, call: Node) -> bool:
        """Tell whether a call hands the cursor to a function of the project that gives nothing, or an error, for some."""
        passed = [each for each in arguments_of(call) if each.type in ("identifier", "scoped_identifier")]
        named = [found for each in passed for found in self._functions(each)]
        return any(_is_fallible(each) for each in (*named, *targets(self.items, call, self.path)))

    def _functions(self, name: Node) -> list[Item]:
        if called(name.parent.parent if name.parent is not None and name.parent.parent is not None else name) not in (
            "and_then",
            "map",
            "map_or",
        ):
            return []
        return self.items.functions(string_of(name).rpartition("::")[2])[:4]

    def _dropped(self) -> Iterator[Node]:
        """Find the calls that put something in the place of a cursor that cannot be read."""
        for call in self._nodes("call_expression"):
            on, given = receiver(call), arguments_of(call)
            if called(call) not in DROPPING or on is None or not self._may_fail(on):
                continue
            if _leaves_early(on) or _is_sure(on) or not self._starts(call, given):
                continue
            if called(call) in ("map_or", "map_or_else") and self._is_given(on):
                continue
            yield call

    def _is_given(self, node: Node) -> bool:
        """Tell whether an expression is the cursor itself, so that what is put in its place stands for none."""
        return DECODING.search(re.sub(r"\bget\s*\(\s*\"[^\"]*\"\s*\)", "", string_of(node))) is None

    def _starts(self, call: Node, given: list[Node]) -> bool:
        if called(call) in ("unwrap_or_default", "map_or_default"):
            return True
        first = given[0] if given else None
        if first is not None and first.type == "closure_expression":
            first = child(first, "body") or first
        return self._is_start(first)

    def _is_start(self, value: Node | None) -> bool:
        """Tell whether a value is that of the first page."""
        if value is None:
            return False
        if value.type in ("block", "if_expression", "match_expression"):
            ends = list(tails(value))
            return len(ends) == 1 and self._is_start(ends[0])
        if value.type == "struct_expression":
            fields = re.findall(r"(\w+)\s*:\s*(\w+)", string_of(value))
            return any(parts_of(name) & START and number == "0" for name, number in fields)
        if value.type == "tuple_expression":
            return string_of(value).startswith("(0,")
        if value.type == "identifier" and string_of(value).isupper():
            held = constant(self.items, value, self.path)
            return held is not None and string_of(held[0]) == "0"
        text = (
            string_of(value).removeprefix("Ok(").removesuffix(")")
            if string_of(value).startswith("Ok(")
            else string_of(value)
        )
        return ZERO.match(text) is not None and text != "None"

    def again(self) -> Iterator[Node]:
        """Find what takes a cursor that cannot be read for none."""
        yield from self._dropped()
        for each in self._nodes("match_expression"):
            yield from self._of_match(each)
        for each in self._nodes("if_expression"):
            yield from self._of_if(each)
        for each in self._nodes("let_declaration"):
            otherwise = child(each, "alternative")
            value = child(each, "value")
            if otherwise is not None and value is not None and self._may_fail(value) and not _leaves_early(value):
                yield from self._returned(otherwise)

    def _returned(self, block: Node) -> Iterator[Node]:
        for each in of_kinds(block, "rust", "return_expression"):
            if each.named_children and self._is_start(each.named_children[0]):
                yield each

    def _of_match(self, match: Node) -> Iterator[Node]:
        value, body = child(match, "value"), child(match, "body")
        if (
            value is None
            or body is None
            or not self._may_fail(value)
            or _leaves_early(value)
            or (self._is_given(value) and not self._by_function(value))
        ):
            return
        arms = [(child(arm, "pattern"), child(arm, "value")) for arm in body.named_children]
        read = [(string_of(pattern), given) for pattern, given in arms if pattern is not None and given is not None]
        is_told = called(value) == "map" and any("Err" in pattern for pattern, _ in read)
        for pattern, given in read:
            absent = called(value) == "map" and (pattern.strip() == "None" or (is_told and pattern.strip() == "_"))
            if NOTHING.match(pattern) is None or absent:
                continue
            if self._is_start(given):
                yield given
            yield from self._returned(given)

    def _by_function(self, value: Node) -> bool:
        return any(self._reads_by_function(each) for each in of_kinds(value, "rust", "call_expression"))

    def _of_if(self, node: Node) -> Iterator[Node]:
        test, block, otherwise = child(node, "condition"), child(node, "consequence"), child(node, "alternative")
        if test is None or block is None:
            return
        matched = next((child(each, "value") for each in of_kinds(test, "rust", "let_condition")), None)
        if matched is not None:
            is_read = (
                self._may_fail(matched)
                and not _leaves_early(matched)
                and (self._by_function(matched) or not self._is_given(matched))
            )
            if is_read and otherwise is not None and self._is_start(otherwise.named_children[-1]):
                yield otherwise.named_children[-1]
            return
        if not self._speaks(test) or not re.search(
            r"[<>]|!=|\bcontains|\ball\(|is_ascii_digit|starts_with|is_char_boundary", string_of(test)
        ):
            return
        if otherwise is not None and self._is_start(otherwise.named_children[-1]) and self._speaks(block):
            yield otherwise.named_children[-1]
        elif not leaves(block) and self._is_start(block) and otherwise is not None and self._speaks(otherwise):
            yield block
        yield from (each for each in of_kinds(block, "rust", "assignment_expression") if self._begins(each))

    def _begins(self, assignment: Node) -> bool:
        left, right = child(assignment, "left"), child(assignment, "right")
        named = left is not None and (string_of(left) in self._derived or bool(parts_of(string_of(left)) & START))
        return named and self._is_start(right)

    @property
    def panics(self) -> Iterator[Node]:
        """What panics on a cursor that is garbled."""
        for call in self._nodes("call_expression"):
            on = receiver(call)
            if called(call) not in SURE or on is None or not self._may_fail(on) or _leaves_early(on):
                continue
            if re.search(r"\b(?:lock|read|write|encode|to_string|to_vec|to_value)\s*\(", string_of(on)) is None:
                yield call


def _leaves_early(node: Node) -> bool:
    """Tell whether a chain of calls has handed an error on before its end: what is missing then is only what was not given."""
    current: Node | None = node
    while current is not None and current.type in AROUND:
        if current.type == "try_expression":
            return True
        current = (
            receiver(current)
            if current.type == "call_expression"
            else (current.named_children[0] if current.named_children else None)
        )
    return False


def _is_sure(node: Node) -> bool:
    """Tell whether what may fail panics before, within a closure: what is missing then is only what was not given."""
    return any(called(each) in SURE for each in of_kinds(node, "rust", "call_expression"))


def _is_fallible(function: Item) -> bool:
    """Tell whether a function may give nothing, or an error, and speaks of cursors or takes one text apart."""
    gives = string_of(child(function.node, "return_type") or function.node)
    return gives.startswith(("Option", "Result")) or "Result<" in gives.split("{")[0]
