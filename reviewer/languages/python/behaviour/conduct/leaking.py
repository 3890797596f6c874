"""Texts of errors that name where a server's files lie."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.conduct.graph import Call, Deed, Unit
from reviewer.languages.python.behaviour.conduct.origins import given_to
from reviewer.languages.python.behaviour.conduct.paths import is_absolute
from reviewer.languages.python.behaviour.conduct.raising import is_caught, raised
from reviewer.languages.python.behaviour.conduct.refusing import answers_of_failure
from reviewer.languages.python.behaviour.following import arguments, below, called, receiver

DEEPEST = 4
"""How many names are followed from an error to its text."""

WRITTEN = frozenset({"string", "concatenated_string", "binary_operator", "parenthesized_expression"})
TEXTS = WRITTEN | {"call", "dictionary", "list"}
HOLDING = frozenset(
    "parenthesized_expression tuple list dictionary pair await conditional_expression binary_operator concatenated_string "
    "expression_list keyword_argument".split()
)
MAKING = frozenset({"str", "format", "join", "dumps", "dedent"})
"""Functions that make a text of what they are handed."""

SYSTEM = frozenset(
    "OSError IOError EnvironmentError FileNotFoundError PermissionError FileExistsError IsADirectoryError "
    "NotADirectoryError".split()
)
BROAD = frozenset({"Exception", "BaseException"})
MOST = 3
"""Statements in a `try` of which a clause that takes anything most likely takes what the system says of a file."""

ON_PATHS = frozenset(
    "read_text read_bytes write_text write_bytes open unlink mkdir rmdir iterdir stat lstat rename replace touch chmod".split()
)
ON_FIRST = re.compile(
    r"(?:builtins|io|aiofiles|codecs|gzip|tarfile|zipfile)\.(?:open|ZipFile)"
    r"|os\.(?:stat|lstat|listdir|scandir|remove|unlink|rename|replace|mkdir|makedirs|rmdir|open|readlink|chmod)"
    r"|os\.path\.get(?:size|mtime|ctime|atime)|shutil\.(?:copy\w*|move|rmtree|make_archive|unpack_archive)"
)
SIGN = re.compile(rb"\braise\b|rror")


def leaks_path(unit: Unit) -> Iterator[Deed]:
    """Find the errors, raised or given back, whose text shows an absolute path; `about` is the path's expression."""
    if SIGN.search(unit.text) is None:
        return
    for node, parts in _errors(unit):
        shown = next((each for part in parts for each in _shown(part) if _is_leak(unit, each)), None)
        if shown is not None:
            yield Deed("leaks path", node, unit.text_of(shown))


def _errors(unit: Unit) -> Iterator[tuple[Node, list[Node]]]:
    """Give the errors that leave a unit, each with the expressions that its text is made of."""
    for node in unit.nodes("raise_statement"):
        made = next(iter(children(node)), None)
        if made is not None and made.type == "identifier":
            made = given_to(string_of(made), made)
        if made is not None and made.type == "call" and not is_caught(node, raised(node), unit):
            yield node, _parts(unit, made)
    for value in answers_of_failure(unit):
        yield value, [value]


def _parts(unit: Unit, made: Node) -> list[Node]:
    """Give what an exception is made of; of a class of the project only the texts, as it may keep the rest to itself."""
    positional, keywords = arguments(made)
    given = [*positional, *keywords.values()]
    if unit.path(child(made, "function")):
        return given
    bound = [(each, given_to(string_of(each), each) if each.type == "identifier" else None) for each in given]
    texts = [value or each for each, value in bound]
    return [each for each in texts if each.type in WRITTEN or (each.type == "call" and called(each) in MAKING)]


def _shown(node: Node, depth: int = 0) -> Iterator[Node]:
    """Give the expressions whose value stands in a text."""
    if depth > DEEPEST:
        return
    if node.type == "string":
        for each in of_kinds(node, "python", "interpolation"):
            if children(each) and not any(string_of(part) == "!r" for part in children(each)):
                yield from _shown(children(each)[0], depth + 1)
    elif node.type in HOLDING:
        yield node
        for each in children(node):
            yield from _shown(each, depth)
    elif node.type == "call" and (called(node) in MAKING or called(node)[:1].isupper()):
        yield node
        positional, keywords = arguments(node)
        for each in (*positional, *keywords.values()):
            yield from _shown(each, depth)
    elif node.type == "identifier":
        yield node
        value = given_to(string_of(node), node)
        if value is not None and value.id != node.id and value.type in TEXTS:
            yield from _shown(value, depth + 1)
    else:
        yield node


def _is_leak(unit: Unit, node: Node) -> bool:
    """Tell whether what a text shows is an absolute path, or what the system says of one."""
    if node.type == "identifier" and (clause := _clause_of(node)) is not None:
        return _names_file(unit, clause)
    if node.type == "attribute" and string_of(child(node, "attribute") or node) in ("filename", "filename2"):
        clause = _clause_of(child(node, "object") or node)
        return clause is not None and _names_file(unit, clause)
    return is_absolute(unit, node)


def _clause_of(node: Node) -> Node | None:
    """Give the `except` clause that catches what a name stands for."""
    above, name = node.parent, string_of(node)
    while above is not None and above.type != "function_definition":
        value = child(above, "value") if above.type == "except_clause" else None
        alias = child(value, "alias") if value is not None and value.type == "as_pattern" else None
        if alias is not None and string_of(alias) == name:
            return above
        above = parent_of(above)
    return None


def _names_file(unit: Unit, clause: Node) -> bool:
    """Tell whether what a clause catches comes from a file that an absolute path names."""
    tried = clause.parent
    body = child(tried, "body") if tried is not None else None
    if tried is None or body is None:
        return False
    for each in children(tried):
        if each == clause:
            break
        if each.type == "except_clause" and _takes(each) & {"OSError", "IOError", "EnvironmentError", *BROAD}:
            return False
    is_broad = not _takes(clause) & SYSTEM
    if is_broad and (not _takes(clause) & BROAD or len(children(body)) > MOST):
        return False
    return any(_opens(unit, call) for call in unit.calls if _holds(body, call.node))


def _takes(clause: Node) -> set[str]:
    value = child(clause, "value")
    caught = children(value)[0] if value is not None and value.type == "as_pattern" else value
    return {string_of(each) for each in below(caught) if each.type == "identifier"} if caught is not None else set()


def _holds(outer: Node, inner: Node) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte


def _opens(unit: Unit, call: Call) -> bool:
    """Tell whether a call works on a file that an absolute path names."""
    owner = receiver(call.node) if call.function.parent == call.node else child(call.function, "object")
    if ON_FIRST.fullmatch(unit.path(call.function)) is not None:
        return bool(call.positional) and is_absolute(unit, call.positional[0])
    return call.name in ON_PATHS and owner is not None and is_absolute(unit, owner)
