"""Page sizes: how code treats the `limit` that a client asks for, and what numbers it knows for it."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.names import parts_of
from reviewer.behaviour.pages import is_page_size, limits_otherwise
from reviewer.facts import Limit
from reviewer.languages.needles import mentions
from reviewer.languages.nodes import child, parent_of, string_of, text_of
from reviewer.languages.rust.behaviour.domain import attributes
from reviewer.languages.rust.behaviour.handling import handling
from reviewer.languages.rust.behaviour.outcomes import tails
from reviewer.languages.rust.behaviour.sizes import Sizes, has_test, is_error, refuses, refusing
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import arms_of, below, called, owner, receiver, targets
from reviewer.languages.rust.items import Items, in_test
from reviewer.languages.rust.literals import string_value
from reviewer.languages.rust.tokens import first_of_macro
from reviewer.source import Text

SIZES = re.compile(rb"limit|page_size|per_page|max_results|max_items|pagesize", re.IGNORECASE)
FIELDS = re.compile(rb"limit|page|results", re.IGNORECASE)
"""What the name of a page size holds."""

BOUNDING = frozenset("unwrap_or unwrap_or_else map_or map_or_else or clamp min".split())
MULTIPLYING = frozenset("mul saturating_mul checked_mul wrapping_mul".split())
SERDE_DEFAULT = re.compile(r'default\s*=\s*"([\w:]+)"')
VALIDATED = re.compile(r"^#\[\s*(?:validate|garde)\s*\(.*\brange\s*\(", re.DOTALL)
READ_WITH = re.compile(r'(?:deserialize_with|with)\s*=\s*"([\w:]+)"')


def limits(items: Items) -> Iterator[Limit]:
    """Find where a page size is clamped, defaulted or rejected, in the code that tool calls run through."""
    run = handling(items)
    for path in run.files:
        if not mentions(items.sources[path].data, SIZES):
            continue
        fields = items.of_kinds_near(path, FIELDS, "field_declaration")
        both = [*items.of_kinds(path, "function_item"), *fields]
        for node in sorted(both, key=lambda each: each.start_byte):
            if in_test(node):
                continue
            if node.type == "function_item":
                found = list(_of_function(Sizes(items, node, path))) if _speaks(node) else []
            else:
                found = list(_of_field(items, node, path))
            if found and run.holds(path, node):
                yield from found


def _speaks(function: Node) -> bool:
    """Tell whether a function, or the type it belongs to, speaks of sizes at all."""
    return mentions(function.text or b"", SIZES) or is_page_size(owner(function) or "")


def _of_function(sizes: Sizes) -> Iterator[Limit]:
    """Find what one function does, unless it speaks of bytes or of another thing that is limited."""
    found = () if sizes.is_other else _in_function(sizes)
    yield from (limit for limit in found if not limits_otherwise(limit.text))


def _in_function(sizes: Sizes) -> Iterator[Limit]:
    rejected = list(_rejections(sizes))
    for test in rejected:
        yield Limit(_name(sizes, test), text_of(sizes.items.sources[sizes.path], test), refuses=True)
    yield from _clamps(sizes)
    yield from _choices(sizes)
    yield from _defaults(sizes)


def _name(sizes: Sizes, node: Node) -> Text:
    """Name the size that an expression speaks of."""
    source = sizes.items.sources[sizes.path]
    for part in below(node):
        named = part.type in ("identifier", "field_identifier") and not string_of(part).isupper()
        if named and is_page_size(string_of(part)):
            return text_of(source, part)
        key = string_value(part)
        if key is not None and is_page_size(key):
            return Text(key, text_of(source, part).span)
    return Text("limit", text_of(source, node).span)


def _rejections(sizes: Sizes) -> Iterator[Node]:
    yield from _tested(sizes)
    for node in below(sizes.function):
        if node.type == "call_expression" and _refusing_helper(sizes, node):
            yield node


def _tested(sizes: Sizes) -> Iterator[Node]:
    """Find the tests of a size by which a function refuses."""
    for node in refusing(sizes.function):
        test: Node | None = None
        match node.type:
            case "if_expression":
                test = sizes.test(child(node, "condition"))
            case "match_expression":
                test = _refusing_match(sizes, node)
            case "macro_invocation":
                test = sizes.test(first_of_macro(sizes.items.sources[sizes.path], node))
            case "call_expression":
                test = _refusing_chain(sizes, receiver(node))
            case "let_declaration":
                test = _refusing_chain(sizes, child(node, "value"))
        if test is not None:
            yield test


def _refusing_match(sizes: Sizes, match: Node) -> Node | None:
    """Find the refusing arm of a match on a size that tells sizes by ranges, or by what it compares."""
    value = child(match, "value")
    on = receiver(value) if value is not None and called(value) in ("cmp", "partial_cmp") else None
    if on is not None and sizes.gives(on):
        return next((arm for arm in arms_of(match) if refuses(child(arm, "value"))), None)
    if value is None or not sizes.gives(value):
        return None
    arms = [(arm, pattern) for arm in arms_of(match) if (pattern := child(arm, "pattern")) is not None]
    ranged = any(".." in string_of(pattern) for _, pattern in arms)
    for arm, pattern in arms:
        refused = refuses(child(arm, "value")) and not is_error(pattern) and string_of(pattern) != "None"
        if refused and (ranged or sizes.test(child(pattern, "condition")) is not None):
            return arm
        if ranged or not refused:
            continue
    guarded = [arm for arm, pattern in arms if sizes.test(child(pattern, "condition")) is not None]
    refused_rest = [
        arm
        for arm, pattern in arms
        if refuses(child(arm, "value")) and not is_error(pattern) and string_of(pattern) != "None"
    ]
    return refused_rest[0] if guarded and refused_rest else None


def _refusing_chain(sizes: Sizes, on: Node | None) -> Node | None:
    """Find the test of `limit.filter(|n| ..).ok_or(..)` and `(limit <= MAX).then_some(limit).ok_or(..)`."""
    while on is not None and on.type == "call_expression":
        name = called(on)
        if name in ("filter", "then_some", "then"):
            return sizes.test(on)
        if name == "checked_sub" and any(sizes.gives(each) for each in arguments_of(on)):
            return on
        on = receiver(on)
    return None


def _refusing_helper(sizes: Sizes, call: Node) -> bool:
    """Tell whether a function of the project refuses the size that it is asked to read or to check."""
    given = arguments_of(call)
    keys = [key for each in given if (key := string_value(each)) is not None]
    asked = any(is_page_size(key) for key in keys[:1]) or any(sizes.gives(each) for each in given)
    if not asked:
        return False
    for each in targets(sizes.items, call, sizes.path):
        name = string_of(child(each.node, "name") or each.node)
        if "Result" not in string_of(child(each.node, "return_type") or call) or is_page_size(name):
            continue  # what is named for sizes is told where it tests
        if limits_otherwise(name):
            continue
        about = None if keys else _parameter(each.node, next(at for at, part in enumerate(given) if sizes.gives(part)))
        if about is not None and is_page_size(about):
            continue
        if about is None and any(_tests(node) for node in refusing(each.node)):
            return True
        if about is not None and any(
            True for _ in _tested(Sizes(sizes.items, each.node, each.path, frozenset({about})))
        ):
            return True
    return False


def _parameter(function: Node, place: int) -> str | None:
    """Name the parameter at a place."""
    listed = child(function, "parameters")
    parts = [part for part in listed.named_children if part.type == "parameter"] if listed is not None else []
    return string_of(child(parts[place], "pattern") or parts[place]) if place < len(parts) else None


def _tests(node: Node) -> bool:
    """Tell whether something refuses by a comparison."""
    tested = child(node, "condition") if node.type == "if_expression" else node
    return tested is not None and has_test(tested)


def _clamps(sizes: Sizes) -> Iterator[Limit]:
    """Find the outermost calls that bound a size or stand in for one that is not given."""
    end = 0
    for node in below(sizes.function):
        if node.type != "call_expression" or node.start_byte < end or not _bounds(sizes, node):
            continue
        end = node.end_byte
        if _is_factor(node):
            continue
        calls = [part for part in below(node) if part.type == "call_expression"]
        caps = [cap for part in calls if (cap := _cap(sizes, part)) is not None]
        given = [default for part in calls if (default := _default(sizes, part)) is not None]
        text = text_of(sizes.items.sources[sizes.path], node)
        yield Limit(_name(sizes, node), text, given[0] if given else None, min(caps) if caps else None)


def _is_factor(node: Node) -> bool:
    """Tell whether a size is only multiplied with the number of a page: that is where the page begins, not how long it is."""
    above = node.parent
    while above is not None and above.type in ("parenthesized_expression", "type_cast_expression"):
        above = parent_of(above)
    if above is not None and above.type == "arguments":
        return (called(above.parent) if above.parent is not None else None) in MULTIPLYING
    return above is not None and string_of(child(above, "operator") or above) == "*"


def _bounds(sizes: Sizes, call: Node) -> bool:
    return sizes.gives(call) and any(
        part.type == "call_expression" and called(part) in BOUNDING and sizes.gives(part) for part in below(call)
    )


def _cap(sizes: Sizes, call: Node) -> int | None:
    name, given = called(call), arguments_of(call)
    if not sizes.gives(call):
        return None
    if name == "clamp" and given:
        return sizes.number(given[-1])
    if name == "min" and given:
        return next((found for each in given if (found := sizes.number(each)) is not None), None)
    return None


def _default(sizes: Sizes, call: Node) -> int | None:
    given = arguments_of(call)
    if called(call) not in ("unwrap_or", "unwrap_or_else", "map_or", "map_or_else", "or") or not given:
        return None
    return sizes.number(given[0]) if sizes.gives(call) else None


def _choices(sizes: Sizes) -> Iterator[Limit]:
    """Find the conditions and matches that bound a size or stand in for one."""
    source = sizes.items.sources[sizes.path]
    for node in below(sizes.function):
        cap = default = None
        if node.type == "if_expression":
            cap, default = _of_condition(sizes, node)
        elif node.type == "match_expression":
            cap, default = _of_match(sizes, node)
        if cap is not None or default is not None:
            yield Limit(_name(sizes, node), text_of(source, node), default, cap)


def _of_condition(sizes: Sizes, node: Node) -> tuple[int | None, int | None]:
    condition, consequence = child(node, "condition"), child(node, "consequence")
    if condition is not None and condition.type == "let_condition":
        value = child(condition, "value")
        if value is not None and sizes.gives(value):
            return None, sizes.number(_result(child(node, "alternative")))
        return None, None
    test = sizes.test(condition)
    sign, left = child(test, "operator"), child(test, "left")
    if test is None or sign is None or left is None:
        return None, None
    above = string_of(sign) in (">", ">=") if sizes.gives(left) else string_of(sign) in ("<", "<=")
    return (sizes.number(_result(consequence)), None) if above else (None, None)


def _result(block: Node | None) -> Node | None:
    """Give what a block comes to, or what it assigns if it does nothing else."""
    if block is not None and block.type == "else_clause":
        block = next(iter(block.named_children), None)
    parts = [part for part in block.named_children if not part.type.endswith("_comment")] if block is not None else []
    if len(parts) != 1:
        return None
    only = parts[0].named_children[0] if parts[0].type == "expression_statement" else parts[0]
    return child(only, "right") if only.type == "assignment_expression" else only


def _of_match(sizes: Sizes, match: Node) -> tuple[int | None, int | None]:
    value = child(match, "value")
    if value is None or not sizes.gives(value):
        return None, None
    cap = default = None
    for arm in arms_of(match):
        pattern, given = child(arm, "pattern"), sizes.number(child(arm, "value"))
        if pattern is None or given is None:
            continue
        if string_of(pattern) == "None":
            default = given
        elif ".." in string_of(pattern) or ">" in string_of(child(pattern, "condition") or match)[:40]:
            cap = given if given > 1 else cap
    return cap, default


def _defaults(sizes: Sizes) -> Iterator[Limit]:
    """Find functions that give a default size, and the size that a default value is made with."""
    name, source = child(sizes.function, "name"), sizes.items.sources[sizes.path]
    body, listed = child(sizes.function, "body"), child(sizes.function, "parameters")
    if name is None or body is None or (listed is not None and listed.named_children):
        return
    words = parts_of(string_of(name))
    if "default" in words and is_page_size(string_of(name)):
        for end in tails(body):
            if (given := sizes.number(end)) is not None:
                yield Limit(text_of(source, name), text_of(source, end), given)
    elif string_of(name) == "default" and not {"config", "settings"} & parts_of(owner(sizes.function) or ""):
        for part in below(body):
            field, value = child(part, "field"), child(part, "value")
            if part.type == "field_initializer" and field is not None and is_page_size(string_of(field)):
                given = sizes.number(value)
                if given is not None and value is not None and "max" not in parts_of(string_of(field)) - {"results"}:
                    yield Limit(text_of(source, field), text_of(source, value), given)


def _of_field(items: Items, node: Node, path: str) -> Iterator[Limit]:
    """Read the attributes of a field that is a page's size."""
    name, source = child(node, "name"), items.sources[path]
    if name is None or not is_page_size(string_of(name)):
        return
    for each in attributes(node):
        text = string_of(each)
        if VALIDATED.match(text) is not None and any(b".validate(" in data.data for data in items.sources.values()):
            yield Limit(text_of(source, name), text_of(source, each), refuses=True)
        default, reader = SERDE_DEFAULT.search(text), READ_WITH.search(text)
        for item in items.functions(default[1].split("::")[-1]) if default is not None else ():
            body = child(item.node, "body")
            given = Sizes(items, item.node, item.path).number(body) if item.path == path and body is not None else None
            if given is not None and not is_page_size(item.name):
                yield Limit(text_of(source, name), text_of(source, each), given)
        for item in items.functions(reader[1].split("::")[-1]) if reader is not None else ():
            if item.path == path and not is_page_size(item.name) and any(_tests(test) for test in refusing(item.node)):
                yield Limit(text_of(source, name), text_of(source, each), refuses=True)
