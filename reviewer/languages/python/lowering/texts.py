"""Texts: literals, those that stand side by side, and f-strings."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.nodes import BESIDE
from reviewer.languages.python.evaluation.literals import evaluate_constant, unescape_literal
from reviewer.languages.python.lowering.files import list_children
from reviewer.languages.python.lowering.frame import PythonFrame, register_expression

IN_SPECIFIER = ":"
"""The specifier of a part that stands in the specifier of the part before: `width` in `{price:{width}}`."""
_QUOTES = frozenset(b"\"'")
_FORMATTED = frozenset(b"fFtT")


@register_expression("string")
def _lower_string(frame: PythonFrame, node: Node) -> ir.Expression:
    at = to_site(node)
    if frame.file.data[at.start] in _QUOTES:
        value = evaluate_constant(node)
        return ir.Constant(at, value) if isinstance(value, str) else frame.lower_unknown(node, node.type)
    return _join(frame, node, [node])


@register_expression("concatenated_string")
def _lower_concatenated(frame: PythonFrame, node: Node) -> ir.Expression:
    return _join(frame, node, list_children(node))


def _join(frame: PythonFrame, node: Node, strings: list[Node]) -> ir.Expression:
    pieces: list[tuple[Node, str | bytes | None, str]] = []
    """The parts in order: what is written there, or None for an expression; and its specifier."""
    is_template = False
    for each in strings:
        start = each.start_byte
        opening = frame.file.data[start : start + 3].partition(b'"')[0].partition(b"'")[0]
        if _FORMATTED.isdisjoint(opening):
            value = evaluate_constant(each)
            if not isinstance(value, str | bytes):
                return frame.lower_unknown(node, node.type)
            pieces.append((each, value, ""))
        else:
            is_template = is_template or not {*b"tT"}.isdisjoint(opening)
            pieces += _collect_pieces(frame, each)
    if all(text is not None for _, text, _ in pieces) and not is_template:
        return _lower_constant(frame, node, [text for _, text, _ in pieces if text is not None])
    values = iter(frame.lower_operands(each for each, text, _ in pieces if text is None))
    parts = tuple(next(values) if text is None else ir.Constant(to_site(each), text) for each, text, _ in pieces)
    specifiers = tuple(specifier for _, _, specifier in pieces)
    found = ir.Interpolation(to_site(node), parts, specifiers if any(specifiers) else ())
    return frame.lower_unknown(node, "template string", (found,)) if is_template else found


def _lower_constant(frame: PythonFrame, node: Node, texts: list[str | bytes]) -> ir.Expression:
    if all(isinstance(each, str) for each in texts):
        return ir.Constant(to_site(node), "".join(each for each in texts if isinstance(each, str)))
    if all(isinstance(each, bytes) for each in texts):
        return ir.Constant(to_site(node), b"".join(each for each in texts if isinstance(each, bytes)))
    return frame.lower_unknown(node, node.type)


def _collect_pieces(frame: PythonFrame, string: Node) -> list[tuple[Node, str | bytes | None, str]]:
    """Return the parts of an f-string."""
    found: list[tuple[Node, str | bytes | None, str]] = []
    opening = frame.file.decode_text(string.children[0]) if string.children else ""
    for each in string.children:
        if each.type == "string_content":
            text = frame.file.decode_text(each)
            value = unescape_literal(text, opening)
            found.append((each, text if value is None else value, ""))
        elif each.type == "interpolation":
            found += _split_interpolation(frame, each)
    return found


def _show(data: bytes, start: int, end: int) -> str:
    """Return the text that `{value = }` shows before the value: its source with the `=` and the spaces around it."""
    while data[end : end + 1].isspace():
        end += 1
    return data[start:end].decode("utf-8", "replace")


def _split_interpolation(frame: PythonFrame, node: Node) -> list[tuple[Node, str | bytes | None, str]]:
    """Return the parts of `{…}`: its value, and what its specifier takes."""
    value: Node | None = None
    conversion, specifier, inside, shown = "", "", [], ""
    for each in node.children:
        kind = each.type
        if kind == "type_conversion":
            conversion = frame.file.decode_text(each)
        elif kind == "format_specifier":
            specifier = frame.file.decode_text(each).removeprefix(":")
            inside = [part for part in list_children(each) if part.type in ("format_expression", "interpolation")]
        elif kind == "=" and value is not None:
            shown = _show(frame.file.data, node.start_byte + 1, each.end_byte)
        elif each.is_named and kind not in BESIDE and value is None:
            value = each
    found: list[tuple[Node, str | bytes | None, str]] = []
    if shown:
        found.append((node, shown, ""))
        conversion = conversion or ("" if specifier else "!r")
    if value is not None:
        written = f"{conversion}:{specifier}" if conversion and specifier else conversion or specifier
        found.append((value, None, written))
    for part in inside:
        nested = list_children(part)
        if nested:
            found.append((nested[0], None, IN_SPECIFIER))
    return found
