"""The models and dataclasses that are serialized into answers."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import DomainField, DomainType
from reviewer.languages.nodes import decode_node, find_child, find_descendants, list_children, list_field_children
from reviewer.languages.python.behaviour.name_resolution import iter_own_modules, load_scope
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.expressions import evaluate_quoted
from reviewer.languages.python.evaluation.literals import evaluate_string
from reviewer.languages.python.evaluation.models import MODEL_BASES
from reviewer.languages.python.evaluation.values import Const, External, PyClass, PyFunction, PyScope, PyValue, TypeForm
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.types.functions import SignatureParameter, read_fields, read_signature
from reviewer.source import Text
from reviewer.text.patterns import pattern

SIGNS = (b"BaseModel", b"dataclass", b"TypedDict", b"RootModel")
# The checklist's `Truncated` and what else has the word in its name, and pydantic's `max_length`; `untruncated` says
# the opposite.
BOUNDS = pattern(r"(?<![Uu]n)[Tt]runcat|max_length")
# A description may speak of truncation without doing any.
STRING = pattern(r"\"[^\"]*\"|'[^']*'")
# What `elicit` is given is the form of a question, which users fill in: it is no part of an answer.
ELICITED = pattern(rb"elicit\w*\(([^()]*)\)")
# An annotation may hold the class anywhere: `list[Book] | None`.
NAME = pattern(r"[A-Za-z_]\w*")
# The class may stand anywhere among the arguments.
NAMES = pattern(rb"\w+")
MARK = "`Truncated` or `max_length`"
FULL_ACTION = "full_action"
LEVELS = 8
"""Types nested in one another: `dict[str, list[Model | None]]` has four. 40 servers had up to 2."""

DEPTH = 3
"""Classes that are followed from a tool's result to the fields with text: result, page and item.

19 of 40 servers came to the end of it; twice as many change no finding.
"""


def iter_domain_types(run: Evaluator, everywhere: bool) -> Iterator[DomainType]:
    """Yield the models of the project that may be part of an answer, those that tools only take left out.

    Unless the project answers for actions `everywhere`, only what its tools say that they return counts.
    """
    given = _collect_given(run)
    found = {(each.scope.module.path, each.node.start_byte): each for each in given if _is_serialized(each)}
    if everywhere:
        taken = [each for each in _collect_taken(run) if each not in given]
        judge = _Answers(run)
        for module in iter_own_modules(run, *SIGNS):
            for value in list(load_scope(run, module).names.values()):
                if isinstance(value, PyClass) and value.scope.module is module and value not in taken:
                    found |= {(module.path, value.node.start_byte): value} if judge.holds(value) else {}
    yield from (_build_domain_type(run, found[key]) for key in sorted(found))


def _collect_tools(run: Evaluator) -> list[PyFunction]:
    return [made.function.unwrap() for made in run.registrations if isinstance(made.function, PyFunction)]


def _collect_taken(run: Evaluator) -> list[PyClass]:
    """Return the classes that tools take, and those that these hold."""
    parts = ((part.annotation, tool) for tool in _collect_tools(run) for part in read_signature(tool))
    return _collect_held(run, [(node, tool) for node, tool in parts if node is not None])


def _collect_given(run: Evaluator) -> list[PyClass]:
    """Return the classes that tools return, and those that these hold."""
    kinds = ((find_child(tool.node, "return_type"), tool) for tool in _collect_tools(run))
    return _collect_held(run, [(node, tool) for node, tool in kinds if node is not None])


def _collect_held(run: Evaluator, annotations: list[tuple[Node, PyFunction]]) -> list[PyClass]:
    """Return the classes that annotations name, with their bases and the classes of their fields."""
    found: dict[PyClass, None] = {}
    waiting = [each for node, holder in annotations for each in _collect_classes(run, node, holder.scope)]
    for _ in range(DEPTH):
        fresh = [ancestor for each in waiting for ancestor in each.iter_lineage() if ancestor not in found]
        found |= dict.fromkeys(fresh)
        parts = [(cls, part.annotation) for cls in fresh for part in read_fields(cls)]
        waiting = [each for cls, node in parts if node is not None for each in _collect_classes(run, node, cls.scope)]
    return list(found)


def _collect_classes(run: Evaluator, annotation: Node, within: PyScope) -> list[PyClass]:
    """Return the classes of the project that an annotation names, also by an alias."""
    values = [run.resolve_name(name, within, annotation) for name in NAME.findall(decode_node(annotation))]
    return [cls for value in values for cls in _iter_in_type(value)]


def _iter_in_type(value: PyValue, depth: int = 0) -> Iterator[PyClass]:
    if isinstance(value, PyClass):
        yield value
    elif isinstance(value, TypeForm) and depth < LEVELS:
        for each in value.arguments:
            yield from _iter_in_type(each, depth + 1)


def _build_domain_type(run: Evaluator, cls: PyClass) -> DomainType:
    module, name = cls.scope.module, find_child(cls.node, "name") or cls.node
    parts = tuple(_build_field(run, cls, part, module) for part in read_fields(cls))
    return DomainType(Text(cls.name, module.locate(name)), module.locate(cls.node), parts, MARK)


def _build_field(run: Evaluator, cls: PyClass, part: SignatureParameter, module: PyModule) -> DomainField:
    written = decode_node(part.annotation) if part.annotation is not None else ""
    value = run.evaluate(part.annotation, cls.scope) if part.annotation is not None else None
    if isinstance(value, Const) and isinstance(value.value, str):
        value = evaluate_quoted(run, value.value, value.span, cls.scope)
    meant = _find_text_type(value) if value is not None else None
    span = module.locate(part.node)
    return DomainField(
        Text(part.name, span),
        meant or _get_shown_type(written),
        span,
        _is_bounded(cls, part, written, module),
        next(_iter_actions(run, cls, part, module), None),
    )


def _iter_actions(run: Evaluator, cls: PyClass, part: SignatureParameter, module: PyModule) -> Iterator[Text]:
    """Yield the actions that a field's mark names for the whole text: `Truncated(full_action="note.get")`."""
    for call in find_descendants(part.node, "python", "call"):
        function, given = find_child(call, "function"), list_children(find_child(call, "arguments"))
        made = run.resolve_name(decode_node(function), cls.scope, function) if function is not None else None
        names = [each.name for each in read_fields(made)] if isinstance(made, PyClass) else []
        for place, each in enumerate(given):
            name = (
                decode_node(find_child(each, "name") or each)
                if each.type == "keyword_argument"
                else "".join(names[place : place + 1])
            )
            written = find_child(each, "value") if each.type == "keyword_argument" else each
            value = evaluate_string(written) if written is not None and written.type == "string" else None
            if name == FULL_ACTION and value is not None:
                yield Text(value, module.locate(written or each))


def _is_bounded(cls: PyClass, part: SignatureParameter, written: str, module: PyModule) -> bool:
    """Return whether a field is cut: by what stands at it, by the alias of its type, by a serializer of the class or a base."""
    if BOUNDS.search(STRING.sub("", decode_node(part.node))):
        return True
    text = module.source.data.decode("utf-8", "replace")
    alias = (
        re.search(rf"^{re.escape(written)}\s*(?::[^=\n]*)?=(.*)$", text, re.MULTILINE)
        if NAME.fullmatch(written)
        else None
    )
    if alias is not None and BOUNDS.search(alias[1]):
        return True
    whole = decode_node(cls.node)
    serialized = re.search(rf"field_serializer\([^)]*[\"']{re.escape(part.name)}[\"']", whole)
    if serialized is not None and BOUNDS.search(whole[serialized.start() :]) is not None:
        return True
    return any(
        find_descendants(writer, "python", "slice") for each in cls.iter_lineage() for writer in _iter_writers(each)
    )


def _iter_writers(cls: PyClass) -> Iterator[Node]:
    """Yield the methods by which pydantic writes out a whole object: which of its fields they cut, only a run tells."""
    for part in list_field_children(cls.node, "body"):
        if part.type == "decorated_definition" and MODEL_SERIALIZER in (part.text or b""):
            decorators = (each.text or b"" for each in list_children(part) if each.type == "decorator")
            if any(MODEL_SERIALIZER in each for each in decorators):
                yield part


MODEL_SERIALIZER = b"model_serializer"


class _Answers:
    """Tells which classes are part of answers, by what all of the project's code says of them."""

    def __init__(self, run: Evaluator) -> None:
        calls = (call for module in iter_own_modules(run, b"elicit") for call in ELICITED.findall(module.source.data))
        self._asked = {name for call in calls for name in NAMES.findall(call)}
        self._making = [module.source.data for module in iter_own_modules(run, b"asdict(")]

    def holds(self, cls: PyClass) -> bool:
        """Return whether objects of a class surely become JSON: a model does, a dataclass where code makes a dict of it."""
        if not _is_serialized(cls) or cls.name.startswith("_") or cls.name.endswith("Spec"):  # a row of a catalog
            return False
        name = cls.name.encode()
        return name not in self._asked and (not _is_dataclass(cls) or any(name in data for data in self._making))


def _is_serialized(cls: PyClass) -> bool:
    bases = cls.list_external_bases()
    return _is_dataclass(cls) or any(base in MODEL_BASES or base.endswith(".TypedDict") for base in bases)


def _is_dataclass(cls: PyClass) -> bool:
    parent = cls.node.parent
    if parent is None or parent.type != "decorated_definition":
        return False
    return any(b"dataclass" in (each.text or b"") for each in list_children(parent) if each.type == "decorator")


def _find_text_type(value: PyValue) -> str | None:
    """Return `str` or `bytes` if a type is that, whatever it is wrapped in; None for any other."""
    if isinstance(value, External):
        return value.name if value.path in ("builtins.str", "builtins.bytes") else None
    if not isinstance(value, TypeForm) or not value.arguments:
        return None
    origin = value.origin.name if isinstance(value.origin, External) else ""
    if origin in ("Annotated", "Optional", "Required", "NotRequired", "ReadOnly"):
        return _find_text_type(value.arguments[0])
    if origin in ("Union", "UnionType", "|"):
        some = [each for each in value.arguments if not (isinstance(each, Const) and each.value is None)]
        found = {_find_text_type(each) for each in some}
        return next(iter(found)) if len(found) == 1 else None
    return None


def _get_shown_type(annotation: str) -> str:
    text = annotation.strip()
    for prefix in ("Optional[", "typing.Optional["):
        if text.startswith(prefix):
            return text[len(prefix) : -1].strip()
    return text.removesuffix("| None").removeprefix("None |").strip()
