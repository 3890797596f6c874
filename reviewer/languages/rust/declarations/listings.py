"""Functions that answer `tools/list`: followed to every expression that makes a tool."""

import re
from collections.abc import Callable, Iterator
from dataclasses import field, replace

from tree_sitter import Node

from reviewer.facts import Condition, Tool
from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.declarations import boxes
from reviewer.languages.rust.declarations.chains import apply_chained_calls
from reviewer.languages.rust.declarations.kept_rows import find_kept_rows
from reviewer.languages.rust.declarations.listed_parts import (
    find_field_values,
    find_origin,
    is_empty,
    iter_names,
    list_joined,
)
from reviewer.languages.rust.declarations.merging import merge_tools
from reviewer.languages.rust.declarations.tool_expressions import MADE, Maker, ToolExpression, move_to
from reviewer.languages.rust.declarations.variants import SELF, UnitVariant, resolve_method, select_arm
from reviewer.languages.rust.evaluation import generics
from reviewer.languages.rust.evaluation.folding import (
    JSON_MACROS,
    ONE_VALUE,
    ConstantFolder,
    bound,
    find_called_closure,
)
from reviewer.languages.rust.evaluation.structs import StructLiteral
from reviewer.languages.rust.evaluation.values import ExpressionPlace, Folded
from reviewer.languages.rust.project.def_use import (
    bind_names,
    find_held_name,
    find_impl_type,
    format_short,
    list_arguments,
    resolve_local,
)
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import attributes, tokens
from reviewer.records import dataclass
from reviewer.source import Opaque, Span
from reviewer.text.patterns import pattern

DEPTH = 6
"""Calls that are followed from the function that answers; deeper tools are reported as unread. 40 servers had up to 3."""

LEVELS = 150
"""Nested expressions: each level takes several frames of Python's stack, which has 1,000. 40 servers had up to 33."""

ELEMENTS = 300
"""Elements of a list that are read one by one; a longer list is unread.

The largest server in the catalog of measured ones has 119 tools.
"""

# Methods of iterators that run a closure for each element, so that it makes a tool of each row.
MAPPING = frozenset({"map", "for_each", "flat_map", "filter_map"})
# A function with none of these makes no tool, and is not followed.
OF_TOOLS = pattern(rb"[Tt]ool|inputSchema|input_schema")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the walk stands: place, conditions, the call that it came by; `made_by` is the last call, with what it enters."""

    place: ExpressionPlace
    conditions: tuple[Condition, ...] = ()
    site: Span | None = None
    depth: int = 0
    within: tuple[tuple[str, int], ...] = ()
    made_by: tuple[Node, ExpressionPlace, RustItem] | None = None


@dataclass
class RustListing:
    """What one function lists, in order. `entered` are the functions it was followed through.

    `asked` are the schemas that it gives the tools whose names cannot be read.
    """

    items: RustItems
    tools: list[Tool] = field(default_factory=list)
    unreadable: list[Opaque] = field(default_factory=list)
    entered: set[tuple[str, int]] = field(default_factory=set)
    asked: list[Folded] = field(default_factory=list)
    _level: int = 0
    _passed: list[tuple[Span, str]] = field(default_factory=list)

    def follow(self, function: RustItem) -> None:
        """Read a function that answers."""
        body = find_child(function.node, "body")
        if body is not None:
            key = (function.path, function.node.start_byte)
            self.entered.add(key)
            # What a client of another server asks by the same name is no call of this one.
            self.visit(body, Spot(ExpressionPlace(function.path, {}), within=(key,)))

    def visit(self, node: Node, spot: Spot) -> None:
        """Walk an expression or statement."""
        cfg = attributes.read_conditions(self.items.sources[spot.place.path], node) if node.is_named else ()
        if cfg:
            spot = replace(spot, conditions=(*spot.conditions, *cfg))
        if self._level > LEVELS:
            return
        self._level += 1
        read = VISITS.get(node.type)
        if read is None or not read(self, node, spot):
            for part in node.named_children:
                self.visit(part, spot)
        self._level -= 1

    def _add(self, making: ToolExpression, spot: Spot) -> None:
        if spot.made_by is not None:
            making = apply_chained_calls(Maker(self.items), making, *spot.made_by)
        made = move_to(making, spot.site).build_tool(self.items, spot.conditions)
        if isinstance(made, Opaque):
            if any(f"`{name}.name`" in made.reason and body.holds(made.span) for body, name in self._passed):
                return
            self.unreadable += [made] if made not in self.unreadable else []
            self.asked.append(making.parts.get("input"))
        elif made not in self.tools:
            self.tools.append(made)

    def _is_if(self, node: Node, spot: Spot) -> bool:
        condition = find_child(node, "condition")
        if condition is None:
            return False
        self.visit(condition, spot)
        span = self.items.locate_node(spot.place.path, condition)
        for name, words in (("consequence", "if"), ("alternative", "else of if")):
            part = find_child(node, name)
            if part is not None:
                held = Condition(f"{words} {format_short(condition)}", span)
                self.visit(part, replace(spot, conditions=(*spot.conditions, held)))
        return True

    def _visit_literal(self, node: Node, spot: Spot) -> bool:
        making = Maker(self.items).read_literal(node, spot.place)
        if making is not None:
            self._add(making, spot)
        return making is not None

    def _visit_macro(self, node: Node, spot: Spot) -> bool:
        name = decode_node(find_child(node, "macro") or node).rpartition("::")[2]
        tree = next((part for part in node.named_children if part.type == "token_tree"), None)
        if tree is None:
            return True
        inside = replace(spot, place=replace(spot.place, anchor=spot.place.anchor or node))
        if name in JSON_MACROS:
            value = ConstantFolder(self.items).fold_json(tokens.strip_brackets(tree), inside.place, tree)
            found = Maker(self.items).read_json(value, self.items.locate_node(spot.place.path, node))
            for making in found:
                self._add(making, spot)
            for leaf in iter_json_expressions(tree) if not found else ():
                expression = tokens.parse_expression(self.items.sources[spot.place.path], leaf)
                if expression is not None:
                    self.visit(expression, inside)
        elif name == "vec":
            for part in tokens.parse_elements(self.items.sources[spot.place.path], tree):
                self.visit(part, inside)
        return True

    def _visit_identifier(self, node: Node, spot: Spot) -> bool:
        names = read_segments(node)
        if not names[-1].isupper() or spot.depth > DEPTH:
            return True
        found = self.items.resolve(names, spot.place.path, "const", near=spot.place.anchor or node)
        value = find_child(found.node, "value") if isinstance(found, RustItem) else None
        if isinstance(found, RustItem) and value is not None:
            self._enter(found, value, replace(spot, place=ExpressionPlace(found.path, {})))
        return True

    def _enter(self, item: RustItem, body: Node, spot: Spot) -> None:
        key = (item.path, item.node.start_byte)
        if key in spot.within or spot.depth >= DEPTH or not _speaks_of_tools(item.node):
            return
        self.entered.add(key)
        self.visit(body, replace(spot, depth=spot.depth + 1, within=(*spot.within, key)))

    def _call(self, node: Node, spot: Spot) -> bool:
        added = _add(node)
        if added is None:
            read = self._is_plain_call(node, spot)
            self._note_rest(node, spot)
            return read
        before = len(self.tools), len(self.unreadable), len(self.entered)
        if not self._is_plain_call(node, spot):
            for part in node.named_children:
                self.visit(part, spot)
        span = self.items.locate_node(spot.place.path, added)
        known = any(name == decode_node(added) and body.holds(span) for body, name in self._passed)
        if not known and before == (len(self.tools), len(self.unreadable), len(self.entered)):
            self.unreadable.append(Opaque(f"`{format_short(added)}` adds tools that are known at run time only", span))
        return True

    def _note_rest(self, call: Node, spot: Spot) -> None:
        """Note of tools that are joined with those of the source what only a run can tell."""
        parts = list_joined(call)
        made = [self._gives(each, spot) for each in parts]
        for part in (each for each, gives in zip(parts, made, strict=True) if gives is False and True in made):
            reason = f"`{format_short(part)}` adds tools that are known at run time only"
            note = Opaque(reason, self.items.locate_node(spot.place.path, part))
            self.unreadable += [note] if note not in self.unreadable else []

    def _gives(self, part: Node, spot: Spot) -> bool | None:
        """Return whether the source makes tools in an expression, or in what its names stand for; None if nothing is added."""
        if is_empty(part):
            return None
        trial = RustListing(self.items)
        trial.visit(part, spot)
        for name in iter_names(part) if not trial.tools and not trial.unreadable else ():
            origin = find_origin(name, spot.made_by[0] if spot.made_by is not None else None)
            if origin is not None:
                node, is_of_caller = origin
                at = replace(spot, place=spot.made_by[1]) if is_of_caller and spot.made_by is not None else spot
                if is_empty(node):
                    return None
                trial.visit(node, at)
        return bool(trial.tools or trial.unreadable)

    def _is_field(self, node: Node, spot: Spot) -> bool:
        """Read a list of tools that the server holds in a field: what those put there that make a server."""
        owner, name = find_child(node, "value"), find_child(node, "field")
        if owner is None or name is None or decode_node(owner) != "self" or spot.depth >= DEPTH:
            return False
        kept = find_field_values(self.items, decode_node(name), spot.place.path, spot.place.anchor or node)
        for path, value in kept:
            self.visit(value, replace(spot, place=ExpressionPlace(path, {}), depth=spot.depth + 1))
        return False

    def _let(self, node: Node, spot: Spot) -> bool:
        """Read `let mut tools = self.given.to_vec();`: what a list begins with is listed as well as what is added."""
        value = find_child(node, "value")
        if value is not None and value.type == "closure_expression" and _is_called(node):
            return True  # it is read where it is called, with what it is handed there
        if (
            value is not None
            and find_held_name(find_child(node, "pattern")) is not None
            and find_child(node, "alternative") is not None
        ):
            self.visit(value, spot)  # `let Value::Object(name) = given else { .. }`: what stands there is for no object
            return True
        if value is None or not _begins_list(node, value):
            return False
        before = len(self.tools), len(self.unreadable)
        self.visit(value, spot)
        if before == (len(self.tools), len(self.unreadable)) and not self._makes(value, spot):
            reason = f"`{format_short(value)}` gives tools that are known at run time only"
            self.unreadable.append(Opaque(reason, self.items.locate_node(spot.place.path, value)))
        return True

    def _makes(self, value: Node, spot: Spot) -> bool:
        """Return whether a function of the project that a chain of calls enters makes tools, be it none."""
        step: Node | None = value
        while step is not None and step.type in ("call_expression", "field_expression"):
            target = self._find_target(step, spot) if step.type == "call_expression" else None
            body = find_child(target.node, "body") if target is not None else None
            if body is not None and MADE_HERE.search(decode_node(body)):
                return True
            step = find_child(step, "function") or find_child(step, "value")
        return False

    def _is_loop(self, node: Node, spot: Spot) -> bool:
        """Read `for (name, text) in [..] { .. }`."""
        pattern, values, body = find_child(node, "pattern"), find_child(node, "value"), find_child(node, "body")
        if pattern is None or values is None or body is None:
            return False
        return self._unroll_loop(pattern, values, body, spot) or self._is_passed_on(pattern, values, body, spot)

    def _is_mapped(self, node: Node, spot: Spot) -> bool:
        """Read `[..].iter().map(|(name, text)| ..)`."""
        function, arguments = find_child(node, "function"), list_arguments(node)
        closure = arguments[0] if len(arguments) == 1 and arguments[0].type == "closure_expression" else None
        name = find_child(function, "field") if function is not None and function.type == "field_expression" else None
        if closure is None and name is not None and decode_node(name) in MAPPING and len(arguments) == 1:
            return self._is_mapped_by(arguments[0], find_child(function, "value"), spot)
        given, body = find_child(closure, "parameters"), find_child(closure, "body")
        if name is None or decode_node(name) not in MAPPING or given is None or body is None:
            return False
        patterns, values = given.named_children, find_child(function, "value")
        if len(patterns) != 1 or values is None:
            return False
        return self._unroll_loop(patterns[0], values, body, spot) or self._is_passed_on(patterns[0], values, body, spot)

    def _is_mapped_by(self, named: Node, values: Node | None, spot: Spot) -> bool:
        """Read `[..].iter().map(Self::listed)`, where a function of the project is named."""
        item = self._resolve_function(named, spot) if named.type in ("identifier", "scoped_identifier") else None
        body = find_child(item.node, "body") if item is not None else None
        if item is None or body is None or values is None:
            return False
        known = ConstantFolder(self.items).fold(values, spot.place)
        if isinstance(known, list) and known and all(isinstance(each, UnitVariant) for each in known):
            for each in known:
                names = {**bound(item.node, [each]), SELF: each}
                self._enter(item, body, replace(spot, place=ExpressionPlace(item.path, names)))
            return True
        self.visit(values, spot)
        self._enter(item, body, replace(spot, place=ExpressionPlace(item.path, {})))
        return True

    def _is_passed_on(self, pattern: Node, values: Node, body: Node, spot: Spot) -> bool:
        """Read a piece of code that is run for each of some tools: the names that it asks these for are known."""
        before = len(self.tools)
        self.visit(values, spot)
        name = decode_node(pattern).removeprefix("mut ")
        if len(self.tools) > before:
            self._passed.append((self.items.locate_node(spot.place.path, body), name))
            self.tools = merge_tools(self.tools[:before], self.tools[before:], name, decode_node(body))
        self.visit(body, spot)
        return True

    def _unroll_loop(self, pattern: Node, values: Node, body: Node, spot: Spot) -> bool:
        """Read a piece of code once for each element of a list that is known before any run."""
        values, asked = self._filter(values, spot)
        spot = replace(spot, conditions=(*spot.conditions, *asked))
        known = ConstantFolder(self.items).fold(values, spot.place)
        if isinstance(known, Opaque):
            return self._unroll_kept(pattern, values, body, spot)
        if not isinstance(known, list) or len(known) > ELEMENTS:
            return False
        before = len(self.tools)
        for value in known:
            names = _bind_known(pattern, value)
            if names is None:
                return False
            self.visit(body, replace(spot, place=replace(spot.place, names={**spot.place.names, **names})))
        return len(self.tools) > before

    def _unroll_kept(self, pattern: Node, values: Node, body: Node, spot: Spot) -> bool:
        """Read a piece of code once for each row that methods put into the list that is gone through."""
        rows = find_kept_rows(self.items, values, spot.place) or []
        bound_rows = [(row, _bind_known(pattern, row.value)) for row in rows]
        if not rows or any(names is None for _, names in bound_rows):
            return False
        before = len(self.tools)
        for row, names in bound_rows:
            place = replace(spot.place, names={**spot.place.names, **(names or {})})
            conditions = (*spot.conditions, *row.conditions)
            self.visit(body, replace(spot, place=place, conditions=conditions, site=row.span))
        return len(self.tools) > before

    def _filter(self, values: Node, spot: Spot) -> tuple[Node, tuple[Condition, ...]]:
        """Return the iterated expression before any filter, and the filters as conditions: `ROWS.iter().filter(..)`."""
        asked: list[Condition] = []
        for _ in range(DEPTH):
            function, arguments = find_child(values, "function"), list_arguments(values)
            name, inner = find_child(function, "field"), find_child(function, "value")
            bound_to = resolve_local(values) if values.type == "identifier" else None
            if bound_to is not None:
                values = bound_to
            elif name is not None and decode_node(name) == "filter" and inner is not None and len(arguments) == 1:
                span = self.items.locate_node(spot.place.path, arguments[0])
                asked.append(Condition(f"filter {format_short(arguments[0])}", span))
                values = inner
            else:
                break
        return values, tuple(asked)

    def _is_plain_call(self, node: Node, spot: Spot) -> bool:
        if self._is_mapped(node, spot):
            return True
        if (closure := find_called_closure(node, spot.place.anchor)) is not None:
            self._enter_closure(node, closure, spot)
            return False
        making = Maker(self.items).read_constructor(node, spot.place)
        target = self._find_target(node, spot)
        if target is None:
            if making is not None:
                self._add(making, spot)
            return making is not None or self._is_boxed(node, spot) or self._follow_trait_method(node, spot)
        body = find_child(target.node, "body")
        if body is None:
            return False
        folder = ConstantFolder(self.items)
        names = bound(target.node, [folder.fold(argument, spot.place) for argument in list_arguments(node)])
        names |= generics.bind_type_parameters(self.items, node, target, spot.place)
        owner = self._find_variant(find_child(find_child(node, "function"), "value"), spot)
        names |= {SELF: owner} if owner is not None else {}
        span = (spot.site or self.items.locate_node(spot.place.path, node)) if names else spot.site
        self._enter(
            target,
            body,
            replace(spot, place=ExpressionPlace(target.path, names), site=span, made_by=(node, spot.place, target)),
        )
        return False

    def _enter_closure(self, call: Node, closure: Node, spot: Spot) -> None:
        """Read a closure that a name stands for with what a call hands over: `tool("lend", "Lend a book")`."""
        body, key = find_child(closure, "body"), (spot.place.path, closure.start_byte)
        if body is None or key in spot.within or spot.depth >= DEPTH:
            return
        folder = ConstantFolder(self.items)
        names = {**spot.place.names, **bound(closure, [folder.fold(each, spot.place) for each in list_arguments(call)])}
        item = RustItem(spot.place.path, closure, self.items.sources[spot.place.path])
        site = spot.site or self.items.locate_node(spot.place.path, call)
        inside = replace(spot, place=replace(spot.place, names=names), site=site, depth=spot.depth + 1)
        self.visit(body, replace(inside, within=(*spot.within, key), made_by=(call, spot.place, item)))

    def _is_boxed(self, node: Node, spot: Spot) -> bool:
        """Read `Lend::tool()`, which rust-mcp-sdk's macro makes of the type."""
        made = boxes.read_tool_call(self.items, node, spot.place.path, spot.conditions)
        self.tools += [made] if made is not None and made not in self.tools else []
        return made is not None

    def _follow_trait_method(self, node: Node, spot: Spot) -> bool:
        """Follow a method of a trait of the project that gives tools to every type that has it."""
        function = find_child(node, "function")
        name = find_child(function, "field")
        value = find_child(function, "value")
        if name is None or value is None or decode_node(value) == "self":
            return False
        methods = [each for each in self.items.find_functions(decode_node(name)) if not is_in_test(each.node)]
        gives = {_get_given_by(self.items, each) for each in methods if find_child(each.node, "body") is not None}
        if gives == {"one"}:
            reason = (
                f"a tool is listed whose name cannot be read: `{format_short(node)}.name` is known at run time only"
            )
            self.unreadable.append(Opaque(reason, self.items.locate_node(spot.place.path, node)))
        elif gives == {"many"}:
            for each in methods:
                body = find_child(each.node, "body")
                if body is not None:
                    self._enter(each, body, replace(spot, place=ExpressionPlace(each.path, {})))
        return gives in ({"one"}, {"many"})

    def _find_target(self, node: Node, spot: Spot) -> RustItem | None:
        """Find the function of the project that a call enters."""
        function = find_child(node, "function")
        if function is None:
            return None
        if function.type == "field_expression":
            return self._resolve_method(function, spot, spot.place.anchor or node)
        return self._resolve_function(function, spot)

    def _resolve_function(self, function: Node, spot: Spot) -> RustItem | None:
        """Find the function of the project that a path names."""
        near, names = spot.place.anchor or function, read_segments(function)
        if names[:1] == ("Self",):
            names = (find_impl_type(near) or "Self", *names[1:])
        names, path = generics.find_meant_owner(names, spot.place)
        found = self.items.resolve(names, path, "fn", near=near)
        return found if isinstance(found, RustItem) else None

    def _find_variant(self, value: Node | None, spot: Spot) -> UnitVariant | None:
        """Return the variant of an enum that an expression surely is."""
        held = (
            ConstantFolder(self.items).fold(value, spot.place)
            if value is not None and value.type in ONE_VALUE
            else None
        )
        return held if isinstance(held, UnitVariant) else None

    def _match(self, node: Node, spot: Spot) -> bool:
        """Read the one arm that is taken for a variant that is known."""
        held = self._find_variant(find_child(node, "value"), spot)
        taken = select_arm(node, held) if held is not None else None
        if taken is not None:
            self.visit(taken, spot)
        return taken is not None

    def _resolve_method(self, function: Node, spot: Spot, near: Node) -> RustItem | None:
        value, name = find_child(function, "value"), decode_node(find_child(function, "field") or function)
        held = self._find_variant(value, spot)
        if held is not None:
            return resolve_method(ConstantFolder(self.items), held, name)
        if value is not None and decode_node(value) == "self":
            found = self.items.resolve((find_impl_type(near) or "Self", name), spot.place.path, "fn", near=near)
            return found if isinstance(found, RustItem) else None
        return sole[0] if len(sole := self.items.find_functions(name)) == 1 and "tool" in name else None


def _bind_known(pattern: Node, value: Folded) -> dict[str, Folded] | None:
    """Pair the names of a pattern with an element of a list; None if anything of it is known at run time only."""
    names = bind_names(pattern, value)
    unknown = names is None or any(
        isinstance(each, Opaque) and not isinstance(each, StructLiteral | UnitVariant) for each in names.values()
    )
    return None if unknown else names


def _speaks_of_tools(function: Node) -> bool:
    """Return whether code can make a tool: it says so, or belongs to the type of one and may say `Self`."""
    return (
        OF_TOOLS.search(function.text or b"") is not None or MADE.fullmatch(find_impl_type(function) or "") is not None
    )


# How a `Vec` grows. What is added only at run time makes the list one of which not all is read.
ADDING = frozenset({"push", "extend", "append", "extend_from_slice"})
# What an expression that makes tools in the source has in it; anything else gives tools that only a run tells.
MADE_HERE = pattern(r"Tool\w*\s*(?:::|\{)|json!|list_all|tool_router|schema|vec!|Vec::new")


# What a method of a project's trait gives that describes one tool.
ONE = pattern(rf"(?:\w+::)*{MADE.pattern}")
# What it gives that lists those of a whole group.
MANY = pattern(rf"\bVec<\s*(?:\w+::)*{MADE.pattern.removesuffix('$')}\s*>|\bListToolsResult\b")


def _get_given_by(items: RustItems, method: RustItem) -> str:
    """Return whether a method of a trait of the project gives one tool or many; nothing if it is no such method."""
    block = method.node.parent.parent if method.node.parent is not None else None
    trait = find_child(block, "trait") if block is not None and block.type == "impl_item" else None
    back = decode_node(find_child(method.node, "return_type") or method.node)
    if trait is None or not items.find_declared(read_segments(trait)[-1], "trait"):
        return ""
    return "one" if ONE.fullmatch(back) else "many" if MANY.search(back) else ""


def iter_json_expressions(tree: Node) -> Iterator[list[Node]]:
    """Yield the expressions among the tokens of `json!`."""
    for part in tokens.split(tokens.strip_brackets(tree)):
        colon = next((place for place, token in enumerate(part) if token.type == ":"), -1)
        value = part[colon + 1 :]
        if len(value) == 1 and value[0].type == "token_tree":
            yield from iter_json_expressions(value[0])
        elif len(value) > 1:
            yield value


def _add(call: Node) -> Node | None:
    """Return the node that a call adds to a list of tools, if only a run can tell its value; else None."""
    function, arguments = find_child(call, "function"), list_arguments(call)
    if function is None or function.type != "field_expression" or len(arguments) != 1:
        return None
    receiver, method = find_child(function, "value"), decode_node(find_child(function, "field") or call)
    if method not in ADDING or receiver is None or "tools" not in decode_node(receiver):
        return None
    given = arguments[0]
    while given.type == "reference_expression" and find_child(given, "value") is not None:
        given = find_child(given, "value") or given
    value = (resolve_local(given) or given) if given.type == "identifier" else given
    return None if MADE_HERE.search(decode_node(value)) else arguments[0]


def _is_called(let: Node) -> bool:
    """Return whether the code after a `let` calls by its name what it binds."""
    name, block = decode_node(find_child(let, "pattern") or let), let.parent
    return block is not None and re.search(rf"\b{re.escape(name)}\s*\(", decode_node(block)) is not None


def _begins_list(let: Node, value: Node) -> bool:
    """Return whether a list of tools that more are added to begins with what a call on the server gives."""
    name, given = decode_node(find_child(let, "pattern") or let), decode_node(value)
    grows = any(part.type == "mutable_specifier" for part in let.named_children) and "tools" in name
    return (
        grows
        and value.type == "call_expression"
        and given.startswith("self.")
        and let.parent is not None
        and re.search(rf"\b{re.escape(name)}\s*\.\s*(?:{'|'.join(ADDING)})\s*\(", decode_node(let.parent)) is not None
        and MADE_HERE.search(given) is None
    )


VISITS: dict[str, Callable[[RustListing, Node, Spot], bool]] = {
    **dict.fromkeys(tokens.COMMENTS | {"attribute_item", "function_item"}, lambda listing, node, spot: True),
    "if_expression": RustListing._is_if,
    "for_expression": RustListing._is_loop,
    "match_expression": RustListing._match,
    "let_declaration": RustListing._let,
    "struct_expression": RustListing._visit_literal,
    "macro_invocation": RustListing._visit_macro,
    "identifier": RustListing._visit_identifier,
    "scoped_identifier": RustListing._visit_identifier,
    "call_expression": RustListing._call,
    "field_expression": RustListing._is_field,
}
