"""Functions that choose by a tool's name, as `call_tool` does where no macro routes the calls, and tools that are types."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from tree_sitter import Node

from reviewer.behaviour.failures.boundaries import is_cut
from reviewer.facts import Act, ActKind, Acts, CallEntry, Flag, Handler, Lazy, Server, Tool
from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds, iter_matches, list_field_children
from reviewer.languages.rust.behaviour.argument_use import RustCallReading, RustMethodReading
from reviewer.languages.rust.behaviour.dispatches import iter_literal_arms
from reviewer.languages.rust.behaviour.effects import collect_acts
from reviewer.languages.rust.behaviour.pairs import RUNNING, find_handler_beside, find_handler_by_name
from reviewer.languages.rust.behaviour.tracing import get_program, takes_input, trace_of
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.name_resolution import (
    find_enclosing_function,
    find_function_at,
    find_owner,
    iter_descendants,
    list_arms,
)
from reviewer.languages.rust.project.uses import read_segments
from reviewer.source import Text
from reviewer.text.patterns import pattern

ANSWER: ActKind = "succeeds in error"
"""What may be done for a tool by the place where its calls come in."""

# The other methods of a tool's trait tell of it (`name`, `schema`, `description`), and do nothing when it is called.
DOING = pattern(r"(?:run|call|execute|handle|invoke)(?:_\w+)?")
MAKERS = {"function_item": "fn", "const_item": "const", "static_item": "const"}
"""What may make a tool, and what it is looked up as."""

# An arm in which nothing is called only tells something of the tool, such as the scope that it needs.
WORKING = frozenset({"call_expression", "macro_invocation"})


TAKING = ("function_item", "closure_expression")
"""What may be handed the struct of a tool as a parameter."""


class _Arm(NamedTuple):
    """An arm of a match that names a tool, and all that it names."""

    name: Text
    names: list[Text]
    node: Node
    path: str
    match: Node


def iter_tool_branches(items: RustItems, servers: tuple[Server, ...]) -> Iterator[Handler]:
    """Yield the arms of matches on the names of tools of which nothing else tells the code."""
    names = {tool.name for server in servers for tool in server.tools if tool.handler is None}
    wanted = {str(name) for name in names if isinstance(name, Text)}
    for arm in _iter_named_arms(items, wanted) if wanted else ():
        yield Handler(arm.name, items.locate_node(arm.path, arm.node))


def with_branches(items: RustItems, servers: tuple[Server, ...]) -> tuple[Server, ...]:
    """Return the servers, their tools with what answers each where no function of its own is known to."""
    names = {tool.name for server in servers for tool in server.tools if tool.handler is None}
    wanted = {str(name) for name in names if isinstance(name, Text)}
    found: dict[str, list[_Arm]] = {}
    for arm in _iter_named_arms(items, wanted) if wanted else ():
        if any(each.type in WORKING for each in iter_descendants(arm.node)):
            found.setdefault(str(arm.name), []).append(arm)
    if not wanted:
        return servers
    every = [arm for arms in found.values() for arm in arms]
    return tuple(
        replace(
            each,
            tools=tuple(
                _get_at_boundary(
                    _with_branch(items, tool, each.entry, found.get(str(tool.name), []), every, alone=alone),
                    error_boundaries,
                    partial(_turns, items, each.entry),
                )
                for tool in each.tools
            ),
        )
        for each, error_boundaries in (
            (each, Lazy(partial(_iter_error_boundaries, items, each.entry, every))) for each in servers
        )
        for alone in (len(each.tools) == 1 and not each.unreadable,)
    )


def _iter_error_boundaries(items: RustItems, entry: CallEntry | None, arms: Sequence[_Arm]) -> Iterator[Act]:
    """Yield the answers that the entry of calls gives itself for the tools that fail, outside of their arms."""
    function = find_function_at(items, entry.span) if entry is not None else None
    own = [items.locate_node(arm.path, arm.node) for arm in arms]
    for act in collect_acts(items, function.node, function.path).select_kinds(ANSWER) if function is not None else ():
        if not act.through and not any(span.holds(act.text.span) for span in own):
            yield act


def _turns(items: RustItems, entry: CallEntry | None, branch: Handler, act: Act) -> bool:
    """Return whether the place where calls come in runs what answers a tool, and makes no success of what is done there.

    What looks over the arguments of all tools may have an arm for each: its text is the reason of an error.
    """
    outer = find_function_at(items, entry.span) if entry is not None else None
    around, inner = find_function_at(items, branch.span), find_function_at(items, act.text.span)
    if outer is None or around is None or inner is None or outer.node == around.node:
        return False
    trace, program = trace_of(items, outer), get_program(items)
    followed = set(trace.collect_codes())
    if is_cut(trace) or not {program.find_code_at(each.path, each.node) for each in (around, inner)} <= followed:
        return False
    return all(
        each.text.span != act.text.span for each in collect_acts(items, outer.node, outer.path).select_kinds(ANSWER)
    )


def _get_at_boundary(tool: Tool, error_boundaries: Lazy[Act], turns: Callable[[Handler, Act], bool]) -> Tool:
    """Return a tool that is answered by a branch with what is answered for it where that fails."""
    branch = tool.branch
    if branch is None:
        return tool

    def iter_acts(kinds: frozenset[ActKind]) -> Iterator[Act]:
        yield from (
            each for each in branch.acts.select_kinds(*sorted(kinds)) if each.kind != ANSWER or not turns(branch, each)
        )
        yield from error_boundaries if ANSWER in kinds else ()

    return replace(tool, branch=replace(branch, acts=Acts(iter_acts)))


def _with_branch(
    items: RustItems, tool: Tool, entry: CallEntry | None, arms: list[_Arm], others: Sequence[_Arm], *, alone: bool
) -> Tool:
    """Return a tool with the method of its own type, or with the arm that names it.

    Of several it is one that is handed the arguments, unlike that of `get_tool(name)`, and that names fewest.
    """
    if tool.handler is not None:
        return tool
    own = _find_for_type(items, tool)
    if own is None and not arms and alone and entry is not None:
        own = _find_sole(items, tool, entry)
    if own is None and not arms:
        own = find_handler_beside(items, tool) or find_handler_by_name(items, tool)
    if own is not None or not arms:
        return replace(tool, branch=own)
    if len(arms) > 1:
        arms = [each for each in arms if _is_handed_input(items, each)] or arms
        arms = _collect_for_askers(items, tool, arms)
    arm = min(arms, key=lambda each: (each.path != tool.span.path, len(each.names)))
    beside = [each for each in list_arms(arm.match) if each != arm.node]
    ways = [
        each
        for each in (find_function_at(items, entry.span) if entry is not None else None, _find_around(items, arm))
        if each
    ]
    hidden = (*beside, *_iter_for_others(tool, arm, others))
    taken = RustCallReading(items, arm.node, arm.path, str(tool.name), ways, hidden)
    acts = collect_acts(items, find_child(arm.node, "value"), arm.path, taken.trace_alone)
    return replace(
        tool, branch=taken.attach_to_handler(Handler(arm.name, items.locate_node(arm.path, arm.node), acts=acts))
    )


def _collect_for_askers(items: RustItems, tool: Tool, arms: list[_Arm]) -> list[_Arm]:
    """Keep the arms of the packages that ask for what makes a tool: two servers of one workspace may give tools one name."""
    folders = {items.find_package_folder(each.path) for each in arms}
    asking = _collect_askers(items, tool) if len(folders) > 1 else folders
    return [each for each in arms if items.find_package_folder(each.path) in asking] or arms


def _collect_askers(items: RustItems, tool: Tool) -> set[str | None]:
    """Name the packages that hold a tool, or speak of what makes it, itself or through what they speak of."""
    found, seen = {items.find_package_folder(tool.span.path)}, set[int]()
    pending = [_find_maker(items, tool.span.path, tool.span.line - 1, tool.span.column - 1)]
    while pending:
        maker = pending.pop()
        if maker is None or maker.node.id in seen:
            continue
        seen.add(maker.node.id)
        word, kind = re.compile(rb"\b" + re.escape(maker.name.encode()) + rb"\b"), MAKERS[maker.node.type]
        for path in items.find_matching(word):
            for hit in word.finditer(items.sources[path].data):
                name = items.parse_root(path).descendant_for_byte_range(*hit.span())
                if name is None or name.type != "identifier" or is_in_test(name):
                    continue
                whole = name.parent if name.parent is not None and name.parent.type == "scoped_identifier" else name
                meant = items.resolve(read_segments(whole), path, kind, near=name)
                if isinstance(meant, RustItem) and meant.node == maker.node:
                    found.add(items.find_package_folder(path))
                    pending.append(_find_maker(items, path, *name.start_point))
    return found


def _find_maker(items: RustItems, path: str, row: int, column: int) -> RustItem | None:
    """Return the function or the constant around a place."""
    node = (
        items.parse_root(path).descendant_for_point_range((row, column), (row, column))
        if path in items.sources
        else None
    )
    around = find_nearest_of_kinds(node, *MAKERS)
    return RustItem(path, around, items.sources[path]) if around is not None else None


def _find_sole(items: RustItems, tool: Tool, entry: CallEntry) -> Handler | None:
    """Return the whole function where calls come in, for the one tool of a server."""
    function = find_function_at(items, entry.span)
    if function is None:
        return None
    taken = RustCallReading(items, function.node, function.path, str(tool.name), [function], ())
    acts = collect_acts(items, function.node, function.path)
    return taken.attach_to_handler(Handler(entry.name, items.locate_node(function.path, function.node), acts=acts))


def _find_around(items: RustItems, arm: _Arm) -> RustItem | None:
    function = find_enclosing_function(arm.node)
    return RustItem(arm.path, function, items.sources[arm.path]) if function is not None else None


def _is_handed_input(items: RustItems, arm: _Arm) -> bool:
    function = _find_around(items, arm)
    return function is not None and takes_input(items, function, str(arm.name))


def _iter_for_others(tool: Tool, arm: _Arm, others: Sequence[_Arm]) -> Iterator[Node]:
    """Yield the arms of further matches in the same file that stand for other tools."""
    known = {each.node.id: each.node for each in others if each.path == arm.path and tool.name not in each.names}
    yield from (each for each in known.values() if each.parent != arm.node.parent)


def _find_for_type(items: RustItems, tool: Tool) -> Handler | None:
    """Find the method by which a type that is declared as a tool, or implements the trait of tools, does its work."""
    path, end = tool.span.path, tool.span.end_line - 1
    node: Node | None = (
        items.parse_root(path).descendant_for_point_range((end, 0), (end, 0)) if path in items.sources else None
    )
    node = find_nearest_of_kinds(node, "struct_item", "impl_item")
    if node is not None and node.end_point[0] != end:
        return None  # the tool is only made somewhere in it
    name = find_child(node, "name")
    if node is not None and node.type == "impl_item" and find_child(node, "trait") is not None:
        methods = [part for part in list_field_children(node, "body") if part.type == "function_item"]
    elif name is not None:
        found = [each for method in RUNNING for each in items.find_functions(method)]
        methods = [each.node for each in found if find_owner(each.node) == decode_node(name) and each.path == path]
    else:
        return None
    working = [each for each in methods if DOING.fullmatch(decode_node(find_child(each, "name") or each))]
    if not working:
        return None
    text = items.locate_text(path, find_child(working[0], "name") or working[0])
    answering = Handler(text, items.locate_node(path, working[0]), acts=collect_acts(items, working[0], path))
    if node is None or node.type != "struct_item" or name is None:
        return answering
    taken = RustMethodReading(items, working[0], path)
    followed = Flag(lambda: bool(taken.followed) and _declares(tool, taken) and not _is_opened(items, name))
    return replace(taken.attach_to_handler(answering), followed=followed)


def _declares(tool: Tool, taken: RustMethodReading) -> bool:
    """Return whether the fields of a struct are known by the names that its tool declares."""
    names = {str(each.name) for each in taken.listed}
    return isinstance(tool.parameters, tuple) and {str(each.name) for each in tool.parameters} == names


def _is_opened(items: RustItems, type_: Node) -> bool:
    """Return whether code reads a field of a tool's struct that it is handed by another way than the method of the struct.

    Both `Tools::Find(asked) => asked.colour` and `fn prepare(asked: &Find) { asked.colour }` do, before they hand the call on.
    """
    name = re.escape(decode_node(type_).encode())
    in_arm = re.compile(rb"::\s*" + name + rb"\s*\(\s*(?:ref\s+)?(\w+)\s*\)\s*=>")
    as_parameter = re.compile(rb"\b(\w+)\s*:\s*&?\s*(?:mut\s+)?(?:\w+\s*::\s*)*" + name + rb"\s*[,)|]")
    return any(
        _reads_field(find_child(holder, child), found[1])
        for opened, kinds, child in ((in_arm, ("match_arm",), "value"), (as_parameter, TAKING, "body"))
        for path in items.find_matching(opened)
        for found in opened.finditer(items.sources[path].data)
        for holder in [find_nearest_of_kinds(items.parse_root(path).descendant_for_byte_range(*found.span(1)), *kinds)]
        if holder is not None and not is_in_test(holder)
    )


def _reads_field(code: Node | None, name: bytes) -> bool:
    """Return whether code reads a field of what is called `name`; to call a method of it reads none."""
    read = re.compile(rb"\b" + name + rb"\s*\.\s*[a-zA-Z_]\w*\b(?!\s*(?:\(|::))")
    return code is not None and read.search(code.text or b"") is not None


def _iter_named_arms(items: RustItems, names: set[str]) -> Iterator[_Arm]:
    """Find the arms of matches on the names of tools."""
    wanted = sorted(re.escape(name.encode()) for name in names)
    found = re.compile(rb"\"(?:" + b"|".join(wanted) + rb")\"")
    for path in items.find_matching(found):
        for each in iter_matches(items.parse_root(path), "rust", "serving"):
            arms = list(iter_literal_arms(items, each["body"], path))
            known = {str(name) for _, called in arms for name in called} & names
            if not is_in_test(each["match"]) and len(known) >= min(2, len(names)):
                yield from (
                    _Arm(name, called, arm, path, each["match"])
                    for arm, called in arms
                    for name in called
                    if name in names
                )
