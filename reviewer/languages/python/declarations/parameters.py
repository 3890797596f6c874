"""A function's signature → the parameters that clients see: what is injected, what each is called, said and asked."""

from reviewer.facts import ToolParameter
from reviewer.languages.python.declarations.registrations import Registration
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.expressions import evaluate_quoted
from reviewer.languages.python.evaluation.models import FIELDS
from reviewer.languages.python.evaluation.signatures import SignaturePart, find_assigned_attribute, list_parts
from reviewer.languages.python.evaluation.values import (
    Const,
    External,
    Method,
    PyClass,
    PyFunction,
    PyInstance,
    PyItems,
    PyUnknown,
    PyValue,
    TypeForm,
    to_text,
    to_text_or_opaque,
)
from reviewer.languages.python.types.functions import find_class_docstring
from reviewer.records import dataclass
from reviewer.schema.python.dialects import PythonDialect
from reviewer.source import Opaque, Text

# fastmcp's defaults for parameters that it fills itself, some out of the package `docket`: clients are not shown these.
INJECTORS = frozenset({"Depends", "CurrentContext", "CurrentFastMCP", "CurrentRequest", "CurrentHeaders", "Shared"})
TAKEN = frozenset(
    "construct copy dict from_orm json parse_file parse_obj parse_raw schema schema_json validate".split()
)
"""Methods of every pydantic model: the SDK gives a parameter of such a name an alias of its own."""


@dataclass(eq=False)
class Signature:
    """The parameters of one registered function, under one dialect."""

    run: Evaluator
    made: Registration
    function: PyFunction
    dialect: PythonDialect

    @property
    def shown(self) -> PyFunction:
        """The function whose name and text are shown, behind all wrappers."""
        return self.function.unwrap()

    def list_visible_parts(self) -> list[SignaturePart] | Opaque:
        """Return the parameters that clients see, in order."""
        found = list_parts(self.run, self.function)
        if found is None:
            written = find_assigned_attribute(self.function, "__signature__")
            reason = written.reason if isinstance(written, PyUnknown) else "a decorator rewrites the signature"
            return Opaque(reason, self.shown.scope.module.locate(self.shown.node))
        in_class = self.shown.cls is not None and found and found[0].name in ("self", "cls")
        if found and (isinstance(self.made.function, Method) or in_class):
            found = found[1:]
        hidden = self._collect_excluded_names()
        injected = [part for part in found if self._is_injected(part)]
        contexts = [part for part in injected if self._is_context(self.evaluate_annotation(part))]
        if self.dialect.framework == "mcp":
            injected = [part for part in injected if part not in contexts[1:]]
        return [part for part in found if part.name not in hidden and part not in injected]

    def _collect_excluded_names(self) -> set[str]:
        """Name what `exclude_args` of fastmcp 2 and 3 leaves out, and what the SDK takes for the settings of its model."""
        listed = self.made.keywords.get("exclude_args")
        names = listed.items if isinstance(listed, PyItems) else ()
        taken = {"model_config"} if self.dialect.framework == "mcp" else set()
        return {str(each.value) for each in names if isinstance(each, Const)} | taken

    def _is_injected(self, part: SignaturePart) -> bool:
        """Return whether the framework itself provides a parameter: its context, or a dependency."""
        if part.annotation is not None and self._is_context(self.evaluate_annotation(part)):
            return True
        return any(_is_injector(each) for each in self._collect_metadata(part))

    def evaluate_annotation(self, part: SignaturePart) -> PyValue:
        """Return the value of an annotation, one in quotes as well."""
        value = part.annotation
        if value is None:
            return PyUnknown("no annotation", part.span)
        if isinstance(value, Const) and isinstance(value.value, str):
            return evaluate_quoted(self.run, value.value, value.span, part.scope)
        return value

    def _is_context(self, value: PyValue) -> bool:
        match value:
            case External(path=path):
                return self._names_context(path)
            case PyClass():
                return any(self._names_context(path) for path in value.list_external_bases())
            case TypeForm(origin=origin, arguments=arguments):
                joined = isinstance(origin, External) and origin.name in ("Union", "Optional", "Annotated")
                inner = [
                    each
                    for argument in arguments
                    for each in (argument.items if isinstance(argument, PyItems) else [argument])
                ]
                return self._is_context(origin) or (joined and any(self._is_context(each) for each in inner))
            case _:
                return False

    def _names_context(self, path: str) -> bool:
        """Return whether a class is the framework's own: that of the other one is asked of clients like any parameter."""
        return path.endswith(".Context") and path.partition(".")[0] == self.dialect.framework

    def _collect_metadata(self, part: SignaturePart) -> list[PyValue]:
        """Return the metadata of a parameter: its `Field(...)` default and the parts of `Annotated`."""
        found: list[PyValue] = [part.default] if part.default is not None else []
        annotation = self.evaluate_annotation(part)
        while (
            isinstance(annotation, TypeForm)
            and isinstance(annotation.origin, External)
            and annotation.origin.name == "Annotated"
        ):
            found += annotation.arguments[1:]
            annotation = annotation.arguments[0] if annotation.arguments else annotation.origin
        return found

    def find_wire_name(self, part: SignaturePart) -> str:
        """Return the name that clients use: an alias, or the parameter's own."""
        if self.dialect.framework == "mcp" and part.name in TAKEN:
            return part.name
        for each in self._collect_metadata(part):
            if isinstance(each, PyInstance) and each.path in FIELDS:
                for key in ("validation_alias", "alias"):
                    given = each.keywords.get(key)
                    if self.dialect.framework == "fastmcp" and isinstance(given, PyInstance):
                        continue
                    if isinstance(given, PyInstance) and given.path.endswith(".AliasChoices") and given.args:
                        given = given.args[0]
                    alias = to_text(given) if given is not None else None
                    if alias is not None:
                        return str(alias)
        return part.name

    def build_parameter(self, part: SignaturePart, arguments: dict[str, str]) -> ToolParameter:
        """Return one parameter; `arguments` are the texts that were taken out of the docstring."""
        wire = self.find_wire_name(part)
        description = self._describe(part)
        if description is None and wire in arguments:
            description = Text(arguments[wire], part.span)
        return ToolParameter(Text(wire, part.span), part.span, description, self._infer_required(part))

    def _describe(self, part: SignaturePart) -> Text | Opaque | None:
        for each in self._collect_metadata(part):
            if isinstance(each, PyInstance) and each.path in FIELDS and "description" in each.keywords:
                return to_text_or_opaque(each.keywords["description"], part.span)
            if each is not part.default and self.dialect.metadata_text:
                if isinstance(each, Const) and isinstance(each.value, str):
                    return Text(each.value, each.span)
        annotation = self.evaluate_annotation(part)
        return find_class_docstring(annotation) if isinstance(annotation, PyClass) else None

    def _infer_required(self, part: SignaturePart) -> bool | Opaque:
        if part.default is None:
            return all(_is_required(each) for each in self._collect_metadata(part))
        return _is_required(part.default, otherwise=False)


def _is_required(value: PyValue, *, otherwise: bool = True) -> bool:
    """Return whether a `Field(...)` leaves its parameter required; other values say `otherwise`."""
    if not isinstance(value, PyInstance) or value.path not in FIELDS:
        return otherwise
    given = value.find_argument("default", 0)
    required = given is None or (isinstance(given, External) and given.name == "Ellipsis")
    return required and "default_factory" not in value.keywords


def _is_injector(value: PyValue | None) -> bool:
    """Return whether a default or metadata has the framework fill a parameter: `Depends(f)`, `Resolve(f)`."""
    if not isinstance(value, PyInstance) or not isinstance(value.made_by, External):
        return False
    name, path = value.made_by.name, value.path
    return (name in INJECTORS and path.startswith(("fastmcp.", "docket."))) or (
        name == "Resolve" and path.startswith("mcp.")
    )
