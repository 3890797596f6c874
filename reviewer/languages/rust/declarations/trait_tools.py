"""One tool that is a type: what its `impl Tool for X` says of it."""

from dataclasses import replace

from tree_sitter import Node

from reviewer.facts import Condition, Flag, Handler, Schema, Tool
from reviewer.languages.nodes import decode_node, find_child, find_descendants, list_field_children
from reviewer.languages.rust.behaviour.argument_use import RustFunctionReading
from reviewer.languages.rust.behaviour.effects import collect_acts
from reviewer.languages.rust.behaviour.settled import is_cut
from reviewer.languages.rust.declarations import associated
from reviewer.languages.rust.declarations.beside import collect_tool_definitions
from reviewer.languages.rust.declarations.descriptions import read_documentation
from reviewer.languages.rust.declarations.listings import RustListing
from reviewer.languages.rust.declarations.tool_expressions import MADE, Maker
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.evaluation.values import ExpressionPlace, MethodAnswers, OfType, find_unread
from reviewer.languages.rust.project.def_use import find_result, list_arguments
from reviewer.languages.rust.project.items import RustItem, RustItems, memoize
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.write_marks import is_list_of_writers, marks
from reviewer.records import dataclass
from reviewer.schema.rust import tools as schemas
from reviewer.source import Opaque, Text
from reviewer.text.patterns import pattern

ASKING = pattern(rb"\.\s*title\s*\(\s*\)|::\s*(?:TITLE\b|title\s*\(\s*\))")
"""Code that asks tools for their titles."""


ANNOTATED = pattern(rb"\.\s*(?:annotate|with_annotations)\s*\(|\bannotations\s*(?:=|:\s*Some\b)")
"""Code that gives tools their annotations."""

SCHEMA = ("input_schema", "schema", "parameters", "parameters_schema")
"""How the method is called that tells what a tool takes."""

# How the traits that were read call the method that does a tool's work; without one, and without a name, it is no
# tool's trait.
ANSWERS = frozenset("call execute run invoke call_tool handle".split())

LISTS = pattern(rb"\b(?:const|static)\s+\w*(?:WRIT|MUTA|DESTR)\w*\s*:")
"""Where a list of tools that change something may be declared."""

CONTRACT = frozenset({"name", "description", "input_schema"})
"""What the text on the Tool trait asks a tool for, each by a method of its own."""

# The associated type of what a tool takes: `Parameter` is that of rmcp's `ToolBase`, the others are those of projects'
# own traits.
ARGUMENTS = frozenset({"Parameter", "Parameters", "Params", "Args", "Input", "RequestArgs"})
BASE = "ToolBase"
"""rmcp's own trait, which the project does not declare."""

Key = tuple[str, int] | str
"""A trait: where it is declared, or the name of one that is declared elsewhere."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """One `impl Tool for X`. `told` is what describes it where it is registered, if it does not say its own name."""

    path: str
    node: Node
    type: str
    trait: Key
    methods: dict[str, Node]
    told: Tool | None = None


def read_tool(items: RustItems, made: Implementation, conditions: tuple[Condition, ...]) -> Tool | Opaque:
    """Read the tool of an implementation."""
    if made.told is not None:
        return replace(made.told, conditions=(*conditions, *made.told.conditions), handler=_find_handler(items, made))
    if "name" not in made.methods:
        return _build_defined(items, made, conditions)
    name = answer(items, made, "name")
    span = items.locate_node(made.path, made.node)
    if not isinstance(name, Text):
        reason = name.reason if isinstance(name, Opaque) else "it is not a string"
        return Opaque(f"a tool is listed whose name cannot be read: {reason}", span)
    description = answer(items, made, "description")
    schema, parameters = _get_schema(items, made)
    if description is None and schema is None and _tells_neither(items, made):
        return _get_told_beside(items, made, name, conditions)
    title = answer(items, made, "title") if made.trait == BASE or items.find_matching(ASKING) else None
    return Tool(
        name=name,
        span=span,
        description=description if isinstance(description, Text | Opaque) else None,
        title=title if isinstance(title, Text | Opaque) else None,
        input_schema=schema,
        output_schema=_find_output(items, made) if made.trait == BASE else None,
        annotations=read_annotations(items, made),
        parameters=parameters,
        conditions=conditions,
        handler=_find_handler(items, made),
        type=_find_written_type(items, made),
        by_contract=made.methods.keys() >= CONTRACT,
    )


DESCRIBING = pattern(
    rb"\b(?:fn|const|type)\s+(?:\w*(?:description|schema|parameters|definition)\w*|DESCRIPTION|Params|Args|Input)\b"
)
"""What a trait declares by which its tools say what they do, or what they take."""


def _tells_neither(items: RustItems, made: Implementation) -> bool:
    """Return whether the trait has nothing by which a tool says what it does and what it takes: that stands elsewhere."""
    if isinstance(made.trait, str):
        return False
    path, start = made.trait
    declared = next((each for each in items.find_nodes(path, "trait_item") if each.start_byte == start), None)
    return declared is not None and DESCRIBING.search(declared.text or b"") is None


def _get_told_beside(items: RustItems, made: Implementation, name: Text, conditions: tuple[Condition, ...]) -> Tool:
    """Return a tool as it is described beside its handler; opaque without such a text, or with several that differ."""
    span = items.locate_node(made.path, made.node)
    told = collect_tool_definitions(items).get(str(name), [])
    folder = items.find_package_folder(made.path)
    near = [each for each in told if items.find_package_folder(each.span.path) == folder] or told
    if len(near) == 1:
        handler, type_ = _find_handler(items, made), _find_written_type(items, made)
        return replace(near[0], conditions=(*conditions, *near[0].conditions), handler=handler, type=type_)
    reason = f"its trait has no method for it, and {'several descriptions' if near else 'no description'} of its name"
    unseen = Opaque(f"{reason} {'were' if near else 'was'} found", span)
    return Tool(
        name=name,
        span=span,
        description=unseen,
        input_schema=unseen,
        parameters=unseen,
        conditions=conditions,
        handler=_find_handler(items, made),
        type=_find_written_type(items, made),
    )


def find_defining_method(methods: dict[str, Node]) -> Node | None:
    """Return the method that tells everything of a tool at once: `fn definition(&self) -> ToolDefinition`."""
    for method in methods.values():
        given, back = find_child(method, "parameters"), find_child(method, "return_type")
        alone = given is not None and [part.type for part in given.named_children] == ["self_parameter"]
        if alone and back is not None and MADE.fullmatch(read_segments(back)[-1]) is not None:
            return method
    return None


def _build_defined(items: RustItems, made: Implementation, conditions: tuple[Condition, ...]) -> Tool | Opaque:
    """Read the tool of an implementation whose definition is made by one method."""
    method, listing = find_defining_method(made.methods), RustListing(items)
    if method is not None:
        listing.follow(RustItem(made.path, method, items.sources[made.path]))
    if len(listing.tools) != 1:
        return Opaque(
            "a tool is listed whose definition cannot be read", items.locate_node(made.path, method or made.node)
        )
    tool = listing.tools[0]
    return replace(
        tool,
        conditions=(*conditions, *tool.conditions),
        handler=_find_handler(items, made),
        type=_find_written_type(items, made),
    )


def _find_written_type(items: RustItems, made: Implementation) -> Text | None:
    """Return the name of the type, of one that tells itself how it is called."""
    told = made.methods.get("name") or find_defining_method(made.methods)
    type_, body = find_child(made.node, "type"), find_child(told, "body") or find_child(told, "value")
    fixed = body is not None and b"self" not in (body.text or b"")
    return Text(made.type, items.locate_node(made.path, type_)) if type_ is not None and fixed else None


def answer(items: RustItems, made: Implementation, *names: str) -> object:
    """Read what a method without arguments, or a constant, gives."""
    member = next((made.methods[name] for name in names if name in made.methods), None)
    body = (find_child(member, "body") or find_child(member, "value")) if member is not None else None
    return ConstantFolder(items).fold(body, ExpressionPlace(made.path, {})) if body is not None else None


def _get_schema(items: RustItems, made: Implementation) -> schemas.Input:
    value, span = answer(items, made, *SCHEMA), items.locate_node(made.path, made.node)
    if value is not None:
        return schemas.build_value_schema(items, value, span)
    named = _find_named_type(made, ARGUMENTS)
    if named is None:
        return (None, ()) if not made.methods.keys() & set(SCHEMA) else _build_unknown_input(items, made)
    if made.trait == BASE:
        return schemas.build_value_schema(items, OfType(named[1], made.path), span)
    return associated.derive_input(items, named[1], made.path, named[0], span)


def _find_named_type(made: Implementation, names: frozenset[str]) -> tuple[str, Node] | None:
    """Return the first of the names that an implementation says a type for, and the type."""
    for part in list_field_children(made.node, "body"):
        name, type_ = decode_node(find_child(part, "name") or part), find_child(part, "type")
        if part.type == "type_item" and name in names and type_ is not None:
            return name, type_
    return None


def _find_output(items: RustItems, made: Implementation) -> Schema | Opaque | None:
    """Return the schema of `type Output`, or what `output_schema()` gives in its stead."""
    span = items.locate_node(made.path, made.node)
    if "output_schema" in made.methods:
        value = answer(items, made, "output_schema")
        return schemas.build_value_schema(items, value, span, output=True)[0] if value is not None else None
    named = _find_named_type(made, frozenset({"Output"}))
    return schemas.build_type_schema(items, named[1], made.path, way="output") if named is not None else None


def _build_unknown_input(items: RustItems, made: Implementation) -> tuple[Opaque, Opaque]:
    opaque = Opaque("its schema is made at run time", items.locate_node(made.path, made.node))
    return opaque, opaque


def read_annotations(items: RustItems, made: Implementation) -> dict[str, object] | Opaque | None:
    """Read the annotations of the tool of an implementation."""
    body = find_child(made.methods.get("annotations"), "body")
    last = find_result(body) if body is not None else None
    if body is None:
        return _find_annotated_where_listed(items, made)
    if last is None:
        return Opaque("the annotations are created in code", items.locate_node(made.path, body))
    value = Maker(items).read_annotations(last, ExpressionPlace(made.path, {}))
    if isinstance(value, dict):
        return find_unread(value, items.locate_node(made.path, last)) or dict(value)
    return value if value is None or isinstance(value, Opaque) else None


def _find_annotated_where_listed(items: RustItems, made: Implementation) -> dict[str, object] | Opaque | None:
    """Read what the code that asks tools for their schemas, to list them, gives them as annotations beside."""
    asked = made.methods.keys() & set(SCHEMA)
    for path in items.find_matching(ANNOTATED) if asked else ():
        for function in items.find_nodes_near(path, ANNOTATED, "function_item"):
            calls = (find_child(each, "function") for each in find_descendants(function, "rust", "call_expression"))
            fields = [
                each for each in calls if each is not None and decode_node(find_child(each, "field") or each) in asked
            ]
            if fields:
                held = MethodAnswers(lambda name: _tell(items, made, name))
                names = {decode_node(find_child(each, "value") or each): held for each in fields}
                return _collect_given_beside(items, function, ExpressionPlace(path, names))
    return None


def _collect_given_beside(items: RustItems, function: Node, place: ExpressionPlace) -> dict[str, object] | Opaque:
    """Read the annotations that the code of a function gives, if it gives them once."""
    given = list(filter(None, map(_find_given_annotations, find_descendants(function, "rust", *GIVING))))
    value = Maker(items).read_annotations(given[0], place) if len(given) == 1 else None
    if isinstance(value, dict):
        return find_unread(value, items.locate_node(place.path, given[0])) or dict(value)
    return Opaque("the annotations are made where tools are listed", items.locate_node(place.path, function))


# The three forms in which a listing gives a tool its annotations: `.annotate(..)`, `tool.annotations = ..`, `Tool {
# annotations: .. }`.
GIVING = ("call_expression", "assignment_expression", "field_initializer")


def _find_given_annotations(node: Node) -> Node | None:
    """Return the node that a call, an assignment or a field sets as a tool's annotations; None if it sets none."""
    if node.type == "field_initializer":
        return find_child(node, "value") if decode_node(find_child(node, "field") or node) == "annotations" else None
    to = find_child(find_child(node, "function") or find_child(node, "left"), "field")
    if to is None or decode_node(to) not in ("annotate", "with_annotations", "annotations"):
        return None
    return find_child(node, "right") or next(iter(list_arguments(node)), None)


def _tell(items: RustItems, made: Implementation, name: str) -> object:
    """Read what a method of a tool gives, or else that of its trait."""
    if name in made.methods or isinstance(made.trait, str):
        return answer(items, made, name)
    path, start = made.trait
    declared = next((each for each in items.find_nodes(path, "trait_item") if each.start_byte == start), None)
    usual = {decode_node(find_child(part, "name") or part): part for part in list_field_children(declared, "body")}
    return answer(items, replace(made, path=path, methods=usual), name)


def _find_handler(items: RustItems, made: Implementation) -> Handler | None:
    name = next((name for name in made.methods if name in ANSWERS), None)
    if name is None:
        return None
    node = made.methods[name]
    text = items.locate_text(made.path, find_child(node, "name") or node)
    beside = [each for each in made.methods.values() if each.id != node.id and each.type == "function_item"]
    taken = RustFunctionReading(items, node, made.path, beside)
    return taken.attach_to_handler(
        Handler(
            text,
            items.locate_node(made.path, node),
            capped=Flag(lambda: is_cut(items, node, made.path)),
            acts=collect_acts(items, node, made.path),
            write_mark=_write_mark(items, made),
            hints=taken.hints,
            documentation=read_documentation(items, node, made.path),
        )
    )


def _write_mark(items: RustItems, made: Implementation) -> Text | None:
    """Return the method by which a tool says that it changes something, or the list of those that do where it is named."""
    method = next((each for name, each in made.methods.items() if marks(name, _read_boolean(each))), None)
    if method is not None:
        return items.locate_text(made.path, find_child(method, "name") or method)
    name = _tell(items, made, "name")
    return next((text for text in _list_writers(items) if text == name), None) if isinstance(name, str) else None


@memoize
def _list_writers(items: RustItems) -> tuple[Text, ...]:
    """Return the names in lists of tools that change something: `const WRITERS: &[&str] = &["enqueue"]`."""
    found: list[Text] = []
    for path in items.find_matching(LISTS):
        for node in items.find_nodes(path, "const_item", "static_item"):
            name, value = find_child(node, "name"), find_child(node, "value")
            if name is not None and value is not None and is_list_of_writers(decode_node(name)):
                for each in find_descendants(value, "rust", "string_literal"):
                    said = evaluate_string(each)
                    found += [Text(said, items.locate_node(path, each))] if said is not None else []
    return tuple(found)


def _read_boolean(method: Node) -> bool | None:
    """Return the boolean that a method or constant consists of; None for anything else."""
    said = decode_node(find_child(method, "body") or find_child(method, "value") or method).strip("{} \n")
    return {"true": True, "false": False}.get(said)
