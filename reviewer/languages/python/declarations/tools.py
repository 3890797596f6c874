"""A registration → a Tool fact: name, text, parameters and schema as the framework would make them."""

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any

from reviewer.facts import Flag, Handler, Hole, Json, Lazy, Places, Schema, Tool, ToolParameter
from reviewer.facts.parts import Path
from reviewer.languages.python.behaviour import argument_use, effects, wrapping
from reviewer.languages.python.behaviour.settled import is_cut
from reviewer.languages.python.declarations.documentation import Documentation, read_documentation
from reviewer.languages.python.declarations.mixins import OF_MIXIN
from reviewer.languages.python.declarations.outputs import may_have_output
from reviewer.languages.python.declarations.parameters import Signature
from reviewer.languages.python.declarations.registrations import Registration
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.jsonable import Jsonable
from reviewer.languages.python.evaluation.models import MODEL_SCHEMA
from reviewer.languages.python.evaluation.signatures import SignaturePart, find_assigned_attribute, find_doubt
from reviewer.languages.python.evaluation.values import (
    Const,
    External,
    Method,
    PyFunction,
    PyInstance,
    PyMapping,
    PyUnknown,
    PyValue,
    assume_default,
    to_text,
    to_text_or_opaque,
)
from reviewer.languages.python.types import returning
from reviewer.languages.python.types.arguments import iter_arguments as written_arguments
from reviewer.languages.python.types.functions import find_docstring
from reviewer.records import dataclass
from reviewer.schema.python.dialects import PythonDialect
from reviewer.schema.python.dialects import choose_dialect as newest_dialect
from reviewer.source import Opaque, Span, Text

CAMEL = {
    "read_only_hint": "readOnlyHint",
    "destructive_hint": "destructiveHint",
    "idempotent_hint": "idempotentHint",
    "open_world_hint": "openWorldHint",
}


@dataclass(eq=False)
class ToolReader:
    """Reads tools for one evaluation."""

    run: Evaluator
    assumptions: list[Hole] = field(default_factory=list)
    """What of the tool that is being read is given as it is if nothing is configured."""

    def read_text(self, part: str, value: PyValue | None, span: Span) -> Text | Opaque | None:
        """Return a part of a tool as text, and note what was assumed for it."""
        if value is None:
            return None
        plain, reason = assume_default(value)
        read = to_text_or_opaque(plain, span)
        if reason is not None and not isinstance(read, Opaque):
            self.assumptions.append(Hole(part, Opaque(reason, span), assumed=True))
        return read

    def read(self, made: Registration, dialect: PythonDialect) -> Tool | Opaque:
        """Read one registration; Opaque if not even its shape can be told."""
        self.assumptions = []
        if made.definition is not None:
            return self._build_defined(made, made.definition)
        function = _find_function(made.function)
        unread = made.function if function is None else _wrap(made, function)
        if function is None or unread is not None:
            reason = unread.reason if isinstance(unread, PyUnknown) else "it is known at run time only"
            return Opaque(f"registers a tool at run time: {reason}", made.module.locate(made.node))
        tool = self._from_function(made, function, dialect)
        return replace(tool, assumptions=tuple(self.assumptions))

    def _from_function(self, made: Registration, function: PyFunction, dialect: PythonDialect) -> Tool:
        shown = function.unwrap()
        span = shown.scope.module.locate(_get_whole(shown))
        signature = Signature(self.run, made, function, dialect)
        parameters = signature.list_visible_parts()
        listed = parameters if isinstance(parameters, list) else []
        read = argument_use.PythonFunctionReading(
            self.run, function, lambda: {each.name: signature.find_wire_name(each) for each in listed}
        )
        description, arguments = self._collect_description(made, function, dialect, span)
        annotations = self._find_annotations(made.keywords.get("annotations"), span)
        return Tool(
            name=self._determine_name(made, function, span),
            span=span,
            description=description,
            title=self._find_title(made, annotations, dialect, span),
            input_schema=self._build_input_schema(signature, parameters, arguments),
            output_schema=self._find_output_schema(made, function, dialect, span),
            annotations=_select_known_hints(annotations, dialect),
            icons=self._get_json(made.keywords.get("icons"), span),
            meta=self._find_meta(made, dialect, span),
            parameters=parameters
            if isinstance(parameters, Opaque)
            else tuple(signature.build_parameter(part, arguments) for part in parameters),
            conditions=made.conditions,
            handler=read.attach_to_handler(
                Handler(
                    _name_text(shown),
                    span,
                    capped=Flag(lambda: self._is_capped(shown)),
                    acts=effects.collect_function_acts(self.run, function),
                    raises=True,
                    takes=None
                    if isinstance(parameters, Opaque)
                    else Lazy(lambda: written_arguments(signature, parameters)),
                    returns=replace(
                        returning.read(self.run, function), later=self._find_later(made, function, dialect)
                    ),
                    outcomes=Lazy(lambda: tuple(effects.iter_function_outcomes(self.run, function))),
                    wrappers=Lazy(lambda: wrapping.iter_wrappers(self.run, made, function)),
                    returned_payloads=Lazy(lambda: effects.iter_returned_payloads(self.run, shown)),
                    unmapped_payloads=Lazy(
                        lambda: effects.iter_returned_payloads(self.run, shown, filling_models=True)
                    ),
                    hints=read.hints,
                    documentation=find_docstring(shown),
                )
            ),
        )

    def _is_capped(self, function: PyFunction) -> bool:
        body = function.node.child_by_field_name("body")
        return body is not None and is_cut(self.run, body, function.scope)

    def _determine_name(self, made: Registration, function: PyFunction, span: Span) -> Text | Opaque | None:
        shown = function.unwrap()
        given = made.keywords.get("name")
        plain, reason = assume_default(given) if given is not None else (None, None)
        if given is None or (isinstance(plain, Const) and not plain.value):
            self.assumptions += [Hole("name", Opaque(reason, span), assumed=True)] if reason is not None else []
            renamed = find_assigned_attribute(function, "__name__")
            return self.read_text("name", renamed, span) if renamed is not None else _name_text(shown)
        return self.read_text("name", given, span)

    def _find_title(
        self, made: Registration, annotations: Json | Opaque | None, dialect: PythonDialect, span: Span
    ) -> Text | Opaque | None:
        given = self.read_text("title", made.keywords.get("title"), span)
        if not given and dialect.framework == "fastmcp":
            if not isinstance(annotations, dict) or not dialect.titles_from_annotations:
                return None
            return Text(str(annotations["title"]), span) if annotations.get("title") else None
        return given

    def _collect_description(
        self, made: Registration, function: PyFunction, dialect: PythonDialect, span: Span
    ) -> tuple[Text | Opaque | None, dict[str, str]]:
        """Return the description, and the texts of arguments that the framework takes out of the docstring."""
        given = self.read_text("description", made.keywords.get("description"), span)
        override = find_assigned_attribute(function, "__doc__")
        doubt = find_doubt(function, "__doc__")
        if doubt is not None and given is None:
            self.assumptions.append(Hole("description", Opaque(doubt, span), assumed=True))
        written = self.read_text("description", override, span)
        if isinstance(written, Opaque):
            return given or written, {}
        found = (
            read_documentation(function.unwrap(), dialect, written) if override is None or written else Documentation()
        )
        if given is None and "**" in made.keywords:
            return Opaque("keyword arguments that only a run can tell", made.module.locate(made.node)), found.arguments
        if given is None or (given == "" and not dialect.empty_description):
            return found.description, found.arguments
        return given, found.arguments

    def _build_input_schema(
        self, signature: Signature, parameters: list[SignaturePart] | Opaque, arguments: dict[str, str]
    ) -> Schema | Opaque:
        if isinstance(parameters, Opaque):
            return parameters

        def build_schema() -> tuple[Json, tuple[Hole, ...]]:
            from reviewer.languages.python.declarations.schemas import build_parameters_schema

            return build_parameters_schema(signature, parameters, arguments)

        return Schema(build_schema, Places(self._iter_places))

    def _iter_places(self) -> Iterator[tuple[Path, Span]]:
        from reviewer.languages.python.declarations.schemas import iter_places

        return iter_places(self.run)

    def _find_output_schema(
        self, made: Registration, function: PyFunction, dialect: PythonDialect, span: Span
    ) -> Schema | Opaque | None:
        written = made.keywords.get("output_schema")
        if written is None and OF_MIXIN in made.keywords and not dialect.mixin_output:
            return None
        if isinstance(written, PyMapping) or (isinstance(written, PyInstance) and written.path == MODEL_SCHEMA):
            return self._find_schema(written, span)
        if written is not None and not (isinstance(written, External) and "NotSet" in written.name):
            return None if isinstance(written, Const) else Opaque("it is known at run time only", span)
        structured = made.keywords.get("structured_output")
        if not may_have_output(self.run, function, dialect, structured):
            return None
        return self._derive(function, dialect, structured)

    def _find_later(self, made: Registration, function: PyFunction, dialect: PythonDialect) -> Schema | None:
        """Return the output schema that the newest release of the framework makes of a function for which this one makes none."""
        newest = newest_dialect(dialect.framework)
        structured = made.keywords.get("structured_output")
        written = "output_schema" in made.keywords or dialect.output
        if written or not may_have_output(self.run, function, newest, structured):
            return None
        return self._derive(function, newest, structured)

    def _derive(self, function: PyFunction, dialect: PythonDialect, structured: PyValue | None) -> Schema:
        def build_schema() -> tuple[Json | None, tuple[Hole, ...]]:
            from reviewer.languages.python.declarations.schemas import build_return_schema

            return build_return_schema(self.run, function, dialect, structured)

        return Schema(build_schema, Places(self._iter_places))

    def _get_json(self, value: PyValue | None, span: Span) -> Any:
        """Return a value as JSON, Opaque if a part of it cannot be read."""
        if value is None or (isinstance(value, Const) and value.value is None):
            return None
        document, holes = Jsonable(self.run).read(value)
        hidden = [hole for hole in holes if not hole.assumed]
        return Opaque(hidden[0].opaque.reason, span) if hidden else _without_none(document)

    def _find_meta(self, made: Registration, dialect: PythonDialect, span: Span) -> Json | Opaque | None:
        """Return `_meta`: what is written, and the tags where the framework sends them."""
        written = self._get_json(made.keywords.get("meta"), span)
        if dialect.meta_key is None or isinstance(written, Opaque):
            return written  # type: ignore[no-any-return]
        tags = self._get_json(made.keywords.get("tags"), span)
        if isinstance(tags, Opaque):
            return tags
        noted: Json = {"tags": sorted(map(str, tags)) if isinstance(tags, list) else []}
        version = self._get_json(made.keywords.get("version"), span)
        if written and not isinstance(written, dict):
            return Opaque("it is not a mapping", span)
        return {**(written or {}), dialect.meta_key: {**noted, **({"version": str(version)} if version else {})}}

    def _find_annotations(self, value: PyValue | None, span: Span) -> Json | Opaque | None:
        if value is None or (isinstance(value, Const) and value.value is None):
            return None
        entries: PyValue = value
        if isinstance(value, PyInstance) and value.path.endswith("ToolAnnotations"):
            entries = PyMapping([(Const(name, value.span), each) for name, each in value.keywords.items()], value.span)
        document, holes = Jsonable(self.run).read(entries)
        hidden = [hole for hole in holes if not hole.assumed]
        if hidden or not isinstance(document, dict):
            return Opaque(hidden[0].opaque.reason if hidden else "they are known at run time only", span)
        self.assumptions += [Hole("annotations", hole.opaque, assumed=True) for hole in holes[:1]]
        return {CAMEL.get(str(key), str(key)): each for key, each in document.items() if each is not None}

    def _build_defined(self, made: Registration, tool: PyInstance) -> Tool:
        """Read a `Tool(...)` object."""
        raw = tool.keywords.get("inputSchema", tool.keywords.get("input_schema"))
        input_schema = self._find_schema(raw, tool.span)
        output = tool.keywords.get("outputSchema", tool.keywords.get("output_schema"))
        return Tool(
            name=self.read_text("name", tool.keywords.get("name"), tool.span),
            span=tool.span,
            description=self.read_text("description", tool.keywords.get("description"), tool.span),
            title=self.read_text("title", tool.keywords.get("title"), tool.span),
            input_schema=input_schema,
            output_schema=self._find_schema(output, tool.span) if output is not None else None,
            annotations=self._find_annotations(tool.keywords.get("annotations"), tool.span),
            parameters=_collect_schema_parameters(raw, input_schema, tool.span),
            conditions=made.conditions,
            assumptions=tuple(self.assumptions),
        )

    def _find_schema(self, value: PyValue | None, span: Span) -> Schema | Opaque | None:
        if value is None:
            return None
        document, holes = Jsonable(self.run).read(value)
        if isinstance(document, dict):
            return Schema.from_document(document, tuple(holes))
        if document is None and not holes:
            return None
        return holes[0].opaque if holes else Opaque("it is known at run time only", span)


HINTS = frozenset({"title", *CAMEL.values()})


def _select_known_hints(annotations: Json | Opaque | None, dialect: PythonDialect) -> Json | Opaque | None:
    """Return the annotations that a release sends."""
    if not isinstance(annotations, dict) or dialect.further_annotations:
        return annotations
    return {key: value for key, value in annotations.items() if key in HINTS}


def _without_none(document: Any) -> Any:
    """Leave out what is null at the top, as the SDKs do on the wire."""
    if isinstance(document, dict):
        return {key: each for key, each in document.items() if each is not None}
    return [_without_none(each) for each in document] if isinstance(document, list) else document


def _find_function(value: PyValue | None) -> PyFunction | None:
    if isinstance(value, Method):
        return value.function
    return value if isinstance(value, PyFunction) else None


def _wrap(made: Registration, function: PyFunction) -> PyUnknown | None:
    """Return why it is unknown which function a wrapper stands for, where that function alone would name the tool."""
    named = made.keywords.get("name")
    name = (
        find_assigned_attribute(function, "__name__")
        if named is None or (isinstance(named, Const) and not named.value)
        else None
    )
    return name if isinstance(name, PyUnknown) and name is find_assigned_attribute(function, "__signature__") else None


def _get_whole(function: PyFunction) -> Any:
    parent = function.node.parent
    return parent if parent is not None and parent.type == "decorated_definition" else function.node


def _name_text(function: PyFunction) -> Text:
    node = function.node.child_by_field_name("name") or function.node
    return Text(function.name, function.scope.module.locate(node))


def _collect_schema_parameters(
    raw: PyValue | None, schema_fact: Schema | Opaque | None, span: Span
) -> tuple[ToolParameter, ...] | Opaque:
    """Read the top-level properties of a schema that is written as a dict, each at its key."""
    if isinstance(schema_fact, Opaque):
        return schema_fact
    document = schema_fact.document if schema_fact is not None else {}
    keys = _collect_keys(raw)
    required = document.get("required", [])
    found = []
    for name, part in document.get("properties", {}).items() if isinstance(document.get("properties"), dict) else ():
        place, description = keys.get(name, (span, None))
        said = part.get("description") if isinstance(part, dict) else None
        text: Text | Opaque | None = Text(said, place) if isinstance(said, str) else description
        found.append(ToolParameter(Text(name, place), place, text, isinstance(required, list) and name in required))
    return tuple(found)


def _collect_keys(raw: PyValue | None) -> dict[str, tuple[Span, Opaque | None]]:
    """Return the places of the properties in a schema, and the descriptions that are there and cannot be read."""
    properties = raw.get("properties") if isinstance(raw, PyMapping) else None
    places: dict[str, tuple[Span, Opaque | None]] = {}
    for key, value in properties.entries if isinstance(properties, PyMapping) else ():
        if isinstance(key, Const):
            described = value.get("description") if isinstance(value, PyMapping) else None
            hidden = isinstance(value, PyUnknown) or (described is not None and to_text(described) is None)
            places[str(key.value)] = (key.span, Opaque("it is known at run time only", key.span) if hidden else None)
    return places
