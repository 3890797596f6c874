"""Declarations that rmcp passes over in silence, or makes something else of than they say."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import RegistrationPitfall
from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.behaviour.blocks import (
    MARKED,
    ImplBlock,
    find_router_attribute,
    find_router_blocks,
    iter_impls,
    iter_tool_functions,
)
from reviewer.languages.rust.behaviour.served import find_unserved_blocks
from reviewer.languages.rust.declarations import descriptions
from reviewer.languages.rust.declarations.registries import iter_unregistered_tools
from reviewer.languages.rust.evaluation.literals import STRINGS
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import attributes
from reviewer.languages.rust.syntax.attributes import Attribute, Doc
from reviewer.records import dataclass
from reviewer.schema.rust import tools as schemas
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

# rmcp 0.1's macro collects functions of blocks that have no attribute; where one stands, no block of the file is called
# unrouted.
BOXED = pattern(rb"\btool_box!")
# Attributes of the language, which collect no tools. Any other may be a macro of the project that does.
HARMLESS = frozenset("allow warn deny expect cfg cfg_attr doc automatically_derived must_use deprecated".split())
EXPRESSIONS_SINCE = (3, 0)
"""From here on rmcp may be built with macros that take any expression for a description."""


def iter_registration_pitfalls(items: RustItems) -> Iterator[RegistrationPitfall]:
    """Find declarations that come to nothing or to something else."""
    yield from _iter_unrouted_functions(items)
    for block in find_router_blocks(items):
        for function, mark in block.iter_functions():
            yield from _Declaration(items, block, function, mark).iter_registration_pitfalls()
    for block in find_unserved_blocks(items):
        given = block.mark.find_argument("router")
        place = given.tokens[0] if given is not None and given.tokens else block.mark.node
        span = items.locate_node(block.path, place)
        yield RegistrationPitfall("unserved", Text(block.maker or "", span), span, Text(block.type, span))
    for made, named in iter_unregistered_tools(items):
        spot = items.locate_text(made.path, find_child(made.node, "type") or made.node)
        yield RegistrationPitfall("unregistered", named, spot.span, spot)


def _iter_unrouted_functions(items: RustItems) -> Iterator[RegistrationPitfall]:
    """Find `#[tool]` functions in impl blocks that collect nothing."""
    for path, block in iter_impls(items, MARKED):
        if (
            find_child(block, "trait") is not None
            or find_router_attribute(block) is not None
            or _may_collect(items, path, block)
        ):
            continue
        for function, mark in iter_tool_functions(block):
            name = find_child(function, "name")
            if name is not None and _is_of_rmcp(items, path, mark) and not _is_routed_by_hand(items, name):
                own = items.locate_text(path, name)
                yield RegistrationPitfall(
                    "unrouted", own, own.span, items.locate_text(path, find_child(block, "type") or block)
                )


def _may_collect(items: RustItems, path: str, block: Node) -> bool:
    """Return whether something unknown may collect a block's tools: an attribute of the project, `tool_box!` of rmcp 0.1."""
    foreign = any(each.name not in HARMLESS for each in attributes.read_before(block))
    return foreign or BOXED.search(items.sources[path].data) is not None


def _is_of_rmcp(items: RustItems, path: str, mark: Attribute) -> bool:
    used = items.read_uses(path)
    if mark.path == "tool":
        return used.names.get("tool", ())[:1] == ("rmcp",) or ("rmcp",) in used.globs
    return mark.path.replace(" ", "") == "rmcp::tool"


def _is_routed_by_hand(items: RustItems, name: Node) -> bool:
    """Return whether code asks for the tool that `#[tool]` makes of a function, says its name as a list does, or calls it."""
    plain = re.escape(name.text or b"")
    if items.find_matching(re.compile(rb"\b" + plain + rb"_tool_attr\b")):
        return True
    said = re.compile(rb'(?<![^\s(\[{,|&>])"' + plain + rb'"|\.\s*' + plain + rb"\s*\(")
    return any(_is_said(items, path, said) for path in items.find_matching(said))


def _is_said(items: RustItems, path: str, said: re.Pattern[bytes]) -> bool:
    """Return whether a file has a string or a call outside of tests, and not as what an attribute sets."""
    for hit in said.finditer(items.sources[path].data):
        node = items.parse_root(path).descendant_for_byte_range(*hit.span())
        set_by = b"=" in items.sources[path].data[max(0, hit.start() - 3) : hit.start()]
        if node is not None and not set_by and not is_in_test(node):
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Declaration:
    """One `#[tool]` function of a block that collects it."""

    items: RustItems
    block: ImplBlock
    function: Node
    mark: Attribute

    @property
    def name(self) -> Text:
        return self.items.locate_text(self.block.path, find_child(self.function, "name") or self.function)

    def locate(self, node: Node) -> Span:
        return self.items.locate_node(self.block.path, node)

    def iter_registration_pitfalls(self) -> Iterator[RegistrationPitfall]:
        if self.block.is_old:
            return
        yield from self._iter_documentation()
        yield from self._iter_description()
        if self.mark.find_argument("input_schema") is None:
            yield from self._iter_parameters()

    def _iter_documentation(self) -> Iterator[RegistrationPitfall]:
        if self.mark.find_argument("description") is not None or self._is_positional():
            return
        if descriptions.join_docs(self.items, self.function, self.block.path) is not None:
            return
        said, consumed, cause = False, False, None
        for part in attributes.iter_docs(attributes.list_preceding(self.function)):
            if isinstance(part, Doc):
                said = said or part.text is None or bool(part.text.strip())
            elif part.name == "tool" and not consumed:
                consumed = True
            elif said:
                said, cause = False, part.node
        if cause is not None:
            text = self.items.locate_text(self.block.path, cause)
            yield RegistrationPitfall("documentation lost", self.name, text.span, text)

    def _is_positional(self) -> bool:
        return any(each.name is None for each in self.mark.arguments)

    def _iter_description(self) -> Iterator[RegistrationPitfall]:
        """A description that these versions of the macro do not take: the code does not compile."""
        version = self.items.find_version(self.block.path, "rmcp")
        strict = version is not None and version < EXPRESSIONS_SINCE
        for each in self.mark.arguments:
            tokens = each.tokens
            literal = len(tokens) == 1 and tokens[0].type in STRINGS
            if tokens and (literal if each.name is None else strict and each.name == "description" and not literal):
                span = self.items.sources[self.block.path].to_span(tokens[0].start_point, tokens[-1].end_point)
                written = "".join(decode_node(token) for token in tokens)
                yield RegistrationPitfall("description not literal", self.name, span, Text(written, span))

    def _iter_parameters(self) -> Iterator[RegistrationPitfall]:
        types = [find_child(part, "type") for part in list_field_children(self.function, "parameters")]
        given = [type_ for type_ in types if type_ is not None]
        direct = next((each for each in given if read_segments(each)[-1:] == ("Parameters",)), None)
        if direct is not None:
            yield from self._iter_root(direct)
            return
        for type_ in given:
            if self._is_alias(type_):
                text = self.items.locate_text(self.block.path, type_)
                yield RegistrationPitfall("parameters aliased", self.name, text.span, text)
                return

    def _is_alias(self, type_: Node) -> bool:
        """Return whether a type is rmcp's `Parameters` under another name."""
        if type_.type not in ("generic_type", "type_identifier", "scoped_type_identifier"):
            return False
        names = read_segments(type_)
        used = self.items.read_uses(self.block.path).names.get(names[0]) if len(names) == 1 else None
        full = used if used is not None else names
        if full[-1] == "Parameters":
            return not isinstance(self.items.resolve(full, self.block.path, "struct", near=type_), RustItem)
        found = self.items.resolve(full, self.block.path, "type", near=type_)
        target = find_child(found.node, "type") if isinstance(found, RustItem) else None
        return target is not None and read_segments(target)[-1:] == ("Parameters",)

    def _iter_root(self, type_: Node) -> Iterator[RegistrationPitfall]:
        """A type of arguments whose schema is not an object."""
        arguments = find_child(type_, "type_arguments")
        inner = (
            next((part for part in arguments.named_children if part.type != "lifetime"), None) if arguments else None
        )
        if inner is None:
            return
        schema = schemas.build_type_schema(self.items, inner, self.block.path)
        if schema.document.get("type") != "object" and not any(hole.path in ("", "type") for hole in schema.holes):
            text = self.items.locate_text(self.block.path, inner)
            yield RegistrationPitfall("root no object", self.name, text.span, text)
