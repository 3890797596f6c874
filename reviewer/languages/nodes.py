"""The only code that touches tree-sitter nodes on behalf of all languages.

A query in a `.scm` file finds where something is; Python reads what it says. Broken source yields nodes with missing
parts, so every helper answers None or nothing rather than raise.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from typing import Literal
from weakref import WeakKeyDictionary

import tree_sitter_python
import tree_sitter_rust
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser, Query, QueryCursor, Range

from reviewer.budget import get_budget
from reviewer.caching import cache, cache_latest
from reviewer.facts import Language as ServerLanguage
from reviewer.failures import Unreviewed, note_unreviewed
from reviewer.languages.bounds import is_nested_too_deeply, is_rescanned_too_often
from reviewer.source import Source, Span, Text

SEARCHED = 200
"""Bytes of source that a query goes through in the time that Python takes to visit one node."""
BEFORE = 100
"""Bytes of source before a node that the parser goes over in that time to reach it: it begins at the root."""
TOGETHER = 50
"""Steps of a walk that are counted at once."""
BESIDE = frozenset({"comment", "line_continuation"})
"""What may stand anywhere in Python code."""


LanguageName = ServerLanguage | Literal["tsx"]
"""A language; `tsx` is TypeScript with elements of JSX in it, which has a grammar of its own."""

GRAMMARS: dict[LanguageName, Callable[[], object]] = {
    "python": tree_sitter_python.language,
    "rust": tree_sitter_rust.language,
    "typescript": tree_sitter_typescript.language_typescript,
    "tsx": tree_sitter_typescript.language_tsx,
}


@cache
def load_grammar(language: LanguageName) -> Language:
    """Return the tree-sitter grammar of a language."""
    return Language(GRAMMARS[language]())


def choose_script_grammar(path: str) -> LanguageName:
    """Return the grammar of a file of TypeScript or JavaScript: `<T>x` is a cast in `.ts`, and begins an element elsewhere."""
    return "typescript" if path.endswith("ts") else "tsx"


@cache
def _build_parser(language: LanguageName) -> Parser:
    return Parser(load_grammar(language))


def parse(source: Source, language: LanguageName) -> Node:
    """Parse a file and give its root, once for all who read the same source."""
    root = _roots.get(source)
    if root is None:
        language = choose_script_grammar(source.path) if language == "typescript" else language
        root = _roots[source] = _build_parser(language).parse(source.data).root_node
    return root


_roots: WeakKeyDictionary[Source, Node] = WeakKeyDictionary()
"""What was parsed, for as long as anybody holds the source."""


def parse_bounded(source: Source, language: LanguageName) -> Node:
    """Return the root of a file, or that of an empty one if it would take too long to read, which is named as not reviewed."""
    if language == "python" and is_rescanned_too_often(source.data):
        why_not = "too many comments or continued lines one after another; the file was not read"
    elif is_nested_too_deeply(parse(source, language)):
        why_not = "code is nested too deeply; the file was not read"
    else:
        return parse(source, language)
    note_unreviewed(Unreviewed(why_not, source.find_line_span(1)))
    return _build_parser(language).parse(b"").root_node


def parse_range(source: Source, language: LanguageName, first: Node, last: Node) -> Node:
    """Parse the stretch from one node to another for itself, as with a macro's tokens; places stay those of the file.

    Each byte counts as a visit: it takes some 200 bytes of memory, and of macros in macros it is parsed for each of them.
    """
    get_budget().spend("visits", last.end_byte - first.start_byte)
    parser = Parser(load_grammar(language))
    parser.included_ranges = [Range(first.start_point, last.end_point, first.start_byte, last.end_byte)]
    return parser.parse(source.data).root_node


@cache
def load_query(language: LanguageName, name: str) -> Query:
    """Load `reviewer/languages/<language>/<name>.scm`."""
    text = files("reviewer.languages").joinpath(language, f"{name}.scm").read_text("utf-8")
    return Query(load_grammar(language), text)


def iter_matches(node: Node, language: LanguageName, name: str) -> Iterator[dict[str, Node]]:
    """Run a query below a node; each match maps a capture's name to its first node, in the order of the source."""
    for _, captures in QueryCursor(load_query(language, name)).matches(node):
        yield {capture: nodes[0] for capture, nodes in captures.items()}


@cache
def _build_kinds(language: LanguageName, kinds: tuple[str, ...]) -> Query:
    return Query(load_grammar(language), f"[{' '.join(f'({kind})' for kind in kinds)}] @node")


def find_descendants(node: Node, language: LanguageName, *kinds: str) -> list[Node]:
    """Find the nodes of some kinds below a node, in the order of the source: far quicker than a walk in Python."""
    get_budget().spend("visits", 1 + (node.end_byte - node.start_byte) // SEARCHED)
    found = QueryCursor(_build_kinds(language, kinds)).captures(node).get("node", [])
    return sorted(found, key=lambda each: (each.start_byte, -each.end_byte))


def find_descendants_at(
    root: Node, language: LanguageName, places: Iterable[tuple[int, int]], *kinds: str
) -> list[Node]:
    """Find the nodes of some kinds that reach over some places in bytes, in the order of the source."""
    cursor = QueryCursor(_build_kinds(language, kinds))
    found: dict[int, Node] = {}
    for start, end in places:
        cursor.set_byte_range(start, end)
        found |= {each.id: each for each in cursor.captures(root).get("node", [])}
    return sorted(found.values(), key=lambda each: (each.start_byte, -each.end_byte))


def find_parents_at(root: Node, places: Iterable[tuple[int, int]], kinds: frozenset[str]) -> list[Node]:
    """Find the nodes of some kinds whose direct part stands at one of some places in bytes, in the order of the source."""
    found: dict[int, Node] = {}
    for start, end in places:
        part = root.descendant_for_byte_range(start, end)
        above = part.parent if part is not None else None
        if above is not None and above.type in kinds:
            found[above.id] = above
    return sorted(found.values(), key=lambda each: (each.start_byte, -each.end_byte))


def estimate_visits(start: int) -> int:
    """Return how many visits it counts as to go to a node that begins at a byte of the source, or to its parent."""
    return 1 + start // BEFORE


def iter_matches_at(
    node: Node, language: LanguageName, name: str, places: Iterable[tuple[int, int]]
) -> Iterator[dict[str, Node]]:
    """Run a query only where it can match, at some places in bytes; each match once, in the order of the source."""
    cursor = QueryCursor(load_query(language, name))
    found: dict[tuple[tuple[str, int], ...], dict[str, Node]] = {}
    for start, end in places:
        cursor.set_byte_range(start, end)
        for _, captures in cursor.matches(node):
            match = {capture: nodes[0] for capture, nodes in captures.items()}
            found[tuple((capture, each.id) for capture, each in match.items())] = match
    yield from sorted(
        found.values(), key=lambda match: min((each.start_byte, -each.end_byte) for each in match.values())
    )


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all below it, in the order of the source."""
    yield from walk_without(node, frozenset(), named=False)


def walk_without(node: Node, stop: frozenset[str], *, named: bool = True) -> Iterator[Node]:
    """Yield a node and all it holds without the nodes of some types, in the order of the source, only named ones or all."""
    yield node
    budget, steps = get_budget(), 0
    cursor = node.walk()  # three times as quick as lists of children
    more = cursor.goto_first_child()
    while more:
        steps += 1
        if steps % TOGETHER == 0:
            budget.spend("visits", TOGETHER)
        found = cursor.node
        if found is not None and (found.is_named or not named) and found.type not in stop:
            yield found
            if cursor.goto_first_child():
                continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


@cache_latest(maxsize=2**15)
def find_parent(node: Node) -> Node | None:
    """Return the parent of a node. The parser searches it from the root, so each is found once."""
    return node.parent


def find_nearest_of_kinds(node: Node | None, *kinds: str) -> Node | None:
    """Return a node of some kinds: the one that is given, or the innermost around it."""
    while node is not None and node.type not in kinds:
        node = find_parent(node)
    return node


def iter_ancestors(node: Node) -> Iterator[Node]:
    """Yield the ancestors of a node, innermost first."""
    steps, above = 0, find_parent(node)
    while above is not None:
        yield above
        steps += 1
        if steps % TOGETHER == 0:
            get_budget().spend("visits", TOGETHER)
        above = find_parent(above)


def find_child(node: Node | None, name: str) -> Node | None:
    """Return a node's field, or None if it is absent or was invented by the parser to recover."""
    found = node.child_by_field_name(name) if node is not None else None
    return None if found is None or found.is_missing else found


def list_field_children(node: Node | None, name: str) -> list[Node]:
    """Return the named nodes directly in a node's field; none if that is absent."""
    found = find_child(node, name)
    return found.named_children if found is not None else []


def list_children(node: Node | None) -> list[Node]:
    """Return the named nodes directly below one, without the comments and the `\\` at a line's end, which may stand anywhere.

    There are none below one that is absent.
    """
    if node is None:
        return []
    found = node.named_children
    get_budget().spend("visits", 1 + len(found))
    return [each for each in found if each.type not in BESIDE]


@cache_latest(maxsize=256)
def _index_children(parent: Node) -> tuple[list[Node], list[int]]:
    nodes = parent.named_children
    return nodes, [each.start_byte for each in nodes]


def iter_previous_siblings(node: Node) -> Iterator[Node]:
    """Yield the named siblings before a node, the nearest first.

    Asking each for the one before it takes the parser a time that grows with the square of their number.
    """
    if node.parent is None:
        return
    nodes, starts = _index_children(node.parent)
    for at in range(bisect_left(starts, node.start_byte) - 1, -1, -1):
        yield nodes[at]


def iter_next_siblings(node: Node) -> Iterator[Node]:
    """Yield the named siblings after a node, in order."""
    if node.parent is None:
        return
    nodes, starts = _index_children(node.parent)
    for at in range(bisect_right(starts, node.start_byte), len(nodes)):
        yield nodes[at]


def decode_node(node: Node) -> str:
    """Return the source of a node as text."""
    return (node.text or b"").decode("utf-8", "replace")


@cache_latest(maxsize=2**15)
def name_of(node: Node) -> str:
    """Return the source of a name. It is kept: code is evaluated for each call and each round, eight times on one server."""
    return decode_node(node)


@cache_latest(maxsize=2**15)
def find_children(node: Node, *names: str) -> tuple[Node | None, ...]:
    """Return the children in some fields, as `child` returns one. They are cached, as names are."""
    return tuple([find_child(node, each) for each in names])


def locate_node(source: Source, node: Node) -> Span:
    """Return the place of a node."""
    return source.to_span(node.start_point, node.end_point)


def locate_text(source: Source, node: Node) -> Text:
    """Return the source of a node as a text that knows its place."""
    return Text(decode_node(node), locate_node(source, node))


NOT_UNDERSTOOD = "code that could not be parsed: new syntax or an error; the rest of the file was read"
"""What is said of the first place that does not parse."""


def find_first_error(root: Node) -> Node | None:
    """Find the first place that does not parse, or None if all does."""
    if not root.has_error:
        return None
    node: Node | None = root
    while node is not None:
        found = node
        node = next((part for part in found.children if part.has_error or part.is_missing), None)
    return found
