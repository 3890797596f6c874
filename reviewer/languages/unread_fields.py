"""Types of configuration → the fields that documents tell how to set, and that no code reads.

A field is looked for by its name, wherever it stands and whoever holds it: what another type has under the same name is taken for
a read of it, and so is a variable, a text and a field of a pattern. What hands on a whole configuration reads all of it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from tree_sitter import Node

from reviewer.facts import Language, UnreadFields
from reviewer.files.discovery import NEVER, Tree, find_language
from reviewer.files.storage import UNREADABLE, TooLargeError
from reviewer.languages.nodes import (
    decode_node,
    find_child,
    find_descendants,
    list_children,
    locate_text,
    parse_bounded,
)
from reviewer.source import Source, Text
from reviewer.text.patterns import pattern

CALLED = pattern(r"\w*(?:Config|Configuration|Settings)")
"""How types are called that hold what a user sets. `Options` and `Args` are as often what one function takes."""

DECLARES = {
    "python": pattern(rb"class\s+\w*(?:Config|Configuration|Settings)\b"),
    "rust": pattern(rb"struct\s+\w*(?:Config|Configuration|Settings)\b"),
}
# Only a struct that serde reads can be set by a user.
READS_FILE = pattern(r"derive\s*\([^)]*\bDeserialize\b")
# A struct with a schema is what a tool takes, and is set by clients.
OF_TOOLS = pattern(r"derive\s*\([^)]*\bJsonSchema\b")
# Such a struct may be sent on as a whole, and every field be read elsewhere.
WRITTEN = pattern(r"derive\s*\([^)]*\bSerialize\b")
APART = pattern(r"\b(?:flatten|skip|skip_deserializing|deprecated|allow\(dead_code\)|expect\(dead_code)\b")
"""Attributes of fields that represent others, are never set, or are known to be unread."""

EXCUSED = pattern(
    r"\b(?:deprecated|removed|planned|legacy|no longer|ignored|reserved|future|unused|todo|not (?:yet|used)|placeholder)\b",
    re.IGNORECASE,
)
"""Words of what tells of a field that is known to be unread."""

WHOLE = {
    "python": pattern(
        rb"\b(?:asdict|astuple|vars|dict|repr|getattr|fields|hasattr)\(\s*(?:self|cls|\w*(?:config|settings|cfg|conf)\w*)\b"
        rb"|\b(?:self|\w*(?:config|settings|cfg|conf)\w*)(?:\(\))?\.(?:model_dump|dict|json|model_dump_json|to_dict|__dict__)\b"
        rb"|\*\*\s*(?:self\.)?\w*(?:config|settings|cfg|conf)\w*|__dict__",
        re.IGNORECASE,
    ),
    "rust": pattern(
        rb"\bto_(?:value|string|string_pretty|vec|vec_pretty|writer)(?:::<[^>]*>)?\(\s*&?(?:self|[\w.]*(?:config|settings|cfg|conf)\w*)"
        rb"|\.json\(\s*&?[\w.]*(?:config|settings|cfg|conf)\w*",
        re.IGNORECASE,
    ),
}
"""What reads all fields of a configuration at once, of one that is written as well in Rust."""

COMMENTS = {
    "python": pattern(rb"#[^\n]*"),
    "rust": pattern(rb"//[^\n]*"),
}
TESTS = pattern(rb"#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*mod\s+\w+\s*\{(?:\n[ \t}][^\n]*|\n(?=\n)|\n(?=[ \t}]))*\s*\Z")
"""The tests at the end of a file of Rust."""

# Documents, and files that a user is given to copy.
TOLD = (
    ".md",
    ".rst",
    ".txt",
    ".toml",
    ".yaml",
    ".yml",
    ".json",
    ".example",
    ".sample",
    ".template",
    ".ini",
    ".conf",
    ".env",
)
# Where files of settings and their documents lie; a document in another folder is of a part of the project.
FOLDERS = ("", "config/", "configs/", "conf/", "docs/")
# A larger document is data and no prose about a server.
LARGEST = 2**18
MOST_TOLD = 60
"""Documents that are searched for settings; more are generated documentation. 40 servers had up to 6."""


@dataclass(slots=True)
class _Field:
    """A field of a type of configuration, with what stands beside its declaration."""

    name: Text
    said: str


@dataclass(frozen=True)
class _Type:
    """A type of configuration."""

    name: str
    path: str
    language: Language
    fields: tuple[_Field, ...]
    is_written: bool = False


def iter_unread_fields(tree: Tree) -> Iterator[UnreadFields]:
    """Find the fields of types of configuration that documents tell how to set, and that no code names, type by type."""
    found = list(_iter_types(tree))
    if found:
        search = _FieldReadSearch(tree)
        for each in found:
            unread = tuple(search.iter_unread(each))
            if unread:
                yield UnreadFields(each.name, unread)


def _iter_types(tree: Tree) -> Iterator[_Type]:
    """Yield the types that hold what a user sets: their names say so, and they are read from files or from the environment."""
    for path, source in tree.sources.items():
        language = find_language(path)
        is_searched = language in DECLARES and tree.explain_exclusion(path) is None
        if not is_searched or DECLARES[language].search(source.data) is None:
            continue
        kind = "struct_item" if language == "rust" else "class_definition"
        for node in find_descendants(parse_bounded(source, language), language, kind):
            name = find_child(node, "name")
            if name is not None and CALLED.fullmatch(decode_node(name)):
                made = _find_struct(source, node) if language == "rust" else _find_class(source, node)
                if made is not None:
                    fields, is_written = made
                    yield _Type(decode_node(name), path, language, tuple(fields), is_written)


def _find_struct(source: Source, node: Node) -> tuple[list[_Field], bool] | None:
    marks = " ".join(_iter_before(node, "attribute_item"))
    body = find_child(node, "body")
    if body is None or READS_FILE.search(marks) is None or OF_TOOLS.search(marks):
        return None
    found = []
    for part in list_children(body):
        name = find_child(part, "name") if part.type == "field_declaration" else None
        if name is not None and APART.search(" ".join(_iter_before(part, "attribute_item"))) is None:
            said = " ".join(_iter_before(part, "line_comment", "block_comment"))
            found.append(_Field(locate_text(source, name), said))
    return found, WRITTEN.search(marks) is not None


def _iter_before(node: Node, *kinds: str) -> Iterator[str]:
    """Yield the nodes of some kinds right before a node, among attributes and comments."""
    each = node.prev_sibling
    while each is not None and each.type in ("attribute_item", "line_comment", "block_comment"):
        if each.type in kinds:
            yield decode_node(each)
        each = each.prev_sibling


# Classes whose annotated names are fields that are given by name.
BASES = pattern(r"\b(?:BaseSettings|BaseModel|NamedTuple)\b")
# The decorators of `dataclasses`, pydantic and attrs (`define`, `frozen`, `attr.s`).
DATACLASS = pattern(r"@(?:\w+\.)*(?:dataclass|define|frozen|s)\b")


def _find_class(source: Source, node: Node) -> tuple[list[_Field], bool] | None:
    bases = find_child(node, "superclasses")
    around = node.parent if node.parent is not None and node.parent.type == "decorated_definition" else None
    marks = decode_node(around)[: node.start_byte - around.start_byte] if around is not None else ""
    body = find_child(node, "body")
    if body is None or (DATACLASS.search(marks) is None and (bases is None or not BASES.search(decode_node(bases)))):
        return None
    found = []
    for part in list_children(body):
        inner = part.named_children[0] if part.type == "expression_statement" and part.named_children else None
        name = (
            find_child(inner, "left")
            if inner is not None and inner.type == "assignment" and find_child(inner, "type")
            else None
        )
        if name is not None and name.type == "identifier":
            line = source.data[part.start_byte : source.data.find(b"\n", part.end_byte)].decode("utf-8", "replace")
            before = part.prev_sibling
            comment = decode_node(before) if before is not None and before.type == "comment" else ""
            found.append(_Field(locate_text(source, name), f"{comment} {line}"))
    return found, False


class _FieldReadSearch:
    """A search for who reads fields, and who tells of them."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def iter_unread(self, type_: _Type) -> Iterator[Text]:
        """Yield the fields of a type that a document tells beside others of it, and no code reads."""
        if type_.language not in self._wholes and not (type_.is_written and self._is_sent(type_)):
            names = [each.name for each in type_.fields]
            for each in type_.fields:
                if len(each.name) > 2 and EXCUSED.search(each.said) is None and not self._is_read(each.name):
                    if self._is_told(each.name, names):
                        yield each.name

    @cached_property
    def _code(self) -> list[tuple[str, bytes]]:
        """The code without its comments, by path; in Rust without the tests at the end of a file."""
        found = []
        for path, source in self._tree.sources.items():
            language = find_language(path)
            if language not in COMMENTS:
                continue
            data = TESTS.sub(b"", source.data) if language == "rust" and b"cfg(test)" in source.data else source.data
            found.append((path, COMMENTS[language].sub(b"", data)))
        return found

    @cached_property
    def _wholes(self) -> frozenset[str]:
        """The languages in which something reads all of a configuration at once."""
        sources = (data for path, data in self._code if not path.endswith(".rs"))
        return frozenset({"python"} if any(map(WHOLE["python"].search, sources)) else ())

    def _is_sent(self, type_: _Type) -> bool:
        """Return whether a type that can be written is: it is made for somebody else, or written as it is."""
        made = re.compile(rb"(?<!struct )(?<!for )(?<!impl )\b" + type_.name.encode() + rb"\s*\{\s*\w+\s*[:,]")
        return any(
            (path != type_.path and made.search(data)) or WHOLE["rust"].search(data)
            for path, data in self._code
            if path.endswith(".rs")
        )

    def _is_read(self, name: str) -> bool:
        """Return whether any code may read a field of a name: it has the name where it neither declares nor sets it."""
        word = re.escape(name.encode())
        rust, python = _get_reads_of(word, RUST), _get_reads_of(word, PYTHON)
        return any(
            name.encode() in data and (rust if path.endswith(".rs") else python).search(data)
            for path, data in self._code
        )

    def _is_told(self, name: str, names: Iterable[str]) -> bool:
        """Return whether a document tells how to set a field, and another of the same type."""
        others = [each for each in names if each != name]
        return any(
            _explains_setting(text, name) and any(_explains_setting(text, each) for each in others)
            for text in self._told
        )

    @cached_property
    def _told(self) -> list[str]:
        """The documents, templates and files of settings of a project."""
        found: list[str] = []
        for folder in FOLDERS:
            try:
                listed = list(self._tree.storage.list_folder(folder))
            except OSError:
                continue
            for each in listed:
                if (
                    each.kind == "file"
                    and each.name not in NEVER
                    and each.name.endswith(TOLD)
                    and len(found) < MOST_TOLD
                ):
                    try:
                        found.append(self._tree.storage.read(folder + each.name, LARGEST).decode("utf-8", "replace"))
                    except (TooLargeError, *UNREADABLE):
                        continue
        return found


RUST = (
    rb"\.\s*(?:r#)?NAME(?!\w)(?!\s*=(?!=))",
    rb"(?<![\w.#])(?:r#)?NAME(?!\w)(?!\s*:(?!:))",
    rb"(?<!\w)NAME\s*:(?!:)[^{};]*\}\s*[)|]?\s*(?:=>|=(?!=)|[:|])",
)
PYTHON = (
    rb"\.NAME(?!\w)(?!\s*=(?!=))(?!\s*:[^\n=]*=(?!=))|\b(?:if|elif|while)\b[^\n]*\.NAME\s*:",
    rb"(?<![\w.])NAME(?!\w)(?!\s*=(?!=))(?!\s*:)",
    rb"(?<![\w.(,\s])NAME\s*:|\b(?:if|elif|while|and|or|not|in|else|return|lambda)\s+NAME\s*:",
)
"""What reads a field of a name, where it is: behind a dot unless it is set, by itself where it is neither declared nor given by
name, and in a pattern under another name."""


def _get_reads_of(word: bytes, forms: Iterable[bytes]) -> re.Pattern[bytes]:
    return re.compile(b"|".join(each.replace(b"NAME", word) for each in forms), re.MULTILINE)


def _explains_setting(text: str, name: str) -> bool:
    """Return whether a text tells how to set a field: as a key, as an option, as a variable of the environment."""
    if name not in text and name.upper() not in text and name.replace("_", "-") not in text:
        return False
    upper = rf"\b(?:[A-Z][A-Z0-9]*_)+{name.upper()}\b" if "_" not in name else rf"\b(?:[A-Z0-9_]+_)?{name.upper()}\b"
    key = rf"^[ \t]*(?:#[ \t]?)?[\"'`]?{name}[\"'`]?[ \t]*[:=]|--{name.replace('_', '-')}\b|`(?:\w+\.)*{name}`"
    lines = [
        text[text.rfind("\n", 0, found.start()) + 1 : text.find("\n", found.end())]
        for found in re.finditer(f"{upper}|{key}", text, re.MULTILINE)
    ]
    return bool(lines) and not any(map(EXCUSED.search, lines))
