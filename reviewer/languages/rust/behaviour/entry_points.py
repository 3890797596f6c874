"""The functions where calls come in that lead to one of a project: those of tools, or those that nothing else calls."""

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from reviewer.behaviour.fields.asked_fields import find_field_declaration
from reviewer.behaviour.security.consent import FAILED
from reviewer.behaviour.values.callers import Started, find_highest_callers, find_uncalled_callers
from reviewer.behaviour.values.entry_points import ALONE, CallHandler, EntryPoint, RunFrom
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Code, Global
from reviewer.code.values import Class
from reviewer.facts import Guard, Server
from reviewer.languages.call_chains import CALLING, SearchedFiles, iter_starts
from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds, find_parent, locate_text
from reviewer.languages.rust.behaviour.handling import build_handling, find_handler_files
from reviewer.languages.rust.behaviour.tracing import (
    get_program,
    iter_handlers,
    rerun,
    trace_code,
    trace_near,
    trace_of,
    trace_of_action,
    trace_of_asked,
    trace_of_call,
)
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test, iter_attributes_before
from reviewer.languages.rust.project.meanings import Declared
from reviewer.languages.rust.project.name_resolution import (
    find_enclosing_function,
    find_function_at,
    find_owner,
    find_receiver,
    resolve_callees,
)
from reviewer.languages.rust.project.uses import read_segments
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

# The names of `asked_fields.NAMES`, with the underscore by which Rust marks an argument that is not used.
FIELDS = pattern(rb"\b_?fields\b|\bprojection\b")
ASKED = pattern(rb"\"/?(?:fields|projection)\"|\.\s*fields\b(?!\s*\()|[(,{]\s*_?(?:fields|projection)\s*[:,}]")
"""What a function holds that takes the fields, or is handed them."""
# A function that is handed a struct with this field takes the fields without writing the word.
HOLDING = pattern(rb"\bfields\s*:")
# rmcp's `elicit::<T>(..)`, `elicit_with_timeout(..)`, `create_elicitation(..)`. No letters before the word: a pattern
# that begins with any takes time that grows with the square of a long name.
ASKING = pattern(rb"elicit\w*\s*(?:::\s*<|\()")


# A listener may be a closure as well; an `async` block is part of the function around it.
FUNCTIONS = frozenset({"function_item", "closure_expression"})
CALLED = "call_tool"
"""The method of the SDK's trait by which a server takes calls, also one of which no tools are known."""


class RustEntryPoints:
    """The functions of a project where calls come in."""

    refusals = (FAILED,)
    sending_progress = frozenset(
        {"ProgressNotificationParam", "ProgressNotificationParams", "notify_progress", "progressToken"}
    )

    def __init__(self, items: RustItems, servers: tuple[Server, ...]) -> None:
        self._items, self._servers = items, servers
        self.program = get_program(items)

    def find_code(self, span: Span) -> Code | None:
        """Return the function that begins at a place."""
        function = find_function_at(self._items, span)
        return self.program.find_code_at(function.path, function.node) if function is not None else None

    def find_constant(self, name: Global, code: Code) -> Text | None:
        """Return the `const` or `static` that a name means, None if it means none of the project."""
        found = self.program.resolve_name(name, code)
        match found.term if found is not None else None:
            case ("global", str(path), int(start)) if path in self._items.sources:
                source = self._items.sources[path]
                node = find_nearest_of_kinds(
                    self._items.parse_root(path).descendant_for_byte_range(start, start), "const_item", "static_item"
                )
                if node is not None and node.start_byte == start:
                    return Text(decode_node(node), source.stretch(*node.byte_range))
        return None

    def trace(self, span: Span) -> Trace | None:
        """Return the trace of the function around a place; None if there is none."""
        function = find_function_at(self._items, span)
        return trace_of(self._items, function) if function is not None else None

    def trace_of_action(self, span: Span, action: str) -> Trace | None:
        """Return the trace of the function around a place for a call of one action; None if there is none."""
        function = find_function_at(self._items, span)
        return trace_of_action(self._items, function, action) if function is not None else None

    def trace_of_tool(self, span: Span, tool: str) -> Trace | None:
        """Return the trace, for one tool, of the function around a place that receives the calls of all tools."""
        function = find_function_at(self._items, span)
        return trace_of_call(self._items, function, tool) if function is not None else None

    def rerun(self, span: Span, tool: str = "") -> RunFrom | None:
        """Return a callable that runs the function around a place again, for a tool if it is named; None if there is
        none.
        """
        function = find_function_at(self._items, span)
        return rerun(self._items, function, tool) if function is not None else None

    def answers_for(self, span: Span) -> bool:
        """Return False: a failure is a value there."""
        return False

    def trace_nearby(self, span: Span) -> Trace | None:
        """Return the trace of the function around a place with few nested calls followed; None if there is none."""
        function = find_function_at(self._items, span)
        return trace_near(self._items, function) if function is not None else None

    def iter_methods(self, name: str) -> Iterator[Span]:
        """Yield where the project has methods of a name."""
        return (
            self._items.locate_node(each.path, each.node)
            for each in self._items.find_functions(name)
            if _is_method(each.node)
        )

    def iter_traces(self) -> Iterator[Trace]:
        """Yield the traces of the functions that receive the calls of tools."""
        found = list(iter_handlers(self._items, self._servers))
        return (trace_of(self._items, each) for each in found or self._items.find_functions(CALLED))

    def iter_calls(self) -> Iterator[tuple[str, Trace]]:
        """Yield each tool's name and the trace of its call; the name is empty for functions that receive the calls of
        several.
        """
        names: dict[tuple[str, int], list[str]] = {}
        for tool in (tool for server in self._servers for tool in server.tools if tool.code is not None):
            function = find_function_at(self._items, tool.code.span) if tool.code is not None else None
            if function is not None:
                names.setdefault((function.path, function.node.start_byte), []).append(str(tool.name))
        found = list(iter_handlers(self._items, self._servers)) or self._items.find_functions(CALLED)
        for each in found:
            named = names.get((each.path, each.node.start_byte), [])
            yield named[0] if len(named) == 1 else "", trace_of(self._items, each)

    def iter_takers(self, guards: Iterable[Guard]) -> Iterator[CallHandler]:
        """Yield the functions that speak of the fields that a client asks for, are told them, or call a guard."""
        run, seen = build_handling(self._items), set[tuple[str, int]]()
        near = [path for path in find_handler_files(self._items) if FIELDS.search(self._items.sources[path].data)]
        for each in (*self._iter_field_functions(near), *(root for root in run.roots if near)):
            code = self.program.find_code_at(each.path, each.node)
            declared = find_field_declaration(self.program, code)
            if (each.path, code.at.start) not in seen and (
                declared is not None or FIELDS.search(each.node.text or b"")
            ):
                seen.add((each.path, code.at.start))
                is_open, trace = trace_of_asked(self._items, each)
                yield CallHandler(trace, declared, is_open=is_open)
        listed = [
            each.name
            for server in self._servers
            for tool in server.tools
            for each in (tool.parameters if isinstance(tool.parameters, tuple) else ())
            if each.name == "fields" and tool.handler is None
        ]
        for place in self._servers if near else ():  # a schema may be unknown, and the entry calls others even so
            if place.entry is not None and (entry := find_function_at(self._items, place.entry.span)) is not None:
                yield CallHandler(trace_of(self._items, entry), offered=listed[0] if listed else None)

    def _iter_field_functions(self, near: list[str]) -> Iterator[RustItem]:
        """Yield the functions of some files that speak of the fields, or of a type that holds them."""
        run = build_handling(self._items)
        structs = [(path, node) for path in near for node in self._items.find_nodes(path, "struct_item")]
        holding = [(path, node) for path, node in structs if HOLDING.search(node.text or b"") and not is_in_test(node)]
        names = {decode_node(find_child(node, "name") or node) for _, node in holding}
        held = {decode_node(find_child(node, "name") or node) for path, node in holding if run.holds(path, node)}
        speaking = re.compile(
            "|".join([ASKED.pattern.decode(), *(rf"\b{re.escape(each)}\b" for each in names)]).encode()
        )
        for path in near:
            for node in self._items.find_nodes(path, "function_item"):
                is_spoken = speaking.search(node.text or b"") is not None and not is_in_test(node)
                if is_spoken and (run.holds(path, node) or find_owner(node) in held):
                    yield RustItem(path, node, self._items.sources[path])

    def mentions(self, *words: str) -> bool:
        """Return whether any of some words stands in the project."""
        return bool(self._items.find_matching(re.compile("|".join(map(re.escape, sorted(words))).encode())))

    def asks(self) -> bool:
        """Return whether anything in the project may ask the user."""
        return bool(self._items.find_matching(ASKING))

    def iter_key_traces(self, key: str) -> Iterator[Trace]:
        """Yield the traces of the functions that lead to code that reads or writes a key, literally, by a constant or a
        struct.
        """
        kinds = [name for name, _ in iter_structs_with(self._items, key)]
        plain = re.compile(re.escape(key.encode()))
        constant = re.compile(rb"\b(?:const|static)\s+(\w+)\s*:[^;=]*=\s*\"" + plain.pattern + rb"\"")
        files = self._items.find_matching(plain)
        names = {name for path in files for name in constant.findall(self._items.sources[path].data)}
        words = re.compile(rb"|".join((plain.pattern, *sorted(names), *(each.encode() for each in kinds))))
        places = [
            RustItem(path, each, self._items.sources[path])
            for path in self._items.find_matching(words)
            for each in self._items.find_nodes_near(path, words, "function_item")
            if not is_in_test(each)
        ]
        for top in _collect_once([self._collect_highest(each) for each in places]):
            yield trace_of(self._items, top)

    def iter_leading(self, names: frozenset[str], acts: frozenset[str] | None = frozenset()) -> Iterator[Started]:
        """Yield the traces of functions that may reach a call, or a text, of some names; from their callers on if it
        does some acts, or if `acts` is None.
        """
        items, program = self._items, self.program

        def find_containing(words: Iterable[bytes]) -> list[str]:
            return items.find_matching(re.compile(rb"\b(?:%s)\b" % b"|".join(map(re.escape, words))))

        files = SearchedFiles(
            find_containing,
            lambda path: items.sources[path].data,
            items.parse_root,
            FUNCTIONS,
            lambda path, node: trace_of(items, RustItem(path, node, items.sources[path])),
            lambda path, node: trace_code(
                Interpreter(program, CALLING, program.summaries), program.find_code_at(path, node)
            ),
            lambda node: node.type in FUNCTIONS and not is_in_test(node),
            lambda _, node: _is_entered(node),
        )
        yield from iter_starts(
            files, names, (trace_of(items, each) for each in iter_handlers(items, self._servers)), acts
        )

    def iter_traces_around(self, *words: str) -> Iterator[Trace]:
        """Yield the traces of the functions that contain one of some words, followed as far as `ALONE`."""
        word = re.compile(rb"\b(?:" + b"|".join(re.escape(each.encode()) for each in words) + rb")\b")
        for path in self._items.find_matching(word):
            for node in self._items.find_nodes_near(path, word, "function_item"):
                if not is_in_test(node):
                    yield trace_code(Interpreter(self.program, ALONE), self.program.find_code_at(path, node))

    def iter_tools(self) -> Iterator[EntryPoint]:
        """Yield the functions of tools, and those that take the calls of all."""
        yield from (self._build_entry_point(each) for each in iter_handlers(self._items, self._servers))

    def find_entry_points(self, code: Code) -> list[EntryPoint]:
        """Return the functions of tools that lead to a function, else what nothing else calls; none if that cannot be told."""
        found = [trace_of(self._items, each) for each in iter_handlers(self._items, self._servers)]
        leading = [each.code for each in found if code in each.collect_codes()]
        above = [
            self._collect_above(each) for each in leading or [code]
        ]  # what chooses a tool may be called by what asks
        return [self._build_entry_point(each) for each in _collect_once(above)] if all(above) else []

    def _build_entry_point(self, function: RustItem) -> EntryPoint:
        return EntryPoint(trace_of(self._items, function), rerun(self._items, function))

    def _collect_above(self, code: Code) -> list[RustItem]:
        """Return the functions that lead to one and that nothing else calls; none if it is handed on as a value."""
        path = code.source.path
        node = self._items.parse_root(path).descendant_for_byte_range(code.at.start, code.at.end)
        return self._collect_callers_above(RustItem(path, node, code.source)) if node is not None else []

    def _collect_callers_above(self, function: RustItem) -> list[RustItem]:
        return find_uncalled_callers(function, self._find_callers, lambda each: (each.path, each.node.start_byte))

    def _collect_highest(self, function: RustItem) -> list[RustItem]:
        return find_highest_callers(function, self._find_callers, lambda each: (each.path, each.node.start_byte))

    def _find_callers(self, function: RustItem) -> list[RustItem] | None:
        """Return the functions that call one by its name, None if others may: its name stands elsewhere than in calls."""
        name = function.name.encode()
        pattern = re.compile(rb"\b" + re.escape(name) + rb"\b")
        found: list[RustItem] = []
        for path in self._items.find_matching(pattern):
            source = self._items.sources[path]
            for hit in pattern.finditer(source.data):
                node = self._items.parse_root(path).descendant_for_byte_range(*hit.span())
                if node is None or node.type not in NAMES or _is_declared(node) or is_in_test(node):
                    continue
                call = _call_of(node)
                around = find_enclosing_function(call) if call is not None else None
                if call is None or around is None:
                    if self._means(node, path, function):
                        around = find_enclosing_function(node) if _is_called_in_macro(node) else None
                        if around is None:
                            return None
                        found += [RustItem(path, around, source)] if around != function.node else []
                    continue
                reached = resolve_callees(self._items, call, path)
                if not reached and find_receiver(call) is None:
                    return None
                if around != function.node and any(each.node == function.node for each in reached):
                    found.append(RustItem(path, around, source))
        return found

    def _means(self, name: Node, path: str, function: RustItem) -> bool:
        """Return whether a name that is not called stands for a function: it is handed on."""
        above = find_parent(name)
        whole = above if above is not None and above.type == "scoped_identifier" else name
        if whole is name and _is_method(function.node):
            return False
        meant = self._items.resolve(read_segments(whole), path, "fn", near=name)
        return whole is not name if not isinstance(meant, RustItem) else meant.node == function.node


def _is_method(function: Node) -> bool:
    return find_nearest_of_kinds(function, "impl_item", "trait_item") is not None


def _collect_once(found: list[list[RustItem]]) -> list[RustItem]:
    return list({(each.path, each.node.start_byte): each for one in found for each in one}.values())


# The grammar has a kind of its own for the name of a method.
NAMES = frozenset({"identifier", "field_identifier"})
# What stands between a name and its call: `store.lend()`, `store::lend()`, `lend::<T>()`.
NAMING = frozenset({"field_expression", "scoped_identifier", "generic_function"})
# In these the word introduces a name, or is the name of something else, and no function is handed on by it.
DECLARING = frozenset(
    "function_item function_signature_item use_declaration use_list scoped_use_list use_as_clause field_declaration "
    "field_initializer parameter mod_item let_declaration attribute".split()
)


def _is_declared(name: Node) -> bool:
    """Return whether a name is written where it is defined or imported, or is that of something else."""
    above = find_parent(name)
    while above is not None and above.type == "scoped_identifier":
        above = find_parent(above)
    return above is not None and above.type in DECLARING


def _call_of(name: Node) -> Node | None:
    """Return the call of what a name stands for, None if it is not called."""
    above = find_parent(name)
    while above is not None and above.type in NAMING:
        name, above = above, find_parent(above)
    return (
        above
        if above is not None and above.type == "call_expression" and find_child(above, "function") == name
        else None
    )


def _is_called_in_macro(name: Node) -> bool:
    """Return whether a name is called within what a macro is given, which the grammar reads as tokens."""
    after = name.next_sibling
    return after is not None and after.type == "token_tree" and after.children[0].type == "("


def iter_structs_with(items: RustItems, key: str) -> Iterator[tuple[Text, frozenset[str]]]:
    """Yield the structs that have a key, with all of theirs."""
    spelled = re.compile(re.escape(key.encode()))
    program = get_program(items)
    for path in items.find_matching(spelled):
        for node in items.find_nodes_near(path, spelled, "struct_item"):
            name = find_child(node, "name") or node
            declared = Declared(path, node.start_byte, decode_node(name), node)
            entries = program.find_entry_names(Class(declared.name, declared)) or {}
            keys = frozenset(str(each) for texts in entries.values() for each in texts[:1])
            if key in keys and not is_in_test(node):
                yield locate_text(items.sources[path], name), keys


def _is_entered(function: Node) -> bool:
    """Return whether a function may be called without its name: by a macro, through its trait, or by the system."""
    above = function.parent.parent if function.parent is not None else None
    if above is not None and (above.type == "trait_item" or find_child(above, "trait") is not None):
        return True
    return decode_node(find_child(function, "name") or function) == "main" or any(
        True for _ in iter_attributes_before(function)
    )
