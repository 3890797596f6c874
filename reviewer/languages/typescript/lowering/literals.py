"""What literals are: numbers, strings with their escapes, templates, regular expressions."""

import re

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.typescript.lowering.files import list_children
from reviewer.languages.typescript.lowering.frame import TypeScriptFrame, register_expression
from reviewer.text.patterns import pattern

_SINGLE: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0",
    "\n": "", "\r\n": "", "\r": "", "\u2028": "", "\u2029": "",
}  # fmt: skip
"""What stands for the sign behind a backslash; a line's end is nothing."""
_CODE = pattern(r"\\(?:u\{(?P<wide>[0-9a-fA-F]{1,6})\}|u(?P<four>[0-9a-fA-F]{4})|x(?P<two>[0-9a-fA-F]{2}))")
"""The escapes that give a sign by its number."""
_LONGEST = 400
"""Digits. A longer number is nothing that people write."""


@register_expression("true", "false", "null")
def _lower_single(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    return ir.Constant(to_site(node), _SINGLE[node.type])


@register_expression("undefined", "this", "super")
def _lower_name(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    return frame.lower_name(node.type, to_site(node))


@register_expression("number")
def _lower_number(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    value = read_number(frame.file.decode_text(node))
    return frame.lower_unknown(node, node.type) if value is None else ir.Constant(to_site(node), value)


def read_number(written: str) -> int | float | None:
    """Return the number that is written, None if it is none."""
    text = written.replace("_", "").removesuffix("n")
    if len(text) > _LONGEST:
        return None
    try:
        if re.fullmatch(r"0[xXoObB][0-9a-fA-F]+", text):
            return int(text, 0)
        value = float(text)
    except (ValueError, OverflowError):
        return None
    return int(value) if value.is_integer() and "." not in text and abs(value) < 2**63 else value


def unescape(written: str) -> str:
    """Return the sign, or the signs, that an escape sequence stands for."""
    found = _CODE.fullmatch(written)
    if found is not None:
        number = int(found["wide"] or found["four"] or found["two"], 16)
        return chr(number) if number < 0x110000 else "\ufffd"
    return _ESCAPES.get(written[1:], written[1:])


def read_string(node: Node, data: bytes) -> str:
    """Return the text that a string without gaps is."""
    parts: list[str] = []
    at = node.start_byte + 1
    for each in node.named_children:
        if each.type != "escape_sequence":
            continue
        parts += (_decode(data, at, each.start_byte), unescape(_decode(data, each.start_byte, each.end_byte)))
        at = each.end_byte
    text = "".join((*parts, _decode(data, at, max(at, node.end_byte - 1))))
    return _join_surrogates(text)


def _decode(data: bytes, start: int, end: int) -> str:
    return data[start:end].decode("utf-8", "replace")


def _join_surrogates(text: str) -> str:
    """Return a text in which no half of a pair stands: JavaScript writes signs beyond 16 bits as two."""
    if not any("\ud800" <= each <= "\udfff" for each in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@register_expression("string")
def _lower_string(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    return ir.Constant(to_site(node), read_string(node, frame.file.data))


@register_expression("template_string")
def _lower_template(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    if not any(each.type == "template_substitution" for each in node.children):
        return ir.Constant(to_site(node), read_string(node, frame.file.data).replace("\r\n", "\n"))
    pieces = split_template(frame, node)
    values = iter(frame.lower_operands(each for each, text in pieces if text is None))
    parts = tuple(next(values) if text is None else ir.Constant(to_site(each), text) for each, text in pieces)
    return ir.Interpolation(to_site(node), parts)


def split_template(frame: TypeScriptFrame, node: Node) -> list[tuple[Node, str | None]]:
    """Return the parts of a template: what is written there, or None for an expression."""
    found: list[tuple[Node, str | None]] = []
    for each in node.named_children:
        if each.type == "template_substitution":
            found += [(inner, None) for inner in list_children(each)[:1]]
        elif each.type == "string_fragment":
            found.append((each, frame.file.decode_text(each).replace("\r\n", "\n")))
        elif each.type == "escape_sequence":
            found.append((each, _join_surrogates(unescape(frame.file.decode_text(each)))))
    return found


@register_expression("regex")
def _lower_regex(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    """Lower `/x/i` to an object that has its source and its flags."""
    at = to_site(node)
    parts = (("source", node.child_by_field_name("pattern")), ("flags", node.child_by_field_name("flags")))
    entries = tuple(
        (ir.Constant(at, name), ir.Constant(at, frame.file.decode_text(each) if each is not None else ""))
        for name, each in parts
    )
    return ir.Record(at, ir.Global(at, ("RegExp",)), entries)
