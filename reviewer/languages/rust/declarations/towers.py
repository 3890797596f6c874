"""tower-mcp: tools made by `ToolBuilder::new("name").description(..).handler(|input: Input| ..)`."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Handler, Schema, Server, Tool
from reviewer.languages.nodes import find_child, iter_matches
from reviewer.languages.rust.behaviour.effects import collect_acts
from reviewer.languages.rust.declarations.circumstances import collect_conditions
from reviewer.languages.rust.declarations.routers import find_type_argument
from reviewer.languages.rust.declarations.tool_expressions import find_next_call
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.evaluation.values import ExpressionPlace, OfType
from reviewer.languages.rust.project.def_use import list_arguments
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.name_resolution import list_parameters, read_callee_name
from reviewer.languages.rust.project.uses import read_segments
from reviewer.schema.rust import dialects
from reviewer.schema.rust import tools as schemas
from reviewer.source import Opaque, Text
from reviewer.text.patterns import pattern

# tower-mcp's builder by its own name, and through the function of `Tool` that gives one.
BUILDING = pattern(rb"\bToolBuilder\s*::\s*new\s*\(|\bTool\s*::\s*builder\s*\(")
STARTS = frozenset({("ToolBuilder", "new"), ("Tool", "builder")})
"""The two functions of tower-mcp that begin the chain of a tool."""
# tower-mcp takes the function by several methods (`handler`, `extractor_handler`, `no_params_handler`), whose names say
# what it is given.
HANDLERS = pattern(r"\w*handler\w*")
SAYS = {
    "read_only": {"readOnlyHint": True},
    "idempotent": {"idempotentHint": True},
    "destructive": {"destructiveHint": True},
    "non_destructive": {"destructiveHint": False},
    "read_only_safe": {"readOnlyHint": True, "idempotentHint": True, "destructiveHint": False},
}
NO_PARAMETERS = {"$schema": dialects.CURRENT, "title": "NoParams", "type": "object"}
ANYTHING = {"type": "object", "additionalProperties": True}


def iter_tower_servers(items: RustItems) -> Iterator[Server]:
    """Make a server of the tools that are built in each package."""
    found: dict[str | None, list[Tool | Opaque]] = {}
    first: dict[str | None, str] = {}
    for path in items.find_matching(BUILDING):
        if b"tower_mcp" not in items.sources[path].data:
            continue
        for each in iter_matches(items.parse_root(path), "rust", "constructions"):
            call = each.get("call")
            function = find_child(call, "function")
            if call is None or function is None or read_segments(function)[-2:] not in STARTS or is_in_test(call):
                continue
            folder = items.find_package_folder(path)
            first.setdefault(folder, path)
            found.setdefault(folder, []).append(_Built(items, path, call).read_tool())
    for folder, made in found.items():
        tools = tuple(each for each in made if isinstance(each, Tool))
        unreadable = tuple(each for each in made if isinstance(each, Opaque))
        span = items.sources[first[folder]].find_line_span(1)
        yield Server(None, "rust", "tower-mcp", span, tools, None, unreadable)


class _Built:
    """One chain of calls that builds a tool; `start` is its first call."""

    def __init__(self, items: RustItems, path: str, start: Node) -> None:
        self.items = items
        self.path = path
        self.start = start
        self.calls = dict(_chain(start))
        self.whole = [start, *self.calls.values()][-1]

    def read_tool(self) -> Tool | Opaque:
        name = self.fold_argument(self.start)
        span = self.items.locate_node(self.path, self.whole)
        if not isinstance(name, Text):
            reason = name.reason if isinstance(name, Opaque) else "it is not a string"
            return Opaque(f"a tool is built whose name cannot be read: {reason}", span)
        schema, parameters = self.read_input()
        handler = next((call for method, call in self.calls.items() if HANDLERS.fullmatch(method)), None)
        return Tool(
            name=name,
            span=span,
            description=self.read_text("description"),
            title=self.read_text("title"),
            input_schema=schema,
            output_schema=self.read_output(),
            annotations=self.read_annotations(),
            parameters=parameters,
            conditions=collect_conditions(self.items.sources[self.path], self.start),
            handler=self.build_handler(handler) if handler is not None else None,
        )

    def fold_argument(self, call: Node) -> object:
        given = list_arguments(call)
        return ConstantFolder(self.items).fold(given[0], ExpressionPlace(self.path, {})) if given else None

    def read_text(self, method: str) -> Text | Opaque | None:
        value = self.fold_argument(self.calls[method]) if method in self.calls else None
        return value if isinstance(value, Text | Opaque) else None

    def read_output(self) -> Schema | Opaque | None:
        call = self.calls.get("output_schema")
        if call is None:
            return None
        return schemas.build_value_schema(
            self.items, self.fold_argument(call), self.items.locate_node(self.path, call), output=True
        )[0]

    def read_annotations(self) -> dict[str, object] | Opaque | None:
        """Return the hints that differ from the protocol's defaults, as they are sent; the first versions sent more."""
        said = {hint: value for method, hints in SAYS.items() if method in self.calls for hint, value in hints.items()}
        version = self.items.find_version(self.path, "tower-mcp")
        if "annotations" in self.calls or (said and version is not None and version < (0, 20)):
            return Opaque("which hints are sent depends on the version", self.items.locate_node(self.path, self.start))
        kept: dict[str, object] = {
            hint: value for hint, value in said.items() if value is not (hint == "destructiveHint")
        }
        return kept if said else None

    def read_input(self) -> schemas.Input:
        given = self.calls.get("input_schema")
        if given is not None:
            return schemas.build_value_schema(
                self.items, self.fold_argument(given), self.items.locate_node(self.path, given)
            )
        for method, call in self.calls.items():
            if HANDLERS.fullmatch(method):
                return self.derive_handler_input(method, call)
        return Opaque("its handler is given elsewhere", self.items.locate_node(self.path, self.whole)), ()

    def derive_handler_input(self, method: str, call: Node) -> schemas.Input:
        """Return the schema of what a handler takes."""
        if method.startswith("no_params"):
            return Schema.from_document(NO_PARAMETERS), ()
        function, path = self.find_function(call)
        types = [type_ for part in list_parameters(function) if (type_ := find_child(part, "type")) is not None]
        if method.startswith("extractor"):
            asked = [inner for each in reversed(types) if (inner := find_type_argument(each, "Json")) is not None]
            if types and not asked:
                return Schema.from_document(ANYTHING), ()
            types = asked[:1]
        if not types or method.startswith("raw"):
            unknown = Opaque("what its handler takes is not known", self.items.locate_node(self.path, call))
            return unknown, unknown
        if read_segments(types[-1])[-1:] == ("NoParams",):
            return Schema.from_document(NO_PARAMETERS), ()
        return schemas.build_value_schema(
            self.items, OfType(types[-1], path, "macro"), self.items.locate_node(self.path, call)
        )

    def find_function(self, call: Node) -> tuple[Node | None, str]:
        """Return the closure or function that a call is given last, and the file that it stands in.

        A block gives its last expression: `{ let state = state.clone(); move |asked: Loan| lend(state, asked) }`.
        """
        last = list_arguments(call)[-1] if list_arguments(call) else None
        while last is not None and last.type == "block" and last.named_children:
            last = last.named_children[-1]
        if last is not None and last.type in ("identifier", "scoped_identifier"):
            found = self.items.resolve(read_segments(last), self.path, "fn", near=last)
            return (found.node, found.path) if isinstance(found, RustItem) else (None, self.path)
        return last, self.path

    def build_handler(self, call: Node) -> Handler | None:
        function, path = self.find_function(call)
        if function is None or function.type not in ("function_item", "closure_expression"):
            return None
        text = self.items.locate_text(path, find_child(function, "name") or function)
        return Handler(text, self.items.locate_node(path, function), acts=collect_acts(self.items, function, path))


def _chain(start: Node) -> Iterator[tuple[str, Node]]:
    """Yield the methods that are called on a call's result, one after another."""
    while (around := find_next_call(start)) is not None:
        yield read_callee_name(around) or "", around
        start = around
