"""What a tool answers, as its output schema has it: the models in it, without the envelope and what the SDK lays around."""

from collections.abc import Iterator
from itertools import count, pairwise
from typing import Any

from reviewer.facts import Json, Part, Schema, Tool
from reviewer.facts.parts import DEEPEST, Path, resolve_reference
from reviewer.records import dataclass
from reviewer.source import Span

FLAGS = frozenset({"ok", "success", "succeeded", "is_success"})
"""How an envelope says that a call succeeded: `ok` in the guidelines, the others in servers that have another envelope."""

PAYLOADS = frozenset({"result", "data", "payload", "value"})
"""Where an envelope keeps what came of the call: `result` in the guidelines; the fields of the answer are looked for in
there."""

PROBLEMS = frozenset({"issues", "errors", "error", "problems", "failures"})
"""Where an envelope keeps what went wrong: `issues` in the guidelines."""

MOST_LOOKS = 20_000
"""Schemas that are looked at for the deepest object: definitions that refer to each other twice stand for any number."""

SHOWING = frozenset({"examples", "example", "default"})
"""Keywords whose values are data, and say nothing of what fields there are."""

WRAPPED = frozenset({"result"})
"""The only field of the object that SDKs lay around an answer that is none."""


@dataclass(frozen=True, slots=True)
class AnswerObject:
    """An object in an answer: its name, the keys that lead to it, its schema and the parts that are its fields."""

    name: str
    path: Path
    schema: Json
    fields: tuple[Part, ...]


def answer(tool: Tool) -> Schema | None:
    """Return a tool's output schema, if it has one that can be read."""
    found = tool.output_schema
    return found if isinstance(found, Schema) and not found.absent and not _hides_fields(found) else None


def _hides_fields(schema: Schema) -> bool:
    """Return whether fields of a schema may be unread: what only examples and defaults hold beside them says nothing of those."""
    paths = (hole.path.split(".") for hole in schema.holes if not hole.assumed)
    return any(not any(map(_is_shown_only, pairwise(("", *path)))) for path in paths)


def _is_shown_only(keys: tuple[str, str]) -> bool:
    return keys[1] in SHOWING and keys[0] not in ("properties", "$defs", "definitions")


def has_answer(tool: Tool) -> bool:
    """Return whether a tool has an output schema with fields that can be read."""
    found = answer(tool)
    return found is not None and bool(found.parts)


def iter_answer_objects(tool: Tool) -> Iterator[AnswerObject]:
    """Yield the objects in what a tool answers, the outermost first; what an SDK lays around them is left out."""
    schema = answer(tool)
    grouped: dict[Path, list[Part]] = {}
    for part in schema.parts if schema is not None else ():
        if not part.element and part.path[-2:-1] == ("properties",):
            grouped.setdefault(part.path[:-2], []).append(part)
    for path, fields in grouped.items():
        if path or not _is_wrapper(fields):
            shown = _resolve_path(schema.document if schema is not None else {}, path)
            yield AnswerObject(_get_name(path, shown), path, shown, tuple(fields))


def is_envelope(model: AnswerObject) -> bool:
    """Return whether an object says whether a call succeeded, and holds beside that what came of it or what went wrong."""
    names = {part.name for part in model.fields}
    return bool(names & FLAGS) and bool(names & (PAYLOADS | PROBLEMS)) and len(names) > 1


def find_result(tool: Tool) -> AnswerObject | None:
    """Return the object that is an answer, within the envelope; None if it is a list or a scalar, or cannot be told."""
    found = [model for model in iter_answer_objects(tool) if not is_envelope(model)]
    schema = answer(tool)
    outermost = [
        part
        for part in (schema.parts if schema is not None else ())
        if part.path[:1] + part.path[2:] == ("properties",)
    ]
    if _is_wrapper(outermost) and any(outermost[0].iter_forms_of("array")):
        return None
    enveloped = next((model for model in iter_answer_objects(tool) if is_envelope(model)), None)
    if enveloped is None:
        return found[0] if found else None
    payload = next((part for part in enveloped.fields if part.name in PAYLOADS), None)
    inner = [form.get("properties") for form in payload.forms] if payload is not None else []
    return next((model for model in found if model.schema.get("properties") in inner and model.fields), None)


def place(tool: Tool, path: Path, name: str = "") -> Span:
    """Return the place of a part of what a tool answers, or of what says that it answers it.

    `name` is that of the object that the part lies in, which may stand somewhere of its own: a class, at its name.
    """
    schema = answer(tool)
    places = schema.places if schema is not None else {}
    for keys in (path, ("$defs", name, *path), ("$defs", name, "examples")):
        if keys in places:
            return places[keys]
    return locate_declaration(tool)


def locate_declaration(tool: Tool) -> Span:
    """Return the place of what says what a tool answers: its return annotation in Python, else its name.

    In Rust the attribute says the rest of it, and a finding that was accepted there is known by that place.
    """
    handler = tool.handler if tool.handler is not None and tool.handler.raises else None
    said = handler.returns.text if handler is not None and handler.returns is not None else None
    return said.span if said is not None else tool.place()


def iter_element_lists(tool: Tool) -> Iterator[tuple[Path, str, frozenset[str]]]:
    """Yield the lists of objects in an answer: the keys that lead there, the name of the object around, the fields of one."""
    schema = answer(tool)
    owners = {part.path: model.name for model in iter_answer_objects(tool) for part in model.fields}
    for part in schema.parts if schema is not None else ():
        for form in part.iter_forms_of("array"):
            held = form.get("items")
            target = held.get("$ref") if isinstance(held, dict) else None
            shown = (
                resolve_reference(target, schema.document) if schema is not None and isinstance(target, str) else held
            )
            names = shown.get("properties") if isinstance(shown, dict) else None
            if isinstance(names, dict) and not part.element:
                yield part.path, owners.get(part.path, ""), frozenset(str(name) for name in names)


def find_deepest_path(schema: Any, root: Json) -> tuple[str, ...]:
    """Name the fields that lead from an object to the deepest object within it, as far as MOST_LOOKS reach."""
    return _find_deepest_path(schema, root, frozenset(), 0, count(1))


def _find_deepest_path(
    schema: Any, root: Json, entered: frozenset[str], depth: int, looks: Iterator[int]
) -> tuple[str, ...]:
    if not isinstance(schema, dict) or depth > DEEPEST or next(looks) > MOST_LOOKS:
        return ()
    target = schema.get("$ref")
    if isinstance(target, str):
        if target in entered:
            return ()
        return _find_deepest_path(resolve_reference(target, root), root, entered | {target}, depth + 1, looks)
    ways: list[tuple[str, ...]] = []
    for key in ("items", "additionalProperties"):
        ways.append(_find_deepest_path(schema.get(key), root, entered, depth + 1, looks))
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        several = schema.get(key)
        listed = several if isinstance(several, list) else ()
        ways += [_find_deepest_path(each, root, entered, depth + 1, looks) for each in listed]
    properties = schema.get("properties")
    for name, each in properties.items() if isinstance(properties, dict) else ():
        if holds_object(each, root):
            ways.append((str(name), *_find_deepest_path(each, root, entered, depth + 1, looks)))
    return max(ways, key=len)


def holds_object(schema: Any, root: Json) -> bool:
    """Return whether a value is an object with fields, or a list of such."""
    return _holds_object(schema, root, set(), 0)


def _holds_object(schema: Any, root: Json, entered: set[str], depth: int) -> bool:
    """Return whether a schema has fields, as `holds_object`; `entered` are the definitions on the way, to end circles."""
    if not isinstance(schema, dict) or depth > DEEPEST:
        return False
    target = schema.get("$ref")
    if isinstance(target, str):
        if target in entered:
            return False
        entered.add(target)
        return _holds_object(resolve_reference(target, root), root, entered, depth + 1)
    if schema.get("properties"):
        return True
    inner = [schema.get("items"), schema.get("additionalProperties")]
    for key in ("anyOf", "oneOf", "allOf"):
        inner += schema[key] if isinstance(schema.get(key), list) else []
    return any(_holds_object(each, root, entered, depth + 1) for each in inner)


def _resolve_path(document: Json, path: Path) -> Json:
    found = resolve_reference("#/" + "/".join(key.replace("~", "~0").replace("/", "~1") for key in path), document)
    return found if isinstance(found, dict) else {}


def _get_name(path: Path, schema: Json) -> str:
    if path[:1] in (("$defs",), ("definitions",)) and len(path) == 2:
        return path[1]
    return str(schema.get("title") or (path[-1] if path else ""))


def _is_wrapper(fields: list[Part]) -> bool:
    return {part.name for part in fields} == WRAPPED
