"""What serde's and schemars' attributes say of a type, a field or a variant."""

import re
from collections.abc import Callable
from typing import Any

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.evaluation.folder import Folder
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.items import RustItems
from reviewer.languages.rust.syntax import attributes, tokens
from reviewer.languages.rust.syntax.attributes import Doc
from reviewer.languages.rust.syntax.tokens import AttributeArgument
from reviewer.records import dataclass
from reviewer.source import Opaque, Text

ORDER = {"schemars": 0, "serde": 1, "validate": 2, "garde": 3}
"""Schemars' own attributes win."""


@dataclass(frozen=True, slots=True)
class DeclarationMarks:
    """The attributes over one declaration.

    `written` if the schema is that of what is written, not of what is read; `before` if it is one of schemars 0.8.
    """

    folder: Folder
    path: str
    node: Node
    arguments: tuple[tuple[str, AttributeArgument], ...]
    written: bool = False
    before: bool = False

    @property
    def items(self) -> RustItems:
        """The declarations of the tree."""
        return self.folder.items

    def find(self, name: str) -> AttributeArgument | None:
        """Find an argument by name, whichever crate's it is."""
        return next((each for _, each in self.arguments if each.name == name), None)

    def has(self, *names: str) -> bool:
        """Return whether any of the names is given."""
        return any(each.name in names for _, each in self.arguments)

    def read_string(self, name: str) -> str | None:
        """Return the value of `name = "…"`, or of `name(deserialize = "…")`, which is `serialize` for what is written."""
        argument = self.find(name)
        if argument is not None and argument.nested is not None:
            way = "serialize" if self.written else "deserialize"
            inner = [each for each in tokens.parse_arguments(argument.nested) if each.name == way]
            argument = inner[0] if inner else None
        if argument is None or not argument.tokens:
            return None
        value = self.read_value(argument)
        return str(value) if isinstance(value, Text) else None

    def read_texts(self, name: str) -> tuple[Text, ...]:
        """Return the values of an argument that may stand there several times."""
        found = (self.read_value(each) for _, each in self.arguments if each.name == name)
        return tuple(each for each in found if isinstance(each, Text))

    @property
    def is_left_out(self) -> bool:
        """Return whether a field or variant is not in the schema."""
        if self.before:
            return self.has("skip")
        return self.has("skip", "skip_serializing" if self.written else "skip_deserializing")

    def read_inner(self, node: Node) -> "DeclarationMarks":
        """Read the attributes over a part of the declaration."""
        return read_marks(self.folder, self.path, node, written=self.written, before=self.before)

    @property
    def has_metadata(self) -> bool:
        """Return whether title, description, examples or the like are given, which a type passed through would lose."""
        return any(self.read_title_and_description()) or self.has(
            "example", "examples", "extend", "transform", "deprecated"
        )

    def read_value(self, argument: AttributeArgument) -> Any:
        """Read an argument's value as an expression."""
        if not argument.tokens:
            return True
        node = tokens.parse_expression(self.items.sources[self.path], argument.tokens)
        return self.folder.fold(node, ExpressionPlace(self.path, {}, self.node))

    def read_nested_values(self, name: str) -> dict[str, Any]:
        """Return the values of `name(a = 1, b = 2)`."""
        found: dict[str, Any] = {}
        for _, each in self.arguments:
            if each.name == name and each.nested is not None:
                for inner in tokens.parse_arguments(each.nested):
                    key = inner.name or evaluate_string(inner.node) or ""
                    pair = AttributeArgument(key, inner.node, tuple(inner.tokens[2:])) if inner.name is None else inner
                    found[key] = self.read_literal(pair) if name == "extend" else self.read_value(pair)
        return found

    def read_literal(self, argument: AttributeArgument) -> Any:
        """Read an argument's value as `json!` reads it, as schemars does in `extend`: `[{"id": "B-1"}]`."""
        if not argument.tokens:
            return True
        place = ExpressionPlace(self.path, {}, self.node)
        return self.folder.fold_json(list(argument.tokens), place, argument.tokens[0])

    @property
    def docs(self) -> Text | Opaque | None:
        """The description that schemars makes of the docs, and the title in its first line."""
        return self.read_title_and_description()[1]

    def read_title_and_description(self) -> tuple[Text | Opaque | None, Text | Opaque | None]:
        """Split the docs, or take what the attributes give in their stead."""
        text = _find_docs(self)
        title: Text | Opaque | None = None
        if isinstance(text, Text) and text.startswith("#"):
            head, _, rest = text.partition("\n")
            title = Text(head.lstrip("#").strip(), text.span)
            text = Text(rest.strip(), text.span) if rest.strip() else None
        return self._read_given("title") or title, self._read_given("description") or text

    def _read_given(self, name: str) -> Text | Opaque | None:
        argument = next((each for crate, each in self.arguments if each.name == name and crate == "schemars"), None)
        if argument is None:
            return None
        value = self.read_value(argument)
        if isinstance(value, Text | Opaque):
            return value
        return Opaque("not a string", self.items.locate_node(self.path, argument.node))


def read_marks(
    folder: Folder, path: str, node: Node, *, written: bool = False, before: bool = False
) -> DeclarationMarks:
    """Read the attributes over a type, a field or a variant."""
    found = [
        (each.name, argument)
        for each in attributes.read_before(node)
        if each.name in ORDER
        for argument in each.arguments
    ]
    return DeclarationMarks(folder, path, node, tuple(sorted(found, key=lambda pair: ORDER[pair[0]])), written, before)


def has_attribute(node: Node, name: str) -> bool:
    """Return whether an attribute stands over a node."""
    return attributes.find_named(attributes.read_before(node), name) is not None


def collect_derived_traits(node: Node) -> set[str]:
    """Name the traits that a type derives."""
    return attributes.collect_derived_traits(attributes.read_before(node))


def _find_docs(read: DeclarationMarks) -> Text | Opaque | None:
    parts = [part for part in attributes.iter_docs(attributes.list_preceding(read.node)) if isinstance(part, Doc)]
    lines: list[str] = []
    for part in parts:
        text = part.text
        if text is None:
            value = read.read_value(AttributeArgument("doc", part.node, part.tokens))
            if not isinstance(value, Text):
                return value if isinstance(value, Opaque) else None
            text = str(value)
        lines += [line.removeprefix(" ") for line in text.split("\n")]
    joined = "\n".join(lines).strip()
    if not joined:
        return None
    span = read.items.sources[read.path].to_span(parts[0].node.start_point, parts[-1].node.end_point)
    return Text(joined, span)


def _format_words(name: str) -> str:
    """Write a variant's name as serde's snake_case: every capital begins a word."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def _join(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


FIELD_CASES: dict[str, Callable[[str], str]] = {
    "lowercase": lambda name: name,
    "snake_case": lambda name: name,
    "UPPERCASE": str.upper,
    "SCREAMING_SNAKE_CASE": str.upper,
    "PascalCase": _join,
    "camelCase": lambda name: _join(name)[:1].lower() + _join(name)[1:],
    "kebab-case": lambda name: name.replace("_", "-"),
    "SCREAMING-KEBAB-CASE": lambda name: name.upper().replace("_", "-"),
}
VARIANT_CASES: dict[str, Callable[[str], str]] = {
    "lowercase": str.lower,
    "UPPERCASE": str.upper,
    "PascalCase": lambda name: name,
    "camelCase": lambda name: name[:1].lower() + name[1:],
    "snake_case": _format_words,
    "SCREAMING_SNAKE_CASE": lambda name: _format_words(name).upper(),
    "kebab-case": lambda name: _format_words(name).replace("_", "-"),
    "SCREAMING-KEBAB-CASE": lambda name: _format_words(name).upper().replace("_", "-"),
}


def name_of(node: Node, read: DeclarationMarks, case: str | None, *, variant: bool = False) -> Text:
    """Return the name of a field or variant as it is on the wire, with the place of its declaration."""
    place = find_child(node, "name") or node
    span = read.items.locate_node(read.path, place)
    given = read.read_string("rename")
    if given is not None:
        return Text(given, span)
    plain = decode_node(place).removeprefix("r#")
    convert = (VARIANT_CASES if variant else FIELD_CASES).get(case or "")
    return Text(convert(plain) if convert is not None else plain, span)
