"""A registration → a Tool fact: name, text, parameters and schema as the framework would make them."""

import re
from dataclasses import dataclass
from typing import Any

from reviewer.facts import Handler, Hole, Json, Parameter, Schema, Tool
from reviewer.languages.caps import is_capped
from reviewer.languages.python import exits
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.expressions import quoted
from reviewer.languages.python.frameworks import FIELDS, Framework, Registration
from reviewer.languages.python.functions import SignatureParameter, cleaned, docstring, docstring_of_class, signature
from reviewer.languages.python.jsonable import Jsonable
from reviewer.languages.python.values import (
    Class,
    Const,
    External,
    Function,
    Instance,
    Mapping,
    Method,
    TypeForm,
    Unknown,
    Value,
    text_of_value,
)
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

    def read(self, made: Registration, framework: Framework) -> Tool | Opaque:
        """Read one registration; Opaque if not even its shape can be told."""
        if made.definition is not None:
            return self._defined(made, made.definition)
        function = _function(made.function)
        if function is None:
            reason = made.function.reason if isinstance(made.function, Unknown) else "it is known at run time only"
            return Opaque(f"registers a tool at run time: {reason}", made.module.span(made.node))
        return self._from_function(made, function, framework)

    def _from_function(self, made: Registration, function: Function, framework: Framework) -> Tool:
        shown = function.original()
        span = shown.scope.module.span(_whole(shown))
        parameters = [part for part in self._parameters(made, shown) if not self._injected(part, shown)]
        documented = docstring(shown)
        described = text_or_opaque(made.keywords.get("description"), span)
        description: Text | Opaque | None = described
        arguments: dict[str, str] = {}
        if described is None or (framework == "mcp" and described == ""):
            description, arguments = _documentation(documented, framework, function)
        rewritten = _rewritten(function)
        return Tool(
            name=self._name(made, function, span),
            span=span,
            description=description,
            title=text_or_opaque(made.keywords.get("title"), span),
            input_schema=rewritten or Schema(lambda: self._input_schema(framework, shown, parameters, arguments)),
            annotations=self._annotations(made.keywords.get("annotations"), span),
            parameters=rewritten or tuple(self._parameter(part, shown, arguments, framework) for part in parameters),
            conditions=made.conditions,
            handler=Handler(_name_text(shown), span, exits.of_function(self.run, function), _is_capped(shown)),
        )

    def _name(self, made: Registration, function: Function, span: Span) -> Text | Opaque | None:
        shown = function.original()
        given = made.keywords.get("name")
        if given is None or (isinstance(given, Const) and not given.value):
            renamed = _assigned(function, "__name__")
            return text_or_opaque(renamed, span) if renamed is not None else _name_text(shown)
        return text_or_opaque(given, span)

    def _parameters(self, made: Registration, shown: Function) -> list[SignatureParameter]:
        parts = signature(shown)
        bound = isinstance(made.function, Method)
        in_class = shown.cls is not None and parts and parts[0].name in ("self", "cls")
        return parts[1:] if (bound or in_class) and parts else parts

    def _injected(self, part: SignatureParameter, shown: Function) -> bool:
        """Tell whether the framework itself provides a parameter: its context, or a dependency."""
        if part.annotation is not None and self._is_context(self._annotation(part, shown)):
            return True
        default = self.run.value(part.default, shown.scope) if part.default is not None else None
        return (
            isinstance(default, Instance) and default.path.startswith("fastmcp.") and default.path.endswith("Depends")
        )

    def _annotation(self, part: SignatureParameter, shown: Function) -> Value:
        if part.annotation is None:
            return Unknown("no annotation", shown.scope.module.span(part.node))
        value = self.run.value(part.annotation, shown.scope)
        if isinstance(value, Const) and isinstance(value.value, str):
            return quoted(self.run, value.value, value.span, shown.scope)
        return value

    def _is_context(self, value: Value) -> bool:
        match value:
            case External(path=path):
                return _names_context(path)
            case Class():
                return any(_names_context(path) for path in value.outer_bases())
            case TypeForm(origin=origin, arguments=arguments):
                joined = isinstance(origin, External) and origin.name in ("Union", "Optional", "Annotated")
                return self._is_context(origin) or (joined and any(self._is_context(each) for each in arguments))
            case _:
                return False

    def _input_schema(
        self, framework: Framework, shown: Function, parameters: list[SignatureParameter], arguments: dict[str, str]
    ) -> tuple[Json, tuple[Hole, ...]]:
        from reviewer.languages.python.schemas import of_parameters

        wires = {part.name: self._wire_name(part, shown) for part in parameters}
        return of_parameters(self.run, framework, shown, parameters, wires, arguments)

    def _metadata(self, part: SignatureParameter, shown: Function) -> list[Value]:
        """Give what stands beside a parameter's type: a `Field(...)` default, the metadata of `Annotated`."""
        found: list[Value] = []
        if part.default is not None:
            found.append(self.run.value(part.default, shown.scope))
        annotation = self._annotation(part, shown)
        while (
            isinstance(annotation, TypeForm)
            and isinstance(annotation.origin, External)
            and annotation.origin.name == "Annotated"
        ):
            found += annotation.arguments[1:]
            annotation = annotation.arguments[0] if annotation.arguments else annotation.origin
        return found

    def _wire_name(self, part: SignatureParameter, shown: Function) -> str:
        for each in self._metadata(part, shown):
            if isinstance(each, Instance) and each.path in FIELDS:
                alias = text_of_value(each.keywords.get("validation_alias") or each.keywords.get("alias") or each)
                if alias is not None:
                    return str(alias)
        return part.name

    def _parameter(
        self, part: SignatureParameter, shown: Function, arguments: dict[str, str], framework: str
    ) -> Parameter:
        wire = self._wire_name(part, shown)
        span = shown.scope.module.span(part.node)
        description = self._described(part, shown, framework, span)
        if description is None and wire in arguments:
            description = Text(arguments[wire], span)
        return Parameter(Text(wire, span), span, description, self._required(part, shown))

    def _described(self, part: SignatureParameter, shown: Function, framework: str, span: Span) -> Text | Opaque | None:
        for each in self._metadata(part, shown):
            if isinstance(each, Instance) and each.path in FIELDS and "description" in each.keywords:
                return text_or_opaque(each.keywords["description"], span)
            if (
                isinstance(each, Const)
                and isinstance(each.value, str)
                and framework == "fastmcp"
                and part.annotation is not None
            ):
                if each.span != (shown.scope.module.span(part.default) if part.default is not None else None):
                    return Text(each.value, each.span)
        annotation = self._annotation(part, shown)
        return docstring_of_class(annotation) if isinstance(annotation, Class) else None

    def _required(self, part: SignatureParameter, shown: Function) -> bool | Opaque:
        if part.default is None:
            return True
        value = self.run.value(part.default, shown.scope)
        if isinstance(value, Instance) and value.path in FIELDS:
            given = value.argument("default", 0)
            required = given is None or (isinstance(given, External) and given.name == "Ellipsis")
            return required and "default_factory" not in value.keywords
        return False

    def _annotations(self, value: Value | None, span: Span) -> Json | Opaque | None:
        if value is None or (isinstance(value, Const) and value.value is None):
            return None
        entries: Value = value
        if isinstance(value, Instance) and value.path.endswith("ToolAnnotations"):
            entries = Mapping([(Const(name, value.span), each) for name, each in value.keywords.items()], value.span)
        document, holes = Jsonable(self.run).read(entries)
        if holes or not isinstance(document, dict):
            return Opaque(holes[0].opaque.reason if holes else "they are known at run time only", span)
        return {CAMEL.get(str(key), str(key)): each for key, each in document.items() if each is not None}

    def _defined(self, made: Registration, tool: Instance) -> Tool:
        """Read a `Tool(...)` object."""
        raw = tool.keywords.get("inputSchema", tool.keywords.get("input_schema"))
        input_schema = self._schema(raw, tool.span)
        output = tool.keywords.get("outputSchema", tool.keywords.get("output_schema"))
        return Tool(
            name=text_or_opaque(tool.keywords.get("name"), tool.span),
            span=tool.span,
            description=text_or_opaque(tool.keywords.get("description"), tool.span),
            title=text_or_opaque(tool.keywords.get("title"), tool.span),
            input_schema=input_schema,
            output_schema=self._schema(output, tool.span) if output is not None else None,
            annotations=self._annotations(tool.keywords.get("annotations"), tool.span),
            parameters=_schema_parameters(raw, input_schema, tool.span),
            conditions=made.conditions,
        )

    def _schema(self, value: Value | None, span: Span) -> Schema | Opaque | None:
        if value is None:
            return None
        document, holes = Jsonable(self.run).read(value)
        if isinstance(document, dict):
            return Schema.of(document, tuple(holes))
        return holes[0].opaque if holes else Opaque("it is known at run time only", span)


def _names_context(path: str) -> bool:
    return path.endswith(".Context") and path.startswith(("mcp.", "fastmcp."))


def text_or_opaque(value: Value | None, span: Span) -> Text | Opaque | None:
    """Give a value as a text, as absent, or as something that cannot be read."""
    if value is None or (isinstance(value, Const) and value.value is None):
        return None
    text = text_of_value(value)
    if text is not None:
        return text
    if isinstance(value, Instance) and "value" in value.attributes:
        return Opaque("a member of an enumeration that is no text", value.span)
    return Opaque(getattr(value, "reason", "it is known at run time only"), getattr(value, "span", span))


def _rewritten(function: Function) -> Opaque | None:
    """Tell that a decorator sets another signature than the one that is written."""
    if _assigned(function, "__signature__") is None:
        return None
    return Opaque("a decorator rewrites the signature", function.scope.module.span(function.node))


def _function(value: Value | None) -> Function | None:
    if isinstance(value, Method):
        return value.function
    return value if isinstance(value, Function) else None


def _whole(function: Function) -> Any:
    parent = function.node.parent
    return parent if parent is not None and parent.type == "decorated_definition" else function.node


def _is_capped(function: Function) -> bool:
    """Tell whether a function cuts what it gives, or gives only what is written in it."""
    body = function.node.child_by_field_name("body")
    if body is None:
        return False
    written = [value.type in ("list", "tuple", "dictionary", "set") for value in exits.returned(body)]
    return is_capped(body.text) or (bool(written) and all(written))


def _name_text(function: Function) -> Text:
    node = function.node.child_by_field_name("name") or function.node
    return Text(function.name, function.scope.module.span(node))


def _assigned(function: Function, name: str) -> Value | None:
    """Give what the code assigns to an attribute of a function, or of what it wraps."""
    layer: Function | None = function
    while layer is not None:
        if name in layer.attributes:
            return layer.attributes[name]
        layer = layer.wraps
    return None


def _documentation(
    text: Text | None, framework: str, function: Function
) -> tuple[Text | Opaque | None, dict[str, str]]:
    """Give what a framework makes of a docstring: the description, and the texts of arguments where it takes them out."""
    override = _assigned(function, "__doc__")
    if override is not None:
        return text_or_opaque(override, function.scope.module.span(function.node)), {}
    if text is None:
        return None, {}
    if framework == "mcp":
        return text, {}
    return _split(cleaned(text))


_SECTION = re.compile(
    r"^(Args|Arguments|Parameters|Params|Returns|Return|Raises|Yields|Examples?|Attributes|Notes?|Warnings?)[ \t]*:[ \t]*$",
    re.MULTILINE,
)
_ARGUMENT = re.compile(
    r"^(?P<indent>[ \t]+)\*{0,2}(?P<name>\w+)[ \t]*(?:\([^)]*\))?[ \t]*:[ \t]*(?P<text>.*(?:\n(?:(?P=indent)[ \t]+.*|[ \t]*$))*)",
    re.MULTILINE,
)


def _split(text: Text) -> tuple[Text, dict[str, str]]:
    """Split a docstring as fastmcp 4 does: the text before the first section, and the entries of `Args:`."""
    sections = list(_SECTION.finditer(text))
    if not sections:
        return text, {}
    arguments: dict[str, str] = {}
    for index, section in enumerate(sections):
        if section.group(1) in ("Args", "Arguments", "Parameters", "Params"):
            end = sections[index + 1].start() if index + 1 < len(sections) else len(text)
            for entry in _ARGUMENT.finditer(text, section.end(), end):
                arguments.setdefault(
                    entry["name"], "\n".join(line.strip() for line in entry["text"].strip().splitlines())
                )
    return Text(str(text[: sections[0].start()]).strip(), text.span), arguments


def _schema_parameters(
    raw: Value | None, schema_fact: Schema | Opaque | None, span: Span
) -> tuple[Parameter, ...] | Opaque:
    """Read the top-level properties of a schema that is written as a dict, each at its key."""
    if isinstance(schema_fact, Opaque):
        return schema_fact
    document = schema_fact.document if schema_fact is not None else {}
    keys = _keys(raw)
    required = document.get("required", [])
    found = []
    for name, part in document.get("properties", {}).items() if isinstance(document.get("properties"), dict) else ():
        place, description = keys.get(name, (span, None))
        said = part.get("description") if isinstance(part, dict) else None
        text: Text | Opaque | None = Text(said, place) if isinstance(said, str) else description
        found.append(Parameter(Text(name, place), place, text, isinstance(required, list) and name in required))
    return tuple(found)


def _keys(raw: Value | None) -> dict[str, tuple[Span, Opaque | None]]:
    """Give the places of the properties in a schema, and the descriptions that are there and cannot be read."""
    properties = raw.get("properties") if isinstance(raw, Mapping) else None
    places: dict[str, tuple[Span, Opaque | None]] = {}
    for key, value in properties.entries if isinstance(properties, Mapping) else ():
        if isinstance(key, Const):
            described = value.get("description") if isinstance(value, Mapping) else None
            hidden = isinstance(value, Unknown) or (described is not None and text_of_value(described) is None)
            places[str(key.value)] = (key.span, Opaque("it is known at run time only", key.span) if hidden else None)
    return places
