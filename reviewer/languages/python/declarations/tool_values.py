"""Tools as values: for code that looks at what it has registered, changes it, or rewrites what a server lists.

A tool that was read becomes an object of the kind the frameworks hand around; what the code leaves of it is read back.
"""

from dataclasses import replace

from reviewer.facts import Hole, Schema, Tool
from reviewer.languages.python.declarations.sdks import is_made
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.jsonable import Jsonable
from reviewer.languages.python.evaluation.models import DOCUMENT, LISTED_SCHEMA
from reviewer.languages.python.evaluation.texts import as_value
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    External,
    PyInstance,
    PyItems,
    PyMapping,
    PyUnknown,
    PyValue,
    assume_default,
    strip_conditions,
    to_text_or_opaque,
)
from reviewer.source import Opaque, Span, Text

TOOL = "mcp_review.ListedTool"
MADE_OF = "made_of"
"""Where a tool keeps the `Tool.from_function(...)` that it was made by."""
# Names that no code of a project reads: what a tool object was made of, and what it was before code changed it.
KEPT, ORIGINAL = "listed", "original"
ANNOTATIONS = "mcp_review.ListedAnnotations"
# mcp's `Tool` has the schema as `inputSchema`, mcp 2 as `input_schema`, a function tool of fastmcp as `parameters`.
INPUT = ("parameters", "inputSchema", "input_schema")
# As for `INPUT`, in both spellings.
OUTPUT = ("output_schema", "outputSchema")
HINTS = {
    "title": "title",
    "readOnlyHint": "read_only_hint",
    "destructiveHint": "destructive_hint",
    "idempotentHint": "idempotent_hint",
    "openWorldHint": "open_world_hint",
}
"""The annotations in both spellings."""


def build_value(run: Evaluator, tool: Tool, index: int = 0) -> PyInstance:
    """Make a value of a tool; `index` tells it apart when it comes back."""
    span = tool.span
    attributes: dict[str, PyValue] = {
        "origin": Const(index, span),
        "name": _build_text(tool.name, span),
        "key": _build_text(tool.name, span),
        "title": _build_text(tool.title, span),
        "description": _build_text(tool.description, span),
        "enabled": Const(True, span),
        "annotations": _build_annotations(tool, span),
        "tags": _build_tags(tool, span),
        "meta": as_value(tool.meta, span) if not isinstance(tool.meta, Opaque) else PyUnknown(tool.meta.reason, span),
        **dict.fromkeys(INPUT, _build_schema(run, tool.input_schema, span)),
        **dict.fromkeys(OUTPUT, _build_schema(run, tool.output_schema, span)),
    }
    return PyInstance(External(TOOL, span), [], {}, span, attributes)


def is_tool(value: PyValue | None) -> bool:
    """Return whether a value is a tool as an object."""
    return is_made(value) or (isinstance(value, PyInstance) and value.path == TOOL)


def build_made_value(run: Evaluator, made: PyInstance, tool: Tool) -> PyInstance:
    """Make the object that a `Tool.from_function(...)` gives, and keep it on what stands for the call."""
    value = build_value(run, tool)
    value.attributes[MADE_OF] = made
    made.attributes[KEPT] = value
    made.attributes[ORIGINAL] = PyInstance(value.made_by, [], {}, value.span, dict(value.attributes))
    return value


def find_original(made: PyInstance) -> PyInstance | None:
    """Return a tool as `Tool.from_function(...)` made it, if code looked into it."""
    found = made.attributes.get(ORIGINAL)
    return found if isinstance(found, PyInstance) else None


def _build_text(part: Text | Opaque | None, span: Span) -> PyValue:
    if isinstance(part, Opaque):
        return PyUnknown(part.reason, part.span)
    return Const(str(part), part.span) if part is not None else Const(None, span)


def _build_annotations(tool: Tool, span: Span) -> PyValue:
    if isinstance(tool.annotations, Opaque):
        return PyUnknown(tool.annotations.reason, span)
    if tool.annotations is None:
        return Const(None, span)
    attributes: dict[str, PyValue] = {}
    for wire, plain in HINTS.items():
        attributes[wire] = attributes[plain] = Const(tool.annotations.get(wire), span)
    return PyInstance(External(ANNOTATIONS, span), [], {}, span, attributes)


def _build_tags(tool: Tool, span: Span) -> PyValue:
    noted = tool.meta if isinstance(tool.meta, dict) else {}
    tags = (noted.get("fastmcp") or noted.get("_fastmcp") or {}).get("tags", [])
    return PyItems("set", [Const(tag, span) for tag in tags], span)


def _build_schema(run: Evaluator, schema: Schema | Opaque | None, span: Span) -> PyValue:
    """Stand for a schema that is made when code looks into it."""
    if isinstance(schema, Opaque):
        return PyUnknown(schema.reason, schema.span)
    if schema is None:
        return Const(None, span)
    made = PyInstance(External(LISTED_SCHEMA, span), [], {}, span)
    run.schemas[id(made)] = schema
    run.kept.append(made)
    return made


def copy_tool(value: PyInstance, changes: CallArguments) -> PyInstance:
    """Take `tool.model_copy(update={...})` and `tool.to_mcp_tool(name=...)`."""
    attributes = dict(value.attributes)
    update = changes.keywords.get("update")
    given = dict(changes.keywords) if update is None else {}
    if isinstance(update, PyMapping):
        given = {str(key.value): each for key, each in update.entries if isinstance(key, Const)}
    given.pop("deep", None)
    for name, each in given.items():
        for alias in INPUT if name in INPUT else OUTPUT if name in OUTPUT else (name,):
            attributes[alias] = strip_conditions(each)
    return PyInstance(value.made_by, [], {}, value.span, attributes)


def read_back(run: Evaluator, tool: Tool, value: PyInstance, before: PyInstance) -> Tool:
    """Return a tool with what code changed of its value since `before`; what only a run can tell stays as it was, with a note."""
    changes: dict[str, object] = {}
    holes: list[Hole] = []
    for part in ("name", "title", "description"):
        if value.attributes.get(part) is not before.attributes.get(part):
            plain, reason = assume_default(value.attributes[part])
            read = to_text_or_opaque(plain, tool.span)
            if not isinstance(read, Opaque):
                changes[part] = read
            why = read.reason if isinstance(read, Opaque) else reason
            holes += [Hole(part, Opaque(f"rewritten: {why}", tool.span), assumed=True)] if why is not None else []
    for field, wire, names in (("input_schema", "inputSchema", INPUT), ("output_schema", "outputSchema", OUTPUT)):
        changed = _find_changed_schema(run, value, before, names)
        if isinstance(changed, Schema):
            changes[field] = changed
            if _has_other_properties(changed, getattr(tool, field)):
                holes.append(
                    Hole(wire, Opaque("rewritten: code puts in or takes out parameters", tool.span), assumed=True)
                )
        elif changed is not None:
            holes.append(Hole(wire, Opaque(f"rewritten: {changed.reason}", tool.span), assumed=True))
    return replace(tool, **changes, assumptions=(*tool.assumptions, *holes))  # type: ignore[arg-type]  # by part


def _has_other_properties(one: Schema, other: Schema | Opaque | None) -> bool:
    """Return whether two schemas have different properties."""
    names = set(one.document.get("properties", {}))
    return isinstance(other, Schema) and names != set(other.document.get("properties", {}))


def _find_changed_schema(
    run: Evaluator, value: PyInstance, before: PyInstance, names: tuple[str, ...]
) -> Schema | Opaque | None:
    """Return the schema that code put in the place of another, or changed; None if it left it alone."""
    new = next((each for name in names if (each := value.attributes[name]) is not before.attributes[name]), None)
    if new is None:
        old = value.attributes[names[0]]
        if not isinstance(old, PyInstance) or DOCUMENT not in old.attributes:
            return None
        new = old.attributes[DOCUMENT]
    if isinstance(new, Const) and new.value is None:
        return None
    document, holes = Jsonable(run).read(new)
    if isinstance(document, dict):
        made = run.schemas.get(id(before.attributes[names[0]]))
        return Schema.from_document(document, tuple(holes), made.places if made is not None else None)
    return holes[0].opaque if holes else Opaque("it is known at run time only", value.span)
