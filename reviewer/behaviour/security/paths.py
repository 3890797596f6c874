"""Values that surely are an absolute path: resolved, made of the working directory, of a home, of the file itself."""

import re

from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code.call_boundary import is_shared
from reviewer.code.events import Occurrence
from reviewer.code.library_types import find_type_names, find_types
from reviewer.code.models import Models
from reviewer.code.state import infer_constants
from reviewer.code.values import ConditionalValue, Label, Made, Value
from reviewer.text.patterns import pattern

ROOTED = pattern(r"(?:~?/|[A-Za-z]:\\)\w[^/\\]*[/\\]\w")
"""How a path begins that is written from the root, two folders deep; a shorter one may as well be a route of a server."""

HOME = pattern(r"~(?:[/\\]|$)")
"""How a path begins that these make absolute."""

HOMES = frozenset({"HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"})
"""The variables of the environment that hold where the files of a user lie."""

ABSOLUTE = Label("absolute path")

SAYING = pattern(r"\.\w*(?:abs|absolute|resolved|real|canonical)_?(?:path|file|filename|dir|directory)")
"""Names of fields that say themselves that a path is absolute, where nothing else does."""

KEEPING = pattern(
    r"\.(?:parent|joinpath|with_suffix|with_name|with_stem|as_posix|strip|rstrip|__str__|expanduser)|io\.IOBase\.name|/"
    r"|(?:std\.path\.Path(?:Buf)?|str)?\.(?:join|display|to_string_lossy|to_str|to_path_buf|as_path|with_extension|with_file_name|from|new)"
    r"|builtins\.str|os\.fspath|os\.path\.(?:join|normpath|dirname|normcase|expandvars|expanduser)"
    r"|pathlib\.\w*Path(?:\.(?:parent|joinpath|with_suffix|with_name|with_stem|as_posix|expanduser))?"
)
"""What leaves an absolute path absolute, or puts something behind it."""


SHOWING = pattern(r"\S*\.(?:display|to_string_lossy)")
"""What only a path has, where nothing else tells that a value is one."""

RESOLVING = pattern(r"\S*\b(?:resolve|canonical|absolut)\w*")
"""Names of functions outside of the project that make a path absolute."""


def is_absolute(
    occurrence: Occurrence, value: Value, models: Models, deep: int = DEEPEST, *, is_path: bool = False
) -> bool:
    """Return whether a value is certainly an absolute path, or a text of one.

    `is_path` is whether it is known to be a path.
    """
    here, value = occurrence.trace_source(value)
    if ABSOLUTE in value.labels and value.meaning is None and is_shared(value):
        return True
    match value.meaning:
        case ConditionalValue(then=then, otherwise=otherwise) if deep:
            sides = [each for each in (then, otherwise) if each.failure is None and not _is_default(each)]
            return bool(sides) and all(is_absolute(here, each, models, deep - 1, is_path=is_path) for each in sides)
        case Made(by, of) if deep:
            if _makes_absolute(by, of, models) or SAYING.fullmatch(by) is not None or _is_root(value, by, is_path):
                return True
            if is_path and of and RESOLVING.fullmatch(by) is not None:
                return True
            if models.has_trait(by, "home") and of and _begins(here, of[0], HOME):
                return True
            if KEEPING.fullmatch(by) is not None and of:
                is_path = is_path or SHOWING.fullmatch(by) is not None
                return is_absolute(here, of[0], models, deep - 1, is_path=is_path) or _begins(here, of[0], ROOTED)
    return False


def _is_default(value: Value) -> bool:
    """Return whether a value is the default of its type: an empty path, which no error shows."""
    return isinstance(value.term, tuple) and value.term[-1:] == ("default",)


def is_place(value: Value) -> bool:
    """Return whether a value is a path, of which a text shows nothing but itself: not what it was made relative to."""
    return any(each.rpartition(".")[2] in find_type_names("path") for each in value.library_types)


ROOT = pattern(
    r"\.(?:\w+_)?(?:root|base|home|workspace|vault)(?:_?(?:path|dir|folder))?|\.(?:data|config|db|work)_?(?:path|dir)"
)
"""Names of fields of a server that hold where its files lie. Such a path is taken from the configuration, and is made absolute
on nearly all servers that were read."""


def _is_root(value: Value, name: str, is_path: bool) -> bool:
    """Return whether a value is a path, and the root of a server's files by its name."""
    return (
        not find_types("growing path").isdisjoint(value.library_types) or (is_path and not value.things)
    ) and ROOT.fullmatch(name) is not None


def _makes_absolute(path: str, of: tuple[Value, ...], models: Models) -> bool:
    """Return whether a function gives an absolute path; a method of something unknown that is told more is not a path's."""
    model = models.get_model(path)
    if "environment" in model.labels and any(each.text in HOMES for each in of):
        return True
    return ABSOLUTE.origin in model.labels and (not model.path.startswith(".") or len(of) == 1)


def _begins(occurrence: Occurrence, value: Value, how: re.Pattern[str]) -> bool:
    """Return whether a text is written that begins in a way."""
    here, value = occurrence.trace_source(value)
    constants = infer_constants(value, here.event.facts) or frozenset()
    return any(isinstance(each, str) and how.match(each) is not None for _, each in constants)
