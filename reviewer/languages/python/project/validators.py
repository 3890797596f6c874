"""The methods of a class by which the values of its fields are checked when an object of it is made."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, find_descendants, list_children
from reviewer.languages.python.evaluation.literals import evaluate_constant

EVERY = "*"
"""All fields of a class, as pydantic names them: `@field_validator("*")`."""

NAMING = frozenset({"field_validator", "validator"})
"""Decorators of pydantic 2 and 1 that name the fields that a method checks."""

OF_ALL = frozenset({"model_validator", "root_validator"})
"""Decorators of pydantic 2 and 1 for methods that check all fields."""

HOOKS = frozenset({"__post_init__", "model_post_init"})
"""Methods that dataclasses and pydantic call with the object when it has been made: they may check any field."""

HINTS = (b"validator", *(each.encode() for each in sorted(HOOKS)))
"""One of them is in the source of each class that has a validator: classes without are not searched."""


Mode = Literal["before", "after", "other"]
"""When a validator runs: before the value has the type of its field, or after that. `other` stands for what runs the rest of
the validation itself, or in its place.
"""


class FieldValidator(NamedTuple):
    """A method that checks fields; `EVERY` stands for all."""

    method: Node
    fields: frozenset[str]
    mode: Mode = "after"

    def concerns(self, field: str) -> bool:
        """Return whether it checks a field, or may."""
        return not self.fields.isdisjoint((field, EVERY))


def iter_validators(cls: Node) -> Iterator[FieldValidator]:
    """Yield the validators of a class, in the order of the source."""
    if not any(each in (cls.text or b"") for each in HINTS):
        return
    for method in find_descendants(cls, "python", "function_definition"):
        fields = find_validated_fields(method)
        if fields:
            yield FieldValidator(method, fields, _find_mode(method))


def find_validated_fields(method: Node) -> frozenset[str]:
    """Return the fields that a method checks, with `EVERY` where only a run can tell which; none if it is no validator."""
    name = find_child(method, "name")
    if name is not None and decode_node(name) in HOOKS:
        return frozenset((EVERY,))
    above = method.parent
    marks = list_children(above) if above is not None and above.type == "decorated_definition" else []
    return frozenset[str]().union(*(_find_named_fields(each) for each in marks if each.type == "decorator"))


def _find_mode(method: Node) -> Mode:
    """Return when a method runs: its decorator says so, by `mode=` or, in pydantic 1, by `pre=`."""
    above = method.parent
    marks = list_children(above) if above is not None and above.type == "decorated_definition" else []
    for mark in marks:
        written = list_children(mark)[0] if mark.type == "decorator" else None
        called = find_child(written, "function") if written is not None and written.type == "call" else None
        if written is None or called is None:
            continue
        for given in list_children(find_child(written, "arguments")):
            name, value = find_child(given, "name"), find_child(given, "value")
            if given.type != "keyword_argument" or name is None or value is None:
                continue
            if decode_node(name) == "mode":
                said = evaluate_constant(value) if value.type == "string" else None
                return "before" if said == "before" else "after" if said == "after" else "other"
            if decode_node(name) == "pre":
                return "before" if value.type == "true" else "after" if value.type == "false" else "other"
    return "after"


def _find_named_fields(mark: Node) -> frozenset[str]:
    written = list_children(mark)[0]
    called = find_child(written, "function") if written.type == "call" else None
    decorator = decode_node(called if called is not None else written).rpartition(".")[2]
    if decorator in OF_ALL:
        return frozenset((EVERY,))
    if decorator not in NAMING or called is None:
        return frozenset()
    given = [each for each in list_children(find_child(written, "arguments")) if each.type != "keyword_argument"]
    names = [evaluate_constant(each) if each.type == "string" else None for each in given]
    texts = [each for each in names if isinstance(each, str)]
    return frozenset(texts) if texts and len(texts) == len(names) else frozenset((EVERY,))
