"""A JSON or YAML file → its value, and the place of every part of it, in lines for people and in bytes for edits.

Nothing of a YAML file is constructed but what JSON has too. Bounded: size, depth, and what aliases stand for.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from reviewer.facts import Places
from reviewer.facts.parts import Path as Keys
from reviewer.files.discovery import BOM, CannotReviewError
from reviewer.files.storage import TooLargeError, read_regular
from reviewer.records import dataclass
from reviewer.source import Opaque, Source, Span

LARGEST = 64 * 2**20
"""Bytes. A larger file is refused."""

YAML = (".yaml", ".yml")
"""What the names of files end in that are not JSON."""

DEEPEST = 500
"""Objects and arrays in one another in a YAML file. JSON ends at Python's own stack, which is about as deep."""

TOO_DEEP_FOR_YAML = "maximum nesting depth"
"""What the scanner of libyaml 0.2.6 and later says of more than 1,000, before it gives the event of the first of them."""

MOST_NODES = 100_000
"""What the aliases of a YAML file may stand for; a longer file may stand for as much as ten times what is written in it."""


class DocumentEntry(NamedTuple):
    """What lies directly in an object or an array: its key or index, where both stand, its node and that of its key."""

    key: str
    span: Span
    node: Any
    named: Any = None


class DocumentForm(Protocol):
    """How a kind of document is laid out."""

    def iter_entries(self, node: Any) -> Iterator[DocumentEntry]:
        """Return the children of a node."""

    def reach(self, node: Any) -> tuple[int, int]:
        """Return where a node begins and ends in bytes, a byte order mark left out."""

    def is_block(self, node: Any) -> bool:
        """Return whether a node is an object or an array that is laid out by indentation."""

    def is_shared(self, node: Any) -> bool:
        """Return whether a node stands for several places of the document."""


@dataclass(frozen=True)
class DocumentValue:
    """A value of a document and where it stands."""

    data: Any
    span: Span
    node: Any
    form: DocumentForm = field(repr=False)
    named: Any = None

    def map_members(self) -> dict[str, "DocumentValue"]:
        """Return the children of an object or an array, by key or by index from 0; the last of a name that stands twice."""
        return dict(self.inner)

    @cached_property
    def inner(self) -> list[tuple[str, "DocumentValue"]]:
        """What lies directly in it by key or index, also what has the name of another."""
        return [(each.key, self._build_child(each)) for each in self.form.iter_entries(self.node)]

    def _build_child(self, entry: DocumentEntry) -> "DocumentValue":
        return DocumentValue(_find_part(self.data, entry.key), entry.span, entry.node, self.form, entry.named)

    @property
    def reach(self) -> tuple[int, int]:
        """Where it begins and ends in bytes, its key left out."""
        return self.form.reach(self.node)

    @property
    def key_reach(self) -> tuple[int, int] | None:
        """Where its key begins and ends in bytes, if it has one."""
        return self.form.reach(self.named) if self.named is not None else None

    @property
    def is_block(self) -> bool:
        """Whether it is an object or an array without brackets."""
        return self.form.is_block(self.node)

    @property
    def is_shared(self) -> bool:
        """Whether it stands for several places, as what an alias repeats."""
        return self.form.is_shared(self.node)

    @property
    def places(self) -> Places:
        """The places of all that lies in it; a member of an object stands from its key to the end of its value."""
        return Places(self._iter_places)

    def _iter_places(self) -> Iterator[tuple[Keys, Span]]:
        yield (), self.span
        waiting: list[tuple[Keys, Any]] = [((), self.node)]
        while waiting:
            keys, node = waiting.pop()
            for each in self.form.iter_entries(node):
                yield (*keys, each.key), each.span
                waiting.append(((*keys, each.key), each.node))


def _find_part(data: Any, key: str) -> Any:
    """Return the child of a value by a key or an index; None below a name that is overridden by a value of another kind."""
    if isinstance(data, dict):
        return data.get(key)
    return data[int(key)] if isinstance(data, list) and key.isdecimal() and int(key) < len(data) else None


@dataclass(frozen=True)
class Document:
    """A file's value, what it says twice, and whether a part of it stands for another one."""

    root: DocumentValue
    broken: tuple[Opaque, ...] = ()
    has_aliases: bool = False


def load(path: Path) -> Source:
    """Read a file. Raises CannotReviewError, in one line, for one that is too large."""
    try:
        return Source(path.name, read_regular(path, LARGEST).removeprefix(BOM))
    except TooLargeError:
        raise CannotReviewError(f"{path}: larger than {LARGEST // 2**20} MB; review the tools in parts") from None
    except OSError as error:
        raise CannotReviewError(f"{path}: cannot be read: {(error.strerror or '').lower()}") from None


def parse_document(data: bytes, name: str, *, shown: str = "") -> Document:
    """Read what a file holds, as its name says.

    Raises CannotReviewError, in one line, for what is no text, or no JSON or YAML; `shown` is what it calls the file.
    """
    try:
        text = data.removeprefix(BOM).decode("utf-8")
        return _build_yaml(text, name) if name.endswith(YAML) else _build_json(text, name)
    except UnicodeDecodeError:
        raise CannotReviewError(f"{shown or name}: not UTF-8 text") from None
    except RecursionError:
        raise CannotReviewError(f"{shown or name}: nested too deep to be read") from None
    except ValueError as error:
        raise CannotReviewError(f"{shown or name}: {error}") from None


def _build_json(text: str, name: str) -> Document:
    import tree_sitter
    import tree_sitter_json

    twice: set[str] = set()

    def build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            twice.update(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return made

    try:
        data = json.loads(text, object_pairs_hook=build_object, parse_constant=_refuse, parse_int=_find_whole)
    except json.JSONDecodeError as error:
        raise ValueError(f"not valid JSON: {error.msg.lower()} in line {error.lineno}") from None
    source = Source(name, text.encode())
    tree = tree_sitter.Parser(tree_sitter.Language(tree_sitter_json.language())).parse(source.data)
    form = _Json(source)
    if tree.root_node.has_error:  # the two readers would not tell of the same parts
        raise ValueError("not valid JSON")
    root = next(node for node in tree.root_node.named_children if node.type != "comment")
    span = source.to_span(root.start_point, root.end_point)
    return Document(DocumentValue(data, span, root, form), tuple(form.iter_repeated_keys(root)) if twice else ())


def _refuse(constant: str) -> Any:
    raise ValueError(f"not valid JSON: `{constant}` is not a JSON number")


MOST_DIGITS = 4300
"""Digits of a whole number; Python writes none that is longer."""

LEAST_UNWRITTEN = 10**MOST_DIGITS
"""The same as a number, for one that was read from other digits than decimal ones."""


def _find_whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of more than {MOST_DIGITS} digits")
    return int(digits)


@dataclass(frozen=True)
class _Json:
    source: Source

    def iter_entries(self, node: Any) -> Iterator[DocumentEntry]:
        for index, (key, holder, value) in enumerate(_iter_members(node)):
            name = _decode_key(key.text) if key is not None else str(index)
            yield DocumentEntry(name, self.source.to_span(holder.start_point, holder.end_point), value, key)

    def reach(self, node: Any) -> tuple[int, int]:
        return node.start_byte, node.end_byte

    def is_block(self, _node: Any) -> bool:
        return False

    def is_shared(self, _node: Any) -> bool:
        return False

    def iter_repeated_keys(self, root: Any) -> Iterator[Opaque]:
        """Name the keys that an object has more than once."""
        waiting = [root]
        while waiting:
            seen = set()
            for key, span, value, _ in self.iter_entries(waiting.pop()):
                if key in seen:
                    yield Opaque(f"the key `{key}` occurs twice in one object; the last value is used", span)
                seen.add(key)
                waiting.append(value)


def _decode_key(key: bytes) -> str:
    return str(json.loads(key)) if b"\\" in key else key[1:-1].decode()


def _iter_members(node: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield key, what holds key and value, and value; elements of an array hold themselves and have no key."""
    for each in node.named_children if node.type in ("object", "array") else ():
        if each.type == "pair":
            yield each.child_by_field_name("key"), each, each.child_by_field_name("value")
        elif node.type == "array" and each.type != "comment":
            yield None, each, each


def _build_yaml(text: str, name: str) -> Document:
    import yaml

    _validate_depth(yaml, text)
    loader = _get_loader(yaml)(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise ValueError("an empty document")
        shared = _find_aliased_nodes(node)
        data = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 1}" if error.problem_mark is not None else ""
        raise ValueError(f"not valid YAML: {error.problem or error.context}{line}") from None
    except yaml.YAMLError as error:
        raise ValueError(f"not valid YAML: {' '.join(str(error).split())}") from None
    finally:
        loader.dispose()
    return Document(
        DocumentValue(data, _mark(name, node, node), node, _Yaml(name, text, shared)), has_aliases=bool(shared)
    )


def _get_loader(yaml: Any) -> Any:
    """Make a loader of what JSON has too: no dates, and of the words for truth only `true` and `false`."""

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # as fast as there is
        pass

    kept = {f"tag:yaml.org,2002:{each}" for each in ("null", "int", "float", "merge")}
    Loader.yaml_implicit_resolvers = {
        first: [(tag, form) for tag, form in forms if tag in kept]
        for first, forms in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    for first, words in (("tT", "true|True|TRUE"), ("fF", "false|False|FALSE")):
        Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(f"^(?:{words})$"), list(first))

    def construct_mapping(loader: Any, node: Any) -> dict[str, Any]:
        loader.flatten_mapping(node)
        return {_format_key(key): loader.construct_object(value, deep=True) for key, value in node.value}

    def construct_boolean(loader: Any, node: Any) -> bool:
        if node.value.lower() not in ("true", "false"):
            raise ValueError(f"not valid YAML: `{node.value:.20}` is not a boolean")
        return bool(node.value.lower() == "true")

    def construct_integer(loader: Any, node: Any) -> int:
        made = (
            int(construct_number(node, yaml.SafeLoader.construct_yaml_int, loader))
            if len(node.value) <= MOST_DIGITS
            else None
        )
        if made is None or abs(made) >= LEAST_UNWRITTEN:  # a digit of a hexadecimal number is more than one
            raise ValueError(f"a number of more than {MOST_DIGITS} digits in line {node.start_mark.line + 1}")
        return made

    def construct_float(loader: Any, node: Any) -> float:
        return float(construct_number(node, yaml.SafeLoader.construct_yaml_float, loader))

    def construct_number(node: Any, make: Callable[[Any, Any], Any], loader: Any) -> Any:
        try:
            return make(loader, node)
        except (
            ValueError,
            IndexError,
            OverflowError,
        ) as error:  # no character to look at; a power of 60 beyond all fractions
            line = node.start_mark.line + 1
            raise ValueError(f"not valid YAML: `{node.value:.20}` in line {line} is not a number") from error

    known = {f"tag:yaml.org,2002:{each}" for each in ("null", "str", "seq")}
    Loader.yaml_constructors = {
        tag: make for tag, make in Loader.yaml_constructors.items() if tag in known or tag is None
    }
    Loader.add_constructor("tag:yaml.org,2002:map", construct_mapping)
    Loader.add_constructor("tag:yaml.org,2002:bool", construct_boolean)
    Loader.add_constructor("tag:yaml.org,2002:int", construct_integer)
    Loader.add_constructor("tag:yaml.org,2002:float", construct_float)
    return Loader


def _validate_depth(yaml: Any, text: str) -> None:
    """Raise ValueError for what nests too deep, event by event: a node is composed by recursion in C, which ends the process."""
    depth = 0
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise ValueError("nested too deep to be read")
    except yaml.YAMLError as error:  # whatever else is wrong with it is said where it is composed
        if TOO_DEEP_FOR_YAML in str(error):
            raise ValueError("nested too deep to be read") from None


def _format_key(node: Any) -> str:
    if not isinstance(node.value, str):
        raise ValueError(
            f"not valid as tool definitions: a key that is not a string in line {node.start_mark.line + 1}"
        )
    return str(node.value)


def _find_aliased_nodes(root: Any) -> frozenset[int]:
    """Return the identities of the nodes that aliases repeat.

    Raises ValueError for a document in which they hold themselves or stand for far more than is written.
    """
    sizes: dict[int, int] = {}
    shared: set[int] = set()
    opened: set[int] = set()
    waiting = [(root, False)]
    written = 0
    while waiting:
        node, done = waiting.pop()
        below = [part for pair in node.value for part in (pair if isinstance(pair, tuple) else (pair,))]
        below = below if not isinstance(node.value, str) else []
        if done:
            opened.discard(id(node))
            written += 1
            sizes[id(node)] = 1 + sum(sizes[id(each)] for each in below)
        elif id(node) in opened:
            raise ValueError("an alias that contains itself")
        elif id(node) not in sizes:
            opened.add(id(node))
            waiting.append((node, True))
            waiting += ((each, False) for each in below)
        else:
            shared.add(id(node))
    if sizes[id(root)] > max(MOST_NODES, 10 * written):
        raise ValueError("its aliases expand to more than can be read")
    return frozenset(shared)


@dataclass(frozen=True)
class _Yaml:
    name: str
    text: str = field(repr=False)
    shared: frozenset[int] = field(repr=False)

    def iter_entries(self, node: Any) -> Iterator[DocumentEntry]:
        for index, each in enumerate(node.value if not isinstance(node.value, str) else ()):
            if isinstance(each, tuple):
                yield DocumentEntry(_format_key(each[0]), _mark(self.name, each[0], each[1]), each[1], each[0])
            else:
                yield DocumentEntry(str(index), _mark(self.name, each, each), each)

    def reach(self, node: Any) -> tuple[int, int]:
        start, end = node.start_mark.index, node.end_mark.index
        return (start, end) if self._offsets is None else (self._offsets[start], self._offsets[end])

    def is_block(self, node: Any) -> bool:
        return not isinstance(node.value, str) and not node.flow_style

    def is_shared(self, node: Any) -> bool:
        return id(node) in self.shared

    @cached_property
    def _offsets(self) -> list[int] | None:
        """The bytes before each character, for marks count characters; None if each is one byte."""
        return None if self.text.isascii() else list(accumulate((len(each.encode()) for each in self.text), initial=0))


def _mark(name: str, first: Any, last: Any) -> Span:
    start, end = first.start_mark, last.end_mark
    if end.line < start.line:  # an alias stands elsewhere
        end = first.end_mark
    return Span(name, start.line + 1, start.column + 1, end.line + 1, end.column + 1)
