"""Indexes that nothing checked, and texts that are cut by a count of bytes."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Act
from reviewer.languages.nodes import child, of_kinds, string_of
from reviewer.languages.rust.behaviour.conduct.checks import is_checked
from reviewer.languages.rust.behaviour.conduct.reach import Stretch
from reviewer.languages.rust.behaviour.conduct.types import Typed, bare, name_of, parameters_of
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, last_segment, receiver
from reviewer.source import Text

TEXTS = frozenset({"str", "String"})
MAPS = frozenset({"HashMap", "BTreeMap", "IndexMap", "FxHashMap", "AHashMap"})
LENGTH = re.compile(
    r"len\s*\(|is_empty|\.get\s*\(|first\s*\(|last\s*\(|contains_key|[<>]|==|!=|count|matches!|starts_with|ends_with"
)
BOUNDED = re.compile(
    r"is_char_boundary|char_indices|is_ascii|floor_char_boundary|starts_with|ends_with|find\s*\(|chars\s*\("
)
SAFE = re.compile(
    r"captures|\bcaps?\b|windows\s*\(|chunks|split_at|array_chunks|to_be_bytes|to_le_bytes|digest|finalize|hash"
)
ASCII = re.compile(
    r"hash|sha\d*|digest|uuid|hex|commit|\boid\b|\bid\b|_id$|timestamp|date|time|token|key|nonce|b64|base64|version|ascii|rev\b",
    re.IGNORECASE,
)
MAKES_ASCII = re.compile(
    r"to_rfc3339|hex::|encode|Uuid|uuid|sha|digest|blake|md5|\{:0?\d*[xX]|strftime|format\(\"%|to_hex|base64|nanoid|ulid",
    re.IGNORECASE,
)
ASKED = r"len|is_empty|push|resize|insert|get|first|sort\w*|iter\s*\(\s*\)\s*\.\s*(?:position|enumerate)"
CUTTING = frozenset({"split_at", "split_off", "truncate", "drain", "replace_range", "insert_str"})
MEASURED = re.compile(
    r"find|boundary|char_indices|len_utf8|position|\.start\b|\.end\b|start\(\)|end\(\)|start_byte|end_byte|offset|match_indices|nth|\bbyte"
)


def indexes(stretch: Stretch) -> Iterator[Act]:
    """Find the indexes of lists and maps that may lie outside; `about` is where the call's arguments decide."""
    for each in stretch.code.of("index_expression"):
        if len(each.named_children) != 2 or stretch.placed(each) != "call":
            continue
        whole, index = each.named_children
        of = stretch.types.of(whole)
        if of is not None and name_of(of.text) in TEXTS | {"Value"}:
            continue
        about = _decided(stretch, whole, index)
        if _may_fail(stretch, each, whole, index, of, about is not None):
            yield Act("indexes", stretch.code.text(each), about=about)


def _decided(stretch: Stretch, whole: Node, index: Node) -> Text | None:
    """Give the argument that an index comes from, or the list under a fixed index."""
    for bound in _bounds(index):
        place = stretch.sources.input(bound)
        if place is not None:
            return place
    return stretch.sources.input(whole)


def _bounds(index: Node) -> list[Node]:
    return index.named_children if index.type == "range_expression" else [index]


def _may_fail(stretch: Stretch, node: Node, whole: Node, index: Node, of: Typed | None, given: bool) -> bool:
    if of is not None and (of.text == "[array]" or ";" in bare(of.text)):
        return False  # an array, whose length the compiler knows
    is_map = of is not None and name_of(of.text) in MAPS
    if not is_map and not _is_list(stretch, whole, of):
        return False
    bounds = _bounds(index)
    fixed = all(bound.type == "integer_literal" for bound in bounds)
    if not bounds or _is_sure(stretch, node, whole, fixed=fixed and not is_map):
        return False
    if is_map:
        return not index.type.endswith("_literal")
    if index.type == "range_expression" and fixed and string_of(bounds[0]) == "0" and string_of(index).endswith(".."):
        return False
    return fixed or (given and any(_is_free(stretch, node, bound) for bound in bounds))


def _is_list(stretch: Stretch, whole: Node, of: Typed | None) -> bool:
    """Tell whether what is indexed is surely a list and no JSON value, which gives null for what it has not."""
    if of is None:
        return False
    text = bare(of.text)
    return name_of(text) in ("Vec", "VecDeque", "SmallVec") or (
        text.startswith("[") and ";" not in text and text != "[array]"
    )


def _is_sure(stretch: Stretch, node: Node, whole: Node, *, fixed: bool) -> bool:
    name = string_of(whole)
    if is_checked(stretch.code, node, name, LENGTH):
        return True
    found = origin(whole) if whole.type == "identifier" else None
    made = " ".join(string_of(value) for value in found.values) if found is not None else ""
    if fixed and string_of(node).endswith("[0]") and re.search(r"\.r?split(?:n|_terminator)?\s*\(", made) is not None:
        return True  # a split gives one part at least
    if SAFE.search(made if fixed else "") is not None or SAFE.search(name) is not None or made.startswith("vec!"):
        return True
    return _is_length_told(stretch, node, name)


def _is_length_told(stretch: Stretch, node: Node, name: str) -> bool:
    """Tell whether the length of a list was looked at in what gives a bound, or a push made it long enough."""
    before = (
        string_of(stretch.code.node)
        .encode()[: max(node.start_byte - stretch.code.node.start_byte, 0)]
        .decode("utf-8", "ignore")
    )
    asked = rf"(?<![\w.]){re.escape(name)}\s*\.\s*(?:{ASKED})\b"
    return re.search(asked, before) is not None


def _is_free(stretch: Stretch, node: Node, bound: Node) -> bool:
    """Tell whether a bound is what the call gave, and no test was made of it."""
    if stretch.sources.input(bound) is None:
        return False
    names = {string_of(each) for each in of_kinds(bound, "rust", "identifier", "field_expression")}
    return not any(is_checked(stretch.code, node, name, LENGTH) for name in names)


def slices(stretch: Stretch) -> Iterator[Act]:
    """Find the texts that are cut at a count of bytes, which may lie within a character."""
    for each in stretch.code.of("index_expression"):
        if len(each.named_children) == 2 and each.named_children[1].type == "range_expression":
            whole, index = each.named_children
            if stretch.placed(each) == "call" and _cuts(stretch, each, whole, _bounds(index)):
                yield Act("slices", stretch.code.text(each), about=_text_given(stretch, whole))
    for call in stretch.calls:
        on, given = receiver(call), arguments_of(call)
        if on is not None and called(call) in CUTTING and given and stretch.placed(call) == "call":
            bounds = _bounds(given[0])
            if called(call) == "truncate" and not _is_text(stretch, on):
                continue
            if _cuts(stretch, call, on, bounds):
                yield Act("slices", stretch.code.text(call), about=_text_given(stretch, on))


def _text_given(stretch: Stretch, whole: Node) -> Text | None:
    return stretch.sources.input(whole) or stretch.sources.outside(whole)


def _is_text(stretch: Stretch, node: Node) -> bool:
    of = stretch.types.of(node)
    return of is not None and name_of(of.text) in TEXTS


def _cuts(stretch: Stretch, node: Node, whole: Node, bounds: list[Node]) -> bool:
    if not bounds or not _is_text(stretch, whole):
        return False
    counted = [bound for bound in bounds if string_of(bound) != "0"]
    if not counted or not all(_is_count(stretch, bound) for bound in counted):
        return False
    name = string_of(whole)
    return not (_is_ascii(whole) or is_checked(stretch.code, node, name, BOUNDED) or _is_walked(stretch, node, counted))


def _is_ascii(whole: Node) -> bool:
    found = origin(whole) if whole.type == "identifier" else None
    made = " ".join(string_of(value) for value in found.values) if found is not None else ""
    last = string_of(whole).rpartition(".")[2].rstrip("()")
    return ASCII.search(last) is not None or MAKES_ASCII.search(made) is not None


def _is_walked(stretch: Stretch, node: Node, bounds: list[Node]) -> bool:
    """Tell whether a loop moves a bound to where a character ends: `while !s.is_char_boundary(end) { end -= 1 }`."""
    names = {string_of(each) for bound in bounds for each in of_kinds(bound, "rust", "identifier", "field_expression")}
    loops = [each for each in stretch.code.of("while_expression") if each.start_byte < node.start_byte]
    tests = [string_of(child(each, "condition") or each) for each in loops]
    return any(
        "is_char_boundary" in test and any(re.search(rf"\b{re.escape(name)}\b", test) for name in names)
        for test in tests
    )


def _is_count(stretch: Stretch, bound: Node, depth: int = 0) -> bool:
    """Tell whether a bound counts bytes with no regard to the text: a number, a constant, what a call gave, a least of these."""
    if depth > 5:
        return False
    match bound.type:
        case "integer_literal":
            return True
        case "parenthesized_expression" | "type_cast_expression":
            return bool(bound.named_children) and _is_count(stretch, bound.named_children[0], depth + 1)
        case "binary_expression":
            left, right = child(bound, "left"), child(bound, "right")
            parts = [part for part in (left, right) if part is not None]
            return all(_is_count(stretch, part, depth + 1) or _is_length(part) for part in parts) and any(
                _is_count(stretch, part, depth + 1) for part in parts
            )
        case "scoped_identifier":
            return last_segment(bound).isupper()
        case "call_expression":
            return _is_least(stretch, bound, depth)
        case "identifier":
            return _is_counted_name(stretch, bound, depth)
        case "field_expression":
            return stretch.sources.input(bound) is not None and MEASURED.search(string_of(bound)) is None
    return False


def _is_least(stretch: Stretch, call: Node, depth: int) -> bool:
    on = receiver(call)
    parts = [*arguments_of(call), *([on] if on is not None else [])]
    if called(call) in ("min", "max", "clamp", "saturating_sub", "unwrap_or", "div_ceil"):
        return any(_is_count(stretch, part, depth + 1) for part in parts) and all(
            _is_count(stretch, part, depth + 1) or _is_length(part) or (called(call) == "unwrap_or" and part == on)
            for part in parts
        )
    return stretch.sources.input(call) is not None and MEASURED.search(string_of(call)) is None


def _is_counted_name(stretch: Stretch, name: Node, depth: int) -> bool:
    text = string_of(name)
    if text.isupper():
        return True
    found = origin(name)
    if re.search(rf"(?<![\w.]){re.escape(text)}\s*[-+]=", string_of(stretch.code.node)) is not None:
        return False  # it is moved to where something was seen
    if found is not None:
        plain = re.fullmatch(r"(?:mut\s+)?\w+", found.pattern) is not None
        return plain and bool(found.values) and all(_is_count(stretch, value, depth + 1) for value in found.values)
    if MEASURED.search(text) is not None:
        return False
    return any(
        text == part and re.fullmatch(r"usize|u\d+|i\d+|isize", string_of(type_))
        for part, type_ in parameters_of(stretch.function)
    ) and (re.search(r"max|limit|len|width|size|count|n$|chars|bytes|budget|cap", text) is not None)


def _is_length(node: Node) -> bool:
    return node.type == "call_expression" and called(node) == "len"
