"""Functions that choose by an action's name, and the functions that bound an answer."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from tree_sitter import Node

from reviewer.behaviour.values import tables
from reviewer.code.ir import Call, Code, Field, Global, iter_codes, iter_statements
from reviewer.code.values import Function
from reviewer.facts import Dispatch, Guard, Handler
from reviewer.languages.catalogs import infer_domain
from reviewer.languages.nodes import decode_node, find_child, find_descendants, iter_matches, locate_node, locate_text
from reviewer.languages.rust.behaviour import outcomes
from reviewer.languages.rust.behaviour.effects import collect_acts
from reviewer.languages.rust.behaviour.tracing import get_program, trace_of
from reviewer.languages.rust.behaviour.variants import read_variant_text
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.name_resolution import (
    find_enclosing_function,
    iter_descendants,
    list_parameters,
    read_callee_name,
    read_last_segment,
    resolve_constant,
)
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax.prefilter import compile_marks, find_files_with
from reviewer.source import Opaque, Text
from reviewer.text.patterns import pattern

MATCHING = compile_marks(
    rb"match\s[^{};]*[aA]ction",
    rb"action[\w.()]*\s*==\s*[\"A-Z&]",
    rb"[\"A-Z_]\s*==\s*[&*\w.]*action\b",
    rb"=\s*[^;{}]*\baction\b[^;{}]*;",
)
RESPONDING = compile_marks(rb"fn\s+respond\b", rb"action\s*:\s*&\s*(?:'\w+\s+)?str\s*,\s*\w+\s*:\s*[\w:]*Value\b")
TABLED = compile_marks(rb"fn\s+\w+[^;{}]*\baction\s*:", rb"\(\s*[\w.]+\.\w+\s*\)\s*\(", rb"\bget\([^;{}]*\baction\b")
FUNCTIONS = pattern(rb"\bfn\s*\(|\bdyn\s+\w")
"""How types of functions, and of objects with a method, are written, without which a project has no table of them."""

LOOKING_UP = pattern(r"\bget\([^;{}]*\baction\b")
"""How what answers an action is looked up."""

# A function that chooses by an action and returns none of these only tells something about it, such as its scope.
# Looked for anywhere in the return type, so that a project's own `ToolOutput` counts.
ANSWER = pattern(r"Result|Value|Json|Response|Content|Output")
# A function that is called `respond` may also give the envelope, or its text.
RESPONSE = pattern(rf"{ANSWER.pattern}|Envelope|Map|Object|String")
# A check, a comparison, a look-up and a count have nothing in them that a client could be answered.
NO_ANSWER = pattern(r"Result\s*<\s*(\(\)|bool|&|[iu](8|16|32|64|size)\b)")
# A `transaction` is no action, and `actions` are a list of them.
ACTION = pattern(r"(^|[^a-z])action(?!s)")
# The whole side of a comparison, up to how it is borrowed: anything more compares what was made of the action.
ASKING = pattern(r"^[&*]*(?:\w+\s*\.\s*)*action(?:\s*\.\s*(?:as_str|as_ref|as_deref|to_string)\(\))?$")
# The separator puts the parts of a name together again: the rules know `item.get`, the code chooses by `("item",
# "get")`.
SPLIT = pattern(r"\.r?split(?:n|_once)?\(\s*(?:\d+\s*,\s*)?[\"']([^\"']+)[\"']\s*\)")
# Only a type that is written by its name alone may be an alias; a reference or a tuple has no name to look up.
NAMES = ("type_identifier", "scoped_type_identifier")
ABSENT = ("None", '""')
"""Patterns for the part of a name that is not there: `("", "help")`, `("help", None)`."""
# A second argument of such a name is what the client sent, and the function answers the call instead of bounding an
# answer.
ASKED = pattern(r"param|arg|input|request|body")


def iter_dispatches(items: RustItems) -> Iterator[Dispatch]:
    """Find the functions that match on an action's name: in two arms at least, or in one and refuse all other names."""
    found = [each for path in find_files_with(items, MATCHING) for each in _iter_dispatches_in(items, path)]
    known = {str(each.dispatch.name) for each in found if each.sure}
    tabled = {each.span: each for each in _iter_table_dispatches(items)}
    yield from (each for span, each in tabled.items() if span not in {other.dispatch.span for other in found})
    for each in found:
        rows = tabled[each.dispatch.span].arms if each.dispatch.span in tabled else ()
        is_open = not rows and any(not known & calls for calls in each.onward)
        if each.sure or rows or (each.onward and not is_open):
            arms = {str(arm.name): arm for arm in (*rows, *each.dispatch.arms)}  # an arm is asked before the table
            yield replace(each.dispatch, arms=tuple(arms.values()), open=is_open)


def _iter_table_dispatches(items: RustItems) -> Iterator[Dispatch]:
    """Yield the functions that look up in a table which function answers an action."""
    for path in find_files_with(items, TABLED) if items.find_matching(FUNCTIONS) else ():
        for function in items.find_nodes(path, "function_item"):
            name, taken = find_child(function, "name"), find_child(function, "parameters")
            span = items.locate_node(path, function)
            if name is None or taken is None or is_in_test(function):
                continue
            if not _answers(items, function, path):
                continue
            item = RustItem(path, function, items.sources[path])
            code = get_program(items).find_code_at(path, function)
            is_looked_up = LOOKING_UP.search(decode_node(function)) is not None
            if tables.calls_values(code) or (is_looked_up and tables.calls_methods(code)):
                rows = tables.collect_rows(trace_of(items, item))
                arms = tuple(_build_row(items, text, row, path) for text, row in rows.items())
                of_actions = re.search(r"\baction\b", decode_node(taken)) is not None or any(
                    map(DOTTED.fullmatch, rows)
                )
                if len(arms) > 1 and of_actions:
                    yield Dispatch(locate_text(items.sources[path], name), span, arms, infer_domain(path))


def _build_row(items: RustItems, name: str, row: tables.Row, path: str) -> Handler:
    """Return the arm that a row of a table is, named where it is written."""
    code = _get_behind(items, row.code)
    written = (tables.locate_row(each, name, row) for each in (items.sources[path], row.code.source))
    span = next((each for each in written if each is not None), code.locate(code.at))
    node = items.parse_root(code.source.path).descendant_for_byte_range(code.at.start, code.at.end)
    return Handler(Text(name, span), code.locate(code.at), acts=collect_acts(items, node, code.source.path))


def _get_behind(items: RustItems, code: Code) -> Code:
    """Return the one function of the project that a closure calls to answer: `|store, call| list(store, call).boxed()`."""
    program, found = get_program(items), set[Code]()
    for one in iter_codes(code) if code.kind == "closure" else ():
        for each in iter_statements(one.body):
            if isinstance(each, Call) and isinstance(each.callee, Global):
                meant = program.resolve_name(each.callee, one)
                found |= {thing.code for thing in meant.things if isinstance(thing, Function)} if meant else set()
            elif isinstance(each, Call) and isinstance(each.callee, Field):
                methods = (
                    items.find_functions(each.callee.name) if f".{each.callee.name}" not in program.models.rows else []
                )
                found |= {program.find_code_at(method.path, method.node) for method in methods[:1] if len(methods) == 1}
    return found.pop() if len(found) == 1 else code


class _DispatchCandidate(NamedTuple):
    """A dispatch, what its other arms call, and whether it surely is one: a single arm may be a special case."""

    dispatch: Dispatch
    onward: list[set[str]]
    sure: bool


def _iter_dispatches_in(items: RustItems, path: str) -> Iterator[_DispatchCandidate]:
    source = items.sources[path]
    choices: dict[int, tuple[Node, list[_Choice]]] = {}
    for found in iter_matches(items.parse_root(path), "rust", "dispatches"):
        place = found.get("match") or found["if"]
        function = find_enclosing_function(place)
        asked = (
            _find_action_expression(found["scrutinee"], function)
            if function is not None and _answers(items, function, path)
            else None
        )
        if asked is None and function is not None and "match" in found and _answers(items, function, path):
            asked = _find_by_names(items, found, path)
        if function is None or asked is None:
            continue
        earlier = choices.setdefault(function.id, (function, []))[1]
        if not any(choice.holds(place) for choice in earlier):
            earlier.append(
                _get_choice(items, place, found["body"], path, _find_separator(asked))
                if "match" in found
                else _get_branch(items, found, path)
            )
    for function, chosen in choices.values():
        name = find_child(function, "name")
        arms = tuple(arm for choice in chosen for arm in choice.arms)
        sure = len(arms) > 1 or any(choice.closed for choice in chosen)
        if name is not None and arms and not is_in_test(function):
            found_here = Dispatch(locate_text(source, name), locate_node(source, function), arms, infer_domain(path))
            onward = [calls for choice in chosen for calls in choice.onward]
            yield _DispatchCandidate(found_here, [*onward, *_iter_after(function, chosen)], sure)


def _find_action_expression(scrutinee: Node, function: Node) -> str | None:
    """Return the expression that a choice matches, or the values of its variables, if it is an action's name; else
    None.
    """
    if ACTION.search(written := decode_node(scrutinee)) is not None:
        return written
    if scrutinee.type not in ("identifier", "tuple_expression"):
        return None
    names = {decode_node(each) for each in (scrutinee, *scrutinee.named_children) if each.type == "identifier"}
    for each in find_descendants(function, "rust", "let_declaration"):
        bound, value = find_child(each, "pattern"), find_child(each, "value")
        if bound is not None and value is not None and each.start_byte < scrutinee.start_byte:
            made = decode_node(value)
            if names & {decode_node(part) for part in (bound, *bound.named_children)} and ACTION.search(made):
                return made
    return None


DOTTED = pattern(r"[a-z]\w*\.\w+")
"""The name of an action with its subject: `item.get`."""


# A variant of an enum that is put into one of these (`"item.get" => Ok(Action::Get)`) is a translation, no work.
WRAPPING = frozenset({"Ok", "Err", "Some"})


def _find_by_names(items: RustItems, found: dict[str, Node], path: str) -> str | None:
    """Return the expression that a choice matches if its arms do what actions are called for: `name.parse()?`.

    Arms that call nothing only translate the names, as those of `from_str` do.
    """
    arms = [
        arm
        for arm, given in iter_literal_arms(items, found["body"], path)
        if any(DOTTED.fullmatch(str(name)) for name in given)
    ]
    calls = (each for arm in arms for each in iter_descendants(arm) if each.type == "call_expression")
    is_choice = len(arms) > 1 and any(read_callee_name(each) not in WRAPPING for each in calls)
    return decode_node(found["scrutinee"]) if is_choice else None


def _find_separator(asked: str) -> str | None:
    """Return the text at which the name of an action is split before its parts are chosen by."""
    found = SPLIT.search(asked)
    return found[1] if found is not None else None


class _Choice(NamedTuple):
    """One match by action: its arms, their nodes, whether every other action is refused, and what other arms call."""

    arms: list[Handler]
    nodes: list[Node]
    closed: bool
    onward: list[set[str]]

    def holds(self, match: Node) -> bool:
        """Return whether another match lies within an arm."""
        return any(arm.start_byte <= match.start_byte < arm.end_byte for arm in self.nodes)


def _get_choice(items: RustItems, match: Node, body: Node, path: str, separator: str | None) -> _Choice:
    refuses = any(_refuses_rest(arm) for arm in body.named_children)
    found = _Choice([], [], refuses, list(_iter_onward(items, body, path, separator)))
    for arm, names in iter_literal_arms(items, body, path, separator):
        value = find_child(arm, "value")
        found.nodes.append(arm)
        span, acts = locate_node(items.sources[path], arm), collect_acts(items, value, path)
        found.arms.extend(Handler(name, span, acts=acts) for name in names)
    return found


def _get_branch(items: RustItems, found: dict[str, Node], path: str) -> _Choice:
    """Read `if action == "item.get" { .. }`, which has one arm."""
    body, names = found["body"], list(_iter_compared_names(items, found["scrutinee"], path))
    span, acts = locate_node(items.sources[path], found["if"]), collect_acts(items, body, path)
    arms = [Handler(name, span, acts=acts) for name in names]
    return _Choice(arms, [body] if names else [], False, [])


def _iter_compared_names(items: RustItems, test: Node, path: str) -> Iterator[Text]:
    """Name the actions that a test asks for, if it asks for nothing else."""
    if test.type == "parenthesized_expression" and test.named_children:
        yield from _iter_compared_names(items, test.named_children[0], path)
    left, right, sign = find_child(test, "left"), find_child(test, "right"), find_child(test, "operator")
    if test.type != "binary_expression" or left is None or right is None or sign is None:
        return
    if decode_node(sign) == "||":
        yield from (*_iter_compared_names(items, left, path), *_iter_compared_names(items, right, path))
    elif decode_node(sign) == "==":
        for asked, given in ((left, right), (right, left)):
            name = _read_arm_name(items, given, path)
            if name is not None and ASKING.search(decode_node(asked)):
                yield name


def _iter_after(function: Node, chosen: list[_Choice]) -> Iterator[set[str]]:
    """Name what each answer of a function calls that stands behind tests of the action's name only."""
    body = find_child(function, "body")
    if body is None or any(choice.closed or choice.onward for choice in chosen):
        return
    arms = [node for choice in chosen for node in choice.nodes]
    for value in outcomes.iter_success_values(body):
        if not any(arm.start_byte <= value.start_byte < arm.end_byte for arm in arms):
            yield {read_callee_name(each) or "" for each in iter_descendants(value) if each.type == "call_expression"}


def _iter_onward(items: RustItems, body: Node, path: str, separator: str | None) -> Iterator[set[str]]:
    """Name what each arm calls that answers actions which it does not name."""
    for arm in body.named_children:
        pattern, value = find_child(arm, "pattern") if arm.type == "match_arm" else None, find_child(arm, "value")
        parts = list(_iter_alternatives(pattern))
        named = parts and all(_read_arm_name(items, each, path, separator) is not None for each in parts)
        if pattern is not None and value is not None and not named and outcomes.gives(value):
            yield {read_callee_name(each) or "" for each in iter_descendants(value) if each.type == "call_expression"}


def _refuses_rest(arm: Node) -> bool:
    """Return whether an arm takes whatever is left and has nothing but errors for it."""
    pattern, value = find_child(arm, "pattern"), find_child(arm, "value")
    if pattern is None or value is None:
        return False
    return re.fullmatch(r"_|[a-z_]\w*", decode_node(pattern)) is not None and not outcomes.gives(value)


def _answers(items: RustItems, function: Node, path: str) -> bool:
    """Return whether a function gives an answer back, and not only what it knows of an action."""
    kind = find_child(function, "return_type")
    text = _get_meant(items, kind, path) if kind is not None else ""
    return ANSWER.search(text) is not None and NO_ANSWER.search(text) is None


def _get_meant(items: RustItems, kind: Node, path: str) -> str:
    """Return a type as it is written, of an alias what it stands for: `type Outcome = Result<Value, ToolError>`."""
    name = find_child(kind, "type") if kind.type == "generic_type" else kind
    alias = items.resolve(read_segments(name), path, "type") if name is not None and name.type in NAMES else None
    written = find_child(alias.node, "type") if isinstance(alias, RustItem) else None
    return decode_node(written if written is not None else kind)


def iter_literal_arms(
    items: RustItems, body: Node, path: str, separator: str | None = None
) -> Iterator[tuple[Node, list[Text]]]:
    """Yield the arms of a match whose patterns are strings, or the parts of one that was split, with what these say."""
    for arm in body.named_children:
        pattern = find_child(arm, "pattern") if arm.type == "match_arm" else None
        names = [
            name
            for each in _iter_alternatives(pattern)
            if isinstance(name := _read_arm_name(items, each, path, separator), Text)
        ]
        if names:
            yield arm, names


def _iter_alternatives(pattern: Node | None) -> Iterator[Node]:
    """Yield the alternatives of a pattern without its guard."""
    for part in pattern.named_children[:1] if pattern is not None else ():
        yield from _iter_or_operands(part)


def _iter_or_operands(part: Node) -> Iterator[Node]:
    if part.type != "or_pattern":
        yield part
        return
    for each in part.named_children:
        yield from _iter_or_operands(each)


def _read_arm_name(items: RustItems, pattern: Node, path: str, separator: str | None = None) -> Text | None:
    """Read a string literal, the name of a constant or of a variant, also within `Some(..)`, or the parts of a split text."""
    variant = read_variant_text(items, pattern, path)
    if variant is not None:
        return Text(variant, locate_node(items.sources[path], pattern))
    if pattern.type == "tuple_struct_pattern" and len(pattern.named_children) == 2:
        return _read_arm_name(items, pattern.named_children[1], path, separator)
    if pattern.type in ("tuple_pattern", "slice_pattern") and separator is not None:
        parts = [
            _read_arm_name(items, each, path) for each in pattern.named_children if decode_node(each) not in ABSENT
        ]
        known = [str(part) for part in parts if part]
        if known and None not in parts:
            return Text(separator.join(known), locate_node(items.sources[path], pattern))
        return None
    name: str | Opaque | None = evaluate_string(pattern)
    if pattern.type in ("identifier", "scoped_identifier") and read_last_segment(pattern).isupper():
        value = resolve_constant(items, pattern, path)
        name = ConstantFolder(items).fold_text(*value) if value is not None else None
    return Text(name, locate_node(items.sources[path], pattern)) if isinstance(name, str) else None


def iter_guards(items: RustItems) -> Iterator[Guard]:
    """Find the functions of the shape `respond(action, value)`; where one bears that name, only those that do."""
    found = list(_iter_bounding_functions(items))
    yield from [guard for guard in found if guard.name == "respond"] or found


def _iter_bounding_functions(items: RustItems) -> Iterator[Guard]:
    for path in find_files_with(items, RESPONDING):
        for function in items.find_nodes(path, "function_item"):
            name = find_child(function, "name")
            if name is not None and _guards(function, decode_node(name)) and not is_in_test(function):
                yield Guard(items.locate_text(path, name), items.locate_node(path, function))


def _gives_answer(function: Node) -> bool:
    given = find_child(function, "return_type")
    return given is not None and RESPONSE.search(decode_node(given)) is not None


def _guards(function: Node, name: str) -> bool:
    parameters = list_parameters(function)
    if len(parameters) < 2:
        return False
    if name == "respond":
        return _gives_answer(function)
    kinds = [decode_node(find_child(part, "type") or part).split("::")[-1] for part in parameters[:2]]
    names = [decode_node(find_child(part, "pattern") or part) for part in parameters[:2]]
    given = find_child(function, "return_type")
    return (
        names[0] == "action"
        and kinds[0].startswith("&")
        and kinds[1] == "Value"
        and ASKED.search(names[1]) is None
        and given is not None
        and decode_node(given).split("::")[-1] == "Value"
    )
