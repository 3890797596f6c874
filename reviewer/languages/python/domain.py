"""The models and dataclasses that are serialized into answers."""

from collections.abc import Iterator

from reviewer.facts import (
    DomainType,
    Field,
)
from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import fields
from reviewer.languages.python.models import MODEL_BASES
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import (
    Class,
)
from reviewer.source import Text


def domain_types(run: Evaluator, module: Module) -> Iterator[DomainType]:
    """Give the models and dataclasses of a module."""
    for value in list(run.scope_of(module).names.values()):
        if isinstance(value, Class) and value.scope.module is module and _serialized(value):
            name = child(value.node, "name") or value.node
            parts = tuple(
                Field(
                    Text(part.name, module.span(part.node)),
                    _shown_type(string_of(part.annotation) if part.annotation is not None else ""),
                    module.span(part.node),
                    any(sign in (part.node.text or b"") for sign in (b"runcate", b"max_length")),
                )
                for part in fields(value)
            )
            yield DomainType(
                Text(value.name, module.span(name)), module.span(value.node), parts, "`Truncated` or `max_length`"
            )


def _serialized(cls: Class) -> bool:
    parent = cls.node.parent
    decorated = (
        parent is not None
        and parent.type == "decorated_definition"
        and b"dataclass" in (children(parent)[0].text or b"")
    )
    return decorated or any(base in MODEL_BASES or base.endswith(".TypedDict") for base in cls.outer_bases())


def _shown_type(annotation: str) -> str:
    text = annotation.strip()
    for prefix in ("Optional[", "typing.Optional["):
        if text.startswith(prefix):
            return text[len(prefix) : -1].strip()
    return text.removesuffix("| None").removeprefix("None |").strip()
