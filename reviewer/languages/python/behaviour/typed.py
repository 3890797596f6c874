"""Tools that are classes: which class says what of which tool, which of them nobody registers, and what their guard tells.

A tool that is an object says its name, its description and its schema each in a member of its class, and is run by a method
of it. Whatever lists such tools only hands on what they say, so that the place of a tool's name tells its class.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tree_sitter import Node

from reviewer.behaviour.answer_size.overflows import TOLD
from reviewer.facts import Act, ActKind, Acts, RegistrationPitfall, Server, Tool
from reviewer.languages.nodes import decode_node, find_child, find_descendants, list_children, locate_text
from reviewer.languages.python.behaviour.name_resolution import find_enclosing, find_nodes_with, iter_own_modules
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.literals import evaluate_string
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.write_marks import marks
from reviewer.source import Span, Text

CLASS = "class_definition"
FEWEST = 3
"""Fields of the four that the text on the Tool trait gives such a type, as in Rust: without one of them it is still a guard's.

The members that tell classes of tools from others are so many, too: a name, a description and what runs it."""

SEVERAL = 2
"""Classes of tools that have to have members in common before a class with the same ones is taken for a tool."""

DEEPEST = 3
"""Bases over bases of a class that are looked at for its members; three are more than was seen of tools."""

SAID = (b"shown", b"hint", b"next_offset")
"""What a file holds that declares such a type: of any three fields one is among these."""


class Typed(NamedTuple):
    """A class, with its members by name."""

    module: PyModule
    node: Node
    members: dict[str, Node]

    @property
    def name(self) -> Text:
        """Its name, where it is declared."""
        return locate_text(self.module.source, find_child(self.node, "name") or self.node)

    def find_member_at(self, span: Span) -> str | None:
        """Return the member that a place lies in, None if it lies in none."""
        start = self.module.source.reach(span)[0] if span.path == self.module.path else -1
        return next((name for name, each in self.members.items() if each.start_byte <= start < each.end_byte), None)


def with_types(run: Evaluator, servers: Sequence[Server]) -> tuple[Server, ...]:
    """Return the servers, each tool that a class describes with the name of that."""
    return tuple(replace(each, tools=tuple(_with_type(run, tool) for tool in each.tools)) for each in servers)


def _with_type(run: Evaluator, tool: Tool) -> Tool:
    cls = None if tool.handler is not None else _find_class_of(run, tool)
    if cls is None:
        return tool
    parts = (tool.name, tool.description)
    said = {cls.find_member_at(each.span) for each in parts if isinstance(each, Text)} - {None}
    mark = next((name for name, each in cls.members.items() if marks(name, _read_boolean(each))), None)
    at = locate_text(cls.module.source, cls.members[mark]) if mark is not None else None
    branch = replace(tool.branch, write_mark=at) if at is not None and tool.branch is not None else tool.branch
    return replace(
        tool,
        type=cls.name,
        by_contract=len(said) == len(parts) and any(map(_runs, cls.members.values())),
        branch=replace(branch, acts=_build_for_tool(run, cls, branch.acts)) if branch is not None else None,
    )


def _build_for_tool(run: Evaluator, cls: Typed, acts: Acts) -> Acts:
    """Return the acts for a tool without the protocol errors that are raised before the tool has the call.

    That no tool has a name is for the dispatcher to say, whose search is part of the run of every tool.
    """

    def iter_acts(kinds: frozenset[ActKind]) -> Iterator[Act]:
        for act in acts.select_kinds(*sorted(kinds)):
            if act.kind != OF_PROTOCOL or any(_performs_act(each, act) for each in _iter_bodies(run, cls)):
                yield act

    return Acts(iter_acts)


OF_PROTOCOL: ActKind = "is protocol's"


def _performs_act(cls: Typed, act: Act) -> bool:
    """Return whether a class does something: in its own code, or by a call that stands there."""
    for text in (act.text, *act.through):
        start = cls.module.source.reach(text.span)[0] if text.span.path == cls.module.path else -1
        if cls.node.start_byte <= start < cls.node.end_byte:
            return True
    return False


def _iter_bodies(run: Evaluator, cls: Typed, deep: int = DEEPEST) -> Iterator[Typed]:
    """Yield a class, and its bases in the project by their names."""
    yield cls
    names = {
        decode_node(each) for each in list_children(find_child(cls.node, "superclasses")) if each.type == "identifier"
    }
    for name in names if deep else ():
        for module in iter_own_modules(run, name.encode()):
            for node in find_nodes_with(module, (b"class ",), CLASS):
                if decode_node(find_child(node, "name") or node) == name:
                    yield from _iter_bodies(run, Typed(module, node, collect_members(node)), deep - 1)


def _read_boolean(member: Node) -> bool | None:
    """Return the boolean that a member consists of, `True` or `return True`; None for anything else."""
    inner = (find_child(member, "definition") or member) if member.type == "decorated_definition" else member
    said = find_child(inner, "right")
    if inner.type == "function_definition":
        last = list_children(find_child(inner, "body"))[-1:]
        said = (
            list_children(last[0])[0]
            if last and last[0].type == "return_statement" and list_children(last[0])
            else None
        )
    return {"true": True, "false": False}.get(said.type) if said is not None else None


def _find_class_of(run: Evaluator, tool: Tool) -> Typed | None:
    """Return the class that says the name of a tool."""
    name = tool.name
    module = run.modules.by_path.get(name.span.path) if isinstance(name, Text) else None
    if module is None or not isinstance(name, Text):
        return None
    start = module.source.reach(name.span)[0]
    node = module.root.descendant_for_byte_range(start, start + 1)
    cls = find_enclosing(node, CLASS) if node is not None else None
    found = Typed(module, cls, collect_members(cls)) if cls is not None else None
    return found if found is not None and found.find_member_at(name.span) is not None else None


def collect_members(cls: Node) -> dict[str, Node]:
    """Return the members that a class itself defines, by name: methods, fields, and those set by its constructor."""
    found: dict[str, Node] = {}
    for part in list_children(find_child(cls, "body")):
        inner = (find_child(part, "definition") or part) if part.type == "decorated_definition" else part
        if inner.type == "function_definition":
            name = decode_node(find_child(inner, "name") or inner)
            if name == "__init__":
                found |= {
                    decode_node(target).removeprefix("self."): each
                    for each in find_descendants(inner, "python", "assignment")
                    for target in (find_child(each, "left"),)
                    if target is not None and target.type == "attribute" and decode_node(target).startswith("self.")
                }
            else:
                found[name] = part
            continue
        for each in find_descendants(part, "python", "assignment") if part.type == "expression_statement" else ():
            found[decode_node(find_child(each, "left") or each)] = each
    return found


def _runs(member: Node) -> bool:
    """Return whether a member is a method that takes something beside its object, as what only describes it does not."""
    inner = (find_child(member, "definition") or member) if member.type == "decorated_definition" else member
    return inner.type == "function_definition" and len(list_children(find_child(inner, "parameters"))) > 1


# what nobody registers


def iter_unregistered_classes(run: Evaluator, servers: Iterable[Server]) -> Iterator[RegistrationPitfall]:
    """Yield the classes that are made as those of the tools are, and that no code names.

    Where the classes of the tools are not named either, something finds them by itself.
    """
    tools = [each for server in servers for each in server.tools if each.by_contract]
    classes = [each for each in (_find_class_of(run, tool) for tool in tools) if each is not None]
    known = {(each.module.path, each.node.start_byte) for each in classes}
    common = frozenset.intersection(*(_collect_all_members(run, each) for each in classes)) if classes else frozenset()
    if len(known) < SEVERAL or len(common) < FEWEST:
        return
    name = classes[0].find_member_at(tools[0].name.span) if isinstance(tools[0].name, Text) else None
    modules = list(iter_own_modules(run, *(each.encode() for each in common)))
    named = {str(each.name) for each in classes}
    by = frozenset.intersection(*(_collect_decorators(each.node) for each in classes))
    if name is None or not (by or all(_is_named(run, each) for each in named)):
        return
    for module in modules:
        for node in find_nodes_with(module, (b"class ",), CLASS):
            pitfall = Typed(module, node, collect_members(node))
            if (module.path, node.start_byte) in known or name not in pitfall.members or _is_abstract(pitfall):
                continue
            if not common <= _collect_all_members(run, pitfall) or _collect_decorators(node):
                continue
            said = _find_text_in(pitfall.members[name])
            if said is not None and not _is_named(run, str(pitfall.name)):
                named_so = Text(evaluate_string(said) or "", locate_text(module.source, said).span)
                yield RegistrationPitfall("unregistered", named_so, pitfall.name.span, pitfall.name)


def _collect_decorators(cls: Node) -> frozenset[str]:
    """Return the decorators of a class without their arguments: one of them may register it."""
    around = cls.parent if cls.parent is not None and cls.parent.type == "decorated_definition" else None
    written = (decode_node(each).lstrip("@ ") for each in list_children(around) if each.type == "decorator")
    return frozenset(each.partition("(")[0].strip() for each in written)


def _collect_all_members(run: Evaluator, cls: Typed) -> frozenset[str]:
    """Return the names of a class's members, those of its bases in the project too."""
    return frozenset(name for each in _iter_bodies(run, cls) for name in each.members)


def _is_abstract(cls: Typed) -> bool:
    """Return whether a class only says what others have."""
    above = (
        decode_node(find_child(cls.node, "superclasses") or cls.node) if find_child(cls.node, "superclasses") else ""
    )
    return "Protocol" in above or any(b"abstractmethod" in (each.text or b"") for each in cls.members.values())


def _find_text_in(member: Node) -> Node | None:
    """Return the text that a member says by itself."""
    strings = [each for each in find_descendants(member, "python", "string") if evaluate_string(each) is not None]
    inner = (find_child(member, "definition") or member) if member.type == "decorated_definition" else member
    body = find_child(inner, "body")
    first = list_children(body)[:1]
    documented = list_children(first[0])[:1] if first and first[0].type == "expression_statement" else []
    return next((each for each in reversed(strings) if each not in documented), None)


def _is_named(run: Evaluator, name: str) -> bool:
    """Return whether any code of the project names a class, beside where it is declared, imported or only exported."""
    word = re.compile(rb"\b%s\b" % re.escape(name.encode()))
    return any(
        _uses(node)
        for module in iter_own_modules(run, name.encode())
        for node in _iter_words(module, word)
        if decode_node(node) == name
    )


def _iter_words(module: PyModule, word: re.Pattern[bytes]) -> Iterator[Node]:
    for hit in word.finditer(module.source.data):
        node = module.root.descendant_for_byte_range(hit.start(), hit.end())
        if node is not None and node.type == "identifier":
            yield node


def _uses(name: Node) -> bool:
    parent = name.parent
    if parent is None or (parent.type == CLASS and find_child(parent, "name") == name):
        return False
    return not any(find_enclosing(name, kind) for kind in ("import_from_statement", "import_statement"))


# what a guard tells of the rest


def iter_remainders(run: Evaluator) -> Iterator[Text]:
    """Yield the names of the types, or functions, by which a guard of lists says what it left out."""
    for module in iter_own_modules(run, *SAID):
        for node in find_nodes_with(module, SAID, CLASS):
            if len({*collect_members(node)}.intersection(TOLD)) >= FEWEST:
                yield locate_text(module.source, find_child(node, "name") or node)
        for node in find_nodes_with(module, SAID, "dictionary"):
            keys = {
                evaluate_string(key)
                for pair in list_children(node)
                for key in (find_child(pair, "key"),)
                if key is not None
            }
            function = find_enclosing(node)
            if len(keys.intersection(TOLD)) >= FEWEST and function is not None:
                yield locate_text(module.source, find_child(function, "name") or function)
