"""A function's return annotation → whether what it gives names its fields."""

from tree_sitter import Node

from reviewer.facts import ReturnedValue
from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.expressions import evaluate_quoted
from reviewer.languages.python.evaluation.models import MODEL_BASES
from reviewer.languages.python.evaluation.values import Const, External, PyClass, PyFunction, PyItems, PyValue, TypeForm
from reviewer.languages.python.types.functions import read_fields
from reviewer.source import Text

# A union is as good as the worst of its members; that None is one does not count.
UNIONS = frozenset({"Union", "Optional", "UnionType"})
CARRIERS = frozenset(
    {"Annotated", "Awaitable", "Coroutine", "list", "List", "Sequence", "Iterable", "tuple", "Tuple", "set"}
)
"""What says nothing of fields itself and holds what does."""
FREE = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "object", "Any", "defaultdict", "OrderedDict"})
"""Types of which no field is known."""
# Types without fields as a whole answer. Within a model of the project, texts and numbers are its fields.
PLAIN = FREE | frozenset({"str", "int", "float", "bool", "bytes", "None", "NoneType"})
# A type from anywhere else may be a model of a library, with fields that are not seen.
HOMES = frozenset({"builtins", "typing", "typing_extensions", "collections", "collections.abc", "types"})
# Types may hold themselves.
DEEPEST = 6


def read(run: Evaluator, function: PyFunction) -> ReturnedValue:
    """Read what a function says that it gives."""
    shown = function.unwrap()
    node = find_child(shown.node, "return_type")
    text = Text(decode_node(node), shown.scope.module.locate(node)) if node is not None else None
    value = _write(run, shown, node)
    if value is None:
        return ReturnedValue(text, None if text is not None else False)
    found = find_fieldless_part(value)
    return ReturnedValue(text, None if found is None else not found, found or "")


def _write(run: Evaluator, function: PyFunction, node: Node | None) -> PyValue | None:
    """Return the annotation as it is written, whatever a decorator makes of it for clients."""
    value = run.evaluate(node, function.scope) if node is not None else None
    if isinstance(value, Const) and isinstance(value.value, str):
        return evaluate_quoted(run, value.value, value.span, function.scope)
    return value


def find_fieldless_part(value: PyValue, depth: int = 0, *, inside: bool = False) -> str | None:
    """Return the part of a type that names no fields: empty if every part does, None if that cannot be told.

    `inside` tells that the type stands for a part of a model of the project, of which scalars are a part as well.
    """
    if depth > DEEPEST:
        return None
    match value:
        case Const(None) | External("builtins.None"):
            return "" if inside else "None"
        case External():
            return _find_for_external(value, inside)
        case PyClass():
            return _find_for_class(value)
        case TypeForm(origin, arguments):
            return _find_for_form(origin, arguments, depth, inside)
    return None


def _find_for_external(value: External, inside: bool) -> str | None:
    home = value.path.rpartition(".")[0]
    if home not in HOMES:
        return None
    if value.name in CARRIERS:
        return value.name
    return value.name if value.name in (FREE if inside else PLAIN) else "" if inside else None


def _find_for_class(cls: PyClass) -> str | None:
    if any(base in MODEL_BASES or base.endswith((".TypedDict", ".NamedTuple")) for base in cls.list_external_bases()):
        return ""
    return "" if any(read_fields(ancestor) for ancestor in cls.iter_lineage()) else None


def _find_for_form(origin: PyValue, arguments: tuple[PyValue, ...], depth: int, inside: bool) -> str | None:
    given = [each for one in arguments for each in (one.items if isinstance(one, PyItems) else [one])]
    if isinstance(origin, PyClass):
        return (
            _find_worst([find_fieldless_part(each, depth + 1, inside=True) for each in given])
            if _find_for_class(origin) == ""
            else None
        )
    name = origin.name if isinstance(origin, External) else ""
    if name in FREE:
        return name
    if name == "Annotated":
        return find_fieldless_part(given[0], depth + 1, inside=inside) if given else None
    if name in UNIONS:
        some = [each for each in given if not _is_none(each)]
        return _find_worst([find_fieldless_part(each, depth + 1, inside=inside) for each in some])
    if name == "Literal":
        return "" if inside else name
    return (
        _find_worst([find_fieldless_part(each, depth + 1, inside=inside) for each in given])
        if name in CARRIERS
        else None
    )


def _is_none(value: PyValue) -> bool:
    return (isinstance(value, Const) and value.value is None) or (
        isinstance(value, External) and value.name == "NoneType"
    )


def _find_worst(parts: list[str | None]) -> str | None:
    """Return the first part that names no fields; None if there is none for sure."""
    found = next((each for each in parts if each), None)
    return found if found is not None else None if None in parts or not parts else ""
