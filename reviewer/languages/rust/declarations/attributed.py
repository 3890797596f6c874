"""SDKs whose attribute over an impl block serves the block's `#[tool]` functions: mcp-attr, turbomcp, mcpkit.

Each makes a schema of its own of a function's parameters, which is not read.
"""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Json, Schema, Server
from reviewer.languages.nodes import find_child
from reviewer.languages.rust.behaviour.blocks import iter_impls
from reviewer.languages.rust.declarations import descriptions
from reviewer.languages.rust.declarations.routers import RouterReader
from reviewer.languages.rust.evaluation.values import find_unread
from reviewer.languages.rust.project.items import RustItems
from reviewer.languages.rust.syntax import attributes
from reviewer.languages.rust.syntax.attributes import Attribute
from reviewer.languages.rust.syntax.tokens import AttributeArgument
from reviewer.records import dataclass
from reviewer.schema.rust.tools import Input
from reviewer.source import Opaque, Span, Text
from reviewer.text.patterns import pattern

# mcp-attr's attribute is `mcp_server`, that of the others `server`, which web frameworks may have as well: `SDKS`
# decides.
SERVING = pattern(rb"#\[\s*(?:\w+\s*::\s*)*(?:mcp_)?server\b")
# The crates as a `use` names them; their macros lie in crates of the same name with `_macros` behind it.
SDKS = frozenset({"mcp_attr", "turbomcp", "mcpkit"})
NAMED_FIRST = frozenset({"mcp_attr"})
"""SDKs by which `#[tool("lend")]` gives the name; by the others it gives the description."""

ADDED = ("usage", "performance", "related", "examples")
"""What turbomcp puts into the description beside the text that is given as such."""

HINTS = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}


def iter_attributed_servers(items: RustItems) -> Iterator[Server]:
    """Make a server of each impl block that such an attribute serves."""
    for path, block in iter_impls(items, SERVING):
        sdk = next((sdk for each in attributes.read_before(block) if (sdk := _find_sdk(items, path, each))), None)
        body = find_child(block, "body")
        if sdk is None or body is None:
            continue
        outer = attributes.read_conditions(items.sources[path], block)
        functions = (
            (part, attributes.find_named(attributes.read_before(part), "tool"))
            for part in body.named_children
            if part.type == "function_item"
        )
        tools = (
            _AttributeReader(items, path, part, mark, False, sdk).read_tool(outer) for part, mark in functions if mark
        )
        yield Server(None, "rust", sdk.replace("_", "-"), items.locate_node(path, block), tuple(tools), None, ())


def _find_sdk(items: RustItems, path: str, mark: Attribute) -> str | None:
    """Return which of the SDKs an attribute is of."""
    if mark.name not in ("server", "mcp_server"):
        return None
    used = items.read_uses(path)
    written = tuple(part.strip() for part in mark.path.split("::"))
    heads = [(*used.names.get(written[0], written[:1]), *written[1:])[0], *(each[0] for each in used.globs if each)]
    return next((head.removesuffix("_macros") for head in heads if head.removesuffix("_macros") in SDKS), None)


@dataclass(frozen=True, slots=True)
class _AttributeReader(RouterReader):
    """Reads one function as an SDK does."""

    sdk: str

    def read_text(self, name: str) -> Text | Opaque | None:
        """Return an argument of the attribute that is a string, by its name or by standing first."""
        first = next((each for each in self.mark.arguments if each.name is None), None)
        if first is None or name != ("name" if self.sdk in NAMED_FIRST else "description"):
            return RouterReader.read_text(self, name)
        value = self.fold(AttributeArgument(None, first.node, first.tokens or (first.node,)))
        return value if isinstance(value, Text | Opaque) else Opaque("not a string", self.locate(first.node))

    def locate(self, node: Node) -> Span:
        """Return the place of a node of the function."""
        return self.items.locate_node(self.path, node)

    def read_description(self) -> Text | Opaque | None:
        """Return the tool's description."""
        added = next((each for name in ADDED if (each := self.mark.find_argument(name)) is not None), None)
        if added is not None:
            return Opaque(f"`{added.name}` is put into it", self.locate(added.node))
        given = self.read_text("description")
        if given is not None:
            return given
        return descriptions.join_docs(self.items, self.node, self.path, until_attribute=False)

    def read_annotations(self) -> Json | Opaque | None:
        """Return the hints that the attribute sets."""
        found = {}
        for name, hint in HINTS.items():
            argument = self.mark.find_argument(name) or self.mark.find_argument(f"{name}_hint")
            if argument is not None:
                found[hint] = self.fold(argument)
        return find_unread(found, self.locate(self.node)) or found or RouterReader.read_annotations(self)

    def read_input(self) -> Input:
        """Return the schema of the arguments, and the arguments."""
        parameters = find_child(self.node, "parameters") or self.node
        unknown = Opaque(f"{self.sdk.replace('_', '-')} makes it of the function's parameters", self.locate(parameters))
        return unknown, unknown

    def list_arguments(self, struct: Text | None) -> None:
        """Return None: which parameters a client gives is told by each SDK in its own way."""

    def read_output(self) -> Schema | Opaque | None:
        """Return the schema of the result."""
        return None
