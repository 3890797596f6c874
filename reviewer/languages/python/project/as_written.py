"""What callers surely meet as it is written: functions that nothing wraps, replaces or overrides, classes that are whole."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.code.library_types import find_types
from reviewer.languages.nodes import decode_node, find_child, iter_ancestors, list_children
from reviewer.languages.python.evaluation.values import External, PyClass
from reviewer.languages.python.project.modules import Modules, PyModule
from reviewer.languages.python.types.functions import read_fields

KEEPING = frozenset(
    "staticmethod classmethod abstractmethod lru_cache cache contextmanager asynccontextmanager wraps override final".split()
)
"""Decorators of Python's own library after which a function is called as it is written."""
DATACLASS = "dataclass"
"""The decorator of a class that adds nothing but methods of Python's own: `__init__`, `__eq__`."""


def is_as_written(modules: Modules, definition: Node) -> bool:
    """Return whether callers surely meet a function as it is written."""
    name = decode_node(find_child(definition, "name") or definition)
    if definition.type != "function_definition" or not _collect_names(definition) <= KEEPING or _is_put(modules, name):
        return False
    above = next(
        (each for each in iter_ancestors(definition) if each.type in ("class_definition", "function_definition")), None
    )
    if above is None or above.type != "class_definition":
        return True
    if name == "__init__" and (b"def __new__" in (above.text or b"") or _collect_names(above)):
        return False
    owner = decode_node(find_child(above, "name") or above)
    return name == "__init__" or not _is_extended(modules, owner) or _count(modules, name) == 1


def lacks(modules: Modules, cls: PyClass, name: str) -> bool:
    """Return whether no object of a class has anything under a name, for sure."""
    lineage = list(cls.iter_lineage())
    if name.startswith("__") or any(name in each.names or not _is_plain(each) for each in lineage):
        return False
    if any(part.name == name for each in lineage for part in read_fields(each)) or _is_put(modules, name):
        return False
    if any(
        b"setattr(" in each.scope.module.source.data or b"__dict__" in each.scope.module.source.data for each in lineage
    ):
        return False
    return not any(_is_extended(modules, each.name) for each in lineage) or not _count(modules, name)


FINDING = frozenset({"__getattr__", "__getattribute__", "__slots__", "__new__", "__await__"})
"""Methods by which a class finds attributes itself, or gives another object where its own is expected: `await connect(..)`."""


def _is_plain(cls: PyClass) -> bool:
    """Return whether all is known that a class gives its objects: its bases, and no code that finds attributes itself."""
    known = all(
        isinstance(each, PyClass) or (isinstance(each, External) and each.path in find_types("bare base"))
        for each in cls.bases
    )
    keywords = set(cls.keywords) - {"ABC"}
    finds = FINDING & cls.names.keys()
    return known and not keywords and not finds and _collect_names(cls.node) <= {DATACLASS}


def _collect_names(definition: Node) -> set[str]:
    """Return the names of the decorators of a function or a class."""
    parent = definition.parent
    if parent is None or parent.type != "decorated_definition":
        return set()
    decorators = (
        decode_node(each).lstrip("@").partition("(")[0].strip()
        for each in list_children(parent)
        if each.type == "decorator"
    )
    return {each.rpartition(".")[2] for each in decorators}


def _iter_own_modules(modules: Modules, *words: str) -> Iterator[PyModule]:
    """Yield the modules that hold some words, those of tests left out: they put other things in the place of what they try."""
    for each in modules.find_containing(word.encode() for word in words):
        if not any(part in ("tests", "test", "conftest") or part.startswith("test_") for part in each.parts):
            yield each


def _is_put(modules: Modules, name: str) -> bool:
    """Return whether code puts something under a name of an object: `client.fetch = cached(client.fetch)`."""
    put = re.compile(
        rb"\.%s[ \t]*(?::[^=\n]*)?=(?!=)|setattr\([^)\n]*[\"']%s[\"']"
        % (re.escape(name.encode()), re.escape(name.encode()))
    )
    return any(each.mentions(put) for each in _iter_own_modules(modules, name))


def _is_extended(modules: Modules, name: str) -> bool:
    """Return whether another class descends from one of a name."""
    said = re.compile(rb"class\s+\w+\s*\([^)]*\b%s\b" % re.escape(name.encode()))
    return any(each.mentions(said) for each in _iter_own_modules(modules, name))


def _count(modules: Modules, name: str) -> int:
    """Return how many functions of the project have a name."""
    said = re.compile(rb"\bdef\s+%s\b" % re.escape(name.encode()))
    return sum(len(said.findall(each.source.data)) for each in _iter_own_modules(modules, name))
