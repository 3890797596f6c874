"""Values that surely are an absolute path: resolved, made of the working directory, of a home, of the file itself."""

import re

from reviewer.behaviour.texts import DEEPEST
from reviewer.code.crossing import is_shared
from reviewer.code.events import Occurrence
from reviewer.code.models import Models
from reviewer.code.state import constants_of
from reviewer.code.values import Choice, Label, Made, Value

ROOTED = re.compile(r"(?:~?/|[A-Za-z]:\\)\w[^/\\]*[/\\]\w")
"""How a path begins that is written from the root, two folders deep; a shorter one may as well be a route of a server."""

ABSOLUTE = Label("absolute path")

SAYING = re.compile(r"\.\w*(?:abs|absolute|resolved|real|canonical)_?(?:path|file|filename|dir|directory)")
"""Names of fields that say themselves that a path is absolute, where nothing else does."""

KEEPING = re.compile(
    r"\.(?:parent|joinpath|with_suffix|with_name|with_stem|as_posix|strip|rstrip|__str__|expanduser)|io\.IOBase\.name|/"
    r"|builtins\.str|os\.fspath|os\.path\.(?:join|normpath|dirname|normcase|expandvars|expanduser)"
    r"|pathlib\.\w*Path(?:\.(?:parent|joinpath|with_suffix|with_name|with_stem|as_posix|expanduser))?"
)
"""What leaves an absolute path absolute, or puts something behind it."""


def is_absolute(occurrence: Occurrence, value: Value, models: Models, deep: int = DEEPEST) -> bool:
    """Return whether a value surely is an absolute path, or a text of one."""
    here, value = occurrence.source(value)
    if ABSOLUTE in value.labels and value.meaning is None and is_shared(value):
        return True
    match value.meaning:
        case Choice(then=then, otherwise=otherwise) if deep:
            return all(is_absolute(here, each, models, deep - 1) for each in (then, otherwise))
        case Made(by, of) if deep:
            if _makes_absolute(by, of, models) or SAYING.fullmatch(by) is not None:
                return True
            if KEEPING.fullmatch(by) is not None and of:
                return is_absolute(here, of[0], models, deep - 1) or _is_rooted(here, of[0])
    return False


def _makes_absolute(path: str, of: tuple[Value, ...], models: Models) -> bool:
    """Return whether a function gives an absolute path; a method of something unknown that is told more is not a path's."""
    model = models.of(path)
    is_known = model is not None and (not model.path.startswith(".") or len(of) == 1)
    return is_known and model is not None and ABSOLUTE.origin in model.labels


def _is_rooted(occurrence: Occurrence, value: Value) -> bool:
    """Return whether a path is written from the root."""
    here, value = occurrence.source(value)
    constants = constants_of(value, here.event.facts) or frozenset()
    return any(isinstance(each, str) and ROOTED.match(each) is not None for _, each in constants)
