"""HTML as a tree: every string put into it is text, made plain, and only the serializer writes markup."""

from collections.abc import Iterable
from typing import Any
from xml.etree.ElementTree import Element, tostring

from reviewer.render.plain import escape_hidden
from reviewer.render.quoting import iter_quoted_parts

Part = Element | str | None | Iterable[Any]
"""What an element holds: elements, texts, nothing, or several of these."""


def tag(name: str, /, *held: Part, **attributes: str | int | bool | None) -> Element:
    """Make an element. An attribute `class_` is `class`, `data_x` is `data-x`; True stands without a value, False and None not.

    Hidden characters of every text, in attributes too, become visible escapes.
    """
    element = Element(name)
    for key, value in attributes.items():
        if value is not None and value is not False:
            element.set(key.strip("_").replace("_", "-"), "" if value is True else escape_hidden(str(value)))
    _fill(element, held)
    return element


def _fill(element: Element, held: Iterable[Part]) -> None:
    for part in held:
        if isinstance(part, str):
            _write(element, escape_hidden(part))
        elif isinstance(part, Element):
            element.append(part)
        elif part is not None:
            _fill(element, part)


def _write(element: Element, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


def build_raw_element(name: str, own: str) -> Element:
    """Make a `style` or `script` of a file of this package, which the serializer leaves as it is."""
    element = Element(name)
    element.text = own
    return element


def render_prose(text: str) -> list[Part]:
    """Set what a message has in backticks as code."""
    return [tag("code", part) if quoted else part for quoted, part in iter_quoted_parts(text)]


def link(shown: Element, target: str | None) -> Element:
    """Have an element lead to an address of our own making; without one it stays as it is."""
    return tag("a", shown, href=target, rel="noreferrer") if target is not None else shown


def render_aside(text: str) -> Element:
    """Make a text that is only heard."""
    return tag("span", text, class_="heard")


def format_count(count: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def serialize_document(root: Element) -> str:
    """Write the tree as a document."""
    return "<!DOCTYPE html>\n" + tostring(root, encoding="unicode", method="html") + "\n"
