"""A JSON or YAML file → its value, and the place of every part of it.

Nothing of a YAML file is constructed but what JSON has too. Bounded: size, depth, and what aliases stand for.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reviewer.facts import Places
from reviewer.facts.parts import Path as Keys
from reviewer.files import CannotReviewError
from reviewer.source import Opaque, Source, Span

LARGEST = 64 * 2**20
"""Bytes. A larger file is refused."""

MOST_NODES = 2_000_000
"""What the aliases of a YAML file may stand for."""

Entries = Callable[[Any], Iterator[tuple[str, Span, Any]]]


@dataclass(frozen=True)
class Value:
    """A value of a document and where it stands."""

    data: Any
    span: Span
    node: Any
    entries: Entries = field(repr=False)

    def members(self) -> dict[str, "Value"]:
        """Give what lies directly in an object or an array, by key or by index from 0; the last of a name that stands twice."""
        below = {}
        for key, span, node in self.entries(self.node):
            data = self.data.get(key) if isinstance(self.data, dict) else self.data[int(key)]
            below[key] = Value(data, span, node, self.entries)
        return below

    @property
    def places(self) -> Places:
        """The places of all that lies in it; a member of an object stands from its key to the end of its value."""
        return Places(self._places)

    def _places(self) -> Iterator[tuple[Keys, Span]]:
        yield (), self.span
        waiting: list[tuple[Keys, Any]] = [((), self.node)]
        while waiting:
            keys, node = waiting.pop()
            for key, span, below in self.entries(node):
                yield (*keys, key), span
                waiting.append(((*keys, key), below))


@dataclass(frozen=True)
class Document:
    """A file's value, and what it says twice."""

    root: Value
    broken: tuple[Opaque, ...] = ()


def read(path: Path) -> Document:
    """Read a file. Raises CannotReviewError, in one line, for one that is too large, no text, or no JSON or YAML."""
    try:
        if path.stat().st_size > LARGEST:
            raise CannotReviewError(f"{path}: larger than {LARGEST // 2**20} MB; review the tools in parts")
        data = path.read_bytes()
    except OSError as error:
        raise CannotReviewError(f"{path}: cannot be read: {(error.strerror or '').lower()}") from None
    return parsed(data, path.name, yaml=path.suffix != ".json", shown=str(path))


def parsed(data: bytes, name: str, *, yaml: bool = False, shown: str = "") -> Document:
    """Read what a file holds. Raises CannotReviewError; `shown` is what its message calls the file."""
    try:
        text = data.decode("utf-8-sig")
        return _yaml(text, name) if yaml else _json(text, name)
    except UnicodeDecodeError:
        raise CannotReviewError(f"{shown or name}: not UTF-8 text") from None
    except RecursionError:
        raise CannotReviewError(f"{shown or name}: nested too deep to be read") from None
    except ValueError as error:
        raise CannotReviewError(f"{shown or name}: {error}") from None


def _json(text: str, name: str) -> Document:
    import tree_sitter
    import tree_sitter_json

    twice: set[str] = set()

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            twice.update(key for key in made if keys.count(key) > 1)
        return made

    try:
        data = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise ValueError(f"not valid JSON: {error.msg.lower()} in line {error.lineno}") from None
    source = Source(name, text.encode())
    tree = tree_sitter.Parser(tree_sitter.Language(tree_sitter_json.language())).parse(source.data)
    entries = _JsonEntries(source)
    root = next(node for node in tree.root_node.named_children if node.type != "comment")
    span = source.span(root.start_point, root.end_point)
    return Document(Value(data, span, root, entries), tuple(entries.repeated(root)) if twice else ())


@dataclass(frozen=True)
class _JsonEntries:
    source: Source

    def __call__(self, node: Any) -> Iterator[tuple[str, Span, Any]]:
        for index, (key, holder, value) in enumerate(_members(node)):
            name = _named(key.text) if key is not None else str(index)
            yield name, self.source.span(holder.start_point, holder.end_point), value

    def repeated(self, root: Any) -> Iterator[Opaque]:
        """Name the keys that an object has more than once."""
        waiting = [root]
        while waiting:
            seen = set()
            for key, span, value in self(waiting.pop()):
                if key in seen:
                    yield Opaque(f"the key `{key}` stands twice in one object; the last one is read", span)
                seen.add(key)
                waiting.append(value)


def _named(key: bytes) -> str:
    return str(json.loads(key)) if b"\\" in key else key[1:-1].decode()


def _members(node: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Give key, what holds key and value, and value; elements of an array hold themselves and have no key."""
    for each in node.named_children if node.type in ("object", "array") else ():
        if each.type == "pair":
            yield each.child_by_field_name("key"), each, each.child_by_field_name("value")
        elif node.type == "array" and each.type != "comment":
            yield None, each, each


def _yaml(text: str, name: str) -> Document:
    import yaml

    loader = _loader(yaml)(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise ValueError("an empty document")
        _insist_finite(node)
        data = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 1}" if error.problem_mark is not None else ""
        raise ValueError(f"not valid YAML: {error.problem or error.context}{line}") from None
    except yaml.YAMLError as error:
        raise ValueError(f"not valid YAML: {' '.join(str(error).split())}") from None
    finally:
        loader.dispose()
    return Document(Value(data, _marked(name, node, node), node, _YamlEntries(name)))


def _loader(yaml: Any) -> Any:
    """Make a loader of what JSON has too: no dates, and of the words for truth only `true` and `false`."""

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # as fast as there is
        pass

    kept = {"tag:yaml.org,2002:null", "tag:yaml.org,2002:int", "tag:yaml.org,2002:float"}
    Loader.yaml_implicit_resolvers = {
        first: [(tag, form) for tag, form in forms if tag in kept]
        for first, forms in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    for first, words in (("tT", "true|True|TRUE"), ("fF", "false|False|FALSE")):
        Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(f"^(?:{words})$"), list(first))

    def mapping(loader: Any, node: Any) -> dict[str, Any]:
        loader.flatten_mapping(node)
        return {_key(key): loader.construct_object(value, deep=True) for key, value in node.value}

    Loader.add_constructor("tag:yaml.org,2002:map", mapping)
    return Loader


def _key(node: Any) -> str:
    if not isinstance(node.value, str):
        raise ValueError(f"not valid as tool definitions: a key that is no text in line {node.start_mark.line + 1}")
    return str(node.value)


def _insist_finite(root: Any) -> None:
    """Refuse a document whose aliases hold themselves or stand for far more than is written."""
    sizes: dict[int, int] = {}
    opened: set[int] = set()
    waiting = [(root, False)]
    while waiting:
        node, done = waiting.pop()
        below = [part for pair in node.value for part in (pair if isinstance(pair, tuple) else (pair,))]
        below = below if not isinstance(node.value, str) else []
        if done:
            opened.discard(id(node))
            sizes[id(node)] = 1 + sum(sizes[id(each)] for each in below)
            if sizes[id(node)] > MOST_NODES:
                raise ValueError("its aliases stand for more than can be read")
        elif id(node) in opened:
            raise ValueError("an alias that holds itself")
        elif id(node) not in sizes:
            opened.add(id(node))
            waiting.append((node, True))
            waiting += ((each, False) for each in below)


@dataclass(frozen=True)
class _YamlEntries:
    name: str

    def __call__(self, node: Any) -> Iterator[tuple[str, Span, Any]]:
        for index, each in enumerate(node.value if not isinstance(node.value, str) else ()):
            if isinstance(each, tuple):
                yield _key(each[0]), _marked(self.name, each[0], each[1]), each[1]
            else:
                yield str(index), _marked(self.name, each, each), each


def _marked(name: str, first: Any, last: Any) -> Span:
    start, end = first.start_mark, last.end_mark
    if end.line < start.line:  # an alias stands elsewhere
        end = first.end_mark
    return Span(name, start.line + 1, start.column + 1, end.line + 1, end.column + 1)
