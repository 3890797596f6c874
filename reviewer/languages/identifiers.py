"""Names as the languages mean them: Python takes `ｔｏｏｌ` for `tool`, and Rust the sign of the kelvin for a K.

A name that is spelled otherwise than it is meant is spelled out before anything looks for it.
"""

from typing import Literal
from unicodedata import is_normalized, normalize

from reviewer.facts import Language
from reviewer.failures import Unreviewed, note_unreviewed
from reviewer.files.discovery import Tree
from reviewer.languages.nodes import find_descendants, parse_bounded
from reviewer.source import Source
from reviewer.text.patterns import pattern

FORMS: dict[Language, Literal["NFC", "NFKC"]] = {"python": "NFKC", "rust": "NFC"}
KINDS: dict[Language, tuple[str, ...]] = {
    "python": ("identifier",),
    "rust": ("identifier", "type_identifier", "field_identifier", "shorthand_field_identifier"),
}
LONGEST = 1_000
"""Characters of such a name that is spelled out, which takes a time that grows with the square of its length."""

_WORD = pattern(r"[\w\u0080-\U0010ffff]+")
"""What stands between two signs of ASCII. In code, that is a name."""


def spell_out(tree: Tree) -> None:
    """Have the names in a tree's sources stand there as they are meant."""
    for path, source in tree.sources.items():
        if not source.data.isascii() and path.endswith((".py", ".rs")):
            tree.sources[path] = _get_spelled_out(source, "python" if path.endswith(".py") else "rust")


def _get_spelled_out(source: Source, language: Language) -> Source:
    text, form = source.data.decode("utf-8"), FORMS[language]
    if is_normalized(form, text) or not any(_is_odd(found[0], form) for found in _WORD.finditer(text)):
        return source
    parts, done = [], 0
    for node in find_descendants(parse_bounded(source, language), language, *KINDS[language]):
        name = source.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        if _is_odd(name, form):
            if len(name) > LONGEST:
                place = source.stretch(node.start_byte, node.end_byte)
                note_unreviewed(
                    Unreviewed(f"a name of {len(name)} letters in unusual Unicode forms was not read", place)
                )
                continue
            parts += [source.data[done : node.start_byte], normalize(form, name).encode()]
            done = node.end_byte
    return Source(source.path, b"".join((*parts, source.data[done:])), is_as_stored=False) if parts else source


def _is_odd(word: str, form: Literal["NFC", "NFKC"]) -> bool:
    return not word.isascii() and word.isidentifier() and not is_normalized(form, word)
