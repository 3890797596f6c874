"""Files of the reviewed tree that its code reads while it declares tools: texts, JSON, TOML. Nothing outside is opened."""

import json
import posixpath
from collections.abc import Callable

from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.texts import as_value
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    External,
    ModuleValue,
    PyInstance,
    PyItems,
    PyUnknown,
    PyValue,
    to_text,
)
from reviewer.source import Span
from reviewer.text import toml

PATH = "pathlib.Path"
"""What paths within the tree are objects of; their place, relative to the reviewed root, is the attribute `place`."""
PLACE = "place"


def build_path(place: str, span: Span) -> PyInstance:
    """Make a path within the tree."""
    return PyInstance(External(PATH, span), [], {}, span, {PLACE: Const(posixpath.normpath(place), span)})


def place_of(value: PyValue | None) -> str | None:
    """Return where in the tree a path lies, or None if it is no path in it."""
    found = value.attributes.get(PLACE) if isinstance(value, PyInstance) else None
    return found.value if isinstance(found, Const) and isinstance(found.value, str) else None


def join_path(left: PyValue, right: PyValue, span: Span) -> PyValue | None:
    """Take `path / name`."""
    place, name = place_of(left), to_text(right)
    return build_path(posixpath.join(place, name), span) if place is not None and name is not None else None


def resolve_attribute(path: PyInstance, name: str, span: Span) -> PyValue | None:
    """Return an attribute of a path: `parent`, `name`, `stem`, `suffix`."""
    place = place_of(path)
    if place is None:
        return None
    if name == "parent":
        return build_path(posixpath.dirname(place) or ".", span)
    if name == "parents":
        return PyItems("list", [build_path(each, span) for each in _collect_above(place)], span)
    stem, suffix = posixpath.splitext(posixpath.basename(place))
    parts = {"name": stem + suffix, "stem": stem, "suffix": suffix}
    return Const(parts[name], span) if name in parts else None


def _collect_above(place: str) -> list[str]:
    """Return the folders above a place, the nearest first."""
    found = []
    while place not in ("", ".", "/"):
        place = posixpath.dirname(place)
        found.append(place or ".")
    return found


def call_method(run: Evaluator, instance: PyInstance, name: str, arguments: CallArguments) -> PyValue | None:
    """Call a method of a path or of an open file."""
    place = place_of(instance)
    if place is None:
        return None
    if name in ("resolve", "absolute", "expanduser", "__enter__", "as_posix"):
        return instance
    if name in ("read_text", "read"):
        return _read_text(run, place, arguments.span)
    if name in ("joinpath", "with_name"):
        names = [to_text(each) for each in arguments.positional]
        base = place if name == "joinpath" else posixpath.dirname(place)
        return (
            build_path(posixpath.join(base, *(str(each) for each in names)), arguments.span)
            if None not in names
            else None
        )
    if name == "is_file":
        return Const(run.files.find_text(place) is not None, arguments.span)
    if name == "exists":
        return Const(True, arguments.span) if run.files.find_text(place) is not None else None
    return instance if name == "open" else None


def _read_text(run: Evaluator, place: str, span: Span) -> PyValue:
    text = run.files.find_text(place)
    return Const(text, span) if text is not None else PyUnknown(f"the file `{place}` is not there", span)


def _find_path(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `Path(x)` of a path in the tree."""
    place = place_of(arguments.get("", 0))
    if place is None:
        return None
    names = [to_text(each) for each in arguments.positional[1:]]
    return (
        build_path(posixpath.join(place, *(str(each) for each in names)), arguments.span) if None not in names else None
    )


def _find_parent(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    place = place_of(arguments.get("", 0))
    return build_path(posixpath.dirname(place) or ".", arguments.span) if place is not None else None


def _find_same(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    first = arguments.get("", 0)
    return first if place_of(first) is not None else None


def _find_package_folder(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `importlib.resources.files(package)`."""
    first = arguments.get("", 0)
    name = to_text(first) if first is not None else None
    module = (
        first.module
        if isinstance(first, ModuleValue)
        else run.modules.find_by_name(str(name))
        if name is not None
        else None
    )
    if module is None or not module.is_package:
        return None
    return build_path(posixpath.dirname(module.path) or ".", arguments.span)


def _parse(parse: Callable[[str], object]) -> Callable[[Evaluator, CallArguments], PyValue | None]:
    """Make a built-in of a parser of an open file."""

    def evaluate_parse(run: Evaluator, arguments: CallArguments) -> PyValue | None:
        place = place_of(arguments.get("", 0))
        text = run.files.find_text(place) if place is not None else None
        if text is None:
            return None
        try:
            return as_value(parse(text), arguments.span)
        except (ValueError, RecursionError):
            return None

    return evaluate_parse


FUNCTIONS: dict[str, Callable[[Evaluator, CallArguments], PyValue | None]] = {
    **dict.fromkeys(("pathlib.Path", "pathlib.PurePath", "os.path.join"), _find_path),
    "os.path.dirname": _find_parent,
    **dict.fromkeys(
        ("os.path.abspath", "os.path.realpath", "os.path.normpath", "builtins.open", "io.open"), _find_same
    ),
    **dict.fromkeys(("importlib.resources.files", "importlib_resources.files"), _find_package_folder),
    "json.load": _parse(json.loads),
    "tomllib.load": _parse(toml.parse_toml),
}
