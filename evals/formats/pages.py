"""A page as its elements and its words, read apart."""

import re
from html.parser import HTMLParser

ATTRIBUTES = ("class", "href", "role", "type", "data-severity")
"""Those whose values are the product's own."""

BY_WORDING = {
    ("code",),
    ("mark",),
    ("option", "value"),
    ("p", "class", "class=help"),
    ("span", "class", "class=cut"),
}
"""Elements that are there or not by how words are set, how long they are and which are equal; they may have nothing more."""

OWN_ADDRESS = re.compile(r"#f-[0-9a-f-]+|https://github\.com/owner/name/blob/a{40}/[A-Za-z0-9%._~/-]*#L[0-9]+")
"""Addresses that differ by what was reviewed and lead where they should: to a finding, or to a line at the host."""

Element = tuple[str, ...]


def led(target: str) -> str:
    """Return an address, or that it is one of those that are meant to differ."""
    return "own" if OWN_ADDRESS.fullmatch(target) else target


class Page(HTMLParser):
    """The elements of a page in their order, each with the names of its attributes, and its words."""

    def __init__(self, rendered: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.words: list[str] = []
        self.feed(rendered)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        kept = sorted(f"{name}={led(value or '')}" for name, value in attrs if name in ATTRIBUTES)
        self.elements.append((tag, *sorted(name for name, _ in attrs), *kept))

    def handle_comment(self, _data: str) -> None:
        """Note a comment, of which a page has none."""
        self.elements.append(("comment",))

    def unknown_decl(self, _data: str) -> None:
        """Note a declaration, of which a page has one that is known."""
        self.elements.append(("declaration",))

    def handle_pi(self, _data: str) -> None:
        """Note an instruction, of which a page has none."""
        self.elements.append(("instruction",))

    def handle_data(self, data: str) -> None:
        """Note a stretch of words."""
        self.words.append(data)

    def fixed(self) -> list[Element]:
        """Return the elements that no wording adds or takes away."""
        return [each for each in self.elements if each not in BY_WORDING]
